// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of matchCatalogs(): rows within chords of a place, by the vector instructions of the
// processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace armilla {

// Offset of a direction from the center of a block, in single precision.
struct NearOffset {
    float x = 0.0F, y = 0.0F, z = 0.0F;
};

// Rows around the center of a block.
struct NearRows {
    // Lanes of the widest vector: arrays are longer by as many elements.
    static constexpr size_t kPadding = 16;

    size_t count = 0;
    std::vector<float> x, y, z;
    std::vector<uint32_t> places;

    // Allocates `most` rows and their padding.
    void reserve(size_t most) {
        if (x.size() >= most + kPadding) return;
        for (auto* axis : {&x, &y, &z}) axis->resize(most + kPadding);
        places.resize(most + kPadding);
    }
    // `count` must be below the reserved number.
    void add(uint32_t place, NearOffset at) {
        x[count] = at.x;
        y[count] = at.y;
        z[count] = at.z;
        places[count++] = place;
    }
    // Rows of the last vector behind the end are farther than any other.
    void pad() {
        for (size_t i = count; i < count + kPadding; ++i) x[i] = y[i] = z[i] = 8.0F;
    }
};

// A limit of squared chords between offsets, with their rounding: squares below `sure` are below
// the limit, squares above `perhaps` are above it.
struct NearLimit {
    float sure = 0.0F, perhaps = 0.0F;
};

// Copies the rows with squared chords from `center` up to `most`, without those between `beyond`
// and `within`. Returns the number of rows between these. Both lists are padded.
size_t keepNear(const NearRows& rows, NearOffset center, float beyond, float within, float most,
                NearRows& kept);

struct NearCount {
    size_t sure = 0, perhaps = 0;  // rows within the limit
    size_t found = 0;              // numbers written
};
// Counts the rows within `limit` of `from`, and writes the numbers of rows with squared chords up
// to `reach` to `found`, a buffer of as many elements as rows.
NearCount countNear(const NearRows& rows, NearOffset from, NearLimit limit, float reach,
                    uint32_t* found);

}  // namespace armilla
