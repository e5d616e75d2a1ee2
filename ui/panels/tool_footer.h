// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of a tool. A ToolDock shows the footer of its content below the part that scrolls.
#pragma once

#include <QWidget>
#include <cstddef>

class QPushButton;

namespace armilla {

class FoldingRow;

class ToolFooter : public QWidget {
    Q_OBJECT
public:
    explicit ToolFooter(QWidget* parent);
    // Adds a button, as the last one or at a place among the others. Where the texts do not fit,
    // the last buttons show icons.
    QPushButton* add(const QString& text, const QString& icon, const QString& tip,
                     size_t place = static_cast<size_t>(-1));
    QPushButton* addReset();
    // Adds a line above the buttons, which keep their place when it appears.
    void addLine(QWidget* line);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    FoldingRow* row_;
};

}  // namespace armilla
