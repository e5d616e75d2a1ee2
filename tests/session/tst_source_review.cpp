// SPDX-License-Identifier: GPL-3.0-or-later
// Visual review of candidates: threshold, filter, order, verdicts that belong to positions.
#include <QFile>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>
#include <limits>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/io/table_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/source_review.h"
#include "source_samples.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A map of nside 32: zero except for one pixel.
std::shared_ptr<const HealpixMap> snrWithDip(float dip) {
    std::vector<float> values(static_cast<size_t>(pixelCount(32)), 0.0F);
    values[5000] = dip;
    return std::make_shared<const HealpixMap>(32, Ordering::Ring, Frame::Galactic,
                                              std::vector<Field>{field("SNR", std::move(values))});
}

}  // namespace

class SourceReviewTest : public QObject {
    Q_OBJECT
private slots:
    void thresholdFiltersRowsAndKeepsWhatIsDecided() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(100), "c", {}));
        QCOMPARE(review.rows().size(), size_t{100});
        QCOMPARE(review.thresholds().value(), 3.0);
        // Row 1 has SNR 3.7.
        review.setCurrent(1);
        review.judge(Verdict::Rejected);
        review.thresholds().set(8.05);
        // 8.1 to 12.9: 49 rows, and the one that is decided.
        QCOMPARE(review.list().counts().candidates, int64_t{49});
        QCOMPARE(review.rows().size(), size_t{50});
        QVERIFY(review.list().placeOf(1) >= 0);
        CandidateFilter filter;
        filter.rejected = false;
        QVERIFY(review.list().setFilter(filter));
        QCOMPARE(review.list().placeOf(1), -1);
        QCOMPARE(review.list().counts().rejected, int64_t{1});
    }
    void filterTakesConditionsAndWords() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto catalog = candidates(200);
        review.setLayer(bench.document().addLayer(catalog, "c", {}));
        CandidateFilter filter;
        filter.text = "SNR >= 10, |GLAT| > 30 star";
        QVERIFY(review.list().setFilter(filter));
        int64_t wanted = 0;
        for (int64_t row = 0; row < catalog->rows(); ++row)
            wanted += catalog->table.columns[3].number(row) >= 10.0 &&
                      std::abs(catalog->table.columns[1].number(row)) > 30.0;
        QVERIFY(wanted > 0);
        QCOMPARE(static_cast<int64_t>(review.rows().size()), wanted);
        filter.text = "star 17";
        QVERIFY(review.list().setFilter(filter));
        // Words: "star" and "17" are in 17, 117 and 170 to 179.
        QCOMPARE(review.rows().size(), size_t{12});
        filter.text = "NOTHING > 3";
        QVERIFY(!review.list().setFilter(filter));
        QVERIFY2(review.list().filterProblem().contains("NOTHING"),
                 qPrintable(review.list().filterProblem()));
    }
    void orderIsStableWithMissingValuesLast() {
        Bench bench;
        SourceReview& review = bench.session.review();
        Catalog with = *candidates(50);
        std::get<std::vector<double>>(with.table.columns[3].values)[10] = NAN;
        const auto catalog = std::make_shared<const Catalog>(with);
        review.setLayer(bench.document().addLayer(catalog, "c", {}));
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            review.list().sortBy(CandidateRows::DecisionColumns + 3, order);
            QCOMPARE(review.rows().back(), int64_t{10});
            for (size_t i = 2; i < review.rows().size(); ++i) {
                const double a = catalog->table.columns[3].number(review.rows()[i - 2]);
                const double b = catalog->table.columns[3].number(review.rows()[i - 1]);
                QVERIFY(order == Qt::AscendingOrder ? a <= b : a >= b);
            }
        }
    }
    void verdictsAreStepsOfTheHistory() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(10), "c", {}));
        QUndoStack& undo = *bench.document().history().stack();
        const int before = undo.count();
        review.step(1);
        QCOMPARE(review.current(), int64_t{0});
        review.judge(Verdict::Accepted);
        QCOMPARE(review.current(), int64_t{1});  // on to the next
        // Titles begin like those of other steps.
        QCOMPARE(undo.undoText(), "Accept " + review.list().nameOf(0));
        review.classify(4);
        QCOMPARE(undo.undoText(), "Class 4 for " + review.list().nameOf(1));
        review.annotate("faint");
        QCOMPARE(undo.undoText(), "Note on " + review.list().nameOf(1));
        QCOMPARE(undo.count(), before + 3);
        QCOMPARE(review.judgement(1)->group, 4);
        QCOMPARE(review.judgement(1)->note, QString("faint"));
        undo.undo();
        QCOMPARE(review.judgement(1)->note, QString());
        undo.undo();
        QVERIFY(review.judgement(1) == nullptr);
        undo.redo();
        QCOMPARE(review.judgement(1)->group, 4);
        undo.undo();
        undo.undo();
        QVERIFY(review.judgement(0) == nullptr);
        QCOMPARE(review.list().counts().accepted, int64_t{0});
        // The same verdict again withdraws it.
        review.setCurrent(5);
        review.judge(Verdict::Unsure, false);
        review.judge(Verdict::Unsure, false);
        QVERIFY(review.judgement(5) == nullptr);
    }
    // The same positions in another order, one of them missing.
    void verdictsBelongToPlaces() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto first = candidates(40);
        const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
        const Recipe recipe = recipeOfSources(map);
        review.setLayer(bench.document().addLayer(first, "c", recipe, map));
        QCOMPARE(review.search().map, map);
        // The width is a copy of 0.01; 1e-15 is 450 units in its last place.
        QVERIFY(review.search().beam && std::abs(*review.search().beam - 0.01) < 1e-15);
        for (const int64_t row : {3, 8, 20}) {
            review.setCurrent(row);
            review.judge(Verdict::Accepted, false);
        }
        // Row 8 is gone, and the following rows have moved up.
        const auto second = candidates(40, 7, 8);
        review.setLayer(bench.document().addLayer(second, "again", recipe, map));
        QVERIFY(review.judgement(3) && review.judgement(19));
        QCOMPARE(review.list().counts().accepted, int64_t{2});
        QCOMPARE(review.verdicts().orphans().size(), size_t{1});
        QCOMPARE(review.verdicts().orphans().front().name, QString("star 8"));
        // The catalog has no row for it, but its history mentions it.
        const std::vector<std::string> told = review.judged(Verdict::None).table.history;
        QVERIFY(std::find(told.begin(), told.end(),
                          "decided, without a candidate now: star 8 ACCEPTED") != told.end());
        // Decisions on another map do not apply.
        review.setLayer(bench.document().addLayer(first, "opened", {}));
        QCOMPARE(review.list().counts().accepted, int64_t{0});
        QCOMPARE(review.verdicts().orphans().size(), size_t{0});
    }
    // The searched map identifies decisions, open or not.
    void verdictsStayWhenTheSearchedMapCloses() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
        const Recipe recipe = recipeOfSources(map);
        review.setLayer(bench.document().addLayer(candidates(20), "c", recipe, map));
        review.setCurrent(3);
        review.judge(Verdict::Accepted, false);
        bench.document().removeLayer(map);
        QCOMPARE(review.search().map, LayerId());
        QCOMPARE(review.list().counts().accepted, int64_t{1});
        QCOMPARE(review.judged(Verdict::Accepted).rows(), int64_t{1});
        QVERIFY(review.search().beam);
        // A new decision refers to the same map.
        review.setCurrent(5);
        review.judge(Verdict::Rejected, false);
        QCOMPARE(review.judgement(5)->subject, map);
    }
    // The same catalog as another layer: with other decisions, and without a beam.
    void anotherLayerOfTheSameCatalogIsTaken() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto catalog = candidates(20);
        const LayerId first = bench.document().addLayer(catalog, "c", {});
        const LayerId second = bench.document().addLayer(catalog, "again", {});
        review.setLayer(first);
        review.setCurrent(3);
        review.judge(Verdict::Accepted, false);
        QSignalSpy changed(&review, &SourceReview::layerChanged);
        review.setLayer(second);
        QCOMPARE(changed.count(), 1);
        QVERIFY(review.judgement(3) == nullptr);
        QCOMPARE(review.list().counts().accepted, int64_t{0});
        review.setLayer(first);
        QCOMPARE(review.list().counts().accepted, int64_t{1});
    }
    void catalogOfVerdictsTellsItsOrigin() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(20), "c", {}));
        for (const int64_t row : {2, 5, 9}) {
            review.setCurrent(row);
            review.judge(row == 5 ? Verdict::Rejected : Verdict::Accepted, false);
        }
        bench.session.exporter().exportVerdicts(Verdict::None, bench.path("v.fits"), false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        JobContext job;
        const Catalog back = readCatalog(bench.path("v.fits").toStdString(), job);
        // All rows, decided or not; the column states the verdict.
        QCOMPARE(back.rows(), int64_t{20});
        const auto verdict = back.table.find("VERDICT"), name = back.table.find("NAME");
        QVERIFY(verdict && name && back.table.find("CLASS") && back.table.find("NOTE"));
        const TableColumn& verdicts = back.table.columns[static_cast<size_t>(*verdict)];
        QCOMPARE(verdicts.text(5), std::string("REJECTED"));
        QCOMPARE(verdicts.text(9), std::string("ACCEPTED"));
        QCOMPARE(verdicts.text(3), std::string());
        QCOMPARE(back.table.columns[static_cast<size_t>(*name)].text(9), std::string("star 9"));
        bool tells = false;
        for (const std::string& line : back.table.history)
            tells = tells || line.find("2 accepted, 1 rejected") != std::string::npos;
        QVERIFY(tells);
        QCOMPARE(review.judged(Verdict::Accepted).rows(), int64_t{2});
        // Regions have no columns: label and comments hold the verdict.
        bench.session.exporter().exportVerdicts(Verdict::None, bench.path("v.reg"), false);
        QVERIFY(bench.settle());
        QFile regions(bench.path("v.reg"));
        QVERIFY(regions.open(QIODevice::ReadOnly));
        const QByteArray text = regions.readAll();
        QVERIFY2(text.contains("text={star 5: REJECTED}"), text.constData());
        QVERIFY2(text.contains("2 accepted, 1 rejected"), text.constData());
    }
    void acceptedBecomeALayerAndAMask() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(20), "c", {}));
        for (const int64_t row : {4, 11}) {
            review.setCurrent(row);
            review.judge(Verdict::Accepted, false);
        }
        const auto places = review.judged(Verdict::Accepted);
        bench.session.operations().maskAccepted(
            12.0);  // discs of 2 x 60 arcmin across, as there is no beam
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        const Layer& mask = bench.document().entries().back();
        QVERIFY(mask.map);
        const double radius = 6.0 * 10.0 * kArcmin;
        int64_t bad = 0;
        for (int64_t p = 0; p < mask.map->pixelCount(); ++p) {
            const Vec3 at = directionFromRing(mask.map->nside(), p);
            double least = kPi;
            for (int64_t row = 0; row < places.rows(); ++row)
                least = std::min(least, angularDistance(at, direction(places.at(row))));
            if (std::abs(least - radius) < 1e-9) continue;
            QCOMPARE(mask.map->value(0, p), least < radius ? 0.0 : 1.0);
            bad += least < radius;
        }
        QVERIFY(bad > 0);
    }
    // User changes: a gesture is a step that does not affect verdicts, and belongs to its catalog
    // while another one is reviewed.
    void thresholdsAreUndone() {
        Bench bench;
        SourceReview& review = bench.session.review();
        QUndoStack& history = *bench.document().history().stack();
        const LayerId id = bench.document().addLayer(candidates(60), "c", {});
        const LayerId other = bench.document().addLayer(candidates(30), "d", {});
        review.setLayer(id);
        review.setCurrent(0);
        review.judge(Verdict::Accepted);
        const double least = review.thresholds().value();
        const int steps = history.count();
        for (int i = 1; i <= 5; ++i) review.thresholds().move(least + 0.2 * i);
        review.thresholds().endGesture();
        review.thresholds().move(least + 2.0);
        QCOMPARE(history.count(), steps + 2);
        const size_t few = review.rows().size();
        history.undo();
        QCOMPARE(review.thresholds().value(), least + 1.0);
        QVERIFY(review.rows().size() > few);
        history.undo();
        QCOMPARE(review.thresholds().value(), least);
        QCOMPARE(review.list().counts().accepted, int64_t{1});
        history.redo();
        QCOMPARE(review.thresholds().value(), least + 1.0);
        review.setLayer(other);
        const double its = review.thresholds().value();
        history.undo();
        QCOMPARE(review.thresholds().value(), its);
        history.redo();
        review.setLayer(id);
        QCOMPARE(review.thresholds().value(), least + 1.0);
        review.setLayer(other);
        history.undo();
        review.setLayer(id);
        QCOMPARE(review.thresholds().value(), least);
        review.setLayer(other);
        history.undo();
        review.setLayer(id);
        QCOMPARE(review.list().counts().accepted, int64_t{0});
    }
    void markersFollowVerdicts() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const LayerId id = bench.document().addLayer(candidates(60), "c", {});
        review.setLayer(id);
        const auto count = [&] {
            int64_t all = 0;
            for (const MarkerGroup& group : bench.document().drawings().markerGroups(id))
                all += group.set->size();
            return all;
        };
        QCOMPARE(count(), int64_t{60});
        QCOMPARE(bench.document().drawings().markerGroups(id).size(), size_t{1});
        review.setCurrent(0);
        review.judge(Verdict::Accepted);
        QCOMPARE(bench.document().drawings().markerGroups(id).size(), size_t{2});
        QCOMPARE(bench.document().drawings().markerGroups(id)[1].set->row(0), int64_t{0});
        review.thresholds().set(6.05);
        QCOMPARE(count(), static_cast<int64_t>(review.rows().size()));
        review.setLayer({});
        QVERIFY(bench.settle());
        QCOMPARE(count(), int64_t{60});
    }
    // Dips of 10 sigma beside a source of 50 sigma are not counted; isolated ones are.
    void falseMaximaLeaveOutDips() {
        constexpr int64_t nside = 32;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)), 0.0F);
        const int64_t bright = 4000, lonely = 9000, shallow = 700;
        values[static_cast<size_t>(lonely)] = -4.5F;
        values[static_cast<size_t>(shallow)] = -3.0F;
        // Deepest at the first one, less deep in both directions.
        const auto around = neighbors(nside, Ordering::Ring, bright);
        for (size_t k = 0; k < around.size(); ++k)
            values[static_cast<size_t>(around[k])] =
                -11.0F + 0.1F * static_cast<float>(std::min(k, around.size() - k));
        const HealpixMap snr(nside, Ordering::Ring, Frame::Galactic,
                             {field("SNR", std::move(values))});
        Catalog catalog = *candidates(2);
        const LonLat at = lonLat(directionFromRing(nside, bright));
        std::get<std::vector<double>>(catalog.table.columns[0].values)[0] = at.lon / kDegree;
        std::get<std::vector<double>>(catalog.table.columns[1].values)[0] = at.lat / kDegree;
        JobContext job;
        const auto set = MarkerSet::build(catalog, job);
        const double beam = 2.0 * kDegree;
        QCOMPARE(falseMaxima(snr, *set, {50.0F, 3.0F}, 3.5, 5.0, beam, job),
                 (std::vector<float>{4.5F}));
        // Without a real source there, the dip counts as a maximum of the inverted map.
        QCOMPARE(falseMaxima(snr, *set, {4.0F, 3.0F}, 3.5, 5.0, beam, job),
                 (std::vector<float>{11.0F, 4.5F}));
    }
    // Partners appear and disappear with the other catalog, and are included in the list and in
    // exports.
    void matchesWithAnotherCatalog() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto own = candidates(50);
        review.setLayer(bench.document().addLayer(own, "own", {}));
        // The same positions slightly farther north, except for two, with a name each.
        Catalog other = *candidates(50);
        auto& lat = std::get<std::vector<double>>(other.table.columns[1].values);
        for (double& value : lat) value += value < 89.0 ? 0.01 : -0.01;
        lat[7] = lat[7] > 0.0 ? -80.0 : 80.0;
        const LayerId with =
            bench.document().addLayer(std::make_shared<const Catalog>(other), "other", {});
        CandidateMatch match;
        match.layer = with;
        match.radius = kArcmin;
        review.partners().setMatch(match);
        QVERIFY(bench.settle());
        QVERIFY(review.partners().count() >= 48);
        QVERIFY(!review.partners().partner(7) || review.partners().partner(7)->row != 7);
        QVERIFY(review.partners().partner(3) && review.partners().partner(3)->row == 3);
        // Unit vectors round by 1e-16; the difference of two of them is the separation, up to 1e-15
        // rad.
        QVERIFY(std::abs(review.partners().partner(3)->separation - 0.01 * kDegree) < 1e-9);
        QVERIFY2(review.partners().text(3).contains("star 3"),
                 qPrintable(review.partners().text(3)));
        const auto isListed = [&](int64_t row) { return review.list().placeOf(row) >= 0; };
        const auto links = review.partners().links(1000, isListed);
        QCOMPARE(static_cast<int64_t>(links.size()), review.partners().count());
        for (const auto& [from, to] : links) QVERIFY(angularDistance(from, to) < kArcmin);
        // Sorted by separation, rows without a partner last.
        review.list().sortBy(CandidateRows::MatchColumn, Qt::AscendingOrder);
        QVERIFY(review.partners().partner(review.rows().front()));
        QVERIFY(!review.partners().partner(review.rows().back()));
        review.setCurrent(3);
        review.judge(Verdict::Accepted);
        const Catalog home = review.judged(Verdict::Accepted);
        QCOMPARE(home.rows(), int64_t{1});
        const auto name = home.table.find("XID"), apart = home.table.find("XSEP");
        QVERIFY(name && apart && home.table.find("P_CHANCE"));
        QCOMPARE(home.table.columns[static_cast<size_t>(*name)].text(0), std::string("star 3"));
        // The separation is 36 arcsec; 1e-3 arcsec is 5e-9 rad, far above the rounding of unit
        // vectors.
        QVERIFY(std::abs(home.table.columns[static_cast<size_t>(*apart)].number(0) - 36.0) < 1e-3);
        // By errors, which neither catalog has: reported, and nothing else changes.
        QSignalSpy failed(&review.partners(), &CandidatePartners::failed);
        match.radius.reset();
        review.partners().setMatch(match);
        QVERIFY(bench.settle());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains("POS_ERR"));
        match.radius = kArcmin;
        review.partners().setMatch(match);
        QVERIFY(bench.settle());
        bench.document().removeLayer(with);
        QCOMPARE(review.partners().match().layer, LayerId());
        QCOMPARE(review.partners().count(), int64_t{0});
        bench.document().history().stack()->undo();
    }
    // Two pixels of the same depth side by side are one maximum, as in the search.
    void equalNeighborsAreOneFalseMaximum() {
        constexpr int64_t nside = 32;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)), 0.0F);
        values[5000] = values[5001] = -6.0F;
        const auto beside = neighbors(nside, Ordering::Ring, 5000);
        QVERIFY(std::find(beside.begin(), beside.end(), 5001) != beside.end());
        const HealpixMap snr(nside, Ordering::Ring, Frame::Galactic,
                             {field("SNR", std::move(values))});
        JobContext job;
        const auto set = MarkerSet::build(*candidates(2), job);
        QCOMPARE(falseMaxima(snr, *set, {3.0F, 3.0F}, 3.5, 5.0, kDegree, job),
                 (std::vector<float>{6.0F}));
    }
    // The search's own count takes precedence: dips that a filter leaves far from sources of
    // thousands of sigma are maxima of its inverted map, but not noise.
    void falseOnesAreThoseOfTheSearch() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
        const Recipe recipe = recipeOfSources(map);
        bench.document().addLayer(snrWithDip(-600.0F), "snr", recipe, map);
        Catalog catalog = *candidates(10);
        TableColumn counts;
        counts.name = "N_FALSE";
        // The least significant three rows have counts of 1, 1 and 4 at their significance or
        // above.
        std::vector<int64_t> numbers(10, 0);
        const TableColumn& column =
            catalog.table.columns[static_cast<size_t>(*catalog.table.find("SNR"))];
        std::vector<std::pair<double, size_t>> order;
        for (size_t row = 0; row < 10; ++row)
            order.emplace_back(column.number(static_cast<int64_t>(row)), row);
        std::sort(order.begin(), order.end());
        numbers[order[0].second] = 4;
        numbers[order[1].second] = numbers[order[2].second] = 1;
        counts.values = std::move(numbers);
        catalog.table.columns.push_back(std::move(counts));
        review.setLayer(bench.document().addLayer(
            std::make_shared<const Catalog>(std::move(catalog)), "c", recipe, map));
        QVERIFY(bench.settle());
        QVERIFY(review.falseCandidates().above(0.0).has_value());
        QCOMPARE(*review.falseCandidates().above(order[0].first - 0.01), int64_t{4});
        QCOMPARE(*review.falseCandidates().above(order[1].first - 1e-4), int64_t{1});
        QCOMPARE(*review.falseCandidates().above(order[3].first - 1e-4), int64_t{0});
    }
    // A count of a file that is negative, or above the number of pixels, is ignored: the
    // maxima of the map are counted.
    void impossibleFalseCandidates() {
        const auto countedWith = [](std::optional<int64_t> number) {
            Bench bench;
            SourceReview& review = bench.session.review();
            const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
            const Recipe recipe = recipeOfSources(map);
            bench.document().addLayer(snrWithDip(-6.0F), "snr", recipe, map);
            Catalog catalog = *candidates(10);
            TableColumn counts;
            counts.name = "N_FALSE";
            counts.values = std::vector<int64_t>(10, number.value_or(0));
            if (number) catalog.table.columns.push_back(std::move(counts));
            review.setLayer(bench.document().addLayer(
                std::make_shared<const Catalog>(std::move(catalog)), "c", recipe, map));
            return bench.settle() ? review.falseCandidates().above(0.0) : std::nullopt;
        };
        const auto expected = countedWith(std::nullopt);
        QVERIFY(expected.has_value());
        for (const int64_t number : {std::numeric_limits<int64_t>::max(), int64_t{-1}})
            QCOMPARE(countedWith(number), expected);
    }
    void stoppedFalseCandidatesAreLookedForAgain() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
        const Recipe recipe = recipeOfSources(map);
        bench.document().addLayer(snrWithDip(-6.0F), "snr", recipe, map);
        review.setLayer(bench.document().addLayer(candidates(10), "c", recipe, map));
        bench.session.jobs().cancelAll();
        QVERIFY(bench.settle());
        QVERIFY(!review.falseCandidates().above(4.0));
        bench.document().addLayer(noiseMap(4), "another", {});
        QVERIFY(bench.settle());
        QVERIFY(review.falseCandidates().above(4.0).has_value());
    }
    // If two decisions claim one row, the nearer one counts, in either direction of the history.
    void aStepOfTheHistoryFreesItsRow() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto catalog = candidates(40);
        const LayerId id = bench.document().addLayer(catalog, "c", {});
        review.setLayer(id);
        VerdictBook& book = bench.session.verdicts();
        Judgement beside;
        beside.subject = id;
        LonLat at = catalog->at(3);
        at.lat += 0.2 * kArcmin;
        beside.place = direction(at);
        beside.frame = catalog->frame();
        beside.verdict = Verdict::Rejected;
        book.write("beside", {beside});
        QCOMPARE(review.list().counts().rejected, int64_t{1});
        Judgement on = beside;
        on.place = direction(catalog->at(3));
        on.verdict = Verdict::Accepted;
        book.write("on", {on});
        QCOMPARE(review.judgement(3)->verdict, Verdict::Accepted);
        QCOMPARE(review.list().counts().rejected, int64_t{0});
        QCOMPARE(review.verdicts().orphans().size(), size_t{1});
        QUndoStack& undo = *bench.document().history().stack();
        undo.undo();
        QCOMPARE(review.judgement(3)->verdict, Verdict::Rejected);
        QCOMPARE(review.verdicts().orphans().size(), size_t{0});
        undo.redo();
        QCOMPARE(review.judgement(3)->verdict, Verdict::Accepted);
        QCOMPARE(review.verdicts().orphans().size(), size_t{1});
        // A decision without a row also appears and disappears.
        Judgement away = on;
        away.place = -1.0 * on.place;
        book.write("away", {away});
        const size_t before = review.verdicts().orphans().size();
        undo.undo();
        QCOMPARE(review.verdicts().orphans().size(), before - 1);
        undo.undo();
        undo.undo();
        QVERIFY(review.judgement(3) == nullptr);
        QCOMPARE(review.list().counts().orphans, int64_t{0});
    }
    // A job assigns positions; until then no row can be decided, because it might be decided twice.
    void manyRowsAreTakenInAJob() {
        Bench bench;
        SourceReview& review = bench.session.review();
        const auto catalog = candidates(300000);
        const LayerId id = bench.document().addLayer(catalog, "c", {});
        Judgement before;
        before.subject = id;
        before.place = direction(catalog->at(1000));
        before.frame = catalog->frame();
        before.verdict = Verdict::Rejected;
        bench.session.verdicts().write("before", {before});
        review.setLayer(id);
        review.setCurrent(1000);
        review.judge(Verdict::Accepted, false);
        QCOMPARE(bench.session.verdicts().all().size(), size_t{1});
        QCOMPARE(bench.errors.size(), 1);
        bench.session.jobs().cancelAll();
        QVERIFY(bench.settle());
        review.judge(Verdict::Accepted, false);  // checks again
        QVERIFY(bench.settle());
        QVERIFY(review.judgement(1000));
        QCOMPARE(review.judgement(1000)->verdict, Verdict::Rejected);
        review.judge(Verdict::Accepted, false);
        QCOMPARE(review.judgement(1000)->verdict, Verdict::Accepted);
        QCOMPARE(bench.session.verdicts().all().size(), size_t{1});
        QVERIFY(bench.settle());
    }
    // A key over many decisions.
    void oneVerdictOfMany() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(100000), "c", {}));
        QVERIFY(bench.settle());
        review.judgeAll(Verdict::Unsure);
        QVERIFY(bench.settle());
        review.setCurrent(50);
        review.judge(Verdict::Accepted, false);
        QVERIFY(bench.settle());
        QCOMPARE(review.list().counts().accepted, int64_t{1});
        QCOMPARE(review.list().counts().unsure, int64_t{99999});
    }
    // The calls of a slider at each step.
    void aHundredThousandRowsFollowTheSlider() {
        Bench bench;
        SourceReview& review = bench.session.review();
        review.setLayer(bench.document().addLayer(candidates(100000), "c", {}));
        for (int step = 0; step < 20; ++step) review.thresholds().set(1000.0 + 10.0 * step);
        review.list().sortBy(CandidateRows::DecisionColumns + 3, Qt::DescendingOrder);
        QVERIFY(bench.settle());
        QCOMPARE(static_cast<int64_t>(review.rows().size()), review.list().counts().candidates);
    }
};

QTEST_GUILESS_MAIN(SourceReviewTest)
#include "tst_source_review.moc"
