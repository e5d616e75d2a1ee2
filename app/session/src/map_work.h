// SPDX-License-Identifier: GPL-3.0-or-later
// The work of the session's commands in jobs: functions of values, without the document.
#pragma once

#include <QStringList>
#include <exception>
#include <memory>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/device/device_picture.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/session/document.h"
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

// Data of a picture for panels: statistics of a sample of its cells.
std::shared_ptr<DrawableField> readoutOf(const DevicePicture& picture, Frame frame,
                                         JobContext& job);

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
