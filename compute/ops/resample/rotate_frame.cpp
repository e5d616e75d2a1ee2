// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <tuple>

#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "resample/pixel_set.h"
#include "resample/polarization_turn.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

// Reads the values of a field without a variant access per pixel.
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

// The input elements that contribute to one pixel of the result.
struct Parts {
    int64_t under = -1;                 // input element that contains the rotated center
    std::array<int64_t, 4> elements{};  // -1 if the input has no such element
    std::array<double, 4> weights{};
    std::array<Turn, 4> turns{};
};

// The element of each pixel of a map; -1 if absent.
class Elements {
public:
    Elements(const HealpixMap& map, const JobContext& job) : map_(map) {
        if (!isDense(map)) return;
        dense_ = PixelSet(map.pixelCount(), job);
        dense_.addAll(map.pixels(), job);
    }
    // True if a bit and a test for every pixel of the sky cost less than a disc around every listed
    // pixel.
    static bool isDense(const HealpixMap& map) {
        return map.coverage() == Coverage::Partial && map.elementCount() > map.pixelCount() / 16;
    }
    int64_t operator()(int64_t pixel) const {
        if (map_.coverage() == Coverage::Full) return pixel;
        if (!isDense(map_)) return map_.elementOf(pixel).value_or(-1);
        return dense_.contains(pixel) ? dense_.rankOf(pixel) : -1;
    }

private:
    const HealpixMap& map_;
    PixelSet dense_;
};

class FrameRotation {
public:
    FrameRotation(const HealpixMap& map, Frame frame, FrameTurn turn, const JobContext& job)
        : map_(map),
          turn_(turn),
          inputFromOutput_(frameRotation(map.frame(), frame)),
          outputFromInput_(frameRotation(frame, map.frame())),
          interpolator_(map.nside(), map.ordering()),
          elements_(map, job),
          pairs_(map.polarizationPairs()),
          isPolarized_(static_cast<size_t>(map.fieldCount()), 0) {
        for (const Field& field : map.fields()) readers_.emplace_back(field);
        for (const auto& [q, u] : pairs_)
            isPolarized_[static_cast<size_t>(q)] = isPolarized_[static_cast<size_t>(u)] = 1;
    }

    const HealpixMap& map() const { return map_; }
    int64_t elementOf(int64_t inputPixel) const { return elements_(inputPixel); }
    // The element under the rotated center of pixel `pixel` of the result; -1 if absent.
    int64_t under(int64_t pixel) const {
        return elements_(map_.pixelAt(inputFromOutput_ * center(pixel)));
    }
    // The center of an input pixel in the frame of the result.
    Vec3 turnedCenter(int64_t inputPixel) const { return outputFromInput_ * center(inputPixel); }

    // The value of every field at pixel `pixel` of the result.
    void interpolate(int64_t pixel, std::vector<double>& result) const {
        const Vec3 out = center(pixel), in = inputFromOutput_ * out;
        Parts parts;
        parts.under = elements_(map_.pixelAt(in));
        std::fill(result.begin(), result.end(), kNan);
        if (parts.under < 0) return;
        if (turn_ == FrameTurn::Nearest) {
            const int64_t from = map_.pixelAt(in);
            parts.elements = {parts.under, -1, -1, -1};
            parts.weights = {1.0, 0.0, 0.0, 0.0};
            combine(parts, {from, from, from, from}, out, in, result);
            return;
        }
        const Interpolation four = interpolator_(in);
        for (size_t i = 0; i < 4; ++i) {
            parts.elements[i] = elements_(four.pixels[i]);
            parts.weights[i] = four.weights[i];
        }
        combine(parts, four.pixels, out, in, result);
    }
    // Copies the values of one element of a partial map to pixel `pixel` of the result.
    void copy(int64_t element, int64_t pixel, std::vector<double>& result) const {
        const Vec3 out = center(pixel);
        Parts parts;
        parts.under = element;
        parts.elements = {element, -1, -1, -1};
        parts.weights = {1.0, 0.0, 0.0, 0.0};
        const int64_t from = map_.pixels()[static_cast<size_t>(element)];
        combine(parts, {from, from, from, from}, out, inputFromOutput_ * out, result);
    }

private:
    Vec3 center(int64_t pixel) const {
        return directionFromPixel(map_.nside(), map_.ordering(), pixel);
    }

    // `out`, `in`: the center of the result's pixel in its own frame and in the input's frame.
    void combine(Parts& parts, const std::array<int64_t, 4>& pixels, Vec3 out, Vec3 in,
                 std::vector<double>& result) const {
        for (size_t f = 0; f < readers_.size(); ++f)
            if (isPolarized_[f] == 0) result[f] = scalar(readers_[f], parts);
        if (pairs_.empty()) return;
        const Vec3 south = inputFromOutput_ * toSouth(out), east = inputFromOutput_ * toEast(out);
        for (size_t i = 0; i < 4; ++i)
            if (parts.elements[i] >= 0)
                parts.turns[i] = turnBetween(center(pixels[i]), in, south, east);
        for (const auto& [q, u] : pairs_)
            std::tie(result[static_cast<size_t>(q)], result[static_cast<size_t>(u)]) = polarized(
                readers_[static_cast<size_t>(q)], readers_[static_cast<size_t>(u)], parts);
    }

    static double scalar(const Reader& reader, const Parts& parts) {
        const double nearest = reader[parts.under];
        if (!std::isfinite(nearest)) return kNan;
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

    static std::pair<double, double> polarized(const Reader& readQ, const Reader& readU,
                                               const Parts& parts) {
        if (!std::isfinite(readQ[parts.under]) || !std::isfinite(readU[parts.under]))
            return {kNan, kNan};
        double sumQ = 0.0, sumU = 0.0, weight = 0.0;
        for (size_t i = 0; i < 4; ++i) {
            if (parts.elements[i] < 0) continue;
            const double q = readQ[parts.elements[i]], u = readU[parts.elements[i]];
            if (!std::isfinite(q) || !std::isfinite(u)) continue;
            sumQ += parts.weights[i] * parts.turns[i].q(q, u);
            sumU += parts.weights[i] * parts.turns[i].u(q, u);
            weight += parts.weights[i];
        }
        if (weight <= 0.0) return {kNan, kNan};
        return {sumQ / weight, sumU / weight};
    }

    const HealpixMap& map_;
    FrameTurn turn_;
    Mat3 inputFromOutput_, outputFromInput_;
    Interpolator interpolator_;
    Elements elements_;
    std::vector<std::pair<int, int>> pairs_;
    std::vector<char> isPolarized_;  // by field
    std::vector<Reader> readers_;
};

// Flags of elements that contain the rotated center of a result pixel; written by several threads.
using Held = std::vector<uint8_t>;
void hold(Held& held, int64_t element) {
    std::atomic_ref(held[static_cast<size_t>(element)]).store(1, std::memory_order_relaxed);
}

// Listed pixels that would leave no trace: neither such a pixel nor its neighbors contain a rotated
// center. Each is paired with the pixel of the result that contains its own center, by ascending
// pixels. If two have the same pixel, the nearer one is kept.
std::vector<PixelSource> lostPixels(const FrameRotation& rotation, const Held& held,
                                    JobContext& job) {
    const HealpixMap& map = rotation.map();
    const auto isNear = [&](int64_t pixel) {
        const int64_t element = pixel < 0 ? -1 : rotation.elementOf(pixel);
        return element >= 0 && held[static_cast<size_t>(element)] != 0;
    };
    struct Lost {
        PixelSource at;
        double distance;
    };
    std::vector<Lost> lost;
    std::mutex lock;
    parallelFor(job, map.elementCount(), kPixelGrain / 16, [&](long long begin, long long end) {
        for (long long e = begin; e < end; ++e) {
            if (held[static_cast<size_t>(e)] != 0) continue;
            const int64_t pixel = map.pixels()[static_cast<size_t>(e)];
            const auto around = neighbors(map.nside(), map.ordering(), pixel);
            if (std::any_of(around.begin(), around.end(), isNear)) continue;
            const Vec3 turned = rotation.turnedCenter(pixel);
            const int64_t target = map.pixelAt(turned);
            if (rotation.under(target) >= 0) continue;
            const Vec3 center = directionFromPixel(map.nside(), map.ordering(), target);
            const std::lock_guard guard(lock);
            lost.push_back({{target, e}, angularDistance(turned, center)});
        }
    });
    std::sort(lost.begin(), lost.end(), [](const Lost& a, const Lost& b) {
        return std::tie(a.at.key, a.distance, a.at.element) <
               std::tie(b.at.key, b.distance, b.at.element);
    });
    std::vector<PixelSource> result;
    for (const Lost& one : lost)
        if (result.empty() || result.back().key != one.at.key) result.push_back(one.at);
    return result;
}

// The pixels of the rotated partial map, ascending, and the otherwise lost ones among these.
struct PartialPixels {
    std::vector<int64_t> pixels;
    std::vector<PixelSource> lost;
};

// Tests every pixel of the sky.
PartialPixels pixelsOfDense(const FrameRotation& rotation, JobContext& job) {
    const HealpixMap& map = rotation.map();
    Held held = newVector<uint8_t>(map.elementCount(), job);
    PixelSet covered(map.pixelCount(), job);
    static_assert(kPixelGrain / 8 % PixelSet::kAlone == 0);
    parallelFor(
        job, map.pixelCount(), kPixelGrain / 8,
        [&](long long begin, long long end) {
            for (long long pixel = begin; pixel < end; ++pixel) {
                const int64_t element = rotation.under(pixel);
                if (element < 0) continue;
                hold(held, element);
                covered.add(pixel);
            }
        },
        "finding pixels");
    PartialPixels result;
    result.lost = lostPixels(rotation, held, job);
    for (const PixelSource& one : result.lost) covered.add(one.key);
    result.pixels = covered.list(job);
    return result;
}

// Tests pixels near each listed pixel; a pixel belongs to the listed pixel that contains its
// center.
PartialPixels pixelsOfSparse(const FrameRotation& rotation, JobContext& job) {
    constexpr int64_t kGrain = 256;  // discs
    const HealpixMap& map = rotation.map();
    const double reach = maximumPixelRadius(map.nside()) * (1.0 + 1e-6);
    Held held = newVector<uint8_t>(map.elementCount(), job);
    std::vector<std::vector<PixelSource>> found(
        static_cast<size_t>((map.elementCount() + kGrain - 1) / kGrain));
    parallelFor(
        job, map.elementCount(), kGrain,
        [&](long long begin, long long end) {
            for (long long element = begin; element < end; ++element) {
                const Vec3 center =
                    rotation.turnedCenter(map.pixels()[static_cast<size_t>(element)]);
                for (const PixelRange& range :
                     queryDisc(map.nside(), map.ordering(), center, reach))
                    for (int64_t p = range.begin; p < range.end; ++p)
                        if (rotation.under(p) == element) {
                            hold(held, element);
                            found[static_cast<size_t>(begin / kGrain)].push_back({p, element});
                        }
            }
        },
        "finding pixels");
    PartialPixels result;
    result.lost = lostPixels(rotation, held, job);
    std::vector<PixelSource> pixels = result.lost;
    for (const auto& part : found) {
        job.poll();
        pixels.insert(pixels.end(), part.begin(), part.end());
    }
    sortByKey(pixels, job);
    result.pixels = keysOf(pixels, job);
    return result;
}

// Stores the values of one pixel of the result.
void store(const std::vector<double>& values, size_t at, std::vector<Field>& fields) {
    for (size_t f = 0; f < fields.size(); ++f) {
        if (auto* single = std::get_if<0>(&fields[f].values))
            (*single)[at] = static_cast<float>(values[f]);
        else
            std::get<1>(fields[f].values)[at] = values[f];
    }
}

}  // namespace

HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, JobContext& job) {
    return rotatedFrame(map, frame, FrameTurn::Interpolated, job);
}

HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, FrameTurn turn, JobContext& job) {
    requireSinglePixels(map, "change of frame");
    if (frame == map.frame()) return map;
    const FrameRotation rotation(map, frame, turn, job);
    const bool partial = map.coverage() == Coverage::Partial;
    JobContext finding = job.part(0.0, partial ? 0.4 : 0.0);
    JobContext turning = job.part(partial ? 0.4 : 0.0, 1.0);
    PartialPixels listed;
    if (partial)
        listed = Elements::isDense(map) ? pixelsOfDense(rotation, finding)
                                        : pixelsOfSparse(rotation, finding);
    const int64_t count = partial ? static_cast<int64_t>(listed.pixels.size()) : map.pixelCount();

    std::vector<Field> fields;
    const bool keeps = turn == FrameTurn::Nearest && map.polarizationPairs().empty();
    for (const Field& field : map.fields()) {
        fields.push_back({field.name,
                          field.unit,
                          diskTypeOf(field, keeps ? Numbers::AsTheyWere : Numbers::Averaged),
                          {}});
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
                rotation.interpolate(partial ? listed.pixels[i] : static_cast<int64_t>(i), values);
                store(values, i, fields);
            }
        },
        "turning");
    std::vector<double> values(fields.size());
    for (const PixelSource& lost : listed.lost) {
        rotation.copy(lost.element, lost.key, values);
        const auto at = std::lower_bound(listed.pixels.begin(), listed.pixels.end(), lost.key);
        store(values, static_cast<size_t>(at - listed.pixels.begin()), fields);
    }
    HealpixMap result = partial ? HealpixMap::partial(map.nside(), map.ordering(), frame,
                                                      std::move(listed.pixels), std::move(fields))
                                : HealpixMap(map.nside(), map.ordering(), frame, std::move(fields));
    return withMetadata(std::move(result), map);
}

}  // namespace armilla
