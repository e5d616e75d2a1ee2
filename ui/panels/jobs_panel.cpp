// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/jobs_panel.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSet>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/ui/icons.h"
#include "panels/elided_label.h"
#include "panels/failed_jobs.h"

namespace armilla {

QString timeLeftText(double seconds) {
    if (!(seconds >= 0.0)) return {};
    if (seconds < 10.0) return JobsPanel::tr("%1 s left").arg(seconds, 0, 'f', 1);
    if (seconds < 90.0) return JobsPanel::tr("%1 s left").arg(std::lround(seconds));
    return JobsPanel::tr("%1 min left").arg(std::lround(seconds / 60.0));
}

QString timeTakenText(double milliseconds) {
    const double seconds = 1e-3 * milliseconds;
    if (milliseconds < 999.5) return JobsPanel::tr("%1 ms").arg(std::lround(milliseconds));
    if (seconds < 9.95) return JobsPanel::tr("%1 s").arg(seconds, 0, 'f', 1);
    if (seconds < 89.5) return JobsPanel::tr("%1 s").arg(std::lround(seconds));
    return JobsPanel::tr("%1 min").arg(std::lround(seconds / 60.0));
}

// A job that waits, runs or stops. The button cancels the job.
class JobCard : public QFrame {
public:
    JobCard(JobRunner& runner, QWidget* parent)
        : QFrame(parent),
          name_(new ElidedLabel(this)),
          line_(new QLabel(this)),
          bar_(new QProgressBar(this)),
          button_(new QToolButton(this)) {
        setProperty("role", "card");
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(9, 6, 6, 8);
        layout->setSpacing(4);
        auto* top = new QHBoxLayout;
        top->setSpacing(4);
        top->addWidget(name_, 1);
        top->addWidget(button_);
        layout->addLayout(top);
        layout->addWidget(bar_);
        layout->addWidget(line_);
        bar_->setTextVisible(false);
        bar_->setRange(0, kSteps);
        line_->setProperty("role", "muted");
        line_->setWordWrap(true);
        line_->setTextFormat(Qt::PlainText);
        button_->setIcon(lineIcon(QStringLiteral("close")));
        button_->setIconSize({12, 12});
        button_->setProperty("flat", true);
        connect(button_, &QToolButton::clicked, this, [this, &runner] { runner.cancel(id_); });
        hide();
        for (QWidget* part : {static_cast<QWidget*>(this), static_cast<QWidget*>(name_),
                              static_cast<QWidget*>(line_), static_cast<QWidget*>(bar_),
                              static_cast<QWidget*>(button_)})
            part->ensurePolished();
    }

    void setInfo(const JobInfo& info) {
        id_ = info.id;
        name_->setText(info.name);
        bar_->setValue(static_cast<int>(std::lround(info.fraction * kSteps)));
        bar_->setAccessibleName(JobsPanel::tr("Progress of %1").arg(info.name));
        QString line = info.stage;
        if (info.state == JobState::Queued) {
            line = JobsPanel::tr("waiting");
        } else if (info.state == JobState::Cancelled) {
            line = JobsPanel::tr("stopping");
        } else {
            const QString left = timeLeftText(info.secondsLeft);
            if (!left.isEmpty()) line += line.isEmpty() ? left : QStringLiteral(" · ") + left;
        }
        line_->setText(breakable(line));
        line_->setVisible(!line.isEmpty());
        const QString tip = JobsPanel::tr("Cancel %1").arg(info.name);
        button_->setEnabled(info.state != JobState::Cancelled);
        button_->setToolTip(tip);
        button_->setAccessibleName(tip);
        setAccessibleName(QStringLiteral("%1: %2").arg(info.name, line));
    }

private:
    static constexpr int kSteps = 1000;
    ElidedLabel* name_;
    QLabel* line_;
    QProgressBar* bar_;
    QToolButton* button_;
    int id_ = -1;
};

JobsPanel::JobsPanel(JobRunner& runner, QWidget* parent)
    : QWidget(parent),
      runner_(runner),
      failed_(new FailedJobs(runner, this)),
      empty_(new QLabel(tr("Nothing is running."), this)),
      layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(10, 2, 10, 10);
    layout_->setSpacing(6);
    empty_->setProperty("role", "muted");
    layout_->addWidget(failed_);
    layout_->addWidget(empty_);
    layout_->addStretch(1);
    setAccessibleName(tr("Jobs"));
    // Two, because the next job may start before the previous card is removed.
    for (int i = 0; i < 2; ++i) spares_ << new JobCard(runner_, this);
    connect(&runner_, &JobRunner::jobsChanged, this, &JobsPanel::update);
    update();
}

// Puts the card of a job at this place of the list.
JobCard* JobsPanel::takeCard(int job, int place) {
    JobCard*& card = cards_[job];
    if (!card) card = spares_.isEmpty() ? new JobCard(runner_, this) : spares_.takeLast();
    if (layout_->indexOf(card) != place) {
        layout_->removeWidget(card);
        layout_->insertWidget(place, card);
    }
    return card;
}

// Jobs that run come first, then those that wait or stop, then the failed ones in one row.
void JobsPanel::update() {
    std::vector<JobInfo> jobs = runner_.jobs();
    const auto rank = [](const JobInfo& job) {
        return job.state == JobState::Running ? 0 : job.state == JobState::Failed ? 2 : 1;
    };
    std::stable_sort(jobs.begin(), jobs.end(),
                     [&](const JobInfo& a, const JobInfo& b) { return rank(a) < rank(b); });
    const auto firstFailed = std::find_if(
        jobs.begin(), jobs.end(), [](const JobInfo& job) { return job.state == JobState::Failed; });
    failed_->setJobs({firstFailed, jobs.end()});
    jobs.erase(firstFailed, jobs.end());
    QSet<int> present;
    int place = 0;
    for (const JobInfo& info : jobs) {
        present.insert(info.id);
        if (!seen_.contains(info.id)) {
            seen_[info.id].start();
            QTimer::singleShot(kPatienceMilliseconds, this, &JobsPanel::update);
        }
        // A card for a very short job would only flicker.
        if (seen_[info.id].elapsed() < kPatienceMilliseconds) continue;
        JobCard* const card = takeCard(info.id, place++);
        card->setInfo(info);
        card->show();
    }
    for (auto it = cards_.begin(); it != cards_.end();) {
        if (present.contains(it.key())) {
            ++it;
            continue;
        }
        layout_->removeWidget(it.value());
        it.value()->hide();
        it.value()->setInfo({});
        spares_ << it.value();
        it = cards_.erase(it);
    }
    seen_.removeIf([&](const auto& entry) { return !present.contains(entry.key()); });
    empty_->setVisible(cards_.isEmpty() && failed_->isHidden());
    if (const auto active = static_cast<int>(cards_.size()); active != active_) {
        active_ = active;
        emit activeCountChanged(active);
    }
}

}  // namespace armilla
