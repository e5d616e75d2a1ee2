// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs in unknown, different, FK4 and FK5 frames.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/table_io.h"
#include "cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_frames : public QObject {
    Q_OBJECT
    // True if refused with the name of the option that helps.
    bool refuses(const QString& line) const {
        const Outcome outcome = cli_.run(line);
        if (outcome.status != 1) qWarning("status %d", outcome.status);
        return outcome.status == 1 && says(outcome, "--input-frame");
    }
    // A frame's letter for the files below; '-' for none.
    static Frame frameOf(char letter) {
        return letter == '-' ? Frame::Unknown : frameFromText(std::string_view(&letter, 1));
    }
    // A disc of 40 degrees around (120, 30) Galactic, in the frame of the map.
    HealpixMap disc(char letter, double inside, double outside) const {
        const Frame frame = frameOf(letter);
        const Mat3 turn = frame == Frame::Unknown ? Mat3{} : frameRotation(Frame::Galactic, frame);
        const Vec3 center = direction({120 * kDegree, 30 * kDegree});
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        for (size_t p = 0; p < values.size(); ++p) {
            const Vec3 at = turn * directionFromRing(kNside, static_cast<int64_t>(p));
            const bool isIn = angularDistance(at, center) < 40 * kDegree;
            values[p] = static_cast<float>(isIn ? inside : outside);
        }
        return {kNside, Ordering::Ring, frame, {{"V", "", DiskType::Float32, std::move(values)}}};
    }
    double angle(const std::string& file, double ra, double dec) {
        const Catalog found =
            readCatalog(cli_.path(QString::fromStdString(file)).toStdString(), job_);
        return angularDistance(direction(found.at(0)), direction({ra * kDegree, dec * kDegree})) /
               kArcsec;
    }

private slots:
    void initTestCase() {
        // One sky up to l = 24, as coefficients without a frame and as maps in two frames.
        Spectra cl;
        cl[SpectrumKind::TT] = std::vector<double>(25, 1.0);
        writeSpectra(cl, cli_.path("cl.fits").toStdString(), {}, job_);
        QCOMPARE(cli_.run("synfast {cl.fits} {g.fits} --nside 16 --seed 5 --frame G").status, 0);
        QCOMPARE(cli_.run("synfast {cl.fits} {n.fits} --nside 16 --seed 5").status, 0);
        QCOMPARE(cli_.run("map2alm {g.fits} {g.alm.fits} --lmax 24 --iterations 20").status, 0);
        QCOMPARE(cli_.run("map2alm {n.fits} {n.alm.fits} --lmax 24 --iterations 20").status, 0);
        QCOMPARE(cli_.run("alm2map {g.alm.fits} {e.fits} --nside 16 --frame E").status, 0);
        for (const char letter : {'G', 'E', 'C', '-'})
            cli_.write(QString("m%1.fits").arg(letter), disc(letter, 1.0, 0.0));
    }

    void coefficientsWithoutAFrame() {
        QVERIFY(refuses("alm2map {n.alm.fits} {no.fits} --nside 16 --frame C"));
        QVERIFY(!QFile::exists(cli_.path("no.fits")));
        QCOMPARE(
            cli_.run("alm2map {n.alm.fits} {s.fits} --nside 16 --frame E --input-frame G").status,
            0);
        // The same seed, and the same rotation.
        const auto turned = valuesOf(cli_.read("s.fits"), 0),
                   same = valuesOf(cli_.read("e.fits"), 0);
        for (size_t p = 0; p < same.size(); ++p) QVERIFY(std::abs(turned[p] - same[p]) < 1e-12);
        QCOMPARE(cli_.run("alm2map {n.alm.fits} {k.fits} --nside 16").status, 0);
    }

    void crossSpectrumOfTwoFrames() {
        const QString options = " --lmax 24 --iterations 20 --overwrite";
        QCOMPARE(cli_.run("anafast {g.fits} {auto.fits}" + options).status, 0);
        const Outcome cross = cli_.run("anafast {g.fits} {e.fits} {cross.fits}" + options);
        QVERIFY2(cross.status == 0, cross.error.constData());
        QVERIFY(says(cross, "rotated from ecliptic to Galactic"));
        const Spectra one = readSpectra(cli_.path("auto.fits").toStdString());
        const Spectra two = readSpectra(cli_.path("cross.fits").toStdString());
        // Twenty iterations reduce the error to 1e-10 of the coefficients.
        for (size_t l = 2; l <= 24; ++l) {
            const double a = one[SpectrumKind::TT][l], b = two[SpectrumKind::TT][l];
            QVERIFY2(std::abs(b / a - 1.0) < 1e-6, qPrintable(QString::number(b / a - 1.0)));
        }
        QVERIFY(refuses("anafast {g.fits} {n.fits} {no.fits}" + options));
        QVERIFY(refuses("anafast {n.fits} {g.fits} {no.fits}" + options));
        const Outcome unknown = cli_.run("anafast {n.fits} {n.fits} {u.fits}" + options);
        QCOMPARE(unknown.status, 0);
        QVERIFY(says(unknown, "neither names its frame"));
        // The stated frame applies to the file without one; refused if both files name theirs.
        QCOMPARE(cli_.run("anafast {e.fits} {n.fits} {s.fits} --input-frame G" + options).status,
                 0);
        const Spectra stated = readSpectra(cli_.path("s.fits").toStdString());
        QVERIFY(std::abs(stated[SpectrumKind::TT][9] / one[SpectrumKind::TT][9] - 1.0) < 1e-6);
        QCOMPARE(cli_.run("anafast {g.fits} {e.fits} {no.fits} --input-frame C" + options).status,
                 1);
        QVERIFY(cli_.run("anafast {g.fits} {e.fits} {no.fits} --mmax 10" + options).status == 1);
    }

    // A disc given in three frames is the same disc, except for pixels at its edge.
    void masksOfTwoFrames() {
        for (const char other : {'E', 'C'}) {
            const Outcome done = cli_.run(
                QString("mask {mG.fits} {o.fits} --with {m%1.fits} --overwrite").arg(other));
            QVERIFY2(done.status == 0, done.error.constData());
            QVERIFY(says(done, "to Galactic, the frame of"));
            const HealpixMap mask = cli_.read("o.fits");
            const Vec3 center = direction({120 * kDegree, 30 * kDegree});
            for (int64_t p = 0; p < mask.pixelCount(); ++p) {
                const double from = angularDistance(directionFromRing(kNside, p), center);
                const double value = mask.value(0, p);
                QVERIFY(value == 0.0 || value == 1.0);
                // A pixel of nside 32 extends 1.6 degrees from its center, interpolation two.
                if (std::abs(from - 40 * kDegree) > 4 * kDegree)
                    QCOMPARE(value, from < 40 * kDegree ? 1.0 : 0.0);
            }
        }
        QVERIFY(refuses("mask {mG.fits} {no.fits} --with {m-.fits}"));
        QVERIFY(refuses("mask {m-.fits} {no.fits} --with {mG.fits}"));
        const Outcome unknown = cli_.run("mask {m-.fits} {um.fits} --with {m-.fits}");
        QVERIFY(unknown.status == 0 && says(unknown, "neither names its frame"));
    }

    void mapsBesideEachOther() {
        // A beam of 20 degrees limits the sky to l < 24: interpolation errs by 0.12 (l / nside)^2.
        const Outcome done =
            cli_.run("smooth {g.fits} {e.fits} {b.fits} --fwhm 40deg --lmax 24 --overwrite");
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(says(done, "rotated from ecliptic to Galactic"));
        const HealpixMap both = cli_.read("b.fits");
        const auto one = valuesOf(both, 0), two = valuesOf(both, 1);
        double difference = 0.0, size = 0.0;
        for (size_t p = 0; p < one.size(); ++p) {
            difference += (one[p] - two[p]) * (one[p] - two[p]);
            size += one[p] * one[p];
        }
        // The formula above gives 0.12 (24 / nside)^2 for the highest l; the beam lowers it.
        QVERIFY2(std::sqrt(difference / size) < 0.05,
                 qPrintable(QString::number(std::sqrt(difference / size))));
        QVERIFY(refuses("smooth {g.fits} {n.fits} {no.fits} --fwhm 40deg"));
        QVERIFY(refuses("correlate-maps {g.fits} {n.fits} {no.fits} --bins 0deg,20deg,4"));
        QVERIFY(says(cli_.run("correlate-maps {g.fits} {e.fits} {cm.fits} --bins 0deg,20deg,4"),
                     "rotated from ecliptic to Galactic"));
    }

    void masksAndNoiseOfFilters() {
        const QString line = " --fwhm 20deg --lmax 24 --overwrite ";
        QVERIFY(refuses("filter {g.fits} {no.fits} --mask {m-.fits}" + line));
        QVERIFY(refuses("filter {g.fits} {no.fits} --noise {n.fits}" + line));
        const Outcome done = cli_.run("filter {g.fits} {f.fits} --mask {mE.fits}" + line);
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(says(done, "rotated from ecliptic to Galactic"));
        QVERIFY(refuses("sources {g.fits} {no.fits} --mask {m-.fits}" + line));
        QVERIFY(refuses("stats {g.fits} {no.csv} --moc {m-.fits}"));
        QVERIFY(refuses("render {g.fits} {no.svg} --mask {m-.fits} --size 100x50"));
    }

    // Masks of spectra and of fits are rotated with a line, also cells of several orders, which are
    // in ICRS.
    void masksOfSpectraAndFits() {
        cli_.write("moc.txt", "1/0-11\n");
        for (const char* line :
             {"anafast {g.fits} {s.fits} --lmax 24", "convert {g.fits} {s.fits} --remove dipole"}) {
            const QString masked = QString(line) + " --overwrite --mask ";
            for (const char* mask : {"{mE.fits}", "{moc.txt}"}) {
                const Outcome done = cli_.run(masked + mask);
                QVERIFY2(done.status == 0, done.error.constData());
                QVERIFY(says(done, "to Galactic, the frame of"));
            }
            QVERIFY(refuses(masked + "{m-.fits}"));
            const Outcome same = cli_.run(masked + "{mG.fits}");
            QVERIFY(same.status == 0 && !same.error.contains("rotated"));
        }
        const Outcome unknown =
            cli_.run("anafast {n.fits} {s.fits} --lmax 24 --mask {m-.fits} --overwrite");
        QVERIFY(unknown.status == 0 && says(unknown, "neither names its frame"));
    }

    void catalogsAndMasks() {
        cli_.write("g.csv", "GLON,GLAT\n120,30\n121,30\n122,31\n123,30\n");
        cli_.write("n.csv", "LON,LAT\n120,30\n121,30\n122,31\n123,30\n");
        const QString line = " --bins 1deg,5deg,2 --random-factor 5 --overwrite ";
        QVERIFY(refuses("correlate {g.csv} {no.fits} --random-from {m-.fits}" + line));
        QVERIFY(refuses("correlate {n.csv} {no.fits} --random-from {mE.fits}" + line));
        const Outcome done = cli_.run("correlate {g.csv} {w.fits} --random-from {mE.fits}" + line);
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(says(done, "rotated from ecliptic to Galactic"));
        QVERIFY(refuses("match {g.csv} {n.csv} {no.csv} --radius 1deg"));
        QVERIFY(refuses("remove {g.fits} {n.csv} {no.fits} --how inpaint --fwhm 10deg"));
        QVERIFY(refuses("render {g.fits} {no.svg} --catalog {n.csv} --size 100x50"));
    }

    // SkyCoord(10.5 * u.deg, 41 * u.deg, frame=FK4(equinox='B1950')).icrs of astropy.
    void catalogsOfFk4() {
        constexpr double kRa = 11.1864070433, kDec = 41.2733774135;
        cli_.write("names.csv", "NAME,RAB1950,DEB1950\na,10.5,41\n");
        cli_.write("plain.csv", "NAME,RA,DEC\na,10.5,41\n");
        const QByteArray table =
            "<?xml version=\"1.0\"?><VOTABLE version=\"1.3\"><RESOURCE>"
            "<COOSYS ID=\"s\" system=\"eq_FK4\" equinox=\"B1950\"%1/>"
            "<TABLE><FIELD name=\"RA\" ref=\"s\" datatype=\"double\" unit=\"deg\"/>"
            "<FIELD name=\"DEC\" ref=\"s\" datatype=\"double\" unit=\"deg\"/><DATA><TABLEDATA>"
            "<TR><TD>10.5</TD><TD>41</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>";
        cli_.write("system.vot", QByteArray(table).replace("%1", ""));
        cli_.write("epoch.vot", QByteArray(table).replace("%1", " epoch=\"J1984.5\""));
        cli_.write("meta.ecsv",
                   "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                   "# - {name: RA, unit: deg, datatype: float64}\n"
                   "# - {name: DEC, unit: deg, datatype: float64}\n"
                   "# meta: {RADESYS: FK4, EQUINOX: 1950.0}\nRA,DEC\n10.5,41\n");
        Table fits;
        for (const auto& [name, value] : {std::pair{"RA", 10.5}, {"DEC", 41.0}}) {
            TableColumn column;
            column.name = name;
            column.unit = "deg";
            column.values = std::vector<double>{value};
            fits.columns.push_back(std::move(column));
        }
        const auto writeFits = [&](const char* name, std::initializer_list<const char*> cards) {
            fits.cards.clear();
            for (const char* card : cards) {
                fits.cards.emplace_back(card);
                fits.cards.back().resize(80, ' ');
            }
            writeTable(fits, cli_.path(name).toStdString(), {}, job_);
        };
        writeFits("radesys.fits", {"RADESYS = 'FK4     '"});
        writeFits("radecsys.fits", {"RADECSYS= 'FK4     '", "EQUINOX =   1950.0"});
        writeFits("equinox.fits", {"EQUINOX =   1950.0"});
        writeFits("epoch.fits", {"EPOCH   =   1950.0"});
        for (const char* name : {"names.csv", "system.vot", "meta.ecsv", "radesys.fits",
                                 "radecsys.fits", "equinox.fits", "epoch.fits"}) {
            const QString in = QString("convert {%1} ").arg(name);
            const Outcome done = cli_.run(in + "{o.fits} --overwrite");
            QVERIFY2(done.status == 0, done.error.constData());
            QVERIFY(says(done, "positions converted from FK4 (B1950.0) to ICRS"));
            // The limit guards against positions that are not converted: B1950 and ICRS differ by
            // up to 0.7 degrees.
            QVERIFY2(angle("o.fits", kRa, kDec) < 1e-5, name);
            QVERIFY(angle(name, kRa, kDec) < 1e-5);
            // ICRS is not FK4.
            QVERIFY(says(cli_.run("info {" + QString(name) + "} --input-frame C"), "FK4"));
        }
        // FK4(equinox='B1950', obstime=Time(1984.5, format='jyear'))
        QVERIFY(angle("epoch.vot", 11.1864232462, 41.2733363633) < 1e-5);
        QCOMPARE(cli_.run("convert {plain.csv} {fk4.fits} --input-frame FK4").status, 0);
        QVERIFY(angle("fk4.fits", kRa, kDec) < 1e-5);
        QCOMPARE(cli_.run("convert {plain.csv} {c.fits}").status, 0);
        QVERIFY(angle("c.fits", 10.5, 41.0) < 1e-9);
        // Two catalogs of one position.
        cli_.write("icrs.csv", "RA,DEC\n11.1864070433,41.2733774135\n");
        const Outcome match =
            cli_.run("match {radesys.fits} {icrs.csv} {x.fits} --radius 0.01arcsec --json");
        QCOMPARE(match.json()["pairs"].toInt(), 1);
        // The same positions serve as samples.
        const Outcome grid = cli_.run(
            "grid {radesys.fits} {i.fits} --value RA --center 11.1864070433deg,41.2733774135deg "
            "--size 3x3 --resolution 1arcsec --kernel nearest --json");
        QVERIFY2(grid.status == 0, grid.error.constData());
        QVERIFY(says(grid, "positions converted from FK4 (B1950.0) to ICRS"));
    }

    // Positions in a system that cannot be converted have no frame: neither ICRS by their UCDs, nor
    // the system that contradicts them.
    void positionsOfUnknownSystems() {
        cli_.write("icrs.csv", "RA,DEC\n10.5,41\n");
        const QByteArray table =
            "<?xml version=\"1.0\"?><VOTABLE version=\"1.3\"><RESOURCE>"
            "<COOSYS ID=\"s\" system=\"%1\"/><COOSYS ID=\"i\" system=\"ICRS\"/>"
            "<TABLE><FIELD name=\"x\" ref=\"s\" datatype=\"double\" unit=\"deg\" "
            "ucd=\"pos.eq.ra;meta.main\"/>"
            "<FIELD name=\"y\" ref=\"s\" datatype=\"double\" unit=\"deg\" "
            "ucd=\"pos.eq.dec;meta.main\"/><DATA><TABLEDATA>"
            "<TR><TD>10.5</TD><TD>41</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>";
        std::vector<std::pair<QString, QString>> files;  // names and systems
        for (const char* system :
             {"geo_app", "supergalactic", "xy", "barycentric", "galactic", "ecl_FK5"}) {
            files.emplace_back(QString(system) + ".vot", system);
            cli_.write(files.back().first, QByteArray(table).replace("%1", system));
        }
        Table fits;
        for (const auto& [name, value] : {std::pair{"RA", 10.5}, {"DEC", 41.0}}) {
            fits.columns.emplace_back();
            fits.columns.back().name = name;
            fits.columns.back().unit = "deg";
            fits.columns.back().values = std::vector<double>{value};
        }
        for (const char* key : {"RADESYS ", "RADECSYS"}) {
            fits.cards = {key + std::string("= 'GAPPT   '")};
            fits.cards.back().resize(80, ' ');
            files.emplace_back(QString(key).trimmed() + ".fits", "GAPPT");
            writeTable(fits, cli_.path(files.back().first).toStdString(), {}, job_);
        }
        cli_.write("meta.ecsv",
                   "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                   "# - {name: RA, unit: deg, datatype: float64}\n"
                   "# - {name: DEC, unit: deg, datatype: float64}\n"
                   "# meta: {RADESYS: GAPPT}\nRA,DEC\n10.5,41\n");
        cli_.write("system.tbl",
                   "\\RADESYS='GAPPT'\n|      ra|       dec|\n|  double|    double|\n"
                   "|     deg|       deg|\n 10.5     41.0      \n");
        files.emplace_back("meta.ecsv", "GAPPT");
        files.emplace_back("system.tbl", "GAPPT");
        for (const auto& [name, system] : files) {
            const QString in = "{" + name + "}";
            const Outcome info = cli_.run("info " + in + " --json");
            QVERIFY2(info.status == 0 && info.json()["frame"].isNull(), qPrintable(name));
            QVERIFY2(says(info, ("the system '" + system + "'").toUtf8()), qPrintable(name));
            QVERIFY2(refuses("match " + in + " {icrs.csv} {no.csv} --radius 1deg"),
                     qPrintable(name));
            // The stated frame decides, and the result states it.
            QCOMPARE(cli_.run("convert " + in + " {c.fits} --input-frame C --overwrite").status, 0);
            QCOMPARE(cli_.run("info {c.fits} --json").json()["frame"].toString(), QString("C"));
            // Formats that can name a system keep it.
            for (const char* to : {"{u.fits}", "{u.vot}", "{u.ecsv}"}) {
                QCOMPARE(cli_.run("convert " + in + " " + to + " --overwrite").status, 0);
                const Outcome again = cli_.run(QString("info %1 --json").arg(to));
                QVERIFY2(again.json()["frame"].isNull(), qPrintable(name + " to " + to));
                QVERIFY(says(again, ("the system '" + system + "'").toUtf8()));
            }
        }
        // A system that other columns reference is not that of the positions.
        for (const char* own : {"", "ref=\"i\" "}) {
            cli_.write("other.vot", QByteArray(table)
                                        .replace("%1", "supergalactic")
                                        .replace("ref=\"s\" ", own)
                                        .replace("<DATA>",
                                                 "<FIELD name=\"SGL\" ref=\"s\" "
                                                 "datatype=\"double\"/><DATA>")
                                        .replace("</TR>", "<TD>3</TD></TR>"));
            QCOMPARE(cli_.run("info {other.vot} --json").json()["frame"].toString(), QString("C"));
        }
    }

    // Sexagesimal texts and IPAC tables of the same position, 10.5 deg = 00:42:00 in B1950.
    void textsOfFk4() {
        constexpr double kRa = 11.1864070433, kDec = 41.2733774135;
        const auto ipac = [](const QByteArray& keywords, const QByteArray& row) {
            return keywords +
                   "|      ra|       dec|\n|    char|      char|\n|        |          |\n" + row;
        };
        cli_.write("sexagesimal.csv", "NAME,RA,DEC\na,00:42:00.0,+41:00:00\n");
        cli_.write("named.csv", "NAME,RAB1950,DEB1950\na,00 42 00.0,+41 00 00\n");
        cli_.write("plain.tbl",
                   ipac("\\ EQUINOX = 'B1950', in a comment\n", " 10.5     41.0      \n"));
        cli_.write("equinox.tbl", ipac("\\char EQUINOX = 'B1950'\n", " 10.5     41.0      \n"));
        cli_.write("system.tbl",
                   ipac("\\RADESYS='FK4'\n\\EQUINOX=1950.0\n", " 00:42:00 +41:00:00 \n"));
        for (const char* name : {"sexagesimal.csv --input-frame FK4", "named.csv",
                                 "plain.tbl --input-frame FK4", "equinox.tbl", "system.tbl"}) {
            const QString in = QString(name).section(' ', 0, 0),
                          stated = QString(name).section(' ', 1);
            for (const char* command : {"convert {%1} {o.fits} --overwrite ",
                                        "select {%1} {o.fits} --where 1==1 --overwrite "}) {
                const Outcome done = cli_.run(QString(command).arg(in) + stated);
                QVERIFY2(done.status == 0, done.error.constData());
                QVERIFY2(says(done, "positions converted from FK4 (B1950.0) to ICRS"), name);
                // A position that is not converted is 0.7 degrees away.
                QVERIFY2(angle("o.fits", kRa, kDec) < 1e-5, name);
            }
        }
        // The text keeps the old frame in its name.
        JobContext job;
        QCOMPARE(cli_.run("convert {sexagesimal.csv} {o.csv} --input-frame FK4").status, 0);
        const Table table = readTable(cli_.path("o.csv").toStdString(), {}, job);
        QVERIFY(table.find("RA_FK4") && table.find("RA_DEG") && !table.find("RA"));
        // Sexagesimal samples, by names that are found and by names that are stated.
        cli_.write("samples.csv", "RA,DEC,x,y,T\n00:42:00,+41:00:00,00:42:00,+41:00:00,7\n");
        for (const char* names : {"", "--lon RA --lat DEC "}) {
            const Outcome done = cli_.run(
                QString("grid {samples.csv} {i.fits} --value T --center 10.5deg,41deg --size 3x3 "
                        "--resolution 1arcsec --kernel nearest --overwrite --json ") +
                names);
            QVERIFY2(done.status == 0, done.error.constData());
            QCOMPARE(done.json()["used"].toInt(), 1);
        }
    }

    // Q and U of an image in FK4 refer to the meridians of FK4. A vector along a meridian of ICRS
    // at FK4 (40, 80), with f = FK4(equinox='B1950', obstime='B1950'):
    // c, n, s = (SkyCoord(40*u.deg, (80+d)*u.deg, frame=f).icrs for d in (0, 1e-3, -1e-3))
    // w = lambda a: a.wrap_at(180*u.deg).rad
    // (w(c.position_angle(n)) + w(c.position_angle(s) + 180*u.deg))/2 = 0.018487590816555516
    void imagesOfQAndU() {
        cli_.write("like.csv", "RAB1950,DEB1950,T\n40,80,1\n");
        const QString size = " --size 3x3 --resolution 1arcmin --kernel nearest --overwrite";
        QCOMPARE(cli_.run("grid {like.csv} {icrs.fits} --center "
                          "41.68416176657543deg,80.21054864328825deg" +
                          size)
                     .status,
                 0);
        JobContext job;
        Image like = readImage(cli_.path("icrs.fits").toStdString(), job);
        std::erase_if(like.wcsCards, [](const std::string& card) {
            return card.starts_with("CRVAL") || card.starts_with("RADESYS") ||
                   card.starts_with("EQUINOX");
        });
        for (const char* card :
             {"RADESYS = 'FK4     '", "EQUINOX =               1950.0",
              "CRVAL1  =                 40.0", "CRVAL2  =                 80.0"}) {
            like.wcsCards.emplace_back(card);
            like.wcsCards.back().resize(80, ' ');
        }
        writeImage(like, cli_.path("b1950.fits").toStdString(), {}, job);
        const auto center = [&](const char* samples) {
            const Outcome done = cli_.run(
                "grid {" + QString(samples) +
                "} {qu.fits} --value Q,U --like {b1950.fits} --kernel nearest --overwrite");
            if (done.status != 0) qWarning("%s", done.error.constData());
            const Image image = readImage(cli_.path("qu.fits").toStdString(), job);
            return std::pair{image.at(1, 1, 0), image.at(1, 1, 1)};
        };
        cli_.write("icrs.csv", "RA,DEC,Q,U\n41.68416176657543,80.21054864328825,1,0\n");
        const auto [q, u] = center("icrs.csv");
        // The pixels of the image lie within 0.01 arcsec of astropy's, the angle changes by
        // tan(80 deg) times that: 3e-7.
        QVERIFY(std::abs(q - std::cos(2.0 * 0.018487590816555516)) < 1e-6);
        QVERIFY(std::abs(u - std::sin(2.0 * 0.018487590816555516)) < 1e-6);
        // Samples of the image's own frame keep their values.
        cli_.write("fk4.csv", "RAB1950,DEB1950,Q,U\n40,80,1,0\n");
        const auto [ownQ, ownU] = center("fk4.csv");
        QVERIFY(std::abs(ownQ - 1.0) < 1e-6 && std::abs(ownU) < 1e-6);
    }

    // A vector along a meridian of FK4 has the position angle of ToIcrs in ICRS: astropy's
    // position_angle, as in tst_equatorial_frame but observed in 1950: -0.020966365 at (310, -80).
    void samplesOfQAndU() {
        const QString line = " --value Q,U --nside 1 --kernel nearest --radius 80deg --overwrite";
        cli_.write("qu.csv", "RAB1950,DEB1950,Q,U\n310,-80,1,0\n");
        const Outcome done = cli_.run("grid {qu.csv} {qu.fits}" + line);
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(says(done, "Q and U rotated"));
        const HealpixMap map = cli_.read("qu.fits");
        double q = 0.0, u = 0.0;
        for (int64_t p = 0; p < map.elementCount(); ++p)
            if (std::isfinite(map.field(0).at(p))) {
                q = map.field(0).at(p);
                u = map.field(1).at(p);
            }
        // The COSMO angle has the opposite sign of the IAU angle.
        const double angle = -0.020966365;
        QVERIFY(std::abs(q - std::cos(2.0 * angle)) < 2e-7);
        QVERIFY(std::abs(u + std::sin(2.0 * angle)) < 2e-7);
        QVERIFY(says(cli_.run("grid {qu.csv} {no.fits} --value Q --nside 1 --kernel nearest "
                              "--radius 80deg"),
                     "both Q and U"));
    }

    // T of l = 6 and 1, and E of l = 2 alone, turned by their coefficients: T against its formula
    // at the turned direction, Q and U against healpy 1.20:
    //   alm = hp.map2alm([0 * th, np.sin(th)**2, 0 * th], lmax=2, iter=20)
    //   hp.alm2map(hp.Rotator(coord=['G', 'C']).rotate_alm(alm), 16, lmax=2)
    // whose matrix of the frame differs from ours by 1e-7.
    void mapsTurnedByHarmonics() {
        const auto sky = [](Vec3 at) {
            const double longitude = std::atan2(at.y, at.x);
            return std::pow(at.x * at.x + at.y * at.y, 3) * std::cos(6.0 * longitude) + 0.3 * at.z;
        };
        std::vector<double> t, q;
        for (int64_t p = 0; p < pixelCount(16); ++p) {
            const Vec3 at = directionFromRing(16, p);
            t.push_back(sky(at));
            q.push_back(at.x * at.x + at.y * at.y);
        }
        const std::vector<double> u(q.size(), 0.0);
        cli_.write("tqu.fits", HealpixMap(16, Ordering::Ring, Frame::Galactic,
                                          {{"TEMPERATURE", "K", DiskType::Float64, t},
                                           {"Q_POLARISATION", "K", DiskType::Float64, q},
                                           {"U_POLARISATION", "K", DiskType::Float64, u}}));
        const Outcome done = cli_.run(
            "convert {tqu.fits} {tquc.fits} --frame C --method harmonic --lmax 6 --iterations 20");
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(says(done, "lmax 6, no weights, 20 iterations"));
        const HealpixMap found = cli_.read("tquc.fits");
        QVERIFY(found.frame() == Frame::Equatorial);
        QCOMPARE(found.field(0).unit, std::string("K"));
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        for (int64_t p = 0; p < found.pixelCount(); ++p)
            // 20 iterations leave rounding: sums of 3072 pixels, 3072 epsilon, 7e-13. A wrong
            // rotation changes values by 0.1.
            QVERIFY(std::abs(found.field(0).at(p) - sky(turn * directionFromRing(16, p))) < 1e-10);
        const struct {
            int64_t pixel;
            double q, u;
        } rows[] = {{100, 0.30573501409832227, -0.3680891899184461},
                    {1500, -0.029235364021820184, 0.5004441836598779},
                    {2900, -0.7159534117179684, 0.06832778515101853}};
        for (const auto& row : rows) {
            // The iterations of healpy's analysis and of ours end apart by less; a wrong rotation
            // changes values by 0.1.
            QVERIFY(std::abs(found.field(1).at(row.pixel) - row.q) < 1e-6);
            QVERIFY(std::abs(found.field(2).at(row.pixel) - row.u) < 1e-6);
        }
    }

    // The pixel windows of l = 12, of nside 8 over 16: 0.917608, from their definition, the means
    // over pixels of all Y_12m at nside 512 (healpy's alm2map and ud_grade). Ours are within 3e-5.
    void nsideByHarmonics() {
        const auto write = [&](int64_t nside, const char* name, bool isConstant) {
            std::vector<double> values;
            for (int64_t p = 0; p < pixelCount(nside); ++p) {
                const Vec3 at = directionFromRing(nside, p);
                const double longitude = std::atan2(at.y, at.x);
                values.push_back(isConstant ? 1.0
                                            : std::pow(at.x * at.x + at.y * at.y, 6) *
                                                  std::cos(12.0 * longitude));
            }
            cli_.write(name, HealpixMap(nside, Ordering::Ring, Frame::Galactic,
                                        {{"T", "K", DiskType::Float64, std::move(values)}}));
        };
        write(16, "h16.fits", false);
        write(8, "h8.fits", false);
        write(16, "ones.fits", true);
        const QString options = " --method harmonic --iterations 20 --overwrite";
        const auto converted = [&](const QString& words) {
            const Outcome done = cli_.run("convert " + words + options);
            if (done.status != 0) qWarning("%s", done.error.constData());
            return done.status == 0 ? valuesOf(cli_.read("h.fits"), 0) : std::vector<double>();
        };
        const std::vector<double> coarse = valuesOf(cli_.read("h8.fits"), 0);
        const std::vector<double> fine = valuesOf(cli_.read("h16.fits"), 0);
        const std::vector<double> down = converted("{h16.fits} {h.fits} --nside 8");
        const std::vector<double> up = converted("{h8.fits} {h.fits} --nside 16");
        const std::vector<double> sums = converted("{h16.fits} {h.fits} --nside 8 --degrade sum");
        QCOMPARE(down.size(), coarse.size());
        QCOMPARE(up.size(), fine.size());
        QCOMPARE(sums.size(), coarse.size());
        constexpr double kRatio = 0.9176078612142932;
        for (size_t p = 0; p < coarse.size(); ++p) {
            // Our pixel windows are within 3e-5 of their definition.
            QVERIFY(std::abs(down[p] - kRatio * coarse[p]) < 1e-4);
            QVERIFY(std::abs(sums[p] - 4.0 * kRatio * coarse[p]) < 4e-4);
        }
        // The same bound on pixel windows.
        for (size_t p = 0; p < fine.size(); ++p) QVERIFY(std::abs(up[p] - fine[p] / kRatio) < 1e-4);
        const std::vector<double> ones = converted("{ones.fits} {h.fits} --nside 4 --frame C");
        QCOMPARE(ones.size(), size_t{192});
        // Sums of 3072 pixels: 3072 epsilon is 7e-13.
        for (const double one : ones) QVERIFY(std::abs(one - 1.0) < 1e-12);
    }

    void harmonicsRefused() {
        QCOMPARE(cli_.run("convert {g.fits} {no.fits} --method harmonic").status, 2);
        QCOMPARE(cli_.run("convert {g.fits} {no.fits} --frame C --lmax 5").status, 2);
        QCOMPARE(cli_.run("convert {g.fits} {no.fits} --frame C --method harmonic "
                          "--interpolation nearest")
                     .status,
                 2);
        QVERIFY(refuses("convert {n.fits} {no.fits} --frame C --method harmonic"));
    }

    void pixelsOfFk4() {
        QVERIFY(says(cli_.run("convert {n.fits} {no.fits} --input-frame FK4"), "FK4"));
        QCOMPARE(cli_.run("convert {n.fits} {fk5.fits} --input-frame FK5").status, 0);
        QVERIFY(cli_.read("fk5.fits").frame() == Frame::Equatorial);
        QByteArray bytes = cli_.content("g.fits");
        const int at = static_cast<int>(bytes.indexOf("COORDSYS= 'G       '"));
        QVERIFY(at > 0);
        bytes.replace(at, 20, "COORDSYS= 'FK4     '");
        cli_.write("fk4map.fits", bytes);
        const Outcome outcome = cli_.run("convert {fk4map.fits} {no.fits} --frame G");
        QVERIFY(outcome.status == 1 && says(outcome, "FK4"));
        QCOMPARE(cli_.run("convert {n.fits} {no.fits} --input-frame FK6").status, 2);
    }

private:
    static constexpr int64_t kNside = 32;
    CliFixture cli_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(tst_cli_frames)
#include "tst_cli_frames.moc"
