// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of files that a test makes, and what readers say against them.
#pragma once

#include <QTemporaryDir>
#include <string>

#include "compute/fits_bytes.h"
#include "core/error.h"

namespace armilla::testing {

class FileFolder {
public:
    std::string path(const std::string& name) const {
        return folder_.path().toStdString() + '/' + name;
    }
    // Of a file with these bytes, which is made.
    std::string write(const std::string& name, const std::string& bytes) const {
        writeBytes(path(name), bytes);
        return path(name);
    }

private:
    QTemporaryDir folder_;
};

// What the call throws, in words; empty if it throws nothing.
template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace armilla::testing
