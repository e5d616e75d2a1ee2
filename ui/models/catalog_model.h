// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of a catalog; cells are formatted on demand.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "armilla/core/table.h"
#include "armilla/session/shown_rows.h"

namespace armilla {

class CatalogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }
    // The rows of the catalog to show, in this order; setCatalog() shows all rows.
    void setRows(RowNumbers rows);
    const RowNumbers& rows() const { return rows_; }
    // The row of the catalog at a place of the model, and the place of a row; -1 if it is not
    // shown. The place is searched: 5 ms for 1e7 rows on one CPU core.
    int64_t rowAt(int place) const;
    int placeOf(int64_t row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const Catalog> catalog_;
    RowNumbers rows_;
};

// Text of a tool tip: the whole value, and right ascension or declination in sexagesimal digits.
QString cellTip(const Catalog& catalog, int column, int64_t row);
// Text of a cell: "12.5", or the first values of a wide column.
QString cellText(const TableColumn& column, int64_t row);
// Text with at most ten digits, for a cell whose tool tip has all digits.
QString shortCellText(const TableColumn& column, int64_t row);
// Heading of a column: name and unit; its tool tip describes the content.
QVariant columnTitle(const TableColumn& column, int role);

}  // namespace armilla
