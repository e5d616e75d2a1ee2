// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a number with its unit, which shows as many decimals as the number needs.
#pragma once

#include <QDoubleSpinBox>
#include <QLocale>

namespace armilla {

class NumberBox : public QDoubleSpinBox {
public:
    NumberBox(double least, double most, double value, const QString& suffix) {
        constexpr int kDecimals = 4;
        setRange(least, most);
        setDecimals(kDecimals);
        setValue(value);
        setSuffix(suffix);
        setKeyboardTracking(false);
    }
    QString textFromValue(double value) const override {
        return locale().toString(value, 'f', QLocale::FloatingPointShortest);
    }
};

}  // namespace armilla
