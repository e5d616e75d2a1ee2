// SPDX-License-Identifier: GPL-3.0-or-later
// Batched FFTs on a CUDA device, by cuFFT if available and by this project's kernels, compared with
// the defining sum. A small subset for a sanitizer: `realRows:own, 6 of 360`, `ringGrid:own, odd
// rows`, and with cuFFT `realRows:cuFFT, 6 of 45`, `ringGrid:cuFFT, folded`.
#include <QtTest>
#include <complex>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/device/cuda_array.h"
#include "armilla/ops/batched_fft.h"
#include "compute/direct_rows.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_transform_cuda.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr FftLibrary kBoth[] = {FftLibrary::Own, FftLibrary::Cufft};

const char* nameOf(FftLibrary library) {
    return library == FftLibrary::Cufft ? "cuFFT" : "own";
}
void skipWithout(FftLibrary library) {
    if (library == FftLibrary::Cufft && !CudaBatchedFft::cufftMissing().empty())
        QSKIP(CudaBatchedFft::cufftMissing().c_str());
}
std::vector<double> realParts(const std::vector<Complex>& values) {
    std::vector<double> parts;
    for (const Complex& value : values) parts.push_back(value.real());
    return parts;
}
std::vector<Complex> complexOf(const double* from, int64_t count) {
    return std::vector<Complex>(from, from + count);
}
std::span<double> doubles(std::vector<Complex>& values) {
    return {reinterpret_cast<double*>(values.data()), 2 * values.size()};
}

}  // namespace

class BatchedFftCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void realRows_data() {
        QTest::addColumn<FftLibrary>("library");
        QTest::addColumn<EqualRows>("rows");
        for (const FftLibrary library : kBoth) {
            for (const int length : {4, 8, 45, 90, 360, 1021, 4096, 10800})
                for (const int count : {1, 6, 37})
                    QTest::addRow("%s, %d of %d", nameOf(library), count, length)
                        << library << EqualRows{length, count, 1, length + count % 2};
            QTest::addRow("%s, long", nameOf(library)) << library << EqualRows{65536, 3};
        }
    }
    // Rounding of log2 n passes, of a convolution twice as many and a product, each with roots that
    // are products of two: some epsilon times sqrt(log2 n); here up to 17 passes.
    void realRows() {
        QFETCH(const FftLibrary, library);
        QFETCH(const EqualRows, rows);
        skipWithout(library);
        CudaBatchedFft fft(rows, CudaBatchedFft::Values::Real, 0, library);
        QVERIFY(fft.provider() == library);
        const auto modes = rows.length / 2 + 1;
        const std::vector<double> before =
            realParts(noiseRow(static_cast<size_t>(rows.extent()), 3));
        CudaArray samples(0, before.size()),
            spectra(0, static_cast<size_t>(2 * modes * rows.count));
        samples.upload(before);
        spectra.fill(std::nan(""));
        fft.forward(samples, spectra);
        fft.wait();
        std::vector<Complex> found(static_cast<size_t>(modes * rows.count));
        spectra.download(doubles(found));
        std::vector<int64_t> checked{0, rows.count / 2, rows.count - 1};
        if (rows.length > 8192) checked = {rows.count - 1};
        for (const int64_t row : checked) {
            std::vector<Complex> truth =
                rows.length > 20000
                    ? someModes(before.data() + row * rows.apart(), rows)
                    : directRow(complexOf(before.data() + row * rows.apart(), rows.length), -1);
            truth.resize(static_cast<size_t>(std::min<int64_t>(modes, truth.size())));
            const auto at = found.begin() + row * modes;
            const std::vector<Complex> made(at, at + static_cast<int64_t>(truth.size()));
            // Machine epsilon / 2 in each stage of the FFT at random signs, and the rounding of the
            // twiddle factors; together below 18 machine epsilons.
            ARMILLA_VERIFY_BELOW(relativeError(made, truth), 4e-15);
        }
        samples.fill(std::nan(""));
        fft.backward(spectra, samples);
        fft.wait();
        std::vector<double> back(before.size());
        samples.download(back);
        for (int64_t row = 0; row < rows.count; ++row) {
            std::vector<Complex> made = complexOf(back.data() + row * rows.apart(), rows.length);
            for (Complex& value : made) value /= static_cast<double>(rows.length);
            // Forward and backward: twice the limit of one direction.
            ARMILLA_VERIFY_BELOW(
                relativeError(made, complexOf(before.data() + row * rows.apart(), rows.length)),
                8e-15);
        }
    }

    // Single rows use cuFFT if available.
    void theFasterIsTaken() {
        const FftLibrary expected =
            CudaBatchedFft::cufftMissing().empty() ? FftLibrary::Cufft : FftLibrary::Own;
        for (const int64_t length : {16, 64, 1000, 4096, 65536}) {
            QVERIFY(CudaBatchedFft::fastest(length) == expected);
            QVERIFY(CudaBatchedFft({length, 8}, CudaBatchedFft::Values::Real, 0).provider() ==
                    expected);
        }
    }

    void complexRows_data() {
        QTest::addColumn<EqualRows>("rows");
        QTest::newRow("rows") << EqualRows{90, 7};
        QTest::newRow("columns") << EqualRows{64, 33, 33, 1};
        QTest::newRow("apart") << EqualRows{45, 5, 1, 50};
    }
    void complexRows() {
        QFETCH(const EqualRows, rows);
        skipWithout(FftLibrary::Cufft);
        CudaBatchedFft fft(rows, CudaBatchedFft::Values::Complex, 0);
        const std::vector<Complex> before = noiseRow(static_cast<size_t>(rows.extent()), 4);
        for (const int sign : {-1, 1}) {
            std::vector<Complex> data = before;
            CudaArray array(0, 2 * data.size());
            array.upload(doubles(data));
            if (sign < 0)
                fft.forward(array);
            else
                fft.backward(array);
            fft.wait();
            array.download(doubles(data));
            for (int64_t row = 0; row < rows.count; ++row) {
                std::vector<Complex> from, made;
                for (int64_t j = 0; j < rows.length; ++j) {
                    const auto at = static_cast<size_t>(row * rows.apart() + j * rows.stride);
                    from.push_back(before[at]);
                    made.push_back(data[at]);
                }
                // The same limit as for real rows: 18 machine epsilons for the stages of the FFT.
                ARMILLA_VERIFY_BELOW(relativeError(made, directRow(from, sign)), 4e-15);
            }
        }
    }
    // Complex rows are refused without cuFFT; the program then uses another method.
    void complexRowsNeedCufft() {
        QVERIFY_EXCEPTION_THROWN(
            CudaBatchedFft({8, 2}, CudaBatchedFft::Values::Complex, 0, FftLibrary::Own),
            Unsupported);
    }

    void ringGrid_data() {
        QTest::addColumn<FftLibrary>("library");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<double>("phi0");
        QTest::addColumn<int>("spin");
        for (const FftLibrary library : kBoth) {
            const auto add = [&](const char* what, int rows, int columns, int lmax, double phi0,
                                 int spin) {
                QTest::addRow("%s, %s", nameOf(library), what)
                    << library << rows << columns << lmax << phi0 << spin;
            };
            add("odd rows", 33, 65, 32, 0.0, 0);
            add("folded", 64, 48, 63, 0.0, 0);
            add("turned", 40, 90, 39, 0.3, 0);
            add("turned by a step", 40, 90, 39, kPi / 90, 0);
            add("spin", 48, 108, 47, 0.0, 2);
            add("one piece and a rest", 700, 3125, 300, 0.0, 0);
        }
    }
    // Both round as on the CPU, as derived in tst_ring_transform_cuda.cpp, with the larger limit of
    // the two spins.
    void ringGrid() {
        QFETCH(const FftLibrary, library);
        QFETCH(const int, rows);
        QFETCH(const int, columns);
        QFETCH(const int, lmax);
        QFETCH(const double, phi0);
        QFETCH(const int, spin);
        skipWithout(library);
        RingGrid grid = RingGrid::gaussLegendre(rows, columns);
        for (Ring& ring : grid.rings) ring.phi0 = phi0;
        JobContext job;
        CudaTransformShape shape;
        shape.rows = library;
        CudaRingTransform device(grid, lmax, lmax, 0, shape);
        QVERIFY(device.fftLibrary() == library);
        RingTransform host(grid, lmax, lmax, job);
        const size_t parts = spin == 0 ? 1 : 2;
        std::vector<Alm> alm;
        std::vector<CudaArray> d_alm, d_maps;
        std::vector<std::vector<double>> maps;
        for (size_t c = 0; c < parts; ++c) {
            alm.emplace_back(lmax, lmax);
            const std::vector<Complex> noise =
                noiseRow(alm.back().values().size(), 9 + static_cast<unsigned>(c));
            for (int m = 0; m <= lmax; ++m)
                for (int l = std::max(m, spin); l <= lmax; ++l) {
                    const Complex z = noise[static_cast<size_t>(alm.back().index(l, m))];
                    alm.back()(l, m) = m == 0 ? Complex(z.real()) : z;
                }
            maps.emplace_back(static_cast<size_t>(grid.sampleCount()));
            d_alm.emplace_back(0, 2 * alm.back().values().size());
            d_alm.back().upload(alm.back());
            d_maps.emplace_back(0, maps.back().size());
            d_maps.back().fill(std::nan(""));
        }
        const double limit = 3.0 * std::numeric_limits<double>::epsilon() * (lmax + 4.0);
        if (spin == 0) {
            host.synthesis(alm[0], MapSamples(std::span(maps[0])), job);
            device.synthesis(d_alm[0], d_maps[0], job);
        } else {
            host.synthesisSpin(spin, alm[0], alm[1], MapSamples(std::span(maps[0])),
                               MapSamples(std::span(maps[1])), job);
            device.synthesisSpin(spin, d_alm[0], d_alm[1], d_maps[0], d_maps[1], job);
        }
        for (size_t c = 0; c < parts; ++c) {
            std::vector<double> found(maps[c].size());
            d_maps[c].download(found);
            ARMILLA_VERIFY_BELOW(relativeError(found, maps[c]), limit);
            d_maps[c].upload(maps[c]);
            d_alm[c].fill(0.0);
            for (Complex& value : alm[c].values()) value = 0.0;
        }
        std::vector<double> weights;
        for (const Ring& ring : grid.rings) weights.push_back(ring.weight);
        if (spin == 0) {
            host.adjoint(ConstMapSamples(std::span<const double>(maps[0])), weights, alm[0], job);
            device.adjoint(d_maps[0], weights, d_alm[0], job);
        } else {
            host.adjointSpin(spin, ConstMapSamples(std::span<const double>(maps[0])),
                             ConstMapSamples(std::span<const double>(maps[1])), weights, alm[0],
                             alm[1], job);
            device.adjointSpin(spin, d_maps[0], d_maps[1], weights, d_alm[0], d_alm[1], job);
        }
        for (size_t c = 0; c < parts; ++c) {
            Alm found(lmax, lmax);
            d_alm[c].download(found);
            ARMILLA_VERIFY_BELOW(
                relativeError(std::vector<Complex>(found.values().begin(), found.values().end()),
                              std::vector<Complex>(alm[c].values().begin(), alm[c].values().end())),
                limit);
        }
    }
    // The faster library is the default for sufficiently large grids.
    void libraryOfGrid() {
        const auto libraryOf = [](int rows, int columns) {
            return CudaRingTransform(RingGrid::fejer(rows, columns), 10, 10, 0).fftLibrary();
        };
        const FftLibrary found =
            CudaBatchedFft::cufftMissing().empty() ? FftLibrary::Cufft : FftLibrary::Own;
        QVERIFY(libraryOf(1000, 2160) == found);
        QVERIFY(libraryOf(1024, 2048) == FftLibrary::Own);
        QVERIFY(libraryOf(30, 60) == FftLibrary::Own);
    }

private:
    // The first modes of a long row.
    static std::vector<Complex> someModes(const double* x, const EqualRows& rows) {
        std::vector<Complex> modes;
        for (int64_t k = 0; k < 24; ++k) {
            long double re = 0.0L, im = 0.0L;
            for (int64_t j = 0; j < rows.length; ++j) {
                const long double angle = 2.0L * std::acos(-1.0L) *
                                          static_cast<long double>(j * k % rows.length) /
                                          static_cast<long double>(rows.length);
                re += x[j] * std::cos(angle);
                im -= x[j] * std::sin(angle);
            }
            modes.emplace_back(static_cast<double>(re), static_cast<double>(im));
        }
        return modes;
    }
};

QTEST_APPLESS_MAIN(BatchedFftCudaTest)
#include "tst_batched_fft_cuda.moc"
