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
    std::string frequency;
    // Of --map2, in their order.
    std::vector<double> fwhm2;
    std::vector<std::string> frequency2;
    std::optional<double> index;
    std::vector<double> response2;
};
// Hertz of "28.4GHz"; none for other text.
std::optional<double> frequencyOf(const std::string& text);
// Notes which scale of temperature is taken for a map in plain kelvins, whose flux densities depend
// on it.
void noteKelvins(const Context& context, const std::string& name, const std::string& unit,
                 std::optional<double> frequency);
// The row `fwhm` of a beam that is Gaussian.
void describeBeamWidth(Description& d, std::optional<double>& fwhm);
void describePointFilter(Description& d, PointFilterOptions& p);
Problems checkPointFilter(const PointFilterOptions& options, const GivenSlots& given);

// MAP and the options beam, background, noise and mask.
std::vector<InputSlot> pointFilterInputs();

// One field of the map, of one order, in the precision that is asked for; with --map2 the maps
// combined as sources ask for. `inputs["MAP"].fields` is then that of the result.
std::shared_ptr<const HealpixMap> mapToFilter(Context& context, Inputs& inputs,
                                              const PointFilterOptions& options);
FilterParameters filterParameters(const Context& context, const Inputs& inputs,
                                  const PointFilterOptions& options, const HealpixMap& map);
// Figures of the filter for --json, and a few words for people.
std::string tellFilter(Context& context, const FilteredSky& sky, const FilterParameters& parameters,
                       const std::string& unit);

}  // namespace armilla
