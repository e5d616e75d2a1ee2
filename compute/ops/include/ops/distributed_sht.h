// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms over ranks (ops/ranks.h): each holds some orders m of the
// coefficients and some rings of the maps, and nobody holds all.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "core/map_samples.h"
#include "ops/device.h"
#include "ops/ranks.h"
#include "ops/ring_grid.h"
#include "ops/sample_run.h"
#include "ops/sht.h"

namespace armilla {

// The coefficients of one rank: those of some orders m, m-major, each from l = m to lmax.
class AlmShare {
public:
    AlmShare() = default;
    // `orders` ascend.
    AlmShare(int lmax, std::vector<int> orders, const JobContext& job);
    int lmax() const { return lmax_; }
    std::span<const int> orders() const { return orders_; }
    bool has(int m) const;
    // Of an own order; l = m first.
    std::span<std::complex<double>> of(int m);
    std::span<const std::complex<double>> of(int m) const;
    std::vector<std::complex<double>>& values() { return values_; }
    const std::vector<std::complex<double>>& values() const { return values_; }

private:
    int lmax_ = -1;
    std::vector<int> orders_;
    std::vector<int64_t> start_;  // of each m up to the last own one; -1: not here
    std::vector<std::complex<double>> values_;
};

// How what passes between ranks goes.
enum class PassedBy { Messages, SharedMemory, Devices };
// As `--json` has it: "MPI", "shared memory", "NCCL".
const char* nameOf(PassedBy way);

// Seconds of one rank in the steps of the last call; of the two that compute also those of its
// processors, which do not count what others do on a shared machine. On a device sums last until
// the last modes have come, exchanges go on beside them; of those from device to device it is what
// the host spends on them, of those by shared memory the wait for others.
struct RankSteps {
    double legendre = 0.0, fft = 0.0, exchange = 0.0;
    double legendreProcessor = 0.0, fftProcessor = 0.0;
    int64_t deviceBytes = 0;  // that the rank holds on its device, at most
    int64_t bytesSent = 0;    // to others, not by messages of Ranks
    PassedBy passedBy = PassedBy::Messages;
    double share = 0.0;  // of all coefficients, that the rank has
    RankSteps& operator+=(const RankSteps& more) {
        legendre += more.legendre;
        fft += more.fft;
        exchange += more.exchange;
        legendreProcessor += more.legendreProcessor;
        fftProcessor += more.fftProcessor;
        deviceBytes = std::max(deviceBytes, more.deviceBytes);
        bytesSent += more.bytesSent;
        passedBy = std::max(passedBy, more.passedBy);
        share = std::max(share, more.share);
        return *this;
    }
};

// A plan as ShtPlan, of which each rank has its part: made and executed by all ranks, in the same
// order. The results are those of ShtPlan on the CPU to the last bit, for any number of ranks of
// the same instruction set (tests/compute/tst_distributed_sht.cpp), and those of one CUDA device if
// all ranks have devices of one kind (tst_distributed_sht_cuda.cpp). Where some ranks have devices
// and others not, each takes its share by speed, and results depend on the shares by rounding.
// Where each rank has a device of its own, and there is NCCL, what passes goes from device to
// device. Maps and coefficients go to and from the devices with each transform. Memory:
// coefficients, map, and what lies between the two fall as one over the number of ranks; tables are
// of the order of rings and of lmax. A device also works on one slice of orders at a time, of 64
// blocks however many ranks there are: up to a dozen ranks these stay as large as one rank's (7 GB
// at nside 8192). Pixel weights that are not kept are computed by rank 0.
class DistributedSht {
public:
    // Throw as ShtPlan, and as Ranks. `ranks` outlives the plan. `device`: of this rank.
    DistributedSht(const ShtParameters& parameters, Ranks& ranks, JobContext& job,
                   const Device& device = Device::cpu());
    DistributedSht(const RingGrid& grid, const ShtParameters& parameters, Ranks& ranks,
                   JobContext& job, const Device& device = Device::cpu());
    // Another plan for the samples of `like`, of the same nside, where each has them.
    DistributedSht(const ShtParameters& parameters, const DistributedSht& like, JobContext& job);
    ~DistributedSht();
    DistributedSht(DistributedSht&&) noexcept;
    DistributedSht& operator=(DistributedSht&&) noexcept;

    const ShtParameters& parameters() const;
    // The samples of this rank: runs of the whole map, one behind the other in its part.
    const std::vector<SampleRun>& runs() const;
    int64_t sampleCount() const;
    // Of every rank.
    const std::vector<std::vector<SampleRun>>& runsOfRanks() const;
    // The rank of each order 0 .. mmax, and this one's orders.
    const std::vector<int>& ownerOfOrder() const;
    std::vector<int> ownOrders() const;
    AlmShare newAlm(JobContext& job) const { return {parameters().lmax, ownOrders(), job}; }
    // Of all calls so far; of least-squares analyses, the most.
    RankSteps steps() const;
    ShtConvergence convergence() const;

    // As those of ShtPlan, of one field: one set of coefficients and one map for spin 0, two each
    // for spin 1 .. kMaxSpin.
    void synthesis(int spin, std::span<const AlmShare> alm, std::span<const MapSamples> maps,
                   JobContext& job);
    void gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job);
    // With the weights, and the iterations or the tolerance, of the parameters; overwrites `alm`.
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<AlmShare> alm,
                  JobContext& job);
    // The transpose of synthesis.
    void adjointSynthesis(int spin, std::span<const ConstMapSamples> maps, std::span<AlmShare> alm,
                          JobContext& job);

private:
    struct Parts;
    void iterate(int spin, std::span<const ConstMapSamples> maps, std::span<AlmShare> alm,
                 JobContext& job);
    std::unique_ptr<Parts> parts_;
};

// Coefficients of all orders m of some degrees l, l-major as files have them: what is left of an
// exchange of AlmShares.
struct DegreeShare {
    int lmax = -1, mmax = -1;
    int begin = 0, end = 0;                    // degrees
    std::vector<std::complex<double>> values;  // (l, m) at place(l) + m
    int64_t place(int l) const { return before(l, mmax) - before(begin, mmax); }
    // Coefficients of the degrees below l.
    static int64_t before(int64_t l, int64_t mmax) {
        return l <= mmax + 1 ? l * (l + 1) / 2
                             : (mmax + 1) * (mmax + 2) / 2 + (l - mmax - 1) * (mmax + 1);
    }
};
// Bounds of the degrees of each rank, of about equal numbers of coefficients: ranks + 1 of them.
std::vector<int> degreeBounds(int lmax, int mmax, int ranks);
DegreeShare toDegrees(const AlmShare& alm, const std::vector<int>& ownerOfOrder, Ranks& ranks,
                      JobContext& job);

}  // namespace armilla
