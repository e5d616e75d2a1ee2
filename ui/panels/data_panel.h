// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the active layer: the rows of a catalog, the plot of the curves.
#pragma once

#include <QWidget>

#include "session/document.h"
#include "session/image_lookup.h"
#include "ui/cursor_readout.h"

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
    // Whether the active layer has something to show here.
    bool hasData() const;
    QTableView* table() const { return table_; }
    // In place of the plain table while this layer is the active one; -1: none. Takes the widget.
    void setOwnTable(QWidget* table);
    void setOwnTableLayer(int layer);
    CurvePlot* plot() const { return plot_; }
    // A cube shows its values along the third axis there; the last place stays.
    void setCursor(const std::optional<SkyCursor>& cursor);

signals:
    // What the title line of the dock says; the layer's name.
    void statusChanged(const QString& text);
    // Another layer is looked at; `hasData` tells whether there is anything to see.
    void layerChanged(bool hasData);
    // A row was chosen in the table: the sky shall show it.
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
    std::optional<ImageLookup> lookup_;  // of the cube
    std::optional<ImagePixel> pixel_;
};

}  // namespace armilla
