// SPDX-License-Identifier: GPL-3.0-or-later
// Tables with a vector in each pixel: livetime cubes, spectra, I, Q and U in one column.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/io/map_io.h"
#include "fits_file.h"
#include "fits_table.h"

namespace armilla {

// Columns of several values a row hold either consecutive pixels (1024 a row, as a rule) or a
// vector of one pixel. The function decides by the number of rows, and replaces each vector by a
// column for each element, with the same `number`. Bits of an X column are a vector, too, up to 64
// of them; longer ones stay whole, and are no fields. `nside`: the known nside, or 0. `index`: the
// column of pixel numbers, or null. Throws IoError if the number of rows suits both.
void splitPixelVectors(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                       int64_t nside, const FitsColumn* index, TableLayout& table);

// Replaces each column of complex numbers (healpy writes such maps) by a column of the real parts
// and one of the imaginary parts, NAME_REAL and NAME_IMAG. Their `width` is that of a complex
// number: the distance of their values.
void splitComplex(TableLayout& table);
// True for a column of complex numbers.
bool isComplex(const FitsColumn& column);

// Makes the bits of each X column its values.
void takeBits(TableLayout& table);

// True if two columns are elements of one vector.
bool areOfOneVector(const FitsColumn& a, const FitsColumn& b);

}  // namespace armilla
