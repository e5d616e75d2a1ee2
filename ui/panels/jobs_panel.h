// SPDX-License-Identifier: GPL-3.0-or-later
// List of jobs: a card for each with its stage, progress and Cancel, and one row for the failed
// ones.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QWidget>

#include "armilla/session/job_runner.h"

class QLabel;
class QVBoxLayout;

namespace armilla {

class FailedJobs;
class JobCard;

class JobsPanel : public QWidget {
    Q_OBJECT
public:
    // The runner must outlive the panel.
    explicit JobsPanel(JobRunner& runner, QWidget* parent = nullptr);
    // Number of cards: jobs that have waited or run for a while, without failed ones.
    int activeCount() const { return active_; }
    // A job gets a card after this time.
    static constexpr int kPatienceMilliseconds = 250;

signals:
    void activeCountChanged(int count);

private:
    void update();
    JobCard* takeCard(int job, int place);
    JobRunner& runner_;
    QHash<int, JobCard*> cards_;
    // Hidden spare cards for later jobs. Creating a card blocks the window's thread for ten
    // milliseconds, mostly for its style, possibly while a slider moves.
    QList<JobCard*> spares_;
    QHash<int, QElapsedTimer> seen_;
    FailedJobs* failed_;
    QLabel* empty_;
    QVBoxLayout* layout_;
    int active_ = 0;
};

// "4 s left", "2 min left"; empty if the time is unknown.
QString timeLeftText(double seconds);
// Time that a picture took: "320 ms", "1.4 s", "3 min".
QString timeTakenText(double milliseconds);

}  // namespace armilla
