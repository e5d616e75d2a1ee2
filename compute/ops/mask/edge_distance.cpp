// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/edge_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "armilla/core/pixel_queries.h"

namespace armilla::mask {

namespace {

// Squares up to this side, in pixels, are not divided.
constexpr int64_t kLeaf = 4;
constexpr size_t kLeafPixels = kLeaf * kLeaf;
// Levels of squares divided serially before each thread processes one square.
constexpr int kSharedLevels = 4;
// Exceeds the rounding of angles.
constexpr double kSlack = 1e-12;
// Exceeds the rounding of squared chords.
constexpr double kSquareSlack = 4e-15;

// Positions as separate coordinate arrays, so that loops vectorize.
struct Places {
    std::vector<double> x, y, z;
    size_t size() const { return x.size(); }
    Vec3 at(size_t i) const { return {x[i], y[i], z[i]}; }
    void add(Vec3 v) {
        x.push_back(v.x);
        y.push_back(v.y);
        z.push_back(v.z);
    }
    void clear() {
        x.clear();
        y.clear();
        z.clear();
    }
};

// Fills `squares` with the squared chords from a point, and returns the index of the least.
size_t measureFrom(Vec3 center, const Places& places, std::vector<double>& squares) {
    const size_t count = places.size();
    squares.resize(count);
    for (size_t i = 0; i < count; ++i) {
        const double dx = places.x[i] - center.x, dy = places.y[i] - center.y,
                     dz = places.z[i] - center.z;
        squares[i] = dx * dx + dy * dy + dz * dz;
    }
    size_t least = 0;
    for (size_t i = 1; i < count; ++i)
        if (squares[i] < squares[least]) least = i;
    return least;
}

double angleOf(double square) {
    return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(square)));
}
double squareOf(double angle) {
    const double chord = 2.0 * std::sin(0.5 * std::min(angle, kPi));
    return chord * chord;
}

struct Square {
    int face = 0;
    int64_t x = 0, y = 0, width = 0, height = 0;
};

// The need of the pixels of a square.
enum class Need { Nothing, Distances, Everything };

class Divider {
public:
    Divider(const NearRequest& request, const FaceTables& tables, const FaceBits& targets,
            const NearVisit& visit)
        : request_(request),
          tables_(tables),
          targets_(targets),
          visit_(visit),
          // Upper bound of the distance between pixels with a common corner.
          step_(2.0 * maximumPixelRadius(tables.nside())),
          // Angles are compared only where squared chords do not decide.
          surelyNear_(squareOf(std::max(0.0, request.limit - kSlack))),
          surelyFar_(request.limit + kSlack >= kPi ? 5.0 : squareOf(request.limit + kSlack)) {}

    // Selects the targets that may be nearest to a pixel of the square. `squares` is a buffer.
    Need select(const Square& square, const Places& from, std::vector<double>& squares,
                Places& to) const {
        to.clear();
        if (!targets_.hasOthers(square.face, square.x, square.y, square.width, square.height))
            return Need::Nothing;
        const FacePixel middle{square.face, square.x + square.width / 2,
                               square.y + square.height / 2};
        const Vec3 center = tables_.direction(middle);
        // Number of diagonal steps from the middle to a corner.
        const auto steps = static_cast<double>(std::max(square.width, square.height) / 2);
        const double radius = step_ * steps;
        if (request_.within && angularDistance(center, request_.within->center) >
                                   request_.within->radius + radius + kSlack)
            return Need::Nothing;
        const size_t first = measureFrom(center, from, squares);
        const double least = squares[first], nearest = angleOf(least);
        if (nearest > request_.limit + radius + kSlack) return Need::Nothing;
        const Vec3 best = from.at(first);
        if (request_.detail == NearDetail::WithinLimit &&
            nearest + radius + kSlack <= request_.limit) {
            to.add(best);
            return Need::Everything;
        }
        const double reach = request_.limit + radius + kSlack;
        const double most = reach >= kPi ? 5.0 : squareOf(reach);
        // Four times the squared radius, with a margin for rounding.
        const double wide = 4.0 * radius * radius * (1.0 + 1e-9);
        for (size_t i = 0; i < from.size(); ++i) {
            const double dx = from.x[i] - best.x, dy = from.y[i] - best.y, dz = from.z[i] - best.z;
            const double apart = dx * dx + dy * dy + dz * dz;
            const double excess = std::max(0.0, squares[i] - least - kSquareSlack);
            // The nearest target stays whatever the rounding.
            if (i == first || (squares[i] <= most && excess * excess <= wide * apart))
                to.add(from.at(i));
        }
        return Need::Distances;
    }

    // Calls `body` for each quarter.
    template <class Body>
    static void divide(const Square& s, const Body& body) {
        const int64_t w = (s.width + 1) / 2, h = (s.height + 1) / 2;
        for (const auto& [x, width] : {std::pair{s.x, w}, std::pair{s.x + w, s.width - w}})
            for (const auto& [y, height] : {std::pair{s.y, h}, std::pair{s.y + h, s.height - h}})
                if (width > 0 && height > 0) body(Square{s.face, x, y, width, height});
    }

    // Buffers of one thread, reused.
    struct Buffers {
        std::vector<Places> levels;
        std::vector<double> squares;
        std::vector<int64_t> pixels;
    };
    void measure(const Square& square, Need need, const Places& near, Buffers& buffers,
                 size_t level) const {
        if (need == Need::Everything) return visitAll(square, buffers);
        if (std::max(square.width, square.height) <= kLeaf) return measurePixels(square, near);
        if (buffers.levels.size() <= level) buffers.levels.resize(level + 1);
        divide(square, [&](const Square& quarter) {
            Places own = std::move(buffers.levels[level]);
            const Need part = select(quarter, near, buffers.squares, own);
            if (part != Need::Nothing) measure(quarter, part, own, buffers, level + 1);
            buffers.levels[level] = std::move(own);
        });
    }

private:
    void visitAll(const Square& square, Buffers& buffers) const {
        for (int64_t y = square.y; y < square.y + square.height; ++y) {
            buffers.pixels.clear();
            for (int64_t x = square.x; x < square.x + square.width; ++x)
                if (const FacePixel at{square.face, x, y}; !targets_.at(at))
                    buffers.pixels.push_back(tables_.pixel(at));
            if (!buffers.pixels.empty()) visit_({buffers.pixels, {}});
        }
    }

    void measurePixels(const Square& square, const Places& near) const {
        std::array<FacePixel, kLeafPixels> at;
        std::array<double, kLeafPixels> px{}, py{}, pz{}, least;
        size_t count = 0;
        for (int64_t y = square.y; y < square.y + square.height; ++y)
            for (int64_t x = square.x; x < square.x + square.width; ++x) {
                if (targets_.at({square.face, x, y})) continue;
                at[count] = {square.face, x, y};
                const Vec3 v = tables_.direction(at[count]);
                px[count] = v.x;
                py[count] = v.y;
                pz[count++] = v.z;
            }
        least.fill(5.0);
        for (size_t i = 0; i < near.size(); ++i) {
            const double x = near.x[i], y = near.y[i], z = near.z[i];
            for (size_t k = 0; k < kLeafPixels; ++k) {
                const double dx = x - px[k], dy = y - py[k], dz = z - pz[k];
                const double square2 = dx * dx + dy * dy + dz * dz;
                least[k] = square2 < least[k] ? square2 : least[k];
            }
        }
        std::array<int64_t, kLeafPixels> pixels;
        std::array<double, kLeafPixels> halfChords;
        size_t kept = 0;
        for (size_t k = 0; k < count; ++k) {
            const double half = 0.5 * std::sqrt(least[k]);
            if (half >= 1.0 || !isNear(least[k])) continue;
            pixels[kept] = tables_.pixel(at[k]);
            halfChords[kept++] = half;
        }
        if (kept > 0) visit_({{pixels.data(), kept}, {halfChords.data(), kept}});
    }

    bool isNear(double square) const {
        if (square < surelyNear_) return true;
        return square <= surelyFar_ && angleOf(square) <= request_.limit;
    }

    const NearRequest& request_;
    const FaceTables& tables_;
    const FaceBits& targets_;
    const NearVisit& visit_;
    double step_;
    double surelyNear_, surelyFar_;
};

struct Task {
    Square square;
    Need need = Need::Distances;
    Places near;
};

}  // namespace

NearTargets::NearTargets(int64_t nside, Ordering ordering, std::span<const uint64_t> targets,
                         JobContext& job)
    : tables_(nside, ordering), targets_(tables_, targets, job) {
    constexpr int64_t kRows = 16;
    const int64_t parts = (kFaces * nside + kRows - 1) / kRows;
    std::vector<std::vector<Vec3>> found(static_cast<size_t>(parts));
    parallelFor(job, parts, 1, [&](long long part, long long) {
        for (int64_t row = part * kRows; row < std::min(kFaces * nside, int64_t{part + 1} * kRows);
             ++row) {
            const auto face = static_cast<int>(row / nside);
            targets_.edges(face, row % nside, [&](int64_t x) {
                found[static_cast<size_t>(part)].push_back(
                    tables_.direction({face, x, row % nside}));
            });
        }
    });
    for (const auto& part : found) edges_.insert(edges_.end(), part.begin(), part.end());
}

void NearTargets::visit(const NearRequest& request, JobContext& job, const NearVisit& body) const {
    if (edges_.empty()) return;
    JobContext finding = job.part(0.0, 0.2), measuring = job.part(0.2, 1.0);
    const int64_t nside = tables_.nside();
    const Divider divider(request, tables_, targets_, body);
    Places all;
    for (const Vec3& edge : edges_) all.add(edge);
    std::vector<Task> tasks;
    for (int face = 0; face < kFaces; ++face)
        tasks.push_back({{face, 0, 0, nside, nside}, Need::Distances, {}});
    for (int level = 0; level < kSharedLevels && nside >> level > kLeaf; ++level) {
        std::vector<std::array<Task, 4>> quarters(tasks.size());
        parallelFor(finding, static_cast<long long>(tasks.size()), 1, [&](long long i, long long) {
            size_t k = 0;
            const Task& task = tasks[static_cast<size_t>(i)];
            std::vector<double> squares;
            Divider::divide(task.square, [&](const Square& square) {
                Task& quarter = quarters[static_cast<size_t>(i)][k++];
                quarter.square = square;
                quarter.need =
                    divider.select(square, level == 0 ? all : task.near, squares, quarter.near);
            });
        });
        tasks.clear();
        for (auto& four : quarters)
            for (Task& task : four)
                if (task.near.size() > 0) tasks.push_back(std::move(task));
    }
    parallelFor(
        measuring, static_cast<long long>(tasks.size()), 1,
        [&](long long i, long long) {
            Divider::Buffers buffers;
            const Task& task = tasks[static_cast<size_t>(i)];
            const Places& near = task.near.size() > 0 ? task.near : all;
            divider.measure(task.square, task.need, near, buffers, 0);
        },
        "distances");
}

}  // namespace armilla::mask
