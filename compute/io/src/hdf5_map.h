// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in HDF5 files of TOAST, SkyH5 (pyradiosky), cora and draco, recognized by their
// groups and attributes, and in other files whose attributes state NSIDE.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "map_planes.h"

namespace armilla {

struct Hdf5Plane {
    std::string name;
    std::array<uint64_t, 2> at{};  // positions on the axes other than the pixels
    std::string dataSet = {};      // instead of Hdf5Pixels::dataSet, with type and unit of its own
    std::string member = {};       // in a data set of records
    DiskType type = DiskType::Float64;
    std::string unit = {};
    int axes = 1;
    bool arePixelsFirst = false;  // the first axis counts pixels, not the last one
};

// The pixel number of each value: a data set, or a member of its records.
struct Hdf5PixelList {
    std::string dataSet;  // empty: all pixels in order
    std::string member;

    bool operator==(const Hdf5PixelList&) const = default;
};

// The module keeps chunks of one data set at a time.
inline constexpr size_t kHdf5CacheBytes = size_t{64} << 20;

// Data sets of one to three axes, of which one counts pixels.
struct Hdf5Pixels {
    std::string dataSet;
    Hdf5PixelList list;
    int axes = 1;
    int64_t pixels = 0;
    int64_t nside = 0;
    std::optional<Ordering> ordering;  // none if the format does not state it
    Frame frame = Frame::Unknown;
    bool iau = false;
    std::string unit;
    DiskType type = DiskType::Float64;
    std::vector<Hdf5Plane> planes;
    std::vector<std::string> notes;  // assumptions and omissions, each in one line

    DiskType typeOf(const Hdf5Plane& plane) const {
        return plane.dataSet.empty() ? type : plane.type;
    }
    const std::string& unitOf(const Hdf5Plane& plane) const {
        return plane.dataSet.empty() ? unit : plane.unit;
    }
};

// The functions of the module armilla-hdf5.so for maps. The first returns false for a file without
// HEALPix pixels, and throws IoError for contradictory ones.
using ArmillaFindHdf5Pixels = bool (*)(const std::string& path, Hdf5Pixels& found);
using ArmillaReadHdf5Pixels = void (*)(const std::string& path, const Hdf5Pixels& from,
                                       const std::vector<size_t>& planes, JobContext& job,
                                       RowData& data);
extern "C" bool armillaFindHdf5Pixels(const std::string& path, Hdf5Pixels& found);
extern "C" void armillaReadHdf5Pixels(const std::string& path, const Hdf5Pixels& from,
                                      const std::vector<size_t>& planes, JobContext& job,
                                      RowData& data);

// True if the HDF5 file declares HEALPix pixels, even those that readHdf5Map() refuses.
bool isHdf5Map(const std::string& path);
// Throws IoError, InvalidArgument.
FileSummary inspectHdf5Map(const std::string& path, const StatedPixels& stated);
// Throws also OutOfMemory, Cancelled.
HealpixMap readHdf5Map(const std::string& path, const MapReadOptions& options, JobContext& job);

}  // namespace armilla
