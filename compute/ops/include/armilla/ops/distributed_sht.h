// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms over ranks (armilla/ops/ranks.h). Each rank holds some orders m of
// the coefficients and some rings of the maps; no rank holds all.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/ops/device.h"
#include "armilla/ops/ranks.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sample_run.h"
#include "armilla/ops/sht.h"

namespace armilla {

// The coefficients of one rank: some orders m, m-major, each from l = m to lmax.
class AlmShare {
public:
    AlmShare() = default;
    // `orders` in ascending order. Throws OutOfMemory.
    AlmShare(int lmax, std::vector<int> orders, const JobContext& job);
    int lmax() const { return lmax_; }
    // The orders of this share, in ascending order.
    std::span<const int> orders() const { return orders_; }
    bool has(int m) const;
    // The coefficients of order m, which this rank must own; l = m first.
    std::span<std::complex<double>> of(int m);
    std::span<const std::complex<double>> of(int m) const;
    // The coefficients of all orders, contiguous.
    std::vector<std::complex<double>>& values() { return values_; }
    const std::vector<std::complex<double>>& values() const { return values_; }

private:
    int lmax_ = -1;
    std::vector<int> orders_;
    std::vector<int64_t> start_;  // start of each m up to the last own one; -1: another rank's
    std::vector<std::complex<double>> values_;
};

// How data passes between ranks.
enum class ExchangedBy { Messages, SharedMemory, Devices };
// The name in `--json` output: "MPI", "shared memory", "NCCL".
const char* nameOf(ExchangedBy strategy);

// Seconds of one rank in the steps of the last call. The Processor times of the two computing steps
// count this process only, not other processes of a shared machine.
// - On a device, the sums last until the last modes have arrived, because exchanges run at the same
//   time.
// - Exchanges from device to device count the host's time.
// - Exchanges by shared memory count the wait for other ranks.
struct RankSteps {
    double legendre = 0.0, fft = 0.0, exchange = 0.0;
    double legendreProcessor = 0.0, fftProcessor = 0.0;
    int64_t deviceBytes = 0;  // peak of the rank's device memory
    int64_t bytesSent = 0;    // sent to other ranks, without messages of Ranks
    ExchangedBy exchangedBy = ExchangedBy::Messages;
    double share = 0.0;  // fraction of all coefficients that this rank owns
    RankSteps& operator+=(const RankSteps& more) {
        legendre += more.legendre;
        fft += more.fft;
        exchange += more.exchange;
        legendreProcessor += more.legendreProcessor;
        fftProcessor += more.fftProcessor;
        deviceBytes = std::max(deviceBytes, more.deviceBytes);
        bytesSent += more.bytesSent;
        exchangedBy = std::max(exchangedBy, more.exchangedBy);
        share = std::max(share, more.share);
        return *this;
    }
};

// The distributed counterpart of ShtPlan, created and executed by all ranks in the same order.
//
// Results: those of ShtPlan on the CPU to the last bit, for any number of ranks of the same
// instruction set (tests/compute/tst_distributed_sht.cpp). If all ranks have devices of one kind,
// those of one CUDA device (tst_distributed_sht_cuda.cpp). If only some ranks have devices, each
// rank's work is proportional to its speed, and results depend on the partition by rounding.
//
// Exchange: if each rank has a device of its own and NCCL is present, data goes from device to
// device. Maps and coefficients are copied to and from the devices with each transform.
//
// Memory: coefficients, map and the intermediate modes fall as one over the number of ranks; tables
// are of the order of rings and of lmax. A device processes one slice of orders at a time, of 64
// blocks however many ranks there are. Up to a dozen ranks these blocks stay as large as one rank's
// (7 GB at nside 8192). Pixel weights that are not in the cache are computed by rank 0.
class DistributedSht {
public:
    // Both constructors throw as ShtPlan and as Ranks. `ranks` must outlive the plan; `device` is
    // this rank's.
    DistributedSht(const ShtParameters& parameters, Ranks& ranks, JobContext& job,
                   const Device& device = Device::cpu());
    // A plan on any grid, as in ShtPlan.
    DistributedSht(const RingGrid& grid, const ShtParameters& parameters, Ranks& ranks,
                   JobContext& job, const Device& device = Device::cpu());
    // A plan of other parameters for the same nside, with the partition of samples of `like`.
    DistributedSht(const ShtParameters& parameters, const DistributedSht& like, JobContext& job);
    ~DistributedSht();
    DistributedSht(DistributedSht&&) noexcept;
    DistributedSht& operator=(DistributedSht&&) noexcept;

    // The parameters with the defaults filled in.
    const ShtParameters& parameters() const;
    // The samples of this rank: runs of the whole map, stored contiguously in the rank's part.
    const std::vector<SampleRun>& runs() const;
    // The number of samples of this rank.
    int64_t sampleCount() const;
    // The runs of every rank, by rank.
    const std::vector<std::vector<SampleRun>>& runsOfRanks() const;
    // The rank that owns each order 0 .. mmax.
    const std::vector<int>& ownerOfOrder() const;
    // The orders of this rank, in ascending order.
    std::vector<int> ownOrders() const;
    // Coefficients of this rank's orders. Throws OutOfMemory.
    AlmShare newAlm(JobContext& job) const { return {parameters().lmax, ownOrders(), job}; }
    // Steps of all calls so far.
    RankSteps steps() const;
    // The most steps and the largest residual of all least-squares analyses so far.
    ShtConvergence convergence() const;

    // The same as ShtPlan::synthesis, for one field: one set of coefficients and one map for spin
    // 0, two each for spin 1 .. kMaxSpin.
    void synthesis(int spin, std::span<const AlmShare> alm, std::span<const MapSamples> maps,
                   JobContext& job);
    // The derivatives d/dtheta and 1/sin(theta) d/dphi, in units of the map per radian.
    void gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job);
    // Analysis with the weights, and the iterations or the tolerance, of the parameters. Overwrites
    // `alm`.
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

// Coefficients of all orders m for a range of degrees l, l-major as in files: the result of an
// exchange of AlmShares.
struct DegreeShare {
    int lmax = -1, mmax = -1;
    int begin = 0, end = 0;                    // degrees from `begin` to `end` - 1
    std::vector<std::complex<double>> values;  // (l, m) at place(l) + m
    int64_t place(int l) const { return before(l, mmax) - before(begin, mmax); }
    // Number of coefficients of the degrees below l.
    static int64_t before(int64_t l, int64_t mmax) {
        return l <= mmax + 1 ? l * (l + 1) / 2
                             : (mmax + 1) * (mmax + 2) / 2 + (l - mmax - 1) * (mmax + 1);
    }
};
// The ranks + 1 bounds of the ranks' degrees, with about equal numbers of coefficients.
std::vector<int> degreeBounds(int lmax, int mmax, int ranks);
// Exchanges coefficients: from some orders of all degrees to all orders of this rank's degrees.
// Throws as Ranks.
DegreeShare toDegrees(const AlmShare& alm, const std::vector<int>& ownerOfOrder, Ranks& ranks,
                      JobContext& job);

}  // namespace armilla
