// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets that panels have many of.
#pragma once

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

namespace armilla {

inline QLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "muted");
    return label;
}

// A switch; `tip` is its name, too, for those who cannot see its short text.
inline QToolButton* toggleButton(const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(true);
    return button;
}

inline QToolButton* flatToggle(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = toggleButton(text, tip, parent);
    button->setProperty("flat", true);
    return button;
}

// One of a row of switches that share its width; a click leaves the keyboard with the sky.
inline QToolButton* wideToggle(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = toggleButton(text, tip, parent);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return button;
}

// A table of rows, of which one at a time is chosen: of one height, so that a million rows need no
// look at each.
inline void showAsRows(QTableView& table) {
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setWordWrap(false);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 7);
    table.horizontalHeader()->setHighlightSections(false);
}

// As wide as the longest text of some rows from everywhere in it, and as the heading: Qt's own way
// lays out each text of the first rows, which takes tens of milliseconds where there are many
// columns.
inline void fitColumns(QTableView& table) {
    constexpr int kTexts = 4000;
    const QAbstractItemModel& model = *table.model();
    const int rows = model.rowCount();
    const int asked = std::clamp(kTexts / std::max(1, model.columnCount()), 10, 200);
    const int step = std::max(1, (rows + asked - 1) / asked);
    for (int column = 0; column < model.columnCount(); ++column) {
        QModelIndex longest;
        qsizetype letters = -1;
        for (int row = 0; row < rows; row += step) {
            const QModelIndex index = model.index(row, column);
            const qsizetype here = index.data().toString().size();
            if (here <= letters) continue;
            letters = here;
            longest = index;
        }
        const int text = longest.isValid() ? table.sizeHintForIndex(longest).width() + 1 : 0;
        table.setColumnWidth(column,
                             std::max(text, table.horizontalHeader()->sectionSizeHint(column)));
    }
}

}  // namespace armilla
