// SPDX-License-Identifier: GPL-3.0-or-later
// Credible regions of probability maps, as `lookup`, `select`, `mask` and `moc` define them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "armilla/operations/operation.h"
#include "armilla/ops/credible.h"

namespace armilla {

// A level as text, "0.9" or "90%", from above 0 to 1. Throws InvalidArgument.
double levelFromText(std::string_view text);
// Adds the problem of a level that levelFromText() refuses.
void checkLevel(const std::string& parameter, std::string_view text, Problems& problems);
// The first field that holds probabilities; none if there is none.
std::optional<int> probabilityField(const HealpixMap& map);
// Credible levels of a field. Notes a normalization.
CredibleLevels levelsOf(const Input& input, int field, const Context& context, JobContext& job);
// The pixels (or cells) of the map with one field MASK: 1 where the credible level is at most
// `level`, 0 elsewhere and where the map is bad.
HealpixMap credibleMask(const Input& input, int field, double level, const Context& context,
                        JobContext& job);

}  // namespace armilla
