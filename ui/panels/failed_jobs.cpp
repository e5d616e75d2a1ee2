// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/failed_jobs.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "armilla/session/window_words.h"
#include "panels/elided_label.h"
#include "panels/jobs_panel.h"
#include "panels/small_widgets.h"

namespace armilla {

FailedJobs::FailedJobs(JobRunner& runner, QWidget* parent)
    : QFrame(parent),
      fold_(foldButton({}, JobsPanel::tr("The errors of the failed jobs"), this)),
      errors_(new QLabel(this)) {
    setProperty("role", "card");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 3, 4, 4);
    layout->setSpacing(4);
    auto* clear = new QToolButton(this);
    clear->setText(JobsPanel::tr("Clear"));
    clear->setProperty("flat", true);
    clear->setToolTip(JobsPanel::tr("Remove the failed jobs from the list"));
    clear->setAccessibleName(JobsPanel::tr("Clear failed jobs"));
    auto* top = new QHBoxLayout;
    top->addWidget(fold_);
    top->addStretch(1);
    top->addWidget(clear);
    layout->addLayout(top);
    layout->addWidget(errors_);
    errors_->setProperty("role", "error");
    errors_->setWordWrap(true);
    errors_->setTextFormat(Qt::PlainText);
    errors_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    errors_->setContentsMargins(5, 0, 5, 2);
    errors_->hide();
    connect(fold_, &QToolButton::toggled, errors_, &QWidget::setVisible);
    connect(clear, &QToolButton::clicked, this, [this, &runner] {
        for (const int id : std::exchange(ids_, {})) runner.dismiss(id);
    });
    hide();
}

void FailedJobs::setJobs(const std::vector<JobInfo>& failed) {
    setVisible(!failed.empty());
    std::vector<int> ids;
    for (const JobInfo& job : failed) ids.push_back(job.id);
    if (ids == ids_) return;
    ids_ = std::move(ids);
    QStringList lines;
    for (const JobInfo& job : failed)
        lines << QStringLiteral("%1: %2").arg(job.name, inWindowWords(job.error));
    const QString text = JobsPanel::tr("%n failed", nullptr, static_cast<int>(failed.size()));
    fold_->setText(text);
    fold_->setAccessibleName(text);
    const QString errors = lines.join(QLatin1Char('\n'));
    errors_->setText(breakable(errors));
    setToolTip(errors);
}

}  // namespace armilla
