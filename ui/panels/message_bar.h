// SPDX-License-Identifier: GPL-3.0-or-later
// Lines above the sky: errors, notes and questions that block nothing.
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
    explicit MessageBar(QWidget* parent = nullptr);

    // Shows a line with its actions. A note goes by itself after some seconds; errors and questions
    // stay until dismissed or answered. The same line twice is shown once, the newest last, at most
    // kMostLines; an older question is never pushed out. Lines behind the first one of `line` are
    // details, shown as a tool tip; what is longer than two lines of the bar is cut there.
    void show(MessageTone tone, const QString& line, std::vector<MessageAction> actions = {});
    // The lines shown, oldest first.
    QStringList lines() const;
    // Removes this line, if it is shown.
    void withdraw(const QString& line);
    // Removes the oldest line that may be dismissed; what Escape does.
    void dismissOldest();

    static constexpr int kMostLines = 4;
    static constexpr int kNoteMilliseconds = 6000;

private:
    QVBoxLayout* layout_;
    std::vector<QFrame*> rows_;
    void remove(QFrame* row);
};

}  // namespace armilla
