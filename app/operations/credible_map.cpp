// SPDX-License-Identifier: GPL-3.0-or-later
#include "credible_map.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "armilla/core/probability.h"

namespace armilla {

namespace {

std::string shortNumber(double value) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", value);
    return digits.data();
}

}  // namespace

double levelFromText(std::string_view text) {
    const bool isPercent = text.ends_with('%');
    const std::string_view digits = text.substr(0, text.size() - (isPercent ? 1 : 0));
    double level = 0.0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), level);
    if (isPercent) level /= 100.0;
    if (failure != std::errc() || end != digits.data() + digits.size() || !(level > 0.0) ||
        level > 1.0)
        throw InvalidArgument(
            "expected a level above 0 and of at most 1, such as 0.9 or 90%, "
            "found '" +
            std::string(text) + "'");
    return level;
}

void checkLevel(const std::string& parameter, std::string_view text, Problems& problems) {
    try {
        levelFromText(text);
    } catch (const InvalidArgument& error) {
        problems.push_back({parameter, error.message()});
    }
}

std::optional<int> probabilityField(const HealpixMap& map) {
    for (int i = 0; i < map.fieldCount(); ++i)
        if (isProbability(map.field(i))) return i;
    return std::nullopt;
}

CredibleLevels levelsOf(const Input& input, int field, const Context& context, JobContext& job) {
    CredibleLevels found =
        naming(input.name, [&] { return credibleLevels(input.map(), field, job); });
    if (found.isNormalized && context.note)
        context.note(input.name + ": probabilities sum to " + shortNumber(found.sum) +
                     ", normalized to 1");
    if (found.negativeShare > 0.0 && context.note)
        context.note(input.name + ": negative values of " + shortNumber(found.negativeShare) +
                     " of the sum count as 0");
    return found;
}

HealpixMap credibleMask(const Input& input, int field, double level, const Context& context,
                        JobContext& job) {
    const HealpixMap& map = input.map();
    const CredibleLevels found = levelsOf(input, field, context, job);
    std::vector<float> inside(found.levels.size());
    // A bad pixel has the level NaN, which is not inside.
    for (size_t i = 0; i < inside.size(); ++i)
        inside[i] = isInRegion(found.levels[i], level) ? 1.0F : 0.0F;
    std::vector<Field> fields;
    fields.push_back({"MASK", "", DiskType::Float32, std::move(inside)});
    switch (map.coverage()) {
        case Coverage::Full: return {map.nside(), map.ordering(), map.frame(), std::move(fields)};
        case Coverage::Partial:
            return HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                       {map.pixels().begin(), map.pixels().end()},
                                       std::move(fields));
        case Coverage::MultiOrder: break;
    }
    return HealpixMap::multiOrder(
        map.nside(), map.frame(), {map.pixels().begin(), map.pixels().end()},
        {map.cellOrders().begin(), map.cellOrders().end()}, std::move(fields));
}

}  // namespace armilla
