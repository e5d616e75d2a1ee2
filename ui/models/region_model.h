// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of the drawn regions: name, and statistics in the shown map.
#pragma once

#include <QAbstractTableModel>

namespace armilla {

class RegionBook;
class RegionMeasures;

class RegionModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // Both must outlive the model.
    RegionModel(RegionBook& book, RegionMeasures& measures, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    // Column of the table of statistics behind a column of the model; -1: none.
    int source(int column) const;
    void take();

    RegionBook& book_;
    RegionMeasures& measures_;
    int rows_ = 0;
};

}  // namespace armilla
