// SPDX-License-Identifier: GPL-3.0-or-later
// The open layers (maps with their fields, catalogs, images, curves), their view and comparison,
// with undo and redo.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/map_statistics.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/draw/line_integral.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/sparse_pyramid.h"
#include "armilla/session/layer.h"
#include "armilla/session/shown.h"

namespace armilla {

class DevicePicture;

// Display of the shown (A) and the compared (B) map.
enum class Comparison { Single, SideBySide, Blink, Swipe };

// A field prepared for drawing by a job; shared and immutable.
struct DrawableField {
    // One of the two is set. A pyramid holds twelve faces. A deep or small part of the sky is kept
    // as cells only, which CPU threads draw.
    std::shared_ptr<const MapPyramid> pyramid;
    std::shared_ptr<const SparsePyramid> cells;
    // The frame that Q, U and their angle are rotated to; Unknown: the values of the map.
    Frame turnedTo = Frame::Unknown;
    FieldStatistics statistics;
    // evenly strided finite values, ascending; for ranges and the histogram
    std::vector<float> sortedSample;
    std::optional<Vec3> peak;  // peak of a probability map, in the frame of the map
    uint64_t revision = 0;     // revision of the layer

    // True if the field can be drawn.
    bool isReady() const { return pyramid || cells; }
    Frame frame() const;  // Frame of the map.
    // Host memory of the drawing data.
    int64_t memoryBytes() const;
};
// The initial range and colors of values (armilla/draw/opening_colors.h).
ColorScale defaultColorScale(const DrawableField& field, Quantity quantity);

// State of a file when it was read; a difference shows that the file has changed.
struct FileMark {
    int64_t bytes = -1;  // -1: unknown
    QString checksum;    // BLAKE2b of 256 bits, hexadecimal, as `b2sum -l 256` prints
    bool operator==(const FileMark&) const = default;
};

// A layer of a session file, or of a history step, that must be recomputed from its recipe.
struct AwaitedLayer {
    int id = 0;
    LayerKind kind = LayerKind::Map;
    QString name;
    Recipe recipe;
    LayerStyle style;
    int parent = -1;
    bool hidden = false;        // closed, but needed to recompute other layers
    QString relativePath = {};  // path of its file relative to the folder of the session file
    FileMark mark = {};
};

// A layer that could not be recomputed. It is kept unchanged until it is retried or closed.
struct MissingLayer {
    AwaitedLayer layer;
    QString reason;
};

// Memory that only the undo history holds, in addition to the open layers.
struct UndoMemory {
    int64_t bytes = 0, budget = 0;
    int layers = 0, recipes = 0;  // closed layers held with their values, and as recipes only
};

// Appearance of polarization over a map with Q and U, in addition to the line segments.
struct PolarizationLook {
    bool lic = false;  // line integral convolution along the polarization shades the colors
    double leastSnr =
        // line segments with an amplitude below this many sigma are hidden; the rest are debiased
        0.0;
    // The layer and field that set the length of the line segments. If the layer is no map, the
    // polarized amplitude sets the length.
    int lengthLayer = -1, lengthField = 0;
    // Convention for maps whose files do not state the sign of U.
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    bool operator==(const PolarizationLook&) const = default;
};

// The selected row of a catalog.
struct RowSelection {
    int layer = -1;
    int64_t row = -1;
    bool operator==(const RowSelection&) const = default;
};

// Markers with one style.
struct MarkerGroup {
    std::shared_ptr<const MarkerSet> set;
    MarkerStyle style;
};

// Used only in the window's thread. The set... functions push undoable changes onto undoStack().
// Successive camera moves and slider steps merge into one step.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // Kept layers in list order, then the live layer if there is one. Each has a value. Images are
    // drawn in this order, then catalogs; the last one lies on top.
    const std::vector<Layer>& entries() const;
    // The layer with this id; null if it is not open.
    const Layer* entry(int id) const;
    // The recipe of a layer, open or closed; none for an id that was never used.
    std::optional<Recipe> recipeOf(int id) const;
    // True if an input of the layer is no longer open. The layer keeps its value and its recipe.
    bool isDetached(const Layer& layer) const;
    // Adds a layer as an undoable step, makes the layer active and returns its id. A map is shown;
    // a map made from others (`parent`) is shown alone. The first map sets the camera to its own
    // frame; a later map does so only if the camera rests in its home position.
    int addLayer(const LayerValue& value, const QString& name, const Recipe& recipe,
                 int parent = -1);
    // Adds several results of one operation in one step. Returns the ids.
    struct NewLayer {
        LayerValue value;
        QString name;
        bool visible = true;
    };
    // The first layer becomes the active one. Layers in `covering` would hide the results, so the
    // same step hides these layers.
    std::vector<int> addLayers(const std::vector<NewLayer>& made, const Recipe& recipe, int parent,
                               const std::vector<int>& covering = {});
    // Replaces the value (of the same kind) and the recipe of a layer without a history step, for
    // tools with their own steps. Throws InvalidArgument for another kind.
    void setValue(int id, const LayerValue& value, const Recipe& recipe);
    // Closes a layer, as one step.
    void removeLayer(int id);
    // Removes all layers in one step.
    void removeAll();
    // Moves a layer to the position of another layer in the list; the layers between shift by one.
    void moveLayer(int id, int to);
    // Changes the name of a layer, as one step.
    void renameLayer(int id, const QString& name);
    // Undoable; steps of a slider merge until endGesture().
    void setStyle(int id, const LayerStyle& style);
    // The layer that keys, tools and panels act on; -1 if there is none. Not part of the history.
    int active() const;
    void setActive(int id);
    // The selected catalog row; not part of the history.
    RowSelection selection() const;
    void setSelection(const RowSelection& selection);
    // Positions of a catalog, prepared for drawing; null until prepared.
    std::shared_ptr<const MarkerSet> markers(int id) const;
    void setMarkers(int id, std::shared_ptr<const MarkerSet> markers);
    // The marker groups of a catalog: the groups that were set, else all rows with one style. Empty
    // until the markers are prepared.
    std::vector<MarkerGroup> markerGroups(int id) const;
    void setMarkerGroups(int id, std::optional<std::vector<MarkerGroup>> groups);
    // The plane of an image, prepared for drawing. Its colors are those of Shown{id}; `opening` is
    // their initial value.
    std::shared_ptr<const ImageMesh> imageMesh(int id) const;
    void setImageMesh(int id, std::shared_ptr<const ImageMesh> mesh);
    // The live result of a tool, which is not yet kept. setLive() replaces the result in place,
    // without undo. keepLive() turns the result into a layer with the same id, as an undoable step.
    // dropLive() removes the result.
    //
    // The first live result takes the place of its parent. If the parent is shown alone, the live
    // map is shown; in a comparison it is compared.
    int setLive(const std::shared_ptr<const HealpixMap>& map, const QString& name,
                const Recipe& recipe, int parent);
    int keepLive();  // -1 if there is no live result
    void dropLive();
    // The live layer; null if there is none.
    const Layer* live() const;
    // The live result in the memory of the device that draws, for the shown field that it was
    // computed for. Null for any other field and without a live map. Replaces the drawable in the
    // picture.
    std::shared_ptr<DevicePicture> livePicture(const Shown& shown) const;
    std::shared_ptr<DevicePicture> livePicture() const;
    void setLivePicture(const Shown& shown, std::shared_ptr<DevicePicture> picture);
    // The field of `result` (a map made from layer `shown.entry`) that corresponds to `shown`: the
    // field of the same name, else the first field.
    Shown counterpart(const Shown& shown, int entry, const HealpixMap& result) const;

    // The field prepared for drawing; null until drawableChanged is emitted. After the map is
    // replaced, the previous drawable stays until the new one is ready.
    std::shared_ptr<const DrawableField> drawable(const Shown& shown) const;
    // Ignored if the layer is gone or `field` comes from an older value of the map. The first
    // drawable sets the default color scale of the field. Until the user changes the scale, it
    // follows the rotation of Q and U.
    void setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field);
    // Byte limit for drawables that are not shown; the least recently used ones are dropped first.
    void setDrawableBudget(int64_t bytes);

    Shown shown() const;     // left, before, A
    Shown compared() const;  // right, after, B
    // Display of A and B.
    Comparison comparison() const;
    double swipe() const;  // 0..1 of the width
    // The camera of the view.
    const Camera& camera() const;
    // The color scale of a field or quantity.
    const ColorScale& colorScale(const Shown& shown) const;
    double graticuleStep() const;  // radians, 0: automatic
    // Visibility of the graticule.
    bool graticuleVisible() const;
    // Visibility of the polarization line segments.
    bool rodsVisible() const;
    // Appearance of polarization.
    const PolarizationLook& polarizationLook() const;
    // The layer that sets the length of the line segments; null: the polarized amplitude.
    const Layer* rodLengths() const;

    // Ignored if nothing changes. setShown and setCompared throw InvalidArgument for a field or
    // quantity that the layer does not have.
    void setShown(const Shown& shown);
    void setCompared(const Shown& shown);  // entry -1: none
    // Changes the display of A and B, as one step.
    void setComparison(Comparison comparison);
    // Sets all three as one step of the history, named after the comparison.
    void compare(const Shown& shown, const Shown& compared, Comparison comparison);
    void setSwipe(double position);
    // Moves the view; successive movements merge into one step.
    void setCamera(const Camera& camera);
    // Points the camera at the data, in another projection if necessary. Successive calls merge
    // into one step. A call right after the step that opened the data adds no step.
    void lookAtData(const Camera& camera);
    void setColorScale(const Shown& shown, const ColorScale& scale);
    void setGraticule(bool visible, double step);
    void setRodsVisible(bool visible);
    void setPolarizationLook(const PolarizationLook& look);
    // Changes the view without a history step, as selections do: a blink by key, or a view that
    // follows the selected row. Undo reverts edits, not glances between edits.
    void glance(const Shown& shown, const Shown& compared, Comparison comparison);
    void glance(const Camera& camera);
    // Ends a gesture (mouse released), so that the next change is a new step. Camera moves still
    // merge until a pause of two seconds.
    void endGesture();

    // The history of undoable steps.
    QUndoStack* undoStack();
    // Byte limit for values of closed layers in the history; the last closed layers are kept. Older
    // layers keep only the recipe, and undo recomputes the value (signal layersAwaited).
    void setUndoBudget(int64_t bytes);
    UndoMemory undoMemory() const;
    // Bytes prepared for drawing a layer: pyramids, markers, a mesh.
    int64_t pictureBytes(int id) const;
    // State of the file of an opened layer when the file was read.
    FileMark fileMark(int id) const;
    void setFileMark(int id, const FileMark& mark);
    // The content of a session file, with maps as recipes. Paths relative to `folder` are added if
    // a folder is given.
    QJsonObject toJson(const QString& folder = {}) const;
    // Replaces the document by the saved state, without the values of layers. The caller then
    // computes the layers of awaited() in jobs, inputs first, and calls restoreLayer() for each or
    // gives it up. The view is restored as its maps arrive.
    //
    // Throws InvalidArgument, with nothing changed, if the JSON is not in the format of toJson().
    // Empties the undo stack.
    void restore(const QJsonObject& json);
    const std::vector<AwaitedLayer>& awaited() const;
    // Sets the recomputed value of an awaited layer.
    void restoreLayer(int id, const LayerValue& value);
    // Removes an awaited layer that cannot be recomputed.
    void giveUpAwaited(int id);
    // Changes the path of an awaited layer whose file has moved since the session was saved.
    void relocateAwaited(int id, const QString& path);
    // An awaited layer that could not be computed. It is kept unchanged until it is awaited again
    // (with all layers that depend on it) or closed. Missing layers are part of toJson().
    const std::vector<MissingLayer>& missing() const;
    void setMissing(int id, const QString& reason);
    // `path`: the present location of the file; empty: unchanged.
    void awaitMissing(int id, const QString& path = {});
    // Closes a missing layer.
    void removeMissing(int id);

signals:
    // Undo or redo needs layers whose values were dropped, or missing layers are to be retried. The
    // layers of awaited() must be computed as after restore().
    void layersAwaited();
    // The list missing() has changed.
    void missingChanged();
    // Layers were added, removed, moved, renamed or replaced.
    void entriesChanged();
    // Another field is shown or compared.
    void shownChanged();
    // A drawable of the layer is ready or has been replaced.
    void drawableChanged(int entry);
    // Emitted at the rate of frames; nothing else has changed.
    void livePictureChanged();
    // The style, markers or visibility of an overlaid layer has changed.
    void styleChanged(int layer);
    void markerGroupsChanged(int layer);
    // Another layer is active.
    void activeChanged();
    void selectionChanged();
    void cameraChanged();
    // A color scale of the layer has changed.
    void colorScaleChanged(int entry);
    // Display of A and B, or the divider, has changed.
    void comparisonChanged();
    // Visibility of graticule or line segments, or appearance of polarization, has changed.
    void overlaysChanged();

private:
    struct State;
    friend struct DocumentCommands;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
