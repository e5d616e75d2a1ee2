// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a row of the maps list: which picture it is in, its name, and a second line of what it is.
#pragma once

#include <QStyledItemDelegate>

namespace armilla {

class MapRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
};

}  // namespace armilla
