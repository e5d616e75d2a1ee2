// SPDX-License-Identifier: GPL-3.0-or-later
// Credible volumes of sky maps with distances (LIGO, Virgo, KAGRA).
#pragma once

#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Fields of a sky map with distances. In a direction the distance r has the probability density
// NORM r^2 N(r; MU, SIGMA), with N the normal distribution (Singer et al. 2016, ApJL 829, L15).
struct DistanceFields {
    int probability = 0;
    int mu = 0, sigma = 0, norm = 0;
};
// The fields DISTMU, DISTSIGMA and DISTNORM beside a field of probabilities; none if one is
// missing.
std::optional<DistanceFields> distanceFields(const HealpixMap& map, int probability);

// The credible volume of a share of the probability: all places whose probability per volume is at
// least a threshold, so that their probability is the share of that of the map. Cells without a
// finite MU, a positive SIGMA and NORM hold no volume, so that a large share may be out of reach;
// all places with a distance are then inside.
class CredibleVolume {
public:
    // Cost: about twenty passes over the map. Throws InvalidArgument as credibleRegions(), and if
    // no cell has a distance.
    CredibleVolume(const HealpixMap& map, const DistanceFields& fields, double share,
                   JobContext& job);

    // Probability per steradian and cube of the unit of distance; 0 where there is none.
    double density(int64_t element, double distance) const;
    bool contains(int64_t element, double distance) const;
    double threshold() const { return threshold_; }
    // Volume in steradian times the cube of the unit of distance.
    double volume() const { return volume_; }
    // Share of the probability in cells without a distance.
    double shareWithout() const { return shareWithout_; }

private:
    // A cell with its probability and area; probability 0: no distance.
    struct Cell {
        double probability = 0.0, area = 0.0, mu = 0.0, sigma = 0.0, norm = 0.0;
        double peak() const;  // largest density along the direction
        // Probability and volume of the distances whose density is at least `density`.
        struct Part {
            double probability = 0.0, volume = 0.0;
        };
        Part above(double density) const;
    };
    Cell::Part above(double density, JobContext& job) const;

    std::vector<Cell> cells_;  // for each element of the map
    double threshold_ = 0.0, volume_ = 0.0, shareWithout_ = 0.0;
};

}  // namespace armilla
