// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/good_sky.h"

#include <cmath>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/monopole.h"

namespace armilla::sources {

namespace {

// Minimum fraction of the sky for the fit of a dipole.
constexpr double kLeastSky = 0.1;

struct FiniteSum {
    double sum = 0.0;
    int64_t count = 0;
};
FiniteSum finiteSum(std::span<const double> values, JobContext& job) {
    std::vector<FiniteSum> parts(values.size() / kPixelGrain + 1);
    parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    FiniteSum& part = parts[static_cast<size_t>(begin / kPixelGrain)];
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                        if (std::isfinite(values[p])) {
                            part.sum += values[p];
                            ++part.count;
                        }
                });
    FiniteSum all;
    for (const FiniteSum& part : parts) {
        all.sum += part.sum;
        all.count += part.count;
    }
    return all;
}

}  // namespace

void checkMask(const HealpixMap& mask, Frame frame) {
    if (mask.fieldCount() < 1) throw InvalidArgument("expected a mask with a field, found none");
    if (mask.frame() != Frame::Unknown && frame != Frame::Unknown && mask.frame() != frame)
        throw InvalidArgument("expected a mask in the map's frame, " +
                              std::string(frameName(frame)) + ", found " +
                              std::string(frameName(mask.frame())));
}

void cutMask(const HealpixMap& mask, int64_t nside, const Mat3& maskFromMap, std::span<double> ring,
             JobContext& job) {
    // A lookup takes a quarter of a microsecond on one CPU core.
    parallelFor(job, static_cast<long long>(ring.size()), 1 << 13,
                [&](long long begin, long long end) {
                    for (long long p = begin; p < end; ++p) {
                        const Vec3 at = maskFromMap * directionFromRing(nside, p);
                        if (!(mask.value(0, mask.pixelAt(at)) > 0.5))
                            ring[static_cast<size_t>(p)] = kNan;
                    }
                });
}

double removeLargest(int64_t nside, std::span<double> ring, JobContext& job) {
    const FiniteSum sum = finiteSum(ring, job);
    if (sum.count == 0) throw InvalidArgument("expected good pixels in the map, found none");
    const double mean = sum.sum / static_cast<double>(sum.count);
    parallelFor(job, static_cast<long long>(ring.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (long long p = begin; p < end; ++p) ring[static_cast<size_t>(p)] -= mean;
                });
    const double share = static_cast<double>(sum.count) / static_cast<double>(ring.size());
    if (share >= kLeastSky) removeMonopoleDipole(nside, ring, job);
    return share;
}

}  // namespace armilla::sources
