// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_panels.h"

#include <QMainWindow>
#include <QToolButton>
#include <QUndoStack>
#include <QUndoView>
#include <algorithm>

#include "armilla/operations/known_operations.h"
#include "armilla/session/exporter.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/window_words.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/jobs_panel.h"
#include "panels/look_panel.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "tools/sources_panel.h"
#include "tools/tool_table.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/rows_on_sky.h"

namespace armilla {

namespace {

// The search for sources begins with the beam and the kind of the filter that was looked at.
void handBeam(OperationPanel* filter, OperationPanel* search) {
    const QString width = QStringLiteral("fwhm"), beam = QStringLiteral("beam");
    if (!search->text(width).isEmpty() || search->input(beam).isValid()) return;
    if (filter->text(width).isEmpty() && !filter->input(beam).isValid()) return;
    for (const QString& name :
         {width, QStringLiteral("type"), QStringLiteral("order"), QStringLiteral("scale")})
        search->setText(name, filter->text(name));
    if (filter->input(beam).isValid()) search->setInput(beam, filter->input(beam));
}

}  // namespace

WindowPanels::WindowPanels(QMainWindow& window, const PanelSurroundings& around)
    : QObject(&window),
      window_(window),
      session_(around.session),
      sky_(around.sky),
      messages_(around.messages),
      files_(around.files),
      comparisons_(around.comparisons),
      rows_(around.rows) {
    maps_ = new MapsPanel(session_.document());
    auto* history = new QUndoView(session_.document().history().stack());
    history->setEmptyLabel(tr("start"));
    history->setAccessibleName(tr("History: choose a step to go back to"));
    history->setWhatsThis(
        tr("Steps since the start, the newest last. A click goes back to a step; the later "
           "ones stay until a new one is made."));
    history->setFrameShape(QFrame::NoFrame);
    history->setTextElideMode(Qt::ElideMiddle);
    // Otherwise every change lays out the text of every step, visible or not.
    history->setUniformItemSizes(true);
    history->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    smooth_ = new SmoothPanel(session_);
    look_ = new LookPanel(session_.document());
    color_ = look_->colors();
    spectrum_ = new SpectrumPanel(session_);
    data_ = new DataPanel(session_.document(), session_.jobs());
    jobs_ = new JobsPanel(session_.jobs());

    using Height = ToolDock::Height;
    docks_.layers = addDock(tr("Layers"), QStringLiteral("maps"), maps_, Height::Grows);
    docks_.history = addDock(tr("History"), QStringLiteral("history"), history, Height::Grows);
    docks_.firstTool =
        addDock(tr("Smooth"), textOf(operations::smooth().id), smooth_, Height::Natural);
    docks_.spectrum = addDock(tr("Spectrum"), QStringLiteral("spectrum"), spectrum_, Height::Grows);
    docks_.color = addDock(tr("Color"), QStringLiteral("color"), look_, Height::Natural);
    docks_.data = addDock(tr("Data"), QStringLiteral("data"), data_, Height::Grows);
    docks_.jobs = addDock(tr("Jobs"), QStringLiteral("jobs"), jobs_, Height::Steady);
    buildTools();
    connectPanels();
    connectData();
}

ToolDock* WindowPanels::addDock(const QString& title, const QString& name, QWidget* content,
                                ToolDock::Height height) {
    auto* made = new ToolDock(title, name, content, height, &window_);
    docks_.all.push_back(made);
    return made;
}

void WindowPanels::showMessage(const QString& line, bool isError) {
    messages_.show(isError ? MessageTone::Error : MessageTone::Note, line);
}

void WindowPanels::buildTools() {
    struct Tool {
        ToolFacts facts;
        ToolDock* dock;
        QString tip;
    };
    std::vector<Tool> tools{{toolFacts(operations::smooth().id, {}), docks_.firstTool,
                             tr("Smooth with a beam, live while the slider moves")},
                            {toolFacts("spectrum", {}), docks_.spectrum,
                             tr("Angular power spectrum of the map that is shown")}};
    // Every other operation on layers gets a generic tool, made from its description.
    for (const Operation& operation : allOperations()) {
        const QString title = shownText(operation.title);
        const ToolFacts facts = toolFacts(operation.id, title);
        if (!runsOnLayers(operation) || facts.panel == ToolPanel::Smooth ||
            facts.panel == ToolPanel::None)
            continue;
        auto* panel = new OperationPanel(session_, operation);
        QWidget* content = buildTool(facts.panel, panel);
        auto* tool = addDock(facts.name, QStringLiteral("operation-") + textOf(operation.id),
                             content, ToolDock::Height::Grows);
        tools.push_back({facts, tool,
                         QStringLiteral("%1: %2").arg(
                             title, inWindowWords(shownText(operation.help), &operation))});
        connect(panel, &OperationPanel::commandRequested, &files_, &FileCommands::offerCommand);
        connect(panel, &OperationPanel::failureOver, &messages_, &MessageBar::withdraw);
        // The title names the input; Sources and Regions have a status of their own there.
        if (facts.panel != ToolPanel::Sources && facts.panel != ToolPanel::Regions)
            connect(panel, &OperationPanel::changed, tool,
                    [panel, tool] { tool->setStatus(panel->inputText()); });
        operations_.push_back(panel);
    }
    std::stable_sort(tools.begin(), tools.end(),
                     [](const Tool& a, const Tool& b) { return a.facts.order < b.facts.order; });
    rail_ = new ToolRail(&window_);
    for (const Tool& tool : tools)
        rail_->add(tool.dock, tool.facts.icon, tool.facts.name, tool.tip, tool.facts.isInRail);
    window_.addToolBar(Qt::RightToolBarArea, rail_);
    auto* open = new QToolButton(docks_.layers);
    open->setIcon(lineIcon(QStringLiteral("add")));
    open->setIconSize({12, 12});
    open->setProperty("flat", true);
    open->setToolTip(tr("Open maps, catalogs, images or curves"));
    open->setAccessibleName(open->toolTip());
    connect(open, &QToolButton::clicked, &files_, &FileCommands::chooseFiles);
    docks_.layers->addTitleWidget(open);
}

void WindowPanels::connectPanels() {
    for (ToolDock* tool : rail_->tools())
        if (tool->content() == sources_)
            connect(tool, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
                if (isVisible) handBeam(filter_, search_);
            });
    connect(maps_, &MapsPanel::retryRequested, &session_.project(), &ProjectKeeper::retryMissing);
    connect(maps_, &MapsPanel::findRequested, &files_, &FileCommands::findMissing);
    connect(color_, &ColorPanel::messageRaised, this, &WindowPanels::showMessage);
    connect(&sky_, &SkyViewWidget::cursorMoved, data_, &DataPanel::setCursor);

    connect(maps_, &MapsPanel::openRequested, &files_, &FileCommands::chooseFiles);
    connect(maps_, &MapsPanel::exportRequested, &files_, &FileCommands::exportLayer);
    connect(maps_, &MapsPanel::copyCommandRequested, &files_, &FileCommands::copyCommand);
    connect(maps_, &MapsPanel::frameStated, &session_.operations(), &OperationRunner::stateFrame);
    connect(maps_, &MapsPanel::maskRequested, spectrum_, &SpectrumPanel::setMaskEntry);
    connect(spectrum_, &SpectrumPanel::maskEntryChanged, maps_, &MapsPanel::setMaskEntry);
    connect(smooth_, &SmoothPanel::exportRequested, &files_, &FileCommands::exportLayer);
    connect(smooth_, &SmoothPanel::copyCommandRequested, &files_, &FileCommands::copyCommand);
    connect(smooth_, &SmoothPanel::commandRequested, &files_, &FileCommands::offerCommand);
    connect(smooth_, &SmoothPanel::compareRequested, &comparisons_, &Comparisons::compare);
    connect(smooth_, &SmoothPanel::differenceRequested, &comparisons_,
            &Comparisons::showDifference);
    connect(&sky_, &SkyViewWidget::pictureDeviceChanged, &session_.preview(),
            &LivePreview::setPictureDevice);
    connect(&sky_, &SkyViewWidget::livePresented, &session_.preview(), &LivePreview::notePresented);
    session_.preview().setLookedAt([this] { return sky_.lookedAt(); });
    connect(&session_.preview(), &LivePreview::liveRegionChanged, &sky_.decorations(),
            &SkyDecorations::setLiveRegion);
    connect(&sky_, &SkyViewWidget::liveFailed, &session_.preview(),
            &LivePreview::notePictureFailed);
    connect(smooth_, &SmoothPanel::statusChanged, docks_.firstTool, &ToolDock::setStatus);
    docks_.firstTool->setStatus(smooth_->statusText());
    connect(look_, &LookPanel::statusChanged, docks_.color,
            [this](const QString& text) { docks_.color->setStatus(text); });
    connect(spectrum_, &SpectrumPanel::statusChanged, docks_.spectrum,
            [this](const QString& text) { docks_.spectrum->setStatus(text); });
    connect(spectrum_, &SpectrumPanel::exportRequested, this,
            [this] { files_.exportSpectrum(spectrum_->result()); });
    connect(spectrum_, &SpectrumPanel::commandRequested, this,
            [this](const SpectrumResult& spectrum) {
                files_.offerCommand(
                    session_.exporter().commandForSpectrum(spectrum, QStringLiteral("cl.fits")));
            });
    connect(jobs_, &JobsPanel::activeCountChanged, docks_.jobs, [this](int count) {
        docks_.jobs->setStatus(count > 0 ? QString::number(count) : QString(),
                               ToolDock::StatusTone::Good);
    });
}

void WindowPanels::connectData() {
    connect(data_, &DataPanel::statusChanged, docks_.data,
            [this](const QString& text) { docks_.data->setStatus(text); });
    connect(data_, &DataPanel::layerChanged, this, [this](bool hasData) {
        // A dock that the user closed for a layer with data stays closed; a key reopens it.
        if (!hasData)
            docks_.data->hide();
        else if (!dataHidden_)
            docks_.data->show();
    });
    connect(data_, &DataPanel::rowChosen, &rows_, &RowsOnSky::showRow);
    connect(data_, &DataPanel::centerRequested, &rows_, &RowsOnSky::centerOnRow);
    connect(data_, &DataPanel::keepRequested, &session_.operations(),
            &OperationRunner::runOperation);
    connect(data_, &DataPanel::commandRequested, this, [this](const OperationRequest& request) {
        files_.offerCommand(
            session_.exporter().commandForOperation(request, QStringLiteral("selected.fits")));
    });
    connect(docks_.data->toggleViewAction(), &QAction::triggered, this,
            [this](bool on) { dataHidden_ = !on; });
}

}  // namespace armilla

#include "window/moc_window_panels.cpp"
