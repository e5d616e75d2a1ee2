// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutional gridding: scattered samples to cells of any target.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/device.h"
#include "armilla/ops/grid_kernels.h"

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
    double fwhm = 0.0;       // radians; of a Gaussian, or the major axis of Gaussian2d
    double minorFwhm = 0.0;  // Gaussian2d: radians
    double angle = 0.0;      // Gaussian2d: direction of the major axis, from north through east
    double beam = 0.0;       // TaperedSinc, BesselGauss: FWHM of the telescope's beam, radians
    double radius = 0.0;     // radians; samples farther away do not count; 0: `defaultRadius`
};
// 3 s of the (major) axis, or the beam; radians. Throws InvalidArgument for Nearest, which has no
// radius.
double defaultRadius(const GridKernel& kernel);
// The kernel's value at an offset from the cell's center, by its formula: for plots and tests.
double kernelValue(const GridKernel& kernel, double distance, double bearing);

// Positions and weights of the samples, in any order and number. A sample takes part if its
// position and weight are finite.
struct GridSamples {
    std::span<const double> lon, lat;     // (samples)
    double lonUnit = 1.0, latUnit = 1.0;  // radians per unit of `lon` and of `lat`
    std::span<const double> weights;  // (samples), 0 or more, NaN excludes a sample; empty: all 1
    Mat3 targetFromSamples{};         // rotation from the samples' frame to the cells' frame
    int64_t firstRow = 0;             // number of the first sample, for messages

    int64_t count() const { return static_cast<int64_t>(lon.size()); }
};

// Measured values: `width` numbers a sample, sample by sample. Values that are not finite are
// ignored, channel by channel.
struct GridValues {
    std::variant<std::span<const double>, std::span<const float>> values;
    int64_t width = 1;
};

// Sums over the samples within the radius of each cell. The sums of two halves of the samples add
// up to the sums of all samples. All arrays are (channels, cells).
struct GridSums {
    int64_t cells = 0, channels = 0;
    std::vector<double> values;   // sums of weight * kernel * value
    std::vector<double> weights;  // sums of weight * kernel
    std::vector<int64_t> counts;  // samples within the radius
    // Nearest: squared chord to the nearest sample, infinite without samples
    std::vector<double> nearest;
};
// Adds the sums of further samples for the same cells and channels.
void addSums(GridSums& to, const GridSums& from);
void addSums(GridSums& to, const GridSums& from, JobContext& job);
// Sum of values over sum of weights; NaN without samples and where the weights add up to 0.
std::vector<double> griddedValues(const GridSums& sums);

// How a CUDA device partitions the work. 0 and Auto: chosen by the device, the cells and the
// samples. Results differ in rounding alone.
struct GridTuning {
    // Whether single precision rejects distant cells first.
    enum class Filter { Auto, Off, On };
    // Strategy for round Gaussians on a field: tiles of cells, or squares of samples if the target
    // and the numbers of its sums allow them.
    enum class Strategy { Auto, Tiles, Squares };

    int threads = 0;  // threads of a block: 64, 128 or 256
    int cells = 0;    // cells of a tile, which read their samples together: up to 4, 8 or 16, or 1
    int parts = 0;    // blocks that divide the samples of a tile, up to 64
    int bins = 0;     // bins of the pre-ordering in the kernel's radius, up to 16
    Filter filter = Filter::Auto;        // single precision first rejects distant cells
    Strategy strategy = Strategy::Auto;  // Auto: squares if they suit and no parameter above is set
};

// Seconds of the kernels of a CUDA device for one column.
// - Tiles: positions to bins, sort of the bins, samples to their places, values of one channel to
//   their places, sums.
// - Squares: positions to squares, sums of the counts, nothing, samples and values to their places,
//   sums.
struct GridDeviceSteps {
    double bins = 0.0, sort = 0.0, place = 0.0, values = 0.0, gather = 0.0;

    // Time of gridding when samples and values are already on the device.
    double sum() const { return bins + sort + place + values + gather; }
};

// Report of a GridPlan.
struct GridReport {
    int64_t used = 0;      // samples within reach of some cell
    int64_t bad = 0;       // samples without a position or a weight
    int64_t outside = 0;   // samples far from all cells
    int64_t binNside = 0;  // nside of the HEALPix pixels of the pre-ordering
    double orderSeconds =
        0.0;  // total of the last `order`: sorting and tables; a device may still be working
    double gatherSeconds = 0.0;  // total of the last `execute`
    GridDeviceSteps device;      // steps of the last column
    int64_t deviceBytes = 0;
};

// Cells gather from samples that are sorted by HEALPix ring and pixel, after HCGrid (Wang et al.
// 2021, MNRAS 501, 2734, doi:10.1093/mnras/staa3800): two-level look-up of ring and pixel, then a
// sum over the samples of a row of pixels. Geometry is computed once for all channels. Distances
// are true angles; correct at the poles and across longitude 0.
//
// Error of the gridded values against exact sums: 1e-12 max(1, 0.25 deg / fwhm) of the largest
// value (tests/compute/tst_grid.cpp, tst_grid_cuda.cpp). The cause is that positions are unit
// vectors of doubles, so a distance errs by some 1e-16 rad. Results are the same to the bit for any
// number of threads, and for any order of the samples to rounding.
//
// Several CUDA devices share the samples, from 2^20 each on. Their sums are added in a fixed order:
// counts are those of one device, and sums differ by rounding.
//
// Memory in bytes; buffers are kept from call to call:
// - CPU: up to 52 a sample, 8 more with weights; 24 a cell, and the sums.
// - CUDA, tiles: 88 a sample, 16 more with weights, and its values; 56 a cell.
// - CUDA, squares: 66 a sample, 8 more with weights, its values, and up to 27 for sums of small
//   cells; some 700 a cell.
//
// Not thread-safe.
class GridPlan {
public:
    // `cells`: unit vectors to the centers, in the target's frame; NaN where the target has no sky.
    // Throws InvalidArgument for a kernel without a width, Unsupported, DeviceError.
    GridPlan(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device,
             const GridTuning& tuning = {});
    ~GridPlan();
    GridPlan(GridPlan&&) noexcept;
    GridPlan& operator=(GridPlan&&) noexcept;

    // Replaces the samples of the last call; the spans are read in this call only. Throws
    // InvalidArgument for angles out of range (with their row), for weights below 0, and for 2^32
    // samples or more (split these into pieces). Also throws OutOfMemory, Cancelled, DeviceError.
    void order(const GridSamples& samples, JobContext& job);
    // Grids the channels of all `values`, in their order. Throws InvalidArgument for sizes that do
    // not fit the samples; OutOfMemory, Cancelled, DeviceError.
    GridSums execute(std::span<const GridValues> values, JobContext& job);
    // Report of the last calls.
    const GridReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// A gridding job: cells, channels in all, and channels of the widest column.
struct GridLoad {
    int64_t cells = 0, channels = 1, widest = 1;
};
// The best number of samples to order at a time for this load. The samples fill half of the memory
// that is free now; at least 2^20 and at most 2^31. On the CPU the number is limited to what pays
// for the look-ups of the cells: the work arrays are then small and stay in the caches.
int64_t rowsOfPiece(const Device& device, const GridLoad& load);

// RING pixels of `nside` whose centers lie within about `radius` (radians) of a sample, slightly
// more at the edge: the pixels that can have values. In ascending order.
std::vector<int64_t> pixelsNear(const GridSamples& samples, int64_t nside, double radius,
                                JobContext& job);

}  // namespace armilla
