// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of a catalog; cells are formatted on demand.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "armilla/core/table.h"

namespace armilla {

class CatalogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const Catalog> catalog_;
};

// Text of a cell: "12.5", or the first values of a wide column.
QString cellText(const TableColumn& column, int64_t row);
// Text with at most ten digits, for a cell whose tool tip has all digits.
QString shortCellText(const TableColumn& column, int64_t row);
// Heading of a column: name and unit; its tool tip describes the content.
QVariant columnTitle(const TableColumn& column, int role);

}  // namespace armilla
