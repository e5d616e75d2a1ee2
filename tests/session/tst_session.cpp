// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "core/error.h"
#include "core/pixel_geometry.h"
#include "core/units.h"
#include "io/harmonic_io.h"
#include "io/map_io.h"
#include "map_work.h"
#include "ops/resample.h"
#include "session/session.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A session in folders of its own, and what it says.
struct Bench {
    QTemporaryDir folder;
    Session session{SessionPaths{folder.filePath("settings.conf"), folder.filePath("state")}};
    QStringList errors, news;
    Bench() {
        QObject::connect(
            &session, &Session::messageRaised, &session,
            [this](const QString& line, bool isError) { (isError ? errors : news) << line; });
    }
    QString path(const QString& name) const { return folder.filePath(name); }
    QString write(const HealpixMap& map, const QString& name) const {
        JobContext job;
        writeMap(map, path(name).toStdString(), {}, job);
        return path(name);
    }
    Document& document() { return session.document(); }
    // Until no job is left and none follows.
    bool settle() {
        for (int quiet = 0; quiet < 3;) {
            if (!QTest::qWaitFor([this] { return session.jobs().isIdle(); }, 60000)) return false;
            QTest::qWait(5);
            quiet = session.jobs().isIdle() ? quiet + 1 : 0;
        }
        return true;
    }
    void open(const QStringList& paths) {
        for (const QString& each : paths) {
            session.openFiles({each});
            QVERIFY(settle());
        }
    }
};

HealpixMap readBack(const QString& path) {
    JobContext job;
    return readMap(path.toStdString(), {}, job);
}

double largestDifference(const HealpixMap& a, const HealpixMap& b) {
    double largest = 0.0;
    for (int64_t i = 0; i < a.elementCount(); ++i) {
        const double x = a.field(0).at(i), y = b.field(0).at(i);
        if (std::isnan(x) != std::isnan(y)) return INFINITY;
        if (!std::isnan(x)) largest = std::max(largest, std::abs(x - y));
    }
    return largest;
}

// A smooth sky: a constant, a dipole and one pole-on wave, so that curvature is seen at any nside.
std::shared_ptr<const HealpixMap> waveMap(int64_t nside, Ordering ordering = Ordering::Ring,
                                          Frame frame = Frame::Galactic) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t i = 0; i < values.size(); ++i) {
        const auto pixel = static_cast<int64_t>(i);
        const Vec3 v = ordering == Ordering::Ring ? directionFromRing(nside, pixel)
                                                  : directionFromNested(nside, pixel);
        values[i] = static_cast<float>(1.0 + v.x + v.z * v.z);
    }
    return std::make_shared<const HealpixMap>(nside, ordering, frame,
                                              std::vector<Field>{field("WAVE", std::move(values))});
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void opensWithPictureAndColors() {
        Bench bench;
        const auto map = noiseMap(32, {"TEMPERATURE"}, Frame::Equatorial);
        QSignalSpy recent(&bench.session, &Session::recentFilesChanged);
        bench.open({bench.write(*map, "a map.fits")});
        QCOMPARE(bench.document().entries().size(), size_t{1});
        const MapEntry& entry = bench.document().entries()[0];
        QCOMPARE(entry.name, QString("a map.fits"));
        QCOMPARE(bench.document().shown(), (Shown{entry.id, 0}));
        QCOMPARE(bench.document().camera().frame, Frame::Equatorial);
        const auto drawable = bench.document().drawable({entry.id, 0});
        QVERIFY(drawable);
        QCOMPARE(drawable->pyramid->nside(), int64_t{32});
        QCOMPARE(drawable->sortedSample.size(), size_t(12 * 32 * 32));
        QVERIFY(std::is_sorted(drawable->sortedSample.begin(), drawable->sortedSample.end()));
        // Noise of deviation 1 and both signs: symmetric, at the 1 % tails (2.33 sigma). The tail
        // percentile of 12288 samples has a standard error of 0.034.
        const ColorScale scale = bench.document().colorScale({entry.id, 0});
        QCOMPARE(scale.mapping.low, -scale.mapping.high);
        QVERIFY(std::abs(scale.mapping.high - 2.326F) < 0.2F);
        QCOMPARE(bench.session.recentFiles(), QStringList{bench.path("a map.fits")});
        QCOMPARE(recent.count(), 1);
        QVERIFY(bench.errors.isEmpty());
        // Settings are kept.
        Session other(SessionPaths{bench.path("settings.conf"), bench.path("state")});
        QCOMPARE(other.recentFiles(), bench.session.recentFiles());
    }
    void keepsTheOrderOfFilesOpenedTogether() {
        Bench bench;
        // The first one takes longest; the second one is none.
        const QString large = bench.write(*noiseMap(256, {"T"}), "large.fits");
        const QString small = bench.write(*noiseMap(4, {"T"}), "small.fits");
        const QString smaller = bench.write(*noiseMap(2, {"T"}), "smaller.fits");
        QFile text(bench.path("text.fits"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("hello\n1 2\n");
        text.close();
        bench.session.openFiles({large, text.fileName(), small, smaller});
        QVERIFY(bench.settle());
        QStringList names;
        for (const MapEntry& entry : bench.document().entries()) names << entry.name;
        QCOMPARE(names, (QStringList{"large.fits", "small.fits", "smaller.fits"}));
        QCOMPARE(bench.document().shown().entry, bench.document().entries()[0].id);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(
            bench.errors[0].endsWith("expected a FITS file with a HEALPix map, found a text file"),
            qPrintable(bench.errors[0]));
        // Told in the message alone.
        QVERIFY(bench.session.jobs().jobs().empty());
    }
    void otherFieldsAreDrawnWhenShown() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(8), "p.fits")});
        const int id = bench.document().entries()[0].id;
        for (const Shown shown : {Shown{id, 2}, Shown{id, 0, Quantity::PolarizedAmplitude},
                                  Shown{id, 0, Quantity::PolarizationAngle}}) {
            QVERIFY(!bench.document().drawable(shown));
            bench.document().setShown(shown);
            QTRY_VERIFY(bench.document().drawable(shown));
        }
        bench.document().setCompared({id, 1});
        QTRY_VERIFY((bench.document().drawable({id, 1})));
        QCOMPARE((bench.document().colorScale({id, 0, Quantity::PolarizationAngle}).colorMap),
                 std::string("twilight"));
    }
    void angleOfCoarsePixelsIsThatOfTheMean() {
        // Q = -1, U = +-0.02: angles just below 90 and just above -90 degrees; their mean angle is
        // 0, that of the mean Q and U is 90.
        const int64_t nside = 4;
        std::vector<float> q(192, -1.0F), u(192);
        for (size_t i = 0; i < u.size(); ++i) u[i] = i % 2 == 0 ? 0.02F : -0.02F;
        const HealpixMap map(nside, Ordering::Nested, Frame::Galactic,
                             {field("T", std::vector<float>(192)), field("Q", q), field("U", u)});
        JobContext job;
        const auto drawable = makeDrawable(map, 0, Quantity::PolarizationAngle, 64, job);
        for (const float value : drawable->pyramid->level(1))
            QVERIFY(std::abs(std::abs(value) - 90.0F) < 1e-3F);
        for (const float value : drawable->pyramid->level(0))
            QVERIFY(std::abs(std::abs(value) - 90.0F) < 1.0F);
    }
    void refusedFilesChangeNothing_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("missing") << QByteArray();
        QTest::newRow("text") << QByteArray("this is no map");
        QTest::newRow("fits without tables")
            << QByteArray("SIMPLE  =                    T").leftJustified(80) +
                   QByteArray("BITPIX  =                    8").leftJustified(80) +
                   QByteArray("NAXIS   =                    0").leftJustified(80) +
                   QByteArray("END").leftJustified(2880 - 240);
    }
    void refusedFilesChangeNothing() {
        QFETCH(QByteArray, content);
        Bench bench;
        const QString path = bench.path("bad.fits");
        if (!content.isEmpty()) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        bench.session.openFiles({path});
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains("bad.fits"), qPrintable(bench.errors[0]));
        QVERIFY2(!bench.errors[0].contains('\n'), qPrintable(bench.errors[0]));
        QVERIFY(bench.document().entries().empty());
        QVERIFY(!bench.document().undoStack()->canUndo());
        QVERIFY(bench.session.recentFiles().isEmpty());
    }
    void spectraAreNoMaps() {
        Bench bench;
        Spectra spectra;
        spectra[SpectrumKind::TT] = {1.0, 2.0, 3.0};
        writeSpectra(spectra, bench.path("cl.fits").toStdString(), {});
        bench.session.openFiles({bench.path("cl.fits")});
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains("expected a HEALPix map, found a power spectrum"),
                 qPrintable(bench.errors[0]));
    }

    void smoothKeepExportReopen() {
        Bench bench;
        const auto map = noiseMap(512);
        bench.open({bench.write(*map, "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 2.0 * kDegree;
        QSignalSpy busy(&bench.session, &Session::previewBusyChanged);
        std::vector<int64_t> nsides;
        connect(&bench.session, &Session::smoothReportChanged, this,
                [&] { nsides.push_back(bench.document().live()->map->nside()); });
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.session.isPreviewBusy());
        bench.session.keepSmooth();  // waits for the full map
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(nsides, (std::vector<int64_t>{256, 512}));
        QCOMPARE(busy.count(), 2);
        QVERIFY(!bench.document().live());
        QCOMPARE(bench.document().entries().size(), size_t{2});
        const MapEntry kept = bench.document().entries()[1];
        QCOMPARE(bench.document().shown().entry, kept.id);
        QCOMPARE(kept.parent, bench.document().entries()[0].id);
        QVERIFY(bench.document().drawable({kept.id, 0}));
        QVERIFY(kept.name.startsWith("smoothed 2"));
        QCOMPARE(bench.session.smoothReport().method, SmoothMethod::Harmonic);

        // Kept equals the plan's own result.
        JobContext job;
        SmoothPlan plan(map, {0}, Device::cpu());
        const HealpixMap direct = plan.execute(parameters, job);
        QVERIFY(largestDifference(*kept.map, direct) < 1e-6);  // single precision values of ~ 0.03

        bench.session.exportMap(kept.id, bench.path("out.fits"), false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const HealpixMap back = readBack(bench.path("out.fits"));
        QCOMPARE(largestDifference(back, *kept.map), 0.0);
        QCOMPARE(back.frame(), Frame::Galactic);
        const auto& history = back.metadata().history;
        const std::string all = [&] {
            std::string text;
            for (const auto& line : history) text += line;
            return text;
        }();
        QVERIFY2(all.find("armilla smooth") != std::string::npos, all.c_str());
        QVERIFY2(all.find("--fwhm 2deg") != std::string::npos, all.c_str());

        // An existing file is not replaced unasked.
        bench.session.exportMap(kept.id, bench.path("out.fits"), false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        bench.session.exportMap(kept.id, bench.path("out.fits"), true);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }
    void sliderInMotion() {
        Bench bench;
        bench.open({bench.write(*noiseMap(128), "in.fits")});
        int pictures = 0;
        connect(&bench.session, &Session::smoothReportChanged, this, [&] { ++pictures; });
        SmoothParameters parameters;
        for (int i = 1; i <= 40; ++i) {
            parameters.fwhm = 0.1 * i * kDegree;
            bench.session.previewSmooth(parameters);
            QTest::qWait(5);
        }
        QVERIFY(bench.settle());
        QVERIFY(bench.errors.isEmpty());
        QVERIFY(pictures >= 2 && pictures <= 80);
        const MapEntry* live = bench.document().live();
        QVERIFY(live);
        // The latest request has won, at full resolution.
        QCOMPARE(live->recipe.smooth.fwhm, parameters.fwhm);
        QCOMPARE(live->map->nside(), int64_t{128});
        QCOMPARE(bench.document().undoStack()->count(), 1);  // the opening alone
        // The live map is smoothed from the original, not from itself.
        QCOMPARE(live->parent, bench.document().entries()[0].id);
        bench.session.stopPreview();
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.isPreviewBusy());
        bench.session.keepSmooth();
        QCOMPARE(bench.errors.size(), 1);
    }
    void polarizationIsSmoothedTogether() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(32), "p.fits")});
        const int id = bench.document().entries()[0].id;
        bench.document().setShown({id, 0, Quantity::PolarizedAmplitude});
        SmoothParameters parameters;
        parameters.fwhm = 5.0 * kDegree;
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().live()->map->fieldCount(), 3);
        QCOMPARE(bench.document().shown().quantity, Quantity::PolarizedAmplitude);
        QVERIFY(bench.document().live()->recipe.smooth.polarization);
    }
    void smoothingNeedsSomethingToSmooth() {
        Bench bench;
        bench.session.previewSmooth({});
        QCOMPARE(bench.errors.size(), 1);
        bench.open({bench.write(*noiseMap(8), "t.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 0.1;
        parameters.polarization = true;
        bench.session.previewSmooth(parameters);
        QCOMPARE(bench.errors.size(), 2);
        QVERIFY(!bench.session.isPreviewBusy());
        // A request that the operation refuses.
        parameters.polarization = false;
        parameters.lmax = -7;
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 3);
        QVERIFY(!bench.session.isPreviewBusy());
        QVERIFY(!bench.document().live());
    }
    void cancelInThePanelEndsThePreview() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bench.session.previewSmooth(parameters);
        bench.session.jobs().cancelAll();
        QVERIFY(bench.settle());
        QVERIFY(!bench.session.isPreviewBusy());
        QVERIFY(bench.errors.isEmpty());
        // And the next request works.
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
    }
    void closingTheMapEndsItsPreview() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bench.session.previewSmooth(parameters);
        bench.document().removeMap(bench.document().entries()[0].id);
        QVERIFY(bench.settle());
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.isPreviewBusy());
        QVERIFY(bench.document().entries().empty());
    }
    void maskedWaysAreCompared() {
        Bench bench;
        auto map = *noiseMap(32);
        auto& values = std::get<std::vector<float>>(map.field(0).values);
        for (size_t i = 0; i < values.size() / 3; ++i) values[i] = std::nanf("");
        bench.open({bench.write(map, "holes.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 5.0 * kDegree;
        bench.session.showMaskedDifference(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{2});
        const auto& made = bench.document().entries()[1];
        JobContext job;
        double size = 0.0;
        for (int64_t i = 0; i < made.map->elementCount(); ++i)
            if (std::isfinite(made.map->field(0).at(i)))
                size = std::max(size, std::abs(made.map->field(0).at(i)));
        QVERIFY(size > 0.0);
        Bench nothing;
        nothing.session.showMaskedDifference(parameters);
        QCOMPARE(nothing.errors.size(), 1);
    }

    void differences_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("ordering");
        QTest::addColumn<int>("frame");
        QTest::addColumn<double>("limit");
        QTest::addColumn<QString>("name");
        const int ring = static_cast<int>(Ordering::Ring);
        const int nested = static_cast<int>(Ordering::Nested);
        const int galactic = static_cast<int>(Frame::Galactic);
        // Values up to 3 in single precision: 2^-23 each.
        QTest::newRow("the same grid") << 64 << ring << galactic << 1e-6 << "a.fits − b.fits";
        QTest::newRow("other ordering") << 64 << nested << galactic << 1e-6 << "a.fits − b.fits";
        // The mean of four children differs from the value at the parent's center by half the
        // second derivative (at most 2) times the mean square distance of the children (a quarter
        // pixel side, 1.8 degrees / 4, squared) plus the offset of the HEALPix centers, of the same
        // order times the gradient (at most 2): below 2e-3.
        QTest::newRow("finer") << 128 << ring << galactic << 2e-3 << "a.fits − b.fits (nside 64)";
        QTest::newRow("coarser") << 32 << nested << galactic << 4e-3
                                 << "a.fits − b.fits (nside 32)";
    }
    void differences() {
        QFETCH(int, nside);
        QFETCH(int, ordering);
        QFETCH(int, frame);
        QFETCH(double, limit);
        QFETCH(QString, name);
        Bench bench;
        bench.open({bench.write(*waveMap(64), "a.fits"),
                    bench.write(
                        *waveMap(nside, static_cast<Ordering>(ordering), static_cast<Frame>(frame)),
                        "b.fits")});
        const auto& entries = bench.document().entries();
        bench.document().setComparison(Comparison::Swipe);
        bench.session.showDifference({entries[0].id, 0}, {entries[1].id, 0});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        const MapEntry& made = bench.document().entries()[2];
        QCOMPARE(made.name, name);
        QCOMPARE(made.map->ordering(), Ordering::Ring);
        QCOMPARE(made.map->nside(), int64_t{std::min(64, nside)});
        QCOMPARE(made.map->field(0).unit, std::string("uK"));
        QCOMPARE(bench.document().comparison(), Comparison::Single);
        QCOMPARE(bench.document().shown().entry, made.id);
        for (int64_t i = 0; i < made.map->elementCount(); ++i)
            QVERIFY(std::abs(made.map->field(0).at(i)) < limit);
        // One step: the maps are back in the comparison they were in.
        QCOMPARE(bench.document().undoStack()->undoText(), "Make " + name);
        bench.document().undoStack()->undo();
        QCOMPARE(bench.document().entries().size(), size_t{2});
        QCOMPARE(bench.document().comparison(), Comparison::Swipe);
    }
    void differencesAcrossFramesAndHoles() {
        JobContext job;
        // The same sky seen in two frames: x of the Galactic frame.
        const int64_t nside = 64;
        const auto galactic = waveMap(nside);
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        for (size_t i = 0; i < values.size(); ++i) {
            const Vec3 v = turn * directionFromRing(nside, static_cast<int64_t>(i));
            values[i] = static_cast<float>(1.0 + v.x + v.z * v.z);
        }
        const HealpixMap equatorial(nside, Ordering::Ring, Frame::Equatorial,
                                    {field("WAVE", values)});
        const auto made = mapDifference(*galactic, {0, 0}, equatorial, {1, 0}, job);
        QCOMPARE(made.changes, QStringList{"turned to Galactic"});
        // HEALPix interpolation is linear in longitude along rings. The first ring has four pixels,
        // so that half way between two of them x falls short by 1 - cos(45 degrees) = 0.29 of the
        // ring's radius, sin(theta) = sqrt(2/3) / nside = 0.0128: 3.7e-3. Elsewhere it is an eighth
        // of the second derivative times the pixel side squared: 3e-4.
        double largest = 0.0;
        for (int64_t i = 0; i < made.map.elementCount(); ++i)
            largest = std::max(largest, std::abs(made.map.field(0).at(i)));
        QVERIFY2(largest < 4e-3, qPrintable(QString::number(largest)));
        // Pixels that one of them lacks have no difference.
        const HealpixMap part = HealpixMap::partial(
            nside, Ordering::Ring, Frame::Galactic, {5, 7, 11},
            {field("WAVE", {galactic->field(0).isSingle() ? 1.0F : 0.0F, std::nanf(""), 2.0F})});
        const auto full = mapDifference(*galactic, {0, 0}, part, {1, 0}, job);
        int finite = 0;
        for (int64_t i = 0; i < full.map.elementCount(); ++i)
            finite += std::isfinite(full.map.field(0).at(i)) ? 1 : 0;
        QCOMPARE(finite, 2);
        const auto partial = mapDifference(part, {0, 0}, *galactic, {1, 0}, job);
        QCOMPARE(partial.map.elementCount(), int64_t{3});
        QVERIFY(std::abs(partial.map.field(0).at(0) - (1.0 - galactic->field(0).at(5))) < 1e-6);
    }
    void polarizationTurnsWithTheFrame() {
        // Amplitude does not depend on the frame; Q and U do. Smooth Q, U, away from the poles of
        // either frame, where the meridians turn within a pixel.
        JobContext job;
        const int64_t nside = 128;
        std::vector<float> zero(static_cast<size_t>(pixelCount(nside))), q = zero, u = zero;
        for (size_t i = 0; i < q.size(); ++i) {
            const Vec3 v = directionFromRing(nside, static_cast<int64_t>(i));
            q[i] = static_cast<float>(1.0 - v.z * v.z);  // vanishes at the poles
        }
        const HealpixMap a(nside, Ordering::Ring, Frame::Galactic,
                           {field("T", zero), field("Q", q), field("U", u)});
        const HealpixMap b = rotatedFrame(a, Frame::Equatorial, job);
        const auto made = mapDifference(a, {0, 1}, b, {1, 1}, job);
        // Two bilinear interpolations as above.
        for (int64_t i = 0; i < made.map.elementCount(); ++i) {
            const Vec3 v = directionFromRing(nside, i);
            const Vec3 w = frameRotation(Frame::Equatorial, Frame::Galactic) * v;
            if (std::abs(v.z) < 0.95 && std::abs(w.z) < 0.95)
                QVERIFY(std::abs(made.map.field(0).at(i)) < 5e-3);
        }
    }
    void refusedDifferences() {
        JobContext job;
        const auto a = waveMap(4);
        HealpixMap kelvin = *a;
        kelvin.field(0).unit = "K";
        QVERIFY_EXCEPTION_THROWN(mapDifference(*a, {0, 0}, kelvin, {1, 0}, job), InvalidArgument);
        HealpixMap unknown = *a;
        unknown.setFrame(Frame::Unknown);
        QVERIFY_EXCEPTION_THROWN(mapDifference(*a, {0, 0}, unknown, {1, 0}, job), InvalidArgument);
        const auto p = polarizedMap(4);
        QVERIFY_EXCEPTION_THROWN(
            mapDifference(*p, {0, 0, Quantity::PolarizationAngle}, *p, {1, 0}, job),
            InvalidArgument);
        Bench bench;
        bench.session.showDifference({1, 0}, {2, 0});
        QCOMPARE(bench.errors.size(), 1);
    }

    void spectrumOfAWave() {
        // Y_30-like map: z^3 - 3/5 z is proportional to P_3, so C_3 alone is not 0.
        const int64_t nside = 32;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < values.size(); ++i) {
            const double z = directionFromRing(nside, static_cast<int64_t>(i)).z;
            values[i] = static_cast<float>(2.5 * z * z * z - 1.5 * z);
        }
        const auto wave = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic, std::vector<Field>{field("P3", values)});
        Bench bench;
        bench.open({bench.write(*wave, "p3.fits")});
        QSignalSpy ready(&bench.session, &Session::spectrumReady);
        const Shown shown = bench.document().shown();
        bench.session.computeSpectrum(shown, 20);
        QVERIFY(bench.settle());
        QCOMPARE(ready.count(), 1);
        const auto result = ready[0][0].value<SpectrumResult>();
        QCOMPARE(result.cl.size(), size_t{21});
        QCOMPARE(result.of, shown);
        QCOMPARE(result.unit, QString("uK²"));
        QVERIFY(!result.preview);
        // a_30 = sqrt(4 pi / 7), C_3 = a_30^2 / 7. Ring weights leave quadrature errors well below
        // 1e-6 at l far below nside; single precision values 1e-7.
        const double truth = 4.0 * kPi / 49.0;
        QVERIFY(std::abs(result.cl[3] / truth - 1.0) < 1e-5);
        for (size_t l = 0; l < result.cl.size(); ++l)
            if (l != 3) QVERIFY(result.cl[l] < 1e-9 * truth);
        QCOMPARE(result.skyShare, 1.0);
    }
    void spectrumOutsideAMask() {
        // White noise of variance 1: C_l = 4 pi / Npix, with or without a mask.
        Bench bench;
        const int64_t nside = 32;
        std::vector<float> mask(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < mask.size(); ++i)
            mask[i] =
                std::abs(directionFromRing(nside, static_cast<int64_t>(i)).z) > 0.5 ? 1.0F : 0.0F;
        const HealpixMap maskMap(nside, Ordering::Ring, Frame::Galactic, {field("MASK", mask, "")});
        bench.open({bench.write(*noiseMap(nside), "t.fits"), bench.write(maskMap, "mask.fits")});
        const int t = bench.document().entries()[0].id, m = bench.document().entries()[1].id;
        QCOMPARE((bench.document().colorScale({m, 0}).colorMap), std::string("gray"));
        QSignalSpy ready(&bench.session, &Session::spectrumReady);
        bench.session.computeSpectrum({t, 0}, -1, m);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const auto result = ready[0][0].value<SpectrumResult>();
        QCOMPARE(result.cl.size(), size_t(2 * nside + 1));
        double share = 0.0;
        for (const float value : mask) share += static_cast<double>(value);
        share /= static_cast<double>(mask.size());
        QVERIFY(std::abs(result.skyShare - share) < 1e-12);
        double mean = 0.0;
        int count = 0;
        for (size_t l = 10; l < result.cl.size(); ++l) {
            mean += (2.0 * static_cast<double>(l) + 1.0) * result.cl[l];
            count += 2 * static_cast<int>(l) + 1;
        }
        mean /= count;
        // Relative deviation of the mean of some 4000 modes on half of the sky:
        // sqrt(2 / (4000 * 0.5)) = 3 %; five times that.
        const double truth = 4.0 * kPi / static_cast<double>(pixelCount(nside));
        QVERIFY(std::abs(mean / truth - 1.0) < 0.16);
        // As a mask, noise is refused; so is a mask that leaves nothing.
        bench.session.computeSpectrum({m, 0}, 10, t);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        bench.session.computeSpectrum({99, 0}, 10);
        bench.session.computeSpectrum({t, 0}, 10, 99);
        QCOMPARE(bench.errors.size(), 3);
    }
    void spectrumComesQuicklyFirst() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "t.fits")});
        QSignalSpy ready(&bench.session, &Session::spectrumReady);
        bench.session.computeSpectrum(bench.document().shown(), -1);
        QVERIFY(bench.settle());
        QCOMPARE(ready.count(), 2);
        QVERIFY(ready[0][0].value<SpectrumResult>().preview);
        QCOMPARE(ready[0][0].value<SpectrumResult>().cl.size(), size_t{513});
        QVERIFY(!ready[1][0].value<SpectrumResult>().preview);
        QCOMPARE(ready[1][0].value<SpectrumResult>().cl.size(), size_t{1025});

        const auto result = ready[1][0].value<SpectrumResult>();
        bench.session.exportSpectrum(result, bench.path("cl.fits"), false);
        bench.session.exportSpectrum(result, bench.path("cl.csv"), false);
        bench.session.exportSpectrum(result, bench.path("cl.doc"), false);
        bench.session.exportSpectrum({}, bench.path("none.fits"), false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        const Spectra back = readSpectra(bench.path("cl.fits").toStdString());
        QCOMPARE(back[SpectrumKind::TT], result.cl);
        QFile csv(bench.path("cl.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(csv.readAll());
        QVERIFY(text.startsWith("# armilla "));
        QVERIFY(text.contains("# recipe: open "));
        QVERIFY(text.contains(QString("\n2,%1\n").arg(result.cl[2], 0, 'g', 17)));
    }

    void views() {
        Bench bench;
        bench.session.exportView(bench.path("none.fits"), 100, 50, false);
        bench.session.exportMap(1, bench.path("none2.fits"), false);
        QCOMPARE(bench.errors.size(), 2);
        bench.open({bench.write(*polarizedMap(16), "p.fits")});
        bench.document().setShown(
            {bench.document().shown().entry, 0, Quantity::PolarizedAmplitude});
        bench.session.exportView(bench.path("view.fits"), 200, 100, false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        QFile view(bench.path("view.fits"));
        QVERIFY(view.open(QIODevice::ReadOnly));
        QVERIFY(view.readAll().contains("HISTORY recipe: open "));
        // A map without a frame has no sky coordinates.
        bench.open({bench.write(*noiseMap(4, {"I"}, Frame::Unknown), "u.fits")});
        bench.session.exportView(bench.path("u_view.fits"), 200, 100, false);
        QCOMPARE(bench.errors.size(), 3);
    }
    void previewsAreNotSaved() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bench.session.previewSmooth(parameters);
        QTRY_VERIFY(bench.document().live());
        bench.session.exportMap(bench.document().live()->id, bench.path("early.fits"), false);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("found a preview at nside 256"));
        QVERIFY(bench.settle());
        bench.session.exportMap(bench.document().live()->id, bench.path("late.fits"), false);
        QVERIFY(bench.settle());
        QCOMPARE(readBack(bench.path("late.fits")).nside(), int64_t{512});
    }

    void commandsNameTheSameWork() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "it's a map.fits")});
        const int id = bench.document().entries()[0].id;
        QCOMPARE(bench.session.commandFor(id, "out.fits"),
                 QString("armilla convert '%1' out.fits")
                     .arg(bench.path("it's a map.fits").replace("'", "'\\''")));
        QVERIFY(bench.session.commandFor(id).endsWith(" 'it'\\''s a map_copy.fits'"));
        bench.document().setShown({id, 1});
        SmoothParameters parameters;
        parameters.fwhm = 90.0 * kArcmin;
        parameters.iterations = 2;
        parameters.lmax = 30;
        parameters.masked = Masked::Ignore;
        parameters.weights = Weights::None;
        parameters.method = SmoothMethod::Harmonic;
        bench.session.previewSmooth(parameters);
        bench.session.keepSmooth();
        QVERIFY(bench.settle());
        const int smoothed = bench.document().shown().entry;
        const QString command = bench.session.commandFor(smoothed, "-out.fits");
        const QStringList said = command.split(' ');
        QCOMPARE(parseAngle(said[said.indexOf("--fwhm") + 1].toStdString()), parameters.fwhm);
        QVERIFY2(command.contains(" ./-out.fits --fwhm "), qPrintable(command));
        QVERIFY2(command.endsWith(" --method harmonic --lmax 30 --iterations 2 --weights none "
                                  "--masked ignore --field 2"),
                 qPrintable(command));
        // Smoothed twice: no single command.
        bench.session.previewSmooth(parameters);
        bench.session.keepSmooth();
        QVERIFY(bench.settle());
        QCOMPARE(bench.session.commandFor(bench.document().shown().entry), QString());
        QCOMPARE(bench.errors.size(), 1);
        QCOMPARE(bench.session.commandFor(99), QString());
        // A view of a field of a file.
        bench.document().setShown({id, 2});
        Camera camera = bench.document().camera().centeredOn({1.0, 0.5});
        camera.projection = Projection::Gnomonic;
        camera.zoom = 3.0;
        camera.flip = true;
        bench.document().setCamera(camera);
        const QString view = bench.session.commandForView("v.fits", 300, 200);
        QVERIFY2(view.contains(" v.fits --field 3 --projection gnomonic --center "),
                 qPrintable(view));
        QVERIFY2(view.endsWith(" --flip"), qPrintable(view));
        const QStringList words = view.split(' ');
        const double resolution =
            parseAngle(words[words.indexOf("--resolution") + 1].toStdString());
        QCOMPARE(resolution, camera.radiansPerPixel(300, 200));
        bench.document().setShown({id, 0, Quantity::PolarizedAmplitude});
        QCOMPARE(bench.session.commandForView("v.fits", 300, 200), QString());
    }
    void commandMakesTheSameFile() {
        const QString program = QString::fromLocal8Bit(ARMILLA_PROGRAM);
        QProcess version;
        version.start(program, {"--version"});
        QVERIFY(version.waitForFinished());
        if (version.exitCode() != 0) QSKIP("this build has no command line");
        Bench bench;
        bench.open({bench.write(*noiseMap(64), "in put.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 1.3 * kDegree;
        bench.session.setDevice(Device::cpu());
        bench.session.previewSmooth(parameters);
        bench.session.keepSmooth();
        QVERIFY(bench.settle());
        const int id = bench.document().shown().entry;
        bench.session.exportMap(id, bench.path("gui.fits"), false);
        bench.document().setShown({bench.document().entries()[0].id, 0});
        bench.document().setCamera(bench.document().camera().centeredOn({1.0, 0.4}));
        bench.session.exportView(bench.path("gui_view.fits"), 160, 80, false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        for (const QString& command :
             {bench.session.commandFor(id, bench.path("cli.fits")),
              bench.session.commandForView(bench.path("cli_view.fits"), 160, 80)}) {
            QProcess shell;
            shell.setProcessEnvironment([&] {
                auto environment = QProcessEnvironment::systemEnvironment();
                environment.insert("PATH",
                                   QFileInfo(program).path() + ":" + environment.value("PATH"));
                return environment;
            }());
            shell.start("bash", {"-c", command});
            QVERIFY(shell.waitForFinished(60000));
            QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
        }
        QCOMPARE(
            largestDifference(readBack(bench.path("gui.fits")), readBack(bench.path("cli.fits"))),
            0.0);
        // The data of the pictures: what follows the header, which ends at a multiple of 2880.
        const auto data = [&](const QString& name) {
            QFile file(bench.path(name));
            if (!file.open(QIODevice::ReadOnly)) return QByteArray();
            return file.readAll().right(160 * 80 * 4 / 2880 * 2880);
        };
        QCOMPARE(data("gui_view.fits"), data("cli_view.fits"));
    }

    void wordsForTheShell_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("quoted");
        QTest::newRow("plain") << "/a/b-c_1.fits[2]"
                               << "/a/b-c_1.fits[2]";
        QTest::newRow("empty") << ""
                               << "''";
        QTest::newRow("blank") << "a b"
                               << "'a b'";
        QTest::newRow("quote") << "it's"
                               << "'it'\\''s'";
        QTest::newRow("dollar") << "$HOME`x`"
                                << "'$HOME`x`'";
        QTest::newRow("newline") << "a\nb"
                                 << "$'a\\x0ab'";
        QTest::newRow("umlaut and quote") << QString::fromUtf8("ü'\\") << "$'\\xc3\\xbc\\'\\\\'";
        QTest::newRow("ends in newline") << "a\n"
                                         << "$'a\\x0a'";
    }
    void wordsForTheShell() {
        QFETCH(QString, word);
        QFETCH(QString, quoted);
        QCOMPARE(shellQuoted(word), quoted);
        QProcess shell;
        shell.start("bash", {"-c", "printf %s " + quoted});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    }
    void sampleSkyOpens() {
        Bench bench;
        bench.session.openSampleSky(64);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().entries()[0].recipe.kind, RecipeKind::SampleSky);
        QVERIFY(bench.document().drawable(bench.document().shown()));
        QVERIFY(bench.session.recentFiles().isEmpty());
        QCOMPARE(bench.session.commandFor(bench.document().shown().entry), QString());
        bench.session.openSampleSky(0);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        QCOMPARE(bench.document().entries().size(), size_t{1});
    }
    void devicesThatFailGiveWayToTheCpu() {
        // A device of a kind that this machine may not have: the request goes on, and says so.
        Bench bench;
        Device gone;
        gone.kind = DeviceKind::Cuda;
        gone.index = 99;
        gone.name = "none";
        bench.session.setDevice(gone);
        QCOMPARE(bench.session.device().index, 99);
        bench.open({bench.write(*noiseMap(32), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 0.1;
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(bench.document().live());
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("the CPU goes on"), qPrintable(bench.news[0]));
        QCOMPARE(bench.session.device().kind, DeviceKind::Cpu);
    }
    void sampleOfAMultiOrderMapIsByArea() {
        // One base pixel of value 1 against eleven of 0, one of which is cut into 4^3 cells: the
        // value 1 has a twelfth of the sample, not 1/75.
        std::vector<int64_t> first;
        std::vector<uint8_t> orders;
        std::vector<float> values;
        for (int64_t base = 0; base < 12; ++base) {
            const int pieces = base == 3 ? 64 : 1;
            for (int64_t i = 0; i < pieces; ++i) {
                first.push_back(base * 64 + (pieces == 1 ? 0 : i));
                orders.push_back(pieces == 1 ? 0 : 3);
                values.push_back(base == 0 ? 1.0F : 0.0F);
            }
        }
        const HealpixMap map =
            HealpixMap::multiOrder(8, Frame::Galactic, first, orders, {field("PROB", values)});
        JobContext job;
        const auto drawable = makeDrawable(map, 0, Quantity::Field, 8, job);
        QCOMPARE(drawable->sortedSample.size(), size_t{768});
        QCOMPARE(std::count(drawable->sortedSample.begin(), drawable->sortedSample.end(), 1.0F),
                 std::ptrdiff_t{64});
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
