// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/filter_preview.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "armilla/core/gaussian.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_geometry.h"
#include "shared/new_alm.h"

namespace armilla::sources {

namespace {

constexpr double kCellsOfTaper = 2.0;

// f_l, tapered for cells of this nside.
std::vector<double> tapered(const PointFilter& filter, int64_t nside) {
    const double side = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
    const double sigma = kCellsOfTaper * side / kFwhmOfSigma;
    std::vector<double> fl = filter.fl;
    for (size_t l = 0; l < fl.size(); ++l) {
        const auto x = static_cast<double>(l);
        fl[l] *= std::exp(-0.5 * x * (x + 1.0) * sigma * sigma);
    }
    return fl;
}

}  // namespace

FilterPreview::FilterPreview(std::shared_ptr<const Alm> sky, std::vector<double> cl,
                             std::shared_ptr<const std::vector<double>> good)
    : sky_(std::move(sky)), cl_(std::move(cl)), good_(std::move(good)) {}

PointFilter FilterPreview::filterOf(const FilterParameters& parameters, int lmax) const {
    std::vector<double> cl = cl_;
    const size_t known = cl.size(), tenth = std::max<size_t>(1, known / 10);
    double level = 0.0;
    for (size_t l = known - tenth; l < known; ++l) level += cl[l] / static_cast<double>(tenth);
    cl.resize(static_cast<size_t>(lmax) + 1, level);
    return pointFilter(parameters.shape, parameters.beam, cl);
}

HealpixMap FilterPreview::map(const PointFilter& filter, int64_t nside, int64_t mapNside,
                              const HealpixMap& of, int field, const Device& device,
                              JobContext& job) {
    const int lmax = std::min(sky_->lmax(), static_cast<int>(2 * nside));
    if (!plan_ || plan_->parameters().nside != nside)
        plan_.emplace(ShtParameters{.nside = nside, .lmax = lmax}, device, job);
    const std::vector<double> fl = nside < mapNside ? tapered(filter, nside) : filter.fl;
    Alm through = newAlm(lmax, lmax, job);
    parallelFor(job, lmax + 1, orderGrain(lmax), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= std::min(lmax, static_cast<int>(fl.size()) - 1); ++l)
                through(l, m) = fl[static_cast<size_t>(l)] * (*sky_)(l, m);
    });
    std::vector<float> values = newVector<float>(pixelCount(nside), job);
    plan_->synthesis(through, MapSamples(std::span<float>(values)), job);
    if (good_)
        parallelFor(
            job, static_cast<long long>(values.size()), 1 << 13,
            [&](long long begin, long long end) {
                for (long long p = begin; p < end; ++p) {
                    const int64_t at = ringFromDirection(mapNside, directionFromRing(nside, p));
                    if (!std::isfinite((*good_)[static_cast<size_t>(at)]))
                        values[static_cast<size_t>(p)] = std::numeric_limits<float>::quiet_NaN();
                }
            });
    const Field& like = of.field(field);
    Field made{like.name, like.unit, DiskType::Float32, std::move(values)};
    return {nside, Ordering::Ring, of.frame(), oneField(std::move(made))};
}

int64_t FilterPreview::memoryBytes() const {
    return almBytes(sky_->lmax(), sky_->mmax());
}

Alm FilterPreview::sky(int lmax, const JobContext& job) const {
    Alm fitted = newAlm(lmax, lmax, job);
    const int last = std::min(lmax, sky_->lmax());
    for (int m = 0; m <= last; ++m)
        for (int l = m; l <= last; ++l) fitted(l, m) = (*sky_)(l, m);
    return fitted;
}

}  // namespace armilla::sources
