// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a review, each without the review around it.
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

#include "part_desk.h"
#include "source_samples.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Rows of constant significance.
std::shared_ptr<const Catalog> withRatio(std::vector<double> fluxes, double error) {
    Catalog catalog = randomCatalog(static_cast<int64_t>(fluxes.size()), Frame::Galactic, 3);
    TableColumn errors;
    errors.name = "FLUX_ERR";
    errors.values = std::vector<double>(fluxes.size(), error);
    TableColumn values;
    values.name = "FLUX";
    values.values = std::move(fluxes);
    catalog.table.columns.push_back(std::move(values));
    catalog.table.columns.push_back(std::move(errors));
    return std::make_shared<const Catalog>(std::move(catalog));
}

struct Parts : PartDesk {
    CandidateSignificance significance;
    RowVerdicts rowVerdicts{verdicts, runner};
    CandidatePartners partners{document, runner};
    CandidateRows rows{significance, rowVerdicts, partners};

    void take(const std::shared_ptr<const Catalog>& catalog, double threshold) {
        significance = CandidateSignificance(catalog);
        rowVerdicts.setCatalog(catalog, LayerId(7), std::nullopt);
        rows.setCatalog(catalog, threshold);
    }
    Judgement decision(const Catalog& catalog, int64_t row, Verdict verdict) {
        Judgement made;
        made.subject = LayerId(7);
        made.place = direction(catalog.at(row));
        made.frame = catalog.frame();
        made.verdict = verdict;
        return made;
    }
};

}  // namespace

class ReviewPartsTest : public QObject {
    Q_OBJECT
private slots:
    // Without a column SNR, FLUX / FLUX_ERR: -8 / 2, 6 / 2 and 11 / 2.
    void significanceIsARatioOfColumns() {
        const CandidateSignificance snr(withRatio({-8.0, 6.0, 11.0}, 2.0));
        QCOMPARE(snr.values(), (std::vector<float>{4.0F, 3.0F, 5.5F}));
        QCOMPARE(snr.least(), 3.0);
        QVERIFY(snr.hasNegative() && snr.isNegative(0) && !snr.isNegative(1));
        QCOMPARE(snr.text(0), QString::fromUtf8("−4.0"));
        QCOMPARE(snr.text(2), QStringLiteral("5.5"));
        QCOMPARE(snr.text(3), QString());
        QCOMPARE(snr.flagsText(0), QString());
        QVERIFY(CandidateSignificance().values().empty());
    }
    void thresholdsBelongToTheirLayer() {
        QUndoStack undo;
        CandidateThresholds thresholds(undo);
        QSignalSpy changed(&thresholds, &CandidateThresholds::changed);
        thresholds.setReviewed(LayerId(1), 3.0);
        QCOMPARE(thresholds.value(), 3.0);
        for (const double value : {4.0, 5.0}) thresholds.move(value);
        thresholds.endGesture();
        thresholds.move(6.0);
        QCOMPARE(undo.count(), 2);
        QCOMPARE(changed.size(), 3);
        thresholds.setReviewed(LayerId(2), 3.5);
        QCOMPARE(thresholds.value(), 3.5);
        undo.undo();  // a step of layer 1
        QCOMPARE(thresholds.value(), 3.5);
        thresholds.setReviewed(LayerId(1), 3.0);
        QCOMPARE(thresholds.value(), 5.0);
        thresholds.restore({{LayerId(2), 9.0}});
        QCOMPARE(thresholds.value(), 3.0);
        thresholds.setReviewed(LayerId(2), 3.5);
        QCOMPARE(thresholds.value(), 9.0);
    }
    // Rows 0 to 9 have SNR 3, 3.7, 3.4, 3.1, 3.8, 3.5, 3.2, 3.9, 3.6, 3.3.
    void rowsAreFilteredAndSorted() {
        Parts parts;
        const auto catalog = candidates(10);
        parts.take(catalog, 3.65);
        QCOMPARE(parts.rows.all(), (std::vector<int64_t>{1, 4, 7}));
        QSignalSpy changed(&parts.rows, &CandidateRows::changed);
        parts.rows.setThreshold(3.65);
        QCOMPARE(changed.size(), 0);
        const int snr = CandidateRows::DecisionColumns + *catalog->table.find("SNR");
        parts.rows.sortBy(snr, Qt::DescendingOrder);
        QCOMPARE(parts.rows.all(), (std::vector<int64_t>{7, 4, 1}));
        QCOMPARE(parts.rows.placeOf(1), 2);
        QCOMPARE(parts.rows.placeOf(0), -1);
        CandidateFilter filter;
        filter.text = QStringLiteral("SNR < 3.85");
        QVERIFY(parts.rows.setFilter(filter));
        QCOMPARE(parts.rows.all(), (std::vector<int64_t>{4, 1}));
        QCOMPARE(parts.rows.counts().candidates, int64_t{3});
    }
    // A decided row stays listed below the threshold, and is sorted by its verdict.
    void rowsFollowVerdicts() {
        Parts parts;
        const auto catalog = candidates(10);
        parts.take(catalog, 3.65);
        QObject::connect(&parts.rowVerdicts, &RowVerdicts::changed, &parts.rows,
                         &CandidateRows::refresh);
        parts.verdicts.write("a", {parts.decision(*catalog, 0, Verdict::Rejected)});
        QCOMPARE(parts.rows.all(), (std::vector<int64_t>{0, 1, 4, 7}));
        QCOMPARE(parts.rows.counts().rejected, int64_t{1});
        QVERIFY(parts.rowVerdicts.judgement(0) && !parts.rowVerdicts.judgement(1));
        parts.document.history().stack()->undo();
        QCOMPARE(parts.rows.all(), (std::vector<int64_t>{1, 4, 7}));
    }
    // The window's thread looks up the rows of a few decisions, and a job those of many. Until then
    // no row is decided.
    void manyVerdictsAreAssignedInAJob() {
        Parts parts;
        const auto catalog = candidates(1000);
        parts.take(catalog, 0.0);
        QObject::connect(&parts.rowVerdicts, &RowVerdicts::changed, &parts.rows,
                         &CandidateRows::refresh);
        std::vector<Judgement> all;
        for (int64_t row = 0; row < 1000; ++row)
            all.push_back(parts.decision(*catalog, row, Verdict::Accepted));
        parts.verdicts.write("all", all);
        QVERIFY(!parts.rowVerdicts.judgement(0) && !parts.rowVerdicts.isReady());
        QVERIFY(parts.settle());
        QVERIFY(parts.rowVerdicts.isReady());
        QCOMPARE(parts.rows.counts().accepted, int64_t{1000});
        QUndoStack& undo = *parts.document.history().stack();
        undo.undo();
        QCOMPARE(parts.rows.counts().accepted, int64_t{0});
        undo.redo();
        QVERIFY(!parts.rowVerdicts.isReady());
        QVERIFY(parts.settle());
        QCOMPARE(parts.rows.counts().accepted, int64_t{1000});
        // One of many is looked up at once.
        Judgement one = parts.verdicts.all().begin()->second;
        one.verdict = Verdict::None;
        parts.verdicts.write("one", {one});
        QVERIFY(parts.rowVerdicts.isReady() && !parts.rowVerdicts.judgement(0));
        QCOMPARE(parts.rows.counts().accepted, int64_t{999});
        // A job that was canceled starts again when it is needed.
        undo.undo();
        undo.undo();
        undo.redo();
        parts.runner.cancelAll();
        QVERIFY(parts.settle());
        QVERIFY(!parts.rowVerdicts.isReady());
        QVERIFY(parts.settle());
        QVERIFY(parts.rowVerdicts.isReady());
        QCOMPARE(parts.rows.counts().accepted, int64_t{1000});
    }
    // Decisions of another subject do not apply. One farther than the radius from each row has no
    // row.
    void verdictsBelongToASubject() {
        Parts parts;
        const auto catalog = candidates(10);
        parts.take(catalog, 0.0);
        Judgement far = parts.decision(*catalog, 2, Verdict::Accepted);
        far.place = -1.0 * far.place;
        parts.verdicts.write("a", {parts.decision(*catalog, 3, Verdict::Accepted), far});
        QCOMPARE(parts.rowVerdicts.orphanCount(), int64_t{1});
        QSignalSpy changed(&parts.rowVerdicts, &RowVerdicts::changed);
        parts.rowVerdicts.setSubject(LayerId(8), std::nullopt);
        QCOMPARE(changed.size(), 1);
        QVERIFY(!parts.rowVerdicts.judgement(3));
        QCOMPARE(parts.rowVerdicts.orphanCount(), int64_t{0});
        parts.rowVerdicts.setSubject(LayerId(7), std::nullopt);
        QVERIFY(parts.rowVerdicts.judgement(3));
    }
    void partnersEndWithTheOtherCatalog() {
        Parts parts;
        const auto catalog = candidates(10);
        const LayerId other = parts.document.addLayer(catalog, "other", {});
        parts.partners.setCatalog({}, catalog);
        parts.partners.setMatch({other, kArcmin, false});
        QVERIFY(parts.settle());
        QCOMPARE(parts.partners.count(), int64_t{10});
        QCOMPARE(parts.partners.partner(4)->row, int64_t{4});
        const auto links = parts.partners.links(100, [](int64_t row) { return row < 3; });
        QCOMPARE(links.size(), size_t{3});
        Table table;
        parts.partners.addColumns(table, {2, 5});
        QCOMPARE(table.columns.size(), size_t{3});
        QCOMPARE(table.columns[0].name, std::string("XID"));
        QCOMPARE(table.columns[1].number(1), 0.0);
        parts.document.removeLayer(other);
        parts.partners.setCatalog({}, catalog);
        QCOMPARE(parts.partners.match(), CandidateMatch{});
        QCOMPARE(parts.partners.count(), int64_t{0});
    }
    void searchIsFoundFromTheRecord() {
        Parts parts;
        const LayerId map = parts.addMap(noiseMap(4));
        const Recipe recipe = recipeOfSources(map);
        const LayerId found = parts.document.addLayer(candidates(5), "c", recipe, map);
        const SearchedLayers search = searchedLayers(parts.document, found);
        QCOMPARE(search.map, map);
        QCOMPARE(search.subject, map);
        QCOMPARE(search.significance, LayerId());
        QCOMPARE(*search.beam, 0.01);
        QVERIFY(search.request.has_value());
        const LayerId opened = parts.document.addLayer(candidates(5), "opened", {});
        QCOMPARE(searchedLayers(parts.document, opened).subject, opened);
        QVERIFY(!searchedLayers(parts.document, opened).beam);
    }
    // One pixel of -6 in a map of zeros, far from all rows of at least 5 sigma.
    void falseCandidatesAreCountedOnce() {
        Parts parts;
        FalseCandidates counted(parts.runner);
        QSignalSpy changed(&counted, &FalseCandidates::changed);
        std::vector<float> values(static_cast<size_t>(pixelCount(32)), 0.0F);
        values[5000] = -6.0F;
        const auto map =
            std::make_shared<const HealpixMap>(32, Ordering::Ring, Frame::Galactic,
                                               std::vector<Field>{field("SNR", std::move(values))});
        const auto catalog = candidates(2);
        for (int i = 0; i < 2; ++i) counted.count(map, catalog, kDegree);
        QVERIFY(!counted.above(0.0));
        QVERIFY(parts.settle());
        QCOMPARE(changed.size(), 1);
        QCOMPARE(counted.above(5.5), std::optional<int64_t>(1));
        QCOMPARE(counted.above(6.5), std::optional<int64_t>(0));
        counted.count(nullptr, catalog, kDegree);
        QVERIFY(!counted.above(5.5));
        QCOMPARE(changed.size(), 2);
    }
};

QTEST_GUILESS_MAIN(ReviewPartsTest)
#include "tst_review_parts.moc"
