// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairs/bin_edges.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/units.h"

namespace armilla {

namespace {

// Angles closer to an edge than this, in radians, count as on the edge.
constexpr double kOnEdge = 1e-30;

ExactAngle exactOf(Quad radians) {
    const double high = static_cast<double>(radians);
    return {high, static_cast<double>(radians - Quad(high))};
}

struct Unit {
    std::string_view name;
    double inQuarter;  // units in 90 degrees; 0: radians
};
// The unit names of armilla/core/units.h.
constexpr Unit kUnits[] = {
    {"deg", 90.0}, {"arcmin", 5400.0}, {"arcsec", 324000.0}, {"mas", 3.24e8},  {"rad", 0.0},
    {"°", 90.0},   {"'", 5400.0},      {"′", 5400.0},        {"\"", 324000.0}, {"″", 324000.0}};

float nextAbove(double value) {
    const auto single = static_cast<float>(value);
    return static_cast<double>(single) >= value
               ? single
               : std::nextafter(single, std::numeric_limits<float>::infinity());
}

Edge edgeOf(Quad angle) {
    const QuadSinCos half = quadSinCosDegrees(angle * Quad(90) / quadPi());
    const QuadSinCos full = quadSinCosDegrees(angle * Quad(180) / quadPi());
    Edge edge;
    edge.halfChord = static_cast<double>(half.sin);
    edge.sine = static_cast<double>(full.sin);
    const double chord = 2.0 * edge.halfChord;
    // Rounding errors of the squares and of the edge: 4 roundoffs each.
    const double lower = chord - kChordError, upper = chord + kChordError;
    edge.chordCertain = lower <= 0.0 ? 0.0 : lower * lower * (1.0 - 4.0 * kRoundDouble);
    edge.chordPossible = upper * upper * (1.0 + 4.0 * kRoundDouble);
    const double dot = static_cast<double>(full.cos);
    edge.dot = static_cast<float>(dot);
    edge.dotCertain = nextAbove(dot + kDotError);
    edge.dotPossible = -nextAbove(kDotError - dot);
    edge.fromAntipode = full.cos < Quad(0);
    const Quad chordHalf = edge.fromAntipode ? half.cos : half.sin;
    edge.exactChord = Quad(4) * chordHalf * chordHalf;
    // d(chord^2) = 2 sin(angle) d(angle), plus the second-order term where the first vanishes.
    edge.tolerance = Quad(2) * full.sin * Quad(kOnEdge) + Quad(kOnEdge) * Quad(kOnEdge);
    return edge;
}

}  // namespace

Quad quadOf(ExactAngle angle) {
    return Quad(angle.high) + Quad(angle.low);
}

ExactAngle exactAngleOfDegrees(double degrees) {
    if (!std::isfinite(degrees))
        throw InvalidArgument("expected a finite angle, found " + std::to_string(degrees));
    return exactOf(Quad(degrees) * quadPi() / Quad(180));
}

ExactAngle exactAngle(std::string_view text) {
    parseAngle(text);  // throws with the list of units
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    const Unit* found = nullptr;
    for (const Unit& unit : kUnits)
        if (text.ends_with(unit.name) && (!found || unit.name.size() > found->name.size()))
            found = &unit;
    if (!found) throw InvalidArgument("expected an angle, found '" + std::string(text) + "'");
    text.remove_suffix(found->name.size());
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    const Quad value = quadFromText(text);
    return exactOf(found->inQuarter > 0.0 ? value * quadPi() / Quad(2.0 * found->inQuarter)
                                          : value);
}

double AngularBins::lowDegrees(int bin) const {
    return static_cast<double>(quadOf(edges[static_cast<size_t>(bin)]) * Quad(180) / quadPi());
}
double AngularBins::highDegrees(int bin) const {
    return lowDegrees(bin + 1);
}
double AngularBins::centerDegrees(int bin) const {
    const double low = lowDegrees(bin), high = highDegrees(bin);
    return spacing == BinSpacing::Log ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
}

AngularBins angularBins(std::vector<ExactAngle> edges, BinSpacing spacing) {
    if (edges.size() < 2 || edges.size() > static_cast<size_t>(kMaxBins) + 1)
        throw InvalidArgument("expected 2 to " + std::to_string(kMaxBins + 1) +
                              " edges of bins, found " + std::to_string(edges.size()));
    const auto degrees = [](ExactAngle a) { return std::to_string(a.high / kDegree) + " deg"; };
    for (size_t k = 1; k < edges.size(); ++k)
        if (!(quadOf(edges[k - 1]) < quadOf(edges[k])))
            throw InvalidArgument("expected edges of bins that ascend, found " + degrees(edges[k]) +
                                  " after " + degrees(edges[k - 1]));
    // 180 degrees in decimals may miss pi in the last of 106 bits; closer than 1e-30 counts as
    // equal.
    const Quad beyond = quadOf(edges.back()) - quadPi();
    if (edges.front().high < 0.0 || beyond > Quad(kOnEdge))
        throw InvalidArgument("expected edges of bins from 0 to 180 degrees, found " +
                              degrees(edges.front()) + " to " + degrees(edges.back()));
    return {std::move(edges), spacing};
}

AngularBins angularBins(ExactAngle min, ExactAngle max, int count, BinSpacing spacing) {
    if (count < 1 || count > kMaxBins)
        throw InvalidArgument("expected 1 to " + std::to_string(kMaxBins) + " bins, found " +
                              std::to_string(count));
    const Quad low = quadOf(min), high = quadOf(max);
    if (spacing == BinSpacing::Log && !(low > Quad(0)))
        throw InvalidArgument(
            "expected logarithmic bins that begin above 0, or --spacing linear; found " +
            std::to_string(min.high / kDegree) + " deg");
    if (!(low < high))
        throw InvalidArgument("expected MIN below MAX of the bins, found " +
                              std::to_string(min.high / kDegree) + " deg and " +
                              std::to_string(max.high / kDegree) + " deg");
    std::vector<ExactAngle> edges{min};
    const Quad logRatio = spacing == BinSpacing::Log ? quadLog(high / low) : Quad(0);
    for (int k = 1; k < count; ++k)
        edges.push_back(exactOf(spacing == BinSpacing::Log
                                    ? low * quadExp(logRatio * Quad(k) / Quad(count))
                                    : low + (high - low) * Quad(k) / Quad(count)));
    edges.push_back(max);
    return angularBins(std::move(edges), spacing);
}

AngularBins angularBins(std::string_view text, BinSpacing spacing) {
    const size_t first = text.find(','), second = text.find(',', first + 1);
    const auto refuse = [&]() {
        throw InvalidArgument("expected bins MIN,MAX,N such as 0.01arcmin,10deg,30, found '" +
                              std::string(text) + "'");
    };
    if (first == std::string_view::npos || second == std::string_view::npos) refuse();
    const std::string_view number = text.substr(second + 1);
    int count = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (status != std::errc() || end != number.data() + number.size()) refuse();
    return angularBins(exactAngle(text.substr(0, first)),
                       exactAngle(text.substr(first + 1, second - first - 1)), count, spacing);
}

EdgeTable::EdgeTable(const AngularBins& bins) {
    for (const ExactAngle& angle : bins.edges) {
        const Quad exact = quadOf(angle);
        if (exact <= Quad(0))
            startsAtZero_ = true;
        else if (quadAbs(exact - quadPi()) <= Quad(kOnEdge))
            endsAtPi_ = true;
        else
            edges_.push_back(edgeOf(exact));
    }
}

bool EdgeTable::below(int edge, const QuadVector& a, const QuadVector& b) const {
    const Edge& e = edges_[static_cast<size_t>(edge)];
    // Near 180 degrees, where the chord hardly changes, the chord to the antipode distinguishes
    // angles.
    if (e.fromAntipode) return squaredNorm(a + b) > e.exactChord + e.tolerance;
    return squaredNorm(a - b) < e.exactChord - e.tolerance;
}

}  // namespace armilla
