// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/failure.h"

#include <new>

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"

namespace armilla {

std::optional<QString> failureLine(const std::exception_ptr& failure) noexcept {
    QString line;
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        return std::nullopt;
    } catch (const Error& error) {
        line = QString::fromUtf8(error.what());
    } catch (const UsageError& error) {
        line = QString::fromUtf8(error.what());
    } catch (const std::bad_alloc&) {
        line = QStringLiteral("out of memory: expected memory for the result, found none free");
    } catch (const std::exception& error) {
        line = QStringLiteral("internal error: ") + QString::fromUtf8(error.what());
    } catch (...) {
        line = QStringLiteral("internal error: an exception of unknown type");
    }
    return line.simplified();
}

}  // namespace armilla
