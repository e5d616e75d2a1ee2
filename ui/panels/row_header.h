// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the rows of a table, beside them.
#pragma once

#include <QHeaderView>
#include <QPainter>

#include "armilla/ui/theme.h"

namespace armilla {

// Under a style sheet Qt keeps room for the arrow of a sorted column in each section, also beside
// rows, and clips the number to the rest.
class RowHeader : public QHeaderView {
public:
    explicit RowHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {
        setSectionsClickable(true);
        setHighlightSections(true);
    }

protected:
    void paintSection(QPainter* painter, const QRect& area, int row) const override {
        constexpr int kMargin = 7;
        const Theme& theme = Theme::of(this);
        painter->save();
        painter->fillRect(area, theme.panel);
        painter->fillRect(QRect(area.left(), area.bottom(), area.width(), 1), theme.separator);
        painter->setPen(theme.textMuted);
        painter->drawText(area.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter | Qt::AlignRight,
                          model()->headerData(row, Qt::Vertical).toString());
        painter->restore();
    }
};

}  // namespace armilla
