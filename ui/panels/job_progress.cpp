// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/job_progress.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "armilla/ui/theme.h"
#include "panels/jobs_panel.h"

namespace armilla {

namespace {

constexpr int kWidth = 190, kBar = 3, kMargin = 6;  // logical pixels

}  // namespace

JobProgress::JobProgress(JobRunner& runner, QWidget* parent)
    : QAbstractButton(parent), runner_(runner) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Progress of the jobs"));
    setWhatsThis(tr("Work that runs. A click opens the list of jobs."));
    connect(&runner_, &JobRunner::jobsChanged, this, &JobProgress::follow);
    follow();
}

QSize JobProgress::sizeHint() const {
    return {kWidth, fontMetrics().height() + kBar + 2};
}

void JobProgress::follow() {
    const std::vector<JobInfo> jobs = runner_.jobs();
    // Previews last as long as a slider moves; their tools show them.
    const auto isLasting = [](const JobInfo& job) {
        return job.state == JobState::Running && !job.hasSlot;
    };
    const auto running = std::find_if(jobs.begin(), jobs.end(), isLasting);
    const auto count = std::count_if(jobs.begin(), jobs.end(), [](const JobInfo& job) {
        return !job.hasSlot && (job.state == JobState::Running || job.state == JobState::Queued);
    });
    const int job = running == jobs.end() ? -1 : running->id;
    if (std::exchange(job_, job) != job) since_.start();
    // A short job would only flicker.
    const bool isShown = job >= 0 && since_.elapsed() >= JobsPanel::kPatienceMilliseconds;
    const double fraction = isShown ? running->fraction : -1.0;
    QString text;
    if (isShown) {
        text = tr("%1 · %2 %").arg(running->name).arg(std::lround(100.0 * fraction));
        if (count > 1) text.prepend(tr("%n jobs · ", nullptr, static_cast<int>(count)));
    }
    if (text == this->text() && fraction == fraction_) return;
    fraction_ = fraction;
    setEnabled(isShown);
    setText(text);
    setToolTip(isShown ? tr("%1\nClick to see all jobs").arg(text) : QString());
    setCursor(isShown ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void JobProgress::paintEvent(QPaintEvent*) {
    if (fraction_ < 0.0) return;
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    const QRect area = rect().adjusted(kMargin, 0, -kMargin, -kBar - 1);
    painter.setFont(font());
    painter.setPen(underMouse() || hasFocus() ? theme.text : theme.textMuted);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width()));
    QRectF bar(area.left(), height() - kBar - 0.5, area.width(), kBar);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.controlHover);
    painter.drawRoundedRect(bar, 0.5 * kBar, 0.5 * kBar);
    bar.setWidth(std::clamp(fraction_, 0.0, 1.0) * bar.width());
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(bar, 0.5 * kBar, 0.5 * kBar);
}

}  // namespace armilla
