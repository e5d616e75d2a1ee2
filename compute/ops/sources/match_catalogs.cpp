// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/match.h"

namespace armilla {

namespace {

// Number of rows around a position for the local density: accuracy 10 %.
constexpr double kDensityRows = 100.0;
constexpr int kMostOrder = 20;
// Maximum number of first-catalog rows matched together.
constexpr size_t kRowsTogether = 256;
// Maximum number of groups in a work item.
constexpr size_t kGroupsTogether = 64;

double capOf(double radius) {
    const double half = std::sin(0.5 * std::min(radius, kPi));
    return 4.0 * kPi * half * half;
}

// The finest grid whose pixels are at least `reach` in size.
int64_t nsideFor(double reach) {
    int order = 0;
    while (order < kMostOrder && std::sqrt(kPi / 3.0) / std::ldexp(1.0, order + 1) >= reach)
        ++order;
    return int64_t{1} << order;
}

// Rows around a position as separate coordinate arrays, so that loops vectorize.
struct Neighbors {
    std::vector<double> x, y, z;
    std::vector<int64_t> rows;
    void add(int64_t row, Vec3 at) {
        rows.push_back(row);
        x.push_back(at.x);
        y.push_back(at.y);
        z.push_back(at.z);
    }
    void clear() {
        rows.clear();
        x.clear();
        y.clear();
        z.clear();
    }
    void resize(size_t count) {
        rows.resize(count);
        x.resize(count);
        y.resize(count);
        z.resize(count);
    }
    void set(size_t to, const Neighbors& other, size_t from) {
        rows[to] = other.rows[from];
        x[to] = other.x[from];
        y[to] = other.y[from];
        z[to] = other.z[from];
    }
    Vec3 at(size_t i) const { return {x[i], y[i], z[i]}; }
};

// Squared chords from one place.
void squaresFrom(Vec3 from, const Neighbors& neighbors, std::vector<double>& squares) {
    squares.resize(neighbors.rows.size());
    for (size_t i = 0; i < squares.size(); ++i) {
        const double dx = neighbors.x[i] - from.x, dy = neighbors.y[i] - from.y,
                     dz = neighbors.z[i] - from.z;
        squares[i] = dx * dx + dy * dy + dz * dz;
    }
}
// Test for a maximum angle by squared chords; by the angle itself where rounding could decide.
struct Within {
    explicit Within(double given) : angle(given) {
        const double chord = 2.0 * std::sin(0.5 * std::min(angle, kPi));
        // Coordinates have rounding errors of 1e-16 each.
        const double slack = chord * (4e-15 + 1e-14 * chord) + 1e-30;
        sure = chord * chord - slack;
        perhaps = chord * chord + slack;
    }
    bool holds(double square, Vec3 from, Vec3 at) const {
        return square < sure || (square <= perhaps && angularDistance(from, at) <= angle);
    }
    double angle, sure = 0.0, perhaps = 0.0;
};

// Positions sorted along the pixels of a fine NESTED grid.
class Places {
public:
    Places(const Catalog& catalog, Frame frame, double reach) {
        const Mat3 turn = frameRotation(frame, catalog.frame());
        std::vector<std::pair<int64_t, int64_t>> keys;
        std::vector<Vec3> directions(static_cast<size_t>(catalog.rows()));
        for (int64_t row = 0; row < catalog.rows(); ++row) {
            const LonLat at = catalog.at(row);
            if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
            directions[static_cast<size_t>(row)] = turn * direction(at);
            keys.emplace_back(0, row);
        }
        nside_ = nsideFor(reach);
        for (auto& [cell, row] : keys)
            cell = nestedFromDirection(nside_, directions[static_cast<size_t>(row)]);
        std::sort(keys.begin(), keys.end());
        for (const auto& [cell, row] : keys) {
            cells_.push_back(cell);
            rows_.push_back(row);
            directions_.push_back(directions[static_cast<size_t>(row)]);
        }
        // Cells with fewer than two rows are not worth their cost.
        while (nside_ > 1 && 2 * occupied(1) > size()) {
            for (int64_t& cell : cells_) cell /= 4;
            nside_ /= 2;
        }
    }
    size_t size() const { return rows_.size(); }

    // Collects at least the rows within `radius`, by cells of a fraction of it.
    void gather(Vec3 from, double radius, Neighbors& to) const {
        to.clear();
        const int64_t nside = std::min(nside_, nsideFor(0.25 * radius));
        const int64_t perCell = (nside_ / nside) * (nside_ / nside);
        const double reach = std::min(kPi, radius + maximumPixelRadius(nside));
        for (const PixelRange& range : queryDisc(nside, Ordering::Nested, from, reach)) {
            auto i = static_cast<size_t>(
                std::lower_bound(cells_.begin(), cells_.end(), range.begin * perCell) -
                cells_.begin());
            for (; i < cells_.size() && cells_[i] < range.end * perCell; ++i)
                to.add(rows_[i], directions_[i]);
        }
    }

    // The radius of a disc that contains `kDensityRows` rows where there are any.
    double densityRadius() const {
        double area = 4.0 * kPi, before = kDensityRows;
        for (int64_t nside = 1; nside <= nside_; nside *= 2) {
            const int64_t perCell = (nside_ / nside) * (nside_ / nside);
            const double rows = static_cast<double>(size()) /
                                static_cast<double>(std::max<size_t>(1, occupied(perCell)));
            if (rows < kDensityRows) {
                // Interpolates, because the cells of the step before hold more rows.
                area *= std::min(1.0, kDensityRows / before);
                break;
            }
            before = rows;
            area = 4.0 * kPi / static_cast<double>(pixelCount(nside));
        }
        return 2.0 * std::asin(std::sqrt(std::min(1.0, area / (4.0 * kPi))));
    }

private:
    // Number of occupied cells, each of `perCell` grid cells.
    size_t occupied(int64_t perCell) const {
        size_t count = 0;
        int64_t last = -1;
        for (const int64_t cell : cells_)
            if (cell / perCell != last) {
                ++count;
                last = cell / perCell;
            }
        return count;
    }

    int64_t nside_ = 1;
    std::vector<int64_t> cells_, rows_;
    std::vector<Vec3> directions_;
};

void check(const Catalog& first, const Catalog& second, const MatchParameters& p) {
    if (!(p.radius >= 0.0 && p.radius <= kPi))
        throw InvalidArgument("expected a radius from 0 to 180 degrees, found " +
                              std::to_string(p.radius / kDegree));
    if (!(p.sigmas > 0.0 && p.sigmas <= 1e3))
        throw InvalidArgument("expected sigmas above 0, found " + std::to_string(p.sigmas));
    const auto fits = [](size_t size, const Catalog& catalog, const char* what) {
        if (static_cast<int64_t>(size) != catalog.rows())
            throw InvalidArgument(std::string("expected ") + what + " for each of " +
                                  std::to_string(catalog.rows()) + " rows, found " +
                                  std::to_string(size));
    };
    if (!p.errors1.empty() || !p.errors2.empty()) {
        fits(p.errors1.size(), first, "an error");
        fits(p.errors2.size(), second, "an error");
    }
    if (!p.brightness.empty()) fits(p.brightness.size(), second, "a brightness");
}

double largestOf(const std::vector<double>& values) {
    double largest = 0.0;
    for (const double v : values)
        if (v > largest) largest = v;
    return largest;
}

// Finds the pairs within reach. Nearby rows of the first catalog use one list of rows of the
// second, which contains both their partners and the rows for the density.
class Matcher {
public:
    Matcher(const Catalog& first, const Catalog& second, const MatchParameters& p)
        : first_(first),
          p_(p),
          byErrors_(!p.errors1.empty()),
          largest2_(largestOf(p.errors2)),
          most_(byErrors_
                    ? std::min(p.radius, p.sigmas * std::hypot(largestOf(p.errors1), largest2_))
                    : p.radius),
          places_(second, second.frame(), std::max(most_, 1e-9)),
          densityRadius_(places_.densityRadius()),
          densityCap_(densityRadius_),
          area_(capOf(densityRadius_)) {
        withoutPlace_ = second.rows() - static_cast<int64_t>(places_.size());
        sortFirst(frameRotation(second.frame(), first.frame()));
    }

    Matches match(JobContext& job) const {
        std::vector<Part> parts(blocks_.size());
        parallelFor(
            job, static_cast<long long>(blocks_.size()), 1,
            [&](long long i, long long) {
                matchBlock(blocks_[static_cast<size_t>(i)], parts[static_cast<size_t>(i)], job);
            },
            "matching");
        Matches result;
        result.withoutPlace = withoutPlace_;
        for (const Part& part : parts) {
            result.pairs.insert(result.pairs.end(), part.pairs.begin(), part.pairs.end());
            result.byChance += part.byChance;
        }
        std::sort(result.pairs.begin(), result.pairs.end(),
                  [](const MatchedPair& a, const MatchedPair& b) {
                      return std::pair(a.first, a.second) < std::pair(b.first, b.second);
                  });
        return result;
    }

private:
    struct Part {
        std::vector<MatchedPair> pairs;
        double byChance = 0.0;
    };
    // Rows begin to end of `order_`, in one cell.
    struct Group {
        int64_t cell = 0;
        size_t begin = 0, end = 0;
    };
    // Groups begin to end of `groups_`, in one cell kBlockSide times as wide, with a common lookup.
    struct Block {
        int64_t cell = 0;
        size_t begin = 0, end = 0;
    };
    static constexpr int64_t kBlockSide = 4;

    void sortFirst(const Mat3& turn) {
        directions_.resize(static_cast<size_t>(first_.rows()));
        // Cells of a fraction of the search radius.
        nside_ = nsideFor(0.25 * std::max(most_, densityRadius_));
        std::vector<std::pair<int64_t, int64_t>> keys;
        for (int64_t row = 0; row < first_.rows(); ++row) {
            const LonLat at = first_.at(row);
            if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) {
                ++withoutPlace_;
                continue;
            }
            const Vec3 from = turn * direction(at);
            directions_[static_cast<size_t>(row)] = from;
            keys.emplace_back(nestedFromDirection(nside_, from), row);
        }
        std::sort(keys.begin(), keys.end());
        for (const auto& [cell, row] : keys) {
            if (groups_.empty() || groups_.back().cell != cell ||
                groups_.back().end - groups_.back().begin == kRowsTogether)
                groups_.push_back({cell, order_.size(), order_.size()});
            order_.push_back(row);
            groups_.back().end = order_.size();
        }
        blockSide_ = std::min(kBlockSide, nside_);
        for (size_t i = 0; i < groups_.size(); ++i) {
            const int64_t cell = groups_[i].cell / (blockSide_ * blockSide_);
            if (blocks_.empty() || blocks_.back().cell != cell ||
                i - blocks_.back().begin == kGroupsTogether)
                blocks_.push_back({cell, i, i});
            blocks_.back().end = i + 1;
        }
    }
    double reachOf(int64_t row) const {
        if (!byErrors_) return p_.radius;
        const double own = p_.errors1[static_cast<size_t>(row)];
        return own >= 0.0 ? std::min(p_.radius, p_.sigmas * std::hypot(own, largest2_)) : -1.0;
    }
    double brightnessOf(int64_t row) const {
        return p_.brightness.empty() ? 0.0 : p_.brightness[static_cast<size_t>(row)];
    }
    // Rows of the second catalog around a cell.
    struct Around {
        Neighbors near;  // rows whose distances decide
        size_t inner =
            0;  // rows inside the density disc of every position in the cell, and out of reach
    };

    double farthest() const { return std::max(most_, densityRadius_); }

    void matchBlock(const Block& block, Part& part, const JobContext& job) const {
        const int64_t nside = nside_ / blockSide_;
        Neighbors all;
        places_.gather(directionFromNested(nside, block.cell),
                       farthest() + maximumPixelRadius(nside), all);
        std::vector<double> squares;
        Around around;
        for (size_t i = block.begin; i < block.end; ++i) {
            setAround(groups_[i].cell, all, squares, around);
            for (size_t k = groups_[i].begin; k < groups_[i].end; ++k) {
                if (job.stopRequested()) return;  // the next report throws
                matchRow(order_[k], around, squares, part);
            }
        }
    }

    void setAround(int64_t cell, const Neighbors& all, std::vector<double>& squares,
                   Around& around) const {
        const Vec3 center = directionFromNested(nside_, cell);
        const double radius = maximumPixelRadius(nside_);
        // Brightnesses of all rows within are needed.
        const double inner = p_.brightness.empty() ? densityRadius_ - radius : 0.0;
        const Within beyondReach(most_ + radius), within(std::max(0.0, inner)),
            reached(farthest() + radius);
        squaresFrom(center, all, squares);
        around.inner = 0;
        around.near.resize(squares.size());
        size_t count = 0;
        // Branch-free: each row is written, and overwritten by the next unless kept.
        for (size_t i = 0; i < squares.size(); ++i) {
            const double square = squares[i];
            const bool isInner = square > beyondReach.perhaps && square < within.sure;
            around.near.set(count, all, i);
            around.inner += isInner ? 1 : 0;
            count += !isInner && square <= reached.perhaps ? 1 : 0;
        }
        around.near.resize(count);
    }

    // Number of rows within the density disc.
    size_t countAround(Vec3 from, const Around& around, const std::vector<double>& squares) const {
        size_t sure = 0, perhaps = 0;
        for (const double square : squares) {
            sure += square < densityCap_.sure ? 1 : 0;
            perhaps += square <= densityCap_.perhaps ? 1 : 0;
        }
        if (sure == perhaps) return around.inner + sure;
        size_t exact = 0;
        for (size_t i = 0; i < squares.size(); ++i)
            exact += densityCap_.holds(squares[i], from, around.near.at(i)) ? 1 : 0;
        return around.inner + exact;
    }

    void matchRow(int64_t row, const Around& neighbors, std::vector<double>& squares,
                  Part& part) const {
        const double reach = reachOf(row);
        if (!(reach >= 0.0)) return;
        const Vec3 from = directions_[static_cast<size_t>(row)];
        squaresFrom(from, neighbors.near, squares);
        const Within cap(reach);
        const size_t around = countAround(from, neighbors, squares), begin = part.pairs.size();
        size_t reached = 0;
        for (const double square : squares) reached += square <= cap.perhaps ? 1 : 0;
        for (size_t i = 0; reached > 0 && i < squares.size(); ++i)
            if (squares[i] <= cap.perhaps)
                addPair(row, neighbors.near.rows[i], angularDistance(from, neighbors.near.at(i)),
                        reach, part);
        part.byChance += static_cast<double>(around) / area_ * capOf(reach);
        if (part.pairs.size() > begin)
            setChances(from, neighbors.near, squares, around,
                       {part.pairs.begin() + static_cast<std::ptrdiff_t>(begin), part.pairs.end()});
    }

    void addPair(int64_t row, int64_t other, double separation, double reach, Part& part) const {
        if (!(separation <= reach)) return;
        MatchedPair pair{row, other, separation, kNan, 0.0};
        if (byErrors_) {
            const double sigma = std::hypot(p_.errors1[static_cast<size_t>(row)],
                                            p_.errors2[static_cast<size_t>(other)]);
            if (!(separation <= p_.sigmas * sigma)) return;
            pair.sigmas = separation > 0.0 ? separation / sigma : 0.0;
        }
        part.pairs.push_back(pair);
    }

    // Sorts brightnesses, so that each pair counts rows of at least its brightness by bisection. In
    // crowded areas, with as many pairs as neighbors, a direct count would be quadratic.
    void setChances(Vec3 from, const Neighbors& neighbors, const std::vector<double>& squares,
                    size_t around, std::span<MatchedPair> pairs) const {
        std::vector<double> known;
        if (!p_.brightness.empty()) {
            for (size_t i = 0; i < squares.size(); ++i)
                if (densityCap_.holds(squares[i], from, neighbors.at(i)) &&
                    !std::isnan(brightnessOf(neighbors.rows[i])))
                    known.push_back(brightnessOf(neighbors.rows[i]));
            std::sort(known.begin(), known.end());
        }
        for (MatchedPair& pair : pairs) {
            auto brighter = static_cast<std::ptrdiff_t>(around);
            if (!p_.brightness.empty()) {
                const double least = brightnessOf(pair.second);
                // No row is as bright as an unknown brightness.
                brighter = std::isnan(least)
                               ? 0
                               : known.end() - std::lower_bound(known.begin(), known.end(), least);
            }
            pair.chance =
                -std::expm1(-static_cast<double>(brighter) / area_ * capOf(pair.separation));
        }
    }

    const Catalog& first_;
    const MatchParameters& p_;
    bool byErrors_;
    double largest2_, most_;
    Places places_;
    double densityRadius_;
    Within densityCap_;
    double area_;
    int64_t withoutPlace_ = 0, nside_ = 1;
    std::vector<Vec3> directions_;  // directions of all rows of the first catalog
    std::vector<int64_t> order_;    // rows with a position, by cell
    std::vector<Group> groups_;
    std::vector<Block> blocks_;
    int64_t blockSide_ = 1;
};

// Keeps the best pair of each row; `RowOf` selects the catalog.
template <class RowOf>
void keepBest(std::vector<MatchedPair>& pairs, const RowOf& rowOf, int64_t rows,
              const std::vector<double>& scores) {
    std::vector<int64_t> best(static_cast<size_t>(rows), -1);
    for (size_t i = 0; i < pairs.size(); ++i) {
        int64_t& kept = best[static_cast<size_t>(rowOf(pairs[i]))];
        if (kept < 0 || scores[i] < scores[static_cast<size_t>(kept)])
            kept = static_cast<int64_t>(i);
    }
    std::vector<MatchedPair> left;
    for (size_t i = 0; i < pairs.size(); ++i)
        if (best[static_cast<size_t>(rowOf(pairs[i]))] == static_cast<int64_t>(i))
            left.push_back(pairs[i]);
    pairs = std::move(left);
}

void select(std::vector<MatchedPair>& pairs, MatchFind find, int64_t rows1, int64_t rows2) {
    std::vector<double> scores;
    for (const MatchedPair& pair : pairs)
        scores.push_back(std::isfinite(pair.sigmas) ? pair.sigmas : pair.separation);
    if (find == MatchFind::Best1)
        keepBest(
            pairs, [](const MatchedPair& p) { return p.first; }, rows1, scores);
    if (find == MatchFind::Best2)
        keepBest(
            pairs, [](const MatchedPair& p) { return p.second; }, rows2, scores);
    if (find != MatchFind::Best) return;
    std::vector<size_t> order(pairs.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] < scores[b]; });
    std::vector<bool> taken1(static_cast<size_t>(rows1)), taken2(static_cast<size_t>(rows2));
    std::vector<bool> kept(pairs.size());
    for (const size_t i : order) {
        const auto a = static_cast<size_t>(pairs[i].first),
                   b = static_cast<size_t>(pairs[i].second);
        if (taken1[a] || taken2[b]) continue;
        taken1[a] = taken2[b] = kept[i] = true;
    }
    std::vector<MatchedPair> left;
    for (size_t i = 0; i < pairs.size(); ++i)
        if (kept[i]) left.push_back(pairs[i]);
    pairs = std::move(left);
}

}  // namespace

Matches matchCatalogs(const Catalog& first, const Catalog& second, const MatchParameters& p,
                      JobContext& job) {
    check(first, second, p);
    job.report(0.0, "sorting");
    const Matcher matcher(first, second, p);
    job.report(0.1, "matching");
    JobContext matching = job.part(0.1, 0.95);
    Matches result = matcher.match(matching);
    select(result.pairs, p.find, first.rows(), second.rows());
    job.report(1.0, "matching");
    return result;
}

}  // namespace armilla
