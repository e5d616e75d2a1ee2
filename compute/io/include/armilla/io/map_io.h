// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in FITS files, and inspection of any file. Conventions: HEALPix FITS format
// specifications (E. Hivon et al.). The manual lists tolerated and refused deviations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Contents of files. Samples are tables of telescope samples (single-dish FITS).
enum class FileKind {
    Map,
    PartialMap,
    MultiOrderMap,
    Alm,
    Spectrum,
    Beam,
    Catalog,
    Samples,
    Image
};

// One column of a table.
struct ColumnInfo {
    std::string name, unit;
    DiskType type = DiskType::Float32;
    int64_t repeat = 1;
};
// The content of a file, from its headers alone (for multi-order maps and text files, from cells
// and lines). Describes the first supported HDU unless the path names one.
// A margin cache or a map that belongs to a catalog in a folder (HATS).
struct FolderPart {
    enum class Kind { Margin, Map };
    Kind kind = Kind::Margin;
    std::string path, text;  // text: its contents in a few words
};

struct FileSummary {
    FileKind kind = FileKind::Map;
    int hdu = 1;        // 0-based number of the HDU described
    int64_t nside = 0;  // maps only
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    std::vector<ColumnInfo> columns;  // value columns, without index columns of partial maps
    int64_t rows = 0;
    int lmax = -1, mmax = -1;  // alm, spectra, beams
    // one line on an assumption that replaces a missing statement; or empty
    std::string assumed;
    bool isOnSky = true;  // for an image: two of its axes are longitude and latitude
    std::string shape;    // for an image: "3600 x 1800"
    std::vector<FolderPart> parts;
};

// Facts that the user states about a table of pixels, because its file does not.
struct StatedPixels {
    std::optional<int64_t> nside;
    std::optional<Ordering> ordering;
    std::string index;  // the column of pixel numbers, by name or number from 1
    // the file's own facts take precedence; otherwise contradictions are errors
    bool fileDecides = false;
    bool any() const { return nside || ordering || !index.empty(); }
};

// Inspects a path, optionally followed by "[N]" or "[EXTNAME]" to name a table HDU. Throws IoError
// if the file does not exist or is no supported FITS file. With `stop`, throws Cancelled during the
// scan of the data of a compressed file.
FileSummary inspectFile(const std::string& path, std::stop_token stop = {},
                        const StatedPixels& stated = {});

// True if the HDU that the path names, or any HDU of the file, declares pixels of the sky (HEALPix,
// HealSparse). Also true for files that inspectFile() refuses. Such a file is neither a table nor a
// curve.
bool claimsPixels(const std::string& path, std::stop_token stop = {});

// Options of readMap.
struct MapReadOptions {
    std::vector<std::string> fields = {};  // names or numbers from 1; empty: all of the same nside
    StatedPixels stated = {};
    // receives one line for each omitted group of columns
    std::vector<std::string>* notes = nullptr;
};
// Reads a map.
// - Data is read in pieces: gzip streams in constant memory, tile-compressed tables by way of a
//   temporary file. Peak memory is at most 1.3 times the map, plus 4 bytes a row to sort pixel
//   lists that do not ascend.
// - Bad pixels (UNSEEN by relative tolerance 1e-5, BAD_DATA, NaN, infinities) become NaN.
// - A U field in the IAU convention changes sign.
// - Without named fields, planes with an nside other than the first one's are omitted. So are
//   integers of 2^53 and more, which exceed the precision of a double.
// Polls the job at least every 20 ms. Throws IoError with one line for malformed files, OutOfMemory
// if the map exceeds the available memory, Cancelled.
HealpixMap readMap(const std::string& path, const MapReadOptions& options, JobContext& job);

// Precision of values in a file.
enum class StoredPrecision { AsRead, Single, Double };
// Options of writeMap.
struct MapWriteOptions {
    bool overwrite = false;
    StoredPrecision precision = StoredPrecision::AsRead;
    std::vector<std::string> history;  // HISTORY text, added after the map's own
};
// Writes to a temporary file and renames the file when complete and synced. Throws IoError (exists
// and not overwrite, full disk, ...), Cancelled; the file at the final name is then unchanged.
void writeMap(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
              JobContext& job);

// One HDU in the list of a file's HDUs.
struct HduSummary {
    int number = 0;
    std::string name;              // EXTNAME
    std::optional<FileKind> kind;  // none if unsupported
    std::string shape;             // "1560 rows, 35 columns", "3600 x 1800", "no data"
    std::string selector = {};     // for FILE[...]: EXTNAME if that is a unique word, otherwise N
};
// All HDUs; empty for text files. Throws IoError, Cancelled.
std::vector<HduSummary> listHdus(const std::string& path, std::stop_token stop = {});

}  // namespace armilla
