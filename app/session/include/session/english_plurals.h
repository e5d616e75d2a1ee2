// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the sources are English and need no translation, but for what they count:
// "%n row(s)" becomes "1 row" and "3 rows". Installed before a translation, which comes first.
#pragma once

#include <QTranslator>

namespace armilla {

class EnglishPlurals : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation,
                      int n) const override;
};

// The number that chooses the form, of counts beyond what Qt takes.
int pluralOf(int64_t count);

}  // namespace armilla
