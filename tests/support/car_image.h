// SPDX-License-Identifier: GPL-3.0-or-later
// Images on rings of 10 degrees, as pixell writes them.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "armilla/core/image.h"
#include "image_cards.h"

namespace armilla::test {

// Pixels of a grid of 10 degrees as pixell writes them: right ascension runs leftward, the
// south row is first.
inline Image carImage(bool hasPoles, bool isPart, int planes) {
    Image image;
    image.width = isPart ? 11 : 36;
    image.height = isPart ? 7 : (hasPoles ? 19 : 18);
    image.frame = Frame::Equatorial;
    image.unit = "uK";
    image.wcsCards = {imageCard("CTYPE1", "'RA---CAR'"),
                      imageCard("CTYPE2", "'DEC--CAR'"),
                      imageCard("CUNIT1", "'deg     '"),
                      imageCard("CUNIT2", "'deg     '"),
                      imageCard("CRPIX1", isPart ? -1.5 : 18.5),
                      imageCard("CRPIX2", (hasPoles ? 10.0 : 9.5) - (isPart ? 4.0 : 0.0)),
                      imageCard("CRVAL1", 5.0),
                      imageCard("CRVAL2", 0.0),
                      imageCard("CDELT1", -10.0),
                      imageCard("CDELT2", 10.0),
                      imageCard("RADESYS", "'ICRS    '")};
    std::vector<double> values;
    for (int k = 0; k < planes; ++k)
        for (int64_t j = 0; j < image.height; ++j)
            for (int64_t i = 0; i < image.width; ++i) {
                const auto x = static_cast<double>(i + (isPart ? 20 : 0));
                const auto y = static_cast<double>(j + (isPart ? 4 : 0));
                const bool isPole = hasPoles && !isPart && (j == 0 || j == 18);
                values.push_back(isPole ? 0.0 : std::sin(1.3 * x + 0.7 * y * y + 0.9 * k));
            }
    image.values = std::move(values);
    image.planes.resize(static_cast<size_t>(planes));
    if (planes == 3) {
        image.axisName = "STOKES";
        image.planes = {{"I", 1.0}, {"Q", 2.0}, {"U", 3.0}};
    }
    return image;
}

}  // namespace armilla::test
