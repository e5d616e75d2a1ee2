// SPDX-License-Identifier: GPL-3.0-or-later
// The start page, sample skies and the tour of a window.
#include <QVBoxLayout>

#include "armilla/operations/known_operations.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/maps_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/file_commands.h"
#include "window/start_page.h"
#include "window/tour.h"
#include "window/window_dialogs.h"
#include "window/window_layout.h"
#include "window/window_panels.h"

namespace armilla {

namespace {

struct SampleFacts {
    const char* kind;
    int64_t nside;
    const char* table;  // optional output that becomes a layer, too
};

SampleFacts factsOf(StartPage::Sample sample) {
    switch (sample) {
        case StartPage::Sample::Microwave: return {"microwave", 512, nullptr};
        case StartPage::Sample::Sources: return {"sources", 512, "catalog"};
        case StartPage::Sample::Scans: return {"radio", 512, "samples"};
        case StartPage::Sample::Probability: return {"probability", 256, nullptr};
    }
    return {"microwave", 512, nullptr};
}

void openSample(Session& session, StartPage::Sample sample) {
    const SampleFacts facts = factsOf(sample);
    OperationRequest request;
    request.operation = &operations::sample();
    request.parameters = request.operation->defaults();
    request.parameters.set("kind", facts.kind);
    request.parameters.set("nside", std::to_string(facts.nside));
    if (facts.table) request.wanted.insert(facts.table);
    session.operations().runOperation(request);
}

}  // namespace

void MainWindow::buildStartPage(QVBoxLayout* center) {
    start_ = new StartPage(*session_, centralWidget());
    center->addWidget(start_, 1);
    connect(start_, &StartPage::shownChanged, skyView_,
            [this](bool isShown) { skyView_->setVisible(!isShown); });
    connect(start_, &StartPage::openRequested, files_, &FileCommands::chooseFiles);
    connect(start_, &StartPage::fileRequested, this,
            [this](const QString& path) { openFiles({path}); });
    connect(start_, &StartPage::reopenRequested, this,
            [this] { session_->project().reopenLastSession(); });
    connect(start_, &StartPage::sampleRequested, this,
            [this](StartPage::Sample sample) { openSample(*session_, sample); });
    connect(start_, &StartPage::tourRequested, this, &MainWindow::showTour);
    connect(start_, &StartPage::manualRequested, dialogs_, &WindowDialogs::showManualAt);
}

void MainWindow::showStart() {
    start_->follow();
}

void MainWindow::showTour() {
    if (findChild<Tour*>()) return;
    if (session_->document().entries().empty()) session_->files().openSampleSky();
    const auto openTool = [this](ToolDock* dock) {
        return [this, dock] { panels_->rail()->open(dock); };
    };
    std::vector<TourStep> steps;
    steps.push_back(
        {panels_->docks().layers, tr("Layers"),
         tr("Each file and each result is a layer. A click shows it; the right button lists "
            "what can be done with it, such as <b>Export</b> and <b>Copy as command</b>."),
         [this] { arrangement().setLeftVisible(true); }});
    steps.push_back(
        {skyView_, tr("The sky"),
         tr("Drag to move, and turn the wheel to zoom. The value and the position under the "
            "pointer are shown beside the sky. The buttons above it compare two maps: "
            "swipe, blink, side by side.")});
    steps.push_back({panels_->rail(), tr("Tools"),
                     tr("An open tool works on the layer that is shown, and its picture follows "
                        "the controls. A closed tool computes nothing.")});
    steps.push_back({panels_->docks().firstTool, tr("Smooth"),
                     tr("Move the slider: the sky is smoothed while you look. <b>Keep</b> makes "
                        "the result a layer."),
                     openTool(panels_->docks().firstTool)});
    steps.push_back({panels_->docks().color, tr("Color"),
                     tr("Drag over the histogram to choose the range of colors. Scale and color "
                        "map are beside it.")});
    steps.push_back({skyView_, tr("Find anything"),
                     tr("<b>Ctrl+K</b> searches all commands, tools, settings and the manual. A "
                        "position or the name of an object turns the sky to it.")});
    new Tour(std::move(steps), this);
}

}  // namespace armilla
