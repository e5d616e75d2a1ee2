// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of a monkey, and the faults that they meet.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <set>

#include "monkey/loop_watch.h"
#include "monkey/monkey.h"

namespace armilla::test {

struct RoundReport {
    int events = 0;
    int driverHangs = 0;           // events beyond the limit in the OpenGL driver, no faults
    QStringList faults;            // each with the acts before it
    std::map<QString, int> kinds;  // acts of each kind
    std::set<QString> tools;       // tools that were open
    double heapMebibytes = 0.0;    // in use after the window is gone
    double residentMebibytes = 0.0;
};

// Opens a window, uses it for a round, closes it and waits until it is gone. `beforeAct` receives
// each act. Faults are: exceptions in handlers, internal errors in messages, messages of Qt about
// its misuse, jobs that do not end, and a window that does not close.
RoundReport runRound(WatchedApplication& application, const MonkeyRound& round,
                     const std::function<void(const QString&)>& beforeAct);

// Settings, caches and data of the program go to this folder instead of the user's. Called before
// the application exists.
void isolateUser(const QString& folder);
// Translators, theme and handlers of links, as in the program.
void prepareApplication(QApplication& application);

}  // namespace armilla::test
