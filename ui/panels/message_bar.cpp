// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPropertyAnimation>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

constexpr int kFadeMilliseconds = 350;
// Logical pixels. kLeastText is the width of a line of text beside the buttons that reads well.
constexpr int kMargin = 10, kTop = 10, kRadius = 6, kLeastText = 200;

// A line in at most two text lines; the tool tip has the full text and the details.
class MessageText : public QLabel {
public:
    MessageText(const QString& line, QWidget* parent)
        : QLabel(line.section(QLatin1Char('\n'), 0, 0), parent), line_(line), first_(text()) {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setAccessibleName(line);
        // A custom size policy needs the height-for-width flag explicitly.
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    // Width of the whole text in one line.
    int lineWidth() const {
        constexpr int kSlack = 4;  // the label breaks a line two pixels before its edge
        return fontMetrics().horizontalAdvance(first_) + kSlack;
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        const QString shown = cut(width());
        if (shown != text()) setText(shown);
        setToolTip(shown == line_ ? QString() : line_);
    }

private:
    // A word wider than the text, such as the name of a file, keeps its beginning and its end.
    QString withinRoom(int room) const {
        QStringList words = first_.split(QLatin1Char(' '));
        for (QString& word : words)
            word = fontMetrics().elidedText(word, Qt::ElideMiddle, room - 2);
        return words.join(QLatin1Char(' '));
    }
    QString cut(int room) const {
        const QString first = withinRoom(room);
        QTextLayout layout(first, font());
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(room);
        const int head = line.textLength();
        line = layout.createLine();
        layout.endLayout();
        // Breaks words where necessary, two pixels before the edge, to match QLabel's own wrapping.
        return head >= first.size()
                   ? first
                   : first.left(head) +
                         fontMetrics().elidedText(first.mid(head), Qt::ElideRight, room - 2);
    }
    QString line_, first_;
};

// Paints itself: a stripe in the color of its tone at the left, the card's color behind.
class MessageRow : public QFrame {
public:
    MessageRow(MessageTone tone, QWidget* parent) : QFrame(parent), tone_(tone) {
        life.setSingleShot(true);
        times = new QLabel(this);
        times->setProperty("role", "muted");
        times->hide();
    }
    MessageTone tone() const { return tone_; }
    bool isQuestion() const { return tone_ == MessageTone::Question; }
    // Counts a repetition of the line.
    void repeat() {
        ++count;
        times->setText(QStringLiteral("× %1").arg(count));
        times->setToolTip(MessageBar::tr("Said %n time(s)", nullptr, count));
        times->show();
        setGraphicsEffect(nullptr);  // also ends a fade in progress
    }

    int count = 1;
    QLabel* times;
    MessageText* text = nullptr;
    bool fades = false;
    QTimer life{this};

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(this);
        const QColor tint = tone_ == MessageTone::Error      ? theme.error
                            : tone_ == MessageTone::Question ? theme.warning
                                                             : theme.accent;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath shape;
        shape.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
        painter.fillPath(shape, theme.card);
        QColor wash = tint;
        wash.setAlphaF(0.10F);
        painter.fillPath(shape, wash);
        painter.save();
        painter.setClipPath(shape);
        painter.fillRect(0, 0, 4, height(), tint);
        painter.restore();
        painter.strokePath(shape, QPen(theme.border, 1.0));
    }

private:
    MessageTone tone_;
};

QString lineOf(const QFrame* row) {
    return row->property("line").toString();
}

bool isQuestion(const QFrame* row) {
    return static_cast<const MessageRow*>(row)->isQuestion();
}

bool isError(const QFrame* row) {
    return static_cast<const MessageRow*>(row)->tone() == MessageTone::Error;
}

// The widest free part of a row of `width` beside these areas.
QRect widestGap(std::vector<QRect> areas, int width) {
    std::sort(areas.begin(), areas.end(),
              [](const QRect& a, const QRect& b) { return a.left() < b.left(); });
    areas.push_back({width, 0, 1, 1});
    QRect widest;
    int left = 0;
    for (const QRect& area : areas) {
        const QRect gap(left + kMargin, 0, area.left() - left - 2 * kMargin, 1);
        if (gap.width() > widest.width()) widest = gap;
        left = std::max(left, area.right() + 1);
    }
    return widest;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(4);
    setAccessibleName(tr("Messages"));
    // A click on a message must not reach the sky below.
    setAttribute(Qt::WA_NoMousePropagation);
    earlier_ = new QToolButton(this);
    earlier_->setCheckable(true);
    earlier_->setProperty("flat", true);
    earlier_->hide();
    connect(earlier_, &QToolButton::toggled, this, &MessageBar::arrange);
    if (parent) parent->installEventFilter(this);
    hide();
}

QFrame* MessageBar::rowOf(const QString& line) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const QFrame* row) { return lineOf(row) == line; });
    return found == rows_.end() ? nullptr : *found;
}

int MessageBar::count(const QString& line) const {
    const QFrame* row = rowOf(line);
    return row ? static_cast<const MessageRow*>(row)->count : 0;
}

void MessageBar::show(MessageTone tone, const QString& line, std::vector<MessageAction> actions,
                      QWidget* form) {
    if (auto* known = static_cast<MessageRow*>(rowOf(line));
        known && known->tone() == tone && actions.empty()) {
        known->repeat();
        rows_.erase(std::find(rows_.begin(), rows_.end(), known));
        known->life.stop();
        layout_->removeWidget(known);
        return insert(known);
    }
    withdraw(line);
    if (static_cast<int>(rows_.size()) >= kMostLines) dropOldest();

    auto* row = new MessageRow(tone, this);
    row->setProperty("line", line);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(12, 3, 4, 3);
    layout->setSpacing(8);
    auto* icon = new QLabel(row);
    icon->setPixmap(
        lineIcon(tone == MessageTone::Error ? QStringLiteral("warning") : QStringLiteral("info"))
            .pixmap(QSize(16, 16), devicePixelRatioF()));
    row->text = new MessageText(line, row);
    layout->addWidget(icon);
    layout->addWidget(row->text, 1);
    layout->addWidget(row->times);
    if (form) {
        form->setParent(row);
        layout->addWidget(form);
    }
    row->fades = tone == MessageTone::Note && actions.empty();
    for (auto& action : actions) {
        auto* button = new QPushButton(action.text, row);
        button->setAutoDefault(false);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, row, run = std::move(action.run)] {
            remove(row);
            if (run) run();
        });
    }
    if (tone == MessageTone::Error && explain_) {
        auto* explain = new QToolButton(row);
        explain->setText(tr("What to do"));
        explain->setProperty("flat", true);
        explain->setToolTip(tr("The page of the manual about this message"));
        layout->addWidget(explain);
        connect(explain, &QToolButton::clicked, this, [this, line] { explain_(line); });
    }
    auto* close = new QToolButton(row);
    close->setIcon(lineIcon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setProperty("flat", true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss message"));
    // A question has no close button, because its actions are the answers.
    close->setVisible(tone != MessageTone::Question);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this, row] { remove(row); });
    connect(&row->life, &QTimer::timeout, this, [this, row] { fade(row); });
    insert(row);
    QAccessibleEvent event(row->text, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

// Questions are above, so that a later line does not move the answers under the pointer. The latest
// of the other lines follows, and unfolding leaves it in place.
void MessageBar::insert(QFrame* row) {
    const auto questions = std::count_if(rows_.begin(), rows_.end(), isQuestion);
    layout_->insertWidget(static_cast<int>(questions), row);
    rows_.push_back(row);
    setVisible(true);
    arrange();
}

// A folded note keeps its time until it is in view.
void MessageBar::arrange() {
    const auto last = std::find_if_not(rows_.rbegin(), rows_.rend(), isQuestion);
    QFrame* latest = last == rows_.rend() ? nullptr : *last;
    // The latest error stays in view beside a later note.
    const auto error = std::find_if(rows_.rbegin(), rows_.rend(), isError);
    QFrame* latestError = error == rows_.rend() ? nullptr : *error;
    const auto others = std::count_if(rows_.begin(), rows_.end(), [&](const QFrame* row) {
        return row != latest && row != latestError && !isQuestion(row);
    });
    if (others == 0) {
        const QSignalBlocker quiet(earlier_);
        earlier_->setChecked(false);
    }
    const bool isOpen = earlier_->isChecked();
    for (QFrame* each : rows_) {
        auto* row = static_cast<MessageRow*>(each);
        const bool isInView = isOpen || row == latest || row == latestError || row->isQuestion();
        row->setVisible(isInView);
        if (!isInView)
            row->life.stop();
        else if (row->fades && !row->graphicsEffect() && !row->life.isActive())
            row->life.start(kNoteMilliseconds);
    }
    earlier_->setVisible(others > 0);
    if (others > 0) {
        const int count = static_cast<int>(others);
        earlier_->setText(isOpen ? tr("Fold") : tr("%n earlier", nullptr, count));
        earlier_->setToolTip(isOpen ? tr("Show the latest message only")
                                    : tr("Show %n earlier message(s)", nullptr, count));
        // Before the button that closes the latest line.
        auto* layout = static_cast<QHBoxLayout*>(latest->layout());
        if (earlier_->parentWidget() != latest) layout->insertWidget(layout->count() - 1, earlier_);
        earlier_->setVisible(true);
    }
    place();
}

void MessageBar::withdraw(const QString& line) {
    for (QFrame* row : std::vector<QFrame*>(rows_))
        if (lineOf(row) == line) remove(row);
}

QStringList MessageBar::lines() const {
    QStringList result;
    for (const QFrame* row : rows_) result += lineOf(row);
    return result;
}

void MessageBar::dismissLatest() {
    const auto last = std::find_if_not(rows_.rbegin(), rows_.rend(), isQuestion);
    if (last != rows_.rend()) remove(*last);
}

void MessageBar::dropOldest() {
    const auto first = std::find_if_not(rows_.begin(), rows_.end(), isQuestion);
    if (first != rows_.end()) remove(*first);
}

// A note under the pointer stays until the pointer leaves.
void MessageBar::fade(QFrame* row) {
    auto* fading = static_cast<MessageRow*>(row);
    if (row->underMouse()) return fading->life.start(kFadeMilliseconds);
    auto* effect = new QGraphicsOpacityEffect(row);
    row->setGraphicsEffect(effect);  // the row owns the effect
    auto* animation = new QPropertyAnimation(effect, "opacity", effect);
    animation->setDuration(kFadeMilliseconds);
    animation->setStartValue(1.0);
    animation->setEndValue(0.0);
    connect(animation, &QPropertyAnimation::finished, this, [this, row] { remove(row); });
    animation->start();
}

void MessageBar::avoid(std::vector<QRect> areas) {
    avoided_ = std::move(areas);
    place();
}

// The width at which no line in view wraps before `most` pixels of text.
int MessageBar::widthFor(int most) const {
    int width = 0;
    for (const QFrame* each : rows_) {
        const auto* row = static_cast<const MessageRow*>(each);
        if (!row->isHidden())
            width = std::max(
                width, row->layout()->sizeHint().width() + std::min(row->text->lineWidth(), most));
    }
    return std::min(width, kMostWidth);
}

void MessageBar::place() {
    const QWidget* host = parentWidget();
    if (!host || rows_.empty()) return;
    std::vector<QRect> areas = avoided_;
    // The names of the upper maps; below are those of a view with one map above the other.
    std::erase_if(areas, [](const QRect& area) { return area.top() >= 4 * kTop; });
    int top = kTop;
    QRect gap = widestGap(areas, host->width());
    if (gap.width() < widthFor(kLeastText)) {
        for (const QRect& area : areas) top = std::max(top, area.bottom() + 1 + kTop);
        gap = widestGap({}, host->width());
    }
    layout_->activate();
    const int width = std::min(widthFor(kMostWidth), gap.width());
    const int height = layout_->hasHeightForWidth() ? layout_->heightForWidth(width)
                                                    : layout_->sizeHint().height();
    const int left = std::clamp((host->width() - width) / 2, gap.left(),
                                std::max(gap.left(), gap.left() + gap.width() - width));
    setGeometry(left, top, width, height);
    raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

bool MessageBar::event(QEvent* event) {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) place();
    return taken;
}

void MessageBar::remove(QFrame* row) {
    const auto it = std::find(rows_.begin(), rows_.end(), row);
    if (it == rows_.end()) return;
    rows_.erase(it);
    if (earlier_->parentWidget() == row) {
        row->layout()->removeWidget(earlier_);
        earlier_->setParent(this);
    }
    layout_->removeWidget(row);
    row->hide();
    row->deleteLater();
    setVisible(!rows_.empty());
    arrange();
}

}  // namespace armilla
