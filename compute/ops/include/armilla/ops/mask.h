// SPDX-License-Identifier: GPL-3.0-or-later
// Masks: maps of one field, 1 where the sky is good, 0 where it is bad, and between at soft edges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/region.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/table.h"

namespace armilla {

// The pixels of a new mask.
struct MaskGrid {
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
};

// All functions below throw InvalidArgument for sizes that do not fit, OutOfMemory, Cancelled. A
// pixel's position is its center. Results are full maps with one field MASK. A new mask has single
// precision; a changed mask has the precision of the (first) input. Tests: tst_mask.

// A mask of one value. Double precision for `type` Float64, else single.
HealpixMap wholeMask(const MaskGrid& grid, float value, JobContext& job,
                     DiskType type = DiskType::Float32);
// Good where the field is a number from `least` to `most`; pixels that are not covered are bad.
HealpixMap maskOfValues(const HealpixMap& map, int field, std::optional<double> least,
                        std::optional<double> most, JobContext& job);
// 1 for pixels that are in any region and in no excluding region that comes later in the list.
HealpixMap maskOfRegions(const MaskGrid& grid, std::span<const Region> regions, JobContext& job);
// 1 within `radius` (radians) of a catalog row's position.
HealpixMap maskOfCatalog(const MaskGrid& grid, const Catalog& catalog, double radius,
                         JobContext& job);
// The mask with 0 where |latitude| in `frame` is below `latitude` (radians), in place. Ring by ring
// where the rings of the mask are those of the frame.
HealpixMap withoutLatitudes(HealpixMap mask, Frame frame, double latitude, JobContext& job);
// 1 within the cells of a MOC, given as NUNIQ numbers 4^(order+1) + nested pixel. A pixel is inside
// if a cell contains its center, or if the pixel contains the center of a cell.
HealpixMap maskOfCells(const MaskGrid& grid, Frame cellFrame, std::span<const int64_t> uniq,
                       JobContext& job);

// The values of a field of a full or partial map as weights: 0 where they are bad, negative or
// absent. Double precision for `type` Float64, else single.
HealpixMap maskOfWeights(const HealpixMap& map, int field, JobContext& job,
                         DiskType type = DiskType::Float32);

enum class MaskJoin { And, Or };
// The smaller (And) or the larger (Or) value of each pixel; `b` is read at the centers of `a`.
HealpixMap joined(const HealpixMap& a, const HealpixMap& b, MaskJoin join, JobContext& job);
// The value of a pixel from the smaller mask pixels inside it: the smallest value, their mean, or
// the value at the pixel's center.
enum class MaskChildren { All, Mean, Center };
// A mask on pixels that are not smaller than its own. Without a rotation, and for pixel sizes of
// any ratio, the fractions of the small pixels are exact. With a rotation, `All` takes every small
// pixel that reaches into the large pixel by more than 1/128 of the small side. `Mean` takes the
// values at points half a small pixel apart. Throws InvalidArgument for a mask of larger pixels and
// for multi-order maps.
HealpixMap maskOnLargerPixels(const HealpixMap& mask, const MaskGrid& grid, MaskChildren children,
                              JobContext& job, DiskType type = DiskType::Float32);
// 1 minus each value; 1 for values that are not finite.
HealpixMap invertedMask(const HealpixMap& mask, JobContext& job);

// Angle (radians) from each good pixel's center (value above one half) to the nearest center of a
// bad pixel, in the map's order. 0 for bad pixels, pi if none lies within `limit`. distanceToGood:
// from bad pixels to good ones. Exact to rounding.
std::vector<double> distanceToBad(const HealpixMap& mask, JobContext& job, double limit = kPi);
std::vector<double> distanceToGood(const HealpixMap& mask, JobContext& job, double limit = kPi);

// grownMask(): bad also within `angle` (radians) of bad pixels. shrunkMask(): good again within
// `angle` of good pixels.
HealpixMap grownMask(const HealpixMap& mask, double angle, JobContext& job);
HealpixMap shrunkMask(const HealpixMap& mask, double angle, JobContext& job);

// A mask without its small holes.
struct FilledHoles {
    HealpixMap mask;
    int64_t holes = 0, pixels = 0;  // filled
};
// Sets the pixels of each hole smaller than `area` (sr) to 1. A hole is a set of bad pixels (not
// above one half) connected through their up to eight neighbors. Test: tst_cli_regions.
FilledHoles filledHoles(HealpixMap mask, double area, JobContext& job);

// Apodization from 0 at a bad pixel to 1 at `angle` from it; x = sqrt((1 - cos theta) / (1 - cos
// angle)):
// - C1: x - sin(2 pi x) / (2 pi) and C2: (1 - cos(pi x)) / 2 (J. Grain, M. Tristram & R. Stompor
//   2009, arXiv:0903.2350)
// - Gaussian: 1 - exp(-(3 theta / angle)^2 / 2), which reaches 0.99 at `angle`
enum class Apodization { C1, C2, Gaussian };
// `angle` in radians. Double precision for `type` Float64, else single.
HealpixMap apodizedMask(const HealpixMap& mask, double angle, Apodization kind, JobContext& job,
                        DiskType type = DiskType::Float32);
// The apodization function at `theta` from the nearest bad pixel; radians.
double apodizationAt(Apodization kind, double theta, double angle);

// Changes at the edges of a mask, made in this order; radians.
struct MaskEdges {
    std::optional<double> shrink, grow, apodize;
    Apodization apodization = Apodization::C2;
};
// The mask after shrunkMask(), grownMask() and apodizedMask(), as far as they are given.
HealpixMap maskWithEdges(const HealpixMap& mask, const MaskEdges& edges, JobContext& job,
                         DiskType type = DiskType::Float32);
// A disc of the sky in the frame of a mask, and the resolution of its pixels.
struct MaskDisc {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;  // radians
    int64_t nside = 0;
};
// maskWithEdges() in a disc: a partial map in RING order. Equal bits if the disc has the nside of
// the mask; else from the values of the mask at the centers of the disc's pixels. The cost grows
// with the disc and the angles of the edges, not with the sky.
HealpixMap maskWithEdgesIn(const MaskDisc& disc, const HealpixMap& mask, const MaskEdges& edges,
                           JobContext& job, DiskType type = DiskType::Float32);

// The mean over all pixels: the fraction of the sky that is good.
double goodShare(const HealpixMap& mask, JobContext& job);

}  // namespace armilla
