// SPDX-License-Identifier: GPL-3.0-or-later
// Information about a layer besides its values: typeset units, the extent of its good pixels, the
// header of its file.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/map_extensions.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/english_plurals.h"
#include "armilla/session/header_cards.h"
#include "compute/fits_bytes.h"
#include "session_bench.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

class LayerFactsTest : public QObject {
    Q_OBJECT
private slots:
    void unitsAreTypeset_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* unit, const char* text) {
            QTest::newRow(unit) << QString::fromUtf8(unit) << QString::fromUtf8(text);
        };
        row("", "");
        row("K", "K");
        row("uK", "µK");
        row("uK_CMB", "µKᴄᴍʙ");
        row("uK^2", "µK²");
        row("uK²", "µK²");
        row("pix-1", "pix⁻¹");
        row("pix**-1", "pix⁻¹");
        row("sr^(-1)", "sr⁻¹");
        row("cm-2 s-1 MeV-1", "cm⁻² s⁻¹ MeV⁻¹");
        row("10^-20 W/m2/Hz", "10⁻²⁰ W/m²/Hz");
        row("MJy/sr", "MJy/sr");
        row("counts", "counts");
        row("unit", "unit");
        row("erg", "erg");
        row("log10(K)", "log10(K)");
        row("log(K)^2", "log(K)²");
        row("mag arcsec^-2", "mag arcsec⁻²");
        row("uK2", "µK²");
        row("K_CMB", "Kᴄᴍʙ");
        row("uK_RJ", "µKʀᴊ");
        row("uK_CMB^2", "µKᴄᴍʙ²");
        row("K_CMB2 sr", "Kᴄᴍʙ² sr");
        row("K_CMBX", "K_CMBX");
        row("H2 cm-2", "H2 cm⁻²");
        row("K, DR2", "K, DR2");
        row("band B1", "band B1");
        row("(uK_CMB)^2", "µKᴄᴍʙ²");
        row("(uK)²", "µK²");
        row("(pix-1)^2", "(pix⁻¹)²");
        row("^2", "");
        row("()^2", "");
        row("unknown", "");
        row("(unknown)^2", "");
        row("10^-5", "10⁻⁵");
    }
    void unitsAreTypeset() {
        QFETCH(QString, unit);
        QFETCH(QString, text);
        QCOMPARE(unitText(unit), text);
    }
    void namesAreTypeset() {
        QCOMPARE(nameText(QStringLiteral("C_l")), QStringLiteral("Cₗ"));
        QCOMPARE(nameText(QStringLiteral("C_L of map")), QStringLiteral("Cₗ of map"));
        QCOMPARE(nameText(QStringLiteral("theta")), QStringLiteral("θ"));
        QCOMPARE(nameText(QStringLiteral("C_LOW")), QStringLiteral("C_LOW"));
        QCOMPARE(nameText(QStringLiteral("TT")), QStringLiteral("TT"));
    }
    void numbersAreTypeset_data() {
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << "214.6"
                               << "214.6";
        QTest::newRow("negative") << "-96.5" << QStringLiteral("−96.5");
        QTest::newRow("small") << "-1.5e-05" << QStringLiteral("−1.5×10⁻⁵");
        QTest::newRow("large") << "3e+30" << QStringLiteral("3×10³⁰");
        QTest::newRow("in a line") << "l 3e7, b -2" << QStringLiteral("l 3×10⁷, b −2");
        QTest::newRow("a name") << "map-2e"
                                << "map-2e";
    }
    void numbersAreTypeset() {
        QFETCH(QString, number);
        QFETCH(QString, text);
        QCOMPARE(numberTypeset(number), text);
        bool isNumber = false;
        const double value = number.toDouble(&isNumber);
        // Both notations are parsed.
        if (isNumber) {
            QCOMPARE(numberFromText(text), std::optional(value));
            QCOMPARE(numberFromText(number), std::optional(value));
        } else {
            QVERIFY(!numberFromText(text));
        }
    }
    void sizesAreTypeset() {
        const auto text = [](const char* line) { return sizesTypeset(QString(line)); };
        QCOMPARE(text("400 x 300 pixels of 6'"), QStringLiteral("400 × 300 pixels of 6'"));
        QCOMPARE(text("(60 x 60 x 50)"), QStringLiteral("(60 × 60 × 50)"));
        QCOMPARE(text("of 8 x 8, and 2 x 2"), QStringLiteral("of 8 × 8, and 2 × 2"));
        // Names are unchanged.
        for (const char* name : {"v1 x 2", "3 x 4.fits: 0 rows", "a x b", "maps/3 x 4", "0x12"})
            QCOMPARE(text(name), QString(name));
    }
    // Quantities in notes of operations have the units of the window.
    void notesAreTypeset() {
        const auto text = [](const char* line) { return noteTypeset(QString(line)); };
        QCOMPARE(text("369 sources; noise 3.2e-05 uK_CMB, peak -12 uK"),
                 QStringLiteral("369 sources; noise 3.2×10⁻⁵ µKᴄᴍʙ, peak −12 µK"));
        QCOMPARE(text("mean 80.5 uK^2 (0.3 mJy/beam) of 60 x 40"),
                 QStringLiteral("mean 80.5 µK² (0.3 mJy/beam) of 60 × 40"));
        for (const char* name : {"map 3 uK.fits: 12 rows", "found 'uK'", "run1e5 K", "3 Kelvin"})
            QCOMPARE(text(name), QString(name));
    }
    // The pixels within 10 degrees of a position: the disc has the same size, within a pixel.
    void partsOfTheSkyHaveAnExtent() {
        const Vec3 center = direction({1.2, -0.4});
        const int64_t nside = 64;
        std::vector<int64_t> pixels;
        std::vector<float> values;
        for (int64_t p = 0; p < pixelCount(nside); ++p)
            if (angularDistance(directionFromRing(nside, p), center) < 10.0 * kDegree) {
                pixels.push_back(p);
                values.push_back(1.0F);
            }
        const HealpixMap part = HealpixMap::partial(nside, Ordering::Ring, Frame::Galactic, pixels,
                                                    {field("I", values)});
        const auto extent = dataExtent(part, 0);
        QVERIFY(extent);
        const double side = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
        QVERIFY(angularDistance(extent->center, center) < side);
        QVERIFY(extent->radius > 10.0 * kDegree - side &&
                extent->radius < 10.0 * kDegree + 3 * side);
        QVERIFY(!dataExtent(*noiseMap(16), 0));
        QVERIFY(!dataExtent(part, 1));
        // The nearest good pixel: the one at the position, or one at the edge of the disc.
        const auto inside = goodPlaceNear(part, 0, center);
        QVERIFY(inside && angularDistance(*inside, center) < side);
        const auto edge = goodPlaceNear(part, 0, direction({1.2, 0.4}));
        QVERIFY(edge && std::abs(angularDistance(*edge, center) - 10.0 * kDegree) < 2 * side);
        QVERIFY(!goodPlaceNear(part, 1, center));
    }
    // The pixel of the largest value, of any ordering and coverage.
    void probabilitiesHaveAPeak() {
        JobContext job;
        const int64_t nside = 32, at = 4321;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)), 0.0F);
        values[0] = std::numeric_limits<float>::quiet_NaN();
        values[77] = 0.25F;
        values[at] = 0.5F;
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const HealpixMap map(nside, ordering, Frame::Galactic, {field("PROB", values)});
            const Vec3 want = ordering == Ordering::Ring ? directionFromRing(nside, at)
                                                         : directionFromNested(nside, at);
            const auto peak = peakOf(map, 0, job);
            // Both directions come from the same function of the pixel; 1e-15 allows rounding of an
            // angle.
            QVERIFY(peak && angularDistance(*peak, want) < 1e-15);
            QVERIFY(!peakOf(map, 1, job));
        }
        const int64_t deep = 1024, coarse = 8, children = (deep / coarse) * (deep / coarse);
        const HealpixMap cells = HealpixMap::multiOrder(
            deep, Frame::Galactic, {100 * children, 200 * children}, {uint8_t{3}, uint8_t{3}},
            {field("PROBDENSITY", {0.25F, 0.75F})});
        // Both directions come from the same function of the cell; 1e-15 allows rounding of an
        // angle.
        QVERIFY(angularDistance(*peakOf(cells, 0, job), directionFromNested(coarse, 200)) < 1e-15);
        values.assign(values.size(), 1.0F);
        const HealpixMap flat(nside, Ordering::Ring, Frame::Galactic, {field("PROB", values)});
        QVERIFY(!peakOf(flat, 0, job));
    }
    // The order of a cell of a multi-order map gives its size.
    void cellsHaveAnExtent() {
        const int64_t nside = 1024, coarse = 8, cell = 5 * coarse * coarse + 17;
        const int64_t children = (nside / coarse) * (nside / coarse);
        const HealpixMap map = HealpixMap::multiOrder(nside, Frame::Galactic, {cell * children},
                                                      {uint8_t{3}}, {field("I", {1.0F})});
        const Vec3 center = directionFromNested(coarse, cell);
        const double side = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(coarse)));
        const auto extent = dataExtent(map, 0);
        // The limit is 4500 machine epsilons, far below the side of a cell (0.13 rad).
        QVERIFY(extent && angularDistance(extent->center, center) < 1e-12);
        QVERIFY(extent->radius >= side && extent->radius < 3.0 * side);
        // The place is a pixel center; the limit only allows rounding of an angle.
        QVERIFY(angularDistance(*goodPlaceNear(map, 0, {0, 0, 1}), center) < 1e-12);
    }
    void headersAreShown() {
        QTemporaryDir folder;
        JobContext job;
        const auto map = polarizedMap(4);
        const HealpixMap* maps[] = {map.get(), map.get()};
        const QString path = folder.filePath("two.fits");
        writeMaps(maps, path.toStdString(), {}, job);
        const QStringList lines = headerCards(path).split('\n');
        QCOMPARE(lines.front(), QString("HDU 0"));
        QCOMPARE(lines.filter(QRegularExpression("^HDU ")).size(), 3);
        QCOMPARE(lines.filter(QRegularExpression("^NSIDE   = +4")).size(), 2);
        QCOMPARE(lines.filter(QRegularExpression("^END$")).size(), 3);
        for (const QString& line : lines) QVERIFY(line.size() <= 80);
        QFile other(folder.filePath("text.fits"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("hello");
        other.close();
        QVERIFY_EXCEPTION_THROWN(headerCards(other.fileName()), IoError);
        QVERIFY_EXCEPTION_THROWN(headerCards(folder.filePath("none.fits")), IoError);
        // Truncated within a header: the existing cards.
        QVERIFY(QFile::copy(path, folder.filePath("cut.fits")));
        QVERIFY(QFile::resize(folder.filePath("cut.fits"), 2880 + 1000));
        QVERIFY(headerCards(folder.filePath("cut.fits")).startsWith("HDU 0"));
    }
    // A table of the channels' energies follows the map, in the format of fermipy and gammapy.
    void channelsHaveEnergies_data() {
        QTest::addColumn<bool>("bounds");
        QTest::newRow("EBOUNDS") << true;
        QTest::newRow("ENERGIES") << false;
    }
    void channelsHaveEnergies() {
        QFETCH(bool, bounds);
        QTemporaryDir folder;
        JobContext job;
        std::vector<Field> fields;
        for (int i = 1; i <= 3; ++i)
            fields.push_back({"CHANNEL" + std::to_string(i), "", DiskType::Float32,
                              std::vector<float>(12, 1.0F)});
        const HealpixMap map(1, Ordering::Ring, Frame::Galactic, std::move(fields));
        const QString path = folder.filePath("cube.fits"), beside = folder.filePath("table.fits");
        writeMap(map, path.toStdString(), {}, job);
        const auto column = [](const char* name, const char* unit, std::vector<double> values) {
            TableColumn made;
            made.name = name;
            made.unit = unit;
            made.values = std::move(values);
            return made;
        };
        Table table;
        table.name = bounds ? "EBOUNDS" : "ENERGIES";
        if (bounds)
            table.columns = {column("E_MIN", "keV", {846e3, 1.5849e6, 1e9}),
                             column("E_MAX", "keV", {1.5849e6, 1e7, 2.5e9})};
        else
            table.columns = {column("Energy", "MeV", {300.0, 1000.0, 2.5e6})};
        writeTable(table, beside.toStdString(), {}, job);
        QFile from(beside), to(path);
        QVERIFY(from.open(QIODevice::ReadOnly) && to.open(QIODevice::Append));
        from.seek(2880);  // after its empty primary HDU
        to.write(from.readAll());
        to.close();
        const HealpixMap all = readMap(path.toStdString(), {}, job);
        const QStringList wanted = bounds
                                       ? QStringList{"846 MeV-1.58 GeV", "1.58-10 GeV", "1-2.5 TeV"}
                                       : QStringList{"300 MeV", "1 GeV", "2.5 TeV"};
        for (int i = 0; i < 3; ++i)
            QCOMPARE(QString::fromStdString(all.field(i).name),
                     QStringLiteral("CHANNEL%1 %2").arg(i + 1).arg(wanted[i]));
        // A single one keeps its energy, found by the name of its column.
        const HealpixMap one = readMap(path.toStdString(), {{"CHANNEL3"}}, job);
        QCOMPARE(QString::fromStdString(one.field(0).name), "CHANNEL3 " + wanted[2]);
        QCOMPARE(all.fieldIndex("channel2"), 1);
    }
    // A file of gamma-ray astronomy lists its channels row by row, so their number is that of the
    // map's fields, not of the file's columns.
    void channelsOfRowsHaveEnergies() {
        using namespace armilla::testing;
        Bench bench;
        HduBytes rows = tableHdu({{"PIX", "K"}, {"CHANNEL", "J"}, {"VALUE", "E"}}, 16, 4);
        mapKeywords(rows, 4, "RING").setText("INDXSCHM", "SPARSE").setText("COORDSYS", "GAL");
        for (int i = 0; i < 4; ++i) {
            append(rows.data, int64_t{100 + i / 2});
            append(rows.data, int32_t{i % 2});
            append(rows.data, 1.0F + static_cast<float>(i));
        }
        HduBytes bounds = tableHdu({{"CHANNEL", "J"}, {"E_MIN", "E"}, {"E_MAX", "E"}}, 12, 2);
        bounds.setText("EXTNAME", "EBOUNDS").setText("TUNIT2", "keV").setText("TUNIT3", "keV");
        for (int i = 0; i < 2; ++i) {
            append(bounds.data, int32_t{i});
            append(bounds.data, i == 0 ? 1e6F : 1e7F);
            append(bounds.data, i == 0 ? 1e7F : 1e8F);
        }
        const std::string bytes = primaryHdu().bytes() + rows.bytes() + bounds.bytes();
        writeBytes(bench.path("g.fits").toStdString(), bytes);
        bench.open({bench.path("g.fits")});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        const auto map = bench.document().entries().front().map;
        QCOMPARE(map->field(0).name, std::string("CHANNEL1 1-10 GeV"));
        QCOMPARE(map->field(1).name, std::string("CHANNEL2 10-100 GeV"));
    }
    // By their unique names; the recipe keeps the number.
    void hdusAreListedByName() {
        using namespace armilla::testing;
        Bench bench;
        std::string bytes = primaryHdu().bytes();
        for (const char* name : {"SKY", "NOISE", "TWICE", "TWICE", ""}) {
            HduBytes table = tableHdu({{"A", "E"}}, 4, 12);
            mapKeywords(table, 1, "RING").setText("COORDSYS", "GAL");
            if (*name != 0) table.setText("EXTNAME", name);
            for (int i = 0; i < 12; ++i) append(table.data, 1.0F);
            bytes += table.bytes();
        }
        writeBytes(bench.path("all.fits").toStdString(), bytes);
        QStringList paths{bench.path("all.fits")};
        for (const char* hdu : {"[2]", "[NOISE]", "[3]", "[5]"})
            paths << bench.path("all.fits") + hdu;
        bench.open(paths);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QStringList names;
        for (const Layer& layer : bench.document().entries()) names << layer.name;
        QCOMPARE(names, (QStringList{"all.fits", "all.fits[NOISE]", "all.fits[NOISE]",
                                     "all.fits[3]", "all.fits[5]"}));
        QCOMPARE(bench.document().entries()[1].recipe.path, paths[1]);
        QCOMPARE(fileStem(names[1]), QString("all_NOISE"));
        QCOMPARE(fileStem(QStringLiteral("correlate 0.6°,20°,12 · select 90% · galaxies.fits")),
                 QString("correlate_0.6deg_20deg_12_select_90_galaxies"));
    }
    // "1 row" is singular, here and in the output of the command.
    void oneIsSingular() {
        EnglishPlurals english;
        QVERIFY(QCoreApplication::installTranslator(&english));
        for (const int rows : {1, 2}) {
            Catalog catalog;
            for (const char* name : {"GLON", "GLAT"}) {
                TableColumn column;
                column.name = name;
                column.unit = "deg";
                column.values = std::vector<double>(static_cast<size_t>(rows), 10.0);
                catalog.table.columns.push_back(std::move(column));
            }
            catalog.table.frame = Frame::Galactic;
            catalog.position = findPositions(catalog.table).value();
            const LayerValue value = std::make_shared<const Catalog>(std::move(catalog));
            const QString detail = factsOf(LayerKind::Catalog).detail(value);
            QVERIFY2(detail.startsWith(rows == 1 ? "1 row · 2 columns" : "2 rows · 2 columns"),
                     qPrintable(detail));
        }
        QCOMPARE(QCoreApplication::translate("Any", "%1 row(s)", nullptr, 1).arg("1"),
                 QString("1 row"));
        QCOMPARE(pluralOf(int64_t{1} << 40), std::numeric_limits<int>::max());
        // Texts without a count are unchanged; a translation takes precedence.
        QVERIFY(english.translate("Any", "%n more", nullptr, 1).isNull());
        QVERIFY(english.translate("Any", "row(s)", nullptr, -1).isNull());
        QCOMPARE(counted(1, "disc"), std::string("1 disc"));
        QCOMPARE(counted(0, "disc"), std::string("0 discs"));
        QCoreApplication::removeTranslator(&english);
    }
};

QTEST_GUILESS_MAIN(LayerFactsTest)
#include "tst_layer_facts.moc"
