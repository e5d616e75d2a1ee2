// SPDX-License-Identifier: GPL-3.0-or-later
#include "graticule_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "armilla/core/units.h"

namespace armilla {
namespace {

// Hours, minutes and seconds of time as far as the step requires; 0 <= angle < 2 pi.
std::string hoursText(double angle, double step) {
    constexpr double kSecond = kTwoPi / 86400.0;
    constexpr int64_t kMinute = 60, kHour = 3600;  // seconds
    const double seconds = step / kSecond;
    const auto isMultiple = [&](int64_t unit) {
        const double times = seconds / static_cast<double>(unit);
        return times > 0.5 && std::fabs(times - std::round(times)) < 1e-6 * times;
    };
    // A step of 20 arcsec is 1.33 s: one decimal more than the first digit separates the lines.
    const int decimals =
        isMultiple(1) ? 0 : std::clamp(1 + static_cast<int>(std::ceil(-std::log10(seconds))), 1, 4);
    const auto scale = static_cast<int64_t>(std::llround(std::pow(10.0, decimals)));
    const int64_t day = 24 * kHour * scale;
    const int64_t count = std::llround(angle / kSecond * static_cast<double>(scale)) % day;
    const int64_t whole = count / scale;
    char part[48];
    std::snprintf(part, sizeof part, "%dh", static_cast<int>(whole / kHour));
    std::string text = part;
    if (isMultiple(kHour)) return text;
    std::snprintf(part, sizeof part, "%02dm", static_cast<int>(whole / kMinute % 60));
    text += part;
    if (isMultiple(kMinute)) return text;
    std::snprintf(part, sizeof part, "%02d", static_cast<int>(whole % kMinute));
    text += part;
    if (decimals > 0) {
        std::snprintf(part, sizeof part, ".%0*d", decimals, static_cast<int>(count % scale));
        text += part;
    }
    return text + "s";
}

}  // namespace

std::string angleText(double angle, double step, bool isLatitude) {
    const double unit = step >= 0.999 * kDegree   ? kDegree
                        : step >= 0.999 * kArcmin ? kArcmin
                                                  : kArcsec;
    const int decimals =
        unit > kArcsec
            ? 0
            : std::clamp(static_cast<int>(std::ceil(-std::log10(step / kArcsec) - 1e-9)), 0, 3);
    const double scale = std::pow(10.0, decimals);
    // Total in the smallest unit first, so that 59.9999 carries over.
    auto count = static_cast<int64_t>(std::llround(std::fabs(angle) / unit * scale));
    const auto whole = static_cast<int64_t>(scale);
    const int64_t fraction = count % whole;
    count /= whole;
    std::string text;
    char part[48];
    if (unit == kDegree) {
        text = std::to_string(count) + "°";
    } else if (unit == kArcmin) {
        std::snprintf(part, sizeof part, "%d°%02d′", static_cast<int>(count / 60),
                      static_cast<int>(count % 60));
        text = part;
    } else {
        std::snprintf(part, sizeof part, "%d°%02d′%02d", static_cast<int>(count / 3600),
                      static_cast<int>(count / 60 % 60), static_cast<int>(count % 60));
        text = part;
        if (decimals > 0) {
            std::snprintf(part, sizeof part, ".%0*d", decimals, static_cast<int>(fraction));
            text += part;
        }
        text += "″";
    }
    if (!isLatitude || (count == 0 && fraction == 0)) return text;
    return (angle > 0.0 ? "+" : "\u2212") + text;
}

std::string longitudeText(double angle, double step, LongitudeUnit unit) {
    double lon = std::remainder(angle, kTwoPi);
    if (lon < -1e-12) lon += kTwoPi;
    if (unit == LongitudeUnit::Hours) return hoursText(std::max(0.0, lon), step);
    return angleText(lon, step, false);
}

LongitudeUnit longitudeUnitOf(Frame frame) {
    return frame == Frame::Equatorial ? LongitudeUnit::Hours : LongitudeUnit::Degrees;
}

}  // namespace armilla
