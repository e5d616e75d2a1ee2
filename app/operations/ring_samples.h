// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of images on complete rings, and their harmonic analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/ops/meridian_rows.h"
#include "ring_image.h"
#include "transform_parameters.h"

namespace armilla {

// The rotation from the longitudes and latitudes of an image to the directions of its frame; none
// if they agree. FK4 is taken without its elliptic terms of aberration, which are no rotation; a
// note names them.
std::optional<Mat3> rotationFromAxes(const Context& context, const Image& image);

// Notes that a plane of Q or U is taken as a scalar, and the alternative, if any.
void noteScalarPlane(const Context& context, const ImagePlane& plane,
                     std::string_view otherStrategy);
inline constexpr std::string_view kTogether = " (--polarization takes I, Q and U together)";

// Planes to analyze, and the place of U among them.
struct ChosenPlanes {
    std::vector<int> planes;
    std::optional<size_t> u;
};
// Planes I, Q and U, the components of a spin, or the plane of --field. Notes name assumptions.
// Throws InvalidArgument for planes that are absent.
ChosenPlanes chosenPlanes(const Context& context, const Input& input, bool isPolarized, int spin);

// The rings of an image's rows, with the weights of the complete grid.
RingGrid ringsOf(const RingImage& grid);
// The largest lmax of an analysis.
int64_t mostOf(const RingImage& grid);

// Samples of the planes on whole rings, row after row from the north, and the absent ones. Bad and
// absent samples are NaN.
struct RingSamples {
    std::vector<std::vector<double>> planes;
    int64_t bad = 0;                            // in the plane with most
    double goodShare = 1.0, absentShare = 0.0;  // shares of the sky
};
// U has the sign of COSMO. Throws InvalidArgument without a good pixel.
RingSamples samplesOf(const Image& image, const RingImage& grid, const RingGrid& rings,
                      const ChosenPlanes& chosen, JobContext& job);
// Notes absent and bad pixels, which count as zero.
void noteAbsent(const Context& context, const std::string& name, const RingSamples& samples);

// Throws UsageError for options of HEALPix maps and for an lmax above `most`.
void requireOptionsOfImage(const TransformOptions& options, int64_t most);

// An image that is ready for its analysis.
struct OpenedRings {
    RingImage grid;
    std::optional<Mat3> rotation;  // rotationFromAxes()
    RingGrid rings;
    RingSamples samples;
};
// Checks the options, and notes the convention of U and absent pixels.
OpenedRings openRings(const Context& context, const Input& input, const TransformOptions& options,
                      int spin, JobContext& job);

// An analysis of samples on the rings of an image: exact for the whole sky (MeridianRows), else
// with the weights of the complete grid.
class RingAnalysis {
public:
    RingAnalysis(const RingImage& grid, const ShtParameters& parameters, const Device& device,
                 JobContext& job);
    const ShtParameters& parameters() const { return plan_->parameters(); }
    std::string remark() const { return plan_->remark(); }
    // Coefficients of finite samples: of T, Q and U (`isPolarized`), of the two components of a
    // spin, or of one scalar. The samples are consumed.
    std::vector<Alm> analyze(std::vector<std::vector<double>> planes, bool isPolarized, int spin,
                             JobContext& job) const;

private:
    std::optional<MeridianRows> meridians_;
    std::optional<ShtPlan> plan_;
};

}  // namespace armilla
