// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/operation.h"

#include <algorithm>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/operations/common_frame.h"
#include "operation_list.h"

namespace armilla {

ParameterValue ParameterSet::value(std::string_view name) const {
    ParameterSet copy = *this;
    const std::vector<Parameter> rows = copy.rows();
    const Parameter* row = findParameter(rows, name);
    if (row == nullptr)
        throw InvalidArgument("expected the name of a parameter, found '" + std::string(name) +
                              "'");
    return row->get();
}

void ParameterSet::set(std::string_view name, std::string_view text) {
    const std::vector<Parameter> all = rows();
    const Parameter* row = findParameter(all, name);
    if (row == nullptr)
        throw InvalidArgument("expected the name of a parameter, found '" + std::string(name) +
                              "'");
    naming(std::string(row->name), [&] { row->put(row->parse(text)); });
}

std::string InputSlot::label() const {
    return panelLabel.empty() ? labelOf(name) : std::string(panelLabel);
}

std::string OutputSlot::resultName() const {
    const std::string text = lowerCase(name);
    return text.ends_with("-out") ? text.substr(0, text.size() - 4) : text;
}

std::span<const Operation> allOperations() {
    static const std::vector<Operation> table = operationTable();
    return table;
}

const Operation* findOperation(std::string_view id) {
    for (const Operation& operation : allOperations()) {
        if (operation.id == id) return &operation;
        if (operation.aliases.empty()) continue;
        const std::vector<std::string> others = splitAtCommas(operation.aliases);
        if (std::find(others.begin(), others.end(), id) != others.end()) return &operation;
    }
    return nullptr;
}

Problems problemsOf(const Operation& operation, const ParameterSet& parameters,
                    const GivenSlots& given) {
    Problems problems;
    ParameterSet copy = parameters;
    for (const Parameter& row : copy.rows()) {
        const ParameterValue value = row.get();
        if (value.index() == 0) {
            if (row.facts.required && row.applies())
                problems.push_back({"", "expected " +
                                            (row.facts.positional ? row.placeholder()
                                                                  : "--" + std::string(row.name)) +
                                            ", found none"});
            continue;
        }
        if (!row.applies()) continue;
        try {
            row.check(value, row.text(value));
        } catch (const InvalidArgument& error) {
            problems.push_back({std::string(row.name), error.message()});
        }
    }
    if (operation.checkTogether) {
        const Problems more = operation.checkTogether(parameters, given);
        problems.insert(problems.end(), more.begin(), more.end());
    }
    return problems;
}

void requireNoProblem(const Operation& operation, const ParameterSet& parameters,
                      const GivenSlots& given) {
    const Problems problems = problemsOf(operation, parameters, given);
    if (!problems.empty()) throw UsageError(problems.front().text());
}

Outputs runOperation(const Operation& operation, Context& context, Inputs& inputs,
                     ParameterSet& parameters) {
    GivenSlots given = context.wanted;
    for (const Input& input : inputs.all) given.emplace(input.slot);
    if (operation.resolve) operation.resolve(parameters, inputs);
    requireNoProblem(operation, parameters, given);
    bringToOneFrame(operation, context, inputs);
    return operation.run(context, inputs, parameters);
}

}  // namespace armilla
