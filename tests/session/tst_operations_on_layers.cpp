// SPDX-License-Identifier: GPL-3.0-or-later
// Any operation on layers: as a job, in one step of the history, stored as a record.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>
#include <atomic>

#include "armilla/operations/live_form.h"
#include "armilla/session/document_json.h"
#include "armilla/session/exporter.h"
#include "armilla/session/live_tool.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/stand_in.h"
#include "layer_files.h"
#include "layer_samples.h"
#include "live_forms.h"
#include "operation_values.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

OperationRequest smoothRequest(LayerId layer, const char* width = "20deg") {
    const Operation* smooth = findOperation("smooth");
    OperationRequest request{smooth, smooth->defaults(), {}, {}};
    request.parameters.set("fwhm", width);
    request.inputs.push_back({"MAP", layer, {0}, {}});
    return request;
}

// A square of 20 times 20 samples.
std::shared_ptr<const Catalog> scan() {
    constexpr int kSamples = 400;
    auto catalog = std::make_shared<Catalog>();
    const auto add = [&](const char* name, const std::function<double(int)>& value) {
        TableColumn& column = catalog->table.columns.emplace_back();
        column.name = name;
        std::vector<double> values;
        for (int i = 0; i < kSamples; ++i) values.push_back(value(i));
        column.values = std::move(values);
    };
    add("RA", [](int i) { return 29.0 + 0.1 * (i % 20); });
    add("DEC", [](int i) { return 9.0 + 0.1 * (i / 20); });
    add("FLUX_WT", [](int) { return 1.0; });
    add("Flux_10", [](int) { return 10.0; });
    add("flux_2", [](int) { return 2.0; });
    catalog->position = *findPositions(catalog->table);
    return catalog;
}

OperationRequest scanRequest(LayerId layer, const char* size, const char* resolution) {
    const Operation* grid = findOperation("grid");
    OperationRequest request{grid, grid->defaults(), {}, {}};
    const std::pair<const char*, const char*> given[] = {
        {"value", "flux_*"}, {"weight", "FLUX_WT"},      {"center", "30deg,10deg"},
        {"size", size},      {"resolution", resolution}, {"kernel-fwhm", "18arcmin"}};
    for (const auto& [name, text] : given) request.parameters.set(name, text);
    request.inputs.push_back({"SAMPLES", layer, {}, {}});
    return request;
}

// A mask in which each `step`-th pixel is 0.
LayerValue maskWithHoles(int64_t nside, size_t step) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)), 1.0F);
    for (size_t p = 0; p < values.size(); p += step) values[p] = 0.0F;
    Field field;
    field.name = "MASK";
    field.values = std::move(values);
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, Frame::Galactic,
                                              std::vector<Field>{std::move(field)});
}

}  // namespace

class OperationsOnLayersTest : public QObject {
    Q_OBJECT
private slots:
    // A preview's channel is that of the result: in natural order, case-insensitive, without
    // columns of another meaning.
    void previewedChannels() {
        const OperationRequest request = scanRequest(LayerId(1), "10x10", "6arcmin");
        const LayerValue samples = scan();
        JobContext job;
        const double wanted[] = {2.0, 10.0};
        for (int channel = 0; channel < 2; ++channel) {
            const auto pass =
                livePass(request, {samples}, {"scan"}, channel, 0, Device::cpu(), job);
            QVERIFY(pass && pass->value.image);
            // Means of one number.
            QVERIFY(std::abs(pass->value.image->at(5, 5) - wanted[channel]) < 1e-6);
        }
    }

    // The preview of a mask has wide pixels first, then equals the result of Run.
    void masksFromWidePixelsToAll() {
        const Operation* mask = findOperation("mask");
        OperationRequest request{mask, mask->defaults(), {{"MAP", LayerId(1), {0}, {}}}, {}};
        request.parameters.set("above", "1.5");
        request.parameters.set("grow", "3deg");
        request.parameters.set("apodize", "5deg");
        const LayerValue map = waveMap(512);
        JobContext job;
        const auto wide = livePass(request, {map}, {"wave"}, 0, 0, Device::cpu(), job);
        QVERIFY(wide && wide->value.map && !wide->isWhole);
        QCOMPARE(wide->value.map->nside(), int64_t{256});
        const auto whole = livePass(request, {map}, {"wave"}, 0, 1, Device::cpu(), job);
        QVERIFY(whole && whole->value.map && whole->isWhole);
        QVERIFY(!livePass(request, {map}, {"wave"}, 0, 2, Device::cpu(), job));
        const OperationResult made = runRequest(request, {map}, {"wave"}, Device::cpu(), job);
        QCOMPARE(largestDifference(*whole->value.map, *made.layers.front().value.map), 0.0);
        // The edges differ by less than the radius of a wide pixel, 0.32 degrees at nside 256,
        // over which the c2 profile of 5 degrees rises by at most pi/2 * 0.32 / 5 = 0.1.
        const HealpixMap& fine = *whole->value.map;
        for (int64_t p = 0; p < wide->value.map->pixelCount(); p += 101) {
            const Vec3 at = directionFromRing(256, p);
            QVERIFY(std::abs(wide->value.map->value(0, p) - fine.value(0, fine.pixelAt(at))) < 0.1);
        }
    }

    // Every parameter that a live form or a brush names belongs to the operation.
    void liveFormsNameParameters() {
        int live = 0;
        for (const Operation& operation : allOperations()) {
            const LiveForm& form = liveFormOf(operation);
            const PaintedParameter& painted = paintedParameterOf(operation);
            std::vector<std::string_view> names = form.columns;
            names.insert(names.end(), form.lastStep.begin(), form.lastStep.end());
            names.insert(names.end(), painted.later.begin(), painted.later.end());
            if (!painted.name.empty()) names.push_back(painted.name);
            ParameterSet parameters = operation.defaults();
            const std::vector<Parameter> rows = parameters.rows();
            for (const std::string_view name : names)
                QVERIFY2(findParameter(rows, name), std::string(name).c_str());
            if (form.kind != LiveForm::Kind::None) ++live;
            if (form.kind == LiveForm::Kind::None) QVERIFY(names.empty());
        }
        QCOMPARE(live, 3);  // pairs, samples on a grid, masks
    }

    // An operation without a live form has no quick passes.
    void otherOperationsAreNotLive() {
        const Operation* calc = findOperation("calc");
        const OperationRequest request{calc, calc->defaults(), {{"MAP", LayerId(1), {0}, {}}}, {}};
        JobContext job;
        QVERIFY(!livePass(request, {waveMap(64)}, {"wave"}, 0, 0, Device::cpu(), job));
        QVERIFY(!hasMaskEdges(request));
    }

    // The second field of a map: its values and its type, wide pixels first, with thresholds and as
    // a mask itself.
    void masksOfLaterFields() {
        const Operation* mask = findOperation("mask");
        JobContext job;
        for (const bool isMask : {false, true}) {
            std::vector<double> values;
            for (int64_t p = 0; p < pixelCount(512); ++p) {
                const double z = directionFromRing(512, p).z;
                values.push_back(isMask ? (z < 0.5 ? 1.0 : 0.0) : z);
            }
            std::vector<float> other(values.size(), 7.0F);
            const LayerValue map = std::make_shared<const HealpixMap>(
                512, Ordering::Ring, Frame::Galactic,
                std::vector<Field>{{"T", "K", DiskType::Float32, std::move(other)},
                                   {"Q", isMask ? "" : "K", DiskType::Float64, std::move(values)}});
            OperationRequest request{mask, mask->defaults(), {{"MAP", LayerId(1), {1}, {}}}, {}};
            if (!isMask) request.parameters.set("above", "0.5");
            const OperationResult made = runRequest(request, {map}, {"sky"}, Device::cpu(), job);
            const HealpixMap& found = *made.layers.front().value.map;
            QCOMPARE(found.field(0).diskType, DiskType::Float64);
            const auto wide = livePass(request, {map}, {"sky"}, 0, 0, Device::cpu(), job);
            QVERIFY(wide && wide->value.map && !wide->isWhole);
            QCOMPARE(wide->value.map->nside(), int64_t{256});
            for (int64_t p = 0; p < found.pixelCount(); p += 101) {
                const Vec3 at = directionFromRing(512, p);
                if (std::abs(at.z - 0.5) < 1e-12) continue;
                QCOMPARE(found.value(0, p), at.z < 0.5 ? 1.0 : 0.0);
                // Centers of wide pixels are at most 0.3 degrees away.
                if (std::abs(at.z - 0.5) > 0.01)
                    QCOMPARE(wide->value.map->value(0, wide->value.map->pixelAt(at)),
                             at.z < 0.5 ? 1.0 : 0.0);
            }
        }
    }

    // A finer pass that waits behind other jobs is dropped for the next request.
    void waitingPassesGiveWay() {
        Bench bench;
        const LayerId layer = bench.document().addLayer(scan(), "scan", {}, LayerId());
        QVERIFY(bench.settle());
        std::atomic<bool> busy{true};
        for (int i = 0; i < 4; ++i)  // at least as many as the workers of the lane
            bench.session.jobs().run<bool>("other", JobLane::Compute, {}, nullptr,
                                           [&](JobContext& job) {
                                               while (busy) job.poll();
                                               return true;
                                           },
                                           {});
        LiveTool tool(bench.session);
        QSignalSpy passes(&tool, &LiveTool::passMade);
        tool.ask(scanRequest(layer, "400x400", "9arcsec"));
        QTRY_COMPARE_WITH_TIMEOUT(passes.count(), 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(bench.session.jobs().jobs().size(), size_t{5}, kPatience);
        tool.ask(scanRequest(layer, "400x400", "10arcsec"));
        QTRY_COMPARE_WITH_TIMEOUT(passes.count(), 2, kPatience);
        QVERIFY(tool.isBusy());
        busy = false;
        QVERIFY(bench.settle());
    }

    // A sample of a map beyond memory is refused, also in a live picture. The name of a field alone
    // makes no sample.
    void samplesAreNotPreviewed() {
        Bench bench;
        bench.open({bench.write(*waveMap(8), "wave.fits")});
        const LayerId id = bench.document().entries()[0].id;
        const Operation* mask = findOperation("mask");
        OperationRequest request{mask, mask->defaults(), {}, {}};
        request.parameters.set("below", "1");
        request.inputs.push_back({"MAP", id, {0}, {}});
        LiveTool tool(bench.session);
        QSignalSpy failures(&tool, &LiveTool::failed), passes(&tool, &LiveTool::passMade);
        HealpixMap named = *waveMap(8);
        named.field(0).name = "T (sample)";
        const Recipe recipe = bench.document().entries()[0].recipe;
        bench.document().setValue(id, std::make_shared<const HealpixMap>(named), recipe);
        tool.ask(request);
        QTRY_COMPARE_WITH_TIMEOUT(passes.count(), 1, kPatience);
        QCOMPARE(failures.count(), 0);
        QVERIFY(bench.settle());
        const auto before = passes.count();
        markSample(named);
        bench.document().setValue(id, std::make_shared<const HealpixMap>(std::move(named)), recipe);
        tool.ask(request);
        QCOMPARE(failures.count(), 1);
        QVERIFY(bench.settle());
        QCOMPARE(passes.count(), before);
    }

    // In a close view, an angle at the edges of a mask is previewed at the pixels in view, once the
    // mask without it is known. At rest, the preview is the result of the operation.
    void previewOfMaskEdgesInView() {
        constexpr int64_t kNside = 512;
        const LayerValue map = maskWithHoles(kNside, 39671);
        const Operation* mask = findOperation("mask");
        OperationRequest request{mask, mask->defaults(), {}, {}};
        request.parameters.set("grow", "1.5deg");
        request.parameters.set("apodize", "2deg");
        request.inputs.push_back({"MAP", LayerId(1), {0}, {}});
        JobContext job;
        const LiveSurroundings around{LookedAt{{0.6, 0.0, 0.8}, 5.0 * kDegree, Frame::Galactic},
                                      std::make_shared<KeptMask>()};
        const auto pass = [&](int stage) {
            return livePass(request, {map}, {"mask"}, 0, stage, Device::cpu(), job, around);
        };
        const auto wide = pass(0);
        QVERIFY(wide && wide->value.map && !wide->isWhole);
        QCOMPARE(wide->value.map->nside(), int64_t{256});
        for (const char* angle : {"1.5deg", "0.7deg"}) {
            request.parameters.set("grow", angle);
            const auto whole = pass(1);
            QVERIFY(whole && whole->isWhole);
            const auto result = runRequest(request, {map}, {"mask"}, Device::cpu(), job);
            const HealpixMap& truth = *result.layers.front().value.map;
            QCOMPARE(std::get<0>(whole->value.map->field(0).values),
                     std::get<0>(truth.field(0).values));
            const auto close = pass(0);
            QVERIFY(close && !close->isWhole);
            const HealpixMap& part = *close->value.map;
            QCOMPARE(part.nside(), kNside);
            QVERIFY(part.elementCount() > 5000 && part.elementCount() < 7000);
            for (const int64_t p : part.pixels()) QCOMPARE(part.value(0, p), truth.value(0, p));
        }
        // Another cut is another mask.
        request.parameters.set("latitude", "10deg");
        QCOMPARE(pass(0)->value.map->nside(), int64_t{256});
        // Files may have changed.
        request.parameters.set("regions", "x.reg");
        QVERIFY(!hasMaskEdges(request));
    }

    // Wide angles, too: targets may lie in a third of the sky.
    void wideMaskEdgesHaveAllPixelsInView() {
        constexpr int64_t kNside = 1024;
        const LayerValue map = maskWithHoles(kNside, 1'000'003);
        const Operation* mask = findOperation("mask");
        OperationRequest request{mask, mask->defaults(), {}, {}};
        request.parameters.set("apodize", "60deg");
        request.inputs.push_back({"MAP", LayerId(1), {0}, {}});
        JobContext job;
        const LiveSurroundings around{LookedAt{{0.6, 0.0, 0.8}, 3.0 * kDegree, Frame::Galactic},
                                      std::make_shared<KeptMask>()};
        const auto whole = livePass(request, {map}, {"mask"}, 0, 1, Device::cpu(), job, around);
        QVERIFY(whole && whole->isWhole);
        const auto close = livePass(request, {map}, {"mask"}, 0, 0, Device::cpu(), job, around);
        QVERIFY(close && !close->isWhole);
        const HealpixMap& part = *close->value.map;
        QCOMPARE(part.nside(), kNside);
        QVERIFY(part.elementCount() > 8000);
        for (const int64_t p : part.pixels())
            QCOMPARE(part.value(0, p), whole->value.map->value(0, p));
    }

    // A slider that never rests gets pixels in view as well: the mask without its edges is made
    // beside the passes.
    void movingMaskEdgesAreSeenInView() {
        Bench bench;
        bench.open({bench.write(*waveMap(512), "wave.fits")});
        const Operation* mask = findOperation("mask");
        OperationRequest request{mask, mask->defaults(), {}, {}};
        request.parameters.set("below", "1");
        request.parameters.set("grow", "1deg");
        request.inputs.push_back({"MAP", bench.document().entries()[0].id, {0}, {}});
        LiveTool tool(bench.session);
        bool isClose = false;
        tool.setLookedAt([&]() -> std::optional<LookedAt> {
            if (!isClose) return std::nullopt;
            return LookedAt{{0.0, 0.6, 0.8}, 3.0 * kDegree, Frame::Galactic};
        });
        int wide = 0, close = 0;
        connect(&tool, &LiveTool::passMade, this, [&](const LivePass& pass) {
            ++(pass.value.map->coverage() == Coverage::Partial ? close : wide);
            isClose = wide >= 3;
            request.parameters.set("grow", std::to_string(1.0 + 0.001 * (wide + close)) + "deg");
            if (close < 3) tool.ask(request);
        });
        tool.ask(request);
        QTRY_COMPARE_WITH_TIMEOUT(close, 3, kPatience);
        tool.stop();
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }

    void resultsBecomeLayers() {
        Bench bench;
        bench.open({bench.write(*waveMap(16), "wave.fits")});
        const LayerId source = bench.document().entries()[0].id;
        const int steps = bench.document().history().stack()->count();
        QSignalSpy done(&bench.session.operations(), &OperationRunner::operationFinished);
        QVERIFY(bench.session.operations().runOperation(smoothRequest(source)) >= 0);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(done.count(), 1);
        QCOMPARE(bench.document().entries().size(), size_t{2});
        QCOMPARE(bench.document().history().stack()->count(), steps + 1);
        const Layer& made = bench.document().entries()[1];
        QVERIFY(made.map && made.parent == source);
        QVERIFY2(made.name.contains("smooth") && made.name.contains("wave.fits"),
                 qPrintable(made.name));
        QCOMPARE(made.recipe.inputs(), std::vector<LayerId>{source});
        QCOMPARE(bench.document().view().shown().entry, made.id);
        QVERIFY(bench.document().drawings().drawable({made.id, 0}));
        // 1 + x + z^2 = 4/3 + x + (z^2 - 1/3): a beam of width s multiplies each multipole l = 0, 1
        // and 2 by exp(-l (l + 1) s^2 / 2). The limit is the quadrature of nside 16 without
        // weights.
        const double s = 20.0 * kDegree / std::sqrt(8.0 * std::log(2.0));
        const auto beam = [s](int l) { return std::exp(-0.5 * l * (l + 1) * s * s); };
        for (int64_t p = 0; p < made.map->pixelCount(); p += 37) {
            const Vec3 v = directionFromRing(16, p);
            const double wanted = 4.0 / 3.0 + beam(1) * v.x + beam(2) * (v.z * v.z - 1.0 / 3.0);
            // The limit is the quadrature error of nside 16 stated above.
            QVERIFY(std::abs(made.map->value(0, p) - wanted) < 5e-3);
        }
        bench.document().history().stack()->undo();
        QCOMPARE(bench.document().entries().size(), size_t{1});
        bench.document().history().stack()->redo();
        QCOMPARE(bench.document().entries().size(), size_t{2});
    }
    // Dense markers would hide the picture made from these samples.
    void samplesGiveWayToTheirPicture() {
        Bench bench;
        const LayerId samples = bench.document().addLayer(scan(), "scan", {});
        const int steps = bench.document().history().stack()->count();
        QVERIFY(bench.session.operations().runOperation(scanRequest(samples, "10x10", "6arcmin")) >=
                0);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{2});
        QVERIFY(bench.document().entries()[1].image);
        QVERIFY2(bench.news.join("\n").contains(QStringLiteral("10 × 10 pixels of ")),
                 qPrintable(bench.news.join("\n")));
        QVERIFY(!bench.document().entry(samples)->style.visible);
        QCOMPARE(bench.document().history().stack()->count(), steps + 1);
        bench.document().history().stack()->undo();
        QVERIFY(bench.document().entry(samples)->style.visible);
    }
    void whatIsWrongIsSaidAndNothingHappens() {
        Bench bench;
        const LayerId map = bench.document().addLayer(noiseMap(4), "m", {});
        const LayerId catalog = bench.document().addLayer(sampleLayer(LayerKind::Catalog), "c", {});
        const int steps = bench.document().history().stack()->count();
        OperationRequest request = smoothRequest(map);
        request.inputs.clear();
        QVERIFY(!problemOf(request).isEmpty());
        QCOMPARE(bench.session.operations().runOperation(request), -1);
        request = smoothRequest(map);
        request.parameters = findOperation("smooth")->defaults();
        QVERIFY2(problemOf(request).contains("one of FWHM"), qPrintable(problemOf(request)));
        QCOMPARE(bench.session.operations().runOperation(request), -1);
        QCOMPARE(bench.session.operations().runOperation(smoothRequest(LayerId(777))), -1);
        bench.session.operations().runOperation(smoothRequest(catalog));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 4);
        QVERIFY2(bench.errors.back().contains("expected a map"), qPrintable(bench.errors.back()));
        QCOMPARE(bench.document().history().stack()->count(), steps);
    }
    void cancelLeavesTheDocument() {
        Bench bench;
        bench.open({bench.write(*noiseMap(256), "large.fits")});
        const QJsonObject before = jsonWriter(bench.document())();
        const int job = bench.session.operations().runOperation(
            smoothRequest(bench.document().entries()[0].id, "1deg"));
        QTest::qWait(5);
        bench.session.jobs().cancel(job);
        QVERIFY(bench.settle());
        QVERIFY(bench.errors.isEmpty());
        QCOMPARE(jsonWriter(bench.document())(), before);
    }
    void recordsComeBack() {
        Bench bench;
        bench.open({bench.write(*waveMap(16), "wave.fits")});
        const LayerId source = bench.document().entries()[0].id;
        bench.session.operations().runOperation(smoothRequest(source));
        QVERIFY(bench.settle());
        const Layer made = bench.document().entries()[1];
        const OperationRequest again = requestOf(made.recipe.record);
        QCOMPARE(QString::fromStdString(titleOf(*again.operation, again.parameters)),
                 made.recipe.recordTitle);
        // Its note is shown once.
        QVERIFY(!bench.news.isEmpty());
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        Bench other;
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QVERIFY2(other.news.isEmpty(), qPrintable(other.news.join("\n")));
        QCOMPARE(other.document().entries().size(), size_t{2});
        QCOMPARE(largestDifference(*other.document().entries()[1].map, *made.map), 0.0);
        const QString command =
            bench.session.exporter().commandForOperation(smoothRequest(source), "out.fits");
        QVERIFY2(command.startsWith("armilla smooth ") && command.contains("wave.fits out.fits") &&
                     command.contains("--fwhm 1200arcmin"),
                 qPrintable(command));
        QVERIFY(!bench.session.exporter().commandFor(made.id, "x.fits").isEmpty());
        const QString unnamed = bench.session.exporter().commandFor(made.id);
        QVERIFY2(unnamed.contains("/wave.fits wave_smooth_20deg.fits "), qPrintable(unnamed));
    }
    // Curves preserve all data of spectra, beams and kernels.
    void valuesOfHarmonicsAreCurves() {
        Spectra spectra;
        spectra[SpectrumKind::TT] = {1.0, 2.0, 3.0};
        spectra[SpectrumKind::TE] = {0.5, 0.25, 0.125};
        spectra.unit = "K^2";
        const Spectra back = spectraOf(curveOf(spectra));
        QCOMPARE(back[SpectrumKind::TT], spectra[SpectrumKind::TT]);
        QCOMPARE(back[SpectrumKind::TE], spectra[SpectrumKind::TE]);
        QVERIFY(back[SpectrumKind::EE].empty());
        QCOMPARE(back.unit, spectra.unit);
        Beam beam;
        beam.bl = {{{1.0, 0.9}, {1.0, 0.8}, {1.0, 0.7}}};
        QCOMPARE(beamOf(curveOf(beam)).bl, beam.bl);
        const RadialKernel kernel{{0.0, 0.1, 0.2}, {1.0, 0.5, 0.0}};
        QCOMPARE(kernelOf(curveOf(kernel)).angle, kernel.angle);
        QCOMPARE(kernelOf(curveOf(kernel)).value, kernel.value);
        Curve curve = smallCurve();
        QVERIFY_EXCEPTION_THROWN(beamOf(curve), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(kernelOf(curve), InvalidArgument);
    }
    // C_l and B_l that are missing from l = 2 on are no zeros: operations refuse them, and files
    // hold NaN.
    void missingMultipolesAreNotZero() {
        Spectra spectra;
        spectra[SpectrumKind::TT] = {std::nan(""), std::nan(""), 3.0, 4.0, 5.0};
        Curve curve = curveOf(spectra);
        QVERIFY(isOfSpectra(curve));
        QCOMPARE(spectraOf(curve)[SpectrumKind::TT],
                 (std::vector<double>{0.0, 0.0, 3.0, 4.0, 5.0}));
        curve.series[0].values[3] = std::nan("");
        QVERIFY(!isOfSpectra(curve));
        QVERIFY_EXCEPTION_THROWN(beamOf(curve), InvalidArgument);
        std::string said = "nothing";
        try {
            spectraOf(curve);
        } catch (const InvalidArgument& error) {
            said = error.message();
        }
        QCOMPARE(said, std::string("expected finite values of TT, found nan at l = 3"));
        const QTemporaryDir folder;
        const std::string path = folder.filePath("cl.fits").toStdString();
        JobContext job;
        writeLayer(std::make_shared<const Curve>(curve), path, false, {}, job);
        const std::vector<double> stored = readCurve(path, job).series.at(0).values;
        QCOMPARE(stored.at(2), 3.0);
        QVERIFY(std::isnan(stored.at(3)));
        QCOMPARE(stored.at(4), 5.0);
    }
};

QTEST_GUILESS_MAIN(OperationsOnLayersTest)
#include "tst_operations_on_layers.moc"
