// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/history.h"

#include <unistd.h>

#include <set>

#include "layer_list.h"

namespace armilla {

namespace {

constexpr int kUndoLimit = 500;

int64_t defaultBudget() {
    return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 8;
}

}  // namespace

History::History(const LayerList& layers) : layers_(layers), budget_(defaultBudget()) {
    stack_.setUndoLimit(kUndoLimit);
}

History::~History() = default;

void History::setBudget(int64_t bytes) {
    budget_ = bytes;
    trim();
}

// Values held only by the history, oldest step first, without repetition.
std::vector<const Layer*> History::held() const {
    std::set<const void*> known;  // open or already listed
    for (const Layer& layer : layers_.entries()) known.insert(layer.identity());
    std::vector<const Layer*> held;
    for (const LayerSplice* splice : splices_)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side)
                if (layer && known.insert(layer.identity()).second) held.push_back(&layer);
    return held;
}

UndoMemory History::memory() const {
    UndoMemory memory;
    memory.budget = budget_;
    for (const Layer* layer : held()) {
        memory.bytes += factsOf(layer->kind()).memoryBytes(*layer);
        ++memory.layers;
    }
    std::set<LayerId> open, recipes;
    for (const Layer& layer : layers_.entries()) open.insert(layer.id);
    for (const LayerSplice* splice : splices_)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side)
                if (!layer && !open.contains(layer.id)) recipes.insert(layer.id);
    memory.recipes = static_cast<int>(recipes.size());
    return memory;
}

void History::trim() {
    const std::vector<const Layer*> held = this->held();
    int64_t bytes = 0;
    for (const Layer* layer : held) bytes += factsOf(layer->kind()).memoryBytes(*layer);
    std::set<const void*> given;
    for (const Layer* layer : held) {
        if (bytes <= budget_) break;
        bytes -= factsOf(layer->kind()).memoryBytes(*layer);
        given.insert(layer->identity());
    }
    if (given.empty()) return;
    for (LayerSplice* splice : splices_)
        for (auto* side : {&splice->before, &splice->after})
            for (Layer& layer : *side)
                if (given.contains(layer.identity())) layer.value() = LayerValue();
}

}  // namespace armilla
