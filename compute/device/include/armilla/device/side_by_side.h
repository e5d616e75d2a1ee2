// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a job that run at the same time, one on each device.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/device.h"

namespace armilla {

// The progress of a job of equal parts, each of which reports its own from any thread.
class MeanProgress {
public:
    // The job must outlive this object.
    MeanProgress(JobContext& job, size_t parts) : job_(job), done_(parts) {}
    void report(size_t part, double fraction, std::string_view stage) {
        const std::lock_guard lock(guard_);
        done_[part] = fraction;
        job_.report(
            std::accumulate(done_.begin(), done_.end(), 0.0) / static_cast<double>(done_.size()),
            stage);
    }

private:
    JobContext& job_;
    std::mutex guard_;
    std::vector<double> done_;
};

// Calls work(part, job) for each part on a thread of its own. The job of a part has its share of
// the threads.
template <typename Work>
void sideBySide(JobContext& job, size_t parts, const Work& work) {
    MeanProgress progress(job, parts);
    const int threads = std::max(1, job.threads() / static_cast<int>(parts));
    JobContext together(job.stopToken(), {}, static_cast<int>(parts));
    parallelFor(together, static_cast<long long>(parts), 1, [&](long long begin, long long end) {
        for (auto part = static_cast<size_t>(begin); part < static_cast<size_t>(end); ++part) {
            JobContext own(
                job.stopToken(),
                [&, part](double fraction, std::string_view stage) {
                    progress.report(part, fraction, stage);
                },
                threads);
            work(part, own);
        }
    });
}

// The device and its `others`, each alone.
inline std::vector<Device> eachAlone(const Device& device) {
    std::vector<Device> devices{device};
    for (const int index : device.others) {
        devices.push_back(device);
        devices.back().index = index;
    }
    for (Device& one : devices) one.others.clear();
    return devices;
}

// Calls work(unit, lane, job) for each of `units` equal units of work. Each of the `lanes` is a
// thread that takes the next unit when it is free, with its share of the threads of the job. After
// a unit has thrown, no further unit begins.
template <typename Work>
void inLanes(JobContext& job, size_t lanes, size_t units, const Work& work) {
    if (units == 0) return;
    const size_t parts = std::min(units, lanes);
    MeanProgress progress(job, units);
    std::atomic<size_t> next{0};
    sideBySide(job, parts, [&](size_t part, JobContext& own) {
        for (size_t unit = next++; unit < units; unit = next++) {
            JobContext of(
                own.stopToken(),
                [&, unit](double fraction, std::string_view stage) {
                    progress.report(unit, fraction, stage);
                },
                own.threads());
            try {
                work(unit, part, of);
            } catch (...) {
                next = units;
                throw;
            }
        }
    });
}

// Lanes for `units` maps of `pixels` pixels. A GPU has two lanes where its free memory, which
// `freeBytes` of its index gives, suffices: a map is on the GPU while the host prepares or stores
// another one. If there are more devices than maps, all devices share each map.
inline std::vector<Device> lanesOf(
    const Device& device, size_t units, int64_t pixels,
    const std::function<int64_t(int)>& freeBytes = CudaArray::freeBytes) {
    // Plans of two transforms take 30 bytes a pixel at lmax 2 nside, and 45 at 3 nside.
    constexpr int64_t kLaneBytes = 50;
    if (device.kind == DeviceKind::Cpu || units < 2 || units <= device.others.size())
        return {device};
    std::vector<Device> lanes = eachAlone(device);
    const size_t devices = lanes.size();
    for (size_t i = 0; i < devices; ++i)
        if (2 * kLaneBytes * pixels <= freeBytes(lanes[i].index)) lanes.push_back(lanes[i]);
    return lanes;
}

// The first device alone if its free memory holds T, Q, U of `pixels` pixels with their
// transforms, otherwise all devices. For work whose results stay on one device: there, C_l alone
// are copied to the host, where several devices copy all coefficients.
inline Device oneForResident(const Device& device, int64_t pixels,
                             const std::function<int64_t(int)>& freeBytes = CudaArray::freeBytes) {
    // Measured: 51 bytes a pixel at lmax 2 nside, of which coefficients are half.
    constexpr int64_t kResidentBytes = 100;
    if (device.others.empty() || kResidentBytes * pixels > freeBytes(device.index)) return device;
    return eachAlone(device).front();
}

}  // namespace armilla
