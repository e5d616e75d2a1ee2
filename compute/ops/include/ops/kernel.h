// SPDX-License-Identifier: GPL-3.0-or-later
// Radial kernels on the sphere as values: profile in angle, coefficients in l, support, norm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"

namespace armilla {

// Integral: B_0 = 1. Peak: the largest |K(theta)| is 1. None: as it was made.
enum class KernelNorm { Integral, Peak, None };

// K(theta) = sum_l (2l+1)/(4 pi) B_l P_l(cos theta),  B_l = 2 pi int K P_l(cos theta) d cos(theta)
// (F. Elsner & B. D. Wandelt 2011, doi:10.1051/0004-6361/201116963, equations 2 and 3): convolution
// multiplies a_lm by B_l. Angles in radians, K per steradian. A value: copies are cheap and share
// what is large. Accuracies: tests/compute/tst_kernel.cpp.
class Kernel {
public:
    // B_l = exp(-l(l+1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2): the heat kernel of the sphere.
    // E and B carry the factor exp(2 sigma^2) of gaussianBeam(). fwhm 0: B_l = 1, no profile.
    static Kernel gaussian(double fwhm);
    // 1 up to `radius` (0 < radius <= pi), included; 0 beyond.
    static Kernel topHat(double radius);
    // Linear between the angles, zero outside them.
    static Kernel profile(RadialKernel values);
    // Zero beyond the last B_l. Missing E takes T, missing B takes E.
    static Kernel harmonic(Beam beam);
    // B_l = x^n exp(-x) / n!, x = l(l+1) width^2 / 2, n = order from 1 to 4: the n-th Laplacian of
    // a Gaussian of sigma = width, times (-width^2 / 2)^n / n!, which tends to the family of J.
    // Gonzalez-Nuevo et al. 2006, doi:10.1111/j.1365-2966.2006.10442.x, for small widths. B_0 = 0.
    static Kernel mexicanHat(int order, double width);
    // first - share * second
    static Kernel difference(const Kernel& first, const Kernel& second, double share = 1.0);
    // 1 / B_l of `beam` up to the last l <= lmax before |B_l| falls below cut |B_0|, for each of T,
    // E, B; zero beyond. 0 < cut <= 1.
    static Kernel inverse(const Kernel& beam, double cut, int lmax, JobContext& job);
    // All throw InvalidArgument for parameters out of range or not finite.

    // Throws InvalidArgument for `integral` where the kernel is compensated.
    Kernel normalized(KernelNorm norm) const;
    // Zero beyond `radius`.
    Kernel truncated(double radius) const;
    Kernel scaled(double factor) const;

    // K at angles from 0 to pi: to 1e-14 of the peak, Mexican hats to 6e-13. A band-limited one
    // takes lmax steps for each. Throws InvalidArgument for a Gaussian without width.
    std::vector<double> at(std::span<const double> angles) const;
    // B_l of T, E, B, l = 0 .. lmax; band-limited kernels end earlier. To 1e-12 of int |K|.
    Beam coefficients(int lmax, JobContext& job) const;
    // Those of T alone.
    std::vector<double> scalarCoefficients(int lmax, JobContext& job) const;
    // Angle beyond which K is zero exactly; pi where there is none.
    double support() const;
    // Angle beyond which K is below rounding (1e-17 of the peak), at most support().
    double reach() const;
    // The last l at which |B_l| is not below 1e-13 of the largest; none where B_l has no end (a
    // Gaussian without width, kernels with edges).
    std::optional<int> lastL() const;
    // B_0, int |K| dOmega, and the largest |K|. Infinite are those of a Gaussian without width.
    double integral() const;
    double absoluteIntegral() const;
    double peak() const;
    // |B_0| <= 1e-3 int |K| dOmega: nothing to divide by.
    bool compensated() const;
    // Whether it has a profile: all but a Gaussian without width.
    bool hasProfile() const;
    // Whether its profile is smooth everywhere (no edges, no corners).
    bool smooth() const;
    // Angles at which its smoothness ends, ascending, and the scale on which it varies otherwise.
    std::vector<double> corners() const;
    double scale() const;
    // "Gaussian of FWHM 5 arcmin", ...
    std::string name() const;
    // sigma of a Gaussian, or the width of a Mexican hat: their profile is exp(-y / sigma^2), y = 1
    // - cos(theta), times a slowly varying factor, up to where it is truncated.
    std::optional<double> gaussianWidth() const;
    // Whether it is the same one: made at once, cut and scaled likewise.
    bool operator==(const Kernel&) const = default;

    // Radius beyond which the kernel may be dropped so that the rms error of a convolution stays
    // below `error` of the map's rms: by equation 7 for a map of the spectrum `cl`, without one by
    // the share of int |K| outside, the bound of equation 7 for all spectra. What is left keeps
    // its integral where the kernel is not compensated. At most reach(). With cl: up to 40 sums of
    // cl.size() terms for each node of a quadrature.
    double truncationRadius(double error, std::span<const double> cl, JobContext& job) const;
    // The relative error of a truncation at `radius`, in the same sense.
    double truncationError(double radius, std::span<const double> cl, JobContext& job) const;

    // A node of a quadrature over an annulus: int f K dOmega = sum weight f(theta).
    struct Node {
        double theta = 0.0, weight = 0.0;
    };
    // Serves polynomials in cos(theta) up to l = lmax.
    std::vector<Node> nodes(double from, double to, int lmax) const;

private:
    struct Shape;
    explicit Kernel(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}
    double end() const;
    // Of T, before the factor.
    std::vector<double> plainCoefficients(int lmax, JobContext& job) const;
    Kernel trimmed(double radius) const;

    std::shared_ptr<const Shape> shape_;
    double factor_ = 1.0;
    double cut_ = 4.0;  // beyond pi: not truncated
};

}  // namespace armilla
