// SPDX-License-Identifier: GPL-3.0-or-later
// The initial colors of a field, in the window and in figures.
#pragma once

#include <functional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"

namespace armilla {

// The values of a field: a sorted sample, and on demand the range of all.
struct OpeningSample {
    const std::vector<float>& sorted;  // result of sortedSample() (field_sample.h)
    struct Range {
        double least = 0.0, most = 0.0;
    };
    // The range of all values. Called only if the sample does not suffice.
    std::function<Range()> all;
};

// Colors from the values alone.
// - Default: percentiles 1 to 99 of the good pixels.
// - Data of both signs: symmetric about 0 to the shorter tail's extent, so that a bright plane
//   saturates and the sky keeps its contrast.
// - Masks: 0 to 1 in gray.
// - A long tail is compressed.
ColorScale colorsByValues(const OpeningSample& sample);
// Colors that also depend on the field's name: probabilities by credible level, counts from 0;
// otherwise colorsByValues().
ColorScale openingColors(const OpeningSample& sample, const Field& field);
// An image uses percentiles 1 to 99.5, so that a few bright sources do not darken the rest.
ColorScale openingColors(const ImageMesh& mesh);

// Amplitudes, for which 0 is a meaningful lower bound, get sequential colors from 0. Angles get
// cyclic colors from -90 to 90 degrees.
ColorScale amplitudeColors(const OpeningSample& sample);
// Colors of an angle in degrees.
ColorScale angleColors(const OpeningSample& sample);

}  // namespace armilla
