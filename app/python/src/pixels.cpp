// SPDX-License-Identifier: GPL-3.0-or-later
// Pixel functions on numpy arrays. The Python layer broadcasts: arrays are flat and of one length,
// `nside` has that length or one element. Numbers of pixels and nside are checked here.
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "arrays.h"
#include "call.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

using Integers = ArrayIn<const int64_t>;
using Doubles = ArrayIn<const double>;

Ordering orderingOf(bool nest) {
    return nest ? Ordering::Nested : Ordering::Ring;
}

// nside of each element of a call.
class Resolutions {
public:
    Resolutions(const Integers& nside, bool nest) : values_(nside.data()), count_(nside.size()) {
        for (size_t i = 0; i < count_; ++i) checkNside(values_[i], orderingOf(nest));
    }
    int64_t operator[](size_t i) const { return values_[count_ == 1 ? 0 : i]; }
    bool isOne() const { return count_ == 1; }

private:
    const int64_t* values_;
    size_t count_;
};

int64_t checkedPixel(int64_t nside, int64_t pixel) {
    if (pixel < 0 || pixel >= pixelCount(nside))
        throw InvalidArgument("expected a pixel from 0 to " +
                              std::to_string(pixelCount(nside) - 1) + ", found " +
                              std::to_string(pixel));
    return pixel;
}

Vec3 directionOf(double theta, double phi) {
    const double s = std::sin(theta);
    return {s * std::cos(phi), s * std::sin(phi), std::cos(theta)};
}

// Calls `body(i)` for each element without the GIL, by the threads of this process.
template <typename Body>
void forEach(size_t count, const Body& body) {
    // About a millisecond of work.
    constexpr long long kGrain = 1 << 14;
    const auto work = [&](JobContext& job) {
        parallelFor(job, static_cast<long long>(count), kGrain,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            body(i);
                    });
    };
    // Longer calls, from some 10 ms on, run as jobs, which Ctrl-C ends.
    if (count > 10 * kGrain) {
        runJob({0, nb::none()}, work);
        return;
    }
    const nb::gil_scoped_release released;
    JobContext job;
    work(job);
}

// The numbers in half-open ranges: `bounds` holds begin and end of each in turn.
nb::object pixelsOf(const Integers& bounds) {
    const int64_t* const bound = bounds.data();
    // Index in the result of the first number of each range.
    std::vector<int64_t> starts{0};
    for (size_t i = 0; i + 1 < bounds.size(); i += 2)
        starts.push_back(starts.back() + bound[i + 1] - bound[i]);
    auto pixels = std::make_shared<UnsetVector<int64_t>>();
    runJob({0, nb::none()}, [&](JobContext& job) {
        *pixels = newUnsetVector<int64_t>(starts.back(), job);
        parallelFor(job, starts.back(), kPixelGrain, [&](long long begin, long long end) {
            auto range = std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin() - 1;
            for (long long i = begin; i < end; ++range) {
                const auto r = static_cast<size_t>(range);
                const long long last = std::min(end, static_cast<long long>(starts[r + 1]));
                for (int64_t pixel = bound[2 * r] + i - starts[r]; i < last; ++i)
                    (*pixels)[static_cast<size_t>(i)] = pixel++;
            }
        });
    });
    const int64_t* const data = pixels->data();
    const size_t count = pixels->size();
    return viewOf(data, {count}, std::move(pixels));
}

nb::object angToPix(const Integers& nside, bool nest, const Doubles& theta, const Doubles& phi) {
    const Resolutions resolutions(nside, nest);
    std::vector<int64_t> pixels(theta.size());
    forEach(pixels.size(), [&](size_t i) {
        const Vec3 direction = directionOf(theta.data()[i], phi.data()[i]);
        pixels[i] = pixelFromDirection(resolutions[i], orderingOf(nest), direction);
    });
    return arrayOf(std::move(pixels));
}

nb::object vecToPix(const Integers& nside, bool nest, const Doubles& x, const Doubles& y,
                    const Doubles& z) {
    const Resolutions resolutions(nside, nest);
    std::vector<int64_t> pixels(x.size());
    forEach(pixels.size(), [&](size_t i) {
        const Vec3 direction = normalized({x.data()[i], y.data()[i], z.data()[i]});
        pixels[i] = pixelFromDirection(resolutions[i], orderingOf(nest), direction);
    });
    return arrayOf(std::move(pixels));
}

nb::tuple pixToAng(const Integers& nside, bool nest, const Integers& pixels) {
    const Resolutions resolutions(nside, nest);
    std::vector<double> theta(pixels.size()), phi(pixels.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t pixel = checkedPixel(resolutions[i], pixels.data()[i]);
        const Vec3 at = directionFromPixel(resolutions[i], orderingOf(nest), pixel);
        theta[i] = std::atan2(std::hypot(at.x, at.y), at.z);
        phi[i] = lonLat(at).lon;
    });
    return nb::make_tuple(arrayOf(std::move(theta)), arrayOf(std::move(phi)));
}

nb::tuple pixToVec(const Integers& nside, bool nest, const Integers& pixels) {
    const Resolutions resolutions(nside, nest);
    std::vector<double> x(pixels.size()), y(pixels.size()), z(pixels.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t pixel = checkedPixel(resolutions[i], pixels.data()[i]);
        const Vec3 at = directionFromPixel(resolutions[i], orderingOf(nest), pixel);
        x[i] = at.x;
        y[i] = at.y;
        z[i] = at.z;
    });
    return nb::make_tuple(arrayOf(std::move(x)), arrayOf(std::move(y)), arrayOf(std::move(z)));
}

// To RING if `toRing`, else to NESTED.
nb::object reordered(const Integers& nside, const Integers& pixels, bool toRing) {
    const Resolutions resolutions(nside, true);
    std::vector<int64_t> result(pixels.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t pixel = checkedPixel(resolutions[i], pixels.data()[i]);
        result[i] =
            toRing ? ringFromNested(resolutions[i], pixel) : nestedFromRing(resolutions[i], pixel);
    });
    return arrayOf(std::move(result));
}

nb::tuple pixToFace(const Integers& nside, bool nest, const Integers& pixels) {
    const Resolutions resolutions(nside, nest);
    std::vector<int64_t> x(pixels.size()), y(pixels.size()), face(pixels.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t pixel = checkedPixel(resolutions[i], pixels.data()[i]);
        const FacePixel at = faceFromPixel(resolutions[i], orderingOf(nest), pixel);
        x[i] = at.x;
        y[i] = at.y;
        face[i] = at.face;
    });
    return nb::make_tuple(arrayOf(std::move(x)), arrayOf(std::move(y)), arrayOf(std::move(face)));
}

nb::object faceToPix(const Integers& nside, bool nest, const Integers& x, const Integers& y,
                     const Integers& face) {
    const Resolutions resolutions(nside, nest);
    std::vector<int64_t> pixels(x.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t n = resolutions[i];
        const FacePixel at{static_cast<int>(face.data()[i]), x.data()[i], y.data()[i]};
        if (at.face < 0 || at.face > 11 || at.x < 0 || at.x >= n || at.y < 0 || at.y >= n)
            throw InvalidArgument("expected a face from 0 to 11 and x, y from 0 to " +
                                  std::to_string(n - 1) + ", found others");
        pixels[i] = pixelFromFace(n, orderingOf(nest), at);
    });
    return arrayOf(std::move(pixels));
}

nb::object pixToRing(const Integers& nside, bool nest, const Integers& pixels) {
    const Resolutions resolutions(nside, nest);
    std::vector<int64_t> rings(pixels.size());
    forEach(pixels.size(), [&](size_t i) {
        const int64_t pixel = checkedPixel(resolutions[i], pixels.data()[i]);
        rings[i] = ringPlaceFromFace(resolutions[i],
                                     faceFromPixel(resolutions[i], orderingOf(nest), pixel))
                       .ring;
    });
    return arrayOf(std::move(rings));
}

// Shape (8, n): SW, W, NW, N, NE, E, SE, S.
nb::object neighborsOf(const Integers& nside, bool nest, const Integers& pixels) {
    const Resolutions resolutions(nside, nest);
    const size_t count = pixels.size();
    std::vector<int64_t> result(8 * count);
    forEach(count, [&](size_t i) {
        const auto all = neighbors(resolutions[i], orderingOf(nest), pixels.data()[i]);
        for (size_t k = 0; k < 8; ++k) result[k * count + i] = all[k];
    });
    return arrayOf(std::move(result), {8, count});
}

// Pixels and weights, each of shape (4, n).
nb::tuple interpolationOf(const Integers& nside, bool nest, const Doubles& theta,
                          const Doubles& phi) {
    const Resolutions resolutions(nside, nest);
    const size_t count = theta.size();
    std::vector<int64_t> pixels(4 * count);
    std::vector<double> weights(4 * count);
    // The table of colatitudes pays for itself from as many directions as it has entries.
    const bool many =
        resolutions.isOne() && count > 0 && static_cast<int64_t>(count) > 4 * resolutions[0];
    std::optional<Interpolator> table;
    if (many) table.emplace(resolutions[0], orderingOf(nest));
    forEach(count, [&](size_t i) {
        const Vec3 direction = directionOf(theta.data()[i], phi.data()[i]);
        const Interpolation found =
            table ? (*table)(direction)
                  : interpolation(resolutions[i], orderingOf(nest), direction);
        for (size_t k = 0; k < 4; ++k) {
            pixels[k * count + i] = found.pixels[k];
            weights[k * count + i] = found.weights[k];
        }
    });
    return nb::make_tuple(arrayOf(std::move(pixels), {4, count}),
                          arrayOf(std::move(weights), {4, count}));
}

Vec3 vectorOf(const std::array<double, 3>& v) {
    return {v[0], v[1], v[2]};
}

// Ascending runs [begin, end) as an array of shape (n, 2).
nb::object rangesOf(const std::vector<PixelRange>& ranges) {
    std::vector<int64_t> ends;
    ends.reserve(2 * ranges.size());
    for (const PixelRange& range : ranges) {
        ends.push_back(range.begin);
        ends.push_back(range.end);
    }
    const size_t count = ranges.size();
    return arrayOf(std::move(ends), {count, 2});
}

std::vector<PixelRange> runsOf(std::vector<int64_t> pixels) {
    std::sort(pixels.begin(), pixels.end());
    std::vector<PixelRange> ranges;
    for (const int64_t pixel : pixels) {
        if (!ranges.empty() && ranges.back().end == pixel)
            ++ranges.back().end;
        else
            ranges.push_back({pixel, pixel + 1});
    }
    return ranges;
}

// The pixels of `candidates` of which a part of side 1 / `factor` satisfies `touches(center)`.
template <typename Touches>
std::vector<PixelRange> touched(int64_t nside, Ordering ordering, int64_t factor,
                                const std::vector<PixelRange>& candidates, const Touches& touches) {
    const int64_t fine = nside * factor;
    checkNside(fine, Ordering::Ring);
    std::vector<int64_t> found;
    const auto isTouched = [&](int64_t pixel) {
        const FacePixel at = faceFromPixel(nside, ordering, pixel);
        for (int64_t y = 0; y < factor; ++y)
            for (int64_t x = 0; x < factor; ++x)
                if (touches(
                        directionFromFace(fine, {at.face, at.x * factor + x, at.y * factor + y})))
                    return true;
        return false;
    };
    for (const PixelRange& range : candidates)
        for (int64_t pixel = range.begin; pixel < range.end; ++pixel)
            if (isTouched(pixel)) found.push_back(pixel);
    return runsOf(std::move(found));
}

// factor 0: pixels whose centers lie in the disc; else all that overlap with it, and some next to
// it, found at the resolution factor * nside.
nb::object discOf(int64_t nside, bool nest, const std::array<double, 3>& center, double radius,
                  int64_t factor) {
    const Ordering ordering = orderingOf(nest);
    std::vector<PixelRange> ranges;
    {
        const nb::gil_scoped_release released;
        checkNside(nside, ordering);
        const Vec3 at = normalized(vectorOf(center));
        if (factor == 0) {
            ranges = queryDisc(nside, ordering, at, radius);
        } else {
            const double margin = maximumPixelRadius(nside);
            const double reach = radius + maximumPixelRadius(nside * factor);
            ranges = touched(nside, ordering, factor,
                             queryDisc(nside, ordering, at, std::min(kPi, radius + margin)),
                             [&](Vec3 v) { return angularDistance(at, v) <= reach; });
        }
    }
    return rangesOf(ranges);
}

nb::object polygonOf(int64_t nside, bool nest, const Doubles& vertices, int64_t factor) {
    const Ordering ordering = orderingOf(nest);
    std::vector<Vec3> corners;
    for (size_t i = 0; i + 2 < vertices.size(); i += 3)
        corners.push_back(
            normalized({vertices.data()[i], vertices.data()[i + 1], vertices.data()[i + 2]}));
    std::vector<PixelRange> ranges;
    {
        const nb::gil_scoped_release released;
        // Checks the shape, too.
        ranges = queryPolygon(nside, ordering, corners);
        if (factor > 0) {
            Vec3 middle;
            for (const Vec3& corner : corners) middle = middle + corner;
            middle = normalized(middle);
            double reach = 0.0;
            for (const Vec3& corner : corners)
                reach = std::max(reach, angularDistance(middle, corner));
            std::vector<Vec3> inward;
            for (size_t i = 0; i < corners.size(); ++i) {
                const Vec3 normal =
                    normalized(cross(corners[i], corners[(i + 1) % corners.size()]));
                inward.push_back(dot(normal, middle) < 0.0 ? -1.0 * normal : normal);
            }
            const double slack = -std::sin(maximumPixelRadius(nside * factor));
            const double margin = std::min(kPi, reach + maximumPixelRadius(nside));
            ranges = touched(
                nside, ordering, factor, queryDisc(nside, ordering, middle, margin), [&](Vec3 v) {
                    return std::all_of(inward.begin(), inward.end(),
                                       [&](Vec3 normal) { return dot(normal, v) >= slack; });
                });
        }
    }
    return rangesOf(ranges);
}

// Shape (n, 3, 4 step): points along the sides from the north corner over west, south and east.
nb::object boundariesOf(int64_t nside, bool nest, const Integers& pixels, int64_t step) {
    const Ordering ordering = orderingOf(nest);
    checkNside(nside, ordering);
    if (step < 1)
        throw InvalidArgument("expected a step of 1 or more, found " + std::to_string(step));
    const int64_t fine = nside * step;
    const auto points = static_cast<size_t>(4 * step);
    std::vector<double> result(pixels.size() * 3 * points);
    forEach(pixels.size(), [&](size_t p) {
        const FacePixel at = faceFromPixel(nside, ordering, checkedPixel(nside, pixels.data()[p]));
        const int64_t x = at.x * step, y = at.y * step, last = step - 1;
        // Points on a side are corners of pixels of `fine`.
        const auto put = [&](size_t place, int64_t fineX, int64_t fineY, size_t corner) {
            const int64_t pixel = ringFromFace(fine, {at.face, fineX, fineY});
            const Vec3 v = pixelCorners(fine, Ordering::Ring, pixel)[corner];
            result[(p * 3 + 0) * points + place] = v.x;
            result[(p * 3 + 1) * points + place] = v.y;
            result[(p * 3 + 2) * points + place] = v.z;
        };
        for (int64_t i = 0; i < step; ++i) {
            put(static_cast<size_t>(i), x + last - i, y + last, 0);
            put(static_cast<size_t>(step + i), x, y + last - i, 1);
            put(static_cast<size_t>(2 * step + i), x + i, y, 2);
            put(static_cast<size_t>(3 * step + i), x + last, y + i, 3);
        }
    });
    return arrayOf(std::move(result), {pixels.size(), 3, points});
}

}  // namespace

void bindPixels(nb::module_& module) {
    module.def("ang2pix", &angToPix);
    module.def("vec2pix", &vecToPix);
    module.def("pix2ang", &pixToAng);
    module.def("pix2vec", &pixToVec);
    module.def("reorder_pixels", &reordered);
    module.def("pix2xyf", &pixToFace);
    module.def("xyf2pix", &faceToPix);
    module.def("pix2ring", &pixToRing);
    module.def("neighbors", &neighborsOf);
    module.def("interpolation", &interpolationOf);
    module.def("pixels_of", &pixelsOf);
    module.def("query_disc", &discOf);
    module.def("query_polygon", &polygonOf);
    module.def("boundaries", &boundariesOf);
    module.def("max_pixrad", &maximumPixelRadius);
}

}  // namespace armilla::python
