// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on maps: values, bad pixels, units, orderings, frames, polarization.
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kBad = std::numeric_limits<double>::quiet_NaN();

Field fieldOf(const char* name, const char* unit, std::vector<double> values) {
    Field field;
    field.name = name;
    field.unit = unit;
    field.diskType = DiskType::Float64;
    field.values = std::move(values);
    return field;
}

}  // namespace

class tst_cli_calc : public QObject {
    Q_OBJECT

    CliFixture cli_;

    // A map of nside 1 with these fields.
    void writeMap(const QString& name, std::vector<Field> fields, Frame frame = Frame::Galactic,
                  bool isIau = false) const {
        HealpixMap map(1, Ordering::Ring, frame, std::move(fields));
        map.metadata().iauOnDisk = isIau;
        cli_.write(name, map);
    }
    // "calc EXPRESSION {out.fits}" and further words.
    Outcome calc(const QString& expression, const QString& more) const {
        QStringList words{QStringLiteral("calc"), expression, cli_.path("out.fits"),
                          QStringLiteral("--overwrite")};
        return cli_.run(words + optionsOf(more));
    }
    // Options with the files of the folder in braces, "A={a.fits}#1".
    QStringList optionsOf(const QString& options) const {
        QStringList words = QProcess::splitCommand(options);
        for (QString& word : words) {
            const qsizetype begin = word.indexOf(u'{'), end = word.indexOf(u'}');
            if (begin >= 0)
                word = word.left(begin) + cli_.path(word.mid(begin + 1, end - begin - 1)) +
                       word.mid(end + 1);
        }
        return words;
    }
    std::vector<double> result(int field = 0) const {
        return valuesOf(cli_.read("out.fits"), field);
    }

private slots:
    void initTestCase() {
        std::vector<double> a, b;
        for (int i = 0; i < 12; ++i) {
            a.push_back(i - 3.0);
            b.push_back(0.5 * i);
        }
        a[5] = kBad;
        b[7] = kBad;
        writeMap("a.fits", {fieldOf("T", "K", a)});
        writeMap("b.fits", {fieldOf("T", "K", b)});
    }

    // Values of pixels 0, 2, 5 (A bad), 7 (B bad) and 9, where A = i - 3 and B = i / 2:
    // python3 -c "from math import *; i = 9; A = i - 3; B = i / 2; print(...)"
    void values_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<std::vector<double>>("expected");
        const auto row = [](const char* text, std::vector<double> values) {
            QTest::newRow(text) << text << values;
        };
        row("A + B", {-3, 0, kBad, kBad, 10.5});
        row("A - 0.5 * B", {-3, -1.5, kBad, kBad, 3.75});
        row("A * B / 2", {0, -0.5, kBad, kBad, 13.5});
        row("-A ^ 2", {-9, -1, kBad, -16, -36});
        row("2 ^ A", {0.125, 0.5, kBad, 16, 64});
        row("A < B", {1, 1, kBad, kBad, 0});
        row("A == A", {1, 1, kBad, 1, 1});
        row("0 <= A and A <= 6", {0, 0, kBad, 1, 1});
        // "or" is not decided by one good operand.
        row("A > -10 or B > 0", {1, 1, kBad, kBad, 1});
        row("good(A)", {1, 1, 0, 1, 1});
        row("good(A) ? A : B", {-3, -1, 2.5, 4, 6});
        row("good(A + B) ? 1 : 0", {1, 1, 0, 0, 1});
        // Bad where the condition is bad, whatever the branches.
        row("A > 0 ? 1 : 2", {2, 2, kBad, 1, 1});
        row("abs(A) + sqrt(B) * exp(0)", {3, 2, kBad, kBad, 6 + 2.1213203435596424});
        row("log(exp(B))", {0, 1, 2.5, kBad, 4.5});
        row("sqrt(A)", {kBad, kBad, kBad, 2, 2.449489742783178});
        row("min(A, B)", {-3, -1, kBad, kBad, 4.5});
        row("max(A, B)", {0, 1, kBad, kBad, 6});
        row("X * A", {-7.5, -2.5, kBad, 10, 15});
        // An infinity is bad, also as an operand: 1 / (1 / 0) is not 0.
        row("1 / B", {kBad, 1, 0.4, kBad, 0.2222222222222222});
        row("1 / (1 / B)", {kBad, 1, 2.5, kBad, 4.5});
        row("good(1 / B)", {0, 1, 1, 0, 1});
        row("B == 0 ? 7 : 1 / B", {7, 1, 0.4, kBad, 0.2222222222222222});
        row("sqrt(0 - B)", {0, kBad, kBad, kBad, kBad});
        row("good(log(0 - B))", {0, 0, 0, 0, 0});
    }
    void values() {
        QFETCH(QString, expression);
        QFETCH(std::vector<double>, expected);
        const Outcome outcome =
            calc(expression, "--let A={a.fits} --let B={b.fits} --let X=2.5 --unit none");
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.out.startsWith("wrote "), outcome.out);
        const std::vector<double> found = result();
        const int pixels[] = {0, 2, 5, 7, 9};
        for (size_t i = 0; i < expected.size(); ++i) {
            const double value = found[static_cast<size_t>(pixels[i])];
            // Two roundings of a double.
            const bool isSame = std::isnan(expected[i]) ? std::isnan(value)
                                                        : std::abs(value - expected[i]) <=
                                                              4e-16 * std::abs(expected[i]);
            QVERIFY2(isSame, qPrintable(QStringLiteral("pixel %1: %2").arg(pixels[i]).arg(value)));
        }
    }

    void infinitePixelsAreCounted() {
        Outcome outcome = calc("1 / B", "--let B={b.fits}");
        QVERIFY2(outcome.error.contains("1 pixel with an infinite or undefined result"),
                 outcome.error);
        // Good operands without a result: 0 / 0, and roots and logarithms of negative numbers. The
        // pixels that are bad in B do not count.
        const int whole = calc("1 / (B - B)", "--let B={b.fits} --json").json()["infinite"].toInt();
        const int zeros = calc("1 / B", "--let B={b.fits} --json").json()["infinite"].toInt();
        const auto lost = [&](const QString& expression) {
            return calc(expression, "--let B={b.fits} --json --unit none")
                .json()["infinite"]
                .toInt(-1);
        };
        QVERIFY(whole > zeros && zeros > 0);
        QCOMPARE(lost("B / B"), zeros);
        QCOMPARE(lost("log(-1) * B"), whole);
        QCOMPARE(lost("sqrt(0 - abs(B))"), whole - zeros);
        QCOMPARE(lost("(0 - abs(B)) ^ 0.5"), whole - zeros);
        QCOMPARE(lost("good(log(0 - B))"), 0);
        // The branch that is not taken does not count.
        outcome = calc("B == 0 ? 7 : 1 / B", "--let B={b.fits} --json --unit none");
        QCOMPARE(outcome.json()["infinite"].toInt(-1), 0);
        // Values beyond single precision.
        HealpixMap single(1, Ordering::Ring, Frame::Galactic,
                          {{"T", "", DiskType::Float32, std::vector<float>(12, 1e30F)}});
        cli_.write("single.fits", single);
        outcome = calc("S * S", "--let S={single.fits} --json");
        QCOMPARE(outcome.json()["infinite"].toInt(), 12);
        outcome = calc("S * S", "--let S={single.fits} --json --precision double");
        QCOMPARE(outcome.json()["infinite"].toInt(), 0);
    }

    void units() {
        std::vector<double> values(12, 2.0);
        writeMap("mk.fits", {fieldOf("T", "mK", values)});
        writeMap("jy.fits", {fieldOf("T", "MJy/sr", values)});
        writeMap("plain.fits", {fieldOf("T", "", values)});
        const QString lets =
            "--let A={a.fits} --let M={mk.fits} --let J={jy.fits} --let N={plain.fits} ";
        // -3 K + 2 mK = -2.998 K; 2 mK - -3 K = 3002 mK.
        QCOMPARE(calc("A + M", lets).status, 0);
        QVERIFY(std::abs(result()[0] + 2.998) < 1e-15);
        QCOMPARE(cli_.read("out.fits").field(0).unit, std::string("K"));
        QCOMPARE(calc("M - A", lets).status, 0);
        QVERIFY(std::abs(result()[0] - 3002.0) < 1e-12);
        QCOMPARE(cli_.read("out.fits").field(0).unit, std::string("mK"));
        // A plain number has the unit of the map.
        QCOMPARE(calc("M + 1", lets).status, 0);
        QCOMPARE(result()[0], 3.0);
        for (const char* text : {"A + J", "A - N", "A > J", "min(A, J)", "good(A) ? A : J"}) {
            const Outcome outcome = calc(text, lets);
            QCOMPARE(outcome.status, 2);
            QVERIFY2(outcome.error.contains("expected units of one kind"), outcome.error);
        }
        QCOMPARE(calc("A + J", lets + "--unit K_CMB").status, 0);
        QCOMPARE(result()[0], -1.0);
        QCOMPARE(cli_.read("out.fits").field(0).unit, std::string("K_CMB"));
        for (const auto& [text, unit] : {std::pair{"A * A", "K2"},
                                         {"sqrt(A * A)", "K"},
                                         {"A / A", ""},
                                         {"A ^ 2", "K2"},
                                         {"A > 0", ""},
                                         {"2 * M", "mK"},
                                         {"N * A", "K"},
                                         {"1 / A", "K-1"},
                                         {"exp(N)", ""}}) {
            const Outcome outcome = calc(text, lets);
            QVERIFY2(outcome.status == 0, outcome.error);
            QCOMPARE(cli_.read("out.fits").field(0).unit, std::string(unit));
        }
    }

    // The result has the ordering of the first map; values do not depend on it.
    void orderings() {
        cli_.writeSky("ring.fits", 8, Ordering::Ring, 1, true);
        cli_.writeSky("nested.fits", 8, Ordering::Nested, 1, true);
        const QString lets = "--let R={ring.fits} --let N={nested.fits}";
        QCOMPARE(calc("R - N", lets).status, 0);
        QVERIFY(cli_.read("out.fits").ordering() == Ordering::Ring);
        for (const double value : result()) QVERIFY(std::isnan(value) || value == 0.0);
        QCOMPARE(calc("2 * N + R", lets).status, 0);
        QVERIFY(cli_.read("out.fits").ordering() == Ordering::Nested);
    }

    void framesAndResolutions() {
        cli_.writeSky("fine.fits", 16, Ordering::Ring, 3);
        cli_.writeSky("coarse.fits", 8, Ordering::Ring, 3);
        HealpixMap turned = cli_.read("coarse.fits");
        QVERIFY(turned.frame() != Frame::Equatorial && turned.frame() != Frame::Unknown);
        QCOMPARE(cli_.run("convert {coarse.fits} {equatorial.fits} --frame C").status, 0);
        const QString lets = "--let F={fine.fits} --let C={coarse.fits} --let E={equatorial.fits} ";
        for (const char* text : {"F - C", "C - E"}) QCOMPARE(calc(text, lets).status, 2);
        QCOMPARE(calc("0 * C + F", lets + "--match").status, 0);
        QCOMPARE(cli_.run("convert {fine.fits} {expected.fits} --nside 8").status, 0);
        for (int field = 0; field < 3; ++field)
            QVERIFY(result(field) == valuesOf(cli_.read("expected.fits"), field));
        // Q and U rotate with the map.
        QCOMPARE(calc("0 * C + E", lets + "--match").status, 0);
        QCOMPARE(cli_.run({"convert", cli_.path("equatorial.fits"), cli_.path("back.fits"),
                           "--frame", QString(QChar(frameLetter(turned.frame())))})
                     .status,
                 0);
        for (int field = 0; field < 3; ++field)
            QVERIFY(result(field) == valuesOf(cli_.read("back.fits"), field));
        // One field of a polarized map rotates with its partner.
        QCOMPARE(calc("0 * C + Q",
                      "--let C={coarse.fits}#1 --let Q={equatorial.fits}#2 --match "
                      "--unit none")
                     .status,
                 0);
        QVERIFY(result() == valuesOf(cli_.read("back.fits"), 1));
    }

    void fieldsPair() {
        cli_.writeSky("three.fits", 4, Ordering::Ring, 3);
        cli_.writeSky("one.fits", 4, Ordering::Ring, 1);
        const std::vector<double> t = valuesOf(cli_.read("three.fits"), 0),
                                  q = valuesOf(cli_.read("three.fits"), 1),
                                  one = valuesOf(cli_.read("one.fits"), 0);
        QCOMPARE(calc("O * P", "--let O={one.fits} --let P={three.fits}").status, 0);
        QCOMPARE(cli_.read("out.fits").fieldCount(), 3);
        for (size_t i = 0; i < q.size(); ++i) QCOMPARE(result(1)[i], one[i] * q[i]);
        QCOMPARE(cli_.read("out.fits").field(1).name, cli_.read("three.fits").field(1).name);
        QCOMPARE(calc("P - T", "--let P={three.fits}#2 --let T={three.fits}#1 --unit none").status,
                 0);
        QCOMPARE(cli_.read("out.fits").fieldCount(), 1);
        for (size_t i = 0; i < q.size(); ++i) QCOMPARE(result()[i], q[i] - t[i]);
        std::vector<double> two(192, 1.0);
        cli_.write("two.fits", HealpixMap(4, Ordering::Ring, Frame::Galactic,
                                          {fieldOf("X", "", two), fieldOf("Y", "", two)}));
        QCOMPARE(calc("P * W", "--let P={three.fits} --let W={two.fits}").status, 2);
    }

    // The value of U on disk is in the convention of the first map, and abs() is of that value.
    void conventions() {
        const std::vector<double> q(12, 1.0), u(12, 2.0);
        const auto fields = [&] {
            return std::vector<Field>{fieldOf("Q_STOKES", "K", q), fieldOf("U_STOKES", "K", u)};
        };
        writeMap("iau.fits", fields(), Frame::Galactic, true);
        writeMap("cosmo.fits", fields());
        const QString lets = "--let I={iau.fits} --let C={cosmo.fits}";
        // U is 2 in memory (COSMO), and -2 on disk where the file says IAU.
        QCOMPARE(calc("C + 2 * I", lets).status, 0);
        QVERIFY(!cli_.read("out.fits").metadata().iauOnDisk);
        QCOMPARE(result(1)[0], 6.0);
        QCOMPARE(calc("I + 2 * C", lets).status, 0);
        QVERIFY(cli_.read("out.fits").metadata().iauOnDisk);
        QCOMPARE(result(1)[0], 6.0);
        QCOMPARE(calc("abs(I)", lets).status, 0);
        QCOMPARE(result(1)[0], -2.0);  // +2 on disk
        QCOMPARE(calc("abs(C)", lets).status, 0);
        QCOMPARE(result(1)[0], 2.0);
    }

    void partialMaps() {
        const auto partial = [&](const char* name, std::vector<int64_t> pixels) {
            std::vector<double> values(pixels.begin(), pixels.end());
            cli_.write(name, HealpixMap::partial(4, Ordering::Ring, Frame::Galactic,
                                                 std::move(pixels), {fieldOf("T", "K", values)}));
        };
        partial("p.fits", {3, 5, 100});
        partial("q.fits", {5, 7, 100});
        QCOMPARE(calc("P + Q", "--let P={p.fits} --let Q={q.fits}").status, 0);
        const HealpixMap both = cli_.read("out.fits");
        QVERIFY(both.coverage() == Coverage::Partial);
        QCOMPARE(both.value(0, 5), 10.0);
        QCOMPARE(both.value(0, 100), 200.0);
        QVERIFY(std::isnan(both.value(0, 3)) && std::isnan(both.value(0, 7)));
        QCOMPARE(calc("good(P) ? P : Q", "--let P={p.fits} --let Q={q.fits}").status, 0);
        QCOMPARE(cli_.read("out.fits").value(0, 3), 3.0);
        QCOMPARE(cli_.read("out.fits").value(0, 7), 7.0);
    }

    void refusals_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* text, const char* options, const char* words) {
            QTest::newRow((std::string(text) + options).c_str()) << text << options << words;
        };
        row("A +", "--let A={a.fits}", "a value at character 4");
        row("A + C", "--let A={a.fits}", "found 'C'");
        row("1 + 2", "--let A={a.fits}", "the name of a map");
        row("A", "", "(--let)");
        row("A", "--let {a.fits}", "NAME=FILE");
        row("A", "--let A={a.fits} --let A={b.fits}", "twice");
        row("A", "--let A={a.fits} --let And={a.fits}", "no word of expressions");
        row("A", "--let A={a.fits} --unit wibble", "a unit");
        row("A ? 1", "--let A={a.fits}", "an operator or :");
        row("'T'", "--let A={a.fits}", "arithmetic");
    }
    void refusals() {
        QFETCH(QString, expression);
        QFETCH(QString, options);
        QFETCH(QString, words);
        const Outcome outcome = calc(expression, options);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.error.contains(words.toUtf8()) && outcome.error.count('\n') == 1,
                 outcome.error);
    }

    // The same command on any number of threads, and with the expression as an option.
    void sameBytes() {
        cli_.writeSky("sky.fits", 64, Ordering::Nested, 3, true);
        const QString lets = "--let S={sky.fits}";
        QCOMPARE(calc("sqrt(abs(S)) * 3 - S", lets + " --threads 1 --unit none").status, 0);
        const HealpixMap one = cli_.read("out.fits");
        QCOMPARE(cli_.run(QStringList{"calc", "--expression=sqrt(abs(S)) * 3 - S"} +
                          optionsOf("{out.fits} --overwrite --threads 3 --unit none " + lets))
                     .status,
                 0);
        const HealpixMap three = cli_.read("out.fits");
        for (int field = 0; field < 3; ++field)
            for (int64_t i = 0; i < one.elementCount(); ++i)
                QVERIFY(one.field(field).at(i) == three.field(field).at(i) ||
                        std::isnan(one.field(field).at(i)));
    }
};

QTEST_GUILESS_MAIN(tst_cli_calc)
#include "tst_cli_calc.moc"
