// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets that panels have many of.
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

// Of a choice in a narrow column: its texts are cut, not what stands beside it.
inline constexpr int kLeastChoice = 76;

// A choice among names of files: one that is too long is cut in its middle, not at its end.
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
        // That the style leaves beside text and picture.
        const int edges = 2 + (option.currentIcon.isNull() ? 0 : option.iconSize.width() + 4);
        const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                    QStyle::SC_ComboBoxEditField, this);
        option.currentText =
            fontMetrics().elidedText(option.currentText, Qt::ElideMiddle, field.width() - edges);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

// A check box of a sentence that is cut where there is no room for it.
class SentenceCheck : public QCheckBox {
public:
    SentenceCheck(const QString& sentence, QWidget* parent)
        : QCheckBox(sentence, parent), sentence_(sentence) {
        setAccessibleName(sentence);
    }
    QSize minimumSizeHint() const override {
        return {kLeastChoice, QCheckBox::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QCheckBox::resizeEvent(event);
        constexpr int kMark = 26;  // with what the style leaves beside it
        const bool isWhole = fontMetrics().horizontalAdvance(sentence_) + kMark <= width();
        setText(isWhole ? sentence_
                        : fontMetrics().elidedText(sentence_, Qt::ElideRight, width() - kMark));
    }

private:
    QString sentence_;
};

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
