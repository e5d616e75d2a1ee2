// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a map to read, and their types in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "map_table.h"

namespace armilla {

// Pixel numbers and values of a list of pixels.
struct RowData {
    std::vector<int64_t> index;
    std::vector<Field> fields;
    std::vector<std::string> inexact;  // integer columns that double does not hold exactly
};

// Adds a line to the notes, if the caller requested notes.
void addNote(const MapReadOptions& options, const std::string& line);
// The planes named by the options; without names all planes with the first one's nside, and a note
// on the rest. Throws IoError for an unknown name, and for planes of different nside.
std::vector<const MapPlane*> selectedPlanes(const FitsFile& file, const MapTable& map,
                                            const MapReadOptions& options);
// The common nside of these planes.
int64_t nsideOf(const MapTable& map, const std::vector<const MapPlane*>& planes);
// Throws IoError for more fields than a map can have without a choice.
void requireFewFields(const std::string& path, size_t fields);
// Integers up to 16 bits are exact in float; see Field.
bool heldAsFloat(const FitsColumn& column);
bool isHeldAsFloat(DiskType type);
// Fields whose samples have no values yet: the caller sets all of them.
std::vector<Field> emptyFields(const std::vector<const MapPlane*>& planes, int64_t elements,
                               JobContext& job);
// True if doubles hold these integers exactly: adjacent integers beyond 2^53 coincide.
bool isExact(const double* values, int64_t count);
[[noreturn]] void refuseInexact(const std::string& path, const std::string& column);

}  // namespace armilla
