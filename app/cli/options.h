// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of option values that commands share. A value that cannot be read is a usage error that
// names what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/sky_vector.h"
#include "io/map_io.h"

namespace armilla::cli {

struct CommonOptions {
    std::string device = "auto";
    int threads = 0;  // 0: all of the machine
    std::optional<StoredPrecision> precision;
    std::string field;  // empty: not given
    std::optional<Frame> inputFrame;
    bool overwrite = false, quiet = false, json = false;
};
void addCommonOptions(CLI::App& app, CommonOptions& options);

enum class AngleRange { Any, Positive, NotNegative };
// An angle with its unit, to radians.
CLI::Option* addAngle(CLI::App& app, const std::string& name, std::optional<double>& target,
                      AngleRange range, const std::string& help);
// "LON,LAT" with units, to radians.
CLI::Option* addPosition(CLI::App& app, const std::string& name, std::optional<LonLat>& target,
                         const std::string& help);
// G, E or C.
CLI::Option* addFrame(CLI::App& app, const std::string& name, std::optional<Frame>& target,
                      const std::string& help);
CLI::Option* addInteger(CLI::App& app, const std::string& name, std::optional<int64_t>& target,
                        int64_t least, int64_t most, const std::string& help);
// A finite number without a unit.
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<double>& target,
                       const std::string& help);
// NSIDE, a power of two.
CLI::Option* addNside(CLI::App& app, std::optional<int64_t>& target, const std::string& help);

// Reads text as an integer in [least, most]. Throws CLI::ValidationError.
int64_t parseInteger(const std::string& name, const std::string& text, int64_t least, int64_t most);
// Reads text as a finite number. Throws CLI::ValidationError.
double parseNumber(const std::string& name, const std::string& text);
// "A,B,C" at its commas, blanks around the parts removed.
std::vector<std::string> splitAtCommas(const std::string& text);
[[noreturn]] void badValue(const std::string& name, const std::string& expected,
                           const std::string& found);

// One of a few words.
template <typename Value>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Value& target,
                       std::vector<std::pair<std::string, Value>> choices,
                       const std::string& help) {
    std::string words;
    for (const auto& choice : choices) words += (words.empty() ? "" : "|") + choice.first;
    CLI::Option* option = app.add_option_function<std::string>(
        name,
        [&target, choices, words, name](const std::string& text) {
            for (const auto& [word, value] : choices)
                if (word == text) {
                    target = value;
                    return;
                }
            badValue(name, words, text);
        },
        help);
    return option->type_name(words);
}

}  // namespace armilla::cli
