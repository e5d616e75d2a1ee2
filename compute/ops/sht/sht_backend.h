// SPDX-License-Identifier: GPL-3.0-or-later
// What a transform backend supplies: one coarse call for each transform. sht.cpp has checked all
// shapes before.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "ops/sht.h"

namespace armilla {

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
    virtual ShtSteps steps() const = 0;
    // Host memory that a pass of an analysis of one or two maps would allocate now, in bytes.
    virtual int64_t analysisBytes(int maps) const = 0;

    virtual void synthesis(const Alm& alm, std::span<double> map, JobContext& job) = 0;
    // Spin 2: E and B to Q and U.
    virtual void synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                               std::span<double> u, JobContext& job) = 0;
    virtual void gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                          JobContext& job) = 0;
    // Weights and iterations included; `alm`, `e`, `b` come in zeroed.
    virtual void analysis(std::span<const double> map, Alm& alm, JobContext& job) = 0;
    virtual void analysisSpin(int spin, std::span<const double> q, std::span<const double> u,
                              Alm& e, Alm& b, JobContext& job) = 0;

private:
    ShtParameters parameters_;
    RingGrid grid_;
};

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job);
// Throws Unsupported where there is no CUDA in the build, OutOfMemory, DeviceError.
std::unique_ptr<ShtBackend> makeCudaBackend(const ShtParameters& parameters, const RingGrid& grid,
                                            int device);

}  // namespace armilla
