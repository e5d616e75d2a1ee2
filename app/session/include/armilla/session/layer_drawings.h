// SPDX-License-Identifier: GPL-3.0-or-later
// How the layers of a document look: styles, colors, and data that jobs prepared for drawing.
#pragma once

#include <QObject>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/map_statistics.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/sparse_pyramid.h"
#include "armilla/session/layer.h"
#include "armilla/session/shown.h"

namespace armilla {

class DrawableCache;
class History;
class LayerList;

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

// Markers with one style.
struct MarkerGroup {
    std::shared_ptr<const MarkerSet> set;
    MarkerStyle style;
};

// setStyle() and setColorScale() push undoable steps. Used only in the window's thread.
class LayerDrawings : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive the drawings.
    LayerDrawings(LayerList& layers, History& history);
    ~LayerDrawings() override;

    // Undoable; steps of a slider merge until the gesture ends.
    void setStyle(LayerId id, const LayerStyle& style);
    // The color scale of a field or quantity.
    const ColorScale& colorScale(const Shown& shown) const;
    void setColorScale(const Shown& shown, const ColorScale& scale);

    // The field prepared for drawing; null until drawableChanged is emitted. After the map is
    // replaced, the previous drawable stays until the new one is ready.
    std::shared_ptr<const DrawableField> drawable(const Shown& shown) const;
    // Ignored if the layer is gone or `field` comes from an older value of the map. The first
    // drawable sets the default color scale of the field. Until the user changes the scale, it
    // follows the rotation of Q and U.
    void setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field);
    // Byte limit for drawables that are not shown; the least recently used ones are dropped first.
    void setDrawableBudget(int64_t bytes);
    // Positions of a catalog, prepared for drawing; null until prepared.
    std::shared_ptr<const MarkerSet> markers(LayerId id) const;
    void setMarkers(LayerId id, std::shared_ptr<const MarkerSet> markers);
    // The marker groups of a catalog: the groups that were set, else all rows with one style. Empty
    // until the markers are prepared.
    std::vector<MarkerGroup> markerGroups(LayerId id) const;
    void setMarkerGroups(LayerId id, std::optional<std::vector<MarkerGroup>> groups);
    // The plane of an image, prepared for drawing. Its colors are those of Shown{id}; `opening` is
    // their initial value.
    std::shared_ptr<const ImageMesh> imageMesh(LayerId id) const;
    void setImageMesh(LayerId id, std::shared_ptr<const ImageMesh> mesh);
    // Bytes prepared for drawing a layer: pyramids, markers, a mesh.
    int64_t pictureBytes(LayerId id) const;

    // For the steps of the history and for other parts of the document.
    void applyStyle(LayerId id, const LayerStyle& style);
    void applyScale(const Shown& shown, const ColorScale& scale);
    const std::map<Shown, ColorScale>& scales() const { return scales_; }
    // Copies the color scale of `from` to `to`; no signal, because `to` is not drawn yet.
    void copyScale(const Shown& from, const Shown& to);
    // Keeps these drawables, which are shown, regardless of the budget.
    void protect(std::vector<Shown> shown);
    // Discards markers and mesh of a layer with another value.
    void forgetValue(LayerId id);
    void forgetClosed();
    // Discards everything but these scales.
    void reset(std::map<Shown, ColorScale> scales);

signals:
    // A drawable of the layer is ready or has been replaced.
    void drawableChanged(LayerId entry);
    // The style, markers or visibility of an overlaid layer has changed.
    void styleChanged(LayerId layer);
    void markerGroupsChanged(LayerId layer);
    // A color scale of the layer has changed.
    void colorScaleChanged(LayerId entry);

private:
    LayerList& layers_;
    History& history_;
    std::map<Shown, ColorScale> scales_;
    std::unique_ptr<DrawableCache> drawables_;
    std::map<LayerId, std::shared_ptr<const MarkerSet>> markers_;
    std::map<LayerId, std::vector<MarkerGroup>>
        markerGroups_;  // replaces a single group of all rows
    std::map<LayerId, std::shared_ptr<const ImageMesh>> meshes_;
};

}  // namespace armilla
