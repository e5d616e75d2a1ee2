// SPDX-License-Identifier: GPL-3.0-or-later
// Live preview of a tool: requests previews for its parameters and reports progress.
#pragma once

#include <QWidget>
#include <functional>

#include "armilla/session/live_tool.h"

class QCheckBox;
class QLabel;

namespace armilla {

class OperationPanel;

class LivePart : public QWidget {
    Q_OBJECT
public:
    LivePart(Session& session, OperationPanel* rows, QWidget* parent = nullptr);

    // For a cube, one channel is computed.
    void setChannel(int channel);
    int channel() const { return channel_; }
    QCheckBox* toggle() const { return toggle_; }
    QString state() const;
    // The result of Run replaces the preview until a parameter changes; `words` describes that
    // result.
    void rest(const QString& words = {});
    // A function that returns the close view (LiveTool::setLookedAt).
    void setLookedAt(std::function<std::optional<LookedAt>()> asked) {
        tool_->setLookedAt(std::move(asked));
    }
    // A further condition for a preview, besides a valid request.
    void setCondition(std::function<bool()> condition) { condition_ = std::move(condition); }

signals:
    void passMade(const armilla::LivePass& pass);
    // There is no preview any more.
    void cleared();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void update();
    void tell(const QString& line, const char* role);

    OperationPanel* rows_;
    LiveTool* tool_;
    QCheckBox* toggle_;
    QLabel* state_;
    QString asked_;
    QString words_;
    QString text_;  // the shown state
    std::function<bool()> condition_;
    int channel_ = 0;
};

}  // namespace armilla
