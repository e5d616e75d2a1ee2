// SPDX-License-Identifier: GPL-3.0-or-later
// The colors that a field opens with, in the window and in figures.
#pragma once

#include <functional>
#include <vector>

#include "core/healpix_map.h"
#include "render/color_scale.h"
#include "render/image_mesh.h"

namespace armilla {

// The values of a field: a sorted sample, and the range of all on demand.
struct OpeningSample {
    const std::vector<float>& sorted;  // as sortedSample() makes it (field_sample.h)
    struct Range {
        double least = 0.0, most = 0.0;
    };
    // The range of all values. Called only where the sample does not suffice.
    std::function<Range()> all;
};

// By the values alone. Percentiles 1 to 99 of the good pixels; for data of both signs, symmetric
// about 0 as far as the quieter tail reaches, so that a bright plane saturates and the sky keeps
// its contrast; a mask from 0 to 1 in gray. A long tail is compressed.
ColorScale colorsByValues(const OpeningSample& sample);
// By what the field is called, too: probabilities by credible level, counts from 0; else
// colorsByValues().
ColorScale openingColors(const OpeningSample& sample, const Field& field);
// An image takes percentiles 1 to 99.5, so that a few bright sources do not darken the rest.
ColorScale openingColors(const ImageMesh& mesh);

// An amplitude, which has a zero that means something and nothing to diverge from: from 0 in
// sequential colors. An angle: from -90 to 90 degrees in cyclic ones.
ColorScale amplitudeColors(const OpeningSample& sample);
ColorScale angleColors(const OpeningSample& sample);

// Probability per pixel or per steradian, by its unit and name.
bool isProbability(const Field& field);

}  // namespace armilla
