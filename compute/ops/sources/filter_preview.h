// SPDX-License-Identifier: GPL-3.0-or-later
// The filtered sky while sliders move: one synthesis of existing coefficients.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/device.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/sht.h"

namespace armilla::sources {

// Results of the last completed preparation. Not thread-safe.
class FilterPreview {
public:
    // `sky`: coefficients of the whole sky with bright sources and filled holes; `cl`: C_l of the
    // background; the map in RING order with NaN for bad pixels, if there are any.
    FilterPreview(std::shared_ptr<const Alm> sky, std::vector<double> cl,
                  std::shared_ptr<const std::vector<double>> good);

    // Beyond the l of C_l, the mean of their last tenth applies, which is noise where a beam has
    // decayed.
    PointFilter filterOf(const FilterParameters& parameters, int lmax) const;
    // A full RING map in single precision of `nside`, to l = 2 nside within the known l. For an
    // nside below the map's, a Gaussian of two cell sides is applied, because a sharp cut in l
    // would ring. Bad where the map is bad at a cell's center.
    HealpixMap map(const PointFilter& filter, int64_t nside, int64_t mapNside, const HealpixMap& of,
                   int field, const Device& device, JobContext& job);
    int lmax() const { return sky_->lmax(); }
    // The coefficients to the requested l, zero beyond the known l.
    Alm sky(int lmax, const JobContext& job) const;
    const std::vector<double>* good() const { return good_.get(); }
    int64_t memoryBytes() const;

private:
    std::shared_ptr<const Alm> sky_;
    std::vector<double> cl_;
    std::shared_ptr<const std::vector<double>> good_;
    std::optional<ShtPlan> plan_;  // plan of the last map
};

}  // namespace armilla::sources
