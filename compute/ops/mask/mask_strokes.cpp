// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/mask_strokes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

[[noreturn]] void fail(const char* expected, std::string_view found) {
    throw InvalidArgument(std::string("expected ") + expected + " in a stroke, found '" +
                          std::string(found) + "'");
}

std::string_view nextWord(std::string_view& rest) {
    const size_t begin = std::min(rest.find_first_not_of(" \t\n"), rest.size());
    const size_t end = std::min(rest.find_first_of(" \t\n", begin), rest.size());
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

std::optional<double> numberOf(std::string_view text) {
    double value = 0.0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

LonLat pointOf(std::string_view word) {
    const size_t comma = word.find(',');
    const auto lon = numberOf(word.substr(0, comma));
    const auto lat =
        comma == std::string_view::npos ? std::nullopt : numberOf(word.substr(comma + 1));
    if (!lon || !lat || std::abs(*lat) > 90.0) fail("LON,LAT in degrees", word);
    return {*lon * kDegree, *lat * kDegree};
}

MaskStroke strokeOf(std::string_view statement) {
    std::string_view rest = statement;
    MaskStroke stroke;
    const std::string_view verb = nextWord(rest);
    if (verb != "cut" && verb != "restore") fail("cut or restore", verb);
    stroke.good = verb == "restore";
    std::string_view word = nextWord(rest);
    if (word == "G" || word == "C" || word == "E") {
        stroke.frame = word == "G"   ? Frame::Galactic
                       : word == "C" ? Frame::Equatorial
                                     : Frame::Ecliptic;
        word = nextWord(rest);
    }
    const auto radius = numberOf(word);
    if (!radius || *radius < 0.0 || *radius > 180.0) fail("a radius in degrees", word);
    stroke.radius = *radius * kDegree;
    for (word = nextWord(rest); !word.empty(); word = nextWord(rest))
        stroke.path.push_back(pointOf(word));
    if (stroke.path.empty()) fail("LON,LAT in degrees", "");
    return stroke;
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9f", value);
    std::string written(text.data());
    while (written.back() == '0') written.pop_back();
    if (written.back() == '.') written.pop_back();
    return written == "-0" ? "0" : written;
}

// Angle from a direction to the nearest point of the arc between two others.
class Arc {
public:
    Arc(Vec3 from, Vec3 to) : from_(from), to_(to), length_(angularDistance(from, to)) {
        const Vec3 across = cross(from, to);
        if (norm(across) < 1e-15) return;
        pole_ = normalized(across);
        hasPole_ = true;
    }
    double distanceTo(Vec3 d) const {
        const double ends = std::min(angularDistance(d, from_), angularDistance(d, to_));
        if (!hasPole_) return ends;
        // Perpendicular distance if its foot lies between the ends.
        if (dot(cross(pole_, from_), d) < 0.0 || dot(cross(to_, pole_), d) < 0.0) return ends;
        return std::min(ends, std::abs(0.5 * kPi - angularDistance(d, pole_)));
    }
    Vec3 middle() const { return hasPole_ ? normalized(from_ + to_) : from_; }
    double length() const { return length_; }

private:
    Vec3 from_, to_, pole_;
    double length_;
    bool hasPole_ = false;
};

void paint(HealpixMap& mask, const Arc& arc, double radius, float value) {
    const double reach = std::min(kPi, radius + 0.5 * arc.length());
    for (const PixelRange& run : queryDisc(mask.nside(), mask.ordering(), arc.middle(), reach))
        for (int64_t p = run.begin; p < run.end; ++p) {
            if (arc.length() > 0.0 &&
                arc.distanceTo(directionFromPixel(mask.nside(), mask.ordering(), p)) > radius)
                continue;
            std::visit(
                [&](auto& values) {
                    using T = typename std::decay_t<decltype(values)>::value_type;
                    values[static_cast<size_t>(p)] = static_cast<T>(value);
                },
                mask.field(0).values);
        }
}

}  // namespace

bool MaskStroke::operator==(const MaskStroke& other) const {
    return good == other.good && frame == other.frame && radius == other.radius &&
           std::equal(
               path.begin(), path.end(), other.path.begin(), other.path.end(),
               [](const LonLat& a, const LonLat& b) { return a.lon == b.lon && a.lat == b.lat; });
}

std::vector<MaskStroke> parseStrokes(std::string_view text) {
    std::vector<MaskStroke> strokes;
    while (!text.empty()) {
        const size_t end = std::min(text.find(';'), text.size());
        const std::string_view statement = text.substr(0, end);
        if (statement.find_first_not_of(" \t\n") != std::string_view::npos)
            strokes.push_back(strokeOf(statement));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return strokes;
}

std::string strokeText(const std::vector<MaskStroke>& strokes) {
    std::string text;
    for (const MaskStroke& stroke : strokes) {
        if (!text.empty()) text += "; ";
        text += stroke.good ? "restore" : "cut";
        if (stroke.frame == Frame::Galactic) text += " G";
        if (stroke.frame == Frame::Equatorial) text += " C";
        if (stroke.frame == Frame::Ecliptic) text += " E";
        text += " " + number(stroke.radius / kDegree);
        for (const LonLat& p : stroke.path)
            text += " " + number(p.lon / kDegree) + "," + number(p.lat / kDegree);
    }
    return text;
}

void paintStrokes(HealpixMap& mask, const std::vector<MaskStroke>& strokes, JobContext& job) {
    if (mask.coverage() != Coverage::Full)
        throw InvalidArgument("expected a mask of the whole sky, found a part of it");
    for (size_t i = 0; i < strokes.size(); ++i) {
        const MaskStroke& stroke = strokes[i];
        const bool own = stroke.frame == Frame::Unknown;
        if (!own && mask.frame() == Frame::Unknown)
            throw InvalidArgument("expected a mask in a known frame for this stroke, found none");
        const Mat3 turn = own ? Mat3{} : frameRotation(mask.frame(), stroke.frame);
        for (size_t k = 0; k < stroke.path.size(); ++k) {
            if (k % 16 == 0) job.poll();
            const Vec3 to = turn * direction(stroke.path[k]);
            const Vec3 from = k == 0 ? to : turn * direction(stroke.path[k - 1]);
            if (k == 0 && stroke.path.size() > 1) continue;
            paint(mask, Arc(from, to), stroke.radius, stroke.good ? 1.0F : 0.0F);
        }
    }
}

}  // namespace armilla
