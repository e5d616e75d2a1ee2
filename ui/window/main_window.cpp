// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/main_window.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/interop.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/window_words.h"
#include "armilla/ui/app_settings.h"
#include "armilla/ui/guarded_application.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/manual.h"
#include "panels/color_panel.h"
#include "panels/data_panel.h"
#include "panels/job_progress.h"
#include "panels/maps_panel.h"
#include "panels/message_bar.h"
#include "panels/remedy_buttons.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "view/credible_contours.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/left_handle.h"
#include "window/new_layer_views.h"
#include "window/place_search.h"
#include "window/rows_on_sky.h"
#include "window/sky_keys.h"
#include "window/tip_placer.h"
#include "window/view_bar.h"
#include "window/what_is_this.h"
#include "window/window_actions.h"
#include "window/window_dialogs.h"
#include "window/window_layout.h"
#include "window/window_panels.h"
#include "window/window_questions.h"

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
    panels_ =
        new WindowPanels(*this, {*session_, *skyView_, *messages_, *files_, *comparisons_, *rows_});
    const WindowPanels& panels = *panels_;
    arrangement_ = new WindowLayout(*this, panels.docks(), *panels.rail(), *skyView_,
                                    [&panels] { return panels.data()->hasData(); });
    auto* handle = new LeftHandle(centralWidget());
    connect(handle, &QAbstractButton::clicked, arrangement_,
            [this] { arrangement_->setLeftVisible(true); });
    connect(arrangement_, &WindowLayout::leftChanged, handle,
            [handle](bool isVisible) { handle->setVisible(!isVisible); });
    arrangement_->reset();
    buildStatusBar();
    buildInterop();
    contours_ = new CredibleContours(*session_, skyView_, this);
    actions_ = new WindowActions(*this);
    new SkyKeys(this, skyView_);
    connectParts();
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
    for (ToolDock* dock : panels_->docks().all)
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
    connect(skyView_, &SkyViewWidget::namesMoved, this, [this](std::vector<QRect> plates) {
        for (QRect& plate : plates) plate.translate(skyView_->pos());
        messages_->avoid(std::move(plates));
    });
    setCentralWidget(center);
    dialogs_ = new WindowDialogs(*this);
    questions_ = new WindowQuestions(*session_, *messages_, this);
    files_ = new FileCommands(*session_, *this, *skyView_, *messages_);
    comparisons_ = new Comparisons(*session_, *messages_, this);
    search_ = new PlaceSearch(*session_, *skyView_, *messages_, this);
    rows_ = new RowsOnSky(*session_, *skyView_, *messages_, this);
    new NewLayerViews(session_->document(), *skyView_, *messages_, this);
    buildStartPage(layout);
    messages_->raise();
}

void MainWindow::buildStatusBar() {
    auto* bar = statusBar();
    bar->setSizeGripEnabled(false);
    auto* line = new ReadoutWidget(*readout_, bar);
    line->setAccessibleName(tr("Position, value and pixel under the cursor"));
    bar->addWidget(line, 1);
    connect(line, &ReadoutWidget::frameAsked, panels_->maps(), &MapsPanel::popupFrames);
    path_ = new TipLabel([this] { return memoryTip(); }, bar);
    path_->setProperty("role", "muted");
    path_->setContentsMargins(8, 0, 10, 0);
    bar->addPermanentWidget(path_);
    // At the end, so that its place does not depend on the words before it.
    auto* progress = new JobProgress(session_->jobs(), bar);
    connect(progress, &QAbstractButton::clicked, arrangement_, &WindowLayout::showJobs);
    bar->addPermanentWidget(progress);
}

QString MainWindow::memoryTip() const {
    QStringList lines{tr("How the picture is made, on what, and how long the last one took."),
                      {},
                      tr("Memory held:")};
    lines += session_->memoryLedger(skyView_->deviceBytes()).lines();
    return lines.join(QLatin1Char('\n'));
}

void MainWindow::connectParts() {
    Document& document = session_->document();
    const auto say = [this](const QString& line, bool isError) {
        messages_->show(isError ? MessageTone::Error : MessageTone::Note, line);
    };
    connect(&session_->notices(), &Notices::messageRaised, this, say);
    messages_->setExplain(
        [this](const QString& line) { dialogs_->showManualAt(Manual::placeOfMessage(line)); });
    if (auto* guarded = qobject_cast<GuardedApplication*>(qApp))
        connect(guarded, &GuardedApplication::failed, this,
                [say](const QString& line) { say(inWindowWords(line), true); });
    connect(&session_->notices(), &Notices::messageWithdrawn, messages_, &MessageBar::withdraw);
    connect(&session_->notices(), &Notices::remediesOffered, messages_,
            [this](const QString& line, bool isError, const std::vector<Remedy>& remedies) {
                showRemedies(*messages_, line, isError, remedies);
            });
    connect(dialogs_, &WindowDialogs::settingsChanged, this, &MainWindow::settingsChanged);
    connect(search_, &PlaceSearch::guideRequested, dialogs_, &WindowDialogs::showGuideAt);
    connect(skyView_, &SkyViewWidget::messageRaised, this, say);
    connect(skyView_, &SkyViewWidget::cursorMoved, readout_, &CursorReadout::setCursor);
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
    return questions_->offerRecovery();
}

void MainWindow::showShortcuts() {
    dialogs_->showShortcuts(actions_->all());
}

void MainWindow::closeAll() {
    session_->preview().stopPreview();
    session_->document().removeAll();
}

void MainWindow::zoomToData() {
    if (!skyView_->zoomToData())
        messages_->show(MessageTone::Note,
                        tr("The good pixels of this map are all around the sky."));
}

void MainWindow::copyReadout() {
    if (!readout_->readout()) {
        messages_->show(MessageTone::Note, tr("Point at the sky first: then this copies position, "
                                              "value and pixel."));
        return;
    }
    const Readout& read = *readout_->readout();
    QStringList parts{read.valueText + QLatin1Char(' ') + read.unit};
    if (read.isIau) parts.front() += tr(" (IAU)");
    if (!read.turnedText.isEmpty())
        parts << QStringLiteral("%1 %2 %3").arg(read.turnedLabel(), read.turnedText, read.unit);
    if (read.frameKnown)
        parts << read.galacticText << read.equatorialText << read.eclipticText;
    else
        parts << read.ownText;
    if (read.ring >= 0) parts << tr("RING %1").arg(read.ring);
    if (read.nested >= 0) parts << tr("NESTED %1").arg(read.nested);
    QGuiApplication::clipboard()->setText(parts.join(QStringLiteral("; ")));
    messages_->show(MessageTone::Note, tr("Copied: %1").arg(parts.join(QStringLiteral("; "))));
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
    // A second attempt closes without a question.
    const auto answered = [this](bool mayClose) {
        mayClose_ = mayClose;
        if (mayClose) close();
    };
    if (!stopping_ && !mayClose_ && questions_->askToClose(answered)) {
        mayClose_ = true;
        return event->ignore();
    }
    if (!stopping_) {
        arrangement_->save();
        QSettings().setValue(QStringLiteral("window/inspector"),
                             !skyView_->inspector()->isHidden());
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
    for (ToolDock* dock : panels_->docks().all) dock->setEnabled(false);
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
    panels_->color()->setViewSize(skyView_->size());
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
        messages_->dismissLatest();
}

}  // namespace armilla
