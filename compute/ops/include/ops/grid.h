// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutional gridding: scattered samples to cells of any target.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"
#include "ops/device.h"
#include "ops/grid_kernels.h"

namespace armilla {

// The weight of a sample at the distance r from a cell's center; every kernel is 1 at 0:
//   Gaussian     exp(-r^2 / (2 s^2)), s = fwhm / sqrt(8 ln 2)
//   Gaussian2d   the same along two axes of the tangent plane at the cell: offsets r sin(b - angle)
//                and r cos(b - angle), b the bearing of the sample from north through east
//   TaperedSinc  sin(pi x) / (pi x) exp(-(r / b)^2)
//   BesselGauss  J1(pi x) / (pi x / 2) exp(-(r / b)^2), x = r / a, a = 1.55 beam / 3,
//                b = 2.52 beam / 3 (Mangum, Emerson and Greisen, A&A 474 (2007) 679)
//   Nearest      1 for the nearest sample, else 0; samples whose distances agree to 1e-9 count
//                together
struct GridKernel {
    GridKernelKind kind = GridKernelKind::Gaussian;
    double fwhm = 0.0;       // Gaussian; the major axis of Gaussian2d; radians
    double minorFwhm = 0.0;  // Gaussian2d
    double angle = 0.0;      // Gaussian2d: of the major axis, from north through east
    double beam = 0.0;       // TaperedSinc, BesselGauss: width of the telescope's beam
    double radius = 0.0;     // samples farther away do not count; 0: `defaultRadius`
};
// 3 s of the (major) axis, or the beam. Throws InvalidArgument for Nearest, which has none.
double defaultRadius(const GridKernel& kernel);
// The kernel's value at an offset from the cell's center, by its formula: plots and tests.
double kernelValue(const GridKernel& kernel, double distance, double bearing);

// Where the samples are. Any order, any number; each takes part if its position and weight are
// finite.
struct GridSamples {
    std::span<const double> lon, lat;     // (samples)
    double lonUnit = 1.0, latUnit = 1.0;  // radians in one unit of them
    std::span<const double> weights;      // (samples), 0 or more, NaN for "left out"; empty: all 1
    Mat3 targetFromSamples{};             // turns their frame into that of the cells

    int64_t count() const { return static_cast<int64_t>(lon.size()); }
};

// What was measured there: `width` numbers a sample, sample after sample. Bad ones are not finite
// and are left out, channel by channel.
struct GridValues {
    std::variant<std::span<const double>, std::span<const float>> values;
    int64_t width = 1;
};

// Sums over the samples within the radius of each cell; those of two halves of the samples add up
// to those of the whole. All arrays are (channels, cells).
struct GridSums {
    int64_t cells = 0, channels = 0;
    std::vector<double> values;   // of weight * kernel * value
    std::vector<double> weights;  // of weight * kernel
    std::vector<int64_t> counts;  // samples within the radius
    std::vector<double> nearest;  // Nearest: squared chord to the nearest sample, infinite if none
};
void addSums(GridSums& to, const GridSums& from);
// Sum of values over sum of weights, NaN where no sample is or the weights add up to 0.
std::vector<double> griddedValues(const GridSums& sums);

// How a CUDA device shares the work; 0, Auto: as suits the device, the cells and the samples.
// Results differ in rounding alone.
struct GridTuning {
    enum class Filter { Auto, Off, On };
    // Round Gaussians on a field: tiles of cells, or squares of samples wherever the target and the
    // numbers of their sums allow.
    enum class Way { Auto, Tiles, Squares };

    int threads = 0;  // of a block: 64, 128 or 256
    int cells = 0;    // that share the reading of their samples, a tile: up to 4, 8 or 16, or 1
    int parts = 0;    // blocks that share the samples of a tile, up to 64
    int bins = 0;     // of the pre-ordering in the radius of the kernel, up to 16
    Filter filter = Filter::Auto;  // cells far from a sample left out by single precision first
    Way way = Way::Auto;           // Auto: by squares, where they suit and nothing above is set
};

// What the kernels of a CUDA device took for one column, in seconds: positions to bins, their sort,
// samples to their places, values to theirs (of one channel), sums. By squares: positions to
// squares, sums of their counts, nothing, samples and values to their places, sums.
struct GridDeviceSteps {
    double bins = 0.0, sort = 0.0, place = 0.0, values = 0.0, gather = 0.0;

    // What gridding takes where samples and values are on the device already.
    double sum() const { return bins + sort + place + values + gather; }
};

struct GridReport {
    int64_t used = 0;      // samples that some cell may reach
    int64_t bad = 0;       // without a position or a weight
    int64_t outside = 0;   // far from all cells
    int64_t binNside = 0;  // HEALPix pixels of the pre-ordering
    double orderSeconds =
        0.0;  // of the last `order`: sorting and tables; a device may still be at it
    double gatherSeconds = 0.0;  // of the last `execute`
    GridDeviceSteps device;      // of the last column
    int64_t deviceBytes = 0;
};

// Cells that gather from samples put in the order of HEALPix rings and pixels, after HCGrid (Wang
// et al. 2021, MNRAS 501, 2734, doi:10.1093/mnras/staa3800): two-level look-up of ring and pixel,
// then a sum over the samples of a row of pixels. Geometry is done once for all channels. Distances
// are true angles; correct at the poles and across longitude 0.
//
// Error of the gridded values against exact sums: 1e-12 max(1, 0.25 deg / fwhm) of the largest
// value (tests/compute/tst_grid.cpp, tst_grid_cuda.cpp): positions are unit vectors of doubles, so
// a distance errs by some 1e-16 rad. Results are the same to the bit for any number of threads, and
// for any order of the samples to rounding. Memory on the CPU: up to 52 bytes a sample, 8
// more with weights; 24 bytes a cell, and the sums. On a CUDA device 88 bytes a sample, 16 more
// with weights, and its values; 56 bytes a cell. By squares 66 bytes a sample, 8 more with weights,
// and its values, and up to 27 for sums of small cells; some 700 bytes a cell. Buffers are kept
// from call to call. Not thread-safe.
class GridPlan {
public:
    // `cells`: unit vectors to the centers, in the target's frame; NaN where the target has no sky.
    // Throws InvalidArgument for a kernel without a width, Unsupported, DeviceError.
    GridPlan(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device,
             const GridTuning& tuning = {});
    ~GridPlan();
    GridPlan(GridPlan&&) noexcept;
    GridPlan& operator=(GridPlan&&) noexcept;

    // Takes these samples in place of those before; the spans are read in this call only. Throws
    // InvalidArgument for angles out of range (with their row), weights below 0, 2^32 samples or
    // more (they come in pieces); OutOfMemory, Cancelled, DeviceError.
    void order(const GridSamples& samples, JobContext& job);
    // Channels in the order of `values`, those of one after the other. Throws InvalidArgument for
    // sizes that do not fit the samples; OutOfMemory, Cancelled, DeviceError.
    GridSums execute(std::span<const GridValues> values, JobContext& job);
    const GridReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// How many samples are best ordered at a time, for so many cells and channels (all; in the widest
// column): what half of the memory that is free now has room for, 2^20 at least, 2^31 at most; on
// the CPU no more than is worth the look-ups of the cells, so that the work beside the samples
// takes little memory and stays in the caches.
struct GridLoad {
    int64_t cells = 0, channels = 1, widest = 1;
};
int64_t rowsOfPiece(const Device& device, const GridLoad& load);

// RING pixels of `nside` whose centers lie within `radius` of a sample or a little farther: where a
// map can have values. Ascending.
std::vector<int64_t> pixelsNear(const GridSamples& samples, int64_t nside, double radius,
                                JobContext& job);

}  // namespace armilla
