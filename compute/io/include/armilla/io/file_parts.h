// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel access to one file by several processes, each with its own part: full maps and
// coefficients. The caller does all communication; no function here waits for another process.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"

namespace armilla {

// Consecutive elements of a map in the order of its file.
struct ElementRun {
    int64_t first = 0, count = 0;
};

// A map without its values.
struct MapOutline {
    int64_t nside = 0;
    Coverage coverage = Coverage::Full;
    // A map of nside 1 with the ordering, frame and metadata, and the names, units, types and
    // precision of the fields.
    HealpixMap like;
};
// `fields`: only the precision of the values matters.
MapOutline outlineOf(int64_t nside, Ordering ordering, Frame frame,
                     const std::vector<Field>& fields);

// Reads parts of a map in a FITS file. Standard input and text are not supported.
class MapPartReader {
public:
    // Reads the headers. Throws as readMap for invalid headers.
    MapPartReader(const std::string& path, const MapReadOptions& options, JobContext& job);
    ~MapPartReader();
    MapPartReader(const MapPartReader&) = delete;
    MapPartReader& operator=(const MapPartReader&) = delete;

    const MapOutline& outline() const;
    // True if `read` applies: a full map without gzip compression. Other maps need readMap.
    bool inParts() const;
    // The values of the fields in `runs`, concatenated, with the conversions of readMap. Throws as
    // readMap.
    std::vector<Field> read(std::span<const ElementRun> runs, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Reads parts of spherical harmonic coefficients in a FITS file.
class AlmPartReader {
public:
    // Reads the headers. Throws as readAlm for invalid headers.
    AlmPartReader(const std::string& path, JobContext& job);
    ~AlmPartReader();
    AlmPartReader(const AlmPartReader&) = delete;
    AlmPartReader& operator=(const AlmPartReader&) = delete;

    // True if the file is not compressed by gzip; otherwise each reader first unpacks the whole
    // file.
    bool inParts() const;
    size_t sets() const;
    int64_t rows(size_t set) const;
    struct Rows {
        std::vector<int32_t> l, m;  // m may be negative; such a row repeats the value of m > 0
        std::vector<std::complex<double>> values;
    };
    // `count` rows of a set (0, 1, 2: T, E, B), beginning at row `first`. Throws as readAlm.
    Rows read(size_t set, int64_t first, int64_t count, JobContext& job);
    // Throws IoError unless readAlm supports the limits: the largest l and m of all rows, and of
    // the header.
    void checkLimits(int64_t lmax, int64_t mmax) const;
    int64_t headerLmax() const;
    int64_t headerMmax() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// True if type or sentinel of a column in the file depend on the values of the whole map, so that
// MapFilePlan needs scans.
bool dependsOnValues(const MapOutline& outline, const MapWriteOptions& options);
// Properties of a part's values that must be known for the whole map before writing. The caller
// gathers the bytes of all parts for MapFilePlan. Empty if none are needed.
std::vector<std::byte> scanMapPart(const MapOutline& outline, const std::vector<Field>& fields,
                                   const MapWriteOptions& options, JobContext& job);

// The layout of the map's file: identical in all processes that pass the same scans of all parts.
class MapFilePlan {
public:
    MapFilePlan(const MapOutline& outline, const MapWriteOptions& options,
                const std::vector<std::vector<std::byte>>& scans);
    ~MapFilePlan();
    MapFilePlan(const MapFilePlan&) = delete;
    MapFilePlan& operator=(const MapFilePlan&) = delete;
    struct State;
    const State& state() const { return *state_; }

private:
    std::unique_ptr<State> state_;
};

// The layout of coefficients in their file.
struct AlmFilePlan {
    int64_t lmax = 0, mmax = 0;
    size_t set = 0;   // 0, 1, 2: T, E, B; of two sets 0, 1: gradient, curl
    size_t sets = 1;  // in the file
    AlmLabels labels;
    FileWriteOptions options;
};

// The names and position with which other processes write data of a file.
struct FilePart {
    std::string path;       // final
    std::string temporary;  // to be opened
    std::string packed;     // temporary file for the compressed data; empty without compression
    int64_t offset = 0;     // start of the current HDU's data, bytes
};

// The file, owned by one process. Appears under its final name at `commit`; without commit, no file
// remains.
class SharedFile {
public:
    // Throws as writeMap. With a suffix .gz the file is compressed at the end.
    SharedFile(const std::string& path, bool overwrite);
    ~SharedFile();
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;
    FilePart begin(const MapFilePlan& plan);
    FilePart begin(const AlmFilePlan& plan);
    // Call after all processes have written and synced; `sums` are the results of their write
    // calls.
    void end(std::span<const uint32_t> sums);
    void commit(JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Writes the values of `runs`, which are concatenated in `fields`. Returns their part of the
// checksum. Throws IoError (full disk), Cancelled.
uint32_t writeMapPart(const FilePart& file, const MapFilePlan& plan,
                      const std::vector<Field>& fields, std::span<const ElementRun> runs,
                      JobContext& job);
// Writes the coefficients of the degrees `begin` .. `end` - 1, l-major, each with its m from 0 to
// min(l, mmax). Returns their part of the checksum. Throws IoError, Cancelled, and InvalidArgument
// for coefficients beyond the range of the precision.
uint32_t writeAlmPart(const FilePart& file, const AlmFilePlan& plan, int begin, int end,
                      std::span<const std::complex<double>> values, JobContext& job);

}  // namespace armilla
