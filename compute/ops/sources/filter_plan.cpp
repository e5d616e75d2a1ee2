// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "convolve/sky_values.h"
#include "core/error.h"
#include "core/new_vector.h"
#include "core/pixel_geometry.h"
#include "ops/filter.h"
#include "ops/sky_maxima.h"
#include "ops/spectrum.h"
#include "shared/new_alm.h"
#include "sources/background.h"
#include "sources/extraction.h"
#include "sources/filter_device.h"
#include "sources/good_sky.h"
#include "sources/sky_cells.h"

namespace armilla {

namespace {

using namespace sources;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Cells of local noise, in beams: 150 of them leave 6 % of its error.
constexpr double kNoiseCell = 12.0;
// Holes are filled on cells of half a beam: finer structure has no step at a rim.
constexpr double kFillCell = 0.5;
// Bright: these would show in the spectrum, and there is hardly a false one among them.
constexpr double kBright = 5.0;
// Of the brightest: the quadrature of the first pass leaves rings of that order.
constexpr double kBrightRange = 1e-3;
// Radial tables: cubic between steps of a fiftieth of the beam, 1e-7 of the peak.
constexpr double kStepsPerBeam = 50.0;
constexpr double kTableReach = 12.0;

// What decides which pixels are good.
struct GoodKey {
    std::shared_ptr<const HealpixMap> noiseMap, mask;
    bool operator==(const GoodKey&) const = default;
};
struct WindowKey {
    std::vector<double> bl, background;
    std::optional<double> noise;
    GoodKey good;
    int lmax = -1;
    Weights weights = Weights::Ring;
    bool operator==(const WindowKey&) const = default;
};

// result = f_l alm, in the memory that is there if it is as large.
void applyFilter(const Alm& alm, std::span<const double> fl, Alm& result, JobContext& job) {
    if (result.lmax() != alm.lmax()) result = newAlm(alm.lmax(), alm.mmax(), job);
    const int lmax = alm.lmax(), last = static_cast<int>(fl.size()) - 1;
    parallelFor(job, lmax + 1, orderGrain(lmax), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= lmax; ++l)
                result(l, m) = l <= last ? fl[static_cast<size_t>(l)] * alm(l, m) : 0.0;
    });
}

// As many values, in the memory that is there if it is as large.
template <class T>
void resizeTo(std::vector<T>& values, int64_t count, const JobContext& job) {
    if (static_cast<int64_t>(values.size()) != count) values = newVector<T>(count, job);
}

std::string megabytes(int64_t bytes) {
    return std::to_string(bytes / 1000000) + " MB";
}

// Calls body(p) for each pixel.
template <class Body>
void forPixels(size_t count, JobContext& job, const Body& body) {
    parallelFor(job, static_cast<long long>(count), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        body(p);
                });
}

std::vector<double> copied(const std::vector<double>& values, JobContext& job) {
    std::vector<double> copy = newVector<double>(static_cast<int64_t>(values.size()), job);
    forPixels(copy.size(), job, [&](size_t p) { copy[p] = values[p]; });
    return copy;
}

// Middle value of a few thousand of the finite ones.
double middleOf(std::span<const double> values) {
    const size_t stride = std::max<size_t>(1, values.size() / 8192);
    std::vector<double> some;
    for (size_t i = 0; i < values.size(); i += stride)
        if (std::isfinite(values[i])) some.push_back(values[i]);
    if (some.empty()) return kNan;
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
    std::nth_element(some.begin(), middle, some.end());
    return *middle;
}

}  // namespace

struct FilterPlan::State {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    Device device;

    // What depends on the pixels that are good alone.
    std::optional<GoodKey> goodKey;
    std::shared_ptr<const std::vector<double>> goodPixels;  // the map, NaN where bad or masked
    std::vector<double> noise;                              // of a pixel; empty: no map of it
    double goodShare = 1.0;
    bool holes = false;
    // What depends on the beam and the background, too, not on the filter's shape.
    std::optional<WindowKey> key;
    std::shared_ptr<const std::vector<double>> residual;  // less its bright sources
    Alm alm, maskAlm, noiseAlm;
    Alm throughFilter;  // what the last synthesis was made of
    std::vector<double> cl;
    double white = 0.0;
    std::vector<PointSource> bright;
    RadialProfile beamProfile;
    std::optional<ShtPlan> plan;
    // Where the sky has room on the device of the transforms: `alm`, and what is made of it.
    std::optional<FilterDevice> resident;
    bool residentHoles = false;
    std::string remark;
    FilterParameters parameters;

    int64_t nside() const { return map->nside(); }
    bool isGood(size_t pixel) const { return std::isfinite((*goodPixels)[pixel]); }

    void checkNoiseMap(const HealpixMap& other) const {
        if (other.coverage() == Coverage::MultiOrder)
            throw InvalidArgument("expected a noise map of one order, found cells of several");
        if (other.frame() != Frame::Unknown && map->frame() != Frame::Unknown &&
            other.frame() != map->frame())
            throw InvalidArgument("expected a noise map in the map's frame, " +
                                  std::string(frameName(map->frame())) + ", found " +
                                  std::string(frameName(other.frame())));
    }
    void check(const FilterParameters& p) const {
        if (p.beam.bl.size() < 3 || !(p.beam.solidAngle > 0.0))
            throw InvalidArgument("expected a beam to filter with, found none");
        if (p.noise && !(*p.noise > 0.0 && std::isfinite(*p.noise)))
            throw InvalidArgument("expected noise above 0, found " + std::to_string(*p.noise));
        if (p.noise && p.noiseMap)
            throw InvalidArgument("expected one value of noise or a map of it, found both");
        if (p.noiseMap) checkNoiseMap(*p.noiseMap);
        if (p.mask) checkMask(*p.mask, map->frame());
        if (p.noiseMap && p.noiseMap->nside() != nside())
            throw InvalidArgument("expected a noise map of nside " + std::to_string(nside()) +
                                  ", found " + std::to_string(p.noiseMap->nside()));
        if (!(p.leastShare >= 0.0 && p.leastShare <= 1.0))
            throw InvalidArgument("expected a share from 0 to 1, found " +
                                  std::to_string(p.leastShare));
        if (p.lmax != -1 && (p.lmax < 2 || p.lmax > kMaxShtLmax))
            throw InvalidArgument("expected lmax from 2 to " + std::to_string(kMaxShtLmax) +
                                  ", found " + std::to_string(p.lmax));
        // Beyond this the local noise would be that of the sky as a whole.
        if (nside() > kMaxShtNside)
            throw InvalidArgument("expected nside up to " + std::to_string(kMaxShtNside) +
                                  ", found " + std::to_string(nside()));
    }

    int lmaxOf(const FilterParameters& p) const {
        if (p.lmax >= 0) return p.lmax;
        const int band = static_cast<int>(3 * nside() - 1);
        return std::max(2, std::min(band, static_cast<int>(p.beam.bl.size()) - 1));
    }

    RadialProfile profileOf(std::span<const double> gl, double scale, double fwhm) const {
        std::vector<double> scaled(gl.begin(), gl.end());
        for (double& g : scaled) g *= scale;
        return {scaled, kTableReach * fwhm, fwhm / kStepsPerBeam};
    }
    RadialProfile responseOf(const PointFilter& filter) const {
        const PointBeam& beam = parameters.beam;
        std::vector<double> product(std::min(filter.fl.size(), beam.bl.size()));
        for (size_t l = 0; l < product.size(); ++l) product[l] = filter.fl[l] * beam.bl[l];
        return profileOf(product, beam.solidAngle, beam.fwhm());
    }

    void synthesize(const Alm& coefficients, std::span<const double> fl,
                    std::vector<double>& result, JobContext& job) {
        resizeTo(result, pixelCount(nside()), job);
        applyFilter(coefficients, fl, throughFilter, job);
        plan->synthesis(throughFilter, MapSamples(std::span<double>(result)), job);
    }

    // Good pixels of the map, holes as NaN.
    void readGood(JobContext& job) {
        std::vector<double> good = ringValues(*map, field, job);
        noise.clear();
        if (parameters.noiseMap) {
            noise = ringValues(*parameters.noiseMap, 0, job);
            forPixels(good.size(), job, [&](size_t p) {
                if (!(noise[p] > 0.0)) good[p] = kNan;
            });
        }
        if (parameters.mask) cutMask(*parameters.mask, nside(), good, job);
        goodShare = removeLargest(nside(), good, job);
        holes = goodShare < 1.0;
        goodPixels = std::make_shared<const std::vector<double>>(std::move(good));
    }

    // Holes filled.
    Alm analyzed(const std::vector<double>& ring, JobContext& job) const {
        if (!holes) return plan->analysis(ConstMapSamples(std::span<const double>(ring)), job);
        std::vector<double> filled = copied(ring, job);
        fillHoles(nside(), kFillCell * parameters.beam.fwhm(), filled, job);
        return plan->analysis(ConstMapSamples(std::span<const double>(filled)), job);
    }

    std::vector<double> measuredSpectrum(const Alm& of, JobContext& job) const {
        std::vector<double> spectrum = powerSpectra(std::span<const Alm>(&of, 1), job).cl[0];
        // Filled holes are smooth: what they lack is power at the beam's l.
        for (double& c : spectrum) c /= goodShare;
        return smoothedSpectrum(spectrum);
    }

    double noisePower() const {
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        if (parameters.noise) return *parameters.noise * *parameters.noise * pixel;
        // Of the depth, as a filter sees it that weighs by it.
        double sum = 0.0, count = 0.0;
        for (size_t p = 0; p < noise.size(); ++p)
            if (isGood(p)) {
                sum += 1.0 / (noise[p] * noise[p]);
                count += 1.0;
            }
        return pixel * count / sum;
    }

    // With the beam on the sky that was given, and the noise given or left over.
    std::vector<double> givenSpectrum(const Alm& of, int lmax, JobContext& job) const {
        std::vector<double> sky(static_cast<size_t>(lmax) + 1, 0.0);
        const std::vector<double>&given = parameters.background, &bl = parameters.beam.bl;
        for (size_t l = 0; l < std::min({sky.size(), given.size(), bl.size()}); ++l)
            sky[l] = given[l] * bl[l] * bl[l];
        double power = 0.0;
        if (parameters.noise || !noise.empty()) {
            power = noisePower();
        } else {
            // The middle of what the last fifth of the band has beyond the background.
            const std::vector<double> all = measuredSpectrum(of, job);
            std::vector<double> beyond;
            for (size_t l = sky.size() - sky.size() / 5; l < sky.size(); ++l)
                beyond.push_back(std::max(0.0, all[l] - sky[l]));
            power = middleOf(beyond);
        }
        double largest = 0.0;
        for (const double c : sky) largest = std::max(largest, c);
        const double least = 1e-15 * largest;
        for (double& c : sky) c = std::max(c + power, least);
        sky[0] = sky[1] = std::max(sky[0], sky[2]);
        return sky;
    }

    // The part of a filtered map's variance that the noise does not explain, where that is least.
    static double skyVariance(const std::vector<double>& filtered,
                              const std::vector<double>& noiseVariance) {
        std::vector<std::pair<double, double>> some;  // variance of noise, value
        const size_t stride = std::max<size_t>(1, filtered.size() / 200000);
        for (size_t p = 0; p < filtered.size(); p += stride)
            if (std::isfinite(filtered[p])) some.emplace_back(noiseVariance[p], filtered[p]);
        std::sort(some.begin(), some.end());
        some.resize((some.size() + 3) / 4);
        std::vector<double> values;
        double expected = 0.0;
        for (const auto& [variance, value] : some) {
            values.push_back(value);
            expected += variance / static_cast<double>(some.size());
        }
        const double rms = clippedRms(values, 2);
        return std::isfinite(rms) ? std::max(0.0, rms * rms - expected) : 0.0;
    }

    double noiseCell() const { return kNoiseCell * parameters.beam.fwhm(); }

    void localRmsOf(const std::vector<double>& filtered, std::vector<double>& rms,
                    JobContext& job) {
        resizeTo(rms, pixelCount(nside()), job);
        if (!resident) return localRms(nside(), noiseCell(), filtered, rms, job);
        resident->sky().setValues(filtered, job);
        resident->sky().measureRms(noiseCell(), job);
        resident->sky().getRms(rms, job);
    }

    // Coefficients of the variance of pixels, smooth in holes.
    const Alm& noiseCoefficients(JobContext& job) {
        if (noiseAlm.lmax() >= 0) return noiseAlm;
        std::vector<double> variance = newVector<double>(pixelCount(nside()), job, kNan);
        forPixels(variance.size(), job, [&](size_t p) {
            if (isGood(p)) variance[p] = noise[p] * noise[p];
        });
        fillHoles(nside(), kFillCell * parameters.beam.fwhm(), variance, job);
        noiseAlm = plan->analysis(ConstMapSamples(std::span<const double>(variance)), job);
        return noiseAlm;
    }

    // Local noise of a filtered map whose sources are gone, NaN where it is bad.
    void localNoise(const PointFilter& filter, const std::vector<double>& filtered,
                    std::vector<double>& rms, JobContext& job) {
        if (noise.empty()) return localRmsOf(filtered, rms, job);
        // What the noise map lets expect: the squared filter over the variance of pixels, and the
        // sky's part.
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        double squares = 0.0;
        for (size_t l = 0; l < filter.fl.size(); ++l)
            squares +=
                (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi) * filter.fl[l] * filter.fl[l];
        std::vector<double> window = squaredWindow(filter, job);
        for (double& g : window) g *= squares * pixel;
        std::vector<double> variance;
        synthesize(noiseCoefficients(job), window, variance, job);
        const double least = 1e-3 * middleOf(variance);
        const double sky = skyVariance(filtered, variance);
        std::vector<double> even = newVector<double>(pixelCount(nside()), job);  // of one depth
        std::vector<double>& model = variance;
        forPixels(model.size(), job, [&](size_t p) {
            model[p] = std::sqrt(sky + std::max(least, variance[p]));
            even[p] = filtered[p] / model[p];
        });
        localRmsOf(even, rms, job);
        forPixels(rms.size(), job, [&](size_t p) { rms[p] *= model[p]; });
    }

    // Of a profile given by angle, normalized to 1 at l = 0.
    std::vector<double> windowOf(std::vector<double> value, double step, JobContext& job) const {
        RadialKernel kernel;
        kernel.value = std::move(value);
        for (size_t i = 0; i < kernel.value.size(); ++i)
            kernel.angle.push_back(std::min(kPi, static_cast<double>(i) * step));
        while (kernel.angle.size() > 2 && kernel.angle[kernel.angle.size() - 2] >= kPi) {
            kernel.angle.pop_back();
            kernel.value.pop_back();
        }
        JobContext silent(job.stopToken(), {}, job.threads());
        return beamFromKernel(kernel, plan->parameters().lmax, silent).bl[0];
    }
    std::vector<double> profileValues(std::span<const double> gl) const {
        const double fwhm = parameters.beam.fwhm(), step = fwhm / 16.0;
        std::vector<double> angles;
        for (double a = 0.0; a < std::min(kPi, 6.0 * fwhm); a += step) angles.push_back(a);
        return kernelProfile(gl, angles);
    }
    std::vector<double> squaredWindow(const PointFilter& filter, JobContext& job) const {
        std::vector<double> f = profileValues(filter.fl);
        for (double& v : f) v *= v;
        return windowOf(std::move(f), parameters.beam.fwhm() / 16.0, job);
    }
    // |filter times beam|: where the response comes from. Without the sign, since a filter sharper
    // than the beam has a ring that would count what is missing twice.
    std::vector<double> responseWindow(const PointFilter& filter, JobContext& job) const {
        std::vector<double> f = profileValues(filter.fl);
        const std::vector<double> b = profileValues(parameters.beam.bl);
        for (size_t i = 0; i < f.size(); ++i) f[i] = std::abs(f[i] * b[i]);
        return windowOf(std::move(f), parameters.beam.fwhm() / 16.0, job);
    }

    // Coefficients of the good pixels.
    const Alm& maskCoefficients(JobContext& job) {
        if (maskAlm.lmax() >= 0) return maskAlm;
        std::vector<double> mask = newVector<double>(pixelCount(nside()), job);
        forPixels(mask.size(), job, [&](size_t p) { mask[p] = isGood(p) ? 1.0 : 0.0; });
        maskAlm = plan->analysis(ConstMapSamples(std::span<const double>(mask)), job);
        return maskAlm;
    }

    // NaN where the map is bad or too little of the response is on good pixels.
    int64_t refuse(std::vector<double>& filtered, const std::vector<float>& share,
                   JobContext& job) const {
        std::atomic<int64_t> refused{0};
        parallelFor(job, pixelCount(nside()), kPixelGrain, [&](long long begin, long long end) {
            int64_t here = 0;
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
                if (!isGood(p)) {
                    filtered[p] = kNan;
                } else if (seesTooLittle(share[p], parameters.leastShare)) {
                    filtered[p] = kNan;
                    ++here;
                }
            }
            refused += here;
        });
        return refused;
    }

    // The residual through the filter, NaN where that sees too little; the share of its response
    // on good pixels; local noise.
    void filterSky(const PointFilter& filter, FilteredSky& sky, JobContext& job) {
        job.report(0.0, "filtering");
        JobContext silent(job.stopToken(), {}, job.threads());
        sky.refused = 0;
        if (!holes) sky.share.clear();
        if (resident) return filterOnDevice(filter, sky, job, silent);
        synthesize(alm, filter.fl, sky.filtered, silent);
        if (holes) {
            std::vector<double> share;
            synthesize(maskCoefficients(silent), responseWindow(filter, silent), share, silent);
            sky.share.assign(share.begin(), share.end());
            sky.refused = refuse(sky.filtered, sky.share, silent);
        }
        job.report(0.6, "local noise");
        localNoise(filter, sky.filtered, sky.rms, silent);
    }
    // The same; what is on the host comes there last, and at once.
    void filterOnDevice(const PointFilter& filter, FilteredSky& sky, JobContext& job,
                        JobContext& silent) {
        if (holes && !residentHoles) {
            resident->setHoles(maskCoefficients(silent), *goodPixels, silent);
            residentHoles = true;
        }
        resident->filter(filter.fl, silent);
        if (holes)
            sky.refused = resident->refuseUnseen(responseWindow(filter, silent),
                                                 parameters.leastShare, silent);
        job.report(0.2, "local noise");
        if (noise.empty()) resident->sky().measureRms(noiseCell(), silent);
        job.report(0.3, "copying");
        resizeTo(sky.filtered, pixelCount(nside()), silent);
        resizeTo(sky.rms, pixelCount(nside()), silent);
        if (holes) {
            resizeTo(sky.share, pixelCount(nside()), silent);
            resident->getShare(sky.share, silent);
        }
        resident->sky().getValues(sky.filtered, silent);
        if (noise.empty()) return resident->sky().getRms(sky.rms, silent);
        job.report(0.6, "local noise");
        localNoise(filter, sky.filtered, sky.rms, silent);
    }

    // Tables of the transforms, and room on their device.
    void preparePlan(const FilterParameters& p, int lmax, JobContext& job) {
        maskAlm = noiseAlm = Alm();
        residentHoles = false;
        if (plan && plan->parameters().lmax == lmax && plan->parameters().weights == p.weights)
            return;
        resident.reset();
        plan.emplace(ShtParameters{.nside = nside(), .lmax = lmax, .weights = p.weights}, device,
                     job);
    }
    // After the first analysis, which has taken what the plan takes.
    void bringSky(JobContext& job) {
        remark = plan->remark();
        if (device.kind != DeviceKind::Cuda) return;
        const int lmax = plan->parameters().lmax;
        if (!resident) {
            // A tenth is left to others, and to what falls between blocks of memory.
            const int64_t free = CudaArray::freeBytes(device.index) / 10 * 9;
            const int64_t needed = FilterDevice::bytesFor(nside(), lmax, holes);
            if (needed > free) {
                remark = device.label() + " has no room for the sky (" + megabytes(needed) +
                         "): it comes and goes, and its noise is measured on the CPU";
                return;
            }
            resident.emplace(device, nside(), lmax);
        }
        resident->setSky(alm, job);
    }

    void takeBright(const std::vector<Extracted>& found, JobContext& job) {
        if (found.empty()) return;
        std::vector<double> left = copied(*goodPixels, job);
        for (const Extracted& source : found) {
            bright.push_back({source.direction, source.peak});
            addProfile(nside(), left, source.direction, -source.peak, beamProfile,
                       beamProfile.reachOf(1e-4 * source.rms / source.peak));
        }
        residual = std::make_shared<const std::vector<double>>(std::move(left));
    }

    // The background's spectrum and the bright sources: twice, the second time without what the
    // first has found. What is made on the way takes the memory of `sky`.
    void prepare(const FilterParameters& p, FilteredSky& sky, JobContext& job) {
        const GoodKey wantedGood{p.noiseMap, p.mask};
        WindowKey wanted{p.beam.bl, p.background, p.noise, wantedGood, p.lmax, p.weights};
        parameters = p;
        if (key && *key == wanted) return;
        key.reset();
        job.report(0.0, "reading");
        const int lmax = lmaxOf(p);
        preparePlan(p, lmax, job);
        if (!goodKey || *goodKey != wantedGood) {
            goodKey.reset();
            readGood(job);
            goodKey = wantedGood;
        }
        residual = goodPixels;
        bright.clear();
        beamProfile = profileOf(p.beam.bl, p.beam.solidAngle, p.beam.fwhm());
        for (int pass = 0; pass < 2; ++pass) {
            JobContext share = job.part(0.1 + 0.45 * pass, 0.55 + 0.45 * pass);
            share.report(0.0, "background");
            JobContext silent(share.stopToken(), {}, share.threads());
            if (pass == 0 || !bright.empty()) {
                alm = analyzed(*residual, silent);
                bringSky(silent);
            }
            cl = p.background.empty() ? autoSpectrum(pass == 0 ? nullptr : &sky.rms, silent)
                                      : givenSpectrum(alm, lmax, silent);
            white = whiteLevelOf(cl);
            if (pass == 1) break;
            share.report(0.5, "bright sources");
            const PointFilter filter = pointFilter({}, p.beam, cl);
            filterSky(filter, sky, silent);
            takeBright(
                extractSources(nside(), sky.filtered, sky.rms, responseOf(filter), p.beam.fwhm(),
                               {.threshold = kBright, .dynamicRange = kBrightRange}, silent),
                silent);
        }
        key = std::move(wanted);
        job.report(1.0, "background");
    }

    // Of the sky weighted by its local noise, once that is known: what most of the sky is like
    // rather than its brightest part.
    std::vector<double> autoSpectrum(const std::vector<double>* rms, JobContext& job) const {
        if (rms == nullptr) return measuredSpectrum(alm, job);
        const double middle = middleOf(*rms);
        double low = middle, high = middle;
        for (size_t p = 0; p < rms->size(); p += 7)
            if (isGood(p)) {
                low = std::min(low, (*rms)[p]);
                high = std::max(high, (*rms)[p]);
            }
        if (high < 1.5 * low) return measuredSpectrum(alm, job);
        std::vector<double> weighted = copied(*residual, job);
        forPixels(weighted.size(), job, [&](size_t p) { weighted[p] *= middle / (*rms)[p]; });
        return measuredSpectrum(analyzed(weighted, job), job);
    }
};

FilterPlan::FilterPlan(std::shared_ptr<const HealpixMap> map, int field, const Device& device)
    : state_(std::make_unique<State>()) {
    if (!map) throw InvalidArgument("expected a map to filter, found none");
    if (field < 0 || field >= map->fieldCount())
        throw InvalidArgument("expected a field from 0 to " +
                              std::to_string(map->fieldCount() - 1) + ", found " +
                              std::to_string(field));
    if (map->coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order to filter, found cells of several");
    state_->map = std::move(map);
    state_->field = field;
    state_->device = device;
}

FilterPlan::~FilterPlan() = default;
FilterPlan::FilterPlan(FilterPlan&&) noexcept = default;
FilterPlan& FilterPlan::operator=(FilterPlan&&) noexcept = default;

FilteredSky FilterPlan::execute(const FilterParameters& parameters, JobContext& job) {
    FilteredSky sky;
    execute(parameters, sky, job);
    return sky;
}

void FilterPlan::execute(const FilterParameters& parameters, FilteredSky& sky, JobContext& job) {
    State& state = *state_;
    state.check(parameters);
    JobContext preparing = job.part(0.0, 0.8), filtering = job.part(0.8, 1.0);
    state.prepare(parameters, sky, preparing);
    filtering.report(0.0, "filtering");
    sky.nside = state.nside();
    sky.cl = state.cl;
    sky.whiteLevel = state.white;
    sky.filter = pointFilter(parameters.shape, parameters.beam, state.cl);
    sky.response = state.responseOf(sky.filter);
    sky.beamProfile = state.beamProfile;
    sky.residual = state.residual;
    sky.bright = state.bright;
    sky.remark = state.remark;
    state.filterSky(sky.filter, sky, filtering);
    for (const PointSource& source : sky.bright)
        addProfile(sky.nside, sky.filtered, source.direction, source.peak, sky.response,
                   sky.response.reachOf(1e-3 * sky.filter.noise / source.peak));
    filtering.report(1.0, "filtering");
}

}  // namespace armilla
