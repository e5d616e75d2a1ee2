// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey/monkey.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>
#include <QUndoStack>
#include <algorithm>
#include <array>
#include <utility>

#include "armilla/session/job_runner.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "window/window_panels.h"

namespace armilla::test {
namespace {

// Texts that a person types by intent or by mistake. None is a path.
constexpr std::array kTexts = {"0",
                               "1",
                               "-1",
                               "5",
                               "30",
                               "3.7",
                               "1e-3",
                               "1e9",
                               "64",
                               "128",
                               "nan",
                               "",
                               "abc",
                               "5 deg",
                               "30'",
                               "1.5 mK",
                               "10 20",
                               "M42",
                               "12h34m -5d23m",
                               "flux > 3",
                               "sqrt(",
                               "T * 2",
                               "I_STOKES",
                               "ra",
                               "--help",
                               "%n",
                               "<b>x</b>",
                               ";",
                               "2..40",
                               "1, 2, 3",
                               "a_b c",
                               "\u00e9\u6f22\u5b57",
                               "9999999999999999999",
                               "-0.0001 arcmin",
                               "name"};

constexpr std::array kKeys = {
    Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,     Qt::Key_Down,      Qt::Key_Plus, Qt::Key_Minus,
    Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown,  Qt::Key_Tab,  Qt::Key_Space,
    Qt::Key_Return, Qt::Key_Escape, Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_A,    Qt::Key_R,
    Qt::Key_U,      Qt::Key_B,      Qt::Key_G,      Qt::Key_P,         Qt::Key_1,    Qt::Key_2,
    Qt::Key_3,      Qt::Key_4,      Qt::Key_5,      Qt::Key_F2,        Qt::Key_F9,   Qt::Key_F6};

// Widths and heights of usual screens, and of half of one.
constexpr std::array kSizes = {QSize(1024, 700), QSize(1366, 768), QSize(1440, 900),
                               QSize(1580, 960), QSize(800, 600)};

bool takesInput(const QWidget& widget) {
    return widget.focusPolicy() != Qt::NoFocus || widget.inherits("QAbstractButton") ||
           widget.inherits("QSplitterHandle") || widget.inherits("QScrollBar") ||
           widget.inherits("QHeaderView") || widget.inherits("QTabBar") ||
           widget.hasMouseTracking();
}

QString nameOf(const QWidget& widget) {
    QString name = QString::fromLatin1(widget.metaObject()->className());
    QString words = widget.accessibleName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        button && !button->text().isEmpty())
        words = button->text();
    if (words.isEmpty()) words = widget.objectName();
    if (!words.isEmpty()) name += QStringLiteral(" '%1'").arg(words.left(40));
    for (const QWidget* up = &widget; up; up = up->parentWidget())
        if (up->inherits("QDockWidget") || up->inherits("QDialog"))
            return name + QStringLiteral(" in ") +
                   (up->objectName().isEmpty() ? up->windowTitle() : up->objectName());
    return name;
}

// Actions that end the round or leave the program.
bool isExcluded(const QAction& action) {
    const QString text = QString(action.text()).remove(QLatin1Char('&'));
    for (const char* const words : {"Quit", "New window", "Close window"})
        if (text.startsWith(QLatin1String(words))) return true;
    // Until such a menu is opened again, its actions are those of an earlier time.
    const QObjectList places = action.associatedObjects();
    return std::any_of(places.begin(), places.end(), [](const QObject* menu) {
        const auto* const shown = qobject_cast<const QWidget*>(menu);
        return menu->property("filledOnDemand").toBool() && !(shown && shown->isVisible());
    });
}

}  // namespace

Monkey::Monkey(MainWindow* window, MonkeyRound round)
    : window_(window), round_(std::move(round)), random_(round_.seed) {}

int Monkey::below(int count) {
    return count <= 0 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(count));
}

bool Monkey::chance(double probability) {
    constexpr int kSteps = 1000;
    return below(kSteps) < probability * kSteps;
}

QString Monkey::text() {
    return QString::fromUtf8(kTexts[static_cast<size_t>(below(static_cast<int>(kTexts.size())))]);
}

QPoint Monkey::placeIn(const QWidget* widget) {
    return {below(widget->width()), below(widget->height())};
}

// A timer of its own for every step: a nested event loop runs it too.
void Monkey::goOn(int milliseconds) {
    QTimer::singleShot(milliseconds, this, &Monkey::step);
}

void Monkey::step() {
    if (isDone_) return;
    const bool isOver = events_ >= round_.events && hand_.isEmpty();
    if (!window_ || !window_->isVisible() || isOver) {
        isDone_ = true;
        hand_.letGo();
        emit finished();
        return;
    }
    if (round_.isPatient && hand_.isEmpty() && !window_->session().jobs().isIdle()) {
        goOn(1);
        return;
    }
    keepDialogsInFolder();
    goOn(std::exchange(pause_, 0));
    if (hand_.isEmpty()) {
        hand_.letGo();
        chooseAct();
    }
    ++events_;
    hand_.next();
    if (window_)
        if (const ToolDock* tool = window_->panels().rail()->current())
            tools_.insert(tool->objectName());
}

void Monkey::name(const QString& kind, const QString& what) {
    ++kinds_[kind];
    acts_ << QStringLiteral("%1 %2: %3").arg(events_).arg(kind, what);
    if (acts_.size() > kKeptActs) acts_.removeFirst();
    emit acted(acts_.back());
}

void Monkey::chooseAct() {
    if (QApplication::activePopupWidget() && actOnPopup()) return;
    // A modal dialog, such as a question before a file is replaced, blocks all other windows.
    if ((QApplication::activeModalWidget() || chance(0.4)) && actOnDialog()) return;
    constexpr std::pair<int, Act> kActs[] = {
        {20, &Monkey::actOnSky},   {22, &Monkey::actOnTool}, {14, &Monkey::actOnWidget},
        {6, &Monkey::actOnButton}, {6, &Monkey::openTool},   {8, &Monkey::pressKey},
        {3, &Monkey::useMenu},     {5, &Monkey::useAction},  {2, &Monkey::searchCommand},
        {3, &Monkey::dropFiles},   {4, &Monkey::undo},       {1, &Monkey::changeWindow},
        {5, &Monkey::rest}};
    int total = 0;
    for (const auto& [weight, act] : kActs) total += weight;
    int chosen = below(total);
    for (const auto& [weight, act] : kActs)
        if ((chosen -= weight) < 0) return (this->*act)();
}

bool Monkey::actOnPopup() {
    QWidget* popup = QApplication::activePopupWidget();
    if (auto* menu = qobject_cast<QMenu*>(popup); menu && chance(0.8)) {
        QList<QAction*> actions;
        for (QAction* action : menu->actions())
            if (action->isVisible() && !action->isSeparator() && !isExcluded(*action))
                actions << action;
        if (!actions.isEmpty()) {
            QAction* action = actions[below(static_cast<int>(actions.size()))];
            name(QStringLiteral("menu"), action->text());
            hand_.click(menu, menu->actionGeometry(action).center());
            return true;
        }
    }
    if (auto* view = popup->findChild<QAbstractItemView*>(); view && chance(0.8)) {
        name(QStringLiteral("list"), nameOf(*view));
        hand_.click(view->viewport(), placeIn(view->viewport()));
        return true;
    }
    name(QStringLiteral("close popup"));
    hand_.key(Qt::Key_Escape);
    return true;
}

// File dialogs show only the folder of the round, so that no other file is written.
void Monkey::keepDialogsInFolder() {
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* files = qobject_cast<QFileDialog*>(top);
            files && files->isVisible() && files->directory().absolutePath() != round_.folder) {
            files->setDirectory(round_.folder);
            hand_.clear();
        }
}

bool Monkey::actOnDialog() {
    QList<QDialog*> dialogs;
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(top); dialog && dialog->isVisible())
            dialogs << dialog;
    if (auto* modal = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialogs = {modal};
    if (dialogs.isEmpty()) return false;
    QDialog* dialog = dialogs[below(static_cast<int>(dialogs.size()))];
    if (chance(0.2)) {
        name(QStringLiteral("close dialog"), nameOf(*dialog));
        hand_.then([dialog = QPointer(dialog)] {
            if (dialog) dialog->close();
        });
        return true;
    }
    QWidget* widget = randomWidget(dialog);
    if (!widget) return false;
    name(QStringLiteral("dialog"), nameOf(*widget));
    use(widget);
    return true;
}

void Monkey::actOnSky() {
    QWidget* sky = window_->skyView();
    const QPoint from = placeIn(sky), to = placeIn(sky);
    const int kind = below(10);
    if (kind < 3) {
        name(QStringLiteral("drag sky"));
        hand_.drag(sky, from, to, 2 + below(8), kind == 0 ? Qt::ShiftModifier : Qt::NoModifier);
    } else if (kind < 6) {
        name(QStringLiteral("wheel sky"));
        hand_.wheel(sky, from, below(13) - 6);
    } else if (kind == 6) {
        name(QStringLiteral("double click sky"));
        hand_.doubleClick(sky, from);
    } else if (kind == 7) {
        name(QStringLiteral("right click sky"));
        hand_.click(sky, from, Qt::RightButton);
    } else {
        name(QStringLiteral("click sky"));
        hand_.click(sky, from);
        hand_.move(sky, to);
    }
}

QWidget* Monkey::randomWidget(QWidget* within) {
    QWidgetList widgets;
    for (QWidget* widget : within->findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && takesInput(*widget) &&
            widget->window() == within->window())
            widgets << widget;
    constexpr int kTries = 12;
    for (int i = 0; i < kTries && !widgets.isEmpty(); ++i) {
        QWidget* widget = widgets[below(static_cast<int>(widgets.size()))];
        if (!widget->visibleRegion().isEmpty()) return widget;
    }
    return nullptr;
}

void Monkey::actOnTool() {
    ToolDock* tool = window_->panels().rail()->current();
    if (chance(0.15)) {
        const auto& docks = window_->panels().docks().all;
        tool = docks[static_cast<size_t>(below(static_cast<int>(docks.size())))];
    }
    QWidget* widget = tool && tool->isVisible() ? randomWidget(tool) : nullptr;
    if (!widget) return openTool();
    name(QStringLiteral("tool"), nameOf(*widget));
    use(widget);
}

void Monkey::actOnWidget() {
    QWidget* widget = randomWidget(window_);
    if (!widget) return rest();
    name(QStringLiteral("widget"), nameOf(*widget));
    use(widget);
}

// The buttons that begin, end and keep work.
void Monkey::actOnButton() {
    QList<QAbstractButton*> buttons;
    for (auto* button : window_->findChildren<QAbstractButton*>())
        if (button->isVisible() && button->isEnabled() && !button->text().isEmpty())
            buttons << button;
    if (buttons.isEmpty()) return rest();
    QAbstractButton* button = buttons[below(static_cast<int>(buttons.size()))];
    name(QStringLiteral("button"), nameOf(*button));
    hand_.click(button, button->rect().center());
}

void Monkey::openTool() {
    const auto& tools = window_->panels().rail()->tools();
    ToolDock* tool = tools[static_cast<size_t>(below(static_cast<int>(tools.size())))];
    name(QStringLiteral("open tool"), tool->objectName());
    hand_.then([action = QPointer(window_->panels().rail()->actionOf(tool))] {
        if (action) action->trigger();
    });
}

void Monkey::pressKey() {
    const Qt::Key key = kKeys[static_cast<size_t>(below(static_cast<int>(kKeys.size())))];
    constexpr std::array kModifiers = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,
                                       Qt::ShiftModifier, Qt::ControlModifier};
    const auto modifier = kModifiers[static_cast<size_t>(below(kModifiers.size()))];
    name(QStringLiteral("key"), QKeySequence(QKeyCombination(modifier, key)).toString());
    for (int repeats = 1 + below(4); repeats > 0; --repeats) hand_.key(key, modifier);
}

void Monkey::useMenu() {
    QMenuBar* bar = window_->menuBar();
    const QList<QAction*> menus = bar->actions();
    QAction* menu = menus[below(static_cast<int>(menus.size()))];
    name(QStringLiteral("open menu"), menu->text());
    hand_.click(bar, bar->actionGeometry(menu).center());
}

void Monkey::useAction() {
    QList<QAction*> actions;
    for (QAction* action : window_->menuBar()->findChildren<QAction*>())
        if (action->isEnabled() && !action->menu() && !action->isSeparator() &&
            !isExcluded(*action))
            actions << action;
    for (QAction* action : window_->findChildren<QAction*>())
        if (action->isEnabled() && !action->shortcut().isEmpty() && !isExcluded(*action))
            actions << action;
    if (actions.isEmpty()) return rest();
    QAction* action = actions[below(static_cast<int>(actions.size()))];
    name(QStringLiteral("action"), action->text());
    hand_.then([action = QPointer(action)] {
        if (action) action->trigger();
    });
}

void Monkey::searchCommand() {
    name(QStringLiteral("search"));
    hand_.key(Qt::Key_K, Qt::ControlModifier);
    hand_.type(text().left(4));
    if (chance(0.5)) hand_.key(Qt::Key_Down);
    hand_.key(chance(0.6) ? Qt::Key_Return : Qt::Key_Escape);
}

void Monkey::dropFiles() {
    QStringList paths;
    for (int count = 1 + below(chance(0.1) ? static_cast<int>(round_.files.size()) : 2); count > 0;
         --count)
        paths << round_.files[below(static_cast<int>(round_.files.size()))];
    QStringList names;
    for (const QString& path : paths) names << path.section('/', -1);
    name(QStringLiteral("drop"), names.join(QStringLiteral(", ")));
    hand_.drop(window_, placeIn(window_), paths);
    pause_ = below(300);
}

void Monkey::undo() {
    name(QStringLiteral("undo"));
    const bool isRedo = chance(0.4);
    for (int steps = 1 + below(chance(0.2) ? 20 : 4); steps > 0; --steps)
        hand_.then([window = window_, isRedo] {
            if (!window) return;
            QUndoStack* stack = window->session().document().history().stack();
            if (isRedo)
                stack->redo();
            else
                stack->undo();
        });
}

void Monkey::changeWindow() {
    const QSize size = kSizes[static_cast<size_t>(below(static_cast<int>(kSizes.size())))];
    name(QStringLiteral("resize"), QStringLiteral("%1x%2").arg(size.width()).arg(size.height()));
    hand_.then([window = window_, size] {
        if (window) window->resize(size);
    });
    pause_ = 30;
}

// Gives jobs and previews time to arrive.
void Monkey::rest() {
    name(QStringLiteral("rest"));
    hand_.then([] {});
    constexpr int kLongest = 400;  // milliseconds
    pause_ = below(kLongest);
}

void Monkey::fill(QWidget* field) {
    hand_.click(field, field->rect().center());
    hand_.key(Qt::Key_A, Qt::ControlModifier);
    const QString words = text();
    if (words.isEmpty())
        hand_.key(Qt::Key_Delete);
    else
        hand_.type(words);
    constexpr std::array kEnds = {Qt::Key_Return, Qt::Key_Tab, Qt::Key_Escape};
    hand_.key(kEnds[static_cast<size_t>(below(kEnds.size()))]);
}

void Monkey::useView(QWidget* widget) {
    auto* view = qobject_cast<QAbstractItemView*>(widget);
    QWidget* inside = view->viewport();
    const QPoint at = placeIn(inside);
    constexpr std::array kListKeys = {Qt::Key_Delete, Qt::Key_Space,  Qt::Key_F2,    Qt::Key_Up,
                                      Qt::Key_Down,   Qt::Key_Return, Qt::Key_Escape};
    switch (below(6)) {
        case 0: hand_.click(inside, at, Qt::RightButton); break;
        case 1: hand_.doubleClick(inside, at); break;
        case 2: hand_.drag(inside, at, placeIn(inside), 4); break;
        case 3:
            hand_.click(inside, at);
            hand_.key(kListKeys[static_cast<size_t>(below(kListKeys.size()))]);
            break;
        case 4:
            hand_.click(inside, at);
            hand_.click(inside, placeIn(inside), Qt::LeftButton,
                        chance(0.5) ? Qt::ShiftModifier : Qt::ControlModifier);
            break;
        default: hand_.click(inside, at);
    }
}

void Monkey::use(QWidget* widget) {
    if (widget->parentWidget() && qobject_cast<QAbstractItemView*>(widget->parentWidget()) &&
        !widget->inherits("QHeaderView") && !widget->inherits("QLineEdit"))
        widget = widget->parentWidget();
    if (qobject_cast<QAbstractItemView*>(widget) && !widget->inherits("QHeaderView"))
        return useView(widget);
    if (chance(0.08)) return hand_.wheel(widget, placeIn(widget), below(9) - 4);
    if (chance(0.04)) return hand_.click(widget, placeIn(widget), Qt::RightButton);
    if (qobject_cast<QAbstractButton*>(widget)) return hand_.click(widget, widget->rect().center());
    if (qobject_cast<QComboBox*>(widget)) {
        if (chance(0.5)) return hand_.click(widget, widget->rect().center());
        hand_.click(widget, widget->rect().center());
        for (int steps = 1 + below(4); steps > 0; --steps)
            hand_.key(chance(0.5) ? Qt::Key_Down : Qt::Key_Up);
        return hand_.key(chance(0.8) ? Qt::Key_Return : Qt::Key_Escape);
    }
    if (qobject_cast<QLineEdit*>(widget) || qobject_cast<QAbstractSpinBox*>(widget))
        return fill(widget);
    if (chance(0.2)) {
        hand_.click(widget, placeIn(widget));
        constexpr std::array kSliderKeys = {Qt::Key_Left,     Qt::Key_Right, Qt::Key_PageUp,
                                            Qt::Key_PageDown, Qt::Key_Home,  Qt::Key_End};
        const Qt::Key key = kSliderKeys[static_cast<size_t>(below(kSliderKeys.size()))];
        for (int repeats = 1 + below(5); repeats > 0; --repeats) hand_.key(key);
        return;
    }
    if (chance(0.1)) return hand_.doubleClick(widget, placeIn(widget));
    hand_.drag(widget, placeIn(widget), placeIn(widget), 1 + below(8));
}

}  // namespace armilla::test
