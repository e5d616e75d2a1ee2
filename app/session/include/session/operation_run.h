// SPDX-License-Identifier: GPL-3.0-or-later
// A wish to run an operation on layers.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "operations/operation.h"
#include "session/layer.h"

namespace armilla {

struct OperationRequest {
    // One of the operation's inputs: a layer, or a word or number in its place.
    struct Given {
        QString slot;
        int layer = -1;
        std::vector<int> fields;  // of a map; empty: those that the operation asks for
        QString literal;
    };
    const Operation* operation = nullptr;
    ParameterSet parameters{NoOptions{}};
    std::vector<Given> inputs;
    GivenSlots wanted;  // optional outputs
};

// The kind of layers that serve as this input; none for coefficients, which are a file alone.
std::optional<LayerKind> layerKindFor(DataKind kind);
// All inputs that it must have can be layers, and one of its results at least becomes one.
bool runsOnLayers(const Operation& operation);
// What is wrong with it, in the words of the command; the first one. Empty: nothing.
QString problemOf(const OperationRequest& request);

}  // namespace armilla
