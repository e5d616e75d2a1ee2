// SPDX-License-Identifier: GPL-3.0-or-later
#include "aligned_maps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "armilla/core/new_vector.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/resample.h"

namespace armilla {

namespace {

// Whether the map of an input has to be rotated into the frame of the first.
bool isRotated(const NamedFrame& first, const Input& input, Unlike unlike, const Context& context) {
    const NamedFrame own{input.name, input.map().frame()};
    const bool areKnown = first.frame != Frame::Unknown && own.frame != Frame::Unknown;
    if (areKnown && first.frame != own.frame && unlike == Unlike::Refuse)
        throw UsageError(input.name + ": expected the frame of " + first.name + " (" +
                         std::string(frameName(first.frame)) + "), found " +
                         std::string(frameName(own.frame)) + "; --match rotates the map");
    try {
        compareFrames(first, own, areKnown ? NoteLine() : context.note);
    } catch (const InvalidArgument& error) {
        throw UsageError(error.message());
    }
    return first.frame != own.frame;
}

// The map of an input with the pixels of the first map, as far as the coverage allows.
HealpixMap mapLike(const NamedMap& first, Input& input, Unlike unlike, const Context& context,
                   JobContext& job) {
    const NamedFrame wanted{first.name, first.map.frame()};
    if (isRotated(wanted, input, unlike, context)) {
        input.data = mapInFrameOf(wanted, input, context.note, job);
        input.isShared = false;
    }
    HealpixMap map = atOneOrder(input.takeMap(), input.name, "taken", context.note, job);
    if (map.nside() != first.map.nside() && unlike == Unlike::Refuse)
        throw UsageError(input.name + ": expected the nside of " + first.name + " (" +
                         std::to_string(first.map.nside()) + "), found " +
                         std::to_string(map.nside()) + "; --match changes the resolution");
    return naming(input.name, [&] {
        if (map.nside() != first.map.nside()) {
            if (context.note)
                context.note(input.name + ": changed from nside " + std::to_string(map.nside()) +
                             " to " + std::to_string(first.map.nside()));
            map = udgraded(map, first.map.nside(), job);
        }
        if (map.ordering() != first.map.ordering())
            map = reordered(std::move(map), first.map.ordering(), job);
        return std::move(map);
    });
}

// A partial map on more pixels: bad where the map has none.
HealpixMap onPixels(const HealpixMap& map, const std::vector<int64_t>& pixels, JobContext& job) {
    std::vector<Field> fields;
    for (const Field& field : map.fields()) {
        Field& wider = fields.emplace_back(Field{field.name, field.unit, field.diskType, {}});
        std::visit(
            [&](const auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                auto all = newVector<T>(static_cast<int64_t>(pixels.size()), job,
                                        std::numeric_limits<T>::quiet_NaN());
                size_t at = 0;
                for (size_t i = 0; i < values.size(); ++i) {
                    if (i % kPixelGrain == 0) job.poll();
                    while (pixels[at] != map.pixels()[i]) ++at;
                    all[at] = values[i];
                }
                wider.values = std::move(all);
            },
            field.values);
    }
    HealpixMap result =
        HealpixMap::partial(map.nside(), map.ordering(), map.frame(), pixels, std::move(fields));
    result.metadata() = map.metadata();
    return result;
}

void bringToOneCoverage(std::vector<NamedMap>& maps, JobContext& job) {
    const bool hasFull = std::any_of(maps.begin(), maps.end(), [](const NamedMap& each) {
        return each.map.coverage() == Coverage::Full;
    });
    if (hasFull) {
        for (NamedMap& each : maps)
            if (each.map.coverage() != Coverage::Full)
                each.map = naming(each.name, [&] { return toFull(each.map, job); });
        return;
    }
    std::vector<int64_t> all;
    for (const NamedMap& each : maps) {
        const auto pixels = each.map.pixels();
        if (std::ranges::equal(pixels, all)) continue;
        std::vector<int64_t> more;
        std::set_union(all.begin(), all.end(), pixels.begin(), pixels.end(),
                       std::back_inserter(more));
        all = std::move(more);
    }
    for (NamedMap& each : maps)
        if (each.map.pixels().size() != all.size()) each.map = onPixels(each.map, all, job);
}

}  // namespace

std::vector<NamedMap> alignedMaps(const std::vector<Input*>& inputs, Unlike unlike,
                                  const Context& context, JobContext& job) {
    std::vector<NamedMap> maps;
    for (Input* input : inputs)
        maps.push_back({input->name,
                        maps.empty()
                            ? atOneOrder(input->takeMap(), input->name, "taken", context.note, job)
                            : mapLike(maps.front(), *input, unlike, context, job)});
    bringToOneCoverage(maps, job);
    return maps;
}

}  // namespace armilla
