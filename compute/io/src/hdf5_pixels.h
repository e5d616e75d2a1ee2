// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of data sets with pixels, for the sources of the module armilla-hdf5.so. The functions are
// called with libraryLock() held.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdf5_map.h"

namespace armilla {

// False for paths with soft and external links, which may lead to other files.
bool isThere(hid_t file, const std::string& name);
// The lengths of the axes of a data set; empty for other objects.
std::vector<hsize_t> sizesOf(hid_t file, const std::string& name);
std::string unitOf(hid_t set);
// The type of a map's column for numbers of this type.
DiskType diskTypeOf(hid_t type);
// The type of a number or of a logical value of h5py; none for other types.
std::optional<DiskType> columnTypeOf(hid_t type);
// Throws IoError for values in other files and for unsupported compression.
void requireOwnValues(const std::string& path, hid_t set, const std::string& name);
void requirePlanes(const std::string& path, const Hdf5Pixels& to, uint64_t first, uint64_t second);
// None for an empty text. Throws IoError for other words than RING, NESTED and NEST.
std::optional<Ordering> orderingOf(const std::string& path, const std::string& text);

// Reads pixel numbers [first, first + count) of a list. Throws IoError, OutOfMemory.
void readPixelNumbers(const std::string& path, hid_t file, const Hdf5PixelList& list, hsize_t first,
                      hsize_t count, int64_t* out);

// Pixels of a file without one of the known layouts: data sets of 12 NSIDE^2 values along one axis,
// or beside a list of pixel numbers, where an attribute of the data set, of a group above it or of
// the file states NSIDE or PIXTYPE = HEALPIX; or one data set of 12 NSIDE^2 values, alone in its
// file. False for another file.
bool findLabeledPixels(const std::string& path, hid_t file, Hdf5Pixels& to);

// Filters of chunks beyond those of the library: lzf of h5py, and bitshuffle.
void registerFilters();
// Throws IoError for compression that cannot be read, with its name.
void requireFilters(const std::string& path, hid_t set, const std::string& name);

}  // namespace armilla
