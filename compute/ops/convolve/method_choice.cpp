// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/method_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "armilla/core/gaussian.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/sky_vector.h"
#include "convolve/harmonic/smoothing_error.h"

namespace armilla {

namespace {

double largestOf(const std::vector<double>& bl) {
    double largest = 0.0;
    for (const double value : bl) largest = std::max(largest, std::abs(value));
    return largest;
}

// The threshold of B_l at a band's end relative to the largest B_l, and the FWHM of a Gaussian with
// that ratio, in samples.
constexpr double kNegligible = 5e-3, kLeastSamples = 2.5, kRounding = 1e-9;

bool gaussianReachesBeyond(double sigma, int band) {
    return std::exp(-0.5 * band * (band + 1.0) * sigma * sigma) > kNegligible;
}

// Seconds of one thread, or of a device, for each unit of work (resources/notes/convolution.md).
struct Rates {
    // direct: for each product of a pixel and a weight; in addition for each pixel
    double product, pixel;
    double mode, modePixel;  // ring: for each mode of two rings; in addition for each pixel
    // harmonic: for l, m and a pair of rings, one direction; FFTs in both directions
    double legendre, fftPixel;
};
// Rows: direct for each tap of a sample, ring for each sample of K and its FFT.
constexpr double kRowTap = 3e-10, kRowSample = 6e-9, kRowTapCuda = 5e-12, kRowSampleCuda = 1e-11;
constexpr Rates kCpu{4e-10, 5e-8, 1.2e-9, 3e-8, 9e-11, 3e-8};
constexpr Rates kCuda{1.45e-13, 1e-11, 3e-12, 5.8e-11, 1.05e-13, 2e-11};

}  // namespace

SampleLattice SampleLattice::healpix(int64_t nside) {
    return {static_cast<int>(3 * nside - 1),
            std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)))};
}

bool reachesBeyond(const Kernel& kernel, const SampleLattice& lattice, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const auto last = kernel.lastL();
    const int band = lattice.band;
    if (last && *last <= band) return false;
    // For Gaussians the result is a formula, because live requests call this for each frame.
    if (const auto sigma = kernel.gaussianWidth();
        sigma && kernel.integral() != 0.0 && kernel.support() >= kPi)
        return gaussianReachesBeyond(*sigma, band);
    const std::vector<double> bl = kernel.coefficients(band, silent).bl[0];
    return bl.size() > static_cast<size_t>(band) &&
           std::abs(bl.back()) > kNegligible * largestOf(bl);
}

bool isNarrowForPixels(double fwhm, int64_t nside) {
    const SampleLattice lattice = SampleLattice::healpix(nside);
    return fwhm < kLeastSamples * lattice.spacing * (1.0 - kRounding) &&
           gaussianReachesBeyond(fwhm / kFwhmOfSigma, lattice.band);
}

void refuseNarrow(const Kernel& kernel, const SampleLattice& lattice, std::string_view method,
                  std::string_view instead, JobContext& job) {
    if (!kernel.hasProfile()) return;
    const auto at = [&](double angle) {
        return std::abs(kernel.at(std::span<const double>(&angle, 1)).front());
    };
    const double half = 0.5 * at(0.0);
    double low = 0.0, high = 0.5 * kLeastSamples * lattice.spacing;
    if (high >= kPi || at(high) >= half * (1.0 - kRounding) || !reachesBeyond(kernel, lattice, job))
        return;
    if (half < 0.25 * kernel.peak()) return;  // an annular kernel, small in the middle
    constexpr int kHalvings = 20;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        (at(middle) >= half ? low : high) = middle;
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    const std::vector<double> bl = kernel.coefficients(lattice.band, silent).bl[0];
    const double error = beyondSamples(kernel, bl, lattice.spacing * lattice.spacing);
    std::array<char, 64> width{}, times{};
    std::snprintf(width.data(), width.size(), "%.2g", 2.0 * low / lattice.spacing);
    std::snprintf(times.data(), times.size(), "%.2g", error);
    throw NarrowKernel("the kernel (FWHM " + std::string(width.data()) +
                       " pixels) is too narrow for --method " + std::string(method) +
                       ": expected error " + times.data() + " times the map's rms; " +
                       std::string(instead));
}

SmoothMethod chosenMethod(const Kernel& kernel, double radius, int64_t nside, const Device& device,
                          int threads, JobContext& job) {
    if (nside < kLeastNsideOfChoice || !kernel.hasProfile() || !(radius > 0.0))
        return SmoothMethod::Harmonic;
    if (reachesBeyond(kernel, SampleLattice::healpix(nside), job)) return SmoothMethod::Harmonic;
    const bool cuda = device.kind == DeviceKind::Cuda;
    const Rates& rates = cuda ? kCuda : kCpu;
    const double share = cuda ? 1.0 : 1.0 / threads;
    const double n = static_cast<double>(nside), pixels = 12.0 * n * n;
    const auto last = kernel.lastL();
    const double band = std::min<double>(3.0 * n - 1.0, last.value_or(1 << 30));
    const double harmonic =
        share * (2.0 * rates.legendre * n * (band + 1.0) * (band + 2.0) + rates.fftPixel * pixels);
    const double half = std::sin(0.5 * std::min(radius, kPi));
    const double taps = half * half * pixels;
    const double direct = share * pixels * (rates.product * taps + rates.pixel);
    SmoothMethod best = direct < harmonic ? SmoothMethod::Direct : SmoothMethod::Harmonic;
    if (!last) return best;
    // Modes of all pairs of rings within the radius, which is a quarter wider here. The modes of a
    // ring end at the Nyquist limit of its pixels, 2 nside.
    const double modes = std::min<double>(0.7 * *last + 60.0, 2.0 * n);
    const double rows = std::min(4.0 * n, 1.25 * radius * 2.0 * 1.5 * n);
    const double ring = share * (rates.mode * 2.0 * n * rows * modes + rates.modePixel * pixels);
    if (ring < std::min(direct, harmonic)) best = SmoothMethod::Ring;
    return best;
}

double directSecondsAround(double radiusOfKernel, double radiusOfDisc, int64_t nside, int threads) {
    // Seconds for each pixel of the caps, which has its own weights, and for reading the rings.
    constexpr double kWeight = 3e-9, kRead = 5e-9;
    const double all = 12.0 * static_cast<double>(nside) * static_cast<double>(nside);
    const auto pixels = [&](double radius) {
        const double half = std::sin(0.5 * std::min(radius, kPi));
        return std::max(1.0, half * half * all);
    };
    return (pixels(radiusOfDisc) * pixels(radiusOfKernel) * kWeight +
            pixels(radiusOfDisc + radiusOfKernel) * kRead) /
           threads;
}

SmoothMethod chosenRowMethod(const RingRows& rows, double radius, int lmax, const Device& device) {
    if (!(radius > 0.0)) return SmoothMethod::Harmonic;
    const bool cuda = device.kind == DeviceKind::Cuda;
    const Rates& rates = cuda ? kCuda : kCpu;
    const double step = kPi / static_cast<double>(rows.rows);
    const auto columns = static_cast<double>(rows.columns), held = static_cast<double>(rows.count);
    const double near = std::min(2.0 * radius / step + 1.0, held);  // rows around a target
    // sum over all targets; a disc contains three quarters of the widest run in each row
    double taps = 0.0;
    for (int64_t r = rows.first; r < rows.first + rows.count; ++r) {
        const double sine = std::sin((static_cast<double>(r) + 0.5) * step);
        taps += near * std::min(columns, 0.75 * columns * radius / (kPi * sine) + 1.0);
    }
    const double direct = taps * columns * (cuda ? kRowTapCuda : kRowTap);
    const double ring = held * near * columns * (cuda ? kRowSampleCuda : kRowSample);
    const double l = static_cast<double>(lmax), samples = columns * static_cast<double>(rows.rows);
    const double harmonic =
        0.5 * rates.legendre * static_cast<double>(rows.rows) * (l + 1.0) * (l + 2.0) +
        rates.fftPixel * samples;
    if (harmonic < std::min(direct, ring)) return SmoothMethod::Harmonic;
    return direct < ring ? SmoothMethod::Direct : SmoothMethod::Ring;
}

namespace {

// Half the mean square difference of neighbors over the variance, from at most a million pairs.
// Pixels 2 k and 2 k + 1 are neighbors in both orderings, except at the ends of some rings.
double roughness(const HealpixMap& map, int field) {
    constexpr int64_t kMostPairs = 1'000'000;
    const int64_t elements = map.elementCount();
    const int64_t step = std::max<int64_t>(1, elements / 2 / kMostPairs);
    const bool full = map.coverage() == Coverage::Full;
    double differences = 0.0, squares = 0.0, sum = 0.0, count = 0.0;
    // subtracted from all values, so that a large mean costs no digits
    std::optional<double> first;
    std::visit(
        [&](const auto& values) {
            for (int64_t e = 0; e + 1 < elements; e += full ? 2 * step : step) {
                const auto i = static_cast<size_t>(e);
                if (!full &&
                    (map.pixels()[i] % 2 != 0 || map.pixels()[i + 1] != map.pixels()[i] + 1))
                    continue;
                if (!std::isfinite(values[i]) || !std::isfinite(values[i + 1])) continue;
                if (!first) first = values[i];
                const double a = values[i] - *first, b = values[i + 1] - *first;
                differences += (a - b) * (a - b);
                squares += a * a + b * b;
                sum += a + b;
                count += 2.0;
            }
        },
        map.field(field).values);
    const double variance = count > 0.0 ? squares - sum * sum / count : 0.0;
    return variance > 0.0 ? differences / variance : 0.0;
}

// The same for a sky of a given spectrum without its monopole, at the distance of such neighbors.
double roughnessOf(std::span<const double> cl, double distance) {
    const double z = std::cos(distance);
    double all = 0.0, same = 0.0, before = 1.0, here = z;  // P_{l-1}, P_l
    for (size_t l = 1; l < cl.size(); ++l) {
        const double modes = 2.0 * static_cast<double>(l) + 1.0;
        all += modes * cl[l];
        same += modes * cl[l] * here;
        const double x = static_cast<double>(l) + 1.0;
        before = std::exchange(here, (modes * z * here - (x - 1.0) * before) / x);
    }
    return 1.0 - same / all;
}

// A spectrum of mean square 1.
std::vector<double> modelSpectrum(double power, int band) {
    std::vector<double> cl(static_cast<size_t>(band) + 1, 0.0);
    double meanSquare = 0.0;
    for (size_t l = 1; l < cl.size(); ++l) {
        const auto x = static_cast<double>(l);
        cl[l] = std::pow(x * (x + 1.0), power);
        meanSquare += (2.0 * x + 1.0) * cl[l] / (4.0 * kPi);
    }
    for (double& each : cl) each /= meanSquare;
    return cl;
}

}  // namespace

double beyondSamples(const Kernel& kernel, std::span<const double> bl, double area) {
    double own = 0.0, square = 0.0;
    for (size_t l = 0; l < bl.size(); ++l) {
        const double modes = (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
        own -= modes * bl[l];
        square -= modes * bl[l] * bl[l];
    }
    const std::array<double, 1> middle{0.0};
    own += kernel.at(middle).front();
    if (kernel.smooth()) return area * std::abs(own);
    std::vector<double> theta;
    const std::vector<Kernel::Node> nodes =
        kernel.nodes(0.0, kernel.reach(), static_cast<int>(bl.size()));
    for (const Kernel::Node& node : nodes) theta.push_back(node.theta);
    const std::vector<double> value = kernel.at(theta);
    for (size_t i = 0; i < nodes.size(); ++i) square += nodes[i].weight * value[i];
    return std::hypot(area * own, 3.0 * std::sqrt(area * std::max(0.0, square)));
}

double errorOnPixels(const Kernel& kernel, double radius, const HealpixMap& map,
                     std::span<const int> fields, Weights weights, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const int64_t nside = map.nside();
    const auto band = static_cast<int>(3 * nside - 1);
    std::vector<double> cl = modelSpectrum(-1.0, band);
    const std::vector<double> white = modelSpectrum(0.0, band);
    double rough = 0.0;
    for (const int field : fields) rough = std::max(rough, roughness(map, field));
    // In radians times nside: the mean step along a ring, or the width of a pixel.
    const double distance =
        (map.ordering() == Ordering::Ring ? 1.39 : 1.03) / static_cast<double>(nside);
    const double least = roughnessOf(cl, distance), most = roughnessOf(white, distance);
    const double share = std::clamp((rough - least) / (most - least), 0.0, 1.0);
    for (size_t l = 0; l < cl.size(); ++l) cl[l] += share * (white[l] - cl[l]);
    const std::vector<double> bl = kernel.coefficients(band, silent).bl[0];
    const double quadrature =
        smoothingError({.cl = cl,
                        .bl = bl,
                        .meanSquare = 1.0,
                        .transform = {.nside = nside, .lmax = band, .weights = weights}},
                       silent);
    const double size =
        kernel.compensated() ? kernel.absoluteIntegral() : std::abs(kernel.integral());
    return std::hypot(
        quadrature, beyondSamples(kernel, bl, 4.0 * kPi / static_cast<double>(12 * nside * nside)),
        size * kernel.truncationError(radius, {}, silent));
}

}  // namespace armilla
