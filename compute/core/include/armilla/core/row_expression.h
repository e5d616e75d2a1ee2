// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions on the columns of a table: "PLNUM == 0 and CAL == 'F' and TSYS < 1.5 * 20".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "armilla/core/expression.h"
#include "armilla/core/job_context.h"
#include "armilla/core/table.h"

namespace armilla {

// An expression (armilla/core/expression.h) on the columns of one table. Trailing blanks of texts
// are ignored. A column of logical values compares with true, false, 'T' and 'F'. Missing values
// (NaN, TNULL) make every comparison unknown, and a row with an unknown condition is not selected.
class RowExpression {
public:
    // The table must outlive the expression. Throws ExpressionError with the position of the syntax
    // error, and InvalidArgument for names that the table does not have.
    RowExpression(std::string_view text, const Table& table);

    // Indices of the columns that the expression names, ascending.
    const std::vector<int>& columns() const { return columns_; }
    // All rows that fulfill the condition, ascending.
    std::vector<int64_t> rows(JobContext& job) const;

private:
    const Table* table_;
    Expression expression_;
    std::vector<int> columns_;
};

}  // namespace armilla
