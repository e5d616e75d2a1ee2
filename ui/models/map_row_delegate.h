// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a row of the layer list: the mark of the picture it is in, its name, and a line of details.
#pragma once

#include <QFont>
#include <QStyledItemDelegate>

#include "armilla/session/document.h"

namespace armilla {

// The longest sequence of leading parts of "ENERGY1 · 100 MeV · ph/cm²/s" that fits; later parts
// are also shown elsewhere.
QString fittingText(const QString& name, const QFontMetrics& metrics, int width);

class MapRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    // The document must outlive the delegate.
    MapRowDelegate(const Document& document, QObject* parent)
        : QStyledItemDelegate(parent), document_(document) {}
    // Area in which a click shows or hides the layer.
    static QRect markArea(const QRect& row);
    // Area of the words "frame unknown" of a layer whose frame can be stated; empty for others.
    QRect frameArea(const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

private:
    void paintRow(QPainter* painter, const QStyleOptionViewItem& option,
                  const QModelIndex& index) const;
    const Document& document_;
    // Cached row heights for this font (layers, and fields of a map), because a list is laid out
    // row by row.
    mutable QFont font_;
    mutable int layerHeight_ = 0, fieldHeight_ = 0;
};

}  // namespace armilla
