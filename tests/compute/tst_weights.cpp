// SPDX-License-Identifier: GPL-3.0-or-later
#include <fitshandle.h>
#include <healpix_map.h>
#include <sys/stat.h>
#include <weight_utils.h>

#include <QtTest>
#include <atomic>
#include <fstream>
#include <iostream>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/sht.h"
#include "shared/conjugate_gradients.h"
#include "shared/result_cache.h"
#include "support/captured.h"
#include "support/direct_sht.h"
#include "support/less_memory.h"
#include "support/process_variable.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class WeightsTest : public QObject {
    Q_OBJECT

    static double pairPixels(int64_t nside, int64_t ring) {
        return static_cast<double>(4 * std::min(ring, nside) * (ring == 2 * nside ? 1 : 2));
    }
    QString cacheFile(const QString& name) const { return cache_.filePath("armilla/" + name); }

private slots:
    void init() {
        cache_ = QTemporaryDir();
        QVERIFY(cache_.isValid());
        test::setVariable("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    // The defining equations, with P_l from long double recursions. The solver stops at 1e-15 of
    // the first residual; sums of 2 nside terms add sqrt(2 nside) epsilon.
    void quadratureIsExact_data() {
        QTest::addColumn<int>("nside");
        for (const int nside : {1, 2, 4, 7, 32, 64, 100}) QTest::addRow("nside %d", nside) << nside;
    }
    void quadratureIsExact() {
        QFETCH(int, nside);
        const std::vector<double> weight = ringWeights(nside, job_);
        QCOMPARE(weight.size(), static_cast<size_t>(2 * nside));
        const int lmax = ringWeightLmax(nside);
        std::vector<Real> moment(static_cast<size_t>(lmax) + 1);
        for (int64_t r = 1; r <= 2 * nside; ++r) {
            const LongDirection d = pixelDirection(nside, detail::firstPixelOfRing(nside, r));
            const std::vector<Real> p = lambda(lmax, 0, d.cosine, d.sine);
            for (size_t l = 0; l < moment.size(); ++l)
                moment[l] +=
                    static_cast<Real>(weight[static_cast<size_t>(r - 1)] * pairPixels(nside, r)) *
                    p[l] * std::sqrt(4 * kLongPi) / (12.0L * nside * nside);
        }
        QVERIFY(std::abs(moment[0] - 1) < 1e-13L);
        for (size_t l = 2; l < moment.size(); l += 2) QVERIFY(std::abs(moment[l]) < 1e-13L);
    }
    // The smallest solution in the norm sum (n_r (w_r - 1))^2 is orthogonal, in that norm, to the
    // null space. At nside 2, lmax 2 the null space is spanned by two vectors derived by hand here.
    void solutionIsTheSmallest() {
        const std::vector<double> weight = ringWeights(2, job_);
        // P_0 and P_2 at z = 11/12, 2/3, 1/3, 0 for the rows; y = A^T c for some c.
        const std::array<double, 4> z{11.0 / 12, 2.0 / 3, 1.0 / 3, 0.0};
        std::array<double, 4> y{}, p2{};
        for (size_t r = 0; r < 4; ++r) {
            y[r] = pairPixels(2, static_cast<int64_t>(r + 1)) * (weight[r] - 1.0);
            p2[r] = 1.5 * z[r] * z[r] - 0.5;
        }
        // Least squares of y on {1, P_2} leaves nothing.
        double s1 = 4, sp = 0, spp = 0, sy = 0, syp = 0;
        for (size_t r = 0; r < 4; ++r)
            sp += p2[r], spp += p2[r] * p2[r], sy += y[r], syp += y[r] * p2[r];
        const double b = (s1 * syp - sp * sy) / (s1 * spp - sp * sp), a = (sy - b * sp) / s1;
        // Four values of order 1 and a solution of two equations round by a few machine epsilons.
        for (size_t r = 0; r < 4; ++r) QVERIFY(std::abs(y[r] - a - b * p2[r]) < 1e-13);
    }
    // First entries of weight_ring_n00016.fits, n00128.fits and n00512.fits (HEALPix 3.80).
    void agreesWithTheDistributedFiles_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::newRow("16") << 16 << 0.16577668974206086 << -0.07241365388456841;
        QTest::newRow("128") << 128 << 0.17707975568099532 << -0.09340929615201024;
    }
    void agreesWithTheDistributedFiles() {
        QFETCH(int, nside);
        QFETCH(double, first);
        QFETCH(double, second);
        const std::vector<double> weight = ringWeights(nside, job_);
        // The files are accurate to 1e-12 (singular value decomposition, condition 12).
        QVERIFY(std::abs(weight[0] - 1.0 - first) < 1e-11);
        QVERIFY(std::abs(weight[1] - 1.0 - second) < 1e-11);
    }
    void sameBitsForAnyNumberOfThreads() {
        JobContext one({}, {}, 1), three({}, {}, 3);
        const std::vector<double> first = ringWeights(300, one);
        init();
        QVERIFY(first == ringWeights(300, three));
        const std::vector<double> pixel = pixelWeights(20, one);
        init();
        QVERIFY(pixel == pixelWeights(20, three));
    }
    // `norm`: of the coefficients x of the solution w - 1 = Y x, relative to the monopole, from a
    // singular value decomposition of the equations. The smallest eigenvalue at nside 8 is 9e-6.
    void pixelWeightsSolveTheirEquations_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("norm");
        for (const int nside : {1, 2, 3, 4, 5, 6, 7, 8, 12})
            QTest::addRow("nside %d", nside) << nside
                                             << (nside == 8    ? 114.2
                                                 : nside == 12 ? 2.2
                                                               : 0.26);
    }
    void pixelWeightsSolveTheirEquations() {
        QFETCH(int, nside);
        QFETCH(double, norm);
        const int lmax = pixelWeightLmax(nside);
        const std::vector<double> packed = pixelWeights(nside, job_);
        Healpix_Map<double> map(nside, RING, SET_NSIDE);
        map.fill(1.0);
        apply_fullweights(map, packed);
        const std::vector<double> weight(&map[0], &map[0] + map.Npix());
        const Alm alm = directAnalysis(weight, {}, nside, lmax);
        double worst = std::abs(alm(0, 0) - std::sqrt(4 * kPi));
        for (int m = 0; m <= lmax; ++m)
            for (int l = std::max(m, 1); l <= lmax; ++l)
                worst = std::max(worst, std::abs(alm(l, m)));
        // Noise of pixels is amplified by sqrt(mean w^2), 1.06 at nside 8.
        double squares = 0.0;
        for (const double w : weight) squares += w * w;
        QVERIFY(squares / static_cast<double>(weight.size()) < 1.2);
        // The weights are a synthesis of x, which is rounded in proportion to x. How these
        // roundings fall depends on the order of sums, and so on the vectors of the processor. A
        // sum of some hundred numbers adds a few epsilon.
        const double rounding = test::roundingLimit(lmax) * norm;
        ARMILLA_VERIFY_BELOW(worst,
                             std::sqrt(4 * kPi) * (pixelWeightResidual(nside) + rounding) + 1e-14);
    }
    // Eight pixels at z = +-2/3, four at 0: 8 u + 4 v = 12 and 8 u P_2(2/3) + 4 v P_2(0) = 0.
    void pixelWeightsOfTheBasePixels() {
        const std::vector<double> packed = pixelWeights(1, job_);
        QCOMPARE(packed.size(), size_t{2});
        QVERIFY(std::abs(packed[0] - 1.0 / 8) < 1e-14 && std::abs(packed[1] + 1.0 / 4) < 1e-14);
    }
    // HEALPix C++ solves the same equations, by transforms of full maps. Its residual is 1e-13 of
    // the first, this project's 1e-11. The smallest eigenvalues at these nside, 1e-5, give 300
    // times that in the weights.
    void pixelWeightsAsHealpix_data() {
        QTest::addColumn<int>("nside");
        for (const int nside : {3, 4, 6, 8, 16, 32}) QTest::addRow("nside %d", nside) << nside;
    }
    void pixelWeightsAsHealpix() {
        QFETCH(int, nside);
        double left = 0.0;
        // Prints its progress.
        const std::vector<double> truth =
            get_fullweights(nside, pixelWeightLmax(nside), 1e-13, 1000, left);
        const std::vector<double> found = pixelWeights(nside, job_);
        QCOMPARE(found.size(), truth.size());
        for (size_t i = 0; i < found.size(); ++i) QVERIFY(std::abs(found[i] - truth[i]) < 3e-9);
    }
    // MAXVAL1 and MINVAL1 of healpix_full_weights_nside_0032.fits and 0064.
    void pixelWeightsAsDistributed_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("largest");
        QTest::addColumn<double>("smallest");
        QTest::newRow("32") << 32 << 0.15871360330939 << -0.059753448120455;
        QTest::newRow("64") << 64 << 0.157535812457859 << -0.0577626634514412;
    }
    void pixelWeightsAsDistributed() {
        QFETCH(int, nside);
        QFETCH(double, largest);
        QFETCH(double, smallest);
        const std::vector<double> found = pixelWeights(nside, job_);
        const auto [low, high] = std::minmax_element(found.begin(), found.end());
        QVERIFY(std::abs(*high - largest) < 1e-11 && std::abs(*low - smallest) < 1e-11);
    }
    // Purpose of the weights: analysis up to lmax = 1.5 nside reproduces the input.
    void pixelWeightsMakeAnalysisExact_data() {
        QTest::addColumn<int>("nside");
        QTest::newRow("32") << 32;
        QTest::newRow("64") << 64;
        if (qEnvironmentVariableIsSet("ARMILLA_SLOW")) QTest::newRow("128") << 128;
    }
    void pixelWeightsMakeAnalysisExact() {
        QFETCH(int, nside);
        const int lmax = 3 * nside / 2;
        const ShtPlan plan({.nside = nside, .lmax = lmax, .weights = Weights::Pixel},
                           Device::cpu());
        const Alm alm = whiteAlm(lmax, lmax, 0, 5);
        std::vector<double> map(static_cast<size_t>(12 * nside * nside));
        plan.synthesis(alm, map, job_);
        const Alm back = plan.analysis(map, job_);
        double worst = 0.0;
        for (size_t i = 0; i < alm.values().size(); ++i)
            worst = std::max(worst, std::abs(alm.values()[i] - back.values()[i]));
        // Values of about 1.
        ARMILLA_VERIFY_BELOW(worst, 1e-12);
    }
    // A map of nside 1024 and its coefficients take 176 MB.
    void tooLittleMemory() {
        std::string line;
        try {
            const LessMemory scope(100'000'000);
            pixelWeights(1024, job_);
        } catch (const OutOfMemory& error) {
            line = error.what();
        }
        QVERIFY2(line.starts_with("pixel weights of nside 1024: expected data that fit"),
                 line.c_str());
    }
    void equationsWithoutEndAreRefused() {
        const auto diagonal = [](std::vector<double> values) {
            return [values](const std::vector<double>& in, std::vector<double>& out, JobContext&) {
                for (size_t i = 0; i < in.size(); ++i) out[i] = values[i] * in[i];
            };
        };
        const std::vector<double> ones(4, 1.0);
        const auto apply = diagonal({1.0, 2.0, 4.0, 8.0});
        const std::vector<double> x = conjugateGradients(apply, ones, {"x", 1e-14, 5}, job_).x;
        for (size_t i = 0; i < 4; ++i) QVERIFY(std::abs(x[i] * std::exp2(i) - 1.0) < 1e-13);
        // Too few steps, and a right-hand side out of reach.
        QVERIFY_EXCEPTION_THROWN(conjugateGradients(apply, ones, {"x", 1e-14, 3}, job_),
                                 Unsupported);
        QVERIFY_EXCEPTION_THROWN(
            conjugateGradients(diagonal({1.0, 2.0, 4.0, 0.0}), ones, {"x", 1e-14, 100}, job_),
            Unsupported);
    }

    // The library writes nothing to the standard streams, which belong to the program, also when
    // several threads compute at once.
    void streamsAreLeftAlone() {
        const Captured seen;
        std::vector<std::jthread> threads;
        for (const int nside : {4, 6, 8, 10})
            threads.emplace_back([nside] {
                JobContext job({}, {}, 1);
                pixelWeights(nside, job);
            });
        threads.clear();
        std::cout << "restored";
        std::cerr << "too";
        QCOMPARE(seen.output(), std::string("restored"));
        QCOMPARE(seen.errors(), std::string("too"));
    }
    // In the format of the distributed files; ones do not fulfill the equations.
    void installedWeightsAreChecked() {
        const std::vector<double> good = pixelWeights(8, job_);
        QVERIFY(QDir(cache_.path()).mkpath("data"));
        const std::string file =
            cache_.filePath("data/healpix_full_weights_nside_0008.fits").toStdString();
        const auto install = [&](const std::vector<double>& weights) {
            fitshandle out;
            out.create("!" + file);
            out.insert_bintab({fitscolumn("COMPRESSED PIXEL WEIGHTS", "1", 1, PLANCK_FLOAT64)});
            out.set_key("NSIDE", 8, "");
            out.write_column(1, weights);
        };
        test::setVariable("HEALPIX", cache_.path().toLocal8Bit());
        install(good);
        QVERIFY(pixelWeights(8, job_) == good);
        QCOMPARE(pixelWeightOrigin(8), "installed in " + file);
        install(std::vector<double>(good.size(), 0.0));
        QVERIFY_EXCEPTION_THROWN(pixelWeights(8, job_), IoError);
        install(std::vector<double>(good.begin(), good.end() - 1));
        QVERIFY_EXCEPTION_THROWN(pixelWeights(8, job_), IoError);
        test::unsetVariable("HEALPIX");
        QVERIFY(pixelWeightOrigin(8).starts_with("kept in "));
    }
    void cacheIsUsedAndChecked_data() {
        QTest::addColumn<bool>("isPixel");
        QTest::newRow("ring") << false;
        QTest::newRow("pixel") << true;
    }
    void cacheIsUsedAndChecked() {
        QFETCH(bool, isPixel);
        const auto weights = [&] {
            return isPixel ? pixelWeights(24, job_) : ringWeights(24, job_);
        };
        const QString file = cacheFile(isPixel ? "pixel_weights_24.bin" : "ring_weights_24.bin");
        const std::vector<double> computed = weights();
        QVERIFY(QFile::exists(file));
        QVERIFY(weights() == computed);
        // A flipped bit, a short file and a long file are detected, and the weights computed again.
        QFile stored(file);
        QVERIFY(stored.open(QIODevice::ReadOnly));
        const QByteArray good = stored.readAll();
        stored.close();
        QByteArray flipped = good;
        flipped[40] = static_cast<char>(flipped[40] ^ 4);
        for (const QByteArray& bad :
             {flipped, good.left(good.size() - 3), good + "x", QByteArray("short")}) {
            QVERIFY(stored.open(QIODevice::WriteOnly | QIODevice::Truncate));
            stored.write(bad);
            stored.close();
            QVERIFY(weights() == computed);
            QVERIFY(stored.open(QIODevice::ReadOnly));
            QVERIFY(stored.readAll() == good);
            stored.close();
        }
        QCOMPARE(QDir(cacheFile({})).entryList(QDir::Files).size(), 1);
    }
    // An entry that is no readable file counts as missing; opening a FIFO would block.
    void cacheOfOtherThings_data() {
        QTest::addColumn<bool>("isFolder");
        QTest::newRow("a folder") << true;
        QTest::newRow("a FIFO") << false;
    }
    void cacheOfOtherThings() {
        QFETCH(bool, isFolder);
        const std::vector<double> computed = ringWeights(4, job_);
        const QString weights = cacheFile("ring_weights_4.bin"), text = cacheFile("text");
        QVERIFY(QFile::remove(weights));
        for (const QString& name : {weights, text}) {
            const std::string path = name.toStdString();
            QCOMPARE(isFolder ? mkdir(path.c_str(), 0700) : mkfifo(path.c_str(), 0600), 0);
        }
        QVERIFY(ringWeights(4, job_) == computed);
        QVERIFY(!readCachedText("text"));
    }
    // Threads that write the same table at once: the file is complete each time.
    void cacheWrittenByManyAtOnce() {
        const std::vector<double> values(10000, 1.5);
        std::atomic<int> bad{0};
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 50; ++i) {
                    writeCached("table", values);
                    if (readCached("table", values.size()) != values) ++bad;
                }
            });
        threads.clear();
        QCOMPARE(bad.load(), 0);
        QCOMPARE(QDir(cacheFile({})).entryList(QDir::Files), QStringList{"table"});
    }
    void noCacheIsNoFailure() {
        QFile blocked(cache_.filePath("file"));
        QVERIFY(blocked.open(QIODevice::WriteOnly));
        test::setVariable("XDG_CACHE_HOME", blocked.fileName().toLocal8Bit());
        QCOMPARE(ringWeights(4, job_).size(), size_t{8});
        test::setVariable("XDG_CACHE_HOME", "relative");
        test::setVariable("HOME", cache_.path().toLocal8Bit());
        QCOMPARE(ringWeights(4, job_).size(), size_t{8});
        QVERIFY(QFile::exists(cache_.filePath(".cache/armilla/ring_weights_4.bin")));
    }
    // The variables of the process are set, but no program has stated them.
    void libraryAloneKeepsNothing() {
        setEnvironment({});
        QCOMPARE(ringWeights(4, job_).size(), size_t{8});
        QVERIFY(!QFile::exists(cacheFile("ring_weights_4.bin")));
    }
    void stops() {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(ringWeights(64, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(pixelWeights(64, job), Cancelled);
    }
    void refusesBadNside() {
        QVERIFY_EXCEPTION_THROWN(ringWeights(0, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(ringWeights(40000, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(pixelWeights(0, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(pixelWeights(40000, job_), InvalidArgument);
    }

private:
    QTemporaryDir cache_;
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(WeightsTest)
#include "tst_weights.moc"
