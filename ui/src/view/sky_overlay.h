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
    };
    // Darkens what is below it, over the whole of a panel.
    struct Shade {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        QImage image;
    };
    // Of what a tool is about to make.
    struct Border {
        int panel = 0;
        std::vector<Polyline> lines;
    };
    // Of equal something of what is shown.
    struct Contour {
        int panel = 0;
        double clipLeft = 0.0, clipRight = 1.0;
        bool strong = true;
        std::vector<Polyline> pieces;
    };
    // A line on the sky as it lies in a panel, in its pixels.
    struct Drawn {
        int panel = 0;
        SkyLine::Ink ink = SkyLine::Ink::Region;
        std::vector<Polyline> lines;
        std::vector<QPointF> handles;
        QString text;
        double width = 0.0;  // of a brush; 0: a thin line
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

class SkyOverlay : public QWidget {
    Q_OBJECT
public:
    explicit SkyOverlay(QWidget* parent);
    void setScene(OverlayScene scene);
    const OverlayScene& scene() const { return scene_; }
    // From now on the screen shows nothing of it, and `touched` is told which part has changed:
    // who called paints it by QWidget::render. Empty: the screen again.
    void paintElsewhere(std::function<void(const QRect& area)> touched);

    // What lies over the sky and must not be written upon: names, color bars, scales of rods,
    // inspector, handle. Logical pixels.
    std::vector<QRectF> cards() const;
    // Labels of the graticule that have a place beside the cards.
    struct PlacedLabel {
        QRectF box;
        QString text;
        bool operator==(const PlacedLabel&) const = default;
    };
    std::vector<PlacedLabel> placedLabels() const { return placedLabels(cards()); }

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
    };
    struct PlacedBar {
        const OverlayScene::Bar* bar;
        QRectF place, plate;
        BarTitle title = BarTitle::Above;
    };
    // The first bar tells the frame, too, where its title stands above and there is room.
    bool tellsFrame(const OverlayScene::Bar& bar, double width, BarTitle title) const;
    // In `panel`, `left` and `width` logical pixels of the widget.
    PlacedBar placedBar(const OverlayScene::Bar& bar, double left, double width,
                        BarTitle title) const;
    bool coversWholeSky(const PlacedBar& bar) const;
    struct PlacedRodScale {
        const OverlayScene::Rods* set;
        QRectF plate;
    };
    std::vector<PlacedChip> placedChips() const;
    std::vector<PlacedBar> placedBars() const;
    std::vector<PlacedRodScale> placedRodScales() const;
    std::vector<PlacedLabel> placedLabels(const std::vector<QRectF>& cards) const;
    std::vector<QRectF> plates() const;  // the cards that stay where they are
    std::optional<QRectF> dividerLine() const;
    void makeLines();
    void updateAround(const QRectF& plate);
    void touch(const QRect& area);
    // Shows what `paint` has painted into the layer, which is empty if that is to be done again.
    template <typename Paint>
    void paintLayer(QPainter& painter, QPixmap& layer, const Paint& paint) const;
    QRectF logical(const QRect& panel) const;
    QPainterPath path(const std::vector<Polyline>& lines, QPointF origin) const;
    void paintLines(QPainter& painter, const Theme& theme) const;
    void paintContours(QPainter& painter, const Theme& theme) const;
    void paintBorders(QPainter& painter, const Theme& theme) const;
    void paintShades(QPainter& painter) const;
    void paintRodScale(QPainter& painter, const PlacedRodScale& scale, const Theme& theme) const;
    void paintRods(QPainter& painter, const Theme& theme) const;
    void paintLabels(QPainter& painter, const std::vector<PlacedLabel>& labels,
                     const Theme& theme) const;
    void dropLayers();
    // Names keep clear of what is written on the sky already, the places `taken`.
    void paintDrawn(QPainter& painter, std::vector<QRectF> taken, const Theme& theme) const;
    void paintRuler(QPainter& painter, const Theme& theme) const;
    void paintCrosses(QPainter& painter, const Theme& theme) const;
    void paintRings(QPainter& painter, const Theme& theme) const;
    void paintSwipe(QPainter& painter, const Theme& theme) const;
    void paintChips(QPainter& painter, const Theme& theme) const;
    void paintBars(QPainter& painter, const Theme& theme) const;
    void paintHeadline(QPainter& painter, const Theme& theme) const;

    OverlayScene scene_;
    std::function<void(const QRect&)> touched_;
    std::vector<PanelLines> lines_;
    double linesRatio_ = 0.0;  // device pixel ratio that lines_ were made for
    QFont linesFont_;
    std::vector<QRectF> linesBeside_;  // the cards that their labels keep clear of
    // Strokes and halos take tens of milliseconds, and each new picture needs them again.
    QPixmap lineLayer_, labelLayer_;
    std::vector<PlacedLabel> layerLabels_;
};

}  // namespace armilla
