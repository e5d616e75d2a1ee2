// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the active layer: the rows of a catalog, the plot of the curves.
#pragma once

#include <QWidget>

#include "armilla/session/document.h"
#include "armilla/session/image_lookup.h"
#include "armilla/ui/cursor_readout.h"

class QStackedWidget;
class QTableView;
class QToolButton;

namespace armilla {

class CatalogTable;
class CurvePlot;
class JobRunner;
struct OperationRequest;

class DataPanel : public QWidget {
    Q_OBJECT
public:
    // Document and job runner must outlive the panel.
    DataPanel(Document& document, JobRunner& jobs, QWidget* parent = nullptr);
    // True if the active layer has content for this panel.
    bool hasData() const;
    QTableView* table() const;
    CatalogTable* catalog() const { return catalog_; }
    // A widget that replaces the plain table while this layer is active; else none. Takes ownership
    // of the widget.
    void setOwnTable(QWidget* table);
    void setOwnTableLayer(LayerId layer);
    CurvePlot* plot() const { return plot_; }
    // A cube shows its values along the third axis at the cursor; the last position stays.
    void setCursor(const std::optional<SkyCursor>& cursor);

signals:
    // Text of the dock's title line: the layer's name.
    void statusChanged(const QString& text);
    // Another layer is active; `hasData` is false if there is nothing to show.
    void layerChanged(bool hasData);
    // The signals of CatalogTable.
    void rowChosen(LayerId layer, qint64 row);
    void centerRequested(LayerId layer, qint64 row);
    void keepRequested(const armilla::OperationRequest& request);
    void commandRequested(const armilla::OperationRequest& request);

private:
    QWidget* buildPlot();
    void showLayer();
    void showCurves();
    void showSpectrum();
    const Layer* cube() const;

    Document& document_;
    QStackedWidget* pages_;
    CatalogTable* catalog_;
    CurvePlot* plot_ = nullptr;
    QToolButton *logX_ = nullptr, *logY_ = nullptr, *correlations_ = nullptr, *pairs_ = nullptr;
    QWidget* ownTable_ = nullptr;
    LayerId layer_, ownTableLayer_;
    std::optional<ImageLookup> lookup_;  // for the cube
    std::optional<ImagePixel> pixel_;
};

}  // namespace armilla
