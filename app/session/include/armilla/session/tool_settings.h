// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of one tool as one value, whose changes by a person are steps of the history.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <functional>

class QUndoStack;

namespace armilla {

class ToolSettings : public QObject {
    Q_OBJECT
public:
    struct Access {
        // All settings; each has a name of its own and is always there.
        std::function<QJsonObject()> read;
        // Sets the named settings as one change, and leaves the others.
        std::function<void(const QJsonObject&)> write;
    };
    // `tool` is the title of the steps, or precedes it. The present values are the start. The stack
    // must outlive this object, whose steps have no effect after it.
    ToolSettings(QUndoStack& undo, const QString& tool, Access access, QObject* parent);

    // Changes within two seconds merge if the person repeats them, as by a key that is held.
    enum class Pace { Once, Repeated };
    // Runs `change`, by which a person changes settings; a difference becomes a step "TOOL: what".
    // Within a drag or another call only runs it.
    void act(const QString& what, const std::function<void()>& change, Pace pace = Pace::Once);
    // Notes settings that a person has changed already.
    void note(const QString& what, Pace pace = Pace::Once);
    // The program has changed settings, which is no step. Without effect during a person's change.
    void follow();
    // Runs `change`, by which the program changes settings; notes within it make no step. A text
    // that a person is typing meanwhile stays a change of the person.
    void follow(const std::function<void()>& change);
    // A drag is one step, however long it takes.
    void beginDrag();
    void endDrag(const QString& what);

    // Back to the values at the start, as one step.
    void reset();
    bool isAtStart() const;

private:
    class Step;
    void takeOver(const std::function<void()>& change);
    void put(const QJsonObject& values);

    QUndoStack& undo_;
    const QString tool_;
    const Access access_;
    const QJsonObject start_;
    QJsonObject kept_;  // the values that the next change begins with
    int gesture_ = 0;
    bool isActing_ = false, isDragging_ = false;
};

}  // namespace armilla
