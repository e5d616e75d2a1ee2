// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a sky view that need no window: panels, ruler, veil, places with data.
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "armilla/core/frames.h"
#include "armilla/core/units.h"
#include "armilla/session/document.h"
#include "armilla/ui/sky_decorations.h"
#include "view/picture_marks.h"
#include "view/sky_ruler.h"
#include "view/sky_veil.h"
#include "view/view_contents.h"

using namespace armilla;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const HealpixMap> mapOf(std::vector<double> values) {
    const auto nside = static_cast<int64_t>(std::lround(std::sqrt(values.size() / 12.0)));
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, Frame::Galactic,
                                              std::vector<Field>{{"W", "", {}, std::move(values)}});
}

}  // namespace

class TestSkyParts : public QObject {
    Q_OBJECT
private slots:
    // Two contents share the first panel on both sides of a divider; the third has its own panel.
    void contentsOfPanels() {
        const QRect whole(0, 0, 200, 100);
        const std::vector<PanelContent> contents{{0, {}, 0, whole, 0.0, 0.25},
                                                 {1, {}, 0, whole, 0.25, 1.0},
                                                 {0, {}, 1, QRect(200, 0, 100, 100)}};
        QCOMPARE(contentAt(contents, {49.0, 50.0}), &contents[0]);
        QCOMPARE(contentAt(contents, {51.0, 50.0}), &contents[1]);
        QCOMPARE(contentAt(contents, {250.0, 50.0}), &contents[2]);
        QVERIFY(!contentAt(contents, {50.0, 150.0}));
        const Document document;
        std::vector<const PanelContent*> first;
        ViewContents{document, contents, {}}.forEachPanel(
            [&](const PanelContent& content) { first.push_back(&content); });
        QCOMPARE(first, (std::vector<const PanelContent*>{&contents[0], &contents[2]}));
    }
    // The ruler stays at the Galactic center (IAU 1958: 17h45m37.2s -28d56m10s in J2000) when the
    // view changes to equatorial coordinates.
    void rulerStaysOnTheSky() {
        SkyRuler ruler;
        ruler.start(0, {1.0, 0.0, 0.0}, Frame::Galactic);
        QVERIFY(ruler.isDragged());
        ruler.drag({0.0, 1.0, 0.0});
        ruler.finish();
        QVERIFY(!ruler.isDragged());
        QCOMPARE(*ruler.angle(), kHalfPi);
        ruler.follow(Frame::Equatorial);
        const LonLat from = lonLat(ruler.shown()->from);
        // The position above has an arc second.
        QVERIFY(std::abs(from.lon / kDegree - (266.0 + 24.3 / 60.0)) < 1.0 / 3600.0);
        QVERIFY(std::abs(from.lat / kDegree + (28.0 + 56.0 / 60.0 + 10.0 / 3600.0)) < 1.0 / 3600.0);
        // A rotation keeps the angle to rounding.
        QVERIFY(std::abs(*ruler.angle() - kHalfPi) < 1e-14);
        ruler.follow(Frame::Unknown);
        QVERIFY(!ruler.shown());
    }
    void aRulerWithoutLengthGoes() {
        SkyRuler ruler;
        ruler.start(0, {1.0, 0.0, 0.0}, Frame::Galactic);
        ruler.finish();
        QVERIFY(!ruler.shown());
        ruler.start(0, {1.0, 0.0, 0.0}, Frame::Galactic);
        ruler.clear();
        QVERIFY(!ruler.isDragged());
        QVERIFY(!ruler.angle());
    }
    // Weight 0 takes 45 % of the color, weight 1 none. The image is kept until its view changes.
    void veilOfAMask() {
        const std::vector<PanelContent> contents{{0, {}, 0, QRect(0, 0, 64, 64)}};
        const Document document;
        ViewContents view{document, contents, {}};
        view.camera.frame = Frame::Galactic;
        SkyVeil veil;
        OverlayScene scene;
        veil.addTo(scene, view, {}, Qt::red);
        QVERIFY(scene.shades.empty());
        const SkyDecorations::Veil cut{mapOf(std::vector<double>(12, 0.0))};
        veil.addTo(scene, view, cut, Qt::red);
        veil.addTo(scene, view, cut, Qt::red);
        veil.addTo(scene, view, cut, Qt::blue);
        QCOMPARE(scene.shades.size(), size_t(3));
        const QImage image = scene.shades[0].image;
        QCOMPARE(qAlpha(image.pixel(image.width() / 2, image.height() / 2)), 115);  // 0.45 * 255
        QCOMPARE(scene.shades[1].image.cacheKey(), image.cacheKey());
        QVERIFY(scene.shades[2].image.cacheKey() != image.cacheKey());
        veil.addTo(scene, view, {mapOf(std::vector<double>(12, 1.0))}, Qt::red);
        const QImage clear = scene.shades[3].image;
        QCOMPARE(qAlpha(clear.pixel(clear.width() / 2, clear.height() / 2)), 0);
        // No rotation leads from an unknown frame to a known one.
        view.camera.frame = Frame::Unknown;
        veil.addTo(scene, view, cut, Qt::red);
        QCOMPARE(scene.shades.size(), size_t(4));
    }
    // Each change is reported once; content that is absent anyway changes nothing.
    void decorationsReportChanges() {
        SkyDecorations decorations;
        QSignalSpy changed(&decorations, &SkyDecorations::changed);
        QSignalSpy pictures(&decorations, &SkyDecorations::pictureChanged);
        decorations.setPreview(std::nullopt);
        decorations.setContours(std::nullopt);
        decorations.setVeil(nullptr);
        decorations.setLines(QStringLiteral("none"), {});
        QCOMPARE(changed.size() + pictures.size(), 0);
        decorations.setPreview(SkyPreview());
        QCOMPARE(changed.size(), 1);
        QCOMPARE(pictures.size(), 1);
        decorations.setLiveRegion({});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(pictures.size(), 2);
        const auto mask = mapOf(std::vector<double>(12, 0.0));
        decorations.setVeil(mask, true);
        decorations.setVeil(mask, true);
        QCOMPARE(changed.size(), 2);
        QVERIFY(decorations.veil().isOfView);
        decorations.setLines(QStringLiteral("a"), {SkyLine()});
        decorations.setLines(QStringLiteral("b"), {SkyLine(), SkyLine()});
        decorations.setLines(QStringLiteral("a"), {});
        QCOMPARE(changed.size(), 5);
        QCOMPARE(decorations.lines().size(), size_t(1));
        QCOMPARE(decorations.lines().at(QStringLiteral("b")).size(), size_t(2));
    }
    // Only the first pixel of the map has a value.
    void placesWithoutDataMove() {
        std::vector<double> values(12 * 16, kNan);
        values[0] = 1.0;
        const auto map = mapOf(values);
        Document document;
        const auto id = document.addLayer(map, QStringLiteral("m"), {});
        DataPlace data;
        SkyCursor place{{id, 0, Quantity::Field}, {0.0, 0.0, -1.0}, Frame::Galactic, {}};
        data.moveToData(document, place);
        QCOMPARE(map->pixelAt(place.direction), int64_t(0));
        // A position with a value stays.
        const Vec3 there = normalized(place.direction + Vec3{1e-3, 0.0, 0.0});
        place.direction = there;
        data.moveToData(document, place);
        QCOMPARE(place.direction.x, there.x);
    }
};

QTEST_MAIN(TestSkyParts)
#include "tst_sky_parts.moc"
