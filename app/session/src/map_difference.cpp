// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"
#include "armilla/ops/resample.h"
#include "map_work.h"

namespace armilla {

namespace {

// The quantity in `frame`. Q and U turn together, so both go through the rotation.
HealpixMap quantityInFrame(const HealpixMap& map, const Shown& shown, Frame frame,
                           JobContext& job) {
    if (map.frame() == frame) return quantityMap(map, shown.field, shown.quantity, job);
    const auto pair = map.polarizationPair();
    const bool isPolarized = pair && (shown.quantity != Quantity::Field ||
                                      shown.field == pair->first || shown.field == pair->second);
    if (!isPolarized)
        return rotatedFrame(quantityMap(map, shown.field, shown.quantity, job), frame, job);
    const HealpixMap turned =
        rotatedFrame(withFields(map, {pair->first, pair->second}), frame, job);
    return quantityMap(turned, shown.field == pair->second ? 1 : 0, shown.quantity, job);
}

void requireDifference(const HealpixMap& a, const Shown& shownA, const HealpixMap& b,
                       const Shown& shownB) {
    if (shownA.quantity == Quantity::PolarizationAngle ||
        shownB.quantity == Quantity::PolarizationAngle)
        throw InvalidArgument(
            "expected fields or amplitudes to subtract, found polarization angles, which have no "
            "difference on a map");
    const auto unitOf = [](const HealpixMap& map, const Shown& shown) {
        const auto pair = map.polarizationPair();
        const int field = shown.quantity == Quantity::Field || !pair ? shown.field : pair->first;
        return field >= 0 && field < map.fieldCount() ? map.field(field).unit : std::string();
    };
    const std::string unitA = unitOf(a, shownA), unitB = unitOf(b, shownB);
    if (!unitA.empty() && !unitB.empty() && unitA != unitB && unitRatio(unitA, unitB) != 1.0)
        throw InvalidArgument("expected two maps in the same unit, found " + unitA + " and " +
                              unitB);
    if ((a.frame() == Frame::Unknown) != (b.frame() == Frame::Unknown))
        throw InvalidArgument("expected two maps that name their frames, found one that does not");
}

// Subtracts the values of b at the pixels of a; NaN if b lacks the pixel. Both maps have the same
// nside and ordering.
void subtract(HealpixMap& a, const HealpixMap& b, JobContext& job) {
    auto& values = std::get<std::vector<double>>(a.field(0).values);
    const auto pixels = a.pixels();
    parallelFor(job, a.elementCount(), kPixelGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            const auto element = static_cast<size_t>(i);
            const int64_t pixel = pixels.empty() ? i : pixels[element];
            const auto other = b.elementOf(pixel);
            values[element] -= other ? b.field(0).at(*other) : kNan;
        }
    });
}

// The field in double precision.
void toDouble(Field& field) {
    if (const auto* single = std::get_if<std::vector<float>>(&field.values))
        field.values = std::vector<double>(single->begin(), single->end());
    field.diskType = DiskType::Float64;
}

}  // namespace

MapDifference mapDifference(const HealpixMap& a, const Shown& shownA, const HealpixMap& b,
                            const Shown& shownB, JobContext& job) {
    requireDifference(a, shownA, b, shownB);
    MapDifference difference;
    JobContext first = job.part(0.0, 0.4), second = job.part(0.4, 0.9), last = job.part(0.9, 1.0);
    HealpixMap left = quantityMap(a, shownA.field, shownA.quantity, first);
    HealpixMap right = quantityInFrame(b, shownB, a.frame(), second);
    if (a.frame() == Frame::Unknown)
        difference.changes << QStringLiteral("neither names its frame, taken as the same");
    if (b.frame() != a.frame()) {
        const std::string_view frame = frameName(a.frame());
        difference.changes << QStringLiteral("rotated to ") +
                                  QString::fromUtf8(frame.data(), static_cast<int>(frame.size()));
    }
    if (left.coverage() == Coverage::MultiOrder) left = flattened(left, 0, first);
    if (right.coverage() == Coverage::MultiOrder) right = flattened(right, 0, second);
    const int64_t nside = std::min(left.nside(), right.nside());
    if (left.nside() != right.nside()) difference.changes << QStringLiteral("nside %1").arg(nside);
    if (left.nside() != nside) left = udgraded(left, nside, first);
    if (right.nside() != nside) right = udgraded(right, nside, second);
    if (right.ordering() != left.ordering()) right = reordered(right, left.ordering(), second);
    toDouble(left.field(0));
    subtract(left, right, last);
    left.field(0).name = "DIFFERENCE";
    if (left.field(0).unit.empty()) left.field(0).unit = right.field(0).unit;
    left.metadata() = {};
    left.metadata().object = left.coverage() == Coverage::Full ? "FULLSKY" : "PARTIAL";
    difference.map = std::move(left);
    return difference;
}

}  // namespace armilla
