// SPDX-License-Identifier: GPL-3.0-or-later
// The units of an expression: conversion of operands, and the unit of the result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "armilla/core/expression.h"

namespace armilla {

// Operands of + and - (also of %, comparisons, min, max and the branches of "?:") have units of
// different kinds.
class UnitsDiffer : public InvalidArgument {
public:
    using InvalidArgument::InvalidArgument;
};

// The unit of one name: a text as files state it, or none for a plain number, which takes the unit
// of the other operand.
struct NameUnit {
    std::string unit;
    bool isNumber = false;
};

enum class UnlikeUnits { Refuse, Keep };

// Inserts the factors that convert right operands to the units of left operands of one kind (mK to
// K), and returns the unit of the result in FITS spelling; empty if it has none. `units` has an
// entry for each name of the expression. Products, quotients, powers by a constant and roots
// combine units without a conversion; exp, logarithms, conditions and good() have no unit. Throws
// UnitsDiffer for units of different kinds unless `unlike` is Keep.
std::string convertUnits(Expression& expression, std::span<const NameUnit> units,
                         UnlikeUnits unlike);

}  // namespace armilla
