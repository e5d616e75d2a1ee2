// SPDX-License-Identifier: GPL-3.0-or-later
// Run in the panel of an operation: why Run is off, its job, and the end of an error with its
// cause.
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/tool_settings.h"
#include "panels/operation_rows.h"
#include "panels/tool_footer.h"

namespace armilla {

void OperationPanel::buildFooter() {
    footer_ = new ToolFooter(this);
    layout_->addWidget(footer_);
    problem_ = nameLabel({}, footer_);
    footer_->addLine(problem_);
    run_ = footer_->add(tr("Run"), QStringLiteral("run"),
                        tr("Runs as a job; the result becomes a layer"));
    run_->setProperty("primary", true);
    reset_ = footer_->addReset();
    copy_ = footer_->add(tr("Copy command"), QStringLiteral("copy"),
                         tr("Copy the armilla command that does the same"));
    connect(run_, &QPushButton::clicked, this, &OperationPanel::runNow);
    connect(reset_, &QPushButton::clicked, this,
            [this] { settings_->act(tr("reset"), [this] { resetSettings(); }); });
    connect(copy_, &QPushButton::clicked, this, [this] {
        if (!takeTyped()) return;
        const QString command = session_.exporter().commandForOperation(
            request(), textOf(operation_.id) + QStringLiteral("_result.fits"));
        if (!command.isEmpty()) emit commandRequested(command);
    });
}

// True for a row under More that acts and differs from the start.
bool OperationPanel::isSet(const Row& row) {
    const Parameter& parameter = row.parameter;
    return parameter.facts.advanced && parameter.applies() &&
           QString::fromStdString(parameter.text(parameter.get())) != row.standard;
}

// The reason why Run is off, and its row: the first row with an error, or a row under More that
// the user has set and the reason names. Empty if Run is on.
std::pair<QString, const OperationPanel::Row*> OperationPanel::problem() {
    for (const auto& row : rows_)
        if (row->hasError && row->parameter.applies())
            return {tr("%1: %2").arg(shownText(row->parameter.label()), row->wrong), row.get()};
    const QString line = problemOf(request());
    for (const auto& row : rows_) {
        if (line.isEmpty() || !isSet(*row)) continue;
        const QRegularExpression name(
            QStringLiteral("\\b%1\\b")
                .arg(QRegularExpression::escape(shownText(row->parameter.label()))));
        if (line.contains(name)) return {line, row.get()};
    }
    return {line, nullptr};
}

QString OperationPanel::settingsText() const {
    QStringList parts;
    for (const auto& row : rows_)
        parts << QString::fromStdString(row->parameter.text(row->parameter.get()));
    return parts.join(QChar(0x1F));
}

QString OperationPanel::requestText() {
    const OperationRequest now = request();
    QStringList parts{settingsText()};
    for (const OperationRequest::Given& given : now.inputs)
        parts << QStringLiteral("%1=%2%3")
                         .arg(given.slot)
                         .arg(given.layer.number())
                         .arg(given.literal) +
                     QStringLiteral("[%1]").arg(given.fields.empty() ? -1 : given.fields.front());
    for (const std::string& slot : now.wanted) parts << QString::fromStdString(slot);
    return parts.join(QChar(0x1F));
}

// True while the job of the same request runs: a second one would make the same result twice.
bool OperationPanel::isRunning() {
    return job_ >= 0 && requestText() == ran_;
}

void OperationPanel::noteEnd(int job, const QString& error) {
    if (job != job_) return;
    job_ = -1;
    // A request changed since then has no end of the error: it would end before anyone reads it.
    if (!error.isEmpty() && requestText() == ran_) {
        failure_ = {job, error, ran_, {}};
        for (const OperationRequest::Given& given : request().inputs)
            failure_->inputs.push_back(given.layer);
    }
    refresh();
}

// The error and its job are withdrawn: a setting has changed, an input is closed, or Run is pressed
// again.
void OperationPanel::endFailure() {
    const auto failure = std::exchange(failure_, std::nullopt);
    if (!failure) return;
    session_.jobs().dismiss(failure->job);
    emit failureOver(inWindowWords(failure->line));
}

void OperationPanel::runNow() {
    if (!takeTyped() || isRunning()) return;
    endFailure();
    job_ = session_.operations().runOperation(request());
    ran_ = requestText();
    // Qt would give the focus of the disabled button to the next one, Reset.
    if (run_->hasFocus()) setFocus();
    refresh();
}

}  // namespace armilla
