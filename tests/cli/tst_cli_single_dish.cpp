// SPDX-License-Identifier: GPL-3.0-or-later
// Single-dish tables in the format of the Green Bank Telescope, gridded by `armilla grid`.
#include <QTest>
#include <cmath>
#include <random>

#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"
#include "cli/fits_images.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kRest = 1420405751.786, kStep = -5e3;
constexpr int64_t kChannels = 64;

// A row of a table: position, state of the receiver, and its spectral axis.
struct DishRow {
    double ra = 30.0, dec = 40.0;
    int64_t window = 0, polarization = 0, feed = 0;
    std::string cal = "F", type = "RA", date = "2019-04-01T12:34:56.00";
    double value = 1.42e9;                   // frequency of the middle channel
    std::function<double(double)> spectrum;  // function of the topocentric frequency
};

class DishTable {
public:
    template <typename Value>
    void add(const char* name, const std::vector<DishRow>& rows,
             const std::function<Value(const DishRow&)>& of, const char* unit = "") {
        TableColumn column;
        column.name = name;
        column.unit = unit;
        std::vector<Value> values;
        for (const DishRow& row : rows) values.push_back(of(row));
        column.values = std::move(values);
        table.columns.push_back(std::move(column));
    }
    Table table;
};

// The relevant columns of GBT's SDFITS, with its names and units.
Table gbtTable(const std::vector<DishRow>& rows) {
    DishTable made;
    const auto text = [&](const char* name, auto of) { made.add<std::string>(name, rows, of); };
    const auto number = [&](const char* name, const char* unit, auto of) {
        made.add<double>(name, rows, of, unit);
    };
    const auto whole = [&](const char* name, auto of) { made.add<int64_t>(name, rows, of); };
    text("OBJECT", [](const DishRow&) { return std::string("M33"); });
    text("DATE-OBS", [](const DishRow& row) { return row.date; });
    number("EXPOSURE", "s", [](const DishRow&) { return 1.0; });
    TableColumn data;
    data.name = "DATA";
    data.width = kChannels;
    std::vector<float> values;
    for (const DishRow& row : rows)
        for (int64_t c = 0; c < kChannels; ++c)
            values.push_back(static_cast<float>(
                row.spectrum(row.value + (static_cast<double>(c + 1) - 33.0) * kStep)));
    data.values = std::move(values);
    made.table.columns.push_back(std::move(data));
    text("TUNIT4", [](const DishRow&) { return std::string("Ta"); });
    text("CTYPE1", [](const DishRow&) { return std::string("FREQ-OBS"); });
    number("CRVAL1", "Hz", [](const DishRow& row) { return row.value; });
    number("CRPIX1", "", [](const DishRow&) { return 33.0; });
    number("CDELT1", "Hz", [](const DishRow&) { return kStep; });
    text("CTYPE2", [](const DishRow& row) { return row.type; });
    number("CRVAL2", "deg", [](const DishRow& row) { return row.ra; });
    text("CTYPE3", [](const DishRow& row) { return std::string(row.type == "RA" ? "DEC" : "EL"); });
    number("CRVAL3", "deg", [](const DishRow& row) { return row.dec; });
    whole("CRVAL4", [](const DishRow& row) { return -5 - row.polarization; });
    number("RESTFREQ", "Hz", [](const DishRow&) { return kRest; });
    text("SIG", [](const DishRow&) { return std::string("T"); });
    text("CAL", [](const DishRow& row) { return row.cal; });
    whole("IFNUM", [](const DishRow& row) { return row.window; });
    whole("PLNUM", [](const DishRow& row) { return row.polarization; });
    whole("FDNUM", [](const DishRow& row) { return row.feed; });
    made.table.name = "SINGLE DISH";
    const auto card = [&](const QString& key, const QString& value) {
        made.table.cards.push_back(
            (key.leftJustified(8) + "= " + value).leftJustified(80).toStdString());
    };
    card("TELESCOP", "'NRAO_GBT'");
    card("BACKEND", "'VEGAS   '");
    card("SITELONG", "-7.983983E+01");
    card("SITELAT", "3.843312E+01");
    card("SITEELEV", "8.245500E+02");
    return made.table;
}

}  // namespace

class tst_cli_single_dish : public QObject {
    Q_OBJECT

    // The plane at the central pixels; each channel is the mean of the rows there.
    Outcome grid(const std::vector<DishRow>& rows, const QString& options = "") const {
        JobContext job;
        writeTable(gbtTable(rows), cli_.path("gbt.fits").toStdString(), {true, {}, {}}, job);
        return cli_.run(QStringList{"grid", cli_.path("gbt.fits"), cli_.path("cube.fits"),
                                    "--kernel-fwhm", "1arcmin", "--center", "30deg,40deg", "--size",
                                    "3x3", "--resolution", "1arcmin", "--device", "cpu",
                                    "--overwrite"} +
                        cli_.words(options));
    }
    double centroid(double& peak) const {
        std::vector<long> axes;
        const std::vector<double> cube = imageOf(cli_.path("cube.fits"), "", &axes);
        const double value = std::stod(cardOf(cli_.path("cube.fits"), "CRVAL3"));
        const double step = std::stod(cardOf(cli_.path("cube.fits"), "CDELT3"));
        double sum = 0.0, moment = 0.0;
        peak = 0.0;
        for (long c = 0; c < axes[2]; ++c) {
            const double v = cube[static_cast<size_t>(c * axes[0] * axes[1] + 4)];
            if (std::isnan(v)) continue;
            sum += v;
            moment += v * (value + step * static_cast<double>(c));
            peak = std::max(peak, v);
        }
        return moment / sum;
    }

private slots:
    // A line at one topocentric frequency in rows whose channels are apart by 2 % of one and by
    // three and a half.
    void alignsChannels() {
        const auto line = [](double f) {
            return std::exp(-0.5 * std::pow((f - 1.42e9) / (4 * kStep), 2));
        };
        std::vector<DishRow> rows(3);
        for (DishRow& row : rows) row.spectrum = line;
        rows[1].value += 0.02 * kStep;
        rows[2].value -= 3.5 * kStep;
        const Outcome outcome = grid(rows);
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("2 rows are brought to those of the first by linear "
                                        "interpolation, up to 3.5 channels"),
                 outcome.error);
        const QString cube = cli_.path("cube.fits");
        QCOMPARE(cardOf(cube, "CTYPE3"), std::string("FREQ"));
        QCOMPARE(cardOf(cube, "CUNIT3"), std::string("Hz"));
        QCOMPARE(cardOf(cube, "SPECSYS"), std::string("TOPOCENT"));
        QCOMPARE(cardOf(cube, "SSYSOBS"), std::string("TOPOCENT"));
        QCOMPARE(cardOf(cube, "BUNIT"), std::string("K"));
        QCOMPARE(cardOf(cube, "OBJECT"), std::string("M33"));
        QCOMPARE(cardOf(cube, "TELESCOP"), std::string("NRAO_GBT"));
        QCOMPARE(cardOf(cube, "INSTRUME"), std::string("VEGAS"));
        QVERIFY(QString::fromStdString(cardOf(cube, "DATE-OBS")).startsWith("2019-04-01T12:34:56"));
        // Frequencies of order 1e9 Hz have a unit in the last place of 2e-7 Hz; the limit allows
        // cards of 12 digits.
        QVERIFY(std::abs(std::stod(cardOf(cube, "RESTFRQ")) - kRest) < 1e-2);
        double peak = 0.0;
        // Interpolation between channels of a line of sigma 4 channels removes at most h^2 / 8 of
        // the second derivative, 1 / 128, in two of three rows.
        QVERIFY(std::abs(centroid(peak) - 1.42e9) < 0.01 * std::abs(kStep));
        QVERIFY(peak > 1.0 - 1.0 / 128 && peak <= 1.0 + 1e-6);
        std::vector<long> axes;
        imageOf(cube, "", &axes);
        QCOMPARE(axes[2], 67L);  // and three more channels of the third row
    }
    // Channels that agree to rounding stay unchanged.
    void sameChannels() {
        std::vector<DishRow> rows(2);
        for (DishRow& row : rows) row.spectrum = [](double f) { return (f - 1.42e9) / kStep; };
        rows[1].value += 1e-9 * kStep;
        const Outcome outcome = grid(rows);
        QVERIFY2(outcome.status == 0 && !outcome.error.contains("interpolation"), outcome.error);
        std::vector<long> axes;
        const std::vector<double> cube = imageOf(cli_.path("cube.fits"), "", &axes);
        QCOMPARE(axes[2], kChannels);
        QCOMPARE(cube[4], -32.0);
    }
    // A line at rest in LSRK, observed in April and September: 23 channels apart in the topocentric
    // frame.
    void localStandardOfRest_data() {
        QTest::addColumn<QString>("frame");
        QTest::addColumn<double>("april");
        QTest::addColumn<double>("september");
        QTest::addColumn<QString>("specsys");
        // SpectralCoord of astropy 8.0, as in tst_velocity_frames, at RA 30, Dec 40.
        QTest::newRow("lsrk") << "lsrk" << 1.000046789595 << 0.999931342840 << "LSRK";
        QTest::newRow("barycentric")
            << "barycentric" << 1.000046750481 << 0.999931303730 << "BARYCENT";
    }
    void localStandardOfRest() {
        QFETCH(QString, frame);
        QFETCH(double, april);
        QFETCH(double, september);
        QFETCH(QString, specsys);
        constexpr double kLine = 1.42e9;
        std::vector<DishRow> rows(2);
        rows[1].date = "2019-09-15T03:00:00.00";
        for (size_t i = 0; i < 2; ++i) {
            const double at = kLine / (i == 0 ? april : september);
            // The telescope tracks the line within some channels.
            rows[i].value = at + (i == 0 ? 3.0 : -4.3) * kStep;
            rows[i].spectrum = [at](double f) {
                return std::exp(-0.5 * std::pow((f - at) / (4 * kStep), 2));
            };
        }
        const Outcome outcome = grid(rows, "--specsys " + frame);
        QVERIFY2(outcome.status == 0, outcome.error);
        QCOMPARE(QString::fromStdString(cardOf(cli_.path("cube.fits"), "SPECSYS")), specsys);
        double peak = 0.0;
        // 0.5 m/s is 2.4 Hz.
        QVERIFY(std::abs(centroid(peak) - kLine) < 2.4 + 0.005 * std::abs(kStep));
        QVERIFY(peak > 1.0 - 2.0 / 128);
        // The stored rows belong to two windows.
        const Outcome stored = grid(rows);
        QCOMPARE(stored.status, 1);
        QVERIFY2(stored.error.contains("expected rows of one window"), stored.error);
    }
    void unlikeRows_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("where");
        QTest::newRow("windows") << 0 << "IFNUM of 0, 1"
                                 << "IFNUM == 1";
        QTest::newRow("polarizations") << 1 << "PLNUM of 0, 1"
                                       << "PLNUM == 1";
        QTest::newRow("cal") << 3 << "CAL of F, T"
                             << "CAL == 'T'";
    }
    void unlikeRows() {
        QFETCH(int, which);
        QFETCH(QString, says);
        QFETCH(QString, where);
        std::vector<DishRow> rows(3);
        for (DishRow& row : rows) row.spectrum = [](double) { return 1.0; };
        DishRow& other = rows[1];
        if (which == 0) other.window = 1;
        if (which == 1) other.polarization = 1;
        if (which == 3) other.cal = "T";
        other.spectrum = [](double) { return 4.0; };
        const Outcome refused = grid(rows);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.error.contains(says.toUtf8()) && refused.error.contains("--where"),
                 refused.error);
        const auto valueWhere = [&](const QString& condition) {
            const Outcome taken = cli_.run(
                QStringList{"grid", cli_.path("gbt.fits"), cli_.path("cube.fits"), "--kernel-fwhm",
                            "1arcmin", "--center", "30deg,40deg", "--size", "3x3", "--resolution",
                            "1arcmin", "--device", "cpu", "--overwrite", "--where", condition});
            return taken.status == 0 ? imageOf(cli_.path("cube.fits"))[4] : -1.0;
        };
        QCOMPARE(valueWhere(where), 4.0);
        // A condition on the column selects all rows that fulfill it.
        const QString column = where.section(' ', 0, 0);
        QCOMPARE(valueWhere("good(" + column + ")"), 2.0);
        QCOMPARE(valueWhere("IFNUM =="), -1.0);
    }
    // The beams of a receiver are gridded together.
    void feedsAreOneSky() {
        std::vector<DishRow> rows(2);
        rows[1].feed = 1;
        rows[0].spectrum = [](double) { return 1.0; };
        rows[1].spectrum = [](double) { return 4.0; };
        QCOMPARE(grid(rows).status, 0);
        QCOMPARE(imageOf(cli_.path("cube.fits"))[4], 2.5);
    }
    void whereRefusals() {
        std::vector<DishRow> rows(1);
        rows[0].spectrum = [](double) { return 1.0; };
        for (const auto& [condition, status] :
             {std::pair{"IFNUM==", 2}, {"NOPE==1", 1}, {"IFNUM==3", 1}}) {
            const Outcome outcome = grid(rows, QString("--where ") + condition);
            QVERIFY2(outcome.status == status, outcome.error);
            QVERIFY2(outcome.error.contains(status == 2           ? "--where"
                                            : condition[0] == 'N' ? "NOPE"
                                                                  : "found none of 1"),
                     outcome.error);
        }
    }
    // A few rows in azimuth and elevation are left out, with a message.
    void anotherSystem() {
        std::vector<DishRow> rows(5);
        for (DishRow& row : rows) row.spectrum = [](double) { return 2.0; };
        rows[3].type = "AZ";
        rows[3].spectrum = [](double) { return 100.0; };
        const Outcome outcome = grid(rows);
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("skipped 1 row in AZ, EL; the other 4 rows in RA, DEC"),
                 outcome.error);
        QCOMPARE(imageOf(cli_.path("cube.fits"))[4], 2.0);
    }
    // TDIM in the header: a row with two spectra of half the channels has no common axis.
    void shapeInTheHeader() {
        std::vector<DishRow> rows(1);
        rows[0].spectrum = [](double) { return 1.0; };
        QCOMPARE(grid(rows).status, 0);
        const auto shaped = [&](const char* shape) {
            fitsfile* file = nullptr;
            int status = 0;
            const QByteArray name = cli_.path("gbt.fits").toLocal8Bit();
            fits_open_diskfile(&file, name.constData(), READWRITE, &status);
            fits_movabs_hdu(file, 2, nullptr, &status);
            fits_update_key_str(file, "TDIM4", shape, nullptr, &status);
            fits_close_file(file, &status);
            return cli_.run(
                "grid {gbt.fits} {shaped.fits} --kernel-fwhm 1arcmin --center "
                "30deg,40deg --size 3x3 --resolution 1arcmin --device cpu --overwrite");
        };
        const Outcome two = shaped("(32,1,1,2)");
        QVERIFY2(two.error.contains("a row has 32 channels and more than one spectrum"), two.error);
        QVERIFY(!shaped("(64,1,1,1)").error.contains("more than one spectrum"));
        QCOMPARE(cardOf(cli_.path("shaped.fits"), "CTYPE3"), std::string("FREQ"));
    }
    void specsysWithoutSpectra() {
        cli_.write("plain.csv", "RA,DEC,TA\n30,40,1\n");
        const Outcome outcome =
            cli_.run("grid {plain.csv} {x.fits} --kernel-fwhm 10arcmin --nside 64 --specsys lsrk");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("CTYPE1"), outcome.error);
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_single_dish)
#include "tst_cli_single_dish.moc"
