// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by devices: each transforms some of its rings, and sums over all rings add up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sht/plan/sht_backend.h"

namespace armilla {

// Of an analysis: of each ring, and of each sample besides (empty: none).
struct QuadratureWeights {
    std::vector<double> ofRings, ofSamples;
};

// A device's part in the transforms of one field, of some rings. `maps`: whole ones on the host, of
// which it reads or writes the samples of its rings. Returns what it took.
class RingShare {
public:
    virtual ~RingShare() = default;
    virtual ShtSteps synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                               JobContext& job) = 0;
    virtual ShtSteps gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi,
                              JobContext& job) = 0;
    // Sums over its rings: of the maps in pass 0; in pass k > 0 of the same maps less the synthesis
    // of `alm`, the coefficients so far. The sums stay on the device until collect().
    virtual ShtSteps quadrature(int spin, std::span<const ConstMapSamples> maps,
                                const QuadratureWeights& weights, int pass,
                                std::span<const Alm> alm, JobContext& job) = 0;
    // Of the samples that the last quadrature() took, before their weights; 0 if the plan does not
    // iterate.
    virtual double squares() const = 0;
    enum class Sum { Set, Add };
    virtual ShtSteps collect(Sum sum, std::span<Alm> alm, JobContext& job) = 0;
};
using MakeRingShare = std::function<std::unique_ptr<RingShare>()>;

// A backend whose maps are shared that way; shares work side by side, are made with the first
// transform, and are added up in their order: the same bits in every run.
struct RingSharesSetup {
    std::string name, remark;  // as those of ShtBackend
    std::vector<MakeRingShare> shares;
};
std::unique_ptr<ShtBackend> makeRingSharesBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid, RingSharesSetup setup);

// What a ring of the northern half and its image cost, in terms of Legendre sums: those of all
// orders that reach them, and their samples, whose copies and ring transforms take time as well.
double ringCost(const RingGrid& grid, int lmax, int mmax, int ring);

}  // namespace armilla
