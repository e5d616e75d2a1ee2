// SPDX-License-Identifier: GPL-3.0-or-later
// The output table of a match: columns of both catalogs, row by row.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "armilla/core/nan.h"
#include "armilla/ops/match.h"

namespace armilla {

namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

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
        // The position of a row is that of the first catalog, for readers of the file.
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
                "that an unrelated one, as bright or brighter, lies this close",
                std::move(chance)));
    return result;
}

}  // namespace armilla
