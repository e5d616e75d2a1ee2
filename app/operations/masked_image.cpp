// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of weight times the planes of an image on rings, as masked spectra take them.
#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/mask_weights.h"
#include "armilla/ops/purify.h"
#include "armilla/ops/ring_monopole.h"
#include "armilla/ops/spectrum.h"
#include "masked_fields.h"
#include "ring_samples.h"
#include "stokes.h"

namespace armilla {

namespace {

// Weights of the samples of `grid` from the first plane of an image of the same complete grid; 0
// beyond it.
UnsetVector<double> weightsOfImage(const Image& mask, const Image& image, const RingImage& grid,
                                   JobContext& job) {
    const RingImage own = partOfRings(mask);
    const double step = kTwoPi / static_cast<double>(grid.rows.columns);
    const double offset = std::remainder(own.firstLongitude - grid.firstLongitude, kTwoPi) / step;
    const bool isSameFrame =
        mask.frame == image.frame && ImageWcs(mask).equatorial() == ImageWcs(image).equatorial();
    const bool isSameGrid =
        own.rows.rows == grid.rows.rows && own.rows.columns == grid.rows.columns &&
        own.rows.hasPoles == grid.rows.hasPoles && std::abs(offset - std::round(offset)) < 0.02;
    if (!isSameFrame || !isSameGrid)
        throw InvalidArgument(
            "expected a mask with the pixels of the image, found another " +
            std::string(isSameFrame ? "grid" : "frame") +
            "; armilla mask makes one from the image, and a HEALPix mask is taken too");
    const int64_t columns = grid.rows.columns, shift = std::llround(offset);
    auto weights = newUnsetVector<double>(grid.rows.count * columns, job);
    std::fill(weights.begin(), weights.end(), 0.0);
    for (int64_t i = 0; i < grid.rows.count; ++i) {
        const int64_t row = grid.rows.first + i - own.rows.first;
        if (row < 0 || row >= own.rows.count) continue;
        for (int64_t c = 0; c < own.width; ++c)
            weights[static_cast<size_t>(i * columns + (c + shift + columns) % columns)] =
                maskWeight(mask.at(own.columnFromWest(c), own.rowFromNorth(row)));
    }
    return weights;
}

// Weights of the samples from the pixels of a HEALPix mask that hold their centers.
UnsetVector<double> weightsOfMap(const HealpixMap& mask, const Image& image, const RingImage& grid,
                                 JobContext& job) {
    if (mask.frame() == Frame::Unknown || image.frame == Frame::Unknown)
        throw InvalidArgument(
            "expected image and mask in known frames, found one without; state it with "
            "--input-frame");
    const Mat3 turn = frameRotation(mask.frame(), image.frame);
    const std::vector<Vec3> centers = pixelDirections(gridOf(image), job);
    auto weights = newUnsetVector<double>(grid.rows.count * grid.rows.columns, job);
    std::fill(weights.begin(), weights.end(), 0.0);
    parallelFor(job, grid.rows.count, 1, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i)
            for (int64_t c = 0; c < grid.width; ++c) {
                const Vec3 at = centers[static_cast<size_t>(grid.rowFromNorth(i) * image.width +
                                                            grid.columnFromWest(c))];
                weights[static_cast<size_t>(i * grid.rows.columns + c)] =
                    maskWeight(mask.value(0, mask.pixelAt(turn * at)));
            }
    });
    return weights;
}

// Weights of the samples: those of the mask, 0 at samples that are bad in any plane or absent.
UnsetVector<double> weightsOf(const Input* mask, const Image& image, const RingImage& grid,
                              const RingSamples& samples, JobContext& job) {
    UnsetVector<double> weights;
    if (mask == nullptr) {
        weights = newUnsetVector<double>(std::ssize(samples.planes.front()), job);
        forPixels(weights.size(), job, [&](size_t i) { weights[i] = 1.0; });
    } else {
        weights = naming(mask->name, [&] {
            return isImage(*mask) ? weightsOfImage(mask->image(), image, grid, job)
                                  : weightsOfMap(mask->map(), image, grid, job);
        });
    }
    for (const std::vector<double>& plane : samples.planes)
        forPixels(weights.size(), job, [&](size_t i) {
            if (std::isnan(plane[i])) weights[i] = 0.0;
        });
    return weights;
}

// The largest difference of weights between neighbors in rows and columns.
double largestStep(const RingImage& grid, std::span<const double> weights) {
    const int64_t columns = grid.rows.columns;
    double largest = 0.0;
    for (int64_t i = 0; i < grid.rows.count; ++i)
        for (int64_t c = 0; c < columns; ++c) {
            const auto at = static_cast<size_t>(i * columns + c);
            const auto east = static_cast<size_t>(i * columns + (c + 1) % columns);
            largest = std::max(largest, std::abs(weights[at] - weights[east]));
            // Beyond the rows of the image the mask is 0, unless a pole ends the sky there.
            const bool isLast = i + 1 == grid.rows.count;
            if (isLast && grid.rows.first + i + 1 == grid.rows.rows) continue;
            const double below = isLast ? 0.0 : weights[at + static_cast<size_t>(columns)];
            largest = std::max(largest, std::abs(weights[at] - below));
            if (i == 0 && grid.rows.first > 0) largest = std::max(largest, weights[at]);
        }
    return largest;
}

void multiply(std::vector<double>& plane, std::span<const double> weights, JobContext& job) {
    forPixels(plane.size(), job,
              [&](size_t i) { plane[i] = weightedSample(plane[i], weights[i]); });
}

std::vector<Alm> coefficients(const RingImage& grid, RingSamples samples, const MaskedFields& of,
                              const AnafastOptions& options, const Device& device,
                              JobContext& job) {
    JobContext planning = job.part(0.0, 0.1), first = job.part(0.1, 0.5),
               second = job.part(0.5, 1.0);
    const RingAnalysis analysis(grid, of.parameters, device, planning);
    std::vector<double> q, u;
    if (options.purify != Purify::None) {
        q = samples.planes[1];
        u = samples.planes[2];
        for (std::vector<double>* plane : {&q, &u})
            forPixels(plane->size(), first, [&](size_t i) {
                if (of.weights[i] == 0.0) (*plane)[i] = 0.0;
            });
    }
    for (std::vector<double>& plane : samples.planes) multiply(plane, of.weights, first);
    std::vector<Alm> alm =
        analysis.analyze(std::move(samples.planes), options.polarization, 0, first);
    // A mask of ones has no edge that mixes E and B.
    if (options.purify == Purify::None || of.mask.lmax() < 0) return alm;
    ShtParameters parameters = of.parameters;
    parameters.lmax = of.mask.lmax();
    parameters.mmax = of.mask.mmax();
    const ShtPlan synthesis(ringsOf(grid), parameters, device, second);
    PurifyTransforms transforms;
    transforms.synthesis = [&](int spin, std::span<const Alm, 2> from, std::span<double> one,
                               std::span<double> other, JobContext& part) {
        synthesis.synthesisSpin(spin, from, one, other, part);
    };
    transforms.analysis = [&](int spin, std::vector<double> one, std::vector<double> other,
                              JobContext& part) {
        std::vector<std::vector<double>> planes;
        planes.push_back(std::move(one));
        planes.push_back(std::move(other));
        if (spin > 0) return analysis.analyze(std::move(planes), false, spin, part);
        std::vector<Alm> both;
        for (std::vector<double>& plane : planes) {
            std::vector<std::vector<double>> single;
            single.push_back(std::move(plane));
            both.push_back(std::move(analysis.analyze(std::move(single), false, 0, part).front()));
        }
        return both;
    };
    purify(std::span<Alm, 2>(alm.data() + 1, 2), of.mask, q, u,
           {options.pureE(), options.pureB(), of.parameters}, transforms, second);
    return alm;
}

}  // namespace

MaskedFields analyzeMaskedImage(Context& context, const Input& input, const Input* mask,
                                const AnafastOptions& options, const JobContext& job,
                                AnalysisFor use, const MaskedFields* before) {
    JobContext preparing = job.part(0.0, 0.2), weighing = job.part(0.2, 0.4),
               working = job.part(0.4, 0.95), turning = job.part(0.95, 1.0);
    const Image& image = input.image();
    return naming(input.name, [&] {
        auto [grid, rotation, rings, samples] = openRings(context, input, options, 0, preparing);
        MaskedFields result;
        result.set.frame = image.frame;
        result.set.unit = image.unit;
        result.image = grid;
        result.isPurified = options.purify != Purify::None;
        result.parameters = parametersOf(options, 0);
        if (result.parameters.mmax < 0) result.parameters.mmax = result.parameters.lmax;
        if (mask != nullptr && isImage(*mask) && mask->image().planes.size() > 1)
            context.note(mask->name + ": its first plane is the mask of all planes");
        if (mask != nullptr && !isImage(*mask))
            compareFrames({input.name, image.frame}, {mask->name, mask->map().frame()},
                          context.note);
        result.weights = weightsOf(mask, image, grid, samples, preparing);
        const auto areAll = [&](double value) {
            return std::all_of(result.weights.begin(), result.weights.end(),
                               [value](double w) { return w == value; });
        };
        result.isWhole = grid.isWholeSky() && areAll(1.0);
        if (areAll(0.0))
            throw InvalidArgument("expected a good pixel where the mask is above 0, found none");
        const double step =
            options.purify == Purify::None ? 0.0 : largestStep(grid, result.weights);
        requireSmoothMask(step, mask != nullptr ? mask->name : input.name);
        result.taken =
            takeOut(options.remove, rings, samples.planes.front(), result.weights, preparing);
        noteMean(context, input.name, result.taken, image.unit);
        result.hasMaskOfBefore = before != nullptr && haveSameMask(*before, result, preparing);
        if (result.hasMaskOfBefore)
            result.mask = before->mask;
        else if (!result.isWhole && use != AnalysisFor::CoefficientsOfMap)
            result.mask =
                std::move(maskCoefficients(result, {std::span<const double>(result.weights)},
                                           context.device, weighing)
                              .front());
        result.set.alm =
            coefficients(grid, std::move(samples), result, options, context.device, working);
        if (rotation) rotateAlm(result.set.alm, *rotation, context.device, turning);
        context.note(grid.isWholeSky() ? "exact quadrature of the whole sky"
                                       : "quadrature weights of the complete grid");
        return result;
    });
}

std::vector<Alm> analyzeImageLike(Context& context, const Input& input, const MaskedFields& like,
                                  const AnafastOptions& options, JobContext& job) {
    const Image& image = input.image();
    const RingImage grid = partOfRings(image);
    if (!areSameRings(grid, *like.image) || image.frame != like.set.frame)
        throw InvalidArgument(
            "expected an image of noise with the pixels of the image, found "
            "other pixels");
    const ChosenPlanes chosen = chosenPlanes(context, input, options.polarization, 0);
    RingSamples samples = samplesOf(image, grid, ringsOf(grid), chosen, job);
    noteAbsent(context, input.name, samples);
    for (std::vector<double>& plane : samples.planes)
        for (double& value : plane)
            if (std::isnan(value)) value = 0.0;
    return coefficients(grid, std::move(samples), like, options, context.device, job);
}

}  // namespace armilla
