// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/match.h"
#include "shared/keyed_rows.h"
#include "sources/match_kernels.h"

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

double squaredChord(Vec3 from, Vec3 to) {
    const Vec3 d = to - from;
    return dot(d, d);
}
NearOffset offsetFrom(Vec3 center, Vec3 at) {
    const Vec3 d = at - center;
    return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
}

// Test for a maximum angle by squared chords; by the angle itself where rounding could decide.
struct Within {
    explicit Within(double given)
        : angle(given), chord(2.0 * std::sin(0.5 * std::min(angle, kPi))) {
        // Coordinates have rounding errors of 1e-16 each.
        const double slack = chord * (4e-15 + 1e-14 * chord) + 1e-30;
        sure = chord * chord - slack;
        perhaps = chord * chord + slack;
    }
    bool holds(double square, Vec3 from, Vec3 at) const {
        return square < sure || (square <= perhaps && angularDistance(from, at) <= angle);
    }
    // The same limit for offsets of at most `extent` in single precision. With u = 2^-24, an offset
    // and a difference round by u times their length, which is at most 2 extents, and the square by
    // 4 u times itself. A square near the limit so differs by less than 8 u extent chord + 4 u
    // chord^2 + 32 u^2 extent^2. The slack is at least twice that, which covers the rounding of the
    // limit itself.
    NearLimit near(double extent) const {
        const double slack = 0x1p-20 * chord * (extent + chord) + 0x1p-40 * extent * extent;
        return {static_cast<float>(sure - slack), static_cast<float>(perhaps + slack)};
    }
    double angle, chord, sure = 0.0, perhaps = 0.0;
};

// Rows with a position, sorted by the pixels of a NESTED grid.
struct SortedRows {
    std::vector<KeyedRow> rows;
    std::vector<Vec3> directions;  // one for each row of the catalog
};
SortedRows sortedRows(const Catalog& catalog, const Mat3& turn, int64_t nside, JobContext& job) {
    constexpr int64_t kGrain = int64_t{1} << 13;
    SortedRows result;
    result.directions = newVector<Vec3>(catalog.rows(), job);
    result.rows = newVector<KeyedRow>(catalog.rows(), job);
    parallelFor(job, catalog.rows(), kGrain, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row) {
            const LonLat at = catalog.at(row);
            KeyedRow& keyed = result.rows[static_cast<size_t>(row)];
            keyed = {-1, row};
            if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
            const Vec3 to = turn * direction(at);
            result.directions[static_cast<size_t>(row)] = to;
            keyed.key = nestedFromDirection(nside, to);
        }
    });
    std::erase_if(result.rows, [](const KeyedRow& row) { return row.key < 0; });
    sortByKey(result.rows, pixelCount(nside), job);
    return result;
}

// Positions sorted along the pixels of a fine NESTED grid.
class Places {
public:
    Places(const Catalog& catalog, double reach, JobContext& job) : nside_(nsideFor(reach)) {
        // Rows near a place are numbered with 32 bits.
        if (catalog.rows() > int64_t{std::numeric_limits<uint32_t>::max()})
            throw InvalidArgument("expected fewer than 4294967296 rows, found " +
                                  std::to_string(catalog.rows()));
        const SortedRows sorted = sortedRows(catalog, Mat3{}, nside_, job);
        const auto count = std::ssize(sorted.rows);
        cells_ = newVector<int64_t>(count, job);
        rows_ = newVector<int64_t>(count, job);
        directions_ = newVector<Vec3>(count, job);
        for (size_t i = 0; i < size(); ++i) {
            const auto& [cell, row] = sorted.rows[i];
            cells_[i] = cell;
            rows_[i] = row;
            directions_[i] = sorted.directions[static_cast<size_t>(row)];
            // Number of coarser levels at which the cell differs from the one before.
            if (i > 0)
                ++differing_[static_cast<size_t>(
                    (std::bit_width(static_cast<uint64_t>(cell ^ cells_[i - 1])) + 1) / 2)];
        }
        // Cells with fewer than two rows are not worth their cost.
        while (nside_ >> coarser_ > 1 && 2 * occupied(coarser_) > size()) ++coarser_;
        nside_ >>= coarser_;
        for (int64_t& cell : cells_) cell >>= 2 * coarser_;
    }
    size_t size() const { return rows_.size(); }
    int64_t row(uint32_t place) const { return rows_[place]; }
    Vec3 direction(uint32_t place) const { return directions_[place]; }

    // Collects at least the rows within `radius` of a center, by cells of a fraction of it. Returns
    // the greatest squared chord from the center.
    double gather(Vec3 center, double radius, NearRows& to) const {
        const int64_t nside = std::min(nside_, nsideFor(0.25 * radius));
        const int64_t perCell = (nside_ / nside) * (nside_ / nside);
        const double reach = std::min(kPi, radius + maximumPixelRadius(nside));
        std::vector<std::pair<size_t, size_t>> runs;
        size_t count = 0;
        for (const PixelRange& range : queryDisc(nside, Ordering::Nested, center, reach)) {
            const auto begin =
                std::lower_bound(cells_.begin(), cells_.end(), range.begin * perCell);
            auto end = begin;
            while (end != cells_.end() && *end < range.end * perCell) ++end;
            runs.emplace_back(begin - cells_.begin(), end - cells_.begin());
            count += static_cast<size_t>(end - begin);
        }
        to.count = 0;
        to.reserve(count);
        double farthest = 0.0;
        for (const auto& [begin, end] : runs)
            for (size_t i = begin; i < end; ++i) {
                to.add(static_cast<uint32_t>(i), offsetFrom(center, directions_[i]));
                farthest = std::max(farthest, squaredChord(center, directions_[i]));
            }
        to.pad();
        return farthest;
    }

    // The radius of a disc that contains `kDensityRows` rows where there are any.
    double densityRadius() const {
        double area = 4.0 * kPi, before = kDensityRows;
        for (int64_t nside = 1; nside <= nside_; nside *= 2) {
            const int levels = std::countr_zero(static_cast<uint64_t>(nside_ / nside));
            const double rows = static_cast<double>(size()) / static_cast<double>(std::max<size_t>(
                                                                  1, occupied(coarser_ + levels)));
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
    // Number of occupied cells, `levels` levels coarser than those that the rows were sorted by.
    size_t occupied(int levels) const {
        size_t count = size() > 0 ? 1 : 0;
        for (size_t k = static_cast<size_t>(levels) + 1; k < differing_.size(); ++k)
            count += differing_[k];
        return count;
    }

    int64_t nside_;
    int coarser_ = 0;
    std::vector<int64_t> cells_, rows_;
    std::vector<Vec3> directions_;
    std::array<size_t, 33> differing_{};
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
// second, which contains both their partners and the rows for the density. Offsets in single
// precision decide all but the few distances at which their rounding could.
class Matcher {
public:
    Matcher(const Catalog& first, const Catalog& second, const MatchParameters& p, JobContext& job)
        : first_(first),
          p_(p),
          byErrors_(!p.errors1.empty()),
          largest2_(largestOf(p.errors2)),
          most_(byErrors_
                    ? std::min(p.radius, p.sigmas * std::hypot(largestOf(p.errors1), largest2_))
                    : p.radius),
          places_(second, std::max(most_, 1e-9), job),
          densityRadius_(places_.densityRadius()),
          densityCap_(densityRadius_),
          area_(capOf(densityRadius_)) {
        withoutPlace_ = second.rows() - static_cast<int64_t>(places_.size());
        sortFirst(frameRotation(second.frame(), first.frame()), job);
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

    void sortFirst(const Mat3& turn, JobContext& job) {
        // Cells of a fraction of the search radius.
        nside_ = nsideFor(0.25 * std::max(most_, densityRadius_));
        const SortedRows sorted = sortedRows(first_, turn, nside_, job);
        withoutPlace_ += first_.rows() - std::ssize(sorted.rows);
        order_.reserve(sorted.rows.size());
        directions_.reserve(sorted.rows.size());
        for (const auto& [cell, row] : sorted.rows) {
            if (groups_.empty() || groups_.back().cell != cell ||
                groups_.back().end - groups_.back().begin == kRowsTogether)
                groups_.push_back({cell, order_.size(), order_.size()});
            order_.push_back(row);
            directions_.push_back(sorted.directions[static_cast<size_t>(row)]);
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
    // Rows of the second catalog around a block of cells, and those around one cell.
    struct Around {
        Vec3 center;
        double extent = 0.0;  // no offset from the center is longer
        NearRows all;
        NearRows near;     // rows whose distances decide
        size_t inner = 0;  // rows inside the density disc of every position in the cell, and out of
                           // reach
        NearLimit density;
        std::vector<uint32_t> found;
    };

    double farthest() const { return std::max(most_, densityRadius_); }

    void matchBlock(const Block& block, Part& part, const JobContext& job) const {
        const int64_t nside = nside_ / blockSide_;
        const double radius = maximumPixelRadius(nside);
        Around around;
        around.center = directionFromNested(nside, block.cell);
        const double square = places_.gather(around.center, farthest() + radius, around.all);
        // The margin covers rounding.
        around.extent = std::max(std::sqrt(square), radius) * (1.0 + 1e-12);
        around.density = densityCap_.near(around.extent);
        around.found.resize(around.all.count);
        for (size_t i = block.begin; i < block.end; ++i) {
            setAround(groups_[i].cell, around);
            for (size_t k = groups_[i].begin; k < groups_[i].end; ++k) {
                if (job.stopRequested()) return;  // the next report throws
                matchRow(order_[k], directions_[k], around, part);
            }
        }
    }

    void setAround(int64_t cell, Around& around) const {
        const double radius = maximumPixelRadius(nside_);
        // Brightnesses of all rows within are needed.
        const double inner = p_.brightness.empty() ? densityRadius_ - radius : 0.0;
        const Within beyondReach(most_ + radius), within(std::max(0.0, inner)),
            reached(farthest() + radius);
        around.inner =
            keepNear(around.all, offsetFrom(around.center, directionFromNested(nside_, cell)),
                     beyondReach.near(around.extent).perhaps, within.near(around.extent).sure,
                     reached.near(around.extent).perhaps, around.near);
    }

    // Number of near rows within the density disc, for a position where rounding could decide.
    size_t exactCount(Vec3 from, const NearRows& near) const {
        size_t count = 0;
        for (size_t i = 0; i < near.count; ++i) count += isInDisc(from, near.places[i]) ? 1 : 0;
        return count;
    }
    bool isInDisc(Vec3 from, uint32_t place) const {
        const Vec3 at = places_.direction(place);
        return densityCap_.holds(squaredChord(from, at), from, at);
    }

    void matchRow(int64_t row, Vec3 from, Around& around, Part& part) const {
        const double reach = reachOf(row);
        if (!(reach >= 0.0)) return;
        const NearRows& near = around.near;
        const NearCount count =
            countNear(near, offsetFrom(around.center, from), around.density,
                      Within(reach).near(around.extent).perhaps, around.found.data());
        const size_t rows =
            around.inner + (count.sure == count.perhaps ? count.sure : exactCount(from, near));
        const size_t begin = part.pairs.size();
        for (size_t i = 0; i < count.found; ++i) {
            const uint32_t place = near.places[around.found[i]];
            addPair(row, places_.row(place), angularDistance(from, places_.direction(place)), reach,
                    part);
        }
        part.byChance += static_cast<double>(rows) / area_ * capOf(reach);
        if (part.pairs.size() > begin)
            setChances(from, near, rows,
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
    void setChances(Vec3 from, const NearRows& near, size_t around,
                    std::span<MatchedPair> pairs) const {
        std::vector<double> known;
        if (!p_.brightness.empty()) {
            for (size_t i = 0; i < near.count; ++i) {
                const double brightness = brightnessOf(places_.row(near.places[i]));
                if (!std::isnan(brightness) && isInDisc(from, near.places[i]))
                    known.push_back(brightness);
            }
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
    std::vector<int64_t> order_;    // rows of the first catalog with a position, by cell
    std::vector<Vec3> directions_;  // their directions
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

double chanceRadius(const Catalog& second, double radius, JobContext& job) {
    return Places(second, std::max(radius, 1e-9), job).densityRadius();
}

Matches matchCatalogs(const Catalog& first, const Catalog& second, const MatchParameters& p,
                      JobContext& job) {
    check(first, second, p);
    job.report(0.0, "sorting");
    JobContext sorting = job.part(0.0, 0.1);
    const Matcher matcher(first, second, p, sorting);
    job.report(0.1, "matching");
    JobContext matching = job.part(0.1, 0.95);
    Matches result = matcher.match(matching);
    select(result.pairs, p.find, first.rows(), second.rows());
    job.report(1.0, "matching");
    return result;
}

}  // namespace armilla
