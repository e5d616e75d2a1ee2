// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/shown_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "armilla/core/ascii_text.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/row_expression.h"
#include "armilla/operations/parameter.h"

namespace armilla {

namespace {

// A block sorts in about 5 ms on one CPU core, so that a stop is seen soon.
constexpr int64_t kBlock = int64_t{1} << 16;
constexpr double kDecadesRatio = 1e3;

template <typename Key>
struct Keyed {
    Key key;
    int64_t row;
};

// A total order: rows with equal keys are in ascending order in both directions.
template <typename Key>
struct Before {
    bool isDescending = false;
    bool operator()(const Keyed<Key>& a, const Keyed<Key>& b) const {
        if (a.key == b.key) return a.row < b.row;
        return isDescending ? b.key < a.key : a.key < b.key;
    }
};

// Number of elements of `left` among the first `count` of both sorted ranges together.
template <typename Key>
int64_t shareOfLeft(std::span<const Keyed<Key>> left, std::span<const Keyed<Key>> right,
                    int64_t count, const Before<Key>& before) {
    int64_t low = std::max<int64_t>(0, count - static_cast<int64_t>(right.size()));
    int64_t high = std::min(count, static_cast<int64_t>(left.size()));
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (before(left[static_cast<size_t>(middle)],
                   right[static_cast<size_t>(count - middle - 1)]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Merges neighboring sorted runs of `width` elements. Threads share the blocks of the result, each
// of which is in one pair of runs, because `width` is a multiple of the block.
template <typename Key>
void mergeRuns(const std::vector<Keyed<Key>>& from, std::vector<Keyed<Key>>& to, int64_t width,
               const Before<Key>& before, JobContext& job) {
    const auto count = static_cast<int64_t>(from.size());
    parallelFor(job, count, kBlock, [&](long long begin, long long end) {
        const int64_t start = begin / (2 * width) * (2 * width);
        const int64_t middle = std::min(start + width, count);
        const int64_t last = std::min(start + 2 * width, count);
        const std::span<const Keyed<Key>> all(from);
        const auto left =
            all.subspan(static_cast<size_t>(start), static_cast<size_t>(middle - start));
        const auto right =
            all.subspan(static_cast<size_t>(middle), static_cast<size_t>(last - middle));
        const int64_t first = shareOfLeft(left, right, begin - start, before);
        const int64_t past = shareOfLeft(left, right, end - start, before);
        std::merge(left.begin() + first, left.begin() + past,
                   right.begin() + (begin - start - first), right.begin() + (end - start - past),
                   to.begin() + begin, before);
    });
}

template <typename Key>
std::vector<Keyed<Key>> sorted(std::vector<Keyed<Key>> keyed, bool isDescending, JobContext& job) {
    const Before<Key> before{isDescending};
    const auto count = static_cast<int64_t>(keyed.size());
    parallelFor(job, count, kBlock, [&](long long begin, long long end) {
        std::sort(keyed.begin() + begin, keyed.begin() + end, before);
    });
    std::vector<Keyed<Key>> other(count > kBlock ? keyed.size() : 0);
    for (int64_t width = kBlock; width < count; width *= 2) {
        mergeRuns(keyed, other, width, before, job);
        keyed.swap(other);
    }
    return keyed;
}

template <typename Body>
void forEachRow(const RowNumbers& rows, int64_t count, JobContext& job, const Body& body) {
    const int64_t size = rows ? static_cast<int64_t>(rows->size()) : count;
    for (int64_t i = 0; i < size; ++i) {
        if (i % kBlock == 0) job.poll();
        body(rows ? (*rows)[static_cast<size_t>(i)] : i);
    }
}

// `keyOf(row)` returns the key, NaN for a missing value.
template <typename Key, typename KeyOf>
RowNumbers ordered(const RowNumbers& rows, int64_t count, bool isDescending, JobContext& job,
                   const KeyOf& keyOf) {
    const int64_t size = rows ? static_cast<int64_t>(rows->size()) : count;
    requireMemory("sorting " + std::to_string(size) + " rows",
                  size * static_cast<int64_t>(2 * sizeof(Keyed<Key>) + sizeof(int64_t)));
    std::vector<Keyed<Key>> keyed;
    keyed.reserve(static_cast<size_t>(size));
    std::vector<int64_t> missing;
    forEachRow(rows, count, job, [&](int64_t row) {
        if (const std::optional<Key> key = keyOf(row))
            keyed.push_back({*key, row});
        else
            missing.push_back(row);
    });
    keyed = sorted(std::move(keyed), isDescending, job);
    auto result = std::make_shared<std::vector<int64_t>>();
    result->reserve(static_cast<size_t>(size));
    for (const Keyed<Key>& each : keyed) result->push_back(each.row);
    result->insert(result->end(), missing.begin(), missing.end());
    return result;
}

RowNumbers inOrder(const TableColumn& column, const RowNumbers& rows, bool isDescending,
                   JobContext& job) {
    const int64_t count = column.rows(), width = column.width;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
        return ordered<std::string_view>(
            rows, count, isDescending, job, [&](int64_t row) -> std::optional<std::string_view> {
                std::string_view text = (*texts)[static_cast<size_t>(row * width)];
                while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
                return text.empty() ? std::nullopt : std::optional(text);
            });
    // Identifiers of 64 bits differ beyond the digits of a double.
    if (const auto* integers = std::get_if<std::vector<int64_t>>(&column.values))
        return ordered<int64_t>(
            rows, count, isDescending, job, [&](int64_t row) -> std::optional<int64_t> {
                const int64_t value = (*integers)[static_cast<size_t>(row * width)];
                return value == column.null ? std::nullopt : std::optional(value);
            });
    return ordered<double>(rows, count, isDescending, job,
                           [&](int64_t row) -> std::optional<double> {
                               const double value = column.number(row);
                               return std::isnan(value) ? std::nullopt : std::optional(value);
                           });
}

void placeBins(ColumnSummary& summary, const TableColumn& column, int bins, double least,
               double largest) {
    summary.low = least;
    summary.high = largest;
    auto count = static_cast<size_t>(bins);
    // Larger integers, such as identifiers, have no neighbors at a distance of a half.
    constexpr double kHalves = 0x1p52;
    if (column.isInteger() && largest - least < bins && largest < kHalves && least > -kHalves) {
        count = static_cast<size_t>(largest - least) + 1;
        summary.low -= 0.5;
        summary.high += 0.5;
    } else if (!(least < largest)) {
        const double half = least == 0.0 ? 0.5 : 0.05 * std::abs(least);
        summary.low -= half;
        summary.high += half;
    } else {
        summary.isLogarithmic = least > 0.0 && largest > kDecadesRatio * least;
    }
    summary.all.assign(count, 0);
    summary.chosen.assign(count, 0);
}

void summarize(ColumnSummary& summary, std::vector<double> values) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    summary.least = *least;
    summary.largest = *largest;
    double sum = 0.0;
    for (size_t begin = 0; begin < values.size(); begin += kBlock) {
        double part = 0.0;
        const size_t end = std::min(values.size(), begin + static_cast<size_t>(kBlock));
        for (size_t i = begin; i < end; ++i) part += values[i];
        sum += part;
    }
    summary.mean = sum / static_cast<double>(values.size());
    summary.median = median(std::move(values));
}

}  // namespace

RowNumbers chosenRows(const Table& table, const RowChoice& choice, JobContext& job) {
    RowNumbers rows;
    if (!choice.where.empty())
        rows = std::make_shared<const std::vector<int64_t>>(
            RowExpression(choice.where, table).rows(job));
    if (choice.column < 0) return rows;
    return inOrder(table.columns.at(static_cast<size_t>(choice.column)), rows, choice.isDescending,
                   job);
}

ColumnSummary summaryOf(const TableColumn& column, const RowNumbers& rows, int bins,
                        JobContext& job) {
    ColumnSummary summary;
    const int64_t count = column.rows();
    summary.rows = rows ? static_cast<int64_t>(rows->size()) : count;
    summary.least = summary.largest = summary.mean = summary.median = kNan;
    if (column.isText()) {
        forEachRow(rows, count, job, [&](int64_t row) {
            if (column.text(row).find_first_not_of(' ') == std::string::npos) ++summary.blanks;
        });
        return summary;
    }
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    forEachRow({}, count, job, [&](int64_t row) {
        const double value = column.number(row);
        if (!std::isfinite(value)) return;
        least = std::min(least, value);
        largest = std::max(largest, value);
    });
    if (!(least <= largest)) {
        summary.blanks = summary.rows;
        return summary;
    }
    placeBins(summary, column, bins, least, largest);
    const auto scaled = [&summary](double value) {
        return summary.isLogarithmic ? std::log(value) : value;
    };
    const double low = scaled(summary.low);
    const double span = scaled(summary.high) - low;
    const auto binCount = static_cast<double>(summary.all.size());
    // The first bin takes the values of a span that overflows, whose places are NaN.
    const auto binOf = [&](double value) {
        const double place = (scaled(value) - low) / span * binCount;
        return place > 0.0 ? static_cast<size_t>(std::min(place, binCount - 1.0)) : size_t{0};
    };
    forEachRow({}, count, job, [&](int64_t row) {
        if (const double value = column.number(row); std::isfinite(value))
            ++summary.all[binOf(value)];
    });
    std::vector<double> values;
    requireMemory("the median of a column", summary.rows * static_cast<int64_t>(sizeof(double)));
    values.reserve(static_cast<size_t>(summary.rows));
    forEachRow(rows, count, job, [&](int64_t row) {
        const double value = column.number(row);
        if (!std::isfinite(value)) {
            ++summary.blanks;
            return;
        }
        ++summary.chosen[binOf(value)];
        values.push_back(value);
    });
    if (!values.empty()) summarize(summary, std::move(values));
    return summary;
}

namespace {

// The name of a column in an expression; brackets hold names that are no words.
std::string nameInExpression(const TableColumn& column) {
    const std::string& name = column.name;
    const bool isWord = !name.empty() && !isDigit(name.front()) &&
                        std::all_of(name.begin(), name.end(), belongsToName);
    std::string text = isWord && !isWordOfExpressions(name) ? name : "[" + name + "]";
    if (column.width > 1) text += "[1]";
    return text;
}

// True if a condition may begin after this text, and not amid a name, a number or a sum.
bool isBeforeCondition(std::string_view text) {
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    if (text.empty() || std::string_view("(&|!?:").find(text.back()) != std::string_view::npos)
        return true;
    size_t begin = text.size();
    while (begin > 0 && belongsToName(text[begin - 1])) --begin;
    const std::string word = lowerCase(text.substr(begin));
    return word == "and" || word == "or" || word == "not";
}

// True if a condition may end before this text.
bool isAfterCondition(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    if (text.empty() || std::string_view(")&|?:").find(text.front()) != std::string_view::npos)
        return true;
    size_t end = 0;
    while (end < text.size() && belongsToName(text[end])) ++end;
    const std::string word = lowerCase(text.substr(0, end));
    return word == "and" || word == "or";
}

// The place of a clause in a condition: "A > 1" is not a clause of "A > 15" or of "2 * A > 1".
size_t clausePlace(const std::string& condition, const std::string& clause) {
    size_t at = clause.empty() ? std::string::npos : condition.find(clause);
    while (at != std::string::npos) {
        const std::string_view text = condition;
        if (isBeforeCondition(text.substr(0, at)) &&
            isAfterCondition(text.substr(at + clause.size())))
            break;
        at = condition.find(clause, at + 1);
    }
    return at;
}

}  // namespace

std::string rangeClause(const TableColumn& column, const ColumnRange& range) {
    if (range.isOpen()) return {};
    const std::string name = nameInExpression(column);
    if (!range.high) return name + " >= " + exactNumber(*range.low);
    if (!range.low) return name + " <= " + exactNumber(*range.high);
    return exactNumber(*range.low) + " <= " + name + " <= " + exactNumber(*range.high);
}

bool holdsClause(const std::string& condition, const std::string& clause) {
    return clausePlace(condition, clause) != std::string::npos;
}

std::string withClause(const std::string& condition, const std::string& before,
                       const std::string& clause) {
    const std::string joint = " and ";
    if (const size_t at = clausePlace(condition, before); at != std::string::npos) {
        std::string head = condition.substr(0, at), tail = condition.substr(at + before.size());
        if (!clause.empty()) return head + clause + tail;
        if (head.ends_with(joint))
            head.erase(head.size() - joint.size());
        else if (tail.starts_with(joint))
            tail.erase(0, joint.size());
        else if (!head.empty() || !tail.empty())
            head += "true";
        return head + tail;
    }
    if (condition.empty() || clause.empty()) return condition + clause;
    // "or" and "?:" bind less than "and".
    const std::string lower = lowerCase(condition);
    const bool isLoose = lower.find("or") != std::string::npos ||
                         lower.find("||") != std::string::npos ||
                         lower.find('?') != std::string::npos;
    return (isLoose ? "(" + condition + ")" : condition) + joint + clause;
}

}  // namespace armilla
