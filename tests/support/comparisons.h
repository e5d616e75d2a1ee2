// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of one value of a comparison, as single steps of the history.
#pragma once

#include "armilla/session/document.h"

namespace armilla::test {

inline void setCompared(Document& document, const Shown& compared) {
    document.view().compare(document.view().shown(), compared, document.view().comparison());
}

inline void setComparison(Document& document, Comparison comparison) {
    document.view().compare(document.view().shown(), document.view().compared(), comparison);
}

}  // namespace armilla::test
