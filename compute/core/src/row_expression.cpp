// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/row_expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace armilla {

namespace {

std::vector<ExpressionName> namesOf(const Table& table) {
    std::vector<ExpressionName> names;
    for (const TableColumn& column : table.columns)
        names.push_back({column.name, column.isText(), column.width, column.isInteger()});
    return names;
}

class TableValues final : public ExpressionValues {
public:
    explicit TableValues(const Table& table) : table_(table) {}

    void numbers(int name, int64_t element, int64_t first, std::span<double> to) const override {
        const TableColumn& column = table_.columns[static_cast<size_t>(name)];
        for (size_t i = 0; i < to.size(); ++i)
            to[i] = column.number(first + static_cast<int64_t>(i), element);
    }
    std::optional<int64_t> integer(int name, int64_t element, int64_t index) const override {
        const TableColumn& column = table_.columns[static_cast<size_t>(name)];
        const int64_t value = std::get<std::vector<int64_t>>(
            column.values)[static_cast<size_t>(index * column.width + element)];
        return column.null == value ? std::nullopt : std::optional(value);
    }
    std::string_view text(int name, int64_t element, int64_t index) const override {
        const TableColumn& column = table_.columns[static_cast<size_t>(name)];
        const auto at = static_cast<size_t>(index * column.width + element);
        std::string_view text = std::get<std::vector<std::string>>(column.values)[at];
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        return text;
    }

private:
    const Table& table_;
};

}  // namespace

RowExpression::RowExpression(std::string_view text, const Table& table)
    : table_(&table),
      expression_(text, namesOf(table), MissingOperands::Unknown),
      columns_(expression_.used()) {
    std::sort(columns_.begin(), columns_.end());
    if (expression_.isText())
        throw ExpressionError("expected a condition, as NAME == 'text', found the text \"" +
                              std::string(text) + "\"");
}

std::vector<int64_t> RowExpression::rows(JobContext& job) const {
    const int64_t count = table_->rows();
    const TableValues values(*table_);
    std::vector<char> kept(static_cast<size_t>(count));
    constexpr int64_t kRows = 16384;
    parallelFor(job, count, kRows, [&](long long begin, long long end) {
        std::array<double, kRows> result{};
        const auto size = static_cast<size_t>(end - begin);
        expression_.evaluate(values, begin, std::span(result).first(size));
        for (size_t i = 0; i < size; ++i)
            kept[static_cast<size_t>(begin) + i] = result[i] != 0.0 && !std::isnan(result[i]);
    });
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < count; ++row)
        if (kept[static_cast<size_t>(row)] != 0) rows.push_back(row);
    return rows;
}

}  // namespace armilla
