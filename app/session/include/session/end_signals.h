// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to end that come from outside: the desktop session ends, a terminal closes, `kill`.
#pragma once

#include <QObject>

namespace armilla {

// Turns SIGTERM, SIGHUP and SIGINT into a signal in the thread of this object. Only the first one:
// a second one ends the process at once, as if nothing had been asked. A signal that the process
// was started to ignore (nohup) stays ignored. One object at a time; it lives as long as the
// process's event loop. Throws IoError if the system has no pipe left.
class EndSignals : public QObject {
    Q_OBJECT
public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void endRequested();

private:
    int pipe_[2] = {-1, -1};
};

}  // namespace armilla
