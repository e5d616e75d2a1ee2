// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a catalog: filter, order, histogram of a column, and the markers of the rows on the sky.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>

#include "armilla/session/document.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/shown_rows.h"

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace armilla {

class CatalogModel;
class ColumnCard;
class JobRunner;

// Each catalog keeps its filter and order while it is open. The rows are an index into the catalog,
// made by a job; the layer itself is unchanged. While a filter holds, the sky shows the markers of
// its rows alone.
class CatalogTable : public QWidget {
    Q_OBJECT
public:
    // Document and job runner must outlive the table.
    CatalogTable(Document& document, JobRunner& jobs, QWidget* parent = nullptr);
    ~CatalogTable() override;

    // The layer with the rows to show; -1 or a layer without a catalog: none.
    void setLayer(LayerId layer);
    // Drops filter and order of a layer whose markers another tool shows.
    void release(LayerId layer);
    QTableView* view() const { return view_; }
    QLineEdit* filter() const { return filter_; }
    ColumnCard* card() const { return card_; }
    // "12 of 340 rows", and the line about the filter's error, empty without one; for tests.
    QString countText() const;
    QString errorText() const;
    // The request of the operation `select` that keeps the rows of the filter; none without a
    // valid filter.
    std::optional<OperationRequest> selection() const;

signals:
    // A row was selected; the receiver shows it on the sky. Or its place is to be the center.
    void rowChosen(LayerId layer, qint64 row);
    void centerRequested(LayerId layer, qint64 row);
    void keepRequested(const armilla::OperationRequest& request);
    void commandRequested(const armilla::OperationRequest& request);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Filter and order of one catalog, with the results of the jobs.
    struct View {
        std::shared_ptr<const Catalog> catalog;
        QString typed;           // the filter as typed, valid or not
        RowChoice choice, made;  // as wanted, and as the rows are
        RowNumbers rows;
        std::vector<int64_t> selected;  // if there are several
        // Markers of the rows of the filter and of several selected rows; null: none of their own.
        std::shared_ptr<const MarkerSet> kept, picked;
        bool hasGroups = false;
        // The part of the filter that the range of a histogram made.
        std::string clause;
        int clauseColumn = -1;
        ColumnRange range;
    };
    QWidget* buildBar();
    void buildView();
    View* current();
    void takeCatalog(View& view);
    void takeFilter();
    void takeRange(const ColumnRange& range);
    void renew();
    void showRows(View& view);
    void showCounts();
    void showError(const QString& line);
    void showColumn(int column);
    void showSelection();
    void takeSelection();
    void makeMarkers();
    void setGroups(LayerId layer);
    void followLayers();
    View& followValue(LayerId layer);
    void forget(LayerId layer);
    void showOrder(const View& view);
    void copyRows();

    Document& document_;
    JobRunner& jobs_;
    std::map<LayerId, View> views_;
    LayerId layer_;
    bool isChoosing_ = false, isGrouping_ = false;
    QTimer pause_;
    CatalogModel* model_;
    QTableView* view_;
    QLineEdit* filter_;
    QLabel *counts_, *error_;
    QToolButton *center_, *histogram_, *copy_, *keep_;
    ColumnCard* card_;
};

}  // namespace armilla
