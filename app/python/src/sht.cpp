// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of spherical harmonic transforms on numpy arrays.
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <deque>
#include <memory>
#include <mutex>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/sht.h"
#include "arrays.h"
#include "call.h"
#include "choice_words.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

using FloatIn = std::variant<ArrayIn<const float>, ArrayIn<const double>>;
using FloatOut = std::variant<ArrayIn<float>, ArrayIn<double>>;
using ComplexIn = ArrayIn<const std::complex<double>>;
using ComplexOut = ArrayIn<std::complex<double>>;

// The samples of an array, without a copy if all are good. Bad samples count as zero in an
// analysis; `copies` keeps the copy that has them so.
template <typename T>
ConstMapSamples cleaned(std::span<const T> samples, std::deque<std::vector<T>>& copies,
                        JobContext& job) {
    std::atomic<bool> found{false};
    const auto count = static_cast<long long>(samples.size());
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        if (found.load(std::memory_order_relaxed)) return;
        const auto part =
            samples.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
        if (std::any_of(part.begin(), part.end(), isBadSample<T>)) found = true;
    });
    if (!found) return samples;
    std::vector<T>& copy = copies.emplace_back(newVector<T>(count, job));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            copy[i] = isBadSample(samples[i]) ? T(0) : samples[i];
    });
    return std::span<const T>(copy);
}

struct Copies {
    std::deque<std::vector<float>> singles;
    std::deque<std::vector<double>> doubles;
};

ConstMapSamples cleaned(const FloatIn& array, Copies& copies, JobContext& job) {
    if (const auto* single = std::get_if<0>(&array))
        return cleaned(spanOf(*single), copies.singles, job);
    return cleaned(spanOf(std::get<1>(array)), copies.doubles, job);
}

ConstMapSamples asGiven(const FloatIn& array) {
    return std::visit([](const auto& each) -> ConstMapSamples { return spanOf(each); }, array);
}

MapSamples samplesOf(const FloatOut& array) {
    return std::visit([](const auto& each) -> MapSamples { return spanOf(each); }, array);
}

void copyAll(std::span<const std::complex<double>> from, std::span<std::complex<double>> to,
             JobContext& job) {
    if (from.size() != to.size())
        throw InvalidArgument("expected " + std::to_string(to.size()) + " coefficients, found " +
                              std::to_string(from.size()));
    parallelFor(job, static_cast<long long>(from.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
                });
}

// Memory of freed results, for the next ones. New memory takes longer to bring in than a transform
// on a CUDA device.
struct SpareMemory {
    std::mutex guard;
    UnsetVector<double> values;
};

// Memory of an array of results, which becomes spare when the array ends.
struct ResultMemory {
    UnsetVector<double> values;
    std::weak_ptr<SpareMemory> home;

    ResultMemory(UnsetVector<double> memory, const std::shared_ptr<SpareMemory>& spare)
        : values(std::move(memory)), home(spare) {}
    ~ResultMemory() {
        const std::shared_ptr<SpareMemory> spare = home.lock();
        if (!spare) return;
        const std::lock_guard lock(spare->guard);
        spare->values.swap(values);
    }
    ResultMemory(const ResultMemory&) = delete;
    ResultMemory& operator=(const ResultMemory&) = delete;
};

class Sht {
public:
    Sht(int64_t nside, int lmax, int mmax, const std::string& weights, int iterations,
        double tolerance, const std::string& device, int threads) {
        const ShtParameters parameters =
            shtParameters(nside, lmax, mmax, weights, iterations, tolerance);
        runJob({threads, nb::none()}, [&](JobContext& job) {
            device_ = Device::fromText(device, kShtSupport);
            plan_.emplace(parameters, device_, job);
        });
    }

    const ShtParameters& parameters() const { return plan_->parameters(); }
    std::string device() const { return device_.label(); }
    nb::tuple convergence() const {
        const ShtConvergence last = plan_->convergence();
        return nb::make_tuple(last.steps, last.residual);
    }

    // `spin` 0: each map by itself; 2 with three maps: T, Q, U; else pairs of components. `out`: as
    // many arrays of coefficients, or none.
    nb::list analysis(const std::vector<FloatIn>& maps, int spin, bool isPolarized,
                      const std::vector<ComplexOut>& out, int threads, const nb::object& progress) {
        std::vector<Alm> alm;
        runJob({threads, progress}, [&](JobContext& job) {
            const std::lock_guard lock(guard_);
            Copies copies;
            std::vector<ConstMapSamples> samples;
            for (const FloatIn& map : maps)
                samples.push_back(plan_->clearsBadSamples() ? asGiven(map)
                                                            : cleaned(map, copies, job));
            if (!out.empty())
                analyzeInto(out, samples, spin, isPolarized, job);
            else if (isPolarized)
                alm = plan_->analysisPolarized(samples.at(0), samples.at(1), samples.at(2), job);
            else if (spin == 0)
                alm = plan_->analysis(samples, job);
            else
                alm = plan_->analysisSpin(spin, samples.at(0), samples.at(1), job);
        });
        nb::list results;
        if (out.empty())
            for (Alm& each : alm) results.append(arrayOf(std::move(each.values())));
        return results;
    }

    // An array of shape (count, coefficients of a map) for results, in memory of freed ones if they
    // had this size.
    nb::object newCoefficients(size_t count, int threads) {
        const ShtParameters& shape = plan_->parameters();
        const auto each = static_cast<size_t>(Alm::count(shape.lmax, shape.mmax));
        UnsetVector<double> values;
        {
            const std::lock_guard lock(spare_->guard);
            if (spare_->values.size() == 2 * count * each) values.swap(spare_->values);
        }
        if (values.empty())
            runJob({threads, nb::none()}, [&](JobContext& job) {
                values = newUnsetVector<double>(static_cast<int64_t>(2 * count * each), job);
            });
        const auto* const data = reinterpret_cast<const std::complex<double>*>(values.data());
        return viewOf(data, {count, each},
                      std::make_shared<ResultMemory>(std::move(values), spare_));
    }

    void synthesis(const std::vector<ComplexIn>& arrays, int spin, bool isPolarized,
                   const std::vector<FloatOut>& maps, int threads, const nb::object& progress) {
        runJob({threads, progress}, [&](JobContext& job) {
            const std::lock_guard lock(guard_);
            const Release release{*this};
            const std::span<const Alm> alm = almOf(arrays, job);
            std::vector<MapSamples> samples;
            for (const FloatOut& map : maps) samples.push_back(samplesOf(map));
            if (isPolarized)
                plan_->synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), samples.at(0),
                                          samples.at(1), samples.at(2), job);
            else if (spin == 0)
                plan_->synthesis(alm, samples, job);
            else
                plan_->synthesisSpin(spin, alm, samples, job);
        });
    }

    void gradient(const ComplexIn& array, const std::vector<FloatOut>& maps, int threads) {
        runJob({threads, nb::none()}, [&](JobContext& job) {
            const std::lock_guard lock(guard_);
            const Release release{*this};
            const std::span<const Alm> alm = almOf({array}, job);
            plan_->synthesisGradient(alm.front(), samplesOf(maps.at(0)), samplesOf(maps.at(1)),
                                     samplesOf(maps.at(2)), job);
        });
    }

private:
    // Frees `kept_` at the end of a call on the CPU, where a transform takes much longer than
    // bringing in its memory.
    struct Release {
        Sht& sht;
        ~Release() {
            if (sht.device_.kind == DeviceKind::Cpu) sht.kept_.clear();
        }
    };

    std::span<Alm> kept(size_t count, JobContext& job) {
        const ShtParameters& shape = plan_->parameters();
        while (kept_.size() < count)
            kept_.emplace_back(
                shape.lmax, shape.mmax,
                newVector<std::complex<double>>(Alm::count(shape.lmax, shape.mmax), job));
        return std::span(kept_).first(count);
    }

    void analyzeInto(const std::vector<ComplexOut>& out,
                     const std::vector<ConstMapSamples>& samples, int spin, bool isPolarized,
                     JobContext& job) {
        const Release release{*this};
        const std::span<Alm> alm = kept(samples.size(), job);
        if (isPolarized)
            plan_->analysisPolarized(samples.at(0), samples.at(1), samples.at(2), alm.first<3>(),
                                     job);
        else if (spin == 0)
            plan_->analysis(samples, alm, job);
        else
            plan_->analysisSpin(spin, samples, alm, job);
        for (size_t i = 0; i < out.size(); ++i) copyAll(alm[i].values(), spanOf(out[i]), job);
    }

    std::span<const Alm> almOf(const std::vector<ComplexIn>& arrays, JobContext& job) {
        const std::span<Alm> alm = kept(arrays.size(), job);
        for (size_t i = 0; i < arrays.size(); ++i) {
            copyAll(spanOf(arrays[i]), alm[i].values(), job);
            for (int l = 0; l <= alm[i].lmax(); ++l) alm[i](l, 0).imag(0.0);
        }
        return alm;
    }

    Device device_;
    std::optional<ShtPlan> plan_;
    std::mutex guard_;       // a plan executes one transform at a time
    std::vector<Alm> kept_;  // between numpy arrays and a device; guarded
    std::shared_ptr<SpareMemory> spare_ = std::make_shared<SpareMemory>();
};

}  // namespace

void bindSht(nb::module_& module) {
    nb::class_<Sht>(module, "Sht")
        .def(
            nb::init<int64_t, int, int, const std::string&, int, double, const std::string&, int>(),
            nb::arg("nside"), nb::arg("lmax"), nb::arg("mmax"), nb::arg("weights"),
            nb::arg("iterations"), nb::arg("tolerance"), nb::arg("device"), nb::arg("threads"))
        .def_prop_ro("nside", [](const Sht& self) { return self.parameters().nside; })
        .def_prop_ro("lmax", [](const Sht& self) { return self.parameters().lmax; })
        .def_prop_ro("mmax", [](const Sht& self) { return self.parameters().mmax; })
        .def_prop_ro("device", &Sht::device)
        .def_prop_ro("convergence", &Sht::convergence)
        .def("analysis", &Sht::analysis, nb::arg("maps"), nb::arg("spin"), nb::arg("polarized"),
             nb::arg("out"), nb::arg("threads"), nb::arg("progress"))
        .def("new_coefficients", &Sht::newCoefficients, nb::arg("count"), nb::arg("threads"))
        .def("synthesis", &Sht::synthesis, nb::arg("alm"), nb::arg("spin"), nb::arg("polarized"),
             nb::arg("maps"), nb::arg("threads"), nb::arg("progress"))
        .def("gradient", &Sht::gradient, nb::arg("alm"), nb::arg("maps"), nb::arg("threads"));
}

}  // namespace armilla::python
