// SPDX-License-Identifier: GPL-3.0-or-later
// Full maps as arrays of NumPy (numpy.save, format versions 1 to 3): one value a pixel, or a row of
// values for each field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/healpix_map.h"
#include "armilla/io/map_io.h"

namespace armilla {

// A number in an array of NumPy. `kind`: f, i, u or b.
struct NumberType {
    char kind = 'f';
    int64_t width = 4;
    bool bigEndian = false;
};
// The type of a word such as "<f4"; none for other types than real numbers and logical values.
std::optional<NumberType> numberType(std::string_view word);
// The type that the program holds and writes: unsigned integers take the next wider signed type.
DiskType typeOf(const NumberType& type);
// `count` numbers that lie side by side. Bad values become NaN.
void decodeNumbers(const NumberType& type, const std::byte* in, int64_t count, float* out);
void decodeNumbers(const NumberType& type, const std::byte* in, int64_t count, double* out);

// True for a file that begins as an array of NumPy.
bool isNpyFile(const std::string& path);
// Interprets the header. Throws IoError, InvalidArgument if a stated fact contradicts the file.
FileSummary inspectNpyMap(const std::string& path, const StatedPixels& stated);
// Reads the map; throws also OutOfMemory, Cancelled.
HealpixMap readNpyMap(const std::string& path, const MapReadOptions& options, JobContext& job);

}  // namespace armilla
