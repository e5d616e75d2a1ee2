// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "armilla/core/ascii_text.h"

namespace armilla {

namespace {

using Op = ExpressionOp;
constexpr int kMaxDepth = 64;

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

// The text around a place, for a message of one readable line.
std::string excerpt(std::string_view text, size_t at) {
    constexpr size_t kBefore = 40, kMost = 80;
    if (text.size() <= kMost) return std::string(text);
    const size_t begin = std::min(at > kBefore ? at - kBefore : 0, text.size() - kMost);
    return (begin > 0 ? "..." : "") + std::string(text.substr(begin, kMost)) +
           (begin + kMost < text.size() ? "..." : "");
}

std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

}  // namespace

bool isWordOfExpressions(std::string_view name) {
    constexpr std::string_view kWords[] = {"and", "or", "not", "in", "true", "false"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view word) { return equalInAnyCase(word, name); });
}

// Recursive descent: choice, or, and, not, comparison, sum, product, sign, power, value.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, Expression& to) : text_(text), to_(to) {}

    void whole() {
        to_.root_ = condition();
        skipBlanks();
        if (at_ < text_.size()) fail("an operator or the end");
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string_view rest = text_.substr(std::min(at_, text_.size()), 20);
        throw ExpressionError("expected " + expected + " at character " + std::to_string(at_ + 1) +
                              " of \"" + excerpt(text_, at_) + "\", found " +
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

    const ExpressionNode& node(int index) const { return to_.nodes_[static_cast<size_t>(index)]; }
    bool isText(int index) const {
        return node(index).op == Op::Text || node(index).op == Op::TextName;
    }
    int add(ExpressionNode node) {
        to_.nodes_.push_back(std::move(node));
        return static_cast<int>(to_.nodes_.size()) - 1;
    }
    int add(Op op, int left, int right = -1, int third = -1) {
        return add({op, left, right, third, 0.0, {}, -1, 0});
    }
    int number(double value) { return add({Op::Number, -1, -1, -1, value, {}, -1, 0}); }

    int numeric(int index) const {
        if (isText(index)) {
            const ExpressionNode& text = node(index);
            // A name in quotes is a text; names of several words go into brackets.
            const bool isQuotedName = text.op == Op::Text && find(text.text);
            fail("a number, where " +
                 (text.op == Op::Text ? "'" + text.text + "'" : nameOf(text.name).name) +
                 " is text" + (isQuotedName ? " (the name is written [" + text.text + "])" : "") +
                 ",");
        }
        return index;
    }

    int condition() {
        if (++depth_ > kMaxDepth) fail("at most " + std::to_string(kMaxDepth) + " parentheses");
        int left = disjunction();
        if (take("?")) {
            numeric(left);
            const int yes = numeric(condition());
            if (!take(":")) fail("an operator or :");
            left = add(Op::Choose, left, yes, numeric(condition()));
        }
        --depth_;
        return left;
    }
    int disjunction() {
        int left = conjunction();
        while (takeWord("or") || take("||"))
            left = add(Op::Or, numeric(left), numeric(conjunction()));
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
        const bool texts = isText(left);
        if (texts != isText(right)) numeric(texts ? left : right);
        const bool isTurned = sign.front() == '>';
        if (isTurned) std::swap(left, right);
        const auto made = [&](Op ofTexts, Op ofNumbers) {
            const int index = add(texts ? ofTexts : ofNumbers, left, right);
            to_.nodes_[static_cast<size_t>(index)].isExact = isExact(left, right);
            return index;
        };
        if (sign == "==" || sign == "=") return made(Op::EqualTexts, Op::Equal);
        if (sign == "!=" || sign == "<>") return add(Op::Not, made(Op::EqualTexts, Op::Equal));
        if (sign.size() == 2) return made(Op::LessOrEqualText, Op::LessOrEqual);
        return made(Op::LessText, Op::Less);
    }
    // Whether doubles could decide otherwise than the integers: two names, or a name and a number
    // from 2^53 on. An integer beyond that is never rounded to a smaller number.
    bool isExact(int left, int right) const {
        constexpr int64_t kEveryInteger = int64_t{1} << 53;
        const auto isName = [this](int index) {
            return node(index).op == Op::Name && nameOf(node(index).name).isInteger;
        };
        const auto isLarge = [this](int index) {
            const std::optional<int64_t>& value = node(index).integer;
            return value && (*value >= kEveryInteger || *value <= -kEveryInteger);
        };
        return (isName(left) && (isName(right) || isLarge(right))) ||
               (isName(right) && isLarge(left));
    }
    // 'T' and 'F' compared with a column of logical values, which are 1 and 0; true and false
    // compared with a column of the letters T and F.
    void asLogical(int column, int constant) {
        const ExpressionNode& of = node(column);
        ExpressionNode& value = to_.nodes_[static_cast<size_t>(constant)];
        if (of.op == Op::Name && value.op == Op::Text && value.text.size() == 1) {
            const char letter = lowerCase(value.text.front());
            if (letter == 't' || letter == 'f')
                value = {Op::Number, -1, -1, -1, letter == 't' ? 1.0 : 0.0, {}, -1, 0};
        } else if (of.op == Op::TextName && value.op == Op::Number && value.text == "logical") {
            value = {Op::Text, -1, -1, -1, 0.0, value.number != 0.0 ? "T" : "F", -1, 0};
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
        if (take("-")) {
            const int of = numeric(deeper()), index = add(Op::Negate, of);
            if (const auto value = node(of).integer)
                to_.nodes_[static_cast<size_t>(index)].integer = -*value;
            return index;
        }
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
        if (const auto name = longestName()) return element(*name);
        for (const auto& [word, constant] : {std::pair{"true", 1.0}, {"false", 0.0}})
            if (takeWord(word)) {
                const int index = number(constant);
                to_.nodes_[static_cast<size_t>(index)].text = "logical";
                return index;
            }
        if (!belongsToName(c)) fail("a value");
        size_t end = at_;
        while (end < text_.size() && belongsToName(text_[end])) ++end;
        refuseName(text_.substr(at_, end - at_));
    }
    int quoted(char mark) {
        const size_t end = text_.find(mark, at_ + 1);
        if (end == std::string_view::npos) fail("a text that ends with its quote");
        const std::string text(withoutBlanks(text_.substr(at_ + 1, end - at_ - 1)));
        at_ = end + 1;
        return add({Op::Text, -1, -1, -1, 0.0, text, -1, 0});
    }
    int literal() {
        double read = 0.0;
        const char* begin = text_.data() + at_;
        const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), read);
        if (failure != std::errc() || !std::isfinite(read)) fail("a number");
        int64_t whole = 0;
        const auto [last, overflow] = std::from_chars(begin, end, whole);
        at_ += static_cast<size_t>(end - begin);
        const int index = number(read);
        if (overflow == std::errc() && last == end)
            to_.nodes_[static_cast<size_t>(index)].integer = whole;
        return index;
    }
    int bracketed() {
        const size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) fail("a name that ends with ]");
        const std::string_view written = text_.substr(at_ + 1, end - at_ - 1);
        const auto name = find(written);
        if (!name) refuseName(written);
        at_ = end + 1;
        return element(*name);
    }

    const ExpressionName& nameOf(int index) const { return to_.names_[static_cast<size_t>(index)]; }
    // An exact match first, otherwise a match in any case.
    std::optional<int> find(std::string_view written) const {
        std::optional<int> found;
        for (size_t i = 0; i < to_.names_.size(); ++i) {
            const std::string& name = to_.names_[i].name;
            if (name == written) return static_cast<int>(i);
            if (!found && name.size() == written.size() && startsInAnyCase(written, name))
                found = static_cast<int>(i);
        }
        return found;
    }
    [[noreturn]] void refuseName(std::string_view written) const {
        constexpr size_t kNamed = 20;
        std::string known;
        for (size_t i = 0; i < std::min(to_.names_.size(), kNamed); ++i)
            known += (i == 0 ? "" : ", ") + to_.names_[i].name;
        if (to_.names_.size() > kNamed) known += ", ...";
        throw InvalidArgument("expected one of the names (" + known + "), found '" +
                              excerpt(written, 0) + "'");
    }
    // The longest name at this position.
    std::optional<int> longestName() {
        const std::string_view rest = text_.substr(at_);
        size_t longest = 0;
        for (const ExpressionName& each : to_.names_) {
            const size_t size = each.name.size();
            const bool ends = rest.size() <= size || !belongsToName(rest[size]);
            if (size > longest && ends && startsInAnyCase(rest, each.name)) longest = size;
        }
        if (longest == 0) return std::nullopt;
        at_ += longest;
        return find(rest.substr(0, longest));
    }
    int element(int index) {
        const ExpressionName& name = nameOf(index);
        if (std::find(to_.used_.begin(), to_.used_.end(), index) == to_.used_.end())
            to_.used_.push_back(index);
        int64_t which = 1;
        if (name.width != 1) {
            if (!take("[")) fail("the number of an element, as " + name.name + "[1],");
            const char* begin = text_.data() + at_;
            const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), which);
            if (failure != std::errc() || which < 1 || which > name.width)
                fail("an element from 1 to " + std::to_string(name.width));
            at_ += static_cast<size_t>(end - begin);
            if (!take("]")) fail("a ]");
        }
        return add({name.isText ? Op::TextName : Op::Name, -1, -1, -1, 0.0, {}, index, which - 1});
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
    Expression& to_;
    size_t at_ = 0;
    int depth_ = 0;
};

Expression::Expression(std::string_view text, std::vector<ExpressionName> names,
                       MissingOperands missing)
    : names_(std::move(names)), missing_(missing) {
    ExpressionParser(text, *this).whole();
}

bool Expression::isText() const {
    const Op op = nodes_[static_cast<size_t>(root_)].op;
    return op == Op::Text || op == Op::TextName;
}

void Expression::scaleOperand(int node, Operand which, double factor) {
    const int number = static_cast<int>(nodes_.size());
    nodes_.push_back({Op::Number, -1, -1, -1, factor, {}, -1, 0});
    ExpressionNode& at = nodes_[static_cast<size_t>(node)];
    int& operand = which == Operand::Right ? at.right : at.third;
    const int scaled = operand;
    operand = number + 1;
    nodes_.push_back({Op::Multiply, scaled, number, -1, 0.0, {}, -1, 0});
}

}  // namespace armilla
