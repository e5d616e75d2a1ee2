// SPDX-License-Identifier: GPL-3.0-or-later
// Small maps for the tests of the session.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"

namespace armilla::test {

inline Field field(const std::string& name, std::vector<float> values,
                   const std::string& unit = "uK") {
    Field made;
    made.name = name;
    made.unit = unit;
    made.values = std::move(values);
    return made;
}

// Gaussian noise of deviation 1, fixed seed, in each field.
inline std::shared_ptr<const HealpixMap> noiseMap(int64_t nside,
                                                  std::vector<std::string> names = {"TEMPERATURE"},
                                                  Frame frame = Frame::Galactic,
                                                  Ordering ordering = Ordering::Ring,
                                                  unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<Field> fields;
    for (const std::string& name : names) {
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (float& value : values) value = normal(random);
        fields.push_back(field(name, std::move(values)));
    }
    return std::make_shared<const HealpixMap>(nside, ordering, frame, std::move(fields));
}

inline std::shared_ptr<const HealpixMap> polarizedMap(int64_t nside,
                                                      Frame frame = Frame::Galactic) {
    return noiseMap(nside, {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}, frame);
}

}  // namespace armilla::test
