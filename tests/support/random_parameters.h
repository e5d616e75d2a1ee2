// SPDX-License-Identifier: GPL-3.0-or-later
// Random parameters of any operation of the table.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "armilla/core/units.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/parameter_units.h"

namespace armilla::test {

inline double randomIn(std::mt19937_64& random, double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
}

// A value within the range of a parameter; angles sometimes in typed form.
inline double randomNumber(std::mt19937_64& random, const ParameterFacts& facts) {
    const double least = std::max(facts.least, -1e9), most = std::min(facts.most, 1e9);
    double value = 0.0;
    do {
        value = random() % 3 == 0 ? least + (most - least) * std::exp(randomIn(random, -40.0, 0.0))
                                  : randomIn(random, least, most);
    } while (!(value >= facts.least && value <= facts.most) ||
             (facts.aboveLeast && value == facts.least) ||
             (facts.belowMost && value == facts.most));
    return value;
}

inline std::string randomText(std::mt19937_64& random) {
    static const std::vector<std::string> kTexts{
        "a",           "it's", "two words", "-begins with a dash",
        "$HOME",       "`x`",  "müde",      "a\"b",
        "back\\slash", "100%", "a;b",       "#",
        "[1]",         "*",    "20′ −5°"};
    return kTexts[random() % kTexts.size()];
}

inline ParameterValue randomValue(std::mt19937_64& random, const Parameter& row) {
    const ParameterFacts& facts = row.facts;
    const auto integer = [&](double least, double most) {
        return static_cast<int64_t>(
            std::floor(randomIn(random, std::max(least, -1e9), std::min(most, 1e9))));
    };
    switch (row.kind) {
        case ParameterKind::Angle:
        case ParameterKind::Number: return randomNumber(random, facts);
        case ParameterKind::Integer: {
            if (!facts.powerOfTwo) return integer(facts.least, facts.most);
            int64_t value = 1;
            while (static_cast<double>(value) < facts.least ||
                   (static_cast<double>(2 * value) <= facts.most && random() % 4 != 0))
                value *= 2;
            return value;
        }
        case ParameterKind::Choice:
            return std::string(row.choices[random() % row.choices.size()].word);
        case ParameterKind::Flag: return random() % 2 == 0;
        case ParameterKind::Text:
        case ParameterKind::File: return randomText(random);
        case ParameterKind::Words: return std::vector<std::string>{"A", randomText(random), "3"};
        case ParameterKind::Position: {
            std::vector<double> place{randomIn(random, 0.0, kTwoPi * (1.0 - 1e-15)),
                                      randomIn(random, -kHalfPi, kHalfPi)};
            if (random() % 2 == 0) place.push_back(1.0 + static_cast<double>(random() % 3));
            return place;
        }
        case ParameterKind::Frame: return std::string(1, "GEC"[random() % 3]);
        case ParameterKind::Angles:
        case ParameterKind::Numbers: {
            std::vector<double> values(fixedCount(row) > 0 ? fixedCount(row) : 2);
            for (double& value : values) value = randomNumber(random, facts);
            return values;
        }
        case ParameterKind::Size:
            return std::vector<double>{static_cast<double>(integer(1, 30000)),
                                       static_cast<double>(integer(1, 30000))};
        case ParameterKind::Bins: {
            double a = randomNumber(random, facts), b = randomNumber(random, facts);
            if (b < a) std::swap(a, b);
            return std::vector<double>{a, b, static_cast<double>(integer(1, 1000))};
        }
    }
    return {};
}

// Random values; parameters without effect, given the others, keep their defaults.
inline ParameterSet randomParameters(std::mt19937_64& random, const Operation& operation) {
    ParameterSet set = operation.defaults(), standard = operation.defaults();
    const std::vector<Parameter> rows = set.rows(), defaults = standard.rows();
    for (const Parameter& row : rows)
        if (row.facts.required || random() % 4 != 0) row.assign(randomValue(random, row));
    for (int round = 0; round < 3; ++round)  // a reset parameter may disable another one
        for (size_t i = 0; i < rows.size(); ++i)
            if (!rows[i].applies()) rows[i].put(defaults[i].get());
    return set;
}

}  // namespace armilla::test
