// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"

namespace armilla {

namespace {

struct AngleUnit {
    std::string_view name;
    double radians;
};
// Names listed in messages come first, then the accepted symbols.
constexpr std::array<AngleUnit, 10> kAngleUnits{{{"deg", kDegree},
                                                 {"arcmin", kArcmin},
                                                 {"arcsec", kArcsec},
                                                 {"mas", 1e-3 * kArcsec},
                                                 {"rad", 1.0},
                                                 {"°", kDegree},
                                                 {"'", kArcmin},
                                                 {"′", kArcmin},
                                                 {"\"", kArcsec},
                                                 {"″", kArcsec}}};

// Removes a decimal number from the front of `text`; none if absent. Independent of the locale.
std::optional<double> takeNumber(std::string_view& text) {
    std::string_view rest = text;
    if (!rest.empty() && rest.front() == '+') {
        rest.remove_prefix(1);
        if (!rest.empty() && rest.front() == '-') return std::nullopt;
    }
    double value = 0.0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (failure != std::errc{} || !std::isfinite(value)) return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    text = rest;
    return value;
}

std::string fixed(double value, int decimals) {
    std::array<char, 64> buffer{};
    const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                              std::chars_format::fixed, decimals);
    return failure == std::errc{} ? std::string(buffer.data(), end) : "?";
}

std::string general(double value, int digits) {
    std::array<char, 64> buffer{};
    const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                              std::chars_format::general, digits);
    return failure == std::errc{} ? std::string(buffer.data(), end) : "?";
}

// Decimals that make 10^-decimals at most `step`.
int decimalsFor(double step, int most) {
    if (!(step > 0.0)) return most;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, most);
}

double wrappedLongitude(double lon) {
    lon = std::fmod(lon, kTwoPi);
    if (lon < 0.0) lon += kTwoPi;
    return lon < kTwoPi ? lon : 0.0;
}

LonLat checkedPosition(double lon, double lat, std::string_view text) {
    // 90 degrees from text may round to just above pi/2.
    if (std::fabs(lat) > kHalfPi * (1.0 + 1e-15))
        throw InvalidArgument("expected a latitude from -90 to 90 degrees, found '" +
                              std::string(text) + "'");
    return {wrappedLongitude(lon), std::clamp(lat, -kHalfPi, kHalfPi)};
}

[[noreturn]] void refusePosition(std::string_view text) {
    throw InvalidArgument(
        "expected a position as '12:34:56 -01:02:03', '12h34m56s -1d2m3s' or two numbers in "
        "degrees, found '" +
        std::string(text) + "'");
}

// One coordinate as typed: degrees, or hours of right ascension.
struct TypedCoordinate {
    double value = 0.0;
    bool hours = false;
};

// The separators of sexagesimal parts: kind 0 ends hours or degrees, 1 minutes, 2 seconds.
struct Separator {
    std::string_view mark;
    int kind;
    bool hours, degrees;
};
constexpr std::array<Separator, 11> kSeparators{{{"h", 0, true, false},
                                                 {"deg", 0, false, true},
                                                 {"d", 0, false, true},
                                                 {"°", 0, false, true},
                                                 {"m", 1, false, false},
                                                 {"'", 1, false, false},
                                                 {"′", 1, false, false},
                                                 {"s", 2, false, false},
                                                 {"\"", 2, false, false},
                                                 {"″", 2, false, false},
                                                 {":", -1, false, false}}};

// Parses "12:34:56.7", "12h34m56s", "-1d 2m", "12 34 56", "12.5h" or "-30.25". `hoursByDefault`
// selects hours for two or three parts without h or d.
std::optional<TypedCoordinate> typedCoordinate(std::string_view text, bool hoursByDefault) {
    text = trimmedView(text);
    const bool negative = !text.empty() && text.front() == '-';
    if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
    std::array<double, 3> parts{};
    int count = 0;
    bool hours = false, degrees = false;
    while (!text.empty()) {
        if (count == 3 || text.front() == '-' || text.front() == '+') return std::nullopt;
        const std::string_view before = text;
        const auto number = takeNumber(text);
        if (!number) return std::nullopt;
        // Only the last part may have a fraction; no part may have an exponent.
        const std::string_view digits = before.substr(0, before.size() - text.size());
        const bool whole = digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (digits.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
        if (count > 0 && *number >= 60.0) return std::nullopt;
        const bool blank = !text.empty() && isBlank(text.front());
        text = trimmedView(text);
        bool marked = false;
        for (const Separator& separator : kSeparators) {
            if (!text.starts_with(separator.mark)) continue;
            if (separator.kind >= 0 && separator.kind != count) return std::nullopt;
            text = trimmedView(text.substr(separator.mark.size()));
            hours = hours || separator.hours;
            degrees = degrees || separator.degrees;
            marked = true;
            if (separator.kind < 0 && text.empty()) return std::nullopt;
            break;
        }
        if (!text.empty() && (!whole || (!marked && !blank))) return std::nullopt;
        parts[static_cast<size_t>(count++)] = *number;
    }
    if (count == 0) return std::nullopt;
    const double value = parts[0] + (parts[1] + parts[2] / 60.0) / 60.0;
    const bool inHours = hours || (hoursByDefault && count > 1 && !degrees);
    return TypedCoordinate{negative ? -value : value, inHours};
}

// Splits a typed position into two coordinates: at a comma, at a sign after a blank, or in the
// middle of its words.
std::optional<std::pair<std::string_view, std::string_view>> halves(std::string_view text) {
    if (const size_t comma = text.find(','); comma != std::string_view::npos)
        return std::pair{text.substr(0, comma), text.substr(comma + 1)};
    std::vector<size_t> words;  // start of each word
    for (size_t i = 0; i < text.size(); ++i)
        if (!isBlank(text[i]) && (i == 0 || isBlank(text[i - 1]))) words.push_back(i);
    for (size_t i = 1; i < words.size(); ++i)
        if (text[words[i]] == '-' || text[words[i]] == '+')
            return std::pair{text.substr(0, words[i]), text.substr(words[i])};
    if (words.size() < 2 || words.size() % 2 != 0) return std::nullopt;
    const size_t middle = words[words.size() / 2];
    return std::pair{text.substr(0, middle), text.substr(middle)};
}

// Formats a value in seconds (of time or arc) as "05h35m17.3s" with `decimals` decimals.
std::string sexagesimal(double seconds, int decimals, char mark, int64_t wrapAt) {
    int64_t scale = 1;
    for (int i = 0; i < decimals; ++i) scale *= 10;
    int64_t ticks = std::llround(seconds * static_cast<double>(scale));
    if (wrapAt > 0) ticks %= wrapAt * 3600 * scale;
    const int64_t whole = ticks / scale;
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%02lld%c%02lldm%02lld",
                  static_cast<long long>(whole / 3600), mark,
                  static_cast<long long>(whole / 60 % 60), static_cast<long long>(whole % 60));
    std::string text = buffer.data();
    if (decimals > 0) {
        std::string fraction = std::to_string(ticks % scale);
        fraction.insert(0, static_cast<size_t>(decimals) - fraction.size(), '0');
        text += "." + fraction;
    }
    return text + "s";
}

}  // namespace

double parseAngle(std::string_view text) {
    std::string_view rest = trimmedView(text);
    if (const auto number = takeNumber(rest)) {
        rest = trimmedView(rest);
        for (const AngleUnit& unit : kAngleUnits)
            if (rest == unit.name && std::isfinite(*number * unit.radians))
                return *number * unit.radians;
    }
    throw InvalidArgument(
        "expected an angle with its unit (deg, arcmin, arcsec, mas or rad), such as 4.7arcmin; "
        "found '" +
        std::string(text) + "'");
}

LonLat parsePosition(std::string_view text) {
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        throw InvalidArgument(
            "expected a position LON,LAT, each with its unit, such as 120.5deg,-30deg; found '" +
            std::string(text) + "'");
    return checkedPosition(parseAngle(text.substr(0, comma)), parseAngle(text.substr(comma + 1)),
                           text);
}

LonLat parseTypedPosition(std::string_view text, Frame frame) {
    const auto both = halves(trimmedView(text));
    if (!both) refusePosition(text);
    const auto lon = typedCoordinate(both->first, true);
    const auto lat = typedCoordinate(both->second, false);
    if (!lon || !lat || lat->hours) refusePosition(text);
    if (!lon->hours) return checkedPosition(lon->value * kDegree, lat->value * kDegree, text);
    const LonLat equatorial =
        checkedPosition(lon->value * 15.0 * kDegree, lat->value * kDegree, text);
    if (frame == Frame::Equatorial) return equatorial;
    return lonLat(frameRotation(frame, Frame::Equatorial) * direction(equatorial));
}

std::string formatEquatorial(LonLat position, double resolution) {
    // By convention one digit more in right ascension than in declination: 0.1 s is 1.5 arcsec.
    // Nine decimals exceed the precision of a double for 24 hours.
    const int hourDecimals = decimalsFor(resolution / (10.0 * kArcsec), 9);
    const int degreeDecimals = decimalsFor(resolution / kArcsec, 9);
    const double hourSeconds = wrappedLongitude(position.lon) / (15.0 * kArcsec);
    const double degreeSeconds = std::fabs(position.lat) / kArcsec;
    return sexagesimal(hourSeconds, hourDecimals, 'h', 24) +
           (std::signbit(position.lat) ? " -" : " +") +
           sexagesimal(degreeSeconds, degreeDecimals, 'd', 0);
}

std::string formatDegrees(double radians, double resolution) {
    std::string text = fixed(radians / kDegree, decimalsFor(resolution / kDegree, 12));
    if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
    return text;
}

std::string formatAngle(double radians) {
    const double size = std::fabs(radians);
    // Three digits, four from 100 on, to distinguish 359.9 degrees from 360. The unit changes when
    // the value, rounded to these digits, reaches 1 of the larger unit.
    const auto write = [](double value, const char* unit) {
        return general(value, std::fabs(value) < 99.95 ? 3 : 4) + unit;
    };
    if (size == 0.0) return "0°";
    if (size > 0.9995 * kDegree) return write(radians / kDegree, "°");
    if (size > 0.9995 * kArcmin) return write(radians / kArcmin, "′");
    if (size > 0.0995 * kArcsec) return write(radians / kArcsec, "″");
    return write(1e3 * radians / kArcsec, " mas");
}

std::string angleArgument(double radians) {
    std::string best = general(radians, 17) + "rad";
    for (const AngleUnit& unit : {kAngleUnits[0], kAngleUnits[1], kAngleUnits[2], kAngleUnits[4]})
        for (int digits = 1; digits <= 17; ++digits) {
            const double value = radians / unit.radians;
            const std::string number = general(value, digits);
            // "30deg", not "3e+01deg": a power of ten only helps very small and large numbers.
            const bool isPlain = std::fabs(value) >= 1e-4 && std::fabs(value) < 1e6;
            if (isPlain && number.find('e') != std::string::npos) continue;
            const std::string text = number + std::string(unit.name);
            if (text.size() < best.size() && parseAngle(text) == radians) {
                best = text;
                break;
            }
        }
    return best;
}

}  // namespace armilla
