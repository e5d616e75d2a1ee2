// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a document with their order, and everything that is known of closed layers.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "armilla/session/layer.h"
#include "armilla/session/layer_recovery.h"
#include "armilla/session/row_selection.h"
#include "armilla/session/shown.h"

namespace armilla {

// Values only: the steps of the history (layer_steps.h) call the functions that change the list.
// Functions that change several things emit no signal; their caller emits changed() at the end.
class LayerList : public QObject {
    Q_OBJECT
public:
    // Kept layers in list order, then the live layer if there is one.
    const std::vector<Layer>& entries() const { return entries_; }
    std::vector<Layer> kept() const;
    // The layer with this id; null if it is not open.
    const Layer* find(LayerId id) const;
    Layer* find(LayerId id);
    // The live layer; null if there is none.
    const Layer* live() const;

    // An id that no layer had before.
    LayerId newId() { return LayerId(++lastId_); }
    // A layer that is not yet in the list. Its recipe is remembered also after the layer is closed.
    Layer made(LayerId id, const LayerValue& value, const QString& name, const Recipe& recipe,
               LayerId parent);
    // Names and recipes of all ids ever used. Recipes of closed layers are needed to recompute
    // others.
    std::map<LayerId, AwaitedLayer>& known() { return known_; }
    const std::map<LayerId, AwaitedLayer>& known() const { return known_; }
    // Ids of all layers that were ever in the list, in list order.
    const std::vector<LayerId>& order() const { return order_; }
    // `wanted` if its layer is an open map, else its nearest open ancestor, else nothing.
    Shown resolved(Shown wanted) const;

    void append(Layer layer);
    // Replaces the layer of the same id.
    void replace(Layer layer);
    std::optional<Layer> takeLive();
    // Removes the layers with these ids and returns them; `place` is the position of the first.
    std::map<LayerId, Layer> take(const std::set<LayerId>& ids, std::optional<size_t>& place);
    void insert(size_t place, std::vector<Layer> layers);
    // Inserts a layer that was closed or awaited at its earlier position.
    void insertAgain(Layer layer);
    // Records the order of the open layers after take(), insert() and append().
    void noteOrder();
    // Empties the list; these layers are known, but not open.
    void reset(const std::vector<AwaitedLayer>& layers);

    LayerId active() const { return active_; }
    // Returns true if another layer was active.
    bool replaceActive(LayerId id);
    void becomeActive(LayerId id);
    RowSelection selection() const { return selection_; }
    void select(const RowSelection& selection);

signals:
    // Layers were added, removed, moved, renamed or replaced.
    void changed();
    void activeChanged();
    void selectionChanged();

private:
    std::vector<Layer> entries_;
    std::vector<LayerId> order_;
    std::map<LayerId, AwaitedLayer> known_;
    int lastId_ = 0;
    uint64_t lastRevision_ = 0;
    LayerId active_;
    RowSelection selection_;
    // Last index of a layer: a hint that is verified before use.
    mutable std::unordered_map<LayerId, size_t> places_;
};

}  // namespace armilla
