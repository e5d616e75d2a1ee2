// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla synfast`: beams, noise and several skies.
#include <QTest>
#include <array>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_synfast : public QObject {
    Q_OBJECT

    CliFixture cli_;

    void writeSpectrum(const char* name, const Spectra& spectra) const {
        JobContext job;
        writeSpectra(spectra, cli_.path(name).toStdString(), {true, StoredPrecision::Double, {}},
                     job);
    }
    void writeNoise(const char* name, const char* unit, size_t fields, double factor = 1.0) const {
        std::vector<Field> made;
        for (size_t i = 0; i < fields; ++i) {
            std::vector<double> rms;
            for (int p = 0; p < 192; ++p)
                rms.push_back(factor * (1.0 + p) * (1.0 + static_cast<double>(i)));
            made.push_back({"RMS" + std::to_string(i), unit, DiskType::Float64, std::move(rms)});
        }
        cli_.write(name, HealpixMap(4, Ordering::Ring, Frame::Galactic, std::move(made)));
    }
    HealpixMap sky(const QString& options) const {
        const Outcome outcome = cli_.run("synfast " + options + " --overwrite");
        if (outcome.status != 0) qWarning("%s", outcome.error.constData());
        return outcome.status == 0 ? cli_.read("sky.fits") : HealpixMap();
    }

private slots:
    void initTestCase() {
        Spectra zero, all, beamed;
        zero.unit = all.unit = beamed.unit = "K^2";
        zero[SpectrumKind::TT] = std::vector<double>(12, 0.0);
        QByteArray beam;
        for (int l = 0; l < 12; ++l) {
            const double t = std::exp(-0.02 * l * l), e = 1.0 / (1.0 + l);
            beam += QByteArray::number(l) + ' ' + QByteArray::number(t, 'g', 17) + ' ' +
                    QByteArray::number(e, 'g', 17) + ' ' + QByteArray::number(e, 'g', 17) + '\n';
            const double tt = 1.0 / (1.0 + l * l), ee = l < 2 ? 0.0 : 0.1 / l;
            const std::array<double, 4> values{tt, ee, 0.3 * ee, 0.5 * std::sqrt(tt * ee)};
            const std::array<double, 4> factors{t * t, e * e, e * e, t * e};
            for (size_t i = 0; i < 4; ++i) {
                all.cl[i].push_back(values[i]);
                beamed.cl[i].push_back(values[i] * factors[i]);
            }
        }
        cli_.write("beam.txt", beam);
        writeSpectrum("zero.fits", zero);
        writeSpectrum("all.fits", all);
        writeSpectrum("beamed.fits", beamed);
        writeNoise("rms.fits", "K", 1);
        writeNoise("three.fits", "mK", 3, 1e3);
    }

    // A sky of C_l times B_l^2 has the same random numbers as one of C_l convolved with B_l.
    void beam() {
        const QString options = " {sky.fits} --nside 4 --seed 3 --precision double";
        const HealpixMap one = sky("{all.fits}" + options + " --beam {beam.txt}");
        const HealpixMap two = sky("{beamed.fits}" + options);
        QCOMPARE(one.fieldCount(), 3);
        for (int i = 0; i < 3; ++i)
            for (int64_t p = 0; p < 192; ++p)
                // Cholesky factors round by a few epsilons, times 78 terms of order 1.
                QVERIFY(std::abs(one.field(i).at(p) - two.field(i).at(p)) < 1e-13);
    }

    // Philox 4x32-10 and Box-Muller deviates, in Python:
    // def philox(c, seed):
    //     c, k, m = list(c), [seed & 0xffffffff, seed >> 32], 0xffffffff
    //     for _ in range(10):
    //         p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
    //         c = [(q >> 32) ^ c[1] ^ k[0], q & m, (p >> 32) ^ c[3] ^ k[1], p & m]
    //         k = [(k[0] + 0x9E3779B9) & m, (k[1] + 0xBB67AE85) & m]
    //     return c
    // r = philox([pixel, 0, field, 1], 7)
    // u = [(((a << 32 | b) >> 12) + .5) * 2.**-52 for a, b in ((r[0], r[1]), (r[2], r[3]))]
    // np.sqrt(-2 * np.log(u[0])) * np.cos(2 * np.pi * u[1])
    void noise() {
        constexpr std::array<int64_t, 4> pixels{0, 1, 100, 191};
        constexpr std::array<double, 4> deviates{0.07574460257255931, 0.5068528129575979,
                                                 -0.11606941445125776, -0.44236170683091536};
        const QString options =
            "{zero.fits} {sky.fits} --nside 4 --seed 7 --precision double --noise ";
        const HealpixMap map = sky(options + "{rms.fits}");
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.field(0).unit, std::string("K"));
        for (size_t i = 0; i < 4; ++i) {
            const double truth = (1.0 + static_cast<double>(pixels[i])) * deviates[i];
            // The C library's logarithm and cosine differ from numpy's by an epsilon or two.
            QVERIFY(std::abs(map.field(0).at(pixels[i]) - truth) < 1e-14 * std::abs(truth));
        }
        // NESTED, in another unit, one field of three: the same noise.
        QCOMPARE(cli_.run("convert {three.fits} {n.fits} --ordering nested").status, 0);
        const HealpixMap same = sky(options + "{n.fits} --field RMS0");
        for (int64_t p = 0; p < 192; ++p)
            // A factor of 1000 and back rounds twice.
            QVERIFY(std::abs(same.field(0).at(p) - map.field(0).at(p)) <
                    1e-15 * std::abs(map.field(0).at(p)));
    }
    // A map of hits N: the noise of a map of rms 3 / sqrt(N). Pixels without a hit are bad.
    void noiseOfHits() {
        HealpixMap hits = cli_.read("rms.fits"), rms = hits;
        auto& counts = std::get<std::vector<double>>(hits.field(0).values);
        auto& deviations = std::get<std::vector<double>>(rms.field(0).values);
        for (size_t p = 0; p < counts.size(); ++p) {
            counts[p] = static_cast<double>(p % 7);
            deviations[p] = p % 7 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                       : 3.0 / std::sqrt(static_cast<double>(p % 7));
        }
        hits.field(0).unit = "counts";
        cli_.write("hits.fits", hits);
        cli_.write("of_hits.fits", rms);
        const QString options = "{all.fits} {sky.fits} --nside 4 --seed 7 --precision double ";
        const HealpixMap found = sky(options + "--noise {hits.fits} --hit-rms 3"),
                         expected = sky(options + "--noise {of_hits.fits}");
        for (int i = 0; i < 3; ++i)
            for (int64_t p = 0; p < 192; ++p) {
                QCOMPARE(std::isnan(found.field(i).at(p)), p % 7 == 0);
                if (p % 7 != 0) QCOMPARE(found.field(i).at(p), expected.field(i).at(p));
            }
        counts[9] = -2.0;
        cli_.write("hits.fits", hits);
        Outcome outcome =
            cli_.run("synfast " + options + "--overwrite --noise {hits.fits} --hit-rms 3");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected a number of hits of 0 or more, found -2"),
                 outcome.error);
        outcome = cli_.run("synfast " + options + "--overwrite --hit-rms 3");
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.error.contains("--hit-rms: expected --noise"), outcome.error);
    }
    // One field of rms serves T, Q and U with different deviates, three serve one each.
    void polarizedNoise() {
        const QString options = "{all.fits} {sky.fits} --nside 4 --seed 7 --precision double";
        const HealpixMap bare = sky(options), one = sky(options + " --noise {rms.fits}"),
                         three = sky(options + " --noise {three.fits} --field all");
        // Deviates of pixel 100 in the fields 0, 1, 2 from the lines above.
        constexpr std::array<double, 3> deviates{-0.11606941445125776, 2.592333861189076,
                                                 1.3789189389668792};
        for (int i = 0; i < 3; ++i) {
            const double noise = 101.0 * deviates[static_cast<size_t>(i)];
            // Values up to 300 round by 6e-14.
            QVERIFY(std::abs(one.field(i).at(100) - bare.field(i).at(100) - noise) < 1e-12);
            QVERIFY(std::abs(three.field(i).at(100) - bare.field(i).at(100) - (1 + i) * noise) <
                    1e-12);
        }
    }
    // Sky k has the bits of a run with its seed alone.
    void skies() {
        for (const char* options :
             {"{all.fits} {sky.fits} --nside 4 --beam {beam.txt} --noise {rms.fits} --seed ",
              "{all.fits} {sky.fits} --nside 4 --fwhm 10deg --precision single --seed "}) {
            const HealpixMap several = sky(QString(options) + "41 --skies 3");
            QCOMPARE(several.fieldCount(), 9);
            QCOMPARE(several.field(3).name, std::string("TEMPERATURE_42"));
            QCOMPARE(several.field(8).name, std::string("U_POLARISATION_43"));
            QCOMPARE(several.polarizationPairs().size(), size_t(3));
            for (int k = 0; k < 3; ++k) {
                const HealpixMap single = sky(options + QString::number(41 + k));
                for (int i = 0; i < 3; ++i)
                    QCOMPARE(valuesOf(several, 3 * k + i), valuesOf(single, i));
            }
        }
    }
    // Q and U of E and of B alone add up to those of both, T being 0. The random numbers of each
    // coefficient depend on its component, l and m only.
    void spectraThatAreMissing() {
        const auto write = [&](const char* name,
                               const std::vector<std::pair<const char*, double>>& of) {
            QByteArray text = "# l";
            for (const auto& [kind, power] : of) text += QByteArray(" C_") + kind;
            for (int l = 0; l < 12; ++l) {
                text += '\n' + QByteArray::number(l);
                for (const auto& [kind, power] : of)
                    text += ' ' + QByteArray::number(l < 2 ? 0.0 : power / (l * l), 'g', 17);
            }
            cli_.write(name, text + '\n');
        };
        write("teb.txt", {{"TT", 1.0}, {"EE", 0.3}, {"BB", 0.1}});
        write("e.txt", {{"EE", 0.3}});
        write("b.txt", {{"BB", 0.1}});
        write("crossed.txt", {{"TT", 1.0}, {"TE", 0.2}});
        const QString line = "%1 {sky.fits} --nside 4 --precision double";
        const auto made = [&](const QString& file, const char* words) {
            const Outcome outcome = cli_.run("synfast " + line.arg(file) + " --overwrite");
            if (outcome.status != 0 || !outcome.error.contains(words)) {
                qWarning("%s", outcome.error.constData());
                return HealpixMap();
            }
            return cli_.read("sky.fits");
        };
        const HealpixMap both = made("{teb.txt}", ""), ofE = made("{e.txt}", "no spectrum TT"),
                         ofB = made("{b.txt}", "no spectrum EE");
        QCOMPARE(both.fieldCount(), 3);
        QCOMPARE(ofE.fieldCount(), 3);
        QCOMPARE(ofB.fieldCount(), 3);
        for (int64_t p = 0; p < both.elementCount(); ++p) {
            QCOMPARE(ofE.field(0).at(p), 0.0);
            QCOMPARE(ofB.field(0).at(p), 0.0);
            for (int i = 1; i < 3; ++i)
                QVERIFY(std::abs(ofE.field(i).at(p) + ofB.field(i).at(p) - both.field(i).at(p)) <
                        1e-14);
        }
        const HealpixMap alone = made("{crossed.txt}", "TE is not used");
        QCOMPARE(alone.fieldCount(), 1);
        QCOMPARE(valuesOf(alone, 0), valuesOf(both, 0));
    }
    void badPixelsAndRefusals() {
        HealpixMap map = cli_.read("rms.fits");
        std::get<std::vector<double>>(map.field(0).values)[9] =
            std::numeric_limits<double>::quiet_NaN();
        cli_.write("bad.fits", map);
        const QString options = "{all.fits} {sky.fits} --nside 4 --noise ";
        const HealpixMap bad = sky(options + "{bad.fits}");
        QVERIFY(std::isnan(bad.field(0).at(9)) && std::isfinite(bad.field(0).at(10)));
        std::get<std::vector<double>>(map.field(0).values)[9] = -1.0;
        cli_.write("negative.fits", map);
        map.field(0).unit = "m";
        cli_.write("meters.fits", map);
        const auto refused = [&](const QString& line, const char* words) {
            const Outcome outcome = cli_.run("synfast " + line + " --overwrite");
            if (!outcome.error.contains(words)) qWarning("%s", outcome.error.constData());
            return outcome.status == 1 && outcome.error.contains(words);
        };
        QVERIFY(refused(options + "{negative.fits}", "expected an rms of 0 or more, found -1"));
        QVERIFY(refused(options + "{meters.fits}", "expected an rms in the unit of the sky (K)"));
        QVERIFY(refused(options + "{rms.fits} --frame C", "in the frame of --frame"));
        QVERIFY(
            refused("{all.fits} {sky.fits} --nside 8 --noise {rms.fits}", "of nside 8, found 4"));
        QVERIFY(refused("{zero.fits} {sky.fits} --nside 4 --field all --noise {three.fits}",
                        "of one field"));
        QCOMPARE(cli_.run("synfast {all.fits} {no.fits} --nside 4 --skies 0").status, 2);
    }
};

QTEST_GUILESS_MAIN(tst_cli_synfast)
#include "tst_cli_synfast.moc"
