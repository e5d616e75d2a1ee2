// SPDX-License-Identifier: GPL-3.0-or-later
// Positions by name: built-in ones compared with measured catalogs; rows of open catalogs; name
// tables in the user's folder.
#include <QDir>
#include <QSet>
#include <QStandardPaths>

#include "armilla/core/error.h"
#include "armilla/io/table_io.h"
#include "armilla/session/sky_names.h"
#include "layer_samples.h"
#include "session_bench.h"
#include "support/patience.h"
#include "support/real_data.h"

using namespace armilla;
using namespace armilla::test;

namespace {

TableColumn texts(const char* name, std::vector<std::string> values, const char* ucd = "") {
    TableColumn column;
    column.name = name;
    column.ucd = ucd;
    column.values = std::move(values);
    return column;
}

Catalog threeRows(std::vector<TableColumn> names) {
    Catalog catalog;
    TableColumn ra, dec;
    ra.name = "RA";
    dec.name = "DEC";
    ra.unit = dec.unit = "deg";
    ra.values = std::vector<double>{10.0, 20.0, 30.0};
    dec.values = std::vector<double>{-10.0, 0.0, 10.0};
    catalog.table.columns = std::move(names);
    catalog.table.columns.push_back(std::move(ra));
    catalog.table.columns.push_back(std::move(dec));
    catalog.position = positionsNamed(catalog.table, "RA", "DEC");
    catalog.position.frame = Frame::Equatorial;
    return catalog;
}

std::optional<int64_t> found(const Catalog& catalog, const char* name) {
    return rowNamed(catalog, foldedName(name), nullptr);
}

// The nearest row, in arcminutes.
double nearest(const Catalog& catalog, const LonLat& place) {
    const Vec3 at = frameRotation(catalog.frame(), Frame::Equatorial) * direction(place);
    double most = -1.0;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        const Vec3 other = direction(catalog.at(row));
        most = std::max(most, dot(at, other));
    }
    return std::acos(std::min(1.0, most)) / kArcmin;
}

}  // namespace

class SkyNamesTest : public QObject {
    Q_OBJECT

private slots:
    void namesAreFolded() {
        QCOMPARE(foldedName("NGC 0224"), std::string("ngc224"));
        QCOMPARE(foldedName("m_31"), std::string("m31"));
        QCOMPARE(foldedName("M100"), std::string("m100"));
        QCOMPARE(foldedName("3C 273.0"), std::string("3c273.0"));
        QCOMPARE(foldedName("J0030+0451"), std::string("j30+451"));
        QCOMPARE(foldedName("  "), std::string());
        QCOMPARE(foldedName("0"), std::string("0"));
    }
    void placesAreKnownByEachName() {
        QSet<std::string> names;
        for (const QString& name : skyNames()) {
            const std::string folded = foldedName(name.toStdString());
            QVERIFY2(!names.contains(folded), qPrintable(name));
            names.insert(folded);
            const auto place = namedPosition(name);
            QVERIFY2(place, qPrintable(name));
            QVERIFY(place->lon >= 0.0 && place->lon < kTwoPi && std::abs(place->lat) <= 0.5 * kPi);
        }
        for (int number = 1; number <= 110; ++number)
            QVERIFY2(namedPosition(QStringLiteral("M %1").arg(number)),
                     qPrintable(QString::number(number)));
        QVERIFY(names.size() > 190);
        QVERIFY(namedPosition("crab") && namedPosition("M1") && namedPosition("m 1 (crab)"));
        QVERIFY(!namedPosition("M 111"));
        // A part of exactly one name.
        QCOMPARE(onlySkyNameWith("virgo a"), std::optional(QString("M 87 (Virgo A)")));
        QVERIFY(!onlySkyNameWith("M"));
        // Numbers match as a whole.
        QCOMPARE(onlySkyNameWith("M 8"), std::optional(QString("M 8 (Lagoon)")));
        QCOMPARE(onlySkyNameWith("C 273"), std::optional(QString("3C 273")));
        QCOMPARE(onlySkyNameWith("NGC 4038"), std::optional(QString("NGC 4038 (Antennae)")));
        QCOMPARE(onlySkyNameWith("4038 (a"), std::optional(QString("NGC 4038 (Antennae)")));
        for (const char* cut : {"NGC 13", "NGC 40", "NGC 130", "038 (a", "3C 45", "3C 454"})
            QVERIFY2(!onlySkyNameWith(cut), cut);
        QVERIFY(!onlySkyNameWith("nowhere") && !onlySkyNameWith(" "));
        QVERIFY(!namedPosition(""));
        QVERIFY(!namedPosition(" "));
        // The poles and center of the Galaxy follow from the frames, to a thousandth of a degree.
        const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
        const Vec3 pole = turn * Vec3{0.0, 0.0, 1.0}, middle = turn * Vec3{1.0, 0.0, 0.0};
        QVERIFY(dot(pole, direction(*namedPosition("North Galactic pole"))) > std::cos(2e-5));
        QVERIFY(dot(pole, direction(*namedPosition("South Galactic pole"))) < -std::cos(2e-5));
        QVERIFY(dot(middle, direction(*namedPosition("Galactic center"))) > std::cos(2e-5));
    }
    void namesAreTakenInTheFrameOfTheView() {
        const LonLat andromeda = searchedPosition("m31", Frame::Galactic);
        // The expected degrees are printed to 1e-3; the limit is two units of the last digit.
        QVERIFY(std::abs(andromeda.lon / kDegree - 121.174) < 0.002);
        QVERIFY(std::abs(andromeda.lat / kDegree + 21.573) < 0.002);
        QVERIFY_EXCEPTION_THROWN(searchedPosition("M 31", Frame::Unknown), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(searchedPosition("nowhere", Frame::Galactic), InvalidArgument);
    }
    void columnsWithNamesAreKnown() {
        const Catalog catalog = threeRows(
            {texts("NAME", {"a", "b", "c"}), texts("what", {"d", "e", "f"}, "meta.id;meta.main"),
             texts("Common names", {"g", "h", "i"}), texts("NOTE", {"j", "k", "l"}),
             texts("5 GHz ID", {"m", "n", "o"})});
        QCOMPARE(nameColumns(catalog.table), (std::vector<int>{0, 1, 2, 4}));
        QCOMPARE(found(catalog, "B"), std::optional(int64_t{1}));
        QCOMPARE(found(catalog, "f"), std::optional(int64_t{2}));
        QVERIFY(!found(catalog, "j"));
        QVERIFY(!found(catalog, ""));
        QVERIFY(!found(threeRows({texts("X", {"a", "b", "c"})}), "a"));
    }
    void rowsAreFound() {
        TableColumn number;
        number.name = "M";
        number.values = std::vector<int64_t>{31, -1, 33};
        number.null = -1;
        Catalog catalog =
            threeRows({texts("Name", {"NGC0224", "", "NGC 598"}),
                       texts("Identifiers", {"UGC 454,LEDA 2557", "a, B_1 ;c", ""}), number});
        QCOMPARE(found(catalog, "ngc 224"), std::optional(int64_t{0}));
        QCOMPARE(found(catalog, "NGC598"), std::optional(int64_t{2}));
        QCOMPARE(found(catalog, "leda 2557"), std::optional(int64_t{0}));
        QCOMPARE(found(catalog, "b 1"), std::optional(int64_t{1}));
        QCOMPARE(found(catalog, "c"), std::optional(int64_t{1}));
        QCOMPARE(found(catalog, "M 33"), std::optional(int64_t{2}));
        QCOMPARE(found(catalog, "m031"), std::optional(int64_t{0}));
        for (const char* none : {"33", "M", "M 3", "NGC 22", "NGC 2244", "UGC 454,LEDA 2557", "M 1",
                                 "M99999999999999999999"})
            QVERIFY2(!found(catalog, none), none);
        // A row without a position gives no result.
        std::get<std::vector<double>>(catalog.table.columns[3].values)[0] = NAN;
        QVERIFY(!found(catalog, "ngc 224"));
    }
    void openCatalogsAreSearched() {
        Bench bench;
        NameSearch names(bench.document(), bench.session.jobs());
        QVERIFY(!names.find("star 7"));
        const auto stars = std::make_shared<const Catalog>(randomCatalog(100));
        const LayerId id = bench.document().addLayer(stars, "stars", {});
        const auto place = names.find("STAR 7");
        QVERIFY(place);
        QCOMPARE(place->layer, id);
        QCOMPARE(place->row, int64_t{7});
        QCOMPARE(place->place.lon, stars->at(7).lon);
        QCOMPARE(place->frame, Frame::Galactic);
    }
    // More rows than the synchronous limit: in a job.
    void largeCatalogsAreSearchedInAJob() {
        Bench bench;
        NameSearch names(bench.document(), bench.session.jobs());
        QVERIFY(!names.hasMore());
        const auto stars = std::make_shared<const Catalog>(randomCatalog(400000));
        bench.document().addLayer(stars, "stars", {});
        QVERIFY(!names.find("star 399999"));
        QVERIFY(names.hasMore());
        std::optional<NamedPlace> place;
        int answers = 0;
        const auto take = [&](const std::optional<NamedPlace>& hit, const QString& problem) {
            ++answers;
            place = hit;
            QCOMPARE(problem, QString());
        };
        names.search("star 399999", take);
        QCOMPARE(answers, 0);
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, kPatience);
        QVERIFY(place);
        QCOMPARE(place->row, int64_t{399999});
        names.search("star 400000", take);
        QTRY_COMPARE_WITH_TIMEOUT(answers, 2, kPatience);
        QVERIFY(!place);
    }
    // Rows of many name columns count several times.
    void manyColumnsAreSearchedInAJob() {
        Bench bench;
        NameSearch names(bench.document(), bench.session.jobs());
        Catalog stars = randomCatalog(40000);
        for (int i = 0; i < 9; ++i) {
            stars.table.columns.push_back(stars.table.columns[2]);
            stars.table.columns.back().ucd = "meta.id";
        }
        bench.document().addLayer(std::make_shared<const Catalog>(std::move(stars)), "stars", {});
        QVERIFY(!names.find("star 39999"));
        QVERIFY(names.hasMore());
    }
    // In the format of OpenNGC's table, beside an unreadable one.
    void tablesOfNamesAreRead() {
        Bench bench;
        const QString folder =
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
            "/armilla/names";
        QVERIFY(QDir().mkpath(folder));
        QFile table(folder + "/NGC.csv");
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write(
            "Name;Type;RA;Dec;Const;MajAx;M;NGC;IC;Identifiers;Common names\n"
            "IC0001;**;00:08:27.05;+27:43:03.6;Peg;;;;;;\n"
            "NGC9001;G;12:30:00.00;-10:30:00.0;Vir;1.5;111;;;UGC 99999,X 1;First Galaxy\n"
            "NGC9002;NonEx;;;Vir;;;;;;\n");
        table.close();
        NameSearch names(bench.document(), bench.session.jobs());
        QVERIFY(names.hasMore());
        const auto search = [&](const char* name) {
            std::optional<NamedPlace> place;
            QString line = "none";
            names.search(name, [&](const std::optional<NamedPlace>& hit, const QString& problem) {
                place = hit;
                line = problem;
            });
            [&] { QTRY_VERIFY_WITH_TIMEOUT(line != "none", kPatience); }();
            return std::pair{place, line};
        };
        for (const char* name : {"ngc 9001", "First galaxy", "ugc99999", "M 111"}) {
            const auto [place, problem] = search(name);
            QVERIFY2(place, name);
            QCOMPARE(place->frame, Frame::Equatorial);
            // The file holds decimal degrees that convert to radians and back within 1e-13 degrees.
            QVERIFY(std::abs(place->place.lon / kDegree - 187.5) < 1e-9);
            QVERIFY(std::abs(place->place.lat / kDegree + 10.5) < 1e-9);
            QCOMPARE(place->source, QString("NGC.csv"));
            QCOMPARE(problem, QString());
        }
        QVERIFY(!search("NGC 9002").first);
        QVERIFY(!search("nowhere").first);
        // A table added later is searched, too.
        QCOMPARE(NameSearch::userFolder(), folder);
        QCOMPARE(NameSearch::tableFiles().size(), 1);
        QFile more(folder + "/more.csv");
        QVERIFY(more.open(QIODevice::WriteOnly));
        more.write("name,ra,dec\nNowhere,10.0,20.0\n");
        more.close();
        QVERIFY(search("nowhere").first);
        QVERIFY(search("ngc 9001").first);
        QVERIFY(more.remove());
        QVERIFY(!search("nowhere").first);
        QFile damaged(folder + "/bad.fits");
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write("SIMPLE  = nonsense");
        damaged.close();
        // A file without a table is reported once, not with every name, nor when other files are
        // added; again after it has changed.
        const auto [place, line] = search("ngc 9001");
        QVERIFY(place);
        QVERIFY2(line.contains("bad.fits"), qPrintable(line));
        QCOMPARE(search("ngc 9001").second, QString());
        QCOMPARE(search("nobody").second, QString());
        QVERIFY(more.open(QIODevice::WriteOnly));
        more.write("name,ra,dec\nNowhere,10.0,20.0\n");
        more.close();
        const auto [later, afterwards] = search("nowhere");
        QVERIFY(later);
        QCOMPARE(afterwards, QString());
        QVERIFY(damaged.open(QIODevice::Append));
        damaged.write(" more of it");
        damaged.close();
        QVERIFY(search("nobody").second.contains("bad.fits"));
        QVERIFY(QDir(folder).removeRecursively());
    }
    // Positions of the list are within an arcminute of measured ones; radio sources at 28 GHz
    // within two, for a beam of 32.
    void knownPlacesAreWhereTheyAre_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<double>("limit");
        QTest::newRow("galaxies")
            << "catalogs/galaxies_2mrs_43k.fits"
            << QString(
                   "M 32,M 49,M 51,M 58,M 59,M 60,M 61,M 63,M 64,M 65,M 66,M 74,M 77,M 81,M 82,M "
                   "83,M 84,M 85,M 86,M 87,M 88,M 89,M 90,M 94,M 95,M 96,M 98,M 99,M 100,M 102,M "
                   "104,M 105,M 106,M 108,M 109,NGC 891,NGC 1300,NGC 2403,NGC 3115,NGC 4945,NGC "
                   "6946,Arp 220,Fornax A,Fornax cluster,Perseus cluster,Centaurus cluster,"
                   "Abell 2199")
                   .split(',')
            << 1.0;
        QTest::newRow("stars")
            << "catalogs/stars_xhip_gaia_118k.fits"
            << QString(
                   "Sirius,Canopus,Arcturus,Vega,Capella,Rigel,Procyon,Betelgeuse,Achernar,"
                   "Altair,Aldebaran,Antares,Spica,Pollux,Fomalhaut,Deneb,Regulus,Polaris,Castor,"
                   "Mira,Algol,Cygnus X-1,LS I +61 303,Alpha Centauri")
                   .split(',')
            << 1.0;
        QTest::newRow("radio")
            << "planck/COM_PCCS_030_R2.04.fits"
            << QString(
                   "Crab,3C 84,3C 111,3C 119,3C 120,3C 138,3C 147,3C 273,3C 279,3C 286,3C 295,3C "
                   "345,3C 446,3C 454.3,Pictor A,Hydra A,Hercules A,Cas A,Cyg A,Cen A,M 42,BL "
                   "Lac,OJ 287,CTA 102,4C 39.25,DA 193,NRAO 530,PKS 0521-365,PKS 1830-211,PKS "
                   "1934-638,PKS 2155-304,Tycho's supernova,Kepler's supernova,NGC 7027")
                   .split(',')
            << 2.0;
    }
    void knownPlacesAreWhereTheyAre() {
        QFETCH(QString, file);
        QFETCH(QStringList, names);
        QFETCH(double, limit);
        const auto folder = realDataFolder();
        if (!folder || !QFileInfo::exists(*folder + '/' + file))
            QSKIP("no folder of real data (ARMILLA_REAL_DATA)");
        JobContext job;
        const Catalog catalog = readCatalog((*folder + '/' + file).toStdString(), job);
        for (const QString& name : names) {
            const auto place = namedPosition(name);
            QVERIFY2(place, qPrintable(name));
            const double distance = nearest(catalog, *place);
            QVERIFY2(distance < limit, qPrintable(QString("%1: %2'").arg(name).arg(distance)));
        }
    }
};

QTEST_GUILESS_MAIN(SkyNamesTest)
#include "tst_sky_names.moc"
