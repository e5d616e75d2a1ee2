// SPDX-License-Identifier: GPL-3.0-or-later
// The live side of a tool: asks for a preview of what its rows say, and tells how far it has come.
#pragma once

#include <QWidget>

#include "session/live_tool.h"

class QCheckBox;
class QLabel;

namespace armilla {

class OperationPanel;

class LivePart : public QWidget {
    Q_OBJECT
public:
    LivePart(Session& session, OperationPanel* rows, QWidget* parent = nullptr);

    // Of a cube one channel is made.
    void setChannel(int channel);
    int channel() const { return channel_; }
    QCheckBox* toggle() const { return toggle_; }
    QString state() const;
    // What is made by Run takes the place of the preview, until something is changed; `words`: what
    // it is.
    void rest(const QString& words = {});

signals:
    void passMade(const armilla::LivePass& pass);
    // There is nothing to show any more.
    void cleared();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void update();
    QString key() const;
    void tell(const QString& line, const char* role);

    OperationPanel* rows_;
    LiveTool* tool_;
    QCheckBox* toggle_;
    QLabel* state_;
    QString asked_;
    QString words_;
    int channel_ = 0;
};

}  // namespace armilla
