// SPDX-License-Identifier: GPL-3.0-or-later
// Masks: maps of one field, 1 where the sky is good and 0 where it is not, between at soft edges.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/region.h"
#include "core/table.h"

namespace armilla {

// Pixels a mask is made on.
struct MaskGrid {
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
};

// All of these throw InvalidArgument for shapes that do not fit, OutOfMemory, Cancelled. A pixel is
// where its center is. Masks come out full, field MASK, in single precision where they are made,
// and in that of the (first) mask that is changed. Tests: tst_mask.

// In double precision for `type` Float64, else in single.
HealpixMap wholeMask(const MaskGrid& grid, float value, JobContext& job,
                     DiskType type = DiskType::Float32);
// Good where the field is a number from `least` to `most`; not covered pixels are bad.
HealpixMap maskOfValues(const HealpixMap& map, int field, std::optional<double> least,
                        std::optional<double> most, JobContext& job);
// 1 within the regions: in any of them, and in none of the excluding ones that come after.
HealpixMap maskOfRegions(const MaskGrid& grid, std::span<const Region> regions, JobContext& job);
// 1 within `radius` of a row.
HealpixMap maskOfCatalog(const MaskGrid& grid, const Catalog& catalog, double radius,
                         JobContext& job);
// 1 where |latitude| in `frame` is below `latitude`.
HealpixMap maskOfLatitude(const MaskGrid& grid, Frame frame, double latitude, JobContext& job);
// 1 within the cells of a MOC, given as NUNIQ numbers 4^(order+1) + nested pixel: where a cell
// holds the pixel's center, or the pixel the cell's.
HealpixMap maskOfCells(const MaskGrid& grid, Frame cellFrame, std::span<const int64_t> uniq,
                       JobContext& job);

enum class MaskJoin { And, Or };
// The smaller (and) or the larger (or) value of each pixel, `b` looked up at the centers of `a`.
HealpixMap joined(const HealpixMap& a, const HealpixMap& b, MaskJoin join, JobContext& job);
// The value of a pixel by the smaller ones of a mask that it holds: the least, their mean, or
// the value at its center.
enum class MaskChildren { All, Mean, Center };
// A mask on pixels that are not smaller than its own. Without a turn of the frame, and for sides of
// any ratio, the shares of the small pixels are exact. With a turn `All` takes every pixel that
// reaches into the large one by more than 1/128 of its own side, `Mean` the values at points half a
// small pixel apart. Throws InvalidArgument for a mask of larger pixels, or cells of several
// orders.
HealpixMap maskOnLargerPixels(const HealpixMap& mask, const MaskGrid& grid, MaskChildren children,
                              JobContext& job, DiskType type = DiskType::Float32);
HealpixMap invertedMask(const HealpixMap& mask, JobContext& job);

// Angle from each good pixel's center (value above one half) to the nearest center of a bad one, in
// the order of the map; 0 for bad ones, pi where none lies within `limit`. distanceToGood: from bad
// pixels to good ones. Exact to rounding.
std::vector<double> distanceToBad(const HealpixMap& mask, JobContext& job, double limit = kPi);
std::vector<double> distanceToGood(const HealpixMap& mask, JobContext& job, double limit = kPi);

// Bad also within `angle` of what is bad; and good again within `angle` of what is good.
HealpixMap grownMask(const HealpixMap& mask, double angle, JobContext& job);
HealpixMap shrunkMask(const HealpixMap& mask, double angle, JobContext& job);

// From 0 at what is bad to 1 at `angle` from it; x = sqrt((1 - cos theta) / (1 - cos angle)):
// C1: x - sin(2 pi x) / (2 pi), C2: (1 - cos(pi x)) / 2 (J. Grain, M. Tristram & R. Stompor 2009,
// arXiv:0903.2350); Gaussian: 1 - exp(-(3 theta / angle)^2 / 2), which reaches 0.99 there.
enum class Apodization { C1, C2, Gaussian };
// In double precision for `type` Float64, else in single.
HealpixMap apodizedMask(const HealpixMap& mask, double angle, Apodization kind, JobContext& job,
                        DiskType type = DiskType::Float32);
double apodizationAt(Apodization kind, double theta, double angle);

// The mean over all pixels: the share of the sky that is good.
double goodShare(const HealpixMap& mask, JobContext& job);

}  // namespace armilla
