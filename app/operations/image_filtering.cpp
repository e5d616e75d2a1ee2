// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_filtering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/brightness.h"
#include "armilla/ops/combine_images.h"
#include "armilla/ops/spectrum.h"
#include "image_sampler.h"
#include "ring_samples.h"

namespace armilla {

namespace {

// Rings that cover a smaller share of the sky are transformed on tangent planes: a transform on
// rings takes all multipoles, however small the image is.
constexpr double kLeastShare = 0.02;

// Harmonic transforms on the rings of an image.
class RingSkyTransform final : public SkyTransform {
public:
    RingSkyTransform(RingImage grid, int lmax, const Device& device, JobContext& job)
        : grid_(std::move(grid)),
          rings_(ringsOf(grid_)),
          parameters_{.lmax = lmax},
          analysis_(grid_, parameters_, device, job),
          synthesis_(rings_, parameters_, device, job) {}

    std::string remark() const { return analysis_.remark(); }

    using SkyTransform::spectrum;
    std::vector<double> spectrum(std::span<const double> one, std::span<const double> other,
                                 JobContext& job) override {
        double share = 0.0;
        const std::vector<Alm> first = analyzed(one, share, job);
        std::vector<double> cl = one.data() == other.data()
                                     ? powerSpectra(first, job).cl[0]
                                     : powerSpectra(first, analyzed(other, share, job), job).cl[0];
        for (double& c : cl) c /= share;
        return cl;
    }
    void filter(std::span<const double> values, const Windows& windows, std::span<double> out,
                std::span<float> share, JobContext& job) override {
        double goodShare = 0.0;
        convolve(analyzed(values, goodShare, job), windows.filter, job,
                 [&](size_t pixel, double value) { out[pixel] = value; });
        // Without bad or absent pixels the share is 1, and needs no transform.
        if (goodShare > 1.0 - 1e-9) return std::fill(share.begin(), share.end(), 1.0F);
        std::vector<double> isGood(values.size());
        for (size_t p = 0; p < values.size(); ++p) isGood[p] = std::isfinite(values[p]) ? 1.0 : 0.0;
        convolve(coefficients(isGood, 0.0, job), windows.response, job,
                 [&](size_t pixel, double value) { share[pixel] = static_cast<float>(value); });
    }

    void localMean(std::span<const double> values, std::span<const double> window,
                   std::span<double> out, JobContext& job) override {
        std::vector<double> isGood(values.size());
        for (size_t p = 0; p < values.size(); ++p) isGood[p] = std::isfinite(values[p]) ? 1.0 : 0.0;
        std::vector<double> weights(values.size());
        convolve(coefficients(isGood, 0.0, job), window, job,
                 [&](size_t pixel, double value) { weights[pixel] = value; });
        convolve(coefficients(values, 0.0, job), window, job, [&](size_t pixel, double value) {
            out[pixel] = weights[pixel] > 0.0 ? value / weights[pixel] : kNan;
        });
    }

private:
    // Calls visit(pixel of the image, sample of the rings, ring).
    template <class Visit>
    void forEachPixel(const Visit& visit) const {
        for (int64_t i = 0; i < grid_.rows.count; ++i)
            for (int64_t c = 0; c < grid_.width; ++c)
                visit(static_cast<size_t>(grid_.rowFromNorth(i) * grid_.width +
                                          grid_.columnFromWest(c)),
                      static_cast<size_t>(i * grid_.rows.columns + c),
                      rings_.rings[static_cast<size_t>(i)]);
    }
    // Synthesizes the product with a window; place(pixel, value) takes the result.
    template <class Place>
    void convolve(std::vector<Alm> alm, std::span<const double> window, JobContext& job,
                  const Place& place) const {
        Alm& a = alm.front();
        for (int m = 0; m <= a.mmax(); ++m)
            for (int l = m; l <= a.lmax(); ++l)
                a(l, m) *=
                    static_cast<size_t>(l) < window.size() ? window[static_cast<size_t>(l)] : 0.0;
        std::vector<double> samples = newVector<double>(rings_.sampleCount(), job);
        synthesis_.synthesis(a, MapSamples(std::span<double>(samples)), job);
        forEachPixel(
            [&](size_t pixel, size_t sample, const Ring&) { place(pixel, samples[sample]); });
    }
    // Coefficients of the values less `mean`; bad pixels count as zero then.
    std::vector<Alm> coefficients(std::span<const double> values, double mean,
                                  JobContext& job) const {
        std::vector<std::vector<double>> samples;
        samples.push_back(newVector<double>(rings_.sampleCount(), job));
        forEachPixel([&](size_t pixel, size_t sample, const Ring&) {
            if (std::isfinite(values[pixel])) samples[0][sample] = values[pixel] - mean;
        });
        return analysis_.analyze(std::move(samples), false, 0, job);
    }
    // Coefficients about the mean; bad pixels count as the mean. `share`: of the sky that is good.
    std::vector<Alm> analyzed(std::span<const double> values, double& share,
                              JobContext& job) const {
        double sum = 0.0, weights = 0.0;
        forEachPixel([&](size_t pixel, size_t, const Ring& ring) {
            if (!std::isfinite(values[pixel])) return;
            sum += ring.weight * values[pixel];
            weights += ring.weight;
        });
        share = weights / (4.0 * kPi);
        return coefficients(values, weights > 0.0 ? sum / weights : 0.0, job);
    }

    RingImage grid_;
    RingGrid rings_;
    ShtParameters parameters_;
    RingAnalysis analysis_;
    ShtPlan synthesis_;
};

// Window of square pixels of one solid angle: the mean over position angles of the transform of a
// square.
std::vector<double> windowOfPixels(double area, size_t size) {
    constexpr int kAngles = 32;  // in a quarter turn; the integrand is smooth and periodic
    const double half = 0.5 * std::sqrt(area);
    const auto sinc = [](double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; };
    std::vector<double> window(size, 0.0);
    for (size_t l = 0; l < size; ++l)
        for (int i = 0; i < kAngles; ++i) {
            const double angle = (i + 0.5) * kHalfPi / kAngles;
            const double k = (static_cast<double>(l) + 0.5) * half;
            window[l] += sinc(k * std::cos(angle)) * sinc(k * std::sin(angle)) / kAngles;
        }
    return window;
}

// The beam with the window of the image's pixels. Throws UsageError for pixels of several sizes.
PointBeam beamWithPixels(const PointBeam& beam, const std::vector<double>& areas,
                         const std::string& name) {
    constexpr double kMostUnequal = 1.1;
    double least = std::numeric_limits<double>::infinity(), most = 0.0, sum = 0.0, count = 0.0;
    for (const double area : areas) {
        if (!std::isfinite(area)) continue;
        least = std::min(least, area);
        most = std::max(most, area);
        sum += area;
        count += 1.0;
    }
    if (!(most <= kMostUnequal * least))
        throw UsageError(
            "--pixel-window: expected pixels whose solid angles differ by at most "
            "10 %, found " +
            name + ", whose pixels differ more");
    const double area = sum / count * beam.enlargement * beam.enlargement;
    return PointBeam::fromWindow(beam.bl, windowOfPixels(area, beam.bl.size()), beam.enlargement);
}

// Values at the pixels of an image, from an image of the same pixels or from a field of a HEALPix
// map at the centers; NaN off the sky. Throws InvalidArgument with `refusal` for an image of other
// pixels.
std::vector<double> valuesAtPixels(const Input& from, int field, const Image& image,
                                   const std::vector<Vec3>& centers, const char* refusal) {
    std::vector<double> values(centers.size(), kNan);
    if (isImage(from)) {
        const Image& own = from.image();
        if (!areSamePixels(own, image)) throw InvalidArgument(refusal);
        for (size_t p = 0; p < values.size(); ++p) {
            const auto at = static_cast<int64_t>(p);
            values[p] = own.at(at % image.width, at / image.width);
        }
        return values;
    }
    const HealpixMap& map = from.map();
    const bool isTurned = map.frame() != Frame::Unknown && image.frame != Frame::Unknown;
    const Mat3 turn = isTurned ? frameRotation(map.frame(), image.frame) : Mat3{};
    for (size_t p = 0; p < values.size(); ++p)
        if (std::isfinite(centers[p].z))
            values[p] = map.value(field, map.pixelAt(isTurned ? turn * centers[p] : centers[p]));
    return values;
}

// Sets NaN where a mask is at most one half.
void cutMask(const Input& mask, const Image& image, const std::vector<Vec3>& centers,
             std::vector<double>& values) {
    const std::vector<double> weights = valuesAtPixels(
        mask, 0, image, centers,
        "expected a mask with the pixels of the image, found other pixels; armilla mask makes one "
        "from the image, and a HEALPix mask is taken too");
    for (size_t p = 0; p < values.size(); ++p)
        if (!(weights[p] > 0.5)) values[p] = kNan;
}

std::vector<double> valuesOf(const Image& image, int plane) {
    return std::visit(
        [&](const auto& all) {
            const auto begin = all.begin() + plane * image.planeSize();
            return std::vector<double>(begin, begin + image.planeSize());
        },
        image.values);
}

// Values of MAP and --map2 together, on the pixels of `sky`. `filtered` holds values and plane of
// MAP; its beam becomes that of MAP.
std::vector<double> combined(Context& context, const Inputs& inputs,
                             const PointFilterOptions& options, const ImageToFilter& sky,
                             const FilteredImage& filtered, const Input* mask, JobContext& job) {
    const double enlargement = filtered.parameters.beam.enlargement;
    const Input& first = inputs["MAP"];
    const Image& image = first.image();
    const std::vector<const Input*> others = inputs.several("map2");
    double area = 0.0, count = 0.0;
    for (const double each : sky.areas)
        if (std::isfinite(each)) {
            area += each;
            count += 1.0;
        }
    std::vector<ObservedMap> observed{{first.name, image.unit, area / count}};
    std::vector<ImageToCombine> images;
    const auto add = [&](std::vector<double> values, const std::string& unit) {
        if (mask != nullptr)
            naming(mask->name, [&] { cutMask(*mask, image, sky.centers, values); });
        images.push_back({std::move(values), {}, 1.0, isPerPixel(unit)});
    };
    add(filtered.values, image.unit);
    for (const Input* other : others) {
        if (!isImage(*other))
            throw UsageError("--map2: expected an image, as MAP is, found " + other->name +
                             ", which is a map (armilla project --like brings it onto the pixels "
                             "of MAP)");
        const Image& own = other->image();
        if (!areSamePixels(own, image))
            throw InvalidArgument(other->name + ": expected the pixels of " + first.name + " (" +
                                  sizeOf(image) + "), found other ones (" + sizeOf(own) +
                                  "); armilla project --like brings an image onto them");
        observed.push_back({other->name, own.unit, area / count});
        add(valuesOf(own, planeNamed(own, other->field)), own.unit);
    }
    const std::vector<PointSignal> signals = pointSignals(
        context, inputs, options, observed, [&](const Input* file, double fwhm, size_t i) {
            const PointBeam beam = file != nullptr
                                       ? beamOfFile(*file)
                                       : beamOfOption(fwhm, enlargement, i == 0 ? "fwhm" : "fwhm2");
            return options.pixelWindow ? beamWithPixels(beam, sky.areas, observed[i].name) : beam;
        });
    for (size_t i = 0; i < images.size(); ++i) {
        images[i].beam = signals[i].beam;
        images[i].response = signals[i].response;
    }
    CombinedImage result = naming(first.name, [&] {
        return combinedImages(sky, images, static_cast<int>(options.lmax.value_or(-1)), job);
    });
    tellCombination(context, images.size(), result.noiseAlone, result.noiseTogether, result.remark);
    return std::move(result.values);
}

}  // namespace

FilteredImage filteredImage(Context& context, const Inputs& inputs,
                            const PointFilterOptions& options, JobContext& job,
                            const std::vector<double>* replaced) {
    const Input& input = inputs["MAP"];
    const Image& image = input.image();
    const double share = inputs.has("map2") && replaced == nullptr ? 0.5 : 0.1;
    JobContext preparing = job.part(0.0, 0.1), combining = job.part(0.1, share),
               working = job.part(share, 1.0);
    FilteredImage result;
    result.plane = planeNamed(image, input.field);
    ImageToFilter request;
    naming(input.name, [&] {
        request.centers = pixelDirections(gridOf(image), preparing);
        request.areas = solidAngles(image, request.centers, preparing);
    });
    result.values = valuesOf(image, result.plane);
    noteScalarPlane(context, image.planes[static_cast<size_t>(result.plane)], "");
    if (replaced != nullptr) result.values = *replaced;
    if (const Input* noise = inputs.find("noise"); noise != nullptr && noise->literal.empty())
        request.noise = naming(noise->name, [&] {
            return valuesAtPixels(*noise, noise->fields.empty() ? 0 : noise->fields.front(), image,
                                  request.centers,
                                  "expected a map of noise with the pixels of the image, or in "
                                  "HEALPix, found other pixels");
        });
    request.width = image.width;
    double sky = 0.0;
    for (const double area : request.areas)
        if (std::isfinite(area)) sky += area / (4.0 * kPi);
    std::optional<RingImage> rings;
    if (sky >= kLeastShare) {
        try {
            rings = partOfRings(image);
        } catch (const InvalidArgument&) {
            // Other projections are transformed on tangent planes.
        }
    }
    if (rings) {
        request.mostLmax = static_cast<int>(mostOf(*rings));
        request.makeTransform = [&](int lmax, JobContext& planning) {
            auto transform =
                std::make_unique<RingSkyTransform>(*rings, lmax, context.device, planning);
            if (!transform->remark().empty()) context.note(transform->remark());
            return transform;
        };
    }
    if (rings) noteSteps(context, input.name, *rings);
    context.note(rings ? "transforms on the rings of the image"
                       : "transforms on tangent planes, by patches");
    context.figures.set("transforms", rings ? "rings" : "patches");
    result.parameters =
        imageFilterParameters(inputs, options, rings ? 1.0 : planeEnlargement(inputs, options));
    if (options.pixelWindow)
        result.parameters.beam = beamWithPixels(result.parameters.beam, request.areas, input.name);
    const Input* const mask = inputs.find("mask");
    if (inputs.has("map2") && replaced == nullptr)
        result.values = combined(context, inputs, options, request, result, mask, combining);
    request.isPerPixel = isPerPixel(image.unit);
    request.values = result.values;
    if (mask != nullptr)
        naming(mask->name, [&] { cutMask(*mask, image, request.centers, request.values); });
    result.sky = naming(
        input.name, [&] { return filterImage(std::move(request), result.parameters, working); });
    return result;
}

std::shared_ptr<const Image> imageLike(const Context& context, const Image& like, int plane,
                                       std::string name, std::string unit,
                                       const std::vector<double>& values) {
    auto image = std::make_shared<Image>(imageOn(gridOf(like)));
    image->planes = {like.planes[static_cast<size_t>(plane)]};
    if (!name.empty()) image->planes.front().name = std::move(name);
    image->name = like.name;
    image->unit = std::move(unit);
    image->cards = like.cards;
    image->history = like.history;
    const bool isSingle =
        context.precision == StoredPrecision::Single ||
        (context.precision != StoredPrecision::Double && like.values.index() == 0);
    if (isSingle)
        image->values = std::vector<float>(values.begin(), values.end());
    else
        image->values = values;
    return image;
}

std::string sizeOf(const Image& image) {
    return std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels";
}

}  // namespace armilla
