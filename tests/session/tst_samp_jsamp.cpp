// SPDX-License-Identifier: GPL-3.0-or-later
// At the hub of JSAMP, with its programs: one sends, another reads the messages of Armilla.
#include "samp_peers.h"

using namespace armilla;
using namespace armilla::test;

class SampJsampTest : public QObject {
    Q_OBJECT
    QString jsamp_;

private slots:
    void initTestCase() {
        jsamp_ = QStandardPaths::findExecutable("jsamp");
        if (jsamp_.isEmpty()) QSKIP("expected jsamp (Debian's package jsamp), found none");
    }
    void sendsAndReads() {
        HubProcess hub;
        QVERIFY(hub.start(jsamp_, {"hub", "-mode", "no-gui", "-profiles", "std"}));
        AtHub ours, others;  // two instances of Armilla at the hub
        QSignalSpy opened(&others.document(), &Document::entriesChanged);
        QVERIFY(ours.sees("Armilla", "table.load.votable"));
        const auto stars = std::make_shared<const Catalog>(randomCatalog(20));
        const LayerId id = ours.document().addLayer(stars, "stars", {});
        ours.interop().sendLayer(id, Interop::Form::Layer);
        QTRY_COMPARE_WITH_TIMEOUT(others.document().entries().size(), size_t{1}, kPeerPatience);
        QCOMPARE(others.document().entries().front().catalog->rows(), int64_t{20});
        QTRY_COMPARE_WITH_TIMEOUT(ours.news.size(), 1, kPeerPatience);
        QSignalSpy places(&ours.interop(), &Interop::placeReceived);
        QProcess sender;
        sender.start(jsamp_, {"messagesender", "-mode", "sync", "-mtype", "coord.pointAt.sky",
                              "-targetid", ours.interop().client().ownId(), "-param", "ra", "12.5",
                              "-param", "dec", "-60"});
        QTRY_COMPARE_WITH_TIMEOUT(places.count(), 1, kPeerPatience);
        QCOMPARE(places[0][0].value<LonLat>().lon, 12.5 * kDegree);
        QTRY_COMPARE_WITH_TIMEOUT(sender.state(), QProcess::NotRunning, kPeerPatience);
        const QString answer = sender.readAllStandardOutput();
        QVERIFY2(answer.contains("samp.ok"), qPrintable(answer));
        QProcess snooper;
        snooper.setProcessChannelMode(QProcess::MergedChannels);
        snooper.start(jsamp_, {"snooper", "-clientname", "snooper"});
        QVERIFY(ours.sees("snooper", "coord.pointAt.sky"));
        ours.interop().sendPlace(direction({1.0, 0.5}), Frame::Equatorial);
        QByteArray read;
        QTRY_VERIFY_WITH_TIMEOUT((read += snooper.readAll()).contains("57.295779513"),
                                 kPeerPatience);
        snooper.kill();
        snooper.waitForFinished(kPatience);
        // The hub ends regularly and notifies its clients.
        hub.process.terminate();
        QTRY_COMPARE_WITH_TIMEOUT(ours.interop().client().state(), SampClient::State::Off,
                                  kPeerPatience);
        QVERIFY(hub.process.waitForFinished(kPatience));
    }
};

QTEST_GUILESS_MAIN(SampJsampTest)
#include "tst_samp_jsamp.moc"
