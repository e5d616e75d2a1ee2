// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where exceptions become the line that a user reads.
#pragma once

#include <QString>
#include <exception>
#include <optional>

namespace armilla {

// The line to show for a failure: that of an Error, "out of memory ..." for std::bad_alloc,
// "internal error: ..." for anything else. None for Cancelled: nothing went wrong. Line breaks
// become blanks. Never throws; `failure` is not null.
std::optional<QString> failureLine(const std::exception_ptr& failure) noexcept;

}  // namespace armilla
