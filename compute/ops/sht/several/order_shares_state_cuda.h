// SPDX-License-Identifier: GPL-3.0-or-later
// State of CudaOrderShares, for the files that plan the shares and execute them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sht/plan/ring_transform_plan_cuda.h"
#include "sht/several/device_link_cuda.h"
#include "sht/several/order_shares_cuda.h"
#include "sht/several/row_exchange.h"

namespace armilla {

struct CudaOrderShares::State {
    using Plan = CudaRingTransform::Plan;

    // The rows that one link transfers, and their positions on both sides.
    struct Packing {
        RowExchange what;
        cuda::DeviceBuffer<int64_t> from, to;  // for each slot of each slice

        // The rows of the run that contains `latitude`, indexed by the numbers of latitudes.
        cuda::ModeRows rows(cuda::PairModes* packed, bool sender, size_t slice, size_t component,
                            int latitude) const {
            const cuda::DeviceBuffer<int64_t>& at = sender ? from : to;
            return {packed + static_cast<int64_t>(component) * what.totals[slice] +
                        what.shiftOf(latitude),
                    0, at.data() + slice * static_cast<size_t>(what.slots)};
        }
    };
    struct Link {
        size_t from = 0, to = 0;
        std::unique_ptr<cuda::DeviceLink> path;
    };
    // For a spin and a number of maps: tables of each share, packing of each link.
    struct Passing {
        std::vector<SpinTables*> tables;
        std::vector<Packing> synthesis, analysis;
        size_t steps = 0;  // largest number of slices of a share
    };
    // The maps or coefficients of a call, for one share.
    struct Call {
        int spin = 0;
        cuda::ScalarSource source = cuda::ScalarSource::Plain;
        std::vector<std::vector<cuda::DeviceAlm>> alm;  // for each share
        std::vector<std::vector<double*>> maps;
    };

    State(const RingGrid& grid, int lmax, int mmax, const CudaSharing& sharing);
    std::vector<CudaOrderShare> partition(const RingGrid& grid, int lmax, int mmax,
                                          const CudaSharing& sharing);
    void makeLinks(BetweenDevices strategy);
    void noteOrders();

    Passing& passingFor(int spin, int parts);
    Packing packing(const Link& link, RowExchange what) const;

    template <typename Launch>
    void inSteps(size_t count, std::string_view stage, JobContext& job, const Launch& launch);
    void synthesize(const Call& call, JobContext& job);
    void accumulate(const Call& call, JobContext& job);
    void sendLatitudes(Passing& passing, const Call& call, size_t share, size_t slice);
    void takeLatitudes(Passing& passing, const Call& call, size_t share, size_t slice);
    void sendRings(Passing& passing, const Call& call, size_t slice);
    void takeRings(Passing& passing, const Call& call, size_t share, size_t slice);
    void launchRings(const Passing& passing, const Call& call, size_t component, bool toSamples);
    void startCall();
    void noteSteps(size_t sumsFrom, size_t sumsTo, size_t all);

    size_t count() const { return plans.size(); }
    bool has(const Passing& passing, size_t share, size_t slice) const {
        return slice < passing.tables[share]->slices.size();
    }
    const cuda::OrderSlice& sliceOf(const Passing& passing, size_t share, size_t slice) const {
        return passing.tables[share]->slices[slice];
    }

    bool hasPoles = false;
    std::vector<std::unique_ptr<Plan>> plans;
    std::vector<RingWindow> rings;
    std::vector<std::vector<SampleRun>> orders;
    std::vector<Link> links;
    std::vector<cuda::Event> received;  // for each share, all latitudes of a synthesis
    // For each component: F_m of all rings for a slice of orders, if latitudes are interpolated.
    std::vector<std::array<cuda::DeviceBuffer<cuda::PairModes>, 2>> ringModes;
    std::map<std::pair<int, int>, Passing> passings;
    CudaSharedSteps steps;
};

}  // namespace armilla
