// SPDX-License-Identifier: GPL-3.0-or-later
// Interface of a transform backend: one coarse call for each transform. sht.cpp has checked all
// arguments before.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "armilla/ops/sht.h"

namespace armilla {

// The parameters with the default lmax and mmax filled in. Throws InvalidArgument for values that
// no transform supports.
ShtParameters completedParameters(ShtParameters parameters);

inline size_t componentsOf(int spin) {
    return spin == 0 ? 1 : 2;
}

// For devices that work concurrently: the times of the slowest.
inline ShtSteps slowest(std::span<const ShtSteps> devices) {
    return *std::max_element(devices.begin(), devices.end(),
                             [](const ShtSteps& a, const ShtSteps& b) {
                                 return a.legendre + a.fft < b.legendre + b.fft;
                             });
}

// One field of a call that transforms several fields of different spins.
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
    // See ShtPlan::remark.
    virtual std::string remark() const { return {}; }
    virtual ShtSteps steps() const = 0;
    // Result of the last least-squares analysis, which calls the backend step by step.
    ShtConvergence convergence;
    // Steps of the fields that the current call transformed before the last one.
    ShtSteps stepsBefore;
    void startCall() {
        convergence = {};
        stepsBefore = {};
    }
    // Host memory in bytes that an analysis of `maps` maps would allocate now, without the
    // coefficients.
    virtual int64_t analysisBytes(size_t maps) const = 0;

    // Batches. Spin 0: alm[i] belongs to maps[i]. Other spins: gradient and curl for each pair of
    // components, pair by pair.
    virtual void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                           JobContext& job) = 0;
    // Includes weights and iterations; overwrites `alm`.
    virtual void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                          JobContext& job) = 0;
    // The transpose of synthesis: plain sums over samples, without weights or iterations.
    virtual void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                         JobContext& job) = 0;
    virtual void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) = 0;
    // Transforms several fields together if that takes less time than one after the other.
    // Otherwise returns false and does nothing.
    virtual bool analyzeFields(std::span<const FieldToAnalyze> /*fields*/, JobContext& /*job*/) {
        return false;
    }
    virtual bool synthesizeFields(std::span<const FieldToSynthesize> /*fields*/,
                                  JobContext& /*job*/) {
        return false;
    }
    // ShtPlan::weightedSpectra. Returns false and does nothing where coefficients leave the device.
    virtual bool weightedSpectra(std::span<const ConstMapSamples> /*maps*/,
                                 std::span<const double> /*weights*/,
                                 std::vector<std::vector<double>>& /*cl*/, JobContext& /*job*/) {
        return false;
    }
    // Whether analysisLess() may be called.
    virtual bool subtractsLevel() const { return false; }
    // analysis() of spin 0 of one map less `level`, which is subtracted as the samples are read.
    virtual void analysisLess(double /*level*/, const ConstMapSamples& /*map*/, Alm& /*alm*/,
                              JobContext& /*job*/) {
        ARMILLA_ASSERT(subtractsLevel());
    }
    // See ShtPlan::clearsBadSamples.
    virtual bool clearsBadSamples() const { return false; }
    // Whether analyses call `results` before they access the coefficients. Until then the
    // coefficients' memory may be brought in concurrently. If false, the coefficients must exist at
    // the call.
    virtual bool waitsForResults() const { return false; }
    // Waits for the coefficients of the current call; empty: they exist.
    std::function<void()> results;

private:
    ShtParameters parameters_;
    RingGrid grid_;
};

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job);
// Legendre sums on the device of the plan, ring FFTs on the other side, as set by the tuning.
// Throws Unsupported without a CUDA device, OutOfMemory, DeviceError.
std::unique_ptr<ShtBackend> makeMixedBackend(const ShtParameters& parameters, const RingGrid& grid,
                                             const Device& device, JobContext& job);
// A participating CUDA device, with the parameters for this device.
struct CudaPart {
    int device = 0;
    double speed = 1.0;  // relative to the other devices
    ShtParameters parameters;
};
// On one device, or shared among several: batches map by map, and single maps where that pays.
// Throws Unsupported without CUDA in the build, OutOfMemory, DeviceError.
std::unique_ptr<ShtBackend> makeCudaBackend(std::span<const CudaPart> parts, const RingGrid& grid);

}  // namespace armilla
