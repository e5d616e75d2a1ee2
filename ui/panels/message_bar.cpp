// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTextLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/icons.h"
#include "ui/theme.h"

namespace armilla {
namespace {

const char* toneName(MessageTone tone) {
    switch (tone) {
        case MessageTone::Error: return "error";
        case MessageTone::Question: return "question";
        case MessageTone::Note: break;
    }
    return "note";
}

// Drawn by itself: a stripe in the color of its tone at the left, the card's color behind.
class MessageRow : public QFrame {
public:
    MessageRow(MessageTone tone, QWidget* parent) : QFrame(parent), tone_(tone) {}

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::of(this);
        const QColor tint = tone_ == MessageTone::Error      ? theme.error
                            : tone_ == MessageTone::Question ? theme.warning
                                                             : theme.accent;
        QPainter painter(this);
        painter.fillRect(rect(), theme.card);
        QColor wash = tint;
        wash.setAlphaF(0.10F);
        painter.fillRect(rect(), wash);
        painter.fillRect(0, 0, 3, height(), tint);
        painter.fillRect(0, height() - 1, width(), 1, theme.separator);
    }

private:
    MessageTone tone_;
};

// A line on at most two lines, the whole of it and its details in the tool tip.
class MessageText : public QLabel {
public:
    MessageText(const QString& line, QWidget* parent)
        : QLabel(line.section(QLatin1Char('\n'), 0, 0), parent), line_(line), first_(text()) {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setAccessibleName(line);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        const QString shown = cut(width());
        if (shown != text()) setText(shown);
        setToolTip(shown == line_ ? QString() : line_);
    }

private:
    QString cut(int room) const {
        QTextLayout layout(first_, font());
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(room);
        const int head = line.textLength();
        line = layout.createLine();
        layout.endLayout();
        // Words break where they must: two pixels short of the room, so that the label agrees.
        return head >= first_.size()
                   ? first_
                   : first_.left(head) +
                         fontMetrics().elidedText(first_.mid(head), Qt::ElideRight, room - 2);
    }
    QString line_, first_;
};

QString lineOf(const QFrame* row) {
    return row->property("line").toString();
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(0);
    setAccessibleName(tr("Messages"));
    hide();
}

void MessageBar::show(MessageTone tone, const QString& line, std::vector<MessageAction> actions) {
    withdraw(line);
    if (static_cast<int>(rows_.size()) >= kMostLines) dismissOldest();

    auto* row = new MessageRow(tone, this);
    row->setProperty("tone", toneName(tone));
    row->setProperty("line", line);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(12, 6, 6, 6);
    layout->setSpacing(10);
    auto* icon = new QLabel(row);
    icon->setPixmap(
        lineIcon(tone == MessageTone::Error ? QStringLiteral("warning") : QStringLiteral("info"))
            .pixmap(QSize(16, 16), devicePixelRatioF()));
    auto* text = new MessageText(line, row);
    layout->addWidget(icon);
    layout->addWidget(text, 1);
    for (auto& action : actions) {
        auto* button = new QPushButton(action.text, row);
        button->setAutoDefault(false);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, row, run = std::move(action.run)] {
            remove(row);
            if (run) run();
        });
    }
    auto* close = new QToolButton(row);
    close->setIcon(lineIcon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setProperty("flat", true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss message"));
    // A question is answered, not waved away: its actions say what happens.
    close->setVisible(tone != MessageTone::Question);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this, row] { remove(row); });
    layout_->addWidget(row);
    rows_.push_back(row);
    if (tone == MessageTone::Note)
        QTimer::singleShot(kNoteMilliseconds, row, [this, row] { remove(row); });
    setVisible(true);
    QAccessibleEvent event(text, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
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

void MessageBar::dismissOldest() {
    const auto it = std::find_if(rows_.begin(), rows_.end(), [](const QFrame* row) {
        return row->property("tone").toString() != QLatin1String(toneName(MessageTone::Question));
    });
    if (it != rows_.end()) remove(*it);
}

void MessageBar::remove(QFrame* row) {
    const auto it = std::find(rows_.begin(), rows_.end(), row);
    if (it == rows_.end()) return;
    rows_.erase(it);
    layout_->removeWidget(row);
    row->hide();
    row->deleteLater();
    setVisible(!rows_.empty());
}

}  // namespace armilla
