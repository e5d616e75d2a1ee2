// SPDX-License-Identifier: GPL-3.0-or-later
// Common small widgets of panels.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "armilla/ui/icons.h"
#include "models/sibling_text.h"

namespace armilla {

inline QLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "muted");
    return label;
}

// A toggle button; `tip` is also its accessible name, because its text is short.
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

// Folds a part of a panel; the owner shows and hides the part.
inline QToolButton* foldButton(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = flatToggle(text, tip, parent);
    button->setAccessibleName(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize({12, 12});
    const auto show = [button](bool open) {
        button->setIcon(
            lineIcon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    };
    QObject::connect(button, &QToolButton::toggled, button, show);
    show(false);
    return button;
}

// One of a row of toggle buttons of equal width; a click does not take the keyboard focus from the
// sky.
inline QToolButton* wideToggle(const QString& text, const QString& tip, QWidget* parent) {
    QToolButton* button = toggleButton(text, tip, parent);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return button;
}

// Minimum width of a choice in a narrow column: its text is elided before its neighbors shrink.
inline constexpr int kLeastChoice = 76;

// A choice among file names; a long name is elided where it equals another one of the list.
class NameChoice : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override {
        if (isEditable()) return QComboBox::paintEvent(event);
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        // Space that the style leaves around text and icon.
        const int edges = 2 + (option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4);
        const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                    QStyle::SC_ComboBoxEditField, this);
        QStringList names;
        for (int i = 0; i < count(); ++i) names << itemText(i);
        option.currentText =
            elidedAmong(option.currentText, names, fontMetrics(), field.width() - edges);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

// A check box with a sentence, elided if too long.
class SentenceCheck : public QCheckBox {
public:
    SentenceCheck(const QString& sentence, QWidget* parent)
        : QCheckBox(sentence, parent), sentence_(sentence) {
        setAccessibleName(sentence);
        // The policy of check boxes would make the whole sentence the least width.
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    QSize minimumSizeHint() const override {
        return {kLeastChoice, QCheckBox::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QCheckBox::resizeEvent(event);
        constexpr int kMark = 26;  // width with the margin of the style
        const bool isWhole = fontMetrics().horizontalAdvance(sentence_) + kMark <= width();
        setText(isWhole ? sentence_
                        : fontMetrics().elidedText(sentence_, Qt::ElideRight, width() - kMark));
    }

private:
    QString sentence_;
};

// Configures a table with single-row selection. Rows have a fixed height, so that a million rows
// need no measurement.
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

// Fits each column to its heading and the widest of the longest texts of an even sample of rows.
// Qt's own method lays out each text of the first rows, which takes tens of milliseconds for many
// columns.
inline void fitColumns(QTableView& table) {
    constexpr int kTexts = 4000;
    const QAbstractItemModel& model = *table.model();
    const int rows = model.rowCount();
    const int asked = std::clamp(kTexts / std::max(1, model.columnCount()), 10, 200);
    const int step = std::max(1, (rows + asked - 1) / asked);
    for (int column = 0; column < model.columnCount(); ++column) {
        QModelIndex longest;
        std::pair<qsizetype, int> most{-1, 0};  // letters and width
        for (int row = 0; row < rows; row += step) {
            const QModelIndex index = model.index(row, column);
            const QString text = index.data().toString();
            if (text.size() < most.first) continue;
            const std::pair now{text.size(), table.fontMetrics().horizontalAdvance(text)};
            if (now <= most) continue;
            most = now;
            longest = index;
        }
        const int text = longest.isValid() ? table.sizeHintForIndex(longest).width() + 1 : 0;
        table.setColumnWidth(column,
                             std::max(text, table.horizontalHeader()->sectionSizeHint(column)));
    }
}

}  // namespace armilla
