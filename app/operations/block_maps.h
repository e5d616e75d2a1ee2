// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of operations that stay on disk, of which blocks of pixels are read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "armilla/io/pixel_blocks.h"
#include "armilla/operations/files.h"
#include "armilla/operations/operation.h"

namespace armilla {

// A full map in a FITS file without compression.
class MapOnDisk {
public:
    // Null if the file of this input is no such map, or is small. `text`: as for readInput().
    static std::unique_ptr<MapOnDisk> open(const InputSlot& slot, const ParameterSet& parameters,
                                           const std::string& text, const ReadRequest& request,
                                           JobContext& job);

    const std::string& name() const { return name_; }
    const std::string& variable() const { return variable_; }  // NAME of NAME=FILE
    int64_t nside() const { return reader_.outline().nside; }
    Ordering ordering() const { return reader_.outline().like.ordering(); }
    Frame frame() const { return frame_; }
    const HealpixMap& like() const { return reader_.outline().like; }
    int64_t pixels() const { return pixelCount(nside()); }
    int64_t bytes() const;  // memory that all values would take

    MapPartReader& reader() { return reader_; }
    // The input, with a partial map of these pixels; numbers ascend in `ordering`.
    Input block(Ordering ordering, ElementRun pixels, JobContext& job);
    // The input, with a partial map of listed pixels in the ordering of the map.
    Input listed(std::vector<int64_t> pixels, JobContext& job);

private:
    MapOnDisk(const InputSlot& slot, std::string name, const MapReadOptions& options,
              const ReadRequest& request, JobContext& job);
    Input inputOf(Ordering ordering, std::vector<int64_t> pixels, std::vector<Field> fields) const;

    std::string_view slot_;
    std::string name_, variable_, field_;
    bool isPartnered_ = false;  // the second field is read for rotations only
    MapPartReader reader_;
    Frame frame_ = Frame::Unknown;
};

// Values of an output map for one block: its partial map.
struct BlockOutput {
    // Blocks of the output, ascending, and the map of each.
    std::vector<ElementRun> blocks;
    int64_t nside = 0;
    std::function<HealpixMap(size_t block, JobContext& job)> make;
};
// Writes a full map block by block. Throws as writeMap.
void writeBlocks(const BlockOutput& output, const std::string& path, const MapWriteOptions& options,
                 JobContext& job);

}  // namespace armilla
