// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalog_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/ui/guarded_application.h"

namespace armilla {
namespace {

constexpr int64_t kShownOfWide = 4;
constexpr qsizetype kLongestTip = 400;

}  // namespace

// Ten digits resolve a microarcsecond of right ascension, and exceed the precision of any other
// column.
QString shortCellText(const TableColumn& column, int64_t row) {
    constexpr int kDigits = 10;
    if (column.isText() || column.isInteger() || column.width > 1) return cellText(column, row);
    const double value = column.number(row);
    QString brief = QString::number(value, 'g', kDigits);
    // Doubles that were made of single-precision numbers have no more digits than these: 0.067, not
    // 0.06700000167.
    const auto single = static_cast<float>(value);
    for (int digits = 6; static_cast<double>(single) == value && digits < kDigits; ++digits)
        if (const QString text = QString::number(value, 'g', digits); text.toFloat() == single) {
            brief = text;
            break;
        }
    const QString whole = QString::fromStdString(column.text(row));
    return numberTypeset(std::isfinite(value) && brief.size() < whole.size() ? brief : whole);
}

QString cellTip(const Catalog& catalog, int column, int64_t row) {
    const PositionColumns& position = catalog.position;
    const QString text = cellText(catalog.table.columns[static_cast<size_t>(column)], row);
    if (catalog.frame() != Frame::Equatorial || (column != position.lon && column != position.lat))
        return text;
    const LonLat at = catalog.at(row);
    if (!std::isfinite(at.lon)) return text;
    // Survey catalogs give hundredths of an arcsecond.
    constexpr double kResolution = 0.01 * kArcsec;
    const QString both = numberTypeset(QString::fromStdString(formatEquatorial(at, kResolution)));
    return QStringLiteral("%1\n%2").arg(text, both);
}

QString cellText(const TableColumn& column, int64_t row) {
    QString text = QString::fromStdString(column.text(row));
    for (int64_t i = 1; i < std::min(column.width, kShownOfWide); ++i)
        text += QStringLiteral(", ") + QString::fromStdString(column.text(row, i));
    if (column.width > kShownOfWide) text += QStringLiteral(", … (%1)").arg(column.width);
    return column.isText() ? text : numberTypeset(text);
}

void CatalogModel::setCatalog(std::shared_ptr<const Catalog> catalog) {
    if (catalog == catalog_) return;
    beginResetModel();
    catalog_ = std::move(catalog);
    rows_.reset();
    endResetModel();
}

void CatalogModel::setRows(RowNumbers rows) {
    if (rows == rows_) return;
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int64_t CatalogModel::rowAt(int place) const {
    return rows_ ? (*rows_)[static_cast<size_t>(place)] : place;
}

int CatalogModel::placeOf(int64_t row) const {
    if (!rows_) return row < rowCount() ? static_cast<int>(row) : -1;
    const auto found = std::find(rows_->begin(), rows_->end(), row);
    return found == rows_->end() ? -1 : static_cast<int>(found - rows_->begin());
}

int CatalogModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !catalog_) return 0;
    const int64_t rows = rows_ ? static_cast<int64_t>(rows_->size()) : catalog_->rows();
    return static_cast<int>(std::min<int64_t>(rows, std::numeric_limits<int>::max()));
}

int CatalogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !catalog_ ? 0 : static_cast<int>(catalog_->table.columns.size());
}

QVariant CatalogModel::data(const QModelIndex& index, int role) const {
    return guardedCall("CatalogModel::data", [&]() -> QVariant {
        if (!index.isValid() || !catalog_) return {};
        const TableColumn& column = catalog_->table.columns[static_cast<size_t>(index.column())];
        switch (role) {
            case Qt::DisplayRole: return shortCellText(column, rowAt(index.row()));
            case Qt::ToolTipRole:
                return cellTip(*catalog_, index.column(), rowAt(index.row())).left(kLongestTip);
            case Qt::TextAlignmentRole:
                return QVariant(Qt::AlignVCenter |
                                (column.isText() ? Qt::AlignLeft : Qt::AlignRight));
            default: return {};
        }
    });
}

QVariant CatalogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return guardedCall("CatalogModel::headerData", [&]() -> QVariant {
        if (!catalog_) return {};
        if (orientation == Qt::Vertical)
            return role == Qt::DisplayRole ? QVariant(static_cast<qlonglong>(rowAt(section) + 1))
                                           : QVariant();
        return columnTitle(catalog_->table.columns[static_cast<size_t>(section)], role);
    });
}

QVariant columnTitle(const TableColumn& column, int role) {
    const QString name = QString::fromStdString(column.name);
    if (role == Qt::DisplayRole)
        return column.unit.empty() ? name
                                   : QStringLiteral("%1\n%2").arg(
                                         name, unitText(QString::fromStdString(column.unit)));
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignBottom | (column.isText() ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::ToolTipRole) return {};
    QStringList lines{name};
    for (const std::string* part : {&column.description, &column.ucd})
        if (!part->empty()) lines << QString::fromStdString(*part);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace armilla
