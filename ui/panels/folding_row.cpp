// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/folding_row.h"

#include <QEvent>
#include <QHBoxLayout>
#include <algorithm>

#include "armilla/ui/icons.h"

namespace armilla {
namespace {

constexpr int kSpacing = 4;
constexpr int kAround = 22;  // padding and border of a button
constexpr int kIcon = 14;

}  // namespace

FoldingRow::FoldingRow(QWidget* label, QWidget* parent) : QWidget(parent), label_(label) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kSpacing);
    if (label_) layout->addWidget(label_);
    layout->addStretch(1);
}

void FoldingRow::add(QPushButton* button, const QString& icon) {
    button->setIconSize({kIcon, kIcon});
    button->setAccessibleName(button->text());
    entries_.push_back({button, button->text(), lineIcon(icon)});
    auto* row = static_cast<QHBoxLayout*>(layout());
    if (label_)
        row->addWidget(button);
    else
        row->insertWidget(row->count() - 1, button);
}

// Computed from the texts, because a button that shows an icon has no text width.
QSize FoldingRow::hint(bool folded) const {
    int width = 0, height = fontMetrics().height();
    if (label_) {
        width += label_->sizeHint().width() + kSpacing;
        height = std::max(height, label_->sizeHint().height());
    }
    for (const Entry& entry : entries_) {
        if (entry.button->isHidden()) continue;
        width += kAround + kSpacing +
                 (folded ? kIcon : entry.button->fontMetrics().horizontalAdvance(entry.text));
        height = std::max(height, entry.button->sizeHint().height());
    }
    return {std::max(0, width - kSpacing), height};
}

QSize FoldingRow::sizeHint() const {
    return hint(false);
}

QSize FoldingRow::minimumSizeHint() const {
    return hint(true);
}

bool FoldingRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange) fit();
    return QWidget::event(event);
}

void FoldingRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void FoldingRow::fit() {
    const bool folded = width() < hint(false).width();
    if (folded == folded_) return;
    folded_ = folded;
    for (const Entry& entry : entries_) {
        entry.button->setText(folded ? QString() : entry.text);
        entry.button->setIcon(folded ? entry.icon : QIcon());
    }
}

}  // namespace armilla
