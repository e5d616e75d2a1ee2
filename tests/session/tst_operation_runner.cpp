// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on the layers of a document without a session around it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/units.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/stand_in.h"
#include "corrections.h"
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

    static OperationRequest smooth(LayerId layer) {
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
        const LayerId map = desk.addMap(noiseMap(16));
        QVERIFY(desk.operations.runOperation(Desk::smooth(map)) >= 0);
        QCOMPARE(desk.finished.size(), 0);
        QVERIFY(desk.settle());
        QCOMPARE(desk.finished.size(), 1);
        QCOMPARE(desk.finished[0][0].toString(), QStringLiteral("smooth"));
        const auto made = desk.finished[0][1].value<std::vector<LayerId>>();
        QCOMPARE(made.size(), size_t{1});
        QCOMPARE(desk.document.entry(made[0])->map->nside(), int64_t{16});
        QCOMPARE(recipeOf(desk.document, made[0])->inputs(), std::vector<LayerId>{map});
        QCOMPARE(desk.errors(), QStringList());
    }
    void absentLayersAreRefused() {
        Desk desk;
        QCOMPARE(desk.operations.runOperation(Desk::smooth(LayerId(7))), -1);
        desk.operations.showDifference({LayerId(7), 0}, {LayerId(8), 0});
        desk.operations.showMaskedDifference({});
        QCOMPARE(desk.operations.addAccepted(), LayerId());
        desk.operations.removeAccepted(true, 3.0);
        QCOMPARE(desk.errors().size(), 5);
        QVERIFY(desk.runner.isIdle() && desk.document.entries().empty());
    }
    // The pixels of a sample are some of those of the file: no tool makes a result of them.
    void samplesAreRefused() {
        Desk desk;
        HealpixMap sample = *noiseMap(8);
        markSample(sample);
        sample.metadata().history.emplace_back("Exported.");  // an export adds such lines
        const LayerId map = desk.addMap(std::make_shared<const HealpixMap>(std::move(sample)));
        desk.document.view().setShown({map, 0, Quantity::Field});
        QCOMPARE(desk.operations.runOperation(Desk::smooth(map)), -1);
        desk.operations.showDifference({map, 0}, {map, 0});
        SmoothParameters parameters;
        parameters.fwhm = 20.0 * kDegree;
        desk.operations.showMaskedDifference(parameters);
        desk.preview.previewSmooth(parameters);
        QVERIFY(desk.settle());
        const QStringList errors = desk.errors();
        QCOMPARE(errors.size(), 4);
        for (const QString& error : errors)
            QVERIFY2(error.contains(QLatin1String("expected all pixels, found a sample")),
                     qPrintable(error));
        QCOMPARE(desk.document.entries().size(), size_t{1});
    }
    void differencesAreMaps() {
        Desk desk;
        const LayerId a = desk.addMap(noiseMap(8)), b = desk.addMap(noiseMap(8));
        desk.operations.showDifference({a, 0}, {b, 0});
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{3});
        const HealpixMap& map = *desk.document.entries()[2].map;
        for (int64_t i = 0; i < map.elementCount(); ++i) QCOMPARE(map.field(0).at(i), 0.0);
    }
    // A live map stands for the map it is made from.
    void livePreviewsAreComparedByTheirSource() {
        Desk desk;
        const LayerId map = desk.addMap(noiseMap(16));
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
    // The setting that an error asks for, and those that errors and notes name.
    void linesNameCorrections() {
        OperationRequest smooth = Desk::smooth(LayerId(1));
        smooth.parameters.set("masked", "ignore");
        const auto found = correctionsIn(
            QStringLiteral("bad pixels count as zero; --masked normalize corrects for "
                           "them, --method auto does not"),
            smooth);
        QCOMPARE(found.size(), size_t{1});  // the method is auto already
        QCOMPARE(found[0].parameter, std::string("masked"));
        QCOMPARE(found[0].value, std::string("normalize"));
        QVERIFY(correctionsIn(QStringLiteral("use --masked nonsense, --file x"), smooth).empty());
        const Operation* convert = findOperation("convert");
        const OperationRequest request{convert, convert->defaults(), {}, {}};
        const auto lacking = correctionsIn(
            QStringLiteral("sky.fits: expected --frequency, found none to convert"), request);
        QCOMPARE(lacking.size(), size_t{1});
        QCOMPARE(lacking[0].parameter, std::string("frequency"));
        QVERIFY(lacking[0].value.empty());
        QVERIFY(correctionsIn(QStringLiteral("expected --frequency in Hz, found '3'"), request)
                    .empty());
    }
    // A map per beam that states no beam: the user states it, and the conversion runs again.
    void aMissingBeamIsAskedFor() {
        Desk desk;
        std::vector<Field> fields;
        fields.push_back({"I", "Jy/beam", DiskType::Float64, std::vector<double>(48, 2.0)});
        const LayerId map = desk.addMap(std::make_shared<const HealpixMap>(
            2, Ordering::Ring, Frame::Galactic, std::move(fields)));
        std::vector<Remedy> offered;
        connect(&desk.notices, &Notices::remediesOffered, this,
                [&](const QString&, bool isError, const std::vector<Remedy>& remedies) {
                    QVERIFY(isError);
                    offered = remedies;
                });
        const Operation* convert = findOperation("convert");
        OperationRequest request{convert, convert->defaults(), {}, {}};
        request.parameters.set("unit", "Jy/sr");
        request.inputs.push_back({QStringLiteral("MAP"), map, {}, {}});
        desk.operations.runOperation(request);
        QVERIFY(desk.settle());
        QCOMPARE(desk.errors().size(), 1);
        QCOMPARE(offered.size(), size_t{1});
        QCOMPARE(offered[0].asks, Remedy::Asks::Text);
        const std::vector<Remedy> first = offered;
        first[0].apply(QStringLiteral("wide"));
        QCOMPARE(desk.errors().size(), 2);
        first[0].apply(QStringLiteral("1deg"));
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{2});
        // astropy: (1*u.Jy/u.beam).to(u.Jy/u.sr, u.beam_angular_area(pi/(4 ln 2)*(1*u.deg)**2))
        const double factor = 2897.215796879106;
        const double value = desk.document.entries()[1].map->value(0, 0);
        QVERIFY2(std::abs(value / (2.0 * factor) - 1.0) < 1e-12,
                 qPrintable(QString::number(value, 'g', 17)));
    }
    // A note that names a setting offers it.
    void badPixelsAreCorrectedFor() {
        Desk desk;
        std::vector<double> values(3072, 5.0);
        std::fill(values.begin(), values.begin() + 400, std::nan(""));
        std::vector<Field> fields;
        fields.push_back({"I", "K", DiskType::Float64, std::move(values)});
        const LayerId map = desk.addMap(std::make_shared<const HealpixMap>(
            16, Ordering::Ring, Frame::Galactic, std::move(fields)));
        std::vector<Remedy> offered;
        connect(&desk.notices, &Notices::remediesOffered, this,
                [&](const QString&, bool isError, const std::vector<Remedy>& remedies) {
                    QVERIFY(!isError);
                    offered = remedies;
                });
        OperationRequest request = Desk::smooth(map);
        request.parameters.set("masked", "ignore");
        desk.operations.runOperation(request);
        QVERIFY(desk.settle());
        QCOMPARE(offered.size(), size_t{1});
        std::exchange(offered, {})[0].apply({});
        QVERIFY(desk.settle());
        QVERIFY(offered.empty());
        QCOMPARE(desk.document.entries().size(), size_t{3});
        // A constant stays constant up to the boundary; counted as zeros, the hole lowers it.
        const HealpixMap& ignored = *desk.document.entries()[1].map;
        const HealpixMap& corrected = *desk.document.entries()[2].map;
        QVERIFY(ignored.value(0, 420) < 4.5);
        // Accuracy of the harmonic method for a kernel of 20 degrees at this nside.
        QVERIFY2(std::abs(corrected.value(0, 420) - 5.0) < 0.05,
                 qPrintable(QString::number(corrected.value(0, 420))));
    }
    // The command that lacked a frame runs after the answer, on the layer in that frame.
    void answeredFramesRunTheWaitingCommand() {
        Desk desk;
        const LayerId map = desk.addMap(noiseMap(8, {"TEMPERATURE"}, Frame::Unknown));
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
