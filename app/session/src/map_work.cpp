// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_work.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/nan.h"
#include "armilla/core/probability.h"
#include "armilla/draw/field_sample.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/operations/map_beam.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sample_sky.h"
#include "armilla/session/credible_regions.h"
#include "armilla/session/data_extent.h"

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

namespace {

// Index of the request's field among the fields that the request smooths.
size_t fieldOf(const SmoothRequest& request) {
    const auto found = std::find(request.fields.begin(), request.fields.end(), request.of.field);
    return found == request.fields.end() ? 0 : static_cast<size_t>(found - request.fields.begin());
}

}  // namespace

SmoothPlan& SmoothPlanCache::planFor(const MapPointer& map, const std::vector<int>& fields,
                                     const Device& on) {
    if (!plan_ || map_ != map || fields_ != fields || device_ != on.label()) {
        plan_.reset();
        forgetGrown();
        plan_.emplace(map, fields, on);
        map_ = map;
        fields_ = fields;
        device_ = on.label();
    }
    return *plan_;
}

void SmoothPlanCache::releaseUnless(const std::set<const void*>& openMaps) {
    // If the plan is in use now, this function is called again at the end of that work.
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (!lock || !map_ || openMaps.contains(map_.get())) return;
    plan_.reset();
    pictures_.reset();
    map_.reset();
    fields_.clear();
    forgetGrown();
}

int64_t SmoothPlanCache::memoryBytes() {
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (lock) memoryBytes_ = plan_ ? plan_->memoryBytes() : 0;
    return memoryBytes_;
}

void SmoothPlanCache::prepare(const MapPointer& map, const std::vector<int>& fields,
                              const SmoothParameters& parameters, const Device& device,
                              JobContext& job) {
    const std::lock_guard lock(guard_);
    planFor(map, fields, device).prepare(parameters, job);
}

SmoothPlanCache::Grown SmoothPlanCache::grownOf(const MapPointer& map,
                                                const SmoothRequest& request) {
    Grown grown{map.get(), request.of.field, request.parameters};
    grown.parameters.fwhm = 0.0;
    return grown;
}

void SmoothPlanCache::forgetGrown() {
    const std::lock_guard lock(growth_);
    grown_.reset();
}

bool SmoothPlanCache::isGrown(const MapPointer& map, const SmoothRequest& request) const {
    const std::lock_guard lock(growth_);
    return grown_ == grownOf(map, request);
}

bool SmoothPlanCache::handMoves() const {
    constexpr std::chrono::milliseconds kRest{200};
    const std::lock_guard lock(growth_);
    return std::chrono::steady_clock::now() - asked_ < kRest;
}

// A requested picture takes precedence over the next map of a series, and interrupts a long step.
void SmoothPlanCache::giveWay() {
    const std::lock_guard lock(growth_);
    asked_ = std::chrono::steady_clock::now();
    growing_.request_stop();
}

void SmoothPlanCache::growSums(const MapPointer& map, const SmoothRequest& request,
                               const Device& device, JobContext& job) try {
    Growth growth = isGrown(map, request) ? Growth::Done : Growth::Next;
    while (growth == Growth::Next) {
        job.poll();
        if (handMoves())
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        else
            growth = grow(map, request, device, job);
    }
    if (growth == Growth::Foreign) return;
    const std::lock_guard lock(growth_);
    grown_ = grownOf(map, request);
} catch (const Error&) {
    // No sums then: each width is computed by itself, and a failure there is reported.
    const std::lock_guard lock(growth_);
    grown_ = grownOf(map, request);
}

// Computes one more map, or none if a picture is requested meanwhile.
SmoothPlanCache::Growth SmoothPlanCache::grow(const MapPointer& map, const SmoothRequest& request,
                                              const Device& device, JobContext& job) try {
    std::stop_source source;
    {
        const std::lock_guard lock(growth_);
        growing_ = source;
    }
    const std::stop_callback ended(job.stopToken(), [&source] { source.request_stop(); });
    JobContext step(source.get_token(), {}, job.threads());
    const std::lock_guard lock(guard_);
    if (!plan_ || map_ != map || fields_ != request.fields || device_ != device.label())
        return Growth::Foreign;
    const bool mayFollow = plan_->growSeries(request.parameters, fieldOf(request), step);
    return mayFollow ? Growth::Next : Growth::Done;
} catch (const Cancelled&) {
    return Growth::Next;
}

LiveFrame SmoothPlanCache::picture(const MapPointer& map, const SmoothRequest& request, bool quick,
                                   const Device& device, JobContext& job) {
    const StopTime begun = std::chrono::steady_clock::now();
    giveWay();
    // One picture is on the screen and one is being presented. If all are in use, as in a hidden
    // window, other threads may use the plan meanwhile.
    while (true) {
        {
            const std::lock_guard lock(guard_);
            LiveFrame frame = pictureIfFree(map, request, quick, device, job);
            frame.marks.begun = begun;
            if (frame.picture) return frame;
        }
        job.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

// Call with the lock held. Returns no picture if none is free.
LiveFrame SmoothPlanCache::pictureIfFree(const MapPointer& map, const SmoothRequest& request,
                                         bool quick, const Device& device, JobContext& job) {
    SmoothPlan& plan = planFor(map, request.fields, device);
    if (!pictures_ || pictures_->nside() != plan.pictureNside()) {
        pictures_.reset();
        pictures_.emplace(device.index, plan.pictureNside());
    }
    LiveFrame frame;
    frame.picture = pictures_->next();
    if (!frame.picture) return frame;
    frame.marks.prepared = std::chrono::steady_clock::now();
    const size_t field = fieldOf(request);
    frame.isWhole = !quick || !plan.enqueueSum(request.parameters, field, *frame.picture);
    if (frame.isWhole) {
        plan.prepare(request.parameters, job);
        frame.marks.prepared = std::chrono::steady_clock::now();
        plan.enqueue(request.parameters, field, *frame.picture);
    }
    frame.marks.enqueued = std::chrono::steady_clock::now();
    frame.report = plan.report();
    frame.picture->wait();
    frame.marks.made = std::chrono::steady_clock::now();
    return frame;
}

SmoothPlanCache::Result SmoothPlanCache::smooth(const MapPointer& map,
                                                const std::vector<int>& fields,
                                                const SmoothParameters& parameters, int64_t nside,
                                                const Device& device, JobContext& job) {
    const std::lock_guard lock(guard_);
    Result result;
    const auto execute = [&](const Device& on) {
        SmoothPlan& plan = planFor(map, fields, on);
        HealpixMap made = nside < map->nside() ? plan.preview(parameters, nside, job)
                                               : plan.execute(parameters, job);
        result.beamLine = QString::fromStdString(takeSmoothedBeam(made, parameters, job));
        return made;
    };
    result.map = onDevice(device, result.note, [&](const Device& on) {
        return MapPointer(sharedAndFreedAside(execute(on)));
    });
    result.report = plan_->report();
    return result;
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
