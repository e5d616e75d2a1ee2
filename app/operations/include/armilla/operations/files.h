// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of operations as files: one reader and one writer for each kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/io/map_io.h"
#include "armilla/io/sky_parts.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/operations/operation.h"

namespace armilla {

struct ReadRequest {
    std::string field;                         // value of --field; empty: not given
    std::optional<StatedFrame> statedFrame{};  // for an input that names no frame
    bool isBeside = false;  // one of several inputs: the frame that its file names is kept
    // Receives a line for each assumption about a file; may be empty.
    std::function<void(const std::string&)> note{};
    // Facts that the file of a table of pixels does not name. For the file of an option they apply
    // only if it names none.
    StatedPixels pixels{};
    StatedPixels stated() const;
    SpectrumReading spectra{};  // stated facts of spectrum files
    // Parts of the sky that a catalog is needed in (TableReadOptions::within).
    std::vector<DiscUnion> within{};
};
// Parts of a map to read for these columns. Throws UsageError for --field together with T, Q and U.
MapReadOptions mapReadOptions(const Columns& columns, const std::string& path,
                              const ReadRequest& request, JobContext& job);
// Frame of a catalog or an image from its file and the request. Throws InvalidArgument if they
// differ.
Frame framedAs(Frame found, const ReadRequest& request);
// Frame of a map or of coefficients, which cannot be converted from FK4.
Frame framedAsPixels(Frame found, const ReadRequest& request);
// FK4 or FK5, if the request states one.
std::optional<EquatorialFrame> statedEquatorial(const ReadRequest& request);
// Readers of catalogs and images in the frame of the request; converted positions are noted.
Catalog readFramedCatalog(const std::string& path, const ReadRequest& request, JobContext& job);
Image readFramedImage(const std::string& path, const ReadRequest& request, JobContext& job);
// A catalog with positions from `columns.places`, or by UCD or usual names.
std::shared_ptr<const Catalog> readPlacedCatalog(const std::string& path, const Columns& columns,
                                                 const ReadRequest& request, JobContext& job);
// A catalog in memory with positions from `columns.places`, if it has them. Throws InvalidArgument
// for columns that it does not have.
std::shared_ptr<const Catalog> withPlaces(const std::shared_ptr<const Catalog>& catalog,
                                          const Columns& columns, JobContext& job);
// Notes "positions converted from FK4 (B1950.0) to ICRS" if a reader has done so. Throws
// InvalidArgument if ICRS is stated for FK4.
void noteTurned(const Table& table, const std::string& path, const ReadRequest& request);
// NAME=FILE, NAME=FILE#FIELD or NAME=NUMBER, for slots that take names. A name begins with a letter
// and has letters, digits and underscores. A file whose whole name exists has no #FIELD. Throws
// UsageError for other texts.
struct NamedFile {
    std::string name, path, field;
};
NamedFile namedFile(std::string_view slot, const std::string& text);
// Reads only the parts of the file that the slot requires. Errors name the file. Throws UsageError
// for --field together with T, Q and U, InvalidArgument if the stated frame differs from that of
// the file.
Input readInput(const InputSlot& slot, const ParameterSet& parameters, const std::string& path,
                const ReadRequest& request, JobContext& job);

// Writes by kind and suffix, or with the function of the output. Throws as writers do.
void writeOutput(const Output& output, const std::string& path, bool overwrite,
                 std::optional<StoredPrecision> precision, std::vector<std::string> history,
                 JobContext& job);

// Suffixes with which values of a kind are written, ".fits" first.
std::vector<std::string_view> suffixesOf(DataKind kind);
// Throws UsageError unless the name ends in one of these comma-separated suffixes.
void requireSuffix(const std::string& path, std::string_view suffixes);
// Name check for --dl. Throws UsageError for FITS files, which hold C_l.
void requireDlName(const std::string& path);
// Checks an output name before the work:
// - UsageError for an empty name and for a suffix that the kind is not written with (no suffix
//   means FITS; .fz is refused);
// - IoError if `path` exists and may not be replaced, is no regular file, or lies in a folder
//   without write access.
void checkOutputName(const std::string& path, bool overwrite, std::optional<DataKind> kind);

}  // namespace armilla
