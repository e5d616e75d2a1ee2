// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/region_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/area_statistics.h"

namespace armilla {

namespace {

// Pairwise sum: the error grows with the logarithm of the count.
double pairwiseSum(std::span<const double> values) {
    if (values.size() <= 64) return std::accumulate(values.begin(), values.end(), 0.0);
    const size_t middle = values.size() / 2;
    return pairwiseSum(values.first(middle)) + pairwiseSum(values.subspan(middle));
}

// Percentile, linear between neighbors like numpy's default. Reorders the values.
double percentile(std::vector<double>& values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<size_t>(place);
    const double first = valueOfRank(values, low), between = place - static_cast<double>(low);
    if (between == 0.0) return first;
    const auto next = values.begin() + static_cast<std::ptrdiff_t>(low) + 1;
    const double second = *std::min_element(next, values.end());
    return first + between * (second - first);
}

// Tests whether directions of the map belong to a part.
class PartTest {
public:
    PartTest(const SkyPart& part, Frame frame) : mask_(part.mask) {
        if (part.region) inside_.emplace_back(*part.region, frame);
        for (const Region& region : part.without) outside_.emplace_back(region, frame);
        if (mask_ != nullptr) {
            if (mask_->fieldCount() < 1)
                throw InvalidArgument("expected a mask with a field, found none");
            turn_ = frameRotation(mask_->frame(), frame);
        }
    }
    bool contains(Vec3 direction) const {
        for (const RegionTest& test : inside_)
            if (!test.contains(direction)) return false;
        for (const RegionTest& test : outside_)
            if (test.contains(direction)) return false;
        return mask_ == nullptr || mask_->value(0, mask_->pixelAt(turn_ * direction)) > 0.5;
    }
    bool isWholeSky() const { return inside_.empty() && outside_.empty() && mask_ == nullptr; }
    // A disc that contains the whole part; null: the whole sky.
    const RegionTest* disc() const { return inside_.empty() ? nullptr : &inside_.front(); }

private:
    std::vector<RegionTest> inside_, outside_;
    const HealpixMap* mask_;
    Mat3 turn_;
};

CurveSeries seriesOf(std::string name, std::string unit, std::vector<double> values,
                     std::vector<double> errors = {}) {
    CurveSeries series;
    series.name = std::move(name);
    series.unit = std::move(unit);
    series.values = std::move(values);
    series.errors = std::move(errors);
    return series;
}

}  // namespace

std::optional<Vec3> SkyPart::center(Frame frame) const {
    if (!region) return std::nullopt;
    return RegionTest(*region, frame).center();
}

namespace {

// Pieces of equal length, so that threads divide a region's few long runs.
std::vector<PixelRange> piecesOf(const std::vector<PixelRange>& ranges, PixelRange within) {
    constexpr int64_t kPiece = 1 << 13;
    std::vector<PixelRange> pieces;
    for (const PixelRange& range : ranges) {
        const int64_t last = std::min(range.end, within.end);
        for (int64_t begin = std::max(range.begin, within.begin); begin < last; begin += kPiece)
            pieces.push_back({begin, std::min(begin + kPiece, last)});
    }
    return pieces;
}

// The values of all pixels of `within`, in memory of their exact size.
template <class ValueAt>
PartValues allValues(PixelRange within, const ValueAt& valueAt, JobContext& job) {
    const std::vector<PixelRange> pieces = piecesOf({within}, within);
    const auto forPieces = [&](JobContext part, const auto& body) {
        parallelFor(
            part, static_cast<long long>(pieces.size()), 1,
            [&](long long first, long long last) {
                for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i)
                    body(i);
            },
            "pixels");
    };
    std::vector<int64_t> places(pieces.size() + 1, 0);  // first value of each piece
    forPieces(job.part(0.0, 0.5), [&](size_t i) {
        for (int64_t p = pieces[i].begin; p < pieces[i].end; ++p)
            if (std::isfinite(valueAt(p))) ++places[i + 1];
    });
    std::partial_sum(places.begin(), places.end(), places.begin());
    PartValues result;
    result.first = within.begin;
    result.all = within.end - within.begin;
    result.values = newVector<double>(places.back(), job);
    const bool isWhole = places.back() == result.all;
    if (!isWhole) result.pixels = newVector<int64_t>(places.back(), job);
    forPieces(job.part(0.5, 1.0), [&](size_t i) {
        auto at = static_cast<size_t>(places[i]);
        for (int64_t p = pieces[i].begin; p < pieces[i].end; ++p) {
            const double value = valueAt(p);
            if (!std::isfinite(value)) continue;
            result.values[at] = value;
            if (!isWhole) result.pixels[at] = p;
            ++at;
        }
    });
    return result;
}

// The pixels of `within` that lie in a part; valueAt(pixel) is the value of a pixel.
template <class ValueAt>
PartValues valuesWithin(int64_t nside, Ordering ordering, PixelRange within, const PartTest& test,
                        const ValueAt& valueAt, JobContext& job) {
    if (test.isWholeSky()) return allValues(within, valueAt, job);
    std::vector<PixelRange> ranges{within};
    if (const RegionTest* disc = test.disc()) {
        // The margin covers rounding at the border.
        const double radius = std::min(kPi, disc->radius() * (1.0 + 1e-12) + 1e-14);
        ranges = queryDisc(nside, ordering, disc->center(), radius);
    }
    const std::vector<PixelRange> pieces = piecesOf(ranges, within);
    std::vector<PartValues> found(pieces.size());
    // A region with exclusions may have any number of corners; a piece of a simple region takes
    // about 1 ms on one CPU core.
    parallelFor(
        job, static_cast<long long>(pieces.size()), 1,
        [&](long long first, long long last) {
            for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i)
                for (int64_t p = pieces[i].begin; p < pieces[i].end; ++p) {
                    if (!test.contains(directionFromPixel(nside, ordering, p))) continue;
                    ++found[i].all;
                    const double value = valueAt(p);
                    if (!std::isfinite(value)) continue;
                    found[i].values.push_back(value);
                    found[i].pixels.push_back(p);
                }
        },
        "pixels");
    PartValues result;
    size_t count = 0;
    for (const PartValues& piece : found) count += piece.values.size();
    result.values.reserve(count);
    result.pixels.reserve(count);
    for (PartValues& piece : found) {
        job.poll();
        result.all += piece.all;
        result.values.insert(result.values.end(), piece.values.begin(), piece.values.end());
        result.pixels.insert(result.pixels.end(), piece.pixels.begin(), piece.pixels.end());
        piece = PartValues();
    }
    return result;
}

}  // namespace

PartValues partValues(const HealpixMap& map, int field, const SkyPart& part, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order, found cells of several");
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field of the map, found number " +
                              std::to_string(field + 1));
    return valuesWithin(
        map.nside(), map.ordering(), {0, map.pixelCount()}, PartTest(part, map.frame()),
        [&](int64_t pixel) { return map.value(field, pixel); }, job);
}

PartValues partValues(const PixelSlice& slice, const SkyPart& part, JobContext& job) {
    const auto count = static_cast<int64_t>(sizeOf(slice.samples));
    return std::visit(
        [&](const auto& samples) {
            return valuesWithin(
                slice.nside, slice.ordering, {slice.first, slice.first + count},
                PartTest(part, slice.frame),
                [&](int64_t pixel) {
                    return static_cast<double>(samples[static_cast<size_t>(pixel - slice.first)]);
                },
                job);
        },
        slice.samples);
}

PartStatistics partStatistics(const HealpixMap& map, PartValues part) {
    PartStatistics s;
    s.pixels = part.all;
    s.good = static_cast<int64_t>(part.values.size());
    s.mean = s.standardDeviation = s.median = s.low = s.high = s.least = s.largest = kNan;
    std::vector<double>& v = part.values;
    if (v.empty()) return s;
    const FieldStatistics found = valueStatistics(v);
    s.sum = pairwiseSum(v);
    s.mean = found.mean;
    s.standardDeviation = found.standardDeviation;
    s.least = found.min;
    s.largest = found.max;
    const auto last = std::find(v.rbegin(), v.rend(), s.largest);
    s.largestAt = directionFromPixel(map.nside(), map.ordering(),
                                     part.pixel(static_cast<size_t>(v.rend() - last) - 1));
    s.median = percentile(v, 0.5);
    s.low = percentile(v, 0.16);
    s.high = percentile(v, 0.84);
    return s;
}

AreaValues areaValues(const SkyPixels& pixels, std::span<const double> values, const SkyPart& part,
                      JobContext& job) {
    const PartTest test(part, pixels.frame);
    AreaValues found;
    for (size_t i = 0; i < values.size(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        if (!std::isfinite(pixels.centers[i].z) || !test.contains(pixels.centers[i])) continue;
        ++found.all;
        found.area += pixels.areas[i];
        if (!std::isfinite(values[i])) continue;
        found.values.push_back(values[i]);
        found.pixels.push_back(static_cast<int64_t>(i));
    }
    return found;
}

AreaStatistics areaStatistics(const SkyPixels& pixels, const AreaValues& part) {
    AreaStatistics s;
    s.area = part.area;
    s.pixels = part.all;
    s.good = std::ssize(part.values);
    s.mean = s.standardDeviation = s.median = s.low = s.high = s.least = s.largest = kNan;
    const std::vector<double>& v = part.values;
    if (v.empty()) return s;
    const auto weight = [&](size_t i) { return pixels.areas[static_cast<size_t>(part.pixels[i])]; };
    std::vector<double> terms(v.size());
    const auto summed = [&](const auto& term) {
        for (size_t i = 0; i < v.size(); ++i) terms[i] = weight(i) * term(v[i]);
        return pairwiseSum(terms);
    };
    const double total = summed([](double) { return 1.0; });
    s.sum = pairwiseSum(v);
    s.integral = summed([](double value) { return value; });
    s.mean = s.integral / total;
    s.standardDeviation = std::sqrt(
        summed([&](double value) { return (value - s.mean) * (value - s.mean); }) / total);
    std::vector<size_t> order(v.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return v[a] < v[b]; });
    s.least = v[order.front()];
    s.largest = v[order.back()];
    s.largestAt = pixels.centers[static_cast<size_t>(part.pixels[order.back()])];
    const double first = 0.5 * weight(order.front()), last = 0.5 * weight(order.back());
    const auto percentileAt = [&](double share) {
        const double wanted = first + share * (total - first - last);
        double before = first;  // up to the middle of pixel i
        for (size_t i = 0; i + 1 < order.size(); ++i) {
            const double step = 0.5 * (weight(order[i]) + weight(order[i + 1]));
            if (before + step >= wanted)
                return v[order[i]] + (wanted - before) / step * (v[order[i + 1]] - v[order[i]]);
            before += step;
        }
        return v[order.back()];
    };
    s.median = percentileAt(0.5);
    s.low = percentileAt(0.16);
    s.high = percentileAt(0.84);
    return s;
}

Curve partHistogram(std::span<const PartValues> parts, std::span<const std::string> names,
                    double low, double high, int bins, const std::string& unit) {
    const auto refuse = [&](const char* expected) {
        throw InvalidArgument(std::string("expected ") + expected + ", found " +
                              std::to_string(bins) + " from " + numberText(low) + " to " +
                              numberText(high));
    };
    if (bins < 1 || !(low <= high) || !std::isfinite(low) || !std::isfinite(high))
        refuse("bins from a lower to a higher value");
    // A bin for values that are all equal.
    if (low == high) high = low + (low != 0.0 ? 1e-6 * std::abs(low) : 1.0);
    Curve curve;
    curve.kind = CurveKind::Histogram;
    curve.name = "HISTOGRAM";
    curve.xName = "VALUE";
    curve.xUnit = unit;
    const double width = (high - low) / bins;
    for (int i = 0; i < bins; ++i) {
        curve.xLow.push_back(low + i * width);
        curve.xHigh.push_back(i + 1 < bins ? low + (i + 1) * width : high);
        curve.x.push_back(0.5 * (curve.xLow.back() + curve.xHigh.back()));
        if (!std::isfinite(width) || !(curve.xLow.back() < curve.xHigh.back()))
            refuse("bins of a finite width, between numbers that differ in double precision");
    }
    for (size_t k = 0; k < parts.size(); ++k) {
        std::vector<double> counts(static_cast<size_t>(bins), 0.0);
        for (const double v : parts[k].values) {
            if (!(v >= low && v <= high)) continue;
            auto bin = std::min(static_cast<size_t>((v - low) / width), counts.size() - 1);
            // At an edge, rounding may select the neighboring bin.
            if (v < curve.xLow[bin]) --bin;
            if (v >= curve.xHigh[bin] && bin + 1 < counts.size()) ++bin;
            counts[bin] += 1.0;
        }
        curve.series.push_back(
            seriesOf(parts.size() == 1 ? "COUNT" : "COUNT_" + names[k], "", std::move(counts)));
    }
    return curve;
}

namespace {

// The profile of values with weights at directions, both functions of the place in the part.
template <class DirectionOf, class WeightOf>
Curve profileOf(const PartValues& part, Vec3 center, const ProfileParameters& p,
                const std::string& unit, const DirectionOf& directionOf, const WeightOf& weightOf) {
    if (!(p.step > 0.0 && p.reach > 0.0 && p.reach / p.step <= 1e6))
        throw InvalidArgument("expected rings of a width, at most a million, found " +
                              std::to_string(p.reach / kDegree) + " degrees in steps of " +
                              std::to_string(p.step / kDegree));
    // A pixel at the border belongs to the last ring.
    const auto rings = static_cast<size_t>(std::max(1.0, std::ceil(p.reach / p.step - 1e-9)));
    std::vector<double> sum(rings, 0.0), squares(rings, 0.0), count(rings, 0.0);
    std::vector<double> weights(rings, 0.0), squaredWeights(rings, 0.0);
    std::vector<uint32_t> ringOf(part.values.size());
    for (size_t i = 0; i < part.values.size(); ++i) {
        const double theta = angularDistance(center, directionOf(i)), weight = weightOf(i);
        ringOf[i] = static_cast<uint32_t>(std::min(static_cast<size_t>(theta / p.step), rings - 1));
        sum[ringOf[i]] += weight * part.values[i];
        weights[ringOf[i]] += weight;
        squaredWeights[ringOf[i]] += weight * weight;
        count[ringOf[i]] += 1.0;
    }
    std::vector<double> mean(rings, kNan), error(rings, kNan), spread(rings, kNan);
    for (size_t k = 0; k < rings; ++k)
        if (weights[k] > 0.0) mean[k] = sum[k] / weights[k];
    double largest = 0.0;
    for (const double value : part.values) largest = std::max(largest, std::abs(value));
    const int exponent = scalingExponent(largest);
    const double scale = std::ldexp(1.0, -exponent);  // a power of two: the product is exact
    for (size_t i = 0; i < part.values.size(); ++i) {
        const double off = part.values[i] * scale - mean[ringOf[i]] * scale;
        squares[ringOf[i]] += weightOf(i) * off * off;
    }
    for (size_t k = 0; k < rings; ++k)
        if (count[k] > 1.0 && weights[k] > 0.0) {
            const double freedom = weights[k] * (count[k] - 1.0) / count[k];
            spread[k] = std::ldexp(std::sqrt(squares[k] / freedom), exponent);
            error[k] = spread[k] * std::sqrt(squaredWeights[k]) / weights[k];
        }
    Curve curve;
    curve.kind = CurveKind::Profile;
    curve.name = "PROFILE";
    curve.xName = "THETA";
    curve.xUnit = "deg";
    for (size_t k = 0; k < rings; ++k) {
        curve.xLow.push_back(static_cast<double>(k) * p.step / kDegree);
        curve.xHigh.push_back(static_cast<double>(k + 1) * p.step / kDegree);
        curve.x.push_back(0.5 * (curve.xLow.back() + curve.xHigh.back()));
    }
    curve.series.push_back(seriesOf("MEAN", unit, std::move(mean), std::move(error)));
    curve.series.push_back(seriesOf("STD", unit, std::move(spread)));
    curve.series.push_back(seriesOf("PIXELS", "", std::move(count)));
    return curve;
}

}  // namespace

Curve radialProfile(const HealpixMap& map, const PartValues& values, Vec3 center,
                    const ProfileParameters& parameters, const std::string& unit) {
    return profileOf(
        values, center, parameters, unit,
        [&](size_t i) { return directionFromPixel(map.nside(), map.ordering(), values.pixel(i)); },
        [](size_t) { return 1.0; });
}

Curve radialProfile(const SkyPixels& pixels, const AreaValues& values, Vec3 center,
                    const ProfileParameters& parameters, const std::string& unit) {
    const auto at = [&](size_t i) { return static_cast<size_t>(values.pixels[i]); };
    return profileOf(
        values, center, parameters, unit, [&](size_t i) { return pixels.centers[at(i)]; },
        [&](size_t i) { return pixels.areas[at(i)]; });
}

}  // namespace armilla
