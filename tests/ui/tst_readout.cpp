// SPDX-License-Identifier: GPL-3.0-or-later
// The read-out compared with closed forms, known positions on the sky, and the map's own arrays.
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/image_file.h"
#include "armilla/ui/cursor_readout.h"
#include "view_fixture.h"

using namespace armilla;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

HealpixMap doubleMap(int64_t nside, Ordering ordering, Frame frame, double base) {
    std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p < values.size(); ++p) values[p] = base + static_cast<double>(p);
    return {nside, ordering, frame, {{"I", "K", DiskType::Float64, std::move(values)}}};
}

}  // namespace

class TstReadout : public QObject {
    Q_OBJECT
private slots:
    void valueAndIndicesAreTheMaps_data();
    void valueAndIndicesAreTheMaps();
    void positionsInAllFrames();
    void digitsOfValues_data();
    void digitsOfValues();
    void badAndUncoveredPixels();
    void polarization();
    void iauFilesKeepTheirSign();
    void framesAndNsidesWithoutNames();
    void groupsDigits();
    void imagesTellTheirPixels();
    void followsTheDocument();
    void lineOfTheStatusBar();
};

void TstReadout::valueAndIndicesAreTheMaps_data() {
    QTest::addColumn<int64_t>("nside");
    QTest::addColumn<Ordering>("ordering");
    for (const int64_t nside : {int64_t{1}, int64_t{4}, int64_t{64}})
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested})
            QTest::addRow("nside %d %s", static_cast<int>(nside),
                          ordering == Ordering::Ring ? "RING" : "NESTED")
                << nside << ordering;
}

void TstReadout::valueAndIndicesAreTheMaps() {
    QFETCH(int64_t, nside);
    QFETCH(Ordering, ordering);
    // Beyond single precision: the value comes from the map, not from the drawing.
    const double base = 123456789.0;
    const HealpixMap map = doubleMap(nside, ordering, Frame::Galactic, base);
    const int64_t step = std::max<int64_t>(1, pixelCount(nside) / 500);
    for (int64_t ring = 0; ring < pixelCount(nside); ring += step) {
        const Readout r = readOut(map, {LayerId(), 0}, directionFromRing(nside, ring));
        const int64_t nested = nestedFromRing(nside, ring);
        QCOMPARE(r.ring, ring);
        QCOMPARE(r.nested, nested);
        const int64_t own = ordering == Ordering::Ring ? ring : nested;
        QVERIFY(r.value == base + static_cast<double>(own));
        QCOMPARE(r.valueText, QString::number(123456789 + own));
        QCOMPARE(r.unit, QStringLiteral("K"));
    }
}

void TstReadout::positionsInAllFrames() {
    const HealpixMap map = doubleMap(512, Ordering::Ring, Frame::Galactic, 0.0);
    // The Galactic center: alpha 266.40499 deg, delta -28.93617 deg (Reid & Brunthaler, ApJ 616
    // (2004) 872, IAU definition of the Galactic system in J2000), to the digits printed there.
    const Readout r = readOut(map, {LayerId(), 0}, direction({0.0, 0.0}));
    QVERIFY(r.frameKnown);
    QVERIFY(std::abs(r.equatorial.lon / kDegree - 266.40499) < 2e-5);
    QVERIFY(std::abs(r.equatorial.lat / kDegree + 28.93617) < 2e-5);
    QVERIFY(r.equatorialText.startsWith(QStringLiteral("17h45m")));
    QVERIFY(r.equatorialText.contains(QStringLiteral("\u221228d56m")));
    // The north ecliptic pole in equatorial coordinates: delta = 90 deg - 23.4392911 deg (IAU
    // 1976), alpha = 270 deg.
    const HealpixMap ecliptic = doubleMap(512, Ordering::Ring, Frame::Ecliptic, 0.0);
    const Readout pole = readOut(ecliptic, {LayerId(), 0}, {0.0, 0.0, 1.0});
    QVERIFY(std::abs(pole.equatorial.lat / kDegree - (90.0 - 23.4392911)) < 2e-5);
    QVERIFY(std::abs(pole.equatorial.lon / kDegree - 270.0) < 2e-5);
    QVERIFY(std::abs(pole.ecliptic.lat - kHalfPi) < 1e-12);
    QVERIFY(pole.eclipticText.contains(QStringLiteral("β 90.")));
    // Digits depend on the pixel size: 6.9 arcmin at nside 512, so hundredths of a degree.
    QCOMPARE(readOut(map, {LayerId(), 0}, direction({0.5, -0.25})).galacticText,
             QStringLiteral("l 28.65° b \u221214.32°"));
}

void TstReadout::digitsOfValues_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("single");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, double value, bool single, const char* text) {
        QTest::newRow(name) << value << single << QString::fromUtf8(text);
    };
    row("plain", 214.6, true, "214.6");
    row("single keeps its digits only", 0.1, true, "0.1");
    row("negative", -96.5, true, "\u221296.5");
    row("zero", 0.0, true, "0");
    row("large", 33508271.0, false, "33508271");
    row("huge", 3e30, false, "3×10³⁰");
    row("small", 2.5e-5, false, "2.5×10⁻⁵");
    row("at most twelve digits", 1.0 / 3.0, false, "0.333333333333");
    row("twelve digits and an exponent", 1e-7 / 3.0, false, "3.33333333333×10⁻⁸");
}

void TstReadout::digitsOfValues() {
    QFETCH(double, value);
    QFETCH(bool, single);
    QFETCH(QString, text);
    Field field{"I", "", single ? DiskType::Float32 : DiskType::Float64, {}};
    if (single)
        field.values = std::vector<float>(12, static_cast<float>(value));
    else
        field.values = std::vector<double>(12, value);
    const HealpixMap map(1, Ordering::Ring, Frame::Galactic, {field});
    QCOMPARE(readOut(map, {LayerId(), 0}, {1.0, 0.0, 0.0}).valueText, text);
}

void TstReadout::badAndUncoveredPixels() {
    const HealpixMap map =
        HealpixMap::partial(4, Ordering::Nested, Frame::Galactic, {3, 17},
                            {{"I", "K", DiskType::Float64, std::vector<double>{kNan, 5.0}}});
    const auto read = [&](int64_t pixel) {
        return readOut(map, {LayerId(), 0}, directionFromNested(4, pixel));
    };
    QCOMPARE(read(17).valueText, QStringLiteral("5"));
    QCOMPARE(read(3).valueText, QStringLiteral("bad pixel"));
    QVERIFY(read(3).unit.isEmpty());
    QCOMPARE(read(100).valueText, QStringLiteral("not covered"));
    // The index of a partial map is the pixel's, not the element's.
    QCOMPARE(read(17).nested, int64_t{17});
    QCOMPARE(read(100).ring, ringFromNested(4, 100));
}

void TstReadout::polarization() {
    const double q = 3.0, u = -4.0;
    const auto constant = [](const char* name, double value) {
        return Field{name, "uK", DiskType::Float64, std::vector<double>(12, value)};
    };
    const HealpixMap map(1, Ordering::Ring, Frame::Galactic,
                         {constant("T", 1.0), constant("Q", q), constant("U", u)});
    const Vec3 v{1.0, 0.0, 0.0};
    const Readout amplitude = readOut(map, {LayerId(), 0, Quantity::PolarizedAmplitude}, v);
    QCOMPARE(amplitude.value, 5.0);
    QCOMPARE(amplitude.unit, QStringLiteral("µK"));
    const Readout angle = readOut(map, {LayerId(), 0, Quantity::PolarizationAngle}, v);
    // The same formula: degrees of order 30 round by 4e-15 in each step.
    QVERIFY(std::abs(angle.value - 0.5 * std::atan2(u, q) / kDegree) < 1e-12);
    QCOMPARE(angle.unit, QStringLiteral("deg"));
    QCOMPARE(titleOf(map, {LayerId(), 1}), QStringLiteral("Q"));
    // In a view of another frame: the file's value, and the rotated one beside it.
    const Readout own = readOut(map, {LayerId(), 2}, v, Frame::Galactic);
    QCOMPARE(own.turnedTo, Frame::Unknown);
    QVERIFY(own.turnedText.isEmpty());
    const Readout turned = readOut(map, {LayerId(), 2}, v, Frame::Equatorial);
    QCOMPARE(turned.value, u);
    QCOMPARE(turned.valueText, QStringLiteral("−4"));
    QCOMPARE(turned.turnedTo, Frame::Equatorial);
    QCOMPARE(turned.turned, shownValueIn(map, {LayerId(), 2}, map.pixelAt(v), Frame::Equatorial));
    QVERIFY(std::abs(turned.turned - u) > 0.1);
    QVERIFY(std::abs(turned.turned) < 5.0 && !turned.turnedText.isEmpty());
    QCOMPARE(titleIn(map, {LayerId(), 2}, Frame::Equatorial, Frame::Equatorial),
             QStringLiteral("U in equatorial (ICRS)"));
    QCOMPARE(titleIn(map, {LayerId(), 2}, Frame::Unknown, Frame::Equatorial),
             QStringLiteral("U in Galactic"));
    QCOMPARE(titleIn(map, {LayerId(), 2}, Frame::Unknown, Frame::Galactic), QStringLiteral("U"));
    QCOMPARE(titleIn(map, {LayerId(), 0}, Frame::Unknown, Frame::Equatorial), QStringLiteral("T"));
    const HealpixMap plain = doubleMap(1, Ordering::Ring, Frame::Galactic, 0.0);
    QVERIFY_EXCEPTION_THROWN(readOut(plain, {LayerId(), 0, Quantity::PolarizedAmplitude}, v),
                             InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(readOut(plain, {LayerId(), 1}, v), InvalidArgument);
}

// Readers convert IAU to COSMO: the read-out gives the value in the file, and the drawn one.
void TstReadout::iauFilesKeepTheirSign() {
    const auto constant = [](const char* name, double value) {
        return Field{name, "uK", DiskType::Float64, std::vector<double>(12, value)};
    };
    HealpixMap map(
        1, Ordering::Ring, Frame::Galactic,
        {constant("T", 1.0), constant("Q_POLARISATION", 3.0), constant("U_POLARISATION", -4.0)});
    map.metadata().iauOnDisk = true;  // the file contains +4
    const Vec3 v{1.0, 0.0, 0.0};
    const Readout u = readOut(map, {LayerId(), 2}, v, Frame::Galactic);
    QVERIFY(u.isIau);
    QCOMPARE(u.value, 4.0);
    QCOMPARE(u.valueText, QStringLiteral("4"));
    QCOMPARE(u.valueLabel(), QStringLiteral("Value (IAU)"));
    QCOMPARE(u.turnedLabel(), QStringLiteral("COSMO"));
    QCOMPARE(u.turnedText, QStringLiteral("−4"));
    QCOMPARE(titleIn(map, {LayerId(), 2}, Frame::Unknown, Frame::Galactic),
             QStringLiteral("U_POLARISATION (COSMO)"));
    const Readout turned = readOut(map, {LayerId(), 2}, v, Frame::Equatorial);
    QCOMPARE(turned.value, 4.0);
    QCOMPARE(turned.turned, shownValueIn(map, {LayerId(), 2}, map.pixelAt(v), Frame::Equatorial));
    QCOMPARE(turned.turnedLabel(), QStringLiteral("rotated to equatorial (ICRS), COSMO"));
    const Readout angle =
        readOut(map, {LayerId(), 0, Quantity::PolarizationAngle}, v, Frame::Galactic);
    // The same formula: degrees of order 30 round by 4e-15 in each step.
    QVERIFY(std::abs(angle.value - 0.5 * std::atan2(4.0, 3.0) / kDegree) < 1e-12);
    QVERIFY(std::abs(angle.turned + angle.value) < 1e-12);
    for (const Shown& same : {Shown{LayerId(), 0}, Shown{LayerId(), 1},
                              Shown{LayerId(), 0, Quantity::PolarizedAmplitude}}) {
        const Readout read = readOut(map, same, v, Frame::Galactic);
        QVERIFY(!read.isIau && read.turnedText.isEmpty());
        QCOMPARE(read.valueLabel(), QStringLiteral("Value"));
    }
}

void TstReadout::framesAndNsidesWithoutNames() {
    const HealpixMap map = doubleMap(6, Ordering::Ring, Frame::Unknown, 0.0);
    const Readout r = readOut(map, {LayerId(), 0}, direction({1.0, 0.5}));
    QVERIFY(!r.frameKnown);
    QVERIFY(r.galacticText.isEmpty() && r.equatorialText.isEmpty());
    QVERIFY(r.ownText.contains(QStringLiteral("57.")));
    QVERIFY(r.ring >= 0);
    QCOMPARE(r.nested, int64_t{-1});  // nside 6 has no NESTED order
}

void TstReadout::groupsDigits() {
    const QString thin(QChar(0x202F));
    QCOMPARE(groupedDigits(0), QStringLiteral("0"));
    QCOMPARE(groupedDigits(999), QStringLiteral("999"));
    QCOMPARE(groupedDigits(1000), QStringLiteral("1") + thin + QStringLiteral("000"));
    QCOMPARE(groupedDigits(33508271),
             QStringLiteral("33") + thin + QStringLiteral("508") + thin + QStringLiteral("271"));
}

// The value of the topmost image there, in any frame of the pointer.
void TstReadout::imagesTellTheirPixels() {
    ViewGeometry view;
    view.projection = Projection::Gnomonic;
    view.width = 5;
    view.height = 3;
    view.radiansPerPixel = 1.0 * kDegree;
    view.skyFromView = skyFromViewRotation({1.0, 0.3}, 0.0);
    const ImageGrid grid = imageGrid(view, Frame::Equatorial);
    auto image = std::make_shared<Image>();
    image->width = grid.width;
    image->height = grid.height;
    image->frame = grid.frame;
    image->wcsCards = grid.wcsCards;
    image->unit = "uK";
    image->planes.resize(1);
    std::vector<float> values(15);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + 0.5F;
    image->values = std::move(values);
    Document document;
    const LayerId id = document.addLayer(std::shared_ptr<const Image>(image), "m33.fits", {});
    CursorReadout readout(document);
    const Mat3 galactic = frameRotation(Frame::Galactic, Frame::Equatorial);
    const Vec3 middle = direction({1.0, 0.3});
    readout.setCursor(SkyCursor{{}, middle, Frame::Equatorial});
    QVERIFY(readout.readout());
    // The third of five, the second of three rows: 2 + 5.
    QCOMPARE(readout.readout()->imageText, QStringLiteral("7.5 µK · pixel 3, 2 · m33.fits"));
    readout.setCursor(SkyCursor{{}, galactic * middle, Frame::Galactic});
    QCOMPARE(readout.readout()->imageText, QStringLiteral("7.5 µK · pixel 3, 2 · m33.fits"));
    // North is up.
    readout.setCursor(SkyCursor{{}, direction({1.0, 0.3 + kDegree}), Frame::Equatorial});
    QCOMPARE(readout.readout()->imageText, QStringLiteral("12.5 µK · pixel 3, 3 · m33.fits"));
    readout.setCursor(SkyCursor{{}, direction({1.0, -0.3}), Frame::Equatorial});
    QVERIFY(readout.readout()->imageText.isEmpty());
    LayerStyle hidden = document.entry(id)->style;
    hidden.visible = false;
    document.drawings().setStyle(id, hidden);
    readout.setCursor(SkyCursor{{}, middle, Frame::Equatorial});
    QVERIFY(readout.readout()->imageText.isEmpty());
}

void TstReadout::followsTheDocument() {
    Document document;
    const LayerId id = test::addReady(document, test::waveMap(4), QStringLiteral("map"));
    CursorReadout readout(document);
    QSignalSpy changed(&readout, &CursorReadout::changed);
    readout.setCursor(SkyCursor{{id, 0}, {0.0, 0.0, 1.0}, Frame::Galactic});
    QCOMPARE(changed.count(), 1);
    QVERIFY(readout.readout().has_value());
    document.removeLayer(id);
    // The position remains, but no value.
    QVERIFY(readout.readout() && readout.readout()->ring < 0 &&
            readout.readout()->valueText.isEmpty());
    QVERIFY(!readout.readout()->galacticText.isEmpty());
    readout.setCursor(std::nullopt);
    QVERIFY(!readout.readout().has_value());
}

void TstReadout::lineOfTheStatusBar() {
    Document document;
    const LayerId id = test::addReady(document, test::waveMap(4), QStringLiteral("map"));
    CursorReadout readout(document);
    ReadoutWidget line(readout);
    QVERIFY(line.text().isEmpty());
    readout.setCursor(SkyCursor{{id, 0}, direction({0.0, 0.0}), Frame::Galactic});
    for (const char* part : {"µK", "Galactic", "Equatorial (ICRS)", "Ecliptic", "RING", "NESTED"})
        QVERIFY2(line.text().contains(QString::fromUtf8(part)), part);
    QCOMPARE(line.accessibleDescription(), line.text());
    // Columns that do not fit are left out, none is cut: with little space the right part is empty.
    line.resize(220, 24);
    const QImage image = line.grab().toImage();
    const QRgb background = image.pixel(image.width() - 1, 0);
    for (int y = 0; y < image.height(); ++y)
        QCOMPARE(image.pixel(image.width() - 1, y), background);
}

QTEST_MAIN(TstReadout)
#include "tst_readout.moc"
