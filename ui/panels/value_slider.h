// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over the range of a described parameter.
#pragma once

#include <QSlider>

#include "armilla/operations/parameter.h"

namespace armilla {

class ValueSlider : public QSlider {
    Q_OBJECT
public:
    explicit ValueSlider(const Parameter& parameter, QWidget* parent = nullptr);
    // True if the description gives the limits of a slider.
    static bool suits(const Parameter& parameter);
    // Moves the slider without a signal; an empty value moves it to the lower end.
    void showValue(const ParameterValue& value);
    // The value at a slider position, rounded to two or three digits.
    ParameterValue valueAt(int place) const;

signals:
    void moved(const armilla::ParameterValue& value);

private:
    static constexpr int kSteps = 500;
    int placeOf(double value) const;
    const ParameterKind kind_;
    const Parameter read_;     // for parsing typed values
    const double unit_ = 1.0;  // radians, of an angle
    const QString word_;       // typed form of the unit
    double least_ = 0.0, most_ = 1.0;
    bool logarithmic_ = false;
};

}  // namespace armilla
