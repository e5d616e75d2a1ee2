// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by devices: each transforms some of its rings, and the sums of the devices are
// added.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

// Weights of an analysis: for each ring, and in addition for each sample (empty: none).
struct QuadratureWeights {
    std::vector<double> ofRings, ofSamples;
};

// A device's part in the transforms of one field, for some rings. `maps`: complete maps on the
// host; only the samples of the device's rings are read or written. Returns the steps' times.
class RingShare {
public:
    virtual ~RingShare() = default;
    virtual ShtSteps synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                               JobContext& job) = 0;
    virtual ShtSteps gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi,
                              JobContext& job) = 0;
    // Sums over the device's rings: of the maps in pass 0; in pass k > 0 of the maps minus the
    // synthesis of `alm`, the current coefficients. The sums stay on the device until collect().
    virtual ShtSteps quadrature(int spin, std::span<const ConstMapSamples> maps,
                                const QuadratureWeights& weights, int pass,
                                std::span<const Alm> alm, JobContext& job) = 0;
    // The sum of squares of the samples in the last quadrature(), before their weights; 0 if the
    // plan does not iterate.
    virtual double squares() const = 0;
    enum class Sum { Set, Add };
    virtual ShtSteps collect(Sum sum, std::span<Alm> alm, JobContext& job) = 0;
};
using MakeRingShare = std::function<std::unique_ptr<RingShare>()>;

// A backend whose maps are shared in this way. Shares run concurrently, are constructed with the
// first transform, and are added in order: the same bits in every run.
struct RingSharesSetup {
    std::string name, remark;  // see ShtBackend
    std::vector<MakeRingShare> shares;
};
std::unique_ptr<ShtBackend> makeRingSharesBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid, RingSharesSetup setup);

// The cost of a ring of the northern half and its image, in terms of Legendre sums. It is the sums
// of all orders with modes there, plus the samples, whose copies and ring transforms also take
// time.
double ringCost(const RingGrid& grid, int lmax, int mmax, int ring);

}  // namespace armilla
