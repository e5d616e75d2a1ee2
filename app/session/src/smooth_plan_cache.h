// SPDX-License-Identifier: GPL-3.0-or-later
// The plan that serves requests of live smoothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "armilla/device/device_picture.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/ops/convolve.h"
#include "armilla/session/latency_marks.h"
#include "live_request.h"
#include "map_work.h"

namespace armilla {

// Result of a live request on the device; `readout` holds the statistics for panels, for the first
// one.
struct LiveFrame {
    std::shared_ptr<DevicePicture> picture;
    std::shared_ptr<DrawableField> readout;
    SmoothReport report;
    LiveLatencyMarks marks;  // up to `made`
    bool isWhole = true;     // equal to a file's content, to the bit
};

// The exact result in the viewed region.
struct RegionPicture {
    std::shared_ptr<const ImageMesh> mesh;
    SmoothReport report;
};

// Keeps a smoothing plan between requests. Requests come from jobs, one at a time.
class SmoothPlanCache {
public:
    struct Result {
        MapPointer map;
        SmoothReport report;
        QString note;      // the device failed, the CPU was used
        QString beamLine;  // change of values per beam; empty if there is none
    };
    // The result at `nside`; in full if that equals the nside of the map. The plan is rebuilt when
    // the map, the fields or the device change. If a CUDA device fails, the CPU replaces it.
    Result smooth(const MapPointer& map, const std::vector<int>& fields,
                  const SmoothParameters& parameters, int64_t nside, const Device& device,
                  JobContext& job);

    // The field of `request` as a finished picture in the memory of a CUDA device. With `quick` a
    // weighted sum of kept maps (SmoothPlan::enqueueSum) is used if it is accurate enough. Throws
    // as SmoothPlan.
    LiveFrame picture(const MapPointer& map, const SmoothRequest& request, bool quick,
                      const Device& device, JobContext& job);
    // Computes the kept maps for requests that differ only in width, one by one, while no picture
    // is requested. isGrown() reports the completion.
    void growSums(const MapPointer& map, const SmoothRequest& request, const Device& device,
                  JobContext& job);
    bool isGrown(const MapPointer& map, const SmoothRequest& request) const;
    // The field of `request` within `radius` of `center` (frame of the map), by direct sums on the
    // CPU. None if the sums would be slow or differ from the result of smooth(). Throws as
    // SmoothPlan.
    std::optional<RegionPicture> around(const MapPointer& map, const SmoothRequest& request,
                                        Vec3 center, double radius, JobContext& job);
    // Prepares the data for such pictures.
    void prepare(const MapPointer& map, const std::vector<int>& fields,
                 const SmoothParameters& parameters, const Device& device, JobContext& job);

    // Drops the plan if its map is none of `openMaps`; not while the plan is in use.
    void releaseUnless(const std::set<const void*>& openMaps);
    // Host memory of the plan; while the plan is in use, the last known value.
    int64_t memoryBytes();

private:
    LiveFrame pictureIfFree(const MapPointer& map, const SmoothRequest& request, bool quick,
                            const Device& device, JobContext& job);
    // Foreign: the plan now belongs to another request.
    enum class Growth { Next, Done, Foreign };
    Growth grow(const MapPointer& map, const SmoothRequest& request, const Device& device,
                JobContext& job);
    void forgetGrown();
    bool isSliderMoving() const;
    void stopGrowing();
    SmoothPlan& planFor(const MapPointer& map, const std::vector<int>& fields, const Device& on);

    std::mutex guard_;  // the plan is not thread-safe
    MapPointer map_;
    std::vector<int> fields_;
    std::string device_;
    std::optional<SmoothPlan> plan_;
    std::optional<DevicePictures> pictures_;
    int64_t memoryBytes_ = 0;

    struct Grown {
        const void* map = nullptr;
        int field = -1;
        SmoothParameters parameters;  // all except the width
        bool operator==(const Grown&) const = default;
    };
    static Grown grownOf(const MapPointer& map, const SmoothRequest& request);

    mutable std::mutex growth_;  // guards the following members
    std::stop_source growing_{std::nostopstate};
    StopTime requested_;
    std::optional<Grown> grown_;
};

}  // namespace armilla
