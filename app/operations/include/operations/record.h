// SPDX-License-Identifier: GPL-3.0-or-later
// How a result came to be, for session files, HISTORY, the clipboard and the history's titles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations/operation.h"

namespace armilla {

// One input of a record: which layer (by its id), or the text that stands in its place.
struct RecordInput {
    std::string slot;
    int64_t layer = -1;
    std::vector<int> fields;
    std::string literal;
};

struct Record {
    const Operation* operation = nullptr;
    ParameterSet parameters{NoOptions{}};
    std::vector<RecordInput> inputs;
    GivenSlots wanted = {};  // the optional outputs that were made
};

// {"operation": "smooth", "version": 1, "parameters": {"fwhm": 0.017, ...}, "inputs": [...]}.
// Parameters that do not count are left out; the others are written with their values, defaults as
// well, so that a later default changes nothing.
Json toJson(const Record& record);
// Reads aliases, and records of older versions. Throws InvalidArgument with what was expected and
// found: an unknown operation or parameter, a newer version, a value out of range.
Record recordFromJson(const Json& json);

// A file for each input and output, in the order of the slots; options that are not given are left
// out.
struct SlotFile {
    std::string slot;
    std::string path;  // or a literal
};
// The options of a command line for those parameters that count and differ from their defaults:
// {"--fwhm", "1deg", "--polarization"}.
std::vector<std::string> optionWords(const Operation& operation, const ParameterSet& parameters);
// The whole command line, without "armilla": {"smooth", "map.fits", "out.fits", "--fwhm", "1deg"}.
std::vector<std::string> commandWords(const Operation& operation, const ParameterSet& parameters,
                                      const std::vector<SlotFile>& files);
// As a shell takes it: "armilla smooth map.fits out.fits --fwhm 1deg". `more`: further words, such
// as
// --field and its value.
std::string commandLine(const Operation& operation, const ParameterSet& parameters,
                        const std::vector<SlotFile>& files,
                        const std::vector<std::string>& more = {});
// "smooth 1°": the line of a history, in files.
std::string titleOf(const Operation& operation, const ParameterSet& parameters);
// The same on the screen, in the user's language.
std::string shownTitleOf(const Operation& operation, const ParameterSet& parameters);

// A word as a shell takes it, in printable ASCII.
std::string shellQuoted(const std::string& word);

}  // namespace armilla
