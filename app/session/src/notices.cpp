// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/notices.h"

#include <QStringList>
#include <algorithm>

#include "armilla/session/document.h"
#include "armilla/session/stated_frame.h"
#include "armilla/session/window_words.h"

namespace armilla {

Notices::Notices(const Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document.recovery(), &LayerRecovery::missingChanged, this,
            &Notices::withdrawComplaints);
}

void Notices::say(const QString& line) {
    emit messageRaised(inWindowWords(line), false);
}

void Notices::complain(const QString& line) {
    complainOrAskFrame(
        line,
        {document_.view().shown().entry, document_.view().compared().entry, document_.active()},
        {});
}

void Notices::offer(const QString& line, bool isError, const std::vector<Remedy>& remedies) {
    if (!remedies.empty()) emit remediesOffered(inWindowWords(line), isError, remedies);
}

void Notices::complainOf(LayerId layer, const QString& line) {
    complaints_[layer] = line;
    complain(line);
}

bool Notices::complainOrAskFrame(const QString& line, const std::vector<LayerId>& layers,
                                 const std::function<void()>& again, const QString& cause) {
    settle(cause);
    // Errors about a missing frame name the option of the command that states it.
    if (line.contains(QLatin1String("--input-frame")))
        for (const LayerId layer : layers)
            if (askFrame(layer, again)) return true;
    emit messageRaised(inWindowWords(line), true);
    if (!cause.isEmpty()) passing_[cause] = line;
    return false;
}

bool Notices::askFrame(LayerId id, std::function<void()> again) {
    const Layer* layer = document_.entry(id);
    if (!layer || !takesStatedFrame(*layer) ||
        factsOf(layer->kind()).frame(*layer) != Frame::Unknown)
        return false;
    needsFrame_ = {id, std::move(again)};
    emit frameNeeded(id);
    return true;
}

std::function<void()> Notices::takeWaiting(LayerId layer) {
    auto needed = std::exchange(needsFrame_, {});
    return needed.first == layer ? std::move(needed.second) : std::function<void()>();
}

// Two layers of the same name may have the same message.
void Notices::withdrawComplaints() {
    const auto& missing = document_.recovery().missing();
    QStringList over, holding;
    std::erase_if(complaints_, [&](const auto& each) {
        const bool isMissing = std::any_of(missing.begin(), missing.end(), [&](const auto& one) {
            return one.layer.id == each.first;
        });
        (isMissing ? holding : over) << each.second;
        return !isMissing;
    });
    for (const QString& line : over)
        if (!holding.contains(line)) emit messageWithdrawn(inWindowWords(line));
}

void Notices::complainWhile(const QString& cause, const QString& line) {
    settle(cause);
    complain(line);
    passing_[cause] = line;
}

void Notices::settle(const QString& cause) {
    const auto found = passing_.find(cause);
    if (found == passing_.end()) return;
    const QString line = found->second;
    passing_.erase(found);
    emit messageWithdrawn(inWindowWords(line));
}

}  // namespace armilla

#include "armilla/session/moc_notices.cpp"
