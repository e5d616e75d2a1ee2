// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding on several devices at the same time. Each takes a run of the samples and sums up all
// cells. The sums are added in the order of the devices, so that every run has the same bits.
#include <algorithm>
#include <limits>

#include "armilla/core/new_vector.h"
#include "armilla/device/side_by_side.h"
#include "grid/grid_backend.h"

namespace armilla {

namespace {

template <typename T>
std::span<const T> partOf(std::span<const T> all, int64_t first, int64_t count, int64_t width = 1) {
    return all.empty() ? all
                       : all.subspan(static_cast<size_t>(first * width),
                                     static_cast<size_t>(count * width));
}

class SharedGrid : public GridBackend {
public:
    SharedGrid(std::vector<MakeGrid> make, int64_t leastRows)
        : make_(std::move(make)), backends_(make_.size()), leastRows_(leastRows) {
        backends_.front() = make_.front()();
    }

    void order(const GridSamples& samples, JobContext& job) override {
        rows_ = samples.count();
        used_ = std::clamp<size_t>(static_cast<size_t>(rows_ / leastRows_), 1, backends_.size());
        onEach(job, [&](size_t i, JobContext& own) {
            const auto [first, count] = share(i);
            GridSamples part = samples;
            part.lon = partOf(samples.lon, first, count);
            part.lat = partOf(samples.lat, first, count);
            part.weights = partOf(samples.weights, first, count);
            part.firstRow = samples.firstRow + first;
            if (!backends_[i]) backends_[i] = make_[i]();
            backends_[i]->order(part, own);
        });
        collectReport();
    }

    void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) override {
        std::vector<GridSums> others(used_ - 1);
        onEach(job, [&](size_t i, JobContext& own) {
            const auto [first, count] = share(i);
            std::vector<GridValues> part;
            for (const GridValues& column : values)
                part.push_back(std::visit(
                    [&, first = first, count = count](auto numbers) {
                        return GridValues{partOf(numbers, first, count, column.width),
                                          column.width};
                    },
                    column.values));
            if (i > 0) others[i - 1] = emptySums(sums.cells, sums.channels, isNearest(sums), own);
            backends_[i]->execute(part, i == 0 ? sums : others[i - 1], own);
        });
        for (GridSums& other : others) {
            addSums(sums, other, job);
            other = {};
        }
        collectReport();
    }

private:
    static bool isNearest(const GridSums& sums) { return !sums.nearest.empty(); }

    // The first sample of a device, and the number of its samples.
    std::pair<int64_t, int64_t> share(size_t device) const {
        const auto n = static_cast<int64_t>(used_);
        const auto border = [&](size_t at) {
            const auto i = static_cast<int64_t>(at);
            return rows_ / n * i + rows_ % n * i / n;
        };
        return {border(device), border(device + 1) - border(device)};
    }

    // Runs the devices in use at the same time.
    template <typename Work>
    void onEach(JobContext& job, const Work& work) {
        if (used_ == 1) return work(0, job);
        sideBySide(job, used_, work);
    }

    // Numbers of samples and bytes add up; the devices work at the same time.
    void collectReport() {
        const auto longest = [&](double GridDeviceSteps::*step) {
            double most = 0.0;
            for (size_t i = 0; i < used_; ++i)
                most = std::max(most, backends_[i]->report.device.*step);
            return most;
        };
        report.binNside = backends_.front()->report.binNside;
        report.used = report.bad = report.outside = report.deviceBytes = 0;
        for (size_t i = 0; i < used_; ++i) {
            const GridReport& one = backends_[i]->report;
            report.used += one.used;
            report.bad += one.bad;
            report.outside += one.outside;
            report.deviceBytes += one.deviceBytes;
        }
        report.device = {longest(&GridDeviceSteps::bins), longest(&GridDeviceSteps::sort),
                         longest(&GridDeviceSteps::place), longest(&GridDeviceSteps::values),
                         longest(&GridDeviceSteps::gather)};
    }

    std::vector<MakeGrid> make_;
    std::vector<std::unique_ptr<GridBackend>> backends_;  // empty before their first samples
    int64_t leastRows_;
    int64_t rows_ = 0;
    size_t used_ = 1;  // devices that have samples
};

}  // namespace

GridSums emptySums(int64_t cells, int64_t channels, bool nearest, const JobContext& job) {
    GridSums sums;
    sums.cells = cells;
    sums.channels = channels;
    sums.values = newVector<double>(cells * channels, job);
    sums.weights = newVector<double>(cells * channels, job);
    sums.counts = newVector<int64_t>(cells * channels, job);
    if (nearest)
        sums.nearest =
            newVector<double>(cells * channels, job, std::numeric_limits<double>::infinity());
    return sums;
}

std::unique_ptr<GridBackend> makeSharedGrid(std::vector<MakeGrid> make, int64_t leastRows) {
    return std::make_unique<SharedGrid>(std::move(make), leastRows);
}

}  // namespace armilla
