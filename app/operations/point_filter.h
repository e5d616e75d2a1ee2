// SPDX-License-Identifier: GPL-3.0-or-later
// What `filter` and `sources` share: the filter's parameters, its inputs, and what is said of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "operations/operation.h"
#include "ops/filter.h"

namespace armilla {

struct PointFilterOptions {
    std::optional<double> fwhm;
    FilterType type = FilterType::Matched;
    int order = 2;
    std::optional<double> scale;
    bool pixelWindow = false;
    std::optional<int64_t> lmax;
    double edge = 0.7;
};
void describePointFilter(Description& d, PointFilterOptions& p);
Problems checkPointFilter(const PointFilterOptions& options, const GivenSlots& given);

// MAP and the options beam, background, noise and mask.
std::vector<InputSlot> pointFilterInputs();

// One field of the map, of one order, in the precision that is asked for.
std::shared_ptr<const HealpixMap> mapToFilter(Context& context, Inputs& inputs);
FilterParameters filterParameters(const Context& context, const Inputs& inputs,
                                  const PointFilterOptions& options, const HealpixMap& map);
// Figures of the filter for --json, and a few words for people.
std::string tellFilter(Context& context, const FilteredSky& sky, const FilterParameters& parameters,
                       const std::string& unit);

}  // namespace armilla
