// SPDX-License-Identifier: GPL-3.0-or-later
// A dock that collapses to its title line. Its content scrolls above the footer of the tool.
#pragma once

#include <QDockWidget>

class QAbstractButton;
class QLabel;
class QHBoxLayout;

namespace armilla {

class ToolDock : public QDockWidget {
    Q_OBJECT
public:
    // `name` is the object name in the saved window state. A growing dock takes the remaining
    // height. A steady dock keeps its height whatever its content, so that its neighbors do not
    // move under the pointer.
    enum class Height { Natural, Grows, Steady };
    ToolDock(const QString& title, const QString& name, QWidget* content, Height height,
             QWidget* parent);

    // Tone of the short status at the right of the title line: "LIVE · 4.1 ms · cpu".
    enum class StatusTone { Quiet, Good, Warning };
    void setStatus(const QString& text, StatusTone tone = StatusTone::Quiet);
    QString status() const;
    // A small control at the right end of the title line.
    void addTitleWidget(QWidget* widget);
    QWidget* content() const { return content_; }

    bool isCollapsed() const { return collapsed_; }
    void setCollapsed(bool collapsed);

signals:
    // The content has another preferred height.
    void naturalHeightChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitHeight();
    QWidget* titleBar();
    QWidget* content_;
    QWidget* scroll_;
    QWidget* footer_;  // empty if the content has none
    QAbstractButton* toggle_ = nullptr;
    QLabel* status_ = nullptr;
    QHBoxLayout* titleLayout_ = nullptr;
    Height height_;
    bool collapsed_ = false;
};

}  // namespace armilla
