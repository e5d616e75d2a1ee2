// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs on one or several CUDA devices: partitions of the tiles, and doubtful pairs on the host.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/device/side_by_side.h"
#include "pairs/device_points.h"
#include "pairs/pair_counts.h"
#include "pairs/pair_counts_cuda.h"

namespace armilla {

namespace {

struct Share {
    std::vector<int64_t> below;
    std::vector<double> weight;  // empty without weights
    std::vector<CudaDoubt> doubts;
};

// Shares of the tiles, which several devices take one after the other. The tiles of a set with
// itself count half of their pairs, so that equal parts are unequal work: one of four devices had
// 1.4 times the mean. The sums of a share do not depend on its device.
class TileShares {
public:
    explicit TileShares(size_t devices) : count_(devices == 1 ? 1 : kSharesOfDevice * devices) {}
    size_t count() const { return count_; }
    // The next share that no device has taken.
    std::optional<size_t> next() {
        const size_t which = next_.fetch_add(1);
        return which < count_ ? std::optional(which) : std::nullopt;
    }
    std::pair<int64_t, int64_t> range(size_t which, int64_t tiles) const {
        const auto n = static_cast<int64_t>(count_);
        const auto border = [&](size_t at) {
            return tiles / n * static_cast<int64_t>(at) + tiles % n * static_cast<int64_t>(at) / n;
        };
        return {border(which), border(which + 1)};
    }

private:
    // The last share delays the end by a 32nd of a device's time at most.
    static constexpr size_t kSharesOfDevice = 32;
    size_t count_;
    std::atomic<size_t> next_{0};
};

// Exact positions and weights of the points of a set, by their numbers there.
class ExactSet {
public:
    // `vectors`: of points in host memory.
    ExactSet(const SkyPoints& points, const PointVectors& vectors)
        : points_(&points), vectors_(&vectors) {
        if (!points.onDevice) exact_ = std::make_unique<ExactPoints>(points);
    }
    // Fetches points that are on the device. `which` is any list of numbers.
    void prepare(std::vector<uint32_t> which, JobContext& job) {
        if (!points_->onDevice) return;
        std::sort(which.begin(), which.end());
        which.erase(std::unique(which.begin(), which.end()), which.end());
        which_ = std::move(which);
        fetched_.lonQuarter = points_->lonQuarter;
        fetched_.latQuarter = points_->latQuarter;
        fetched_.turn = points_->turn;
        points_->onDevice->fetch(which_, fetched_);
        fetchedVectors_ = pointVectors(fetched_, job);
        exact_ = std::make_unique<ExactPoints>(fetched_);
    }
    QuadVector exact(uint32_t point) const { return (*exact_)(place(point)); }
    Vec3 vector(uint32_t point) const {
        const PointVectors& v = points_->onDevice ? fetchedVectors_ : *vectors_;
        const size_t at = place(point);
        return {v.x[at], v.y[at], v.z[at]};
    }
    double weight(uint32_t point) const {
        const SkyPoints& held = points_->onDevice ? fetched_ : *points_;
        return held.weight.empty() ? 1.0 : held.weight[place(point)];
    }

private:
    uint32_t place(uint32_t point) const {
        if (!points_->onDevice) return point;
        return static_cast<uint32_t>(std::lower_bound(which_.begin(), which_.end(), point) -
                                     which_.begin());
    }
    const SkyPoints* points_;
    const PointVectors* vectors_;
    std::unique_ptr<ExactPoints> exact_;
    std::vector<uint32_t> which_;  // numbers of the fetched points, ascending
    SkyPoints fetched_;
    PointVectors fetchedVectors_;
};
using ExactSets = std::vector<std::unique_ptr<ExactSet>>;

void prepareFor(const std::vector<CudaDoubt>& doubts, std::span<const PairTask> tasks,
                ExactSets& sets, JobContext& job) {
    std::vector<std::vector<uint32_t>> which(sets.size());
    for (const CudaDoubt& doubt : doubts) {
        const PairTask& task = tasks[static_cast<size_t>(doubt.task)];
        which[static_cast<size_t>(task.first)].push_back(doubt.a);
        which[static_cast<size_t>(task.second)].push_back(doubt.b);
    }
    for (size_t s = 0; s < sets.size(); ++s) sets[s]->prepare(std::move(which[s]), job);
}

// Adds each doubtful pair to the edges above its angle, found from the last edge down. In the order
// of the points, because sums of weights are in double precision.
void resolve(std::vector<CudaDoubt>& doubts, std::span<const PairTask> tasks, ExactSets& sets,
             const EdgeTable& table, std::vector<int64_t>& below, std::vector<double>& weight,
             JobContext& job) {
    if (!weight.empty())
        std::sort(doubts.begin(), doubts.end(), [](const CudaDoubt& a, const CudaDoubt& b) {
            return std::tie(a.task, a.a, a.b, a.first) < std::tie(b.task, b.a, b.b, b.first);
        });
    prepareFor(doubts, tasks, sets, job);
    std::vector<int> first(doubts.size());
    parallelFor(
        job, static_cast<long long>(doubts.size()), 512,
        [&](int64_t begin, int64_t end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                const CudaDoubt& doubt = doubts[i];
                const PairTask& task = tasks[static_cast<size_t>(doubt.task)];
                const QuadVector a = sets[static_cast<size_t>(task.first)]->exact(doubt.a);
                const QuadVector b = sets[static_cast<size_t>(task.second)]->exact(doubt.b);
                first[i] = doubt.last;
                while (first[i] > doubt.first && table.below(first[i] - 1, a, b)) --first[i];
            }
        },
        "pairs near edges");
    for (size_t i = 0; i < doubts.size(); ++i) {
        const CudaDoubt& doubt = doubts[i];
        const PairTask& task = tasks[static_cast<size_t>(doubt.task)];
        for (int k = first[i]; k < doubt.last; ++k) {
            const size_t at = static_cast<size_t>(doubt.task) * static_cast<size_t>(table.count()) +
                              static_cast<size_t>(k);
            ++below[at];
            if (!weight.empty())
                weight[at] += sets[static_cast<size_t>(task.first)]->weight(doubt.a) *
                              sets[static_cast<size_t>(task.second)]->weight(doubt.b);
        }
    }
}

// Sums of weight times angle and of weights, tasks x (edges + 1).
struct Means {
    std::vector<double> angles, weights;
};
// Adds the angles of doubtful pairs to their bins, in the order of the points.
void resolveMeans(std::vector<CudaDoubt>& doubts, std::span<const PairTask> tasks, ExactSets& sets,
                  const EdgeTable& table, bool weighted, Means& means, JobContext& job) {
    std::sort(doubts.begin(), doubts.end(), [](const CudaDoubt& a, const CudaDoubt& b) {
        return std::tie(a.task, a.a, a.b) < std::tie(b.task, b.a, b.b);
    });
    prepareFor(doubts, tasks, sets, job);
    for (const CudaDoubt& doubt : doubts) {
        job.poll();
        const PairTask& task = tasks[static_cast<size_t>(doubt.task)];
        const ExactSet &first = *sets[static_cast<size_t>(task.first)],
                       &second = *sets[static_cast<size_t>(task.second)];
        const QuadVector a = first.exact(doubt.a), b = second.exact(doubt.b);
        int bin = doubt.last;
        while (bin > doubt.first && table.below(bin - 1, a, b)) --bin;
        const Vec3 v = first.vector(doubt.a), w = second.vector(doubt.b);
        const size_t at =
            static_cast<size_t>(doubt.task) * (static_cast<size_t>(table.count()) + 1) +
            static_cast<size_t>(bin);
        const double weight = weighted ? first.weight(doubt.a) * second.weight(doubt.b) : 1.0;
        means.angles[at] += weight * 2.0 * std::atan2(norm(v - w), norm(v + w));
        means.weights[at] += weight;
    }
}

}  // namespace

std::vector<PairsBelow> countPairsCuda(std::span<const SkyPoints> sets,
                                       std::span<const PairTask> tasks, const EdgeTable& table,
                                       const Device& device, MeanAngles mean, JobContext& job) {
    const bool weighted = std::any_of(sets.begin(), sets.end(),
                                      [](const SkyPoints& points) { return points.hasWeights(); });
    const auto edgeCount = static_cast<size_t>(table.count());
    std::vector<PointVectors> vectors(sets.size());
    forEachSet(sets.size(), job, [&](size_t s, JobContext& own) {
        if (!sets[s].onDevice) vectors[s] = pointVectors(sets[s], own);
    });
    std::vector<CudaPoints> points;
    ExactSets exact;
    std::vector<double> ones{1.0};  // weights of sets without weights
    for (size_t s = 0; s < sets.size(); ++s) {
        const SkyPoints& set = sets[s];
        const PointVectors& v = vectors[s];
        if (weighted && !set.hasWeights())
            ones.resize(std::max(ones.size(), static_cast<size_t>(set.size())), 1.0);
        points.push_back(set.onDevice ? set.onDevice->addresses()
                                      : CudaPoints{v.x.data(), v.y.data(), v.z.data(), set.size(),
                                                   set.weight.data(), 0.0});
        exact.push_back(std::make_unique<ExactSet>(set, v));
    }
    for (size_t s = 0; s < sets.size(); ++s) {
        if (!weighted || !sets[s].hasWeights())
            points[s].weights = weighted ? ones.data() : nullptr;
        if (weighted) points[s].weightSizes = weightSums(sets[s]).sizes;
    }
    std::vector<CudaEdge> edges;
    for (const Edge& edge : table.edges())
        edges.push_back(
            {edge.halfChord, edge.chordCertain, edge.chordPossible, edge.sine, edge.dot});
    std::vector<CudaPairTask> cudaTasks;
    for (const PairTask& task : tasks) cudaTasks.push_back({task.first, task.second});

    std::vector<int> devices{device.index};
    devices.insert(devices.end(), device.others.begin(), device.others.end());
    TileShares tiles(devices.size());
    std::vector<Share> shares(tiles.count());
    const auto countShares = [&](size_t i, JobContext& own, const auto& report) {
        CudaPairCounter counter(devices[i], points, cudaTasks, edges, own);
        while (const std::optional<size_t> which = tiles.next()) {
            Share& share = shares[*which];
            share.below.resize(tasks.size() * edgeCount);
            if (weighted) share.weight.resize(share.below.size());
            JobContext part(
                own.stopToken(),
                [&](double done, std::string_view what) { report(*which, done, what); }, 1);
            const auto [begin, end] = tiles.range(*which, counter.tiles());
            counter.count(begin, end, share.below, share.weight, share.doubts, part);
        }
    };
    if (devices.size() == 1) {
        countShares(0, job,
                    [&](size_t, double done, std::string_view what) { job.report(done, what); });
    } else {
        MeanProgress progress(job, shares.size());
        sideBySide(job, devices.size(), [&](size_t i, JobContext& own) {
            JobContext quiet(own.stopToken(), {}, 1);
            countShares(i, quiet, [&](size_t which, double share, std::string_view what) {
                progress.report(which, share, what);
            });
        });
    }
    std::vector<int64_t> below(tasks.size() * edgeCount);
    std::vector<double> weight(weighted ? below.size() : 0);
    for (Share& share : shares) {
        for (size_t k = 0; k < below.size(); ++k) below[k] += share.below[k];
        for (size_t k = 0; k < weight.size(); ++k) weight[k] += share.weight[k];
        resolve(share.doubts, tasks, exact, table, below, weight, job);
    }
    Means means;
    if (mean == MeanAngles::Wanted) {
        // One device suffices: requests with means have few pairs.
        CudaPairCounter counter(devices.front(), points, cudaTasks, edges, job);
        means.angles.resize(tasks.size() * (edgeCount + 1));
        means.weights.resize(means.angles.size());
        std::vector<CudaDoubt> doubts;
        counter.angles(table.startsAtZero(), table.endsAtPi(), means.angles, means.weights, doubts,
                       job);
        resolveMeans(doubts, tasks, exact, table, weighted, means, job);
    }
    std::vector<PairsBelow> results(tasks.size());
    for (size_t t = 0; t < tasks.size(); ++t) {
        const auto first = below.begin() + static_cast<ptrdiff_t>(t * edgeCount);
        results[t].below.assign(first, first + static_cast<ptrdiff_t>(edgeCount));
        const auto firstWeight =
            weight.begin() + static_cast<ptrdiff_t>(weighted ? t * edgeCount : 0);
        if (weighted)
            results[t].weight.assign(firstWeight, firstWeight + static_cast<ptrdiff_t>(edgeCount));
        if (mean == MeanAngles::Unwanted) continue;
        const auto from = static_cast<ptrdiff_t>(t * (edgeCount + 1)),
                   to = from + static_cast<ptrdiff_t>(edgeCount + 1);
        results[t].angles.assign(means.angles.begin() + from, means.angles.begin() + to);
        results[t].angleWeights.assign(means.weights.begin() + from, means.weights.begin() + to);
    }
    return results;
}

}  // namespace armilla
