// SPDX-License-Identifier: GPL-3.0-or-later
// The candidates of a review: a sortable, filterable table with selectable columns, or a grid of
// stamps.
#pragma once

#include <QWidget>

#include "armilla/session/layer_id.h"

class QLabel;
class QAction;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace armilla {

class CandidateModel;
class Document;
class SourceReview;
class StampGrid;

class CandidateList : public QWidget {
    Q_OBJECT
public:
    // Both references must outlive the widget.
    CandidateList(Document& document, SourceReview& review, QWidget* parent = nullptr);
    QTableView* table() const { return table_; }
    QLineEdit* filterLine() const { return filter_; }
    StampGrid* grid() const { return grid_; }
    bool isGridShown() const;
    void setGridShown(bool shown);

signals:
    void rowChosen(LayerId layer, qint64 row);

private:
    void buildTable();
    void fillColumns();
    void putColumnsInOrder();
    void buildVerdicts();
    void nameVerdicts();
    void takeFilter();
    void showSelection();
    void showCounts();

    Document& document_;
    SourceReview& review_;
    CandidateModel* model_;
    QStackedWidget* pages_;
    QTableView* table_;
    StampGrid* grid_;
    QLineEdit* filter_;
    QToolButton *verdicts_, *columns_, *asGrid_;
    QAction *undecided_, *accepted_, *rejected_, *unsure_;  // in the menu of verdicts_
    QLabel* counts_;
    bool choosing_ = false;
};

}  // namespace armilla
