// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation of expressions by blocks: each operator runs over a block of values before the next.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "armilla/core/expression.h"
#include "armilla/core/nan.h"

namespace armilla {

namespace {

constexpr double kUnknown = kNan;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Values of a block: 16 KB, so that the operands of a deep expression stay in the L2 cache.
constexpr size_t kBlock = 2048;

using Op = ExpressionOp;

// The operands of pixels: bad ones make the result bad, infinite ones mark it, as does a result
// that good operands leave undefined (0 / 0, the root of -1).
double strict(double result, double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return kUnknown;
    return std::isinf(a) || std::isinf(b) || std::isnan(result) ? kInfinite : result;
}

// Negation of a three-valued logical: false, true, unknown.
double negated(double value) {
    return std::isnan(value) ? value : value == 0.0 ? 1.0 : 0.0;
}

// Three-valued "or" (decisive value 1) and "and" (0).
double joinedLogicals(double a, double b, double decisive) {
    const auto decides = [decisive](double value) {
        return !std::isnan(value) && (value != 0.0) == (decisive != 0.0);
    };
    if (decides(a) || decides(b)) return decisive;
    return std::isnan(a) || std::isnan(b) ? kUnknown : 1.0 - decisive;
}

double compared(bool isTrue, double a, double b) {
    return std::isnan(a) || std::isnan(b) ? kUnknown : isTrue ? 1.0 : 0.0;
}

// The values of one evaluation, with a block of memory for each operand in use.
class Evaluation {
public:
    Evaluation(const std::vector<ExpressionNode>& nodes, const ExpressionValues& values,
               MissingOperands missing)
        : nodes_(nodes), values_(values), isStrict_(missing == MissingOperands::Bad) {}

    // The values of a node go to block `slot`; its operands use the blocks from `slot` on.
    double* block(int index, size_t slot, int64_t first, size_t count) {
        const ExpressionNode& node = nodes_[static_cast<size_t>(index)];
        double* const to = memory(slot);
        switch (node.op) {
            case Op::Number: std::fill_n(to, count, node.number); return to;
            case Op::Text:
            case Op::TextName: std::fill_n(to, count, kUnknown); return to;
            case Op::Name: values_.numbers(node.name, node.element, first, {to, count}); return to;
            case Op::EqualTexts:
            case Op::LessText:
            case Op::LessOrEqualText: compareTexts(node, to, first, count); return to;
            case Op::Good: good(node, to, slot, first, count); return to;
            case Op::Choose: choose(node, to, slot, first, count); return to;
            default: break;
        }
        if (node.isExact) {
            compareIntegers(node, to, first, count);
            return to;
        }
        block(node.left, slot, first, count);
        const double* const right =
            node.right < 0 ? nullptr : block(node.right, slot + 1, first, count);
        calculate(node.op, to, right, count);
        return to;
    }

private:
    double* memory(size_t slot) {
        while (blocks_.size() <= slot) blocks_.push_back(std::make_unique<double[]>(kBlock));
        return blocks_[slot].get();
    }

    std::string_view textAt(int index, int64_t at) const {
        const ExpressionNode& node = nodes_[static_cast<size_t>(index)];
        if (node.op == Op::Text) return node.text;
        return values_.text(node.name, node.element, at);
    }
    void compareTexts(const ExpressionNode& node, double* to, int64_t first, size_t count) const {
        for (size_t i = 0; i < count; ++i) {
            const int64_t at = first + static_cast<int64_t>(i);
            const int order = textAt(node.left, at).compare(textAt(node.right, at));
            const bool isTrue = node.op == Op::EqualTexts ? order == 0
                                : node.op == Op::LessText ? order < 0
                                                          : order <= 0;
            to[i] = isTrue ? 1.0 : 0.0;
        }
    }
    std::optional<int64_t> integerAt(int index, int64_t at) const {
        const ExpressionNode& node = nodes_[static_cast<size_t>(index)];
        return node.op == Op::Name ? values_.integer(node.name, node.element, at) : node.integer;
    }
    void compareIntegers(const ExpressionNode& node, double* to, int64_t first,
                         size_t count) const {
        for (size_t i = 0; i < count; ++i) {
            const int64_t at = first + static_cast<int64_t>(i);
            const std::optional<int64_t> left = integerAt(node.left, at),
                                         right = integerAt(node.right, at);
            const bool isTrue = node.op == Op::Equal  ? left == right
                                : node.op == Op::Less ? left < right
                                                      : left <= right;
            to[i] = !left || !right ? kUnknown : isTrue ? 1.0 : 0.0;
        }
    }
    void good(const ExpressionNode& node, double* to, size_t slot, int64_t first, size_t count) {
        const Op of = nodes_[static_cast<size_t>(node.left)].op;
        if (of == Op::Text || of == Op::TextName) {
            for (size_t i = 0; i < count; ++i)
                to[i] = textAt(node.left, first + static_cast<int64_t>(i)).empty() ? 0.0 : 1.0;
            return;
        }
        block(node.left, slot, first, count);
        for (size_t i = 0; i < count; ++i)
            to[i] = std::isnan(to[i]) || (isStrict_ && std::isinf(to[i])) ? 0.0 : 1.0;
    }
    void choose(const ExpressionNode& node, double* to, size_t slot, int64_t first, size_t count) {
        block(node.left, slot, first, count);
        const double* const yes = block(node.right, slot + 1, first, count);
        const double* const no = block(node.third, slot + 2, first, count);
        for (size_t i = 0; i < count; ++i) {
            if (std::isnan(to[i]) || (isStrict_ && std::isinf(to[i]))) continue;
            to[i] = to[i] != 0.0 ? yes[i] : no[i];
        }
    }

    template <typename Function>
    void each(double* to, const double* right, size_t count, const Function& function) const {
        if (isStrict_)
            for (size_t i = 0; i < count; ++i) {
                const double a = to[i], b = right[i];
                to[i] = strict(function(a, b), a, b);
            }
        else
            for (size_t i = 0; i < count; ++i) to[i] = function(to[i], right[i]);
    }
    template <typename Function>
    void each(double* to, size_t count, const Function& function) const {
        if (isStrict_)
            for (size_t i = 0; i < count; ++i) to[i] = strict(function(to[i]), to[i], to[i]);
        else
            for (size_t i = 0; i < count; ++i) to[i] = function(to[i]);
    }

    void calculate(Op op, double* to, const double* right, size_t count) const {
        if (right == nullptr) return ofOne(op, to, count);
        switch (op) {
            case Op::Add: return each(to, right, count, [](double a, double b) { return a + b; });
            case Op::Subtract:
                return each(to, right, count, [](double a, double b) { return a - b; });
            case Op::Multiply:
                return each(to, right, count, [](double a, double b) { return a * b; });
            case Op::Divide:
                return each(to, right, count, [](double a, double b) { return a / b; });
            case Op::Remainder:
                return each(to, right, count, [](double a, double b) { return std::fmod(a, b); });
            case Op::Power:
                return each(to, right, count, [](double a, double b) { return std::pow(a, b); });
            case Op::Min:
                return each(to, right, count, [](double a, double b) {
                    return std::isnan(a) || std::isnan(b) ? kUnknown : std::min(a, b);
                });
            case Op::Max:
                return each(to, right, count, [](double a, double b) {
                    return std::isnan(a) || std::isnan(b) ? kUnknown : std::max(a, b);
                });
            default: return ofConditions(op, to, right, count);
        }
    }
    void ofConditions(Op op, double* to, const double* right, size_t count) const {
        switch (op) {
            case Op::Or:
                return each(to, right, count,
                            [](double a, double b) { return joinedLogicals(a, b, 1.0); });
            case Op::And:
                return each(to, right, count,
                            [](double a, double b) { return joinedLogicals(a, b, 0.0); });
            case Op::Equal:
                return each(to, right, count,
                            [](double a, double b) { return compared(a == b, a, b); });
            case Op::Less:
                return each(to, right, count,
                            [](double a, double b) { return compared(a < b, a, b); });
            default:  // LessOrEqual
                return each(to, right, count,
                            [](double a, double b) { return compared(a <= b, a, b); });
        }
    }
    void ofOne(Op op, double* to, size_t count) const {
        switch (op) {
            case Op::Not: return each(to, count, negated);
            case Op::Negate: return each(to, count, [](double a) { return -a; });
            case Op::Absolute: return each(to, count, [](double a) { return std::abs(a); });
            case Op::Root: return each(to, count, [](double a) { return std::sqrt(a); });
            case Op::Exp: return each(to, count, [](double a) { return std::exp(a); });
            case Op::Log: return each(to, count, [](double a) { return std::log(a); });
            case Op::Log10: return each(to, count, [](double a) { return std::log10(a); });
            case Op::Floor: return each(to, count, [](double a) { return std::floor(a); });
            case Op::Ceil: return each(to, count, [](double a) { return std::ceil(a); });
            default: return each(to, count, [](double a) { return std::round(a); });
        }
    }

    const std::vector<ExpressionNode>& nodes_;
    const ExpressionValues& values_;
    bool isStrict_;
    std::vector<std::unique_ptr<double[]>> blocks_;
};

}  // namespace

std::optional<int64_t> ExpressionValues::integer(int /*name*/, int64_t /*element*/,
                                                 int64_t /*index*/) const {
    return std::nullopt;
}

std::string_view ExpressionValues::text(int /*name*/, int64_t /*element*/,
                                        int64_t /*index*/) const {
    return {};
}

void Expression::evaluate(const ExpressionValues& values, int64_t first,
                          std::span<double> result) const {
    Evaluation evaluation(nodes_, values, missing_);
    for (size_t done = 0; done < result.size(); done += kBlock) {
        const size_t count = std::min(kBlock, result.size() - done);
        const double* const found =
            evaluation.block(root_, 0, first + static_cast<int64_t>(done), count);
        std::copy_n(found, count, result.data() + done);
    }
}

}  // namespace armilla
