// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/blend_contest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Difference of chi^2 for a Gaussian to win over two beams, and for two beams to win over a wide
// round Gaussian.
constexpr double kTwoSigma = 4.0, kThreeSigma = 9.0;
// Below this significance the fit is far from linear, and odd shapes fit the noise. Such shapes
// count only with a gain of 5 sigma.
constexpr double kSureShape = 10.0, kSureGain = 25.0;
// At this many FWHM of its major axis, where the patch ends, a Gaussian is 1e-3 of its peak.
constexpr double kMajorInPatch = 1.25;
constexpr double kGrowth = 1.15;  // minimum growth of the patch, and margin beyond the axis
constexpr size_t kMostParts = 5;

struct Rival {
    PatchSolution fit;
    size_t extra = 0;  // number of parameter triples beyond one beam
};

class Decision {
public:
    Decision(const FitModel& model, std::span<const double> left, const Contest& contest,
             const ContestRules& rules)
        : model_(model), left_(left), contest_(contest), rules_(rules) {
        cost_ = std::max(rules.threshold * rules.threshold, kThreeOfThree);
    }
    ContestResult run() {
        enclose();
        if (!patch_) return {};
        one_ = patch_->beam(contest_.primary.peak);
        findTwo();
        if (!isGood(gaussian_) && !isGood(two_)) {
            addMembers(gaussian_);
            if (isPair()) addMembers(two_);
        }
        return chosen();
    }

private:
    struct Surroundings {
        std::vector<size_t> members;
        std::optional<FitPatch> patch;
        std::vector<FitPart> found;  // primary and members as the search found them
    };
    // Members within a patch around one source, or within the Gaussian's extent.
    Surroundings around(double radius, const FitResult* gaussian) const {
        Surroundings result;
        std::vector<SkyPart> parts{contest_.primary};
        const double near = FitPatch::radiusOf(model_);
        for (size_t i = 0; i < contest_.members.size(); ++i) {
            const SkyPart& part = contest_.members[i];
            const double away = angularDistance(part.direction, contest_.primary.direction);
            if (away > radius) continue;
            if (away > near && (gaussian == nullptr || !covers(*gaussian, part.direction)))
                continue;
            result.members.push_back(i);
            parts.push_back(part);
        }
        const double sign = contest_.primary.peak < 0.0 ? -1.0 : 1.0;
        result.patch.emplace(model_, left_, contest_.primary.direction, radius, parts,
                             FitPatch::Noise{contest_.scale, sign});
        for (const SkyPart& part : parts) result.found.push_back(result.patch->partOf(part));
        return result;
    }
    // True within 1.5 FWHM.
    static bool covers(const FitResult& gaussian, Vec3 at) {
        const auto [x, y] = TangentPlane(gaussian.direction).from(at);
        const double east = std::sin(gaussian.angle), north = std::cos(gaussian.angle);
        return std::hypot((x * east + y * north) / gaussian.major,
                          (x * north - y * east) / gaussian.minor) < kPatch;
    }
    void adopt(Surroundings around, PatchSolution fit) {
        members_ = std::move(around.members);
        patch_ = std::move(around.patch);
        found_ = std::move(around.found);
        gaussian_ = Rival{std::move(fit), 1};
    }

    // Fits the Gaussian in a patch of sufficient size.
    void enclose() {
        radius_ = FitPatch::radiusOf(model_);
        Surroundings first = around(radius_, nullptr);
        std::optional<PatchSolution> fit = first.patch->gaussian(contest_.primary.peak);
        if (!fit) {
            members_ = std::move(first.members);
            patch_ = std::move(first.patch);
            found_ = std::move(first.found);
            return;
        }
        adopt(std::move(first), std::move(*fit));
        const double largest = std::max(radius_, kLargestPatch * model_.fwhm);
        while (radius_ < largest && kMajorInPatch * gaussian_->fit.results[0].major > radius_) {
            const FitResult before = gaussian_->fit.results[0];
            const double radius =
                std::min(kGrowth * std::max(radius_, kMajorInPatch * before.major), largest);
            Surroundings wider = around(radius, &before);
            fit = wider.patch->fit({wider.patch->partOf(before.part())});
            if (!fit) break;
            // Several sources describe the map better than one.
            const auto beams = static_cast<double>(wider.found.size());
            if (wider.patch->chi2Of(wider.found) + cost_ * (beams - 2.0) < fit->chi2) break;
            radius_ = radius;
            adopt(std::move(wider), std::move(*fit));
        }
    }

    void tryTwo(const std::vector<FitPart>& start) {
        std::optional<PatchSolution> fit = patch_->fit(start);
        if (fit && (!two_ || fit->chi2 < two_->fit.chi2)) two_ = Rival{std::move(*fit), 1};
    }
    // Starts from places along the Gaussian's major axis, and from the found parts.
    void findTwo() {
        if (gaussian_) {
            const FitPart& g = gaussian_->fit.parts[0];
            const double mean = 0.5 * (g.xx + g.yy);
            const double apart = std::hypot(0.5 * (g.xx - g.yy), g.xy);
            const double direction = 0.5 * std::atan2(2.0 * g.xy, g.xx - g.yy);
            const double length = 2.0 * std::sqrt(std::max(mean + apart - 1.0, 0.1));
            const double total = g.peak * std::sqrt(g.xx * g.yy - g.xy * g.xy);
            const double x = length * std::cos(direction), y = length * std::sin(direction);
            for (const double share : {0.5, 0.3, 0.7})
                tryTwo({{.peak = share * total,
                         .x = g.x + (1 - share) * x,
                         .y = g.y + (1 - share) * y},
                        {.peak = (1 - share) * total, .x = g.x - share * x, .y = g.y - share * y}});
        }
        size_t tried = 0;
        for (size_t i = 1; i < found_.size() && tried < 2; ++i)
            if (found_[i].peak > 0.0) {
                tryTwo({found_[0], found_[i]});
                ++tried;
            }
    }

    static bool isGood(const std::optional<Rival>& rival) {
        if (!rival) return false;
        const auto freedom = static_cast<double>(rival->fit.freedom);
        return rival->fit.chi2 < freedom + 3.0 * std::sqrt(2.0 * freedom);
    }
    double scoreOf(const std::optional<Rival>& rival) const {
        return rival ? rival->fit.chi2 + cost_ * static_cast<double>(rival->extra) : kInfinite;
    }
    double leastDistance() const { return rules_.separation * model_.fwhm / model_.sigma(); }
    bool areApart(const std::vector<FitPart>& parts) const {
        for (size_t i = 0; i < parts.size(); ++i)
            for (size_t j = 0; j < i; ++j)
                if (std::hypot(parts[i].x - parts[j].x, parts[i].y - parts[j].y) < leastDistance())
                    return false;
        return true;
    }
    // True if each beam is significant alone in the filtered map, and in the joint fit.
    bool areRows(const PatchSolution& fit) const {
        for (size_t i = 0; i < fit.parts.size(); ++i) {
            const FitResult& r = fit.results[i];
            if (!fit.parts[i].isGaussian &&
                std::abs(r.peak) < rules_.threshold * std::max(contest_.rms, r.peakError))
                return false;
        }
        return areApart(fit.parts);
    }
    bool isPair() const { return two_ && areRows(two_->fit); }

    void addMembers(std::optional<Rival>& rival) {
        if (!rival) return;
        for (size_t i = 0; i < found_.size() && rival->fit.parts.size() < kMostParts; ++i) {
            std::vector<FitPart> parts = rival->fit.parts;
            parts.push_back(found_[i]);
            if (!areApart(parts)) continue;
            std::optional<PatchSolution> fit = patch_->fit(parts);
            if (!fit || fit->chi2 + cost_ > rival->fit.chi2 || !areRows(*fit)) continue;
            rival->fit = std::move(*fit);
            ++rival->extra;
        }
    }

    bool twoWin() const {
        if (!isPair() || (one_ && scoreOf(two_) > one_->chi2)) return false;
        if (!gaussian_) return true;
        const FitResult& g = gaussian_->fit.results[0];
        const bool isNarrow = g.minor - model_.fwhm < 3.0 * g.minorError;
        return scoreOf(two_) < scoreOf(gaussian_) + (isNarrow ? kTwoSigma : -kThreeSigma);
    }

    ContestResult chosen() const {
        ContestResult result;
        result.radius = radius_;
        const double alone = one_ ? one_->chi2 : kInfinite;
        double score = alone;
        if (twoWin()) {
            result.results = two_->fit.results;
            result.isBlended = true;
            score = scoreOf(two_);
        } else if (gaussian_ && (gaussian_->extra > 1 ||
                                 isExtended(gaussian_->fit.results[0], model_.fwhm, contest_.snr,
                                            alone - gaussian_->fit.chi2))) {
            result.results = gaussian_->fit.results;
            result.isExtended = true;
            score = std::min(scoreOf(gaussian_), alone);
        } else if (one_) {
            result.results = one_->results;
        }
        if (result.results.size() == 1)
            result.isBlended = two_ && alone - two_->fit.chi2 > cost_ &&
                               (!gaussian_ || two_->fit.chi2 + kTwoSigma < gaussian_->fit.chi2);
        // The found sources stay in a crowded field that no model describes.
        const double asFound =
            patch_->chi2Of(found_) + cost_ * static_cast<double>(members_.size());
        if (!members_.empty() && asFound < score) {
            result.results.clear();
            result.isExtended = false;
            result.isBlended = true;
            return result;
        }
        result.absorbed = members_;
        return result;
    }

    const FitModel& model_;
    std::span<const double> left_;
    const Contest& contest_;
    const ContestRules& rules_;
    double cost_ = 0.0, radius_ = 0.0;
    std::vector<size_t> members_;
    std::optional<FitPatch> patch_;
    std::vector<FitPart> found_;
    std::optional<PatchSolution> one_;
    std::optional<Rival> two_, gaussian_;
};

}  // namespace

bool isExtended(const FitResult& gaussian, double fwhm, double snr, double gain) {
    const double wider = 0.5 * std::log(gaussian.major * gaussian.minor) - std::log(fwhm);
    if (!(wider > 0.0)) return false;
    if (snr < kSureShape && gain < kSureGain) return false;
    return wider > 3.0 * gaussian.sizeError ||
           (gain > kThreeOfThree && gaussian.major - fwhm > 3.0 * gaussian.majorError);
}

ContestResult decided(const FitModel& model, std::span<const double> left, const Contest& contest,
                      const ContestRules& rules) {
    return Decision(model, left, contest, rules).run();
}

}  // namespace armilla::sources
