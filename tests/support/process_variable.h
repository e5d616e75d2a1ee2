// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the environment that the library reads.
#pragma once

#include <QByteArray>

#include "armilla/core/environment.h"

namespace armilla::test {

// Sets a variable for this process and its children, and the environment of the library from all.
inline void setVariable(const char* name, const QByteArray& value) {
    qputenv(name, value);
    setEnvironment(environmentOfProcess());
}
inline void unsetVariable(const char* name) {
    qunsetenv(name);
    setEnvironment(environmentOfProcess());
}

}  // namespace armilla::test
