// SPDX-License-Identifier: GPL-3.0-or-later
// A request to run an operation on layers.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "armilla/operations/operation.h"
#include "armilla/session/layer.h"

namespace armilla {

// An operation with its parameters and inputs.
struct OperationRequest {
    // One input of the operation: a layer, or a literal (word or number) in its place.
    struct Given {
        QString slot;
        LayerId layer;
        std::vector<int> fields;  // fields of a map; empty: those that the operation requires
        QString literal;
        QString variable = {};  // name in an expression, of a slot that takes names
    };
    const Operation* operation = nullptr;
    ParameterSet parameters{NoOptions{}};
    std::vector<Given> inputs;
    GivenSlots wanted;  // optional outputs to compute
};

// The layer kind that can serve as this input; none for coefficients, which exist only as files.
std::optional<LayerKind> layerKindFor(DataKind kind);
// Whether a layer of a kind can be the input of a slot.
bool canServe(const InputSlot& slot, LayerKind kind);
// True if layers can serve as all required inputs and at least one result becomes a layer.
bool runsOnLayers(const Operation& operation);
// The first error in the request, in the words of the window; empty if the request is valid.
QString problemOf(const OperationRequest& request);

}  // namespace armilla
