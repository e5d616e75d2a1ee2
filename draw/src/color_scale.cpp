// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/color_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "armilla/core/round_step.h"

namespace armilla {

namespace {

constexpr std::string_view kMinus = "\u2212";

// "10⁻⁵", "3×10⁻⁵", "2.5×10⁷" from mantissa text and exponent.
std::string scientific(std::string_view mantissa, int exponent) {
    static constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string power = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent)))
        power += kDigits[static_cast<size_t>(digit - '0')];
    const std::string base = "10" + power;
    return mantissa == "1" ? base : std::string(mantissa) + "×" + base;
}

// Range of numbers written out; others are written with powers of ten.
constexpr double kSmallestFixed = 1e-3, kLargestFixed = 1e5;

bool readsFixed(double value) {
    const double size = std::fabs(value);
    return size == 0.0 || (size >= kSmallestFixed * (1.0 - 1e-9) && size < kLargestFixed);
}

// At most `digits` significant digits, without trailing zeros.
std::string numberText(double value, int digits, bool fixed) {
    if (value == 0.0) return "0";
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*e", std::max(0, digits - 1), std::fabs(value));
    const std::string text = buffer;
    const size_t e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    std::string mantissa = text.substr(0, e);
    const auto trim = [](std::string number) {
        if (number.find('.') == std::string::npos) return number;
        number.erase(number.find_last_not_of('0') + 1);
        if (number.back() == '.') number.pop_back();
        return number;
    };
    const std::string sign = value < 0.0 ? std::string(kMinus) : "";
    if (!fixed) return sign + scientific(trim(mantissa), exponent);
    std::snprintf(buffer, sizeof buffer, "%.*f", std::max(0, digits - 1 - exponent),
                  std::fabs(value));
    return sign + trim(buffer);
}

double barPosition(const ColorScale& scale, double value) {
    return static_cast<double>(
        colorPosition(scale.mapping, scale.cumulative.data(), static_cast<float>(value)));
}

// All labels of a bar use one style.
void writeLabels(std::vector<Tick>& ticks, int digits) {
    const bool fixed =
        std::all_of(ticks.begin(), ticks.end(), [](const Tick& t) { return readsFixed(t.value); });
    for (Tick& tick : ticks) tick.label = numberText(tick.value, digits, fixed);
}

std::vector<Tick> linearTicks(const ColorScale& scale, double low, double high, int count) {
    std::vector<Tick> ticks;
    // Three quarters, because rounding up lengthens the step by half on average.
    const double step = roundStep(0.75 * (high - low) / std::max(1, count));
    const double largest = std::max(std::fabs(low), std::fabs(high));
    // Enough digits to distinguish adjacent ticks.
    const int digits =
        std::clamp(1 + static_cast<int>(std::floor(std::log10(largest / step) + 1e-9)), 1, 15) + 1;
    const double slack = 1e-6 * (high - low);
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; k += 1.0) {
        const double value = k * step;
        ticks.push_back({barPosition(scale, std::clamp(value, low, high)), value, {}});
    }
    writeLabels(ticks, digits);
    return ticks;
}

// Selects from values in order of preference; a value is taken at sufficient distance from the
// ticks before.
std::vector<Tick> spacedTicks(const ColorScale& scale, const std::vector<double>& offered,
                              double low, double high, int count) {
    std::vector<Tick> ticks;
    const double gap = 0.8 / std::max(1, count);
    for (const double value : offered) {
        if (value < low || value > high) continue;
        const double position = barPosition(scale, value);
        if (!(position >= 0.0 && position <= 1.0)) continue;
        const bool free = std::none_of(ticks.begin(), ticks.end(), [&](const Tick& tick) {
            return std::fabs(tick.position - position) < gap;
        });
        if (free) ticks.push_back({position, value, {}});
    }
    std::sort(ticks.begin(), ticks.end(),
              [](const Tick& a, const Tick& b) { return a.position < b.position; });
    writeLabels(ticks, 4);
    return ticks;
}

// Decades first, then multiples of three, then two and five; of both signs, large before small.
std::vector<double> decadeValues(double low, double high, double smallest) {
    std::vector<double> values;
    if (low <= 0.0 && high >= 0.0) values.push_back(0.0);
    const double largest = std::max(std::fabs(low), std::fabs(high));
    const int top = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const int bottom = static_cast<int>(std::ceil(std::log10(smallest) - 1e-9));
    for (const double factor : {1.0, 3.0, 2.0, 5.0})
        for (int exponent = top; exponent >= bottom - 1; --exponent)
            for (const double sign : {1.0, -1.0})
                values.push_back(sign * factor * std::pow(10.0, exponent));
    return values;
}

// Values at even positions of the bar, rounded as far as neighbors stay distinct.
std::vector<double> histogramValues(const ColorScale& scale, int count) {
    std::vector<double> values;
    const double step = 0.5 / std::max(1, count);
    for (double place = 0.0; place <= 1.0 + 1e-9; place += step) {
        const double value = valueAtPosition(scale, place);
        const double around =
            valueAtPosition(scale, place + 0.5 * step) - valueAtPosition(scale, place - 0.5 * step);
        if (!(around > 0.0)) {
            values.push_back(value);
            continue;
        }
        double coarsest = around;  // limited so that rounding does not remove the value itself
        if (value != 0.0) coarsest = std::min(around, std::fabs(value));
        const double unit = std::pow(10.0, std::floor(std::log10(coarsest)));
        values.push_back(std::round(value / unit) * unit);
    }
    return values;
}

}  // namespace

Rgba colorOf(const ColorScale& scale, const ColorTable& table, float value) {
    return ColorPicker(scale, table)(value);
}

double valueAtPosition(const ColorScale& scale, double position) {
    const PreparedMapping p = prepareMapping(scale.mapping);
    double place = std::clamp(position, 0.0, 1.0);
    if (p.gamma != 1.0F) place = std::pow(place, 1.0 / static_cast<double>(p.gamma));
    if (p.scale == Scale::Histogram) {
        const double along = place * 255.0;
        const size_t i = std::min<size_t>(static_cast<size_t>(along), 254);
        const double a = scale.cumulative[i], b = scale.cumulative[i + 1];
        return a + (b - a) * (along - static_cast<double>(i));
    }
    if (p.factor == 0.0F) return p.low;
    if (p.scale == Scale::Linear)
        return p.low + place * (static_cast<double>(p.high) - static_cast<double>(p.low));
    const float scaled = p.start + static_cast<float>(place) / p.factor;
    return std::clamp(scaleInverse(p.scale, p.linear, scaled), p.low, p.high);
}

std::vector<Tick> colorBarTicks(const ColorScale& scale, int count) {
    const PreparedMapping p = prepareMapping(scale.mapping);
    const bool byHistogram = p.scale == Scale::Histogram;
    const double low = byHistogram ? scale.cumulative[0] : p.low;
    const double high = byHistogram ? scale.cumulative[255] : p.high;
    if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) {
        if (!std::isfinite(low)) return {};
        return {{0.5, low, numberText(low, 4, readsFixed(low))}};
    }
    if (p.scale == Scale::Linear) return linearTicks(scale, low, high, count);
    std::vector<Tick> ticks;
    if (byHistogram) {
        ticks = spacedTicks(scale, histogramValues(scale, count), low, high, count);
    } else {
        const double smallest = p.scale == Scale::Log ? low : static_cast<double>(p.linear);
        ticks = spacedTicks(scale, decadeValues(low, high, smallest), low, high, count);
    }
    if (ticks.size() >= 3) return ticks;
    // A range with almost no round decade value is nearly linear.
    std::vector<double> even;
    for (const Tick& tick : linearTicks(scale, low, high, count)) even.push_back(tick.value);
    std::vector<Tick> spaced = spacedTicks(scale, even, low, high, count);
    return spaced.size() > ticks.size() ? spaced : ticks;
}

}  // namespace armilla
