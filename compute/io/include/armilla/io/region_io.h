// SPDX-License-Identifier: GPL-3.0-or-later
// Region files of SAOImage DS9.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "armilla/core/region.h"

namespace armilla {

// A region with its label.
struct NamedRegion {
    Region region;
    std::string text;  // label; may be empty
};

// Reads circle, ellipse, box, annulus and polygon in the frames icrs, fk5, galactic and ecliptic.
// Sizes have d, r, ' or " (degrees by default); positions are in degrees or sexagesimal; "-"
// excludes.
// - Points, lines, texts and comments are omitted; a file with nothing else gives IoError with the
//   shapes.
// - An annulus of several radii extends from the first to the last.
// - Other shapes (panda, epanda, ...) are omitted if `notes` is given, which receives a line with
//   the names of these shapes; otherwise such shapes give IoError.
// Throws IoError with the line for image and physical coordinates and for malformed numbers.
// Labels are "text={...}" after the # of a region.
std::vector<NamedRegion> readNamedRegions(const std::string& path,
                                          std::vector<std::string>* notes = nullptr);
// Parses the text of a region file. `frame` applies to regions before the first frame word.
std::vector<NamedRegion> parseNamedRegions(const std::string& text, Frame frame = Frame::Unknown,
                                           std::vector<std::string>* notes = nullptr);
// The regions alone.
std::vector<Region> withoutTexts(std::vector<NamedRegion> named);
// DS9 text of regions, in degrees and arcseconds, each in its own frame (icrs for equatorial).
// Throws InvalidArgument for regions without a frame.
std::string regionText(std::span<const NamedRegion> regions, std::span<const std::string> comments);

}  // namespace armilla
