// SPDX-License-Identifier: GPL-3.0-or-later
// Content of a figure over its colors, which a command and the window make alike: contours of a
// field and places of a catalog.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_places.h"
#include "armilla/core/table.h"

namespace armilla {

// A value of the field, or a share of its sum.
struct ContourLevel {
    double number = 0.0;
    bool isShare = false;
};
// Levels of words such as "0.5", "90%" and "credible" (50 % and 90 %). Throws InvalidArgument.
std::vector<ContourLevel> contourLevels(const std::vector<std::string>& words);

struct Contour {
    ContourLevel level;
    double value = 0.0;  // unit of the map; infinite for a region without a pixel
    double area = 0.0;   // sr, of the region of a share
};
// Throws InvalidArgument for shares of a field that is neither of probabilities nor of counts.
std::vector<Contour> contoursOf(const HealpixMap& map, int field,
                                const std::vector<ContourLevel>& levels, JobContext& job);
// Contours that can be drawn, in the order of the levels.
std::vector<double> contourValues(const std::vector<Contour>& contours);
// "Contours: 50 %, 0.25", below a figure. Empty without contours.
std::string contourText(const std::vector<Contour>& contours);
// "50 % in 12.3 deg²" of each share; empty without shares.
std::string contourAreas(const std::vector<Contour>& contours);

// Directions of the rows with a position, in `frame`, without a copy of all of them. An unknown
// frame counts as the other one.
std::shared_ptr<const SkyPlaces> markedPlaces(std::shared_ptr<const Catalog> catalog, Frame frame,
                                              JobContext& job);

}  // namespace armilla
