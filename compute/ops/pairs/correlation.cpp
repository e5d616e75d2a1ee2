// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "armilla/core/cholesky.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "pairs/bin_table.h"
#include "pairs/device_points.h"
#include "pairs/patches.h"
#include "shared/philox.h"

namespace armilla {

namespace {

// A catalog divided into sky patches; one patch without resampling.
struct Split {
    std::vector<int> sets;  // indices into the sets passed to countPairs
    std::vector<WeightSums> weights;
};

// Counts of one kind of pairs between patches p and q; within one catalog only p <= q.
struct KindCounts {
    std::vector<PairCounts> blocks;
    std::vector<double> possible;
};

enum Kind { kDD, kDR, kRD, kRR, kKinds };

// All counts from which the sum for any choice of patches follows.
struct Blocks {
    size_t patches = 1;
    size_t bins = 0;
    bool weighted = false;
    KindCounts kinds[kKinds];

    // The sum over patches with multiplicities `times`. Pairs within a patch count times[p], pairs
    // between two patches times[p] * times[q] (as TreeCorr does for the bootstrap).
    PairSum sum(Kind kind, const std::vector<int>& times) const {
        PairSum total;
        total.pairs.resize(bins);
        if (weighted) total.weighted.resize(bins);
        const KindCounts& counts = kinds[kind];
        if (counts.blocks.empty()) return total;
        for (size_t p = 0; p < patches; ++p)
            for (size_t q = 0; q < patches; ++q) {
                const int factor = p == q ? times[p] : times[p] * times[q];
                const PairCounts& block = counts.blocks[p * patches + q];
                if (factor == 0 || block.pairs.empty()) continue;
                total.possible += factor * counts.possible[p * patches + q];
                for (size_t k = 0; k < bins; ++k) {
                    total.pairs[k] += factor * block.pairs[k];
                    if (weighted) total.weighted[k] += factor * block.weighted[k];
                }
            }
        return total;
    }
};

// The sum without one patch, for the jackknife. A pair between patches is absent from two of the
// samples. If each omitted such pairs entirely, such pairs would count twice in the covariance.
// Therefore a fraction of the pairs is omitted that matches their effect to pairs within a patch
// (F. G. Mohammad & W. J. Percival 2022, MNRAS 514, 1289, equation 27).
PairSum without(const Blocks& blocks, Kind kind, size_t left) {
    const auto n = static_cast<double>(blocks.patches);
    const double kept = 1.0 - n / (2.0 + std::sqrt(2.0) * (n - 1.0));
    PairSum total;
    total.pairs.resize(blocks.bins);
    total.weighted.resize(blocks.bins);
    const KindCounts& counts = blocks.kinds[kind];
    for (size_t at = 0; at < counts.blocks.size(); ++at) {
        const PairCounts& block = counts.blocks[at];
        const bool first = at / blocks.patches == left, second = at % blocks.patches == left;
        if (block.pairs.empty() || (first && second)) continue;
        const double factor = first || second ? kept : 1.0;
        total.possible += factor * counts.possible[at];
        for (size_t k = 0; k < blocks.bins; ++k)
            total.weighted[k] += factor * (blocks.weighted ? block.weighted[k]
                                                           : static_cast<double>(block.pairs[k]));
    }
    return total;
}

struct Estimate {
    Estimator estimator;
    bool cross;         // between two catalogs
    bool ownRandom;     // RR pairs are within one set
    double randomSets;  // N

    std::vector<double> operator()(const PairSum& dd, const PairSum& dr, const PairSum& rd,
                                   const PairSum& rr) const {
        std::vector<double> w(dd.pairs.size(), kNan);
        for (size_t k = 0; k < w.size(); ++k) w[k] = at(k, dd, dr, cross ? rd : dr, rr);
        return w;
    }

private:
    double at(size_t k, const PairSum& dd, const PairSum& dr, const PairSum& rd,
              const PairSum& rr) const {
        if (rr.value(k) == 0.0) return kNan;
        if (estimator == Estimator::Report) {
            // Ordered pairs: pairs within one catalog count twice.
            const double d = (cross ? 1.0 : 2.0) * dd.value(k);
            const double r = (ownRandom ? 2.0 : 1.0) * rr.value(k) / randomSets;
            return (d - (dr.value(k) + rd.value(k)) / randomSets + r) / r;
        }
        const double d = dd.value(k) / dd.possible, x = dr.value(k) / dr.possible,
                     y = rd.value(k) / rd.possible, r = rr.value(k) / rr.possible;
        double w = kNan;
        switch (estimator) {
            case Estimator::LandySzalay: w = (d - x - y + r) / r; break;
            case Estimator::DavisPeebles: w = d / x - 1.0; break;
            case Estimator::Hamilton: w = d * r / (x * y) - 1.0; break;
            case Estimator::Natural: w = d / r - 1.0; break;
            case Estimator::Report: break;
        }
        return std::isfinite(w) ? w : kNan;
    }
};

// Sets of all patches of all catalogs, and the block that each pair of sets is counted into.
class Counting {
public:
    Counting(const CorrelationCatalogs& catalogs, const CorrelationParameters& parameters,
             JobContext& job)
        : catalogs_(catalogs) {
        const bool resampled = parameters.errors == CorrelationErrors::Jackknife ||
                               parameters.errors == CorrelationErrors::Bootstrap;
        // Randoms sample the survey's outline best.
        if (resampled) patches_.emplace(catalogs.random.front(), parameters.patches, job);
        data_ = add(catalogs.data, job);
        if (catalogs.data2) data2_ = add(*catalogs.data2, job);
        for (const SkyPoints& points : catalogs.random) random_.push_back(add(points, job));
        for (const SkyPoints& points : catalogs.random2) random2_.push_back(add(points, job));
    }

    Blocks count(const CorrelationParameters& parameters, JobContext& job) {
        const size_t patches = patches_ ? static_cast<size_t>(patches_->count()) : 1;
        Blocks blocks;
        blocks.patches = patches;
        blocks.bins = static_cast<size_t>(parameters.bins.count());
        blocks_ = &blocks;
        const bool cross = catalogs_.data2.has_value();
        requireMemory(cross, blocks);
        if (cross)
            between(kDD, data_, data2_);
        else
            within(kDD, data_);
        for (size_t i = 0; i < random_.size(); ++i) {
            const Split& second = random2_.empty() ? random_[i] : random2_[i];
            between(kDR, data_, second);
            if (cross) between(kRD, random_[i], data2_);
            if (random2_.empty())
                within(kRR, random_[i]);
            else
                between(kRR, random_[i], second);
        }
        const std::vector<PairCounts> counts =
            countPairs(sets_, tasks_, parameters.bins, {parameters.device, false}, job);
        for (const PairCounts& one : counts) blocks.weighted = !one.weighted.empty();
        for (size_t t = 0; t < counts.size(); ++t) {
            PairCounts& block = blocks.kinds[targets_[t].kind].blocks[targets_[t].block];
            add(block.pairs, counts[t].pairs);
            add(block.weighted, counts[t].weighted);
        }
        return blocks;
    }

private:
    struct Target {
        Kind kind;
        size_t block;
    };
    // Counts of each pair of patches are held three times at once: as counted below each edge, as
    // pairs in bins, and as the sum over the sets.
    void requireMemory(bool cross, const Blocks& blocks) const {
        const auto patches = static_cast<double>(blocks.patches);
        const auto sets = static_cast<double>(random_.size());
        const bool weighted =
            catalogs_.data.hasWeights() ||
            std::any_of(catalogs_.random.begin(), catalogs_.random.end(),
                        [](const SkyPoints& points) { return points.hasWeights(); });
        const double tasks = patches * patches * (cross ? 1.0 + 3.0 * sets : 0.5 + 1.5 * sets);
        const double bytes =
            tasks * 3.0 *
            static_cast<double>(sizeof(PairCounts) + 8 * blocks.bins * (weighted ? 2 : 1));
        armilla::requireMemory("pairs between " + std::to_string(blocks.patches) + " patches",
                               static_cast<int64_t>(bytes));
    }
    template <class Number>
    static void add(std::vector<Number>& sum, const std::vector<Number>& part) {
        sum.resize(part.size());
        for (size_t k = 0; k < part.size(); ++k) sum[k] += part[k];
    }
    Split add(const SkyPoints& points, JobContext& job) {
        Split split;
        std::vector<SkyPoints> parts =
            patches_ ? patches_->split(points, job) : std::vector<SkyPoints>{points};
        for (SkyPoints& part : parts) {
            split.sets.push_back(static_cast<int>(sets_.size()));
            split.weights.push_back(weightSums(part));
            sets_.push_back(std::move(part));
        }
        return split;
    }
    void task(Kind kind, int first, int second, size_t block, double possible) {
        KindCounts& counts = blocks_->kinds[kind];
        counts.blocks.resize(blocks_->patches * blocks_->patches);
        counts.possible.resize(counts.blocks.size());
        counts.possible[block] += possible;
        tasks_.push_back({first, second});
        targets_.push_back({kind, block});
    }
    void within(Kind kind, const Split& one) {
        for (size_t p = 0; p < one.sets.size(); ++p)
            for (size_t q = p; q < one.sets.size(); ++q) {
                const WeightSums &a = one.weights[p], &b = one.weights[q];
                task(kind, one.sets[p], one.sets[q], p * one.sets.size() + q,
                     p == q ? 0.5 * (a.sum * a.sum - a.squares) : a.sum * b.sum);
            }
    }
    void between(Kind kind, const Split& first, const Split& second) {
        for (size_t p = 0; p < first.sets.size(); ++p)
            for (size_t q = 0; q < second.sets.size(); ++q)
                task(kind, first.sets[p], second.sets[q], p * first.sets.size() + q,
                     first.weights[p].sum * second.weights[q].sum);
    }

    const CorrelationCatalogs& catalogs_;
    std::optional<Patches> patches_;
    std::vector<SkyPoints> sets_;
    Split data_, data2_;
    std::vector<Split> random_, random2_;
    std::vector<PairTask> tasks_;
    std::vector<Target> targets_;
    Blocks* blocks_ = nullptr;
};

void check(const CorrelationCatalogs& catalogs, const CorrelationParameters& parameters) {
    requireCountable(catalogs.data, parameters.device);
    if (catalogs.data2) requireCountable(*catalogs.data2, parameters.device);
    for (const auto* sets : {&catalogs.random, &catalogs.random2})
        for (const SkyPoints& points : *sets) requireCountable(points, parameters.device);
    const auto refuse = [](const std::string& text) { throw InvalidArgument(text); };
    if (catalogs.random.empty()) refuse("expected at least one set of random points, found none");
    if (!catalogs.random2.empty() && catalogs.random2.size() != catalogs.random.size())
        refuse("expected as many sets of random points for the second catalog as for the first (" +
               std::to_string(catalogs.random.size()) + "), found " +
               std::to_string(catalogs.random2.size()));
    if (!catalogs.random2.empty() && !catalogs.data2)
        refuse("expected a second catalog for the second random points, found none");
    if (parameters.resamplings < 2)
        refuse("expected at least 2 resamplings, found " + std::to_string(parameters.resamplings));
    if (parameters.estimator != Estimator::Report) return;
    const auto sameSize = [&](const SkyPoints& points, const char* what) {
        if (points.size() != catalogs.data.size())
            refuse("expected sets of equal size for the estimator report, found " +
                   std::to_string(catalogs.data.size()) + " data and " +
                   std::to_string(points.size()) + what);
    };
    if (catalogs.data2) sameSize(*catalogs.data2, " of the second catalog");
    for (const SkyPoints& points : catalogs.random) sameSize(points, " random points");
    for (const SkyPoints& points : catalogs.random2) sameSize(points, " random points");
}

// Covariance of resampled estimates times `scale`; NaN for bins in which any sample lacks an
// estimate.
std::vector<double> covarianceOf(const std::vector<std::vector<double>>& samples, double scale) {
    const size_t bins = samples.front().size();
    std::vector<double> mean(bins);
    for (const auto& w : samples)
        for (size_t k = 0; k < bins; ++k) mean[k] += w[k] / static_cast<double>(samples.size());
    std::vector<double> covariance(bins * bins);
    for (const auto& w : samples)
        for (size_t i = 0; i < bins; ++i)
            for (size_t j = 0; j < bins; ++j)
                covariance[i * bins + j] += scale * (w[i] - mean[i]) * (w[j] - mean[j]);
    return covariance;
}

}  // namespace

Correlation correlate(const CorrelationCatalogs& catalogs, const CorrelationParameters& parameters,
                      JobContext& job) {
    check(catalogs, parameters);
    Correlation result;
    result.bins = parameters.bins;
    result.estimator = parameters.estimator;
    result.errors = parameters.errors;
    const bool cross = catalogs.data2.has_value();
    JobContext counting = job.part(0.0, parameters.pairMean ? 0.5 : 1.0);
    const Blocks blocks = Counting(catalogs, parameters, counting).count(parameters, counting);
    const std::vector<int> once(blocks.patches, 1);
    result.dd = blocks.sum(kDD, once);
    result.dr = blocks.sum(kDR, once);
    result.rr = blocks.sum(kRR, once);
    PairSum rd = blocks.sum(kRD, once);
    const Estimate estimate{parameters.estimator, cross, catalogs.random2.empty(),
                            static_cast<double>(catalogs.random.size())};
    result.w = estimate(result.dd, result.dr, rd, result.rr);
    if (cross) result.rd = std::move(rd);

    const size_t bins = result.w.size();
    result.wError.assign(bins, kNan);
    if (parameters.errors == CorrelationErrors::Poisson)
        for (size_t k = 0; k < bins; ++k)
            if (result.dd.pairs[k] > 0)
                result.wError[k] =
                    (1.0 + result.w[k]) / std::sqrt(static_cast<double>(result.dd.pairs[k]));
    if (blocks.patches > 1) {
        result.patches = static_cast<int>(blocks.patches);
        const bool jackknife = parameters.errors == CorrelationErrors::Jackknife;
        const int samples = jackknife ? result.patches : parameters.resamplings;
        std::vector<std::vector<double>> drawn;
        for (int sample = 0; sample < samples; ++sample) {
            job.poll();
            if (jackknife) {
                const auto left = [&](Kind kind) {
                    return without(blocks, kind, static_cast<size_t>(sample));
                };
                drawn.push_back(estimate(left(kDD), left(kDR), left(kRD), left(kRR)));
                continue;
            }
            std::vector<int> times(blocks.patches, 0);
            for (uint32_t i = 0; i < blocks.patches; ++i) {
                const double u = uniformPair({i, static_cast<uint32_t>(sample), 0, 0x626f6f74},
                                             parameters.seed)[0];
                ++times[static_cast<size_t>(u * static_cast<double>(blocks.patches))];
            }
            drawn.push_back(estimate(blocks.sum(kDD, times), blocks.sum(kDR, times),
                                     blocks.sum(kRD, times), blocks.sum(kRR, times)));
        }
        const double n = samples;
        result.covariance = covarianceOf(drawn, jackknife ? (n - 1.0) / n : 1.0 / (n - 1.0));
        for (size_t k = 0; k < bins; ++k)
            result.wError[k] = std::sqrt(result.covariance[k * bins + k]);
    }
    if (parameters.pairMean) {
        JobContext rest = job.part(0.5, 1.0);
        std::vector<SkyPoints> sets{catalogs.data};
        if (cross) sets.push_back(*catalogs.data2);
        const std::vector<PairTask> tasks{{0, cross ? 1 : 0}};
        result.meanAngle =
            countPairs(sets, tasks, parameters.bins, {parameters.device, true}, rest)[0].meanAngle;
    }
    return result;
}

Table Correlation::table() const {
    Table table = binTable(bins, meanAngle);
    const std::pair<const char*, const PairSum*> kinds[] = {
        {"DD", &dd}, {"DR", &dr}, {"RD", rd ? &*rd : nullptr}, {"RR", &rr}};
    for (const auto& [name, sum] : kinds) {
        if (!sum) continue;
        if (sum->weighted.empty())
            addColumn(table, name, sum->pairs);
        else
            addColumn(table, name, sum->weighted);
    }
    for (const auto& [name, sum] : kinds)
        if (sum && !sum->weighted.empty())
            addColumn(table, std::string("NPAIRS_") + name, sum->pairs);
    addColumn(table, "W", w);
    addColumn(table, "W_ERR", wError);
    return table;
}

Curve Correlation::curve() const {
    Curve curve = binCurve(bins);
    curve.series.push_back({"W", "", w, wError});
    const std::pair<const char*, const PairSum*> kinds[] = {
        {"DD", &dd}, {"DR", &dr}, {"RD", rd ? &*rd : nullptr}, {"RR", &rr}};
    for (const auto& [name, sum] : kinds) {
        if (!sum) continue;
        std::vector<double> values;
        for (size_t k = 0; k < w.size(); ++k) values.push_back(sum->value(k));
        curve.series.push_back({name, "", std::move(values), {}});
    }
    curve.covariance = covariance;
    return curve;
}

namespace {

// Solves the normal equations of two parameters: {solution, covariance 00, 01, 11}.
struct TwoByTwo {
    double x, y, c00, c01, c11;
};
TwoByTwo solved(double a, double b, double d, double p, double q) {
    const double det = a * d - b * b;
    return {(d * p - b * q) / det, (a * q - b * p) / det, d / det, -b / det, a / det};
}

// Inverse of a positive definite matrix; empty for other matrices. A smaller pivot is lost to
// rounding.
std::vector<double> inverseOf(std::vector<double> m, size_t n) {
    constexpr double kLeastPivot = 1e-10;
    if (!factorizeCholesky(m, n, kLeastPivot)) return {};
    return inverseFromCholesky(m, n);
}

// The bins of a fit: log(theta), w, and the inverse of the covariance of w.
struct FittedBins {
    std::vector<double> logTheta, w, weight;
    size_t size() const { return w.size(); }

    // Bins with w and its error between two angles. Throws InvalidArgument for fewer than 3.
    FittedBins(const Correlation& correlation, double minDegrees, double maxDegrees) {
        std::vector<size_t> used;
        for (size_t k = 0; k < correlation.w.size(); ++k) {
            const double center = correlation.bins.centerDegrees(static_cast<int>(k));
            if (!(center >= minDegrees && center <= maxDegrees && std::isfinite(correlation.w[k]) &&
                  correlation.wError[k] > 0.0 && std::isfinite(correlation.wError[k])))
                continue;
            used.push_back(k);
            logTheta.push_back(std::log(center));
            w.push_back(correlation.w[k]);
        }
        const size_t n = size();
        if (n < 3)
            throw InvalidArgument("expected at least 3 bins with w and its error to fit, found " +
                                  std::to_string(n));
        weight.resize(n * n);
        for (size_t i = 0; i < n; ++i)
            weight[i * n + i] = 1.0 / (correlation.wError[used[i]] * correlation.wError[used[i]]);
        if (correlation.covariance.empty()) return;
        std::vector<double> part(n * n);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j)
                part[i * n + j] = correlation.covariance[used[i] * correlation.w.size() + used[j]];
        // With fewer patches than bins, the inverse does not exist, and only the diagonal is used.
        std::vector<double> inverse = inverseOf(std::move(part), n);
        if (!inverse.empty()) weight = std::move(inverse);
    }
    // log A and the slope of a line through the logarithms of the positive values. Throws
    // InvalidArgument for fewer than 2.
    TwoByTwo line() const {
        double s = 0.0, sx = 0.0, sxx = 0.0, sy = 0.0, sxy = 0.0;
        for (size_t i = 0; i < size(); ++i) {
            if (!(w[i] > 0.0)) continue;
            const double g = w[i] * w[i] * weight[i * size() + i], y = std::log(w[i]);
            s += g;
            sx += g * logTheta[i];
            sxx += g * logTheta[i] * logTheta[i];
            sy += g * y;
            sxy += g * logTheta[i] * y;
        }
        if (!(s * sxx - sx * sx > 0.0))
            throw InvalidArgument("expected at least 2 bins with w above 0 to fit, found fewer");
        return solved(s, sx, sxx, sy, sxy);
    }
    // chi^2 of log A and a slope, whose w are written to `model`.
    double chiSquared(double logA, double slope, std::vector<double>& model) const {
        double sum = 0.0;
        for (size_t i = 0; i < size(); ++i) model[i] = std::exp(logA + slope * logTheta[i]);
        for (size_t i = 0; i < size(); ++i)
            for (size_t j = 0; j < size(); ++j)
                sum += (w[i] - model[i]) * weight[i * size() + j] * (w[j] - model[j]);
        return sum;
    }
    // The step of Gauss and Newton in log A and the slope.
    TwoByTwo step(const std::vector<double>& model) const {
        double a = 0.0, b = 0.0, d = 0.0, p = 0.0, q = 0.0;
        for (size_t i = 0; i < size(); ++i)
            for (size_t j = 0; j < size(); ++j) {
                const double g = model[i] * weight[i * size() + j];
                a += g * model[j];
                b += g * model[j] * logTheta[j];
                d += g * model[j] * logTheta[i] * logTheta[j];
                p += g * (w[j] - model[j]);
                q += g * logTheta[i] * (w[j] - model[j]);
            }
        return solved(a, b, d, p, q);
    }
};

}  // namespace

PowerLaw fitPowerLaw(const Correlation& correlation, double minDegrees, double maxDegrees) {
    const FittedBins bins(correlation, minDegrees, maxDegrees);
    const TwoByTwo line = bins.line();
    double logA = line.x, slope = line.y;
    TwoByTwo step{};
    std::vector<double> model(bins.size());
    double chi = bins.chiSquared(logA, slope, model);
    for (int iteration = 0; iteration < 100; ++iteration) {
        step = bins.step(model);
        // Steps are halved while chi^2 grows.
        double share = 1.0, next = bins.chiSquared(logA + step.x, slope + step.y, model);
        while (next > chi && share > 1e-9) {
            share *= 0.5;
            next = bins.chiSquared(logA + share * step.x, slope + share * step.y, model);
        }
        logA += share * step.x;
        slope += share * step.y;
        const bool done = std::fabs(chi - next) <= 1e-12 * chi;
        chi = next;
        if (done) break;
    }
    PowerLaw fit;
    fit.amplitude = std::exp(logA);
    fit.gamma = 1.0 - slope;
    fit.amplitudeError = fit.amplitude * std::sqrt(step.c00);
    fit.gammaError = std::sqrt(step.c11);
    fit.chiSquared = chi;
    fit.points = static_cast<int>(bins.size());
    return fit;
}

}  // namespace armilla
