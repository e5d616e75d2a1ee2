// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of a map, and its dipole: fitted, subtracted before a quadrature, added back after it.
//
// A HEALPix quadrature is not exact for a constant: the error of a mean far above the rms of a map
// spreads over all l. A map without bad pixels is therefore analyzed about its mean, which is
// known, and sqrt(4 pi) times the mean is added to a_00.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/ranks.h"
#include "armilla/ops/sample_run.h"

namespace armilla {

// None: a map without bad samples is analyzed about its mean, which is added back; a map with bad
// samples keeps its mean. Monopole, Dipole: the fit to the good samples is subtracted and not added
// back.
enum class Remove { None, Monopole, Dipole };

// monopole + dipole . direction
struct LowMultipoles {
    double monopole = 0.0;
    Vec3 dipole{0.0, 0.0, 0.0};
};

// Weighted sums over the finite samples of a ring: of weights, directions, values and products. The
// z of a direction is the ring's z.
struct MomentsOfRing {
    double samples = 0, n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    double f = 0, ff = 0, fx = 0, fy = 0;
};

// The sums for complete rings of a HEALPix map. One thread sums a ring in a fixed order, and rings
// are added in ring order with compensation (Neumaier). So the bits do not depend on threads, on
// ranks or on devices.
class RingMoments {
public:
    // Mean sums the weights and values only; Dipole adds the sums for the fit of a dipole.
    enum class Reach { Mean, Dipole };
    // `samples`: all rings, in RING order, or the complete rings in `runs`, stored contiguously.
    // `weights`: one for each sample, 0 or more; empty: 1.
    RingMoments(int64_t nside, Reach reach, const ConstMapSamples& samples, JobContext& job);
    RingMoments(int64_t nside, Reach reach, const ConstMapSamples& samples,
                std::span<const SampleRun> runs, std::span<const double> weights, JobContext& job);
    // Collects the rings of all ranks, each of which has summed its own rings. Throws as Ranks.
    void gather(Ranks& ranks, JobContext& job);

    // Number of finite samples.
    int64_t goodSamples() const;
    // Whether every sample of the sphere is finite.
    bool isWhole() const;
    // The mean of the finite samples; NaN where there is none.
    double mean() const;
    double rms() const;  // about the mean
    // Least-squares fit. Remove::Dipole needs Reach::Dipole. Throws InvalidArgument if the samples
    // do not determine the parameters.
    LowMultipoles fit(Remove how) const;

private:
    double sumOf(double MomentsOfRing::*member) const;

    int64_t nside_;
    Reach reach_;
    std::vector<MomentsOfRing> rings_;
};

// Subtracts the fit in place, in double precision.
void subtract(const LowMultipoles& fitted, int64_t nside, const MapSamples& samples,
              std::span<const SampleRun> runs, JobContext& job);

// The mean of a map in RING order, 0 if its sum overflows; none if a sample is bad.
std::optional<double> meanOfWhole(const ConstMapSamples& ring, JobContext& job);

// The part subtracted from a scalar field before its analysis.
struct TakenOut {
    Remove how = Remove::None;
    LowMultipoles fitted;
    bool isWhole = false;          // no sample was bad
    double mean = 0.0, rms = 0.0;  // mean of the good samples before, and their rms about it
    double back = 0.0;  // mean of the good samples before the subtraction, and their rms about it
    // a_00 += sqrt(4 pi) back
    void putBack(Alm& alm) const;
    void putBack(AlmShare& alm) const;
};
// Subtracts the part from a map in RING order (NaN where bad), in place, and returns it.
TakenOut takeOut(Remove how, const MapSamples& ring, JobContext& job);
// The mean that takeOut(Remove::None) would subtract.
TakenOut meanToTakeOut(const ConstMapSamples& ring, JobContext& job);
// takeOut() for a rank's samples of a map of all ranks.
TakenOut takeOut(Remove how, int64_t nside, const MapSamples& own, std::span<const SampleRun> runs,
                 Ranks& ranks, JobContext& job);

// Removes monopole and dipole, fitted by least squares over the finite pixels of a RING map, in
// place. Returns {monopole, dipole x, y, z}. Throws InvalidArgument if the size is not 12 nside^2
// or the finite pixels do not determine the four numbers.
std::array<double, 4> removeMonopoleDipole(int64_t nside, std::span<double> ringMap,
                                           JobContext& job);

}  // namespace armilla
