// SPDX-License-Identifier: GPL-3.0-or-later
// Messages over the upper edge of the sky: errors, notes and questions, without blocking or moving
// other widgets.
#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

class QVBoxLayout;

namespace armilla {

enum class MessageTone { Note, Error, Question };

struct MessageAction {
    QString text;
    std::function<void()> run;
};

class MessageBar : public QWidget {
    Q_OBJECT
public:
    // Lies over its parent, centered at the upper edge and up to kMostWidth wide; does not affect
    // the parent's layout.
    explicit MessageBar(QWidget* parent = nullptr);

    // Shows a line with its actions. A note without actions fades after kNoteMilliseconds unless
    // the pointer rests on it; other lines stay until dismissed or answered. A repeated line
    // increments the count of the shown one and restarts its time.
    //
    // At most kMostLines are shown; an older question is never displaced. Further lines of `line`
    // after the first are details for the tool tip. Text longer than two lines of the bar is
    // elided.
    //
    // `form`: a widget before the actions, such as a choice that they read; the message owns it.
    void show(MessageTone tone, const QString& line, std::vector<MessageAction> actions = {},
              QWidget* form = nullptr);
    // Opens the explanation of an error; errors then have a button "What to do".
    void setExplain(std::function<void(const QString& line)> explain) {
        explain_ = std::move(explain);
    }
    // The lines shown, oldest first.
    QStringList lines() const;
    // Repetitions of this line; 0 if it is not shown.
    int count(const QString& line) const;
    // Removes this line if shown.
    void withdraw(const QString& line);
    // Removes the oldest dismissible line (key Escape).
    void dismissOldest();

    static constexpr int kMostLines = 4;
    static constexpr int kNoteMilliseconds = 4000;
    static constexpr int kMostWidth = 720;  // logical pixels

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QVBoxLayout* layout_;
    std::vector<QFrame*> rows_;
    std::function<void(const QString&)> explain_;
    QFrame* rowOf(const QString& line) const;
    void fade(QFrame* row);
    void remove(QFrame* row);
    void place();
};

}  // namespace armilla
