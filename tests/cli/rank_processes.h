// SPDX-License-Identifier: GPL-3.0-or-later
// The processes of a launcher, as /proc shows them.
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <algorithm>

#include "support/patience.h"

namespace armilla::test {

// The fields of /proc/PROCESS/stat after the name in parentheses; empty if the process has ended.
inline QByteArrayList statOf(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray all = file.readAll();
    return all.mid(all.lastIndexOf(')') + 2).split(' ');
}
// Child processes of a process.
inline QList<qint64> childrenOf(qint64 process) {
    QList<qint64> children;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isProcess = false;
        const qint64 id = name.toLongLong(&isProcess);
        // After the state comes the parent.
        if (isProcess && statOf(id).value(1).toLongLong() == process) children.append(id);
    }
    std::sort(children.begin(), children.end());
    return children;
}
// Ranks of a launcher that has just started; fewer if they do not appear in time.
inline QList<qint64> ranksOf(QProcess& launcher, int count) {
    QList<qint64> ranks;
    if (launcher.waitForStarted(kPatience))
        (void)QTest::qWaitFor(
            [&] { return (ranks = childrenOf(launcher.processId())).size() == count; }, kPatience);
    return ranks;
}

// The processor time of a process, in ticks of a hundredth of a second.
inline qint64 ticksOf(qint64 process) {
    // After the state come ten more fields, then these two.
    const QByteArrayList fields = statOf(process);
    return fields.size() < 13 ? 0 : fields[11].toLongLong() + fields[12].toLongLong();
}
// Waits until each process has used this much processor time.
inline bool haveWorked(const QList<qint64>& processes, int seconds) {
    return QTest::qWaitFor(
        [&] {
            return std::all_of(processes.begin(), processes.end(),
                               [&](qint64 process) { return ticksOf(process) >= 100 * seconds; });
        },
        kPatience);
}

// An ended process may remain a zombie, which has no command line.
inline bool works(qint64 process) {
    QFile words(QStringLiteral("/proc/%1/cmdline").arg(process));
    return words.open(QIODevice::ReadOnly) && !words.readAll().isEmpty();
}

}  // namespace armilla::test
