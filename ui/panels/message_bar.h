// SPDX-License-Identifier: GPL-3.0-or-later
// Messages over the upper edge of the sky: errors, notes and questions, without blocking or moving
// other widgets.
#pragma once

#include <QFrame>
#include <QRect>
#include <QString>
#include <functional>
#include <vector>

class QToolButton;
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
    // Lies over its parent at the upper edge, as wide as its text up to kMostWidth; does not affect
    // the parent's layout.
    explicit MessageBar(QWidget* parent = nullptr);

    // Areas of the parent that stay visible, such as the names of maps. Messages stand beside these
    // areas, or below where there is no space beside them.
    void avoid(std::vector<QRect> areas);

    // Shows a line with its actions. A note without actions fades after kNoteMilliseconds in view
    // unless the pointer rests on it; other lines stay until dismissed or answered. A repeated line
    // increments the count of the known one and restarts its time.
    //
    // In view are the latest line and the questions. A button of the latest line counts the earlier
    // ones and unfolds these. At most kMostLines are kept; a question is never displaced. Further
    // lines of `line` after the first are details for the tool tip. Text longer than two lines of
    // the bar is elided.
    //
    // `form`: a widget before the actions, such as a choice that they read; the message owns it.
    void show(MessageTone tone, const QString& line, std::vector<MessageAction> actions = {},
              QWidget* form = nullptr);
    // Opens the explanation of an error; errors then have a button "What to do".
    void setExplain(std::function<void(const QString& line)> explain) {
        explain_ = std::move(explain);
    }
    // The lines kept, oldest first, also those that are folded.
    QStringList lines() const;
    // Repetitions of this line; 0 if it is not kept.
    int count(const QString& line) const;
    // Removes this line if kept.
    void withdraw(const QString& line);
    // Removes the latest dismissible line (key Escape).
    void dismissLatest();

    static constexpr int kMostLines = 4;
    static constexpr int kNoteMilliseconds = 4000;
    static constexpr int kMostWidth = 720;  // logical pixels

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QVBoxLayout* layout_;
    QToolButton* earlier_;  // unfolds the earlier lines
    std::vector<QFrame*> rows_;
    std::function<void(const QString&)> explain_;
    std::vector<QRect> avoided_;
    QFrame* rowOf(const QString& line) const;
    void insert(QFrame* row);
    void arrange();
    void fade(QFrame* row);
    void remove(QFrame* row);
    void dropOldest();
    void place();
    int widthFor(int most) const;
};

}  // namespace armilla
