// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of a document, and the memory that only they hold.
#pragma once

#include <QUndoStack>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "armilla/session/layer.h"

namespace armilla {

class LayerList;

// Memory that only the undo history holds, in addition to the open layers.
struct UndoMemory {
    int64_t bytes = 0, budget = 0;
    int layers = 0, recipes = 0;  // closed layers held with their values, and as recipes only
};

// Adjacent layers of the list before and after a step, so that a step does not copy a list of a
// thousand layers.
struct LayerSplice {
    size_t at = 0;
    std::vector<Layer> before, after;
};

// Used only in the window's thread.
class History {
public:
    // The list must outlive the history.
    explicit History(const LayerList& layers);
    ~History();
    History(const History&) = delete;
    History& operator=(const History&) = delete;

    QUndoStack* stack() { return &stack_; }
    // Ends a gesture (mouse released), so that the next change is a new step. Camera moves still
    // merge until a pause of two seconds.
    void endGesture() { ++gesture_; }
    int gesture() const { return gesture_; }

    // Byte limit for values of closed layers; the last closed layers are kept. Older layers keep
    // only the recipe, and undo recomputes the value. Default: an eighth of the machine's memory.
    void setBudget(int64_t bytes);
    UndoMemory memory() const;

    // Steps register the layers that they hold, oldest step first.
    void hold(LayerSplice* splice) { splices_.push_back(splice); }
    void release(LayerSplice* splice) { std::erase(splices_, splice); }
    // Reduces closed layers beyond the budget to recipes, the ones closed first before others.
    void trim();

private:
    std::vector<const Layer*> held() const;

    const LayerList& layers_;
    // Declared before the stack: the destruction of its steps releases the splices.
    std::vector<LayerSplice*> splices_;
    int64_t budget_;
    int gesture_ = 0;
    QUndoStack stack_;
};

}  // namespace armilla
