// SPDX-License-Identifier: GPL-3.0-or-later
#include "gaia_positions.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/free_name.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

namespace {

// "Gaia DR3 documentation", section 20.1.1, source_id: the number divided by 2^35 is the NESTED
// pixel of order 12 that holds the source, in ICRS.
constexpr int kPixelBits = 35;
constexpr int64_t kPixelNside = 4096;

const TableColumn* sourceIds(const Table& table) {
    const auto index = table.find(kSourceIds);
    if (!index) return nullptr;
    const TableColumn& column = table.columns[static_cast<size_t>(*index)];
    return column.isInteger() && column.width == 1 ? &column : nullptr;
}

}  // namespace

bool areGaiaIds(std::span<const int64_t> ids, std::optional<int64_t> null) {
    int64_t largest = 0;
    for (const int64_t id : ids) {
        if (null == id) continue;
        if (id < 0 || (id >> kPixelBits) >= pixelCount(kPixelNside)) return false;
        largest = std::max(largest, id);
    }
    return largest >> kPixelBits > 0;
}

std::optional<PositionColumns> addGaiaPositions(Table& table, JobContext& job) {
    const TableColumn* ids = sourceIds(table);
    if (ids == nullptr) return std::nullopt;
    const auto& numbers = std::get<std::vector<int64_t>>(ids->values);
    if (!areGaiaIds(numbers, ids->null)) return std::nullopt;
    std::vector<double> lon(static_cast<size_t>(table.rows()), kNan), lat = lon;
    for (size_t row = 0; row < numbers.size(); ++row) {
        if ((row & 0xffff) == 0) job.poll();
        if (ids->null == numbers[row]) continue;
        const LonLat at = lonLat(directionFromNested(kPixelNside, numbers[row] >> kPixelBits));
        lon[row] = at.lon / kDegree;
        lat[row] = at.lat / kDegree;
    }
    const auto add = [&](const char* name, std::vector<double> values) {
        TableColumn column;
        column.name =
            freeName(name, [&](const std::string& word) { return table.find(word).has_value(); });
        column.unit = "deg";
        column.description = "Center of the HEALPix pixel in source_id";
        column.values = std::move(values);
        table.columns.push_back(std::move(column));
        return static_cast<int>(table.columns.size()) - 1;
    };
    PositionColumns position;
    position.lon = add("RA_PIXEL", std::move(lon));
    position.lat = add("DEC_PIXEL", std::move(lat));
    position.frame = Frame::Equatorial;
    return position;
}

}  // namespace armilla
