// SPDX-License-Identifier: GPL-3.0-or-later
// The weights, iterations and batches of a plan whose maps and coefficients stay in host memory. It
// wraps a transform of one or two of them.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "armilla/core/new_vector.h"
#include "armilla/ops/quadrature_weights.h"
#include "shared/map_groups.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/sht_backend.h"
#include "sht/weights/analysis_weights.h"

namespace armilla {

// Transform: a class with the functions of RingTransform.
template <typename Transform>
class HostBackend final : public ShtBackend {
public:
    // `more`: arguments of the transform.
    template <typename... More>
    HostBackend(const ShtParameters& p, const RingGrid& grid, std::string name, JobContext& job,
                More&&... more)
        : ShtBackend(p, grid),
          name_(std::move(name)),
          transform_(grid, p.lmax, p.mmax, job, std::forward<More>(more)...) {}

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return steps_; }
    int64_t analysisBytes(size_t maps) const override {
        const ShtParameters& p = parameters();
        const size_t atOnce = std::min(maps, kMapsAtOnce);
        const int64_t copies = (p.iterations > 0 ? 1 : 0) + (p.weights == Weights::Pixel ? 1 : 0);
        return static_cast<int64_t>(atOnce) * copies * 8 * grid().sampleCount() +
               transform_.analysisBytes(static_cast<int>(atOnce));
    }

    // Products with pixel weights and residuals of iterations read the samples elsewhere.
    bool subtractsLevel() const override {
        const ShtParameters& p = parameters();
        return std::is_same_v<Transform, RingTransform> && p.weights != Weights::Pixel &&
               p.iterations == 0 && p.tolerance == 0.0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        steps_ = {};
        forEachGroup(
            maps.size(), kMapsAtOnce, job, [&](size_t first, size_t count, JobContext& part) {
                synthesize(spin, alm.subspan(first, count), maps.subspan(first, count), part);
            });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        steps_ = {};
        transform_.gradient(alm, dTheta, dPhi, job);
        note();
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        steps_ = {};
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        prepareWeights(weights);
        forEachGroup(maps.size(), kMapsAtOnce, rest,
                     [&](size_t first, size_t count, JobContext& part) {
                         analyze(spin, maps.subspan(first, count), alm.subspan(first, count), part);
                     });
    }
    void analysisLess(double level, const ConstMapSamples& map, Alm& alm,
                      JobContext& job) override {
        if constexpr (std::is_same_v<Transform, RingTransform>) {
            steps_ = {};
            JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
            prepareWeights(weights);
            clear(alm, rest);
            transform_.adjoint({&map, 1}, sampleWeight_, {&alm, 1}, rest, level);
            note();
        }
    }
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        steps_ = {};
        const std::vector<double> ones(grid().rings.size(), 1.0);
        forEachGroup(
            maps.size(), kMapsAtOnce, job, [&](size_t first, size_t count, JobContext& part) {
                for (Alm& one : alm.subspan(first, count)) clear(one, part);
                addSums(spin, maps.subspan(first, count), ones, alm.subspan(first, count), part);
            });
    }

private:
    // The components of a field with spin, or two maps over one recurrence.
    static constexpr size_t kMapsAtOnce = 2;

    void note() { steps_ += transform_.steps(); }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights == Weights::Pixel && pixelWeight_.empty())
            pixelWeight_ = pixelWeights(p.nside, job);
    }

    void synthesize(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                    JobContext& job) {
        if (spin == 0)
            transform_.synthesis(alm, maps, job);
        else
            transform_.synthesisSpin(spin, alm[0], alm[1], maps[0], maps[1], job);
        note();
    }
    // One pass: alm += quadrature of `maps`.
    void addQuadrature(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                       JobContext& job) {
        std::vector<std::vector<double>> weighted;
        std::vector<ConstMapSamples> from(maps.begin(), maps.end());
        for (size_t i = 0; !pixelWeight_.empty() && i < maps.size(); ++i) {
            weighted.push_back(timesPixelWeights(maps[i], parameters().nside, pixelWeight_, job));
            from[i] = weighted.back();
        }
        addSums(spin, from, sampleWeight_, alm, job);
    }
    // `weights`: the weight of a sample of each ring.
    void addSums(int spin, std::span<const ConstMapSamples> maps, std::span<const double> weights,
                 std::span<Alm> alm, JobContext& job) {
        if (spin == 0)
            transform_.adjoint(maps, weights, alm, job);
        else
            transform_.adjointSpin(spin, maps[0], maps[1], weights, alm[0], alm[1], job);
        note();
    }

    // Quadrature, then Jacobi iterations a += A (map - S a), as in HEALPix's map2alm_iter.
    void analyze(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        for (Alm& one : alm) clear(one, job);
        JobContext first = job.part(0.0, 1.0 / passes);
        addQuadrature(spin, maps, alm, first);
        if (iterations == 0) return;
        std::vector<std::vector<double>> residual;
        std::vector<MapSamples> to;
        std::vector<ConstMapSamples> from;
        std::vector<IterationWatch> watches;
        const size_t components = componentsOf(spin);
        for (size_t i = 0; i < maps.size(); ++i) {
            if (i % components == 0) {
                double squares = 0.0;
                for (const ConstMapSamples& map : maps.subspan(i, components))
                    squares += squaredNorm(map, job);
                watches.emplace_back(parameters(), squares);
            }
            residual.push_back(newVector<double>(grid().sampleCount(), job));
            to.emplace_back(residual.back());
            from.emplace_back(residual.back());
        }
        for (int k = 0; k < iterations; ++k) {
            JobContext share = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
            synthesize(spin, alm, to, back);
            for (size_t i = 0; i < maps.size(); i += components) {
                double squares = 0.0;
                for (size_t c = i; c < i + components; ++c)
                    squares += subtractFrom(maps[c], residual[c], forth);
                watches[i / components].see(k, squares);
            }
            addQuadrature(spin, from, alm, forth);
        }
    }

    static void clear(Alm& alm, JobContext& job) {
        auto& values = alm.values();
        parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        std::fill(values.begin() + begin, values.begin() + end, 0.0);
                    });
    }
    // The sum of body(i) for i < count. Ranges are added in order: the same bits for any number of
    // threads.
    template <typename Body>
    static double sumOf(size_t count, JobContext& job, const Body& body) {
        const auto all = static_cast<int64_t>(count);
        std::vector<double> sums(static_cast<size_t>((all + kPixelGrain - 1) / kPixelGrain));
        parallelFor(job, all, kPixelGrain, [&](long long begin, long long end) {
            double sum = 0.0;
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                sum += body(i);
            sums[static_cast<size_t>(begin / kPixelGrain)] = sum;
        });
        return std::accumulate(sums.begin(), sums.end(), 0.0);
    }
    static double squaredNorm(const ConstMapSamples& map, JobContext& job) {
        const auto sum = [&](const auto& values) {
            return sumOf(values.size(), job, [&](size_t p) {
                return static_cast<double>(values[p]) * static_cast<double>(values[p]);
            });
        };
        return std::visit(sum, map);
    }
    // model = map - model; returns the sum of its squares.
    static double subtractFrom(const ConstMapSamples& map, std::vector<double>& model,
                               JobContext& job) {
        const auto sum = [&](const auto& values) {
            return sumOf(values.size(), job, [&](size_t p) {
                model[p] = values[p] - model[p];
                return model[p] * model[p];
            });
        };
        return std::visit(sum, map);
    }

    std::string name_;
    Transform transform_;
    std::vector<double> sampleWeight_, pixelWeight_;
    ShtSteps steps_;
};

}  // namespace armilla
