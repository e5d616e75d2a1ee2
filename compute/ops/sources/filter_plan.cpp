// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/sky_maxima.h"
#include "convolve/sky_values.h"
#include "shared/new_alm.h"
#include "sources/background.h"
#include "sources/blank_areas.h"
#include "sources/edge_noise.h"
#include "sources/extraction.h"
#include "sources/filter_device.h"
#include "sources/filter_parameters.h"
#include "sources/filter_preview.h"
#include "sources/filter_windows.h"
#include "sources/good_sky.h"
#include "sources/pixel_arrays.h"
#include "sources/sky_cells.h"

namespace armilla {

namespace {

using namespace sources;

// Holes are filled on cells of half a beam, so that finer structure has no step at an edge.
constexpr double kFillCell = 0.5;

std::string megabytes(int64_t bytes) {
    return std::to_string(bytes / 1000000) + " MB";
}

}  // namespace

struct FilterPlan::State {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    Device device;
    std::shared_ptr<HealpixMap> usable;  // `map`, if the only execution may use it up
    bool isUsedUp = false;

    // Data that depend only on the good pixels.
    std::optional<GoodKey> goodKey;
    std::shared_ptr<std::vector<double>> goodPixels;  // the map, NaN where bad or masked
    // noise variance of each pixel; empty without a noise map
    std::vector<double> noise;
    double goodShare = 1.0;
    bool holes = false;
    // Areas of one value with more pixels than this were marked as bad.
    double blankPixels = 0.0;
    BlankAreas blank;
    // Data that also depend on the beam and the background, but not on the filter's shape.
    std::optional<WindowKey> key;
    std::shared_ptr<const std::vector<double>> residual;  // the map without its bright sources
    std::shared_ptr<const Alm> alm;
    Alm maskAlm, noiseAlm;
    Alm throughFilter;  // coefficients of the last synthesis
    std::vector<double> cl;
    double white = 0.0;
    EdgeNoise edge;  // edge noise of the last filtered sky
    std::vector<PointSource> bright;
    RadialProfile beamProfile;
    std::optional<ShtPlan> plan;
    // Present if the sky fits the device of the transforms: `alm` and its derived maps.
    std::optional<FilterDevice> resident;
    int residentLmax = -1;
    // memory for holes is available; coefficients, holes and the picture sky are on the device
    bool holesFit = false, residentAlm = false, residentHoles = false, residentSky = false;
    std::string remark;
    // The kind of data for pictures, if any.
    FilterPictures pictures = FilterPictures::None;
    std::optional<GoodKey> previewKey;
    std::optional<FilterPreview> preview;
    FilterParameters parameters;

    int64_t nside() const { return map->nside(); }

    // Computes the background's spectrum and the bright sources twice; the second pass excludes the
    // sources of the first. Uses the memory of `sky` for intermediate maps.
    void prepare(const FilterParameters& p, FilteredSky& sky, JobContext& job) {
        const GoodKey wantedGood{p.noiseMap, p.mask};
        WindowKey wanted{p.beam.bl, p.background, p.noise, wantedGood, p.lmax, p.weights};
        parameters = p;
        if (key && *key == wanted) return;
        key.reset();
        JobContext planning = job.part(0.0, 0.05), reading = job.part(0.05, 0.1);
        planning.report(0.0, "reading");
        const int lmax = lmaxOf(p);
        preparePlan(p, lmax, planning);
        if (!goodKey || *goodKey != wantedGood || isBlankElsewhere(p)) {
            goodKey.reset();
            readGood(reading);
            goodKey = wantedGood;
        }
        residual = goodPixels;
        bright.clear();
        beamProfile = profileOf(p.beam);
        std::shared_ptr<const Alm> whole;
        for (int pass = 0; pass < 2; ++pass) {
            JobContext share = job.part(0.1 + 0.45 * pass, 0.55 + 0.45 * pass);
            share.report(0.0, "background");
            JobContext silent(share.stopToken(), {}, share.threads());
            if (pass == 0 || !bright.empty()) {
                alm.reset();
                alm = std::make_shared<const Alm>(analyzed(*residual, silent));
                if (pass == 0 && pictures == FilterPictures::Live) whole = alm;
                bringSky(silent);
            }
            cl = p.background.empty() ? autoSpectrum(pass == 0 ? nullptr : &sky, silent)
                                      : givenSpectrum(lmax, silent);
            white = whiteLevelOf(cl);
            if (pass == 1) break;
            share.report(0.5, "bright sources");
            const PointFilter filter = pointFilter({}, p.beam, cl);
            filterSky(filter, sky, silent);
            takeBright(extractSources(nside(), sky.filtered, sky.rms, responseOf(filter, p.beam),
                                      p.beam.fwhm(), kBrightSources, silent),
                       silent);
        }
        key = std::move(wanted);
        if (whole) {
            preview.emplace(std::move(whole), cl, holes ? goodPixels : nullptr);
            previewKey = wantedGood;
            residentSky = false;
        }
        job.report(1.0, "background");
    }

    // Filters the residual, with NaN where the filter sees too little; computes the fraction of its
    // response on good pixels, and the local noise, increased at the edges of holes.
    void filterSky(const PointFilter& filter, FilteredSky& sky, JobContext& job) {
        job.report(0.0, "filtering");
        JobContext silent(job.stopToken(), {}, job.threads());
        filterAll(filter, sky, job, silent);
        edge = holes ? EdgeNoise(sky.filtered, sky.rms, sky.share) : EdgeNoise();
        edge.raise(sky.share, sky.rms, silent);
    }

    // Throws InvalidArgument if there are no data for a picture.
    PointFilter pictureFilter(const FilterParameters& p) const {
        checkFilter(p, *map);
        if (!preview || previewKey != GoodKey{p.noiseMap, p.mask})
            throw InvalidArgument("expected a sky that was filtered before, found another");
        return preview->filterOf(p, lmaxOf(p));
    }

    // Uploads the sky for pictures, also if a cancelled filter has released the previous memory.
    void bringPictureSky(JobContext& job) {
        if (device.kind != DeviceKind::Cuda)
            throw Unsupported("expected a CUDA device for pictures of a filter, found the CPU");
        if (!resident)
            if (const std::string lack = growBuffer(preview->lmax()); !lack.empty())
                throw OutOfMemory(lack);
        if (residentSky) return;
        resident->setPictureSky(preview->sky(residentLmax, job), preview->good(), job);
        residentSky = true;
    }

private:
    bool isGood(size_t pixel) const { return std::isfinite((*goodPixels)[pixel]); }
    int lmaxOf(const FilterParameters& p) const { return lmaxOfFilter(p, nside()); }

    void synthesize(const Alm& coefficients, std::span<const double> fl,
                    std::vector<double>& result, JobContext& job) {
        resizeTo(result, pixelCount(nside()), job);
        applyFilter(coefficients, fl, throughFilter, job);
        plan->synthesis(throughFilter, MapSamples(std::span<double>(result)), job);
    }

    double blankPixelsOf(const FilterParameters& p) const {
        return kBlankBeams * p.beam.solidAngle / (4.0 * kPi) *
               static_cast<double>(pixelCount(nside()));
    }
    // True if another beam changes the blank areas.
    bool isBlankElsewhere(const FilterParameters& p) const {
        const double pixels = blankPixelsOf(p);
        return pixels != blankPixels &&
               static_cast<double>(blank.largest) > std::min(pixels, blankPixels);
    }
    // The values of the field in RING order. A map that may be used up gives its memory.
    std::vector<double> takeValues(JobContext& job) {
        if (!usable) return ringValues(*map, field, job);
        isUsedUp = true;
        if (std::optional<std::vector<double>> taken = takenRingValues(*usable, field, job))
            return std::move(*taken);
        std::vector<double> values = ringValues(*map, field, job);
        std::visit([](auto& held) { std::decay_t<decltype(held)>().swap(held); },
                   usable->field(field).values);
        return values;
    }
    // Reads the good pixels of the map; holes are NaN.
    void readGood(JobContext& job) {
        std::vector<double> good = takeValues(job);
        noise.clear();
        if (parameters.noiseMap) {
            noise = ringValues(*parameters.noiseMap, 0, job);
            forPixels(good.size(), job, [&](size_t p) {
                if (!(noise[p] > 0.0)) good[p] = kNan;
            });
        }
        if (parameters.mask) cutMask(*parameters.mask, nside(), Mat3{}, good, job);
        blankPixels = blankPixelsOf(parameters);
        blank = removeBlankAreas(nside(), good, blankPixels, job);
        goodShare = removeLargest(nside(), good, job);
        holes = goodShare < 1.0;
        goodPixels = std::make_shared<std::vector<double>>(std::move(good));
    }

    // Analysis with filled holes.
    Alm analyzed(const std::vector<double>& ring, JobContext& job) const {
        if (!holes) return plan->analysis(ConstMapSamples(std::span<const double>(ring)), job);
        std::vector<double> filled = copied(ring, job);
        fillHoles(nside(), kFillCell * parameters.beam.fwhm(), filled, job);
        return plan->analysis(ConstMapSamples(std::span<const double>(filled)), job);
    }

    // Analysis of a map that is far from 0 everywhere; the mean of `ring` is subtracted in place.
    Alm aboutItsMean(std::vector<double>& ring, JobContext& job) const {
        const TakenOut taken = takeOut(Remove::None, std::span<double>(ring), job);
        Alm result = plan->analysis(ConstMapSamples(std::span<const double>(ring)), job);
        taken.putBack(result);
        return result;
    }

    double noisePower() const {
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        if (parameters.noise) return *parameters.noise * *parameters.noise * pixel;
        // Mean depth for a filter that weights by depth.
        double sum = 0.0, count = 0.0;
        for (size_t p = 0; p < noise.size(); ++p)
            if (isGood(p)) {
                sum += 1.0 / (noise[p] * noise[p]);
                count += 1.0;
            }
        return pixel * count / sum;
    }

    // The given sky spectrum with the beam, and the noise given or measured.
    std::vector<double> givenSpectrum(int lmax, JobContext& job) const {
        std::vector<double> sky = throughBeam(parameters.background, parameters.beam.bl, lmax);
        const bool isKnown = parameters.noise || !noise.empty();
        const double power =
            isKnown ? noisePower() : noiseBeyond(measuredSpectrum(*alm, goodShare, job), sky);
        return withNoise(std::move(sky), power);
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

    // Coefficients of the pixels' variance, smooth across holes.
    const Alm& noiseCoefficients(JobContext& job) {
        if (noiseAlm.lmax() >= 0) return noiseAlm;
        std::vector<double> variance = newVector<double>(pixelCount(nside()), job, kNan);
        forPixels(variance.size(), job, [&](size_t p) {
            if (isGood(p)) variance[p] = noise[p] * noise[p];
        });
        fillHoles(nside(), kFillCell * parameters.beam.fwhm(), variance, job);
        noiseAlm = aboutItsMean(variance, job);
        return noiseAlm;
    }

    // Local noise of a filtered map without sources; NaN where the map is bad.
    void localNoise(const PointFilter& filter, const std::vector<double>& filtered,
                    std::vector<double>& rms, JobContext& job) {
        if (noise.empty()) return localRmsOf(filtered, rms, job);
        // Expectation from the noise map: the squared filter applied to the variance of pixels,
        // plus the sky's part.
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside()));
        const double squares = squaredIntegral(filter);
        std::vector<double> window =
            squaredWindow(filter, parameters.beam.fwhm(), plan->parameters().lmax, job);
        for (double& g : window) g *= squares * pixel;
        std::vector<double> variance;
        synthesize(noiseCoefficients(job), window, variance, job);
        const double least = 1e-3 * medianOfSome(variance);
        const double sky = skyVariance(filtered, variance);
        // a map of uniform depth
        std::vector<double> even = newVector<double>(pixelCount(nside()), job);
        std::vector<double>& model = variance;
        forPixels(model.size(), job, [&](size_t p) {
            model[p] = std::sqrt(sky + std::max(least, variance[p]));
            even[p] = filtered[p] / model[p];
        });
        localRmsOf(even, rms, job);
        forPixels(rms.size(), job, [&](size_t p) { rms[p] *= model[p]; });
    }

    // Coefficients of the map of good pixels.
    const Alm& maskCoefficients(JobContext& job) {
        if (maskAlm.lmax() >= 0) return maskAlm;
        std::vector<double> mask = newVector<double>(pixelCount(nside()), job);
        forPixels(mask.size(), job, [&](size_t p) { mask[p] = isGood(p) ? 1.0 : 0.0; });
        maskAlm = aboutItsMean(mask, job);
        return maskAlm;
    }

    // Sets NaN where the map is bad or too little of the response is on good pixels.
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

    void filterAll(const PointFilter& filter, FilteredSky& sky, JobContext& job,
                   JobContext& silent) {
        sky.refused = 0;
        if (!holes) sky.share.clear();
        // Memory allocated for pictures does not fit the lmax of this filter.
        if (resident && residentLmax != plan->parameters().lmax) resident.reset();
        if (resident) {
            try {
                if (!residentAlm) resident->setSky(*alm, silent);
                residentAlm = true;
                return filterOnDevice(filter, sky, job, silent);
            } catch (const OutOfMemory&) {  // holes do not fit, or other programs use the memory
                continueWithoutMemory(lackOfMemory(plan->parameters().lmax));
            }
        }
        synthesize(*alm, filter.fl, sky.filtered, silent);
        if (holes) {
            std::vector<double> share;
            synthesize(maskCoefficients(silent),
                       responseWindow(filter, parameters.beam, plan->parameters().lmax, silent),
                       share, silent);
            sky.share.assign(share.begin(), share.end());
            sky.refused = refuse(sky.filtered, sky.share, silent);
        }
        job.report(0.6, "local noise");
        localNoise(filter, sky.filtered, sky.rms, silent);
    }
    // filterSky on the device; arrays for the host are downloaded last, all together.
    void filterOnDevice(const PointFilter& filter, FilteredSky& sky, JobContext& job,
                        JobContext& silent) {
        if (holes && !residentHoles) {
            resident->setHoles(maskCoefficients(silent), *goodPixels, silent);
            residentHoles = true;
        }
        resident->filter(filter.fl, silent);
        if (holes)
            sky.refused = resident->refuseUnseen(
                responseWindow(filter, parameters.beam, plan->parameters().lmax, silent),
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

    // Plans of the transforms, and memory on their device.
    void preparePlan(const FilterParameters& p, int lmax, JobContext& job) {
        maskAlm = noiseAlm = Alm();
        residentHoles = false;
        if (plan && plan->parameters().lmax == lmax && plan->parameters().weights == p.weights)
            return;
        resident.reset();
        plan.emplace(ShtParameters{.nside = nside(), .lmax = lmax, .weights = p.weights}, device,
                     job);
    }
    std::string lackOfMemory(int lmax) const {
        return device.label() + " has too little memory for the sky (" +
               megabytes(FilterDevice::bytesFor(nside(), lmax, holes)) + ")";
    }
    // Allocates the sky on the device; returns the reason if impossible. An estimate precedes the
    // attempt; fragmentation and other programs may still leave too little memory.
    std::string growBuffer(int lmax) {
        if ((holes && !holesFit) || residentLmax != lmax) resident.reset();
        if (resident) return {};
        // A tenth is reserved for other programs and for fragmentation.
        const int64_t free = CudaArray::freeBytes(device.index) / 10 * 9;
        if (FilterDevice::bytesFor(nside(), lmax, holes) > free) return lackOfMemory(lmax);
        resident.emplace(device, nside(), lmax);
        residentLmax = lmax;
        holesFit = holes;
        residentAlm = residentHoles = residentSky = false;
        return {};
    }
    void continueWithoutMemory(const std::string& lack) {
        resident.reset();
        residentAlm = false;
        if (!remark.empty()) remark += "; ";
        remark += lack + ": the sky is copied for each step, and the CPU measures its noise";
    }
    // Must follow the first analysis, which allocates the plan's memory.
    void bringSky(JobContext& job) {
        remark = plan->remark();
        if (device.kind != DeviceKind::Cuda) return;
        const int lmax = plan->parameters().lmax;
        try {
            if (const std::string lack = growBuffer(lmax); !lack.empty())
                return continueWithoutMemory(lack);
            residentAlm = false;
            resident->setSky(*alm, job);
            residentAlm = true;
        } catch (const OutOfMemory&) {
            continueWithoutMemory(lackOfMemory(lmax));
        }
    }
    void takeBright(const std::vector<Extracted>& found, JobContext& job) {
        if (found.empty()) return;
        std::shared_ptr<std::vector<double>> own = onceGood();
        if (!own) own = std::make_shared<std::vector<double>>(copied(*goodPixels, job));
        std::vector<double>& left = *own;
        for (const Extracted& source : found) {
            bright.push_back({source.direction, source.peak});
            addProfile(nside(), left, source.direction, -source.peak, beamProfile,
                       beamProfile.reachOf(1e-4 * source.rms / std::abs(source.peak)));
        }
        residual = std::move(own);
    }
    // The map of good pixels, if sources may be subtracted in place: bad pixels stay NaN there, and
    // no other execution reads the rest.
    std::shared_ptr<std::vector<double>> onceGood() const { return usable ? goodPixels : nullptr; }

    // Spectrum of the sky weighted by its local noise, once that is known: this spectrum represents
    // most of the sky and not its brightest part. The noise is used without the increase at edges:
    // weights that vary within a beam would mix large scales into small ones.
    std::vector<double> autoSpectrum(const FilteredSky* sky, JobContext& job) const {
        if (sky == nullptr) {
            std::vector<double> measured = measuredSpectrum(*alm, goodShare, job);
            requirePower(measured);
            return measured;
        }
        const auto rmsAt = [&](size_t p) {
            return sky->share.empty() ? sky->rms[p] : sky->rms[p] / edge.factor(sky->share[p]);
        };
        const double middle = medianOfSome(sky->rms);
        double low = middle, high = middle;
        for (size_t p = 0; p < sky->rms.size(); p += 7)
            if (isGood(p)) {
                low = std::min(low, rmsAt(p));
                high = std::max(high, rmsAt(p));
            }
        if (high < 1.5 * low) return measuredSpectrum(*alm, goodShare, job);
        std::vector<double> weighted = copied(*residual, job);
        forPixels(weighted.size(), job, [&](size_t p) { weighted[p] *= middle / rmsAt(p); });
        return measuredSpectrum(analyzed(weighted, job), goodShare, job);
    }
};

FilterPlan::FilterPlan(std::shared_ptr<const HealpixMap> map, int field, const Device& device,
                       FilterPictures pictures)
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
    state_->pictures = pictures;
}

FilterPlan FilterPlan::once(std::shared_ptr<HealpixMap> map, int field, const Device& device) {
    FilterPlan plan(map, field, device);
    plan.state_->usable = std::move(map);
    return plan;
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
    if (state.isUsedUp)
        throw InvalidArgument(
            "expected one execution of a plan that uses its map up, found another");
    checkFilter(parameters, *state.map);
    JobContext preparing = job.part(0.0, 0.8), filtering = job.part(0.8, 1.0);
    state.prepare(parameters, sky, preparing);
    filtering.report(0.0, "filtering");
    sky.nside = state.nside();
    sky.cl = state.cl;
    sky.whiteLevel = state.white;
    sky.filter = pointFilter(parameters.shape, parameters.beam, state.cl);
    sky.response = responseOf(sky.filter, state.parameters.beam);
    sky.beamProfile = state.beamProfile;
    sky.residual = state.residual;
    sky.bright = state.bright;
    sky.remark = state.remark;
    if (const std::string blank = state.blank.remark(); !blank.empty())
        sky.remark += (sky.remark.empty() ? "" : "; ") + blank;
    state.filterSky(sky.filter, sky, filtering);
    for (const PointSource& source : sky.bright)
        addProfile(sky.nside, sky.filtered, source.direction, source.peak, sky.response,
                   sky.response.reachOf(1e-3 * sky.filter.noise / std::abs(source.peak)));
    filtering.report(1.0, "filtering");
}

bool FilterPlan::knows(const FilterParameters& parameters) const {
    return state_->preview && state_->previewKey == GoodKey{parameters.noiseMap, parameters.mask};
}

HealpixMap FilterPlan::preview(const FilterParameters& parameters, int64_t nside, JobContext& job) {
    State& state = *state_;
    if (nside < 1 || nside > state.nside())
        throw InvalidArgument("expected an nside from 1 to " + std::to_string(state.nside()) +
                              " of a preview, found " + std::to_string(nside));
    const PointFilter filter = state.pictureFilter(parameters);
    JobContext silent(job.stopToken(), {}, job.threads());
    return state.preview->map(filter, nside, state.nside(), *state.map, state.field, state.device,
                              silent);
}

void FilterPlan::draw(const FilterParameters& parameters, DevicePicture& picture, JobContext& job) {
    State& state = *state_;
    const PointFilter filter = state.pictureFilter(parameters);
    JobContext silent(job.stopToken(), {}, job.threads());
    state.bringPictureSky(silent);
    state.resident->draw(filter.fl, state.map->field(state.field).isSingle(), picture, silent);
}

int64_t FilterPlan::memoryBytes() const {
    const State& state = *state_;
    const auto of = [](const Alm& alm) {
        return alm.lmax() < 0 ? 0 : almBytes(alm.lmax(), alm.mmax());
    };
    int64_t bytes = of(state.maskAlm) + of(state.noiseAlm) + of(state.throughFilter);
    if (state.alm) bytes += of(*state.alm);
    if (state.preview) bytes += state.preview->memoryBytes();
    const auto add = [&](const std::shared_ptr<const std::vector<double>>& values) {
        if (values) bytes += static_cast<int64_t>(values->size() * sizeof(double));
    };
    add(state.goodPixels);
    if (state.residual != state.goodPixels) add(state.residual);
    return bytes + static_cast<int64_t>(state.noise.size() * sizeof(double));
}

int64_t FilterPlan::pictureNside() const {
    return PictureCells::pictureNside(state_->nside());
}

}  // namespace armilla
