// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "armilla/ops/resample.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

// Elements of a map with a finite value in some field, ascending. A first pass counts the elements,
// so that the list is the only allocation.
std::vector<int64_t> goodElements(const HealpixMap& map, JobContext& job) {
    const int64_t count = map.elementCount(), pieces = (count + kPixelGrain - 1) / kPixelGrain;
    const auto forGood = [&](long long begin, long long end, const auto& body) {
        std::vector<char> good(static_cast<size_t>(end - begin), 0);
        for (const Field& field : map.fields())
            std::visit(
                [&](const auto& values) {
                    for (long long i = begin; i < end; ++i)
                        if (std::isfinite(values[static_cast<size_t>(i)]))
                            good[static_cast<size_t>(i - begin)] = 1;
                },
                field.values);
        for (long long i = begin; i < end; ++i)
            if (good[static_cast<size_t>(i - begin)] != 0) body(i);
    };
    std::vector<int64_t> starts(static_cast<size_t>(pieces) + 1, 0);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        int64_t& own = starts[static_cast<size_t>(begin / kPixelGrain) + 1];
        forGood(begin, end, [&](int64_t) { ++own; });
    });
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<int64_t> elements = newVector<int64_t>(starts.back(), job);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        auto at = static_cast<size_t>(starts[static_cast<size_t>(begin / kPixelGrain)]);
        forGood(begin, end, [&](int64_t i) { elements[at++] = i; });
    });
    return elements;
}

template <class T>
std::vector<T> spreadOut(const std::vector<T>& values, const HealpixMap& map, JobContext& job) {
    std::vector<T> result =
        newVector<T>(map.pixelCount(), job, std::numeric_limits<T>::quiet_NaN());
    parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            result[static_cast<size_t>(map.pixels()[i])] = values[i];
    });
    return result;
}

// The cells of a multi-order map on nested pixels of `nside`: larger cells are copied, and the good
// ones of smaller cells averaged by area.
template <class T>
std::vector<T> flattenedValues(const std::vector<T>& values, const HealpixMap& map, int64_t nside,
                               Degrade degrade, bool pessimistic, JobContext& job) {
    std::vector<T> result =
        newVector<T>(pixelCount(nside), job, std::numeric_limits<T>::quiet_NaN());
    const int deepest = orderOf(map.nside()), target = orderOf(nside);
    int64_t open = -1;  // the pixel whose smaller cells are being added
    double sum = 0.0, weight = 0.0;
    const bool adds = degrade == Degrade::Sum;
    const auto close = [&] {
        // The areas of all cells of a pixel are binary fractions whose sum is exactly 1.
        if (open >= 0 && weight > 0.0 && !(pessimistic && weight < 1.0))
            result[static_cast<size_t>(open)] = static_cast<T>(adds ? sum : sum / weight);
        open = -1;
        sum = weight = 0.0;
    };
    int64_t sincePoll = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const int order = map.cellOrders()[i];
        const int64_t cell = map.pixels()[i] >> (2 * (deepest - order));
        if (order <= target) {
            close();
            const int shift = 2 * (target - order);
            const int64_t length = int64_t{1} << shift;
            const T share = adds
                                ? static_cast<T>(std::ldexp(static_cast<double>(values[i]), -shift))
                                : values[i];
            for (int64_t begin = 0; begin < length; begin += kPixelGrain) {
                job.poll();
                std::fill_n(result.begin() + (cell << shift) + begin,
                            std::min(kPixelGrain, length - begin), share);
            }
            continue;
        }
        const int64_t pixel = cell >> (2 * (order - target));
        if (pixel != open) close();
        open = pixel;
        if (++sincePoll % kPixelGrain == 0) job.poll();
        if (!std::isfinite(values[i])) continue;
        const double area = std::ldexp(1.0, 2 * (target - order));
        sum += (adds ? 1.0 : area) * static_cast<double>(values[i]);
        weight += area;
    }
    close();
    return result;
}

}  // namespace

HealpixMap toFull(const HealpixMap& map, JobContext& job) {
    if (map.coverage() == Coverage::Full) return map;
    if (map.coverage() == Coverage::MultiOrder) return flattened(map, 0, job);
    std::vector<Field> fields = eachField(
        map, Numbers::AsTheyWere, job,
        [&](const auto& values, JobContext& part) { return spreadOut(values, map, part); });
    HealpixMap result(map.nside(), map.ordering(), map.frame(), std::move(fields));
    result = withMetadata(std::move(result), map);
    if (result.metadata().object == "PARTIAL") result.metadata().object = "FULLSKY";
    return result;
}

HealpixMap toPartial(const HealpixMap& map, JobContext& job) {
    requireSinglePixels(map, "partial map");
    const auto itself = [](int64_t element) { return element; };
    std::vector<int64_t> pixels = goodElements(map, job);
    std::vector<Field> fields =
        eachField(map, Numbers::AsTheyWere, job, [&](const auto& values, JobContext& part) {
            return gathered(values, pixels, itself, part);
        });
    if (map.coverage() == Coverage::Partial) pixels = gathered(map.pixels(), pixels, itself, job);
    HealpixMap result = HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                            std::move(pixels), std::move(fields));
    result = withMetadata(std::move(result), map);
    result.metadata().object = "PARTIAL";
    return result;
}

HealpixMap flattened(const HealpixMap& map, int64_t nside, JobContext& job) {
    UdgradeOptions options;
    options.degrade = Degrade::Mean;
    return flattened(map, nside, options, job);
}

HealpixMap flattened(const HealpixMap& map, int64_t nside, const UdgradeOptions& options,
                     JobContext& job) {
    if (map.coverage() != Coverage::MultiOrder)
        throw InvalidArgument(
            "expected a multi-order map to flatten, found a map of one resolution");
    if (nside == 0) {
        int deepest = 0;
        for (const uint8_t order : map.cellOrders()) deepest = std::max<int>(deepest, order);
        nside = std::min(int64_t{1} << deepest, kMaxFlattenNside);
    }
    checkNside(nside, Ordering::Nested);
    bool changed = nside < map.nside();
    std::vector<Degrade> rules;
    for (const Field& field : map.fields()) {
        rules.push_back(options.degrade.value_or(degradeRule(field)));
        changed = changed || rules.back() == Degrade::Sum;
    }
    size_t next = 0;  // fields are made in sequence
    std::vector<Field> fields =
        eachField(map, changed ? Numbers::Averaged : Numbers::AsTheyWere, job,
                  [&](const auto& values, JobContext& part) {
                      const Degrade rule = rules[next++];
                      return flattenedValues(values, map, nside, rule, options.pessimistic, part);
                  });
    return withMetadata(HealpixMap(nside, Ordering::Nested, map.frame(), std::move(fields)), map);
}

HealpixMap withFields(const HealpixMap& map, const std::vector<int>& fields) {
    std::vector<Field> chosen;
    for (const int index : fields) {
        if (index < 0 || index >= map.fieldCount())
            throw InvalidArgument("expected fields from 0 to " +
                                  std::to_string(map.fieldCount() - 1) + ", found " +
                                  std::to_string(index));
        chosen.push_back(map.field(index));
    }
    const auto copy = [](const auto& span) { return std::vector(span.begin(), span.end()); };
    switch (map.coverage()) {
        case Coverage::Full:
            return withMetadata(
                HealpixMap(map.nside(), map.ordering(), map.frame(), std::move(chosen)), map);
        case Coverage::Partial:
            return withMetadata(HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                                    copy(map.pixels()), std::move(chosen)),
                                map);
        case Coverage::MultiOrder: break;
    }
    return withMetadata(HealpixMap::multiOrder(map.nside(), map.frame(), copy(map.pixels()),
                                               copy(map.cellOrders()), std::move(chosen)),
                        map);
}

}  // namespace armilla
