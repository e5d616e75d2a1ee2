// SPDX-License-Identifier: GPL-3.0-or-later
// Credible regions of probability maps as masks and MOCs.
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_credible : public QObject {
    Q_OBJECT

    CliFixture cli_;

    static Field fieldOf(const char* name, const char* unit, std::vector<double> values) {
        return {name, unit, DiskType::Float64, std::move(values)};
    }
    void writeMap(const char* name, std::vector<Field> fields) const {
        cli_.write(name, HealpixMap(1, Ordering::Ring, Frame::Equatorial, std::move(fields)));
    }
    std::vector<double> mask(const QString& options) const {
        const Outcome outcome = cli_.run("mask " + options + " --overwrite");
        if (outcome.status != 0) qWarning("%s", outcome.error.constData());
        return outcome.status == 0 ? valuesOf(cli_.read("out.fits"), 0) : std::vector<double>();
    }

    // p = np.array([.05, .2, .1, .02, .03, .25, .04, .06, .01, .14, .07, .03])
    const std::vector<double> probability_{.05, .2,  .1,  .02, .03, .25,
                                           .04, .06, .01, .14, .07, .03};
    // i = np.argsort(-p); c = np.empty(12); c[i] = np.cumsum(p[i]); c <= 0.6
    const std::vector<double> inside60_{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};

private slots:
    void initTestCase() {
        writeMap("prob.fits", {fieldOf("PROB", "pix-1", probability_)});
        // Cells: 11 pixels of nside 1, and the four children of the last one.
        const double large = 4.0 * kPi / 12.0, small = large / 4.0;
        std::vector<double> density{.05, .2, .1,  .02, .03, .2,  .04, .06,
                                    .01, .1, .05, .05, .02, .06, .01};
        std::vector<int64_t> first;
        std::vector<uint8_t> orders;
        for (size_t i = 0; i < 15; ++i) {
            density[i] /= i < 11 ? large : small;
            first.push_back(i < 11 ? 4 * static_cast<int64_t>(i) : 33 + static_cast<int64_t>(i));
            orders.push_back(i < 11 ? 0 : 1);
        }
        cli_.write("cells.fits", HealpixMap::multiOrder(2, Frame::Equatorial, first, orders,
                                                        {fieldOf("PROBDENSITY", "sr-1", density)}));
    }

    void masks() {
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 0.6"), inside60_);
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 60%"), inside60_);
        // The level of pixel 2 is 0.69: the sum of four values, rounded in the last digit.
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 0.689999"), inside60_);
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 0.690001")[2], 1.0);
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 100%"), std::vector<double>(12, 1.0));
        std::vector<double> outside;
        for (const double value : inside60_) outside.push_back(1.0 - value);
        QCOMPARE(mask("{prob.fits} {out.fits} --credible 0.6 --invert"), outside);
    }
    // A bad pixel is outside; the field of probabilities is found among others, or named.
    void fields() {
        std::vector<double> bad = probability_;
        bad[8] = std::numeric_limits<double>::quiet_NaN();
        writeMap("three.fits", {fieldOf("DISTMU", "Mpc", std::vector<double>(12, 9.0)),
                                fieldOf("PROB", "pix-1", bad),
                                fieldOf("PROB2", "pix-1", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})});
        QCOMPARE(mask("{three.fits} {out.fits} --credible 0.6"), inside60_);
        std::vector<double> first(12, 0.0);
        first[0] = 1.0;
        // All other pixels have the level 1, that of probability 0.
        QCOMPARE(mask("{three.fits} {out.fits} --credible 0.9999 --field PROB2"),
                 std::vector<double>(12, 0.0));
        QCOMPARE(mask("{three.fits} {out.fits} --credible 1")[8], 0.0);
    }
    void normalization() {
        std::vector<double> twice = probability_;
        for (double& value : twice) value *= 2.0;
        writeMap("twice.fits", {fieldOf("PROB", "pix-1", twice)});
        const Outcome outcome = cli_.run("mask {twice.fits} {out.fits} --credible 0.6 --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.error.contains("twice.fits: probabilities sum to 2, normalized to 1\n"),
                 outcome.error);
        QCOMPARE(valuesOf(cli_.read("out.fits"), 0), inside60_);
    }
    // d = p / area; c = [p[d >= x * (1 - 1e-12)].sum() for x in d]; np.flatnonzero(c <= 0.72)
    // gives the cells 1, 2, 5, 9, 11 and 13.
    void multiOrder() {
        const std::vector<double> values = mask("{cells.fits} {out.fits} --credible 0.72");
        QCOMPARE(values.size(), size_t(48));
        QCOMPARE(cli_.run("convert {out.fits} {n.fits} --ordering nested").status, 0);
        const std::vector<double> nested = valuesOf(cli_.read("n.fits"), 0);
        for (size_t i = 0; i < 48; ++i) {
            const size_t parent = i / 4;
            const bool isInside =
                parent == 1 || parent == 2 || parent == 5 || parent == 9 || i == 44 || i == 46;
            QCOMPARE(nested[i], isInside ? 1.0 : 0.0);
        }
        const Outcome moc = cli_.run("moc {cells.fits} {moc.txt} --credible 72% --json");
        QVERIFY2(moc.status == 0, moc.error);
        QVERIFY(cli_.content("moc.txt").startsWith("0/1-2 5 9 1/44 46"));
        // 4 of 12 and 2 of 48, both exact.
        QCOMPARE(moc.json()["share"].toDouble(), 0.375);
    }
    void mocs() {
        QCOMPARE(cli_.run("moc {prob.fits} {p.txt} --credible 0.6").status, 0);
        // Pixels of nside 1 have the same numbers in RING and NESTED ordering.
        QVERIFY(cli_.content("p.txt").startsWith("0/1 5 9"));
        QCOMPARE(cli_.run("moc {prob.fits} {both.txt} --with {cells.fits} --operation difference "
                          "--credible 0.6")
                     .status,
                 0);
        // np.flatnonzero(c <= 0.6) of the cells gives 1, 5, 11 and 13.
        QVERIFY(cli_.content("both.txt").startsWith("0/9"));
    }
    void refusals() {
        QCOMPARE(cli_.run("mask {prob.fits} {no.fits} --credible 1.5").status, 2);
        QCOMPARE(cli_.run("mask {prob.fits} {no.fits} --credible 0").status, 2);
        QCOMPARE(cli_.run("mask {no.fits} --nside 4 --credible 0.5").status, 2);
        QCOMPARE(cli_.run("mask {prob.fits} {no.fits} --credible 0.5 --above 1").status, 2);
        QCOMPARE(cli_.run("moc {prob.fits} {no.fits} --credible x").status, 2);
        QCOMPARE(cli_.run("mask {prob.fits} {m.fits} --credible 0.6").status, 0);
        const Outcome none = cli_.run("moc {m.fits} {no.fits} --credible 0.6");
        QCOMPARE(none.status, 1);
        QVERIFY(none.error.contains("expected a probability map (field PROB or PROBDENSITY)"));
    }
};

QTEST_GUILESS_MAIN(tst_cli_credible)
#include "tst_cli_credible.moc"
