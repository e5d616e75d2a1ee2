// SPDX-License-Identifier: GPL-3.0-or-later
// At the hub of TOPCAT, on a virtual display: TOPCAT receives tables and rows of Armilla. STILTS,
// its library, sends a table by an address of its own server.
#include "armilla/io/table_io.h"
#include "samp_peers.h"

using namespace armilla;
using namespace armilla::test;

class SampTopcatTest : public QObject {
    Q_OBJECT
    QString topcat_, display_, stilts_;

private slots:
    void initTestCase() {
        topcat_ = QStandardPaths::findExecutable("topcat");
        if (topcat_.isEmpty()) QSKIP("expected topcat (Debian's package topcat), found none");
        display_ = QStandardPaths::findExecutable("xvfb-run");
        if (display_.isEmpty()) QSKIP("expected xvfb-run (Debian's package xvfb), found none");
        stilts_ = QStandardPaths::findExecutable("stilts");
        if (stilts_.isEmpty()) QSKIP("expected stilts (Debian's package stilts), found none");
    }
    void tablesGoBothWays() {
        HubProcess hub;
        QTemporaryDir home;  // for its settings
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", home.path());
        environment.insert("JAVA_TOOL_OPTIONS", "-Duser.home=" + home.path());
        hub.process.setProcessEnvironment(environment);
        QVERIFY(hub.start(display_, {"-a", topcat_, "-samp", "-hub"}));
        AtHub ours;
        for (const char* mtype : {"table.load.votable", "table.load.fits", "table.highlight.row",
                                  "table.select.rowList", "coord.pointAt.sky"})
            QVERIFY2(ours.sees("topcat", mtype), mtype);
        const QString topcat = ours.idOf("topcat");
        const auto stars = std::make_shared<const Catalog>(randomCatalog(20));
        const LayerId id =
            ours.document().addLayer(stars, QStringLiteral("stars \u00B7 20\u2032"), {});
        // Another receiver gets the name that all programs use.
        SampClient listener({{"samp.name", "listener"}}, {"table.load.votable"});
        QString table;
        connect(&listener, &SampClient::received, &listener, [&](const SampMessage& message) {
            table = message.parameters["table-id"].toString();
            listener.reply(message);
        });
        listener.connectToHub();
        QVERIFY(ours.sees("listener", "table.load.votable"));
        ours.interop().sendLayer(id, Interop::Form::Layer);
        QTRY_COMPARE_WITH_TIMEOUT(ours.news.size() + ours.errors.size(), 2, kPeerPatience);
        QVERIFY2(ours.errors.isEmpty(), qPrintable(ours.errors.join('\n')));
        // It accepts rows of known tables, and refuses those of others.
        const auto answer = [&](const QVariantMap& parameters) {
            QSignalSpy answers(&ours.interop().client(), &SampClient::answered);
            ours.interop().client().call(topcat, "table.highlight.row", parameters, "row");
            [&] { QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 1, kPeerPatience); }();
            return answers.isEmpty() ? QString("no answer") : answers[0][2].toString();
        };
        // It confirms the table before it has read it.
        QTRY_COMPARE_WITH_TIMEOUT(answer({{"table-id", table}, {"row", "3"}}), QString(),
                                  kPeerPatience);
        QVERIFY(!answer({{"table-id", "of nobody"}, {"row", "3"}}).isEmpty());

        JobContext job;
        const QString path = home.filePath("sent.vot");
        writeTable(randomCatalog(7).table, path.toStdString(), {}, job);
        QProcess sender;
        sender.setProcessEnvironment(environment);
        sender.setProcessChannelMode(QProcess::MergedChannels);
        sender.start(stilts_, {"tpipe", "in=" + path, "omode=samp", "client=Armilla"});
        QTRY_COMPARE_WITH_TIMEOUT(sender.state(), QProcess::NotRunning, kPeerPatience);
        const QByteArray said = sender.readAll();
        QVERIFY2(sender.exitCode() == 0, said.constData());
        QTRY_COMPARE_WITH_TIMEOUT(ours.document().entries().size(), size_t{2}, kPeerPatience);
        QCOMPARE(ours.document().entries().back().catalog->rows(), int64_t{7});
        QVERIFY2(ours.errors.isEmpty(), qPrintable(ours.errors.join('\n')));
    }
};

QTEST_GUILESS_MAIN(SampTopcatTest)
#include "tst_samp_topcat.moc"
