// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/theme.h"

#include <QApplication>
#include <QPointer>
#include <QStyle>
#include <QStyleFactory>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

// Q_INIT_RESOURCE must be used outside of any namespace; it also keeps the linker from dropping the
// resources of this static library.
static void loadThemeResources() {
    Q_INIT_RESOURCE(theme);
}

namespace armilla {
namespace {

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.window = QColor(0x14, 0x19, 0x20);
    t.panel = QColor(0x11, 0x16, 0x1c);
    t.card = QColor(0x17, 0x1d, 0x25);
    t.control = QColor(0x1b, 0x22, 0x2b);
    t.controlHover = QColor(0x23, 0x2c, 0x37);
    t.controlPressed = QColor(0x18, 0x1e, 0x26);
    t.border = QColor(0x2c, 0x35, 0x41);
    t.separator = QColor(0x23, 0x2a, 0x33);
    t.text = QColor(0xe4, 0xea, 0xf1);
    t.textMuted = QColor(0xa3, 0xae, 0xbb);
    t.textFaint = QColor(0x8a, 0x95, 0xa3);
    t.accent = QColor(0x5a, 0xa0, 0xe6);
    t.accentFill = QColor(0x1d, 0x3a, 0x59);
    t.accentBorder = QColor(0x3a, 0x66, 0x95);
    t.primary = QColor(0x2b, 0x69, 0xb8);
    t.primaryText = QColor(0xff, 0xff, 0xff);
    t.success = QColor(0x59, 0xc6, 0x8b);
    t.warning = QColor(0xf0, 0xb4, 0x54);
    t.error = QColor(0xf2, 0x77, 0x71);
    t.skyCenter = QColor(0x10, 0x15, 0x1c);
    t.skyEdge = QColor(0x08, 0x0b, 0x0f);
    t.skyLine = QColor(255, 255, 255, 110);
    t.skyOutline = QColor(255, 255, 255, 110);
    t.skyLabel = QColor(0xf2, 0xf5, 0xf8);
    t.skyHalo = QColor(6, 9, 13, 190);
    t.chip = QColor(5, 8, 11, 205);
    t.chipText = QColor(0xf0, 0xf4, 0xf8);
    t.measure = QColor(0xff, 0xd8, 0x5c);
    t.plotBackground = QColor(0x17, 0x1d, 0x25);
    t.plotGrid = QColor(0x29, 0x31, 0x3b);
    t.first = QColor(0x82, 0xb8, 0xf0);
    t.second = QColor(0xf2, 0xa6, 0x5e);
    t.third = QColor(0x6f, 0xcf, 0x9b);
    t.histogram = QColor(0x45, 0x64, 0x8a);
    return t;
}

Theme makeLight() {
    Theme t;
    t.dark = false;
    t.window = QColor(0xf2, 0xf4, 0xf7);
    t.panel = QColor(0xf8, 0xf9, 0xfb);
    t.card = QColor(0xff, 0xff, 0xff);
    t.control = QColor(0xff, 0xff, 0xff);
    t.controlHover = QColor(0xec, 0xf1, 0xf7);
    t.controlPressed = QColor(0xdf, 0xe6, 0xee);
    t.border = QColor(0xc9, 0xd1, 0xdb);
    t.separator = QColor(0xdd, 0xe2, 0xe9);
    t.text = QColor(0x18, 0x20, 0x2a);
    t.textMuted = QColor(0x4c, 0x58, 0x66);
    t.textFaint = QColor(0x5d, 0x68, 0x75);
    t.accent = QColor(0x1f, 0x69, 0xbb);
    t.accentFill = QColor(0xd6, 0xe6, 0xf8);
    t.accentBorder = QColor(0x8f, 0xb8, 0xe4);
    t.primary = QColor(0x25, 0x68, 0xb8);
    t.primaryText = QColor(0xff, 0xff, 0xff);
    t.success = QColor(0x17, 0x78, 0x4a);
    t.warning = QColor(0x95, 0x5a, 0x04);
    t.error = QColor(0xc2, 0x33, 0x2d);
    t.skyCenter = QColor(0xfd, 0xfd, 0xfe);
    t.skyEdge = QColor(0xec, 0xef, 0xf3);
    t.skyLine = QColor(20, 28, 38, 150);
    t.skyOutline = QColor(20, 28, 38, 140);
    t.skyLabel = QColor(0x12, 0x19, 0x22);
    t.skyHalo = QColor(255, 255, 255, 205);
    t.chip = QColor(255, 255, 255, 225);
    t.chipText = QColor(0x18, 0x20, 0x2a);
    t.measure = QColor(0xb0, 0x3f, 0x00);
    t.plotBackground = QColor(0xff, 0xff, 0xff);
    t.plotGrid = QColor(0xe3, 0xe8, 0xee);
    t.first = QColor(0x1f, 0x6c, 0xc0);
    t.second = QColor(0xad, 0x56, 0x0c);
    t.third = QColor(0x17, 0x78, 0x4a);
    t.histogram = QColor(0xa9, 0xc3, 0xe2);
    return t;
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < 128;
}

// Style sheet with color names as @name@; rgba() because "#rrggbb" drops translucency. Widgets with
// text are at least as high as their font (em), because rows in little space shrink to the minimum
// height of the sheet.
//
// Text fields and choices use the palette's color: with a color of the sheet, Qt 6.4 makes
// placeholder text half transparent.
QString sheetTemplate() {
    return QStringLiteral(R"(
QMainWindow, QDialog { background: @window@; }
QMainWindow::separator { background: @separator@; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent@; }
QToolTip { background: @card@; color: @text@; border: 1px solid @border@; padding: 4px 7px; }

QMenuBar { background: @window@; color: @text@; padding: 2px 6px; spacing: 2px; }
QMenuBar::item { background: transparent; padding: 4px 9px; border-radius: @radius@; }
QMenuBar::item:selected { background: @controlHover@; }
QMenu { background: @card@; color: @text@; border: 1px solid @border@; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @accentFill@; }
QMenu::item:disabled { color: @textFaint@; }
QMenu::separator { height: 1px; background: @separator@; margin: 5px 8px; }
QMenu::right-arrow { image: url(:/armilla/theme/arrow-right-@kind@.svg); width: 12px; height: 12px; margin-right: 6px; }

QToolBar { background: @window@; border: none; border-top: 1px solid @separator@; border-bottom: 1px solid @separator@; padding: 5px 8px; spacing: 5px; }
QToolBar::separator { background: transparent; width: 14px; }
QToolBar[tight="true"] > QToolButton { padding: 4px 4px; }
QToolBar[tight="true"] > QToolButton[popupMode="2"] { padding-right: 18px; }
QToolBar[rail="true"] { border-top: none; border-bottom: none; border-left: 1px solid @separator@; padding: 4px 3px; spacing: 0px; }
QToolBar[rail="true"] QToolButton { background: transparent; border: 1px solid transparent; padding: 3px 3px; min-width: 46px; color: @textMuted@; }
QToolBar[rail="true"] QToolButton:hover { background: @controlHover@; color: @text@; }
QToolBar[rail="true"] QToolButton:checked { background: @accentFill@; border-color: @accentBorder@; color: @text@; }
QToolBar[rail="true"][compact="true"] QToolButton { min-width: 22px; min-height: 18px; padding: 5px 4px; }
QToolBar[rail="true"][compact="true"][tight="1"] QToolButton { min-height: 14px; padding: 2px 4px; }
QToolBar[rail="true"][compact="true"][tight="2"] QToolButton { min-height: 12px; padding: 0px 4px; }
QStatusBar { background: @window@; color: @textMuted@; border-top: 1px solid @separator@; }
QStatusBar::item { border: none; }

QPushButton, QToolButton { background: @control@; color: @text@; border: 1px solid @border@; border-radius: @radius@; padding: 4px 10px; min-height: 1.1em; }
QPushButton:hover, QToolButton:hover { background: @controlHover@; }
QPushButton:pressed, QToolButton:pressed { background: @controlPressed@; }
QPushButton:checked, QToolButton:checked { background: @accentFill@; border-color: @accentBorder@; }
QPushButton:focus, QToolButton:focus { border-color: @accent@; }
QPushButton:disabled, QToolButton:disabled { color: @textFaint@; border-color: @separator@; }
QPushButton:checked:disabled, QToolButton:checked:disabled { background: @control@; border-color: @separator@; }
QFileDialog QToolButton { padding: 2px; min-height: 0px; }
QPushButton[primary="true"], QPushButton:default { background: @primary@; border-color: @primary@; color: @primaryText@; }
QPushButton[primary="true"]:hover, QPushButton:default:hover { background: @primaryHover@; border-color: @primaryHover@; }
QPushButton[primary="true"]:disabled { background: @control@; border-color: @separator@; color: @textFaint@; }
QToolButton[flat="true"], QPushButton[flat="true"] { background: transparent; border: 1px solid transparent; padding: 3px 6px; }
QToolButton[flat="true"][close="true"] { padding: 3px 3px; }
QToolButton[flat="true"]:hover, QPushButton[flat="true"]:hover { background: @controlHover@; }
QToolButton[flat="true"]:checked, QPushButton[flat="true"]:checked { color: @accent@; }
QToolButton[popupMode="1"], QToolButton[popupMode="2"] { padding-right: 20px; }
QToolButton::menu-indicator { image: url(:/armilla/theme/arrow-down-@kind@.svg); subcontrol-position: right center; subcontrol-origin: padding; right: 5px; width: 10px; height: 10px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit { background: @control@; border: 1px solid @border@; border-radius: @radius@; padding: 3px 7px; min-height: 1.15em; selection-background-color: @primary@; selection-color: @primaryText@; }
QLineEdit { lineedit-clear-button-icon: url(:/armilla/theme/clear-@kind@.svg); }
QLineEdit QToolButton { background: transparent; border: none; padding: 0px; min-height: 0px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border-color: @accent@; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @textFaint@; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; width: 16px; border: none; background: transparent; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; width: 16px; border: none; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/armilla/theme/arrow-up-@kind@.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/armilla/theme/arrow-down-@kind@.svg); width: 9px; height: 9px; }
QComboBox { background: @control@; border: 1px solid @border@; border-radius: @radius@; padding: 3px 22px 3px 9px; min-height: 1.15em; }
QComboBox:hover { background: @controlHover@; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/armilla/theme/arrow-down-@kind@.svg); width: 11px; height: 11px; }
QComboBox QAbstractItemView { background: @card@; color: @text@; border: 1px solid @border@; padding: 4px; selection-background-color: @accentFill@; selection-color: @text@; outline: none; }

QCheckBox, QRadioButton { color: @text@; spacing: 7px; background: transparent; }
QCheckBox:disabled, QRadioButton:disabled { color: @textFaint@; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; background: @control@; border: 1px solid @border@; border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover, QCheckBox:focus::indicator, QRadioButton:focus::indicator { border-color: @accent@; }
QCheckBox::indicator:checked { background: @primary@; border-color: @primary@; image: url(:/armilla/theme/check.svg); }
QRadioButton::indicator:checked { background: @primary@; border-color: @primary@; image: url(:/armilla/theme/dot.svg); }

QSlider::groove:horizontal { height: 4px; background: @border@; border-radius: 2px; }
QSlider::sub-page:horizontal { height: 4px; background: @accent@; border-radius: 2px; }
QSlider::handle:horizontal { background: @handle@; border: 1px solid @handleBorder@; width: 13px; height: 13px; margin: -6px 0; border-radius: 7px; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border: 2px solid @accent@; width: 12px; height: 12px; margin: -6px 0; border-radius: 8px; }
QSlider::sub-page:horizontal:disabled { background: @border@; }
QSlider::handle:horizontal:disabled { background: @textFaint@; }
QProgressBar { background: @border@; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; text-align: center; color: transparent; }
QProgressBar::chunk { background: @success@; border-radius: 2px; }

QDockWidget { color: @textFaint@; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: @panel@; padding: 8px 10px 4px 10px; text-align: left; }
QDockWidget > QWidget { background: @panel@; }
QTabBar::tab { background: transparent; color: @textMuted@; padding: 5px 11px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @text@; border-bottom-color: @accent@; }
QTabWidget::pane { border: none; border-top: 1px solid @separator@; }
QGroupBox { border: none; margin-top: 18px; color: @textFaint@; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: 0; }

QAbstractScrollArea { background: @panel@; border: none; }
QTreeView, QListView, QTableView { background: @panel@; color: @text@; border: none; outline: none; selection-background-color: @accentFill@; selection-color: @text@; alternate-background-color: @card@; }
QTreeView::item, QListView::item { padding: 4px 6px; border-radius: @radius@; }
QTreeView[plainRows="true"]::item { border-radius: 0; }
QTreeView::item:hover, QListView::item:hover { background: @controlHover@; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @accentFill@; color: @text@; }
QHeaderView::section { background: @panel@; color: @textMuted@; border: none; border-bottom: 1px solid @separator@; padding: 4px 7px; }
QHeaderView::section:horizontal { padding-right: 17px; }
QHeaderView::section:vertical { padding: 0 7px; }
QHeaderView::up-arrow { image: url(:/armilla/theme/arrow-up-@kind@.svg); subcontrol-origin: padding; subcontrol-position: center right; right: 4px; width: 9px; height: 9px; }
QHeaderView::down-arrow { image: url(:/armilla/theme/arrow-down-@kind@.svg); subcontrol-origin: padding; subcontrol-position: center right; right: 4px; width: 9px; height: 9px; }
QHeaderView::up-arrow:vertical, QHeaderView::down-arrow:vertical { image: none; width: 0; height: 0; }
QTableCornerButton::section { background: @panel@; border: none; border-bottom: 1px solid @separator@; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll@; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @textFaint@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @separator@; }

QLabel { background: transparent; }
QLabel[role="heading"] { color: @textFaint@; }
QLabel[role="muted"] { color: @textMuted@; }
QLabel[role="success"] { color: @success@; }
QLabel[role="warning"] { color: @warning@; }
QLabel[role="error"] { color: @error@; }
QFrame[role="card"] { background: @card@; border: 1px solid @separator@; border-radius: 6px; }
)");
}

// Polishes widgets that are out of view later than a change of the style: when they are shown, or
// in the idle time of the event loop. A window has 3000 widgets, of which 130 are visible; a change
// for all takes 0.3 s of one CPU core.
class LatePolish : public QObject {
public:
    explicit LatePolish(QApplication& application) : QObject(&application) {
        application.installEventFilter(this);
        idle_.setInterval(0);
        connect(&idle_, &QTimer::timeout, this, &LatePolish::polishSome);
    }
    // Calls `change`, which sets another style, without work for the hidden widgets: Qt polishes
    // widgets with the first attribute, and sends an event to widgets without the second one.
    void withoutHiddenWidgets(const std::function<void()>& change) {
        std::vector<QWidget*> hidden;
        for (QWidget* widget : QApplication::allWidgets())
            if (!widget->isVisible() && !widget->testAttribute(Qt::WA_SetStyle)) {
                widget->setAttribute(Qt::WA_SetStyle);
                hidden.push_back(widget);
                if (!widget->testAttribute(Qt::WA_WState_Polished)) continue;
                widget->setAttribute(Qt::WA_WState_Polished, false);
                left_.emplace_back(widget);
            }
        change();
        for (QWidget* widget : hidden) widget->setAttribute(Qt::WA_SetStyle, false);
        idle_.start();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show && !left_.empty() && watched->isWidgetType())
            polish(*static_cast<QWidget*>(watched));
        return false;
    }

private:
    static void polish(QWidget& widget) {
        if (widget.testAttribute(Qt::WA_WState_Polished)) return;
        widget.setAttribute(Qt::WA_WState_Polished);
        if (widget.style() == QApplication::style())
            widget.style()->polish(&widget);
        else  // has, or inherits, a style sheet of its own
            widget.setStyleSheet(widget.styleSheet());
        QEvent change(QEvent::StyleChange);
        QCoreApplication::sendEvent(&widget, &change);
    }
    void polishSome() {
        constexpr size_t kAtOnce = 40;
        for (size_t i = 0; i < kAtOnce && !left_.empty(); ++i) {
            const QPointer<QWidget> widget = left_.back();
            left_.pop_back();
            if (widget) polish(*widget);
        }
        if (left_.empty()) idle_.stop();
    }

    std::vector<QPointer<QWidget>> left_;
    QTimer idle_;
};

}  // namespace

const Theme& Theme::darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::of(const QWidget* widget) {
    return isDark(widget->palette()) ? darkTheme() : lightTheme();
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, control);
    p.setColor(QPalette::AlternateBase, card);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, textFaint);
    p.setColor(QPalette::Button, control);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, primaryText);
    p.setColor(QPalette::ToolTipBase, card);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, primary);
    p.setColor(QPalette::HighlightedText, primaryText);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::Light, controlHover);
    p.setColor(QPalette::Midlight, controlHover);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, separator);
    p.setColor(QPalette::Shadow, skyEdge);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, textFaint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, border);
    return p;
}

QString Theme::styleSheet() const {
    const std::pair<const char*, QColor> colors[] = {
        {"window", window},
        {"panel", panel},
        {"card", card},
        {"control", control},
        {"controlHover", controlHover},
        {"controlPressed", controlPressed},
        {"border", border},
        {"separator", separator},
        {"text", text},
        {"textMuted", textMuted},
        {"textFaint", textFaint},
        {"accent", accent},
        {"accentFill", accentFill},
        {"accentBorder", accentBorder},
        {"primary", primary},
        // The lightest blue with sufficient contrast to white text.
        {"primaryHover", dark ? QColor(0x2f, 0x70, 0xc0) : accent},
        {"primaryText", primaryText},
        {"success", success},
        {"warning", warning},
        {"error", error},
        {"handle", dark ? text : card},
        {"handleBorder", dark ? text : textFaint},
        {"scroll", dark ? border.lighter(125) : border},
    };
    QString sheet = sheetTemplate();
    for (const auto& [name, color] : colors)
        sheet.replace(QStringLiteral("@%1@").arg(QLatin1String(name)), color.name());
    sheet.replace(QStringLiteral("@kind@"),
                  dark ? QStringLiteral("dark") : QStringLiteral("light"));
    sheet.replace(QStringLiteral("@radius@"), QStringLiteral("%1px").arg(radius));
    return sheet;
}

QFont Theme::headingFont(const QFont& base) const {
    QFont font = smallFont(base);
    font.setCapitalization(QFont::AllUppercase);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::PercentageSpacing, 108.0);
    return font;
}

QFont Theme::smallFont(const QFont& base) const {
    QFont font = base;
    // A font is given in points or in pixels, never both.
    if (base.pointSizeF() > 0.0)
        font.setPointSizeF(base.pointSizeF() * 0.88);
    else
        font.setPixelSize(qMax(9, qRound(base.pixelSize() * 0.88)));
    return font;
}

// The property of the application that holds 1 for the light theme and 2 for the dark one.
static constexpr const char* kAppliedTheme = "armillaTheme";

void applyTheme(QApplication& application, ThemeKind kind) {
    loadThemeResources();
    // The desktop's own palette before the first call of this function.
    static const bool desktopIsDark = isDark(QApplication::palette());
    const bool dark = kind == ThemeKind::Dark || (kind == ThemeKind::System && desktopIsDark);
    const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
    // Every widget is polished again for a new style, palette or style sheet. Settings are applied
    // as a whole, so the theme is mostly the one that stands.
    const int before = application.property(kAppliedTheme).toInt();
    if (before == (dark ? 2 : 1)) return;
    application.setProperty(kAppliedTheme, dark ? 2 : 1);
    if (before == 0) application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    static const QPointer<LatePolish> late = new LatePolish(application);
    late->withoutHiddenWidgets([&] {
        // If a style sheet replaces another one, Qt polishes every widget once for each of its
        // ancestors. Without an earlier sheet it polishes every widget once.
        application.setStyleSheet({});
        QApplication::setPalette(theme.palette());
        application.setStyleSheet(theme.styleSheet());
    });
}

}  // namespace armilla
