// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of the running jobs in the status bar, of fixed size.
#pragma once

#include <QAbstractButton>
#include <QElapsedTimer>

#include "armilla/session/job_runner.h"

namespace armilla {

// A button, because a click shows the list of jobs. Without a lasting job it is empty and disabled.
class JobProgress : public QAbstractButton {
    Q_OBJECT
public:
    // The runner must outlive the widget.
    explicit JobProgress(JobRunner& runner, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    // Progress of the oldest running job, from 0 to 1; negative without one.
    double fraction() const { return fraction_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    JobRunner& runner_;
    int job_ = -1;         // the oldest running job
    QElapsedTimer since_;  // since that job was first seen
    double fraction_ = -1.0;
};

}  // namespace armilla
