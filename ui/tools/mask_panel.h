// SPDX-License-Identifier: GPL-3.0-or-later
// The Mask tool: a brush on the sky, and the parameters of the operation mask.
#pragma once

#include <QWidget>
#include <memory>

#include "armilla/core/healpix_map.h"
#include "armilla/session/shown.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace armilla {

class BrushTool;
class LivePart;
class MaskBrush;
class OperationPanel;
class Session;

class MaskPanel : public QWidget {
    Q_OBJECT
public:
    // `operation` is the panel of the operation that makes masks, which becomes part of this panel.
    MaskPanel(Session& session, OperationPanel* operation, QWidget* parent = nullptr);

    BrushTool* tool() const { return tool_; }
    LivePart* live() const { return live_; }
    // Adds a mask layer to paint on: made from the shown map, or a copy of a shown mask.
    void newMask();

signals:
    // The brush starts or stops receiving the pointer.
    void activeChanged(bool active);
    // The mask to draw as a veil over another map; null: none.
    // `isOfView`: the mask holds the pixels of a view alone.
    void veilChanged(const std::shared_ptr<const HealpixMap>& mask, bool isOfView);
    void messageRaised(const QString& line, bool isError);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QLayout* buildLayers(QWidget* part);
    QLayout* buildBrush(QWidget* part);
    QLayout* buildRadius(QWidget* part, OperationPanel* operation);
    void connectSession();
    void fillLayers();
    void choose(LayerId layer);
    void stopWaiting();
    void showState();
    void showVeil();
    void keepPicture();
    void showRadius();
    void takeRadius();
    bool isOn() const;

    Session& session_;
    OperationPanel* rows_;
    MaskBrush& brush_;
    BrushTool* tool_;
    QComboBox* layers_ = nullptr;
    QToolButton *paint_ = nullptr, *erase_ = nullptr;
    QSlider* size_ = nullptr;
    QLineEdit* sizeText_ = nullptr;
    QLabel* state_ = nullptr;
    LivePart* live_ = nullptr;
    std::shared_ptr<const HealpixMap> preview_;  // the mask that Run would make
    bool previewIsOfView_ = false;
    Shown before_;      // the picture when a new mask was requested
    int awaited_ = -1;  // the job of a new mask, which is painted on afterwards
};

}  // namespace armilla
