// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on the layers of a document without a session around it.
#include <algorithm>

#include "armilla/core/units.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "part_desk.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk : PartDesk {
    LivePreview preview{document, runner,  followers,
                        pictures, notices, [] { return Device::cpu(); }};
    OperationRunner operations{document, runner, followers, pictures,
                               preview,  review, notices,   [] { return Device::cpu(); }};
    QSignalSpy finished{&operations, &OperationRunner::operationFinished};

    static OperationRequest smooth(int layer) {
        const Operation* operation = findOperation("smooth");
        OperationRequest request{operation, operation->defaults(), {}, {}};
        request.parameters.set("fwhm", "20deg");
        request.inputs.push_back({QStringLiteral("MAP"), layer, {0}, {}});
        return request;
    }
};

}  // namespace

class OperationRunnerTest : public QObject {
    Q_OBJECT
private slots:
    void resultsBecomeLayers() {
        Desk desk;
        const int map = desk.addMap(noiseMap(16));
        QVERIFY(desk.operations.runOperation(Desk::smooth(map)) >= 0);
        QCOMPARE(desk.finished.size(), 0);
        QVERIFY(desk.settle());
        QCOMPARE(desk.finished.size(), 1);
        QCOMPARE(desk.finished[0][0].toString(), QStringLiteral("smooth"));
        const auto made = desk.finished[0][1].value<std::vector<int>>();
        QCOMPARE(made.size(), size_t{1});
        QCOMPARE(desk.document.entry(made[0])->map->nside(), int64_t{16});
        QCOMPARE(desk.document.recipeOf(made[0])->inputs(), std::vector<int>{map});
        QCOMPARE(desk.errors(), QStringList());
    }
    void absentLayersAreRefused() {
        Desk desk;
        QCOMPARE(desk.operations.runOperation(Desk::smooth(7)), -1);
        desk.operations.showDifference({7, 0}, {8, 0});
        desk.operations.showMaskedDifference({});
        QCOMPARE(desk.operations.addAccepted(), -1);
        desk.operations.removeAccepted(true, 3.0);
        QCOMPARE(desk.errors().size(), 5);
        QVERIFY(desk.runner.isIdle() && desk.document.entries().empty());
    }
    void differencesAreMaps() {
        Desk desk;
        const int a = desk.addMap(noiseMap(8)), b = desk.addMap(noiseMap(8));
        desk.operations.showDifference({a, 0}, {b, 0});
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{3});
        const HealpixMap& map = *desk.document.entries()[2].map;
        for (int64_t i = 0; i < map.elementCount(); ++i) QCOMPARE(map.field(0).at(i), 0.0);
    }
    // A live map stands for the map it is made from.
    void livePreviewsAreComparedByTheirSource() {
        Desk desk;
        const int map = desk.addMap(noiseMap(16));
        desk.document.view().setShown({map, 0, Quantity::Field});
        SmoothParameters parameters;
        parameters.fwhm = 20.0 * kDegree;
        desk.preview.previewSmooth(parameters);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.preview.isPreviewBusy(), kPatience);
        desk.document.view().setShown({desk.document.live()->id, 0, Quantity::Field});
        desk.operations.showMaskedDifference(parameters);
        QVERIFY(desk.settle());
        QCOMPARE(desk.errors(), QStringList());
        const auto& entries = desk.document.entries();
        const auto made = std::find_if(entries.begin(), entries.end(), [](const Layer& layer) {
            return layer.recipe.kind == RecipeKind::MaskedDifference;
        });
        QVERIFY(made != entries.end());
        QCOMPARE(made->recipe.input, map);
    }
    // The command that lacked a frame runs after the answer, on the layer in that frame.
    void answeredFramesRunTheWaitingCommand() {
        Desk desk;
        const int map = desk.addMap(noiseMap(8, {"TEMPERATURE"}, Frame::Unknown));
        desk.document.view().setShown({map, 0, Quantity::Field});
        SmoothParameters parameters;
        parameters.fwhm = 20.0 * kDegree;
        desk.preview.previewSmooth(parameters);
        Frame found = Frame::Unknown;
        QVERIFY(
            desk.notices.askFrame(map, [&] { found = desk.document.entry(map)->map->frame(); }));
        desk.operations.answerFrame(map, Frame::Galactic);
        QVERIFY(!desk.preview.source());  // the source of the preview is replaced
        QVERIFY(desk.settle());
        QVERIFY(found == Frame::Galactic);
        desk.operations.stateFrame(map, Frame::Unknown);
        QVERIFY(desk.settle());
        QVERIFY(desk.document.entry(map)->map->frame() == Frame::Unknown);
    }
};

QTEST_GUILESS_MAIN(OperationRunnerTest)
#include "tst_operation_runner.moc"
