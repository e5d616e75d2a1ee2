// SPDX-License-Identifier: GPL-3.0-or-later
// The work of the session's commands in jobs: functions of values, without the document.
#pragma once

#include <QStringList>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/device/device_picture.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/session/document.h"
#include "armilla/session/latency_marks.h"
#include "armilla/session/operation_run.h"
#include "layer_files.h"

namespace armilla {

using MapPointer = std::shared_ptr<const HealpixMap>;

// Runs `work` on a device. A failure of a device other than the CPU repeats the work on the CPU,
// with a `note`. Errors in the user's input fail on both and propagate.
template <typename Work>
auto onDevice(const Device& device, QString& note, const Work& work) {
    if (device.kind != DeviceKind::Cpu) {
        try {
            return work(device);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::Device && error.code() != ErrorCode::OutOfMemory &&
                error.code() != ErrorCode::Unsupported)
                throw;
            note = QStringLiteral("%1 failed, the CPU goes on: %2")
                       .arg(QString::fromStdString(device.label()),
                            QString::fromStdString(error.what()));
        }
    }
    return work(Device::cpu());
}

// Shares a large object and destroys it in its own thread. The window often holds the last
// reference, and freeing hundreds of megabytes takes tens of milliseconds.
template <typename T>
std::shared_ptr<T> sharedAndFreedAside(T value) {
    const auto free = [](T* thing) {
        try {
            std::thread([thing] { delete thing; }).detach();
        } catch (const std::exception&) {
            delete thing;  // no thread available, or no memory for one
        }
    };
    return {new T(std::move(value)), free};
}

// Physical memory of the machine, bytes.
int64_t physicalMemory();
// The largest useful nside for drawing: its faces take at most a fourth of the machine's memory.
int64_t defaultMaxDrawNside();
// The map and field with the values of a picture in frame `view`: the map itself, or its rotated Q
// and U, from which `quantity` is computed.
DrawnField drawnOf(const MapPointer& map, const Shown& shown, Frame view, JobContext& job);
// A field prepared for drawing in frame `view`. The angle of zoomed-out pixels is that of their
// mean Q and U.
std::shared_ptr<DrawableField> makeDrawable(const MapPointer& map, const Shown& shown, Frame view,
                                            int64_t maxNside, JobContext& job);

// The difference `a` - `b` of two quantities on the common pixels, in the ordering and frame of
// `a`, at the coarser of the two nside. Double precision.
struct MapDifference {
    HealpixMap map;
    QStringList
        changes;  // conversions applied before the difference: "nside 512", "rotated to Galactic"
};
// Throws InvalidArgument for different units, for angles, and if only one frame is known.
MapDifference mapDifference(const HealpixMap& a, const Shown& shownA, const HealpixMap& b,
                            const Shown& shownB, JobContext& job);

struct FilterRequest;

// A request to smooth a map, with the revision of the map at that time.
struct SmoothRequest {
    Shown of;
    uint64_t revision = 0;
    std::vector<int> fields;
    SmoothParameters parameters;
    QString profilePath;
    Frame view = Frame::Unknown;  // frame of the pictures; Q and U are rotated to it
    // A source filter instead of smoothing; `parameters` and `profilePath` are then unused.
    std::shared_ptr<const FilterRequest> filter;
};
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

// Data of a picture for panels: statistics of a sample of its cells.
std::shared_ptr<DrawableField> readoutOf(const DevicePicture& picture, Frame frame,
                                         JobContext& job);

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
    bool handMoves() const;
    void giveWay();
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
    StopTime asked_;
    std::optional<Grown> grown_;
};
// The input fields for smoothing `field`: {field}, or T, Q, U with polarization. Throws
// InvalidArgument if the map lacks these three.
std::vector<int> smoothedFields(const HealpixMap& map, int field,
                                const SmoothParameters& parameters);

// Throws InvalidArgument for rows that the catalog does not have.
LoadedLayer remadeOfRows(const Recipe& recipe, const std::vector<LayerValue>& inputs);
// Recomputes results of an operation from its record, all `outputs` in one run. `note` reports a
// device failure after which the CPU was used; notes of the operation itself were shown before.
std::vector<LayerValue> remadeByOperation(const Recipe& recipe, const std::vector<int>& outputs,
                                          const std::vector<LayerValue>& inputs,
                                          const Device& device, JobContext& job, QString& note);
// Recomputes a layer from its recipe; `inputs` are the layers of recipe.inputs().
LoadedLayer makeFromRecipe(const Recipe& recipe, const std::vector<LayerValue>& inputs,
                           const Device& device, JobContext& job);

}  // namespace armilla
