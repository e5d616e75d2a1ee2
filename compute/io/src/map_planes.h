// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a map that are read, and what memory holds of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/map_io.h"
#include "map_table.h"

namespace armilla {

// Adds a line to the notes, if the reader's caller takes them.
void addNote(const MapReadOptions& options, const std::string& line);
// The planes that the options name; without names all of the first one's nside, with a note on the
// others. Throws IoError for an unknown name, and for planes of different nside.
std::vector<const MapPlane*> selectedPlanes(const FitsFile& file, const MapTable& map,
                                            const MapReadOptions& options);
// The nside that these planes share.
int64_t nsideOf(const MapTable& map, const std::vector<const MapPlane*>& planes);
// Integers up to 16 bits are exact in float; see Field.
bool heldAsFloat(const FitsColumn& column);
std::vector<Field> emptyFields(const std::vector<const MapPlane*>& planes, int64_t elements,
                               JobContext& job);
// Whether doubles hold these whole numbers: beyond 2^53 neighbors are one double.
bool isExact(const double* values, int64_t count);
[[noreturn]] void refuseInexact(const std::string& path, const std::string& column);

}  // namespace armilla
