// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/tour.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

// Logical pixels.
constexpr int kWidth = 330, kGap = 12, kFrame = 3;

// The line around a part. It takes no input.
class PartFrame : public QWidget {
public:
    explicit PartFrame(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(this).accent, 2.0));
        const double radius = Theme::of(this).radius;
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), radius, radius);
    }
};

}  // namespace

Tour::Tour(std::vector<TourStep> steps, QWidget* window)
    : QFrame(window), steps_(std::move(steps)), frame_(new PartFrame(window)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_NoMousePropagation);
    setAutoFillBackground(true);
    setProperty("role", "card");
    setAccessibleName(tr("Tour of the window"));
    setFixedWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 12, 12);
    layout->setSpacing(8);
    auto* top = new QHBoxLayout;
    title_ = new QLabel(this);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    title_->setFont(bold);
    auto* close = new QToolButton(this);
    close->setIcon(lineIcon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setProperty("flat", true);
    close->setToolTip(tr("Leave the tour (Escape)"));
    close->setAccessibleName(tr("Leave the tour"));
    top->addWidget(title_, 1);
    top->addWidget(close);
    layout->addLayout(top);
    text_ = new QLabel(this);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::RichText);
    layout->addWidget(text_);
    auto* bottom = new QHBoxLayout;
    count_ = new QLabel(this);
    count_->setProperty("role", "muted");
    back_ = new QPushButton(tr("Back"), this);
    back_->setToolTip(tr("The step before"));
    next_ = new QPushButton(this);
    next_->setProperty("primary", true);
    bottom->addWidget(count_, 1);
    bottom->addWidget(back_);
    bottom->addWidget(next_);
    layout->addLayout(bottom);
    connect(close, &QToolButton::clicked, this, &Tour::leave);
    connect(back_, &QPushButton::clicked, this, [this] { showStep(step_ - 1); });
    connect(next_, &QPushButton::clicked, this,
            [this] { step_ + 1 < this->steps() ? showStep(step_ + 1) : leave(); });
    qApp->installEventFilter(this);
    showStep(0);
}

Tour::~Tour() {
    delete frame_.data();
}

void Tour::showStep(int step) {
    step_ = std::clamp(step, 0, steps() - 1);
    const TourStep& shown = steps_[static_cast<size_t>(step_)];
    if (shown.prepare) shown.prepare();
    title_->setText(shown.title);
    text_->setText(shown.text);
    count_->setText(tr("%1 of %2").arg(step_ + 1).arg(steps()));
    back_->setEnabled(step_ > 0);
    const bool isLast = step_ + 1 == steps();
    next_->setText(isLast ? tr("Done") : tr("Next"));
    next_->setToolTip(isLast ? tr("End the tour") : tr("The next step"));
    show();
    place();
    next_->setFocus(Qt::OtherFocusReason);
    // A part that was just opened gets its place in the next layout.
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
}

// Beside the part where there is room for the card, else inside its lower edge.
void Tour::place() {
    QWidget* const window = parentWidget();
    const QWidget* const part = steps_[static_cast<size_t>(step_)].part;
    if (!frame_ || !window) return;
    const bool isSeen = part && part->isVisible();
    const QRect all = window->rect().adjusted(kGap, kGap, -kGap, -kGap);
    const QRect around = isSeen ? QRect(part->mapTo(window, QPoint()), part->size())
                                      .adjusted(-kFrame, -kFrame, kFrame, kFrame)
                                      .intersected(window->rect())
                                : QRect(all.center(), QSize(1, 1));
    frame_->setVisible(isSeen);
    frame_->setGeometry(around);
    frame_->raise();
    const QSize size(kWidth, layout()->heightForWidth(kWidth));
    const QPoint spots[] = {
        {around.right() + kGap, around.top()},
        {around.left() - kGap - size.width(), around.top()},
        {around.center().x() - size.width() / 2, around.bottom() + kGap},
        {around.center().x() - size.width() / 2, around.top() - kGap - size.height()},
        {around.center().x() - size.width() / 2, around.bottom() - kGap - size.height()}};
    QPoint at = spots[4];
    for (const QPoint& spot : spots) {
        QRect card(spot, size);
        // Along its side of the part the card may slide.
        card.moveTop(
            std::clamp(card.top(), all.top(), std::max(all.top(), all.bottom() - size.height())));
        card.moveLeft(
            std::clamp(card.left(), all.left(), std::max(all.left(), all.right() - size.width())));
        if (card.intersects(around)) continue;
        at = card.topLeft();
        break;
    }
    setGeometry(QRect(at, size));
    raise();
}

void Tour::leave() {
    qApp->removeEventFilter(this);
    if (frame_) frame_->hide();
    close();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    QWidget* const window = parentWidget();
    if (event->type() == QEvent::KeyPress && watched->isWidgetType() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
        static_cast<QWidget*>(watched)->window() == window) {
        leave();
        return true;
    }
    const QWidget* const part = steps_[static_cast<size_t>(step_)].part;
    if ((watched == window || watched == part) &&
        (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
         event->type() == QEvent::Show || event->type() == QEvent::Hide))
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

}  // namespace armilla
