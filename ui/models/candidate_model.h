// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a review as a table: verdict, class and note before the catalog's own columns. Cells
// are made when they are looked at.
#pragma once

#include <QAbstractTableModel>

namespace armilla {

class SourceReview;

class CandidateModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit CandidateModel(SourceReview& review, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    SourceReview& review_;
    int rows_ = 0;
};

}  // namespace armilla
