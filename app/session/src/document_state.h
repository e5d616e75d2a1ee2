// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of a document: its values, and the undoable steps between states.
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "armilla/session/document.h"
#include "armilla/session/same_scale.h"
#include "drawable_cache.h"

namespace armilla {

// The whole view. A step stores the view before and after, and changes only the parts that differ.
struct DocumentView {
    Shown shown, compared;
    Comparison comparison = Comparison::Single;
    double swipe = 0.5;
    Camera camera;
    double graticuleStep = 0.0;
    bool graticuleVisible = true, rodsVisible = false;
    PolarizationLook polarization;
};

bool sameCamera(const Camera& a, const Camera& b);
// Adjacent layers of the list before and after a step, so that a step does not copy a list of a
// thousand layers.
struct LayerSplice {
    size_t at = 0;
    std::vector<Layer> before, after;
};

struct Document::State {
    explicit State(Document& owner);

    Document& document;
    std::vector<Layer> entries;  // kept ones, then the live one
    // Ids of all layers that were ever in the list, in list order; a restored layer finds its
    // position here.
    std::vector<int> order;
    std::map<int, std::shared_ptr<const MarkerSet>> markers;
    std::map<int, std::vector<MarkerGroup>> markerGroups;  // replaces a single group of all rows
    std::map<int, std::shared_ptr<const ImageMesh>> meshes;
    int active = -1;
    RowSelection selection;
    DocumentView view;
    std::map<Shown, ColorScale> scales;
    DrawableCache drawables;
    // Names and recipes of all ids ever used; recipes of closed maps are needed to recompute
    // others.
    std::map<int, AwaitedLayer> lineage;
    int lastId = 0;
    uint64_t lastRevision = 0;
    // Restored view after the live map is removed.
    std::optional<Shown> shownBeforeLive, comparedBeforeLive;
    Shown livePictureOf;
    std::shared_ptr<DevicePicture> livePicture;
    // While a session is being restored.
    std::vector<AwaitedLayer> awaited;
    Shown awaitedShown, awaitedCompared;
    int awaitedActive = -1;
    std::vector<MissingLayer> missing;
    // The splices of the history, oldest first. Declared before the stack, because its destruction
    // removes them.
    std::vector<LayerSplice*> splices;
    int64_t undoBudget;
    QUndoStack undo;
    int gesture = 0;
    // Last index of a layer: a hint that is verified before use.
    mutable std::unordered_map<int, size_t> places;

    Layer* find(int id);
    // Records the order of the open layers.
    void noteOrder();
    // List position of a restored layer.
    std::vector<Layer>::iterator placeOf(int id);
    // `wanted` if its layer is open, else its nearest open ancestor, else nothing.
    Shown resolved(Shown wanted) const;
    Layer newEntry(int id, const LayerValue& value, const QString& name, const Recipe& recipe,
                   int parent);
    // The camera for a view whose first shown map becomes `frame`.
    static Camera adapted(const Camera& camera, Frame frame);
    // The whole sky in place of a camera that was moved. The projection of a camera at home stays.
    static Camera unmoved(const Camera& camera);
    std::vector<Layer> keptEntries() const;
    DocumentView viewWithoutLive() const;

    // The present view with other maps. Throws InvalidArgument for fields or quantities that the
    // layers lack.
    DocumentView comparing(const Shown& shown, const Shown& compared, Comparison comparison) const;

    // Pushes a step from the present view to `to`.
    void pushView(const QString& text, const DocumentView& to);
    void pushLook(const QString& text, const DocumentView& to);
    // The step also hides the layers `hides`, which are visible.
    void pushEntries(const QString& text, std::vector<Layer> after, const DocumentView& viewBefore,
                     const DocumentView& viewAfter, std::vector<int> hides = {});
    void pushScale(const Shown& shown, const QString& text, const ColorScale& scale);
    void pushStyle(int id, const QString& text, const LayerStyle& style);

    // Called by the steps: change the values and emit the signals.
    void applyView(const DocumentView& from, const DocumentView& to);
    void applySplice(LayerSplice& splice, bool forward, const DocumentView& viewFrom,
                     const DocumentView& viewTo);
    void applyStyle(int id, const LayerStyle& style);
    void becomeActive(int id);
    void applyScale(const Shown& shown, const ColorScale& scale);
    // Marks a layer to be recomputed from its recipe, together with its closed inputs.
    void await(int id);
    bool isAwaited(int id) const;
    // Restores the active layer after the last awaited layer has arrived.
    void endAwaiting();
    // Reduces closed layers beyond the budget to recipes, the ones closed first before others.
    void trimUndo();
    std::vector<const Layer*> heldByUndo() const;
    UndoMemory undoMemory() const;
    int64_t pictureBytes(int id) const;
    // Updates the shown map and the drawables after layers were removed.
    void tidy();
    void protectShown();
};

// Access to the internal state for the steps of the history (document_state.cpp), links
// (layer_links.cpp) and the writer (document_json.cpp).
struct DocumentCommands {
    class View;
    class Entries;
    class Style;
    class Colors;
    static Document::State& stateOf(const Document& document) { return *document.state_; }
};

}  // namespace armilla
