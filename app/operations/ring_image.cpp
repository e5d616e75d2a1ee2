// SPDX-License-Identifier: GPL-3.0-or-later
#include "ring_image.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>

#include "armilla/core/ascii_text.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "image_sampler.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

constexpr double kTolerance = 0.01;  // in pixels

[[noreturn]] void refuse(const std::string& found) {
    throw InvalidArgument(
        "expected an image whose rows are whole rings of an equidistant grid (CAR), or "
        "parts of them, found " +
        found);
}

std::vector<LonLat> placesOf(const ImageWcs& wcs, const std::vector<double>& x,
                             const std::vector<double>& y) {
    std::vector<Vec3> directions(x.size());
    wcs.directions(x, y, directions);
    std::vector<LonLat> places;
    for (const Vec3& d : directions) {
        if (!std::isfinite(d.z)) refuse("pixels that are off the sky");
        places.push_back({std::atan2(d.y, d.x), std::atan2(d.z, std::hypot(d.x, d.y))});
    }
    return places;
}

double turned(double angle) {
    return std::remainder(angle, kTwoPi);
}

std::string degrees(double angle) {
    return formatAngle(angle);
}

// Columns that are checked in each row.
std::vector<int64_t> someColumns(int64_t width) {
    return {0, 1, width / 4, width / 2, 3 * width / 4, width - 1};
}

// Sets the columns of the grid. Checks that `row` lies in even steps on a ring.
void placeColumns(const ImageWcs& wcs, double row, RingImage& grid) {
    std::vector<double> x, y(static_cast<size_t>(grid.width), row);
    for (int64_t i = 0; i < grid.width; ++i) x.push_back(static_cast<double>(i));
    const std::vector<LonLat> places = placesOf(wcs, x, y);
    const double first = turned(places[1].lon - places[0].lon);
    const auto refuseSteps = [&] {
        refuse("rows of " + std::to_string(grid.width) + " pixels that lie " +
               degrees(std::abs(first)) + " apart in longitude");
    };
    double extent = 0.0;
    for (size_t i = 1; i < places.size(); ++i) extent += turned(places[i].lon - places[i - 1].lon);
    const double inTurn = kTwoPi * static_cast<double>(grid.width - 1) / std::abs(extent);
    if (!(inTurn < static_cast<double>(int64_t{1} << 24))) refuseSteps();
    grid.rows.columns = std::llround(inTurn);
    if (grid.rows.columns < grid.width ||
        std::abs(inTurn - static_cast<double>(grid.rows.columns)) > 2.0 * kTolerance)
        refuseSteps();
    const double step = kTwoPi / static_cast<double>(grid.rows.columns);
    for (size_t i = 1; i < places.size(); ++i) {
        const double expected = std::copysign(step, first) * static_cast<double>(i);
        if (std::abs(turned(places[i].lon - places[0].lon - expected)) > kTolerance * step)
            refuseSteps();
    }
    grid.runsEast = first > 0.0;
    grid.firstLongitude = (grid.runsEast ? places.front() : places.back()).lon;
}

// Rows of the grid at these latitudes, from the north.
RingRows rowsAt(const std::vector<double>& latitude, double step) {
    const double north = kHalfPi - latitude.front();
    const double inHalfTurn = std::round(kPi / step);
    if (!(inHalfTurn >= 1.0 && inHalfTurn < 0x1p24))
        refuse("rows that lie " + degrees(step) + " apart");
    const auto steps = static_cast<int64_t>(inHalfTurn);
    const double exact = kPi / static_cast<double>(steps);
    const double place = north / exact;
    RingRows rows;
    rows.hasPoles = std::abs(place - std::round(place)) < 0.25;
    rows.rows = rows.hasPoles ? steps + 1 : steps;
    rows.first = static_cast<int64_t>(std::llround(rows.hasPoles ? place : place - 0.5));
    rows.count = static_cast<int64_t>(latitude.size());
    if (rows.first < 0 || rows.first + rows.count > rows.rows) refuse("rows beyond the poles");
    for (size_t i = 0; i < latitude.size(); ++i) {
        const double expected = exact * (static_cast<double>(rows.first) + static_cast<double>(i) +
                                         (rows.hasPoles ? 0.0 : 0.5));
        if (std::abs(kHalfPi - latitude[i] - expected) > kTolerance * exact)
            refuse("a row at latitude " + degrees(latitude[i]) + ", where rows in steps of " +
                   degrees(exact) + " from a pole, or from half a step off it, have none");
    }
    return rows;
}

}  // namespace

bool areSameRings(const RingImage& a, const RingImage& b) {
    const double step = kTwoPi / static_cast<double>(a.rows.columns);
    return a.rows.rows == b.rows.rows && a.rows.columns == b.rows.columns &&
           a.rows.hasPoles == b.rows.hasPoles && a.rows.first == b.rows.first &&
           a.rows.count == b.rows.count && a.width == b.width && a.isSouthFirst == b.isSouthFirst &&
           a.runsEast == b.runsEast &&
           std::abs(turned(a.firstLongitude - b.firstLongitude)) < kTolerance * step;
}

namespace {

RingImage ringsAsWritten(const Image& image) {
    if (image.width < 3)
        refuse("rows of " + std::to_string(image.width) + " pixels, where 3 are the least");
    const ImageWcs wcs = ImageWcs(image).asWritten();  // rings of the frame as written
    const std::vector<int64_t> columns = someColumns(image.width);
    std::vector<double> x, y;
    for (int64_t row = 0; row < image.height; ++row)
        for (const int64_t column : columns) {
            x.push_back(static_cast<double>(column));
            y.push_back(static_cast<double>(row));
        }
    // For a single row, the half steps above and below give its height.
    x.insert(x.end(), {0.0, 0.0});
    const double middle = std::floor(0.5 * static_cast<double>(image.height));
    y.insert(y.end(), {middle - 0.25, middle + 0.25});
    const std::vector<LonLat> places = placesOf(wcs, x, y);
    const size_t each = columns.size();
    std::vector<double> latitude;
    for (size_t row = 0; row < static_cast<size_t>(image.height); ++row)
        latitude.push_back(places[row * each].lat);
    const double step =
        image.height > 1
            ? std::abs(latitude.back() - latitude.front()) / static_cast<double>(image.height - 1)
            : 2.0 * std::abs(places.back().lat - places[places.size() - 2].lat);
    RingImage grid;
    grid.isSouthFirst = places.back().lat > places[places.size() - 2].lat;
    if (grid.isSouthFirst) std::reverse(latitude.begin(), latitude.end());
    if (!(step > 0.0)) refuse("rows at one latitude");
    grid.rows = rowsAt(latitude, step);
    grid.width = image.width;
    placeColumns(wcs, middle, grid);
    const LonLat* const at = places.data() + static_cast<size_t>(middle) * each;
    for (size_t row = 0; row < static_cast<size_t>(image.height); ++row)
        for (size_t i = 0; i < each; ++i) {
            const LonLat& place = places[row * each + i];
            if (std::abs(place.lat - places[row * each].lat) > kTolerance * step)
                refuse("rows that do not keep their latitude");
            // At a pole all longitudes are the same point.
            const double apart = std::abs(turned(place.lon - at[i].lon));
            if (std::cos(place.lat) > 1e-9 &&
                apart > kTolerance * kTwoPi / static_cast<double>(grid.rows.columns))
                refuse("columns that do not keep their longitude");
        }
    return grid;
}

// Half of the last digit of a card's number; none for a card that is no decimal number.
std::optional<double> halfDigit(const std::string& card) {
    const std::string text = card.substr(0, card.find('/'));
    const size_t begin = text.find_first_of("0123456789.", text.find('='));
    if (begin == std::string::npos) return std::nullopt;
    size_t end = begin, decimals = 0;
    bool isFraction = false;
    for (; end < text.size() && (isDigit(text[end]) || (text[end] == '.' && !isFraction)); ++end) {
        decimals += isFraction ? 1 : 0;
        isFraction = isFraction || text[end] == '.';
    }
    double scale = std::pow(10.0, -static_cast<double>(decimals));
    if (end < text.size() && (text[end] == 'E' || text[end] == 'e' || text[end] == 'D')) {
        int exponent = 0;
        const char* const from = text.data() + end + (text[end + 1] == '+' ? 2 : 1);
        if (std::from_chars(from, text.data() + text.size(), exponent).ec != std::errc())
            return std::nullopt;
        scale *= std::pow(10.0, exponent);
    }
    return 0.5 * scale;
}

// The number of steps in a turn that agrees with a step in degrees to `half`; the one with the most
// divisors in common with the arc seconds of a turn, because resolutions are chosen so.
std::optional<int64_t> stepsInTurn(double step, double half) {
    const double least = std::ceil(360.0 / (step + half)), most = std::floor(360.0 / (step - half));
    if (!(half < 0.01 * step) || least < 3.0 || !(most - least <= 100000.0) || !(most < 0x1p53))
        return std::nullopt;
    const auto low = static_cast<int64_t>(least), high = static_cast<int64_t>(most);
    constexpr int64_t kArcsecondsInTurn = 1296000;
    std::optional<int64_t> best;
    for (int64_t n = low; n <= high; ++n)
        if (!best || std::gcd(n, kArcsecondsInTurn) > std::gcd(*best, kArcsecondsInTurn)) best = n;
    return best;
}

// The header of an image with steps (CDELT, in degrees) of which a whole number makes a turn, if
// these agree with the written steps to half of the last digit.
std::optional<Image> withWholeSteps(const Image& image) {
    Image whole;
    whole.width = image.width;
    whole.height = image.height;
    whole.frame = image.frame;
    bool isChanged = false;
    for (std::string card : image.wcsCards) {
        const bool isStep = card.starts_with("CDELT1 ") || card.starts_with("CDELT2 ");
        if (card.starts_with("CD1_") || card.starts_with("CD2_") ||
            (card.starts_with("CUNIT") && card.find("'deg") == std::string::npos))
            return std::nullopt;
        const auto half = isStep ? halfDigit(card) : std::nullopt;
        if (isStep && !half) return std::nullopt;
        if (half) {
            const double step = std::strtod(card.c_str() + card.find('=') + 1, nullptr);
            const auto steps = stepsInTurn(std::abs(step), *half);
            if (!steps) return std::nullopt;
            std::array<char, 81> text{};
            std::snprintf(text.data(), text.size(), "%.10s%30.17g", card.c_str(),
                          std::copysign(360.0 / static_cast<double>(*steps), step));
            card = text.data();
            card.resize(80, ' ');
            isChanged = true;
        }
        whole.wcsCards.push_back(std::move(card));
    }
    return isChanged ? std::optional(std::move(whole)) : std::nullopt;
}

}  // namespace

RingImage partOfRings(const Image& image) {
    try {
        return ringsAsWritten(image);
    } catch (const InvalidArgument&) {
        const std::optional<Image> whole = withWholeSteps(image);
        if (whole) try {
                RingImage grid = ringsAsWritten(*whole);
                grid.isRounded = true;
                return grid;
            } catch (const InvalidArgument&) {
                // The error of the written steps remains.
            }
        throw;
    }
}

void noteSteps(const Context& context, const std::string& name, const RingImage& grid) {
    if (!grid.isRounded || !context.note) return;
    std::array<char, 64> step{};
    std::snprintf(step.data(), step.size(), "360 / %lld deg",
                  static_cast<long long>(grid.rows.columns));
    context.note(name + ": the step of columns is taken as " + step.data() +
                 ", which CDELT1 agrees with to its last digit");
}

std::vector<double> solidAngles(const Image& image, const std::vector<Vec3>& centers,
                                JobContext& job) {
    RingImage grid;
    try {
        grid = partOfRings(image);
    } catch (const InvalidArgument&) {
        return pixelAreas(image, centers, job);
    }
    const RingRows& rows = grid.rows;
    const double step = kPi / static_cast<double>(rows.hasPoles ? rows.rows - 1 : rows.rows);
    std::vector<double> areas = newVector<double>(image.planeSize(), job);
    for (int64_t i = 0; i < rows.count; ++i) {
        const double theta =
            step * (static_cast<double>(rows.first + i) + (rows.hasPoles ? 0.0 : 0.5));
        // Pixels on a pole end there. cos(a) - cos(b) without cancellation.
        const double north = std::max(0.0, theta - 0.5 * step),
                     south = std::min(kPi, theta + 0.5 * step);
        const double height =
            2.0 * std::sin(0.5 * (north + south)) * std::sin(0.5 * (south - north));
        std::fill_n(areas.begin() + grid.rowFromNorth(i) * grid.width, grid.width,
                    kTwoPi / static_cast<double>(rows.columns) * height);
    }
    return areas;
}

}  // namespace armilla
