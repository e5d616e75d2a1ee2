// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/harmonic/smooth_harmonic.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/unset_vector.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/spectrum.h"
#include "convolve/harmonic/smoothing_error.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// The coefficients up to `lmax` times B_l, with lmax and mmax of a plan.
Alm filtered(const Alm& alm, std::span<const double> bl, int lmax, const ShtParameters& plan,
             SpareArrays& arrays, JobContext& job) {
    Alm result = arrays.takeAlm(plan.lmax, plan.mmax, job);
    const int last = std::min(lmax, static_cast<int>(bl.size()) - 1);
    parallelFor(job, plan.mmax + 1, orderGrain(plan.lmax), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m) {
            for (int l = m; l <= last; ++l) result(l, m) = bl[static_cast<size_t>(l)] * alm(l, m);
            for (int l = std::max(m, last + 1); l <= plan.lmax; ++l) result(l, m) = 0.0;
        }
    });
    return result;
}

// With polarization Q and U are good together or not at all. On a preview's grid, values are sums
// over the good fraction of a pixel. There the joint fraction is the smaller one, and each sum is
// scaled to it.
void joinPolarizationMasks(SkyFields& sky, JobContext& job) {
    if (sky.good[1].empty() && sky.good[2].empty()) return;
    for (const size_t i : {1, 2}) sky.known[i].reset();
    const auto count = static_cast<int64_t>(sky.values[1].size());
    for (const size_t i : {1, 2})
        if (sky.good[i].empty()) sky.good[i] = newVector<float>(count, job, 1.0F);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
            const float both = std::min(sky.good[1][p], sky.good[2][p]);
            for (const size_t i : {1, 2}) {
                float& own = sky.good[i][p];
                sky.values[i][p] =
                    both > 0.0F ? sky.values[i][p] * (static_cast<double>(both) / own) : 0.0;
                own = both;
            }
        }
    });
}

struct Size {
    double largest = 0.0, meanSquare = 0.0;
};
// The same for any number of threads.
Size sizeOf(const std::vector<double>& values, JobContext& job) {
    const auto count = static_cast<long long>(values.size());
    std::vector<Size> parts(static_cast<size_t>((count + kPixelGrain - 1) / kPixelGrain));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        Size& part = parts[static_cast<size_t>(begin / kPixelGrain)];
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
            part.largest = std::max(part.largest, std::abs(values[p]));
            part.meanSquare += values[p] * values[p];
        }
    });
    Size size;
    for (const Size& part : parts) {
        size.largest = std::max(size.largest, part.largest);
        size.meanSquare += part.meanSquare;
    }
    size.meanSquare /= static_cast<double>(count);
    return size;
}

void scaleByPowerOfTwo(std::vector<double>& values, int exponent, JobContext& job) {
    if (exponent == 0) return;
    parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        values[p] = std::ldexp(values[p], exponent);
                });
}

// Scales fields `begin` to `end` - 1 to a common unit, a power of two, if their squares would
// overflow or vanish in spectra.
void bringToUnit(SkyFields& sky, size_t begin, size_t end, Analysis& result, JobContext& job) {
    if (std::all_of(sky.known.begin() + static_cast<ptrdiff_t>(begin),
                    sky.known.begin() + static_cast<ptrdiff_t>(end),
                    [](const auto& known) { return known.has_value(); })) {
        result.exponent.insert(result.exponent.end(), end - begin, 0);
        return;
    }
    double largest = 0.0;
    for (size_t i = begin; i < end; ++i)
        largest = std::max(largest, sizeOf(sky.values[i], job).largest);
    const bool extreme = largest > 1e100 || (largest > 0.0 && largest < 1e-100);
    const int exponent = extreme ? std::ilogb(largest) : 0;
    for (size_t i = begin; i < end; ++i) {
        result.exponent.push_back(exponent);
        if (!extreme) continue;
        scaleByPowerOfTwo(sky.values[i], -exponent, job);
        sky.known[i].reset();
    }
}

// Subtracts the means of scalar fields without a bad pixel; with polarization only that of T, which
// comes first.
std::vector<TakenOut> takeMeansOut(SkyFields& sky, bool polarization, JobContext& job) {
    std::vector<TakenOut> means(polarization ? 1 : sky.values.size());
    for (size_t i = 0; i < means.size(); ++i)
        if (sky.known[i])
            means[i] = sky.known[i]->mean;
        else if (sky.good[i].empty())
            means[i] = takeOut(Remove::None, std::span<double>(sky.values[i]), job);
    return means;
}

// values *= scale / share; bad where too small a part of the kernel is on good pixels.
void divideByMask(std::vector<double>& values, const std::vector<double>& mask, double b0,
                  JobContext& job) {
    parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
                        const double share = mask[p] / b0;
                        values[p] = share >= kLeastKernelShare ? values[p] / share : kNan;
                    }
                });
}

}  // namespace

Analysis analyze(SkyFields sky, const AnalysisKey& key, bool withMasks, const ShtPlan& plan,
                 SpareArrays& arrays, JobContext& job) {
    Analysis result;
    result.key = key;
    result.masksMade = withMasks;
    result.isWhole = std::all_of(sky.good.begin(), sky.good.end(),
                                 [](const auto& good) { return good.empty(); });
    sky.known.resize(sky.values.size());
    // Also if the masks are not smoothed: results must not depend on earlier requests.
    if (key.polarization) joinPolarizationMasks(sky, job);
    const size_t fields = sky.values.size();
    const size_t masks =
        withMasks ? static_cast<size_t>(std::count_if(sky.good.begin(), sky.good.end(),
                                                      [](const auto& g) { return !g.empty(); }))
                  : 0;
    // A scalar analysis is one unit of progress.
    const double units = static_cast<double>((key.polarization ? 5 : fields) + masks);
    double done = 0.0;
    const auto share = [&](double count) {
        const double begin = done;
        done += count;
        return job.part(begin / units, done / units);
    };
    // Q and U are scaled to one unit.
    for (size_t i = 0; i < fields;) {
        const size_t end = key.polarization && i == 1 ? 3 : i + 1;
        bringToUnit(sky, i, end, result, job);
        i = end;
    }
    const std::vector<TakenOut> means = takeMeansOut(sky, key.polarization, job);
    for (size_t i = 0; i < fields; ++i)
        result.meanSquare.push_back(sky.known[i] ? sky.known[i]->meanSquare
                                                 : sizeOf(sky.values[i], job).meanSquare);
    if (key.polarization) {
        JobContext part = share(5.0);
        result.alm = plan.analysisPolarized(sky.values[0], sky.values[1], sky.values[2], part);
    } else {
        for (auto& values : sky.values) {
            JobContext part = share(1.0);
            if (!arrays.keeps()) {
                result.alm.push_back(plan.analysis(values, part));
                continue;
            }
            result.alm.push_back(
                arrays.takeAlm(plan.parameters().lmax, plan.parameters().mmax, part));
            const ConstMapSamples samples = std::span<const double>(values);
            plan.analysis({&samples, 1}, {&result.alm.back(), 1}, part);
            arrays.put(std::move(values));
        }
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    for (const Alm& alm : result.alm)
        result.cl.push_back(powerSpectra({&alm, 1}, silent)[SpectrumKind::TT]);
    for (size_t i = 0; i < means.size(); ++i) means[i].putBack(result.alm[i]);
    result.maskOfField.assign(fields, -1);
    if (!withMasks) return result;
    for (size_t i = 0; i < fields; ++i) {
        if (sky.good[i].empty()) continue;
        // Maps of one file often have the same bad pixels: equal masks are transformed once.
        const auto same =
            std::find(sky.good.begin(), sky.good.begin() + static_cast<long>(i), sky.good[i]) -
            sky.good.begin();
        if (static_cast<size_t>(same) < i) {
            result.maskOfField[i] = result.maskOfField[static_cast<size_t>(same)];
            continue;
        }
        JobContext part = share(1.0);
        result.maskOfField[i] = static_cast<int>(result.mask.size());
        result.mask.push_back(plan.analysis(sky.good[i], part));
    }
    return result;
}

int tableBand(int64_t nside, int reach, DeviceKind kind) {
    const int whole = static_cast<int>(3 * nside - 1);
    if (reach >= whole) return reach;
    if (kind == DeviceKind::Cpu) {
        const int step = whole / 64 + 1;
        return std::min((reach + step - 1) / step * step, whole);
    }
    // Below this a transform takes less than a millisecond, whatever the band.
    constexpr int kLeast = 255;
    int band = whole;
    for (int k = 1; band > kLeast; ++k) {
        const int next = static_cast<int>(std::ceil(whole * std::exp2(-k / 8.0)));
        if (next < reach) return band;
        band = next;
    }
    return band;
}

void smooth(const Analysis& analysis, const Beam& beam, int lmax, const ShtPlan& plan,
            std::span<const MapSamples> results, SpareArrays& arrays, JobContext& job) {
    const auto product = [&](size_t alm, size_t bl) {
        return filtered(analysis.alm[alm], beam.bl[bl], lmax, plan.parameters(), arrays, job);
    };
    if (analysis.key.polarization) {
        const std::array<Alm, 3> teb{product(0, 0), product(1, 1), product(2, 2)};
        plan.synthesisPolarized(teb, results[0], results[1], results[2], job);
        return;
    }
    const auto fields = static_cast<double>(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
        const auto done = static_cast<double>(i);
        JobContext part = job.part(done / fields, (done + 1.0) / fields);
        Alm alm = product(i, 0);
        plan.synthesis(alm, results[i], part);
        arrays.put(std::move(alm));
    }
}

std::vector<std::vector<double>> smoothed(const Analysis& analysis, const Beam& beam, int lmax,
                                          Masked masked, const ShtPlan& plan, SpareArrays& arrays,
                                          JobContext& job) {
    const int64_t nside = plan.parameters().nside;
    const int64_t pixels = armilla::pixelCount(nside);
    const bool polarized = analysis.key.polarization;
    const size_t fields = analysis.maskOfField.size();
    const bool divide = masked == Masked::Normalize;
    const double ofFields = polarized ? 5.0 : static_cast<double>(fields);
    const double units = ofFields + (divide ? static_cast<double>(analysis.mask.size()) : 0.0);
    const auto almCount = static_cast<int64_t>(polarized ? 3 : 1);
    requireMemory("smoothing at nside " + std::to_string(nside),
                  almCount * almBytes(plan.parameters().lmax, plan.parameters().mmax) +
                      8 * pixels * static_cast<int64_t>(fields + (analysis.mask.empty() ? 0 : 1)) -
                      arrays.heldBytes());
    std::vector<std::vector<double>> result;
    for (size_t i = 0; i < fields; ++i) result.push_back(arrays.take(pixels, job));
    JobContext working = job.part(0.0, ofFields / units);
    const std::vector<MapSamples> samples(result.begin(), result.end());
    smooth(analysis, beam, lmax, plan, samples, arrays, working);
    for (size_t i = 0; i < fields; ++i) scaleByPowerOfTwo(result[i], analysis.exponent[i], job);
    if (!divide || analysis.mask.empty()) return result;
    const double b0 = beam.bl[0].empty() ? 0.0 : beam.bl[0][0];
    if (!(std::abs(b0) > 0.0)) refuseZeroIntegral();
    for (size_t k = 0; k < analysis.mask.size(); ++k) {
        const double done = ofFields + static_cast<double>(k);
        JobContext part = job.part(done / units, (done + 1.0) / units);
        auto mask = unsetVector<double>(pixels, part);
        Alm alm = filtered(analysis.mask[k], beam.bl[0], lmax, plan.parameters(), arrays, part);
        plan.synthesis(alm, mask, part);
        arrays.put(std::move(alm));
        for (size_t i = 0; i < fields; ++i)
            if (analysis.maskOfField[i] == static_cast<int>(k))
                divideByMask(result[i], mask, b0, part);
    }
    return result;
}

// The worst field, with Q and U as one, because they share the power of E and B.
double harmonicError(const Analysis& analysis, const Beam& beam, int band, int lmax,
                     JobContext& job) {
    const bool polarized = analysis.key.polarization;
    const auto error = [&](std::span<const double> cl, std::span<const double> bl,
                           double meanSquare) {
        return smoothingError({.cl = cl.first(std::min(cl.size(), static_cast<size_t>(band) + 1)),
                               .bl = bl,
                               .meanSquare = meanSquare,
                               .transform = {.nside = analysis.key.nside,
                                             .lmax = band,
                                             .weights = analysis.key.weights,
                                             .iterations = analysis.key.iterations},
                               .edge = band < lmax ? band + 1 : band},
                              job);
    };
    double worst = 0.0;
    for (size_t i = 0; i < (polarized ? 1 : analysis.alm.size()); ++i)
        worst = std::max(worst, error(analysis.cl[i], beam.bl[0], analysis.meanSquare[i]));
    if (!polarized) return worst;
    std::vector<double> cl = analysis.cl[1], bl(std::max(beam.bl[1].size(), beam.bl[2].size()));
    for (size_t l = 0; l < cl.size(); ++l) cl[l] += analysis.cl[2][l];
    for (size_t i = 1; i < 3; ++i)
        for (size_t l = 0; l < beam.bl[i].size(); ++l)
            bl[l] = std::max(bl[l], std::abs(beam.bl[i][l]));
    return std::max(worst, error(cl, bl, analysis.meanSquare[1] + analysis.meanSquare[2]));
}

}  // namespace armilla
