// SPDX-License-Identifier: GPL-3.0-or-later
// At the hub of astropy.samp (ARMILLA_PYTHON, else python3, with astropy): one of its clients loads
// a table of Armilla, selects a row, and sends its own table.
#include "armilla/io/table_io.h"
#include "samp_peers.h"

using namespace armilla;
using namespace armilla::test;

class SampAstropyTest : public QObject {
    Q_OBJECT
    QString python_;

private slots:
    void initTestCase() {
        python_ = pathOfTool("ARMILLA_PYTHON", "python3");
        if (python_.isEmpty()) QSKIP("expected python3, found none");
        QProcess tried;
        tried.start(python_, {"-W", "ignore", "-c", "import astropy.samp, astropy.table"});
        if (!tried.waitForFinished(kPatience) || tried.exitCode() != 0)
            QSKIP("expected astropy with astropy.samp for Python, found none");
    }
    void tablesAndRowsGoBothWays() {
        QTemporaryDir folder;
        JobContext job;
        const QString path = folder.filePath("sent.vot");
        writeTable(randomCatalog(7).table, path.toStdString(), {}, job);
        HubProcess hub;
        QVERIFY(hub.start(python_, {ARMILLA_SOURCE_DIR "/tests/session/samp_astropy.py", path}));
        AtHub ours;
        QVERIFY(ours.sees("astropy", "table.load.votable"));
        QVERIFY(ours.sees("astropy", "coord.pointAt.sky"));
        QSignalSpy rows(&ours.interop(), &Interop::rowReceived);
        const auto stars = std::make_shared<const Catalog>(randomCatalog(20));
        const LayerId id =
            ours.document().addLayer(stars, QStringLiteral("stars \u00B7 20\u2032"), {});
        ours.interop().sendLayer(id, Interop::Form::Layer);
        QTRY_COMPARE_WITH_TIMEOUT(rows.count(), 1, kPeerPatience);
        QCOMPARE(rows[0][0].value<LayerId>(), id);
        QCOMPARE(rows[0][1].toLongLong(), 4LL);
        QTRY_COMPARE_WITH_TIMEOUT(ours.document().entries().size(), size_t{2}, kPeerPatience);
        QCOMPARE(ours.document().entries().back().name, QString("of astropy"));
        QCOMPARE(ours.document().entries().back().catalog->rows(), int64_t{7});
        ours.interop().sendPlace(direction({1.0, 0.5}), Frame::Equatorial);
        QByteArray read;
        QTRY_VERIFY_WITH_TIMEOUT((read += hub.process.readAll()).contains("place 57.295779513"),
                                 kPeerPatience);
        QVERIFY2(read.contains("read 20 "), read.constData());
        QVERIFY2(read.contains("answer samp.ok"), read.constData());
        QVERIFY2(ours.errors.isEmpty(), qPrintable(ours.errors.join('\n')));
    }
};

QTEST_GUILESS_MAIN(SampAstropyTest)
#include "tst_samp_astropy.moc"
