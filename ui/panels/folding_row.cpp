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

void FoldingRow::add(QPushButton* button, const QString& icon, size_t place) {
    button->setIconSize({kIcon, kIcon});
    button->setAccessibleName(button->text());
    const auto at = static_cast<std::ptrdiff_t>(std::min(place, entries_.size()));
    entries_.insert(entries_.begin() + at, {button, button->text(), lineIcon(icon)});
    const int before = label_ ? 2 : 0;  // the label and the stretch
    static_cast<QHBoxLayout*>(layout())->insertWidget(before + static_cast<int>(at), button);
}

// Computed from the texts, because a button that shows an icon has no text width.
QSize FoldingRow::hint(size_t texts) const {
    int width = 0, height = fontMetrics().height();
    size_t place = 0;
    if (label_) {
        width += label_->sizeHint().width() + kSpacing;
        height = std::max(height, label_->sizeHint().height());
    }
    for (const Entry& entry : entries_) {
        const bool hasText = place++ < texts;
        if (entry.button->isHidden()) continue;
        width += kAround + kSpacing +
                 (hasText ? entry.button->fontMetrics().horizontalAdvance(entry.text) : kIcon);
        height = std::max(height, entry.button->sizeHint().height());
    }
    return {std::max(0, width - kSpacing), height};
}

QSize FoldingRow::sizeHint() const {
    return hint(entries_.size());
}

QSize FoldingRow::minimumSizeHint() const {
    return hint(0);
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
    size_t texts = entries_.size();
    while (texts > 0 && width() < hint(texts).width()) --texts;
    for (size_t i = 0; i < entries_.size(); ++i) {
        const auto& [button, text, icon] = entries_[i];
        const bool hasText = i < texts;
        if (button->icon().isNull() == hasText) continue;
        button->setText(hasText ? text : QString());
        button->setIcon(hasText ? QIcon() : icon);
    }
}

}  // namespace armilla
