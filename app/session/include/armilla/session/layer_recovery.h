// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of a document that must be recomputed from their recipes, or could not be.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "armilla/session/document_json.h"
#include "armilla/session/layer.h"
#include "armilla/session/shown.h"

namespace armilla {

class DocumentView;
class LayerList;
struct ViewState;

// State of a file when it was read; a difference shows that the file has changed.
struct FileMark {
    int64_t bytes = -1;  // -1: unknown
    QString checksum;    // BLAKE2b of 256 bits, hexadecimal, as `b2sum -l 256` prints
    bool operator==(const FileMark&) const = default;
};

// A layer of a session file, or of a history step, that must be recomputed from its recipe.
struct AwaitedLayer {
    LayerId id;
    LayerKind kind = LayerKind::Map;
    QString name;
    Recipe recipe;
    LayerStyle style;
    LayerId parent;
    bool hidden = false;        // closed, but needed to recompute other layers
    QString relativePath = {};  // path of its file relative to the folder of the session file
    FileMark mark = {};
};

// A layer that could not be recomputed. It is kept unchanged until it is retried or closed.
struct MissingLayer {
    AwaitedLayer layer;
    QString reason;
};

// Used only in the window's thread.
class LayerRecovery : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive this object.
    LayerRecovery(LayerList& layers, DocumentView& view);

    // Layers to compute in jobs, inputs first; each is then restored or given up.
    const std::vector<AwaitedLayer>& awaited() const { return awaited_; }
    bool isAwaited(LayerId id) const;
    // Sets the recomputed value of an awaited layer.
    void restore(LayerId id, const LayerValue& value);
    // Removes an awaited layer that cannot be recomputed.
    void giveUp(LayerId id);
    // Changes the path of an awaited layer whose file has moved since the session was saved.
    void relocate(LayerId id, const QString& path);

    // Layers that could not be computed. They are kept unchanged until they are awaited again (with
    // all layers that depend on them) or closed, and are part of session files.
    const std::vector<MissingLayer>& missing() const { return missing_; }
    void setMissing(LayerId id, const QString& reason);
    // `path`: the present location of the file; empty: unchanged.
    void retry(LayerId id, const QString& path = {});
    // Closes a missing layer.
    void removeMissing(LayerId id);

    // State of the file of an opened layer when the file was read.
    FileMark fileMark(LayerId id) const;
    void setFileMark(LayerId id, const FileMark& mark);

    // For the steps of the history and for session files.
    //
    // Marks a layer to be recomputed from its recipe, together with its closed inputs.
    void await(LayerId id);
    // Marks a layer of a step, which is open again with this name and style.
    void await(const Layer& layer);
    // Forgets awaited and missing layers with these ids. Returns true if a missing one was among
    // them.
    bool forget(const std::set<LayerId>& ids);
    // The view to return to as its awaited maps arrive.
    void awaitView(const ViewState& view);
    // The present view with the maps that are still awaited.
    ViewState completed(ViewState view) const;
    // The layer that becomes active after the last awaited layer has arrived; invalid: none.
    LayerId awaitedActive() const { return active_; }
    // Awaits these layers and a view, and no others. Returns true if missing layers were dropped.
    bool reset(std::vector<AwaitedLayer> layers, const ViewState& view, LayerId active);

signals:
    // Undo or redo needs layers whose values were dropped, or missing layers are to be retried. The
    // layers of awaited() must be computed as after restoreDocument().
    void layersAwaited();
    // The list missing() has changed.
    void missingChanged();

private:
    bool retryOne(LayerId id);
    void endAwaiting();

    LayerList& layers_;
    DocumentView& view_;
    std::vector<AwaitedLayer> awaited_;
    Shown shown_, compared_;
    LayerId active_;
    std::vector<MissingLayer> missing_;
};

}  // namespace armilla
