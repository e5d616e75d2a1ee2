// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that lies over the picture: graticule, outline, rods, names, color bars, divider,
// ruler, cursors. One widget above every kind of canvas, so that all of them look the same.
#pragma once

#include <QPainterPath>
#include <QPixmap>
#include <QRect>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "render/camera.h"
#include "render/graticule.h"
#include "ui/color_bar_widget.h"
#include "ui/paints_over_sky.h"
#include "ui/sky_drawing.h"
#include "ui/theme.h"

namespace armilla {

// Lengths are device pixels of the view, except where said.
struct OverlayScene {
    struct Chip {
        int panel = 0;
        bool right = false;  // at the right upper corner of the panel
        QString text;
        bool busy = false;  // a newer picture is being made
        int row = 0;        // below the names stand sentences, from their beginning
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
    // Around the marker of a catalog that is selected, or lies under the hand.
    struct Ring {
        int panel = 0;
        QPointF at;           // in the panel
        double radius = 0.0;  // logical pixels
        QString text;         // beside it; empty: none
    };
    struct Rods {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        std::vector<Rod> rods;
        double scaleLength = 0.0;  // of a rod of the amplitude that `scaleText` tells
        QString scaleText;
        bool operator==(const Rods&) const = default;
    };
    // Darkens what is below it, over the whole of a panel.
    struct Shade {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        QImage image;
        bool operator==(const Shade& other) const {
            return panel == other.panel && clipLeft == other.clipLeft &&
                   clipRight == other.clipRight && image.cacheKey() == other.image.cacheKey();
        }
    };
    // Of what a tool is about to make.
    struct Border {
        int panel = 0;
        std::vector<Polyline> lines;
        bool operator==(const Border&) const = default;
    };
    // Of equal something of what is shown.
    struct Contour {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        bool strong = true;
        std::vector<Polyline> pieces;
        bool operator==(const Contour&) const = default;
    };
    // A line on the sky as it lies in a panel, in its pixels.
    struct Drawn {
        int panel = 0;
        SkyLine::Ink ink = SkyLine::Ink::Region;
        std::vector<Polyline> lines;
        std::vector<QPointF> handles;
        QString text;
        double width = 0.0;  // of a brush; 0: a thin line
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
    bool swipeLit = false;                 // the hand is on the divider
    QString frameLine;                     // the frame in full
    QString headline, hint;                // where there is no picture (yet)
    QRectF inspector;                      // its card, logical pixels; empty if it is hidden
    std::optional<ViewGeometry> wholeSky;  // in a panel, whatever the present zoom
};

class SkyOverlay : public QWidget, public PaintsOverSky {
    Q_OBJECT
public:
    explicit SkyOverlay(QWidget* parent);
    // Paints again what differs from the scene before: lines whole, names, labels and color bars
    // one by one.
    void setScene(OverlayScene scene);
    const OverlayScene& scene() const { return scene_; }
    // From now on `touched` is told which part has changed, in place of the screen: who called
    // paints it. Empty: the screen again.
    void paintElsewhere(std::function<void(const QRect& area)> touched);
    void paintOver(QPainter& painter, const QRegion& region) override;

    // What lies over the sky and must not be written upon: names, color bars, scales of rods,
    // inspector, handle. Logical pixels.
    std::vector<QRectF> cards() const { return places().cards; }
    // Labels of the graticule that have a place beside the cards.
    struct PlacedLabel {
        QRectF box;
        QString text;
        bool operator==(const PlacedLabel&) const = default;
    };
    std::vector<PlacedLabel> placedLabels() const { return places().labels; }

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
        size_t bar = 0;  // of the scene
        QRectF place, plate;
        BarTitle title = BarTitle::Above;
        QString frameLine;  // above the title; empty: none
        bool operator==(const PlacedBar&) const = default;
    };
    struct PlacedRodScale {
        size_t set = 0;  // of the scene's rods
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
    // Where all that has a place of its own lies, logical pixels.
    struct Places {
        double ratio = 0.0;  // device pixel ratio that they were made for
        QFont font;
        std::vector<PlacedChip> chips;
        std::vector<PlacedBar> bars;
        std::vector<PlacedRodScale> rodScales;
        std::vector<PlacedCross> crosses;
        std::vector<PlacedRing> rings;
        std::optional<QRectF> divider;
        std::vector<QRectF> plates;  // the cards that stay where they are
        std::vector<QRectF> cards;
        std::vector<PlacedLabel> labels;
    };
    // Of the present scene.
    const Places& places() const;
    Places madePlates() const;
    void placeRest(Places& places) const;
    std::vector<PlacedChip> placedChips() const;
    // The first bar tells the frame, too, where its title stands above and there is room.
    bool tellsFrame(const OverlayScene::Bar& bar, double width, BarTitle title) const;
    // In `panel`, `left` and `width` logical pixels of the widget.
    PlacedBar placedBar(const OverlayScene::Bar& bar, double left, double width,
                        BarTitle title) const;
    bool coversWholeSky(const PlacedBar& bar) const;
    std::vector<PlacedBar> placedBars() const;
    std::vector<PlacedRodScale> placedRodScales(const std::vector<PlacedChip>& chips) const;
    std::vector<PlacedCross> placedCrosses() const;
    std::vector<PlacedRing> placedRings() const;
    std::vector<PlacedLabel> placedLabels(const std::vector<QRectF>& cards) const;
    std::optional<QRectF> dividerLine() const;
    // Beside these plates; true where lines, and not labels alone, are others than before.
    bool makeLines(const std::vector<QRectF>& plates);
    // Rods and what else is stroked over the lines.
    bool hasShapes() const;
    void touchChanges(const OverlayScene& sceneBefore, const Places& before);
    void touchAround(const QRectF& part);
    void touch(const QRect& area);
    // Shows what `paint` has painted into the layer, which is empty if that is to be done again.
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
    // Names keep clear of what is written on the sky already, cards and labels.
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
    double linesRatio_ = 0.0;  // device pixel ratio that lines_ were made for
    QFont linesFont_;
    std::vector<QRectF> linesBeside_;  // the plates that their labels keep clear of
    mutable Places places_;
    // Strokes take tens of milliseconds, and each new picture needs them again. Besides, a line
    // that is painted in part differs by a shade from the same one painted as a whole.
    QPixmap lineLayer_, shapeLayer_;
};

}  // namespace armilla
