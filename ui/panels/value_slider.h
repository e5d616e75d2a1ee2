// SPDX-License-Identifier: GPL-3.0-or-later
// A slider over the range of a described parameter.
#pragma once

#include <QSlider>

#include "operations/parameter.h"

namespace armilla {

class ValueSlider : public QSlider {
    Q_OBJECT
public:
    explicit ValueSlider(const Parameter& parameter, QWidget* parent = nullptr);
    // Whether the description gives a slider its ends.
    static bool suits(const Parameter& parameter);
    // Moves it without a word; an empty value leaves it at its beginning.
    void showValue(const ParameterValue& value);
    // The value at a place: of two or three digits, as a person would choose.
    ParameterValue valueAt(int place) const;

signals:
    void moved(const armilla::ParameterValue& value);

private:
    static constexpr int kSteps = 500;
    int placeOf(double value) const;
    const ParameterKind kind_;
    const Parameter read_;     // to read values as they are typed
    const double unit_ = 1.0;  // radians, of an angle
    const QString word_;       // of the unit, as it is typed
    double least_ = 0.0, most_ = 1.0;
    bool logarithmic_ = false;
};

}  // namespace armilla
