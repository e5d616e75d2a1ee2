// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of a cube as named on a command line.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/image.h"

namespace armilla {

// Index, from 0, of the plane with that name or number from 1; empty: the first. Throws
// InvalidArgument if it is missing.
int planeNamed(const Image& image, const std::string& word);

// Planes of the words, in order: names, numbers from 1, ranges such as "3-5", "all". Throws
// InvalidArgument for one that is missing or named twice.
std::vector<int> planesNamed(const Image& image, const std::vector<std::string>& words);

// Image of these planes only, each with its position on the third axis.
Image withPlanes(Image image, const std::vector<int>& planes);

}  // namespace armilla
