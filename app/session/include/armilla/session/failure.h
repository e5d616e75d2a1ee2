// SPDX-License-Identifier: GPL-3.0-or-later
// The only conversion of exceptions to the line that a user reads.
#pragma once

#include <QString>
#include <exception>
#include <optional>

namespace armilla {

// The line to show for a failure:
// - the message of an Error,
// - "out of memory ..." for std::bad_alloc,
// - "internal error: ..." for any other exception,
// - none for Cancelled, which is not a failure.
//
// Line breaks become blanks. Never throws; `failure` must not be null.
std::optional<QString> failureLine(const std::exception_ptr& failure) noexcept;

}  // namespace armilla
