// SPDX-License-Identifier: GPL-3.0-or-later
// Line integral convolution (LIC) of polarization: noise fixed to the sky is smeared along the
// direction of polarization (Cabral & Leedom 1993, doi:10.1145/166117.166151). Computed on the
// sphere, so that the texture has no seam and rotates with the sky.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"

namespace armilla {

// The sign of U of the values in memory. Readers convert IAU to COSMO if a file has POLCCONV; IAU
// here is for files without that card.
enum class PolarizationConvention { Cosmo, Iau };

// Q and U as the traceless symmetric tensor Q (s s - e e) + U (s e + e s) of the tangent plane,
// with s south and e east. Sums of tensors of different positions need no common north, also at the
// poles.
struct PolarizationTensor {
    double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};
// The tensor of Q and U at `place`, a unit vector.
PolarizationTensor polarizationTensor(Vec3 place, double q, double u);
PolarizationTensor operator+(const PolarizationTensor& a, const PolarizationTensor& b);
PolarizationTensor operator*(double s, const PolarizationTensor& t);
// Q and U of a tensor at a position.
struct StokesQU {
    double q = 0.0, u = 0.0;
};
StokesQU stokesAt(Vec3 place, const PolarizationTensor& tensor);
// The unit vector along the polarization, of either sense; zero without polarization.
Vec3 polarizationDirection(Vec3 place, const PolarizationTensor& tensor);

// Uniform in [0, 1), a function of only the nested pixel and its nside.
double skyNoise(int64_t nside, int64_t nestedPixel);

// The part of the sky that a texture covers: all, or a disc.
struct TexturePart {
    Vec3 center{1.0, 0.0, 0.0};
    double radius = 0.0;
};

// A LIC texture on nested pixels. Immutable.
class LineIntegralTexture {
public:
    // Steps to each side of a pixel, each one pixel side long.
    static constexpr int kHalfLength = 16;

    // Texture of nside `nside` (a power of two) of the fields Q and U. The direction is that of
    // bilinearly interpolated Q and U if the texture is finer than the map, otherwise of their mean
    // over the texture's pixel. Values lie in [0, 1], with mean 1/2 and standard deviation 1/4; bad
    // where the polarization is unknown. Throws InvalidArgument for invalid fields or nside.
    static std::shared_ptr<const LineIntegralTexture> build(
        const HealpixMap& map, int qField, int uField, PolarizationConvention convention,
        int64_t nside, const std::optional<TexturePart>& part, JobContext& job);

    int64_t nside() const { return nside_; }
    // The value at a direction; NaN outside the texture and for unknown polarization.
    float valueAt(Vec3 direction) const;
    // The texture as a map of nested pixels, partial if the texture is.
    HealpixMap map() const;

private:
    struct Step {
        float x, y, z;
    };
    int64_t placeOf(int64_t pixel) const;  // -1: not covered
    int64_t nside_ = 1;
    Frame frame_ = Frame::Unknown;
    std::vector<int64_t> begins_, starts_;  // runs of nested pixels, and their positions in values_
    std::vector<float> values_;
};

// The LIC overlay multiplies the brightness of colors by kLicFloor to 1.
inline constexpr double kLicFloor = 0.3;
// The brightness factor of a texture value in [0, 1]; 1 for bad values.
double licLight(double value);
// A texture with pixels about as fine as the view's, for the part of the sky in the view, or for
// all of it if that part is large.
int64_t textureNside(const ViewGeometry& view, int64_t most);
// The disc of sky in the view; none if the picture extends off the sky or shows a large part of it.
std::optional<TexturePart> discOf(const ViewGeometry& view);

}  // namespace armilla
