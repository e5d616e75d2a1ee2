// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ring_shares.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "armilla/ops/quadrature_weights.h"
#include "shared/map_groups.h"
#include "sht/legendre/legendre.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/ring_windows.h"
#include "sht/several/side_by_side.h"
#include "sht/weights/analysis_weights.h"

namespace armilla {

namespace {

class RingSharesBackend final : public ShtBackend {
public:
    RingSharesBackend(const ShtParameters& p, const RingGrid& grid, RingSharesSetup setup)
        : ShtBackend(p, grid), setup_(std::move(setup)), shares_(setup_.shares.size()) {}

    std::string_view name() const override { return setup_.name; }
    std::string remark() const override { return setup_.remark; }
    ShtSteps steps() const override { return steps_; }
    int64_t analysisBytes(size_t) const override {
        const bool makes = parameters().weights == Weights::Pixel && weights_.ofSamples.empty();
        return makes ? kBytesOfPixelWeights * grid().sampleCount() : 0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            together(part, [&](RingShare& share, JobContext& own) {
                return share.synthesis(spin, alm.subspan(first, n), maps.subspan(first, n), own);
            });
        });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        steps_ = {};
        together(job, [&](RingShare& share, JobContext& own) {
            return share.gradient(alm, dTheta, dPhi, own);
        });
    }
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        const QuadratureWeights ones{std::vector<double>(grid().rings.size(), 1.0), {}};
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            sumOver(spin, maps.subspan(first, n), ones, 0, alm.subspan(first, n), part);
        });
    }
    // Quadrature, then Jacobi iterations a += A (map - S a), as in HEALPix's map2alm_iter.
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        prepareWeights(job);
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            const double passes = 1.0 + parameters().iterations;
            std::optional<IterationWatch> watch;
            for (int k = 0; k < passes; ++k) {
                JobContext pass = part.part(k / passes, (k + 1) / passes);
                sumOver(spin, maps.subspan(first, n), weights_, k, alm.subspan(first, n), pass);
                if (k == 0)
                    watch.emplace(parameters(), squares());
                else
                    watch->see(k - 1, squares());
            }
        });
    }

private:
    template <typename Body>
    void forEachField(int spin, size_t maps, JobContext& job, const Body& body) {
        steps_ = {};
        forEachGroup(maps, componentsOf(spin), job, body);
    }
    // Pass k of an analysis of one field.
    void sumOver(int spin, std::span<const ConstMapSamples> maps, const QuadratureWeights& weights,
                 int k, std::span<Alm> alm, JobContext& job) {
        together(job, [&](RingShare& share, JobContext& own) {
            return share.quadrature(spin, maps, weights, k, alm, own);
        });
        for (size_t i = 0; i < shares_.size(); ++i)
            steps_ += shares_[i]->collect(
                k == 0 && i == 0 ? RingShare::Sum::Set : RingShare::Sum::Add, alm, job);
    }
    // The sum of squares of the last pass over all rings.
    double squares() const {
        double sum = 0.0;
        for (const auto& share : shares_) sum += share->squares();
        return sum;
    }
    // Calls body(share, job) for all shares concurrently.
    template <typename Body>
    void together(JobContext& job, const Body& body) {
        const size_t count = shares_.size();
        if (count == 1) {
            steps_ += body(shareOf(0), job);
            return;
        }
        std::vector<ShtSteps> steps(count);
        const int threads = std::max(1, job.threads() / static_cast<int>(count));
        sideBySide(
            count, job, "parts of a map",
            [&](size_t i, const std::stop_token& stop, const Advance& advance) {
                double before = 0.0;
                const auto report = [&](double done, std::string_view) {
                    advance((done - std::exchange(before, done)) / static_cast<double>(count));
                };
                JobContext own(stop, report, threads);
                steps[i] = body(shareOf(i), own);
            });
        steps_ += slowest(steps);
    }
    // Constructs a share in the thread that uses it.
    RingShare& shareOf(size_t i) {
        if (!shares_[i]) shares_[i] = setup_.shares[i]();
        return *shares_[i];
    }
    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (weights_.ofRings.empty()) weights_.ofRings = sampleWeights(p, grid(), job);
        if (p.weights != Weights::Pixel || !weights_.ofSamples.empty()) return;
        weights_.ofSamples = expandedPixelWeights(p.nside, pixelWeights(p.nside, job), job);
    }

    RingSharesSetup setup_;
    std::vector<std::unique_ptr<RingShare>> shares_;  // null: not constructed yet
    QuadratureWeights weights_;
    ShtSteps steps_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeRingSharesBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid, RingSharesSetup setup) {
    return std::make_unique<RingSharesBackend>(parameters, grid, std::move(setup));
}

double ringCost(const RingGrid& grid, int lmax, int mmax, int ring) {
    // The time to copy a sample from host memory and transform its ring on an H200, in terms of
    // Legendre sums.
    constexpr double kTermsOfSample = 500.0;
    const Ring& at = grid.rings[static_cast<size_t>(ring)];
    const double modes = usefulModes(lmax, mmax, 0, at.sinTheta, at.z);
    return modes * (lmax + 1.0 - 0.5 * (modes - 1.0)) +
           kTermsOfSample * static_cast<double>(samplesOf(grid, {ring, ring + 1}));
}

}  // namespace armilla
