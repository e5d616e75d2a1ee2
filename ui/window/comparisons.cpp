// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/comparisons.h"

#include "armilla/session/compared_pair.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "panels/message_bar.h"

namespace armilla {

Comparisons::Comparisons(Session& session, MessageBar& messages, QObject* parent)
    : QObject(parent), session_(session), messages_(messages) {}

bool Comparisons::isPair(const ComparedPair& pair) {
    if (pair.second) return true;
    messages_.show(MessageTone::Note,
                   tr("Comparing takes two maps: open another one, or move the beam slider "
                      "and compare with the smoothed sky."));
    return false;
}

// Without a comparison, the live result is shown.
void Comparisons::compare(Comparison comparison) {
    Document& document = session_.document();
    const ComparedPair pair = pairToCompare(document);
    if (comparison == Comparison::Single) {
        const Layer* live = document.live();
        const bool toLive = live && pair.second && pair.second->entry == live->id;
        document.view().compare(toLive ? *pair.second : document.view().shown(),
                                document.view().compared(), comparison);
    } else if (isPair(pair)) {
        document.view().compare(pair.first, *pair.second, comparison);
    }
}

void Comparisons::showDifference() {
    if (const ComparedPair pair = pairToCompare(session_.document()); isPair(pair))
        session_.operations().showDifference(pair.first, *pair.second);
}

}  // namespace armilla

#include "window/moc_comparisons.cpp"
