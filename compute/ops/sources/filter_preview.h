// SPDX-License-Identifier: GPL-3.0-or-later
// The sky through a filter while its sliders move: one synthesis of coefficients that are there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/harmonics.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/device.h"
#include "ops/filter.h"
#include "ops/sht.h"

namespace armilla::sources {

// What the last preparation that came to its end has left. Not thread-safe.
class FilterPreview {
public:
    // The coefficients of the whole sky, bright sources in it and holes filled; C_l of what is not
    // a source; the map in RING order, NaN where bad, if any pixel is.
    FilterPreview(std::shared_ptr<const Alm> sky, std::vector<double> cl,
                  std::shared_ptr<const std::vector<double>> good);

    // Beyond the l of C_l by the mean of its last tenth, which is noise where a beam has faded.
    PointFilter filterOf(const FilterParameters& parameters, int lmax) const;
    // A full RING map of single precision of `nside`, to l = 2 nside and what is known of the sky;
    // coarser than the map also through a Gaussian of two cells' sides, since an edge in l would
    // ring. Bad where the map is at a cell's center.
    HealpixMap map(const PointFilter& filter, int64_t nside, int64_t mapNside, const HealpixMap& of,
                   int field, const Device& device, JobContext& job);
    int lmax() const { return sky_->lmax(); }
    // The coefficients with as many l as asked for, zero where they are not known.
    Alm sky(int lmax, const JobContext& job) const;
    const std::vector<double>* good() const { return good_.get(); }
    int64_t memoryBytes() const;

private:
    std::shared_ptr<const Alm> sky_;
    std::vector<double> cl_;
    std::shared_ptr<const std::vector<double>> good_;
    std::optional<ShtPlan> plan_;  // of the last map
};

}  // namespace armilla::sources
