// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding on the CPU: cells are partitioned among threads, and each cell gathers its own samples.
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "grid/gather_kernels.h"
#include "grid/grid_backend.h"
#include "grid/sample_order.h"

namespace armilla {

namespace {

// Cells per work item: neighbors in most targets, so that their samples are in the cache.
constexpr int64_t kCellGrain = 32;

// Buffers of a range of cells.
struct Workspace {
    std::vector<SortedRun> runs;
    std::vector<double> weights;
    std::vector<uint32_t> rows;
};

class GridCpu final : public GridBackend {
public:
    GridCpu(std::vector<Vec3> cells, const GridKernel& kernel)
        : cells_(std::move(cells)), kernel_(kernel), weights_(gridWeights(kernel)) {}

    void order(const GridSamples& samples, JobContext& job) override {
        const SampleBins bins = sampleBins(cells_, kernel_.radius, job);
        ordered_.used = 0;  // a failed ordering leaves no samples
        if (bins.rings() > 0) {
            orderSamples(samples, bins, ordered_, job);
        } else {
            ordered_.bad = 0;
            ordered_.outside = samples.count();
        }
        report.used = ordered_.used;
        report.bad = ordered_.bad;
        report.outside = ordered_.outside;
        report.binNside = bins.nside;
    }

    void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) override {
        if (ordered_.used == 0) return;
        if (kernel_.kind == GridKernelKind::Nearest) {
            forEachCell(job, [&](int64_t cell, Workspace& space) {
                takeNearest(cell, values, sums, space);
            });
        } else if (sums.channels == 1) {
            executeOne(values.front(), sums, job);
        } else {
            forEachCell(job, [&](int64_t cell, Workspace& space) {
                gatherChannels(cell, values, sums, space, job);
            });
        }
    }

private:
    template <class Body>
    void forEachCell(JobContext& job, const Body& body) const {
        parallelFor(
            job, static_cast<long long>(cells_.size()), kCellGrain,
            [&](long long begin, long long end) {
                Workspace space;
                for (long long cell = begin; cell < end; ++cell) {
                    if (job.stopRequested()) throw Cancelled();
                    if (findRuns(cells_[static_cast<size_t>(cell)], space.runs)) body(cell, space);
                }
            },
            "gathering");
    }

    // The runs of sorted samples in reach of a cell; false if there are none.
    bool findRuns(Vec3 cell, std::vector<SortedRun>& runs) const {
        runs.clear();
        if (std::isnan(cell.z)) return false;
        const BinnedSamples binned = ordered_.binned();
        const BinDisc disc = binDisc(binned.bins, cell, kernel_.radius);
        for (int64_t ring = disc.firstRing; ring <= disc.lastRing; ++ring) {
            SortedRun found[2];
            const int count = ringRuns(binned, disc, ring, found);
            runs.insert(runs.end(), found, found + count);
        }
        return !runs.empty();
    }
    GatherSamples samples() const {
        return {ordered_.x.data(), ordered_.y.data(), ordered_.z.data(),
                ordered_.weights.empty() ? nullptr : ordered_.weights.data()};
    }

    void executeOne(const GridValues& values, GridSums& sums, JobContext& job) {
        std::vector<double>& sorted = ordered_.spare;
        if (const auto* doubles = std::get_if<std::span<const double>>(&values.values)) {
            ordered_.sortInto(*doubles, sorted, job);
        } else {
            const auto& singles = std::get<std::span<const float>>(values.values);
            sorted.resize(static_cast<size_t>(ordered_.used + kGatherPadding));
            parallelFor(job, ordered_.used, kPixelGrain, [&](long long begin, long long end) {
                for (long long i = begin; i < end; ++i)
                    sorted[static_cast<size_t>(i)] =
                        static_cast<double>(singles[ordered_.rows[static_cast<size_t>(i)]]);
            });
        }
        const GatherSamples at = samples();
        forEachCell(job, [&](int64_t cell, Workspace& space) {
            const auto c = static_cast<size_t>(cell);
            const GatherSum sum =
                gatherOne(weights_, at, gatherCell(cells_[c]), space.runs, sorted.data());
            sums.values[c] = sum.values;
            sums.weights[c] = sum.weights;
            sums.counts[c] = sum.count;
        });
    }

    // Computes weights once, then all channels in blocks.
    void gatherChannels(int64_t cell, std::span<const GridValues> values, GridSums& sums,
                        Workspace& space, const JobContext& job) const {
        int64_t candidates = kGatherPadding;
        for (const SortedRun& run : space.runs) candidates += run.end - run.begin;
        if (static_cast<int64_t>(space.weights.size()) < candidates) {
            space.weights.resize(static_cast<size_t>(candidates));
            space.rows.resize(static_cast<size_t>(candidates));
        }
        const int64_t found =
            gatherPairs(weights_, samples(), gatherCell(cells_[static_cast<size_t>(cell)]),
                        space.runs, space.weights.data(), space.rows.data());
        double weight = 0.0;
        for (int64_t i = 0; i < found; ++i) {
            uint32_t& row = space.rows[static_cast<size_t>(i)];
            row = ordered_.rows[row];
            weight += space.weights[static_cast<size_t>(i)];
        }
        int64_t channel = 0;
        for (const GridValues& column : values) {
            std::visit(
                [&](auto from) {
                    for (int64_t c = 0; c < column.width; c += kGatherChannels) {
                        if (job.stopRequested()) throw Cancelled();
                        const int block =
                            static_cast<int>(std::min<int64_t>(kGatherChannels, column.width - c));
                        addBlock(from.data() + c, column.width, block, space, found, weight,
                                 channel + c, cell, sums);
                    }
                },
                column.values);
            channel += column.width;
        }
    }

    template <class T>
    static void addBlock(const T* values, int64_t width, int channels, const Workspace& space,
                         int64_t found, double weight, int64_t channel, int64_t cell,
                         GridSums& sums) {
        double block[kGatherChannels] = {};
        addChannels(space.weights.data(), space.rows.data(), found, values, width, channels, block);
        for (int c = 0; c < channels; ++c) {
            const auto at = static_cast<size_t>((channel + c) * sums.cells + cell);
            sums.values[at] = block[c];
            sums.weights[at] = weight;
            sums.counts[at] = found;
            // A bad sample occurs in this channel: add only the good ones.
            if (!std::isfinite(block[c])) addGood(values + c, width, space, found, at, sums);
        }
    }
    template <class T>
    static void addGood(const T* values, int64_t width, const Workspace& space, int64_t found,
                        size_t at, GridSums& sums) {
        GatherSum sum;
        for (int64_t i = 0; i < found; ++i) {
            const auto p = static_cast<size_t>(i);
            const auto value = static_cast<double>(values[space.rows[p] * width]);
            if (!std::isfinite(value)) continue;
            sum.values += space.weights[p] * value;
            sum.weights += space.weights[p];
            ++sum.count;
        }
        sums.values[at] = sum.values;
        sums.weights[at] = sum.weights;
        sums.counts[at] = sum.count;
    }

    void takeNearest(int64_t cell, std::span<const GridValues> values, GridSums& sums,
                     Workspace& space) const {
        const Vec3 center = cells_[static_cast<size_t>(cell)];
        // Squared chords and positions of the samples within the radius.
        space.weights.clear();
        space.rows.clear();
        for (const SortedRun& run : space.runs)
            for (int64_t i = run.begin; i < run.end; ++i) {
                const auto p = static_cast<size_t>(i);
                const Vec3 d = Vec3{ordered_.x[p], ordered_.y[p], ordered_.z[p]} - center;
                const double chord2 = dot(d, d);
                if (chord2 > weights_.chord2Max) continue;
                space.weights.push_back(chord2);
                space.rows.push_back(static_cast<uint32_t>(i));
            }
        int64_t channel = 0;
        for (const GridValues& column : values)
            std::visit(
                [&](auto from) {
                    for (int64_t c = 0; c < column.width; ++c, ++channel)
                        nearestOf(from.data() + c, column.width, space,
                                  static_cast<size_t>(channel * sums.cells + cell), sums);
                },
                column.values);
    }
    template <class T>
    void nearestOf(const T* values, int64_t width, const Workspace& space, size_t at,
                   GridSums& sums) const {
        const auto valueOf = [&](size_t i) {
            return static_cast<double>(values[ordered_.rows[space.rows[i]] * width]);
        };
        double least = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < space.rows.size(); ++i)
            if (std::isfinite(valueOf(i))) {
                least = std::min(least, space.weights[i]);
                ++sums.counts[at];
            }
        sums.nearest[at] = least;
        for (size_t i = 0; i < space.rows.size(); ++i) {
            const double value = valueOf(i);
            if (space.weights[i] > least * (1.0 + kNearestTie) || !std::isfinite(value)) continue;
            const double weight = ordered_.weights.empty() ? 1.0 : ordered_.weights[space.rows[i]];
            sums.values[at] += weight * value;
            sums.weights[at] += weight;
        }
    }

    std::vector<Vec3> cells_;
    GridKernel kernel_;
    GridWeights weights_;
    OrderedSamples ordered_;
};

}  // namespace

std::unique_ptr<GridBackend> makeGridCpu(std::vector<Vec3> cells, const GridKernel& kernel) {
    return std::make_unique<GridCpu>(std::move(cells), kernel);
}

}  // namespace armilla
