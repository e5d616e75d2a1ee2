// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ring_fft.h"

#include <fftw3.h>

#include <cmath>
#include <mutex>

#include "core/error.h"
#include "core/sky_vector.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// FFTW's planner is not thread-safe; executing plans is.
std::mutex& plannerLock() {
    static std::mutex lock;
    return lock;
}

// e^{i m phi0}, m = 0 .. mmax, each from two tabulated factors: a few epsilon at every m.
void fillPhases(std::vector<Complex>& phase, double phi0, int mmax) {
    constexpr int kFine = 64;
    Complex fine[kFine];
    for (int i = 0; i < kFine; ++i) fine[i] = {std::cos(i * phi0), std::sin(i * phi0)};
    for (int base = 0; base <= mmax; base += kFine) {
        const double angle = std::remainder(static_cast<double>(base) * phi0, kTwoPi);
        const Complex coarse(std::cos(angle), std::sin(angle));
        for (int i = 0; i < kFine && base + i <= mmax; ++i) {
            const Complex f = fine[i];
            phase[static_cast<size_t>(base + i)] = {
                coarse.real() * f.real() - coarse.imag() * f.imag(),
                coarse.real() * f.imag() + coarse.imag() * f.real()};
        }
    }
}

Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

struct RingFft::Plans {
    fftw_plan backward = nullptr, forward = nullptr;
    ~Plans() {
        const std::lock_guard lock(plannerLock());
        if (backward != nullptr) fftw_destroy_plan(backward);
        if (forward != nullptr) fftw_destroy_plan(forward);
    }
};

RingFft::RingFft(const RingGrid& grid) {
    AlignedArray<Complex> row(static_cast<size_t>(grid.maxRingLength()));
    auto* const data = reinterpret_cast<fftw_complex*>(row.data());
    for (const Ring& ring : grid.rings) {
        std::unique_ptr<Plans>& plans = plans_[ring.count];
        if (plans) continue;
        plans = std::make_unique<Plans>();
        const std::lock_guard lock(plannerLock());
        const int n = static_cast<int>(ring.count);
        plans->backward = fftw_plan_dft_1d(n, data, data, FFTW_BACKWARD, FFTW_ESTIMATE);
        plans->forward = fftw_plan_dft_1d(n, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
        if (plans->backward == nullptr || plans->forward == nullptr)
            throw OutOfMemory("expected an FFT plan of length " + std::to_string(n) +
                              ", found none");
    }
}

RingFft::~RingFft() = default;

RingFft::Workspace::Workspace(int64_t longest, int mmax)
    : row_(static_cast<size_t>(longest)), phase_(static_cast<size_t>(mmax) + 1) {}

void RingFft::synthesize(const Modes& modes, const Ring& north, const Ring* south, double* map,
                         Workspace& work) const {
    const int64_t n = north.count;
    Complex* const row = work.row_.data();
    std::fill(row, row + n, Complex(0.0));
    const bool turned = north.phi0 != 0.0;
    if (turned) fillPhases(work.phase_, north.phi0, modes.mmax);
    int64_t folded = 0;  // m mod n
    for (int m = 0; m <= modes.mmax; ++m) {
        const double* const at = modes.planes + m * modes.modeStride;
        Complex fn(at[0], at[modes.planeStride]);
        Complex fs = south != nullptr
                         ? Complex(at[2 * modes.planeStride], at[3 * modes.planeStride])
                         : Complex(0.0);
        if (turned) {
            const Complex phase = work.phase_[static_cast<size_t>(m)];
            fn = times(fn, phase);
            fs = times(fs, phase);
        }
        // F of +m at m mod n, its conjugate at -m mod n; north + i south.
        row[folded] += Complex(fn.real() - fs.imag(), fn.imag() + fs.real());
        if (m > 0)
            row[folded == 0 ? 0 : n - folded] +=
                Complex(fn.real() + fs.imag(), fs.real() - fn.imag());
        if (++folded == n) folded = 0;
    }
    auto* const data = reinterpret_cast<fftw_complex*>(row);
    fftw_execute_dft(plans_.at(n)->backward, data, data);
    for (int64_t j = 0; j < n; ++j) map[north.first + j] = row[j].real();
    if (south != nullptr)
        for (int64_t j = 0; j < n; ++j) map[south->first + j] = row[j].imag();
}

void RingFft::analyze(const Modes& modes, const Ring& north, const Ring* south, const double* map,
                      const double weight[2], Workspace& work) const {
    const int64_t n = north.count;
    Complex* const row = work.row_.data();
    for (int64_t j = 0; j < n; ++j)
        row[j] = {weight[0] * map[north.first + j],
                  south != nullptr ? weight[1] * map[south->first + j] : 0.0};
    auto* const data = reinterpret_cast<fftw_complex*>(row);
    fftw_execute_dft(plans_.at(n)->forward, data, data);
    const bool turned = north.phi0 != 0.0;
    if (turned) fillPhases(work.phase_, north.phi0, modes.mmax);
    int64_t folded = 0;
    for (int m = 0; m <= modes.mmax; ++m) {
        // Y_k = N_k + i S_k of two real rows: N_k = (Y_k + conj Y_-k) / 2, S_k likewise.
        const Complex y = row[folded], o = row[folded == 0 ? 0 : n - folded];
        Complex fn(0.5 * (y.real() + o.real()), 0.5 * (y.imag() - o.imag()));
        Complex fs(0.5 * (y.imag() + o.imag()), 0.5 * (o.real() - y.real()));
        if (turned) {
            const Complex phase = std::conj(work.phase_[static_cast<size_t>(m)]);
            fn = times(fn, phase);
            fs = times(fs, phase);
        }
        double* const at = modes.planes + m * modes.modeStride;
        at[0] = fn.real();
        at[modes.planeStride] = fn.imag();
        at[2 * modes.planeStride] = fs.real();
        at[3 * modes.planeStride] = fs.imag();
        if (++folded == n) folded = 0;
    }
}

}  // namespace armilla
