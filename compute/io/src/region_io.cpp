// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/region_io.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr const char* kShapeNames = "circle, ellipse, box, annulus or polygon";

[[noreturn]] void refuse(int line, const std::string& expected, std::string_view found) {
    throw IoError("line " + std::to_string(line) + ": expected " + expected + ", found '" +
                  std::string(found.substr(0, 60)) + "'");
}

double numberOf(std::string_view text, int line) {
    text = trimmedView(text);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0.0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        refuse(line, "a number", text);
    return value;
}

// Degrees, also with suffix "d" or "r", or three parts separated by colons or the letters h, d, m,
// s. Three parts are hours for a longitude in an equatorial frame.
double coordinateOf(std::string_view text, bool hours, int line) {
    text = trimmedView(text);
    if (text.find(':') == std::string_view::npos &&
        text.find_first_of("hms") == std::string_view::npos) {
        if (!text.empty() && text.back() == 'd')
            return numberOf(text.substr(0, text.size() - 1), line) * kDegree;
        if (!text.empty() && text.back() == 'r')
            return numberOf(text.substr(0, text.size() - 1), line);
        return numberOf(text, line) * kDegree;
    }
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    const bool letters = text.find(':') == std::string_view::npos;
    const bool inHours = letters ? text.find('h') != std::string_view::npos : hours;
    std::array<double, 3> parts{};
    std::string_view rest = text;
    for (size_t i = 0; i < 3 && !rest.empty(); ++i) {
        const size_t end = rest.find_first_of(":hdms");
        parts[i] = numberOf(rest.substr(0, end), line);
        if (parts[i] < 0.0 || (i > 0 && parts[i] >= 60.0))
            refuse(line, "minutes and seconds below 60", text);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    const double degrees =
        (parts[0] + parts[1] / 60.0 + parts[2] / 3600.0) * (inHours ? 15.0 : 1.0);
    return (negative ? -degrees : degrees) * kDegree;
}

double sizeOf(std::string_view text, int line) {
    text = trimmedView(text);
    if (text.empty()) refuse(line, "a size", text);
    double unit = kDegree;
    switch (text.back()) {
        case '"': unit = kArcsec; break;
        case '\'': unit = kArcmin; break;
        case 'd': break;
        case 'r': unit = 1.0; break;
        case 'p':
        case 'i': refuse(line, "a size as an angle", text);
        default: return numberOf(text, line) * kDegree;
    }
    return numberOf(text.substr(0, text.size() - 1), line) * unit;
}

// The frame of a word; none if the word is no frame. Throws for frames that sky maps do not
// support.
std::optional<Frame> frameWord(const std::string& word, int line) {
    if (word == "icrs" || word == "fk5" || word == "j2000") return Frame::Equatorial;
    if (word == "galactic") return Frame::Galactic;
    if (word == "ecliptic") return Frame::Ecliptic;
    if (word == "fk4" || word == "b1950" || word == "image" || word == "physical" ||
        word == "detector" || word == "amplifier" || word == "linear" || word.rfind("wcs", 0) == 0)
        refuse(line, "regions in icrs, fk5, galactic or ecliptic coordinates", word);
    return std::nullopt;
}

std::vector<std::string_view> argumentsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    size_t begin = 0;
    while (begin <= text.size()) {
        size_t end = text.find_first_of(", \t", begin);
        if (end == std::string_view::npos) end = text.size();
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

LonLat placeOf(const std::vector<std::string_view>& parts, size_t i, Frame frame, int line) {
    return {coordinateOf(parts[i], frame == Frame::Equatorial, line),
            coordinateOf(parts[i + 1], false, line)};
}

Region shapeOf(const std::string& name, const std::vector<std::string_view>& parts, Frame frame,
               int line) {
    Region region;
    region.frame = frame;
    const auto need = [&](bool enough, const char* what) {
        if (!enough) refuse(line, what, name + " of " + std::to_string(parts.size()) + " numbers");
    };
    if (name == "polygon") {
        need(parts.size() >= 6 && parts.size() % 2 == 0, "a polygon of three corners or more");
        region.shape = RegionShape::Polygon;
        for (size_t i = 0; i < parts.size(); i += 2)
            region.points.push_back(placeOf(parts, i, frame, line));
        return region;
    }
    if (name == "circle") {
        need(parts.size() == 3, "a circle of a place and a radius");
        region.shape = RegionShape::Circle;
        region.first = sizeOf(parts[2], line);
    } else if (name == "annulus") {
        need(parts.size() >= 4, "an annulus of a place and two radii or more");
        region.shape = RegionShape::Annulus;
        region.first = sizeOf(parts[2], line);
        region.second = sizeOf(parts.back(), line);
    } else if (name == "ellipse" || name == "box") {
        need(parts.size() == 4 || parts.size() == 5, "a shape of a place, two sizes and an angle");
        region.shape = name == "box" ? RegionShape::Box : RegionShape::Ellipse;
        const double half = name == "box" ? 0.5 : 1.0;
        region.first = half * sizeOf(parts[2], line);
        region.second = half * sizeOf(parts[3], line);
        if (parts.size() == 5) region.angle = numberOf(parts[4], line) * kDegree;
    } else {
        refuse(line, kShapeNames, name);
    }
    region.points.push_back(placeOf(parts, 0, frame, line));
    return region;
}

// True for shapes without an area, or without one on the sky.
bool hasNoArea(const std::string& name) {
    constexpr std::array<std::string_view, 7> kNames{"point", "text",    "line",      "vector",
                                                     "ruler", "compass", "projection"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool isShape(const std::string& name) {
    constexpr std::array<std::string_view, 5> kNames{"circle", "ellipse", "box", "annulus",
                                                     "polygon"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// Adds a name once.
void passOver(const std::string& name, std::vector<std::string>& passedOver) {
    if (std::find(passedOver.begin(), passedOver.end(), name) == passedOver.end())
        passedOver.push_back(name);
}

// `passedOver` receives the name of each omitted shape once. `mayLeaveOut`: unknown shapes are
// omitted.
void parseStatement(std::string_view statement, int line, Frame& frame,
                    std::vector<Region>& regions, std::vector<std::string>& passedOver,
                    bool mayLeaveOut) {
    statement = trimmedView(statement.substr(0, statement.find('#')));
    statement = trimmedView(statement.substr(0, statement.find("||")));
    if (statement.empty()) return;
    Region sign;
    if (statement.front() == '-' || statement.front() == '+') {
        sign.exclude = statement.front() == '-';
        statement = trimmedView(statement.substr(1));
    }
    const size_t open = statement.find('(');
    const std::string name =
        lowerCase(trimmedView(statement.substr(0, std::min(open, statement.size()))));
    if (name.rfind("global", 0) == 0) return;
    if (open == std::string_view::npos) {
        if (const auto known = frameWord(name, line)) {
            frame = *known;
            return;
        }
        refuse(line, "a frame or a region", statement);
    }
    const size_t close = statement.find(')', open);
    if (close == std::string_view::npos) refuse(line, "a region with its parentheses", statement);
    const bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0;
    });
    if (hasNoArea(name) || (mayLeaveOut && isName && !isShape(name)))
        return passOver(name, passedOver);
    if (frame == Frame::Unknown)
        refuse(line, "a frame (icrs, fk5, galactic, ecliptic) before the first region", statement);
    Region region =
        shapeOf(name, argumentsOf(statement.substr(open + 1, close - open - 1)), frame, line);
    region.exclude = sign.exclude;
    try {
        checkRegion(region);
    } catch (const InvalidArgument& error) {
        throw IoError("line " + std::to_string(line) + ": " + error.message());
    }
    regions.push_back(std::move(region));
}

// The text of "# color=red text={M 31}", between braces, quotes or apostrophes.
std::string labelOf(std::string_view comment) {
    const size_t at = comment.find("text=");
    if (at == std::string_view::npos || at + 5 >= comment.size()) return "";
    const char open = comment[at + 5], close = open == '{' ? '}' : open;
    if (open != '{' && open != '"' && open != '\'') return "";
    const std::string_view rest = comment.substr(at + 6);
    return std::string(rest.substr(0, rest.find(close)));
}

std::string degrees(double radians) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.9f", radians / kDegree);
    return text.data();
}

std::string arcsec(double radians) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.6g\"", radians / kArcsec);
    return text.data();
}

std::string_view frameText(Frame frame) {
    if (frame == Frame::Unknown) throw InvalidArgument("expected regions in a frame, found none");
    return factsOf(frame).region;
}

std::string shapeText(const Region& region) {
    std::string places;
    for (const LonLat& p : region.points)
        places += (places.empty() ? "" : ",") + degrees(p.lon) + "," + degrees(p.lat);
    switch (region.shape) {
        case RegionShape::Circle: return "circle(" + places + "," + arcsec(region.first) + ")";
        case RegionShape::Annulus:
            return "annulus(" + places + "," + arcsec(region.first) + "," + arcsec(region.second) +
                   ")";
        case RegionShape::Ellipse:
            return "ellipse(" + places + "," + arcsec(region.first) + "," + arcsec(region.second) +
                   "," + degrees(region.angle) + ")";
        case RegionShape::Box:
            return "box(" + places + "," + arcsec(2.0 * region.first) + "," +
                   arcsec(2.0 * region.second) + "," + degrees(region.angle) + ")";
        case RegionShape::Polygon: return "polygon(" + places + ")";
    }
    return "";
}

}  // namespace

std::vector<NamedRegion> parseNamedRegions(const std::string& text, Frame frame,
                                           std::vector<std::string>* notes) {
    std::vector<std::string> passedOver;
    std::vector<NamedRegion> named;
    std::vector<Region> regions;
    int line = 0;
    size_t begin = 0;
    while (begin < text.size()) {
        ++line;
        size_t end = text.find('\n', begin);
        if (end == std::string::npos) end = text.size();
        const std::string_view whole(text.data() + begin, end - begin);
        begin = end + 1;
        // A comment may contain semicolons.
        const size_t comment = std::min(whole.find('#'), whole.size());
        std::string_view rest = whole.substr(0, comment);
        // DS9 writes texts, vectors and the like as comments.
        if (trimmedView(rest).empty() && comment < whole.size()) {
            const std::string_view said = trimmedView(whole.substr(comment + 1));
            const std::string name = lowerCase(trimmedView(said.substr(0, said.find('('))));
            if (said.find('(') != std::string_view::npos && hasNoArea(name))
                passOver(name, passedOver);
        }
        while (!rest.empty()) {
            const size_t stop = std::min(rest.find(';'), rest.size());
            parseStatement(rest.substr(0, stop), line, frame, regions, passedOver,
                           notes != nullptr);
            rest = stop < rest.size() ? rest.substr(stop + 1) : std::string_view();
        }
        if (regions.empty()) continue;
        for (Region& region : regions) named.push_back({std::move(region), {}});
        regions.clear();
        named.back().text = labelOf(whole.substr(comment));
    }
    if (passedOver.empty()) return named;
    std::string names;
    bool isKnown = true;
    for (const std::string& name : passedOver) {
        names += (names.empty() ? "" : ", ") + name;
        isKnown = isKnown && hasNoArea(name);
    }
    if (named.empty())
        throw IoError("expected " + std::string(kShapeNames) + ", found only " +
                      (isKnown ? "shapes without an area: " : "unsupported shapes: ") + names);
    if (notes != nullptr)
        notes->push_back("omitted: " + names + " (supported: " + kShapeNames + ")");
    return named;
}

std::vector<NamedRegion> readNamedRegions(const std::string& path,
                                          std::vector<std::string>* notes) {
    std::vector<NamedRegion> regions = parseNamedRegions(readTextFile(path), Frame::Unknown, notes);
    if (regions.empty()) throw IoError("expected a region, found none");
    return regions;
}

std::vector<Region> withoutTexts(std::vector<NamedRegion> named) {
    std::vector<Region> regions;
    for (NamedRegion& one : named) regions.push_back(std::move(one.region));
    return regions;
}

std::string regionText(std::span<const NamedRegion> regions,
                       std::span<const std::string> comments) {
    std::string text = "# Region file format: DS9\n";
    for (const std::string& comment : comments) {
        std::string line = comment;
        std::replace(line.begin(), line.end(), '\n', ' ');
        text += "# " + line + "\n";
    }
    std::string_view frame;
    for (const NamedRegion& named : regions) {
        const std::string_view own = frameText(named.region.frame);
        if (own != frame) {
            text += std::string(own) + "\n";
            frame = own;
        }
        text += (named.region.exclude ? "-" : "") + shapeText(named.region);
        std::string label = named.text;
        std::erase_if(label, [](char c) { return c == '{' || c == '}' || c == '\n'; });
        if (!label.empty()) text += " # text={" + label + "}";
        text += "\n";
    }
    return text;
}

}  // namespace armilla
