// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts, classes and notes of the user on positions on the sky, with undo.
#pragma once

#include <QJsonArray>
#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/session/layer_id.h"

class QUndoStack;

namespace armilla {

// The decision on a candidate.
enum class Verdict { None, Accepted, Rejected, Unsure };
inline constexpr int kMostGroup = 9;
// Limit of one book, and therefore of a session file.
inline constexpr size_t kMostJudgements = 1000000;

// A decision belongs to a position, not to a row of a catalog, so it remains when the catalog is
// recomputed.
struct Judgement {
    int64_t id = 0;   // id in the book; 0: not in it yet
    LayerId subject;  // the searched layer: decisions on one map do not apply to another
    Vec3 place{1.0, 0.0, 0.0};
    Frame frame = Frame::Unknown;
    QString name;  // name of the source
    Verdict verdict = Verdict::None;
    int group = 0;  // class 1 to kMostGroup; 0: none
    QString note;
    QString time;  // time of the latest change, UTC, ISO 8601

    // True if nothing is decided or noted.
    bool isEmpty() const { return verdict == Verdict::None && group == 0 && note.isEmpty(); }
};

// Content of a book at one moment, by id; thread-safe to read.
using VerdictPart = std::shared_ptr<const std::vector<Judgement>>;
using VerdictSnapshot = std::vector<VerdictPart>;
// Verdicts read from a session file. Unreadable ones are left out, and `leftOut` describes these in
// one line.
struct ReadVerdicts {
    std::map<int64_t, Judgement> all;
    VerdictSnapshot parts;  // parts of `all`
    QString leftOut;
};
// Both functions are thread-safe.
ReadVerdicts verdictsFrom(const QJsonValue& json);
QJsonArray toJson(const VerdictSnapshot& verdicts);

// Used only in the window's thread. Every change is an undo step.
class VerdictBook : public QObject {
    Q_OBJECT
public:
    // The stack must outlive the book.
    explicit VerdictBook(QUndoStack& undo, QObject* parent = nullptr);
    ~VerdictBook() override;

    // By id, which is the order of first decisions.
    const std::map<int64_t, Judgement>& all() const { return all_; }
    // Writes judgements as one step named `title`. A new one (id 0) gets an id and the time; one of
    // the book is replaced. An empty one is removed, and one without a position is ignored. Writes
    // nothing and emits refused() if the book would exceed kMostJudgements.
    void write(const QString& title, std::vector<Judgement> judgements);

    // Shares the unchanged parts with the previous snapshot.
    VerdictSnapshot snapshot() const;
    // Replaces all judgements without a history step. The next snapshot shares the parts.
    void restore(ReadVerdicts read);

signals:
    // The changed ids; empty: any may have changed.
    void changed(const std::vector<int64_t>& ids);
    // A change was refused, with the reason.
    void refused(const QString& line);

private:
    friend struct WriteJudgements;
    std::map<int64_t, Judgement> all_;
    int64_t lastId_ = 0;
    // Parts of kPartIds ids each; null if its judgements have changed.
    mutable VerdictSnapshot parts_;
    QUndoStack& undo_;
};

}  // namespace armilla
