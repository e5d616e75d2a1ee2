// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/value_slider.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"

namespace armilla {
namespace {

// Lower end of a slider with minimum 0, as a fraction of its upper end.
constexpr double kLeastShare = 1.0 / 3600.0;

double unitOf(const Parameter& parameter) {
    if (parameter.kind != ParameterKind::Angle) return 1.0;
    return parameter.facts.unit == "arcmin"   ? kArcmin
           : parameter.facts.unit == "arcsec" ? kArcsec
                                              : kDegree;
}

}  // namespace

bool ValueSlider::suits(const Parameter& parameter) {
    const bool isNumber = parameter.kind == ParameterKind::Angle ||
                          parameter.kind == ParameterKind::Number ||
                          parameter.kind == ParameterKind::Integer;
    return isNumber && std::isfinite(parameter.facts.sliderMost);
}

ValueSlider::ValueSlider(const Parameter& parameter, QWidget* parent)
    : QSlider(Qt::Horizontal, parent),
      kind_(parameter.kind),
      read_(parameter),
      unit_(unitOf(parameter)),
      word_(QLatin1String(parameter.kind != ParameterKind::Angle ? ""
                          : unit_ == kArcmin                     ? "arcmin"
                          : unit_ == kArcsec                     ? "arcsec"
                                                                 : "deg")) {
    const ParameterFacts& facts = parameter.facts;
    least_ = std::isfinite(facts.sliderLeast) ? facts.sliderLeast
             : std::isfinite(facts.least)     ? facts.least
                                              : 0.0;
    most_ = facts.sliderMost;
    logarithmic_ = kind_ == ParameterKind::Angle && least_ >= 0.0;
    if (logarithmic_) least_ = std::max(least_, most_ * kLeastShare);
    const bool isWhole = kind_ == ParameterKind::Integer;
    setRange(0, isWhole ? static_cast<int>(most_ - least_) : kSteps);
    setSingleStep(isWhole ? 1 : 4);
    setPageStep(isWhole ? 1 : 25);
    connect(this, &QSlider::valueChanged, this, [this](int place) { emit moved(valueAt(place)); });
}

ParameterValue ValueSlider::valueAt(int place) const {
    if (kind_ == ParameterKind::Integer) return static_cast<int64_t>(least_) + place;
    const double share = static_cast<double>(place) / kSteps;
    const double value =
        logarithmic_ ? least_ * std::pow(most_ / least_, share) : least_ + share * (most_ - least_);
    // Parsed from typed form, so that the text is short.
    const QString typed = QString::number(value / unit_, 'g', 3) + word_;
    try {
        const ParameterValue read = read_.parse(typed.toStdString());
        if (const auto* real = std::get_if<double>(&read);
            real && *real >= least_ && *real <= most_)
            return *real;
    } catch (const InvalidArgument&) {
        // Rounding may leave the range.
    }
    return std::clamp(value, least_, most_);
}

int ValueSlider::placeOf(double value) const {
    const double within = std::clamp(value, least_, most_);
    if (kind_ == ParameterKind::Integer) return static_cast<int>(std::lround(within - least_));
    const double share = logarithmic_ ? std::log(within / least_) / std::log(most_ / least_)
                                      : (within - least_) / (most_ - least_);
    return static_cast<int>(std::lround(share * kSteps));
}

void ValueSlider::showValue(const ParameterValue& value) {
    if (isSliderDown()) return;
    const QSignalBlocker quiet(this);
    if (const auto* real = std::get_if<double>(&value))
        setValue(placeOf(*real));
    else if (const auto* whole = std::get_if<int64_t>(&value))
        setValue(placeOf(static_cast<double>(*whole)));
    else
        setValue(0);
}

}  // namespace armilla
