// SPDX-License-Identifier: GPL-3.0-or-later
// Files of which several processes read and write a part each: full maps and coefficients. What
// they say to each other is the caller's; here nobody waits for another.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "io/harmonic_io.h"
#include "io/map_io.h"

namespace armilla {

// Successive elements of a map, in the order of its file.
struct ElementRun {
    int64_t first = 0, count = 0;
};

// All of a map but its values.
struct MapOutline {
    int64_t nside = 0;
    Coverage coverage = Coverage::Full;
    // Of nside 1: ordering, frame, metadata; of the fields names, units, types and precision.
    HealpixMap like;
};
// `fields`: their values do not count, but their precision does.
MapOutline outlineOf(int64_t nside, Ordering ordering, Frame frame,
                     const std::vector<Field>& fields);

// Reads parts of a map in a FITS file. Not for standard input and text.
class MapPartReader {
public:
    // Throws as readMap for what the headers tell.
    MapPartReader(const std::string& path, const MapReadOptions& options, JobContext& job);
    ~MapPartReader();
    MapPartReader(const MapPartReader&) = delete;
    MapPartReader& operator=(const MapPartReader&) = delete;

    const MapOutline& outline() const;
    // Whether `read` can: a full map that is not packed by gzip. Others are for readMap.
    bool inParts() const;
    // The values of the fields: those of the runs, one behind the other, as readMap gives them.
    // Throws as readMap.
    std::vector<Field> read(std::span<const ElementRun> runs, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Reads parts of coefficients in a FITS file.
class AlmPartReader {
public:
    // Throws as readAlm for what the headers tell.
    AlmPartReader(const std::string& path, JobContext& job);
    ~AlmPartReader();
    AlmPartReader(const AlmPartReader&) = delete;
    AlmPartReader& operator=(const AlmPartReader&) = delete;

    // Whether the file is not packed by gzip; else each reader unpacks all of it first.
    bool inParts() const;
    size_t sets() const;
    int64_t rows(size_t set) const;
    struct Rows {
        std::vector<int32_t> l, m;  // m may be negative: such a row repeats what another says
        std::vector<std::complex<double>> values;
    };
    // Throws as readAlm.
    Rows read(size_t set, int64_t first, int64_t count, JobContext& job);
    // Throws IoError unless the limits, those of all rows and what the header says at least, are
    // such as readAlm takes.
    void checkLimits(int64_t lmax, int64_t mmax) const;
    int64_t headerLmax() const;
    int64_t headerMmax() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// What is to be known of all values of a map before it is written: of a part, to be brought
// together by the bytes. Empty where nothing is asked.
std::vector<std::byte> scanMapPart(const MapOutline& outline, const std::vector<Field>& fields,
                                   const MapWriteOptions& options, JobContext& job);

// How the map lies in its file: the same for all who made it of the same scans of all parts.
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

struct AlmFilePlan {
    int64_t lmax = 0, mmax = 0;
    size_t set = 0;  // 0, 1, 2: T, E, B
    AlmLabels labels;
    FileWriteOptions options;
};

// Where others write data of a file: under a name that is not its final one.
struct FilePart {
    std::string path;       // final
    std::string temporary;  // to be opened
    std::string packed;     // where that is packed into, or empty: temporary, too
    int64_t offset = 0;     // of the data of the present HDU
};

// The file, held by one process. Appears under its name at `commit`; else nothing is left.
class SharedFile {
public:
    // Throws as writeMap. A name that ends in .gz gets the file packed at the end.
    SharedFile(const std::string& path, bool overwrite);
    ~SharedFile();
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;
    FilePart begin(const MapFilePlan& plan);
    FilePart begin(const AlmFilePlan& plan);
    // After all have written, and synced, with what their calls returned.
    void end(std::span<const uint32_t> sums);
    void commit(JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Writes the values of some runs, one behind the other in `fields`. Returns their part of the
// checksum. Throws IoError (full disk), Cancelled.
uint32_t writeMapPart(const FilePart& file, const MapFilePlan& plan,
                      const std::vector<Field>& fields, std::span<const ElementRun> runs,
                      JobContext& job);
// Writes the coefficients of the degrees `begin` .. `end` - 1, l-major, each with its m from 0 to
// min(l, mmax). Likewise; InvalidArgument for those that the precision does not hold.
uint32_t writeAlmPart(const FilePart& file, const AlmFilePlan& plan, int begin, int end,
                      std::span<const std::complex<double>> values, JobContext& job);

}  // namespace armilla
