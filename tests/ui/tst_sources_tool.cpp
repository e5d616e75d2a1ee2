// SPDX-License-Identifier: GPL-3.0-or-later
// The Sources tool in the window, driven by keys: search, threshold, verdicts, undo, stamps.
// ARMILLA_SHOTS, ARMILLA_SHOTS_MAP, ARMILLA_SHOTS_FWHM: screenshots of a map.
#include <QAction>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <cmath>
#include <numeric>
#include <random>

#include "armilla/core/pixel_queries.h"
#include "armilla/core/view_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "session/layer_samples.h"
#include "tools/candidate_list.h"
#include "tools/sources_panel.h"
#include "tools/stamp_grid.h"
#include "tools/stamp_strip.h"
#include "tools/stamps.h"
#include "tools/threshold_histogram.h"
#include "view/picture.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kBeam = 2.0 * kDegree;
constexpr int kSources = 40;

// White noise of deviation 1 and sources of 12 to 51 with a Gaussian beam, fixed seed.
HealpixMap skyWithSources(int64_t nside) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    Field field;
    field.name = "TEMPERATURE";
    field.unit = "uK";
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) value = normal(random);
    const double sigma = kBeam / std::sqrt(8.0 * std::log(2.0));
    for (int i = 0; i < kSources; ++i) {
        const Vec3 at = direction({kPi * even(random), std::asin(even(random))});
        for (const PixelRange& range : queryDisc(nside, Ordering::Ring, at, 3.0 * kBeam))
            for (int64_t p = range.begin; p < range.end; ++p) {
                const double r = angularDistance(at, directionFromRing(nside, p));
                values[static_cast<size_t>(p)] +=
                    static_cast<float>((12.0 + i) * std::exp(-0.5 * r * r / (sigma * sigma)));
            }
    }
    field.values = std::move(values);
    return HealpixMap(nside, Ordering::Ring, Frame::Galactic, {std::move(field)});
}

}  // namespace

class TestSourcesTool : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void showingKeepsWhatIsAwaited();
    void stampsShowTheMap();
    void stampsHaveThePixelOfEachPoint();
    void profileIsThatOfTheBeam_data();
    void profileIsThatOfTheBeam();
    void profileTakesAPartOfManyPixels();
    void stampsFollowTheMap();
    void profileGoesWithItsBeam();
    void goesThroughCandidatesByKey();

private:
    void undoLeavesLooksAlone(QWidget* hand);
};

void TestSourcesTool::initTestCase() {
    prepareSettings();
}

// While its catalog is still being read the tool may be opened with another layer active.
void TestSourcesTool::showingKeepsWhatIsAwaited() {
    openWindow();
    Document& document = window_->session().document();
    const LayerId other = document.addLayer(sampleLayer(LayerKind::Catalog), "other", {});
    document.setActive(other);
    SourceReview& review = window_->session().review();
    const LayerId awaited(other.number() + 1);
    review.resume(awaited);
    qApp->sendEvent(window_->findChild<SourcesPanel*>(), std::make_unique<QShowEvent>().get());
    QCOMPARE(review.awaited(), awaited);
    document.addLayer(sampleLayer(LayerKind::Catalog), "awaited", {});
    QCOMPARE(review.layer(), awaited);
    // The search is folded while there are candidates to go through, and back after the last.
    QToolButton* fold = nullptr;
    for (auto* each : window_->findChild<SourcesPanel*>()->findChildren<QToolButton*>())
        if (each->text() == QLatin1String("Find candidates")) fold = each;
    QVERIFY(fold && !fold->isChecked());
    window_->closeAll();
    QTRY_VERIFY_WITH_TIMEOUT(!review.layer().isValid(), kPatience);
    QVERIFY(fold->isChecked());
    closeWindow();
}

// Each point of a stamp is the map's pixel there. North is up and east to the left, in the frame of
// the position for any frame of the map.
void TestSourcesTool::stampsShowTheMap() {
    const HealpixMap map = skyWithSources(64);
    StampPlace place{direction({1.2, 0.4}), Frame::Equatorial, 5.0 * kDegree};
    constexpr int kSide = 41;
    const auto values = stampValues(map, 0, place, kSide);
    const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
    QCOMPARE(values[kSide * (kSide / 2) + kSide / 2],
             static_cast<float>(map.value(0, map.pixelAt(turn * place.center))));
    // Half a degree below the upper edge, and from the left one: gnomonic, so nearly an angle.
    const auto at = [&](double east, double north) {
        const Vec3 e = normalized(Vec3{-place.center.y, place.center.x, 0.0});
        const Vec3 n = cross(place.center, e);
        return turn * normalized(place.center + std::tan(east) * e + std::tan(north) * n);
    };
    const double half = std::tan(place.halfWidth);
    const auto pixelAt = [&](int column, int row) {
        return at(std::atan(half * (1.0 - 2.0 * (column + 0.5) / kSide)),
                  std::atan(half * (1.0 - 2.0 * (row + 0.5) / kSide)));
    };
    for (const auto& [column, row] : {std::pair{2, 20}, std::pair{20, 2}, std::pair{33, 7}})
        QCOMPARE(values[static_cast<size_t>(row * kSide + column)],
                 static_cast<float>(map.value(0, map.pixelAt(pixelAt(column, row)))));
    const QImage image = stampImage(values, kSide, ColorScale{});
    QCOMPARE(image.size(), QSize(kSide, kSide));
}

// Most points get their pixel from parabolas between a few computed ones. At poles, at the edge of
// the caps, and at the corners of faces this is the pixel of each point, for full and partial maps.
void TestSourcesTool::stampsHaveThePixelOfEachPoint() {
    constexpr int64_t kNside = 32;
    std::vector<float> numbers(static_cast<size_t>(pixelCount(kNside)));
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    std::vector<int64_t> half;
    for (int64_t pixel = 0; pixel < pixelCount(kNside); pixel += 2) half.push_back(pixel);
    std::vector<float> few(half.begin(), half.end());
    const auto field = [](std::vector<float> values) {
        Field made;
        made.name = "N";
        made.values = std::move(values);
        return made;
    };
    const HealpixMap maps[] = {
        HealpixMap(kNside, Ordering::Ring, Frame::Galactic, {field(numbers)}),
        HealpixMap(kNside, Ordering::Nested, Frame::Galactic, {field(numbers)}),
        HealpixMap::partial(kNside, Ordering::Ring, Frame::Galactic, half, {field(few)})};
    const double pixel = std::sqrt(kPi / 3.0) / kNside;
    const LonLat places[] = {{0.3, 0.5 * kPi},         {1.0, 0.5 * kPi - 0.01},
                             {2.0, -0.5 * kPi + 0.02}, {0.003, std::asin(2.0 / 3.0)},
                             {0.787, 0.001},           {5.1, -0.4}};
    int side = 60, beside = 0, all = 0;
    for (const HealpixMap& map : maps)
        for (const LonLat& place : places)
            for (const double pixels : {1.0, 3.0, 9.0, 15.0}) {
                ++side;  // blocks end at all positions
                const StampPlace stamp{direction(place), Frame::Galactic, pixels * pixel};
                const auto values = stampValues(map, 0, stamp, side);
                // With the same rounding: points may lie on a side of a pixel.
                ViewGeometry view;
                view.projection = Projection::Gnomonic;
                view.width = view.height = side;
                view.radiansPerPixel = 2.0 * std::tan(stamp.halfWidth) / side;
                view.skyFromView = skyFromViewRotation(lonLat(stamp.center), 0.0);
                for (int row = 0; row < side; ++row)
                    for (int column = 0; column < side; ++column) {
                        const float found = values[static_cast<size_t>(row * side + column)];
                        const auto isAt = [&](double across, double down) {
                            Vec3 sky;
                            if (!skyFromImage(view, column + 0.5 + across, row + 0.5 + down, sky))
                                return false;
                            const auto wanted = static_cast<float>(map.value(0, map.pixelAt(sky)));
                            return found == wanted || (std::isnan(found) && std::isnan(wanted));
                        };
                        // A parabola is off by a thousandth of a point where tested, elsewhere by
                        // little more.
                        constexpr double kMissed = 0.005;
                        QVERIFY2(isAt(0.0, 0.0) || isAt(kMissed, 0.0) || isAt(-kMissed, 0.0) ||
                                     isAt(0.0, kMissed) || isAt(0.0, -kMissed),
                                 qPrintable(QStringLiteral("%1 %2: %3")
                                                .arg(row)
                                                .arg(column)
                                                .arg(static_cast<double>(found))));
                        if (!isAt(0.0, 0.0)) ++beside;
                        ++all;
                    }
            }
    // Rare at all.
    QVERIFY2(beside < all / 10000, qPrintable(QString::number(beside)));
}

void TestSourcesTool::profileIsThatOfTheBeam_data() {
    QTest::addColumn<int>("nside");
    QTest::addColumn<double>("beam");
    QTest::newRow("every pixel") << 128 << 2.0 * kDegree;
    QTest::newRow("a part") << 256 << 16.0 * kDegree;
}

void TestSourcesTool::profileIsThatOfTheBeam() {
    QFETCH(int, nside);
    QFETCH(double, beam);
    const int64_t kNside = nside;
    const double kBeam = beam;
    const Vec3 center = directionFromRing(kNside, 50000);
    Field field;
    field.name = "T";
    std::vector<double> values(static_cast<size_t>(pixelCount(kNside)));
    const double sigma = kBeam / std::sqrt(8.0 * std::log(2.0));
    for (int64_t p = 0; p < pixelCount(kNside); ++p) {
        const double r = angularDistance(center, directionFromRing(kNside, p));
        values[static_cast<size_t>(p)] = 5.0 + 10.0 * std::exp(-0.5 * r * r / (sigma * sigma));
    }
    field.values = std::move(values);
    const HealpixMap map(kNside, Ordering::Ring, Frame::Galactic, {std::move(field)});
    const StampProfile profile = radialProfile(map, 0, center, kBeam);
    // At two beams a Gaussian has 2^-16 of its peak left.
    QVERIFY(std::abs(profile.background - 5.0) < 10.0 * std::exp2(-16));
    QVERIFY(std::abs(profile.peak - 10.0) < 1e-3);
    QVERIFY(profile.radius.size() > 8);
    for (size_t i = 0; i < profile.radius.size(); ++i) {
        const double r = profile.radius[i];
        // A ring is a quarter of a beam wide. The mean of a curve differs from the curve at the
        // mean radius by a limited amount. The limit is half the second derivative (peak / sigma^2
        // or less) times the variance of the radius, at most width^2 / 4.
        const double width = 0.25 * kBeam;
        const double limit = 0.5 * 10.0 / (sigma * sigma) * width * width / 4.0;
        const double wanted = 5.0 + 10.0 * std::exp(-0.5 * r * r / (sigma * sigma));
        QVERIFY(std::abs(profile.mean[i] - wanted) < limit);
    }
}

// Values of 1 and -1: the error of a mean of n is 1 / sqrt(n - 1), which reveals n.
void TestSourcesTool::profileTakesAPartOfManyPixels() {
    constexpr int64_t kNside = 512;
    std::mt19937 random(5);
    Field field;
    field.name = "T";
    std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
    for (float& value : values) value = random() % 2 == 0 ? 1.0F : -1.0F;
    field.values = std::move(values);
    const HealpixMap map(kNside, Ordering::Ring, Frame::Galactic, {std::move(field)});
    const StampProfile profile = radialProfile(map, 0, Vec3{1.0, 0.0, 0.0}, 10.0 * kDegree);
    double taken = 0.0;
    for (const double error : profile.error) taken += 1.0 / (error * error);
    // The disc has 210,000.
    QVERIFY2(taken > 10000.0 && taken < 22000.0, qPrintable(QString::number(taken)));
    QCOMPARE(profile.radius.size(), size_t{12});
}

namespace {

std::shared_ptr<const HealpixMap> slope(Vec3 along) {
    std::vector<float> values(static_cast<size_t>(pixelCount(16)));
    for (int64_t p = 0; p < pixelCount(16); ++p)
        values[static_cast<size_t>(p)] = static_cast<float>(dot(along, directionFromRing(16, p)));
    Field field;
    field.name = "T";
    field.values = std::move(values);
    return std::make_shared<const HealpixMap>(16, Ordering::Ring, Frame::Galactic,
                                              std::vector<Field>{std::move(field)});
}

std::shared_ptr<const Catalog> fewPlaces() {
    Catalog catalog;
    catalog.table.frame = Frame::Galactic;
    for (const auto& [name, values] : {std::pair{"GLON", std::vector<double>{10.0, 80.0, 200.0}},
                                       std::pair{"GLAT", std::vector<double>{-30.0, 5.0, 60.0}}}) {
        TableColumn column;
        column.name = name;
        column.unit = "deg";
        column.values = values;
        catalog.table.columns.push_back(std::move(column));
    }
    catalog.position = findPositions(catalog.table).value();
    return std::make_shared<const Catalog>(std::move(catalog));
}

}  // namespace

void TestSourcesTool::stampsFollowTheMap() {
    Session session({inFolder(QStringLiteral("a.conf")), inFolder("a")});
    Document& document = session.document();
    const LayerId first = document.addLayer(slope({0.0, 0.0, 1.0}), QStringLiteral("first"), {});
    const LayerId second = document.addLayer(slope({0.0, 1.0, 0.0}), QStringLiteral("second"), {});
    document.view().setShown({first, 0, Quantity::Field});
    session.review().setLayer(document.addLayer(fewPlaces(), QStringLiteral("c"), {}));
    document.view().setShown({first, 0, Quantity::Field});
    StampGrid grid(document, session.review());
    grid.resize(400, 300);
    grid.show();
    QTRY_COMPARE_WITH_TIMEOUT(grid.readyCount(), 3, kPatience);
    const QImage before = grid.grab().toImage();
    document.view().setShown({second, 0, Quantity::Field});
    QTRY_VERIFY_WITH_TIMEOUT(grid.grab().toImage() != before && grid.readyCount() == 3, kPatience);
    document.view().setShown({first, 0, Quantity::Field});
    QTRY_VERIFY_WITH_TIMEOUT(grid.grab().toImage() == before, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(session.jobs().isIdle(), kPatience);
}

// The same catalog as a layer without a search: no beam is painted.
void TestSourcesTool::profileGoesWithItsBeam() {
    Session session({inFolder(QStringLiteral("b.conf")), inFolder("b")});
    Document& document = session.document();
    SourceReview& review = session.review();
    const LayerId map = document.addLayer(slope({0.0, 0.0, 1.0}), QStringLiteral("m"), {});
    Recipe recipe;
    recipe.kind = RecipeKind::Operation;
    recipe.record = QJsonObject{
        {"operation", "sources"},
        {"version", 1},
        {"parameters", QJsonObject{{"fwhm", 0.1}}},
        {"inputs", QJsonArray{QJsonObject{
                       {"slot", "MAP"}, {"layer", map.number()}, {"fields", QJsonArray{0}}}}}};
    const auto catalog = fewPlaces();
    const LayerId found = document.addLayer(catalog, QStringLiteral("found"), recipe, map);
    const LayerId opened = document.addLayer(catalog, QStringLiteral("opened"), {});
    StampStrip strip(document, review);
    strip.resize(300, 400);
    strip.show();
    review.setLayer(found);
    review.setCurrent(1);
    QTRY_COMPARE_WITH_TIMEOUT(strip.titles().size(), 1, kPatience);
    const int high = strip.heightForWidth(300);
    QVERIFY(!strip.grab().isNull());
    review.setLayer(opened);
    QVERIFY(!review.search().beam);
    QVERIFY(!strip.grab().isNull());
    review.setCurrent(1);
    QTRY_COMPARE_WITH_TIMEOUT(strip.titles().size(), 1, kPatience);
    QVERIFY(strip.heightForWidth(300) < high);  // no profile
    QTRY_VERIFY_WITH_TIMEOUT(session.jobs().isIdle(), kPatience);
}

// View changes after a verdict, by blink or to the next candidate, are no step: undo withdraws the
// verdict.
void TestSourcesTool::undoLeavesLooksAlone(QWidget* hand) {
    Document& document = window_->session().document();
    SourceReview& review = window_->session().review();
    const Shown shown = document.view().shown(), compared = document.view().compared();
    const int steps = document.history().stack()->index();
    const auto steady = [&] { return document.history().stack()->index() == steps; };
    // Close up, so that few other sources are in the picture.
    review.setCurrent(review.rows()[5]);
    const Camera whole = document.view().camera();
    Camera close = whole;
    close.zoom = 60.0;
    close = close.centeredOn(review.catalog()->at(review.current()));
    document.view().glance(close);
    QVERIFY(steady());
    const auto verdict = [&] { return review.judgement(review.rows()[5]); };
    QVERIFY(!verdict());
    const Camera before = document.view().camera();
    QTest::keyClick(hand, Qt::Key_R);
    QTRY_VERIFY_WITH_TIMEOUT(!looksSame(document.view().camera(), before), kPatience);
    QTest::keyClick(hand, Qt::Key_B);
    QCOMPARE(document.view().comparison(), Comparison::Blink);
    QCOMPARE(document.view().compared().entry, review.search().significance);
    QTest::keyClick(hand, Qt::Key_B);
    QCOMPARE(document.view().comparison(), Comparison::Single);
    QVERIFY(document.view().shown() == shown && document.view().compared() == compared);
    QTest::keyClick(hand, Qt::Key_B);
    QVERIFY(verdict());
    QCOMPARE(document.history().stack()->index(), steps + 1);
    document.history().stack()->undo();
    QVERIFY(!verdict());
    QCOMPARE(document.view().comparison(), Comparison::Blink);
    // Another tool has no key that closes it.
    ToolDock* own = window_->panels().rail()->current();
    window_->panels().rail()->open(window_->panels().rail()->tools().front());
    QCOMPARE(document.view().comparison(), Comparison::Single);
    QVERIFY(document.view().shown() == shown && document.view().compared() == compared);
    window_->panels().rail()->open(own);
    document.view().glance(whole);
    QVERIFY(steady());
    hand->setFocus();
}

void TestSourcesTool::goesThroughCandidatesByKey() {
    openWindow();
    QString path = qEnvironmentVariable("ARMILLA_SHOTS_MAP");
    const QString beam = qEnvironmentVariable("ARMILLA_SHOTS_FWHM", QStringLiteral("2deg"));
    const bool own = path.isEmpty();
    if (own) {
        path = inFolder(QStringLiteral("sky.fits"));
        JobContext job;
        writeMap(skyWithSources(64), path.toStdString(), {}, job);
    }
    // Keys belong to the active window.
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_, kPatience));
    window_->openFiles({path});
    waitUntilIdle();
    Document& document = window_->session().document();
    SourceReview& review = window_->session().review();
    SourcesPanel* panel = window_->panels().sources();
    QVERIFY(panel);
    ToolDock* dock = nullptr;
    for (ToolDock* each : window_->panels().rail()->tools())
        if (each->content() == panel) dock = each;
    QVERIFY(dock);
    for (QAction* key : panel->keys())
        QVERIFY(!key->isEnabled());  // without a catalog to decide on
    window_->panels().rail()->open(dock);
    OperationPanel* search = panel->findChild<OperationPanel*>();
    QVERIFY(search);
    QVERIFY(search->setText(QStringLiteral("fwhm"), beam));
    shot(QStringLiteral("sources-1-find"));
    QVERIFY2(search->runButton()->isEnabled(), "the search lacks something");
    const LayerId searched = document.view().shown().entry;
    const int steps = document.history().stack()->count();
    search->runButton()->click();
    waitUntilIdle();
    QCOMPARE(document.history().stack()->count(), steps + 1);
    QVERIFY2(review.layer().isValid(), qPrintable(window_->messages()->lines().join('\n')));
    QCOMPARE(review.search().map, searched);
    QVERIFY(review.search().significance.isValid() && review.search().residual.isValid());
    QCOMPARE(document.view().shown().entry, searched);  // the map stays in the picture
    QVERIFY(review.rows().size() > 5);
    QTRY_VERIFY_WITH_TIMEOUT(
        review.falseCandidates().above(review.thresholds().value()).has_value(), kPatience);
    if (own) {
        review.thresholds().set(5.0);
        QVERIFY(static_cast<int>(review.rows().size()) >= kSources - 2);
        QVERIFY(*review.falseCandidates().above(5.0) <= 2);
        QVERIFY(*review.falseCandidates().above(3.5) > *review.falseCandidates().above(4.5));
    }
    QCOMPARE(review.current(), review.rows().front());
    // A drag on the histogram is one undoable step.
    auto* histogram = window_->findChild<ThresholdHistogram*>();
    const double from = review.thresholds().value();
    QTest::mousePress(histogram, Qt::LeftButton, {}, QPoint(histogram->width() / 2, 20));
    QTest::mouseMove(histogram, QPoint(histogram->width() * 2 / 3, 20));
    QTest::mouseRelease(histogram, Qt::LeftButton, {}, QPoint(histogram->width() * 2 / 3, 20));
    QVERIFY(review.thresholds().value() > from);
    document.history().stack()->undo();
    QCOMPARE(review.thresholds().value(), from);
    QCOMPARE(histogram->threshold(), from);
    QCOMPARE(document.history().stack()->count(), steps + 2);
    // The candidate stays when the list becomes too short for its row.
    const double low = review.thresholds().value();
    const int64_t faint = review.rows().back();
    review.setCurrent(faint);
    review.thresholds().set(review.significance().values()[static_cast<size_t>(review.rows()[2])]);
    QCOMPARE(review.current(), faint);
    review.thresholds().set(low);
    QCOMPARE(review.current(), faint);
    review.setCurrent(review.rows().front());
    shot(QStringLiteral("sources-2-found"));

    auto* list = window_->panels().data()->findChild<CandidateList*>();
    QVERIFY(list && list->isVisible());
    QCOMPARE(list->table()->model()->rowCount(), static_cast<int>(review.rows().size()));
    QStringList titles = panel->stamps()->titles();
    QVERIFY2(titles.size() >= 3, qPrintable(titles.join(',')));
    qInfo("a stamp: %.2f ms", panel->stamps()->millisecondsEach());

    // Keys work with the focus on the sky or in the list.
    window_->skyView()->setFocus();
    const int64_t first = review.current();
    QTest::keyClick(window_, Qt::Key_A);
    QTRY_COMPARE_WITH_TIMEOUT(review.list().counts().accepted, int64_t{1}, kPatience);
    QCOMPARE(review.current(), review.rows()[1]);
    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_R);
    QTRY_COMPARE_WITH_TIMEOUT(review.list().counts().rejected, int64_t{1}, kPatience);
    QTest::keyClick(list->table(), Qt::Key_U);
    QTest::keyClick(list->table(), Qt::Key_4);
    QTest::keyClick(list->table(), Qt::Key_Space);
    QTest::keyClick(list->table(), Qt::Key_Space);
    QTest::keyClick(list->table(), Qt::Key_Backspace);
    QCOMPARE(review.list().counts().unsure, int64_t{1});
    QCOMPARE(review.judgement(review.rows()[3])->group, 4);
    QCOMPARE(review.current(), review.rows()[4]);
    // Letters typed into a note are text.
    QTest::keyClick(list->table(), Qt::Key_N);
    QTRY_VERIFY_WITH_TIMEOUT(panel->noteLine()->hasFocus(), kPatience);
    QTest::keyClicks(panel->noteLine(), QStringLiteral("a ring?"));
    QCOMPARE(panel->noteLine()->text(), QStringLiteral("a ring?"));
    QCOMPARE(review.list().counts().accepted, int64_t{1});
    QTest::keyClick(panel->noteLine(), Qt::Key_Return);
    QCOMPARE(review.judgement(review.rows()[4])->note, QStringLiteral("a ring?"));
    shot(QStringLiteral("sources-3-decided"));
    // The filter line, too.
    list->filterLine()->setFocus();
    QTest::keyClicks(list->filterLine(), QStringLiteral("ring"));
    QCOMPARE(review.rows().size(), size_t{1});
    list->filterLine()->clear();
    QVERIFY(review.rows().size() > 5);
    // Sorting by a column of the catalog.
    const int snr = CandidateRows::DecisionColumns + *review.catalog()->table.find("SNR");
    list->table()->horizontalHeader()->setSortIndicator(snr, Qt::AscendingOrder);
    QVERIFY(review.significance().values()[static_cast<size_t>(review.rows()[0])] <=
            review.significance().values()[static_cast<size_t>(review.rows()[1])]);
    list->table()->horizontalHeader()->setSortIndicator(snr, Qt::DescendingOrder);

    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_G);
    QTRY_VERIFY_WITH_TIMEOUT(list->isGridShown(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(list->grid()->readyCount() > 3, kPatience);
    shot(QStringLiteral("sources-4-grid"));
    undoLeavesLooksAlone(list->grid());

    // Fit: peak, position and shape of the first one, in the panel.
    list->setGridShown(false);
    review.setCurrent(review.rows().front());
    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_F);
    QTRY_VERIFY_WITH_TIMEOUT(panel->fitText().contains(QStringLiteral("Gaussian")), kPatience);
    if (own)
        QVERIFY2(panel->fitText().contains(QStringLiteral("µK")), qPrintable(panel->fitText()));
    shot(QStringLiteral("sources-5-fit"));
    // Without another catalog to match, the tool stays and reports this.
    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_M);
    QCOMPARE(window_->panels().rail()->current(), dock);
    const QStringList told = window_->messages()->lines().filter(QStringLiteral("second catalog"));
    QCOMPARE(told.size(), 1);
    QCOMPARE(review.partners().match().layer, LayerId());
    // Matched with the accepted ones, which have equal positions; and the map without those.
    const LayerId accepted = window_->session().operations().addAccepted();
    QVERIFY(accepted.isValid());
    document.setActive(review.layer());
    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_M);
    waitUntilIdle();
    QCOMPARE(review.partners().match().layer, accepted);
    QCOMPARE(review.partners().count(), int64_t{1});
    // The positions are equal. The limit guards against a match with another source.
    QVERIFY(review.partners().partner(first) &&
            review.partners().partner(first)->separation < 1e-9);
    shot(QStringLiteral("sources-6-match"));
    panel->matchReach()->setText(QStringLiteral("a mile"));
    QTest::keyClick(panel->matchReach(), Qt::Key_Return);
    QVERIFY(review.partners().match().radius.has_value());
    list->table()->setFocus();
    QTest::keyClick(list->table(), Qt::Key_M);
    QCOMPARE(review.partners().match().layer, LayerId());
    const size_t layers = document.entries().size();
    // An export keeps the selection; the accepted rows are a layer already.
    const int64_t looked = review.rows()[2];
    review.setCurrent(looked);
    const auto takeHome = [&](const QString& word) {
        for (QAction* action : panel->findChildren<QAction*>())
            if (action->text().contains(word)) return action->trigger();
    };
    takeHome(QStringLiteral("filled"));
    waitUntilIdle();
    QCOMPARE(document.entries().size(), layers + 1);
    QVERIFY(document.entries().back().map);
    takeHome(QStringLiteral("discs of 2 beams"));
    waitUntilIdle();
    QCOMPARE(document.entries().size(), layers + 2);
    QCOMPARE(review.current(), looked);
    const QString moc = inFolder(QStringLiteral("accepted.txt"));
    window_->session().exporter().exportAcceptedMoc(3.0, moc, true);
    window_->session().exporter().exportVerdicts(Verdict::None, inFolder(QStringLiteral("v.reg")),
                                                 true);
    waitUntilIdle();
    QVERIFY2(QFileInfo(moc).size() > 10, qPrintable(window_->messages()->lines().join('\n')));
    QVERIFY(QFileInfo(inFolder(QStringLiteral("v.reg"))).size() > 10);

    while (review.judgement(first)) document.history().stack()->undo();
    QCOMPARE(review.list().counts().accepted, int64_t{0});
    // In another tool the letters have no effect.
    window_->panels().rail()->open(window_->panels().rail()->tools().front());
    for (QAction* key : panel->keys()) QVERIFY(!key->isEnabled());
    // The window closes only when its jobs have ended.
    closeWindow();
}

QTEST_MAIN(TestSourcesTool)
#include "tst_sources_tool.moc"
