// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has decided about places on the sky: verdicts, classes and notes, with undo.
#pragma once

#include <QJsonArray>
#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "core/sky_vector.h"

class QUndoStack;

namespace armilla {

enum class Verdict { None, Accepted, Rejected, Unsure };
inline constexpr int kMostGroup = 9;
// What one book holds, and so what a session file may.
inline constexpr size_t kMostJudgements = 1000000;

// A decision is of a place, not of a row of a catalog: it stays when the catalog is made anew.
struct Judgement {
    int64_t id = 0;    // of the book; 0: not in it yet
    int subject = -1;  // the layer that was searched: decisions on one map say nothing of another
    Vec3 place{1.0, 0.0, 0.0};
    Frame frame = Frame::Unknown;
    QString name;  // of what was seen there
    Verdict verdict = Verdict::None;
    int group = 0;  // class 1 to kMostGroup; 0: none
    QString note;
    QString time;  // of the latest change, UTC, ISO 8601

    bool isEmpty() const { return verdict == Verdict::None && group == 0 && note.isEmpty(); }
};

// What a book holds at one moment, by id; may be read in any thread.
using VerdictPart = std::shared_ptr<const std::vector<Judgement>>;
using VerdictSnapshot = std::vector<VerdictPart>;
// Verdicts as a session file has them: what cannot be read of them is left out, which one line
// tells, empty if nothing was.
struct ReadVerdicts {
    std::map<int64_t, Judgement> all;
    VerdictSnapshot parts;  // of all
    QString leftOut;
};
// In any thread, as toJson.
ReadVerdicts verdictsFrom(const QJsonValue& json);
QJsonArray toJson(const VerdictSnapshot& verdicts);

// Lives in the window's thread. Every change is a step of the undo stack.
class VerdictBook : public QObject {
    Q_OBJECT
public:
    // The stack must outlive the book.
    explicit VerdictBook(QUndoStack& undo, QObject* parent = nullptr);
    ~VerdictBook() override;

    // By id, so in the order in which places were first decided upon.
    const std::map<int64_t, Judgement>& all() const { return all_; }
    // Writes these as one step named `title`: a new one (id 0) gets an id and the time, one of the
    // book is replaced, one that says nothing any more is taken out. One without a place is left
    // out. Writes nothing, and says so by refused(), where the book would hold more than
    // kMostJudgements.
    void write(const QString& title, std::vector<Judgement> judgements);

    // Shares what has not changed since the one before.
    VerdictSnapshot snapshot() const;
    // Replaces everything, no step of the history. The next snapshot shares the parts.
    void restore(ReadVerdicts read);

signals:
    // Which; empty: all may have.
    void changed(const std::vector<int64_t>& ids);
    void refused(const QString& line);

private:
    friend struct WriteJudgements;
    std::map<int64_t, Judgement> all_;
    int64_t lastId_ = 0;
    // Of kPartIds ids each; null where judgements have changed.
    mutable VerdictSnapshot parts_;
    QUndoStack& undo_;
};

}  // namespace armilla
