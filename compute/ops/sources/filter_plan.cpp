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
#include "core/pixel_queries.h"
#include "ops/filter.h"
#include "ops/sky_maxima.h"
#include "ops/spectrum.h"
#include "shared/new_alm.h"
#include "sources/background.h"
#include "sources/extraction.h"
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
// Of the sky, to fit a dipole.
constexpr double kLeastSky = 0.1;

struct WindowKey {
    std::vector<double> bl, background;
    std::optional<double> noise;
    std::shared_ptr<const HealpixMap> noiseMap, mask;
    int lmax = -1;
    Weights weights = Weights::Ring;
    bool operator==(const WindowKey&) const = default;
};

Alm filteredAlm(const Alm& alm, std::span<const double> fl, JobContext& job) {
    Alm result = newAlm(alm.lmax(), alm.mmax(), job);
    const int last = std::min(alm.lmax(), static_cast<int>(fl.size()) - 1);
    parallelFor(job, last + 1, orderGrain(last), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= last; ++l) result(l, m) = fl[static_cast<size_t>(l)] * alm(l, m);
    });
    return result;
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

void maskPixels(const HealpixMap& mask, int64_t nside, std::vector<double>& ring, Frame frame,
                JobContext& job) {
    if (mask.fieldCount() < 1) throw InvalidArgument("expected a mask with a field, found none");
    if (mask.frame() != Frame::Unknown && frame != Frame::Unknown && mask.frame() != frame)
        throw InvalidArgument("expected a mask in the map's frame, " +
                              std::string(frameName(frame)) + ", found " +
                              std::string(frameName(mask.frame())));
    parallelFor(
        job, static_cast<long long>(ring.size()), 1 << 14, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p) {
                const double value = mask.value(0, mask.pixelAt(directionFromRing(nside, p)));
                if (!(value > 0.5)) ring[static_cast<size_t>(p)] = kNan;
            }
        });
}

}  // namespace

struct FilterPlan::State {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    Device device;

    // What depends on the beam, the background and the mask, not on the filter's shape.
    std::optional<WindowKey> key;
    std::vector<double> good;                       // the map, NaN where bad or masked
    std::shared_ptr<std::vector<double>> residual;  // less its bright sources; skies share it
    std::vector<double> noise;                      // of a pixel; empty: no map of it
    bool holes = false;
    Alm alm, maskAlm;
    std::vector<double> cl;
    double white = 0.0;
    std::vector<PointSource> bright;
    std::optional<ShtPlan> plan;
    FilterParameters parameters;

    int64_t nside() const { return map->nside(); }

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
    RadialProfile beamProfile() const {
        const PointBeam& beam = parameters.beam;
        return profileOf(beam.bl, beam.solidAngle, beam.fwhm());
    }

    std::vector<double> synthesized(const Alm& coefficients, std::span<const double> fl,
                                    JobContext& job) const {
        std::vector<double> result = newVector<double>(pixelCount(nside()), job);
        plan->synthesis(filteredAlm(coefficients, fl, job), MapSamples(std::span<double>(result)),
                        job);
        return result;
    }

    // Good pixels of the map, holes as NaN.
    void readGood(JobContext& job) {
        good = ringValues(*map, field, job);
        noise.clear();
        if (parameters.noiseMap) {
            noise = ringValues(*parameters.noiseMap, 0, job);
            for (size_t p = 0; p < good.size(); ++p)
                if (!(noise[p] > 0.0)) good[p] = kNan;
        }
        if (parameters.mask) maskPixels(*parameters.mask, nside(), good, map->frame(), job);
        const auto bad =
            std::count_if(good.begin(), good.end(), [](double v) { return !std::isfinite(v); });
        if (bad == static_cast<std::ptrdiff_t>(good.size()))
            throw InvalidArgument("expected good pixels in the map, found none");
        holes = bad > 0;
        removeLargest(job);
    }

    // Monopole and dipole, which the filter does not see, but the first rings of the grid spread to
    // other l: 3e-4 of a monopole. Without enough sky to tell a dipole, the mean.
    void removeLargest(JobContext& job) {
        double sum = 0.0, count = 0.0;
        for (const double v : good)
            if (std::isfinite(v)) {
                sum += v;
                count += 1.0;
            }
        for (double& v : good) v -= sum / count;
        if (count < kLeastSky * static_cast<double>(good.size())) return;
        removeMonopoleDipole(nside(), good, job);
    }

    double goodShare() const {
        const auto bad =
            std::count_if(good.begin(), good.end(), [](double v) { return !std::isfinite(v); });
        return 1.0 - static_cast<double>(bad) / static_cast<double>(good.size());
    }

    Alm analyzed(std::vector<double> ring, JobContext& job) const {
        if (holes) fillHoles(nside(), kFillCell * parameters.beam.fwhm(), ring, job);
        return plan->analysis(ConstMapSamples(std::span<const double>(ring)), job);
    }

    std::vector<double> measuredSpectrum(const Alm& of, JobContext& job) const {
        const std::array<Alm, 1> one{of};
        std::vector<double> spectrum = powerSpectra(std::span<const Alm>(one), job).cl[0];
        // Filled holes are smooth: what they lack is power at the beam's l.
        const double share = goodShare();
        for (double& c : spectrum) c /= share;
        return smoothedSpectrum(spectrum);
    }

    double noisePower() const {
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        if (parameters.noise) return *parameters.noise * *parameters.noise * pixel;
        // Of the depth, as a filter sees it that weighs by it.
        double sum = 0.0, count = 0.0;
        for (size_t p = 0; p < noise.size(); ++p)
            if (std::isfinite(good[p])) {
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

    std::vector<double> localRmsOf(double cell, const std::vector<double>& filtered,
                                   JobContext& job) const {
        if (device.kind != DeviceKind::Cuda) return localRms(nside(), cell, filtered, job);
        SkyMaxima sky(device, nside());
        sky.setValues(filtered, job);
        sky.measureRms(cell, job);
        return sky.rms(job);
    }

    // Local noise of a filtered map whose sources are gone, NaN where it is bad.
    std::vector<double> localNoise(const PointFilter& filter, const std::vector<double>& filtered,
                                   JobContext& job) const {
        const double cell = kNoiseCell * parameters.beam.fwhm();
        if (noise.empty()) return localRmsOf(cell, filtered, job);
        // What the noise map lets expect: the squared filter over the variance of pixels, and the
        // sky's part.
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        std::vector<double> model = newVector<double>(pixelCount(nside()), job, kNan);
        for (size_t p = 0; p < model.size(); ++p)
            if (std::isfinite(good[p])) model[p] = noise[p] * noise[p];
        fillHoles(nside(), kFillCell * parameters.beam.fwhm(), model, job);
        double squares = 0.0;
        for (size_t l = 0; l < filter.fl.size(); ++l)
            squares +=
                (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi) * filter.fl[l] * filter.fl[l];
        std::vector<double> window = squaredWindow(filter, job);
        for (double& g : window) g *= squares * pixel;
        const Alm of = plan->analysis(ConstMapSamples(std::span<const double>(model)), job);
        std::vector<double> variance = synthesized(of, window, job);
        const double least = 1e-3 * middleOf(variance);
        const double sky = skyVariance(filtered, variance);
        std::vector<double>& even = variance;  // what is filtered, of one depth
        for (size_t p = 0; p < variance.size(); ++p) {
            model[p] = std::sqrt(sky + std::max(least, variance[p]));
            even[p] = filtered[p] / model[p];
        }
        std::vector<double> rms = localRmsOf(cell, even, job);
        for (size_t p = 0; p < rms.size(); ++p) rms[p] *= model[p];
        return rms;
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

    // The share of the filter's response that comes from good pixels.
    std::vector<float> shareOf(const PointFilter& filter, JobContext& job) {
        if (!holes) return {};
        if (maskAlm.lmax() < 0) {
            std::vector<double> mask = newVector<double>(pixelCount(nside()), job);
            for (size_t p = 0; p < mask.size(); ++p) mask[p] = std::isfinite(good[p]) ? 1.0 : 0.0;
            maskAlm = plan->analysis(ConstMapSamples(std::span<const double>(mask)), job);
        }
        const std::vector<double> share = synthesized(maskAlm, responseWindow(filter, job), job);
        return {share.begin(), share.end()};
    }

    // NaN where the map is bad or too little of the response is on good pixels.
    int64_t refuse(std::vector<double>& filtered, const std::vector<float>& share) const {
        if (!holes) return 0;
        int64_t refused = 0;
        for (size_t p = 0; p < filtered.size(); ++p) {
            if (!std::isfinite(good[p])) {
                filtered[p] = kNan;
            } else if (share[p] < parameters.leastShare) {
                filtered[p] = kNan;
                ++refused;
            }
        }
        return refused;
    }

    // The background's spectrum and the bright sources: twice, the second time without what the
    // first has found.
    void prepare(const FilterParameters& p, JobContext& job) {
        WindowKey wanted{p.beam.bl, p.background, p.noise, p.noiseMap, p.mask, p.lmax, p.weights};
        parameters = p;
        if (key && *key == wanted) return;
        key.reset();
        const int lmax = lmaxOf(p);
        job.report(0.0, "reading");
        plan.emplace(ShtParameters{.nside = nside(), .lmax = lmax, .weights = p.weights}, device,
                     job);
        maskAlm = Alm();
        readGood(job);
        residual = std::make_shared<std::vector<double>>(good);
        bright.clear();
        const RadialProfile profile = beamProfile();
        std::vector<double> rms;
        const std::vector<double>* whitening = nullptr;
        for (int pass = 0; pass < 2; ++pass) {
            JobContext share = job.part(0.1 + 0.45 * pass, 0.55 + 0.45 * pass);
            share.report(0.0, "background");
            JobContext silent(share.stopToken(), {}, share.threads());
            alm = analyzed(*residual, silent);
            cl = p.background.empty() ? autoSpectrum(whitening, silent)
                                      : givenSpectrum(alm, lmax, silent);
            white = whiteLevelOf(cl);
            if (pass == 1) break;
            share.report(0.5, "bright sources");
            const PointFilter filter = pointFilter({}, p.beam, cl);
            std::vector<double> filtered = synthesized(alm, filter.fl, silent);
            refuse(filtered, shareOf(filter, silent));
            rms = localNoise(filter, filtered, silent);
            std::vector<Extracted> found =
                extractSources(nside(), filtered, rms, responseOf(filter), p.beam.fwhm(),
                               {.threshold = kBright, .dynamicRange = kBrightRange}, silent);
            for (const Extracted& source : found) {
                bright.push_back({source.direction, source.peak});
                addProfile(nside(), *residual, source.direction, -source.peak, profile,
                           profile.reachOf(1e-4 * source.rms / source.peak));
            }
            whitening = &rms;
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
            if (std::isfinite((*residual)[p])) {
                low = std::min(low, (*rms)[p]);
                high = std::max(high, (*rms)[p]);
            }
        if (high < 1.5 * low) return measuredSpectrum(alm, job);
        std::vector<double> weighted = *residual;
        for (size_t p = 0; p < weighted.size(); ++p) weighted[p] *= middle / (*rms)[p];
        return measuredSpectrum(analyzed(std::move(weighted), job), job);
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
    State& state = *state_;
    state.check(parameters);
    JobContext preparing = job.part(0.0, 0.8), filtering = job.part(0.8, 1.0);
    state.prepare(parameters, preparing);
    filtering.report(0.0, "filtering");
    JobContext silent(job.stopToken(), {}, job.threads());
    FilteredSky sky;
    sky.nside = state.nside();
    sky.cl = state.cl;
    sky.whiteLevel = state.white;
    sky.filter = pointFilter(parameters.shape, parameters.beam, state.cl);
    sky.response = state.responseOf(sky.filter);
    sky.beamProfile = state.beamProfile();
    sky.residual = state.residual;
    sky.bright = state.bright;
    sky.filtered = state.synthesized(state.alm, sky.filter.fl, silent);
    sky.share = state.shareOf(sky.filter, silent);
    sky.refused = state.refuse(sky.filtered, sky.share);
    filtering.report(0.6, "local noise");
    sky.rms = state.localNoise(sky.filter, sky.filtered, silent);
    for (const PointSource& source : sky.bright)
        addProfile(sky.nside, sky.filtered, source.direction, source.peak, sky.response,
                   sky.response.reachOf(1e-3 * sky.filter.noise / source.peak));
    filtering.report(1.0, "filtering");
    return sky;
}

namespace {

// Ring values on the elements of `map`, in the precision of its field.
Field fieldOf(const HealpixMap& map, int field, std::string name, std::string unit,
              std::span<const double> ring, JobContext& job) {
    const Field& like = map.field(field);
    const auto fill = [&](auto values) {
        using T = typename decltype(values)::value_type;
        parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
            for (long long e = begin; e < end; ++e) {
                const int64_t pixel =
                    map.coverage() == Coverage::Full ? e : map.pixels()[static_cast<size_t>(e)];
                const int64_t at =
                    map.ordering() == Ordering::Ring ? pixel : ringFromNested(map.nside(), pixel);
                values[static_cast<size_t>(e)] = static_cast<T>(ring[static_cast<size_t>(at)]);
            }
        });
        return values;
    };
    Field result;
    result.name = std::move(name);
    result.unit = std::move(unit);
    result.diskType = like.isSingle() ? DiskType::Float32 : DiskType::Float64;
    if (like.isSingle())
        result.values = fill(newVector<float>(map.elementCount(), job));
    else
        result.values = fill(newVector<double>(map.elementCount(), job));
    return result;
}

HealpixMap mapOf(const HealpixMap& map, std::vector<Field> fields) {
    HealpixMap result =
        map.coverage() == Coverage::Full
            ? HealpixMap(map.nside(), map.ordering(), map.frame(), std::move(fields))
            : HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                  {map.pixels().begin(), map.pixels().end()}, std::move(fields));
    result.metadata() = map.metadata();
    return result;
}

}  // namespace

HealpixMap filteredMap(const HealpixMap& map, int field, const FilteredSky& sky, JobContext& job) {
    const Field& like = map.field(field);
    std::vector<Field> fields{fieldOf(map, field, like.name, like.unit, sky.filtered, job)};
    if (!sky.share.empty()) {
        const std::vector<double> share(sky.share.begin(), sky.share.end());
        fields.push_back(fieldOf(map, field, "SHARE", "", share, job));
    }
    return mapOf(map, std::move(fields));
}

HealpixMap significanceMap(const HealpixMap& map, int field, const FilteredSky& sky,
                           JobContext& job) {
    std::vector<double> snr = newVector<double>(static_cast<int64_t>(sky.filtered.size()), job);
    parallelFor(job, static_cast<long long>(snr.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        snr[p] = sky.filtered[p] / sky.rms[p];
                });
    return mapOf(map, {fieldOf(map, field, "SNR", "", snr, job)});
}

}  // namespace armilla
