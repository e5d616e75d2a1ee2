// SPDX-License-Identifier: GPL-3.0-or-later
// A brush on the sky that removes pixels from a mask, or restores them.
#pragma once

#include <QObject>
#include <optional>

#include "armilla/ops/mask_strokes.h"
#include "armilla/session/layer_id.h"
#include "armilla/ui/sky_drawing.h"

namespace armilla {

class MaskBrush;

// A drag is a stroke; with Alt, or in erase mode, the stroke restores. [ and ] change the size.
class BrushTool : public QObject, public SkyTool {
    Q_OBJECT
public:
    // The brush must outlive the tool.
    explicit BrushTool(MaskBrush& brush, QObject* parent = nullptr);

    void setLayer(LayerId layer);
    LayerId layer() const { return layer_; }
    // While a mask is being made, strokes are recorded and are painted when the layer arrives. If
    // it does not, the strokes are dropped.
    void await(bool on);
    bool takesPointer() const { return layer_.isValid() || awaits_; }
    void setRadius(double radius);
    double radius() const { return radius_; }
    void setErasing(bool on);
    // If the mask itself is shown, its pixels already display the painted strokes.
    void setMaskShown(bool shown);
    std::vector<SkyLine> lines() const;

    bool press(const Place& at) override;
    void drag(const Place& at) override;
    void release() override;
    void hover(const std::optional<Place>& at) override;
    bool finish(const Place& at) override;
    bool key(int key) override;
    Qt::CursorShape shape() const override { return Qt::CrossCursor; }

signals:
    void linesChanged();
    void radiusChanged();

private:
    MaskBrush& brush_;
    LayerId layer_;
    double radius_;
    bool erases_ = false, maskShown_ = false, awaits_ = false;
    std::vector<MaskStroke> held_;  // for the awaited mask
    std::optional<MaskStroke> stroke_;
    std::optional<Place> under_;
};

}  // namespace armilla
