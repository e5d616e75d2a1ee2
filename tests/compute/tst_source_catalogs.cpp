// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of a real catalog on a sky rendered from it, found again.
#include <QtTest>
#include <cmath>

#include "compute/point_skies.h"
#include "core/table.h"
#include "io/table_io.h"
#include "ops/sources.h"
#include "support/real_data.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class SourceCatalogsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto folder = realDataFolder();
        if (!folder) QSKIP("no folder of real data (ARMILLA_REAL_DATA)");
        path_ = *folder + "/planck/COM_PCCS_030_R2.04.fits";
        if (!QFileInfo::exists(path_)) QSKIP("no Planck catalog in the folder of real data");
        QVERIFY(cache_.isValid());
        qputenv("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    // The Planck catalog at 28.4 GHz on a CMB-like sky with noise of 0.1 Jy for the matched filter:
    // bright sources stand where radio astronomy has them, nearly all above 7 sigma are found, and
    // with their flux.
    void planckAt30Gigahertz() {
        constexpr int64_t nside = 512;
        constexpr double kFrequency = 28.4e9;
        const double fwhm = 32.408 * kArcmin;
        const Catalog catalog = readCatalog(path_.toStdString(), job_);
        QVERIFY(catalog.rows() > 1500);
        const int fluxColumn = *catalog.table.find("DETFLUX");
        const PointBeam beam = PointBeam::gaussian(fwhm);
        const double pixel = 4 * kPi / static_cast<double>(pixelCount(nside));
        const double jansky = *janskyOf("uK_CMB", kFrequency, beam.solidAngle, pixel);
        std::vector<PointSource> truth;
        const Mat3 turn = frameRotation(Frame::Galactic, catalog.frame());
        for (int64_t row = 0; row < catalog.rows(); ++row) {
            const double milli = catalog.table.columns[static_cast<size_t>(fluxColumn)].number(row);
            if (milli > 0.0)
                truth.push_back({turn * direction(catalog.at(row)), milli * 1e-3 / jansky});
        }
        std::vector<double> values = gaussianSky(cmbSpectrum(3 * nside - 1), nside, fwhm, 3, job_);
        const std::vector<double> noise = whiteNoise(nside, 4);
        for (size_t p = 0; p < values.size(); ++p) values[p] += 60 * noise[p];
        addGaussians(values, nside, truth, fwhm);
        const auto map = pointMap(nside, values);
        SourceParameters p;
        p.filter.beam = beam;
        FilterPlan plan(map, 0, Device::cpu());
        const SourceSearch search = findSources(plan, *map, p, job_);
        const Catalog found = sourceCatalog(
            search, {.frame = Frame::Galactic, .unit = "uK_CMB", .frequency = kFrequency}, beam);

        struct Known {
            const char* name;
            double lon, lat, jansky;
        };
        // Radio positions; flux densities of the catalog at 28.4 GHz, with what it says of errors.
        for (const Known& known :
             {Known{"Crab", 184.557, -5.784, 344.2}, Known{"Cyg A", 76.190, 5.755, 45.3},
              Known{"Cas A", 111.735, -2.130, 182.2}, Known{"3C 273", 289.951, 64.360, 19.86},
              Known{"3C 274", 283.778, 74.491, 17.59}, Known{"3C 279", 305.104, 57.062, 24.14}}) {
            const Vec3 at = direction({known.lon * kDegree, known.lat * kDegree});
            const Mat3 back = frameRotation(Frame::Galactic, found.frame());
            double nearest = kPi, flux = 0.0;
            for (int64_t row = 0; row < found.rows(); ++row) {
                const double d = angularDistance(back * direction(found.at(row)), at);
                if (d >= nearest) continue;
                nearest = d;
                flux =
                    found.table.columns[static_cast<size_t>(*found.table.find("FLUX"))].number(row);
            }
            // The catalog's own places are within 0.9 arcmin of the radio's, Cas A's and the
            // Crab's, which are extended, within 1.5.
            QVERIFY2(nearest < 2 * kArcmin, known.name);
            // Noise of 0.3 Jy or less at five sigma, and neighbors in the plane.
            QVERIFY2(std::abs(flux / known.jansky - 1) < 0.1, known.name);
        }

        int above = 0, seen = 0;
        double bias = 0.0;
        for (size_t i = 0; i < truth.size(); ++i) {
            const auto at = static_cast<size_t>(ringFromDirection(nside, truth[i].direction));
            if (truth[i].peak < 7 * search.sky.rms[at]) continue;
            // Alone in two beams, as in the promise.
            const bool crowded = std::any_of(truth.begin(), truth.end(), [&](const PointSource& o) {
                const double d = angularDistance(o.direction, truth[i].direction);
                return &o != &truth[i] && d < 2 * fwhm;
            });
            if (crowded) continue;
            ++above;
            for (const Source& s : search.sources)
                if (angularDistance(s.direction, truth[i].direction) < 0.5 * fwhm) {
                    ++seen;
                    bias += s.peak / truth[i].peak - 1;
                    break;
                }
        }
        QVERIFY2(above > 200, qPrintable(QString::number(above)));
        QVERIFY2(seen >= 0.98 * above, qPrintable(QString("%1 of %2").arg(seen).arg(above)));
        ARMILLA_VERIFY_BELOW(std::abs(bias / seen), 0.02);
        int real = 0;
        for (const Source& s : search.sources)
            real += std::any_of(truth.begin(), truth.end(), [&](const PointSource& t) {
                return angularDistance(t.direction, s.direction) < 0.7 * fwhm;
            });
        QVERIFY2(real >= 0.98 * static_cast<double>(search.sources.size()),
                 qPrintable(QString("%1 of %2").arg(real).arg(search.sources.size())));
    }

private:
    QTemporaryDir cache_;
    QString path_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(SourceCatalogsTest)
#include "tst_source_catalogs.moc"
