// SPDX-License-Identifier: GPL-3.0-or-later
// The Sources tool in the window: its list in the data dock, and exports.
#include <cmath>

#include "armilla/session/exporter.h"
#include "armilla/session/region_shape.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/file_chooser.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "panels/tool_dock.h"
#include "tools/candidate_list.h"
#include "tools/sources_panel.h"

namespace armilla {

QWidget* MainWindow::buildSources(OperationPanel* search) {
    SourceReview& review = session_->review();
    sources_ = new SourcesPanel(*session_, search);
    auto* list = new CandidateList(session_->document(), review, data_);
    data_->setOwnTable(list);
    connect(&review, &SourceReview::layerChanged, data_,
            [this, &review] { data_->setOwnTableLayer(review.layer()); });
    connect(list, &CandidateList::rowChosen, this, &MainWindow::showRow);
    connect(sources_, &SourcesPanel::rowChosen, this, &MainWindow::showRow);
    connect(sources_, &SourcesPanel::gridRequested, list,
            [list] { list->setGridShown(!list->isGridShown()); });
    connect(sources_, &SourcesPanel::exportRequested, this, &MainWindow::exportSources);
    connect(sources_, &SourcesPanel::statusChanged, this, [this](const QString& text) {
        for (ToolDock* dock : docks_)
            if (dock->content() == sources_) dock->setStatus(text);
    });
    connect(sources_, &SourcesPanel::mocRequested, this, &MainWindow::exportSourcesMoc);
    connect(sources_, &SourcesPanel::messageRaised, this,
            [this](const QString& line, bool isError) {
                messages_->show(isError ? MessageTone::Error : MessageTone::Note, line);
            });
    connect(&review.partners(), &CandidatePartners::changed, this, &MainWindow::drawSources);
    for (const auto signal : {&SourceReview::rowsChanged, &SourceReview::layerChanged,
                              &SourceReview::judgementsChanged})
        connect(&review, signal, this, &MainWindow::drawSources);
    return sources_;
}

void MainWindow::drawSources() {
    // More links than this cannot be distinguished and only hide the sky.
    constexpr size_t kMostLinks = 5000;
    const SourceReview& review = session_->review();
    std::vector<SkyLine> links, orphans;
    const Frame frame = review.catalog() ? review.catalog()->frame() : Frame::Unknown;
    const auto isListed = [&](int64_t row) { return review.list().placeOf(row) >= 0; };
    for (const auto& [from, to] : review.partners().links(kMostLinks, isListed))
        links.push_back({SkyLine::Ink::Link, frame, {from, to}, {}, {}, 0.0});
    const double radius = 0.5 * review.search().beam.value_or(20.0 * kArcmin);
    for (const Judgement& each : review.verdicts().orphans()) {
        orphans.push_back({SkyLine::Ink::Orphan,
                           each.frame,
                           circleAround(each.place, radius),
                           {},
                           each.name,
                           0.0});
    }
    skyView_->setLines(QStringLiteral("links"), std::move(links));
    skyView_->setLines(QStringLiteral("orphans"), std::move(orphans));
}

void MainWindow::exportSources(bool accepted) {
    chooseFileToWrite(this, accepted ? tr("Export the accepted") : tr("Export the verdicts"),
                      accepted ? QStringLiteral("accepted.fits") : QStringLiteral("verdicts.fits"),
                      writeFilter(DataKind::Catalog), QStringLiteral("fits"),
                      [this, accepted](const QString& path) {
                          session_->exporter().exportVerdicts(
                              accepted ? Verdict::Accepted : Verdict::None, path, true);
                      });
}

void MainWindow::exportSourcesMoc(double beams) {
    const QString filters = tr("FITS files (*.fits);;ASCII MOC (*.txt);;JSON MOC (*.json)");
    chooseFileToWrite(this, tr("Export the coverage of the accepted"),
                      QStringLiteral("accepted-moc.fits"), filters, QStringLiteral("fits"),
                      [this, beams](const QString& path) {
                          session_->exporter().exportAcceptedMoc(beams, path, true);
                      });
}

}  // namespace armilla
