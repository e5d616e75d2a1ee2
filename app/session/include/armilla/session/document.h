// SPDX-License-Identifier: GPL-3.0-or-later
// The open layers (maps with their fields, catalogs, images, curves) in their order, with the parts
// that show them and the history of all changes.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "armilla/session/document_view.h"
#include "armilla/session/history.h"
#include "armilla/session/layer.h"
#include "armilla/session/layer_drawings.h"
#include "armilla/session/layer_recovery.h"
#include "armilla/session/live_layer.h"
#include "armilla/session/overlays.h"
#include "armilla/session/shown.h"

namespace armilla {

// Used only in the window's thread. Functions that change layers push undoable steps onto
// history().
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // The parts of the document.
    DocumentView& view();
    const DocumentView& view() const;
    Overlays& overlays();
    const Overlays& overlays() const;
    LayerDrawings& drawings();
    const LayerDrawings& drawings() const;
    LiveLayer& liveLayer();
    const LiveLayer& liveLayer() const;
    LayerRecovery& recovery();
    const LayerRecovery& recovery() const;
    History& history();
    const History& history() const;

    // Kept layers in list order, then the live layer if there is one. Each has a value. Images are
    // drawn in this order, then catalogs; the last one lies on top.
    const std::vector<Layer>& entries() const;
    // The layer with this id; null if it is not open.
    const Layer* entry(LayerId id) const;
    // The live layer; null if there is none.
    const Layer* live() const;

    // Adds a layer as an undoable step, makes the layer active and returns its id. A map is shown;
    // a map made from others (`parent`) is shown alone. The first map sets the camera to its own
    // frame; a later map does so only if the camera rests in its home position.
    LayerId addLayer(const LayerValue& value, const QString& name, const Recipe& recipe,
                     LayerId parent = {});
    // Adds several results of one operation in one step. Returns the ids.
    struct NewLayer {
        LayerValue value;
        QString name;
        bool visible = true;
    };
    // The first layer becomes the active one. Layers in `covering` would hide the results, so the
    // same step hides these layers.
    std::vector<LayerId> addLayers(const std::vector<NewLayer>& made, const Recipe& recipe,
                                   LayerId parent, const std::vector<LayerId>& covering = {});
    // Replaces the value (of the same kind) and the recipe of a layer without a history step, for
    // tools with their own steps. Throws InvalidArgument for another kind.
    void setValue(LayerId id, const LayerValue& value, const Recipe& recipe);
    // Closes a layer, as one step.
    void removeLayer(LayerId id);
    // Removes all layers in one step.
    void removeAll();
    // Moves a layer to the position of another layer in the list; the layers between shift by one.
    void moveLayer(LayerId id, LayerId to);
    // Changes the name of a layer, as one step.
    void renameLayer(LayerId id, const QString& name);

    // The layer that keys, tools and panels act on; else invalid. Not part of the history.
    LayerId active() const;
    void setActive(LayerId id);

signals:
    // Layers were added, removed, moved, renamed or replaced.
    void entriesChanged();
    // Another layer is active.
    void activeChanged();

private:
    struct Parts;
    friend struct DocumentAccess;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla
