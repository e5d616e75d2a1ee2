// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged data files of a HEALPix distribution.
#include <QtTest>
#include <fstream>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/spectrum.h"
#include "support/captured.h"
#include "support/process_variable.h"

using namespace armilla;
using namespace armilla::test;

class HealpixDataTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir(folder_.path()).mkpath("data"));
    }

    void damagedWeightFile_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no FITS") << QByteArray("no FITS");
        QTest::newRow("empty") << QByteArray();
        // A header that ends where a table should follow.
        QTest::newRow("no table")
            << QByteArray("SIMPLE  =                    T").leftJustified(80) +
                   QByteArray("BITPIX  =                    8").leftJustified(80) +
                   QByteArray("NAXIS   =                    0").leftJustified(80) +
                   QByteArray("END").leftJustified(2880 - 240);
    }
    void damagedWeightFile() {
        QFETCH(QByteArray, content);
        std::ofstream(folder_.filePath("data/healpix_full_weights_nside_0004.fits").toStdString())
            << content.toStdString();
        test::setVariable("HEALPIX", folder_.path().toLocal8Bit());
        const Captured seen;
        std::string line;
        try {
            pixelWeights(4, job_);
        } catch (const IoError& error) {
            line = error.what();
        }
        test::unsetVariable("HEALPIX");
        QVERIFY2(line.find("nside_0004.fits: expected pixel weights") != std::string::npos,
                 line.c_str());
        QVERIFY(line.find('\n') == std::string::npos);
        QCOMPARE(seen.output() + seen.errors(), std::string());
    }
    // A folder of data files is used if it contains the file; a damaged file is an error, not a
    // silent fall back.
    void damagedWindowFile() {
        std::ofstream(folder_.filePath("data/pixel_window_n0016.fits").toStdString()) << "no FITS";
        test::setVariable("HEALPIX", folder_.path().toLocal8Bit());
        const Captured seen;
        QVERIFY_EXCEPTION_THROWN(pixelWindow(16, 32, job_), IoError);
        QCOMPARE(seen.output() + seen.errors(), std::string());
        test::unsetVariable("HEALPIX");
    }

private:
    QTemporaryDir folder_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(HealpixDataTest)
#include "tst_healpix_data.moc"
