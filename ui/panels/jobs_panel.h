// SPDX-License-Identifier: GPL-3.0-or-later
// What the program is working on: a card for each job with its stage, progress and Cancel.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QWidget>

#include "session/job_runner.h"

class QLabel;
class QVBoxLayout;

namespace armilla {

class JobCard;

class JobsPanel : public QWidget {
    Q_OBJECT
public:
    // The runner must outlive the panel.
    explicit JobsPanel(JobRunner& runner, QWidget* parent = nullptr);
    // Jobs that wait or run, failed ones not counted.
    int activeCount() const { return active_; }
    // A job gets its card once it has lasted this long.
    static constexpr int kPatienceMilliseconds = 250;

signals:
    void activeCountChanged(int count);

private:
    void update();
    JobCard* takeCard(int job);
    JobRunner& runner_;
    QHash<int, JobCard*> cards_;
    // Hidden, for jobs to come: a new card holds the window's thread for ten milliseconds, most of
    // them for its looks, while a slider may be moving.
    QList<JobCard*> spares_;
    QHash<int, QElapsedTimer> seen_;
    QLabel* empty_;
    QVBoxLayout* layout_;
    int active_ = 0;
};

// "4 s left", "2 min left"; empty while the time is not known.
QString timeLeftText(double seconds);

}  // namespace armilla
