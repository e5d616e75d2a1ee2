// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/candidate_model.h"

#include <QColor>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/guarded_application.h"
#include "models/catalog_model.h"
#include "models/verdict_looks.h"

namespace armilla {
namespace {

// Positions to a tenth of an arc second, other numbers to six digits; the tool tip has all digits.
QString briefText(const TableColumn& column, int64_t row) {
    if (column.isText() || column.isInteger() || column.width > 1) return cellText(column, row);
    const double value = column.number(row);
    if (std::isnan(value)) return {};
    const bool isPlace = column.unit == "deg";
    return numberTypeset(isPlace ? QString::number(value, 'f', 5) : QString::number(value, 'g', 6));
}

}  // namespace

CandidateModel::CandidateModel(SourceReview& review, QObject* parent)
    : QAbstractTableModel(parent), review_(review) {
    connect(&review_, &SourceReview::layerChanged, this, [this] {
        beginResetModel();
        rows_ = static_cast<int>(review_.rows().size());
        endResetModel();
    });
    // Rows change with every slider step; a reset would lose the state of the columns.
    connect(&review_, &SourceReview::rowsChanged, this, [this] {
        const int rows = static_cast<int>(review_.rows().size());
        emit layoutAboutToBeChanged();
        emit layoutChanged();
        if (rows > rows_) {
            beginInsertRows({}, rows_, rows - 1);
            rows_ = rows;
            endInsertRows();
        } else if (rows < rows_) {
            beginRemoveRows({}, rows, rows_ - 1);
            rows_ = rows;
            endRemoveRows();
        }
        if (rows_ > 0)
            emit dataChanged(index(0, 0), index(rows_ - 1, std::max(0, columnCount() - 1)));
    });
}

int CandidateModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int CandidateModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || !review_.catalog()) return 0;
    return CandidateRows::DecisionColumns +
           static_cast<int>(review_.catalog()->table.columns.size());
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    return guardedCall("CandidateModel::data", [&]() -> QVariant {
        // While rows change, the view may request a removed row.
        if (!index.isValid() || !review_.catalog() ||
            index.row() >= static_cast<int>(review_.rows().size()))
            return {};
        const int64_t row = review_.rows()[static_cast<size_t>(index.row())];
        const Judgement* judged = review_.judgement(row);
        if (index.column() >= CandidateRows::DecisionColumns) {
            const TableColumn& column = review_.catalog()->table.columns[static_cast<size_t>(
                index.column() - CandidateRows::DecisionColumns)];
            if (role == Qt::DisplayRole) return briefText(column, row);
            if (role == Qt::ToolTipRole && column.name == "FLAGS" &&
                !review_.significance().flagsText(row).isEmpty())
                return review_.significance().flagsText(row);
            if (role == Qt::ToolTipRole) return cellText(column, row);
            if (role == Qt::TextAlignmentRole)
                return QVariant(Qt::AlignVCenter |
                                (column.isText() ? Qt::AlignLeft : Qt::AlignRight));
            return {};
        }
        if (role == Qt::TextAlignmentRole)
            return QVariant(
                Qt::AlignVCenter |
                (index.column() >= CandidateRows::NoteColumn ? Qt::AlignLeft : Qt::AlignHCenter));
        if (index.column() == CandidateRows::MatchColumn)
            return role == Qt::DisplayRole || role == Qt::ToolTipRole
                       ? QVariant(review_.partners().text(row))
                       : QVariant();
        if (!judged) return {};
        if (role == Qt::ForegroundRole && index.column() == CandidateRows::VerdictColumn)
            return verdictColor(judged->verdict);
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
        switch (index.column()) {
            case CandidateRows::VerdictColumn: return verdictText(judged->verdict);
            case CandidateRows::ClassColumn:
                return judged->group > 0 ? QVariant(judged->group) : QVariant();
            default: return judged->note;
        }
    });
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return guardedCall("CandidateModel::headerData", [&]() -> QVariant {
        if (!review_.catalog()) return {};
        if (orientation == Qt::Vertical)
            return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
        if (section < CandidateRows::DecisionColumns) {
            if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignBottom | Qt::AlignHCenter);
            if (role != Qt::DisplayRole) return {};
            return section == CandidateRows::VerdictColumn ? tr("Verdict")
                   : section == CandidateRows::ClassColumn ? tr("Class")
                   : section == CandidateRows::NoteColumn  ? tr("Note")
                                                           : tr("Match");
        }
        return columnTitle(
            review_.catalog()
                ->table.columns[static_cast<size_t>(section - CandidateRows::DecisionColumns)],
            role);
    });
}

void CandidateModel::sort(int column, Qt::SortOrder order) {
    review_.list().sortBy(column, order);
}

}  // namespace armilla
