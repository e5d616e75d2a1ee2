// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tool_dock.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QChildEvent>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <utility>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "panels/tool_footer.h"
#include "panels/widget_role.h"

namespace armilla {
namespace {

// A scroll area whose preferred height is that of its content, so that it scrolls only if squeezed.
class ContentArea : public QScrollArea {
public:
    ContentArea(QWidget* content, bool steady) : steady_(steady) {
        setObjectName(QStringLiteral("dockContent"));
        setWidget(content);
        // the scroll area has the same background as the title
        content->setAutoFillBackground(false);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        watch(content);
    }
    QSize sizeHint() const override {
        const QSize content = widget()->sizeHint();
        return steady_ ? QSize(content.width(), kLeastHeight) : content;
    }
    QSize minimumSizeHint() const override {
        const QSize content = widget()->minimumSizeHint();
        if (steady_) return {content.width(), kLeastHeight};
        return {content.width(), std::min(content.height(), kLeastHeight)};
    }
    // The wheel scrolls the panel instead of changing the value that is under the pointer, unless
    // that control has the focus. A plot also takes the wheel where nothing scrolls, or with Ctrl.
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ChildAdded) watch(static_cast<QChildEvent*>(event)->child());
        // A child that was just added is not constructed yet.
        if (event->type() == QEvent::Polish) leaveWheel(*static_cast<QWidget*>(watched));
        const bool isWheel =
            event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus();
        const bool scrolls = verticalScrollBar()->maximum() > verticalScrollBar()->minimum();
        const bool isPlot =
            isWheel && scrolls && watched->inherits("QCustomPlot") &&
            !static_cast<QWheelEvent*>(event)->modifiers().testFlag(Qt::ControlModifier);
        const bool isValue =
            isWheel && (qobject_cast<QSlider*>(watched) || qobject_cast<QComboBox*>(watched) ||
                        qobject_cast<QAbstractSpinBox*>(watched));
        // A plot keeps mouse events from its parents, so the bar takes the wheel itself.
        if (isPlot) return QCoreApplication::sendEvent(verticalScrollBar(), event);
        if (isValue) event->ignore();
        return isValue || QScrollArea::eventFilter(watched, event);
    }
    // True if the preferred size has changed since the last call. Texts change as often as a slider
    // moves, and each layout of a window with all docks takes milliseconds.
    bool wantsOtherSize() {
        const std::pair now(sizeHint(), minimumSizeHint());
        return std::exchange(wanted_, now) != now;
    }

private:
    // Qt gives a control that takes the focus by the wheel the focus before the event.
    static void leaveWheel(QWidget& control) {
        if (control.focusPolicy() == Qt::WheelFocus) control.setFocusPolicy(Qt::StrongFocus);
    }
    void watch(QObject* object) {
        if (!object->isWidgetType()) return;
        object->installEventFilter(this);
        leaveWheel(*static_cast<QWidget*>(object));
        for (QObject* child : object->children()) watch(child);
    }

    static constexpr int kLeastHeight = 96;
    const bool steady_;
    std::pair<QSize, QSize> wanted_;
};

// Status text at the end of a title, elided to the remaining space. A QLabel would request a layout
// of the window at each new text.
class StatusText : public QLabel {
public:
    using QLabel::QLabel;
    void setStatus(const QString& text) {
        if (std::exchange(status_, text) == text) return;
        setAccessibleName(text);
        update();
    }
    QString status() const { return status_; }
    QSize sizeHint() const override { return {0, fontMetrics().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QString shown =
            fontMetrics().elidedText(status_, Qt::ElideMiddle, contentsRect().width());
        setToolTip(shown == status_ ? QString() : status_);
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(),
                              isEnabled(), shown, foregroundRole());
    }

private:
    QString status_;
};

QToolButton* titleButton(const QString& icon, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(lineIcon(icon));
    button->setIconSize({12, 12});
    button->setProperty("flat", true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

// The heading of a panel and its folding arrow, as one button.
class HeadingButton : public QAbstractButton {
public:
    HeadingButton(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setChecked(true);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
    }
    QSize sizeHint() const override {
        const QFontMetrics metrics(Theme::of(this).headingFont(font()));
        return {kArrow + 6 + metrics.horizontalAdvance(text().toUpper()) + 4, metrics.height() + 6};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor color = underMouse() || hasFocus() ? theme.text : theme.textMuted;
        painter.setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const QPointF middle(kArrow * 0.5 + 1, height() * 0.5);
        const QPointF open[] = {{-3.2, -1.6}, {0, 1.6}, {3.2, -1.6}};
        const QPointF shut[] = {{-1.6, -3.2}, {1.6, 0}, {-1.6, 3.2}};
        painter.translate(middle);
        painter.drawPolyline(isChecked() ? open : shut, 3);
        painter.translate(-middle);
        painter.setFont(theme.headingFont(font()));
        painter.drawText(rect().adjusted(kArrow + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         text());
    }

private:
    static constexpr int kArrow = 10;
};

QVBoxLayout* column(QWidget* widget) {
    auto* made = new QVBoxLayout(widget);
    made->setContentsMargins(0, 0, 0, 0);
    made->setSpacing(0);
    return made;
}

}  // namespace

ToolDock::ToolDock(const QString& title, const QString& name, QWidget* content, Height height,
                   QWidget* parent)
    : QDockWidget(title, parent),
      content_(content),
      scroll_(new ContentArea(content, height == Height::Steady)),
      footer_(new QWidget),
      height_(height) {
    setObjectName(name);
    setFeatures(DockWidgetClosable | DockWidgetMovable | DockWidgetFloatable);
    setTitleBarWidget(titleBar());
    auto* footer = column(footer_);
    if (auto* made = content->findChild<ToolFooter*>()) footer->addWidget(made);
    auto* body = new QWidget(this);
    auto* parts = column(body);
    parts->addWidget(scroll_, 1);
    parts->addWidget(footer_);
    setWidget(body);
    for (QWidget* part : {content_, footer_}) part->installEventFilter(this);
    fitHeight();
}

QWidget* ToolDock::titleBar() {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("dockTitle"));
    titleLayout_ = new QHBoxLayout(bar);
    titleLayout_->setContentsMargins(6, 5, 4, 3);
    titleLayout_->setSpacing(2);
    toggle_ = new HeadingButton(windowTitle(), bar);
    toggle_->setToolTip(tr("Collapse or expand %1").arg(windowTitle()));
    toggle_->setAccessibleName(tr("%1 panel").arg(windowTitle()));
    status_ = new StatusText(bar);
    status_->setProperty("role", "muted");
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* away =
        titleButton(QStringLiteral("float"), tr("Detach or attach %1").arg(windowTitle()), bar);
    auto* close = titleButton(QStringLiteral("close"),
                              tr("Hide %1 (Window menu brings it back)").arg(windowTitle()), bar);
    titleLayout_->addWidget(toggle_);
    titleLayout_->addWidget(status_, 1);
    titleLayout_->addWidget(away);
    titleLayout_->addWidget(close);
    connect(toggle_, &QAbstractButton::toggled, this, [this](bool open) { setCollapsed(!open); });
    connect(away, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(close, &QToolButton::clicked, this, &QWidget::close);
    return bar;
}

void ToolDock::setStatus(const QString& text, StatusTone tone) {
    static_cast<StatusText*>(status_)->setStatus(text);
    setRole(status_, tone == StatusTone::Good      ? "success"
                     : tone == StatusTone::Warning ? "warning"
                                                   : "muted");
}

QString ToolDock::status() const {
    return static_cast<const StatusText*>(status_)->status();
}

void ToolDock::addTitleWidget(QWidget* widget) {
    titleLayout_->insertWidget(titleLayout_->indexOf(status_) + 1, widget);
}

void ToolDock::setCollapsed(bool collapsed) {
    if (collapsed_ == collapsed) return;
    collapsed_ = collapsed;
    // The scroll area stays, with zero height, because it keeps the dock at the width of its
    // column.
    for (QWidget* part : {content_, footer_}) part->setVisible(!collapsed);
    scroll_->setMaximumHeight(collapsed ? 0 : QWIDGETSIZE_MAX);
    toggle_->setChecked(!collapsed);
    fitHeight();
}

// A collapsed dock has the height of its title. A dock of natural height never exceeds its content,
// so that other docks get the space.
void ToolDock::fitHeight() {
    const int title = titleBarWidget()->sizeHint().height();
    const int before = maximumHeight();
    if (collapsed_)
        setMaximumHeight(title);
    else if (height_ != Height::Grows)
        setMaximumHeight(title + widget()->sizeHint().height());
    else
        setMaximumHeight(QWIDGETSIZE_MAX);
    if (maximumHeight() != before) emit naturalHeightChanged();
}

bool ToolDock::eventFilter(QObject* watched, QEvent* event) {
    if ((watched == content_ || watched == footer_) && event->type() == QEvent::LayoutRequest) {
        if (static_cast<ContentArea*>(scroll_)->wantsOtherSize()) scroll_->updateGeometry();
        fitHeight();
    }
    return QDockWidget::eventFilter(watched, event);
}

}  // namespace armilla
