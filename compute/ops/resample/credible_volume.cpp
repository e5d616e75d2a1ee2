// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/credible_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/number_text.h"
#include "armilla/ops/credible.h"

namespace armilla {

namespace {

constexpr int64_t kGrain = 4096;
constexpr double kInvSqrtTwoPi = 0.398942280401432677940;

double gaussian(double z) {
    return kInvSqrtTwoPi * std::exp(-0.5 * z * z);
}

// Integral of r^2 times the normal distribution of the distance, from mu + a sigma to mu + b sigma.
// Each tail is summed on its own side, where no digits cancel.
double secondMoment(double mu, double sigma, double a, double b) {
    const double all = mu * mu + sigma * sigma;
    const auto upper = [&](double z) {
        if (std::isinf(z)) return 0.0;
        return 0.5 * std::erfc(z / std::sqrt(2.0)) * all +
               gaussian(z) * (2.0 * mu * sigma + sigma * sigma * z);
    };
    const auto lower = [&](double z) {
        return 0.5 * std::erfc(-z / std::sqrt(2.0)) * all -
               gaussian(z) * (2.0 * mu * sigma + sigma * sigma * z);
    };
    if (a > 0.0) return upper(a) - upper(b);
    if (b < 0.0) return lower(b) - lower(a);
    return all - lower(a) - upper(b);
}

double cube(double x) {
    return x * x * x;
}

}  // namespace

std::optional<DistanceFields> distanceFields(const HealpixMap& map, int probability) {
    DistanceFields found{probability, -1, -1, -1};
    for (int i = 0; i < map.fieldCount(); ++i) {
        const std::string& name = map.field(i).name;
        if (name == "DISTMU") found.mu = i;
        if (name == "DISTSIGMA") found.sigma = i;
        if (name == "DISTNORM") found.norm = i;
    }
    if (found.mu < 0 || found.sigma < 0 || found.norm < 0) return std::nullopt;
    return found;
}

double CredibleVolume::Cell::peak() const {
    // Along a direction the density is largest at MU, or at zero if MU is behind the observer.
    return probability / area * norm * gaussian(std::max(0.0, -mu / sigma)) / sigma;
}

CredibleVolume::Cell::Part CredibleVolume::Cell::above(double density) const {
    if (!(probability > 0.0)) return {};
    const double middle = probability / area * norm * kInvSqrtTwoPi / sigma;
    if (density > middle) return {};
    // Half the width of the distances, in units of SIGMA.
    const double half = density > 0.0 ? std::sqrt(2.0 * std::log(middle / density))
                                      : std::numeric_limits<double>::infinity();
    const double nearest = std::max(-half, -mu / sigma);
    if (nearest >= half) return {};
    const double near = std::max(0.0, mu - half * sigma), far = mu + half * sigma;
    return {probability * norm * secondMoment(mu, sigma, nearest, half),
            area * (cube(far) - cube(near)) / 3.0};
}

CredibleVolume::Cell::Part CredibleVolume::above(double density, JobContext& job) const {
    // One sum for each item, so that the result does not depend on the number of threads.
    const int64_t items = (std::ssize(cells_) + kGrain - 1) / kGrain;
    std::vector<Cell::Part> parts(static_cast<size_t>(items));
    parallelFor(job, items, 1, [&](long long begin, long long end) {
        for (long long item = begin; item < end; ++item)
            for (int64_t i = item * kGrain;
                 i < std::min<int64_t>((item + 1) * kGrain, std::ssize(cells_)); ++i) {
                const Cell::Part part = cells_[static_cast<size_t>(i)].above(density);
                parts[static_cast<size_t>(item)].probability += part.probability;
                parts[static_cast<size_t>(item)].volume += part.volume;
            }
    });
    Cell::Part sum;
    for (const Cell::Part& part : parts) {
        sum.probability += part.probability;
        sum.volume += part.volume;
    }
    return sum;
}

CredibleVolume::CredibleVolume(const HealpixMap& map, const DistanceFields& fields, double share,
                               JobContext& job) {
    if (!(share > 0.0 && share <= 1.0))
        throw InvalidArgument("expected a share above 0 % and of at most 100 %, found " +
                              numberText(100.0 * share) + " %");
    const std::vector<double> probabilities = cellProbabilities(map, fields.probability, job);
    cells_.resize(probabilities.size());
    double without = 0.0, all = 0.0, highest = 0.0;
    for (size_t i = 0; i < cells_.size(); ++i) {
        const auto element = static_cast<int64_t>(i);
        Cell cell{probabilities[i], cellArea(map, element), map.field(fields.mu).at(element),
                  map.field(fields.sigma).at(element), map.field(fields.norm).at(element)};
        if (!(cell.probability > 0.0)) continue;
        all += cell.probability;
        const bool hasDistance = std::isfinite(cell.mu) && cell.sigma > 0.0 &&
                                 std::isfinite(cell.sigma) && cell.norm > 0.0 &&
                                 std::isfinite(cell.norm);
        if (!hasDistance) {
            without += cell.probability;
            continue;
        }
        cells_[i] = cell;
        highest = std::max(highest, cell.peak());
    }
    if (!(highest > 0.0))
        throw InvalidArgument(
            "expected a pixel with a finite DISTMU, DISTSIGMA and DISTNORM above 0, found none");
    shareWithout_ = without / all;
    // Cells without a distance count in the whole, but fill no volume.
    const double wanted = share * all;
    if (above(0.0, job).probability <= wanted) {
        volume_ = std::numeric_limits<double>::infinity();
        return;
    }
    // The probability falls with the logarithm of the threshold from all to nothing. Bisection
    // halves a range that ends at the highest density, until the ends agree to rounding.
    double high = std::log(highest), low = high - 1.0;
    while (above(std::exp(low), job).probability < wanted) low -= 2.0 * (high - low);
    while (high - low > 1e-12 * std::max(1.0, std::abs(low))) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (above(std::exp(middle), job).probability < wanted ? high : low) = middle;
        job.poll();
    }
    threshold_ = std::exp(low);
    volume_ = above(threshold_, job).volume;
}

double CredibleVolume::density(int64_t element, double distance) const {
    const Cell& cell = cells_[static_cast<size_t>(element)];
    if (!(cell.probability > 0.0) || !(distance >= 0.0)) return 0.0;
    return cell.probability / cell.area * cell.norm * gaussian((distance - cell.mu) / cell.sigma) /
           cell.sigma;
}

bool CredibleVolume::contains(int64_t element, double distance) const {
    const double here = density(element, distance);
    return here > 0.0 && here >= threshold_;
}

}  // namespace armilla
