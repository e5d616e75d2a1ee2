// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U in a view of another frame than the map's: picture, colors, read-out.
#include <QtTest>
#include <cmath>

#include "armilla/draw/image_renderer.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/session/exporter.h"
#include "map_work.h"
#include "session_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr Frame kMaps = Frame::Galactic, kViews = Frame::Equatorial;

void lookIn(Document& document, Frame frame) {
    document.view().setCamera(document.view().camera().inFrame(frame));
}

// The drawable of the shown field, once it is in the frame of the view.
std::shared_ptr<const DrawableField> drawn(Bench& bench) {
    const bool settled = bench.settle();
    return settled ? bench.document().drawings().drawable(bench.document().view().shown())
                   : nullptr;
}

}  // namespace

class TurnedFieldsTest : public QObject {
    Q_OBJECT
private slots:
    void whatTurns() {
        const auto map = polarizedMap(4), t = noiseMap(4, {"I"}), q = noiseMap(4, {"Q_STOKES"});
        QCOMPARE(turnedTo(*map, {LayerId(), 0}, kViews), Frame::Unknown);
        QCOMPARE(turnedTo(*map, {LayerId(), 1}, kViews), kViews);
        QCOMPARE(turnedTo(*map, {LayerId(), 2}, kViews), kViews);
        QCOMPARE(turnedTo(*map, {LayerId(), 2}, kMaps), Frame::Unknown);
        QCOMPARE(turnedTo(*map, {LayerId(), 2}, Frame::Unknown), Frame::Unknown);
        QCOMPARE(turnedTo(*map, {LayerId(), 0, Quantity::PolarizationAngle}, kViews), kViews);
        QCOMPARE(turnedTo(*map, {LayerId(), 0, Quantity::PolarizedAmplitude}, kViews),
                 Frame::Unknown);
        QCOMPARE(turnedTo(*noiseMap(4, {"Q", "U"}, Frame::Unknown), {LayerId(), 0}, kViews),
                 Frame::Unknown);
        QVERIFY(!cannotTurn(*map, {LayerId(), 2}, kViews));
        QVERIFY(!cannotTurn(*t, {LayerId(), 0}, kViews));
        QVERIFY(cannotTurn(*q, {LayerId(), 0}, kViews));
        QVERIFY(!cannotTurn(*q, {LayerId(), 0}, kMaps));
        QCOMPARE(turnedTo(*q, {LayerId(), 0}, kViews), Frame::Unknown);
    }
    // The read-out at a pixel equals the drawing of the commands, to the bit.
    void readOutIsWhatIsDrawn() {
        JobContext job;
        const auto map = polarizedMap(8);
        const auto cells = std::make_shared<const HealpixMap>(HealpixMap::multiOrder(
            4, kMaps, {0, 16, 20}, {0, 1, 2},
            {field("Q", {1.0F, 2.0F, 3.0F}), field("U", {0.5F, 0.0F, -1.0F})}));
        for (const auto& [source, of] : {std::pair{map, 1}, {map, 2}, {cells, 0}, {cells, 1}}) {
            const DrawnField turned = drawnField(source, of, kViews, job);
            QVERIFY(turned.isTurned);
            int differ = 0;
            for (int64_t p = 0; p < source->pixelCount(); ++p) {
                const double want = turned.map->value(turned.field, p);
                const double found = shownValueIn(*source, {LayerId(), of}, p, kViews);
                QVERIFY(want == found || (std::isnan(want) && std::isnan(found)));
                differ += std::abs(found - source->value(of, p)) > 1e-3 ? 1 : 0;
            }
            QVERIFY(differ > source->elementCount() / 4);
        }
        // The angle changes by the rotation of the meridians: its Q + iU is that of the rotated
        // pair.
        for (int64_t p = 0; p < map->pixelCount(); ++p) {
            const double angle =
                shownValueIn(*map, {LayerId(), 0, Quantity::PolarizationAngle}, p, kViews);
            QCOMPARE(angle, polarizationAngle(shownValueIn(*map, {LayerId(), 1}, p, kViews),
                                              shownValueIn(*map, {LayerId(), 2}, p, kViews)));
        }
    }
    // The picture of the window equals that of the commands, pixel by pixel, after every change of
    // the frame; so do range and histogram.
    void pictureFollowsTheFrame() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "p.fits")});
        Document& document = bench.document();
        const LayerId id = document.entries()[0].id;
        const auto map = document.entries()[0].map;
        JobContext job;
        for (const Shown& shown : {Shown{id, 1}, Shown{id, 2}})
            for (const Frame frame : {kMaps, kViews, Frame::Ecliptic, kMaps}) {
                document.view().setShown(shown);
                lookIn(document, frame);
                const auto field = drawn(bench);
                QVERIFY(field);
                QCOMPARE(field->turnedTo, frame == kMaps ? Frame::Unknown : frame);
                const DrawnField want = drawnField(map, shown.field, frame, job);
                const MapPyramid pyramid = MapPyramid::build(*want.map, want.field, 16, job);
                const ViewGeometry view = document.view().camera().geometry(200, 100, kMaps);
                const ColorScale& scale = document.drawings().colorScale(shown);
                QCOMPARE(renderImage(*field->pyramid, view, scale, job) ==
                             renderImage(pyramid, view, scale, job),
                         true);
                const Field& values = want.map->field(want.field);
                QCOMPARE(field->sortedSample.size(), static_cast<size_t>(values.size()));
                double largest = -1e9;
                for (int64_t i = 0; i < values.size(); ++i)
                    largest = std::max(largest, values.at(i));
                QCOMPARE(field->statistics.max, largest);
                // Unless chosen by the user, colors follow the drawn values.
                QCOMPARE(scale.mapping.high,
                         defaultColorScale(*field, Quantity::Field).mapping.high);
            }
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void chosenColorsStay() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "p.fits")});
        Document& document = bench.document();
        const Shown shown{document.entries()[0].id, 2};
        document.view().setShown(shown);
        QVERIFY(drawn(bench));
        ColorScale scale = document.drawings().colorScale(shown);
        scale.mapping.high = 7.0F;
        document.drawings().setColorScale(shown, scale);
        lookIn(document, kViews);
        const auto field = drawn(bench);
        QCOMPARE(field->turnedTo, kViews);
        QCOMPARE(document.drawings().colorScale(shown).mapping.high, 7.0F);
        // Histogram equalization uses the drawn values, whoever chose the scale.
        QVERIFY(document.drawings().colorScale(shown).cumulative ==
                defaultColorScale(*field, Quantity::Field).cumulative);
    }
    // The angle is that of the rotated pair; the amplitude does not depend on the meridian.
    void quantitiesOfTheTurnedPair() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "p.fits")});
        Document& document = bench.document();
        const LayerId id = document.entries()[0].id;
        const auto map = document.entries()[0].map;
        lookIn(document, kViews);
        document.view().setShown({id, 0, Quantity::PolarizedAmplitude});
        QCOMPARE(drawn(bench)->turnedTo, Frame::Unknown);
        document.view().setShown({id, 0, Quantity::PolarizationAngle});
        const auto angle = drawn(bench);
        QCOMPARE(angle->turnedTo, kViews);
        JobContext job;
        const MapPyramid plain = MapPyramid::build(
            quantityMap(*drawnField(map, 1, kViews, job).map, 0, Quantity::PolarizationAngle, job),
            0, 16, job);
        for (size_t i = 0; i < plain.level(0).size(); ++i)
            // Both round angles up to 90 degrees by 4e-6 in single precision.
            QVERIFY(std::abs(plain.level(0)[i] - angle->pyramid->level(0)[i]) < 1e-5F);
    }
    // Q without U is drawn unchanged, without waiting.
    void aHalfAloneStays() {
        Bench bench;
        bench.open({bench.write(*noiseMap(16, {"U_STOKES"}), "u.fits")});
        lookIn(bench.document(), kViews);
        const auto field = drawn(bench);
        QCOMPARE(field->turnedTo, Frame::Unknown);
        bench.session.exporter().exportView(bench.path("u_view.fits"), 80, 40, false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains("expected both Q and U"), qPrintable(bench.errors[0]));
    }
    // A file in the IAU convention is read with the opposite sign of U, and rotates accordingly.
    void conventionOfTheFile() {
        Bench bench;
        HealpixMap iau = *polarizedMap(16);
        iau.metadata().iauOnDisk = true;
        bench.open({bench.write(*polarizedMap(16), "c.fits"), bench.write(iau, "i.fits")});
        Document& document = bench.document();
        lookIn(document, kViews);
        std::vector<std::vector<float>> faces;
        for (const int layer : {0, 1}) {
            document.view().setShown({document.entries()[static_cast<size_t>(layer)].id, 2});
            const auto level = drawn(bench)->pyramid->level(0);
            faces.emplace_back(level.begin(), level.end());
        }
        QVERIFY(document.entries()[1].map->metadata().iauOnDisk);
        QVERIFY(faces[0] == faces[1]);
    }
};

QTEST_GUILESS_MAIN(TurnedFieldsTest)
#include "tst_turned_fields.moc"
