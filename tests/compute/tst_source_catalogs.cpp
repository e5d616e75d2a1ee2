// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of the sources of real catalogs on simulated skies.
#include <QFile>
#include <QtTest>
#include <cmath>

#include "armilla/core/table.h"
#include "armilla/io/table_io.h"
#include "armilla/ops/sources.h"
#include "compute/point_skies.h"
#include "support/process_variable.h"
#include "support/real_data.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Known {
    const char* name;
    double lon, lat, jansky;  // Galactic degrees
};

// A sky simulated from a catalog, in Galactic coordinates, and the detections.
struct Rendered {
    int64_t nside = 0;
    double fwhm = 0.0, frequency = 0.0;
    const char* unit = "";
    double jansky = 0.0;                  // flux density of a source of peak 1
    std::vector<PointSource> truth = {};  // peaks in the map's unit
    SourceSearch search = {};
    Catalog found = {};

    void look(std::vector<double> values, JobContext& job) {
        addGaussians(values, nside, truth, fwhm);
        const auto map = pointMap(nside, std::move(values));
        SourceParameters p;
        p.filter.beam = PointBeam::gaussian(fwhm);
        FilterPlan plan(map, 0, Device::cpu());
        search = findSources(plan, *map, p, job);
        found =
            sourceCatalog(search, {.frame = Frame::Galactic, .unit = unit, .frequency = frequency},
                          p.filter.beam);
    }
    // `reach`: largest offset between the catalog's and the radio position; `share`: tolerance of
    // the flux density.
    void checkKnown(const Known& known, double reach, double share) const {
        const Vec3 at = direction({known.lon * kDegree, known.lat * kDegree});
        const Mat3 back = frameRotation(Frame::Galactic, found.frame());
        const auto column = static_cast<size_t>(*found.table.find("FLUX"));
        double nearest = kPi, flux = 0.0;
        for (int64_t row = 0; row < found.rows(); ++row) {
            const double d = angularDistance(back * direction(found.at(row)), at);
            if (d >= nearest) continue;
            nearest = d;
            flux = found.table.columns[column].number(row);
        }
        QVERIFY2(nearest < reach,
                 qPrintable(QString("%1: %2 arcmin").arg(known.name).arg(nearest / kArcmin)));
        QVERIFY2(std::abs(flux / known.jansky - 1) < share,
                 qPrintable(QString("%1: %2 Jy").arg(known.name).arg(flux)));
    }
    // Completeness above 7 sigma for sources isolated by two beams, as promised; and statistics of
    // all detections.
    void checkAll(int least) const {
        int above = 0, seen = 0, real = 0;
        double bias = 0.0;
        for (const PointSource& source : truth) {
            const auto at = static_cast<size_t>(ringFromDirection(nside, source.direction));
            if (source.peak < 7 * search.sky.rms[at]) continue;
            const bool crowded = std::any_of(truth.begin(), truth.end(), [&](const PointSource& o) {
                return &o != &source && angularDistance(o.direction, source.direction) < 2 * fwhm;
            });
            if (crowded) continue;
            ++above;
            for (const Source& s : search.sources)
                if (angularDistance(s.direction, source.direction) < 0.5 * fwhm) {
                    ++seen;
                    bias += s.peak / source.peak - 1;
                    break;
                }
        }
        QVERIFY2(above > least, qPrintable(QString::number(above)));
        QVERIFY2(seen >= 0.98 * above, qPrintable(QString("%1 of %2").arg(seen).arg(above)));
        // The limit guards against a bias of the peaks. A mean of sources above 7 sigma has a
        // statistical error of at most 1 / (7 sqrt(seen)).
        ARMILLA_VERIFY_BELOW(std::abs(bias / seen), 0.02);
        for (const Source& s : search.sources)
            real += std::any_of(truth.begin(), truth.end(), [&](const PointSource& t) {
                return angularDistance(t.direction, s.direction) < 0.7 * fwhm;
            });
        QVERIFY2(real >= 0.98 * static_cast<double>(search.sources.size()),
                 qPrintable(QString("%1 of %2").arg(real).arg(search.sources.size())));
    }
};

}  // namespace

class SourceCatalogsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto folder = realDataFolder();
        if (!folder) QSKIP("no folder of real data (ARMILLA_REAL_DATA)");
        planck_ = *folder + "/planck/COM_PCCS_030_R2.04.fits";
        wmap_ = *folder + "/catalogs/wmap_ptsrc_catalog_9yr_v5p1.txt";
        for (const QString& path : {planck_, wmap_})
            if (!QFileInfo::exists(path)) QSKIP(qPrintable("no " + path));
        QVERIFY(cache_.isValid());
        test::setVariable("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    // The Planck catalog at 28.4 GHz on a CMB-like sky with noise of 0.1 Jy for the matched filter.
    // Bright sources have their radio positions, nearly all sources above 7 sigma are found, with
    // their fluxes.
    void planckAt30Gigahertz() {
        Rendered sky{.nside = 512, .fwhm = 32.408 * kArcmin, .frequency = 28.4e9, .unit = "uK_CMB"};
        const Catalog catalog = readCatalog(planck_.toStdString(), job_);
        QVERIFY(catalog.rows() > 1500);
        const auto fluxColumn = static_cast<size_t>(*catalog.table.find("DETFLUX"));
        sky.jansky = *janskyOf(sky.unit, sky.frequency, PointBeam::gaussian(sky.fwhm).solidAngle,
                               4 * kPi / static_cast<double>(pixelCount(sky.nside)));
        // 2.444 Jy of a millikelvin in 1190.06 square arcminutes.
        ARMILLA_VERIFY_BELOW(std::abs(sky.jansky * 1e3 / 2.444 - 1), 1e-3);
        const Mat3 turn = frameRotation(Frame::Galactic, catalog.frame());
        for (int64_t row = 0; row < catalog.rows(); ++row) {
            const double milli = catalog.table.columns[fluxColumn].number(row);
            if (milli > 0.0)
                sky.truth.push_back({turn * direction(catalog.at(row)), milli * 1e-3 / sky.jansky});
        }
        std::vector<double> values =
            gaussianSky(cmbSpectrum(3 * sky.nside - 1), sky.nside, sky.fwhm, 3, job_);
        const std::vector<double> noise = whiteNoise(sky.nside, 4);
        for (size_t p = 0; p < values.size(); ++p) values[p] += 60 * noise[p];
        sky.look(std::move(values), job_);
        // Flux densities are the catalog's DETFLUX (Planck Collaboration, A&A 594 (2016) A26,
        // arXiv:1507.02058), as published. Positions are from radio interferometers, by the names.
        // The catalog's own positions are within 0.9 arcmin of these, and within 1.5 for the
        // extended Cas A and Crab. The limits also cover noise of 0.3 Jy or less at five sigma, and
        // neighbors in the plane.
        for (const Known& known :
             {Known{"Crab", 184.557, -5.784, 344.2}, Known{"Cyg A", 76.190, 5.755, 45.3},
              Known{"Cas A", 111.735, -2.130, 182.2}, Known{"3C 273", 289.951, 64.360, 19.86},
              Known{"3C 274", 283.778, 74.491, 17.59}, Known{"3C 279", 305.104, 57.062, 24.14}})
            sky.checkKnown(known, 2 * kArcmin, 0.1);
        sky.checkAll(200);
    }

    // WMAP's sources of nine years at 22.8 GHz, in MJy/sr, with a beam of 0.88 degrees on noise of
    // 0.1 Jy. None of them lies in the Galactic plane.
    void wmapAt23Gigahertz() {
        QFile file(wmap_);
        QVERIFY(file.open(QIODevice::ReadOnly));
        Rendered sky{.nside = 256, .fwhm = 0.88 * kDegree, .unit = "MJy/sr"};
        sky.jansky = 1e6 * PointBeam::gaussian(sky.fwhm).solidAngle;
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (line.startsWith('#') || line.size() < 37) continue;
            bool isLon = false, isLat = false, isFlux = false;
            // By the byte positions in the file's own description.
            const double lon = line.mid(17, 6).trimmed().toDouble(&isLon);
            const double lat = line.mid(24, 6).trimmed().toDouble(&isLat);
            const double flux = line.mid(31, 6).trimmed().toDouble(&isFlux);
            QVERIFY2(isLon && isLat && isFlux, line.constData());
            if (flux > 0.0)
                sky.truth.push_back({direction({lon * kDegree, lat * kDegree}), flux / sky.jansky});
        }
        QVERIFY(sky.truth.size() > 450);
        // sigma = n / (solid angle sqrt(sum w b^2)) = n sqrt(2 pixel / solid angle), for pixels
        // of rms n.
        const double pixel = 4 * kPi / static_cast<double>(pixelCount(sky.nside));
        const double solidAngle = sky.jansky * 1e-6;
        const double depth = 0.1 / sky.jansky / std::sqrt(2 * pixel / solidAngle);
        std::vector<double> values = whiteNoise(sky.nside, 6);
        for (double& value : values) value *= depth;
        sky.look(std::move(values), job_);
        // The noise is estimated from the map, which also has sources; 5 % guards against a wrong
        // filter.
        ARMILLA_VERIFY_BELOW(std::abs(sky.search.sky.filter.noise * sky.jansky / 0.1 - 1), 0.05);
        // Flux densities of the catalog's K band (C. L. Bennett et al., ApJS 208 (2013) 20,
        // arXiv:1212.5225), as published. Its positions are accurate to 4 arcmin.
        for (const Known& known :
             {Known{"3C 273", 289.951, 64.360, 24.17}, Known{"3C 274", 283.778, 74.491, 21.44},
              Known{"3C 279", 305.104, 57.062, 17.68}})
            sky.checkKnown(known, 4 * kArcmin, 0.05);
        sky.checkAll(200);
    }

private:
    QTemporaryDir cache_;
    QString planck_, wmap_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(SourceCatalogsTest)
#include "tst_source_catalogs.moc"
