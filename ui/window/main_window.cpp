// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QHash>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>
#include <QUndoStack>
#include <QUndoView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/interop.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/sky_names.h"
#include "armilla/session/window_words.h"
#include "armilla/ui/app_settings.h"
#include "armilla/ui/guarded_application.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/manual.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/job_progress.h"
#include "panels/jobs_panel.h"
#include "panels/look_panel.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/remedy_buttons.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "tools/tool_table.h"
#include "view/credible_contours.h"
#include "window/sky_keys.h"
#include "window/tip_placer.h"
#include "window/view_bar.h"
#include "window/what_is_this.h"
#include "window/window_actions.h"
#include "window/window_layout.h"

namespace armilla {
namespace {

constexpr int kReadableMilliseconds = 250;
constexpr int kCompactWidth = 1500;  // logical pixels; the tool bar of a narrower window has icons

// A label whose tool tip is computed on demand.
class TipLabel : public QLabel {
public:
    TipLabel(std::function<QString()> tip, QWidget* parent) : QLabel(parent), tip_(std::move(tip)) {
        setProperty("ownTip", true);
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) setToolTip(tip_());
        return QLabel::event(event);
    }

private:
    std::function<QString()> tip_;
};

QString userText(const std::exception& error) {
    return inWindowWords(QString::fromUtf8(error.what()));
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), session_(std::make_unique<Session>()) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAcceptDrops(true);
    TipPlacer::install();
    WhatIsThis::install();
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    buildCenter();
    buildDocks();
    buildStatusBar();
    buildInterop();
    contours_ = new CredibleContours(*session_, skyView_, this);
    actions_ = new WindowActions(*this);
    new SkyKeys(this, skyView_);
    names_ = new NameSearch(session_->document(), session_->jobs(), this);
    connectPanels();
    arrangement_->restore();
    skyView_->setInspectorVisible(
        QSettings().value(QStringLiteral("window/inspector"), true).toBool());
    const AppSettings settings = AppSettings::load();
    applySettings(settings);
    if (settings.interop) session_->interop().connectIfPossible();
    showTitle();
    skyView_->setFocus();
}

// The session's jobs may still call panels, so jobs end first; the widgets of the base class are
// destroyed last.
MainWindow::~MainWindow() {
    // Tools release the document when they are hidden, so this happens while it exists. A detached
    // tool is a window of its own.
    for (ToolDock* dock : docks_)
        if (dock->isFloating()) dock->hide();
    hide();
    session_->jobs().cancelAll();
}

void MainWindow::buildCenter() {
    auto* center = new QWidget(this);
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    skyView_ = new SkyViewWidget(session_->document(), center);
    readout_ = new CursorReadout(session_->document(), this);
    layout->addWidget(skyView_, 1);
    messages_ = new MessageBar(center);
    setCentralWidget(center);
    buildStartPage(layout);
    messages_->raise();
}

void MainWindow::buildDocks() {
    maps_ = new MapsPanel(session_->document());
    auto* history = new QUndoView(session_->document().history().stack());
    history->setEmptyLabel(tr("start"));
    history->setAccessibleName(tr("History: choose a step to go back to"));
    history->setWhatsThis(
        tr("Steps of this session, the newest last. A click goes back to a step; the later "
           "ones stay until a new one is made."));
    history->setFrameShape(QFrame::NoFrame);
    history->setTextElideMode(Qt::ElideMiddle);
    // Otherwise every change lays out the text of every step, visible or not.
    history->setUniformItemSizes(true);
    history->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    smooth_ = new SmoothPanel(*session_);
    look_ = new LookPanel(session_->document());
    color_ = look_->colors();
    spectrum_ = new SpectrumPanel(*session_);
    data_ = new DataPanel(session_->document(), session_->jobs());
    jobs_ = new JobsPanel(session_->jobs());

    using Height = ToolDock::Height;
    const auto dock = [this](const QString& title, const char* name, QWidget* content,
                             Height height) {
        auto* made = new ToolDock(title, QString::fromLatin1(name), content, height, this);
        docks_.push_back(made);
        return made;
    };
    mapsDock_ = dock(tr("Layers"), "maps", maps_, Height::Grows);
    historyDock_ = dock(tr("History"), "history", history, Height::Grows);
    smoothDock_ = dock(tr("Smooth"), "smooth", smooth_, Height::Natural);
    spectrumDock_ = dock(tr("Spectrum"), "spectrum", spectrum_, Height::Grows);
    colorDock_ = dock(tr("Color"), "color", look_, Height::Natural);
    dataDock_ = dock(tr("Data"), "data", data_, Height::Grows);
    jobsDock_ = dock(tr("Jobs"), "jobs", jobs_, Height::Steady);
    struct Tool {
        ToolFacts facts;
        ToolDock* dock;
        QString tip;
    };
    std::vector<Tool> tools{{toolFacts("smooth", {}), smoothDock_,
                             tr("Smooth with a beam, live while the slider moves")},
                            {toolFacts("spectrum", {}), spectrumDock_,
                             tr("Angular power spectrum of the map that is shown")}};
    // Every other operation on layers gets a generic tool, made from its description.
    for (const Operation& operation : allOperations()) {
        if (!runsOnLayers(operation) || operation.id == "smooth" || operation.id == "sample")
            continue;
        const QString id =
            QString::fromUtf8(operation.id.data(), static_cast<qsizetype>(operation.id.size()));
        const QString title = shownText(operation.title);
        auto* panel = new OperationPanel(*session_, operation);
        QWidget* content = buildTool(panel);
        const ToolFacts facts = toolFacts(operation.id, title);
        auto* tool =
            dock(facts.name, qPrintable(QStringLiteral("operation-") + id), content, Height::Grows);
        tools.push_back({facts, tool,
                         QStringLiteral("%1: %2").arg(
                             title, inWindowWords(shownText(operation.help), &operation))});
        connect(panel, &OperationPanel::commandRequested, this, &MainWindow::offerCommand);
        connect(panel, &OperationPanel::failureOver, messages_, &MessageBar::withdraw);
        // The title names the input; Sources and Regions have a status of their own there.
        if (id != QLatin1String("sources") && id != QLatin1String("stats"))
            connect(panel, &OperationPanel::changed, tool,
                    [panel, tool] { tool->setStatus(panel->inputText()); });
        operations_.push_back(panel);
    }
    std::stable_sort(tools.begin(), tools.end(),
                     [](const Tool& a, const Tool& b) { return a.facts.order < b.facts.order; });
    rail_ = new ToolRail(this);
    for (const Tool& tool : tools)
        rail_->add(tool.dock, tool.facts.icon, tool.facts.name, tool.tip, tool.facts.isInRail);
    addToolBar(Qt::RightToolBarArea, rail_);
    auto* open = new QToolButton(mapsDock_);
    open->setIcon(lineIcon(QStringLiteral("add")));
    open->setIconSize({12, 12});
    open->setProperty("flat", true);
    open->setToolTip(tr("Open maps, catalogs, images or curves"));
    open->setAccessibleName(open->toolTip());
    connect(open, &QToolButton::clicked, this, &MainWindow::chooseFiles);
    mapsDock_->addTitleWidget(open);
    arrangement_ = new WindowLayout(*this,
                                    {.layers = mapsDock_,
                                     .history = historyDock_,
                                     .jobs = jobsDock_,
                                     .color = colorDock_,
                                     .data = dataDock_,
                                     .firstTool = smoothDock_,
                                     .all = docks_},
                                    *rail_, *skyView_, [this] { return data_->hasData(); });
    arrangement_->reset();
}

namespace {

// The place of a row of a catalog; none for a row without a position.
std::optional<SkyCursor> placeOfRow(const Document& document, int layer, qint64 row) {
    const Layer* entry = document.entry(layer);
    if (!entry || !entry->catalog) return std::nullopt;
    const LonLat at = entry->catalog->at(row);
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return std::nullopt;
    return SkyCursor{{}, direction(at), entry->catalog->frame(), {layer, row}};
}

}  // namespace

void MainWindow::showRow(int layer, qint64 row) {
    if (const auto place = placeOfRow(session_->document(), layer, row))
        skyView_->showPlace(place->direction, place->frame);
}

void MainWindow::centerOnRow(int layer, qint64 row) {
    if (const auto place = placeOfRow(session_->document(), layer, row))
        skyView_->centerOnCursor(*place);
}

void MainWindow::buildStatusBar() {
    auto* bar = statusBar();
    bar->setSizeGripEnabled(false);
    auto* line = new ReadoutWidget(*readout_, bar);
    line->setAccessibleName(tr("Position, value and pixel under the cursor"));
    bar->addWidget(line, 1);
    connect(line, &ReadoutWidget::frameAsked, maps_, &MapsPanel::popupFrames);
    path_ = new TipLabel([this] { return memoryTip(); }, bar);
    path_->setProperty("role", "muted");
    path_->setContentsMargins(8, 0, 10, 0);
    bar->addPermanentWidget(path_);
    // At the end, so that its place does not depend on the words before it.
    auto* progress = new JobProgress(session_->jobs(), bar);
    connect(progress, &QAbstractButton::clicked, this, [this] {
        jobsDock_->setCollapsed(false);
        jobsDock_->show();
        jobsDock_->raise();
    });
    bar->addPermanentWidget(progress);
}

QString MainWindow::memoryTip() const {
    QStringList lines{tr("How the picture is made, on what, and how long the last one took."),
                      {},
                      tr("Memory held:")};
    lines += session_->memoryLedger(skyView_->deviceBytes()).lines();
    return lines.join(QLatin1Char('\n'));
}

void MainWindow::connectPanels() {
    Document& document = session_->document();
    const auto say = [this](const QString& line, bool isError) {
        messages_->show(isError ? MessageTone::Error : MessageTone::Note, line);
    };
    connect(&session_->notices(), &Notices::messageRaised, this, say);
    messages_->setExplain(
        [this](const QString& line) { showManualAt(Manual::placeOfMessage(line)); });
    if (auto* guarded = qobject_cast<GuardedApplication*>(qApp))
        connect(guarded, &GuardedApplication::failed, this,
                [say](const QString& line) { say(inWindowWords(line), true); });
    connect(&session_->notices(), &Notices::messageWithdrawn, messages_, &MessageBar::withdraw);
    connect(&session_->notices(), &Notices::remediesOffered, messages_,
            [this](const QString& line, bool isError, const std::vector<Remedy>& remedies) {
                showRemedies(*messages_, line, isError, remedies);
            });
    connect(&session_->files(), &FileOpener::moreFound, this, &MainWindow::offerMore);
    connect(&session_->notices(), &Notices::frameNeeded, this, &MainWindow::askFrame);
    connect(&session_->files(), &FileOpener::fileFactNeeded, this, &MainWindow::askFile);
    connect(&document, &Document::entriesChanged, this, &MainWindow::withdrawFrameQuestions);
    connect(maps_, &MapsPanel::retryRequested, &session_->project(), &ProjectKeeper::retryMissing);
    connect(maps_, &MapsPanel::findRequested, this, &MainWindow::findMissing);
    connect(skyView_, &SkyViewWidget::messageRaised, this, say);
    connect(color_, &ColorPanel::messageRaised, this, say);
    connect(skyView_, &SkyViewWidget::cursorMoved, readout_, &CursorReadout::setCursor);
    connect(skyView_, &SkyViewWidget::cursorMoved, data_, &DataPanel::setCursor);
    connect(skyView_, &SkyViewWidget::pathChanged, this, &MainWindow::showPath);
    // Numbers that change faster than this cannot be read, and each change repaints the window.
    auto* later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(kReadableMilliseconds);
    connect(later, &QTimer::timeout, this, &MainWindow::showPath);
    connect(skyView_, &SkyViewWidget::frameTimeChanged, later, [later] {
        if (!later->isActive()) later->start();
    });
    connect(&document.view(), &DocumentView::shownChanged, this, &MainWindow::showTitle);
    connect(&document, &Document::entriesChanged, this, &MainWindow::showTitle);
    // Queued until the step that opens the map has finished.
    connect(&document.view(), &DocumentView::shownChanged, this, &MainWindow::lookAtNewMap,
            Qt::QueuedConnection);
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this, &MainWindow::lookAtNewPeak,
            Qt::QueuedConnection);
    connect(&document, &Document::activeChanged, this, &MainWindow::lookAtNewLayer,
            Qt::QueuedConnection);

    connect(maps_, &MapsPanel::openRequested, this, &MainWindow::chooseFiles);
    connect(maps_, &MapsPanel::exportRequested, this, &MainWindow::exportMap);
    connect(maps_, &MapsPanel::copyCommandRequested, this, &MainWindow::copyCommand);
    connect(maps_, &MapsPanel::frameStated, &session_->operations(), &OperationRunner::stateFrame);
    connect(maps_, &MapsPanel::maskRequested, spectrum_, &SpectrumPanel::setMaskEntry);
    connect(spectrum_, &SpectrumPanel::maskEntryChanged, maps_, &MapsPanel::setMaskEntry);
    connect(smooth_, &SmoothPanel::exportRequested, this, &MainWindow::exportMap);
    connect(smooth_, &SmoothPanel::copyCommandRequested, this, &MainWindow::copyCommand);
    connect(smooth_, &SmoothPanel::commandRequested, this, &MainWindow::offerCommand);
    connect(smooth_, &SmoothPanel::compareRequested, this, &MainWindow::compare);
    connect(smooth_, &SmoothPanel::differenceRequested, this, &MainWindow::showDifference);
    connect(skyView_, &SkyViewWidget::pictureDeviceChanged, &session_->preview(),
            &LivePreview::setPictureDevice);
    connect(skyView_, &SkyViewWidget::livePresented, &session_->preview(),
            &LivePreview::notePresented);
    session_->preview().setLookedAt([this] { return skyView_->lookedAt(); });
    connect(&session_->preview(), &LivePreview::liveRegionChanged, skyView_,
            &SkyViewWidget::setLiveRegion);
    connect(skyView_, &SkyViewWidget::liveFailed, &session_->preview(),
            &LivePreview::notePictureFailed);
    connect(smooth_, &SmoothPanel::statusChanged, smoothDock_, &ToolDock::setStatus);
    smoothDock_->setStatus(smooth_->statusText());
    connect(look_, &LookPanel::statusChanged, colorDock_,
            [this](const QString& text) { colorDock_->setStatus(text); });
    connect(spectrum_, &SpectrumPanel::statusChanged, spectrumDock_,
            [this](const QString& text) { spectrumDock_->setStatus(text); });
    connect(data_, &DataPanel::statusChanged, dataDock_,
            [this](const QString& text) { dataDock_->setStatus(text); });
    connect(data_, &DataPanel::layerChanged, this, [this](bool hasData) {
        // A dock that the user closed for a layer with data stays closed; a key reopens it.
        if (!hasData)
            dataDock_->hide();
        else if (!dataHidden_)
            dataDock_->show();
    });
    connect(data_, &DataPanel::rowChosen, this, &MainWindow::showRow);
    connect(data_, &DataPanel::centerRequested, this, &MainWindow::centerOnRow);
    connect(data_, &DataPanel::keepRequested, &session_->operations(),
            &OperationRunner::runOperation);
    connect(data_, &DataPanel::commandRequested, this, [this](const OperationRequest& request) {
        offerCommand(
            session_->exporter().commandForOperation(request, QStringLiteral("selected.fits")));
    });
    connect(dataDock_->toggleViewAction(), &QAction::triggered, this,
            [this](bool on) { dataHidden_ = !on; });
    connect(spectrum_, &SpectrumPanel::exportRequested, this, &MainWindow::exportSpectrum);
    connect(spectrum_, &SpectrumPanel::commandRequested, this,
            [this](const SpectrumResult& spectrum) {
                offerCommand(
                    session_->exporter().commandForSpectrum(spectrum, QStringLiteral("cl.fits")));
            });
    connect(jobs_, &JobsPanel::activeCountChanged, jobsDock_, [this](int count) {
        jobsDock_->setStatus(count > 0 ? QString::number(count) : QString(),
                             ToolDock::StatusTone::Good);
    });
    connect(&session_->jobs(), &JobRunner::becameIdle, this, [this] {
        if (stopping_) close();
    });
}

void MainWindow::applySettings(const AppSettings& settings) {
    skyView_->setDrawChoice(settings.draw);
    session_->jobs().setThreads(settings.threads);
    try {
        session_->setDevice(Device::fromText(settings.device.toStdString(), kShtSupport));
    } catch (const Error& error) {
        messages_->show(MessageTone::Error, tr("%1; computing on the CPU").arg(userText(error)));
        session_->setDevice(Device::cpu());
    }
}

void MainWindow::openFiles(const QStringList& paths) {
    session_->files().openFiles(paths);
}

bool MainWindow::offerRecovery() {
    if (!session_->project().hasCrashedSession()) return false;
    const LeftBehind why = session_->project().leftBehind();
    messages_->show(MessageTone::Question,
                    why == LeftBehind::EndFromOutside
                        ? tr("The program was ended from outside the last time, and its work was "
                             "saved. Its maps and views can be made again.")
                    : why == LeftBehind::OpenResults
                        ? tr("The last session had results that were not exported. They can be "
                             "made again from their files and recipes.")
                        : tr("The program ended unexpectedly the last time. Its maps and views can "
                             "be made again from their files and recipes."),
                    {{tr("&Restore"), [this] { session_->project().recoverCrashedSession(); }},
                     {tr("&Discard"), [this] {
                          session_->project().discardCrashedSession();
                          if (session_->document().entries().empty())
                              session_->files().openSampleSky();
                      }}});
    return true;
}

MainWindow::Pair MainWindow::pairToCompare() const {
    const Document& document = session_->document();
    const Shown shown = document.view().shown();
    const Layer* live = document.live();
    const Layer* parent = live ? document.entry(live->parent) : nullptr;
    if (live && parent && shown.entry == live->id)
        return {{parent->id, live->recipe.field, Quantity::Field}, shown};
    if (live && parent && shown.entry == parent->id)
        return {shown, document.liveLayer().counterpart(shown, live->id, *live->map)};
    if (document.entry(document.view().compared().entry) && document.view().compared() != shown)
        return {shown, document.view().compared()};
    for (auto entry = document.entries().rbegin(); entry != document.entries().rend(); ++entry)
        if (entry->map && entry->id != shown.entry)
            return {shown, Shown{entry->id, 0, Quantity::Field}};
    const Layer* here = document.entry(shown.entry);
    if (here && here->map->fieldCount() > 1)
        return {shown,
                Shown{here->id, (shown.field + 1) % here->map->fieldCount(), Quantity::Field}};
    return {shown, std::nullopt};
}

bool MainWindow::hasPair(const Pair& pair) {
    if (pair.second) return true;
    messages_->show(MessageTone::Note,
                    tr("Comparing takes two maps: open another one, or move the beam slider "
                       "and compare with the smoothed sky."));
    return false;
}

// Without a comparison, the live result is shown.
void MainWindow::compare(Comparison comparison) {
    Document& document = session_->document();
    const Pair pair = pairToCompare();
    if (comparison == Comparison::Single) {
        const Layer* live = document.live();
        const bool toLive = live && pair.second && pair.second->entry == live->id;
        document.view().compare(toLive ? *pair.second : document.view().shown(),
                                document.view().compared(), comparison);
    } else if (hasPair(pair)) {
        document.view().compare(pair.first, *pair.second, comparison);
    }
}

void MainWindow::showDifference() {
    if (const Pair pair = pairToCompare(); hasPair(pair))
        session_->operations().showDifference(pair.first, *pair.second);
}

void MainWindow::showTitle() {
    const Layer* entry = session_->document().entry(session_->document().view().shown().entry);
    setWindowTitle(entry ? tr("%1 – Armilla").arg(entry->name) : tr("Armilla"));
}

void MainWindow::showPath() {
    const double milliseconds = skyView_->frameTime();
    path_->setText(milliseconds > 0.0 ? tr("%1 · %2 ms")
                                            .arg(skyView_->pathName())
                                            .arg(milliseconds, 0, 'f', milliseconds < 10.0 ? 1 : 0)
                                      : skyView_->pathName());
    path_->setToolTip(skyView_->whyThisPath());
    // Width in steps, with a fixed size: each text of a label that may grow triggers a layout of
    // the whole window.
    constexpr int kStep = 24;
    const QSize hint = path_->sizeHint();
    path_->setFixedSize((hint.width() + kStep - 1) / kStep * kStep, hint.height());
}

// The window stays until the workers have returned, because a job is never terminated.
void MainWindow::closeEvent(QCloseEvent* event) {
    if (!stopping_ && !mayClose_ && askToClose()) return event->ignore();
    if (!stopping_) {
        arrangement_->save();
        QSettings().setValue(QStringLiteral("window/inspector"), skyView_->isInspectorVisible());
        session_->project().saveAsLast();
    }
    if (session_->jobs().isIdle()) {
        // Unsaved results are offered at the next start.
        if (!session_->project().unsavedResults().empty())
            session_->project().keepForNextStart(LeftBehind::OpenResults);
        event->accept();
        return;
    }
    event->ignore();
    if (stopping_) return;
    stopping_ = true;
    session_->jobs().cancelAll();
    showStopping();
}

void MainWindow::showStopping() {
    messages_->show(MessageTone::Note, tr("Stopping: the jobs end, then the window closes."));
    setWindowTitle(tr("Stopping – Armilla"));
    for (ToolDock* dock : docks_) dock->setEnabled(false);
    menuBar()->setEnabled(false);
    // The last job may have ended between the question and the answer.
    if (session_->jobs().isIdle())
        QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::UpdateRequest && arrangement_) arrangement_->settle();
    return QMainWindow::event(event);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    arrangement_->fitShown();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    actions_->bar().setCompact(width() < kCompactWidth);
    arrangement_->fitResized();
    color_->setViewSize(skyView_->size());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); }))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths += url.toLocalFile();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    openFiles(paths);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
    if (skyView_->measuredAngle())
        skyView_->clearMeasurement();
    else if (!messages_->lines().isEmpty())
        messages_->dismissOldest();
}

}  // namespace armilla
