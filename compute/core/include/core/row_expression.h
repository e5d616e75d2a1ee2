// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions on the columns of a table: "PLNUM == 0 and CAL == 'F' and TSYS < 1.5 * 20".
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/job_context.h"
#include "core/table.h"

namespace armilla {

// The text is no valid expression.
class ExpressionError : public InvalidArgument {
public:
    using InvalidArgument::InvalidArgument;
};

// An expression, bound to the columns of one table.
//
//   or || and && not !            conditions
//   == = != <> < <= > >= in       "a < x <= b"; "IFNUM in (0, 2)"; texts compare letter by letter
//   + - * / % ^ **                numbers
//   abs sqrt exp log log10 floor ceil round, min(a, b) max(a, b), good(COLUMN)
//   12 1.5e9 'text' "text" true false, NAME, [NAME] (any name), NAME[3] (from 1, of a vector)
//
// Names and words are case-insensitive; a name may contain a hyphen, as DATE-OBS does. Trailing
// blanks of texts are ignored. A column of logical values compares with true, false, 'T' and 'F'.
// Missing values (NaN, TNULL) make every comparison unknown, and a row with an unknown condition is
// not selected; good(COLUMN) is 1 for a present value.
class RowExpression {
public:
    // The table must outlive the expression. Throws ExpressionError with the position of the syntax
    // error, and InvalidArgument for names that the table does not have.
    RowExpression(std::string_view text, const Table& table);
    ~RowExpression();
    RowExpression(RowExpression&&) noexcept;
    RowExpression& operator=(RowExpression&&) noexcept;

    // True if the condition holds in the row. Thread-safe.
    bool holds(int64_t row) const;
    // Indices of the columns that the expression names, ascending.
    const std::vector<int>& columns() const;
    // All rows that fulfill the condition, ascending.
    std::vector<int64_t> rows(JobContext& job) const;

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace armilla
