// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/fftw_plan.h"

#include <fftw3.h>

#include <mutex>
#include <utility>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// FFTW's planner is not thread-safe; destroying a plan uses it, too.
std::mutex& plannerLock() {
    static std::mutex lock;
    return lock;
}
constexpr unsigned kFlags = FFTW_ESTIMATE | FFTW_UNALIGNED;

fftw_complex* raw(std::complex<double>* data) {
    return reinterpret_cast<fftw_complex*>(data);
}
fftw_iodim64 dimension(int64_t n, int64_t in, int64_t out) {
    return {static_cast<ptrdiff_t>(n), static_cast<ptrdiff_t>(in), static_cast<ptrdiff_t>(out)};
}

// The planner only uses the relative position of input and output, so arrays of full size are not
// needed.
struct Places {
    alignas(64) double in[16] = {}, out[16] = {};
};

}  // namespace

FftwPlan::FftwPlan(void* plan) : plan_(plan) {
    if (plan_ == nullptr)
        throw InvalidArgument("expected a transform that FFTW can plan, found none");
}
FftwPlan::~FftwPlan() {
    if (plan_ == nullptr) return;
    const std::lock_guard lock(plannerLock());
    fftw_destroy_plan(static_cast<fftw_plan>(plan_));
}
FftwPlan::FftwPlan(FftwPlan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
FftwPlan& FftwPlan::operator=(FftwPlan&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
}

FftwPlan FftwPlan::complexRows(const EqualRows& rows, Kind kind, bool inPlace) {
    Places places;
    auto* const in = reinterpret_cast<fftw_complex*>(places.in);
    auto* const out = inPlace ? in : reinterpret_cast<fftw_complex*>(places.out);
    const fftw_iodim64 row = dimension(rows.length, rows.stride, rows.stride);
    const fftw_iodim64 many = dimension(rows.count, rows.apart(), rows.apart());
    const std::lock_guard lock(plannerLock());
    return FftwPlan(fftw_plan_guru64_dft(
        1, &row, 1, &many, in, out, kind == Kind::Forward ? FFTW_FORWARD : FFTW_BACKWARD, kFlags));
}

FftwPlan FftwPlan::realRows(const EqualRows& rows, Kind kind) {
    Places places;
    auto* const spectra = reinterpret_cast<fftw_complex*>(places.out);
    const int64_t modes = rows.length / 2 + 1;
    const fftw_iodim64 row = dimension(rows.length, 1, 1);
    const std::lock_guard lock(plannerLock());
    if (kind == Kind::Forward) {
        const fftw_iodim64 many = dimension(rows.count, rows.apart(), modes);
        return FftwPlan(fftw_plan_guru64_dft_r2c(1, &row, 1, &many, places.in, spectra,
                                                 kFlags | FFTW_PRESERVE_INPUT));
    }
    const fftw_iodim64 many = dimension(rows.count, modes, rows.apart());
    return FftwPlan(fftw_plan_guru64_dft_c2r(1, &row, 1, &many, spectra, places.in,
                                             kFlags | FFTW_DESTROY_INPUT));
}

void FftwPlan::execute(std::complex<double>* in, std::complex<double>* out) const {
    fftw_execute_dft(static_cast<fftw_plan>(plan_), raw(in), raw(out));
}
void FftwPlan::execute(const double* in, std::complex<double>* out) const {
    // FFTW's interface has no const for input that it preserves.
    fftw_execute_dft_r2c(static_cast<fftw_plan>(plan_), const_cast<double*>(in), raw(out));
}
void FftwPlan::execute(std::complex<double>* in, double* out) const {
    fftw_execute_dft_c2r(static_cast<fftw_plan>(plan_), raw(in), out);
}

}  // namespace armilla
