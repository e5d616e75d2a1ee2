// SPDX-License-Identifier: GPL-3.0-or-later
// The work of the session's commands, as it runs in jobs: functions of values, no document.
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

#include "core/error.h"
#include "core/harmonics.h"
#include "device/device_picture.h"
#include "layer_files.h"
#include "operations/drawn_field.h"
#include "ops/convolve.h"
#include "ops/device.h"
#include "session/document.h"
#include "session/live_stops.h"

namespace armilla {

using MapPointer = std::shared_ptr<const HealpixMap>;

// `work` on a device; where that is no CPU and fails, on the CPU, and `note` says so. The user's
// own mistakes fail on both and pass through.
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

// Shares a large thing, which is freed by a thread of its own: the last one to let it go is often
// the window, and to give hundreds of megabytes back takes tens of milliseconds.
template <typename T>
std::shared_ptr<T> sharedAndFreedAside(T value) {
    const auto free = [](T* thing) {
        try {
            std::thread([thing] { delete thing; }).detach();
        } catch (const std::exception&) {
            delete thing;  // no thread to be had, nor memory for one
        }
    };
    return {new T(std::move(value)), free};
}

// Physical memory of the machine, bytes.
int64_t physicalMemory();
// The largest nside worth drawing here: its faces take at most a fourth of the machine's memory.
int64_t defaultMaxDrawNside();
// The map and field that hold the values of a picture in `view`: the map itself, or its Q and U
// turned, of which `quantity` is made.
DrawnField drawnOf(const MapPointer& map, const Shown& shown, Frame view, JobContext& job);
// A field made ready to draw in `view`. The angle of zoomed-out pixels is that of their mean Q
// and U.
std::shared_ptr<DrawableField> makeDrawable(const MapPointer& map, const Shown& shown, Frame view,
                                            int64_t maxNside, JobContext& job);

// The difference `a` - `b` of two quantities, on the pixels, ordering and frame of `a`, or at the
// nside of `b` if that is the coarser; pixels that both have. Double precision.
struct MapDifference {
    HealpixMap map;
    QStringList
        changes;  // what was done to make them comparable: "nside 512", "turned to Galactic"
};
// Throws InvalidArgument for different units, angles, and if just one frame is known.
MapDifference mapDifference(const HealpixMap& a, const Shown& shownA, const HealpixMap& b,
                            const Shown& shownB, JobContext& job);

// Pseudo-C_l of a quantity: harmonics of the map times the mask `mask` (its first field; none: 1),
// bad pixels 0, divided by the mean square of the weights, so that for a mask of 0 and 1 it is
// divided by the share of the sky. E. Hivon et al., ApJ 567 (2002) 2, arXiv:astro-ph/0105302,
// eq. 11-13 to lowest order: the coupling of different l is not undone, the monopole not removed.
struct PseudoSpectrum {
    std::vector<double> cl;  // (lmax + 1), squared unit of the map
    double skyShare = 0.0;
    QString note;  // the device failed, the CPU went on
};
// `lmax` -1: 2 nside; at most 3 nside - 1. Maps finer than `maxNside` are averaged down to it.
// Throws InvalidArgument for mask values outside 0..1, and if no good pixel is left.
PseudoSpectrum pseudoSpectrum(const HealpixMap& map, const Shown& shown, const MapPointer& mask,
                              int lmax, int64_t maxNside, const Device& device, JobContext& job);

struct FilterRequest;

// One request to smooth: of which map, as it was when asked.
struct SmoothRequest {
    Shown of;
    uint64_t revision = 0;
    std::vector<int> fields;
    SmoothParameters parameters;
    QString profilePath;
    Frame view = Frame::Unknown;  // of the pictures; they turn Q and U to it
    // A filter for sources in place of smoothing; then the two before say nothing.
    std::shared_ptr<const FilterRequest> filter;
};
// What a live request leaves on the device, and what panels show of the first one.
struct LiveFrame {
    std::shared_ptr<DevicePicture> picture;
    std::shared_ptr<DrawableField> told;
    SmoothReport report;
    LiveStops stops;      // up to `made`
    bool isWhole = true;  // what a file would hold, to the bit
};

// The true result where it is looked at.
struct RegionPicture {
    std::shared_ptr<const ImageMesh> mesh;
    SmoothReport report;
};

// What panels show of a picture: statistics of a sample of its cells.
std::shared_ptr<DrawableField> toldOf(const DevicePicture& picture, Frame frame, JobContext& job);

// A smoothing plan that is kept from request to request. Requests come from jobs, one at a time.
class SmoothWorkshop {
public:
    struct Result {
        MapPointer map;
        SmoothReport report;
        QString note;  // the device failed, the CPU went on
    };
    // At `nside`, or in full where that is the map's own. The plan is made anew when the map, the
    // fields or the device have changed. A CUDA device that fails is replaced by the CPU.
    Result smooth(const MapPointer& map, const std::vector<int>& fields,
                  const SmoothParameters& parameters, int64_t nside, const Device& device,
                  JobContext& job);

    // The field that `request` is of, as a picture in the memory of the device, a CUDA device,
    // which is done with it; where `quick` a sum of kept maps (SmoothPlan::enqueueSum), if that
    // serves. Throws as SmoothPlan.
    LiveFrame picture(const MapPointer& map, const SmoothRequest& request, bool quick,
                      const Device& device, JobContext& job);
    // Makes those maps for requests that differ in width alone, one by one, while no picture is
    // asked for; whether it has done so.
    void growSums(const MapPointer& map, const SmoothRequest& request, const Device& device,
                  JobContext& job);
    bool isGrown(const MapPointer& map, const SmoothRequest& request) const;
    // The field that `request` is of within `radius` of `center`, in the map's frame, by direct
    // sums on the CPU; none where these are not quick or not what `smooth` makes. Throws as
    // SmoothPlan.
    std::optional<RegionPicture> around(const MapPointer& map, const SmoothRequest& request,
                                        Vec3 center, double radius, JobContext& job);
    // Makes ready what such pictures take.
    void prepare(const MapPointer& map, const std::vector<int>& fields,
                 const SmoothParameters& parameters, const Device& device, JobContext& job);

    // Forgets its plan if that is for another map than these; not while it is in use.
    void releaseUnless(const std::set<const void*>& openMaps);
    // Of its plan on the host; while it works, what was there when it was asked last.
    int64_t memoryBytes();

private:
    LiveFrame pictureIfFree(const MapPointer& map, const SmoothRequest& request, bool quick,
                            const Device& device, JobContext& job);
    // Foreign: the plan is of something else by now.
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
        SmoothParameters parameters;  // but for the width
        bool operator==(const Grown&) const = default;
    };
    static Grown grownOf(const MapPointer& map, const SmoothRequest& request);

    mutable std::mutex growth_;  // of what follows
    std::stop_source growing_{std::nostopstate};
    StopTime asked_;
    std::optional<Grown> grown_;
};
// The fields that smoothing of `field` takes: {field}, or T, Q, U with polarization. Throws
// InvalidArgument if the map has no such three.
std::vector<int> smoothedFields(const HealpixMap& map, int field,
                                const SmoothParameters& parameters);

// Throws InvalidArgument for rows that the catalog does not have.
LoadedLayer remadeOfRows(const Recipe& recipe, const std::vector<LayerValue>& inputs);
// Results of an operation again, by its record: those of these numbers, by one run. `note` says
// where the device failed and the CPU went on; what the operation itself notes was told before.
std::vector<LayerValue> remadeByOperation(const Recipe& recipe, const std::vector<int>& outputs,
                                          const std::vector<LayerValue>& inputs,
                                          const Device& device, JobContext& job, QString& note);
// Makes a layer again from its recipe; `inputs` are those that recipe.inputs() names.
LoadedLayer makeFromRecipe(const Recipe& recipe, const std::vector<LayerValue>& inputs,
                           const Device& device, JobContext& job);

}  // namespace armilla
