// SPDX-License-Identifier: GPL-3.0-or-later
// Real files of the field: their kinds, known properties, and values as cfitsio reads them. Skipped
// if the data are absent.
#include <fitsio.h>

#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "support/real_data.h"

using namespace armilla;

class tst_real_data : public QObject {
    Q_OBJECT
    QString folder_;
    std::string path(const QString& name) const { return (folder_ + '/' + name).toStdString(); }

private slots:
    void initTestCase();
    void kinds_data();
    void kinds();
    void valuesAsCfitsio_data();
    void valuesAsCfitsio();
    void figures();
    void hdf5Samples();
};

void tst_real_data::initTestCase() {
    const std::optional<QString> folder = test::realDataFolder();
    if (!folder) QSKIP("real data are not there");
    folder_ = *folder;
}

void tst_real_data::kinds_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");  // nside, or lmax of harmonic files, or rows
    const auto row = [](const char* name, FileKind kind, int size) {
        QTest::newRow(name) << static_cast<int>(kind) << size;
    };
    row("healpix_f90/map.fits", FileKind::Map, 128);
    row("healpix_f90/map_LOres.fits", FileKind::Map, 4);
    row("healpix_f90/mask.fits", FileKind::Map, 16);
    row("healpix_f90/distmask.fits", FileKind::Map, 16);
    row("healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits", FileKind::Map, 32);
    row("fermi/fermi_lat_2-20GeV_nside128.fits", FileKind::Map, 128);
    row("gsm/gsm2016_components_nside64.fits", FileKind::Map, 64);
    row("gw/GW150914_bayestar_gstlal_C01.fits.gz", FileKind::Map, 512);
    row("gw/GW190425_bayestar.fits.gz", FileKind::Map, 256);
    row("pysm/check2synch_30p0_64.fits", FileKind::Map, 64);
    row("planck/planck_gal_masks_nside64.fits", FileKind::Map, 64);
    row("planck/planck_hfi143_R1_gc_nside512_nest_partA.fits", FileKind::PartialMap, 512);
    row("planck/planck_hfi143_R1_gc_nside2048_nest_partA.fits.gz", FileKind::PartialMap, 2048);
    row("masks/redmapper_dr8_depth_nside2048_explicit.fit", FileKind::PartialMap, 2048);
    row("gw/GW200129_bayestar.multiorder.fits", FileKind::MultiOrderMap, 2048);
    row("masks/P-GALEXGR6-AIS-FUV_MOC.fits", FileKind::MultiOrderMap, 256);
    row("healpix_f90/alm.fits", FileKind::Alm, 256);
    row("healpix_f90/cl.fits", FileKind::Spectrum, 3000);
    row("healpix_f90/cl_out.fits", FileKind::Spectrum, 256);
    row("healpix_f90/planck2018_lcdm_cl_v3.fits", FileKind::Spectrum, 5000);
    row("healpy_wmap/gaussbeam_10arcmin_lmax512_pol.fits", FileKind::Beam, 512);
    row("planck/LFI_RIMO_R3.31.fits", FileKind::Beam, 2048);
    row("planck/COM_PCCS_030_R2.04.fits", FileKind::Catalog, 1560);
    row("catalogs/stars_xhip_gaia_118k.fits", FileKind::Catalog, 118218);
    row("catalogs/galaxies_2mrs_43k.fits", FileKind::Catalog, 43533);
    row("catalogs/uzc2000.fits", FileKind::Catalog, 19365);
    row("faraday/rm_samples_merged.fits", FileKind::Samples, 12718);
    row("gridding/fast_19beam_driftscan_68096.fits", FileKind::Samples, 68096);
}

void tst_real_data::kinds() {
    QFETCH(int, kind);
    QFETCH(int, size);
    const FileSummary summary = inspectFile(path(QTest::currentDataTag()));
    QCOMPARE(static_cast<int>(summary.kind), kind);
    const int64_t found = summary.nside > 0   ? summary.nside
                          : summary.lmax >= 0 ? summary.lmax
                                              : summary.rows;
    QCOMPARE(found, static_cast<int64_t>(size));
}

void tst_real_data::valuesAsCfitsio_data() {
    QTest::addColumn<int>("field");
    QTest::newRow("healpix_f90/map.fits") << 2;
    QTest::newRow("healpix_f90/map_LOres.fits") << 1;
    QTest::newRow("healpix_f90/mask.fits") << 0;
    QTest::newRow("healpix_f90/distmask.fits") << 0;
    QTest::newRow("healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits") << 0;
    QTest::newRow("fermi/fermi_lat_2-20GeV_nside128.fits") << 0;
    QTest::newRow("gsm/gsm2016_components_nside64.fits") << 5;
    QTest::newRow("gw/GW150914_bayestar_gstlal_C01.fits.gz") << 0;
    QTest::newRow("gw/GW190425_bayestar.fits.gz") << 1;
    QTest::newRow("pysm/check5cmb_100p0_64.fits") << 1;
    QTest::newRow("planck/planck_gal_masks_nside64.fits") << 2;
}

void tst_real_data::valuesAsCfitsio() {
    QFETCH(int, field);
    const std::string name = path(QTest::currentDataTag());
    JobContext job;
    const HealpixMap map = readMap(name, {}, job);
    fitsfile* file = nullptr;
    int status = 0, any = 0;
    fits_open_diskfile(&file, name.c_str(), READONLY, &status);
    fits_movabs_hdu(file, 2, nullptr, &status);
    std::vector<double> expected(static_cast<size_t>(map.elementCount()));
    double null = 0.0;
    fits_read_col(file, TDOUBLE, field + 1, 1, 1, map.elementCount(), &null, expected.data(), &any,
                  &status);
    fits_close_file(file, &status);
    QCOMPARE(status, 0);
    for (int64_t p = 0; p < map.elementCount(); ++p) {
        const double want = expected[static_cast<size_t>(p)], got = map.field(field).at(p);
        const bool bad = !std::isfinite(want) || std::abs(want / kUnseen - 1.0) < 1e-5;
        if (bad ? !std::isnan(got) : got != want)
            QFAIL(qPrintable(QString("pixel %1: %2, expected %3").arg(p).arg(got).arg(want)));
    }
}

void tst_real_data::figures() {
    JobContext job;
    // Probability maps integrate to one; the multi-order one as density over the cells' areas.
    const HealpixMap flat = readMap(path("gw/GW150914_bayestar_gstlal_C01.fits.gz"), {}, job);
    double sum = 0.0;
    for (int64_t p = 0; p < flat.elementCount(); ++p) sum += flat.field(0).at(p);
    QVERIFY(std::abs(sum - 1.0) < 1e-5);  // 3e6 values in single precision
    const HealpixMap cells = readMap(path("gw/GW200129_bayestar.multiorder.fits"), {}, job);
    sum = 0.0;
    for (int64_t i = 0; i < cells.elementCount(); ++i) {
        const int order = cells.cellOrders()[static_cast<size_t>(i)];
        sum += cells.field(0).at(i) * 4.0 * kPi / (12.0 * std::pow(4.0, order));
    }
    QVERIFY(std::abs(sum - 1.0) < 1e-9);
    // Vega: 279.23 deg, 38.78 deg at magnitude 0.0, among the brightest of the catalog.
    const Catalog stars = readCatalog(path("catalogs/stars_xhip_gaia_118k.fits"), job);
    bool vega = false;
    for (int64_t i = 0; i < stars.rows(); ++i)
        vega = vega || (std::abs(stars.at(i).lon / kDegree - 279.235) < 0.01 &&
                        std::abs(stars.at(i).lat / kDegree - 38.785) < 0.01 &&
                        stars.table.columns[2].number(i) < 0.2);
    QVERIFY(vega);
    const std::vector<Alm> alm = readAlm(path("healpix_f90/alm.fits"), job);
    QCOMPARE(alm.size(), size_t{3});
    const Beam beam = readBeam(path("planck/LFI_RIMO_R3.31.fits[BEAMWF_070X070]"));
    QVERIFY(std::abs(beam.bl[0][0] - 1.0) < 1e-2 && beam.bl[0][2048] < 0.1);
    const Beam gauss = readBeam(path("healpy_wmap/gaussbeam_10arcmin_lmax512_pol.fits"));
    const double sigma = 10.0 * kArcmin / std::sqrt(8.0 * std::log(2.0));
    // B_l = exp(-l (l+1) sigma^2 / 2); IDL's constants are single precision in places (2e-9 here).
    QVERIFY(std::abs(gauss.bl[0][500] - std::exp(-0.5 * 500.0 * 501.0 * sigma * sigma)) < 1e-7);
    QCOMPARE(readSpectra(path("healpix_f90/cl_out.fits"))[SpectrumKind::EB].size(), size_t{257});
}

void tst_real_data::hdf5Samples() {
    const FileSummary summary = inspectFile(path("gridding/fast_m33_69768.hdf5"));
    QVERIFY(summary.kind == FileKind::Samples);
    QCOMPARE(summary.rows, int64_t{69768});
    QVERIFY(summary.frame == Frame::Equatorial);
}

QTEST_GUILESS_MAIN(tst_real_data)
#include "tst_real_data.moc"
