// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/compare_row.h"

#include "panels/small_widgets.h"

namespace armilla {

CompareRow::CompareRow(const QString& toolTip, QWidget* parent)
    : FoldingRow(mutedLabel(tr("Before / after"), parent), parent) {
    struct Strategy {
        QString name, icon;
        Comparison comparison;
    };
    const Strategy strategies[] = {{tr("Swipe"), QStringLiteral("swipe"), Comparison::Swipe},
                                   {tr("Blink"), QStringLiteral("blink"), Comparison::Blink}};
    for (const auto& [name, icon, comparison] : strategies) {
        auto* button = new QPushButton(name, this);
        button->setCheckable(true);
        button->setToolTip(toolTip);
        add(button, icon);
        connect(button, &QPushButton::clicked, this, [this, comparison = comparison](bool on) {
            emit compareRequested(on ? comparison : Comparison::Single);
        });
        buttons_.emplace_back(button, comparison);
    }
}

void CompareRow::setState(bool live, Comparison shown) {
    for (const auto& [button, comparison] : buttons_) {
        button->setEnabled(live);
        button->setChecked(live && comparison == shown);
    }
}

}  // namespace armilla
