// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/combine_images.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "sources/background.h"
#include "sources/blank_pixels.h"
#include "sources/extraction.h"
#include "sources/filter_windows.h"
#include "sources/patch_transform.h"
#include "sources/sky_cells.h"
#include "sources/source_pixels.h"
#include "sources/spectral_weights.h"

namespace armilla {

namespace {

using namespace sources;

// Patches for a beam this many times the widest keep larger scales, up to the beam kMostKept.
constexpr double kPatchBeams = 2.0, kMostKept = 0.4 * kDegree;

struct Channel {
    const ImageToCombine* in = nullptr;
    std::vector<double> good;   // values of pixels of the mean solid angle
    RadialProfile profile;      // profile of a source of peak 1
    std::vector<double> shape;  // t_l
};

class ImageCombiner {
public:
    ImageCombiner(const ImageToFilter& sky, std::span<const ImageToCombine> images, int lmax,
                  JobContext& job)
        : sky_(sky), asked_(lmax), pixels_(sky.centers, sky.areas, sky.width, job) {
        if (images.size() < 2)
            throw InvalidArgument("expected two images or more to combine, found " +
                                  std::to_string(images.size()));
        chooseBand(images);
        double widest = 0.0;
        for (const ImageToCombine& each : images) {
            addChannel(each, job);
            widest = std::max(widest, each.beam.fwhm());
        }
        joinGood();
        const double patch = std::max(widest, std::min(kPatchBeams * widest, kMostKept));
        transform_ = sky.makeTransform ? sky.makeTransform(lmax_, job)
                                       : makePatchTransform(pixels_, {patch, scale_, lmax_}, job);
        // A patch fades over four of its beams.
        first_ =
            sky.makeTransform ? 2 : std::max(2, static_cast<int>(kPi / (4.0 * patch * scale_)));
    }

    CombinedImage run(JobContext& job) {
        CombinedImage result;
        std::vector<PointSource> bright;
        for (int pass = 0; pass < 2; ++pass) {
            JobContext part = job.part(0.5 * pass, 0.5 * pass + 0.5);
            part.report(0.0, "combining");
            JobContext silent(job.stopToken(), {}, job.threads());
            weigh(bright, result, silent);
            result.values = sum(bright, result.weights, pass == 1, silent);
            if (pass == 1) break;
            part.report(0.5, "bright sources");
            JobContext finding = part.part(0.5, 1.0);
            bright = brightSources(result.values, finding);
        }
        for (size_t p = 0; channels_[0].in->isPerPixel && p < result.values.size(); ++p)
            result.values[p] *= pixels_.area(static_cast<int64_t>(p)) / pixels_.meanArea();
        result.remark = remarkOnBlanks(blanks_);
        return result;
    }

private:
    void chooseBand(std::span<const ImageToCombine> images) {
        for (const ImageToCombine& each : images)
            if (each.beam.bl.size() < 3 || !(each.beam.solidAngle > 0.0))
                throw InvalidArgument("expected a beam for each image, found none");
        scale_ = images[0].beam.enlargement;
        for (const ImageToCombine& each : images)
            if (each.beam.enlargement != scale_)
                throw InvalidArgument("expected beams of one enlargement, found several");
        // The pixels of a narrow image resolve more multipoles than an int holds.
        const double band = sky_.makeTransform ? sky_.mostLmax : kPi / (scale_ * pixels_.spacing());
        const auto ofBeam = static_cast<double>(images[0].beam.bl.size()) - 1.0;
        lmax_ = static_cast<int>(std::min(ofBeam, band));
        if (asked_ >= 0) lmax_ = std::min(lmax_, static_cast<int>(asked_ / scale_));
        lmax_ = std::max(2, lmax_);
    }
    void addChannel(const ImageToCombine& image, JobContext& job) {
        if (image.values.size() != sky_.areas.size())
            throw InvalidArgument("expected " + std::to_string(sky_.areas.size()) +
                                  " pixels in each image, found " +
                                  std::to_string(image.values.size()));
        if (!std::isfinite(image.response) || image.response == 0.0)
            throw InvalidArgument("expected responses other than 0, found " +
                                  std::to_string(image.response));
        Channel c;
        c.in = &image;
        c.good = image.values;
        for (size_t p = 0; p < c.good.size(); ++p)
            if (!std::isfinite(pixels_.center(static_cast<int64_t>(p)).z)) c.good[p] = kNan;
        blanks_ +=
            removeBlanks(pixels_, sky_.width, kBlankBeams * image.beam.solidAngle, c.good, job);
        for (size_t p = 0; image.isPerPixel && p < c.good.size(); ++p)
            c.good[p] *= pixels_.meanArea() / pixels_.area(static_cast<int64_t>(p));
        c.shape.assign(static_cast<size_t>(lmax_) + 1, 0.0);
        for (size_t l = 0; l < std::min(c.shape.size(), image.beam.bl.size()); ++l)
            c.shape[l] = image.response * (image.beam.bl[l] * image.beam.enlargedSolidAngle());
        c.profile = profileOf(image.beam);
        channels_.push_back(std::move(c));
    }
    // A pixel is good in all images or in none.
    void joinGood() {
        bool isAnyGood = false;
        for (size_t p = 0; p < sky_.areas.size(); ++p) {
            const bool isGood =
                std::all_of(channels_.begin(), channels_.end(),
                            [p](const Channel& c) { return std::isfinite(c.good[p]); });
            isAnyGood = isAnyGood || isGood;
            for (Channel& c : channels_)
                if (!isGood) c.good[p] = kNan;
        }
        if (!isAnyGood)
            throw InvalidArgument("expected pixels that are good in all images, found none");
    }

    // An image without bright sources.
    std::vector<double> without(const Channel& c, std::span<const PointSource> bright,
                                JobContext& job) const {
        std::vector<double> left = c.good;
        for (const PointSource& source : bright) {
            job.poll();
            addProfile(pixels_, left, source.direction, -source.peak * c.in->response, c.profile,
                       c.profile.reachOf(1e-7));
        }
        return left;
    }
    void weigh(std::span<const PointSource> bright, CombinedImage& result, JobContext& job) {
        const size_t n = channels_.size();
        std::vector<std::vector<double>> left, spectra(n * n), templates;
        for (const Channel& c : channels_) {
            left.push_back(without(c, bright, job));
            templates.push_back(c.shape);
        }
        for (size_t i = 0; i < n; ++i)
            for (size_t j = i; j < n; ++j) {
                const std::vector<double> cl = transform_->spectrum(left[i], left[j], job);
                spectra[i * n + j] = spectra[j * n + i] =
                    i == j ? smoothedSpectrum(cl) : localMeans(cl);
            }
        SpectralWeights found = spectralWeights(templates, spectra, lmax_, first_);
        result.weights = std::move(found.weights);
        result.noiseAlone = found.noiseAlone;
        result.noiseTogether = found.noiseTogether;
    }
    // The first image plus what the weights add to it. Bright sources bypass the transform.
    std::vector<double> sum(std::span<const PointSource> bright,
                            const std::vector<std::vector<double>>& weights, bool isLast,
                            JobContext& job) {
        const Channel& first = channels_[0];
        std::vector<double> total = first.good;
        std::vector<double> made = newVector<double>(std::ssize(total), job);
        std::vector<float> share(total.size());
        for (size_t i = 0; i < channels_.size(); ++i) {
            const Channel& c = channels_[i];
            std::vector<double> window = weights[i];
            if (i == 0)
                for (double& w : window) w -= 1.0;
            std::vector<double> seen = c.in->beam.bl;
            seen.resize(window.size(), 0.0);
            transform_->filter(without(c, bright, job), {window, seen}, made, share, job);
            const bool isWide = c.in->beam.fwhm() > kWider * first.in->beam.fwhm();
            for (size_t p = 0; p < total.size(); ++p) {
                total[p] += made[p];
                if (isLast && isWide && share[p] < kLeastOfBeam) total[p] = kNan;
            }
        }
        return total;
    }
    std::vector<PointSource> brightSources(const std::vector<double>& values, JobContext& job) {
        ImageToFilter image = sky_;
        image.values = values;
        image.noise.clear();
        image.isPerPixel = false;
        FilterParameters filter;
        filter.beam = channels_[0].in->beam;
        filter.lmax = asked_;
        return filterImage(std::move(image), filter, job).bright;
    }

    const ImageToFilter& sky_;
    int asked_;  // lmax of the request; -1: none
    SourcePixels pixels_;
    std::vector<Channel> channels_;
    double scale_ = 1.0;  // enlargement of all beams
    int lmax_ = 2, first_ = 2;
    int64_t blanks_ = 0;
    std::unique_ptr<SkyTransform> transform_;
};

}  // namespace

CombinedImage combinedImages(const ImageToFilter& sky, std::span<const ImageToCombine> images,
                             int lmax, JobContext& job) {
    JobContext preparing = job.part(0.0, 0.1), working = job.part(0.1, 1.0);
    ImageCombiner combiner(sky, images, lmax, preparing);
    return combiner.run(working);
}

}  // namespace armilla
