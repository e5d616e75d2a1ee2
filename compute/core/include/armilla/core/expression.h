// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic expressions on named arrays: pixels of maps ("A - 0.5 * B"), rows of tables ("TSYS <
// 30").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"

namespace armilla {

// The text is no valid expression.
class ExpressionError : public InvalidArgument {
public:
    using InvalidArgument::InvalidArgument;
};

// Characters of names that stand without brackets; the first is no digit.
constexpr bool belongsToName(char c) {
    return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}
// Whether a name is a word of expressions, in any case, and therefore needs brackets.
bool isWordOfExpressions(std::string_view name);

enum class ExpressionOp {
    Number,
    Text,
    Name,
    TextName,
    Or,
    And,
    Not,
    Equal,
    Less,
    LessOrEqual,
    EqualTexts,
    LessText,
    LessOrEqualText,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Negate,
    Absolute,
    Root,
    Exp,
    Log,
    Log10,
    Floor,
    Ceil,
    Round,
    Min,
    Max,
    Good,
    Choose
};

// One node of the tree: operands are indices of nodes, -1 if absent. Choose: left ? right : third.
struct ExpressionNode {
    ExpressionOp op = ExpressionOp::Number;
    int left = -1, right = -1, third = -1;
    double number = 0.0;
    std::string text;     // a literal text, or "logical" for the numbers true and false
    int name = -1;        // index of a name
    int64_t element = 0;  // element of a name of several values
    std::optional<int64_t> integer{};  // the exact value of a whole number
    // Comparisons of whole numbers that a double may not hold: names of integers, and numbers.
    bool isExact = false;
};

// A name that an expression may use.
struct ExpressionName {
    std::string name;
    bool isText = false;
    int64_t width = 1;  // values at each index: NAME[1] .. NAME[width] if more than 1
    bool isInteger = false;
};

// The meaning of missing operands (NaN).
// Unknown, for rows: comparisons with a missing value are unknown; "or" and "and" are decided by
// one operand where possible; infinities are numbers.
// Bad, for pixels: every operator with a bad operand is bad, except good() and the branch of "?:"
// that is not taken. An infinite or undefined result is bad as well; infinity marks it through the
// rest of the expression, so that pixels that became bad in this way can be counted.
enum class MissingOperands { Unknown, Bad };

// The arrays behind the names. Calls come from several threads.
class ExpressionValues {
public:
    ExpressionValues() = default;
    ExpressionValues(const ExpressionValues&) = delete;
    ExpressionValues& operator=(const ExpressionValues&) = delete;
    virtual ~ExpressionValues() = default;
    // Values of a name's element at the indices first, first + 1, ...; NaN where missing.
    virtual void numbers(int name, int64_t element, int64_t first, std::span<double> to) const = 0;
    // The exact value at one index, none if missing; for names of integers only.
    virtual std::optional<int64_t> integer(int name, int64_t element, int64_t index) const;
    // The text at one index, without trailing blanks; for names of text only.
    virtual std::string_view text(int name, int64_t element, int64_t index) const;
};

// A parsed expression. Evaluation is thread-safe.
//
//   ? :  or || and && not !       conditions
//   == = != <> < <= > >= in       "a < x <= b"; "IFNUM in (0, 2)"; texts compare letter by letter,
//                                 integers of 64 bits in all digits
//   + - * / % ^ **                numbers
//   abs sqrt exp log log10 floor ceil round, min(a, b) max(a, b), good(a)
//   12 1.5e9 'text' "text" true false, NAME, [NAME] (any name), NAME[3] (from 1, of a vector)
//
// Names and words are case-insensitive; among names that differ by case, the exact match is taken.
// A name may contain a hyphen, as DATE-OBS does: the longest name at a position is taken. log is
// the natural logarithm. good(a) is 1 for a present value, else 0.
class Expression {
public:
    // Throws ExpressionError with the position of the syntax error, and InvalidArgument for an
    // unknown name.
    Expression(std::string_view text, std::vector<ExpressionName> names, MissingOperands missing);

    const std::vector<ExpressionNode>& nodes() const { return nodes_; }
    int root() const { return root_; }
    bool isText() const;
    // Indices of the names that the expression uses, in the order of first use.
    const std::vector<int>& used() const { return used_; }
    // Multiplies the right or the third operand of a node by a factor, for a conversion of units.
    enum class Operand { Right, Third };
    void scaleOperand(int node, Operand which, double factor);

    // Values of the expression at the indices first, first + 1, ... Texts are compared one by one.
    void evaluate(const ExpressionValues& values, int64_t first, std::span<double> result) const;

private:
    friend class ExpressionParser;
    std::vector<ExpressionNode> nodes_;
    std::vector<ExpressionName> names_;
    std::vector<int> used_;
    MissingOperands missing_ = MissingOperands::Unknown;
    int root_ = -1;
};

}  // namespace armilla
