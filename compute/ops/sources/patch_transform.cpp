// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/patch_transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "armilla/core/cholesky.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/units.h"
#include "armilla/ops/batched_fft.h"
#include "sources/sky_cells.h"
#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

// Cells of patches, in beams and radians. Distances on the plane are off by theta^2 / 6 at theta
// from its center: 0.1 % at the end of the largest cell.
constexpr double kCellBeams = 24.0, kMostCell = 6.0 * kDegree;
// Margin around a cell, in beams. Its outer half fades, so that the end of a patch is no edge.
constexpr double kMarginBeams = 8.0;
constexpr double kMostPatchFwhm = 2.5 * kDegree;
// The spectrum is measured in at most twice this many patches, each of hundreds of beams.
constexpr size_t kSpectrumPatches = 128;
// Kernel of the non-uniform FFT: the exponential of a semicircle over 6 cells of a grid of twice
// the band (Barnett et al. 2019), error 1e-5 of the largest value.
constexpr double kHalfWidth = 3.0, kSharpness = 13.8;
constexpr int kTaps = 6;

double exactKernelAt(double u) {
    const double inside = 1.0 - u * u / (kHalfWidth * kHalfWidth);
    return inside > 0.0 ? std::exp(kSharpness * (std::sqrt(inside) - 1.0)) : 0.0;
}
// The same between the entries of a table, to 1e-7.
double kernelAt(double u) {
    constexpr double kEntries = 4096.0;  // per cell
    static const std::vector<double> table = [] {
        std::vector<double> values;
        for (int i = 0; i <= static_cast<int>(kHalfWidth * kEntries) + 1; ++i)
            values.push_back(exactKernelAt(i / kEntries));
        return values;
    }();
    const double place = std::abs(u) * kEntries;
    const auto low = static_cast<size_t>(place);
    if (low + 1 >= table.size()) return 0.0;
    const double part = place - static_cast<double>(low);
    return (1.0 - part) * table[low] + part * table[low + 1];
}
// Fourier transform of the kernel at `omega` radians a cell.
double kernelTransform(double omega) {
    constexpr int kSteps = 240;
    constexpr double kStep = kHalfWidth / kSteps;
    double sum = 0.5 * exactKernelAt(0.0);
    for (int i = 1; i < kSteps; ++i) sum += exactKernelAt(i * kStep) * std::cos(omega * i * kStep);
    return 2.0 * kStep * sum;
}

// The next length whose only factors are 2, 3 and 5.
int64_t smoothLength(int64_t least) {
    for (int64_t n = least;; ++n) {
        int64_t rest = n;
        for (const int64_t factor : {2, 3, 5})
            while (rest % factor == 0) rest /= factor;
        if (rest == 1) return n;
    }
}

struct Patch {
    Vec3 center;
    int64_t cell = -1;  // -1: the only patch
};

// A pixel of a patch: its place on the grid, its value and solid angle, on the enlarged sky.
struct Placed {
    int64_t pixel;
    double x, y;  // radians
    double value, area;
};

// First grid point and weights of the kernel at a place.
struct Taps {
    int64_t first;
    std::array<double, kTaps> weight;
    explicit Taps(double place) : first(static_cast<int64_t>(std::ceil(place - kHalfWidth))) {
        for (int i = 0; i < kTaps; ++i)
            weight[static_cast<size_t>(i)] = kernelAt(place - static_cast<double>(first + i));
    }
};

class PatchTransform final : public SkyTransform {
public:
    PatchTransform(const SourcePixels& pixels, const PatchScales& scales, JobContext& job)
        : pixels_(pixels),
          lmax_(scales.lmax),
          enlargement_(scales.enlargement),
          step_(kPi / (2.0 * scales.lmax)) {
        core_ = enlargement_ * placePatches(scales.fwhm, job);
        margin_ = enlargement_ * kMarginBeams * scales.fwhm;
        radius_ = core_ + margin_;
        size_ = smoothLength(static_cast<int64_t>(std::ceil(2.0 * radius_ / step_)) + 2 * kTaps);
        rows_.emplace(EqualRows{size_, size_, 1, 0}, job);
        columns_.emplace(EqualRows{size_, size_, size_, 1}, job);
        for (int64_t i = 0; i < size_; ++i)
            transform_.push_back(kernelTransform(kTwoPi * static_cast<double>(signedPlace(i)) /
                                                 static_cast<double>(size_)));
    }

    using SkyTransform::spectrum;
    std::vector<double> spectrum(std::span<const double> one, std::span<const double> other,
                                 JobContext& job) override {
        const bool isAuto = one.data() == other.data();
        struct Bins {
            std::vector<double> power, count, place;
            double weight = 0.0;
        };
        const double unit = kTwoPi / (static_cast<double>(size_) * step_);  // step in k
        const auto count = static_cast<size_t>(static_cast<double>(lmax_) / unit) + 2;
        const size_t stride = std::max<size_t>(1, patches_.size() / kSpectrumPatches);
        std::vector<Bins> parts((patches_.size() + stride - 1) / stride);
        JobContext single(job.stopToken(), {}, 1);
        parallelFor(job, std::ssize(parts), 1, [&](long long begin, long long end) {
            std::vector<std::complex<double>> grid;
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                Bins& bins = parts[i];
                const std::vector<Placed> placed = tapered(patches_[i * stride], one);
                for (const Placed& p : placed)
                    if (std::isfinite(p.value))
                        bins.weight +=
                            p.area *
                            std::pow(std::cos(0.5 * kPi * std::hypot(p.x, p.y) / radius_), 4);
                if (!(bins.weight > 0.0)) continue;
                deposit(placed, 0.0, grid);
                if (!isAuto)
                    add(
                        tapered(patches_[i * stride], other),
                        [](double value) { return std::complex(0.0, value); }, grid);
                forward(grid, single);
                bins.power.assign(count, 0.0);
                bins.count.assign(count, 0.0);
                bins.place.assign(count, 0.0);
                for (int64_t y = 0; y < size_; ++y)
                    for (int64_t x = 0; x < size_; ++x) {
                        const double k = unit * wave(x, y);
                        const auto bin = static_cast<size_t>(std::llround(k / unit));
                        if (bin >= count) continue;
                        const double kernel =
                            transform_[static_cast<size_t>(x)] * transform_[static_cast<size_t>(y)];
                        const auto at = static_cast<size_t>(y * size_ + x);
                        const auto opposite =
                            static_cast<size_t>((size_ - y) % size_ * size_ + (size_ - x) % size_);
                        bins.power[bin] +=
                            (isAuto ? std::norm(grid[at]) : crossPower(grid[at], grid[opposite])) /
                            (kernel * kernel);
                        bins.count[bin] += 1.0;
                        bins.place[bin] += k;
                    }
            }
        });
        // Each patch gives power / weight, and counts by its weight.
        std::vector<double> power(count, 0.0), modes(count, 0.0), place(count, 0.0);
        for (const Bins& bins : parts)
            for (size_t i = 0; i < bins.power.size(); ++i) {
                power[i] += bins.power[i];
                modes[i] += bins.count[i] * bins.weight;
                place[i] += bins.place[i] * bins.weight;
            }
        return interpolated(power, modes, place);
    }

    // Both convolutions are real: one complex transform makes them.
    void filter(std::span<const double> values, const Windows& windows, std::span<double> out,
                std::span<float> share, JobContext& job) override {
        JobContext single(job.stopToken(), {}, 1);
        std::fill(out.begin(), out.end(), kNan);
        std::fill(share.begin(), share.end(), 0.0F);
        parallelFor(job, std::ssize(patches_), 1, [&](long long begin, long long end) {
            std::vector<std::complex<double>> grid;
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                std::vector<Placed> placed = placedIn(patches_[i], values);
                removePlane(placed);
                for (Placed& p : placed) p.value *= fading(std::hypot(p.x, p.y));
                deposit(placed, 1.0, grid);
                forward(grid, single);
                multiply(windows, grid);
                columns_->backward(grid, single);
                rows_->backward(grid, single);
                for (const Placed& p : placed)
                    if (isInCell(patches_[i], p.pixel)) {
                        const std::complex<double> both = gathered(p, grid);
                        out[static_cast<size_t>(p.pixel)] = both.real();
                        share[static_cast<size_t>(p.pixel)] = static_cast<float>(both.imag());
                    }
            }
        });
    }

    void localMean(std::span<const double> values, std::span<const double> window,
                   std::span<double> out, JobContext& job) override {
        JobContext single(job.stopToken(), {}, 1);
        std::fill(out.begin(), out.end(), kNan);
        parallelFor(job, std::ssize(patches_), 1, [&](long long begin, long long end) {
            std::vector<std::complex<double>> grid;
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                const std::vector<Placed> placed = placedIn(patches_[i], values);
                deposit(placed, 1.0, grid);
                forward(grid, single);
                multiply({window, window}, grid);
                columns_->backward(grid, single);
                rows_->backward(grid, single);
                for (const Placed& p : placed)
                    if (isInCell(patches_[i], p.pixel)) {
                        const std::complex<double> both = gathered(p, grid);
                        if (both.imag() > 0.0)
                            out[static_cast<size_t>(p.pixel)] = both.real() / both.imag();
                    }
            }
        });
    }

private:
    // Returns the largest distance of a cell's pixel from its center.
    double placePatches(double fwhm, JobContext& job) {
        if (fwhm > kMostPatchFwhm)
            throw InvalidArgument(
                "expected a beam of at most 2.5 deg for an image whose rows are no rings of a "
                "large part of the sky, found " +
                formatAngle(fwhm));
        // A filter measures the surroundings of a source; the work grows with beams in pixels.
        constexpr double kLeastInBeams = 0.1;
        const double side = std::sqrt(pixels_.meanArea() * static_cast<double>(pixels_.count()));
        if (side < kLeastInBeams * fwhm)
            throw InvalidArgument("expected an image at least a tenth of the beam (" +
                                  formatAngle(fwhm) + ") wide, found one of " + formatAngle(side));
        Vec3 sum{};
        for (int64_t p = 0; p < pixels_.count(); ++p)
            if (const Vec3 at = pixels_.center(p); std::isfinite(at.z)) sum = sum + at;
        const double size = std::min(kCellBeams * fwhm, kMostCell);
        if (const double length = std::sqrt(dot(sum, sum)); length > 0.0) {
            const Vec3 middle = (1.0 / length) * sum;
            double farthest = 0.0;
            for (int64_t p = 0; p < pixels_.count(); ++p)
                if (const Vec3 at = pixels_.center(p); std::isfinite(at.z))
                    farthest = std::max(farthest, angularDistance(middle, at));
            if (farthest <= size) {
                patches_.push_back({middle});
                return farthest;
            }
        }
        nside_ = coarseNside(size, kMaxNside);
        std::vector<int64_t> cells;
        int64_t last = -1;
        for (int64_t p = 0; p < pixels_.count(); ++p) {
            if (p % (1 << 16) == 0) job.poll();
            const Vec3 at = pixels_.center(p);
            if (!std::isfinite(at.z)) continue;
            if (const int64_t cell = nestedFromDirection(nside_, at); cell != last)
                cells.push_back(last = cell);
        }
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        for (const int64_t cell : cells)
            patches_.push_back({directionFromNested(nside_, cell), cell});
        return maximumPixelRadius(nside_);
    }
    bool isInCell(const Patch& patch, int64_t pixel) const {
        return patch.cell < 0 || nestedFromDirection(nside_, pixels_.center(pixel)) == patch.cell;
    }
    std::vector<Placed> placedIn(const Patch& patch, std::span<const double> values) const {
        const TangentPlane plane(patch.center);
        std::vector<Placed> placed;
        const double scale = enlargement_;
        pixels_.around(plane.center(), radius_ / scale, [&](int64_t p) {
            const auto [x, y] = plane.from(pixels_.center(p));
            placed.push_back({p, scale * x, scale * y, values[static_cast<size_t>(p)],
                              scale * scale * pixels_.area(p)});
        });
        return placed;
    }
    // Subtracts a plane fitted to the values, the second time without those beyond 3 sigma.
    void removePlane(std::vector<Placed>& placed) const {
        double limit = std::numeric_limits<double>::infinity();
        std::array<double, 3> plane{};
        const auto rowOf = [&](const Placed& p) {
            return std::array<double, 3>{1.0, p.x / radius_, p.y / radius_};
        };
        const auto leftOf = [&](const Placed& p) {
            const auto row = rowOf(p);
            return p.value - plane[0] * row[0] - plane[1] * row[1] - plane[2] * row[2];
        };
        for (int pass = 0; pass < 3; ++pass) {
            std::vector<double> normal(9, 0.0), right(3, 0.0);
            double count = 0.0;
            for (const Placed& p : placed) {
                if (!(std::abs(leftOf(p)) <= limit)) continue;
                const auto row = rowOf(p);
                for (size_t a = 0; a < 3; ++a) {
                    right[a] += row[a] * p.value;
                    for (size_t b = 0; b < 3; ++b) normal[3 * a + b] += row[a] * row[b];
                }
                count += 1.0;
            }
            if (count == 0.0) return;
            const std::vector<double> sums = normal;
            plane = {right[0] / count, 0.0, 0.0};
            if (count > 20.0 && factorizeCholesky(normal, 3)) {
                std::array<double, 3> z{};
                for (size_t i = 0; i < 3; ++i) {
                    double sum = right[i];
                    for (size_t k = 0; k < i; ++k) sum -= normal[3 * i + k] * z[k];
                    z[i] = sum / normal[4 * i];
                }
                for (size_t i = 3; i-- > 0;) {
                    double sum = z[i];
                    for (size_t k = i + 1; k < 3; ++k) sum -= normal[3 * k + i] * plane[k];
                    plane[i] = sum / normal[4 * i];
                }
            }
            std::vector<double> left;
            for (const Placed& p : placed) left.push_back(leftOf(p));
            limit = 3.0 * clippedRms(left, 2);
            if (!(limit > 0.0)) break;
        }
        for (Placed& p : placed) p.value = leftOf(p);
    }
    double fading(double distance) const {
        const double from = core_ + 0.5 * margin_;
        if (distance <= from) return 1.0;
        const double part =
            std::cos(0.5 * kPi * std::min(1.0, (distance - from) / (0.5 * margin_)));
        return part * part;
    }

    int64_t signedPlace(int64_t i) const { return 2 * i < size_ ? i : i - size_; }
    // |k| in units of the grid's.
    double wave(int64_t x, int64_t y) const {
        return std::hypot(static_cast<double>(signedPlace(x)), static_cast<double>(signedPlace(y)));
    }
    double gridPlace(double offset) const {
        return offset / step_ + 0.5 * static_cast<double>(size_);
    }
    // Values without their plane, fading to 0 at the end of the patch.
    std::vector<Placed> tapered(const Patch& patch, std::span<const double> values) const {
        std::vector<Placed> placed = placedIn(patch, values);
        removePlane(placed);
        for (Placed& p : placed) {
            const double part = std::cos(0.5 * kPi * std::hypot(p.x, p.y) / radius_);
            p.value *= part * part;
        }
        return placed;
    }
    // Re(X Y*) from the transforms of X + iY at k and -k, where X and Y are those of real values.
    static double crossPower(std::complex<double> here, std::complex<double> there) {
        const std::complex<double> other = std::conj(there);
        const std::complex<double> x = 0.5 * (here + other),
                                   y = std::complex<double>(0.0, -0.5) * (here - other);
        return (x * std::conj(y)).real();
    }
    // Values times solid angles, and `indicator` times solid angles as the imaginary part.
    void deposit(const std::vector<Placed>& placed, double indicator,
                 std::vector<std::complex<double>>& grid) const {
        grid.assign(static_cast<size_t>(size_ * size_), {});
        add(
            placed, [indicator](double value) { return std::complex(value, indicator); }, grid);
    }
    // Adds `of(value)` times the solid angles of the pixels.
    template <class Of>
    void add(const std::vector<Placed>& placed, const Of& of,
             std::vector<std::complex<double>>& grid) const {
        for (const Placed& p : placed) {
            if (!std::isfinite(p.value)) continue;
            const Taps x(gridPlace(p.x)), y(gridPlace(p.y));
            const std::complex<double> value = p.area * of(p.value);
            for (size_t j = 0; j < kTaps; ++j)
                for (size_t i = 0; i < kTaps; ++i)
                    grid[static_cast<size_t>((y.first + static_cast<int64_t>(j)) * size_ + x.first +
                                             static_cast<int64_t>(i))] +=
                        value * (x.weight[i] * y.weight[j]);
        }
    }
    void forward(std::vector<std::complex<double>>& grid, JobContext& job) const {
        rows_->forward(grid, job);
        columns_->forward(grid, job);
    }
    // g_l at k = l + 1/2.
    static double windowAt(std::span<const double> gl, double k) {
        const double l = std::max(0.0, k - 0.5);
        const auto low = static_cast<size_t>(l);
        if (low + 1 >= gl.size()) return 0.0;
        const double part = l - static_cast<double>(low);
        return (1.0 - part) * gl[low] + part * gl[low + 1];
    }
    // Multiplies the transforms of the real and the imaginary part by their windows, over the
    // transforms of both kernels. With Z of x + i y, those of x and y are (Z(k) + Z*(-k)) / 2 and
    // (Z(k) - Z*(-k)) / 2i.
    void multiply(const Windows& windows, std::vector<std::complex<double>>& grid) const {
        const double extent = static_cast<double>(size_) * step_, unit = kTwoPi / extent;
        for (int64_t y = 0; y < size_; ++y)
            for (int64_t x = 0; x < size_; ++x) {
                const auto at = static_cast<size_t>(y * size_ + x);
                const auto opposite =
                    static_cast<size_t>((size_ - y) % size_ * size_ + (size_ - x) % size_);
                if (opposite < at) continue;
                const double k = unit * wave(x, y);
                const double kernel =
                    transform_[static_cast<size_t>(x)] * transform_[static_cast<size_t>(y)];
                const double scale = 0.5 / (kernel * kernel * extent * extent);
                const double first = scale * windowAt(windows.filter, k),
                             second = scale * windowAt(windows.response, k);
                const std::complex<double> here = grid[at], there = grid[opposite];
                grid[at] = (first + second) * here + (first - second) * std::conj(there);
                grid[opposite] = (first + second) * there + (first - second) * std::conj(here);
            }
    }
    std::complex<double> gathered(const Placed& p,
                                  const std::vector<std::complex<double>>& grid) const {
        const Taps x(gridPlace(p.x)), y(gridPlace(p.y));
        std::complex<double> sum;
        for (size_t j = 0; j < kTaps; ++j)
            for (size_t i = 0; i < kTaps; ++i)
                sum += x.weight[i] * y.weight[j] *
                       grid[static_cast<size_t>((y.first + static_cast<int64_t>(j)) * size_ +
                                                x.first + static_cast<int64_t>(i))];
        return sum;
    }
    // The spectrum at each l between the bins. The plane has taken the power of the first.
    std::vector<double> interpolated(const std::vector<double>& power,
                                     const std::vector<double>& modes,
                                     const std::vector<double>& place) const {
        std::vector<double> at, value;
        for (size_t i = 2; i < power.size(); ++i)
            if (modes[i] > 0.0) {
                at.push_back(place[i] / modes[i]);
                value.push_back(power[i] / modes[i]);
            }
        std::vector<double> cl(static_cast<size_t>(lmax_) + 1, 0.0);
        size_t next = 0;
        for (size_t l = 0; l < cl.size() && !at.empty(); ++l) {
            const double k = static_cast<double>(l) + 0.5;
            while (next < at.size() && at[next] < k) ++next;
            if (next == 0 || next == at.size()) {
                cl[l] = value[next == 0 ? 0 : next - 1];
                continue;
            }
            const double part = (k - at[next - 1]) / (at[next] - at[next - 1]);
            cl[l] = (1.0 - part) * value[next - 1] + part * value[next];
        }
        return cl;
    }

    SourcePixels pixels_;
    int lmax_;
    double enlargement_;
    double step_;  // step of the grid, radians of the enlarged sky, as are the next lengths
    double core_ = 0.0, margin_ = 0.0, radius_ = 0.0;
    int64_t nside_ = 0, size_ = 0;
    std::vector<Patch> patches_;
    std::optional<BatchedFft> rows_, columns_;
    std::vector<double> transform_;
};

}  // namespace

std::unique_ptr<SkyTransform> makePatchTransform(const SourcePixels& pixels,
                                                 const PatchScales& scales, JobContext& job) {
    return std::make_unique<PatchTransform>(pixels, scales, job);
}

}  // namespace armilla::sources
