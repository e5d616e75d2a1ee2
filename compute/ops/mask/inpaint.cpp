// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/inpaint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

constexpr double kAccuracy = 1e-9;
// A disc n pixels in diameter takes a few n iterations; this suffices for a diameter of 1000.
constexpr int kMostSteps = 5000;

// The missing pixels as unknowns of a sparse system: for each its unknown neighbors, its number of
// neighbors, and the sum of its known neighbors.
struct Holes {
    std::vector<int64_t> elements;  // element numbers in the map, ascending
    std::vector<std::array<int32_t, 8>> beside;
    std::vector<int> neighborCount;
    std::vector<double> known;
    std::vector<bool> reached;  // true if its hole has a known neighbor
};

std::vector<int64_t> elementsWithin(const HealpixMap& map, int field, std::span<const Vec3> centers,
                                    double radius, JobContext& job) {
    std::vector<int64_t> elements;
    for (size_t i = 0; i < centers.size(); ++i) {
        if (i % 64 == 0) job.poll();
        for (const PixelRange& run : queryDisc(map.nside(), map.ordering(), centers[i], radius))
            for (int64_t pixel = run.begin; pixel < run.end; ++pixel)
                if (const auto element = map.elementOf(pixel);
                    element && std::isfinite(map.field(field).at(*element)))
                    elements.push_back(*element);
    }
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    return elements;
}

// Marks every unknown that is connected to a known pixel.
void reach(Holes& holes) {
    std::vector<size_t> edge;
    for (size_t i = 0; i < holes.elements.size(); ++i)
        if (holes.reached[i]) edge.push_back(i);
    while (!edge.empty()) {
        const size_t i = edge.back();
        edge.pop_back();
        for (const int32_t other : holes.beside[i]) {
            if (other < 0 || holes.reached[static_cast<size_t>(other)]) continue;
            holes.reached[static_cast<size_t>(other)] = true;
            edge.push_back(static_cast<size_t>(other));
        }
    }
}

Holes holesOf(const HealpixMap& map, int field, std::vector<int64_t> elements, JobContext& job) {
    Holes holes;
    holes.elements = std::move(elements);
    const size_t n = holes.elements.size();
    if (n > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
        throw InvalidArgument("expected at most 2^31 pixels to be made again, found " +
                              std::to_string(n));
    holes.beside.resize(n);
    holes.neighborCount.assign(n, 0);
    holes.known.assign(n, 0.0);
    holes.reached.assign(n, false);
    for (size_t i = 0; i < n; ++i) {
        if (i % 4096 == 0) job.poll();
        holes.beside[i].fill(-1);
        const int64_t pixel = map.coverage() == Coverage::Full
                                  ? holes.elements[i]
                                  : map.pixels()[static_cast<size_t>(holes.elements[i])];
        size_t unknown = 0;
        for (const int64_t each : neighbors(map.nside(), map.ordering(), pixel)) {
            const auto element = each < 0 ? std::nullopt : map.elementOf(each);
            if (!element) continue;
            const auto at =
                std::lower_bound(holes.elements.begin(), holes.elements.end(), *element);
            if (at != holes.elements.end() && *at == *element) {
                holes.beside[i][unknown++] = static_cast<int32_t>(at - holes.elements.begin());
                ++holes.neighborCount[i];
                continue;
            }
            const double value = map.field(field).at(*element);
            if (!std::isfinite(value)) continue;
            holes.known[i] += value;
            holes.reached[i] = true;
            ++holes.neighborCount[i];
        }
    }
    reach(holes);
    return holes;
}

double dotOf(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// neighborCount * x minus the sum of the neighbors' x; 0 for unknowns without known pixels.
void apply(const Holes& holes, const std::vector<double>& x, std::vector<double>& result) {
    for (size_t i = 0; i < x.size(); ++i) {
        double sum = holes.neighborCount[i] * x[i];
        for (const int32_t other : holes.beside[i])
            if (other >= 0) sum -= x[static_cast<size_t>(other)];
        result[i] = holes.reached[i] ? sum : 0.0;
    }
}

// Conjugate gradients with the diagonal as preconditioner; the matrix is positive definite where a
// hole has a known edge. Starts from the mean of the known edge values, so that the result does not
// depend on the map's zero.
std::vector<double> solved(const Holes& holes, JobContext& job) {
    const size_t n = holes.elements.size();
    double sum = 0.0, edges = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += holes.known[i];
        int unknown = 0;
        for (const int32_t other : holes.beside[i]) unknown += other >= 0 ? 1 : 0;
        edges += holes.neighborCount[i] - unknown;
    }
    std::vector<double> x(n, edges > 0.0 ? sum / edges : 0.0), residual(n), step(n), moved(n),
        scaled(n);
    apply(holes, x, moved);
    const auto precondition = [&] {
        for (size_t i = 0; i < n; ++i)
            scaled[i] = holes.reached[i] ? residual[i] / holes.neighborCount[i] : 0.0;
    };
    for (size_t i = 0; i < n; ++i) residual[i] = holes.reached[i] ? holes.known[i] - moved[i] : 0.0;
    precondition();
    step = scaled;
    double energy = dotOf(residual, scaled);
    const double least = kAccuracy * kAccuracy * energy;
    for (int i = 0; i < kMostSteps && energy > least; ++i) {
        job.poll();
        apply(holes, step, moved);
        const double share = energy / dotOf(step, moved);
        for (size_t k = 0; k < n; ++k) {
            x[k] += share * step[k];
            residual[k] -= share * moved[k];
        }
        precondition();
        const double next = dotOf(residual, scaled);
        for (size_t k = 0; k < n; ++k) step[k] = scaled[k] + next / energy * step[k];
        energy = next;
    }
    return x;
}

}  // namespace

Inpainting inpaintDiscs(HealpixMap& map, int field, std::span<const Vec3> centers, double radius,
                        JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order, found cells of several");
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field below " + std::to_string(map.fieldCount()) +
                              ", found " + std::to_string(field));
    if (!(radius >= 0.0))
        throw InvalidArgument("expected a radius of at least 0, found " + std::to_string(radius));
    const Holes holes = holesOf(map, field, elementsWithin(map, field, centers, radius, job), job);
    const std::vector<double> values = solved(holes, job);
    Inpainting result;
    for (size_t i = 0; i < values.size(); ++i) {
        if (!holes.reached[i]) {
            ++result.alone;
            continue;
        }
        ++result.pixels;
        std::visit(
            [&](auto& of) {
                using T = typename std::decay_t<decltype(of)>::value_type;
                of[static_cast<size_t>(holes.elements[i])] = static_cast<T>(values[i]);
            },
            map.field(field).values);
    }
    return result;
}

}  // namespace armilla
