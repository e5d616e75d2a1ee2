// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/edge_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "armilla/core/face_neighbors.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"

namespace armilla::mask {

namespace {

constexpr int kFaces = 12;
// Squares up to this side, in pixels, are not divided.
constexpr int64_t kLeaf = 4;
// Levels of squares divided serially before each thread processes one square.
constexpr int kSharedLevels = 4;
// Exceeds the rounding of distances and chords.
constexpr double kSlack = 1e-12;

// Pixel numbers along the rows of a face.
class FaceRows {
public:
    FaceRows(int64_t nside, Ordering ordering)
        : nside_(nside), isNested_(ordering == Ordering::Nested) {
        for (int64_t ring = 0; !isNested_ && ring < 4 * nside; ++ring)
            rings_.push_back({detail::firstPixelOfRing(nside, ring),
                              detail::quarterLength(nside, ring), detail::ringShift(nside, ring)});
    }
    // As nestedFromFace() and ringFromFace(), from a table of rings.
    int64_t pixel(FacePixel at) const {
        if (isNested_) return nestedFromFace(nside_, at);
        const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, at))];
        return ring.first + (detail::longitudeOfFacePixel(at, ring.quarter) - ring.shift) / 2;
    }

private:
    struct Ring {
        int64_t first, quarter, shift;
    };
    int64_t nside_;
    bool isNested_;
    std::vector<Ring> rings_;
};

// One bit per pixel, set at targets; each row of a face begins with a new word.
class TargetBits {
public:
    TargetBits(const DistanceRequest& request, const FaceRows& rows, JobContext& job)
        : nside_(request.nside), words_((request.nside + 63) / 64) {
        bits_ = newVector<uint64_t>(kFaces * nside_ * words_, job);
        parallelFor(job, kFaces * nside_, 16, [&](long long begin, long long end) {
            for (long long row = begin; row < end; ++row) {
                const auto face = static_cast<int>(row / nside_);
                uint64_t* const to = bits_.data() + row * words_;
                for (int64_t x = 0; x < nside_; ++x) {
                    const int64_t p = rows.pixel({face, x, row % nside_});
                    const uint64_t word = request.targets[static_cast<size_t>(p / 64)];
                    to[x / 64] |= (word >> (p % 64) & 1) << (x % 64);
                }
            }
        });
    }
    bool at(FacePixel p) const { return ((row(p.face, p.y)[p.x / 64] >> (p.x % 64)) & 1) != 0; }
    // Calls body(x) for the targets of a row with a neighbor of the other kind.
    template <class Body>
    void edges(int face, int64_t y, const Body& body) const {
        const bool outer = y == 0 || y == nside_ - 1;
        for (int64_t word = 0; word < words_; ++word) {
            uint64_t found = row(face, y)[word];
            // Pixels inside the face by whole words, edge pixels individually.
            if (!outer) found &= besideOthers(face, y, word) | edgeColumns(word);
            for (; found != 0; found &= found - 1) {
                const int64_t x = 64 * word + __builtin_ctzll(found);
                if ((!outer && x > 0 && x < nside_ - 1) || hasOther({face, x, y})) body(x);
            }
        }
    }
    // True if a square contains a pixel that is no target.
    bool hasOthers(int face, int64_t x, int64_t y, int64_t width, int64_t height) const {
        for (int64_t j = y; j < y + height; ++j)
            for (int64_t word = x / 64; 64 * word < x + width; ++word) {
                const int64_t first = std::max(x - 64 * word, int64_t{0}),
                              end = std::min(x + width - 64 * word, int64_t{64});
                const uint64_t within =
                    (end - first == 64 ? ~uint64_t{0} : (uint64_t{1} << (end - first)) - 1)
                    << first;
                if ((~row(face, j)[word] & within) != 0) return true;
            }
        return false;
    }

private:
    const uint64_t* row(int face, int64_t y) const {
        return bits_.data() + (face * nside_ + y) * words_;
    }
    uint64_t edgeColumns(int64_t word) const {
        uint64_t mask = word == 0 ? 1 : 0;
        if (word == words_ - 1) mask |= uint64_t{1} << ((nside_ - 1) % 64);
        return mask;
    }
    // Pixels of a word with a pixel of the other kind in the 3 x 3 around, within the face.
    uint64_t besideOthers(int face, int64_t y, int64_t word) const {
        uint64_t result = 0;
        for (int64_t j = y - 1; j <= y + 1; ++j) {
            const auto others = [&](int64_t w) {
                return w < 0 || w >= words_ ? 0 : ~row(face, j)[w];
            };
            const uint64_t own = others(word);
            result |= own | own << 1 | own >> 1 | others(word - 1) >> 63 | others(word + 1) << 63;
        }
        return result;
    }
    bool hasOther(FacePixel p) const {
        for (int number = 0; number < 8; ++number) {
            const FacePixel next = neighborOf(nside_, p, number);
            if (next.face >= 0 && !at(next)) return true;
        }
        return false;
    }

    int64_t nside_, words_;
    std::vector<uint64_t> bits_;
};

// Positions as separate coordinate arrays, so that loops vectorize.
struct Places {
    std::vector<double> x, y, z;
    size_t size() const { return x.size(); }
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

double leastSquare(const Places& places, Vec3 from) {
    double least = 5.0;
    for (size_t i = 0; i < places.size(); ++i) {
        const double dx = places.x[i] - from.x, dy = places.y[i] - from.y,
                     dz = places.z[i] - from.z;
        const double square = dx * dx + dy * dy + dz * dz;
        least = square < least ? square : least;
    }
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

using Visit = std::function<void(int64_t pixel, double angle)>;

class Divider {
public:
    Divider(const DistanceRequest& request, const FaceRows& rows, const TargetBits& targets,
            const Visit& visit)
        : request_(request),
          rows_(rows),
          targets_(targets),
          visit_(visit),
          // Upper bound of the distance between pixels with a common corner.
          step_(2.0 * maximumPixelRadius(request.nside)) {}

    // Selects the targets that may be nearest to a pixel of the square; false if no pixel needs a
    // distance.
    bool select(const Square& square, const Places& from, Places& to) const {
        to.clear();
        if (!targets_.hasOthers(square.face, square.x, square.y, square.width, square.height))
            return false;
        const FacePixel middle{square.face, square.x + square.width / 2,
                               square.y + square.height / 2};
        const Vec3 center = directionFromFace(request_.nside, middle);
        // Number of diagonal steps from the middle to a corner.
        const auto steps = static_cast<double>(std::max(square.width, square.height) / 2);
        const double radius = step_ * steps;
        const double nearest = angleOf(leastSquare(from, center));
        if (nearest > request_.limit + radius + kSlack) return false;
        const double reach = std::min(nearest + 2.0 * radius, request_.limit + radius) + kSlack;
        const double most = reach >= kPi ? 5.0 : squareOf(reach);
        for (size_t i = 0; i < from.size(); ++i) {
            const Vec3 at{from.x[i], from.y[i], from.z[i]}, d = at - center;
            if (dot(d, d) <= most) to.add(at);
        }
        return to.size() > 0;
    }

    // Calls `body` for each quarter.
    template <class Body>
    static void divide(const Square& s, const Body& body) {
        const int64_t w = (s.width + 1) / 2, h = (s.height + 1) / 2;
        for (const auto& [x, width] : {std::pair{s.x, w}, std::pair{s.x + w, s.width - w}})
            for (const auto& [y, height] : {std::pair{s.y, h}, std::pair{s.y + h, s.height - h}})
                if (width > 0 && height > 0) body(Square{s.face, x, y, width, height});
    }

    // `levels`: position buffers of the levels below, reused.
    void measure(const Square& square, const Places& near, std::vector<Places>& levels,
                 size_t level) const {
        if (std::max(square.width, square.height) <= kLeaf) return measurePixels(square, near);
        if (levels.size() <= level) levels.resize(level + 1);
        divide(square, [&](const Square& quarter) {
            Places own = std::move(levels[level]);
            if (select(quarter, near, own)) measure(quarter, own, levels, level + 1);
            levels[level] = std::move(own);
        });
    }

private:
    void measurePixels(const Square& square, const Places& near) const {
        for (int64_t y = square.y; y < square.y + square.height; ++y)
            for (int64_t x = square.x; x < square.x + square.width; ++x) {
                const FacePixel at{square.face, x, y};
                if (targets_.at(at)) continue;
                const double angle =
                    angleOf(leastSquare(near, directionFromFace(request_.nside, at)));
                if (angle <= request_.limit) visit_(rows_.pixel(at), angle);
            }
    }

    const DistanceRequest& request_;
    const FaceRows& rows_;
    const TargetBits& targets_;
    const Visit& visit_;
    double step_;
};

Places edgesOf(const TargetBits& targets, int64_t nside, JobContext& job) {
    std::array<Places, kFaces> parts;
    parallelFor(job, kFaces, 1, [&](long long face, long long) {
        for (int64_t y = 0; y < nside; ++y)
            targets.edges(static_cast<int>(face), y, [&](int64_t x) {
                parts[static_cast<size_t>(face)].add(
                    directionFromFace(nside, {static_cast<int>(face), x, y}));
            });
    });
    Places all;
    for (const Places& part : parts)
        for (size_t i = 0; i < part.size(); ++i) all.add({part.x[i], part.y[i], part.z[i]});
    return all;
}

struct Task {
    Square square;
    Places near;
};

}  // namespace

void visitNearTargets(const DistanceRequest& request, JobContext& job,
                      const std::function<void(int64_t pixel, double angle)>& body) {
    const int64_t nside = request.nside;
    JobContext finding = job.part(0.0, 0.2), measuring = job.part(0.2, 1.0);
    const FaceRows rows(nside, request.ordering);
    const TargetBits targets(request, rows, finding);
    const Places edges = edgesOf(targets, nside, finding);
    if (edges.size() == 0) return;
    const Divider divider(request, rows, targets, body);
    std::vector<Task> tasks;
    for (int face = 0; face < kFaces; ++face) tasks.push_back({{face, 0, 0, nside, nside}, edges});
    for (int level = 0; level < kSharedLevels && nside >> level > kLeaf; ++level) {
        std::vector<std::array<Task, 4>> quarters(tasks.size());
        parallelFor(finding, static_cast<long long>(tasks.size()), 1, [&](long long i, long long) {
            size_t k = 0;
            Divider::divide(tasks[static_cast<size_t>(i)].square, [&](const Square& square) {
                Task& quarter = quarters[static_cast<size_t>(i)][k++];
                quarter.square = square;
                divider.select(square, tasks[static_cast<size_t>(i)].near, quarter.near);
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
            std::vector<Places> levels;
            divider.measure(tasks[static_cast<size_t>(i)].square,
                            tasks[static_cast<size_t>(i)].near, levels, 0);
        },
        "distances");
}

}  // namespace armilla::mask
