// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/known_operations.h"

#include "armilla/core/error.h"

namespace armilla::operations {
namespace {

const Operation& known(std::string_view id) {
    const Operation* found = findOperation(id);
    ARMILLA_ASSERT(found != nullptr);
    return *found;
}

}  // namespace

const Operation& anafast() {
    return known("anafast");
}
const Operation& mask() {
    return known("mask");
}
const Operation& project() {
    return known("project");
}
const Operation& remove() {
    return known("remove");
}
const Operation& sample() {
    return known("sample");
}
const Operation& select() {
    return known("select");
}
const Operation& smooth() {
    return known("smooth");
}
const Operation& stats() {
    return known("stats");
}

}  // namespace armilla::operations
