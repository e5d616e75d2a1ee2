// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of a review: verdict, class and note, then the catalog's columns. Cells are formatted
// on demand.
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
