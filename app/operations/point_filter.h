// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parts of `filter` and `sources`: filter parameters, inputs, and the summary of a filter.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/operations/operation.h"
#include "armilla/ops/filter.h"

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
    // Beams and frequencies of --map2, in order.
    std::vector<double> fwhm2;
    std::vector<std::string> frequency2;
    std::optional<double> index;
    std::vector<double> response2;
};
// Frequency in hertz, such as of "28.4GHz"; none for other text.
std::optional<double> frequencyOf(const std::string& text);
// Notes the temperature scale assumed for a map in plain kelvins, on which flux densities depend.
void noteKelvins(const Context& context, const std::string& name, const std::string& unit,
                 std::optional<double> frequency);
// Describes the parameter `fwhm` of a Gaussian beam.
// `least`: the narrowest, in radians.
void describeBeamWidth(Description& d, std::optional<double>& fwhm, double least);
void describePointFilter(Description& d, PointFilterOptions& p);
// Requires either --fwhm or the slot "beam".
void checkOneBeam(bool hasFwhm, const GivenSlots& given, Problems& problems);
Problems checkPointFilter(const PointFilterOptions& options, const GivenSlots& given);

// Slots of MAP and of the options beam, background, noise and mask.
std::vector<InputSlot> pointFilterInputs();

// Facts of a map or image that flux densities depend on.
struct ObservedMap {
    std::string name, unit;
    double pixelArea = 0.0;  // mean, in steradians
};
// The signal of a point source in MAP or in one of --map2.
struct PointSignal {
    PointBeam beam;
    double response = 1.0;  // its peak there, if its peak in MAP is 1
};
// Signals in `observed`: MAP, and each --map2 in order. `beamOf(file, fwhm, i)`: the beam of the
// i-th, of a file or, if there is none, a Gaussian. Throws UsageError unless each --map2 has one
// value of each option.
std::vector<PointSignal> pointSignals(
    Context& context, const Inputs& inputs, const PointFilterOptions& options,
    const std::vector<ObservedMap>& observed,
    const std::function<PointBeam(const Input* file, double fwhm, size_t i)>& beamOf);
// Notes and figures of a combination of several maps or images.
void tellCombination(Context& context, size_t count, double noiseAlone, double noiseTogether,
                     const std::string& remark);

// Share of a job that the combination of MAP and --map2 takes.
inline constexpr double kShareOfCombination = 0.3;
// One field of the map, of one order, in the requested precision. With --map2, the combination of
// the maps; `inputs["MAP"].fields` is then the field of the result.
std::shared_ptr<const HealpixMap> mapToFilter(Context& context, Inputs& inputs,
                                              const PointFilterOptions& options);
FilterParameters filterParameters(const Context& context, const Inputs& inputs,
                                  const PointFilterOptions& options, const HealpixMap& map);
// The Gaussian beam of an option. Throws UsageError for a width that maps and images on rings
// (enlargement 1), or beams on tangent planes beside a narrower one, cannot have.
PointBeam beamOfOption(double fwhm, double enlargement, std::string_view option);
// The beam of a file, which errors name.
PointBeam beamOfFile(const Input& file);
// The beam of these B_l in a map, times the window of its pixels if that is wanted.
PointBeam beamOfMap(const std::vector<double>& bl, const HealpixMap& map, bool withPixel,
                    const JobContext& job);
// The enlargement of beams on tangent planes (PointBeam): 1 for beams of files.
double planeEnlargement(const Inputs& inputs, const PointFilterOptions& options);
// The parameters for an image: without mask and noise map.
FilterParameters imageFilterParameters(const Inputs& inputs, const PointFilterOptions& options,
                                       double enlargement);
// Sets the figures of the filter for --json and returns its summary.
std::string tellFilter(Context& context, const FilteredSky& sky, const FilterParameters& parameters,
                       const std::string& unit);

}  // namespace armilla
