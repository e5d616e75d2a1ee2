// SPDX-License-Identifier: GPL-3.0-or-later
// The command line program built with a test; the test's target defines ARMILLA_PROGRAM.
#pragma once

#include <QFileInfo>
#include <QProcess>
#include <QString>

#include "support/patience.h"

namespace armilla::test {

// False in builds of the window alone.
inline bool hasCommandLine() {
    return QProcess::execute(ARMILLA_PROGRAM, {"--version"}) == 0;
}

// Runs the command in a shell. Returns the error; empty on success.
inline QString failureOf(const QString& command) {
    const QString folder = QFileInfo(QString::fromLocal8Bit(ARMILLA_PROGRAM)).path();
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", folder + ":" + environment.value("PATH"));
    QProcess shell;
    shell.setProcessEnvironment(environment);
    shell.start("bash", {"-c", command});
    if (!shell.waitForFinished(kPatience)) return "not finished: " + command;
    if (shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0) return {};
    return command + ": " + QString::fromLocal8Bit(shell.readAllStandardError());
}

}  // namespace armilla::test
