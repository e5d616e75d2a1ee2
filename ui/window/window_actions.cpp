// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_actions.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSignalBlocker>
#include <QUndoStack>
#include <QWhatsThis>
#include <algorithm>
#include <functional>

#include "armilla/core/units.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/sky_names.h"
#include "armilla/session/stated_frame.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/maps_model.h"
#include "panels/maps_panel.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "panels/widget_role.h"
#include "view/credible_contours.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/interop_menu.h"
#include "window/polarization_menu.h"
#include "window/view_bar.h"
#include "window/window_dialogs.h"
#include "window/window_layout.h"
#include "window/window_panels.h"

namespace armilla {
namespace {

struct Named {
    int value;
    const char* icon;
    QString text, tip;
    QKeySequence keys;
};

constexpr double kSteps[] = {0.0, 1.0, 5.0, 10.0, 15.0, 30.0, 45.0};  // degrees; 0: automatic

QAction* choice(QActionGroup* group, const Named& what) {
    auto* action = new QAction(lineIcon(QString::fromLatin1(what.icon)), what.text, group);
    action->setCheckable(true);
    action->setData(what.value);
    action->setToolTip(what.keys.isEmpty()
                           ? what.tip
                           : QStringLiteral("%1 (%2)").arg(
                                 what.tip, what.keys.toString(QKeySequence::NativeText)));
    action->setShortcut(what.keys);
    return action;
}

// Names of a projection in healpy and in FITS, for the search over commands.
QString synonymsOf(Projection projection) {
    switch (projection) {
        case Projection::Mollweide: return QStringLiteral("mollview mol whole sky");
        case Projection::Gnomonic: return QStringLiteral("gnomview tan tangent flat");
        case Projection::Orthographic: return QStringLiteral("orthview sin globe sphere");
        case Projection::Cartesian: return QStringLiteral("cartview car plate carree");
        case Projection::Lambert: return QStringLiteral("azeqview zea equal area polar");
        case Projection::Hammer: return QStringLiteral("ait aitoff whole sky");
    }
    return {};
}

// Names of a command in other programs (DS9, Aladin, TOPCAT, healpy), for the search over commands.
QAction* alsoCalled(QAction* action, const QString& names) {
    action->setProperty("synonyms", names);
    return action;
}

void check(QActionGroup* group, int value) {
    for (QAction* action : group->actions())
        if (action->data().toInt() == value) action->setChecked(true);
}

}  // namespace

WindowActions::WindowActions(MainWindow& window)
    : QObject(&window), window_(window), document_(window.session().document()) {
    buildProjections();
    buildFrames();
    buildGraticule();
    buildComparisons();
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildMapMenu();
    buildAnalysisMenu();
    buildWindowMenu();
    buildHelpMenu();
    bar_ = new ViewBar(window, {.projections = projections_,
                                .comparisons = comparisons_,
                                .frameMenu = frameMenu_,
                                .graticule = graticule_,
                                .rods = rods_,
                                .difference = difference_});
    connect(&document_.view(), &DocumentView::cameraChanged, this, &WindowActions::refreshView);
    connect(&document_.overlays(), &Overlays::changed, this, &WindowActions::refreshView);
    connect(&document_.view(), &DocumentView::comparisonChanged, this, &WindowActions::refreshView);
    connect(&document_, &Document::activeChanged, this, &WindowActions::refreshView);
    connect(&document_.view(), &DocumentView::shownChanged, this, &WindowActions::refreshMaps);
    connect(&document_, &Document::entriesChanged, this, &WindowActions::refreshMaps);
    connect(&document_, &Document::activeChanged, this, &WindowActions::refreshMaps);
    refreshView();
    refreshMaps();
}

QAction* WindowActions::add(QMenu* menu, const QString& icon, const QString& text,
                            const QKeySequence& keys, const QString& tip,
                            std::function<void()> act) {
    auto* action = menu->addAction(icon.isEmpty() ? QIcon() : lineIcon(icon), text);
    action->setShortcut(keys);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

void WindowActions::buildProjections() {
    projections_ = new QActionGroup(this);
    int key = Qt::Key_1;  // up to Key_9; a tenth projection would need another scheme
    static_assert(kProjectionTable.size() < 10);
    for (const ProjectionFacts& facts : kProjectionTable)
        choice(projections_,
               {static_cast<int>(facts.projection), facts.word, shownText(facts.title),
                shownText(facts.help), QKeySequence(Qt::CTRL | key++)})
            ->setProperty("synonyms", synonymsOf(facts.projection));
    connect(projections_, &QActionGroup::triggered, this, [this](const QAction* action) {
        // Keeps the center of the view; the zoom of one projection has no meaning in another.
        Camera camera = document_.view().camera();
        camera.projection = static_cast<Projection>(action->data().toInt());
        camera.zoom = 1.0;
        camera.offset = {};
        document_.view().setCamera(camera);
    });
}

void WindowActions::buildFrames() {
    frames_ = new QActionGroup(this);
    const std::pair<Frame, QKeySequence> all[] = {
        {Frame::Galactic, Qt::CTRL | Qt::ALT | Qt::Key_G},
        {Frame::Equatorial, Qt::CTRL | Qt::ALT | Qt::Key_C},
        {Frame::Ecliptic, Qt::CTRL | Qt::ALT | Qt::Key_E}};
    for (const auto& [frame, keys] : all)
        choice(frames_,
               {static_cast<int>(frame), "frame", frameTitle(frame),
                tr("Show the sky in %1 coordinates").arg(shownText(frameName(frame))), keys});
    // A view without a frame cannot be rotated; instead, the frame of the map is stated.
    connect(frames_, &QActionGroup::triggered, this, [this](const QAction* action) {
        const auto frame = static_cast<Frame>(action->data().toInt());
        if (document_.view().camera().frame == Frame::Unknown) {
            window_.session().operations().stateFrame(unframedLayer(), frame);
            refreshView();  // no frame is selected before one is stated
        } else {
            document_.view().setCamera(document_.view().camera().inFrame(frame));
        }
    });
}

void WindowActions::buildGraticule() {
    graticule_ = new QAction(lineIcon(QStringLiteral("graticule")), tr("&Graticule"), this);
    graticule_->setCheckable(true);
    graticule_->setShortcut(Qt::CTRL | Qt::Key_G);
    graticule_->setToolTip(tr("Meridians and parallels of the frame (Ctrl+G)"));
    alsoCalled(graticule_, tr("coordinate grid lines axes"));
    connect(graticule_, &QAction::triggered, this, [this](bool on) {
        document_.overlays().setGraticule(on, document_.overlays().graticuleStep());
    });
    steps_ = new QActionGroup(this);
    for (const double step : kSteps) {
        QAction* action = choice(steps_, {static_cast<int>(step),
                                          "",
                                          step > 0.0 ? tr("%1°").arg(step) : tr("Automatic"),
                                          tr("Distance of the lines"),
                                          {}});
        action->setIcon({});
    }
    connect(steps_, &QActionGroup::triggered, this, [this](const QAction* action) {
        document_.overlays().setGraticule(true, action->data().toInt() * kDegree);
    });
    rods_ = new QAction(lineIcon(QStringLiteral("rods")), tr("Polarization &rods"), this);
    rods_->setIconText(tr("Rods"));
    rods_->setCheckable(true);
    rods_->setToolTip(tr("Direction and strength of the polarization, for maps with Q and U"));
    connect(rods_, &QAction::triggered, this,
            [this](bool on) { document_.overlays().setRodsVisible(on); });
}

void WindowActions::buildComparisons() {
    comparisons_ = new QActionGroup(this);
    const Named all[] = {
        {static_cast<int>(Comparison::Single), "single", tr("Single"), tr("One map"),
         Qt::ALT | Qt::Key_1},
        {static_cast<int>(Comparison::Swipe), "swipe", tr("Swipe"),
         tr("Two maps with a divider to drag"), Qt::ALT | Qt::Key_2},
        {static_cast<int>(Comparison::Blink), "blink", tr("Blink"), tr("Two maps in turn"),
         Qt::ALT | Qt::Key_3},
        {static_cast<int>(Comparison::SideBySide), "side-by-side", tr("Side by side"),
         tr("Two maps beside each other, moving together"), Qt::ALT | Qt::Key_4}};
    for (const Named& one : all) choice(comparisons_, one);
    alsoCalled(comparisons_->actions().back(), tr("tile match lock frames multiview"));
    connect(comparisons_, &QActionGroup::triggered, this, [this](const QAction* action) {
        window_.comparisons().compare(static_cast<Comparison>(action->data().toInt()));
        refreshView();
    });
    difference_ = new QAction(lineIcon(QStringLiteral("difference")), tr("&Difference"), this);
    difference_->setShortcut(Qt::ALT | Qt::Key_5);
    difference_->setToolTip(tr("The first map minus the second, as a map of its own (Alt+5)"));
    alsoCalled(difference_, tr("subtract residual"));
    connect(difference_, &QAction::triggered, &window_.comparisons(), &Comparisons::showDifference);
    needMap_.push_back(difference_);
}

void WindowActions::buildFileMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&File"));
    add(menu, {}, tr("&New window"), QKeySequence::New,
        tr("Opens an empty window with layers, views and a history of its own"),
        [this] { emit window_.newWindowRequested(); });
    alsoCalled(add(menu, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open,
                   tr("Maps, catalogs, images, curves; several files at once"),
                   [this] { window_.files().chooseFiles(); }),
               tr("load import read_map"));
    recent_ = menu->addMenu(tr("Open &recent"));
    recent_->menuAction()->setToolTip(tr("Files that were opened last"));
    recent_->setProperty("filledOnDemand", true);
    connect(recent_, &QMenu::aboutToShow, this, &WindowActions::fillRecent);
    add(menu, {}, tr("Open s&ample sky"), {},
        tr("A map that the program makes: microwave background, a Galaxy, sources"),
        [this] { window_.session().files().openSampleSky(); });
    menu->addSeparator();
    add(menu, {}, tr("Open sess&ion…"), {}, tr("Layers, views and results as they were saved"),
        [this] { window_.files().chooseSession(false); });
    alsoCalled(add(menu, QStringLiteral("save"), tr("&Save session…"), QKeySequence::Save,
                   tr("Stores the layers, views and recipes of results in one file"),
                   [this] { window_.files().chooseSession(true); }),
               tr("backup bck stack project"));
    QAction* reopen = add(menu, {}, tr("Reopen &last session"), {},
                          tr("The layers and views that were open last"),
                          [this] { window_.session().project().reopenLastSession(); });
    connect(menu, &QMenu::aboutToShow, this,
            [this, reopen] { reopen->setEnabled(window_.session().project().hasLastSession()); });
    menu->addSeparator();
    exportLayer_ =
        alsoCalled(add(menu, QStringLiteral("export"), tr("&Export layer…"), Qt::CTRL | Qt::Key_E,
                       tr("The layer that is chosen in the list: maps and images as FITS, catalogs "
                          "and curves as FITS, Parquet, VOTable, CSV or ECSV"),
                       [this] { window_.files().exportLayer(layerAtPointer()); }),
                   tr("write_map save as convert"));
    needMap_.push_back(
        alsoCalled(add(menu, {}, tr("&Figure…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
                       tr("Composes a picture for a paper as PNG, PDF or SVG, with a preview"),
                       [this] { window_.files().composeFigure(); }),
                   tr("export png pdf svg paper plot save picture image print contours savefig")));
    needMap_.push_back(alsoCalled(
        add(menu, {}, tr("Export &view as FITS…"), {},
            tr("The values in the present view, with its projection as world coordinates"),
            [this] { window_.files().exportView(); }),
        tr("crop cutout save image wcs")));
    needMap_.push_back(add(
        menu, {}, tr("Export s&pectrum…"), {}, tr("The spectrum of the Spectrum tool, as a file"),
        [this] { window_.files().exportSpectrum(window_.panels().spectrum()->result()); }));
    menu->addSeparator();
    add(menu, {}, tr("&Close window"), QKeySequence::Close,
        tr("Asks first if results are unsaved or work is running"), [this] { window_.close(); });
    add(menu, {}, tr("&Quit"), QKeySequence::Quit,
        tr("Closes all windows; the next start can reopen their layers"),
        [] { QApplication::closeAllWindows(); });
}

void WindowActions::buildEditMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Edit"));
    QUndoStack* stack = document_.history().stack();
    QAction* undo = stack->createUndoAction(this, tr("&Undo"));
    undo->setIcon(lineIcon(QStringLiteral("undo")));
    undo->setShortcuts(QKeySequence::Undo);
    QAction* redo = stack->createRedoAction(this, tr("&Redo"));
    redo->setIcon(lineIcon(QStringLiteral("redo")));
    redo->setShortcuts(QKeySequence::Redo);
    undo->setProperty("name", tr("Undo"));
    redo->setProperty("name", tr("Redo"));
    undo->setToolTip(tr("Takes the last change of the document back; its name is in the menu"));
    redo->setToolTip(tr("Makes the change again that was undone last"));
    menu->addActions({undo, redo});
    menu->addSeparator();
    alsoCalled(add(menu, QStringLiteral("copy"), tr("&Copy position and value"), QKeySequence::Copy,
                   tr("The position and the value under the pointer, as text"),
                   [this] { window_.copyReadout(); }),
               tr("reticle pixel value"));
    needMap_.push_back(
        add(menu, {}, tr("Copy as co&mmand"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
            tr("The commands that make the shown layer from its files, for a terminal"),
            [this] { window_.files().copyCommand(document_.view().shown().entry); }));
    menu->addSeparator();
    alsoCalled(add(menu, QStringLiteral("search"), tr("&Go to position"), QKeySequence::Find,
                   tr("By coordinates, or by a name that the program or an open catalog has"),
                   [this] { bar_->beginSearch(); }),
               tr("simbad sesame ned name resolver crosshair pan to"));
    menu->addSeparator();
    alsoCalled(add(menu, QStringLiteral("settings"), tr("&Settings…"), Qt::CTRL | Qt::Key_Comma,
                   tr("Theme, drawing, device and threads of computations, other programs"),
                   [this] { window_.dialogs().showSettings(); }),
               tr("preferences options dark theme"));
}

void WindowActions::buildViewMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&View"));
    menu->addActions(projections_->actions());
    menu->addSeparator();
    frameMenu_ = menu->addMenu(tr("&Frame"));
    frameMenu_->menuAction()->setToolTip(tr("The coordinates whose poles and meridians are shown"));
    frameMenu_->addActions(frames_->actions());
    menu->addAction(graticule_);
    graticuleMenu_ = menu->addMenu(tr("Graticule &step"));
    graticuleMenu_->menuAction()->setToolTip(tr("Distance of the meridians and parallels"));
    graticuleMenu_->addActions(steps_->actions());
    QAction* contours = menu->addAction(tr("&Credible regions"));
    contours->setCheckable(true);
    contours->setChecked(window_.contours()->isVisible());
    contours->setToolTip(tr("The smallest regions that hold 50 and 90 % of a probability map"));
    alsoCalled(contours, tr("contours ligo skymap confidence localization"));
    connect(contours, &QAction::triggered, window_.contours(), &CredibleContours::setVisible);
    menu->addMenu(new PolarizationMenu(document_, rods_, menu));
    flip_ = menu->addAction(tr("East to the r&ight"));
    flip_->setCheckable(true);
    flip_->setToolTip(tr("The geographer's view; astronomers look from inside, east to the left"));
    alsoCalled(flip_, tr("flip mirror invert x orientation"));
    connect(flip_, &QAction::triggered, this, [this](bool on) {
        Camera camera = document_.view().camera();
        camera.flip = on;
        document_.view().setCamera(camera);
    });
    menu->addSeparator();
    SkyViewWidget* view = window_.skyView();
    add(menu, {}, tr("Zoom &in"), QKeySequence::ZoomIn, tr("Narrows the view around its center"),
        [view] { view->zoomIn(); });
    add(menu, {}, tr("Zoom &out"), QKeySequence::ZoomOut, tr("Widens the view around its center"),
        [view] { view->zoomOut(); });
    alsoCalled(
        add(menu, QStringLiteral("home"), tr("&Whole sky"), Qt::CTRL | Qt::Key_0,
            tr("Shows the whole sky, centered as at the start"), [view] { view->resetView(); }),
        tr("fit zoom to fit reset view"));
    needMap_.push_back(
        alsoCalled(add(menu, {}, tr("Zoom to &data"), Qt::CTRL | Qt::SHIFT | Qt::Key_D,
                       tr("Fits the view to the pixels or rows of the chosen layer"),
                       [this] { window_.zoomToData(); }),
                   tr("field of view fov locate footprint")));
    menu->addSeparator();
    QAction* inspector = menu->addAction(tr("&Inspector"));
    inspector->setCheckable(true);
    inspector->setChecked(!view->inspector()->isHidden());
    inspector->setShortcut(Qt::CTRL | Qt::Key_I);
    inspector->setToolTip(tr("A close gnomonic view of the sky under the pointer (Ctrl+I)"));
    alsoCalled(inspector, tr("magnifier panner loupe zoom"));
    connect(inspector, &QAction::toggled, view, &SkyViewWidget::setInspectorVisible);
    QAction* full =
        add(menu, {}, tr("F&ull screen"), QKeySequence::FullScreen,
            tr("The window without a frame on the whole screen; the same key returns"),
            [this] { window_.setWindowState(window_.windowState() ^ Qt::WindowFullScreen); });
    full->setShortcuts({QKeySequence(Qt::Key_F11)});
}

void WindowActions::buildMapMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Map"));
    fields_ = menu->addMenu(tr("Show &field"));
    fields_->menuAction()->setToolTip(
        tr("Fields of the shown map, and polarized amplitude and angle where it has Q and U"));
    fields_->setProperty("filledOnDemand", true);
    connect(fields_, &QMenu::aboutToShow, this, &WindowActions::fillFields);
    needMap_.push_back(fields_->menuAction());
    needMap_.push_back(add(menu, {}, tr("&Next map"), Qt::CTRL | Qt::Key_PageDown,
                           tr("Shows the next map of the list"), [this] { stepMap(1); }));
    needMap_.push_back(add(menu, {}, tr("&Previous map"), Qt::CTRL | Qt::Key_PageUp,
                           tr("Shows the previous map of the list"), [this] { stepMap(-1); }));
    menu->addSeparator();
    needMap_.push_back(add(menu, {}, tr("&Rename"), Qt::Key_F2,
                           tr("Changes the name of the chosen layer; its file keeps its name"),
                           [this] { window_.panels().maps()->renameCurrent(); }));
    needMap_.push_back(add(menu, {}, tr("Move &up"), kMoveUp,
                           tr("Draws the chosen layer below its neighbor in the list"),
                           [this] { window_.panels().maps()->moveCurrent(-1); }));
    needMap_.push_back(add(menu, {}, tr("Move &down"), kMoveDown,
                           tr("Draws the chosen layer above its neighbor in the list"),
                           [this] { window_.panels().maps()->moveCurrent(1); }));
    needMap_.push_back(add(menu, QStringLiteral("close"), tr("&Close layer"),
                           Qt::CTRL | Qt::SHIFT | Qt::Key_W,
                           tr("Removes the chosen layer; undo restores it, and its file stays"),
                           [this] { window_.panels().maps()->closeCurrent(); }));
    menu->addSeparator();
    needMap_.push_back(
        alsoCalled(add(menu, {}, tr("File &header…"), Qt::CTRL | Qt::SHIFT | Qt::Key_H,
                       tr("The FITS cards of the file of the chosen layer"),
                       [this] { window_.files().showHeader(document_.active()); }),
                   tr("keywords cards properties")));
    menu->addSeparator();
    closeAll_ =
        add(menu, {}, tr("Close &all layers"), Qt::CTRL | Qt::ALT | Qt::Key_W,
            tr("Empties the window; undo restores the layers"), [this] { window_.closeAll(); });
}

void WindowActions::buildAnalysisMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Analysis"));
    const auto reveal = [this](ToolDock* dock) { window_.panels().rail()->open(dock); };
    needMap_.push_back(
        add(menu, {}, tr("&Smooth the shown map"), Qt::CTRL | Qt::Key_B,
            tr("Opens the tool with the slider of the beam width in focus"), [this, reveal] {
                reveal(window_.panels().docks().firstTool);
                window_.panels().smooth()->slider()->setFocus(Qt::ShortcutFocusReason);
            }));
    needMap_.push_back(add(menu, {}, tr("S&pectrum of the shown map"), Qt::CTRL | Qt::Key_L,
                           tr("Opens the tool with the angular power spectrum"),
                           [this, reveal] { reveal(window_.panels().docks().spectrum); }));
    menu->addSeparator();
    menu->addActions(comparisons_->actions());
    menu->addAction(difference_);
    menu->addSeparator();
    menu->addActions(window_.panels().rail()->toolActions());
    menu->addSeparator();
    // In a menu of their own, so that the menu fits a small screen.
    QMenu* others = menu->addMenu(tr("&Other tools"));
    others->menuAction()->setToolTip(tr("Tools that the rail does not show"));
    others->addActions(window_.panels().rail()->otherActions());
    window_.menuBar()->addMenu(window_.interopMenu());
}

void WindowActions::buildWindowMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Window"));
    QAction* left = menu->addAction(lineIcon(QStringLiteral("layers")), tr("&Left column"));
    left->setCheckable(true);
    left->setShortcut(Qt::Key_F9);
    left->setToolTip(tr("Layers, history and jobs (F9)"));
    connect(menu, &QMenu::aboutToShow, left,
            [this, left] { left->setChecked(window_.arrangement().isLeftVisible()); });
    connect(left, &QAction::triggered, this, [this] {
        window_.arrangement().setLeftVisible(!window_.arrangement().isLeftVisible());
    });
    menu->addSeparator();
    // The panels around the sky, the tools of the rail, and the others in a menu of their own, so
    // that the menu fits a small screen.
    const WindowDocks& docks = window_.panels().docks();
    const ToolRail& rail = *window_.panels().rail();
    const QList<QAction*> inRail = rail.toolActions();
    auto* others = new QMenu(tr("&Other tools"), menu);
    const auto addPanel = [&](QMenu* to, const ToolDock* dock) {
        QAction* toggle = dock->toggleViewAction();
        to->addAction(toggle);
        toggle->setToolTip(tr("Shows or hides the panel %1").arg(dock->windowTitle()));
    };
    alsoCalled(docks.color->toggleViewAction(),
               tr("colormap colorbar cmap scale zscale min max contrast stretch transfer function "
                  "opacity transparency"));
    alsoCalled(docks.layers->toggleViewAction(), tr("frames stack planes"));
    alsoCalled(docks.data->toggleViewAction(),
               tr("table rows row subset filter column statistics measurements"));
    for (const ToolDock* dock : {docks.layers, docks.history, docks.jobs, docks.color, docks.data})
        addPanel(menu, dock);
    menu->addSeparator();
    for (const ToolDock* dock : rail.tools())
        addPanel(inRail.contains(rail.actionOf(dock)) ? menu : others, dock);
    others->menuAction()->setToolTip(tr("The panels of the tools that the rail does not show"));
    menu->addMenu(others);
    menu->addSeparator();
    add(menu, {}, tr("&Reset layout"), {}, tr("Puts every panel back to its first place and size"),
        [this] { window_.arrangement().reset(); });
}

void WindowActions::buildHelpMenu() {
    QMenu* menu = window_.menuBar()->addMenu(tr("&Help"));
    alsoCalled(add(menu, QStringLiteral("search"), tr("&Find a command…"), Qt::CTRL | Qt::Key_K,
                   tr("Searches names and synonyms of all commands, tools, parameters and pages"),
                   [this] { window_.showPalette(); }),
               tr("palette"));
    add(menu, QStringLiteral("info"), tr("&Manual"), QKeySequence::HelpContents,
        tr("All pages, readable without a network"), [this] { window_.dialogs().showGuide(); });
    add(menu, {}, tr("&What is this?"), Qt::SHIFT | Qt::Key_F1,
        tr("A click then explains the control or the menu entry under the pointer"),
        [] { QWhatsThis::enterWhatsThisMode(); });
    add(menu, {}, tr("&Tour of the window"), {}, tr("Six steps over the parts of the window"),
        [this] { window_.showTour(); });
    add(menu, {}, tr("&Shortcuts"), Qt::CTRL | Qt::Key_Question,
        tr("All keys, of commands and of the sky"), [this] { window_.showShortcuts(); });
    add(menu, {}, tr("&About Armilla"), {}, tr("Version and license"),
        [this] { window_.dialogs().showAbout(); });
}

QList<QAction*> WindowActions::all() const {
    QList<QAction*> result;
    const auto collect = [&](const auto& self, const QList<QAction*>& actions) -> void {
        for (QAction* action : actions) {
            if (action->menu())
                self(self, action->menu()->actions());
            else if (!action->isSeparator())
                result += action;
        }
    };
    collect(collect, window_.menuBar()->actions());
    return result;
}

void WindowActions::fillRecent() {
    recent_->clear();
    const QStringList paths = window_.session().files().recentFiles();
    for (const QString& path : paths) {
        auto* action = recent_->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { window_.openFiles({path}); });
    }
    recent_->setToolTipsVisible(true);
    if (paths.isEmpty()) recent_->addAction(tr("none yet"))->setEnabled(false);
}

void WindowActions::fillFields() {
    fields_->clear();
    const Layer* entry = document_.entry(document_.view().shown().entry);
    if (!entry || !entry->map) return;
    int number = 0;
    for (const Shown& shown : showables(*entry)) {
        auto* action = fields_->addAction(showableText(*entry, shown));
        action->setCheckable(true);
        action->setChecked(shown == document_.view().shown());
        if (++number <= 9)
            action->setText(QStringLiteral("&%1 %2").arg(number).arg(action->text()));
        connect(action, &QAction::triggered, this,
                [this, shown] { document_.view().setShown(shown); });
    }
}

void WindowActions::stepMap(int step) {
    std::vector<LayerId> maps;
    for (const Layer& layer : document_.entries())
        if (layer.map) maps.push_back(layer.id);
    if (maps.empty()) return;
    const auto count = static_cast<int>(maps.size());
    const auto here = std::find(maps.begin(), maps.end(), document_.view().shown().entry);
    const int index = (static_cast<int>(here - maps.begin()) + step + count) % count;
    document_.view().setShown({maps[static_cast<size_t>(index)], 0, Quantity::Field});
}

// The layer selected in the list, else the shown map.
LayerId WindowActions::layerAtPointer() const {
    const Layer* active = document_.entry(document_.active());
    return active ? active->id : document_.view().shown().entry;
}

// The layer that sets the frame of a view without one: the shown map, else the selected layer.
LayerId WindowActions::unframedLayer() const {
    const Layer* layer = document_.entry(document_.view().shown().entry);
    if (!layer) layer = document_.entry(document_.active());
    return layer && takesStatedFrame(*layer) ? layer->id : LayerId();
}

void WindowActions::refreshView() {
    const Camera& camera = document_.view().camera();
    check(projections_, static_cast<int>(camera.projection));
    bar_->showProjection();
    check(frames_, static_cast<int>(camera.frame));
    const bool isUnknown = camera.frame == Frame::Unknown;
    const bool isStated = isUnknown && unframedLayer().isValid();
    bar_->showFrame(isUnknown ? tr("Frame unknown") : frameTitle(camera.frame),
                    isStated ? tr("The file does not say its frame: state the one it is in")
                             : tr("Frame in which the sky is shown"));
    frames_->setEnabled(!isUnknown || isStated);
    flip_->setChecked(camera.flip);
    graticule_->setChecked(document_.overlays().graticuleVisible());
    check(steps_, static_cast<int>(std::lround(document_.overlays().graticuleStep() / kDegree)));
    rods_->setChecked(document_.overlays().rodsVisible());
    check(comparisons_, static_cast<int>(document_.view().comparison()));
}

void WindowActions::refreshMaps() {
    const Layer* entry = document_.entry(document_.view().shown().entry);
    for (QAction* action : needMap_) action->setEnabled(entry != nullptr);
    exportLayer_->setEnabled(document_.entry(layerAtPointer()) != nullptr);
    closeAll_->setEnabled(!document_.entries().empty());
    comparisons_->setEnabled(entry != nullptr);
    rods_->setEnabled(entry && entry->map && entry->map->polarizationPair());
}

}  // namespace armilla
