// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization as a texture: noise that is fixed to the sky, smeared along the direction of
// polarization (line integral convolution, Cabral & Leedom 1993, doi:10.1145/166117.166151), on the
// sphere, so that there is no seam anywhere and the texture turns with the sky.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/view_geometry.h"

namespace armilla {

// Which of the two signs of U the numbers in memory have; readers turn IAU into COSMO where a file
// says POLCCONV, so that IAU here is for files that say nothing.
enum class PolarizationConvention { Cosmo, Iau };

// Q and U as the traceless symmetric tensor Q (s s - e e) + U (s e + e s) of the tangent plane, s
// to the south and e to the east of a place: a sum of tensors of different places needs no common
// north, at the poles neither.
struct PolarizationTensor {
    double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};
PolarizationTensor polarizationTensor(Vec3 place, double q, double u);
PolarizationTensor operator+(const PolarizationTensor& a, const PolarizationTensor& b);
PolarizationTensor operator*(double s, const PolarizationTensor& t);
// Q and U of a tensor at a place.
struct StokesQU {
    double q = 0.0, u = 0.0;
};
StokesQU stokesAt(Vec3 place, const PolarizationTensor& tensor);
// The unit vector along the polarization, of either sense; zero where there is none.
Vec3 polarizationDirection(Vec3 place, const PolarizationTensor& tensor);

// Uniform in [0, 1), a function of the nested pixel and its nside alone.
double skyNoise(int64_t nside, int64_t nestedPixel);

// The parts of the sky that a texture covers: all, or a disc.
struct TexturePart {
    Vec3 center{1.0, 0.0, 0.0};
    double radius = 0.0;
};

class LineIntegralTexture {
public:
    // Steps to each side of a place, each as long as the side of a pixel.
    static constexpr int kHalfLength = 16;

    // Texture of nside `nside` (a power of two) of the fields Q and U. The direction at a place is
    // that of Q and U between pixels (bilinear) where the texture is finer than the map, else of
    // their mean over the texture's pixel. Values in [0, 1], mean 1/2, one fourth of the range is
    // one standard deviation; bad where the polarization is unknown. Throws InvalidArgument for
    // fields or an nside that cannot be.
    static std::shared_ptr<const LineIntegralTexture> build(
        const HealpixMap& map, int qField, int uField, PolarizationConvention convention,
        int64_t nside, const std::optional<TexturePart>& part, JobContext& job);

    int64_t nside() const { return nside_; }
    // NaN where the texture does not reach, or the polarization is unknown.
    float valueAt(Vec3 direction) const;
    // As a map of nested pixels, partial if the texture is.
    HealpixMap map() const;

private:
    struct Step {
        float x, y, z;
    };
    int64_t placeOf(int64_t pixel) const;  // -1: not covered
    int64_t nside_ = 1;
    Frame frame_ = Frame::Unknown;
    std::vector<int64_t> begins_, starts_;  // runs of nested pixels, and their places in values_
    std::vector<float> values_;
};

// What a texture does to the colors under it: they keep `kDraperyFloor` to all of their light.
inline constexpr double kDraperyFloor = 0.3;
double draperyLight(double value);
// A texture whose pixels are about as fine as those of the view, and the part of the sky that the
// view shows, all of it if that is large.
int64_t textureNside(const ViewGeometry& view, int64_t most);
std::optional<TexturePart> discOf(const ViewGeometry& view);

}  // namespace armilla
