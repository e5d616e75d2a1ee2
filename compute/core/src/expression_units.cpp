// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/expression_units.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "armilla/core/physical_unit.h"

namespace armilla {

namespace {

using Op = ExpressionOp;

// The unit of a node. `parsed` is empty for a text that is no known unit; such units combine with
// equal texts and with plain numbers only.
struct NodeUnit {
    std::string text;
    std::optional<PhysicalUnit> parsed = PhysicalUnit();
    bool isNumber = false;
};

const NodeUnit kPlainNumber{"", PhysicalUnit(), true};
const NodeUnit kNoUnit{};

std::string shown(const NodeUnit& unit) {
    return unit.text.empty() ? "no unit" : "'" + unit.text + "'";
}

std::string signOf(Op op) {
    switch (op) {
        case Op::Add: return "+";
        case Op::Subtract: return "-";
        case Op::Remainder: return "%";
        case Op::Min: return "min";
        case Op::Max: return "max";
        case Op::Choose: return "? :";
        default: return "a comparison";
    }
}

// The product of the units, factors of one name joined.
PhysicalUnit product(const PhysicalUnit& a, const PhysicalUnit& b) {
    PhysicalUnit result = a;
    result.scale *= b.scale;
    result.number *= b.number;
    for (size_t i = 0; i < kUnitBases; ++i) result.powers[i] += b.powers[i];
    for (const UnitFactor& factor : b.factors) {
        const auto same =
            std::find_if(result.factors.begin(), result.factors.end(), [&](const UnitFactor& each) {
                return each.prefix == factor.prefix && each.name == factor.name;
            });
        if (same == result.factors.end())
            result.factors.push_back(factor);
        else
            same->power += factor.power;
    }
    std::erase_if(result.factors,
                  [](const UnitFactor& each) { return std::abs(each.power) < 1e-9; });
    return result;
}

class UnitWalk {
public:
    UnitWalk(Expression& expression, std::span<const NameUnit> units, UnlikeUnits unlike)
        : expression_(expression), units_(units), unlike_(unlike) {}

    NodeUnit of(int index) {
        const ExpressionNode node = expression_.nodes()[static_cast<size_t>(index)];
        switch (node.op) {
            case Op::Number: return kPlainNumber;
            case Op::Name: return ofName(node.name);
            case Op::Add:
            case Op::Subtract:
            case Op::Remainder:
            case Op::Min:
            case Op::Max: return ofAlike(index, Expression::Operand::Right, node.left, node.right);
            case Op::Equal:
            case Op::Less:
            case Op::LessOrEqual:
                ofAlike(index, Expression::Operand::Right, node.left, node.right);
                return kNoUnit;
            case Op::Choose:
                of(node.left);
                return ofAlike(index, Expression::Operand::Third, node.right, node.third);
            case Op::Multiply: return ofProduct(of(node.left), of(node.right), 1.0);
            case Op::Divide: return ofProduct(of(node.left), of(node.right), -1.0);
            case Op::Power: return ofPower(of(node.left), node.right);
            case Op::Root: return raised(of(node.left), 0.5);
            case Op::Negate:
            case Op::Absolute:
            case Op::Floor:
            case Op::Ceil:
            case Op::Round: return of(node.left);
            case Op::Exp:
            case Op::Log:
            case Op::Log10: return of(node.left).isNumber ? kPlainNumber : kNoUnit;
            case Op::Not:
            case Op::Good: of(node.left); return kNoUnit;
            case Op::Or:
            case Op::And:
                of(node.left);
                of(node.right);
                return kNoUnit;
            default: return kNoUnit;
        }
    }

private:
    NodeUnit ofName(int name) const {
        const NameUnit& given = units_[static_cast<size_t>(name)];
        if (given.isNumber) return kPlainNumber;
        if (namesNoUnit(given.unit)) return kNoUnit;
        return {given.unit, parseUnit(given.unit), false};
    }

    // Two operands of one kind; the second one is converted to the unit of the first.
    NodeUnit ofAlike(int index, Expression::Operand second, int left, int right) {
        const NodeUnit a = of(left), b = of(right);
        if (a.isNumber) return b;
        if (b.isNumber || a.text == b.text) return a;
        if (a.parsed && b.parsed && isSameKind(*a.parsed, *b.parsed)) {
            const double factor = b.parsed->scale / a.parsed->scale;
            if (factor != 1.0) expression_.scaleOperand(index, second, factor);
            return a;
        }
        if (unlike_ == UnlikeUnits::Keep) return a;
        throw UnitsDiffer("expected units of one kind on both sides of " +
                          signOf(expression_.nodes()[static_cast<size_t>(index)].op) + ", found " +
                          shown(a) + " and " + shown(b) +
                          "; state the unit of the result with --unit");
    }

    static NodeUnit ofProduct(const NodeUnit& a, const NodeUnit& b, double power) {
        if (b.isNumber) return a;
        if (a.isNumber && power == 1.0) return b;
        if (!a.parsed || !b.parsed) return b.text.empty() ? a : kNoUnit;
        if (b.text.empty()) return {a.text, a.parsed, false};
        if (a.text.empty() && power == 1.0) return b;
        const PhysicalUnit unit = product(*a.parsed, raisedUnit(*b.parsed, power));
        return {spelledUnit(unit), unit, false};
    }
    static NodeUnit raised(const NodeUnit& a, double power) {
        if (a.isNumber || a.text.empty()) return a;
        if (!a.parsed) return kNoUnit;
        const PhysicalUnit unit = raisedUnit(*a.parsed, power);
        return {spelledUnit(unit), unit, false};
    }
    // The exponent is a number, or a number with a sign; other exponents give no unit.
    NodeUnit ofPower(const NodeUnit& base, int exponent) {
        const auto& nodes = expression_.nodes();
        double sign = 1.0;
        const ExpressionNode* node = &nodes[static_cast<size_t>(exponent)];
        while (node->op == Op::Negate) {
            sign = -sign;
            node = &nodes[static_cast<size_t>(node->left)];
        }
        if (node->op == Op::Number) return raised(base, sign * node->number);
        const NodeUnit power = of(exponent);
        return base.isNumber && power.isNumber ? kPlainNumber : kNoUnit;
    }

    Expression& expression_;
    std::span<const NameUnit> units_;
    UnlikeUnits unlike_;
};

}  // namespace

std::string convertUnits(Expression& expression, std::span<const NameUnit> units,
                         UnlikeUnits unlike) {
    return UnitWalk(expression, units, unlike).of(expression.root()).text;
}

}  // namespace armilla
