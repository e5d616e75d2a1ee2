// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for the layers of a session file.
#pragma once

#include <QObject>

#include "armilla/session/document.h"
#include "armilla/session/project_keeper.h"

namespace armilla::test {

// Counts how often all awaited layers of a document were restored or given up: those of a session
// that was read, or of missing layers that are retried.
class RestoreWatch : public QObject {
public:
    RestoreWatch(const ProjectKeeper& project, Document& document) : document_(document) {
        const auto wait = [this] { isWaiting_ = true; };
        connect(&project, &ProjectKeeper::documentReplaced, this, wait);
        connect(&document.recovery(), &LayerRecovery::layersAwaited, this, wait);
    }
    int count() {
        if (isWaiting_ && document_.recovery().awaited().empty()) {
            isWaiting_ = false;
            ++count_;
        }
        return count_;
    }

private:
    Document& document_;
    bool isWaiting_ = false;
    int count_ = 0;
};

}  // namespace armilla::test
