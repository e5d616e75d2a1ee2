// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a document: its values, and the undoable steps between them.
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "drawable_cache.h"
#include "session/document.h"
#include "session/same_scale.h"

namespace armilla {

// Everything about the view; a step remembers it before and after, and touches only what differs.
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
// Layers next to each other in the list, as they were and as they became: all that a step of the
// history needs to hold of a list of a thousand.
struct LayerSplice {
    size_t at = 0;
    std::vector<Layer> before, after;
};

struct Document::State {
    explicit State(Document& owner);

    Document& document;
    std::vector<Layer> entries;  // kept ones, then the live one
    // Numbers of all that ever was in the list, in its order: one that comes back finds its place.
    std::vector<int> order;
    std::map<int, std::shared_ptr<const MarkerSet>> markers;
    std::map<int, std::vector<MarkerGroup>> markerGroups;  // in place of all rows alike
    std::map<int, std::shared_ptr<const ImageMesh>> meshes;
    int active = -1;
    RowSelection selection;
    DocumentView view;
    std::map<Shown, ColorScale> scales;
    DrawableCache drawables;
    // What every id ever stood for: names and recipes of closed maps are needed to make others.
    std::map<int, AwaitedLayer> lineage;
    int lastId = 0;
    uint64_t lastRevision = 0;
    // What is shown instead of the live map when that goes.
    std::optional<Shown> shownBeforeLive, comparedBeforeLive;
    Shown livePictureOf;
    std::shared_ptr<DevicePicture> livePicture;
    // While a session comes back.
    std::vector<AwaitedLayer> awaited;
    Shown awaitedShown, awaitedCompared;
    int awaitedActive = -1;
    std::vector<MissingLayer> missing;
    // What the steps of the history hold, the oldest first; before the stack, which lets go of it.
    std::vector<LayerSplice*> splices;
    int64_t undoBudget;
    QUndoStack undo;
    int gesture = 0;
    // Where a layer was found last: a hint, looked at before it is trusted.
    mutable std::unordered_map<int, size_t> places;

    Layer* find(int id);
    // The order of the list is that of what is open.
    void noteOrder();
    // Where one that comes back belongs.
    std::vector<Layer>::iterator placeOf(int id);
    // `wanted` if its entry is there, else its nearest ancestor that is; else nothing.
    Shown resolved(Shown wanted) const;
    Layer newEntry(int id, const LayerValue& value, const QString& name, const Recipe& recipe,
                   int parent);
    // The camera for a view whose first shown map becomes `frame`.
    static Camera adapted(const Camera& camera, Frame frame);
    std::vector<Layer> keptEntries() const;
    DocumentView viewWithoutLive() const;

    // The present view with other maps. Throws InvalidArgument for what the layers have not.
    DocumentView comparing(const Shown& shown, const Shown& compared, Comparison comparison) const;

    // Pushes a step that leads from the present view to `to`.
    void pushView(const QString& text, const DocumentView& to);
    void pushLook(const QString& text, const DocumentView& to);
    // It hides the visible layers `hides`.
    void pushEntries(const QString& text, std::vector<Layer> after, const DocumentView& viewBefore,
                     const DocumentView& viewAfter, std::vector<int> hides = {});
    void pushScale(const Shown& shown, const QString& text, const ColorScale& scale);
    void pushStyle(int id, const QString& text, const LayerStyle& style);

    // Used by the steps; they change the values and tell.
    void applyView(const DocumentView& from, const DocumentView& to);
    void applySplice(LayerSplice& splice, bool forward, const DocumentView& viewFrom,
                     const DocumentView& viewTo);
    void applyStyle(int id, const LayerStyle& style);
    void becomeActive(int id);
    void applyScale(const Shown& shown, const ColorScale& scale);
    // To be made again from its recipe, and the closed layers that it is made from.
    void await(int id);
    bool isAwaited(int id) const;
    // Once nothing is awaited any more, what was active is active again.
    void endAwaiting();
    // Closed layers beyond the budget are kept as recipes, those closed first before others.
    void trimUndo();
    std::vector<const Layer*> heldByUndo() const;
    UndoMemory undoMemory() const;
    int64_t pictureBytes(int id) const;
    // After entries have gone: what is shown, and the drawables.
    void tidy();
    void protectShown();
};

// What may see the inside of a document beside its own functions: the steps of its history
// (document_state.cpp), links (layer_links.cpp), and its writer (document_json.cpp).
struct DocumentCommands {
    class View;
    class Entries;
    class Style;
    class Colors;
    static Document::State& stateOf(const Document& document) { return *document.state_; }
};

}  // namespace armilla
