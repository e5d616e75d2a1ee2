// SPDX-License-Identifier: GPL-3.0-or-later
// Filtered skies as maps in the form of their input.
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/new_vector.h"
#include "armilla/ops/filter.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// Ring values on the elements of `map`, in the precision of its field.
template <class Value>
Field fieldOf(const HealpixMap& map, int field, std::string name, std::string unit,
              const std::vector<Value>& ring, JobContext& job) {
    const Field& like = map.field(field);
    const auto fill = [&](auto values) {
        using T = typename decltype(values)::value_type;
        parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
            for (long long e = begin; e < end; ++e)
                values[static_cast<size_t>(e)] =
                    static_cast<T>(ring[static_cast<size_t>(ringPixelOf(map, e))]);
        });
        return values;
    };
    Field result;
    result.name = std::move(name);
    result.unit = std::move(unit);
    result.diskType = like.isSingle() ? DiskType::Float32 : DiskType::Float64;
    if (like.isSingle())
        result.values = fill(newVector<float>(map.elementCount(), job));
    else
        result.values = fill(newVector<double>(map.elementCount(), job));
    return result;
}

}  // namespace

HealpixMap filteredMap(const HealpixMap& map, int field, const FilteredSky& sky, JobContext& job) {
    const Field& like = map.field(field);
    std::vector<Field> fields{fieldOf(map, field, like.name, like.unit, sky.filtered, job)};
    if (!sky.share.empty()) fields.push_back(fieldOf(map, field, "SHARE", "", sky.share, job));
    return mapLike(map, std::move(fields));
}

HealpixMap filteredMap(const HealpixMap& map, int field, FilteredSky&& sky, JobContext& job) {
    const Field& like = map.field(field);
    if (like.isSingle() || map.coverage() != Coverage::Full || map.ordering() != Ordering::Ring)
        return filteredMap(map, field, std::as_const(sky), job);
    // A list in braces would copy the values.
    std::vector<Field> fields;
    fields.push_back({like.name, like.unit, DiskType::Float64, std::move(sky.filtered)});
    if (!sky.share.empty()) fields.push_back(fieldOf(map, field, "SHARE", "", sky.share, job));
    return mapLike(map, std::move(fields));
}

HealpixMap significanceMap(const HealpixMap& map, int field, const FilteredSky& sky,
                           JobContext& job) {
    std::vector<double> snr = newVector<double>(static_cast<int64_t>(sky.filtered.size()), job);
    parallelFor(job, static_cast<long long>(snr.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        snr[p] = sky.filtered[p] / sky.rms[p];
                });
    return mapLike(map, {fieldOf(map, field, "SNR", "", snr, job)});
}

}  // namespace armilla
