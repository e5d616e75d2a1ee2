// SPDX-License-Identifier: GPL-3.0-or-later
// Point source filters on the pixels of an image of any projection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/filter.h"

namespace armilla {

// Linear operations on values at the pixels of an image. NaN: no value.
class SkyTransform {
public:
    SkyTransform() = default;
    SkyTransform(const SkyTransform&) = delete;
    SkyTransform& operator=(const SkyTransform&) = delete;
    virtual ~SkyTransform() = default;

    // C_l of the values, per solid angle that has values; l = 0 .. lmax of the transform.
    std::vector<double> spectrum(std::span<const double> values, JobContext& job) {
        return spectrum(values, values, job);
    }
    // The same of two sets of values that are good at the same pixels: their cross spectrum.
    virtual std::vector<double> spectrum(std::span<const double> one, std::span<const double> other,
                                         JobContext& job) = 0;
    // Windows of filter(): f_l, which removes the largest scales, and that of its response.
    struct Windows {
        std::span<const double> filter, response;
    };
    // The values convolved with the filter, after their level (a mean or plane) is subtracted. The
    // share: 1 where there are values and 0 elsewhere, convolved with the response. Both at all
    // pixels.
    virtual void filter(std::span<const double> values, const Windows& windows,
                        std::span<double> out, std::span<float> share, JobContext& job) = 0;
    // The mean of the values around each pixel, weighted by the kernel of a window.
    virtual void localMean(std::span<const double> values, std::span<const double> window,
                           std::span<double> out, JobContext& job) = 0;
};

// One plane of an image to filter.
struct ImageToFilter {
    std::vector<Vec3> centers;   // directions of pixels, row after row; NaN off the sky
    std::vector<double> areas;   // solid angles, in steradians
    std::vector<double> values;  // NaN where bad or masked
    // Noise of each pixel, one standard deviation; a pixel without is bad. Empty: not known.
    std::vector<double> noise;
    int64_t width = 0;
    // The values are sums over pixels (Jy/pix). The filtered sky has those of pixels of the mean
    // solid angle, because a source has one peak only on equal pixels.
    bool isPerPixel = false;
    // Makes the transform of an image on rings to an lmax of at most `mostLmax`. None: the image is
    // transformed on tangent planes, by patches.
    std::function<std::unique_ptr<SkyTransform>(int lmax, JobContext& job)> makeTransform;
    int mostLmax = 0;
};

// Filters a plane of an image, as a FilterPlan filters a map: the spectrum of the background is
// measured twice, the second time without the bright sources, which are put back into the result.
// The noise of `parameters` is one value; its mask and noise map are not used. The noise of the
// pixels determines how that of the result varies, as a FilterPlan's noise map does.
//
// Patches: squares of the zenithal equidistant plane around the centers of HEALPix cells, 24 beams
// wide at most, with margins. Pixels enter with their solid angles (non-uniform FFT), so that
// unequal pixels and rotated axes need no resampling. Bad pixels count as the plane that is
// subtracted from each patch. Areas of one value larger than 30 beams count as bad if less than
// half of the image lies in such areas, and if the value is rare elsewhere. Throws InvalidArgument,
// OutOfMemory, Cancelled. Tests: tst_cli_image_sources.
FilteredSky filterImage(ImageToFilter image, const FilterParameters& parameters, JobContext& job);

// The mean solid angle of the pixels of a filtered sky, in steradians.
double meanPixelArea(const FilteredSky& sky);
// The factor from a value of the filtered sky to the unit of the image at a pixel: 1 unless the
// image's values are sums over pixels.
double ofOwnPixel(const FilteredSky& sky, int64_t pixel);
// Adds sources to values at the pixels of a filtered image, each as its beam; negative peaks
// subtract. The values are those of the image, the peaks those of the filtered sky.
void addSources(const FilteredSky& sky, std::span<const PointSource> sources,
                std::span<double> values, JobContext& job);

}  // namespace armilla
