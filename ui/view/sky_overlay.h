// SPDX-License-Identifier: GPL-3.0-or-later
// Everything over the picture: graticule, outline, line segments, names, color bars, divider,
// ruler, cursors. One widget for every kind of canvas, so that all look alike.
#pragma once

#include <QPainterPath>
#include <QPixmap>
#include <QRect>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "armilla/draw/camera.h"
#include "armilla/draw/graticule.h"
#include "armilla/ui/color_bar_widget.h"
#include "armilla/ui/paints_over_sky.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/theme.h"

namespace armilla {

// Lengths are device pixels of the view unless noted.
struct OverlayScene {
    struct Chip {
        int panel = 0;
        bool right = false;  // at the right upper corner of the panel
        QString text;
        bool busy = false;  // a newer picture is being made
        int row = 0;        // row below the names, for sentences
    };
    struct Bar {
        int panel = 0;
        ColorScale scale;
        ColorBarText text;
    };
    struct Cross {
        int panel = 0;
        QPointF at;  // in the panel
    };
    // Around the marker of a catalog that is selected or under the pointer.
    struct Ring {
        int panel = 0;
        QPointF at;           // in the panel
        double radius = 0.0;  // logical pixels
        QString text;         // label; empty: none
    };
    struct Rods {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        std::vector<Rod> rods;
        double scaleLength = 0.0;  // segment length for the amplitude `scaleText`
        QString scaleText;
        bool operator==(const Rods&) const = default;
    };
    // Darkens the picture below in a whole panel.
    struct Shade {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        QImage image;
        bool operator==(const Shade& other) const {
            return panel == other.panel && clipLeft == other.clipLeft &&
                   clipRight == other.clipRight && image.cacheKey() == other.image.cacheKey();
        }
    };
    // Border of the result that a tool would make.
    struct Border {
        int panel = 0;
        std::vector<Polyline> lines;
        bool operator==(const Border&) const = default;
    };
    // Contour of equal level in the shown map.
    struct Contour {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        bool strong = true;
        std::vector<Polyline> pieces;
        bool operator==(const Contour&) const = default;
    };
    // A line on the sky in pixels of a panel.
    struct Drawn {
        int panel = 0;
        SkyLine::Ink ink = SkyLine::Ink::Region;
        std::vector<Polyline> lines;
        std::vector<QPointF> handles;
        QString text;
        double width = 0.0;  // width of a brush; 0: a thin line
        bool operator==(const Drawn&) const = default;
    };
    struct Ruler {
        int panel = 0;
        Vec3 from, to;  // in the camera's frame
    };

    Camera camera;
    std::vector<QRect> panels;
    bool graticule = true;
    double graticuleStep = 0.0;
    std::vector<Chip> chips;
    std::vector<Bar> bars;
    std::vector<Cross> crosses;
    std::vector<Ring> rings;
    std::vector<Shade> shades;
    std::vector<Rods> rods;
    std::vector<Border> borders;
    std::vector<Contour> contours;
    std::vector<Drawn> drawn;
    std::optional<Ruler> ruler;
    std::optional<double> swipe;           // share of the first panel's width
    bool swipeLit = false;                 // the pointer is on the divider
    QString frameLine;                     // full name of the frame
    QString headline, hint;                // while there is no picture
    QRectF inspector;                      // card of the inspector, logical pixels; empty if hidden
    std::optional<ViewGeometry> wholeSky;  // geometry in a panel, independent of the zoom
};

class SkyOverlay : public QWidget, public PaintsOverSky {
    Q_OBJECT
public:
    explicit SkyOverlay(QWidget* parent);
    // Repaints the differences to the previous scene: lines as a whole; names, labels and color
    // bars individually.
    void setScene(OverlayScene scene);
    const OverlayScene& scene() const { return scene_; }
    // Redirects repaints: `touched` receives each changed area, and its owner paints that area.
    // Empty: repaint on the screen again.
    void paintElsewhere(std::function<void(const QRect& area)> touched);
    void paintOver(QPainter& painter, const QRegion& region) override;

    // Areas that must stay free of labels: names, color bars, scales, inspector, handle. Logical
    // pixels.
    std::vector<QRectF> cards() const { return places().cards; }
    // Graticule labels that fit beside the cards.
    struct PlacedLabel {
        QRectF box;
        QString text;
        bool operator==(const PlacedLabel&) const = default;
    };
    std::vector<PlacedLabel> placedLabels() const { return places().labels; }
    // Names of maps and sentences about layers, elided as they are drawn.
    QStringList placedNames() const {
        QStringList names;
        for (const PlacedChip& chip : places().chips) names << chip.text;
        return names;
    }

signals:
    // The areas of the names of maps, logical pixels, have changed.
    void namesMoved(const std::vector<QRect>& plates);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct PanelLines {
        QPainterPath graticule, outline;  // logical pixels of the widget
        std::vector<GraticuleLabel> labels;
    };
    struct PlacedChip {
        QRectF plate;
        QString text;
        bool operator==(const PlacedChip&) const = default;
    };
    struct PlacedBar {
        size_t bar = 0;  // index in the scene
        QRectF place, plate;
        BarTitle title = BarTitle::Above;
        QString frameLine;  // above the title; empty: none
        bool operator==(const PlacedBar&) const = default;
    };
    struct PlacedRodScale {
        size_t set = 0;  // index in the scene's rods
        QRectF plate;
        bool operator==(const PlacedRodScale&) const = default;
    };
    struct PlacedCross {
        QRectF panel;
        QPointF at;
        bool operator==(const PlacedCross&) const = default;
    };
    struct PlacedRing {
        QRectF panel, circle, plate;
        QString text;  // on the plate; empty: none
        bool operator==(const PlacedRing&) const = default;
    };
    // Positions of all placed items, logical pixels.
    struct Places {
        double ratio = 0.0;  // device pixel ratio of these positions
        QFont font;
        std::vector<PlacedChip> chips;
        std::vector<PlacedBar> bars;
        std::vector<PlacedRodScale> rodScales;
        std::vector<PlacedCross> crosses;
        std::vector<PlacedRing> rings;
        std::optional<QRectF> divider;
        std::vector<QRectF> plates;  // cards with fixed positions
        std::vector<QRectF> cards;
        std::vector<PlacedLabel> labels;
    };
    // Places of the present scene.
    const Places& places() const;
    Places madePlates() const;
    void tellNames();
    void placeRest(Places& places) const;
    std::vector<PlacedChip> placedChips() const;
    // True if the first bar also names the frame: its title is above and the text fits.
    bool tellsFrame(const OverlayScene::Bar& bar, double width, BarTitle title) const;
    // A bar in a panel at `left` with `width`, logical pixels of the widget.
    PlacedBar placedBar(const OverlayScene::Bar& bar, double left, double width,
                        BarTitle title) const;
    bool coversWholeSky(const PlacedBar& bar) const;
    std::vector<PlacedBar> placedBars() const;
    std::vector<PlacedRodScale> placedRodScales(const std::vector<PlacedChip>& chips) const;
    std::vector<PlacedCross> placedCrosses() const;
    std::vector<PlacedRing> placedRings() const;
    std::vector<PlacedLabel> placedLabels(const std::vector<QRectF>& cards) const;
    std::optional<QRectF> dividerLine() const;
    // Makes lines and labels beside these plates; returns true if lines changed, not only labels.
    bool makeLines(const std::vector<QRectF>& plates);
    // True for line segments and other strokes over the lines.
    bool hasShapes() const;
    void touchChanges(const OverlayScene& sceneBefore, const Places& before);
    void touchAround(const QRectF& part);
    void touch(const QRect& area);
    // Shows a layer painted by `paint`; an empty layer is repainted first.
    template <class Paint>
    void paintLayer(QPainter& painter, QPixmap& layer, const Paint& paint) const;
    QRectF logical(const QRect& panel) const;
    QPainterPath path(const std::vector<Polyline>& lines, QPointF origin) const;
    void paintLines(QPainter& painter, const Theme& theme) const;
    void paintContours(QPainter& painter, const Theme& theme) const;
    void paintBorders(QPainter& painter, const Theme& theme) const;
    void paintShades(QPainter& painter) const;
    void paintRodScale(QPainter& painter, const PlacedRodScale& scale, const Theme& theme) const;
    void paintRods(QPainter& painter) const;
    void paintLabels(QPainter& painter, const QRegion& region, const Theme& theme) const;
    // Names stay clear of cards and labels on the sky.
    void paintDrawn(QPainter& painter, const Theme& theme) const;
    void paintRuler(QPainter& painter, const Theme& theme) const;
    void paintCrosses(QPainter& painter, const Theme& theme) const;
    void paintRings(QPainter& painter, const Theme& theme) const;
    void paintSwipe(QPainter& painter, const Theme& theme) const;
    void paintChips(QPainter& painter, const QRegion& region, const Theme& theme) const;
    void paintBars(QPainter& painter, const QRegion& region, const Theme& theme) const;
    void paintHeadline(QPainter& painter, const Theme& theme) const;

    OverlayScene scene_;
    std::function<void(const QRect&)> touched_;
    std::vector<PanelLines> lines_;
    double linesRatio_ = 0.0;  // device pixel ratio of lines_
    QFont linesFont_;
    std::vector<QRectF> linesBeside_;  // plates that the labels of lines_ avoid
    mutable Places places_;
    // Cached, because strokes take tens of milliseconds and each new picture needs them again. In
    // addition, a partly painted line differs slightly in color from a line painted as a whole.
    QPixmap lineLayer_, shapeLayer_;
};

}  // namespace armilla
