// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/error.h"

#include <utility>

namespace armilla {

Error::Error(ErrorCode code, std::string message, SourceLocation where)
    : code_(code), message_(std::move(message)), where_(where) {
    rebuild();
}

void Error::addContext(std::string context) {
    context_.insert(context_.begin(), std::move(context));
    rebuild();
}

void Error::rebuild() {
    line_.clear();
    for (const std::string& part : context_) line_ += part + ": ";
    line_ += message_;
    // Messages quote foreign text (header cards, file names), which may contain line breaks. The
    // message must stay one line.
    for (char& c : line_)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
}

void assertionFailed(const char* expression, SourceLocation where) {
    throw InternalError(std::string("internal check failed: ") + expression + " (" + where.file +
                            ":" + std::to_string(where.line) + ")",
                        where);
}

}  // namespace armilla
