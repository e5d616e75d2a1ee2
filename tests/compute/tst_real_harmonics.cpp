// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic analysis and smoothing compared with outputs of other programs on real and simulated
// maps.
#include <QDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/spectrum.h"
#include "support/process_variable.h"
#include "support/real_data.h"

using namespace armilla;

// Rounding of one value in single precision, in which the other programs store coefficients and
// files.
constexpr double kSingle = std::numeric_limits<float>::epsilon() / 2;

class RealHarmonicsTest : public QObject {
    Q_OBJECT

    std::string path(const char* name) const { return data_.filePath(name).toStdString(); }
    HealpixMap read(const char* name) { return readMap(path(name), {}, job_); }
    static std::vector<double> ring(const HealpixMap& map, int field) {
        std::vector<double> values;
        for (int64_t p = 0; p < map.pixelCount(); ++p) values.push_back(map.field(field).at(p));
        return values;
    }
    static HealpixMap withoutDipole(const HealpixMap& map, JobContext& job) {
        std::vector<double> t = ring(map, 0);
        removeMonopoleDipole(map.nside(), t, job);
        HealpixMap result = map;
        result.field(0).values = std::move(t);
        return result;
    }
    // Other programs transform the mean with the map, this project smooths fluctuations about the
    // mean. Returns the smoothed mean by plain quadrature minus the mean, to be added to this
    // project's result.
    std::vector<double> levelOfOthers(const HealpixMap& map, const SmoothParameters& p) {
        const std::vector<double> t = ring(map, 0);
        const double mean =
            std::accumulate(t.begin(), t.end(), 0.0) / static_cast<double>(t.size());
        const int lmax = p.lmax < 0 ? static_cast<int>(3 * map.nside() - 1) : p.lmax;
        const ShtPlan plan({.nside = map.nside(), .lmax = lmax, .iterations = p.iterations},
                           Device::cpu());
        std::vector<double> level(t.size(), mean);
        std::vector<Alm> alm{plan.analysis(ConstMapSamples(std::span<const double>(level)), job_)};
        applyBeam(alm, gaussianBeam(p.fwhm, lmax), job_);
        plan.synthesis(alm[0], MapSamples(std::span<double>(level)), job_);
        for (double& value : level) value -= mean;
        return level;
    }
    static void add(HealpixMap& map, const std::vector<double>& level) {
        std::vector<double> values = ring(map, 0);
        for (size_t k = 0; k < values.size(); ++k) values[k] += level[k];
        map.field(0).values = std::move(values);
    }
    // The rms of a - b, relative to that of b.
    static double difference(const HealpixMap& a, const HealpixMap& b, int field) {
        double wrong = 0.0, size = 0.0;
        for (int64_t p = 0; p < a.pixelCount(); ++p) {
            wrong += std::pow(a.field(field).at(p) - b.field(field).at(p), 2);
            size += std::pow(b.field(field).at(p), 2);
        }
        return std::sqrt(wrong / size);
    }

private slots:
    void initTestCase() {
        const std::optional<QString> folder = test::realDataFolder();
        if (!folder) QSKIP("real data are not there");
        data_ = QDir(*folder);
        QVERIFY(cache_.isValid());
        test::setVariable("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    // F90 anafast: ring weights, no iterations, monopole and dipole removed, lmax 256. Coefficients
    // and C_l are single precision: at most 2 and 1 roundings of C_l. B is 2e-5 of E here, so an
    // error of 1e-11 of E in F90's transform is visible in B.
    void anafastF90() {
        const HealpixMap map = withoutDipole(read("healpix_f90/map.fits"), job_);
        const Spectra truth = readSpectra(path("healpix_f90/cl_out.fits"));
        const ShtPlan plan({.nside = map.nside(), .lmax = 256, .weights = Weights::Ring},
                           Device::cpu());
        const Spectra found = powerSpectra(
            plan.analysisPolarized(ring(map, 0), ring(map, 1), ring(map, 2), job_), job_);
        for (size_t kind = 0; kind < 6; ++kind) {
            QVERIFY(truth.cl[kind].size() == 257);
            double largest = 0.0, worst = 0.0;
            for (size_t l = 0; l <= 256; ++l) {
                largest = std::max(largest, std::abs(truth.cl[kind][l]));
                worst = std::max(worst, std::abs(truth.cl[kind][l] - found.cl[kind][l]));
            }
            const bool curl = kind == static_cast<size_t>(SpectrumKind::BB);
            const double limit = 3.0 * kSingle + (curl ? 2.0 * 1e-11 / 2e-5 : 0.0);
            QVERIFY2(worst < limit * largest,
                     qPrintable(QString("%1: %2 of %3").arg(kind).arg(worst).arg(largest)));
        }
    }
    // F90 smoothing of the same map, 420 arcmin: a rounding of each coefficient, and one of each
    // pixel.
    void smoothingF90() {
        const auto map =
            std::make_shared<const HealpixMap>(withoutDipole(read("healpix_f90/map.fits"), job_));
        const HealpixMap truth = read("healpix_f90/map_sm.fits");
        SmoothParameters p;
        p.fwhm = 420 * kArcmin;
        p.lmax = 256;
        p.polarization = true;
        const HealpixMap found = SmoothPlan(map, {0, 1, 2}, Device::cpu()).execute(p, job_);
        for (int f = 0; f < 3; ++f) QVERIFY(difference(found, truth, f) < 2.0 * kSingle);
    }
    // F90 smoothing of the WMAP W band, 600 arcmin, lmax 64, 3 iterations.
    void smoothingWmap() {
        const auto map = std::make_shared<const HealpixMap>(
            read("healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits"));
        const HealpixMap truth =
            read("healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_smoothed10deg_fortran.fits");
        SmoothParameters p;
        p.fwhm = 600 * kArcmin;
        p.lmax = 64;
        p.iterations = 3;
        p.weights = Weights::None;
        p.polarization = true;
        HealpixMap found = SmoothPlan(map, {0, 1, 2}, Device::cpu()).execute(p, job_);
        add(found, levelOfOthers(*map, p));
        for (int f = 0; f < 3; ++f) QVERIFY(difference(found, truth, f) < 2.0 * kSingle);
    }
    // PySM's synchrotron map smoothed by healpy (3 iterations) to 1 degree and stored in single
    // precision, as the result here: half a rounding each.
    void smoothingPysm() {
        const auto map = std::make_shared<const HealpixMap>(read("pysm/check2synch_30p0_64.fits"));
        const HealpixMap truth = read("pysm/check2synch_30p0_64_smoothed1deg.fits");
        SmoothParameters p;
        p.fwhm = 1 * kDegree;
        p.iterations = 3;
        p.weights = Weights::None;
        HealpixMap found = SmoothPlan(map, {0}, Device::cpu()).execute(p, job_);
        add(found, levelOfOthers(*map, p));
        for (int64_t k = 0; k < truth.pixelCount(); ++k) {
            const double value = truth.field(0).at(k);
            QVERIFY(std::abs(found.field(0).at(k) - value) <= 2.0 * kSingle * std::abs(value));
        }
    }
    // F90 anafast of the WMAP map with the monopole removed, lmax 64, 3 iterations: four roundings
    // of each coefficient, twice in C_l, and one of C_l. The limit of the monopole is the
    // quadrature error from other coefficients.
    void anafastWmap() {
        const HealpixMap map = read("healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits");
        std::vector<double> t = ring(map, 0);
        double mean = 0.0;
        for (const double v : t) mean += v / static_cast<double>(t.size());
        for (double& v : t) v -= mean;
        const ShtPlan plan({.nside = 32, .lmax = 64, .iterations = 3}, Device::cpu());
        const std::vector<Alm> alm{plan.analysis(t, job_)};
        const Spectra truth = readSpectra(
            path("healpy_wmap/"
                 "cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_II_lmax64_rmmono_3iter_nomask.fits"));
        const Spectra found = powerSpectra(alm, job_);
        const std::vector<double>&tt = found[SpectrumKind::TT], &truthTt = truth[SpectrumKind::TT];
        for (size_t l = 0; l <= 64; ++l)
            QVERIFY(std::abs(tt[l] - truthTt[l]) < 9.0 * kSingle * truthTt[l == 0 ? 1 : l]);
    }
    // alm of F90 (single precision) reproduce their source map.
    void synthesisF90() {
        const HealpixMap truth = read("healpix_f90/map.fits");
        const std::vector<Alm> alm = readAlm(path("healpix_f90/alm.fits"), job_);
        QCOMPARE(alm.size(), size_t{3});
        const ShtPlan plan({.nside = 128, .lmax = alm[0].lmax()}, Device::cpu());
        std::array<std::vector<double>, 3> maps;
        for (auto& m : maps) m.resize(static_cast<size_t>(truth.pixelCount()));
        plan.synthesisPolarized(std::span<const Alm, 3>(alm), maps[0], maps[1], maps[2], job_);
        for (int f = 0; f < 3; ++f) {
            double wrong = 0.0, size = 0.0;
            for (int64_t p = 0; p < truth.pixelCount(); ++p) {
                const double value = truth.field(f).at(p);
                wrong += std::pow(maps[static_cast<size_t>(f)][static_cast<size_t>(p)] - value, 2);
                size += value * value;
            }
            // A rounding of each coefficient, and one of each pixel.
            QVERIFY(std::sqrt(wrong / size) < 2.0 * kSingle);
        }
    }

private:
    QDir data_;
    QTemporaryDir cache_;
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(RealHarmonicsTest)
#include "tst_real_harmonics.moc"
