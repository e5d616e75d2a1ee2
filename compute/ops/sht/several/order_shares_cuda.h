// SPDX-License-Identifier: GPL-3.0-or-later
// One transform shared by the CUDA devices of a host. Each device sums over the latitudes and
// degrees of some orders m, and transforms some rings of all orders. Between these steps there is
// one exchange, slice by slice of orders, which overlaps with the sums of the next slice. Two
// implementations: order_shares_cuda.cpp, and ring_transform_absent.cpp for builds without CUDA.
//
// The work is partitioned by cost (work_shares.h). A synthesis sends F_m at the latitudes of the
// sums, and the owner of the rings interpolates. An analysis sends F_m of rings, and the owner of
// the orders distributes them over latitudes. Only orders with modes at a latitude are sent.
//
// An order is summed, and a ring is transformed, on one device in the same blocks as in
// CudaRingTransform. So the bits are those of one device if the devices are of one kind (rings of
// one length by cuFFT may differ by rounding). Maps, coefficients, recurrences and exchanged data
// fall as one over the number of devices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/device/cuda_array.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sht.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// Seconds of the last transform: of the slowest device, and of the busiest link between two.
struct CudaSharedSteps {
    double legendre = 0.0, fft = 0.0, exchange = 0.0;
    int64_t exchangedBytes = 0;
};

// A device may appear in the list more than once.
struct CudaSharing {
    std::vector<int> devices;
    std::vector<double> speeds;  // relative to each other
    CudaTransformShape shape;    // the same for all devices
    BetweenDevices strategy = BetweenDevices::PeerCopies;
};

class CudaOrderShares {
public:
    // A map or a set of coefficients: one array for the part of each device.
    using Arrays = std::vector<CudaArray>;

    // Throws as CudaRingTransform. If there are more devices than tiles of orders or of rings, the
    // last devices have no share.
    CudaOrderShares(const RingGrid& grid, int lmax, int mmax, const CudaSharing& sharing);
    ~CudaOrderShares();
    CudaOrderShares(CudaOrderShares&&) noexcept;
    CudaOrderShares& operator=(CudaOrderShares&&) noexcept;

    size_t count() const;
    int device(size_t share) const;
    // The rings of a share, which are contiguous in its part of a map.
    const RingWindow& rings(size_t share) const;
    // The runs of values of Alm in the share's part of the coefficients.
    const std::vector<SampleRun>& orders(size_t share) const;
    Arrays newMap() const;
    Arrays newCoefficients() const;

    // One map of spin 0, or the two maps of a spin.
    void synthesis(int spin, std::span<const Arrays> alm, std::span<Arrays> maps, JobContext& job);
    // Throws InvalidArgument for grids with poles.
    void gradient(const Arrays& alm, Arrays& dTheta, Arrays& dPhi, JobContext& job);
    // Adds to `alm`; overwrites the maps. `weights`: one for each ring of the complete grid.
    void adjoint(int spin, std::span<Arrays> maps, std::span<const double> weights,
                 std::span<Arrays> alm, JobContext& job);

    // Bytes of the tables and working memory of a share.
    int64_t deviceBytes(size_t share) const;
    // Whether all links between devices are peer copies.
    bool copiesBetweenPeers() const;
    const CudaSharedSteps& steps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
