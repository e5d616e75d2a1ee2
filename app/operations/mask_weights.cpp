// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/mask_weights.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "ring_image.h"

namespace armilla {

void requireMaskRange(double least, double most) {
    // Rounding to single precision and interpolation may exceed the range slightly.
    constexpr double kBeyond = 1e-6;
    if (least < -kBeyond || most > 1.0 + kBeyond)
        throw InvalidArgument("expected a mask with values from 0 to 1, found " +
                              std::to_string(least < -kBeyond ? least : most));
}

void requireMask(const HealpixMap& map, int field) {
    double least = 0.0, most = 0.0;
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const double value = map.field(field).at(i);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    requireMaskRange(least, most);
    if (!(most > 0.0)) throw InvalidArgument("expected a mask with a pixel above 0, found none");
}

void requireHealpixMask(const Input& mask) {
    if (isImage(mask))
        throw UsageError("--" + std::string(mask.slot) + ": expected a HEALPix mask, found " +
                         mask.name + ", which is an image (armilla convert --nside)");
}

double maskWeight(double value) {
    if (std::isnan(value)) return 0.0;
    requireMaskRange(value, value);
    return std::max(0.0, value);
}

UnsetVector<double> maskWeights(const HealpixMap& mask, int64_t nside, Frame frame, JobContext& job,
                                UnsetVector<double> memory) {
    HealpixMap changed;
    double scale = 1.0;
    const HealpixMap* from = &mask;
    // A mask that has the pixels already is read where it is.
    if (mask.coverage() != Coverage::Full || mask.ordering() != Ordering::Ring ||
        mask.nside() != nside || mask.frame() != frame) {
        HealpixMap one = withFields(mask, {0});
        if (one.coverage() == Coverage::MultiOrder) {
            one = flattened(one, 0, job);
            if (one.nside() < nside) one = udgraded(one, nside, {Degrade::Mean, false}, job);
        }
        // Rotation interpolates between listed and missing pixels, which weigh 0. Full maps of
        // finer pixels would take gigabytes, for an error that is as small as these pixels.
        if (one.frame() != frame && one.coverage() == Coverage::Partial &&
            one.nside() <= kMaxFlattenNside)
            one = toFull(one, job);
        // Bad pixels weigh 0, also in means and interpolations with good ones.
        fillBadPixels(one.field(0), job);
        if (one.frame() != frame) {
            if (one.frame() == Frame::Unknown || frame == Frame::Unknown)
                throw InvalidArgument(
                    "expected map and mask in known frames, found one without; state it with "
                    "--input-frame");
            one = rotatedFrame(one, frame, job);
        }
        if (one.nside() > nside && one.coverage() == Coverage::Partial) {
            // Missing pixels count as 0 in the mean.
            const double ratio = static_cast<double>(nside) / static_cast<double>(one.nside());
            scale = ratio * ratio;
            one = udgraded(one, nside, {Degrade::Sum, false}, job);
        } else if (one.nside() != nside) {
            one = udgraded(one, nside, {Degrade::Mean, false}, job);
        }
        changed = fullRing(std::move(one), job);
        from = &changed;
    }
    UnsetVector<double> weights = static_cast<int64_t>(memory.size()) == from->pixelCount()
                                      ? std::move(memory)
                                      : newUnsetVector<double>(from->pixelCount(), job);
    std::visit(
        [&](const auto& values) {
            const auto count = static_cast<long long>(weights.size());
            parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
                // Without a branch for each pixel, so that the loop vectorizes. NaN exceeds nothing
                // and becomes 0.
                double least = 0.0, most = 0.0;
                for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                    const double weight = scale * static_cast<double>(values[i]);
                    least = weight < least ? weight : least;
                    most = weight > most ? weight : most;
                    weights[i] = weight > 0.0 ? weight : 0.0;
                }
                requireMaskRange(least, most);
            });
        },
        from->field(0).values);
    return weights;
}

}  // namespace armilla
