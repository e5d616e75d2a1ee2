// SPDX-License-Identifier: GPL-3.0-or-later
// Owner of a plan of FFTW. Plans are estimated: those chosen by timing would change results from
// run to run. They take arrays of any alignment, so that the same code runs wherever arrays lie.
#pragma once

#include <complex>

#include "ops/equal_fft.h"

namespace armilla {

class FftwPlan {
public:
    enum class Kind { Forward, Backward };
    FftwPlan() = default;
    // Complex rows, in place or not. One process-wide lock is held while planning.
    static FftwPlan complexRows(const EqualRows& rows, Kind kind, bool inPlace);
    // Real rows without a stride, and their spectra one after the other. Backward loses its input.
    static FftwPlan realRows(const EqualRows& rows, Kind kind);
    ~FftwPlan();
    FftwPlan(FftwPlan&& other) noexcept;
    FftwPlan& operator=(FftwPlan&& other) noexcept;

    // As planned. Thread-safe.
    void execute(std::complex<double>* in, std::complex<double>* out) const;
    void execute(const double* in, std::complex<double>* out) const;
    void execute(std::complex<double>* in, double* out) const;

private:
    explicit FftwPlan(void* plan);
    void* plan_ = nullptr;  // an fftw_plan
};

}  // namespace armilla
