// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation of coefficients on a CUDA device compared with the CPU, whose rotations tst_spectrum
// compares with sums term by term. Small rows for a sanitizer: `likeTheCpu:small`,
// `likeTheCpu:odd`.
#include <QtTest>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/ops/spectrum.h"
#include "support/cuda_guard.h"
#include "support/random_alm.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class TestRotateAlmCuda : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    // Degrees that fill blocks, chunks of steps and runs of rows badly. From 1000 on the first
    // elements of the recursion are out of range, from 1024 on a parity has more rows than a block.
    void likeTheCpu_data() {
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::addColumn<int>("fields");
        QTest::newRow("monopole") << 0 << 0 << 1;
        QTest::newRow("dipole") << 1 << 1 << 2;
        QTest::newRow("small") << 33 << 33 << 3;
        QTest::newRow("odd") << 257 << 100 << 1;
        QTest::newRow("chunks") << 512 << 512 << 2;
        QTest::newRow("scaled") << 1500 << 1500 << 1;
        QTest::newRow("two blocks") << 2200 << 10 << 1;
    }
    // Each rounds 2 lmax steps a few times.
    void likeTheCpu() {
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, fields);
        std::vector<Alm> found;
        for (int i = 0; i < fields; ++i)
            found.push_back(randomCoefficients(lmax, mmax, static_cast<unsigned>(i + 1)));
        std::vector<Alm> truth = found;
        const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
        rotateAlm(truth, turn, Device::cpu(), job_);
        rotateAlm(found, turn, firstCudaDevice(), job_);
        const double limit = 16.0 * (lmax + 1) * std::numeric_limits<double>::epsilon();
        for (size_t f = 0; f < found.size(); ++f) {
            QCOMPARE(found[f].mmax(), lmax);
            double worst = 0.0, largest = 0.0;
            for (size_t i = 0; i < truth[f].values().size(); ++i) {
                worst = std::max(worst, std::abs(found[f].values()[i] - truth[f].values()[i]));
                largest = std::max(largest, std::abs(truth[f].values()[i]));
            }
            ARMILLA_VERIFY_BELOW(worst / largest, limit);
        }
    }

    void stoppedJobsStop() {
        std::vector<Alm> alm{randomCoefficients(300, 300, 1)};
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 1);
        QVERIFY_EXCEPTION_THROWN(rotateAlm(alm, frameRotation(Frame::Equatorial, Frame::Galactic),
                                           firstCudaDevice(), stopped),
                                 Cancelled);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_GUILESS_MAIN(TestRotateAlmCuda)
#include "tst_rotate_alm_cuda.moc"
