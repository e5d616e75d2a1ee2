// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons that show the map before and after a live tool, by swipe and by blink.
#pragma once

#include <utility>

#include "armilla/session/document_view.h"
#include "panels/folding_row.h"

namespace armilla {

class CompareRow : public FoldingRow {
    Q_OBJECT
public:
    CompareRow(const QString& toolTip, QWidget* parent);
    // Enables the buttons while a result is live, and presses the one of the view's comparison.
    void setState(bool live, Comparison shown);

signals:
    void compareRequested(armilla::Comparison comparison);

private:
    std::vector<std::pair<QPushButton*, Comparison>> buttons_;
};

}  // namespace armilla
