// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts in files: decisions are restored, damaged ones are left out with a message; and the map
// without the accepted sources.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

#include "armilla/io/curve_io.h"
#include "armilla/io/table_io.h"
#include "armilla/ops/sources.h"
#include "armilla/ops/spectrum.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/verdicts.h"
#include "source_samples.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

class VerdictsTest : public QObject {
    Q_OBJECT
private slots:
    void sessionFilesKeepVerdicts() {
        Bench bench;
        JobContext job;
        writeTable(candidates(30)->table, bench.path("c.fits").toStdString(), {}, job);
        bench.open({bench.path("c.fits")});
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().entries().front().id);
        review.setCurrent(12);
        review.judge(Verdict::Rejected, false);
        review.classify(7);
        review.annotate(QString::fromUtf8("a “ghost”"));
        const double moved = review.thresholds().value() + 2.5;
        review.thresholds().move(moved);
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        OwnFolder folder;
        SpokenSession other(folder.folder.path());
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        // The review continues at its previous position.
        QCOMPARE(other.session.review().layer(), other.document().entries().front().id);
        QCOMPARE(other.session.review().thresholds().value(), moved);
        const Judgement* back = other.session.review().judgement(12);
        QVERIFY(back);
        QCOMPARE(back->verdict, Verdict::Rejected);
        QCOMPARE(back->group, 7);
        QCOMPARE(back->note, QString::fromUtf8("a “ghost”"));
    }
    // A session saved while the catalog's file is missing keeps the reviewed catalog.
    void sessionsKeepWhatIsWaitedFor() {
        Bench bench;
        JobContext job;
        writeTable(candidates(30)->table, bench.path("c.fits").toStdString(), {}, job);
        bench.open({bench.path("c.fits")});
        const LayerId layer = bench.document().entries().front().id;
        bench.session.review().setLayer(layer);
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        // Not into the same folder, because a renamed file would be found there.
        OwnFolder folder, third, elsewhere;
        const QString away = elsewhere.folder.filePath("away.fits");
        QVERIFY(QFile::rename(bench.path("c.fits"), away));
        SpokenSession other(folder.folder.path());
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QCOMPARE(other.document().recovery().missing().size(), size_t{1});
        QCOMPARE(other.session.review().layer(), LayerId());
        other.session.project().saveSession(bench.path("t.armilla"));
        QVERIFY(other.settle());
        QVERIFY(QFile::rename(away, bench.path("c.fits")));
        SpokenSession again(third.folder.path());
        again.session.project().loadSession(bench.path("t.armilla"));
        QVERIFY(again.settle());
        QCOMPARE(again.document().entries().size(), size_t{1});
        QCOMPARE(again.session.review().layer(), again.document().entries().front().id);
    }
    // A moved threshold alone survives a crash.
    void movedThresholdsAreSavedAtOnce() {
        OwnFolder own;
        const QString folder = own.folder.path();
        SpokenSession bench(folder);
        JobContext job;
        writeTable(candidates(30)->table, (folder + "/c.fits").toStdString(), {}, job);
        bench.session.files().openFiles({folder + "/c.fits"});
        QVERIFY(bench.settle());
        const auto kept = [&] {
            const QDir state(folder + "/state");
            const QStringList files = state.entryList({"autosave-*.json"}, QDir::Files);
            QFile file(state.filePath(files.value(0)));
            if (files.size() != 1 || !file.open(QIODevice::ReadOnly)) return QJsonObject();
            return QJsonDocument::fromJson(file.readAll()).object();
        };
        SourceReview& review = bench.session.review();
        const LayerId layer = bench.document().entries().front().id;
        review.setLayer(layer);
        QTRY_VERIFY_WITH_TIMEOUT(kept().contains("document"), kPatience);
        QTest::qWait(1500);  // pending autosaves are written
        QVERIFY(!kept().contains("thresholds"));
        review.thresholds().move(7.25);
        QTRY_COMPARE_WITH_TIMEOUT(
            kept()["thresholds"].toArray(),
            (QJsonArray{QJsonObject{{"layer", layer.number()}, {"snr", 7.25}}}), kPatience);
    }
    // A search with B_l instead of a width: the review has a beam width, and the subtracted sources
    // have the shape of B_l.
    void acceptedAreSubtractedByTheBeamOfTheSearch() {
        Bench bench;
        SourceReview& review = bench.session.review();
        Document& document = bench.document();
        const LayerId map = document.addLayer(noiseMap(16), "m", {});
        Beam beam;
        // No Gaussian: two of them.
        for (int l = 0; l <= 40; ++l)
            beam.bl[0].push_back(0.5 * std::exp(-0.004 * l * (l + 1)) +
                                 0.5 * std::exp(-0.01 * l * (l + 1)));
        beam.bl[1] = beam.bl[2] = beam.bl[0];
        const LayerId window =
            document.addLayer(std::make_shared<const Curve>(curveOf(beam)), "beam", {});
        Recipe recipe = recipeOfSources(map);
        recipe.record["parameters"] = QJsonObject{{"pixel-window", true}};
        QJsonArray inputs = recipe.record["inputs"].toArray();
        inputs.append(QJsonObject{{"slot", "beam"}, {"layer", window.number()}});
        recipe.record["inputs"] = inputs;
        Catalog found = *candidates(20);
        TableColumn peak;
        peak.name = "PEAK";
        peak.values = std::vector<double>(20, 7.0);
        found.table.columns.push_back(std::move(peak));
        review.setLayer(
            document.addLayer(std::make_shared<const Catalog>(found), "c", recipe, map));
        QVERIFY(review.search().beam);
        QCOMPARE(*review.search().beam, PointBeam::fromWindow(beam.bl[0], {}).fwhm());
        review.setCurrent(3);
        review.judge(Verdict::Accepted, false);
        bench.session.operations().removeAccepted(false, 3.0);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        JobContext job;
        const PointSource away{direction(found.at(3)), -7.0};
        const std::vector<double> pixels = pixelWindow(16, 40, job).bl[0];
        const HealpixMap truth = withSources(*document.entry(map)->map, 0, {&away, 1},
                                             PointBeam::fromWindow(beam.bl[0], pixels), job);
        const Layer& without = document.entries().back();
        QVERIFY(without.map);
        for (int64_t p = 0; p < truth.pixelCount(); ++p)
            QCOMPARE(without.map->value(0, p), truth.value(0, p));
        // After the layer is closed there is no B_l to subtract with.
        document.removeLayer(window);
        QVERIFY(!review.search().beam);
        bench.session.operations().removeAccepted(false, 3.0);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors.front().contains("beam"), qPrintable(bench.errors.front()));
    }
    // Rows without a position: no decision, and a session that can be read again.
    void rowsWithoutAPlaceTakeNoVerdict() {
        Bench bench;
        Catalog with = *candidates(30);
        std::get<std::vector<double>>(with.table.columns[1].values)[4] = NAN;
        JobContext job;
        writeTable(with.table, bench.path("c.fits").toStdString(), {}, job);
        bench.open({bench.path("c.fits")});
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().entries().front().id);
        review.setCurrent(4);
        review.judge(Verdict::Accepted);
        review.classify(3);
        review.annotate("here");
        QVERIFY(review.judgement(4) == nullptr);
        QVERIFY(bench.session.verdicts().all().empty());
        QCOMPARE(bench.errors.size(), 3);
        QVERIFY2(bench.errors.front().contains("expected a position"),
                 qPrintable(bench.errors.front()));
        review.judgeAll(Verdict::Accepted);
        QCOMPARE(bench.session.verdicts().all().size(), size_t{29});
        bench.errors.clear();
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        OwnFolder folder;
        SpokenSession other(folder.folder.path());
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.document().entries().size(), size_t{1});
        QCOMPARE(other.session.verdicts().all().size(), size_t{29});
    }
    // "Reject all" on a large catalog, kept by a session file.
    void manyVerdictsComeBack() {
        constexpr int kMany = 300000;
        Bench bench;
        JobContext job;
        writeTable(candidates(30)->table, bench.path("c.fits").toStdString(), {}, job);
        bench.open({bench.path("c.fits")});
        std::vector<Judgement> all(kMany);
        for (int i = 0; i < kMany; ++i) {
            Judgement& each = all[static_cast<size_t>(i)];
            each.subject = LayerId(77);
            each.place = direction({1e-5 * i, 1e-6 * i});
            each.frame = Frame::Equatorial;
            each.name = QStringLiteral("SOURCE J%1+000000").arg(i, 6, 10, QLatin1Char('0'));
            each.verdict = Verdict::Rejected;
        }
        bench.session.verdicts().write("reject all", std::move(all));
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        // A million verdicts are within the size limit.
        QVERIFY(QFileInfo(bench.path("s.armilla")).size() * 1000000 / kMany < (qint64{256} << 20));
        OwnFolder folder;
        SpokenSession other(folder.folder.path());
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.session.verdicts().all().size(), size_t{kMany});
    }
    void moreVerdictsThanAFileHoldsAreRefused() {
        QUndoStack undo;
        VerdictBook book(undo);
        QSignalSpy refused(&book, &VerdictBook::refused);
        Judgement one;
        one.subject = LayerId(1);
        one.verdict = Verdict::Accepted;
        book.write("all", std::vector<Judgement>(kMostJudgements + 1, one));
        QCOMPARE(refused.count(), 1);
        QVERIFY(book.all().empty());
        QCOMPARE(undo.count(), 0);
        book.write("one", {one});
        QCOMPARE(book.all().size(), size_t{1});
    }
    void spoiledVerdictsAreLeftOut_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("frame") << QByteArray(
            R"([{"subject":1,"place":[1,0,0],"frame":"here","verdict":"accepted","time":""}])");
        QTest::newRow("length") << QByteArray(
            R"([{"subject":1,"place":[1,1,0],"frame":"galactic","verdict":"accepted","time":""}])");
        QTest::newRow("class") << QByteArray(R"([{"subject":1,"place":[1,0,0],"frame":"galactic",)"
                                             R"("verdict":"accepted","time":"","class":10}])");
        QTest::newRow("nowhere") << QByteArray(
            R"([{"subject":1,"place":[null,null,null],)"
            R"("frame":"galactic","verdict":"accepted","time":""}])");
        QTest::newRow("verdict") << QByteArray(
            R"([{"subject":1,"place":[1,0,0],"frame":"galactic","verdict":"maybe","time":""}])");
    }
    void spoiledVerdictsAreLeftOut() {
        QFETCH(QByteArray, json);
        QUndoStack undo;
        VerdictBook book(undo);
        Judgement kept;
        kept.subject = LayerId(1);
        kept.verdict = Verdict::Accepted;
        kept.name = "kept";
        book.write("kept", {kept});
        QJsonArray all = toJson(book.snapshot());
        all.prepend(QJsonDocument::fromJson(json).array().first());
        ReadVerdicts read = verdictsFrom(all);
        QVERIFY2(read.leftOut.contains("expected"), qPrintable(read.leftOut));
        book.restore(std::move(read));
        QCOMPARE(book.all().size(), size_t{1});
        QCOMPARE(book.all().begin()->second.name, QString("kept"));
        QCOMPARE(verdictsFrom(toJson(book.snapshot())).leftOut, QString());
    }
    // An autosave costs the window's thread only the changed parts.
    void snapshotsShareWhatHasNotChanged() {
        QUndoStack undo;
        VerdictBook book(undo);
        Judgement one;
        one.subject = LayerId(1);
        one.verdict = Verdict::Accepted;
        book.write("all", std::vector<Judgement>(1000, one));
        const VerdictSnapshot before = book.snapshot();
        QCOMPARE(toJson(before).size(), 1000);
        Judgement changed = book.all().at(300);
        changed.verdict = Verdict::Rejected;
        book.write("one", {changed});
        const VerdictSnapshot after = book.snapshot();
        QCOMPARE(after.size(), before.size());
        int fresh = 0;
        for (size_t i = 0; i < after.size(); ++i) fresh += after[i] != before[i] ? 1 : 0;
        QCOMPARE(fresh, 1);
        QCOMPARE(toJson(after)[299].toObject()["verdict"].toString(), QString("rejected"));
        QCOMPARE(toJson(before)[299].toObject()["verdict"].toString(), QString("accepted"));
        undo.undo();
        QCOMPARE(toJson(book.snapshot()), toJson(before));
        book.write("one more", {one});
        QCOMPARE(toJson(book.snapshot()).size(), 1001);
        undo.undo();
        QCOMPARE(toJson(book.snapshot()), toJson(before));
        undo.undo();
        QVERIFY(toJson(book.snapshot()).isEmpty());
        // Parts restored by a job are reused.
        ReadVerdicts read = verdictsFrom(toJson(before));
        const VerdictSnapshot parts = read.parts;
        QCOMPARE(parts.size(), before.size());
        book.restore(std::move(read));
        QCOMPARE(book.snapshot(), parts);
        QCOMPARE(toJson(parts), toJson(before));
    }
};

QTEST_GUILESS_MAIN(VerdictsTest)
#include "tst_verdicts.moc"
