// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/layer_links.h"

#include <QJsonArray>
#include <algorithm>

#include "document_access.h"

namespace armilla {

std::optional<Recipe> recipeOf(const Document& document, LayerId id) {
    const auto& known = DocumentAccess::partsOf(document).layers.known();
    const auto found = known.find(id);
    return found == known.end() ? std::nullopt : std::optional(found->second.recipe);
}

bool isDetached(const Document& document, const Layer& layer) {
    const std::vector<LayerId> inputs = layer.recipe.inputs();
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](LayerId id) { return !document.entry(id); });
}

namespace {

// The recipe with input `from` replaced by `to`.
Recipe linked(Recipe recipe, LayerId from, LayerId to) {
    for (LayerId* one : {&recipe.input, &recipe.other})
        if (*one == from) *one = to;
    if (!recipe.record.contains("inputs")) return recipe;
    QJsonArray given;
    for (const QJsonValue each : recipe.record["inputs"].toArray()) {
        QJsonObject slot = each.toObject();
        if (LayerId(slot["layer"].toInt(-1)) == from) slot["layer"] = to.number();
        given.append(slot);
    }
    recipe.record["inputs"] = given;
    return recipe;
}

bool isMadeFrom(const Document& document, LayerId id, LayerId source) {
    if (id == source) return true;
    const auto recipe = recipeOf(document, id);
    const std::vector<LayerId> inputs = recipe ? recipe->inputs() : std::vector<LayerId>();
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](LayerId input) { return isMadeFrom(document, input, source); });
}

// An open layer equal to a closed one, except layers made from `result`.
const Layer* twinOf(const Document& document, const AwaitedLayer& closed, LayerId result) {
    const QJsonObject recipe = closed.recipe.toJson();
    for (const Layer& layer : document.entries()) {
        if (layer.live || layer.kind() != closed.kind || layer.recipe.kind != closed.recipe.kind ||
            layer.recipe.path != closed.recipe.path || layer.recipe.toJson() != recipe)
            continue;
        const FileMark mark = document.recovery().fileMark(layer.id);
        // The file may have changed meanwhile.
        if (mark.bytes >= 0 && closed.mark.bytes >= 0 && !(mark == closed.mark)) continue;
        if (!isMadeFrom(document, layer.id, result)) return &layer;
    }
    return nullptr;
}

}  // namespace

void linkAgain(Document& document, LayerId id) {
    auto& parts = DocumentAccess::partsOf(document);
    const Layer* layer = document.entry(id);
    if (!layer || layer->live || !isDetached(document, *layer)) return;
    auto after = parts.layers.kept();
    const auto itself = std::find_if(after.begin(), after.end(),
                                     [id](const Layer& other) { return other.id == id; });
    std::vector<Layer> again;
    for (const LayerId input : layer->recipe.inputs()) {
        const auto known = parts.layers.known().find(input);
        if (document.entry(input) || known == parts.layers.known().end()) continue;
        if (const Layer* twin = twinOf(document, known->second, id)) {
            itself->recipe = linked(itself->recipe, input, twin->id);
            if (itself->parent == input) itself->parent = twin->id;
            continue;
        }
        Layer closed;  // its value is still awaited
        closed.id = input;
        closed.name = known->second.name;
        closed.recipe = known->second.recipe;
        closed.style = known->second.style;
        closed.parent = known->second.parent;
        const auto isThis = [input](const Layer& other) { return other.id == input; };
        if (std::none_of(again.begin(), again.end(), isThis)) again.push_back(std::move(closed));
    }
    const QString text = Document::tr("Link %1 again").arg(layer->name);
    // Adjacent layers of the list form one step; inputs stand before the layer that needs them.
    after.insert(itself, again.begin(), again.end());
    parts.steps.push(text, std::move(after), parts.view.state(), parts.view.state());
}

}  // namespace armilla
