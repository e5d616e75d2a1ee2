// SPDX-License-Identifier: GPL-3.0-or-later
// Radial kernels on the sphere as values: profile in angle, coefficients in l, support, norm.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Integral: B_0 = 1. Peak: the largest |K(theta)| is 1. None: as constructed.
enum class KernelNorm { Integral, Peak, None };

// A radial kernel, by its profile K(theta) per steradian and its coefficients B_l:
//
//   K(theta) = sum_l (2l+1)/(4 pi) B_l P_l(cos theta),
//   B_l = 2 pi int K P_l(cos theta) d cos(theta)
//
// (F. Elsner & B. D. Wandelt 2011, doi:10.1051/0004-6361/201116963, equations 2 and 3): convolution
// multiplies a_lm by B_l. Angles in radians. A value type: copies are cheap and refer to the same
// large data. Accuracies: tests/compute/tst_kernel.cpp.
class Kernel {
public:
    // B_l = exp(-l(l+1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2): the heat kernel of the sphere.
    // E and B carry the factor exp(2 sigma^2) of gaussianBeam(). fwhm 0: B_l = 1, no profile.
    static Kernel gaussian(double fwhm);
    // 1 for angles up to and including `radius` (0 < radius <= pi); 0 beyond.
    static Kernel topHat(double radius);
    // Linear between the angles, zero outside them.
    static Kernel profile(RadialKernel values);
    // Zero beyond the last B_l. Missing E takes T, missing B takes E.
    static Kernel harmonic(Beam beam);
    // B_l = x^n exp(-x) / n!, x = l(l+1) width^2 / 2, n = order from 1 to 4. This is the n-th
    // Laplacian of a Gaussian of sigma = width, times (-width^2 / 2)^n / n!. For small widths it
    // tends to the family of J. Gonzalez-Nuevo et al. 2006, doi:10.1111/j.1365-2966.2006.10442.x.
    // B_0 = 0.
    static Kernel mexicanHat(int order, double width);
    // first - share * second
    static Kernel difference(const Kernel& first, const Kernel& second, double share = 1.0);
    // 1 / B_l of `beam`, for each of T, E, B, zero beyond an end. The end is the last l <= lmax
    // before |B_l| falls below cut |B_0|. 0 < cut <= 1.
    static Kernel inverse(const Kernel& beam, double cut, int lmax, JobContext& job);
    // All constructors above throw InvalidArgument for parameters out of range or not finite.

    // Throws InvalidArgument for `Integral` if the kernel is compensated.
    Kernel normalized(KernelNorm norm) const;
    // The same kernel, zero beyond `radius`.
    Kernel truncated(double radius) const;
    // The kernel times a factor.
    Kernel scaled(double factor) const;

    // K at angles from 0 to pi, accurate to 1e-14 of the peak, Mexican hats to 6e-13. A
    // band-limited kernel takes lmax steps for each angle. Throws InvalidArgument for a Gaussian
    // without width.
    std::vector<double> at(std::span<const double> angles) const;
    // B_l of T, E, B, l = 0 .. lmax, accurate to 1e-12 of int |K|; band-limited kernels end
    // earlier.
    Beam coefficients(int lmax, JobContext& job) const;
    // B_l of T alone.
    std::vector<double> scalarCoefficients(int lmax, JobContext& job) const;
    // Angle beyond which K is exactly zero; pi if K has no such angle.
    double support() const;
    // Angle beyond which K is below rounding (1e-17 of the peak), at most support().
    double reach() const;
    // The last l at which |B_l| is at least 1e-13 of the largest. None if B_l has no end: for a
    // Gaussian without width and for kernels with edges.
    std::optional<int> lastL() const;
    // B_0, int |K| dOmega, and the largest |K|. The peak of a Gaussian without width is infinite.
    double integral() const;
    double absoluteIntegral() const;
    double peak() const;
    // Whether |B_0| <= 1e-3 int |K| dOmega: such a kernel cannot be divided by its integral.
    bool compensated() const;
    // Whether the kernel has a profile: true for all but a Gaussian without width.
    bool hasProfile() const;
    // Whether the profile is smooth everywhere (no edges, no corners).
    bool smooth() const;
    // Angles at which the profile is not smooth, ascending.
    std::vector<double> corners() const;
    // The angle on which the profile varies between the corners.
    double scale() const;
    // A name for people: "Gaussian of FWHM 5 arcmin", ...
    std::string name() const;
    // sigma of a Gaussian, or the width of a Mexican hat, none for other kernels. Their profile is
    // exp(-y / sigma^2), y = 1 - cos(theta), times a slowly varying factor, up to a truncation.
    std::optional<double> gaussianWidth() const;
    // Whether both are copies of one construction with the same factor and truncation.
    bool operator==(const Kernel&) const = default;

    // Radius beyond which the kernel may be dropped so that the rms error of a convolution stays
    // below `error` of the map's rms; at most reach(). With a spectrum `cl`: by equation 7 for a
    // map of that spectrum. Without: by the fraction of int |K| outside, the bound of equation 7
    // for all spectra. The remaining part keeps the kernel's integral, if the kernel is not
    // compensated. With `cl` it takes up to 40 sums of cl.size() terms for each node of a
    // quadrature.
    double truncationRadius(double error, std::span<const double> cl, JobContext& job) const;
    // The relative error of a truncation at `radius`, in the same sense.
    double truncationError(double radius, std::span<const double> cl, JobContext& job) const;

    // A node of a quadrature over an annulus: int f K dOmega = sum weight f(theta).
    struct Node {
        double theta = 0.0, weight = 0.0;
    };
    // Nodes between two angles, exact for polynomials in cos(theta) up to degree lmax.
    std::vector<Node> nodes(double from, double to, int lmax) const;

private:
    struct Shape;
    explicit Kernel(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}
    double end() const;
    // B_l of T, before the factor.
    std::vector<double> plainCoefficients(int lmax, JobContext& job) const;
    Kernel trimmed(double radius) const;

    std::shared_ptr<const Shape> shape_;
    double factor_ = 1.0;
    double cut_ = 4.0;  // truncation angle; beyond pi: none
};

}  // namespace armilla
