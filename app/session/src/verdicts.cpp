// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/verdicts.h"

#include <QDateTime>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "enum_names.h"

namespace armilla {

namespace {

constexpr json::Names<Verdict, 4> kVerdicts{{{Verdict::None, "none"},
                                             {Verdict::Accepted, "accepted"},
                                             {Verdict::Rejected, "rejected"},
                                             {Verdict::Unsure, "unsure"}}};
constexpr qsizetype kLongestText = 10000;
// Ids per part of a snapshot; one more verdict rebuilds one part, in some microseconds.
constexpr int64_t kPartIds = 256;

// Rebuilds the missing parts.
void fill(VerdictSnapshot& parts, const std::map<int64_t, Judgement>& all, int64_t lastId) {
    parts.resize(static_cast<size_t>(lastId / kPartIds) + 1);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i]) continue;
        std::vector<Judgement> part;
        const auto first = static_cast<int64_t>(i) * kPartIds;
        const auto end = all.lower_bound(first + kPartIds);
        for (auto each = all.lower_bound(first); each != end; ++each) part.push_back(each->second);
        parts[i] = std::make_shared<const std::vector<Judgement>>(std::move(part));
    }
}

int64_t lastIdOf(const std::map<int64_t, Judgement>& all) {
    return all.empty() ? 0 : all.rbegin()->first;
}

// True for a unit vector, within the rounding of decimal digits.
bool isDirection(Vec3 place) {
    return std::abs(norm(place) - 1.0) < 1e-9;
}

// The text in the form that a session file accepts.
QString storable(QString text) {
    return text.remove(QChar(0)).left(kLongestText);
}

QJsonObject jsonOf(const Judgement& j) {
    QJsonObject json{{"subject", j.subject.number()},
                     {"place", QJsonArray{j.place.x, j.place.y, j.place.z}},
                     {"frame", json::nameOf(kFrames, j.frame)},
                     {"verdict", json::nameOf(kVerdicts, j.verdict)},
                     {"time", j.time}};
    if (!j.name.isEmpty()) json["name"] = j.name;
    if (j.group != 0) json["class"] = j.group;
    if (!j.note.isEmpty()) json["note"] = j.note;
    return json;
}

Judgement judgementFrom(const QJsonObject& json) {
    Judgement j;
    j.subject = json::layerId(json, "subject");
    const std::vector<double> place = json::numbers(json, "place", 3);
    if (place.size() == 3) j.place = {place[0], place[1], place[2]};
    if (place.size() != 3 || !isDirection(j.place))
        json::fail(QStringLiteral("place"), QStringLiteral("a direction of length 1"),
                   json["place"]);
    j.frame = json::enumeration(kFrames, json, "frame");
    j.verdict = json::enumeration(kVerdicts, json, "verdict");
    j.time = json::text(json, "time", 64);
    if (json.contains("name")) j.name = json::text(json, "name", kLongestText);
    if (json.contains("class"))
        j.group = static_cast<int>(json::integer(json, "class", 0, kMostGroup));
    if (json.contains("note")) j.note = json::text(json, "note", kLongestText);
    return j;
}

}  // namespace

// One step: each judgement before (empty: absent) and after.
struct WriteJudgements : QUndoCommand {
    VerdictBook& book;
    std::vector<std::pair<Judgement, Judgement>> changes;
    WriteJudgements(VerdictBook& owner, const QString& title,
                    std::vector<std::pair<Judgement, Judgement>> made)
        : QUndoCommand(title), book(owner), changes(std::move(made)) {}
    void apply(bool forward) {
        std::vector<int64_t> ids;
        ids.reserve(changes.size());
        for (const auto& [before, after] : changes) {
            ids.push_back(after.id);
            const Judgement& to = forward ? after : before;
            if (to.isEmpty())
                book.all_.erase(after.id);
            else
                book.all_.insert_or_assign(book.all_.lower_bound(after.id), after.id, to);
            if (const auto part = static_cast<size_t>(after.id / kPartIds);
                part < book.parts_.size())
                book.parts_[part] = nullptr;
        }
        emit book.changed(ids);
    }
    void undo() override { apply(false); }
    void redo() override { apply(true); }
};

VerdictBook::VerdictBook(QUndoStack& undo, QObject* parent) : QObject(parent), undo_(undo) {}
VerdictBook::~VerdictBook() = default;

void VerdictBook::write(const QString& title, std::vector<Judgement> judgements) {
    const auto isNew = [](const Judgement& j) {
        return j.id == 0 && !j.isEmpty() && isDirection(j.place);
    };
    const auto fresh =
        static_cast<size_t>(std::count_if(judgements.begin(), judgements.end(), isNew));
    if (fresh > 0 && all_.size() + fresh > kMostJudgements) {
        emit refused(tr("%1: expected at most %L2 verdicts in a session, found %L3")
                         .arg(title)
                         .arg(kMostJudgements)
                         .arg(all_.size() + fresh));
        return;
    }
    std::vector<std::pair<Judgement, Judgement>> changes;
    changes.reserve(judgements.size());
    const QString now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    for (Judgement& after : judgements) {
        Judgement before;
        after.name = storable(std::move(after.name));
        after.note = storable(std::move(after.note));
        if (after.id == 0) {
            if (!isNew(after)) continue;
            after.id = ++lastId_;
        } else if (const auto found = all_.find(after.id); found != all_.end()) {
            before = found->second;
        }
        const bool isSame = before.verdict == after.verdict && before.group == after.group &&
                            before.note == after.note;
        if (isSame) continue;
        after.time = now;
        before.id = after.id;
        changes.emplace_back(std::move(before), std::move(after));
    }
    if (!changes.empty()) undo_.push(new WriteJudgements(*this, title, std::move(changes)));
}

VerdictSnapshot VerdictBook::snapshot() const {
    fill(parts_, all_, lastId_);
    return parts_;
}

QJsonArray toJson(const VerdictSnapshot& verdicts) {
    QJsonArray array;
    for (const VerdictPart& part : verdicts)
        for (const Judgement& judgement : *part) array.append(jsonOf(judgement));
    return array;
}

ReadVerdicts verdictsFrom(const QJsonValue& json) {
    ReadVerdicts read;
    json::LeftOut leftOut;
    if (!json.isUndefined() && !json.isArray()) leftOut.add(VerdictBook::tr("expected a list"));
    const QJsonArray list = json.toArray();
    for (const QJsonValue value : list) try {
            Judgement judgement = judgementFrom(value.toObject());
            if (judgement.isEmpty()) continue;
            judgement.id = static_cast<int64_t>(read.all.size()) + 1;
            if (read.all.size() < kMostJudgements)
                read.all.emplace_hint(read.all.end(), judgement.id, std::move(judgement));
            else
                leftOut.add(VerdictBook::tr("expected at most %L1").arg(kMostJudgements));
        } catch (const Error& error) {
            leftOut.add(QString::fromUtf8(error.what()));
        }
    fill(read.parts, read.all, lastIdOf(read.all));
    if (leftOut.count > 0)
        read.leftOut =
            VerdictBook::tr("%n verdict(s) that cannot be read were skipped; the first: %1",
                            nullptr, leftOut.count)
                .arg(leftOut.first);
    return read;
}

void VerdictBook::restore(ReadVerdicts read) {
    all_ = std::move(read.all);
    parts_ = std::move(read.parts);
    lastId_ = lastIdOf(all_);
    emit changed({});
}

}  // namespace armilla

#include "armilla/session/moc_verdicts.cpp"
