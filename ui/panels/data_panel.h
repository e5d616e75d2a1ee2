// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the active layer: the rows of a catalog, the plot of the curves.
#pragma once

#include <QWidget>

#include "armilla/session/document.h"
#include "armilla/session/image_lookup.h"
#include "armilla/ui/cursor_readout.h"

class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace armilla {

class CatalogModel;
class CurvePlot;

class DataPanel : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the panel.
    explicit DataPanel(Document& document, QWidget* parent = nullptr);
    // True if the active layer has content for this panel.
    bool hasData() const;
    QTableView* table() const { return table_; }
    // A widget that replaces the plain table while this layer is active; -1: none. Takes ownership
    // of the widget.
    void setOwnTable(QWidget* table);
    void setOwnTableLayer(int layer);
    CurvePlot* plot() const { return plot_; }
    // A cube shows its values along the third axis at the cursor; the last position stays.
    void setCursor(const std::optional<SkyCursor>& cursor);

signals:
    // Text of the dock's title line: the layer's name.
    void statusChanged(const QString& text);
    // Another layer is active; `hasData` is false if there is nothing to show.
    void layerChanged(bool hasData);
    // A row was selected in the table; the receiver shows it on the sky.
    void rowChosen(int layer, qint64 row);

private:
    QWidget* buildTable();
    QWidget* buildPlot();
    void showLayer();
    void showCurves();
    void showSelection();
    void showSpectrum();
    const Layer* cube() const;

    Document& document_;
    QStackedWidget* pages_;
    QTableView* table_ = nullptr;
    CatalogModel* model_;
    CurvePlot* plot_ = nullptr;
    QToolButton *logX_ = nullptr, *logY_ = nullptr, *correlations_ = nullptr, *pairs_ = nullptr;
    QWidget* ownTable_ = nullptr;
    int layer_ = -1, ownTableLayer_ = -1;
    bool choosing_ = false;
    std::optional<ImageLookup> lookup_;  // for the cube
    std::optional<ImagePixel> pixel_;
};

}  // namespace armilla
