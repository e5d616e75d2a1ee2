// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/english_plurals.h"

#include <algorithm>
#include <limits>

namespace armilla {

QString EnglishPlurals::translate(const char* /*context*/, const char* source,
                                  const char* /*disambiguation*/, int n) const {
    QString text = QString::fromUtf8(source);
    const QString both = QStringLiteral("(s)");
    if (n < 0 || !text.contains(both)) return {};
    return text.replace(both, n == 1 ? QString() : QStringLiteral("s"));
}

int pluralOf(int64_t count) {
    return static_cast<int>(std::min<int64_t>(count, std::numeric_limits<int>::max()));
}

}  // namespace armilla
