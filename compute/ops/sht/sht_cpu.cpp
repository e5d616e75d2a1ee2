// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on the CPU: RingTransform with the weights and iterations of analysis.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/new_vector.h"
#include "ops/quadrature_weights.h"
#include "sht/analysis_weights.h"
#include "sht/ring_transform.h"
#include "sht/sht_backend.h"

namespace armilla {

namespace {

std::vector<double> inDouble(const ConstMapSamples& map, JobContext& job) {
    std::vector<double> values = newVector<double>(static_cast<int64_t>(sizeOf(map)), job);
    std::visit([&](const auto& from) { std::copy(from.begin(), from.end(), values.begin()); }, map);
    return values;
}

// Where the transform writes a map: itself, or an array in double precision beside one in single.
struct InDouble {
    InDouble(const MapSamples& to, const JobContext& job) : map(to) {
        if (const auto* doubles = std::get_if<std::span<double>>(&map)) {
            values = *doubles;
        } else {
            own = newVector<double>(static_cast<int64_t>(sizeOf(map)), job);
            values = own;
        }
    }
    void putBack(JobContext& job) {
        const auto* singles = std::get_if<std::span<float>>(&map);
        if (singles == nullptr) return;
        parallelFor(job, static_cast<long long>(own.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                            (*singles)[p] = static_cast<float>(own[p]);
                    });
    }
    MapSamples map;
    std::vector<double> own;
    std::span<double> values;
};

JobContext half(const JobContext& job, size_t i, size_t count) {
    return job.part(static_cast<double>(i) / static_cast<double>(count),
                    static_cast<double>(i + 1) / static_cast<double>(count));
}

class CpuBackend final : public ShtBackend {
public:
    CpuBackend(const ShtParameters& p, const RingGrid& grid, JobContext& job)
        : ShtBackend(p, grid),
          name_(std::string("CPU, ") + simdName()),
          transform_(grid, p.lmax, p.mmax, job) {}

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return steps_; }
    int64_t analysisBytes(size_t maps) const override {
        const ShtParameters& p = parameters();
        const size_t atOnce = std::min(maps, kMapsAtOnce);
        const int64_t copies = 1 + (p.iterations > 0) + (p.weights == Weights::Pixel);
        return static_cast<int64_t>(atOnce) * copies * 8 * grid().sampleCount() +
               transform_.analysisBytes(static_cast<int>(atOnce));
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        steps_ = {};
        forEachGroup(maps.size(), job, [&](size_t first, size_t count, JobContext& part) {
            synthesize(spin, alm.subspan(first, count), maps.subspan(first, count), part);
        });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        steps_ = {};
        InDouble theta(dTheta, job), phi(dPhi, job);
        transform_.gradient(alm, theta.values, phi.values, job);
        note();
        theta.putBack(job);
        phi.putBack(job);
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        steps_ = {};
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        prepareWeights(weights);
        forEachGroup(maps.size(), rest, [&](size_t first, size_t count, JobContext& part) {
            analyze(spin, maps.subspan(first, count), alm.subspan(first, count), part);
        });
    }

private:
    // The components of a field with spin, or two maps over one recurrence.
    static constexpr size_t kMapsAtOnce = 2;

    template <typename Body>
    static void forEachGroup(size_t maps, JobContext& job, const Body& body) {
        for (size_t i = 0; i < maps; i += kMapsAtOnce) {
            const size_t count = std::min(kMapsAtOnce, maps - i);
            JobContext part = job.part(static_cast<double>(i) / static_cast<double>(maps),
                                       static_cast<double>(i + count) / static_cast<double>(maps));
            body(i, count, part);
        }
    }
    void note() {
        steps_.legendre += transform_.steps().legendre;
        steps_.fft += transform_.steps().fft;
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights == Weights::Pixel && pixelWeight_.empty())
            pixelWeight_ = pixelWeights(p.nside, job);
    }

    void synthesize(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                    JobContext& job) {
        std::vector<InDouble> to;
        for (const MapSamples& map : maps) to.emplace_back(map, job);
        if (spin != 0) {
            transform_.synthesisSpin(spin, alm[0], alm[1], to[0].values, to[1].values, job);
            note();
        }
        for (size_t i = 0; spin == 0 && i < maps.size(); ++i) {
            JobContext part = half(job, i, maps.size());
            transform_.synthesis(alm[i], to[i].values, part);
            note();
        }
        for (InDouble& map : to) map.putBack(job);
    }
    // One pass: alm += quadrature of `maps`.
    void addQuadrature(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                       JobContext& job) {
        std::vector<std::vector<double>> copies;
        std::vector<std::span<const double>> from;
        for (const ConstMapSamples& map : maps) {
            const auto* doubles = std::get_if<std::span<const double>>(&map);
            if (doubles == nullptr) copies.push_back(inDouble(map, job));
            from.push_back(doubles != nullptr ? *doubles : copies.back());
            if (parameters().weights != Weights::Pixel) continue;
            copies.push_back(timesPixelWeights(from.back(), parameters().nside, pixelWeight_));
            from.back() = copies.back();
        }
        if (spin != 0) {
            transform_.adjointSpin(spin, from[0], from[1], sampleWeight_, alm[0], alm[1], job);
            note();
        }
        for (size_t i = 0; spin == 0 && i < maps.size(); ++i) {
            JobContext part = half(job, i, maps.size());
            transform_.adjoint(from[i], sampleWeight_, alm[i], part);
            note();
        }
    }

    // Quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's map2alm_iter.
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
        for (size_t i = 0; i < maps.size(); ++i) {
            residual.push_back(newVector<double>(grid().sampleCount(), job));
            to.emplace_back(residual.back());
            from.emplace_back(residual.back());
        }
        for (int k = 0; k < iterations; ++k) {
            JobContext share = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
            synthesize(spin, alm, to, back);
            for (size_t i = 0; i < maps.size(); ++i) subtractFrom(maps[i], residual[i], forth);
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
    static void subtractFrom(const ConstMapSamples& map, std::vector<double>& model,
                             JobContext& job) {
        std::visit(
            [&](const auto& values) {
                parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                            [&](long long begin, long long end) {
                                for (auto p = static_cast<size_t>(begin);
                                     p < static_cast<size_t>(end); ++p)
                                    model[p] = values[p] - model[p];
                            });
            },
            map);
    }

    std::string name_;
    RingTransform transform_;
    std::vector<double> sampleWeight_, pixelWeight_;
    ShtSteps steps_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job) {
    return std::make_unique<CpuBackend>(parameters, grid, job);
}

}  // namespace armilla
