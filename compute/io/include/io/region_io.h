// SPDX-License-Identifier: GPL-3.0-or-later
// Region files of SAOImage DS9.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/region.h"

namespace armilla {

// circle, ellipse, box, annulus and polygon in the frames icrs, fk5, galactic and ecliptic; sizes
// with d, r, ' or " (degrees without), positions in degrees or sexagesimal; "-" excludes; points,
// lines, texts and comments are left out. Annuli of several radii are taken from the first to the
// last. With `notes`, which receives a line that names what was left out, other shapes (panda,
// epanda, ...) are left out, too. Throws IoError naming the line: other shapes without `notes`,
// image and physical coordinates, numbers that are none; and
// naming the shapes where all of them are such as are left out.
std::vector<Region> readRegions(const std::string& path, std::vector<std::string>* notes = nullptr);
std::vector<Region> parseRegions(const std::string& text);

struct NamedRegion {
    Region region;
    std::string text;  // beside it; empty: none
};
// The same with "text={...}" behind their #. `frame`: of regions before the first word of a frame.
std::vector<NamedRegion> readNamedRegions(const std::string& path,
                                          std::vector<std::string>* notes = nullptr);
std::vector<NamedRegion> parseNamedRegions(const std::string& text, Frame frame = Frame::Unknown,
                                           std::vector<std::string>* notes = nullptr);
// In degrees and arc seconds, each in its own frame (icrs for equatorial). Throws InvalidArgument
// for regions without a frame.
std::string regionText(std::span<const NamedRegion> regions, std::span<const std::string> comments);

}  // namespace armilla
