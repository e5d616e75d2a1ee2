// SPDX-License-Identifier: GPL-3.0-or-later
// What operations on harmonics share: their parameters, and what they say of the way taken.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "operations/operation.h"
#include "ops/sht.h"

namespace armilla {

// 2^15 is past any map that fits in memory (nside 8192 has lmax 24575), and keeps lmax^2 in an int.
inline constexpr int kMostLmax = 32768;

inline constexpr std::array<Choice<Weights>, 3> kWeightsChoices{
    {{"none", Weights::None}, {"ring", Weights::Ring}, {"pixel", Weights::Pixel}}};
// 3 nside - 1; none where that is past kMostLmax, which leaves it to the plan.
std::optional<int64_t> defaultLmax(int64_t nside);
// "none", "ring" or "pixel".
std::string_view weightsName(Weights weights);
// "ring weights, 3 iterations": the way of an analysis, for people.
std::string describeWay(Weights weights, int iterations);
// Says where pixel weights are, after an analysis with them.
void noteWeights(const Context& context, Weights weights, int64_t nside);
// "1.2e-05".
std::string shortText(double value);

}  // namespace armilla
