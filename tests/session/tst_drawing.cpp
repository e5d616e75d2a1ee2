// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn regions with their outlines and handles, and strokes on masks; with undo, and through a
// session file.
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "armilla/session/region_shape.h"
#include "layer_samples.h"
#include "session_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Region shaped(RegionShape shape, double first, double second = 0.0, double angle = 0.0) {
    Region region;
    region.shape = shape;
    region.frame = Frame::Galactic;
    region.points = {{1.2, 0.5}};
    region.first = first;
    region.second = second;
    region.angle = angle;
    return region;
}

Region polygon() {
    Region region;
    region.shape = RegionShape::Polygon;
    region.frame = Frame::Galactic;
    for (const auto& [lon, lat] : {std::pair{10.0, 10.0}, {40.0, 5.0}, {35.0, 30.0}, {12.0, 25.0}})
        region.points.push_back({lon * kDegree, lat * kDegree});
    return region;
}

std::vector<Region> allShapes() {
    return {shaped(RegionShape::Circle, 0.1), shaped(RegionShape::Annulus, 0.05, 0.12),
            shaped(RegionShape::Ellipse, 0.15, 0.06, 0.7),
            shaped(RegionShape::Box, 0.1, 0.05, -0.4), polygon()};
}

Vec3 towards(Vec3 from, Vec3 to, double share) {
    return normalized((1.0 - share) * from + share * to);
}

// A mask without the Galactic plane.
OperationRequest maskRequest() {
    const Operation* operation = findOperation("mask");
    OperationRequest request{operation, operation->defaults(), {}, {}};
    request.parameters.set("nside", "64");
    request.parameters.set("latitude", "10deg");
    return request;
}

}  // namespace

class DrawingTest : public QObject {
    Q_OBJECT
private slots:
    // The outline separates inside from outside.
    void outlinesAreTheBorder() {
        for (const Region& region : allShapes()) {
            const RegionTest test(region, Frame::Galactic);
            const auto lines = outlineOf(region);
            QCOMPARE(lines.size(), region.shape == RegionShape::Annulus ? size_t{2} : size_t{1});
            for (size_t i = 0; i < lines.size(); ++i) {
                // The first point is computed again at the end of the line, with the rounding of a
                // rotation (1e-15 rad).
                QVERIFY(angularDistance(lines[i].front(), lines[i].back()) < 1e-9);
                const bool isInner = region.shape == RegionShape::Annulus && i == 0;
                for (const Vec3& p : lines[i]) {
                    QCOMPARE(test.contains(towards(test.center(), p, 0.999)), !isInner);
                    QCOMPARE(test.contains(towards(test.center(), p, 1.001)), isInner);
                }
            }
        }
        Region none = shaped(RegionShape::Circle, -1.0);
        QVERIFY_EXCEPTION_THROWN(outlineOf(none), InvalidArgument);
    }
    // A moved handle is at its new position; the center moves the whole region.
    void handlesFollowThePointer() {
        for (const Region& region : allShapes()) {
            const auto before = handlesOf(region);
            for (size_t i = 0; i < before.size(); ++i) {
                // A small step along its own direction of freedom, which no other part of the
                // region restricts.
                const Vec3 to =
                    towards(RegionTest(region, Frame::Galactic).center(), before[i], 1.2);
                const Region changed = withHandle(region, i, to);
                const auto after = handlesOf(changed);
                QCOMPARE(after.size(), before.size());
                // Rotations and inverse trigonometric functions round by 1e-15 rad. An arc cosine
                // near 1 would err by sqrt(machine epsilon) = 1.5e-8, which the limit excludes.
                QVERIFY2(angularDistance(after[i], to) < 1e-9, shapeWord(region.shape));
            }
            const Vec3 from = before.front(), to = direction({2.5, -0.3});
            const Region moved = movedRegion(region, from, to);
            // A move is a rotation. The limit guards against a shape that changes, far above its
            // rounding.
            QVERIFY(angularDistance(handlesOf(moved).front(), to) < 1e-9);
            QVERIFY(std::abs(RegionTest(moved, Frame::Galactic).radius() -
                             RegionTest(region, Frame::Galactic).radius()) < 1e-9);
        }
        // An outer radius does not go within the inner one.
        const Region ring = shaped(RegionShape::Annulus, 0.05, 0.12);
        const Region same =
            withHandle(ring, 2, towards(handlesOf(ring)[0], handlesOf(ring)[2], 0.1));
        QCOMPARE(same.second, ring.second);
    }
    // The same part of the sky in another frame.
    void framesSayTheSame() {
        for (const Region& region : allShapes()) {
            const Region other = inFrame(region, Frame::Equatorial);
            QCOMPARE(other.frame, Frame::Equatorial);
            const RegionTest a(region, Frame::Galactic), b(other, Frame::Galactic);
            int inside = 0;
            for (const PixelRange& run :
                 queryDisc(256, Ordering::Ring, a.center(), a.radius() * 1.3))
                for (int64_t p = run.begin; p < run.end; ++p) {
                    const Vec3 d = directionFromRing(256, p);
                    // Off the border by more than the accuracy of the axis: 1e-4 of a step of 1e-4.
                    if (a.contains(towards(a.center(), d, 0.999)) !=
                        a.contains(towards(a.center(), d, 1.001)))
                        continue;
                    QCOMPARE(b.contains(d), a.contains(d));
                    inside += a.contains(d) ? 1 : 0;
                }
            QVERIFY(inside > 50);
        }
    }
    void bookIsUndoneAndKept() {
        Bench bench;
        RegionBook& book = bench.session.regions();
        QUndoStack& undo = *bench.document().history().stack();
        const int before = undo.count();
        std::vector<NamedRegion> all;
        for (const Region& region : allShapes()) all.push_back({region, {}});
        all.front().text = "Coma";
        const auto ids = book.add(all);
        QCOMPARE(undo.count(), before + 1);
        QCOMPARE(book.all().size(), size_t{5});
        QCOMPARE(book.all()[0].name, QString("Coma"));
        QCOMPARE(book.all()[1].name, QString("ring 1"));
        QCOMPARE(book.current(), ids.back());
        // A drag is one step.
        for (const double radius : {0.11, 0.12, 0.13})
            book.change(ids[0], shaped(RegionShape::Circle, radius));
        QCOMPARE(undo.count(), before + 2);
        book.endGesture();
        book.change(ids[0], shaped(RegionShape::Circle, 0.2));
        QCOMPARE(undo.count(), before + 3);
        undo.undo();
        QCOMPARE(book.find(ids[0])->region.first, 0.13);
        undo.undo();
        QCOMPARE(book.find(ids[0])->region.first, 0.1);
        book.remove(ids[4]);
        QCOMPARE(book.current(), -1);
        undo.undo();
        QVERIFY(book.find(ids[4]));
        QVERIFY_EXCEPTION_THROWN(book.change(ids[0], shaped(RegionShape::Circle, -1.0)),
                                 InvalidArgument);
        const QJsonArray json = toJson(book.all());
        RegionBook other(undo);
        ReadRegions read =
            regionsFrom(QJsonDocument::fromJson(QJsonDocument(json).toJson()).array());
        QCOMPARE(read.leftOut, QString());
        other.restore(std::move(read.all));
        QCOMPARE(toJson(other.all()), json);
        QJsonArray damaged = json;
        damaged[1] = QJsonObject{{"shape", "heart"}};
        read = regionsFrom(damaged);
        QVERIFY2(read.leftOut.contains("expected"), qPrintable(read.leftOut));
        QJsonArray rest = json;
        rest.removeAt(1);
        other.restore(std::move(read.all));
        QCOMPARE(toJson(other.all()), rest);
        QVERIFY(regionsFrom(QJsonObject()).leftOut.contains("list"));
        // Through files of DS9, and a coverage map that has the area of the regions.
        QTemporaryDir folder;
        const QString path = folder.filePath("r.reg"), moc = folder.filePath("r.fits");
        bench.session.exporter().exportRegions(path, false, true);
        bench.session.exporter().exportRegions(moc, true, true);
        QVERIFY(bench.settle());
        book.removeAll();
        bench.session.exporter().importRegions(path);
        QCOMPARE(book.all().size(), size_t{5});
        QCOMPARE(book.all()[0].name, QString("Coma"));
        JobContext job;
        const HealpixMap covered = readMap(moc.toStdString(), {}, job);
        const double share = shareOf(rangesWhere(covered, 0, job));
        // The disc, the ring around it, ellipse and box overlap at one center; the polygon is
        // elsewhere: at least the larger two, at most all.
        QVERIFY(share > 0.005 && share < 0.05);
    }
    // Each stroke is a step; jobs paint the pixels, with the result of the operation.
    void strokesArePaintedAndUndone() {
        Bench bench;
        Document& document = bench.document();
        OperationRequest request = maskRequest();
        bench.session.operations().runOperation(request);
        QVERIFY(bench.settle());
        QCOMPARE(document.entries().size(), size_t{1});
        const LayerId layer = document.entries().front().id;
        MaskBrush& brush = bench.session.maskBrush();
        QVERIFY(brush.canPaint(layer));
        const auto base = document.entry(layer)->map;
        const MaskStroke cut{false, Frame::Galactic, 0.1, {{0.5, 0.6}, {0.8, 0.7}}};
        const MaskStroke restore{true, Frame::Galactic, 0.05, {{0.0, 0.0}, {0.3, 0.05}}};
        QUndoStack& undo = *document.history().stack();
        const int before = undo.count();
        brush.paint(layer, cut);
        brush.paint(layer, restore);
        QCOMPARE(undo.count(), before + 2);
        QCOMPARE(brush.strokes(layer).size(), size_t{2});
        QVERIFY(bench.settle());
        QCOMPARE(brush.shownStrokes(layer), size_t{2});
        const auto valuesOf = [](const std::shared_ptr<const HealpixMap>& map) {
            return std::get<std::vector<float>>(map->field(0).values);
        };
        HealpixMap truth = *base;
        JobContext job;
        paintStrokes(truth, {cut, restore}, job);
        QVERIFY(valuesOf(document.entry(layer)->map) == std::get<0>(truth.field(0).values));
        // The recipe gives the same result in a session file and with the command.
        const QString command =
            bench.session.exporter().commandForOperation(request, QStringLiteral("m.fits"));
        QVERIFY(!command.isEmpty());
        const QJsonObject record = document.entry(layer)->recipe.record;
        QVERIFY(record["parameters"].toObject()["strokes"].toString().contains("restore G"));
        undo.undo();
        QVERIFY(bench.settle());
        truth = *base;
        paintStrokes(truth, {cut}, job);
        QVERIFY(valuesOf(document.entry(layer)->map) == std::get<0>(truth.field(0).values));
        undo.undo();
        QVERIFY(bench.settle());
        QVERIFY(valuesOf(document.entry(layer)->map) == valuesOf(base));
        undo.redo();
        undo.redo();
        QVERIFY(bench.settle());
        QCOMPARE(brush.shownStrokes(layer), size_t{2});
        // Both are restored with the session: the strokes' pixels from the recipe.
        bench.session.regions().add({{shaped(RegionShape::Circle, 0.1), "kept"}});
        const QString path = bench.path("s.armilla");
        bench.session.project().saveSession(path);
        QVERIFY(bench.settle());
        {
            Bench later;
            later.session.project().loadSession(path);
            QVERIFY(later.settle());
            QVERIFY2(later.errors.isEmpty(), qPrintable(later.errors.join('\n')));
            QCOMPARE(later.session.regions().all().size(), size_t{1});
            QCOMPARE(later.session.regions().all().front().name, QString("kept"));
            QCOMPARE(later.session.maskBrush().strokes(layer).size(), size_t{2});
            QVERIFY(valuesOf(later.document().entry(layer)->map) ==
                    valuesOf(document.entry(layer)->map));
        }
        // A mask with a growth step after its strokes cannot be painted.
        request.parameters.set("grow", "1deg");
        bench.session.operations().runOperation(request);
        QVERIFY(bench.settle());
        QVERIFY(!brush.canPaint(document.entries().back().id));
        brush.paint(document.entries().back().id, cut);
        QVERIFY(brush.strokes(document.entries().back().id).empty());
    }
    // Strokes stay, whichever other step follows before their pixels exist.
    void stepsBesideAStrokeKeepIt() {
        Bench bench;
        Document& document = bench.document();
        bench.session.operations().runOperation(maskRequest());
        bench.session.operations().runOperation(maskRequest());
        QVERIFY(bench.settle());
        const LayerId layer = document.entries()[0].id, other = document.entries()[1].id;
        MaskBrush& brush = bench.session.maskBrush();
        QUndoStack& undo = *document.history().stack();
        const MaskStroke cut{false, Frame::Galactic, 0.1, {{0.5, 0.6}, {0.8, 0.7}}};
        HealpixMap truth = *document.entry(layer)->map;
        JobContext job;
        paintStrokes(truth, {cut}, job);
        const auto isPainted = [&] {
            return brush.strokes(layer) == std::vector{cut} &&
                   std::get<0>(document.entry(layer)->map->field(0).values) ==
                       std::get<0>(truth.field(0).values) &&
                   recipeOf(document, layer)->record == document.entry(layer)->recipe.record;
        };
        brush.paint(layer, cut);
        document.renameLayer(layer, "painted");
        document.moveLayer(layer, other);
        QVERIFY(bench.settle());
        QVERIFY(isPainted());
        undo.undo();
        QVERIFY(isPainted());
        undo.undo();
        QVERIFY(isPainted());
        QVERIFY(document.entry(layer)->name != "painted");
        QVERIFY(bench.settle());
        undo.redo();
        QVERIFY(isPainted());
        QCOMPARE(document.entry(layer)->name, QString("painted"));
        undo.undo();
        undo.undo();
        QVERIFY(bench.settle());
        QVERIFY(brush.strokes(layer).empty());
    }
    // A stroke whose layer is closed before its pixels exist, and one whose job is cancelled:
    // earlier strokes stay, and later ones are possible.
    void strokesThatCameToNothing() {
        Bench bench;
        Document& document = bench.document();
        bench.session.operations().runOperation(maskRequest());
        QVERIFY(bench.settle());
        const LayerId layer = document.entries().front().id;
        MaskBrush& brush = bench.session.maskBrush();
        QUndoStack& undo = *document.history().stack();
        const auto strokeAt = [](double lon) {
            return MaskStroke{false, Frame::Galactic, 0.1, {{lon, 0.6}, {lon + 0.3, 0.7}}};
        };
        brush.paint(layer, strokeAt(0.5));
        document.removeLayer(layer);
        QVERIFY(bench.settle());
        undo.undo();
        QVERIFY(document.entry(layer));
        brush.paint(layer, strokeAt(1.5));
        QVERIFY(bench.settle());
        QCOMPARE(brush.strokes(layer), std::vector{strokeAt(1.5)});
        QCOMPARE(brush.shownStrokes(layer), size_t{1});
        brush.paint(layer, strokeAt(2.5));
        bench.session.jobs().cancelAll();
        QVERIFY(bench.settle());
        QCOMPARE(brush.strokes(layer), std::vector{strokeAt(1.5)});
        undo.undo();
        QVERIFY(bench.settle());
        QCOMPARE(brush.strokes(layer), std::vector{strokeAt(1.5)});
        undo.undo();
        QVERIFY(bench.settle());
        QVERIFY(brush.strokes(layer).empty());
        undo.redo();
        undo.redo();
        QVERIFY(bench.settle());
        QCOMPARE(brush.strokes(layer), (std::vector{strokeAt(1.5), strokeAt(2.5)}));
        QCOMPARE(brush.shownStrokes(layer), size_t{2});
    }
};

QTEST_GUILESS_MAIN(DrawingTest)
#include "tst_drawing.moc"
