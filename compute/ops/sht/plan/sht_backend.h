// SPDX-License-Identifier: GPL-3.0-or-later
// What a transform backend supplies: one coarse call for each transform. sht.cpp has checked all
// shapes before.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ops/sht.h"

namespace armilla {

// With lmax and mmax where they are left to the grid. Throws InvalidArgument for what no transform
// has.
ShtParameters completedParameters(ShtParameters parameters);

inline size_t componentsOf(int spin) {
    return spin == 0 ? 1 : 2;
}

// Of devices that work side by side: the times of the slowest.
inline ShtSteps slowest(std::span<const ShtSteps> devices) {
    return *std::max_element(devices.begin(), devices.end(),
                             [](const ShtSteps& a, const ShtSteps& b) {
                                 return a.legendre + a.fft < b.legendre + b.fft;
                             });
}

// A field of one of several spins that a call transforms.
struct FieldToAnalyze {
    int spin = 0;
    std::span<const ConstMapSamples> maps;
    std::span<Alm> alm;
};
struct FieldToSynthesize {
    int spin = 0;
    std::span<const Alm> alm;
    std::span<const MapSamples> maps;
};

class ShtBackend {
public:
    // `parameters` with the defaults filled in.
    ShtBackend(const ShtParameters& parameters, RingGrid grid)
        : parameters_(parameters), grid_(std::move(grid)) {}
    virtual ~ShtBackend() = default;
    ShtBackend(const ShtBackend&) = delete;
    ShtBackend& operator=(const ShtBackend&) = delete;

    const ShtParameters& parameters() const { return parameters_; }
    const RingGrid& grid() const { return grid_; }
    virtual std::string_view name() const = 0;
    // As ShtPlan::remark.
    virtual std::string remark() const { return {}; }
    virtual ShtSteps steps() const = 0;
    // Of the last least-squares analysis, which calls the backend step by step.
    ShtConvergence convergence;
    // Of the fields that the call in progress transformed before the last one.
    ShtSteps stepsBefore;
    void startCall() {
        convergence = {};
        stepsBefore = {};
    }
    // Host memory that an analysis of so many maps would allocate now, in bytes; the coefficients
    // aside.
    virtual int64_t analysisBytes(size_t maps) const = 0;

    // Batches. Spin 0: the coefficients of each map at its place; else gradient and curl of each
    // pair of components, pair by pair.
    virtual void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                           JobContext& job) = 0;
    // Weights and iterations included; whatever `alm` holds before is overwritten.
    virtual void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                          JobContext& job) = 0;
    // The transpose of synthesis: sums over samples as they are, without weights or iterations.
    virtual void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                         JobContext& job) = 0;
    virtual void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) = 0;
    // Several fields, where that takes less time than one after the other: returns false, with
    // nothing done, where it does not.
    virtual bool analyzeFields(std::span<const FieldToAnalyze> /*fields*/, JobContext& /*job*/) {
        return false;
    }
    virtual bool synthesizeFields(std::span<const FieldToSynthesize> /*fields*/,
                                  JobContext& /*job*/) {
        return false;
    }
    // Whether analyses ask for `results` before they touch the coefficients, rather than expect
    // them to be there: their memory may come in beside the work until then.
    virtual bool waitsForResults() const { return false; }
    // Of the call in progress; empty: they are there.
    std::function<void()> results;

private:
    ShtParameters parameters_;
    RingGrid grid_;
};

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job);
// Legendre sums on the device of the plan, ring FFTs on the other side, as the tuning has it.
// Throws Unsupported where there is no CUDA device, OutOfMemory, DeviceError.
std::unique_ptr<ShtBackend> makeMixedBackend(const ShtParameters& parameters, const RingGrid& grid,
                                             const Device& device, JobContext& job);
// A CUDA device that takes part, with the parameters as they are for it.
struct CudaPart {
    int device = 0;
    double speed = 1.0;  // relative to the others
    ShtParameters parameters;
};
// On one device or, if there are more, shared among them: batches map by map, one map where that
// pays. Throws Unsupported where there is no CUDA in the build, OutOfMemory, DeviceError.
std::unique_ptr<ShtBackend> makeCudaBackend(std::span<const CudaPart> parts, const RingGrid& grid);

}  // namespace armilla
