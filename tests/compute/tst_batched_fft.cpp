// SPDX-License-Identifier: GPL-3.0-or-later
// Batched FFTs, by either library and in any layout, compared with the defining sum.
#include <QtTest>
#include <complex>
#include <stop_token>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/batched_fft.h"
#include "armilla/ops/ring_grid.h"
#include "compute/direct_rows.h"
#include "sht/fft/ring_fft.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

JobContext threads(int count) {
    return {{}, {}, count};
}

std::vector<Complex> rowOf(const std::vector<Complex>& data, const EqualRows& rows, int64_t row) {
    std::vector<Complex> values;
    for (int64_t j = 0; j < rows.length; ++j)
        values.push_back(data[static_cast<size_t>(row * rows.apart() + j * rows.stride)]);
    return values;
}

const char* nameOf(FftLibrary library) {
    return library == FftLibrary::Fftw ? "FFTW" : "own";
}

}  // namespace

class BatchedFftTest : public QObject {
    Q_OBJECT
private slots:
    void complexRows_data() {
        QTest::addColumn<FftLibrary>("library");
        QTest::addColumn<EqualRows>("rows");
        for (const FftLibrary library : {FftLibrary::Own, FftLibrary::Fftw}) {
            const auto add = [&](const char* what, const EqualRows& rows) {
                QTest::addRow("%s, %s", nameOf(library), what) << library << rows;
            };
            add("one number", {1, 3, 1, 0});
            add("two", {2, 1, 1, 0});
            add("short", {16, 1000, 1, 0});
            add("odd", {45, 7, 1, 0});
            add("prime", {1021, 2, 1, 0});
            add("fours", {360, 13, 1, 0});
            add("apart", {90, 5, 1, 101});
            add("columns", {30, 21, 21, 1});
            add("every third", {64, 3, 3, 200});
        }
    }
    // Rounding of log2 n passes, by a chirp twice as many and a product: 1e-15 as for ring FFTs.
    void complexRows() {
        QFETCH(const FftLibrary, library);
        QFETCH(const EqualRows, rows);
        JobContext job = threads(3);
        const BatchedFft fft(rows, job, library);
        QVERIFY(fft.provider() == library);
        const std::vector<Complex> before = noiseRow(static_cast<size_t>(rows.extent()), 5);
        for (const int sign : {-1, 1}) {
            std::vector<Complex> data = before;
            if (sign < 0)
                fft.forward(data, job);
            else
                fft.backward(data, job);
            std::vector<bool> touched(data.size());
            for (int64_t row = 0; row < rows.count; ++row) {
                for (int64_t j = 0; j < rows.length; ++j)
                    touched[static_cast<size_t>(row * rows.apart() + j * rows.stride)] = true;
                if (row > 8 && row < rows.count - 2) continue;
                // Each stage of the FFT rounds by about machine epsilon / 2: 2e-15 allows 18
                // stages.
                ARMILLA_VERIFY_BELOW(relativeError(rowOf(data, rows, row),
                                                   directRow(rowOf(before, rows, row), sign)),
                                     2e-15);
            }
            for (size_t i = 0; i < data.size(); ++i)
                if (!touched[i]) QCOMPARE(data[i], before[i]);
        }
    }

    void realRows_data() {
        QTest::addColumn<FftLibrary>("library");
        QTest::addColumn<EqualRows>("rows");
        for (const FftLibrary library : {FftLibrary::Own, FftLibrary::Fftw})
            for (const int length : {1, 2, 3, 8, 45, 90, 360, 1021})
                for (const int count : {1, 6, 101})
                    QTest::addRow("%s, %d of %d", nameOf(library), count, length)
                        << library << EqualRows{length, count, 1, length + count % 2};
    }
    void realRows() {
        QFETCH(const FftLibrary, library);
        QFETCH(const EqualRows, rows);
        JobContext job = threads(2);
        const BatchedFft fft(rows, job, library);
        const auto modes = static_cast<size_t>(rows.length / 2 + 1);
        std::vector<double> samples;
        for (const Complex& z : noiseRow(static_cast<size_t>(rows.extent()), 6))
            samples.push_back(z.real());
        const std::vector<double> before = samples;
        std::vector<Complex> spectra(modes * static_cast<size_t>(rows.count), Complex(1e300));
        fft.forward(samples, spectra, job);
        QCOMPARE(samples, before);
        const auto realRow = [&](const std::vector<double>& from, int64_t row) {
            const auto at = from.begin() + row * rows.apart();
            return std::vector<Complex>(at, at + rows.length);
        };
        for (int64_t row = 0; row < rows.count; ++row) {
            if (row > 4 && row < rows.count - 2) continue;
            std::vector<Complex> truth = directRow(realRow(before, row), -1);
            truth.resize(modes);
            const auto at = spectra.begin() + row * static_cast<int64_t>(modes);
            // The same limit as for complex rows: 9 machine epsilons for the stages of the FFT.
            ARMILLA_VERIFY_BELOW(
                relativeError(std::vector<Complex>(at, at + static_cast<int64_t>(modes)), truth),
                2e-15);
        }
        // Forward and backward: each direction adds its rounding.
        std::fill(samples.begin(), samples.end(), 1e300);
        fft.backward(spectra, samples, job);
        for (int64_t row = 0; row < rows.count; ++row) {
            std::vector<Complex> back = realRow(samples, row);
            for (Complex& value : back) value /= static_cast<double>(rows.length);
            ARMILLA_VERIFY_BELOW(relativeError(back, realRow(before, row)), 4e-15);
        }
    }
    // Both ignore values without meaning in the spectrum of a real row.
    void imaginaryPartsWithoutMeaning() {
        JobContext job = threads(1);
        const EqualRows rows{6, 2};
        std::vector<double> made[2];
        for (const FftLibrary library : {FftLibrary::Own, FftLibrary::Fftw}) {
            std::vector<Complex> spectra{{1, 9},  {2, 3}, {4, 5}, {6, 8},
                                         {7, -9}, {1, 1}, {0, 2}, {3, 4}};
            std::vector<double>& samples = made[library == FftLibrary::Own ? 0 : 1];
            samples.resize(12);
            BatchedFft(rows, job, library).backward(spectra, samples, job);
        }
        for (size_t i = 0; i < 12; ++i)
            // Values of order 100 in rows of 12 samples round by a few machine epsilons, 2e-14
            // each.
            ARMILLA_VERIFY_BELOW(std::abs(made[0][i] - made[1][i]), 1e-13);
    }

    // To the last bit, for any number of threads and any alignment of arrays.
    void resultsRepeat() {
        for (const int length : {45, 96}) {
            const EqualRows rows{length, 333};
            JobContext one = threads(1), four = threads(4);
            std::vector<Complex> a = noiseRow(static_cast<size_t>(rows.extent()) + 1, 7), b = a;
            std::vector<double> unaligned(2 * a.size() + 1);
            auto* const c = reinterpret_cast<Complex*>(unaligned.data() + 1);
            std::copy(a.begin(), a.end(), c);
            const auto size = static_cast<size_t>(rows.extent());
            BatchedFft(rows, one).forward(std::span(a).first(size), one);
            BatchedFft(rows, four).forward(std::span(b).first(size), four);
            BatchedFft(rows, four).forward({c, size}, four);
            QCOMPARE(a, b);
            QVERIFY(std::equal(a.begin(), a.end(), c));
        }
    }

    void libraryOfLength() {
        QVERIFY(BatchedFft::fastest(4096) == FftLibrary::Own);
        QVERIFY(BatchedFft::fastest(2 * 52 + 1) == FftLibrary::Fftw);
        QVERIFY(BatchedFft::fastest(1021) == FftLibrary::Own);
        JobContext job = threads(1);
        QVERIFY(BatchedFft({75, 2}, job).provider() == FftLibrary::Fftw);
    }
    // Grids with rows of a length that suits FFTW: modes to samples and back, as for any other
    // grid.
    void ringGridsTakeThem() {
        JobContext job = threads(1);
        constexpr int kModes = 30;
        for (const int64_t columns : {75, 90, 96}) {
            const RingGrid grid = RingGrid::gaussLegendre(2, columns);
            const RingFft fft(grid, job);
            RingFft::Workspace work(fft, kModes);
            std::vector<Complex> north = noiseRow(kModes, 1), south = noiseRow(kModes, 2);
            north[0] = north[0].real();
            south[0] = south[0].real();
            std::vector<double> a(static_cast<size_t>(columns)), b(a);
            fft.synthesize<double>(grid.rings[0],
                                   {a.data(), {north.data(), nullptr, kModes, kModes}},
                                   {b.data(), {south.data(), nullptr, kModes, kModes}}, work);
            const auto truth = [&](const std::vector<Complex>& modes) {
                std::vector<Complex> full(static_cast<size_t>(columns));
                for (size_t m = 0; m < kModes; ++m) {
                    full[m] += modes[m];
                    if (m > 0) full[full.size() - m] += std::conj(modes[m]);
                }
                return directRow(full, 1);
            };
            const auto complexOf = [](const std::vector<double>& x) {
                return std::vector<Complex>(x.begin(), x.end());
            };
            // The same limit as for complex rows: 9 machine epsilons for the stages of the FFT.
            ARMILLA_VERIFY_BELOW(relativeError(complexOf(a), truth(north)), 2e-15);
            ARMILLA_VERIFY_BELOW(relativeError(complexOf(b), truth(south)), 2e-15);
        }
    }

    void refusals() {
        JobContext job = threads(1);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({0, 1}, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 0}, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 2, 0}, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 2, 1, -8}, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 2}, job, FftLibrary::Cufft), InvalidArgument);
        std::vector<Complex> few(15), spectra(10);
        std::vector<double> samples(16);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 2}, job).forward(few, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({2, 8, 8, 1}, job).forward(samples, spectra, job),
                                 InvalidArgument);
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 1);
        std::vector<Complex> all(16);
        QVERIFY_EXCEPTION_THROWN(BatchedFft({8, 2}, job).forward(all, stopped), Cancelled);
    }
};

QTEST_APPLESS_MAIN(BatchedFftTest)
#include "tst_batched_fft.moc"
