// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/image_filter.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_queries.h"
#include "sources/background.h"
#include "sources/blank_pixels.h"
#include "sources/cell_grid.h"
#include "sources/edge_noise.h"
#include "sources/extraction.h"
#include "sources/filter_device.h"
#include "sources/filter_windows.h"
#include "sources/patch_transform.h"
#include "sources/sky_cells.h"
#include "sources/source_pixels.h"

namespace armilla {

namespace {

using namespace sources;

// The clipped rms of the values around each pixel, in cells of `size` radians, interpolated between
// the cells that hold enough values.
std::vector<double> localRmsOf(const SourcePixels& pixels, double size,
                               std::span<const double> values, JobContext& job) {
    const int64_t nside = coarseNside(size, kMaxNside);
    std::unordered_map<int64_t, std::vector<double>> samples;
    std::vector<double> all;
    for (size_t p = 0; p < values.size(); ++p) {
        if (p % (size_t{1} << 16) == 0) job.poll();
        if (!std::isfinite(values[p])) continue;
        samples[nestedFromDirection(nside, pixels.center(static_cast<int64_t>(p)))].push_back(
            values[p]);
        all.push_back(values[p]);
    }
    const double whole = clippedRms(all, 2);
    if (!(whole > 0.0))
        throw InvalidArgument("expected an image with noise or background, found none");
    std::unordered_map<int64_t, double> ofCell;
    for (auto& [cell, list] : samples)
        if (const double rms = clippedRms(list, 4 * kLeastSamples); rms > 0.0) ofCell[cell] = rms;
    const Interpolator between(nside, Ordering::Nested);
    std::vector<double> rms = newVector<double>(std::ssize(values), job, whole);
    parallelFor(job, std::ssize(values), 1 << 12, [&](long long begin, long long end) {
        for (long long p = begin; p < end; ++p) {
            const Vec3 at = pixels.center(p);
            if (!std::isfinite(at.z)) continue;
            const Interpolation four = between(at);
            double sum = 0.0, weights = 0.0;
            for (size_t i = 0; i < 4; ++i)
                if (const auto cell = ofCell.find(four.pixels[i]); cell != ofCell.end()) {
                    sum += four.weights[i] * cell->second;
                    weights += four.weights[i];
                }
            rms[static_cast<size_t>(p)] = weights > 0.0 ? sum / weights : whole;
        }
    });
    return rms;
}

// C_l of the enlarged sky.
std::vector<double> enlarged(const std::vector<double>& cl, double enlargement) {
    if (enlargement == 1.0) return cl;
    std::vector<double> result;
    for (size_t l = 0;; ++l) {
        const double at = static_cast<double>(l) * enlargement;
        const auto low = static_cast<size_t>(at);
        if (low + 1 >= cl.size()) return result;
        const double part = at - static_cast<double>(low);
        result.push_back(enlargement * enlargement * ((1.0 - part) * cl[low] + part * cl[low + 1]));
    }
}

class ImageFilter {
public:
    ImageFilter(ImageToFilter image, const FilterParameters& parameters, JobContext& job)
        : parameters_(parameters),
          pixels_(std::make_shared<const SourcePixels>(std::move(image.centers),
                                                       std::move(image.areas), image.width, job)),
          good_(std::move(image.values)),
          noise_(std::move(image.noise)),
          isPerPixel_(image.isPerPixel) {
        const PointBeam& beam = parameters_.beam;
        if (beam.bl.size() < 3 || !(beam.solidAngle > 0.0))
            throw InvalidArgument("expected a beam to filter with, found none");
        for (size_t p = 0; p < good_.size(); ++p)
            if (!std::isfinite(pixels_->center(static_cast<int64_t>(p)).z)) good_[p] = kNan;
        blanks_ = removeBlanks(*pixels_, image.width, kBlankBeams * beam.solidAngle, good_, job);
        if (!noise_.empty() && noise_.size() != good_.size())
            throw InvalidArgument("expected the noise of " + std::to_string(good_.size()) +
                                  " pixels, found " + std::to_string(noise_.size()));
        for (size_t p = 0; p < noise_.size(); ++p)
            if (!(noise_[p] > 0.0)) good_[p] = kNan;
        // After the search for areas of one value, which this changes.
        for (size_t p = 0; isPerPixel_ && p < good_.size(); ++p) {
            const double ratio = pixels_->meanArea() / pixels_->area(static_cast<int64_t>(p));
            good_[p] *= ratio;
            if (!noise_.empty()) noise_[p] *= ratio;
        }
        if (std::none_of(good_.begin(), good_.end(), [](double v) { return std::isfinite(v); }))
            throw InvalidArgument("expected good pixels in the image, found none");
        const double scale = beam.enlargement;
        // The pixels of a narrow image resolve more multipoles than an int holds.
        const double band =
            image.makeTransform ? image.mostLmax : kPi / (scale * pixels_->spacing());
        int lmax = static_cast<int>(std::min(static_cast<double>(beam.bl.size()) - 1.0, band));
        if (parameters_.lmax >= 0)
            lmax = std::min(lmax, static_cast<int>(parameters_.lmax / scale));
        lmax_ = std::max(2, lmax);
        transform_ = image.makeTransform
                         ? image.makeTransform(lmax_, job)
                         : makePatchTransform(*pixels_, {beam.fwhm(), scale, lmax_}, job);
    }

    FilteredSky execute(JobContext& job) {
        const PointBeam& beam = parameters_.beam;
        JobContext silent(job.stopToken(), {}, job.threads());
        job.report(0.0, "background");
        FilteredSky sky;
        sky.image = pixels_;
        sky.isPerPixel = isPerPixel_;
        sky.beamProfile = profileOf(beam);
        sky.cl = spectrumOf(good_, silent);
        std::vector<double> left = good_;
        filterSky(pointFilter({}, beam, sky.cl), left, sky, silent);
        job.report(0.4, "bright sources");
        takeBright(sky, left, silent);
        if (!sky.bright.empty()) sky.cl = spectrumOf(left, silent);
        sky.whiteLevel = whiteLevelOf(sky.cl);
        job.report(0.6, "filtering");
        sky.filter = pointFilter(parameters_.shape, beam, sky.cl);
        sky.response = responseOf(sky.filter, beam);
        filterSky(sky.filter, left, sky, silent);
        for (const PointSource& source : sky.bright)
            addProfile(*pixels_, sky.filtered, source.direction, source.peak, sky.response,
                       sky.response.reachOf(1e-3 * sky.filter.noise / std::abs(source.peak)));
        sky.residual = std::make_shared<const std::vector<double>>(std::move(left));
        sky.remark = remarkOnBlanks(blanks_);
        job.report(1.0, "filtering");
        return sky;
    }

private:
    double enlargedArea(double area) const {
        return area * parameters_.beam.enlargement * parameters_.beam.enlargement;
    }
    std::vector<double> spectrumOf(std::span<const double> values, JobContext& job) {
        const std::vector<double> measured = smoothedSpectrum(transform_->spectrum(values, job));
        if (parameters_.background.empty()) {
            requirePower(measured);
            return measured;
        }
        const PointBeam& beam = parameters_.beam;
        std::vector<double> sky =
            throughBeam(enlarged(parameters_.background, beam.enlargement), beam.bl, lmax_);
        const double power = parameters_.noise ? *parameters_.noise * *parameters_.noise *
                                                     enlargedArea(pixels_->meanArea())
                             : noise_.empty() ? noiseBeyond(measured, sky)
                                              : meanNoisePower();
        return withNoise(std::move(sky), power);
    }
    // The noise power per solid angle of a filter that weights by depth, as of a map.
    double meanNoisePower() const {
        double sky = 0.0, depth = 0.0;
        for (size_t p = 0; p < good_.size(); ++p)
            if (std::isfinite(good_[p])) {
                sky += enlargedArea(pixels_->area(static_cast<int64_t>(p)));
                depth += 1.0 / (noise_[p] * noise_[p]);
            }
        return sky / depth;
    }
    // Local noise of filtered values without sources. With the noise of pixels, the values are
    // divided by its expectation first: the squared filter applied to the pixels' variance, and the
    // sky's part.
    std::vector<double> localNoise(const PointFilter& filter, std::span<const double> filtered,
                                   JobContext& job) {
        const double cell = kNoiseCell * parameters_.beam.fwhm();
        if (noise_.empty()) return localRmsOf(*pixels_, cell, filtered, job);
        const double squares = squaredIntegral(filter);
        std::vector<double> variance = newVector<double>(std::ssize(good_), job, kNan);
        for (size_t p = 0; p < variance.size(); ++p)
            if (std::isfinite(good_[p]))
                variance[p] = squares * noise_[p] * noise_[p] *
                              enlargedArea(pixels_->area(static_cast<int64_t>(p)));
        std::vector<double> model = newVector<double>(std::ssize(good_), job);
        transform_->localMean(variance, squaredWindow(filter, parameters_.beam.fwhm(), lmax_, job),
                              model, job);
        std::vector<double> some;
        for (size_t p = 0; p < model.size(); ++p)
            if (std::isfinite(model[p])) some.push_back(model[p]);
        const double middle = some.empty() ? 0.0 : medianOfSome(some), least = 1e-3 * middle;
        for (double& value : model) value = std::isfinite(value) ? std::max(value, least) : middle;
        const double sky = skyVariance(filtered, model);
        std::vector<double> even = newVector<double>(std::ssize(good_), job);
        for (size_t p = 0; p < even.size(); ++p) {
            model[p] = std::sqrt(sky + model[p]);
            even[p] = filtered[p] / model[p];
        }
        std::vector<double> rms = localRmsOf(*pixels_, cell, even, job);
        for (size_t p = 0; p < rms.size(); ++p) rms[p] *= model[p];
        return rms;
    }
    // Filters values without bright sources.
    void filterSky(const PointFilter& filter, std::span<const double> values, FilteredSky& sky,
                   JobContext& job) {
        sky.filtered.resize(values.size());
        sky.share.resize(values.size());
        const std::vector<double> response = responseWindow(filter, parameters_.beam, lmax_, job);
        transform_->filter(values, {filter.fl, response}, sky.filtered, sky.share, job);
        sky.refused = 0;
        for (size_t p = 0; p < values.size(); ++p) {
            const bool isGood = std::isfinite(values[p]);
            const bool isUnseen = seesTooLittle(sky.share[p], parameters_.leastShare);
            if (isGood && isUnseen) ++sky.refused;
            if (!isGood || isUnseen) sky.filtered[p] = kNan;
        }
        sky.rms = localNoise(filter, sky.filtered, job);
        EdgeNoise(sky.filtered, sky.rms, sky.share).raise(sky.share, sky.rms, job);
    }
    void takeBright(FilteredSky& sky, std::vector<double>& left, JobContext& job) const {
        const PointBeam& beam = parameters_.beam;
        const PointFilter filter = pointFilter({}, beam, sky.cl);
        for (const Extracted& source :
             extractSources(*pixels_, sky.filtered, sky.rms, responseOf(filter, beam), beam.fwhm(),
                            kBrightSources, job)) {
            sky.bright.push_back({source.direction, source.peak});
            addProfile(*pixels_, left, source.direction, -source.peak, sky.beamProfile,
                       sky.beamProfile.reachOf(1e-4 * source.rms / std::abs(source.peak)));
        }
    }

    FilterParameters parameters_;
    std::shared_ptr<const SourcePixels> pixels_;
    std::vector<double> good_, noise_;
    bool isPerPixel_ = false;
    int64_t blanks_ = 0;
    int lmax_ = 2;
    std::unique_ptr<SkyTransform> transform_;
};

}  // namespace

FilteredSky filterImage(ImageToFilter image, const FilterParameters& parameters, JobContext& job) {
    JobContext preparing = job.part(0.0, 0.1), working = job.part(0.1, 1.0);
    ImageFilter filter(std::move(image), parameters, preparing);
    return filter.execute(working);
}

double meanPixelArea(const FilteredSky& sky) {
    return pixelsOf(sky).meanArea();
}

double ofOwnPixel(const FilteredSky& sky, int64_t pixel) {
    return sky.isPerPixel ? sky.image->area(pixel) / sky.image->meanArea() : 1.0;
}

void addSources(const FilteredSky& sky, std::span<const PointSource> sources,
                std::span<double> values, JobContext& job) {
    const SourcePixels pixels = pixelsOf(sky);
    // To below single precision of the peak.
    const double reach = sky.beamProfile.reachOf(1e-7);
    std::vector<double> added = newVector<double>(std::ssize(values), job);
    for (const PointSource& source : sources) {
        job.poll();
        addProfile(pixels, added, source.direction, source.peak, sky.beamProfile, reach);
    }
    for (size_t p = 0; p < values.size(); ++p)
        if (added[p] != 0.0) values[p] += added[p] * ofOwnPixel(sky, static_cast<int64_t>(p));
}

}  // namespace armilla
