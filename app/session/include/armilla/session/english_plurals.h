// SPDX-License-Identifier: GPL-3.0-or-later
// Source texts are English and need no translation except for counts: "%n row(s)" becomes "1 row"
// and "3 rows". Installed before a translation, which takes precedence.
#pragma once

#include <QTranslator>

namespace armilla {

// Translator from source text to English with plural forms.
class EnglishPlurals : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation,
                      int n) const override;
};

// The number that selects the plural form, for counts that exceed Qt's int.
int pluralOf(int64_t count);

}  // namespace armilla
