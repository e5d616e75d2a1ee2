// SPDX-License-Identifier: GPL-3.0-or-later
// Detected kinds of files in info, render and convert: text curves, foreign files, standard input.
#include <QtTest>

#include <QJsonArray>

#include "armilla/core/curve.h"
#include "armilla/core/sky_vector.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"
#include "compute/fits_bytes.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_kinds : public QObject {
    Q_OBJECT
    CliFixture cli_;
    JobContext job_;

    std::string path(const char* name) const { return cli_.path(name).toStdString(); }
    QString kindOf(const QString& name) const {
        const QJsonObject json = cli_.run("info --json {" + name + "}").json();
        return json["kind"].toString() +
               (json.contains("curve") ? "/" + json["curve"].toString() : QString());
    }
    Curve correlation() const {
        Curve curve;
        curve.kind = CurveKind::Correlation;
        curve.xName = "THETA";
        curve.xUnit = "deg";
        curve.x = {0.1, 0.5, 1.0};
        curve.series = {{"W", "", {1.0, 0.5, 0.25}, {}}};
        curve.covariance = {4, 1, 0, 1, 9, 2, 0, 2, 16};
        return curve;
    }

private slots:
    void textSaysWhatItIs_data();
    void textSaysWhatItIs();
    void namesOfCommentsStay();
    void foreignFilesAreNamed_data();
    void foreignFilesAreNamed();
    void coefficientsAreNoMap();
    void tablesWithoutPositions();
    void imagesWithoutWorldCoordinates();
    void factsOfPixelsAreStated();
    void rowsWithoutAPlace();
    void othersTables();
    void shapesOfRegionsAreLeftOut();
    void covarianceLeftOut_data();
    void covarianceLeftOut();
    void catalogsBecomeRegions();
    void emptyTablesAreTold();
    void spectraByAnySuffix();
    void theorySpectra();
    void standardInput_data();
    void standardInput();
};

void tst_cli_kinds::textSaysWhatItIs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("said");  // a message states that the kind was assumed
    const auto row = [](const char* name, const char* text, const char* kind, bool said = false) {
        QTest::newRow(name) << QByteArray(text) << QString(kind) << said;
    };
    row("profile", "# r value\n0 1\n1 0.5\n2 0.25\n", "curve/profile");
    row("profile with units", "# r (arcmin) value (K)\n0 1\n1 0.5\n2 0.25\n", "curve/profile");
    row("another x", "# freq,flux\n0,1\n1,0.5\n2,0.25\n", "curve/curve");
    row("angle", "# theta [deg] w w_ERR\n0 1 1\n1 0.5 1\n2 0.2 1\n", "curve/correlation");
    row("l", "# l C_TT\n0 1\n1 0.5\n2 0.25\n", "spectrum");
    row("ell", "# ell C_l\n0 0\n1 0.5\n2 0.25\n", "spectrum");
    row("multipole", "# multipole D_l\n2 1\n3 0.5\n", "spectrum");
    row("beam", "# l bT\n0 0.9\n1 0.5\n", "beam");
    row("words", "# power spectrum\n0 0\n1 0.5\n2 0.25\n", "spectrum", true);
    row("from 0", "0 0\n1 0.5\n2 0.25\n", "spectrum", true);
    row("C_l from 2", "# C_l\n2 1\n3 0.5\n4 0.25\n", "spectrum", true);
    row("from 0 at one", "0 1\n1 0.5\n2 0.25\n", "beam", true);
    row("from 1", "1 1\n2 0.5\n3 0.25\n", "curve/curve");
    row("by two", "0 1\n2 0.5\n4 0.25\n", "curve/curve");
    row("of fractions", "0.5 1\n1 0.5\n1.5 0.25\n", "curve/curve");
    row("positions", "# ra dec\n0 10\n1 20\n2 -30\n", "catalog");
    row("galactic", "# l b\n0 10\n1 20\n2 -30\n", "catalog");
}

void tst_cli_kinds::textSaysWhatItIs() {
    QFETCH(QByteArray, text);
    QFETCH(QString, kind);
    QFETCH(bool, said);
    cli_.write("t.txt", text);
    const Outcome info = cli_.run("info {t.txt}");
    QVERIFY2(info.status == 0, info.error);
    QCOMPARE(kindOf("t.txt"), kind);
    QCOMPARE(info.error.contains("the file names no columns: taken as l"), said);
    QVERIFY2(info.error.count('\n') <= 1, info.error);
    const Outcome drawn = cli_.run("render {t.txt} {t.png} --overwrite");
    QVERIFY2(drawn.status == 0, drawn.error);
    QVERIFY2(drawn.out.contains("column") == (kind != "catalog"), drawn.out);
    // The kind is the same in another format.
    QCOMPARE(cli_.run("convert {t.txt} {t.fits} --overwrite").status, 0);
    QCOMPARE(kindOf("t.fits"), kind);
}

void tst_cli_kinds::namesOfCommentsStay() {
    cli_.write("r.txt", "# r [arcmin] value [K]\n0 1\n1 0.5\n2 0.25\n");
    QCOMPARE(cli_.run("convert {r.txt} {r.ecsv}").status, 0);
    const Curve curve = readCurve(path("r.ecsv"), job_);
    QCOMPARE(curve.xName, std::string("r"));
    QCOMPARE(curve.xUnit, std::string("arcmin"));
    QCOMPARE(curve.series.at(0).name, std::string("value"));
    QCOMPARE(curve.series.at(0).unit, std::string("K"));
}

void tst_cli_kinds::foreignFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("found");
    QTest::newRow("junk") << QByteArray("\x01\x02\x80\xff junk \x03", 12) << "binary data";
    QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) << "a PNG image";
    QTest::newRow("empty") << QByteArray() << "an empty file";
    QTest::newRow("page") << QByteArray("\n<!DOCTYPE html>\n<html><body>404</body></html>\n")
                          << "an HTML page";
    QTest::newRow("JSON") << QByteArray("{\"a\": [1, 2]}\n") << "JSON";
    QTest::newRow("regions") << QByteArray("# Region file format: DS9\nfk5\ncircle(1,2,3\")\n")
                             << "DS9 regions";
    QTest::newRow("HATS") << QByteArray(
                                 "#HATS catalog\nobs_collection=gaia\ndataproduct_type=object\n"
                                 "hats_nrows=10\nhats_version=v0.1\n")
                          << "the properties of a HATS catalog";
    QTest::newRow("HiPS") << QByteArray(
                                 "creator_did = ivo://a/b\nhips_version = 1.4\nhips_order = 3\n")
                          << "the properties of a HiPS";
    QTest::newRow("a word") << QByteArray("junk\n") << "a line of text";
    QTest::newRow("prose") << QByteArray("Dear reader\nthis is a letter\nto you\n")
                           << "text, lines of 2 and 4 words";
}

void tst_cli_kinds::foreignFilesAreNamed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, found);
    // The file name does not matter.
    for (const char* name : {"f.fits", "f.csv", "f.dat"}) {
        cli_.write(name, bytes);
        for (const char* line : {"info {%1}", "render {%1} {o.png}", "convert {%1} {o.fits}",
                                 "convert {%1} {o.csv}"}) {
            const Outcome outcome = cli_.run(QString(line).arg(name));
            QVERIFY2(outcome.status == 1, outcome.out + outcome.error);
            QVERIFY2(outcome.error.count('\n') == 1 && outcome.error.contains(name) &&
                         outcome.error.contains("found " + found.toUtf8()) &&
                         outcome.error.contains(": expected a "),
                     outcome.error);
        }
    }
    QVERIFY(cli_.content("o.png").isEmpty() && cli_.content("o.fits").isEmpty());
}

// Coefficients where a map is expected: the line names the way to one.
void tst_cli_kinds::coefficientsAreNoMap() {
    QVERIFY(cli_.run("sample {s.fits} --nside 4").status == 0);
    QVERIFY(cli_.run("map2alm {s.fits} {a.fits} --lmax 4").status == 0);
    for (const char* line :
         {"convert {a.fits} {o.fits}", "smooth {a.fits} {o.fits} --fwhm 30deg"}) {
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("found coefficients (alm), from which alm2map makes a map"),
                 outcome.error);
    }
}

void tst_cli_kinds::tablesWithoutPositions() {
    cli_.write("n.csv", "name,flux\na,1\nb,2\n");
    const Outcome drawn = cli_.run("render {n.csv} {n.png}");
    QCOMPARE(drawn.status, 1);
    QVERIFY2(drawn.error.contains("expected columns of positions") &&
                 drawn.error.contains("found columns name, flux"),
             drawn.error);
    const Outcome told = cli_.run("info --json {n.csv}");
    QCOMPARE(told.status, 0);
    QCOMPARE(told.json()["kind"].toString(), QString("table"));
    QCOMPARE(told.json()["rows"].toInt(), 2);
    QCOMPARE(told.json()["fields"].toArray().size(), qsizetype{2});
}

// An image without sky coordinates is described; an unreadable one is an error.
void tst_cli_kinds::imagesWithoutWorldCoordinates() {
    using namespace armilla::testing;
    HduBytes image;
    image.set("SIMPLE", "T").set("BITPIX", -32).set("NAXIS", 2).set("NAXIS1", 30).set("NAXIS2", 20);
    for (int i = 0; i < 600; ++i) append(image.data, 1.0F);
    writeBytes(path("plain.fits"), image.bytes());
    const Outcome told = cli_.run("info {plain.fits}");
    QCOMPARE(told.status, 0);
    QVERIFY2(told.out.contains("30 x 20 pixels, without a position on the sky"), told.out);
    QVERIFY2(told.error.isEmpty(), told.error);
    const Outcome drawn = cli_.run("render {plain.fits} {p.png}");
    QCOMPARE(drawn.status, 1);
    QVERIFY2(drawn.error.contains("a plate solver"), drawn.error);
    image.setText("CTYPE1", "RA---TAN").setText("CTYPE2", "DEC--TAN");
    writeBytes(path("cut.fits"), image.bytes().substr(0, 2880 + 1000));
    QCOMPARE(cli_.run("info {cut.fits}").status, 1);
}

void tst_cli_kinds::factsOfPixelsAreStated() {
    using namespace armilla::testing;
    HduBytes table = tableHdu({{"WHERE", "J"}, {"T", "E"}}, 8, 3);
    table.setText("PIXTYPE", "HEALPIX").setText("INDXSCHM", "EXPLICIT");
    for (const int32_t pixel : {700, 3, 40}) {
        append(table.data, pixel);
        append(table.data, static_cast<float>(pixel));
    }
    writeBytes(path("lost.fits"), primaryHdu().bytes() + table.bytes());
    for (const char* line : {"info {lost.fits}", "render {lost.fits} {l.png}",
                             "convert {lost.fits} {l.fits}", "convert {lost.fits} {l.csv}"}) {
        const Outcome refused = cli_.run(line);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.error.contains("--input-nside N states it"), refused.error);
    }
    const QString facts = " --input-nside 8 --input-ordering nested --input-index WHERE";
    const QJsonObject json = cli_.run("info --json {lost.fits}" + facts).json();
    QCOMPARE(json["kind"].toString(), QString("partial map"));
    QCOMPARE(json["nside"].toInt(), 8);
    QCOMPARE(json["ordering"].toString(), QString("NESTED"));
    QCOMPARE(cli_.run("convert {lost.fits} {found.fits} --sparse" + facts).status, 0);
    QCOMPARE(cli_.read("found.fits").value(0, 700), 700.0);
    QCOMPARE(cli_.run("render {lost.fits} {l.png}" + facts).status, 0);
    QCOMPARE(cli_.run("stats {lost.fits} {s.csv} --input-nside 8").status, 0);
    QVERIFY(cli_.run("convert {found.fits} {again.fits} --input-nside 16")
                .error.contains("expected no --input-nside, or 8 as the file states, found 16"));
    cli_.write("c.csv", "RA,DEC\n1,2\n");
    QCOMPARE(cli_.run("match {c.csv} {c.csv} {m.csv} --radius 1arcsec --input-nside 8").status, 2);
}

void tst_cli_kinds::rowsWithoutAPlace() {
    QByteArray rows = "RA,DEC,w\n";
    for (int i = 0; i < 40; ++i)
        rows += QByteArray::number(10 + i) + "," + QByteArray::number(i % 30) + ",1\n";
    cli_.write("gaps.csv", rows + "-999,-999,1\n-999,12,1\n-99,-99,1\n12,13,-999\n");
    const Outcome told = cli_.run("info {gaps.csv}");
    QCOMPARE(told.status, 0);
    QVERIFY2(told.error.contains("3 rows beyond the poles"), told.error);
    const Outcome pairs = cli_.run(
        "correlate {gaps.csv} {pairs.fits} --weight w --random {gaps.csv} --bins 1deg,80deg,2 "
        "--device cpu --json");
    QCOMPARE(pairs.status, 0);
    QVERIFY2(pairs.error.contains("4 rows without a position, or with a weight of -99"),
             pairs.error);
    cli_.write("odd.csv", rows + "12,13,-0.5\n");
    const Outcome negative =
        cli_.run("correlate {odd.csv} {no.fits} --weight w --random {odd.csv} --bins 1deg,80deg,2");
    QCOMPARE(negative.status, 1);
    QVERIFY2(negative.error.contains("expected weights of 0 or more, found -0.5 in row 41"),
             negative.error);
    const Outcome gridded = cli_.run(
        "grid {gaps.csv} {g.fits} --value w --nside 32 --kernel gaussian --kernel-fwhm 4deg "
        "--device cpu");
    QVERIFY2(gridded.status == 0, gridded.error);
    QVERIFY2(gridded.error.contains("3 samples beyond the poles"), gridded.error);
    // Polar distances instead of declinations are another column, not gaps.
    cli_.write("polar.csv", "RA,DEC\n10,20\n11,100\n12,170\n13,30\n");
    QCOMPARE(cli_.run("info {polar.csv}").status, 1);
}

void tst_cli_kinds::othersTables() {
    cli_.write("s.cat",
               "#   1 NUMBER          Running object number\n"
               "#   2 ALPHA_J2000     Right ascension of barycenter (J2000)   [deg]\n"
               "#   3 DELTA_J2000     Declination of barycenter (J2000)       [deg]\n"
               "#   4 MAG_APER        Fixed aperture magnitude vector         [mag]\n"
               "#   6 FLAGS           Extraction flags\n"
               "         1  10.5000000  -20.2500000   18.1   18.0   3\n"
               "         2  10.6000000  -20.3500000   19.1   19.0   0\n");
    QJsonObject json = cli_.run("info --json {s.cat}").json();
    QCOMPARE(json["kind"].toString(), QString("catalog"));
    QCOMPARE(json["rows"].toInt(), 2);
    QStringList names;
    for (const QJsonValue& field : json["fields"].toArray())
        names << field.toObject()["name"].toString();
    QCOMPARE(names, (QStringList{"NUMBER", "ALPHA_J2000", "DELTA_J2000", "MAG_APER", "MAG_APER_2",
                                 "FLAGS"}));
    cli_.write("i.tbl",
               "\\fixlen = T\n\\ a comment\n"
               "|   ra      |   dec     | name  |  flux  |\n"
               "|   double  |   double  | char  | double |\n"
               "|   deg     |   deg     |       |  mJy   |\n"
               "|   null    |   null    | null  |  null  |\n"
               "  10.50000   -20.250000   M 31    1.5     \n"
               "  10.60000   -20.350000   M 32    null    \n");
    json = cli_.run("info --json {i.tbl}").json();
    QCOMPARE(json["kind"].toString(), QString("catalog"));
    QCOMPARE(json["frame"].toString(), QString("C"));
    const QJsonObject flux = json["fields"].toArray().at(3).toObject();
    QCOMPARE(flux["unit"].toString(), QString("mJy"));
    QCOMPARE(flux["finite"].toDouble(), 0.5);
    QCOMPARE(flux["max"].toDouble(), 1.5);
    // VizieR's tables with tabs and a line of units, Markdown, and decimal commas.
    for (const auto& [name, text] :
         {std::pair{"v.tsv",
                    "#RESOURCE=yCat\n\nRAJ2000\tDEJ2000\tFlux\ndeg\tdeg\tmJy\n"
                    "-----\t-----\t----\n010.50\t-01.50\t1.5\n020.50\t+02.50\t2.5\n"},
          std::pair{"u.csv", "RA,DEC,Flux\ndeg,deg,mJy\n10.5,-1.5,1.5\n20.5,2.5,2.5\n"},
          std::pair{"m.csv",
                    "| RA | DEC | Flux |\n|----|:---:|-----|\n| 10.5 | -1.5 | 1.5 |\n"
                    "| 20.5 | 2.5 | 2.5 |\n"},
          std::pair{"d.csv", "RA;DEC;Flux\n10,5;-1,5;1,5\n20,5;2,5;2,5\n"}}) {
        cli_.write(name, text);
        const Outcome told = cli_.run(QString("info --json {%1}").arg(name));
        QVERIFY2(told.status == 0, told.error);
        QCOMPARE(told.json()["rows"].toInt(), 2);
        const QJsonArray fields = told.json()["fields"].toArray();
        QCOMPARE(fields.size(), qsizetype{3});
        QCOMPARE(fields[0].toObject()["max"].toDouble(), 20.5);
        QCOMPARE(fields[2].toObject()["mean"].toDouble(), 2.0);
        const bool hasUnits = *name == 'v' || *name == 'u';
        QCOMPARE(fields[2].toObject()["unit"].toString(), QString(hasUnits ? "mJy" : ""));
    }
    cli_.write("e.ecsv",
               "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
               "# - {name: ra, datatype: float64}\n# - {name: dec, datatype: float64}\n"
               "# - {name: bands, datatype: string, subtype: 'string[3]'}\n"
               "# - {name: v, datatype: complex128}\n"
               "ra,dec,bands,v\n10,20,\"[\"\"g\"\",\"\"r, i\"\",null]\",1+2j\n");
    const Outcome ecsv = cli_.run("info --json {e.ecsv}");
    QVERIFY2(ecsv.status == 0, ecsv.error);
    QCOMPARE(ecsv.json()["fields"].toArray().size(), qsizetype{3});
    QVERIFY(cli_.run("info {e.ecsv}").out.contains("v (rows of different lengths, or of another"));
}

void tst_cli_kinds::shapesOfRegionsAreLeftOut() {
    cli_.write("r.reg", "icrs\ncircle(10,20,3)\npanda(1,2,0,90,4,1,3,1)\n");
    const Outcome made = cli_.run("mask {r.fits} --regions {r.reg} --nside 16 --frame C");
    QVERIFY2(made.status == 0, made.error);
    QVERIFY2(made.error.contains("omitted: panda"), made.error);
    QVERIFY(
        cli_.run("mask {q.fits} --region panda(1,2,0,90,4,1,3,1) --nside 16 --frame C").status !=
        0);
}

void tst_cli_kinds::covarianceLeftOut_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"w.txt", "w.dat", "w.csv", "w.ecsv", "w.vot"})
        QTest::newRow(name) << name;
}

// Data with a place in the format are kept: the errors, from the diagonal.
void tst_cli_kinds::covarianceLeftOut() {
    QFETCH(QString, name);
    writeCurve(correlation(), path("w.fits"), {true, {}}, job_);
    const Outcome outcome = cli_.run("convert {w.fits} {" + name + "}");
    QVERIFY2(outcome.status == 0, outcome.error);
    QVERIFY2(outcome.error.count('\n') == 1 && outcome.error.contains(name.toUtf8()) &&
                 outcome.error.contains("the covariance has a place in FITS files only"),
             outcome.error);
    QVERIFY2(outcome.out.startsWith("wrote "), outcome.out);
    const Curve read = readCurve(cli_.path(name).toStdString(), job_);
    QCOMPARE(read.x, correlation().x);
    QCOMPARE(read.series.at(0).values, correlation().series[0].values);
    QCOMPARE(read.series.at(0).errors, (std::vector<double>{2, 3, 4}));
    const Outcome kept = cli_.run("convert {w.fits} {kept.fits} --overwrite");
    QVERIFY2(kept.status == 0 && kept.error.isEmpty(), kept.error);
    QCOMPARE(readCurve(path("kept.fits"), job_).covariance, correlation().covariance);
}

void tst_cli_kinds::catalogsBecomeRegions() {
    cli_.write("c.csv", "NAME,RA,DEC\na,10,20\nb,30,-40\n");
    const Outcome outcome = cli_.run("convert {c.csv} {c.reg}");
    QVERIFY2(outcome.status == 0, outcome.error);
    QVERIFY(cli_.content("c.reg").count("circle(") == 2);
    const Outcome curve = cli_.run("convert {c.csv} {c.txt}");
    QCOMPARE(curve.status, 2);
    QVERIFY2(curve.error.contains("expected a name in .fits"), curve.error);
}

// Messages report tables without rows.
void tst_cli_kinds::emptyTablesAreTold() {
    cli_.write("none.csv", "RA,DEC,FLUX\n");
    cli_.write("one.csv", "RA,DEC,FLUX\n1,2,3\n");
    QCOMPARE(cli_.run("convert {none.csv} {none.fits}").status, 0);
    for (const char* name : {"none.csv", "none.fits"}) {
        const Outcome info = cli_.run(QStringLiteral("info {%1}").arg(name));
        QCOMPARE(info.status, 0);
        QVERIFY2(info.error.endsWith(QByteArray(name) + ": a table of 0 rows\n"), info.error);
        QVERIFY2(info.out.contains("0 rows"), info.out);
    }
    QCOMPARE(cli_.run("info {one.csv}").error, QByteArray());
}

void tst_cli_kinds::spectraByAnySuffix() {
    cli_.write("cl.txt", "# l C_TT\n0 0\n1 0\n2 5\n");
    for (const char* name : {"d.txt", "d.csv", "d.ecsv", "d.vot"}) {
        const Outcome outcome =
            cli_.run(QString("convert {cl.txt} {%1} --dl --overwrite").arg(name));
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(cli_.content(name).contains("D_TT"), name);
        // Conversion to D_l and back: two products that round a value of 5 by machine epsilon,
        // 1e-15 each.
        QVERIFY(std::abs(readSpectra(path(name))[SpectrumKind::TT].at(2) - 5.0) < 1e-14);
    }
    // C_l and their unit, too: reading again gives the same values without assumptions.
    cli_.write("cl.txt", "# unit K^2\n# l C_TT\n0 0\n1 0\n2 5\n");
    for (const char* name : {"u.fits", "u.txt", "u.csv", "u.ecsv", "u.vot"}) {
        QCOMPARE(cli_.run(QString("convert {cl.txt} {%1} --overwrite").arg(name)).status, 0);
        const Outcome told = cli_.run(QString("info {%1} --json").arg(name));
        QVERIFY2(told.error.isEmpty(), told.error);
        const QJsonObject field = told.json()["fields"].toArray()[0].toObject();
        QCOMPARE(field["name"].toString(), QString("TT"));
        QCOMPARE(field["unit"].toString(), QString("K^2"));
        QCOMPARE(field["max"].toDouble(), 5.0);
    }
    // The first column of a FITS file is TT for every program.
    cli_.write("ee.txt", "# L EE TB\n0 0 0\n1 0 0\n2 3 4\n");
    const Outcome without = cli_.run("convert {ee.txt} {ee.fits} --input-cl");
    QCOMPARE(without.status, 0);
    QVERIFY2(without.error.contains("ee.fits: TT, BB, TE written as 0"), without.error);
    QCOMPARE(readSpectra(path("ee.fits"))[SpectrumKind::TT].at(2), 0.0);
    QCOMPARE(readSpectra(path("ee.fits"))[SpectrumKind::EE].at(2), 3.0);
    QVERIFY(!cli_.run("convert {ee.txt} {ee.csv} --input-cl").error.contains("written as 0"));
    const Outcome fits = cli_.run("convert {cl.txt} {d.fits} --dl");
    QVERIFY2(fits.status == 2 && fits.error.contains("--dl"), fits.error);
}

// Every command that reads a spectrum assumes defaults for missing information, and reports these.
void tst_cli_kinds::theorySpectra() {
    cli_.write("planck.txt", "# L TT TE EE BB PP\n2 600 3 60 18 1\n3 1200 6 120 36 1\n");
    cli_.write("lensedCls.dat", "  2 600 60 18 3\n  3 1200 120 36 6\n");
    const Outcome named = cli_.run("convert {planck.txt} {c.fits}");
    QVERIFY2(named.status == 0 && named.error.contains("taken as D_l (use --input-cl for C_l)"),
             named.error);
    QVERIFY(named.error.contains("columns omitted: 'PP'"));
    const double cl = 600.0 * kTwoPi / 6.0;
    // Two products and a quotient round by half a machine epsilon each, relatively.
    QVERIFY(std::abs(readSpectra(path("c.fits"))[SpectrumKind::TT].at(2) / cl - 1.0) < 1e-15);
    const QString stated = " --columns L,TT,EE,BB,TE --input-dl";
    for (const char* line :
         {"convert {lensedCls.dat} {d.fits}", "info {lensedCls.dat}",
          "render {lensedCls.dat} {d.png}", "synfast {lensedCls.dat} {d.fits} --nside 4"}) {
        const Outcome refused = cli_.run(line + QString(" --overwrite"));
        QVERIFY2(refused.status == 1 && refused.error.contains("--columns L,TT,EE,BB,TE"),
                 refused.error);
        const Outcome done = cli_.run(line + stated + " --overwrite");
        QVERIFY2(done.status == 0, done.error);
        QVERIFY2(done.error.contains("D_l divided"), done.error);
        for (const char* wrong : {" --input-dl --input-cl", " --columns L,TT,ZZ", " --columns L"})
            QCOMPARE(cli_.run(line + QString(wrong) + " --overwrite").status, 2);
    }
    const Outcome info = cli_.run("info {lensedCls.dat} --json" + stated);
    const QJsonObject field = info.json()["fields"].toArray()[3].toObject();
    QCOMPARE(field["name"].toString(), QString("TE"));
    // For other kinds of files the options do not apply.
    cli_.writeSky("sky.fits", 8, Ordering::Ring);
    for (const char* line :
         {"convert {sky.fits} {o.fits} --input-dl", "render {sky.fits} {o.png} --input-cl"})
        QCOMPARE(cli_.run(line).status, 2);
    const Outcome filter =
        cli_.run("filter {sky.fits} {o.fits} --fwhm 10deg --background {lensedCls.dat}");
    QVERIFY2(filter.status == 1 && filter.error.contains("--columns"), filter.error);
    // Gaps are kept, with their errors, and reported; no map is made from them.
    cli_.write("gaps.csv", "l,TT,TT_ERR\n2,6,0.6\n3,12,1.2\n6,42,4.2\n");
    const Outcome gaps = cli_.run("convert {gaps.csv} {g.csv} --input-cl");
    QVERIFY2(gaps.status == 0 && gaps.error.contains("l has gaps"), gaps.error);
    QCOMPARE(cli_.content("g.csv"), QByteArray("l,C_TT,C_TT_ERR\n2,6,0.6\n3,12,1.2\n6,42,4.2\n"));
    QCOMPARE(cli_.run("synfast {gaps.csv} {o.fits} --nside 4 --overwrite").status, 1);
}

void tst_cli_kinds::standardInput_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    for (const auto& [name, kind] : {std::pair{"m.fits", "map"},
                                     {"cl.fits", "spectrum"},
                                     {"cl.txt", "spectrum"},
                                     {"b.txt", "beam"},
                                     {"w.fits", "curve"},
                                     {"r.txt", "curve"},
                                     {"c.csv", "catalog"},
                                     {"c.vot", "catalog"},
                                     {"i.fits", "image"},
                                     {"m.fits.gz", "map"}})
        for (const char* how : {"<", "|"})
            QTest::addRow("%s by %s", name, how) << QString(how) + name << QString(kind);
}

// Input from a pipe and from a redirected file equals the file by name.
void tst_cli_kinds::standardInput() {
    QFETCH(QString, name);
    QFETCH(QString, kind);
    const bool isPipe = name.startsWith('|');
    name.remove(0, 1);
    cli_.writeSky("m.fits", 8, Ordering::Ring);
    cli_.write("cl.txt", "# l C_TT\n0 0\n1 0\n2 5\n");
    cli_.write("b.txt", "# l bT\n0 1\n1 0.5\n");
    cli_.write("r.txt", "# r value\n0 1\n1 0.5\n");
    cli_.write("c.csv", "RA,DEC\n10,20\n30,-40\n");
    writeCurve(correlation(), path("w.fits"), {true, {}}, job_);
    const Outcome made = cli_.shell(
        "gzip -kf m.fits; $A convert cl.txt cl.fits --overwrite && "
        "$A convert c.csv c.vot --overwrite && "
        "$A project m.fits i.fits --size 20x10 --overwrite --input-frame G");
    QVERIFY2(made.status == 0, made.error);
    const QString suffix = kind == "catalog" ? "csv" : "fits";
    const QString from = isPipe ? "cat " + name + " | $A %1" : "$A %1 < " + name;
    const Outcome info = cli_.shell(from.arg("info --json -"));
    QVERIFY2(info.status == 0, info.error);
    QCOMPARE(info.json()["kind"].toString(), kind);
    const Outcome drawn = cli_.shell(from.arg("render - p.png --overwrite"));
    QVERIFY2(drawn.status == 0, drawn.error);
    const Outcome named = cli_.shell("$A render " + name + " q.png --overwrite");
    QCOMPARE(drawn.out.mid(11), named.out.mid(11));
    const Outcome converted = cli_.shell(from.arg("convert - o." + suffix + " --overwrite"));
    QVERIFY2(converted.status == 0, converted.error);
    QCOMPARE(kindOf("o." + suffix).section('/', 0, 0), kind);
    // Also to standard output.
    const Outcome piped = cli_.shell(from.arg("convert - -") + " > s.fits");
    QVERIFY2(piped.status == 0, piped.error);
    QCOMPARE(kindOf("s.fits").section('/', 0, 0), kind);
}

QTEST_GUILESS_MAIN(tst_cli_kinds)
#include "tst_cli_kinds.moc"
