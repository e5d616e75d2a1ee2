// SPDX-License-Identifier: GPL-3.0-or-later
// The weights and iterations of an analysis around RankTransform, and coefficients by degree.
#include "armilla/ops/distributed_sht.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/quadrature_weights.h"
#include "shared/new_alm.h"
#include "shared/shape_checks.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/sht_backend.h"
#include "sht/several/ranks/rank_transform.h"
#include "sht/several/ranks/staged_transform.h"
#include "sht/storage/large_array.h"
#include "sht/weights/analysis_weights.h"
#include "sht/weights/least_squares.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Exchanges tiles if all ranks compute on CPUs, else rows. All ranks call it.
std::unique_ptr<ShareTransform> transformOf(const ShtParameters& p, const RingGrid& grid,
                                            const Device& device, Ranks& ranks, JobContext& job,
                                            const std::vector<RingRuns>* pairs) {
    const std::vector<RankPower> powers = powersOfRanks(device, job.threads(), ranks, job);
    if (std::none_of(powers.begin(), powers.end(), [](auto& each) { return each.device; }))
        return std::make_unique<RankTransform>(grid, p.lmax, p.mmax, ranks, job, pairs);
    return std::make_unique<StagedTransform>(grid, p.lmax, p.mmax, device, powers, ranks, job,
                                             pairs);
}

}  // namespace

AlmShare::AlmShare(int lmax, std::vector<int> orders, const JobContext& job)
    : lmax_(lmax),
      orders_(std::move(orders)),
      start_(orders_.empty() ? 0 : static_cast<size_t>(orders_.back()) + 1, -1) {
    int64_t next = 0;
    for (const int m : orders_) {
        start_[static_cast<size_t>(m)] = next;
        next += lmax - m + 1;
    }
    values_ = newVector<Complex>(next, job);
}

bool AlmShare::has(int m) const {
    return m >= 0 && static_cast<size_t>(m) < start_.size() && start_[static_cast<size_t>(m)] >= 0;
}
std::span<Complex> AlmShare::of(int m) {
    return {values_.data() + start_[static_cast<size_t>(m)], static_cast<size_t>(lmax_ - m + 1)};
}
std::span<const Complex> AlmShare::of(int m) const {
    return {values_.data() + start_[static_cast<size_t>(m)], static_cast<size_t>(lmax_ - m + 1)};
}

struct DistributedSht::Parts {
    Parts(const ShtParameters& p, const RingGrid& grid, const Device& on, Ranks& group,
          JobContext& job, const std::vector<RingRuns>* pairs = nullptr)
        : parameters(p),
          device(on),
          ranks(group),
          transform(transformOf(p, grid, device, group, job, pairs)) {
        // The weights have one number for each ring, so every rank computes all of them.
        const std::vector<double> all = sampleWeights(p, grid, job);
        for (const int ring : transform->rings()[rank()])
            weights.push_back(all[static_cast<size_t>(ring)]);
    }

    // Gets the weights of the own rings. Rank 0 has the complete weights, computed if they are not
    // in the cache, and distributes them.
    void preparePixelWeights(JobContext& job) {
        if (parameters.weights != Weights::Pixel || pixelWeightsThere) return;
        const int64_t nside = parameters.nside;
        std::vector<double> all;
        if (ranks.rank() == 0) all = pixelWeights(nside, job);
        std::vector<std::vector<double>> parts(static_cast<size_t>(ranks.size()));
        std::vector<Ranks::ConstBytes> sends;
        for (size_t to = 0; to < parts.size(); ++to) {
            if (!all.empty()) parts[to] = pixelWeightsOf(nside, all, transform->pairs()[to]);
            sends.push_back(std::as_bytes(std::span(parts[to])));
        }
        ofPixels.resize(pixelWeightCount(nside, ownPairs()));
        std::vector<Ranks::Bytes> receives(parts.size());
        receives[0] = std::as_writable_bytes(std::span(ofPixels));
        ranks.exchange(sends, receives, job);
        pixelWeightsThere = true;
    }
    size_t rank() const { return static_cast<size_t>(ranks.rank()); }
    const RingRuns& ownPairs() const { return transform->pairs()[rank()]; }
    // The quadrature of `maps`.
    void quadrature(int spin, std::span<const ConstMapSamples> maps, std::span<AlmShare> alm,
                    Before before, JobContext& job) {
        if (parameters.weights != Weights::Pixel)
            return transform->adjoint(spin, maps, weights, alm, before, job);
        std::vector<std::vector<double>> weighted;
        for (const ConstMapSamples& map : maps)
            weighted.push_back(timesPixelWeights(map, parameters.nside, ownPairs(), ofPixels, job));
        const std::vector<ConstMapSamples> from(weighted.begin(), weighted.end());
        transform->adjoint(spin, from, weights, alm, before, job);
    }

    void checkAlm(std::span<const AlmShare> alms) const {
        for (const AlmShare& alm : alms)
            if (alm.lmax() != parameters.lmax)
                throw InvalidArgument("expected alm of lmax " + std::to_string(parameters.lmax) +
                                      ", found " + std::to_string(alm.lmax()));
    }
    void checkField(int spin, size_t alms, size_t maps) const {
        if (spin != 0) checkSpin(spin);
        checkNumbers(alms, maps);
        if (maps != componentsOf(spin))
            throw InvalidArgument("expected " + std::to_string(componentsOf(spin)) +
                                  " components for a field of spin " + std::to_string(spin) +
                                  ", found " + std::to_string(maps));
    }
    // The sum of `square` over all samples. Rings are summed one by one and added in ring order:
    // the same bits for any number of ranks.
    template <typename Square>
    double sumOfSquares(const Square& square, JobContext& job) {
        const std::vector<Ring>& rings = transform->ownGrid().rings;
        std::vector<double> sums(rings.size());
        parallelFor(job, static_cast<long long>(rings.size()), 1, [&](long long r, long long) {
            const Ring& ring = rings[static_cast<size_t>(r)];
            double sum = 0.0;
            for (int64_t j = ring.first; j < ring.first + ring.count; ++j)
                sum += square(static_cast<size_t>(j));
            sums[static_cast<size_t>(r)] = sum;
        });
        const auto all = ranks.gatherAll(std::span<const double>(sums), job);
        std::vector<double> ofRings;
        for (size_t r = 0; r < all.size(); ++r)
            for (size_t i = 0; i < all[r].size(); ++i) {
                const auto ring = static_cast<size_t>(transform->rings()[r][i]);
                if (ring >= ofRings.size()) ofRings.resize(ring + 1);
                ofRings[ring] = all[r][i];
            }
        return std::accumulate(ofRings.begin(), ofRings.end(), 0.0);
    }

    void solve(int spin, std::span<const ConstMapSamples> maps, std::span<AlmShare> alm,
               JobContext& job);

    ShtParameters parameters;
    Device device;
    Ranks& ranks;
    std::unique_ptr<ShareTransform> transform;
    std::vector<double> weights;   // for the own rings
    std::vector<double> ofPixels;  // for the own rings, in compressed form
    bool pixelWeightsThere = false;
    ShtConvergence convergence;
};

namespace {

// Limits the life of a transform's memory for messages to the transforms of one call.
class WhileCalled {
public:
    explicit WhileCalled(ShareTransform& transform) : transform_(transform) {}
    ~WhileCalled() { transform_.release(); }
    WhileCalled(const WhileCalled&) = delete;
    WhileCalled& operator=(const WhileCalled&) = delete;

private:
    ShareTransform& transform_;
};

RingGrid healpixGrid(int64_t nside) {
    if (nside < 1 || nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for a harmonic transform, found " + std::to_string(nside));
    return RingGrid::healpix(nside);
}

}  // namespace

DistributedSht::DistributedSht(const ShtParameters& parameters, Ranks& ranks, JobContext& job,
                               const Device& device)
    : parts_(std::make_unique<Parts>(completedParameters(parameters), healpixGrid(parameters.nside),
                                     device, ranks, job)) {}

DistributedSht::DistributedSht(const RingGrid& grid, const ShtParameters& parameters, Ranks& ranks,
                               JobContext& job, const Device& device)
    : parts_(std::make_unique<Parts>(completedParameters(parameters), grid, device, ranks, job)) {
    if (parameters.weights != Weights::None)
        throw InvalidArgument(
            "expected no weights for a grid that has its own weights, found some");
}

DistributedSht::DistributedSht(const ShtParameters& parameters, const DistributedSht& like,
                               JobContext& job) {
    if (parameters.nside != like.parameters().nside)
        throw InvalidArgument("expected a plan of nside " +
                              std::to_string(like.parameters().nside) + ", found " +
                              std::to_string(parameters.nside));
    const Parts& other = *like.parts_;
    parts_ = std::make_unique<Parts>(completedParameters(parameters), healpixGrid(parameters.nside),
                                     other.device, other.ranks, job, &other.transform->pairs());
}

DistributedSht::~DistributedSht() = default;
DistributedSht::DistributedSht(DistributedSht&&) noexcept = default;
DistributedSht& DistributedSht::operator=(DistributedSht&&) noexcept = default;

const ShtParameters& DistributedSht::parameters() const {
    return parts_->parameters;
}
const std::vector<std::vector<SampleRun>>& DistributedSht::runsOfRanks() const {
    return parts_->transform->runs();
}
const std::vector<SampleRun>& DistributedSht::runs() const {
    return runsOfRanks()[parts_->rank()];
}
int64_t DistributedSht::sampleCount() const {
    return parts_->transform->ownGrid().sampleCount();
}
const std::vector<int>& DistributedSht::ownerOfOrder() const {
    return parts_->transform->ownerOfOrder();
}
std::vector<int> DistributedSht::ownOrders() const {
    std::vector<int> own;
    for (int m = 0; m <= parts_->parameters.mmax; ++m)
        if (parts_->transform->ownerOfOrder()[static_cast<size_t>(m)] == parts_->ranks.rank())
            own.push_back(m);
    return own;
}
ShtConvergence DistributedSht::convergence() const {
    return parts_->convergence;
}

const char* nameOf(ExchangedBy strategy) {
    switch (strategy) {
        case ExchangedBy::SharedMemory: return "shared memory";
        case ExchangedBy::Devices: return "NCCL";
        case ExchangedBy::Messages: break;
    }
    return "MPI";
}

RankSteps DistributedSht::steps() const {
    return parts_->transform->steps();
}

void DistributedSht::synthesis(int spin, std::span<const AlmShare> alm,
                               std::span<const MapSamples> maps, JobContext& job) {
    parts_->checkField(spin, alm.size(), maps.size());
    parts_->checkAlm(alm);
    const WhileCalled call(*parts_->transform);
    parts_->transform->synthesis(spin, alm, maps, job);
}

void DistributedSht::gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                              JobContext& job) {
    parts_->checkAlm({&alm, 1});
    const WhileCalled call(*parts_->transform);
    parts_->transform->gradient(alm, dTheta, dPhi, job);
}

void DistributedSht::adjointSynthesis(int spin, std::span<const ConstMapSamples> maps,
                                      std::span<AlmShare> alm, JobContext& job) {
    parts_->checkField(spin, alm.size(), maps.size());
    parts_->checkAlm(alm);
    const WhileCalled call(*parts_->transform);
    const std::vector<double> ones(parts_->weights.size(), 1.0);
    parts_->transform->adjoint(spin, maps, ones, alm, Before::Replaced, job);
}

void DistributedSht::analysis(int spin, std::span<const ConstMapSamples> maps,
                              std::span<AlmShare> alm, JobContext& job) {
    parts_->checkField(spin, alm.size(), maps.size());
    parts_->checkAlm(alm);
    const WhileCalled call(*parts_->transform);
    if (parts_->parameters.tolerance > 0.0)
        parts_->solve(spin, maps, alm, job);
    else
        iterate(spin, maps, alm, job);
}

// The distributed leastSquares().
void DistributedSht::Parts::solve(int spin, std::span<const ConstMapSamples> maps,
                                  std::span<AlmShare> alm, JobContext& job) {
    std::vector<std::vector<double>> model;
    std::vector<MapSamples> to;
    std::vector<ConstMapSamples> from;
    const int64_t samples = transform->ownGrid().sampleCount();
    // Five vectors, and the current model map.
    const auto values = static_cast<int64_t>(alm[0].values().size());
    requireMemory("least-squares analysis",
                  static_cast<int64_t>(maps.size()) * (8 * samples + 5 * 16 * values));
    for (size_t i = 0; i < maps.size(); ++i) {
        model.push_back(newVector<double>(samples, job));
        to.emplace_back(model.back());
        from.emplace_back(model.back());
    }
    JobContext first = job.part(0.0, 0.1), rest = job.part(0.1, 1.0);
    JobContext silent(job.stopToken(), {}, job.threads());
    preparePixelWeights(first);
    quadrature(spin, maps, alm, Before::Replaced, first);
    LeastSquaresParts parts;
    parts.columns = [&] {
        std::vector<AlmColumn> columns;
        for (AlmShare& each : alm)
            for (const int m : each.orders()) columns.push_back({m, each.of(m)});
        return columns;
    };
    parts.apply = [&](JobContext& part) {
        transform->synthesis(spin, alm, to, part);
        quadrature(spin, from, alm, Before::Replaced, part);
    };
    parts.sum = [&](std::span<const double> own) {
        const auto all = ranks.gatherAll(own, silent);
        std::vector<size_t> next(all.size(), 0);
        double sum = 0.0;
        // All orders of one component after another, as in a single process.
        for (size_t i = 0; i < alm.size(); ++i)
            for (const int owner : transform->ownerOfOrder()) {
                const auto rank = static_cast<size_t>(owner);
                sum += all[rank][next[rank]++];
            }
        return sum;
    };
    parts.largest = [&](double own) {
        double most = own;
        for (const auto& each : ranks.gatherAll(std::span<const double>(&own, 1), silent))
            most = std::max(most, each.at(0));
        return most;
    };
    const ShtConvergence found = solveLeastSquares(parts, parameters, rest);
    convergence = {std::max(convergence.steps, found.steps),
                   std::max(convergence.residual, found.residual)};
}

// Quadrature, then Jacobi iterations a += A (map - S a), as in the backends of ShtPlan.
void DistributedSht::iterate(int spin, std::span<const ConstMapSamples> maps,
                             std::span<AlmShare> alm, JobContext& job) {
    Parts& p = *parts_;
    const int iterations = p.parameters.iterations;
    const double passes = 1.0 + 2.0 * iterations;
    JobContext first = job.part(0.0, 1.0 / passes);
    p.preparePixelWeights(first);
    p.quadrature(spin, maps, alm, Before::Replaced, first);
    if (iterations == 0) return;
    std::vector<std::vector<double>> residual;
    std::vector<MapSamples> to;
    std::vector<ConstMapSamples> from;
    for (size_t i = 0; i < maps.size(); ++i) {
        residual.push_back(newVector<double>(sampleCount(), job));
        to.emplace_back(residual.back());
        from.emplace_back(residual.back());
    }
    const auto value = [&](size_t map, size_t sample) {
        return std::visit([&](const auto& values) { return static_cast<double>(values[sample]); },
                          maps[map]);
    };
    JobContext silent(job.stopToken(), {}, job.threads());
    IterationWatch watch(p.parameters, p.sumOfSquares(
                                           [&](size_t j) {
                                               double sum = 0.0;
                                               for (size_t i = 0; i < maps.size(); ++i)
                                                   sum += value(i, j) * value(i, j);
                                               return sum;
                                           },
                                           silent));
    for (int k = 0; k < iterations; ++k) {
        JobContext share = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
        JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
        p.transform->synthesis(spin, alm, to, back);
        watch.see(k, p.sumOfSquares(
                         [&](size_t j) {
                             double sum = 0.0;
                             for (size_t i = 0; i < maps.size(); ++i) {
                                 double& model = residual[i][j];
                                 model = value(i, j) - model;
                                 sum += model * model;
                             }
                             return sum;
                         },
                         silent));
        p.quadrature(spin, from, alm, Before::Added, forth);
    }
}

std::vector<int> degreeBounds(int lmax, int mmax, int ranks) {
    const int64_t all = DegreeShare::before(lmax + 1, mmax);
    std::vector<int> bounds{0};
    for (int rank = 1; rank < ranks; ++rank) {
        int l = bounds.back();
        // Written without the product all * rank, which could overflow 64 bits for sizes far beyond
        // any in use.
        const int64_t goal = all / ranks * rank;
        while (l <= lmax && DegreeShare::before(l, mmax) < goal) ++l;
        bounds.push_back(l);
    }
    bounds.push_back(lmax + 1);
    return bounds;
}

namespace {

// The start of each rank's part in a contiguous array, and the end of the last part.
std::vector<size_t> placesOf(std::span<const size_t> counts) {
    std::vector<size_t> places(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), places.begin() + 1);
    return places;
}

// `from[m]`: the coefficients of an order from its first degree in the share on. A few orders are
// copied together, because they are adjacent in each degree.
void takeOrders(std::span<const Complex* const> from, DegreeShare& share, JobContext& job) {
    constexpr int kTogether = 8;
    const int mmax = share.mmax;
    parallelFor(job, mmax / kTogether + 1, 1, [&](long long group, long long) {
        const int first = static_cast<int>(group) * kTogether;
        for (int l = std::max(first, share.begin); l < share.end; ++l) {
            Complex* const to = share.values.data() + share.place(l);
            for (int m = first; m <= std::min({l, mmax, first + kTogether - 1}); ++m)
                to[m] = from[static_cast<size_t>(m)][l - std::max(m, share.begin)];
        }
    });
}

}  // namespace

DegreeShare toDegrees(const AlmShare& alm, const std::vector<int>& ownerOfOrder, Ranks& ranks,
                      JobContext& job) {
    const int lmax = alm.lmax(), mmax = static_cast<int>(ownerOfOrder.size()) - 1;
    const std::vector<int> bounds = degreeBounds(lmax, mmax, ranks.size());
    const auto size = static_cast<size_t>(ranks.size()), own = static_cast<size_t>(ranks.rank());
    DegreeShare share{lmax, mmax, bounds[own], bounds[own + 1], {}};
    // Number of degrees of an order that go to a rank. A rank's own part is not sent.
    const auto count = [&](int m, size_t rank) {
        return static_cast<size_t>(std::max(0, bounds[rank + 1] - std::max(m, bounds[rank])));
    };
    std::vector<size_t> going(size), coming(size);
    for (int m = 0; m <= mmax; ++m) {
        const auto owner = static_cast<size_t>(ownerOfOrder[static_cast<size_t>(m)]);
        if (owner != own)
            coming[owner] += count(m, own);
        else
            for (size_t to = 0; to < size; ++to)
                if (to != own) going[to] += count(m, to);
    }
    const std::vector<size_t> sentAt = placesOf(going), comeAt = placesOf(coming);
    std::optional<LargeArray<Complex>> sent(sentAt.back());
    LargeArray<Complex> come(comeAt.back());
    std::vector<Ranks::ConstBytes> sends(size);
    std::vector<Ranks::Bytes> receives(size);
    for (size_t rank = 0; rank < size; ++rank) {
        Complex* at = sent->data() + sentAt[rank];
        sends[rank] = std::as_bytes(std::span(at, going[rank]));
        receives[rank] =
            std::as_writable_bytes(std::span(come.data() + comeAt[rank], coming[rank]));
        if (rank == own) continue;
        for (const int m : alm.orders()) {
            const Complex* const from = alm.of(m).data() + (std::max(m, bounds[rank]) - m);
            at = std::copy_n(from, count(m, rank), at);
        }
        job.poll();
    }
    ranks.exchange(sends, receives, job);
    sent.reset();
    share.values = newVector<Complex>(
        DegreeShare::before(share.end, mmax) - DegreeShare::before(share.begin, mmax), job);
    std::vector<const Complex*> from;
    std::vector<size_t> next(comeAt.begin(), comeAt.end() - 1);
    for (int m = 0; m <= mmax; ++m) {
        const auto owner = static_cast<size_t>(ownerOfOrder[static_cast<size_t>(m)]);
        if (count(m, own) == 0)
            from.push_back(nullptr);
        else
            from.push_back(owner == own ? alm.of(m).data() + (std::max(m, share.begin) - m)
                                        : come.data() + next[owner]);
        if (owner != own) next[owner] += count(m, own);
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    takeOrders(from, share, silent);
    return share;
}

}  // namespace armilla
