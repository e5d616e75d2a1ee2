// SPDX-License-Identifier: GPL-3.0-or-later
// A session and programs of other authors at the hub of one of these.
#pragma once

#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <csignal>

#include <unistd.h>

#include "armilla/session/interop.h"
#include "layer_samples.h"
#include "session_bench.h"
#include "support/patience.h"

namespace armilla::test {

inline constexpr int kPeerPatience = 120000;  // a loaded machine, and Java

// A hub in a separate process, whose lock file SAMP_HUB names. Ends with this object.
class HubProcess {
public:
    HubProcess() {
        if (!folder_.isValid()) qFatal("expected a folder");
        qputenv("SAMP_HUB", "std-lockurl:" + QUrl::fromLocalFile(lockfile()).toEncoded());
        process.setProcessChannelMode(QProcess::MergedChannels);
        // In its own process group, so that all of it ends; killing xvfb-run alone would leave its
        // program.
        process.setChildProcessModifier([] { setpgid(0, 0); });
    }
    ~HubProcess() {
        if (process.state() != QProcess::NotRunning) {
            const auto group = static_cast<pid_t>(process.processId());
            ::kill(-group, SIGTERM);
            process.waitForFinished(kPatience);
            ::kill(-group, SIGKILL);
            process.waitForFinished(kPatience);
        }
        qunsetenv("SAMP_HUB");
    }
    HubProcess(const HubProcess&) = delete;
    HubProcess& operator=(const HubProcess&) = delete;

    QString lockfile() const { return folder_.filePath("samp.lock"); }
    // Waits until the hub has written its lock file.
    bool start(const QString& program, const QStringList& arguments) {
        process.start(program, arguments);
        const auto isThere = [&] {
            QFile file(lockfile());
            return file.open(QIODevice::ReadOnly) && file.readAll().contains("samp.hub.xmlrpc.url");
        };
        const bool came =
            process.waitForStarted(kPatience) && QTest::qWaitFor(isThere, kPeerPatience);
        if (!came) qWarning("%s", process.readAll().constData());
        return came;
    }

    QProcess process;

private:
    QTemporaryDir folder_;
};

// A session at this hub.
struct AtHub : Bench {
    AtHub() {
        interop().client().connectToHub();
        [&] {
            QTRY_COMPARE_WITH_TIMEOUT(interop().client().state(), SampClient::State::Connected,
                                      kPeerPatience);
        }();
    }
    Interop& interop() { return session.interop(); }
    bool sees(const QString& name, const QString& mtype) {
        const auto known = [&] {
            for (const SampPeer& peer : interop().client().peers())
                if (peer.name == name && peer.takes(mtype)) return true;
            return false;
        };
        return QTest::qWaitFor(known, kPeerPatience);
    }
    // The hub's id for a program.
    QString idOf(const QString& name) {
        for (const SampPeer& peer : interop().client().peers())
            if (peer.name == name) return peer.id;
        return {};
    }
};

// The path in an environment variable, else the first one found.
inline QString pathOfTool(const char* variable, const QString& name) {
    const QString named = qEnvironmentVariable(variable);
    return named.isEmpty() ? QStandardPaths::findExecutable(name) : named;
}

}  // namespace armilla::test
