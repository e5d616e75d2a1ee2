// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a row of the list of layers: which picture it is in, its name, and a second line of what it
// is.
#pragma once

#include <QFont>
#include <QStyledItemDelegate>

#include "session/document.h"

namespace armilla {

// Whole parts of "ENERGY1 · 100 MeV · ph/cm²/s" as long as there is room, from the first on: what
// stands behind is told elsewhere, too.
QString fittingText(const QString& name, const QFontMetrics& metrics, int width);

class MapRowDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    // The document must outlive the delegate.
    MapRowDelegate(const Document& document, QObject* parent)
        : QStyledItemDelegate(parent), document_(document) {}
    // Where a click shows or hides the layer.
    static QRect markArea(const QRect& row);
    // The words "frame unknown" of a layer whose frame can be stated; empty for others.
    QRect frameArea(const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

private:
    const Document& document_;
    // Of rows in this font: layers, and fields of a map. A list is laid out row by row.
    mutable QFont font_;
    mutable int layerHeight_ = 0, fieldHeight_ = 0;
};

}  // namespace armilla
