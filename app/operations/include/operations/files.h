// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of operations as files: one reader and one writer for each kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/map_io.h"
#include "io/spectrum_io.h"
#include "operations/operation.h"

namespace armilla {

struct ReadRequest {
    std::string field;                         // as --field names it; empty: not given
    std::optional<StatedFrame> statedFrame{};  // of an input that does not name its own
    bool isBeside = false;  // one of several inputs: a frame that its file names holds
    // Says what was assumed of a file, if somebody listens.
    std::function<void(const std::string&)> note{};
    // Facts of a table of pixels that its file does not name. They hold for an option's file only
    // where it names none.
    StatedPixels pixels{};
    StatedPixels stated() const;
    SpectrumReading spectra{};  // stated of files of spectra
};
// What of a map is read for such columns. Throws UsageError for a field where T, Q and U are asked
// for.
MapReadOptions mapReadOptions(const Columns& columns, const std::string& path,
                              const ReadRequest& request, JobContext& job);
// The frame of a catalog or an image, by what its file and the request say. Throws InvalidArgument
// if they differ.
Frame framedAs(Frame found, const ReadRequest& request);
// The same of a map or of coefficients, which FK4 cannot be turned to.
Frame framedAsPixels(Frame found, const ReadRequest& request);
// FK4 or FK5, if the request states one of them.
std::optional<EquatorialFrame> statedEquatorial(const ReadRequest& request);
// Readers of catalogs and images as the request says; turned positions are noted.
Catalog readFramedCatalog(const std::string& path, const ReadRequest& request, JobContext& job);
Image readFramedImage(const std::string& path, const ReadRequest& request, JobContext& job);
// Notes "positions turned from FK4 (B1950.0) to ICRS", if a reader has turned them. Throws
// InvalidArgument where ICRS is stated of FK4.
void noteTurned(const Table& table, const std::string& path, const ReadRequest& request);
// Reads what the slot asks for and nothing else of the file. Errors name the file. Throws
// UsageError for a field where T, Q and U are asked for, InvalidArgument if a frame is stated and
// the file names another.
Input readInput(const InputSlot& slot, const ParameterSet& parameters, const std::string& path,
                const ReadRequest& request, JobContext& job);

// Writes by kind and suffix, or by the output's own function. Throws as writers do.
void writeOutput(const Output& output, const std::string& path, bool overwrite,
                 std::optional<StoredPrecision> precision, std::vector<std::string> history,
                 JobContext& job);

// The suffixes that values of a kind are written with, ".fits" first.
std::vector<std::string_view> suffixesOf(DataKind kind);
// Throws UsageError for a name that ends in none of these (between commas).
void requireSuffix(const std::string& path, std::string_view suffixes);
// For D_l in place of C_l (--dl). Throws UsageError for names of FITS files, which hold C_l.
void requireDlName(const std::string& path);
// Throws, before the work and not after it: UsageError for an empty name and for a suffix that the
// kind is not written with (a name without a suffix is FITS; .fz), IoError if `path` exists and may
// not be replaced, is no regular file, or lies in a folder that cannot be written to.
void checkOutputName(const std::string& path, bool overwrite, std::optional<DataKind> kind);

}  // namespace armilla
