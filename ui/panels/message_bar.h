// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over the upper edge of the sky: errors, notes and questions that block nothing and move
// nothing.
#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

class QVBoxLayout;
class QTimer;

namespace armilla {

enum class MessageTone { Note, Error, Question };

struct MessageAction {
    QString text;
    std::function<void()> run;
};

class MessageBar : public QWidget {
    Q_OBJECT
public:
    // Lies over its parent, in the middle of the upper edge, as wide as there is room up to
    // kMostWidth; nothing in the parent's layout moves.
    explicit MessageBar(QWidget* parent = nullptr);

    // Shows a line with its actions. A note without any fades after kNoteMilliseconds, unless the
    // pointer rests on it; all else stays until dismissed or answered. The same line again is
    // counted where it stands last, and has its time anew; at most kMostLines, of which an older
    // question is never pushed out. Lines behind the first one of `line` are details, shown as a
    // tool tip; what is longer than two lines of the bar is cut there.
    void show(MessageTone tone, const QString& line, std::vector<MessageAction> actions = {});
    // The lines shown, oldest first.
    QStringList lines() const;
    // How often this line was said, 0 if it is not shown.
    int count(const QString& line) const;
    // Removes this line, if it is shown.
    void withdraw(const QString& line);
    // Removes the oldest line that may be dismissed; what Escape does.
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
    QFrame* rowOf(const QString& line) const;
    void fade(QFrame* row);
    void remove(QFrame* row);
    void place();
};

}  // namespace armilla
