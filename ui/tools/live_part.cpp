// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/live_part.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>

#include "armilla/session/session.h"
#include "panels/elided_label.h"
#include "panels/jobs_panel.h"
#include "panels/operation_panel.h"
#include "panels/widget_role.h"

namespace armilla {

namespace {

// All inputs of a result.
QString key(int channel, OperationPanel& rows) {
    return QString::number(channel) + QChar(0x1F) + rows.requestText();
}

}  // namespace

LivePart::LivePart(Session& session, OperationPanel* rows, QWidget* parent)
    : QWidget(parent),
      rows_(rows),
      tool_(new LiveTool(session, this)),
      toggle_(new QCheckBox(tr("Live"), this)),
      state_(new QLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(toggle_);
    layout->addWidget(state_, 1);
    toggle_->setChecked(true);
    toggle_->setToolTip(tr("A preview follows every change: coarse at first, then finer"));
    setRole(state_, "muted");
    state_->setWordWrap(true);
    state_->setAccessibleName(tr("State of the preview"));
    connect(toggle_, &QCheckBox::toggled, this, &LivePart::update);
    connect(rows_, &OperationPanel::changed, this, &LivePart::update);
    connect(tool_, &LiveTool::passMade, this, [this](const LivePass& pass) {
        words_ = tr("%1 · %2").arg(pass.words, timeTakenText(pass.milliseconds));
        tell(pass.isWhole ? words_ : tr("%1 · refining").arg(words_), "muted");
        emit passMade(pass);
    });
    connect(tool_, &LiveTool::busyChanged, this, [this](bool busy) {
        if (!busy && !words_.isEmpty()) tell(words_, "muted");
        if (busy && words_.isEmpty()) tell(tr("working…"), "muted");
    });
    connect(tool_, &LiveTool::failed, this, [this](const QString& line) {
        words_.clear();
        tell(line, "warning");
        emit cleared();
    });
}

QString LivePart::state() const {
    return text_;
}

void LivePart::tell(const QString& line, const char* role) {
    text_ = line;
    state_->setText(breakable(line));
    setRole(state_, role);
}

void LivePart::setChannel(int channel) {
    if (channel == channel_) return;
    channel_ = channel;
    update();
}

void LivePart::rest(const QString& words) {
    tool_->stop();
    asked_ = key(channel_, *rows_);
    words_ = words;
    tell(words, "muted");
    emit cleared();
}

void LivePart::update() {
    const bool isWanted = isVisible() && toggle_->isChecked() &&
                          problemOf(rows_->request()).isEmpty() && (!condition_ || condition_());
    if (!isWanted) {
        const bool hadAny = !std::exchange(asked_, {}).isEmpty();
        tool_->stop();
        words_.clear();
        tell({}, "muted");
        if (hadAny) emit cleared();
        return;
    }
    const QString now = key(channel_, *rows_);
    if (now == std::exchange(asked_, now)) return;
    tool_->ask(rows_->request(), channel_);
}

void LivePart::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    update();
}

void LivePart::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    update();
}

}  // namespace armilla
