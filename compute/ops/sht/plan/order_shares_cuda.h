// SPDX-License-Identifier: GPL-3.0-or-later
// One transform shared by the CUDA devices of a host: each sums over the latitudes and degrees of
// some orders m, and transforms some rings of all orders; between the two lies one exchange, slice
// by slice of orders, beside the sums of the next slice. Two implementations:
// order_shares_cuda.cpp, and ring_transform_absent.cpp for builds without CUDA.
//
// Who does what is dealt by cost (work_shares.h). A synthesis sends F_m at the latitudes summed at,
// which whoever has the rings interpolates; an analysis sends F_m of rings, spread over latitudes
// where they are summed. Only orders that a latitude sees are sent. An order is summed, and a ring
// is transformed, on one device in the blocks in which CudaRingTransform does: the same bits as on
// one device, where the devices are alike (rings of one length by cuFFT may differ by rounding).
// Maps, coefficients, recurrences and what passes fall as one over the number of devices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/cuda_array.h"
#include "ops/ring_grid.h"
#include "ops/sht.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// Of the last transform, in seconds: of the slowest device; of the busiest way between two.
struct CudaSharedSteps {
    double legendre = 0.0, fft = 0.0, exchange = 0.0;
    int64_t exchangedBytes = 0;
};

// A device may stand in the list more than once.
struct CudaSharing {
    std::vector<int> devices;
    std::vector<double> speeds;  // relative to each other
    CudaTransformShape shape;    // the same for all
    BetweenDevices way = BetweenDevices::PeerCopies;
};

class CudaOrderShares {
public:
    // A map or a set of coefficients: its part on each device.
    using Arrays = std::vector<CudaArray>;

    // Throws as CudaRingTransform. Of more devices than there are tiles of orders or of rings the
    // last ones have no share.
    CudaOrderShares(const RingGrid& grid, int lmax, int mmax, const CudaSharing& sharing);
    ~CudaOrderShares();
    CudaOrderShares(CudaOrderShares&&) noexcept;
    CudaOrderShares& operator=(CudaOrderShares&&) noexcept;

    size_t count() const;
    int device(size_t share) const;
    // The rings of a share, which lie one after the other in its part of a map.
    const RingWindow& rings(size_t share) const;
    // The runs of the values of Alm that make its part of coefficients.
    const std::vector<SampleRun>& orders(size_t share) const;
    Arrays newMap() const;
    Arrays newCoefficients() const;

    // One map of spin 0, or the two of a spin.
    void synthesis(int spin, std::span<const Arrays> alm, std::span<Arrays> maps, JobContext& job);
    // Throws InvalidArgument for grids with poles.
    void gradient(const Arrays& alm, Arrays& dTheta, Arrays& dPhi, JobContext& job);
    // Adds to `alm`; spoils the maps. `weights`: one for each ring of the whole grid.
    void adjoint(int spin, std::span<Arrays> maps, std::span<const double> weights,
                 std::span<Arrays> alm, JobContext& job);

    // Of the tables and working memory of a share.
    int64_t deviceBytes(size_t share) const;
    // Whether all ways between devices are peer copies.
    bool copiesBetweenPeers() const;
    const CudaSharedSteps& steps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
