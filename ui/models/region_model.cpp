// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/region_model.h"

#include <array>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "armilla/session/region_book.h"
#include "armilla/ui/guarded_application.h"
#include "models/catalog_model.h"
#include "tools/region_measures.h"

namespace armilla {
namespace {

// Columns of the table of statistics, in the order that a narrow panel needs.
constexpr std::array kFigures{"MEAN",     "STD",  "MIN",    "MAX", "MEDIAN",
                              "INTEGRAL", "AREA", "PIXELS", "SUM"};

// Five digits; the tool tip has all.
QString figureText(const TableColumn& column, int row) {
    if (column.isInteger()) return groupedDigits(static_cast<int64_t>(column.number(row)));
    const double value = column.number(row);
    return std::isfinite(value) ? numberTypeset(QString::number(value, 'g', 5))
                                : QStringLiteral("–");
}

}  // namespace

RegionModel::RegionModel(RegionBook& book, RegionMeasures& measures, QObject* parent)
    : QAbstractTableModel(parent),
      book_(book),
      measures_(measures),
      rows_(static_cast<int>(book.all().size())) {
    connect(&book_, &RegionBook::changed, this, &RegionModel::take);
    connect(&measures_, &RegionMeasures::changed, this, &RegionModel::take);
}

// The rows stay the same objects while a region is dragged, so that selection and editor stay.
void RegionModel::take() {
    const auto rows = static_cast<int>(book_.all().size());
    if (rows != rows_) {
        beginResetModel();
        rows_ = rows;
        endResetModel();
    } else if (rows > 0) {
        emit dataChanged(index(0, 0), index(rows - 1, columnCount() - 1));
    }
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int RegionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int RegionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(kFigures.size());
}

int RegionModel::source(int column) const {
    if (column < 1 || !measures_.table()) return -1;
    return measures_.table()->find(kFigures.at(static_cast<size_t>(column - 1))).value_or(-1);
}

QVariant RegionModel::data(const QModelIndex& index, int role) const {
    return guardedCall("RegionModel::data", [&]() -> QVariant {
        if (!index.isValid() || index.row() >= static_cast<int>(book_.all().size())) return {};
        const DrawnRegion& region = book_.all()[static_cast<size_t>(index.row())];
        if (index.column() == 0) {
            if (role == Qt::UserRole) return region.id;
            if (role == Qt::DisplayRole || role == Qt::EditRole || role == Qt::ToolTipRole)
                return region.name;
            return {};
        }
        if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | Qt::AlignRight);
        const int column = source(index.column()), row = measures_.rowOf(region.id);
        if (column < 0 || row < 0) return {};
        const TableColumn& figures = measures_.table()->columns[static_cast<size_t>(column)];
        if (role == Qt::ToolTipRole) return cellText(figures, row);
        if (role != Qt::DisplayRole) return {};
        const QString text = figureText(figures, row);
        return measures_.isExact(row) || !std::isfinite(figures.number(row))
                   ? text
                   : QStringLiteral("≈ ") + text;
    });
}

QVariant RegionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return guardedCall("RegionModel::headerData", [&]() -> QVariant {
        if (orientation == Qt::Vertical) return {};
        if (section == 0) {
            if (role == Qt::DisplayRole) return tr("Region");
            return role == Qt::TextAlignmentRole ? QVariant(Qt::AlignBottom | Qt::AlignLeft)
                                                 : QVariant();
        }
        const int column = source(section);
        if (column >= 0)
            return columnTitle(measures_.table()->columns[static_cast<size_t>(column)], role);
        return role == Qt::DisplayRole
                   ? QVariant(QString::fromLatin1(kFigures.at(static_cast<size_t>(section - 1))))
                   : QVariant();
    });
}

Qt::ItemFlags RegionModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == 0 ? flags | Qt::ItemIsEditable : flags;
}

bool RegionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != 0) return false;
    book_.rename(index.data(Qt::UserRole).toInt(), value.toString());
    return true;
}

}  // namespace armilla
