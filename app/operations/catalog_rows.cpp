// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog_rows.h"

#include <cmath>

#include "armilla/core/nan.h"
#include "armilla/io/moc_io.h"

namespace armilla {

std::optional<Vec3> directionOfRow(const Catalog& catalog, int64_t row, const Mat3& turn) {
    const LonLat at = catalog.at(row);
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return std::nullopt;
    return turn * direction(at);
}

std::vector<double> valuesOfRows(const Catalog& catalog, Frame frame, double missing,
                                 const std::function<double(Vec3)>& valueAt, JobContext& job) {
    const Mat3 turn = frame == catalog.frame() ? Mat3{} : frameRotation(frame, catalog.frame());
    std::vector<double> values(static_cast<size_t>(catalog.rows()), missing);
    constexpr int64_t kRows = 4096;
    parallelFor(job, catalog.rows(), kRows, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row)
            if (const auto at = directionOfRow(catalog, row, turn))
                values[static_cast<size_t>(row)] = valueAt(*at);
    });
    return values;
}

bool isMoc(const HealpixMap& map) {
    return map.coverage() == Coverage::MultiOrder &&
           (declaredMocOrder(map) || map.field(0).name == "COVERAGE");
}

bool isMask(const HealpixMap& map, JobContext& job) {
    if (map.fieldCount() != 1) return false;
    const Field& field = map.field(0);
    for (int64_t i = 0; i < field.size(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        const double value = field.at(i);
        if (!std::isnan(value) && value != 0.0 && value != 1.0) return false;
    }
    return true;
}

std::vector<double> rowsInside(const Catalog& catalog, const HealpixMap& mask, JobContext& job) {
    // MOCs are in ICRS unless they state another frame.
    const Frame frame =
        isMoc(mask) && mask.frame() == Frame::Unknown ? Frame::Equatorial : mask.frame();
    if ((frame == Frame::Unknown) != (catalog.frame() == Frame::Unknown))
        throw InvalidArgument(
            "expected mask and catalog in known frames, found one without; state it with "
            "--input-frame G|C|E");
    return valuesOfRows(
        catalog, frame, 0.0,
        [&](Vec3 at) { return mask.value(0, mask.pixelAt(at)) > 0.5 ? 1.0 : 0.0; }, job);
}

std::vector<double> rowsInRegions(const Catalog& catalog, const std::vector<Region>& regions,
                                  JobContext& job) {
    std::vector<RegionTest> tests;
    for (const Region& region : regions) tests.emplace_back(region, catalog.frame());
    return valuesOfRows(
        catalog, catalog.frame(), 0.0,
        [&](Vec3 at) {
            double inside = 0.0;
            for (size_t i = 0; i < tests.size(); ++i)
                if (tests[i].contains(at)) inside = regions[i].exclude ? 0.0 : 1.0;
            return inside;
        },
        job);
}

std::vector<double> levelsOfRows(const Catalog& catalog, const HealpixMap& map,
                                 const CredibleLevels& levels, JobContext& job) {
    return valuesOfRows(
        catalog, map.frame(), kNan,
        [&](Vec3 at) {
            const auto element = map.elementOf(map.pixelAt(at));
            return element ? levels.levels[static_cast<size_t>(*element)] : kNan;
        },
        job);
}

}  // namespace armilla
