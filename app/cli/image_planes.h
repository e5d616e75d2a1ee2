// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of a cube by the words of a command line.
#pragma once

#include <string>
#include <vector>

#include "core/image.h"

namespace armilla::cli {

// The plane of that name, or number from 1; empty: the first one; counted from 0. Throws
// InvalidArgument for one that is not there.
int planeNamed(const Image& image, const std::string& word);

// The planes of the words, in their order: names, numbers from 1, ranges as "3-5", "all". Throws
// InvalidArgument for one that is not there, or is named twice.
std::vector<int> planesNamed(const Image& image, const std::vector<std::string>& words);

// The image of these planes alone, each with its place on the third axis.
Image withPlanes(Image image, const std::vector<int>& planes);

}  // namespace armilla::cli
