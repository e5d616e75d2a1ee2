// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <numeric>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/session/recipe.h"

namespace armilla::test {

// A map with fields of these names; the value of a pixel is its number plus that of the field.
inline std::shared_ptr<const HealpixMap> countingMap(const std::vector<std::string>& names,
                                                     int64_t nside = 4) {
    std::vector<Field> fields;
    for (size_t i = 0; i < names.size(); ++i) {
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        std::iota(values.begin(), values.end(), static_cast<float>(i));
        fields.push_back({names[i], "K", DiskType::Float32, std::move(values)});
    }
    return std::make_shared<HealpixMap>(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
}

inline Recipe opened(const QString& path) {
    Recipe recipe;
    recipe.kind = RecipeKind::Open;
    recipe.path = path;
    return recipe;
}

}  // namespace armilla::test
