// SPDX-License-Identifier: GPL-3.0-or-later
// Classification of HDUs from their headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/table.h"
#include "armilla/io/map_io.h"
#include "fits_table.h"

namespace armilla {

// Far beyond any transform; keeps (lmax + 1)^2 within 63 bits and counts within int.
inline constexpr int64_t kMaxAlmL = int64_t{1} << 24;

// The kind of an HDU; none if unsupported. The first match of these rules:
// - Map: see isMapTable, images included.
// - Alm: see isAlmTable.
// - Beam: a table whose EXTNAME or column names mean a beam or window (BL, BEAM, WINDOW); an image
//   without world coordinates of at most 4 rows (B_l for T, E, B, as IDL's gaussbeam writes).
// - Spectrum: a table with MAX-LPOL, an EXTNAME of a power spectrum, or names of C_l columns.
// - Samples: a table with positions measured in time: EXTNAME with SAMPLE, SCAN, DRIFT or TOD, a
//   column TIME, SAMPLE, SCAN, ..., or arrays of numbers (spectra) in the rows.
// - Catalog: any other table with positions.
// - Image: an image of two axes or more, tile-compressed ones included, except a table's
//   COVARIANCE.
std::optional<FileKind> hduKind(FitsFile& file, const FitsHdu& hdu,
                                const StatedPixels& stated = {});

// The columns of a table with positions, as numbers or sexagesimal text; none without such columns.
std::optional<PositionColumns> positionColumns(const TableLayout& table);

}  // namespace armilla
