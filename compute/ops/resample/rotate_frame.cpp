// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>

#include "core/pixel_queries.h"
#include "ops/resample.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The values of a field without the cost of a variant for each pixel.
class Reader {
public:
    explicit Reader(const Field& field)
        : single_(field.isSingle() ? std::get<0>(field.values).data() : nullptr),
          double_(field.isSingle() ? nullptr : std::get<1>(field.values).data()) {}
    double operator[](int64_t i) const {
        return single_ != nullptr ? static_cast<double>(single_[i]) : double_[i];
    }

private:
    const float* single_;
    const double* double_;
};

Vec3 toSouth(Vec3 v) {  // unit vector along growing colatitude
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {v.z * v.x / s, v.z * v.y / s, -s};
}
Vec3 toEast(Vec3 v) {
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {-v.y / s, v.x / s, 0.0};
}

// Turns (Q, U) of one basis of the tangent plane into those of another one.
struct Turn {
    double cos2 = 1.0, sin2 = 0.0;
    double q(double q0, double u0) const { return cos2 * q0 + sin2 * u0; }
    double u(double q0, double u0) const { return cos2 * u0 - sin2 * q0; }
};

// From the local meridian at `from` to the basis (south, east) at `to`: the southward vector is
// carried along the great circle, which adds no turn of its own; a is the angle from the carried
// vector to `south`, and Q + iU takes the factor exp(-2 i a) (Q along south, U towards east).
Turn turnBetween(Vec3 from, Vec3 to, Vec3 south, Vec3 east) {
    const Vec3 own = toSouth(from);
    const Vec3 carried = own - (dot(own, to) / (1.0 + dot(from, to))) * (from + to);
    const double c = dot(carried, south), s = -dot(carried, east), norm2 = c * c + s * s;
    return {(c * c - s * s) / norm2, 2.0 * c * s / norm2};
}

// What one pixel of the result is made of.
struct Parts {
    int64_t under = -1;                 // element of the input that holds the turned center
    std::array<int64_t, 4> elements{};  // -1 where the input has none
    std::array<double, 4> weights{};
    std::array<Turn, 4> turns{};
};

class FrameRotation {
public:
    FrameRotation(const HealpixMap& map, Frame frame)
        : map_(map),
          inputFromOutput_(frameRotation(map.frame(), frame)),
          interpolator_(map.nside(), map.ordering()),
          pair_(map.polarizationPair()) {
        for (const Field& field : map.fields()) readers_.emplace_back(field);
    }

    // The element under the turned center of pixel `pixel` of the result.
    std::optional<int64_t> under(int64_t pixel) const {
        return map_.elementOf(map_.pixelAt(inputFromOutput_ * center(pixel)));
    }

    // The value of every field at pixel `pixel` of the result.
    void values(int64_t pixel, std::vector<double>& result) const {
        const Vec3 out = center(pixel), in = inputFromOutput_ * out;
        std::fill(result.begin(), result.end(), kNaN);
        const auto element = map_.elementOf(map_.pixelAt(in));
        if (!element) return;
        Parts parts;
        parts.under = *element;
        const Interpolation four = interpolator_(in);
        for (size_t i = 0; i < 4; ++i) {
            parts.elements[i] = map_.elementOf(four.pixels[i]).value_or(-1);
            parts.weights[i] = four.weights[i];
        }
        if (pair_) {
            const Vec3 south = inputFromOutput_ * toSouth(out),
                       east = inputFromOutput_ * toEast(out);
            for (size_t i = 0; i < 4; ++i)
                parts.turns[i] = turnBetween(center(four.pixels[i]), in, south, east);
        }
        for (size_t f = 0; f < readers_.size(); ++f)
            if (!pair_ || !isPolarized(f)) result[f] = scalar(readers_[f], parts);
        if (pair_) polarized(parts, result);
    }

private:
    Vec3 center(int64_t pixel) const {
        return directionFromPixel(map_.nside(), map_.ordering(), pixel);
    }
    bool isPolarized(size_t field) const {
        const int f = static_cast<int>(field);
        return f == pair_->first || f == pair_->second;
    }

    static double scalar(const Reader& reader, const Parts& parts) {
        const double nearest = reader[parts.under];
        if (!std::isfinite(nearest)) return kNaN;
        double sum = 0.0, weight = 0.0;
        for (size_t i = 0; i < 4; ++i) {
            if (parts.elements[i] < 0) continue;
            const double value = reader[parts.elements[i]];
            if (!std::isfinite(value)) continue;
            sum += parts.weights[i] * value;
            weight += parts.weights[i];
        }
        return weight > 0.0 ? sum / weight : nearest;
    }

    void polarized(const Parts& parts, std::vector<double>& result) const {
        const Reader &readQ = readers_[static_cast<size_t>(pair_->first)],
                     &readU = readers_[static_cast<size_t>(pair_->second)];
        if (!std::isfinite(readQ[parts.under]) || !std::isfinite(readU[parts.under])) return;
        double sumQ = 0.0, sumU = 0.0, weight = 0.0;
        for (size_t i = 0; i < 4; ++i) {
            if (parts.elements[i] < 0) continue;
            const double q = readQ[parts.elements[i]], u = readU[parts.elements[i]];
            if (!std::isfinite(q) || !std::isfinite(u)) continue;
            sumQ += parts.weights[i] * parts.turns[i].q(q, u);
            sumU += parts.weights[i] * parts.turns[i].u(q, u);
            weight += parts.weights[i];
        }
        if (weight <= 0.0) return;
        result[static_cast<size_t>(pair_->first)] = sumQ / weight;
        result[static_cast<size_t>(pair_->second)] = sumU / weight;
    }

    const HealpixMap& map_;
    Mat3 inputFromOutput_;
    Interpolator interpolator_;
    std::optional<std::pair<int, int>> pair_;
    std::vector<Reader> readers_;
};

// The pixels of the result whose turned centers lie in listed pixels of the input, ascending.
// `candidates` gives what to look at for a range of work items.
template <class Candidates>
std::vector<int64_t> coveredPixels(const FrameRotation& rotation, int64_t items, int64_t grain,
                                   const Candidates& candidates, JobContext& job) {
    std::vector<std::vector<int64_t>> found(static_cast<size_t>((items + grain - 1) / grain));
    parallelFor(
        job, items, grain,
        [&](long long begin, long long end) {
            candidates(begin, end, [&](int64_t pixel, std::optional<int64_t> owner) {
                const auto element = rotation.under(pixel);
                if (element && (!owner || *owner == *element))
                    found[static_cast<size_t>(begin / grain)].push_back(pixel);
            });
        },
        "finding pixels");
    std::vector<PixelSource> pixels;
    for (const auto& part : found) {
        job.poll();
        for (const int64_t pixel : part) pixels.push_back({pixel, 0});
    }
    found.clear();
    sortByKey(pixels, job);
    return keysOf(pixels, job);
}

std::vector<int64_t> pixelsOfPartial(const HealpixMap& map, Frame frame,
                                     const FrameRotation& rotation, JobContext& job) {
    // A dense map: every pixel of the sky is looked at, which costs less than a disc for each.
    if (map.elementCount() > map.pixelCount() / 16)
        return coveredPixels(
            rotation, map.pixelCount(), kPixelGrain / 8,
            [](int64_t begin, int64_t end, const auto& test) {
                for (int64_t pixel = begin; pixel < end; ++pixel) test(pixel, std::nullopt);
            },
            job);
    // A sparse one: those near each listed pixel; each is taken by the one that owns it.
    const Mat3 outputFromInput = frameRotation(frame, map.frame());
    const double reach = maximumPixelRadius(map.nside()) * (1.0 + 1e-6);
    return coveredPixels(
        rotation, map.elementCount(), 256,
        [&](int64_t begin, int64_t end, const auto& test) {
            for (int64_t element = begin; element < end; ++element) {
                const int64_t pixel = map.pixels()[static_cast<size_t>(element)];
                const Vec3 center = directionFromPixel(map.nside(), map.ordering(), pixel);
                for (const PixelRange& range :
                     queryDisc(map.nside(), map.ordering(), outputFromInput * center, reach))
                    for (int64_t p = range.begin; p < range.end; ++p) test(p, element);
            }
        },
        job);
}

}  // namespace

HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, JobContext& job) {
    requireSinglePixels(map, "change of frame");
    if (frame == map.frame()) return map;
    const FrameRotation rotation(map, frame);
    const bool partial = map.coverage() == Coverage::Partial;
    JobContext finding = job.part(0.0, partial ? 0.4 : 0.0);
    JobContext turning = job.part(partial ? 0.4 : 0.0, 1.0);
    std::vector<int64_t> pixels;
    if (partial) pixels = pixelsOfPartial(map, frame, rotation, finding);
    const int64_t count = partial ? static_cast<int64_t>(pixels.size()) : map.pixelCount();

    std::vector<Field> fields;
    for (const Field& field : map.fields()) {
        fields.push_back({field.name, field.unit, diskTypeOf(field, Numbers::Averaged), {}});
        if (field.isSingle())
            fields.back().values = newVector<float>(count, turning);
        else
            fields.back().values = newVector<double>(count, turning);
    }
    parallelFor(
        turning, count, kPixelGrain / 8,
        [&](long long begin, long long end) {
            std::vector<double> values(fields.size());
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                rotation.values(partial ? pixels[i] : static_cast<int64_t>(i), values);
                for (size_t f = 0; f < fields.size(); ++f) {
                    if (auto* single = std::get_if<0>(&fields[f].values))
                        (*single)[i] = static_cast<float>(values[f]);
                    else
                        std::get<1>(fields[f].values)[i] = values[f];
                }
            }
        },
        "turning");
    HealpixMap result = partial ? HealpixMap::partial(map.nside(), map.ordering(), frame,
                                                      std::move(pixels), std::move(fields))
                                : HealpixMap(map.nside(), map.ordering(), frame, std::move(fields));
    return withMetadata(std::move(result), map);
}

}  // namespace armilla
