// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: layers (maps with their fields, catalogs, images, curves), the view of them, the
// comparison, with undo and redo.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "core/map_statistics.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "render/image_mesh.h"
#include "render/line_integral.h"
#include "render/map_pyramid.h"
#include "render/sparse_pyramid.h"
#include "session/layer.h"
#include "session/shown.h"

namespace armilla {

class DevicePicture;

enum class Comparison { Single, SideBySide, Blink, Swipe };

// A field made ready to draw; shared, immutable, made in a job.
struct DrawableField {
    // One of the two: twelve faces, or of a deep or small part of the sky its cells alone, which
    // CPU threads draw.
    std::shared_ptr<const MapPyramid> pyramid;
    std::shared_ptr<const SparsePyramid> cells;
    // Q, U and their angle as a picture in this frame shows them; Unknown: as the map has them.
    Frame turnedTo = Frame::Unknown;
    FieldStatistics statistics;
    std::vector<float> sortedSample;  // evenly strided finite values, ascending: ranges, histogram
    std::optional<Vec3> peak;  // of a probability: where most of it is, in the map's own frame
    uint64_t revision = 0;     // of the entry it was made from

    bool isReady() const { return pyramid || cells; }
    Frame frame() const;  // of the map
    int64_t memoryBytes() const;
};
// The range and colors that values open with (render/opening_colors.h).
ColorScale defaultColorScale(const DrawableField& field, Quantity quantity);

// What a file was when it was read: tells whether it is still the same.
struct FileMark {
    int64_t bytes = -1;  // -1: not known
    QString checksum;    // BLAKE2b of 256 bits, hexadecimal: what `b2sum -l 256` prints
    bool operator==(const FileMark&) const = default;
};

// A layer of a session file, or of a step of the history, that is to be made again from its recipe.
struct AwaitedLayer {
    int id = 0;
    LayerKind kind = LayerKind::Map;
    QString name;
    Recipe recipe;
    LayerStyle style;
    int parent = -1;
    bool hidden = false;        // no longer open, but needed to make others
    QString relativePath = {};  // of its file, from the folder of the session file
    FileMark mark = {};
};

// One that could not be made again: kept as it stood, to be tried again or closed.
struct MissingLayer {
    AwaitedLayer layer;
    QString reason;
};

// Memory that undo holds and what is open does not.
struct UndoMemory {
    int64_t bytes = 0, budget = 0;
    int layers = 0, recipes = 0;  // closed layers held by value, and as recipes alone
};

// How polarization looks over a map with Q and U, beside its rods.
struct PolarizationLook {
    bool drapery = false;  // a texture along the polarization shades the colors
    double leastSnr =
        0.0;  // rods fainter than this times their noise are hidden, and freed of bias
    // The field of a layer that rods are as long as; while that is no map, the polarized amplitude.
    int lengthLayer = -1, lengthField = 0;
    // Of maps whose files say nothing of their sign of U.
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    bool operator==(const PolarizationLook&) const = default;
};

// A row of a catalog that is looked at.
struct RowSelection {
    int layer = -1;
    int64_t row = -1;
    bool operator==(const RowSelection&) const = default;
};

// Markers of one look.
struct MarkerGroup {
    std::shared_ptr<const MarkerSet> set;
    MarkerStyle style;
};

// Lives in the window's thread. Changes the user can undo go through the set... functions, which
// push onto undoStack(); successive camera moves and slider steps merge into one step.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // Kept layers in the order they came, or were put; then the live one if there is one. Each has
    // its value. Images are drawn in this order, and catalogs over them, the last on top.
    const std::vector<Layer>& entries() const;
    const Layer* entry(int id) const;
    // How a layer came to be, also one that is closed by now; none for a number never used.
    std::optional<Recipe> recipeOf(int id) const;
    // Something that it was made from is not open any more: it keeps its value and its recipe.
    bool isDetached(const Layer& layer) const;
    // Adds a layer as an undoable step and makes it the active one. Returns the id. A map is shown,
    // alone if it was made from others. The first map sets the camera to its own frame; so does a
    // later one if the camera is at rest in its home position.
    int addLayer(const LayerValue& value, const QString& name, const Recipe& recipe,
                 int parent = -1);
    // Several results of one operation, in one step. Returns the ids.
    struct NewLayer {
        LayerValue value;
        QString name;
        bool visible = true;
    };
    // The first of them becomes the active one. What is in `covering` would lie over them: it is
    // hidden in the same step.
    std::vector<int> addLayers(const std::vector<NewLayer>& made, const Recipe& recipe, int parent,
                               const std::vector<int>& covering = {});
    // Gives a layer another value of its kind and another recipe, no step of the history: for
    // tools that keep steps of their own. Throws InvalidArgument for another kind.
    void setValue(int id, const LayerValue& value, const Recipe& recipe);
    void removeLayer(int id);
    // All of them, as one step.
    void removeAll();
    // Puts a layer at the place of another one in the list; those between move up.
    void moveLayer(int id, int to);
    void renameLayer(int id, const QString& name);
    // Undoable; steps of a slider merge until endGesture().
    void setStyle(int id, const LayerStyle& style);
    // The layer that keys, tools and panels are about, -1 if there is none; not part of the
    // history.
    int active() const;
    void setActive(int id);
    RowSelection selection() const;
    void setSelection(const RowSelection& selection);
    // A catalog's positions ready to draw, once they have been made.
    std::shared_ptr<const MarkerSet> markers(int id) const;
    void setMarkers(int id, std::shared_ptr<const MarkerSet> markers);
    // What is drawn of a catalog: groups that somebody made of it, else all rows alike. Empty while
    // nothing is ready.
    std::vector<MarkerGroup> markerGroups(int id) const;
    void setMarkerGroups(int id, std::optional<std::vector<MarkerGroup>> groups);
    // The plane of an image ready to draw; its colors are those of Shown{id}, `opening` the first.
    std::shared_ptr<const ImageMesh> imageMesh(int id) const;
    void setImageMesh(int id, std::shared_ptr<const ImageMesh> mesh);
    // The live (not kept) result of a tool: replaced in place, no undo; keep turns it into a map of
    // its own as an undoable step (same id); drop removes it. The first one takes the place of its
    // parent: where that is shown alone, the live map is shown; in a comparison it is compared.
    int setLive(const std::shared_ptr<const HealpixMap>& map, const QString& name,
                const Recipe& recipe, int parent);
    int keepLive();  // -1 if there is none
    void dropLive();
    const Layer* live() const;
    // What the live result looks like where it lies in the memory of the device that draws, for the
    // shown field it was made for; null for any other, without one, and once there is no live map.
    // Draws in place of the drawable.
    std::shared_ptr<DevicePicture> livePicture(const Shown& shown) const;
    std::shared_ptr<DevicePicture> livePicture() const;
    void setLivePicture(const Shown& shown, std::shared_ptr<DevicePicture> picture);
    // The field of `result` (a map made from entry `shown.entry`) that corresponds to `shown`:
    // found by the field's name, else the first one.
    Shown counterpart(const Shown& shown, int entry, const HealpixMap& result) const;

    // The field ready to draw, if it has been made (drawableChanged tells). While the entry's map
    // is replaced, the last one stays until the new one comes.
    std::shared_ptr<const DrawableField> drawable(const Shown& shown) const;
    // Dropped if the entry is gone or `field` was made from an older map of it. The first one of a
    // field gives it its default color scale; where nobody has changed that, it follows Q and U as
    // they turn.
    void setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field);
    // Drawables that are not shown are kept up to this many bytes, the latest used first.
    void setDrawableBudget(int64_t bytes);

    Shown shown() const;     // left, before, A
    Shown compared() const;  // right, after, B
    Comparison comparison() const;
    double swipe() const;  // 0..1 of the width
    const Camera& camera() const;
    const ColorScale& colorScale(const Shown& shown) const;
    double graticuleStep() const;  // radians, 0: automatic
    bool graticuleVisible() const;
    bool rodsVisible() const;
    const PolarizationLook& polarizationLook() const;
    // The layer that rods are as long as; null: the polarized amplitude.
    const Layer* rodLengths() const;

    // Ignored where nothing changes. setShown and setCompared throw InvalidArgument for a field or
    // quantity the entry has not.
    void setShown(const Shown& shown);
    void setCompared(const Shown& shown);  // entry -1: none
    void setComparison(Comparison comparison);
    // All three as one step of the history, which is named by the comparison.
    void compare(const Shown& shown, const Shown& compared, Comparison comparison);
    void setSwipe(double position);
    void setCamera(const Camera& camera);
    // To where the data lie, in another projection if need be: one step however many views lead
    // there, and none of its own right behind the step that brought the data.
    void lookAtData(const Camera& camera);
    void setColorScale(const Shown& shown, const ColorScale& scale);
    void setGraticule(bool visible, double step);
    void setRodsVisible(bool visible);
    void setPolarizationLook(const PolarizationLook& look);
    // No steps of the history, as selections are none: a blink by key, a view that follows the row
    // that is gone on to. Undo leads back what was done, not what was looked at in between.
    void glance(const Shown& shown, const Shown& compared, Comparison comparison);
    void glance(const Camera& camera);
    // Ends a gesture (mouse released): the next change is a step of its own, but for movements of
    // the view, which are one step while no pause of two seconds comes between them.
    void endGesture();

    QUndoStack* undoStack();
    // The history keeps the values of closed layers up to this many bytes, those closed last; of
    // the others the recipe, from which undo makes them again (layersAwaited tells).
    void setUndoBudget(int64_t bytes);
    UndoMemory undoMemory() const;
    // Of what is made ready to draw of a layer: pyramids, markers, a mesh.
    int64_t pictureBytes(int id) const;
    // What the file of an opened layer was when it was read.
    FileMark fileMark(int id) const;
    void setFileMark(int id, const FileMark& mark);
    // Everything that a session file holds, maps as recipes; with paths relative to `folder`, too,
    // if one is given.
    QJsonObject toJson(const QString& folder = {}) const;
    // Replaces everything by the saved state, without the maps: those of awaited() are then to be
    // made by the caller's jobs, inputs first, and handed to restoreLayer, or given up. What is
    // shown comes back as its maps come. Throws InvalidArgument, with nothing changed, if the JSON
    // is not what toJson writes. Empties the undo stack.
    void restore(const QJsonObject& json);
    const std::vector<AwaitedLayer>& awaited() const;
    void restoreLayer(int id, const LayerValue& value);
    void giveUpAwaited(int id);
    // Its file is at another place than the session says.
    void relocateAwaited(int id, const QString& path);
    // An awaited layer that could not be made stays as it stood, until it is awaited again, with
    // all that misses it, or closed. They are part of what toJson writes.
    const std::vector<MissingLayer>& missing() const;
    void setMissing(int id, const QString& reason);
    // `path`: where its file is now; empty: where it was.
    void awaitMissing(int id, const QString& path = {});
    void removeMissing(int id);

signals:
    // Undo or redo came to layers whose values were given up, or missing ones are to be tried
    // again: those of awaited() are to be made as after restore().
    void layersAwaited();
    void missingChanged();
    void entriesChanged();
    void shownChanged();
    void drawableChanged(int entry);
    // As often as frames come; nothing else has changed.
    void livePictureChanged();
    // What lies over the map looks different: style, markers, visibility.
    void styleChanged(int layer);
    void markerGroupsChanged(int layer);
    void activeChanged();
    void selectionChanged();
    void cameraChanged();
    void colorScaleChanged(int entry);
    void comparisonChanged();
    void overlaysChanged();

private:
    struct State;
    friend struct DocumentCommands;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
