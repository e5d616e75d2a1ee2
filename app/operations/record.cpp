// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/record.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "armilla/core/table_text.h"
#include "armilla/core/units.h"

namespace armilla {

namespace {

constexpr int64_t kMostFields = 10000;

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const Json& found) {
    throw InvalidArgument(what + ": expected " + expected + ", found " + found.text());
}

const Json& member(const Json& json, std::string_view key) {
    static const Json none;
    const Json* found = json.find(key);
    return found == nullptr ? none : *found;
}

RecordInput inputFromJson(const Operation& operation, const Json& json) {
    RecordInput input;
    const std::string* slot = member(json, "slot").string();
    if (slot == nullptr || std::none_of(operation.inputs.begin(), operation.inputs.end(),
                                        [&](const InputSlot& each) { return each.name == *slot; }))
        refuse("inputs", "a slot of " + std::string(operation.id), json);
    input.slot = *slot;
    if (const std::string* variable = member(json, "name").string()) input.variable = *variable;
    if (const std::string* literal = member(json, "literal").string()) {
        input.literal = *literal;
        return input;
    }
    const int64_t* layer = member(json, "layer").integer();
    if (layer == nullptr || *layer < 0) refuse("inputs", "the id of a layer", json);
    input.layer = *layer;
    if (const Json::Array* fields = member(json, "fields").elements())
        for (const Json& field : *fields) {
            const int64_t* index = field.integer();
            if (index == nullptr || *index < 0 || *index > kMostFields)
                refuse("inputs", "fields by their indices", json);
            input.fields.push_back(static_cast<int>(*index));
        }
    return input;
}

// A path that a command line cannot mistake for an option.
std::string pathWord(const std::string& path) {
    return path.starts_with('-') && path != "-" ? "./" + path : path;
}

}  // namespace

Json toJson(const Record& record) {
    Json json = Json::object();
    json.set("operation", record.operation->id);
    json.set("version", record.operation->version);
    Json parameters = Json::object();
    ParameterSet copy = record.parameters;
    for (const Parameter& row : copy.rows()) {
        const ParameterValue value = row.get();
        if (value.index() != 0 && row.applies())
            parameters.set(std::string(row.name), row.json(value));
    }
    json.set("parameters", std::move(parameters));
    Json inputs = Json::array();
    for (const RecordInput& input : record.inputs) {
        Json entry = Json::object();
        entry.set("slot", input.slot);
        if (!input.variable.empty()) entry.set("name", input.variable);
        if (!input.literal.empty()) {
            entry.set("literal", input.literal);
        } else {
            entry.set("layer", input.layer);
            Json fields = Json::array();
            for (const int field : input.fields) fields.add(field);
            entry.set("fields", std::move(fields));
        }
        inputs.add(std::move(entry));
    }
    json.set("inputs", std::move(inputs));
    if (!record.wanted.empty()) {
        Json wanted = Json::array();
        for (const std::string& slot : record.wanted) wanted.add(slot);
        json.set("wanted", std::move(wanted));
    }
    return json;
}

Record recordFromJson(const Json& json) {
    Record record;
    const std::string* id = member(json, "operation").string();
    record.operation = id == nullptr ? nullptr : findOperation(*id);
    if (record.operation == nullptr)
        refuse("operation", "one that this version knows", member(json, "operation"));
    const Operation& operation = *record.operation;
    const int64_t* version = member(json, "version").integer();
    if (version == nullptr || *version < 1 || *version > operation.version)
        refuse(std::string(operation.id),
               "a version from 1 to " + std::to_string(operation.version) +
                   " (a later one is of a newer program)",
               member(json, "version"));
    Json parameters = member(json, "parameters");
    if (parameters.members() == nullptr) refuse("parameters", "an object", parameters);
    if (*version < operation.version && operation.migrate != nullptr)
        operation.migrate(parameters, static_cast<int>(*version));
    record.parameters = operation.defaults();
    const std::vector<Parameter> rows = record.parameters.rows();
    // A parameter that the record does not name was not given, whatever its default is today.
    for (const Parameter& row : rows)
        if (row.applies()) row.put({});
    for (const auto& [name, given] : *parameters.members()) {
        const Json& value = given;  // structured bindings cannot be captured
        const Parameter* row = findParameter(rows, name);
        if (row == nullptr)
            throw InvalidArgument("parameters: expected those of " + std::string(operation.id) +
                                  ", found " + name);
        naming(name, [&] { row->put(row->fromJson(value)); });
    }
    if (const Json::Array* inputs = member(json, "inputs").elements())
        for (const Json& input : *inputs) record.inputs.push_back(inputFromJson(operation, input));
    if (const Json::Array* wanted = member(json, "wanted").elements())
        for (const Json& slot : *wanted)
            if (const std::string* name = slot.string()) record.wanted.insert(*name);
    return record;
}

namespace {

enum class Positionals { Write, LeaveOut };

// The text of a parameter that stands before the files; empty for other parameters.
std::string positionalText(const Parameter& row) {
    if (!row.facts.positional || row.get().index() == 0) return {};
    const std::string text = row.text(row.get());
    return text.starts_with('-') ? std::string() : text;
}

std::vector<std::string> optionsOf(const Operation& operation, const ParameterSet& parameters,
                                   Positionals positionals) {
    std::vector<std::string> words;
    ParameterSet set = parameters, standard = operation.defaults();
    const std::vector<Parameter> rows = set.rows(), defaults = standard.rows();
    for (size_t i = 0; i < rows.size(); ++i) {
        const Parameter& row = rows[i];
        const ParameterValue value = row.get();
        if (!row.applies() || sameBits(value, defaults[i].get())) continue;
        if (positionals == Positionals::LeaveOut && !positionalText(row).empty()) continue;
        const std::string option = "--" + std::string(row.name);
        if (value.index() == 0) continue;
        if (row.kind == ParameterKind::Flag) {
            words.push_back(option);
            continue;
        }
        const std::string text = row.text(value);
        // A value that begins with a dash is joined to its option by =.
        if (text.starts_with('-')) {
            words.push_back(option + "=" + text);
        } else {
            words.push_back(option);
            words.push_back(text);
        }
    }
    return words;
}

}  // namespace

std::vector<std::string> optionWords(const Operation& operation, const ParameterSet& parameters) {
    return optionsOf(operation, parameters, Positionals::Write);
}

std::vector<std::string> commandWords(const Operation& operation, const ParameterSet& parameters,
                                      const std::vector<SlotFile>& files) {
    std::vector<std::string> words{std::string(operation.id)};
    std::vector<std::string> options;
    const auto place = [&](std::string_view slot, bool isOption) {
        for (const SlotFile& file : files) {
            if (file.slot != slot) continue;
            if (isOption) options.push_back("--" + file.slot);
            (isOption ? options : words).push_back(pathWord(file.path));
        }
    };
    // A value that begins with a dash would be taken for an option; optionWords writes it.
    ParameterSet set = parameters;
    for (const Parameter& row : set.rows())
        if (const std::string text = positionalText(row); !text.empty()) words.push_back(text);
    for (const InputSlot& slot : operation.inputs) place(slot.name, slot.isOption);
    for (const OutputSlot& slot : operation.outputs) place(slot.name, slot.isOption);
    words.insert(words.end(), options.begin(), options.end());
    const std::vector<std::string> others = optionsOf(operation, parameters, Positionals::LeaveOut);
    words.insert(words.end(), others.begin(), others.end());
    return words;
}

std::string commandLine(const Operation& operation, const ParameterSet& parameters,
                        const std::vector<SlotFile>& files, const std::vector<std::string>& more) {
    std::string line = "armilla";
    for (const std::string& word : commandWords(operation, parameters, files))
        line += " " + shellQuoted(word);
    for (const std::string& word : more) line += " " + shellQuoted(word);
    return line;
}

namespace {

// The title; `translated` translates each word of a table.
std::string titleIn(const Operation& operation, const ParameterSet& parameters,
                    std::string (*translated)(std::string_view)) {
    std::string title = translated(operation.id);
    ParameterSet set = parameters;
    const std::vector<Parameter> rows = set.rows();
    for (const std::string& key : splitAtCommas(operation.keyParameters)) {
        const Parameter* row = key.empty() ? nullptr : findParameter(rows, key);
        if (row == nullptr || !row->applies()) continue;
        const ParameterValue value = row->get();
        if (value.index() == 0) continue;
        if (row->kind == ParameterKind::Flag) {
            if (std::get<bool>(value)) title += " " + translated(row->name);
        } else if (row->kind == ParameterKind::Angle) {
            title += " " + formatAngle(std::get<double>(value));
        } else {
            const std::string text = row->text(value);
            title += " " + (row->kind == ParameterKind::Choice ? translated(text) : text);
        }
    }
    return title;
}

}  // namespace

std::string titleOf(const Operation& operation, const ParameterSet& parameters) {
    return titleIn(operation, parameters, [](std::string_view text) { return std::string(text); });
}

std::string shownTitleOf(const Operation& operation, const ParameterSet& parameters) {
    return titleIn(operation, parameters, tableText);
}

std::string shellQuoted(const std::string& word) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("-_./,:=+@%").find(static_cast<char>(c)) != std::string_view::npos;
    };
    const auto isPrintable = [](unsigned char c) { return c >= 0x20 && c < 0x7F; };
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) return word;
    const bool printable = std::all_of(word.begin(), word.end(), isPrintable);
    // $'...' escapes bytes outside ASCII, which a FITS header cannot hold.
    std::string quoted = printable ? "'" : "$'";
    for (const char c : word) {
        if (!isPrintable(static_cast<unsigned char>(c))) {
            std::array<char, 8> code{};
            std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned char>(c));
            quoted += code.data();
        } else if (c == '\'') {
            quoted += printable ? "'\\''" : "\\'";
        } else if (c == '\\' && !printable) {
            quoted += "\\\\";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace armilla
