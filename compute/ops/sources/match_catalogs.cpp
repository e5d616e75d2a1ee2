// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "core/error.h"
#include "core/pixel_geometry.h"
#include "core/pixel_queries.h"
#include "ops/match.h"

namespace armilla {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
// Rows around a place that tell the density there: 10 % of it.
constexpr double kDensityRows = 100.0;
constexpr int kMostOrder = 20;
// Rows of the first that are matched together, at most.
constexpr size_t kRowsTogether = 256;

double capOf(double radius) {
    const double half = std::sin(0.5 * std::min(radius, kPi));
    return 4.0 * kPi * half * half;
}

// The finest grid whose pixels reach as far as `reach`.
int64_t nsideFor(double reach) {
    int order = 0;
    while (order < kMostOrder && std::sqrt(kPi / 3.0) / std::ldexp(1.0, order + 1) >= reach)
        ++order;
    return int64_t{1} << order;
}

// Rows around a place, by coordinate, so that loops over them are vectors.
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
// What lies within an angle, by squared chords; where their rounding could decide, by the angle
// itself.
struct Within {
    explicit Within(double given) : angle(given) {
        const double chord = 2.0 * std::sin(0.5 * std::min(angle, kPi));
        // Coordinates are rounded by 1e-16 each.
        const double slack = chord * (4e-15 + 1e-14 * chord) + 1e-30;
        sure = chord * chord - slack;
        perhaps = chord * chord + slack;
    }
    bool holds(double square, Vec3 from, Vec3 at) const {
        return square < sure || (square <= perhaps && angularDistance(from, at) <= angle);
    }
    double angle, sure = 0.0, perhaps = 0.0;
};

// Places sorted along the pixels of a fine NESTED grid.
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
        // Cells of fewer than two rows only cost the look for them.
        while (nside_ > 1 && 2 * occupied(1) > size()) {
            for (int64_t& cell : cells_) cell /= 4;
            nside_ /= 2;
        }
    }
    size_t size() const { return rows_.size(); }

    // Those within `radius` and some more, found by cells of a fraction of it.
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

    // The radius of a disc that holds `kDensityRows` of them, where they are.
    double densityRadius() const {
        double area = 4.0 * kPi;
        for (int64_t nside = 1; nside <= nside_; nside *= 2) {
            const int64_t perCell = (nside_ / nside) * (nside_ / nside);
            if (static_cast<double>(size()) < kDensityRows * static_cast<double>(occupied(perCell)))
                break;
            area = 4.0 * kPi / static_cast<double>(pixelCount(nside));
        }
        return 2.0 * std::asin(std::sqrt(std::min(1.0, area / (4.0 * kPi))));
    }

private:
    // Of cells that hold so many of these.
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

// The pairs within reach. Rows of the first that are near to each other share the rows of the
// second around them, among which are both their partners and the rows that the density is counted
// of.
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
        std::vector<Part> parts(groups_.size());
        parallelFor(
            job, static_cast<long long>(groups_.size()), 1,
            [&](long long i, long long) {
                matchGroup(groups_[static_cast<size_t>(i)], parts[static_cast<size_t>(i)], job);
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
    // Rows begin to end of `order_` lie in one cell.
    struct Group {
        int64_t cell = 0;
        size_t begin = 0, end = 0;
    };

    void sortFirst(const Mat3& turn) {
        directions_.resize(static_cast<size_t>(first_.rows()));
        // Cells of a fraction of what is gathered around them.
        nside_ = nsideFor(0.5 * std::max(most_, densityRadius_));
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
    }
    double reachOf(int64_t row) const {
        if (!byErrors_) return p_.radius;
        const double own = p_.errors1[static_cast<size_t>(row)];
        return own >= 0.0 ? std::min(p_.radius, p_.sigmas * std::hypot(own, largest2_)) : -1.0;
    }
    double brightnessOf(int64_t row) const {
        return p_.brightness.empty() ? 0.0 : p_.brightness[static_cast<size_t>(row)];
    }
    void matchGroup(const Group& group, Part& part, const JobContext& job) const {
        Neighbors neighbors;
        places_.gather(directionFromNested(nside_, group.cell),
                       std::max(most_, densityRadius_) + maximumPixelRadius(nside_), neighbors);
        std::vector<double> squares;
        for (size_t i = group.begin; i < group.end; ++i) {
            if (job.stopRequested()) return;  // noticed at the next report
            matchRow(order_[i], neighbors, squares, part);
        }
    }

    void matchRow(int64_t row, const Neighbors& neighbors, std::vector<double>& squares,
                  Part& part) const {
        const double reach = reachOf(row);
        if (!(reach >= 0.0)) return;
        const Vec3 from = directions_[static_cast<size_t>(row)];
        squaresFrom(from, neighbors, squares);
        const Within cap(reach);
        size_t around = 0;
        const size_t begin = part.pairs.size();
        for (size_t i = 0; i < squares.size(); ++i) {
            around += densityCap_.holds(squares[i], from, neighbors.at(i)) ? 1 : 0;
            if (squares[i] <= cap.perhaps)
                addPair(row, neighbors.rows[i], angularDistance(from, neighbors.at(i)), reach,
                        part);
        }
        part.byChance += static_cast<double>(around) / area_ * capOf(reach);
        if (part.pairs.size() > begin)
            setChances(from, neighbors, squares, around,
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

    // Brightnesses are sorted, so that each pair finds those as bright by halving: where rows are
    // crowded, with as many pairs as neighbors, a count of each is their square.
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
                // None is as bright as one that is not known.
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
    std::vector<Vec3> directions_;  // of all rows of the first
    std::vector<int64_t> order_;    // rows with a place, by cell
    std::vector<Group> groups_;
};

// Keeps the best of each row, `Row` telling which of the two.
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

// The rows of a column in another order; -1: missing.
TableColumn gathered(const TableColumn& column, const std::vector<int64_t>& rows) {
    TableColumn result = column;
    const bool holes = std::any_of(rows.begin(), rows.end(), [](int64_t r) { return r < 0; });
    if (holes && column.isInteger() && !column.null) result.null = kNone;
    std::visit(
        [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            using T = typename Values::value_type;
            T missing{};
            if constexpr (std::is_floating_point_v<T>)
                missing = std::numeric_limits<T>::quiet_NaN();
            if constexpr (std::is_same_v<T, int64_t>) missing = result.null.value_or(0);
            Values fresh;
            fresh.reserve(rows.size() * static_cast<size_t>(column.width));
            for (const int64_t row : rows)
                for (int64_t k = 0; k < column.width; ++k)
                    fresh.push_back(row < 0 ? missing
                                            : values[static_cast<size_t>(row * column.width + k)]);
            result.values = std::move(fresh);
        },
        column.values);
    return result;
}

TableColumn figures(const char* name, const char* unit, const char* ucd, const char* description,
                    std::vector<double> values) {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.ucd = ucd;
    column.description = description;
    column.values = std::move(values);
    return column;
}

std::vector<int64_t> rowsWithout(int64_t rows, const std::vector<int64_t>& partners) {
    std::vector<bool> taken(static_cast<size_t>(rows));
    for (const int64_t row : partners) taken[static_cast<size_t>(row)] = true;
    std::vector<int64_t> left;
    for (int64_t row = 0; row < rows; ++row)
        if (!taken[static_cast<size_t>(row)]) left.push_back(row);
    return left;
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

Catalog matchedCatalog(const Catalog& first, const Catalog& second, const Matches& matches,
                       MatchJoin join) {
    std::vector<int64_t> rows1, rows2;
    std::vector<double> separation, sigmas, chance;
    bool byErrors = false;
    for (const MatchedPair& pair : matches.pairs) {
        rows1.push_back(pair.first);
        rows2.push_back(pair.second);
        separation.push_back(pair.separation / kArcsec);
        sigmas.push_back(pair.sigmas);
        chance.push_back(pair.chance);
        byErrors = byErrors || std::isfinite(pair.sigmas);
    }
    Catalog result;
    if (join == MatchJoin::Only1 || join == MatchJoin::Only2) {
        const Catalog& from = join == MatchJoin::Only1 ? first : second;
        const std::vector<int64_t> left =
            rowsWithout(from.rows(), join == MatchJoin::Only1 ? rows1 : rows2);
        result = from;
        for (TableColumn& column : result.table.columns) column = gathered(column, left);
        return result;
    }
    if (join == MatchJoin::All1) {
        for (const int64_t row : rowsWithout(first.rows(), rows1)) {
            rows1.push_back(row);
            rows2.push_back(-1);
            separation.push_back(kNan);
            sigmas.push_back(kNan);
            chance.push_back(kNan);
        }
        std::vector<size_t> order(rows1.size());
        for (size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return rows1[a] < rows1[b]; });
        const auto reordered = [&](auto& values) {
            auto fresh = values;
            for (size_t i = 0; i < order.size(); ++i) fresh[i] = values[order[i]];
            values = std::move(fresh);
        };
        reordered(rows1);
        reordered(rows2);
        reordered(separation);
        reordered(sigmas);
        reordered(chance);
    }
    result.position = first.position;
    Table& table = result.table;
    table.name = "MATCHES";
    table.frame = first.table.frame;
    table.history = first.table.history;
    for (const TableColumn& column : first.table.columns)
        table.columns.push_back(gathered(column, rows1));
    for (size_t i = 0; i < second.table.columns.size(); ++i) {
        TableColumn fresh = gathered(second.table.columns[i], rows2);
        // The place of a row is that of the first, for whoever reads the file.
        const auto index = static_cast<int>(i);
        if (index == second.position.lon || index == second.position.lat) {
            fresh.name += "_2";
            fresh.ucd.clear();
        }
        while (table.find(fresh.name)) fresh.name += "_2";
        if (const size_t main = fresh.ucd.find(";meta.main"); main != std::string::npos)
            fresh.ucd.erase(main, 10);
        table.columns.push_back(std::move(fresh));
    }
    const auto add = [&](TableColumn column) {
        while (table.find(column.name)) column.name += "_X";
        table.columns.push_back(std::move(column));
    };
    add(figures("XSEP", "arcsec", "pos.angDistance", "separation", std::move(separation)));
    if (byErrors)
        add(figures("XSIG", "", "stat.value", "separation in units of both errors",
                    std::move(sigmas)));
    add(figures("P_CHANCE", "", "stat.probability",
                "that an unrelated one, as bright or brighter, lies so near", std::move(chance)));
    return result;
}

}  // namespace armilla
