// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/filter_panel.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "armilla/session/live_preview.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "panels/compare_row.h"
#include "panels/elided_label.h"
#include "panels/jobs_panel.h"
#include "panels/operation_panel.h"
#include "panels/small_widgets.h"
#include "panels/tool_footer.h"
#include "panels/widget_role.h"

namespace armilla {

FilterPanel::FilterPanel(Session& session, OperationPanel* rows, QWidget* parent)
    : QWidget(parent), session_(session), rows_(rows) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows_);
    rows_->insertPart(buildPart());
    connect(rows_, &OperationPanel::changed, this, &FilterPanel::follow);
    connect(toggle_, &QCheckBox::toggled, this, [this](bool on) {
        asked_.clear();
        discarded_.clear();
        if (on) return follow();
        if (session_.preview().isFilterPreviewed()) session_.preview().stopPreview();
        showState();
    });
    const Document& document = session_.document();
    connect(&document, &Document::entriesChanged, this, &FilterPanel::take);
    connect(&document.view(), &DocumentView::comparisonChanged, this, &FilterPanel::showState);
    connect(&session_.preview(), &LivePreview::previewBusyChanged, this, &FilterPanel::showState);
    connect(&session_.preview(), &LivePreview::livePresented, this, [this](double milliseconds) {
        if (!session_.preview().isFilterPreviewed()) return;
        milliseconds_ = milliseconds;
        showState();
    });
    showState();
}

QWidget* FilterPanel::buildPart() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    toggle_ = new QCheckBox(tr("Live"), part);
    toggle_->setChecked(true);
    toggle_->setToolTip(
        tr("The sky follows width, order and kind: by what is known of it from the "
           "filter before, and exactly once they rest"));
    state_ = new QLabel(part);
    state_->setWordWrap(true);
    state_->setAccessibleName(tr("State of the live filter"));
    setRole(state_, "muted");
    line->addWidget(toggle_);
    line->addWidget(state_, 1);
    layout->addLayout(line);
    keep_ = rows_->footer().add(tr("Keep"), QStringLiteral("keep"),
                                tr("Keep the filtered map as a map of its own"), 1);
    discard_ = rows_->footer().add(tr("Discard"), QStringLiteral("close"),
                                   tr("End the preview and show the map as it was"), 2);
    compare_ = new CompareRow(tr("The map and the filtered one; again for one picture"), part);
    connect(compare_, &CompareRow::compareRequested, this, [this](Comparison comparison) {
        emit compareRequested(comparison);
        showState();
    });
    layout->addWidget(compare_);
    connect(keep_, &QPushButton::clicked, this, [this] {
        isKept_ = true;
        session_.preview().keepSmooth();
    });
    // The end of the preview changes the shown map and with it the input. Only another setting
    // starts a preview again.
    connect(discard_, &QPushButton::clicked, this, [this] {
        discarded_ = rows_->settingsText();
        session_.preview().stopPreview();
    });
    return part;
}

QString FilterPanel::state() const {
    return state_->text().remove(QChar(0x200B));  // without the places to break
}

void FilterPanel::follow() {
    if (!isVisible() || !toggle_->isChecked()) return showState();
    if (!discarded_.isEmpty()) {
        if (rows_->settingsText() == discarded_) return showState();
        discarded_.clear();
    }
    const QString now = rows_->requestText();
    if (now == std::exchange(asked_, now)) return;
    // A filtered map has no live preview; only Run filters it again.
    const Layer* map = session_.document().entry(rows_->input(QStringLiteral("MAP")));
    const bool isFiltered =
        map && map->recipe.kind == RecipeKind::Operation &&
        map->recipe.record["operation"].toString() == textOf(rows_->operation().id);
    if (!isFiltered && session_.preview().liveFilterProblem(rows_->request()).isEmpty()) {
        since_.start();
        isKept_ = false;
        session_.preview().previewFilter(rows_->request());
    } else if (session_.preview().isFilterPreviewed()) {
        session_.preview().stopPreview();
    }
    showState();
}

// Shows a new live result.
void FilterPanel::take() {
    const Layer* live = session_.document().live();
    if (live && session_.preview().isFilterPreviewed() &&
        live->revision != std::exchange(revision_, live->revision))
        milliseconds_ = 1e-6 * static_cast<double>(since_.nsecsElapsed());
    showState();
}

QString FilterPanel::stateOfLive() const {
    const Document& document = session_.document();
    const Layer* live = document.live();
    const Layer* source = live ? document.entry(live->parent) : nullptr;
    if (!live || !source) return tr("working…");
    const QString time = timeTakenText(milliseconds_);
    if (!session_.preview().isPreviewBusy())
        return tr("every pixel, as Run makes it · %1").arg(time);
    if (document.liveLayer().picture()) return tr("every pixel · %1").arg(time);
    return tr("nside %1 of %2 · %3 · refining")
        .arg(live->map->nside())
        .arg(source->map->nside())
        .arg(time);
}

void FilterPanel::showState() {
    const bool isOurs = session_.preview().isFilterPreviewed();
    const bool live = isOurs && session_.document().live();
    keep_->setEnabled(live);
    discard_->setEnabled(isOurs);
    compare_->setState(live, session_.document().view().comparison());
    QString line;
    if (isOurs)
        line = stateOfLive();
    else if (!discarded_.isEmpty() && isVisible())
        line = tr("discarded; the next change of a setting shows it again");
    else if (toggle_->isChecked() && isVisible())
        // A newly opened tool shows no error yet.
        line = rows_->text(QStringLiteral("fwhm")).isEmpty() &&
                       !rows_->input(QStringLiteral("beam")).isValid()
                   ? tr("as soon as FWHM or a beam is given")
                   : session_.preview().liveFilterProblem(rows_->request());
    state_->setText(breakable(line));
}

void FilterPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

// A hidden tool computes nothing and leaves no picture without its buttons. A minimized window
// keeps the preview, and so does a map that Keep waits for.
void FilterPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (event->spontaneous() || !window()->isVisible()) return;
    asked_.clear();
    if (session_.preview().isFilterPreviewed() && !isKept_) session_.preview().stopPreview();
}

}  // namespace armilla
