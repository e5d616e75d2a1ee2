// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/row_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/ascii_text.h"
#include "core/nan.h"

namespace armilla {

namespace {

constexpr double kUnknown = kNan;
constexpr int kMaxDepth = 64;

enum class Op {
    Number,
    Text,
    Column,
    TextColumn,
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
    Good
};

struct Node {
    Op op = Op::Number;
    int left = -1, right = -1;
    double number = 0.0;
    std::string text;
    int column = -1;
    int64_t element = 0;
};

struct Function {
    std::string_view name;
    Op op;
    int arguments;
};
constexpr Function kFunctions[] = {
    {"abs", Op::Absolute, 1}, {"sqrt", Op::Root, 1},   {"exp", Op::Exp, 1},
    {"log", Op::Log, 1},      {"log10", Op::Log10, 1}, {"floor", Op::Floor, 1},
    {"ceil", Op::Ceil, 1},    {"round", Op::Round, 1}, {"min", Op::Min, 2},
    {"max", Op::Max, 2},      {"good", Op::Good, 1}};

bool belongsToName(char c) {
    return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}
std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

}  // namespace

struct RowExpression::State {
    const Table* table = nullptr;
    std::vector<Node> nodes;
    std::vector<int> columns;
    int root = -1;

    const Node& node(int index) const { return nodes[static_cast<size_t>(index)]; }
    const TableColumn& columnOf(const Node& node) const {
        return table->columns[static_cast<size_t>(node.column)];
    }
    bool isText(int index) const {
        return node(index).op == Op::Text || node(index).op == Op::TextColumn;
    }
    std::string_view textAt(const Node& node, int64_t row) const {
        if (node.op == Op::Text) return node.text;
        const TableColumn& column = columnOf(node);
        const auto at = static_cast<size_t>(row * column.width + node.element);
        return withoutBlanks(std::get<std::vector<std::string>>(column.values)[at]);
    }
    double numberAt(int index, int64_t row) const;
    double logic(const Node& node, int64_t row) const;
    double comparison(const Node& node, int64_t row) const;
};

namespace {

// Negation of a three-valued logical: false, true, unknown.
double negated(double value) {
    return std::isnan(value) ? value : value == 0.0 ? 1.0 : 0.0;
}

double calculated(Op op, double a, double b) {
    switch (op) {
        case Op::Add: return a + b;
        case Op::Subtract: return a - b;
        case Op::Multiply: return a * b;
        case Op::Divide: return a / b;
        case Op::Remainder: return std::fmod(a, b);
        case Op::Power: return std::pow(a, b);
        case Op::Negate: return -a;
        case Op::Absolute: return std::abs(a);
        case Op::Root: return std::sqrt(a);
        case Op::Exp: return std::exp(a);
        case Op::Log: return std::log(a);
        case Op::Log10: return std::log10(a);
        case Op::Floor: return std::floor(a);
        case Op::Ceil: return std::ceil(a);
        case Op::Round: return std::round(a);
        case Op::Min: return std::isnan(a) || std::isnan(b) ? kUnknown : std::min(a, b);
        case Op::Max: return std::isnan(a) || std::isnan(b) ? kUnknown : std::max(a, b);
        default: return kUnknown;
    }
}

}  // namespace

double RowExpression::State::logic(const Node& at, int64_t row) const {
    const double a = numberAt(at.left, row);
    if (at.op == Op::Not) return negated(a);
    const double decisive = at.op == Op::Or ? 1.0 : 0.0;
    const auto decides = [&](double value) {
        return !std::isnan(value) && (value != 0.0) == (decisive != 0.0);
    };
    if (decides(a)) return decisive;
    const double b = numberAt(at.right, row);
    if (decides(b)) return decisive;
    return std::isnan(a) || std::isnan(b) ? kUnknown : 1.0 - decisive;
}

double RowExpression::State::comparison(const Node& at, int64_t row) const {
    if (at.op == Op::EqualTexts || at.op == Op::LessText || at.op == Op::LessOrEqualText) {
        const int order = textAt(node(at.left), row).compare(textAt(node(at.right), row));
        const bool isTrue = at.op == Op::EqualTexts ? order == 0
                            : at.op == Op::LessText ? order < 0
                                                    : order <= 0;
        return isTrue ? 1.0 : 0.0;
    }
    const double a = numberAt(at.left, row), b = numberAt(at.right, row);
    if (std::isnan(a) || std::isnan(b)) return kUnknown;
    const bool isTrue = at.op == Op::Equal ? a == b : at.op == Op::Less ? a < b : a <= b;
    return isTrue ? 1.0 : 0.0;
}

double RowExpression::State::numberAt(int index, int64_t row) const {
    const Node& at = node(index);
    switch (at.op) {
        case Op::Number: return at.number;
        case Op::Column: return columnOf(at).number(row, at.element);
        case Op::Text:
        case Op::TextColumn: return kUnknown;
        case Op::Or:
        case Op::And:
        case Op::Not: return logic(at, row);
        case Op::Equal:
        case Op::Less:
        case Op::LessOrEqual:
        case Op::EqualTexts:
        case Op::LessText:
        case Op::LessOrEqualText: return comparison(at, row);
        case Op::Good:
            if (isText(at.left)) return textAt(node(at.left), row).empty() ? 0.0 : 1.0;
            return std::isnan(numberAt(at.left, row)) ? 0.0 : 1.0;
        default:
            return calculated(at.op, numberAt(at.left, row),
                              at.right < 0 ? 0.0 : numberAt(at.right, row));
    }
}

namespace {

// Recursive descent: or, and, not, comparison, sum, product, sign, power, value.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, RowExpression::State& state)
        : text_(text), state_(state) {}

    void whole() {
        state_.root = condition();
        skipBlanks();
        if (at_ < text_.size()) fail("an operator or the end");
        state_.columns.assign(columns_.begin(), columns_.end());
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string_view rest = text_.substr(std::min(at_, text_.size()), 20);
        throw ExpressionError("expected " + expected + " at character " + std::to_string(at_ + 1) +
                              " of \"" + std::string(text_) + "\", found " +
                              (rest.empty() ? "its end" : "'" + std::string(rest) + "'"));
    }

    void skipBlanks() {
        while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
    }
    bool take(std::string_view sign) {
        skipBlanks();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    bool takeWord(std::string_view word) {
        skipBlanks();
        const std::string_view rest = text_.substr(at_);
        if (!startsInAnyCase(rest, word) ||
            (rest.size() > word.size() && belongsToName(rest[word.size()])))
            return false;
        at_ += word.size();
        return true;
    }

    int add(Node node) {
        state_.nodes.push_back(std::move(node));
        return static_cast<int>(state_.nodes.size()) - 1;
    }
    int add(Op op, int left, int right = -1) { return add({op, left, right, 0.0, {}, -1, 0}); }
    int number(double value) { return add({Op::Number, -1, -1, value, {}, -1, 0}); }

    int numeric(int index) const {
        if (state_.isText(index)) {
            const Node& node = state_.node(index);
            fail("a number, where " +
                 (node.op == Op::Text ? "'" + node.text + "'" : state_.columnOf(node).name) +
                 " is text,");
        }
        return index;
    }

    int condition() {
        if (++depth_ > kMaxDepth) fail("at most " + std::to_string(kMaxDepth) + " parentheses");
        int left = conjunction();
        while (takeWord("or") || take("||"))
            left = add(Op::Or, numeric(left), numeric(conjunction()));
        --depth_;
        return left;
    }
    int conjunction() {
        int left = negation();
        while (takeWord("and") || take("&&"))
            left = add(Op::And, numeric(left), numeric(negation()));
        return left;
    }
    int negation() {
        skipBlanks();
        const bool isNot = takeWord("not") || (!text_.substr(at_).starts_with("!=") && take("!"));
        if (!isNot) return comparison();
        if (++depth_ > kMaxDepth) fail("fewer negations");
        const int of = numeric(negation());
        --depth_;
        return add(Op::Not, of);
    }

    int comparison() {
        int left = sum(), all = -1;
        while (true) {
            int made = -1;
            if (takeWord("in")) {
                made = membership(left);
            } else if (const size_t before = at_; takeWord("not")) {
                if (!takeWord("in")) {
                    at_ = before;
                    break;
                }
                made = add(Op::Not, membership(left));
            } else {
                constexpr std::array<std::string_view, 8> kSigns{
                    "==", "!=", "<>", "<=", ">=", "=", "<", ">"};
                const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                               [&](std::string_view each) { return take(each); });
                if (sign == kSigns.end()) break;
                const int right = sum();
                made = compared(*sign, left, right);
                left = right;
            }
            all = all < 0 ? made : add(Op::And, all, made);
        }
        return all < 0 ? left : all;
    }
    int compared(std::string_view sign, int left, int right) {
        asLogical(left, right);
        asLogical(right, left);
        const bool texts = state_.isText(left);
        if (texts != state_.isText(right)) numeric(texts ? left : right);
        const bool isTurned = sign.front() == '>';
        if (isTurned) std::swap(left, right);
        if (sign == "==" || sign == "=")
            return add(texts ? Op::EqualTexts : Op::Equal, left, right);
        if (sign == "!=" || sign == "<>")
            return add(Op::Not, add(texts ? Op::EqualTexts : Op::Equal, left, right));
        if (sign.size() == 2)
            return add(texts ? Op::LessOrEqualText : Op::LessOrEqual, left, right);
        return add(texts ? Op::LessText : Op::Less, left, right);
    }
    // 'T' and 'F' compared with a column of logical values, which are 1 and 0; true and false
    // compared with a column of the letters T and F.
    void asLogical(int column, int constant) {
        const Node& of = state_.node(column);
        Node& value = state_.nodes[static_cast<size_t>(constant)];
        if (of.op == Op::Column && value.op == Op::Text && value.text.size() == 1) {
            const char letter = lowerCase(value.text.front());
            if (letter == 't' || letter == 'f')
                value = {Op::Number, -1, -1, letter == 't' ? 1.0 : 0.0, {}, -1, 0};
        } else if (of.op == Op::TextColumn && value.op == Op::Number && value.text == "logical") {
            value = {Op::Text, -1, -1, 0.0, value.number != 0.0 ? "T" : "F", -1, 0};
        }
    }
    int membership(int left) {
        if (!take("(")) fail("a list in parentheses after in");
        int any = -1;
        do {
            const int one = compared("==", left, sum());
            any = any < 0 ? one : add(Op::Or, any, one);
        } while (take(","));
        if (!take(")")) fail("a comma or )");
        return any;
    }

    int sum() {
        int left = product();
        while (true) {
            if (take("+"))
                left = add(Op::Add, numeric(left), numeric(product()));
            else if (take("-"))
                left = add(Op::Subtract, numeric(left), numeric(product()));
            else
                return left;
        }
    }
    int product() {
        int left = sign();
        while (true) {
            if (take("*"))
                left = add(Op::Multiply, numeric(left), numeric(sign()));
            else if (take("/"))
                left = add(Op::Divide, numeric(left), numeric(sign()));
            else if (take("%"))
                left = add(Op::Remainder, numeric(left), numeric(sign()));
            else
                return left;
        }
    }
    int sign() {
        if (take("+")) return numeric(deeper());
        if (take("-")) return add(Op::Negate, numeric(deeper()));
        return power();
    }
    int deeper() {
        if (++depth_ > kMaxDepth) fail("fewer signs");
        const int of = sign();
        --depth_;
        return of;
    }
    int power() {
        const int base = value();
        if (!take("**") && !take("^")) return base;
        return add(Op::Power, numeric(base), numeric(deeper()));
    }

    int value() {
        skipBlanks();
        if (at_ >= text_.size()) fail("a value");
        const char c = text_[at_];
        if (take("(")) {
            const int inside = condition();
            if (!take(")")) fail("an operator or )");
            return inside;
        }
        if (c == '\'' || c == '"') return quoted(c);
        if (isDigit(c) || c == '.') return literal();
        if (c == '[') return bracketed();
        for (const Function& function : kFunctions) {
            const size_t before = at_;
            if (takeWord(function.name) && take("(")) return called(function);
            at_ = before;
        }
        if (const auto column = longestColumn()) return element(*column);
        for (const auto& [word, constant] : {std::pair{"true", 1.0}, {"false", 0.0}})
            if (takeWord(word)) {
                const int index = number(constant);
                state_.nodes[static_cast<size_t>(index)].text = "logical";
                return index;
            }
        if (!belongsToName(c)) fail("a value");
        size_t end = at_;
        while (end < text_.size() && belongsToName(text_[end])) ++end;
        state_.table->columnIndex(text_.substr(at_, end - at_));  // throws with the list of names
        fail("a column");
    }
    int quoted(char mark) {
        const size_t end = text_.find(mark, at_ + 1);
        if (end == std::string_view::npos) fail("a text that ends with its quote");
        const std::string text(withoutBlanks(text_.substr(at_ + 1, end - at_ - 1)));
        at_ = end + 1;
        return add({Op::Text, -1, -1, 0.0, text, -1, 0});
    }
    int literal() {
        double read = 0.0;
        const char* begin = text_.data() + at_;
        const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), read);
        if (failure != std::errc() || !std::isfinite(read)) fail("a number");
        at_ += static_cast<size_t>(end - begin);
        return number(read);
    }
    int bracketed() {
        const size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) fail("a name that ends with ]");
        const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
        const auto column = state_.table->find(name);
        if (!column) state_.table->columnIndex(name);  // throws with the list of names
        if (!column) fail("the name of a column in brackets");
        at_ = end + 1;
        return element(*column);
    }
    // The column with the longest name at this position; among names that differ by case, the exact
    // match.
    std::optional<int> longestColumn() {
        const std::string_view rest = text_.substr(at_);
        size_t longest = 0;
        for (const TableColumn& column : state_.table->columns) {
            const size_t size = column.name.size();
            const bool ends = rest.size() <= size || !belongsToName(rest[size]);
            if (size > longest && ends && startsInAnyCase(rest, column.name)) longest = size;
        }
        if (longest == 0) return std::nullopt;
        at_ += longest;
        return state_.table->find(rest.substr(0, longest));
    }
    int element(int index) {
        const TableColumn& column = state_.table->columns[static_cast<size_t>(index)];
        columns_.insert(index);
        int64_t which = 1;
        if (column.width != 1) {
            if (!take("[")) fail("the number of an element, as " + column.name + "[1],");
            const char* begin = text_.data() + at_;
            const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), which);
            if (failure != std::errc() || which < 1 || which > column.width)
                fail("an element from 1 to " + std::to_string(column.width));
            at_ += static_cast<size_t>(end - begin);
            if (!take("]")) fail("a ]");
        }
        return add(
            {column.isText() ? Op::TextColumn : Op::Column, -1, -1, 0.0, {}, index, which - 1});
    }
    int called(const Function& function) {
        const int first = condition();
        if (function.op != Op::Good) numeric(first);
        int second = -1;
        if (function.arguments == 2) {
            if (!take(",")) fail("a comma and a second value");
            second = numeric(condition());
        }
        if (!take(")")) fail("an operator or )");
        return add(function.op, first, second);
    }

    std::string_view text_;
    RowExpression::State& state_;
    std::set<int> columns_;
    size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

RowExpression::RowExpression(std::string_view text, const Table& table)
    : state_(std::make_unique<State>()) {
    state_->table = &table;
    ExpressionParser(text, *state_).whole();
    if (state_->isText(state_->root))
        throw ExpressionError("expected a condition, as NAME == 'text', found the text \"" +
                              std::string(text) + "\"");
}
RowExpression::~RowExpression() = default;
RowExpression::RowExpression(RowExpression&&) noexcept = default;
RowExpression& RowExpression::operator=(RowExpression&&) noexcept = default;

bool RowExpression::holds(int64_t row) const {
    const double value = state_->numberAt(state_->root, row);
    return !std::isnan(value) && value != 0.0;
}

const std::vector<int>& RowExpression::columns() const {
    return state_->columns;
}

std::vector<int64_t> RowExpression::rows(JobContext& job) const {
    const int64_t count = state_->table->rows();
    std::vector<char> kept(static_cast<size_t>(count));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row)
            kept[static_cast<size_t>(row)] = holds(row) ? 1 : 0;
    });
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < count; ++row)
        if (kept[static_cast<size_t>(row)] != 0) rows.push_back(row);
    return rows;
}

}  // namespace armilla
