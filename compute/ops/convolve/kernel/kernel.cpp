// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/number_text.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/units.h"
#include "convolve/kernel/gaussian_profile.h"

#include "shared/legendre.h"
#include "shared/legendre_sums.h"
#include "shared/shape_checks.h"

namespace armilla {

namespace {

// exp(-37) = 1e-16, exp(-29.9) = 1e-13: a Gaussian ends at 8.8 sigma, its B_l at 7.74 / sigma.
constexpr double kProfileEnd = 39.0, kSpectrumEnd = 29.94;

// The x > n at which x^n e^{-x} / n! has fallen to e^{-depth} of its largest value.
double fallOf(int n, double depth) {
    double x = depth + n;
    for (int i = 0; i < 30 && n > 0; ++i) x = depth + n + n * std::log(x / n);
    return x;
}

void require(bool good, const std::string& expected, double found) {
    if (!good) throw InvalidArgument("expected " + expected + ", found " + std::to_string(found));
}

// first - share * second; the shorter vector is padded with zeros.
std::vector<double> lessShare(std::vector<double> first, const std::vector<double>& second,
                              double share) {
    first.resize(std::max(first.size(), second.size()), 0.0);
    for (size_t l = 0; l < second.size(); ++l) first[l] -= share * second[l];
    return first;
}

int cappedL(double l) {
    return static_cast<int>(std::min(std::ceil(l), 1e9));
}

}  // namespace

struct Kernel::Shape {
    enum class Kind { Gaussian, TopHat, Profile, Harmonic, MexicanHat, Difference };
    Kind kind = Kind::Gaussian;
    double width = 0.0;  // sigma, or the radius of a top-hat
    int order = 0;
    RadialKernel table;
    Beam beam;
    std::vector<Kernel> parts;
    double share = 1.0;
    std::string name;
    std::optional<GaussianProfile> closed;
    double exactIntegral = 0.0;  // for Gaussian, Mexican hat, harmonic

    bool gaussian() const { return kind == Kind::Gaussian || kind == Kind::MexicanHat; }

    double tableAt(double theta) const {
        const auto& angle = table.angle;
        if (theta < angle.front() || theta > angle.back()) return 0.0;
        const auto after = std::upper_bound(angle.begin(), angle.end(), theta);
        if (after == angle.end()) return table.value.back();
        const auto i = static_cast<size_t>(after - angle.begin());
        const double share1 = (theta - angle[i - 1]) / (angle[i] - angle[i - 1]);
        return (1.0 - share1) * table.value[i - 1] + share1 * table.value[i];
    }
    // B_l of a Gaussian or a Mexican hat.
    std::vector<double> gaussianBl(int lmax) const {
        std::vector<double> bl(static_cast<size_t>(lmax) + 1, 0.0);
        double factorial = 1.0;
        for (int n = 2; n <= order; ++n) factorial *= n;
        for (int l = 0; l <= lmax; ++l) {
            const double x = 0.5 * l * (l + 1.0) * width * width, fall = std::exp(-x);
            if (!(fall > 0.0)) break;  // all further B_l are 0, too
            bl[static_cast<size_t>(l)] = order == 0 ? fall : std::pow(x, order) * fall / factorial;
        }
        return bl;
    }
    static std::vector<double> profileOf(std::span<const double> bl,
                                         std::span<const double> angles) {
        std::vector<double> c(bl.begin(), bl.end());
        for (size_t l = 0; l < c.size(); ++l)
            c[l] *= (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
        return legendreSeries(c, angles);
    }
    std::vector<double> at(std::span<const double> angles) const {
        std::vector<double> result;
        switch (kind) {
            case Kind::Gaussian:
            case Kind::MexicanHat:
                if (!(width > 0.0))
                    throw InvalidArgument(
                        "expected a Gaussian of a width above 0 for its profile, found 0");
                if (!closed)
                    return profileOf(gaussianBl(static_cast<int>(std::ceil(13.0 / width))), angles);
                for (const double theta : angles) result.push_back((*closed)(theta));
                break;
            case Kind::TopHat:
                for (const double theta : angles) result.push_back(theta <= width ? 1.0 : 0.0);
                break;
            case Kind::Profile:
                for (const double theta : angles) result.push_back(tableAt(theta));
                break;
            case Kind::Harmonic: return profileOf(beam.bl[0], angles);
            case Kind::Difference: {
                result = parts[0].at(angles);
                const std::vector<double> second = parts[1].at(angles);
                for (size_t i = 0; i < result.size(); ++i) result[i] -= share * second[i];
                break;
            }
        }
        return result;
    }
    double support() const {
        if (kind == Kind::TopHat) return width;
        if (kind == Kind::Profile) return std::min(table.angle.back(), kPi);
        if (kind == Kind::Difference) return std::max(parts[0].support(), parts[1].support());
        return kPi;
    }
    double reach() const {
        if (kind == Kind::Difference) return std::max(parts[0].reach(), parts[1].reach());
        if (!gaussian()) return support();
        return std::min(kPi, width * std::sqrt(2.0 * fallOf(order, kProfileEnd)));
    }
    // The last l of a band-limited kernel, 0 for other kernels.
    int band() const {
        if (kind == Kind::Difference)
            return std::max(parts[0].shape_->band(), parts[1].shape_->band());
        return kind == Kind::Harmonic ? beam.lmax() : 0;
    }
    double scale() const {
        if (kind == Kind::Difference) return std::min(parts[0].scale(), parts[1].scale());
        if (kind == Kind::Harmonic) return 1.0 / (beam.lmax() + 1.0);
        return gaussian() ? width : kPi;
    }
};

Kernel Kernel::gaussian(double fwhm) {
    require(fwhm >= 0.0 && std::isfinite(fwhm), "a beam width of 0 or more (rad)", fwhm);
    auto shape = std::make_shared<Shape>();
    shape->width = fwhm / kFwhmOfSigma;
    shape->name = "Gaussian of FWHM " + formatAngle(fwhm);
    shape->exactIntegral = 1.0;
    if (shape->width > 0.0 && shape->width <= kWidestClosedForm)
        shape->closed.emplace(shape->width, 0);
    return Kernel(std::move(shape));
}

Kernel Kernel::topHat(double radius) {
    require(radius > 0.0 && radius <= kPi * (1.0 + 1e-6),
            "a radius above 0 and up to 180 degrees (rad)", radius);
    auto shape = std::make_shared<Shape>();
    shape->kind = Shape::Kind::TopHat;
    shape->width = std::min(radius, kPi);
    shape->name = "top-hat of radius " + formatAngle(radius);
    return Kernel(std::move(shape));
}

Kernel Kernel::profile(RadialKernel values) {
    checkKernel(values);
    auto shape = std::make_shared<Shape>();
    shape->kind = Shape::Kind::Profile;
    shape->name = "profile of " + std::to_string(values.angle.size()) + " angles";
    shape->table = std::move(values);
    return Kernel(std::move(shape));
}

Kernel Kernel::harmonic(Beam beam) {
    if (beam.bl[0].empty()) throw InvalidArgument("expected a beam B_l from l = 0, found none");
    for (const auto& bl : beam.bl)
        for (const double value : bl)
            if (!std::isfinite(value))
                throw InvalidArgument("expected finite values in a beam, found otherwise");
    if (beam.bl[1].empty()) beam.bl[1] = beam.bl[0];
    if (beam.bl[2].empty()) beam.bl[2] = beam.bl[1];
    auto shape = std::make_shared<Shape>();
    shape->kind = Shape::Kind::Harmonic;
    shape->name = "B_l up to l = " + std::to_string(beam.lmax());
    shape->exactIntegral = beam.bl[0][0];
    shape->beam = std::move(beam);
    return Kernel(std::move(shape));
}

Kernel Kernel::mexicanHat(int order, double width) {
    require(order >= 1 && order <= 4, "a Mexican hat of order 1 to 4", order);
    require(width > 0.0 && std::isfinite(width), "a width above 0 (rad)", width);
    auto shape = std::make_shared<Shape>();
    shape->kind = Shape::Kind::MexicanHat;
    shape->order = order;
    shape->width = width;
    shape->name = "Mexican hat of order " + std::to_string(order) + ", width " + formatAngle(width);
    if (width <= kWidestClosedForm) shape->closed.emplace(width, order);
    return Kernel(std::move(shape));
}

Kernel Kernel::difference(const Kernel& first, const Kernel& second, double share) {
    require(std::isfinite(share), "a finite share of the second kernel", share);
    auto shape = std::make_shared<Shape>();
    shape->kind = Shape::Kind::Difference;
    shape->parts = {first, second};
    shape->share = share;
    shape->name = first.name() + " less " +
                  (share == 1.0 ? "" : std::to_string(share) + " times ") + second.name();
    return Kernel(std::move(shape));
}

Kernel Kernel::inverse(const Kernel& beam, double cut, int lmax, JobContext& job) {
    require(cut > 0.0 && cut <= 1.0, "a cut above 0 and up to 1", cut);
    Beam inverted = beam.coefficients(lmax, job);
    for (auto& bl : inverted.bl) {
        const double least = bl.empty() ? 0.0 : cut * std::abs(bl[0]);
        if (!(least > 0.0))
            throw InvalidArgument("expected a beam with B_0 other than zero to divide by, found 0");
        size_t size = 0;
        while (size < bl.size() && std::abs(bl[size]) >= least) {
            bl[size] = 1.0 / bl[size];
            ++size;
        }
        bl.resize(size);
    }
    Kernel result = harmonic(std::move(inverted));
    auto shape = std::make_shared<Shape>(*result.shape_);
    shape->name = "inverse of " + beam.name();
    return Kernel(std::move(shape));
}

double Kernel::end() const {
    return std::min(cut_, shape_->support());
}
double Kernel::support() const {
    return end();
}
double Kernel::reach() const {
    return std::min(cut_, shape_->reach());
}
double Kernel::scale() const {
    return shape_->scale();
}
bool Kernel::hasProfile() const {
    if (shape_->kind == Shape::Kind::Difference)
        return shape_->parts[0].hasProfile() && shape_->parts[1].hasProfile();
    return !shape_->gaussian() || shape_->width > 0.0;
}
bool Kernel::smooth() const {
    if (cut_ < kPi) return false;
    if (shape_->kind == Shape::Kind::Difference)
        return shape_->parts[0].smooth() && shape_->parts[1].smooth();
    return shape_->gaussian() || shape_->kind == Shape::Kind::Harmonic;
}
std::optional<double> Kernel::gaussianWidth() const {
    if (!shape_->closed) return {};
    return shape_->width;
}
std::string Kernel::name() const {
    return shape_->name;
}

std::vector<double> Kernel::corners() const {
    std::vector<double> all;
    const Shape& s = *shape_;
    if (s.kind == Shape::Kind::Difference) {
        for (const Kernel& part : s.parts)
            for (const double c : part.corners()) all.push_back(c);
    } else if (s.kind == Shape::Kind::Profile) {
        all = s.table.angle;
    } else if (s.kind == Shape::Kind::TopHat) {
        all = {s.width};
    }
    if (cut_ < kPi) all.push_back(cut_);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase_if(all, [&](double c) { return c <= 0.0 || c > end(); });
    return all;
}

Kernel Kernel::scaled(double factor) const {
    require(std::isfinite(factor), "a finite factor of a kernel", factor);
    Kernel result = *this;
    result.factor_ *= factor;
    return result;
}

Kernel Kernel::trimmed(double radius) const {
    Kernel result = *this;
    result.cut_ = std::min(cut_, radius);
    return result;
}

Kernel Kernel::truncated(double radius) const {
    require(radius > 0.0, "a radius above 0 to end a kernel at (rad)", radius);
    if (!hasProfile())
        throw InvalidArgument(
            "expected a kernel of a width above 0 to truncate it at a radius, found width 0");
    return radius >= std::min(kPi, support()) ? *this : trimmed(radius);
}

Kernel Kernel::normalized(KernelNorm norm) const {
    if (norm == KernelNorm::None) return *this;
    if (norm == KernelNorm::Peak) {
        const double p = peak();
        require(p > 0.0 && std::isfinite(p), "a kernel with a peak to normalize by", p);
        return scaled(1.0 / p);
    }
    if (compensated())
        throw InvalidArgument(
            "expected a kernel with an integral other than zero to normalize by it, found " +
            std::to_string(integral()) + " of " + std::to_string(absoluteIntegral()) +
            " (a compensated kernel); normalize by its peak, or do not normalize");
    return scaled(1.0 / integral());
}

std::vector<double> Kernel::at(std::span<const double> angles) const {
    for (const double theta : angles)
        if (!(theta >= 0.0 && theta <= kPi * (1.0 + 1e-6)))
            throw InvalidArgument("expected angles from 0 to pi for a kernel profile, found " +
                                  std::to_string(theta) + " rad");
    std::vector<double> result = shape_->at(angles);
    for (size_t i = 0; i < result.size(); ++i)
        result[i] = angles[i] <= cut_ ? factor_ * result[i] : 0.0;
    return result;
}

std::vector<Kernel::Node> Kernel::nodes(double from, double to, int lmax) const {
    to = std::min(to, reach());
    std::vector<double> edges{from};
    for (const double c : corners())
        if (c > from && c < to) edges.push_back(c);
    edges.push_back(std::max(from, to));
    // Panels of the kernel's own scale and of up to 20 radians of P_lmax. On a panel of half width
    // h a rule of n points leaves (e l h / 4n)^(2n) of a wave. 8 + 1.25 l h points leave 1e-16, and
    // also resolve functions that vary on the scale of the panel. A band-limited kernel is a wave
    // itself.
    const int band = shape_->band();
    const double wave = lmax + band + 1.0;
    const double width = std::min({band > 0 ? kPi : scale(), 20.0 / wave, 0.5});
    std::map<int, QuadratureRule> rules;
    std::vector<double> theta, weight;
    for (size_t e = 0; e + 1 < edges.size(); ++e) {
        const double low = edges[e], length = edges[e + 1] - low;
        if (!(length > 0.0)) continue;
        const int panels = static_cast<int>(std::ceil(length / width));
        const double half = 0.5 * length / panels;
        const int n = 8 + static_cast<int>(std::ceil(1.25 * wave * half));
        const auto [rule, isNew] = rules.try_emplace(n);
        if (isNew) rule->second = gaussLegendre(n);
        for (int p = 0; p < panels; ++p)
            for (size_t k = 0; k < rule->second.node.size(); ++k) {
                theta.push_back(std::min(low + half * (2 * p + 1 + rule->second.node[k]), kPi));
                weight.push_back(kTwoPi * half * rule->second.weight[k] * std::sin(theta.back()));
            }
    }
    const std::vector<double> value = at(theta);
    std::vector<Node> result;
    for (size_t i = 0; i < theta.size(); ++i) result.push_back({theta[i], weight[i] * value[i]});
    return result;
}

std::vector<double> Kernel::plainCoefficients(int lmax, JobContext& job) const {
    const Shape& s = *shape_;
    const bool whole = cut_ >= kPi;
    if (whole && s.kind == Shape::Kind::Harmonic) {
        const auto& bl = s.beam.bl[0];
        const size_t count = std::min(bl.size(), static_cast<size_t>(lmax) + 1);
        return {bl.begin(), bl.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    if (whole && s.kind == Shape::Kind::Difference)
        return lessShare(s.parts[0].scalarCoefficients(lmax, job),
                         s.parts[1].scalarCoefficients(lmax, job), s.share);
    if (whole && s.gaussian()) return s.gaussianBl(lmax);
    if (factor_ == 0.0) return std::vector<double>(static_cast<size_t>(lmax) + 1, 0.0);
    std::vector<double> theta, weight;
    for (const Node& node : nodes(0.0, end(), lmax)) {
        theta.push_back(node.theta);
        weight.push_back(node.weight / factor_);
    }
    return legendreMoments(theta, weight, lmax, job);
}

std::vector<double> Kernel::scalarCoefficients(int lmax, JobContext& job) const {
    checkWindowLmax(lmax);
    std::vector<double> bl = plainCoefficients(lmax, job);
    for (double& value : bl) value *= factor_;
    return bl;
}

Beam Kernel::coefficients(int lmax, JobContext& job) const {
    checkWindowLmax(lmax);
    const Shape& s = *shape_;
    Beam beam;
    const bool whole = cut_ >= kPi;
    if (whole && s.kind == Shape::Kind::Harmonic) {
        beam = s.beam;
        for (auto& bl : beam.bl)
            if (bl.size() > static_cast<size_t>(lmax) + 1) bl.resize(static_cast<size_t>(lmax) + 1);
    } else if (whole && s.kind == Shape::Kind::Difference) {
        beam = s.parts[0].coefficients(lmax, job);
        const Beam second = s.parts[1].coefficients(lmax, job);
        for (size_t i = 0; i < 3; ++i)
            beam.bl[i] = lessShare(std::move(beam.bl[i]), second.bl[i], s.share);
    } else {
        beam.bl[0] = plainCoefficients(lmax, job);
        beam.bl[1] = beam.bl[0];
        const double polarized = std::exp(2.0 * s.width * s.width);
        if (s.kind == Shape::Kind::Gaussian)
            for (double& value : beam.bl[1]) value *= polarized;
        beam.bl[2] = beam.bl[1];
    }
    for (auto& bl : beam.bl)
        for (double& value : bl) value *= factor_;
    return beam;
}

std::optional<int> Kernel::lastL() const {
    const Shape& s = *shape_;
    if (!smooth() || !hasProfile()) return {};
    if (s.kind == Shape::Kind::Difference) {
        const auto first = s.parts[0].lastL(), second = s.parts[1].lastL();
        if (!first || !second) return {};
        return std::max(*first, *second);
    }
    if (s.kind == Shape::Kind::Harmonic) {
        double largest = 0.0;
        size_t last = 0;
        for (const auto& bl : s.beam.bl)
            for (const double value : bl) largest = std::max(largest, std::abs(value));
        for (const auto& bl : s.beam.bl)
            for (size_t l = bl.size(); l-- > last;)
                if (std::abs(bl[l]) > 1e-13 * largest) last = l;
        return static_cast<int>(last);
    }
    return cappedL(std::sqrt(2.0 * fallOf(s.order, kSpectrumEnd)) / s.width);
}

double Kernel::integral() const {
    const Shape& s = *shape_;
    if (cut_ >= kPi) {
        if (s.gaussian() || s.kind == Shape::Kind::Harmonic) return factor_ * s.exactIntegral;
        if (s.kind == Shape::Kind::Difference)
            return factor_ * (s.parts[0].integral() - s.share * s.parts[1].integral());
    }
    double sum = 0.0;
    for (const Node& node : nodes(0.0, end(), 0)) sum += node.weight;
    return sum;
}

double Kernel::absoluteIntegral() const {
    if (!hasProfile()) return std::abs(factor_);
    double sum = 0.0;
    for (const Node& node : nodes(0.0, end(), 0)) sum += std::abs(node.weight);
    return sum;
}

bool Kernel::compensated() const {
    return std::abs(integral()) <= 1e-3 * absoluteIntegral();
}

double Kernel::peak() const {
    if (!hasProfile()) return INFINITY;
    std::vector<double> angles{0.0};
    for (const double c : corners()) angles.push_back(c);
    // With angles an eighth of the scale apart, the largest value is at most 1 % off. It is exact
    // if the peak is at 0, at an edge or a corner, as in most cases. Three steps of a search around
    // the largest value leave rounding.
    const double step = std::min(0.125 * scale(), 0.02), last = std::min(end(), reach());
    for (int i = 1; i * step < last; ++i) angles.push_back(i * step);
    std::vector<double> values = at(angles);
    const auto largest = [&] {
        return static_cast<size_t>(
            std::max_element(values.begin(), values.end(),
                             [](double a, double b) { return std::abs(a) < std::abs(b); }) -
            values.begin());
    };
    double center = angles[largest()], best = std::abs(values[largest()]), width = step;
    for (int round = 0; round < 8; ++round, width *= 0.125) {
        angles.clear();
        for (int i = -8; i <= 8; ++i)
            angles.push_back(std::clamp(center + 0.125 * i * width, 0.0, kPi));
        values = at(angles);
        if (std::abs(values[largest()]) <= best) continue;
        center = angles[largest()];
        best = std::abs(values[largest()]);
    }
    return best;
}

namespace {

double squareOf(std::span<const double> difference, std::span<const double> cl) {
    double sum = 0.0;
    for (size_t l = 0; l < cl.size(); ++l)
        sum += (2.0 * static_cast<double>(l) + 1.0) * difference[l] * difference[l] * cl[l];
    return sum;
}

// The change by a truncation at `radius`, relative to the map's rms, from the nodes of the kernel.
class Truncation {
public:
    Truncation(const Kernel& kernel, std::span<const double> cl)
        : cl_(cl),
          keepsIntegral_(!kernel.compensated()),
          nodes_(
              kernel.nodes(0.0, kernel.reach(), cl.empty() ? 0 : static_cast<int>(cl.size()) - 1)) {
        for (const auto& node : nodes_) {
            all_ += node.weight;
            size_ += std::abs(node.weight);
        }
    }
    double error(double radius, JobContext& job) const {
        double outside = 0.0, absolute = 0.0;
        for (const auto& node : nodes_) {
            if (node.theta <= radius) continue;
            outside += node.weight;
            absolute += std::abs(node.weight);
        }
        // If a kernel keeps its integral, no convolution is larger than the map's rms.
        const double unit = keepsIntegral_ ? std::abs(all_) : size_;
        if (cl_.empty() || absolute == 0.0) return absolute / unit;
        std::vector<double> theta, weight;
        for (const auto& node : nodes_) {
            if (node.theta <= radius) continue;
            theta.push_back(node.theta);
            weight.push_back(node.weight);
        }
        JobContext silent(job.stopToken(), {}, job.threads());
        const int lmax = static_cast<int>(cl_.size()) - 1;
        std::vector<double> difference = legendreMoments(theta, weight, lmax, silent);
        if (keepsIntegral_) {
            // K_l - f (K_l - T_l) with f = K_0 / (K_0 - T_0)
            const double f = all_ / (all_ - outside);
            theta.clear();
            weight.clear();
            for (const auto& node : nodes_) {
                if (node.theta > radius) continue;
                theta.push_back(node.theta);
                weight.push_back((f - 1.0) * node.weight);
            }
            const std::vector<double> inner = legendreMoments(theta, weight, lmax, silent);
            for (size_t l = 0; l < difference.size(); ++l) difference[l] -= inner[l];
        }
        const std::vector<double> ones(cl_.size(), 1.0);
        const double power = squareOf(ones, cl_);
        return power > 0.0 ? std::sqrt(squareOf(difference, cl_) / power) / unit : 0.0;
    }

    // The first node beyond `radius`; the radius itself if there is none.
    double nodeBeyond(double radius) const {
        double next = kPi;
        for (const auto& node : nodes_)
            if (node.theta > radius) next = std::min(next, node.theta);
        return next < kPi ? next : radius;
    }

private:
    std::span<const double> cl_;
    bool keepsIntegral_;
    std::vector<Kernel::Node> nodes_;
    double all_ = 0.0, size_ = 0.0;
};

}  // namespace

double Kernel::truncationError(double radius, std::span<const double> cl, JobContext& job) const {
    if (!hasProfile() || radius >= reach()) return 0.0;
    return Truncation(*this, cl).error(radius, job);
}

double Kernel::truncationRadius(double error, std::span<const double> cl, JobContext& job) const {
    require(error >= 0.0, "an error of 0 or more", error);
    if (!hasProfile()) return 0.0;
    const Truncation truncation(*this, cl);
    double low = 0.0, high = reach();
    // To a thousandth of the radius.
    while (high - low > 1e-3 * high) {
        const double middle = 0.5 * (low + high);
        (truncation.error(middle, job) <= error ? high : low) = middle;
    }
    // The kernel continues between the last node and an edge. A steep fall may have few nodes of
    // negligible weight beyond an edge; the kernel continues up to the first of these.
    // Share of the peak; a smooth kernel is far below this at its end.
    constexpr double kSteep = 1e-2;
    if (!(truncation.error(high, job) > 0.0)) return reach();
    const bool isEdge = std::abs(at(std::vector<double>{high}).front()) > kSteep * peak();
    return isEdge && cl.empty() ? truncation.nodeBeyond(high) : high;
}

}  // namespace armilla
