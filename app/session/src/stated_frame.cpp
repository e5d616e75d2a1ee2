// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/stated_frame.h"

#include <algorithm>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/shown_text.h"
#include "document_access.h"
#include "view_step.h"

namespace armilla {

namespace {

bool hasFrames(LayerKind kind) {
    return factsOf(kind).inFrame != nullptr;
}

// True for open layers with a stated frame, and for closed layers, whose frame is unknown.
bool isPassed(const Document& document, const AwaitedLayer& layer) {
    if (!hasFrames(layer.kind)) return false;
    const Layer* open = document.entry(layer.id);
    return !open || takesStatedFrame(*open);
}

}  // namespace

bool takesStatedFrame(const Layer& layer) {
    return !layer.live && layer && hasFrames(layer.kind()) &&
           (factsOf(layer.kind()).frame(layer) == Frame::Unknown ||
            layer.recipe.statedFrame != Frame::Unknown);
}

std::vector<LayerId> statedTogether(const Document& document, LayerId id) {
    const Layer* asked = document.entry(id);
    if (!asked || !takesStatedFrame(*asked))
        throw InvalidArgument("expected a layer that does not name its frame, found " +
                              (asked ? asked->name.toStdString() : std::string("none")));
    const auto& lineage = DocumentAccess::partsOf(document).layers.known();
    std::set<LayerId> family{id};
    // Follows inputs in both directions until the family stops growing.
    for (size_t before = 0; before != family.size();) {
        before = family.size();
        for (const auto& [each, layer] : lineage) {
            if (!isPassed(document, layer)) continue;
            for (const LayerId input : layer.recipe.inputs()) {
                const auto source = lineage.find(input);
                if (source == lineage.end() || !isPassed(document, source->second)) continue;
                if (family.contains(each) || family.contains(input)) family.insert({each, input});
            }
        }
    }
    if (asked->recipe.statedFrame != Frame::Unknown)
        for (const Layer& layer : document.entries()) {
            const std::vector<LayerId> inputs = layer.recipe.inputs();
            const bool isMade = std::any_of(inputs.begin(), inputs.end(),
                                            [&](LayerId input) { return family.contains(input); });
            if (isMade && !family.contains(layer.id) && hasFrames(layer.kind()))
                throw InvalidArgument(
                    "expected nothing made in the frame that was stated before, "
                    "found " +
                    layer.name.toStdString() + "; undo or close it first");
        }
    std::vector<LayerId> open;
    for (const LayerId each : family)
        if (document.entry(each)) open.push_back(each);
    return open;
}

void stateFrame(Document& document, LayerId id, Frame frame,
                const std::vector<StatedLayer>& layers) {
    auto& parts = DocumentAccess::partsOf(document);
    const Layer* asked = document.entry(id);
    for (const StatedLayer& layer : layers)
        if (const Layer* now = document.entry(layer.id);
            !asked || !now || now->live || now->revision != layer.revision)
            throw InvalidArgument(
                "expected the layers as they were when the frame was stated, "
                "found them changed; state it again");
    const QString text =
        frame == Frame::Unknown
            ? Document::tr("Frame of %1: unknown").arg(asked->name)
            : Document::tr("Frame of %1: %2").arg(asked->name, shownText(frameName(frame)));
    const ViewState before = parts.view.state();
    ViewState view = before;
    auto after = parts.layers.kept();
    for (const StatedLayer& layer : layers) {
        const auto place = std::find_if(after.begin(), after.end(),
                                        [&](const Layer& other) { return other.id == layer.id; });
        Recipe recipe = place->recipe;
        recipe.statedFrame = frame;
        Layer next = parts.layers.made(layer.id, layer.value, place->name, recipe, place->parent);
        next.style = place->style;
        *place = std::move(next);
        // Without a map the overlaid layer sets the frame of the sky.
        const bool isSky =
            layer.id == view.shown.entry ||
            (!view.shown.entry.isValid() && layer.id == id && frame != Frame::Unknown);
        if (isSky) view.camera = adapted(view.camera, frame);
    }
    parts.steps.push(text, std::move(after), before, view);
}

}  // namespace armilla
