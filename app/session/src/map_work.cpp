// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_work.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/nan.h"
#include "armilla/core/probability.h"
#include "armilla/draw/field_sample.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sample_sky.h"
#include "armilla/session/credible_regions.h"
#include "armilla/session/data_extent.h"
#include "smooth_plan_cache.h"

namespace armilla {

namespace {

// From this nside on, twelve full faces take a gigabyte, whatever the map covers.
constexpr int64_t kLargeFaces = 4096;

// True if the cells of the map are drawn instead of whole-sky faces.
bool isDrawnByCells(const HealpixMap& map, int64_t maxNside) {
    return SparsePyramid::suits(map) &&
           (map.nside() > maxNside ||
            (map.nside() >= kLargeFaces && map.elementCount() < map.pixelCount() / 16));
}

// Calls `build(field, job)` for one field, or for Q and U, whose means give the angle.
template <typename Build>
auto pyramidOf(const HealpixMap& map, int field, Quantity quantity, JobContext& job,
               const Build& build) {
    if (quantity != Quantity::PolarizationAngle) return build(map, field, job);
    const auto pair = map.polarizationPair();
    if (!pair) throw InvalidArgument("expected a map with fields Q and U, found none");
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    const auto q = build(map, pair->first, first), u = build(map, pair->second, second);
    return q.combined(
        q, u,
        [](float meanQ, float meanU) {
            return static_cast<float>(
                polarizationAngle(static_cast<double>(meanQ), static_cast<double>(meanU)));
        },
        job);
}

}  // namespace

int64_t physicalMemory() {
    return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

int64_t defaultMaxDrawNside() {
    // 12 nside^2 values of 4 bytes and a third more for the coarser levels.
    int64_t nside = 1;
    while (64 * 4 * nside * nside <= physicalMemory() / 4) nside *= 2;
    return nside;
}

DrawnField drawnOf(const MapPointer& map, const Shown& shown, Frame view, JobContext& job) {
    if (turnedTo(*map, shown, view) == Frame::Unknown)
        return {map, shown.field, false, map->field(shown.field).name};
    const auto pair = map->polarizationPair();
    return drawnField(map, shown.quantity == Quantity::Field ? shown.field : pair->first, view,
                      job);
}

std::shared_ptr<DrawableField> makeDrawable(const MapPointer& given, const Shown& shown, Frame view,
                                            int64_t maxNside, JobContext& job) {
    JobContext turning = job.part(0.0, 0.1), deriving = job.part(0.1, 0.2),
               drawing = job.part(0.2, 0.7), counting = job.part(0.7, 1.0);
    const Quantity quantity = shown.quantity;
    const DrawnField drawn = drawnOf(given, shown, view, turning);
    const HealpixMap& map = *drawn.map;
    std::optional<HealpixMap> derived;
    if (quantity != Quantity::Field) derived = quantityMap(map, drawn.field, quantity, deriving);
    const HealpixMap& source = derived ? *derived : map;
    const int index = derived ? 0 : drawn.field;
    auto made = sharedAndFreedAside(DrawableField());
    if (drawn.isTurned) made->turnedTo = view;
    // The range of an angle comes from Q and U themselves.
    const HealpixMap& shownMap = quantity == Quantity::PolarizationAngle ? map : source;
    if (isDrawnByCells(map, maxNside))
        made->cells = std::make_shared<const SparsePyramid>(
            pyramidOf(shownMap, index, quantity, drawing, SparsePyramid::build));
    else
        made->pyramid = std::make_shared<const MapPyramid>(
            pyramidOf(shownMap, index, quantity, drawing,
                      [maxNside](const HealpixMap& of, int which, JobContext& part) {
                          return MapPyramid::build(of, which, maxNside, part);
                      }));
    made->statistics = fieldStatistics(source, index, counting);
    made->sortedSample = sortedSample(source, index, job);
    if (quantity == Quantity::Field && isProbability(source.field(index)))
        made->peak = peakOf(source, index, job);
    return made;
}

std::vector<int> smoothedFields(const HealpixMap& map, int field,
                                const SmoothParameters& parameters) {
    if (!parameters.polarization) return {field};
    const auto triple = map.polarizationFields();
    if (!triple)
        throw InvalidArgument(
            "expected a map with fields T, Q and U to smooth with its polarization, found none");
    return {triple->begin(), triple->end()};
}

namespace {

// Statistics of a sample of a picture's cells; the picture itself stays on the device.
std::shared_ptr<DrawableField> drawableOfSample(std::vector<float> cells, Frame frame,
                                                JobContext& job) {
    auto made = std::make_shared<DrawableField>();
    Field none{"", "", DiskType::Float64, std::vector<double>(12, kNan)};
    made->pyramid = std::make_shared<const MapPyramid>(
        MapPyramid::build(HealpixMap(1, Ordering::Ring, frame, {std::move(none)}), 0, 1, job));
    const auto all = static_cast<double>(cells.size());
    std::erase_if(cells, [](float value) { return !std::isfinite(value); });
    sortByDigits(cells);
    FieldStatistics& s = made->statistics;
    s.finiteCount = static_cast<int64_t>(cells.size());
    s.finite = all > 0.0 ? static_cast<double>(cells.size()) / all : 0.0;
    s.min = cells.empty() ? kNan : cells.front();
    s.max = cells.empty() ? kNan : cells.back();
    double sum = 0.0, squares = 0.0;
    for (const float value : cells) sum += value;
    s.mean = cells.empty() ? kNan : sum / static_cast<double>(cells.size());
    for (const float value : cells) squares += (value - s.mean) * (value - s.mean);
    s.standardDeviation =
        cells.empty() ? kNan : std::sqrt(squares / static_cast<double>(cells.size()));
    made->sortedSample = std::move(cells);
    return made;
}

}  // namespace

std::shared_ptr<DrawableField> readoutOf(const DevicePicture& picture, Frame frame,
                                         JobContext& job) {
    return drawableOfSample(picture.sample(static_cast<size_t>(kSampleSize)), frame, job);
}

LoadedLayer makeFromRecipe(const Recipe& recipe, const std::vector<LayerValue>& inputs,
                           const Device& device, JobContext& job) {
    const auto mapAt = [&](size_t index) {
        const MapPointer map = index < inputs.size() ? inputs[index].map : nullptr;
        if (!map) throw InvalidArgument("expected the map that it is made from, found none");
        return map;
    };
    LoadedLayer made;
    switch (recipe.kind) {
        case RecipeKind::Open:
            return loadLayer(recipe.path, recipe.fields, job, recipe.statedFrame,
                             recipe.statedFile);
        case RecipeKind::SampleSky:
            made.value = std::make_shared<const HealpixMap>(sampleSky(recipe.sampleNside, job));
            break;
        case RecipeKind::Smooth: {
            SmoothPlanCache planCache;
            const MapPointer input = mapAt(0);
            auto result =
                planCache.smooth(input, smoothedFields(*input, recipe.field, recipe.smooth),
                                 recipe.smooth, input->nside(), device, job);
            made.value = std::move(result.map);
            made.note = result.note;
            break;
        }
        case RecipeKind::MaskedDifference: {
            SmoothPlanCache planCache;
            const MapPointer input = mapAt(0);
            const auto fields = smoothedFields(*input, recipe.field, recipe.smooth);
            SmoothParameters parameters = recipe.smooth;
            JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 0.9);
            parameters.masked = Masked::Normalize;
            const auto normalized =
                planCache.smooth(input, fields, parameters, input->nside(), device, first);
            parameters.masked = Masked::Ignore;
            const auto ignored =
                planCache.smooth(input, fields, parameters, input->nside(), device, second);
            const Shown shown{{}, counterpartField(*input, recipe.field, *normalized.map)};
            made.value = std::make_shared<const HealpixMap>(
                mapDifference(*normalized.map, shown, *ignored.map, shown, job).map);
            made.note = normalized.note;
            break;
        }
        case RecipeKind::Difference:
            made.value = std::make_shared<const HealpixMap>(
                mapDifference(*mapAt(0), {recipe.input, recipe.field, recipe.quantity}, *mapAt(1),
                              {recipe.other, recipe.otherField, recipe.otherQuantity}, job)
                    .map);
            break;
        case RecipeKind::Operation:
            made.value =
                remadeByOperation(recipe, {recipe.output}, inputs, device, job, made.note).front();
            break;
        case RecipeKind::Rows: return remadeOfRows(recipe, inputs);
    }
    return made;
}

}  // namespace armilla
