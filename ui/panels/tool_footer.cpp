// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tool_footer.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "armilla/ui/theme.h"
#include "panels/folding_row.h"

namespace armilla {

ToolFooter::ToolFooter(QWidget* parent) : QWidget(parent), row_(new FoldingRow(nullptr, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(row_);
}

QPushButton* ToolFooter::add(const QString& text, const QString& icon, const QString& tip,
                             size_t place) {
    auto* button = new QPushButton(text, row_);
    button->setToolTip(tip);
    row_->add(button, icon, place);
    return button;
}

QPushButton* ToolFooter::addReset() {
    return add(tr("Reset"), QStringLiteral("reset"),
               tr("Put every setting of this tool back to its first value"));
}

void ToolFooter::addLine(QWidget* line) {
    static_cast<QVBoxLayout*>(layout())->insertWidget(layout()->count() - 1, line);
}

// The line between the footer and what scrolls.
void ToolFooter::paintEvent(QPaintEvent* /*event*/) {
    QPainter(this).fillRect(0, 0, width(), 1, Theme::of(this).separator);
}

}  // namespace armilla
