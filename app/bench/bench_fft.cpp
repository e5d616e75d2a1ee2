// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_fft.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/ops/batched_fft.h"

namespace armilla::cli {

namespace {

using Complex = std::complex<double>;

// Powers of two, multiples of four with small primes, other composite lengths, a prime.
constexpr int64_t kLengths[] = {16,   30,    64,    91,    256,   360,   441,
                                1000, 1024,  1021,  1458,  2187,  4096,  4320,
                                8190, 10800, 16384, 21600, 32768, 43201, 65536};
constexpr int64_t kCounts[] = {1, 64, 1024, 8192};
constexpr int64_t kMostNumbers = int64_t{1} << 27;
constexpr BenchRuns kRuns{.most = 9, .seconds = 0.4};

const char* nameOf(FftLibrary library) {
    switch (library) {
        case FftLibrary::Own: return "own";
        case FftLibrary::Fftw: return "fftw";
        case FftLibrary::Cufft: break;
    }
    return "cufft";
}

std::vector<double> noise(int64_t count) {
    std::mt19937_64 random(static_cast<uint64_t>(count));
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<size_t>(count));
    // Repeats the first stretch of numbers, which is made quickly and does not change the times.
    const size_t own = std::min<size_t>(values.size(), 200003);
    for (size_t i = 0; i < own; ++i) values[i] = normal(random);
    for (size_t i = own; i < values.size(); ++i) values[i] = values[i - own];
    return values;
}

// Largest difference of some modes of the last row from sums in long double, relative to the rms of
// a mode.
double errorOf(const EqualRows& rows, const std::vector<double>& samples,
               const std::vector<Complex>& spectra) {
    using Wide = long double;
    const int64_t n = rows.length, modes = n / 2 + 1, row = rows.count - 1;
    const double* const x = samples.data() + row * n;
    const Wide turn = 2 * std::acos(Wide{-1}) / static_cast<Wide>(n);
    double worst = 0.0;
    Wide power = 0;
    for (int64_t j = 0; j < n; ++j) power += Wide{x[j]} * x[j];
    constexpr int64_t kChecked = 16;
    for (int64_t i = 0; i < kChecked; ++i) {
        const int64_t k = i * (modes - 1) / (kChecked - 1);
        Wide re = 0, im = 0;
        for (int64_t j = 0; j < n; ++j) {
            const Wide angle = turn * static_cast<Wide>(j * k % n);
            re += x[j] * std::cos(angle);
            im -= x[j] * std::sin(angle);
        }
        const Complex found = spectra[static_cast<size_t>(row * modes + k)];
        worst =
            std::max(worst, static_cast<double>(std::hypot(found.real() - re, found.imag() - im) /
                                                std::sqrt(power)));
    }
    return worst;
}

struct Case {
    EqualRows rows;
    FftLibrary provider;
    const std::vector<double>& samples;

    int64_t modes() const { return (rows.length / 2 + 1) * rows.count; }
    BenchRow row(const char* strategy) const {
        BenchRow made;
        made.name = std::string("fft.") + strategy + "." + nameOf(provider);
        made.length = rows.length;
        made.maps = static_cast<int>(rows.count);
        return made;
    }
    // Samples and modes are read or written once.
    void limit(BenchRow& made, double bytesPerSecond) const {
        made.limitSeconds =
            8.0 * static_cast<double>(2 * modes() + rows.count * rows.length) / bytesPerSecond;
        made.limitBy = "memory";
    }
};

void onCpu(const Case& c, BenchHost& host) {
    JobContext silent = host.silentJob();
    const BatchedFft fft(c.rows, silent, c.provider);
    std::vector<double> samples = c.samples;
    std::vector<Complex> spectra(static_cast<size_t>(c.modes()));
    fft.forward(samples, spectra, silent);
    BenchRow there = c.row("forward"), back = c.row("backward");
    there.error = errorOf(c.rows, samples, spectra);
    measure(there, kRuns, host, [&](JobContext& job) { fft.forward(samples, spectra, job); });
    // The library may overwrite the spectra. Any finite values give the same times.
    std::fill(spectra.begin(), spectra.end(), Complex(0.0));
    measure(back, kRuns, host, [&](JobContext& job) { fft.backward(spectra, samples, job); });
    for (BenchRow* row : {&there, &back}) {
        c.limit(*row, host.ceiling.bytesPerSecond);
        host.show(*row);
    }
}

// Many rows at a time, so that the launch does not dominate.
void onDevice(const Case& c, BenchHost& host) {
    // Bandwidth of one NVIDIA H200, measured by copies.
    constexpr double kDeviceBytesPerSecond = 4.27e12;
    constexpr int kTogether = 10;
    CudaBatchedFft fft(c.rows, CudaBatchedFft::Values::Real, host.device.index, c.provider);
    CudaArray samples(host.device.index, c.samples.size()),
        spectra(host.device.index, static_cast<size_t>(2 * c.modes()));
    samples.upload(c.samples);
    fft.forward(samples, spectra);
    fft.wait();
    std::vector<Complex> found(static_cast<size_t>(c.modes()));
    spectra.download({reinterpret_cast<double*>(found.data()), 2 * found.size()});
    BenchRow there = c.row("forward"), back = c.row("backward");
    there.error = errorOf(c.rows, c.samples, found);
    const auto measureMany = [&](BenchRow& row, const auto& work) {
        measure(row, kRuns, host, [&](JobContext&) {
            for (int i = 0; i < kTogether; ++i) work();
            fft.wait();
        });
        for (double& seconds : row.seconds) seconds /= kTogether;
        c.limit(row, kDeviceBytesPerSecond);
        host.show(row);
    };
    measureMany(there, [&] { fft.forward(samples, spectra); });
    spectra.fill(0.0);
    measureMany(back, [&] { fft.backward(spectra, samples); });
}

}  // namespace

void benchFft(const BenchSettings& settings, BenchHost& host) {
    const bool cpu = host.device.kind == DeviceKind::Cpu;
    if (!cpu && !CudaBatchedFft::cufftMissing().empty()) host.note(CudaBatchedFft::cufftMissing());
    std::vector<int64_t> lengths(std::begin(kLengths), std::end(kLengths));
    if (!settings.samples.empty()) lengths = settings.samples;
    const std::vector<double> samples = noise(kMostNumbers);
    for (const int64_t length : lengths)
        for (const int64_t count : kCounts) {
            if (length * count > kMostNumbers) continue;
            const std::vector<double> some(samples.begin(), samples.begin() + length * count);
            for (const FftLibrary library :
                 {FftLibrary::Own, cpu ? FftLibrary::Fftw : FftLibrary::Cufft}) {
                const Case c{{length, count}, library, some};
                try {
                    cpu ? onCpu(c, host) : onDevice(c, host);
                } catch (const Unsupported& reason) {
                    host.note(c.row("forward").name + " skipped: " + reason.what());
                }
            }
        }
}

}  // namespace armilla::cli
