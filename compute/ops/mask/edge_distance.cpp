// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/edge_distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include "armilla/core/pixel_queries.h"
#include "mask/edge_window.h"
#include "shared/workspace_pool.h"

namespace armilla::mask {

namespace {

// Squares up to the first side are not divided if few targets may be nearest there; squares up to
// the second side never. Measured for straight edges, and for edges in a tenth of all pixels.
constexpr int64_t kLeaf = 8, kSmallest = 4;
constexpr size_t kFewTargets = 24;
static_assert(kLeaf * kLeaf == kLeafPixels);
// Levels of squares divided before each thread processes one square: those keep blocks of targets.
constexpr int kSharedLevels = 4;
// Exceeds the rounding of angles.
constexpr double kSlack = 1e-12;
// Exceeds the rounding of squared chords.
constexpr double kSquareSlack = 4e-15;
// Exceeds all squared chords.
constexpr double kAnySquare = 5.0;

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

// Cells of 8 x 8 pixels of a square whose pixels were visited. Only a square that halves down to
// such cells has them.
class DoneCells {
public:
    DoneCells(const Square& square, std::vector<uint8_t>& cells)
        : square_(square), cells_(cells), columns_(square.width / kSide) {
        cells_.clear();
        const auto width = static_cast<uint64_t>(square.width);
        if (square.width == square.height && width >= kSide && std::has_single_bit(width))
            cells_.resize(static_cast<size_t>(columns_ * columns_));
    }
    bool isPossible() const { return !cells_.empty(); }
    void add(int64_t column, int64_t row) { cells_[index(column, row)] = 1; }
    // True for a part of the square if all its cells were visited.
    bool has(const Square& part) const {
        if (!isPossible() || part.width < kSide) return false;
        const int64_t column = (part.x - square_.x) / kSide, row = (part.y - square_.y) / kSide,
                      count = part.width / kSide;
        for (int64_t j = row; j < row + count; ++j)
            for (int64_t i = column; i < column + count; ++i)
                if (cells_[index(i, j)] == 0) return false;
        return true;
    }

private:
    static constexpr int64_t kSide = EdgeWindow::kCell;
    size_t index(int64_t column, int64_t row) const {
        return static_cast<size_t>(row * columns_ + column);
    }
    Square square_;
    std::vector<uint8_t>& cells_;
    int64_t columns_;
};

// The need of the pixels of a square.
enum class Need { Nothing, Distances, Everything };

// A disc that contains the centers of all pixels of a square.
using Surroundings = SkyDisc;

class Divider {
public:
    Divider(const NearRequest& request, const FaceTables& tables, const FaceBits& targets,
            const std::vector<EdgeBlock>& edges, const NearVisit& visit)
        : request_(request),
          tables_(tables),
          targets_(targets),
          edges_(edges),
          visit_(visit),
          // Upper bound of the distance between pixels with a common corner.
          step_(2.0 * maximumPixelRadius(tables.nside())),
          // Angles are compared only where squared chords do not decide.
          surelyNear_(squareOf(std::max(0.0, request.limit - kSlack))),
          surelyFar_(request.limit + kSlack >= kPi ? kAnySquare
                                                   : squareOf(request.limit + kSlack)) {
        for (size_t i = 0; i < settled_.size(); ++i) {
            const double reach =
                EdgeWindow::reach(tables.nside(), EdgeWindow::kMargins[i]) - kSlack;
            // Places beyond the limit do not matter.
            settled_[i] = reach > request.limit + kSlack ? kAnySquare : squareOf(reach);
        }
    }

    // Selects the targets that may be nearest to a pixel of the square. `squares` is a buffer.
    Need select(const Square& square, const Places& from, std::vector<double>& squares,
                Places& to) const {
        const Surroundings around = surroundingsOf(square);
        if (isIdle(square, around)) return Need::Nothing;
        const NearestPlace nearest = measureFrom(around.center, from, squares);
        const double angle = angleOf(nearest.square);
        if (angle > request_.limit + around.radius + kSlack) return Need::Nothing;
        if (isWithin(angle, around)) return Need::Everything;
        const double reach = request_.limit + around.radius + kSlack;
        // The nearest target stays whatever the rounding; the last factor is a margin for it.
        keepNearest(from, squares,
                    {.nearest = nearest,
                     .most = std::max(nearest.square, reach >= kPi ? kAnySquare : squareOf(reach)),
                     .wide = 4.0 * around.radius * around.radius * (1.0 + 1e-9),
                     .slack = kSquareSlack},
                    to);
        return Need::Distances;
    }

    // Selects the blocks with targets that may be nearest to a pixel of the square, which is a part
    // of a square with the need and the blocks `from`.
    Need selectBlocks(const Square& square, Need need, const std::vector<uint32_t>& from,
                      std::vector<uint32_t>& to) const {
        to.clear();
        const Surroundings around = surroundingsOf(square);
        if (isIdle(square, around)) return Need::Nothing;
        if (need == Need::Everything) return need;
        double nearest = kPi;
        std::vector<double> angles(from.size());
        for (size_t i = 0; i < from.size(); ++i) {
            const EdgeBlock& block = edges_[from[i]];
            angles[i] = angularDistance(around.center, block.center);
            nearest = std::min(nearest, angles[i] + block.radius);
        }
        if (isWithin(nearest, around)) return Need::Everything;
        const double reach =
            std::min(request_.limit + around.radius, nearest + 2.0 * around.radius) + kSlack;
        for (size_t i = 0; i < from.size(); ++i)
            if (angles[i] - edges_[from[i]].radius <= reach) to.push_back(from[i]);
        return to.empty() ? Need::Nothing : Need::Distances;
    }

    // Calls `body` for each quarter.
    template <class Body>
    static void divide(const Square& s, const Body& body) {
        const int64_t w = (s.width + 1) / 2, h = (s.height + 1) / 2;
        for (const auto& [x, width] : {std::pair{s.x, w}, std::pair{s.x + w, s.width - w}})
            for (const auto& [y, height] : {std::pair{s.y, h}, std::pair{s.y + h, s.height - h}})
                if (width > 0 && height > 0) body(Square{s.face, x, y, width, height});
    }

    struct Buffers {
        Places all, near;
        std::vector<Places> levels;
        std::vector<double> squares;
        std::vector<int64_t> pixels;
        EdgeWindow window;
        std::vector<uint8_t> done;
    };
    // Visits the pixels of a square near the targets of blocks. `buffers` are those of the thread.
    void measureBlocks(const Square& square, Need need, const std::vector<uint32_t>& blocks,
                       Buffers& buffers) const {
        if (need == Need::Everything) return visitAll(square, buffers);
        size_t count = 0;
        for (const uint32_t i : blocks) count += edges_[i].places.size();
        // Most pixels near dense edges need no list of the whole square.
        DoneCells done(square, buffers.done);
        if (done.isPossible()) {
            measureDense(square, buffers, done);
            if (done.has(square)) return;
        }
        Places &all = buffers.all, &near = buffers.near;
        all.begin(count);
        for (const uint32_t i : blocks)
            for (const Vec3& place : edges_[i].places) all.add(place);
        all.end();
        if (isLeaf(square, 0)) return measurePixels(square, all);
        need = select(square, all, buffers.squares, near);
        if (need != Need::Nothing) measure(square, need, near, done, buffers, 0);
    }

private:
    static bool isLeaf(const Square& square, size_t targets) {
        const int64_t side = std::max(square.width, square.height);
        return side <= kSmallest || (side <= kLeaf && targets <= kFewTargets);
    }
    // Squares have at least two columns and rows.
    Surroundings surroundingsOf(const Square& square) const {
        const int64_t w = square.width / 2, h = square.height / 2;
        // Half a step from a corner to the pixels around it, then steps along diagonals.
        const auto steps = static_cast<double>(std::max(square.width - w, square.height - h));
        return {tables_.corner({square.face, square.x + w, square.y + h}), (steps - 0.5) * step_};
    }
    // True if no pixel of the square needs a visit, by its bits and its place.
    bool isIdle(const Square& square, const Surroundings& around) const {
        return !targets_.hasOthers(square.face, square.x, square.y, square.width, square.height) ||
               (request_.within && angularDistance(around.center, request_.within->center) >
                                       request_.within->radius + around.radius + kSlack);
    }
    // True if only the limit counts and the nearest target is within it everywhere in the square.
    bool isWithin(double nearest, const Surroundings& around) const {
        return request_.detail == NearDetail::WithinLimit &&
               nearest + around.radius + kSlack <= request_.limit;
    }

    void measure(const Square& square, Need need, const Places& near, const DoneCells& done,
                 Buffers& buffers, size_t level) const {
        if (need == Need::Everything) return visitAll(square, buffers);
        if (isLeaf(square, near.size())) return measurePixels(square, near);
        if (buffers.levels.size() <= level) buffers.levels.resize(level + 1);
        divide(square, [&](const Square& quarter) {
            if (done.has(quarter)) return;
            Places own = std::move(buffers.levels[level]);
            const Need part = select(quarter, near, buffers.squares, own);
            if (part != Need::Nothing) measure(quarter, part, own, done, buffers, level + 1);
            buffers.levels[level] = std::move(own);
        });
    }

    void visitAll(const Square& square, Buffers& buffers) const {
        for (int64_t y = square.y; y < square.y + square.height; ++y) {
            buffers.pixels.clear();
            for (int64_t x = square.x; x < square.x + square.width; ++x)
                if (const FacePixel at{square.face, x, y}; !targets_.at(at))
                    buffers.pixels.push_back(tables_.pixel(at));
            if (!buffers.pixels.empty()) visit_({buffers.pixels, {}});
        }
    }

    // Measures the pixels of the cells that have enough targets around them to be sure of the
    // nearest.
    void measureDense(const Square& square, Buffers& buffers, DoneCells& done) const {
        constexpr int64_t kCell = EdgeWindow::kCell;
        const int64_t width = std::min(square.width, EdgeWindow::kWidth);
        for (int64_t y = square.y; y < square.y + square.height; y += width)
            for (int64_t x = square.x; x < square.x + square.width; x += width) {
                EdgeWindow& window = buffers.window;
                window.take(tables_, targets_, {square.face, x, y}, width);
                for (int64_t row = 0; row < width / kCell; ++row)
                    for (int64_t column = 0; column < width / kCell; ++column) {
                        const Square cell{square.face, x + column * kCell, y + row * kCell, kCell,
                                          kCell};
                        if (measureCell(window, column, row, cell, buffers.near))
                            done.add((cell.x - square.x) / kCell, (cell.y - square.y) / kCell);
                    }
            }
    }
    // Returns false, without a visit, if a pixel may have its nearest target beyond the margins.
    bool measureCell(const EdgeWindow& window, int64_t column, int64_t row, const Square& cell,
                     Places& near) const {
        LeafPixels pixels;
        for (size_t i = 0; i < EdgeWindow::kMargins.size(); ++i) {
            const int64_t margin = EdgeWindow::kMargins[i];
            if (!window.isDense(column, row, i) || !window.isWhole(column, row, margin)) continue;
            if (isIdle(cell, surroundingsOf(cell))) return true;
            if (pixels.count == 0) pixels = pixelsOf(cell);
            window.gather(column, row, margin, near);
            leastSquares(pixels.at, pixels.count, near, pixels.least);
            const double settled = settled_[i];
            if (std::all_of(pixels.least.begin(),
                            pixels.least.begin() + static_cast<std::ptrdiff_t>(pixels.count),
                            [=](double square) { return square <= settled; })) {
                visitNear(pixels);
                return true;
            }
        }
        return false;
    }

    struct LeafPixels {
        LeafPositions at;
        std::array<int64_t, kLeafPixels> pixels;
        std::array<double, kLeafPixels> least;  // squared chord to the nearest target
        size_t count = 0;
    };
    // The pixels of a leaf that are no targets.
    LeafPixels pixelsOf(const Square& square) const {
        LeafPixels leaf;
        // Ring by ring: pixels of one ring have consecutive numbers.
        for (int64_t sum = 0; sum < square.width + square.height - 1; ++sum) {
            const int64_t from = std::max(int64_t{0}, sum - square.height + 1),
                          to = std::min(sum, square.width - 1);
            const FacePixel first{square.face, square.x + from, square.y + sum - from};
            tables_.directions(first, to - from + 1, [&](int64_t k, Vec3 v) {
                const FacePixel pixel{first.face, first.x + k, first.y - k};
                if (targets_.at(pixel)) return;
                leaf.pixels[leaf.count] = tables_.pixel(pixel);
                leaf.at.x[leaf.count] = v.x;
                leaf.at.y[leaf.count] = v.y;
                leaf.at.z[leaf.count++] = v.z;
            });
        }
        return leaf;
    }
    void measurePixels(const Square& square, const Places& near) const {
        LeafPixels leaf = pixelsOf(square);
        leastSquares(leaf.at, leaf.count, near, leaf.least);
        visitNear(leaf);
    }
    // Visits the pixels of a leaf within the limit. Writes over the leaf.
    void visitNear(LeafPixels& leaf) const {
        size_t kept = 0;
        for (size_t k = 0; k < leaf.count; ++k) {
            const double half = 0.5 * std::sqrt(leaf.least[k]);
            if (half >= 1.0 || !isNear(leaf.least[k])) continue;
            leaf.pixels[kept] = leaf.pixels[k];
            leaf.least[kept++] = half;
        }
        if (kept > 0) visit_({{leaf.pixels.data(), kept}, {leaf.least.data(), kept}});
    }

    bool isNear(double square) const {
        if (square < surelyNear_) return true;
        return square <= surelyFar_ && angleOf(square) <= request_.limit;
    }

    const NearRequest& request_;
    const FaceTables& tables_;
    const FaceBits& targets_;
    const std::vector<EdgeBlock>& edges_;
    const NearVisit& visit_;
    double step_;
    double surelyNear_, surelyFar_;
    // Squared chords up to which the targets within a margin decide.
    std::array<double, EdgeWindow::kMargins.size()> settled_{};
};

struct Task {
    Square square;
    Need need = Need::Distances;
    std::vector<uint32_t> blocks;
};

// The disc around the places of a block: its center is the mean of the places.
EdgeBlock blockOf(std::vector<Vec3> places) {
    EdgeBlock block;
    Vec3 sum{0.0, 0.0, 0.0};
    for (const Vec3& place : places) sum = sum + place;
    block.center = normalized(sum);
    for (const Vec3& place : places)
        block.radius = std::max(block.radius, angularDistance(block.center, place));
    block.places = std::move(places);
    return block;
}

}  // namespace

NearTargets::NearTargets(int64_t nside, Ordering ordering, std::span<const uint64_t> targets,
                         JobContext& job)
    : tables_(nside, ordering), targets_(tables_, targets, job) {
    constexpr int64_t kRows = 64;
    const int64_t words = targets_.words(), bands = (nside + kRows - 1) / kRows,
                  blocks = kFaces * bands * words;
    std::vector<EdgeBlock> found(static_cast<size_t>(blocks));
    parallelFor(job, blocks, 4, [&](long long begin, long long end) {
        for (int64_t block = begin; block < end; ++block) {
            const auto face = static_cast<int>(block / (bands * words));
            const int64_t word = block % words, first = block / words % bands * kRows;
            std::vector<Vec3> places;
            for (int64_t y = first; y < std::min(first + kRows, nside); ++y)
                targets_.edges(face, y, word, [&](int64_t x) {
                    places.push_back(tables_.direction({face, x, y}));
                });
            if (!places.empty()) found[static_cast<size_t>(block)] = blockOf(std::move(places));
        }
    });
    for (EdgeBlock& block : found)
        if (!block.places.empty()) edges_.push_back(std::move(block));
}

void NearTargets::visit(const NearRequest& request, JobContext& job, const NearVisit& body) const {
    if (edges_.empty()) return;
    JobContext finding = job.part(0.0, 0.1), measuring = job.part(0.1, 1.0);
    const int64_t nside = tables_.nside();
    const Divider divider(request, tables_, targets_, edges_, body);
    std::vector<uint32_t> all(edges_.size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<Task> tasks;
    for (int face = 0; face < kFaces; ++face)
        tasks.push_back({{face, 0, 0, nside, nside}, Need::Distances, all});
    for (int level = 0; level < kSharedLevels && nside >> level > 2 * kLeaf; ++level) {
        std::vector<std::vector<Task>> quarters(tasks.size());
        parallelFor(finding, static_cast<long long>(tasks.size()), 1, [&](long long i, long long) {
            const Task& task = tasks[static_cast<size_t>(i)];
            Divider::divide(task.square, [&](const Square& square) {
                Task quarter{square, Need::Nothing, {}};
                quarter.need = divider.selectBlocks(square, task.need, task.blocks, quarter.blocks);
                if (quarter.need != Need::Nothing)
                    quarters[static_cast<size_t>(i)].push_back(std::move(quarter));
            });
        });
        tasks.clear();
        for (auto& some : quarters)
            for (Task& task : some) tasks.push_back(std::move(task));
    }
    // New buffers for each square would take more time than the distances, because the kernel
    // clears each page of memory at its first use.
    WorkspacePool<Divider::Buffers> pool;
    parallelFor(
        measuring, static_cast<long long>(tasks.size()), 1,
        [&](long long i, long long) {
            const Task& task = tasks[static_cast<size_t>(i)];
            const std::shared_ptr<Divider::Buffers> buffers = pool.take();
            divider.measureBlocks(task.square, task.need, task.blocks, *buffers);
            pool.giveBack(buffers);
        },
        "distances");
}

}  // namespace armilla::mask
