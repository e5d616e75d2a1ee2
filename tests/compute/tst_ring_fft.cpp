// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <complex>
#include <vector>

#include "armilla/core/error.h"
#include "compute/direct_rows.h"
#include "sht/fft/column_fft.h"
#include "sht/fft/real_input_fft_kernels.h"
#include "sht/fft/row_fft.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class RingFftTest : public QObject {
    Q_OBJECT
private slots:
    // Every length has its own mixture of radices. Rounding grows with the number of passes; the
    // chirp method about doubles it.
    void columns() {
        for (const size_t rows :
             {1,  2,  3,  4,   5,   6,   7,   8,   9,   11,  12,  13,  15,  16,  30,   49,
              60, 77, 96, 101, 125, 128, 143, 210, 243, 319, 352, 360, 512, 514, 1001, 1372}) {
            const ColumnFft plan(rows);
            AlignedArray<double> data(rows * kFftRow), scratch(rows * kFftRow);
            std::vector<std::vector<Complex>> columns;
            for (size_t c = 0; c < kFftColumns; ++c) {
                columns.push_back(noiseRow(rows, 0));
                std::rotate(columns[c].begin(), columns[c].begin() + c % rows, columns[c].end());
                for (size_t j = 0; j < rows; ++j) {
                    data[j * kFftRow + 2 * c] = columns[c][j].real();
                    data[j * kFftRow + 2 * c + 1] = columns[c][j].imag();
                }
            }
            const double* const result = plan.forward(data.data(), scratch.data());
            for (size_t c = 0; c < kFftColumns; ++c) {
                std::vector<Complex> found;
                for (size_t k = 0; k < rows; ++k)
                    found.emplace_back(result[k * kFftRow + 2 * c],
                                       result[k * kFftRow + 2 * c + 1]);
                // Machine epsilon / 2 in each stage of the FFT at random signs: 4.5 machine
                // epsilons.
                ARMILLA_VERIFY_BELOW(relativeError(found, directRow(columns[c], -1)), 1e-15);
            }
        }
    }

    // One impulse: the roots of unity, each formed with one or two roundings a pass.
    void longColumns() {
        for (const size_t rows : {2187, 7200, 66560, 68600}) {
            const ColumnFft plan(rows);
            AlignedArray<double> data(rows * kFftRow), scratch(rows * kFftRow);
            const size_t at = rows / 3 + 1, column = 2;
            data[at * kFftRow + 2 * column] = 1.0;
            const double* const result = plan.forward(data.data(), scratch.data());
            std::vector<Complex> found, truth;
            for (size_t k = 0; k < rows; ++k) {
                const double* const row = result + k * kFftRow;
                found.emplace_back(row[2 * column], row[2 * column + 1]);
                const long double angle = -2 * std::acos(-1.0L) *
                                          static_cast<long double>(at * k % rows) /
                                          static_cast<long double>(rows);
                truth.emplace_back(static_cast<double>(std::cos(angle)),
                                   static_cast<double>(std::sin(angle)));
                for (const size_t other : {0, 1, 6, 7}) QVERIFY(row[other] == 0.0);
            }
            // Machine epsilon / 2 in each stage of the FFT at random signs: 4.5 machine epsilons.
            ARMILLA_VERIFY_BELOW(relativeError(found, truth), 1e-15);
        }
    }

    void rows() {
        std::vector<size_t> lengths;
        for (size_t n = 1; n <= 70; ++n) lengths.push_back(n);
        // Rings of HEALPix caps, smooth and with a large prime; odd lengths of other grids.
        for (const size_t n : {4 * 257, 4 * 499, 4 * 512, 4 * 509, 1021, 1023, 1080})
            lengths.push_back(n);
        JobContext job;
        const RowFft plans(lengths, job);
        RowFft::Workspace work(plans);
        for (const size_t n : lengths) {
            const std::vector<Complex> x = noiseRow(n, 0);
            std::copy(x.begin(), x.end(), work.input());
            const Complex* const result = plans.forward(n, work);
            // Lengths with large prime factors take two more transforms (convolution), so the limit
            // is twice that of one.
            ARMILLA_VERIFY_BELOW(
                relativeError(std::vector<Complex>(result, result + n), directRow(x, -1)), 2e-15);
        }
    }

    // Both halves together contain all results, for rows of either precision.
    void halves() {
        // Eighths of 4, of other small numbers, of a large prime, and longer than the fine roots.
        const std::vector<size_t> lengths{32,     40,     56,      8 * 11, 8 * 64,
                                          8 * 65, 8 * 66, 8 * 257, 2400};
        JobContext job;
        const RowFft plans(lengths, job);
        RowFft::Workspace work(plans);
        for (const size_t n : lengths) {
            QVERIFY(plans.halves(n));
            std::vector<Complex> x = noiseRow(n, 0);
            std::vector<float> re, im;
            for (Complex& value : x) {
                re.push_back(static_cast<float>(value.real()));
                im.push_back(static_cast<float>(value.imag()));
                value = {re.back(), im.back()};
            }
            const std::vector<double> wideRe(re.begin(), re.end()), wideIm(im.begin(), im.end());
            std::vector<Complex> found(n, std::nan(""));
            for (int half = 0; half < kTileHalves; ++half) {
                const auto place = [&](size_t i) {
                    return 8 * (i / 4) + static_cast<size_t>(kHalfResidues[half][i % 4]);
                };
                const RingPairSamples<double> wide{wideRe.data(), wideIm.data(), 1.0, 1.0};
                const Complex* result = plans.forwardHalf(n, half, wide, work);
                for (size_t i = 0; i < n / 2; ++i) found[place(i)] = result[i];
                const RingPairSamples<float> single{re.data(), im.data(), 1.0, 1.0};
                result = plans.forwardHalf(n, half, single, work);
                for (size_t i = 0; i < n / 2; ++i) QVERIFY(found[place(i)] == result[i]);
            }
            // The same limit as for whole rows: a convolution takes two more transforms.
            ARMILLA_VERIFY_BELOW(relativeError(found, directRow(x, -1)), 2e-15);
        }
        // A length that is also used by the convolution of the other: that of 33 has 72, that of
        // 127 rows 256.
        for (const std::vector<size_t>& pair :
             {std::vector<size_t>{33, 72}, {4 * 127, 256}, {8 * 127, 256}}) {
            const RowFft shared(pair, job);
            RowFft::Workspace workspace(shared);
            const std::vector<double> ones(pair[1], 1.0);
            const Complex* const result = shared.forwardHalf(
                pair[1], 0, RingPairSamples<double>{ones.data(), ones.data(), 1.0, 0.0}, workspace);
            // A sum of up to 1016 ones: machine epsilon times the sum is 2.3e-13.
            QVERIFY(std::abs(result[0] - static_cast<double>(pair[1])) < 1e-12);
        }
        QVERIFY(!plans.halves(24));  // too short
        QVERIFY(!plans.halves(36));  // no multiple of eight
    }

    void refused() { QVERIFY_EXCEPTION_THROWN(ColumnFft(0), InvalidArgument); }
};

QTEST_APPLESS_MAIN(RingFftTest)
#include "tst_ring_fft.moc"
