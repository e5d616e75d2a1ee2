// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/extraction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "armilla/core/cholesky.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "sources/sky_cells.h"
#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

// Level in local rms at which a source's model is cut off.
constexpr double kModelEnd = 0.02;
// A pixel's center lies up to 0.7 pixels from the source. The highest pixel of a source of given
// significance has at least this fraction of it, for beams of two pixels or more (exp(-4 ln 2
// 0.35^2)).
constexpr double kOffCenter = 0.7;

// Limit of samples with a full covariance: a Cholesky factor of some ten kflop.
constexpr size_t kMostCorrelated = 48;
// Uncorrelated terms on the diagonal. kOfNoise: relative to the noise, the error of the response
// tables. kOfPeak: relative to the peak, the error of beams, treated like noise. With the latter a
// bright source is fitted by equal weights, which leaves the smallest residual for a beam that
// differs from the stated one.
constexpr double kOfNoise = 1e-3, kOfPeak = 0.03;

struct Sample {
    double x, y, value;
};

std::vector<Sample> samplesAround(const SourcePixels& pixels, std::span<const double> ring,
                                  double sign, const TangentPlane& plane, double radius) {
    std::vector<Sample> samples;
    pixels.around(plane.center(), radius, [&](int64_t p) {
        const double value = sign * ring[static_cast<size_t>(p)];
        if (!std::isfinite(value)) return;
        const auto [x, y] = plane.from(pixels.center(p));
        samples.push_back({x, y, value});
    });
    return samples;
}

struct Fit {
    Vec3 direction;
    double peak;
};

// The Cholesky factor, row after row, of the covariance of the noise at the samples. For a matched
// filter that covariance has the shape of the response. Empty without such a factor, or for too
// many samples: then all have equal weight.
std::vector<double> factorOf(const std::vector<Sample>& samples, const RadialProfile& response,
                             double snr) {
    const size_t n = samples.size();
    const double own = kOfNoise + std::pow(kOfPeak * snr, 2);
    if (n > kMostCorrelated || !std::isfinite(own)) return {};
    std::vector<double> factor(n * n, 0.0);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j)
            factor[i * n + j] = i == j ? response(0.0) + own
                                       : response(std::hypot(samples[i].x - samples[j].x,
                                                             samples[i].y - samples[j].y));
    if (!factorizeCholesky(factor, n)) return {};
    return factor;
}
using Row = std::array<double, 4>;  // derivatives by peak, x and y, and the residual
void whiten(const std::vector<double>& factor, std::vector<Row>& rows) {
    const size_t n = rows.size();
    if (factor.empty()) return;
    for (size_t i = 0; i < n; ++i)
        for (size_t c = 0; c < 4; ++c) {
            double sum = rows[i][c];
            for (size_t k = 0; k < i; ++k) sum -= factor[i * n + k] * rows[k][c];
            rows[i][c] = sum / factor[i * n + i];
        }
}

// Generalized least squares of the peak and the position of a response.
class ResponseFit {
public:
    ResponseFit(const std::vector<Sample>& samples, const RadialProfile& response,
                const std::vector<double>& factor, double radius)
        : samples_(samples), response_(response), factor_(factor), radius_(radius) {}

    struct Place {
        double peak, x, y;
    };
    // The minimum of chi^2 from a start at the middle, by Levenberg-Marquardt: chi^2 never rises,
    // since steps of Gauss and Newton wander without end where the map has another shape than the
    // response, and there double the last bit of the input. None outside the radius, for a
    // peak of the other sign, and where the fit does not settle.
    std::optional<Place> operator()(double peak) const {
        // Damped steps that shrink by 10 from the radius reach the tolerance after six.
        constexpr int kSteps = 60;
        Place place{peak, 0.0, 0.0};
        std::vector<Row> rows = rowsAt(place), fresh;
        double chi = chiOf(rows), damping = 0.0;
        for (int step = 0; step < kSteps; ++step) {
            const std::optional<Place> change = stepOf(rows, damping);
            if (!change) return std::nullopt;
            const Place next{place.peak + change->peak, place.x + change->x, place.y + change->y};
            const bool isSmall = std::hypot(change->x, change->y) < 1e-6 * radius_ &&
                                 std::abs(change->peak) < 1e-7 * place.peak;
            if (!isSmall) {
                fresh = rowsAt(next);
                const double value = chiOf(fresh);
                if (!(value <= chi)) {
                    damping = std::max(1e-3, 10.0 * damping);
                    continue;
                }
                chi = value;
                rows.swap(fresh);
                damping = damping > 1e-3 ? 0.1 * damping : 0.0;
            }
            place = next;
            if (!(std::hypot(place.x, place.y) <= radius_) || !(place.peak > 0.0))
                return std::nullopt;
            if (isSmall) return place;
        }
        return std::nullopt;
    }

private:
    std::vector<Row> rowsAt(const Place& place) const {
        std::vector<Row> rows(samples_.size());
        for (size_t i = 0; i < samples_.size(); ++i) {
            const Sample& s = samples_[i];
            const double dx = s.x - place.x, dy = s.y - place.y, r = std::hypot(dx, dy);
            const double q = response_(r),
                         slope = r > 0.0 ? -place.peak * response_.slope(r) / r : 0.0;
            rows[i] = {q, slope * dx, slope * dy, s.value - place.peak * q};
        }
        whiten(factor_, rows);
        return rows;
    }
    static double chiOf(const std::vector<Row>& rows) {
        double sum = 0.0;
        for (const Row& row : rows) sum += row[3] * row[3];
        return sum;
    }
    // The solution of the normal equations with a damped diagonal, at most a part of the radius.
    std::optional<Place> stepOf(const std::vector<Row>& rows, double damping) const {
        std::array<double, 6> a{};  // upper triangle: pp px py xx xy yy
        std::array<double, 3> b{};
        for (const auto& [q, jx, jy, left] : rows) {
            a[0] += q * q;
            a[1] += q * jx;
            a[2] += q * jy;
            a[3] += jx * jx;
            a[4] += jx * jy;
            a[5] += jy * jy;
            b[0] += q * left;
            b[1] += jx * left;
            b[2] += jy * left;
        }
        for (const size_t i : {0, 3, 5}) a[i] *= 1.0 + damping;
        const double c0 = a[3] * a[5] - a[4] * a[4], c1 = a[2] * a[4] - a[1] * a[5],
                     c2 = a[1] * a[4] - a[2] * a[3];
        const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
        if (!(std::abs(determinant) > 1e-12 * a[0] * a[3] * a[5])) return std::nullopt;
        const double c3 = a[0] * a[5] - a[2] * a[2], c4 = a[1] * a[2] - a[0] * a[4],
                     c5 = a[0] * a[3] - a[1] * a[1];
        Place step{(c0 * b[0] + c1 * b[1] + c2 * b[2]) / determinant,
                   (c1 * b[0] + c3 * b[1] + c4 * b[2]) / determinant,
                   (c2 * b[0] + c4 * b[1] + c5 * b[2]) / determinant};
        const double length = std::hypot(step.x, step.y), most = 0.3 * radius_;
        if (length > most) {
            step.x *= most / length;
            step.y *= most / length;
        }
        return step;
    }

    const std::vector<Sample>& samples_;
    const RadialProfile& response_;
    const std::vector<double>& factor_;
    double radius_;
};

// A negative peak is fitted in the negated map.
std::optional<Fit> fitResponse(const SourcePixels& pixels, std::span<const double> filtered,
                               Vec3 start, double peak, double rms, const RadialProfile& response,
                               double radius) {
    const TangentPlane plane(start);
    const double sign = peak < 0.0 ? -1.0 : 1.0;
    const std::vector<Sample> samples = samplesAround(pixels, filtered, sign, plane, radius);
    if (samples.size() < 5) return std::nullopt;
    const std::vector<double> factor = factorOf(samples, response, sign * peak / rms);
    const auto place = ResponseFit(samples, response, factor, radius)(sign * peak);
    if (!place) return std::nullopt;
    return Fit{plane.direction(place->x, place->y), sign * place->peak};
}

// Radius of the pixels used in the fit of a response.
double fitRadiusOf(const SourcePixels& pixels, double fwhm) {
    return std::max(1.6 * pixels.spacing(), 0.45 * fwhm);
}

struct Maximum {
    int64_t pixel;
    double snr;
};

// Neighbors of an image's pixel lie within this many of its spacings: diagonals of squares do.
constexpr double kNeighbor = 1.5;

// Whether all neighbors of a pixel are below it.
template <class IsBelow>
bool isHighest(const SourcePixels& pixels, int64_t p, const IsBelow& isBelow) {
    bool highest = true;
    if (pixels.isImage())
        pixels.around(pixels.center(p), kNeighbor * pixels.spacing(),
                      [&](int64_t q) { highest = highest && (q == p || isBelow(q)); });
    else
        for (const int64_t q : neighbors(pixels.nside(), Ordering::Ring, p))
            highest = highest && (q < 0 || isBelow(q));
    return highest;
}

}  // namespace

std::vector<int64_t> localExtrema(const SourcePixels& pixels, std::span<const double> values,
                                  std::span<const double> rms, double least, double leastNegative,
                                  JobContext& job) {
    const auto count = static_cast<long long>(values.size());
    std::vector<std::vector<int64_t>> parts(
        static_cast<size_t>((count + kPixelGrain - 1) / kPixelGrain));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        std::vector<int64_t>& part = parts[static_cast<size_t>(begin / kPixelGrain)];
        for (long long p = begin; p < end; ++p) {
            const auto i = static_cast<size_t>(p);
            // Few pixels pass this test; only these need their neighbors.
            const bool isHigh = values[i] >= least * rms[i];
            if (!isHigh && !(values[i] <= -leastNegative * rms[i])) continue;
            const double sign = isHigh ? 1.0 : -1.0, here = sign * values[i];
            const auto isBelow = [&](int64_t q) {
                const double there = sign * values[static_cast<size_t>(q)];
                return !(there > here || (there == here && q < p));
            };
            if (isHighest(pixels, p, isBelow)) part.push_back(p);
        }
    });
    std::vector<int64_t> extrema;
    for (const auto& part : parts) extrema.insert(extrema.end(), part.begin(), part.end());
    return extrema;
}

std::vector<int64_t> localMaxima(const SourcePixels& pixels, std::span<const double> values,
                                 std::span<const double> rms, double least, JobContext& job) {
    return localExtrema(pixels, values, rms, least, std::numeric_limits<double>::infinity(), job);
}

std::vector<double> maximaSnrs(const SourcePixels& pixels, std::span<const double> filtered,
                               double sign, std::span<const double> rms,
                               const RadialProfile& response, double fwhm, double least,
                               std::span<const Vec3> sources, JobContext& job) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double from = kOffCenter * least;
    std::vector<int64_t> maxima = localExtrema(pixels, filtered, rms, sign > 0.0 ? from : kNever,
                                               sign > 0.0 ? kNever : from, job);
    PlaceIndex places(2.0 * fwhm);
    for (size_t i = 0; i < sources.size(); ++i) places.add(sources[i], static_cast<int64_t>(i));
    std::erase_if(maxima,
                  [&](int64_t p) { return !places.near(pixels.center(p), 2.0 * fwhm).empty(); });
    std::vector<double> snrs(maxima.size());
    parallelFor(job, static_cast<long long>(maxima.size()), 64,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                        const auto at = static_cast<size_t>(maxima[i]);
                        const std::optional<Fit> fit =
                            fitResponse(pixels, filtered, pixels.center(maxima[i]), filtered[at],
                                        rms[at], response, fitRadiusOf(pixels, fwhm));
                        snrs[i] = significance(std::abs(fit ? fit->peak : filtered[at]) / rms[at]);
                    }
                });
    std::erase_if(snrs, [&](double snr) { return !(snr >= least); });
    std::sort(snrs.begin(), snrs.end(), std::greater<>());
    return snrs;
}

void addProfile(const SourcePixels& pixels, std::span<double> ring, Vec3 direction, double scale,
                const RadialProfile& profile, double reach) {
    pixels.around(direction, reach, [&](int64_t p) {
        ring[static_cast<size_t>(p)] +=
            scale * profile(angularDistance(pixels.center(p), direction));
    });
}

namespace {

// The subtracted sources; `extended`: the ones wider than the beam.
struct Taken {
    explicit Taken(double radius) : places(radius) {}
    std::vector<Extracted> sources;
    PlaceIndex places;
    std::vector<SkyPart> extended;
    void add(const Extracted& source) {
        places.add(source.direction, static_cast<int64_t>(sources.size()));
        sources.push_back(source);
    }
};
// The Gaussian of a part, twice as wide, as an envelope.
double aroundOf(const SkyPart& part, Vec3 at) {
    const auto [x, y] = TangentPlane(part.direction).from(at);
    const double east = std::sin(part.angle), north = std::cos(part.angle);
    const double along = (x * east + y * north) / part.major,
                 across = (x * north - y * east) / part.minor;
    return std::abs(part.peak) * std::exp2(-(along * along + across * across));
}

class Extraction {
public:
    Extraction(const SourcePixels& pixels, std::span<double> filtered, std::span<const double> rms,
               const RadialProfile& response, double fwhm, const ExtractionLimits& limits,
               const SecondLook* second)
        : pixels_(pixels),
          filtered_(filtered),
          rms_(rms),
          response_(response),
          fwhm_(fwhm),
          limits_(limits),
          second_(second),
          fitRadius_(fitRadiusOf(pixels, fwhm)),
          influence_(std::max(response.reachOf(0.05), fwhm)),
          taken_(influence_),
          // A beam may be far narrower than a pixel.
          refused_(std::max(fwhm, kSamePlace * pixels.spacing())) {
        if (second == nullptr) return;
        for (const Extracted& source : second->known) taken_.add(source);
        taken_.extended.assign(second->extended.begin(), second->extended.end());
    }
    // The sources that are not known before.
    std::vector<Extracted> run(JobContext& job) {
        const auto known = static_cast<std::ptrdiff_t>(taken_.sources.size());
        for (int pass = 0; pass < limits_.passes; ++pass)
            if (subtractBrightest(job) == 0) break;
        taken_.sources.erase(taken_.sources.begin(), taken_.sources.begin() + known);
        return std::move(taken_.sources);
    }

private:
    std::vector<Maximum> maxima(JobContext& job) const {
        std::vector<Maximum> found;
        for (const int64_t p :
             localExtrema(pixels_, filtered_, rms_, kOffCenter * limits_.threshold,
                          kOffCenter * limits_.negativeThreshold, job))
            found.push_back(
                {p, std::abs(filtered_[static_cast<size_t>(p)]) / rms_[static_cast<size_t>(p)]});
        std::sort(found.begin(), found.end(), [](const Maximum& a, const Maximum& b) {
            return a.snr != b.snr ? a.snr > b.snr : a.pixel < b.pixel;
        });
        return found;
    }
    // One pass: sources equal within a factor of two, which do not influence each other. Returns
    // their number.
    int64_t subtractBrightest(JobContext& job) {
        job.poll();
        const double apart = limits_.passes > 1 ? influence_ : limits_.separation * fwhm_;
        PlaceIndex now(influence_);
        double lowest = 0.0;
        int64_t fresh = 0, looked = 0;
        for (const Maximum& maximum : maxima(job)) {
            const Vec3 center = pixels_.center(maximum.pixel);
            if (second_ != nullptr && !second_->isLookedAt(center)) continue;
            if (!refused_.near(center, kSamePlace * pixels_.spacing()).empty()) continue;
            if (fresh == 0) lowest = limits_.passes > 1 ? 0.5 * maximum.snr : 0.0;
            if (maximum.snr < lowest) break;
            const double height = filtered_[static_cast<size_t>(maximum.pixel)];
            brightest_ = std::max(brightest_, std::abs(height));
            if (std::abs(height) < limits_.dynamicRange * brightest_) continue;
            if (!now.near(center, apart).empty()) continue;
            if (looked++ % 64 == 0) job.poll();
            Extracted source = measured(maximum.pixel);
            if (!isSource(source)) {
                refused_.add(center, refusals_++);
                continue;
            }
            ++fresh;
            now.add(source.direction, static_cast<int64_t>(taken_.sources.size()));
            taken_.add(source);
            addProfile(pixels_, filtered_, source.direction, -source.peak, response_,
                       response_.reachOf(kModelEnd * source.rms / std::abs(source.peak)));
        }
        return fresh;
    }
    // The response fitted around a maximum, or the maximum itself.
    Extracted measured(int64_t pixel) const {
        const auto at = static_cast<size_t>(pixel);
        const Vec3 center = pixels_.center(pixel);
        const std::optional<Fit> fit =
            fitResponse(pixels_, filtered_, center, filtered_[at], rms_[at], response_, fitRadius_);
        Extracted source{.direction = fit ? fit->direction : center,
                         .peak = fit ? fit->peak : filtered_[at],
                         .rms = rms_[at],
                         .pixel = pixel,
                         .fitted = fit.has_value()};
        const int64_t place = pixels_.at(source.direction);
        source.outside = place < 0 || std::isnan(filtered_[static_cast<size_t>(place)]);
        return source;
    }
    // False for a blend with a subtracted source, for a ring around one, and below the threshold.
    // Sets the contamination, and the flag of the other source of a blend.
    bool isSource(Extracted& source) {
        const double size = std::abs(source.peak);
        double brought = 0.0;
        bool blend = false;
        for (const int64_t i : taken_.places.near(source.direction, response_.reach())) {
            Extracted& other = taken_.sources[static_cast<size_t>(i)];
            const double distance = angularDistance(other.direction, source.direction);
            brought += std::abs(other.peak) * response_.envelope(distance);
            if (distance < limits_.separation * fwhm_) blend = other.blended = true;
        }
        source.contamination = brought / size;
        bool ring = size < limits_.ringShare * brought;
        for (const SkyPart& part : taken_.extended) {
            const double away = angularDistance(part.direction, source.direction);
            const double rings =
                std::abs(part.peak) * response_.envelope(std::max(0.0, away - 0.5 * part.major));
            ring = ring || size < kShapeShare * aroundOf(part, source.direction) ||
                   size < limits_.ringShare * rings;
        }
        const double threshold = source.peak > 0.0 ? limits_.threshold : limits_.negativeThreshold;
        return !ring && !blend && !(source.snr() < threshold);
    }

    const SourcePixels& pixels_;
    std::span<double> filtered_;
    std::span<const double> rms_;
    const RadialProfile& response_;
    double fwhm_;
    const ExtractionLimits& limits_;
    const SecondLook* second_;
    double fitRadius_;
    // Sources of one pass, equal within a factor of two, do not influence each other beyond this.
    double influence_;
    Taken taken_;
    // Refused maxima within this many pixels are the same.
    static constexpr double kSamePlace = 0.6;
    PlaceIndex refused_;
    int64_t refusals_ = 0;
    double brightest_ = 0.0;
};

}  // namespace

std::vector<Extracted> extractSources(const SourcePixels& pixels, std::span<double> filtered,
                                      std::span<const double> rms, const RadialProfile& response,
                                      double fwhm, const ExtractionLimits& limits, JobContext& job,
                                      const SecondLook* second) {
    return Extraction(pixels, filtered, rms, response, fwhm, limits, second).run(job);
}

}  // namespace armilla::sources
