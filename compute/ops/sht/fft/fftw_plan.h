// SPDX-License-Identifier: GPL-3.0-or-later
// Owner of an FFTW plan. Plans are estimated, because plans chosen by timing would change results
// from run to run. They accept arrays of any alignment, so the same code runs wherever arrays are.
#pragma once

#include <complex>

#include "armilla/ops/batched_fft.h"

namespace armilla {

class FftwPlan {
public:
    enum class Kind { Forward, Backward };
    FftwPlan() = default;
    // Complex rows, in place or not. Holds one process-wide lock while planning.
    static FftwPlan complexRows(const EqualRows& rows, Kind kind, bool inPlace);
    // Real rows with stride 1, and contiguous spectra. Backward overwrites its input.
    static FftwPlan realRows(const EqualRows& rows, Kind kind);
    ~FftwPlan();
    FftwPlan(FftwPlan&& other) noexcept;
    FftwPlan& operator=(FftwPlan&& other) noexcept;

    // The arrays must match the plan. Thread-safe.
    void execute(std::complex<double>* in, std::complex<double>* out) const;
    void execute(const double* in, std::complex<double>* out) const;
    void execute(std::complex<double>* in, double* out) const;

private:
    explicit FftwPlan(void* plan);
    void* plan_ = nullptr;  // the fftw_plan
};

}  // namespace armilla
