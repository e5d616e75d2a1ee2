// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/column_choice.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "armilla/figure/unit_text.h"
#include "armilla/ui/guarded_application.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

constexpr int kRows = 3, kLongest = 44;  // rows and characters of a preview
constexpr int kPopupWidth = 320;

// Name at the left, preview at the right.
class ColumnDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        painter->save();
        guardedCall("ColumnDelegate::paint", [&] { paintColumn(painter, option, index); });
        painter->restore();
    }

private:
    void paintColumn(QPainter* painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const {
        QStyledItemDelegate::paint(painter, option, index);
        const Theme& theme = Theme::of(option.widget);
        painter->setFont(theme.smallFont(option.font));
        painter->setPen(theme.textMuted);
        const int name = option.fontMetrics.horizontalAdvance(index.data().toString());
        const QRect room = option.rect.adjusted(name + 26, 0, -8, 0);
        const QString text =
            painter->fontMetrics().elidedText(index.data(ColumnChoice::kPreviewRole).toString(),
                                              Qt::ElideRight, std::max(0, room.width()));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, text);
    }
};

}  // namespace

ColumnChoice::ColumnChoice(QWidget* parent) : QComboBox(parent) {
    setEditable(true);
    setInsertPolicy(NoInsert);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    setItemDelegate(new ColumnDelegate(this));
    view()->setMinimumWidth(kPopupWidth);
    setCurrentIndex(-1);
    connect(this, &QComboBox::activated, this, [this](int index) { emit chosen(itemText(index)); });
}

QString ColumnChoice::preview(const TableColumn& column) {
    QStringList values;
    const int64_t rows = std::min<int64_t>(kRows, column.rows());
    for (int64_t row = 0; row < rows; ++row) {
        const QString text = QString::fromStdString(column.text(row));
        values << (column.isText() ? text.trimmed() : numberTypeset(text));
    }
    QString line = values.join(QStringLiteral(", "));
    if (line.size() > kLongest) line = line.left(kLongest - 1);
    if (column.rows() > rows || line.size() == kLongest - 1) line += QStringLiteral(" …");
    if (column.width > 1) line = QStringLiteral("%1 × %2").arg(column.width).arg(line);
    const QString unit = unitText(QString::fromStdString(column.unit));
    return unit.isEmpty() ? line : QStringLiteral("%1 · %2").arg(unit, line);
}

void ColumnChoice::setTable(const std::shared_ptr<const Catalog>& catalog) {
    if (catalog == catalog_) return;
    catalog_ = catalog;
    const QString typed = lineEdit()->text();
    const bool wasModified = lineEdit()->isModified();
    clear();
    if (catalog)
        for (const TableColumn& column : catalog->table.columns) {
            addItem(QString::fromStdString(column.name));
            const QString line = preview(column);
            setItemData(count() - 1, line, kPreviewRole);
            setItemData(count() - 1, line, Qt::ToolTipRole);
        }
    setCurrentIndex(findText(typed));
    lineEdit()->setText(typed);
    lineEdit()->setModified(wasModified);
}

}  // namespace armilla
