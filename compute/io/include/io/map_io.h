// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in FITS files, and what else a file may hold. Conventions: HEALPix FITS format
// specifications (E. Hivon et al.); what is tolerated and refused stands in the manual.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

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

struct ColumnInfo {
    std::string name, unit;
    DiskType type = DiskType::Float32;
    int64_t repeat = 1;
};
// What a file holds, from its headers alone (of multi-order maps and text files: from the cells and
// lines). The first HDU that the program knows counts unless the path names one.
struct FileSummary {
    FileKind kind = FileKind::Map;
    int hdu = 1;        // 0-based number of the HDU described
    int64_t nside = 0;  // maps only
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    std::vector<ColumnInfo> columns;  // value columns; index columns of partial maps left out
    int64_t rows = 0;
    int lmax = -1, mmax = -1;  // alm, spectra, beams
    std::string assumed;       // of a file that does not say it itself; a line, or none
    bool isOnSky = true;       // of an image: two of its axes are a longitude and a latitude
    std::string shape;         // of an image: "3600 x 1800"
};

// Facts of a table of pixels that a person states because its file does not.
struct StatedPixels {
    std::optional<int64_t> nside;
    std::optional<Ordering> ordering;
    std::string index;         // the column of pixel numbers: its name, or its number from 1
    bool fileDecides = false;  // a fact that the file names holds; otherwise two facts must agree
    bool any() const { return nside || ordering || !index.empty(); }
};

// A path, optionally with "[N]" or "[EXTNAME]" behind it, naming a table HDU.
// Throws IoError if there is no such file or it is no FITS file that the program knows. With `stop`
// it throws Cancelled while it goes over the data of a packed file.
FileSummary inspectFile(const std::string& path, std::stop_token stop = {},
                        const StatedPixels& stated = {});

// True if the HDU that the path names, or any HDU of the file, says that it holds pixels of the sky
// (HEALPix, HealSparse), also one that inspectFile() refuses: no table or curve then.
bool claimsPixels(const std::string& path, std::stop_token stop = {});

struct MapReadOptions {
    std::vector<std::string> fields = {};  // names or numbers from 1; empty: all that fit together
    StatedPixels stated = {};
    std::vector<std::string>* notes = nullptr;  // receives a line for each group left out
};
// Reads a map in pieces; gzip streams in constant memory, tile-compressed tables are unpacked to a
// temporary file first. Lists of pixels that do not ascend are sorted, which takes 4 bytes a row
// beyond the limit below. Polls the job at least every 20 ms; peak memory at most 1.3 times the
// map. Bad pixels (UNSEEN by relative tolerance 1e-5, BAD_DATA, NaN, infinities) become NaN; a U
// field in the IAU convention changes sign. Where no field is named, planes of another nside than
// the first one's and whole numbers of 2^53 and more, which a double does not hold, are left out.
// Throws IoError with one clear line for anything malformed, OutOfMemory if the map is larger than
// the memory at hand, Cancelled.
HealpixMap readMap(const std::string& path, const MapReadOptions& options, JobContext& job);

enum class StoredPrecision { AsRead, Single, Double };
struct MapWriteOptions {
    bool overwrite = false;
    StoredPrecision precision = StoredPrecision::AsRead;
    std::vector<std::string> history;  // HISTORY text added after the map's own
};
// Writes beside the final name and renames once complete and synced. Throws IoError (exists and not
// overwrite, full disk, ...), Cancelled; then the final name is as before.
void writeMap(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
              JobContext& job);

// An HDU of a file, for a list of them.
struct HduSummary {
    int number = 0;
    std::string name;              // EXTNAME
    std::optional<FileKind> kind;  // none: nothing that the program reads
    std::string shape;             // "1560 rows, 35 columns", "3600 x 1800", "no data"
    std::string selector = {};     // in FILE[...]: EXTNAME where it is a word and one alone, else N
};
// All HDUs; empty for text files. Throws IoError, Cancelled.
std::vector<HduSummary> listHdus(const std::string& path, std::stop_token stop = {});

}  // namespace armilla
