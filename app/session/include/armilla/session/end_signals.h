// SPDX-License-Identifier: GPL-3.0-or-later
// External requests to end: the end of the desktop session, a closed terminal, `kill`.
#pragma once

#include <QObject>

namespace armilla {

// Turns SIGTERM, SIGHUP and SIGINT into a Qt signal in the thread of this object. Only the first
// one is caught; a second one ends the process at once.
//
// A signal that the process was started to ignore (nohup) stays ignored. At most one object exists
// at a time, and it lives as long as the event loop. Throws IoError if the system has no pipe left.
class EndSignals : public QObject {
    Q_OBJECT
public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    // The process has received the first of these signals.
    void endRequested();

private:
    int pipe_[2] = {-1, -1};
};

}  // namespace armilla
