// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive angular correlation: w(theta) during counting, and a fitted power law.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "armilla/core/curve.h"
#include "armilla/session/layer_id.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace armilla {

class CurvePlot;
class LivePart;
class OperationPanel;
class Session;

class CorrelatePanel : public QWidget {
    Q_OBJECT
public:
    // `rows` is the panel of the operation `correlate`, which becomes part of this panel.
    CorrelatePanel(Session& session, OperationPanel* rows, QWidget* parent = nullptr);

    LivePart* live() const { return live_; }
    CurvePlot* plot() const { return plot_; }
    QPushButton* maskButton() const { return mask_; }
    QString fitText() const;
    // The plotted curve; null before the first one.
    const std::shared_ptr<const Curve>& curve() const { return curve_; }

signals:
    void exportRequested(LayerId layer);

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class What { W, Pairs, Correlations };
    QWidget* buildPart();
    void addPlotSettings();
    bool hasMatrix() const;
    void follow();
    void setCurve(std::shared_ptr<const Curve> curve);
    void showCurve();
    void choose(What what);

    Session& session_;
    OperationPanel* rows_;
    LivePart* live_ = nullptr;
    CurvePlot* plot_ = nullptr;
    QWidget* plotPart_ = nullptr;
    QPushButton *mask_ = nullptr, *export_ = nullptr;
    QToolButton *w_ = nullptr, *pairs_ = nullptr, *matrix_ = nullptr, *logX_ = nullptr,
                *logY_ = nullptr;
    QLabel* fit_ = nullptr;
    What what_ = What::W;
    std::shared_ptr<const Curve> curve_;
    LayerId data_;  // the layer of the suggested bins
    LayerId result_;
    QString suggestedBins_;
};

}  // namespace armilla
