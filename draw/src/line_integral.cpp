// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/line_integral.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/tangent.h"

namespace armilla {

namespace {

constexpr int64_t kGrain = 2048;  // pixels per work item: some ms on one CPU core
// A map pixel much larger than a texture pixel is sampled at this many positions in each direction.
constexpr int64_t kMostAcross = 4;
// A picture that extends farther from its middle counts as the whole sky.
constexpr double kFarReach = 0.6;

Vec3 times(const PolarizationTensor& t, Vec3 v) {
    return {t.xx * v.x + t.xy * v.y + t.xz * v.z, t.xy * v.x + t.yy * v.y + t.yz * v.z,
            t.xz * v.x + t.yz * v.y + t.zz * v.z};
}

// Samples the polarization of a map at a pixel of the texture.
class TensorField {
public:
    TensorField(const HealpixMap& map, int q, int u, PolarizationConvention convention,
                int64_t nside)
        : map_(map),
          q_(map.field(q)),
          u_(map.field(u)),
          sign_(convention == PolarizationConvention::Iau ? -1.0 : 1.0),
          nside_(nside) {
        if (nside > map.nside()) between_.emplace(map.nside(), map.ordering());
    }

    // Zero where the polarization is unknown.
    Vec3 along(int64_t nestedPixel) const {
        const Vec3 place = directionFromNested(nside_, nestedPixel);
        PolarizationTensor sum;
        bool isKnown = false;
        const auto add = [&](int64_t pixel, double weight) {
            const auto element = map_.elementOf(pixel);
            if (!element) return;
            const double q = q_.at(*element), u = sign_ * u_.at(*element);
            if (!std::isfinite(q) || !std::isfinite(u)) return;
            isKnown = true;
            sum =
                sum + weight * polarizationTensor(
                                   directionFromPixel(map_.nside(), map_.ordering(), pixel), q, u);
        };
        if (between_) {
            // A bad pixel stays bad, so that the texture has the shape of the mask.
            const auto own = map_.elementOf(map_.pixelAt(place));
            if (!own || !std::isfinite(q_.at(*own)) || !std::isfinite(u_.at(*own))) return {};
            const Interpolation four = (*between_)(place);
            for (size_t i = 0; i < 4; ++i) add(four.pixels[i], four.weights[i]);
        } else {
            const FacePixel at = faceFromNested(nside_, nestedPixel);
            const int64_t ratio = std::max<int64_t>(1, map_.nside() / nside_);
            const int64_t across = std::min(ratio, kMostAcross);
            for (int64_t j = 0; j < across; ++j)
                for (int64_t i = 0; i < across; ++i) {
                    const FacePixel child{at.face,
                                          at.x * ratio + (2 * i + 1) * ratio / (2 * across),
                                          at.y * ratio + (2 * j + 1) * ratio / (2 * across)};
                    add(pixelFromFace(map_.nside(), map_.ordering(), child), 1.0);
                }
        }
        return isKnown ? polarizationDirection(place, sum) : Vec3{};
    }

private:
    const HealpixMap& map_;
    const Field &q_, &u_;
    double sign_;
    int64_t nside_;
    std::optional<Interpolator> between_;
};

// Hann window: zero slope at its ends, so that pixels enter without a jump.
struct Weights {
    double weight[LineIntegralTexture::kHalfLength + 1];
    double squares = 0.0;  // sum of the squares of the weights to both sides
    Weights() {
        constexpr int half = LineIntegralTexture::kHalfLength;
        for (int k = 0; k <= half; ++k) {
            const double c = std::cos(kHalfPi * k / (half + 1.0));
            weight[k] = c * c;
            squares += (k == 0 ? 1.0 : 2.0) * (weight[k] * weight[k]);
        }
    }
};

// The value of a texture at a nested pixel: the mean of noise along the line through its center,
// with mean 1/2 and deviation 1/4. `directionAt(pixel)` is the line's direction; 0 ends the line.
template <class DirectionAt>
float meanAlongLine(int64_t nside, int64_t pixel, Vec3 first, const DirectionAt& directionAt) {
    static const Weights window;
    const double length = std::sqrt(kPi / 3.0) / static_cast<double>(nside);
    const Vec3 start = directionFromNested(nside, pixel);
    double sum = window.weight[0] * skyNoise(nside, pixel), weights = window.weight[0];
    for (const double sense : {1.0, -1.0}) {
        Vec3 at = start, along = sense * first, before = along;
        for (int k = 1; k <= LineIntegralTexture::kHalfLength; ++k) {
            // Second-order Adams-Bashforth step: one lookup per step.
            const Vec3 next = 1.5 * along - 0.5 * before;
            at = normalized(at + length * next);
            const int64_t there = pixelFromDirection(nside, Ordering::Nested, at);
            Vec3 v = directionAt(there);
            if (dot(v, v) == 0.0) break;
            if (dot(v, along) < 0.0) v = -1.0 * v;
            before = along;
            along = v;
            sum += window.weight[k] * skyNoise(nside, there);
            weights += window.weight[k];
        }
    }
    // The noise of one pixel has variance 1/12; this is that of a mean of independent pixels.
    const double deviation = std::sqrt(window.squares / 12.0) / weights;
    return static_cast<float>(std::clamp(0.5 + 0.25 * (sum / weights - 0.5) / deviation, 0.0, 1.0));
}

}  // namespace

PolarizationTensor polarizationTensor(Vec3 place, double q, double u) {
    const auto [n, e] = tangentAt(place);
    const Vec3 s = -1.0 * n;
    return {q * (s.x * s.x - e.x * e.x) + 2.0 * u * s.x * e.x,
            q * (s.x * s.y - e.x * e.y) + u * (s.x * e.y + e.x * s.y),
            q * (s.x * s.z - e.x * e.z) + u * (s.x * e.z + e.x * s.z),
            q * (s.y * s.y - e.y * e.y) + 2.0 * u * s.y * e.y,
            q * (s.y * s.z - e.y * e.z) + u * (s.y * e.z + e.y * s.z),
            q * (s.z * s.z - e.z * e.z) + 2.0 * u * s.z * e.z};
}

PolarizationTensor operator+(const PolarizationTensor& a, const PolarizationTensor& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

PolarizationTensor operator*(double s, const PolarizationTensor& t) {
    return {s * t.xx, s * t.xy, s * t.xz, s * t.yy, s * t.yz, s * t.zz};
}

StokesQU stokesAt(Vec3 place, const PolarizationTensor& tensor) {
    const auto [n, e] = tangentAt(place);
    const Vec3 s = -1.0 * n;
    const Vec3 ts = times(tensor, s);
    return {0.5 * (dot(s, ts) - dot(e, times(tensor, e))), dot(e, ts)};
}

Vec3 polarizationDirection(Vec3 place, const PolarizationTensor& tensor) {
    const StokesQU stokes = stokesAt(place, tensor);
    if (!(std::hypot(stokes.q, stokes.u) > 0.0)) return {};
    const double angle = 0.5 * std::atan2(stokes.u, stokes.q);
    const auto [n, e] = tangentAt(place);
    const Vec3 s = -1.0 * n;
    return std::cos(angle) * s + std::sin(angle) * e;
}

double skyNoise(int64_t nside, int64_t nestedPixel) {
    // The finalizer of SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195).
    uint64_t z = static_cast<uint64_t>(nestedPixel) +
                 static_cast<uint64_t>(nside) * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

std::shared_ptr<const LineIntegralTexture> LineIntegralTexture::build(
    const HealpixMap& map, int qField, int uField, PolarizationConvention convention, int64_t nside,
    const std::optional<TexturePart>& part, JobContext& job) {
    if (!isPowerOfTwoNside(nside))
        throw InvalidArgument("expected a power of two as nside of a texture, found " +
                              std::to_string(nside));
    for (const int field : {qField, uField})
        if (field < 0 || field >= map.fieldCount())
            throw InvalidArgument("expected fields Q and U of the map, found number " +
                                  std::to_string(field + 1));
    auto texture = std::make_shared<LineIntegralTexture>();
    texture->nside_ = nside;
    texture->frame_ = map.frame();
    // Lines at the border of the disc begin outside of the disc.
    const double margin = (kHalfLength + 2) * maximumPixelRadius(nside);
    std::vector<PixelRange> covered{{0, armilla::pixelCount(nside)}};
    if (part)
        covered =
            queryDisc(nside, Ordering::Nested, part->center, std::min(kPi, part->radius + margin));
    int64_t count = 0;
    for (const PixelRange& range : covered) {
        texture->begins_.push_back(range.begin);
        texture->starts_.push_back(count);
        count += range.end - range.begin;
    }
    texture->begins_.push_back(std::numeric_limits<int64_t>::max());
    texture->starts_.push_back(count);
    const auto pixelOf = [&](int64_t place) {
        const auto run = std::upper_bound(texture->starts_.begin(), texture->starts_.end(), place) -
                         texture->starts_.begin() - 1;
        return texture->begins_[static_cast<size_t>(run)] + place -
               texture->starts_[static_cast<size_t>(run)];
    };
    const TensorField field(map, qField, uField, convention, nside);
    std::vector<Step> steps(static_cast<size_t>(count));
    JobContext looking = job.part(0.0, 0.3), drawing = job.part(0.3, 1.0);
    parallelFor(
        looking, count, kGrain,
        [&](long long begin, long long end) {
            for (long long place = begin; place < end; ++place) {
                const Vec3 v = field.along(pixelOf(place));
                steps[static_cast<size_t>(place)] = {
                    static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
            }
        },
        "directions of polarization");
    texture->values_.assign(static_cast<size_t>(count), std::numeric_limits<float>::quiet_NaN());
    const auto stepAt = [&](int64_t place) {
        const Step& s = steps[static_cast<size_t>(place)];
        return Vec3{s.x, s.y, s.z};
    };
    const auto directionAt = [&](int64_t pixel) {
        const int64_t place = texture->placeOf(pixel);
        return place < 0 ? Vec3{0.0, 0.0, 0.0} : stepAt(place);
    };
    parallelFor(
        drawing, count, kGrain,
        [&](long long begin, long long end) {
            for (long long place = begin; place < end; ++place) {
                const Vec3 first = stepAt(place);
                if (dot(first, first) == 0.0) continue;
                texture->values_[static_cast<size_t>(place)] =
                    meanAlongLine(nside, pixelOf(place), first, directionAt);
            }
        },
        "smearing noise");
    return texture;
}

int64_t LineIntegralTexture::placeOf(int64_t pixel) const {
    if (begins_.size() == 2) return pixel;  // the whole sky
    const auto run = std::upper_bound(begins_.begin(), begins_.end(), pixel) - begins_.begin() - 1;
    if (run < 0) return -1;
    const int64_t place =
        starts_[static_cast<size_t>(run)] + pixel - begins_[static_cast<size_t>(run)];
    return place < starts_[static_cast<size_t>(run) + 1] ? place : -1;
}

float LineIntegralTexture::valueAt(Vec3 direction) const {
    const int64_t place = placeOf(pixelFromDirection(nside_, Ordering::Nested, direction));
    return place < 0 ? std::numeric_limits<float>::quiet_NaN()
                     : values_[static_cast<size_t>(place)];
}

HealpixMap LineIntegralTexture::map() const {
    Field field;
    field.name = "TEXTURE";
    field.values = values_;
    if (static_cast<int64_t>(values_.size()) == armilla::pixelCount(nside_))
        return HealpixMap(nside_, Ordering::Nested, frame_, oneField(std::move(field)));
    std::vector<int64_t> pixels;
    pixels.reserve(values_.size());
    for (size_t run = 0; run + 1 < begins_.size(); ++run)
        for (int64_t i = 0; i < starts_[run + 1] - starts_[run]; ++i)
            pixels.push_back(begins_[run] + i);
    return HealpixMap::partial(nside_, Ordering::Nested, frame_, std::move(pixels),
                               oneField(std::move(field)));
}

double licLight(double value) {
    return std::isfinite(value) ? kLicFloor + (1.0 - kLicFloor) * value : 1.0;
}

int64_t textureNside(const ViewGeometry& view, int64_t most) {
    const double wanted = std::sqrt(kPi / 3.0) / view.radiansPerPixel;
    int64_t nside = 64;
    while (nside < most && static_cast<double>(nside) < 0.75 * wanted) nside *= 2;
    return nside;
}

std::optional<TexturePart> discOf(const ViewGeometry& view) {
    TexturePart disc;
    if (!skyFromImage(view, 0.5 * view.width, 0.5 * view.height, disc.center)) return std::nullopt;
    constexpr int kSteps = 16;
    for (int i = 0; i <= kSteps; ++i)
        for (const auto& [column, row] :
             {std::pair{view.width * i / static_cast<double>(kSteps), 0.0},
              std::pair{view.width * i / static_cast<double>(kSteps),
                        static_cast<double>(view.height)},
              std::pair{0.0, view.height * i / static_cast<double>(kSteps)},
              std::pair{static_cast<double>(view.width),
                        view.height * i / static_cast<double>(kSteps)}}) {
            Vec3 at;
            if (!skyFromImage(view, column, row, at)) return std::nullopt;
            disc.radius = std::max(disc.radius, angularDistance(disc.center, at));
        }
    // Between two of the sampled positions, the border is farther by less than their distance.
    disc.radius *= 1.0 + 1.0 / kSteps;
    if (disc.radius > kFarReach) return std::nullopt;
    return disc;
}

}  // namespace armilla
