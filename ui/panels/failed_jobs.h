// SPDX-License-Identifier: GPL-3.0-or-later
// One row for all failed jobs: their number, their errors on demand, and Clear.
#pragma once

#include <QFrame>
#include <vector>

#include "armilla/session/job_runner.h"

class QLabel;
class QToolButton;

namespace armilla {

class FailedJobs : public QFrame {
public:
    // The runner must outlive the row.
    explicit FailedJobs(JobRunner& runner, QWidget* parent = nullptr);
    // Shows these failed jobs; hides the row if there are none.
    void setJobs(const std::vector<JobInfo>& failed);

private:
    QToolButton* fold_;
    QLabel* errors_;
    std::vector<int> ids_;
};

}  // namespace armilla
