// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive source filter: the live map, its agreement with Run, and its later use.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/ops/resample.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/opening_colors.h"
#include "filter_work.h"
#include "map_work.h"
#include "operation_values.h"
#include "session_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

OperationRequest filterOf(LayerId layer, const char* fwhm, const char* type = "mexican-hat") {
    const Operation* operation = findOperation("filter");
    OperationRequest request{operation, operation->defaults(), {}, {}};
    request.parameters.set("fwhm", fwhm);
    request.parameters.set("type", type);
    request.inputs.push_back({"MAP", layer, {}, {}});
    return request;
}

struct FilterBench : Bench {
    std::vector<int64_t> nsides;
    LayerId map;
    explicit FilterBench(const std::shared_ptr<const HealpixMap>& sky = noiseMap(512)) {
        session.setDevice(Device::cpu());  // the device of ran()
        map = document().addLayer(sky, "sky", {});
        QObject::connect(&session.preview(), &LivePreview::smoothReportChanged, &session, [this] {
            if (const Layer* live = document().live()) nsides.push_back(live->map->nside());
        });
    }
    HealpixMap ran(const OperationRequest& request) {
        JobContext job;
        const LayerValue value = *document().entry(map);
        return *runRequest(request, {value}, {"sky"}, Device::cpu(), job).layers[0].value.map;
    }
};

}  // namespace

class LiveFilterTest : public QObject {
    Q_OBJECT
private slots:
    // The first pictures are those of averaged maps, of which the first is quick; later ones are
    // coarse first, too, with the statistics of the first result.
    void isWhatRunMakes() {
        FilterBench bench;
        const OperationRequest first = filterOf(bench.map, "30arcmin");
        bench.session.preview().previewFilter(first);
        QVERIFY(bench.session.preview().isPreviewBusy() &&
                bench.session.preview().isFilterPreviewed());
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.nsides, (std::vector<int64_t>{64, 256, 512}));
        const Layer* live = bench.document().live();
        QVERIFY(live);
        QCOMPARE(live->parent, bench.map);
        QCOMPARE(bench.document().view().shown().entry, live->id);
        QCOMPARE(largestDifference(*live->map, bench.ran(first)), 0.0);

        bench.nsides.clear();
        const OperationRequest second = filterOf(bench.map, "40arcmin", "matched");
        bench.session.preview().previewFilter(second);
        QVERIFY(bench.settle());
        QCOMPARE(bench.nsides, (std::vector<int64_t>{256, 512}));
        live = bench.document().live();
        QVERIFY(live->name.contains("matched"));
        QCOMPARE(largestDifference(*live->map, bench.ran(second)), 0.0);

        // A kept result is a layer like that of Run, which its recipe recomputes.
        bench.session.preview().keepSmooth();
        QVERIFY(!bench.document().live() && !bench.session.preview().isFilterPreviewed());
        const Layer kept = bench.document().entries().back();
        QCOMPARE(kept.recipe.kind, RecipeKind::Operation);
        JobContext job;
        const LoadedLayer again = makeFromRecipe(
            kept.recipe, {LayerValue(*bench.document().entry(bench.map))}, Device::cpu(), job);
        QCOMPARE(largestDifference(*again.value.map, *kept.map), 0.0);
    }
    // A coarse picture of a map that was not filtered before takes no statistics of all its pixels.
    void anEstimateComesFirst() {
        const auto sky = noiseMap(64);
        const FilterRequest request{{}, filterOf(LayerId(1), "5deg"), {LayerValue(sky)}, {"sky"}};
        FilterPlanCache shop;
        JobContext job;
        const FilterPlanCache::Result estimate = shop.preview(request, 32, 16, Device::cpu(), job);
        QVERIFY(estimate.isEstimate && !estimate.isWhole);
        QCOMPARE(estimate.map->nside(), int64_t{16});
        // It is the filter of the averaged map.
        const auto averaged = std::make_shared<const HealpixMap>(udgraded(*sky, 16, job));
        const FilterRequest coarse{
            {}, filterOf(LayerId(1), "5deg"), {LayerValue(averaged)}, {"sky"}};
        QCOMPARE(largestDifference(*estimate.map,
                                   *FilterPlanCache().make(coarse, Device::cpu(), job).map),
                 0.0);
    }
    // The result opens in the colors that suit its values, not those of the map or of an estimate,
    // unless the user has chosen others.
    void colorsSuitTheResult() {
        for (const bool isChosen : {false, true}) {
            FilterBench bench;
            LayerDrawings& drawings = bench.document().drawings();
            ColorScale chosen;
            chosen.mapping.low = -12.0;
            chosen.mapping.high = 34.0;
            QObject::connect(&bench.session.preview(), &LivePreview::smoothReportChanged,
                             &bench.session, [&] {
                                 if (isChosen && bench.nsides.size() == 1)
                                     drawings.setColorScale({bench.document().live()->id}, chosen);
                             });
            bench.session.preview().previewFilter(filterOf(bench.map, "30arcmin"));
            QVERIFY(bench.settle());
            QCOMPARE(bench.nsides.back(), int64_t{512});
            const Layer* live = bench.document().live();
            const Shown shown{live->id};
            const auto drawn = drawings.drawable(shown);
            QVERIFY(live && drawn);
            const ColorScale suited =
                isChosen ? chosen : openingColors(*drawn, shown.quantity, live->map->field(0));
            QCOMPARE(drawings.colorScale(shown).mapping.low, suited.mapping.low);
            QCOMPARE(drawings.colorScale(shown).mapping.high, suited.mapping.high);
        }
    }
    // Statistics from the CPU continue to serve while a device fails repeatedly.
    void aDeviceThatFailsCostsNoPlan() {
        const auto sky = noiseMap(64);
        FilterRequest request{{}, filterOf(LayerId(1), "5deg"), {LayerValue(sky)}, {"sky"}};
        Device broken = Device::cpu();
        broken.kind = DeviceKind::Cuda;
        broken.index = 99;
        FilterPlanCache shop;
        std::set<std::string> stages;
        const auto at = [&](const char* scale, auto&& ask) {
            request.operation.parameters.set("scale", scale);
            stages.clear();
            JobContext job(
                {}, [&](double, std::string_view stage) { stages.emplace(stage); }, 2);
            return ask(job);
        };
        const auto make = [&](JobContext& job) { return shop.make(request, broken, job); };
        const auto preview = [&](JobContext& job) {
            return shop.preview(request, 32, 32, broken, job);
        };
        const FilterPlanCache::Result first = at("1", make);
        QVERIFY(first.note.contains("the CPU goes on"));
        QVERIFY(stages.contains("background"));
        const FilterPlanCache::Result coarse = at("1.5", preview);
        QVERIFY(!coarse.isWhole);
        QCOMPARE(coarse.map->nside(), int64_t{32});
        // The device is tried again, and fails again.
        const FilterPlanCache::Result second = at("1.5", make);
        QVERIFY(second.note.contains("the CPU goes on"));
        QVERIFY(stages.contains("filtering") && !stages.contains("bright sources"));
        QVERIFY(!at("2", preview).isWhole);
        JobContext job;
        request.operation.parameters.set("scale", "1.5");
        QCOMPARE(largestDifference(*second.map,
                                   *FilterPlanCache().make(request, Device::cpu(), job).map),
                 0.0);
    }
    // For any requests between.
    void latestWins() {
        FilterBench bench;
        bench.session.preview().previewFilter(filterOf(bench.map, "30arcmin"));
        QVERIFY(bench.settle());
        OperationRequest last = filterOf(bench.map, "30arcmin");
        for (int step = 0; step < 20; ++step) {
            last.parameters.set("scale", std::to_string(0.8 + 0.05 * step));
            bench.session.preview().previewFilter(last);
            QTest::qWait(5);
        }
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(bench.nsides.size() < 30 && bench.nsides.back() == 512);
        QCOMPARE(largestDifference(*bench.document().live()->map, bench.ran(last)), 0.0);
    }
    // One live result: smoothing replaces the filter, and applies to the map, not to the filtered
    // one.
    void smoothingTakesItsPlace() {
        FilterBench bench(noiseMap(64));
        bench.session.preview().previewFilter(filterOf(bench.map, "5deg"));
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
        SmoothParameters parameters;
        parameters.fwhm = 5.0 * kDegree;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(!bench.session.preview().isFilterPreviewed());
        QCOMPARE(bench.document().live()->recipe.kind, RecipeKind::Smooth);
        QCOMPARE(bench.document().live()->recipe.input, bench.map);
        bench.session.preview().previewFilter(filterOf(bench.map, "5deg"));
        bench.session.preview().stopPreview();
        QVERIFY(bench.settle());
        QVERIFY(!bench.document().live() && !bench.session.preview().isFilterPreviewed());
    }
    void whatHasNoLiveForm() {
        FilterBench bench(noiseMap(16));
        QCOMPARE(bench.session.preview().liveFilterProblem(filterOf(bench.map, "20deg")),
                 QString());
        OperationRequest request = filterOf(bench.map, "20deg");
        request.inputs.push_back({"map2", bench.map, {}, {}});
        request.parameters.set("fwhm2", "20deg");
        request.parameters.set("response2", "1");
        QVERIFY(!bench.session.preview().liveFilterProblem(request).isEmpty());
        request = filterOf(bench.map, "20deg");
        request.parameters.set("flux", "true");
        QVERIFY(!bench.session.preview().liveFilterProblem(request).isEmpty());
        QVERIFY(
            !bench.session.preview().liveFilterProblem(filterOf(LayerId(99), "20deg")).isEmpty());
        bench.session.preview().previewFilter(request);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(!bench.session.preview().isFilterPreviewed());
    }
    // The plan is dropped with its map.
    void memoryIsTold() {
        FilterBench bench(noiseMap(128));
        const int64_t before = bench.session.memoryLedger().plans;
        bench.session.preview().previewFilter(filterOf(bench.map, "2deg"));
        QVERIFY(bench.settle());
        // Filtered map and local noise, at least.
        QVERIFY(bench.session.memoryLedger().plans - before > 16 * pixelCount(128));
        bench.session.preview().stopPreview();
        bench.document().removeLayer(bench.map);
        QCOMPARE(bench.session.memoryLedger().plans, before);
    }
};

QTEST_GUILESS_MAIN(LiveFilterTest)
#include "tst_live_filter.moc"
