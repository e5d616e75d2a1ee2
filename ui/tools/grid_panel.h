// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive gridding: samples and target on the sky, and a preview while kernel and resolution
// change.
#pragma once

#include <QHash>
#include <QWidget>
#include <optional>

#include "armilla/session/layer_id.h"
#include "armilla/ui/sky_preview.h"

class QLabel;
class QPushButton;
class QSlider;

namespace armilla {

class LivePart;
class OperationPanel;
class Session;
struct Catalog;

class GridPanel : public QWidget {
    Q_OBJECT
public:
    // `rows` is the panel of the operation `grid`, which becomes part of this panel.
    GridPanel(Session& session, OperationPanel* rows, QWidget* parent = nullptr);

    LivePart* live() const { return live_; }
    QSlider* channels() const { return channel_; }
    QPushButton* fitButton() const { return fit_; }

signals:
    // The preview on the sky; none: no preview.
    void previewChanged(const std::optional<armilla::SkyPreview>& preview);
    void discRequested(Vec3 center, double radius, Frame frame);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildPart();
    void follow();
    void fitChannels();
    void suggest(bool always);
    void dropForeignColumns(const Catalog& catalog);
    void put(const QString& parameter, const QString& text, bool always);
    void fitToView();
    void showTarget();
    // Hides the markers of this layer under the preview; invalid: of none.
    void clearMarkers(LayerId layer);
    std::optional<ViewGeometry> target() const;
    const Catalog* samples() const;
    int channelCount() const;

    Session& session_;
    OperationPanel* rows_;
    LivePart* live_ = nullptr;
    QPushButton *fit_ = nullptr, *view_ = nullptr, *go_ = nullptr;
    QSlider* channel_ = nullptr;
    QLabel *channelName_ = nullptr, *channelText_ = nullptr, *size_ = nullptr;
    LayerId samples_;  // the layer of the suggestion
    LayerId cleared_;  // layer whose markers are hidden now
    QHash<QString, QString> suggested_;
    SkyPreview preview_;
    bool following_ = false;
};

}  // namespace armilla
