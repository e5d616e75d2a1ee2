// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "cli/command.h"
#include "core/pixel_geometry.h"
#include "io/atomic_file.h"
#include "ops/resample.h"

namespace armilla::cli {

namespace fs = std::filesystem;

void checkOutput(const std::string& path, bool overwrite) {
    requirePlainName(path);
    requireNameLength(path);
    if (path.empty()) throw UsageError("expected the name of a file to write, found an empty one");
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError(path + ": expected the name of a file to write, found " +
                      (fs::is_directory(status) ? "a folder" : "a device or other special file"));
    if (!overwrite && fs::exists(fs::symlink_status(path, ignored)))
        throw IoError(path +
                      ": expected a new file, found one that exists (--overwrite replaces it)");
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, ignored))
        throw IoError(path + ": expected a folder to write to, found none at " + folder.string());
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw IoError(path + ": expected a folder to write to, found: " + std::strerror(errno));
}

HealpixMap readOneField(Run& run, const std::string& path, JobContext& job) {
    const std::string field = run.options().field.empty() ? "1" : run.options().field;
    return withFile(path, [&] { return readMap(path, {{field}}, job); });
}

HealpixMap readPolarization(Run& run, const std::string& path, JobContext& job) {
    if (!run.options().field.empty())
        throw UsageError(
            "expected --polarization, of the fields T, Q and U, or --field, found both");
    return withFile(path, [&] {
        const FileSummary summary = inspectFile(path, job.stopToken());
        // The rule for which columns are T, Q and U is the map's own; a map of one base pixel set
        // with the names of the file's columns tells it before the values are read.
        std::vector<Field> named;
        for (const ColumnInfo& column : summary.columns)
            named.push_back({column.name, column.unit, column.type, std::vector<float>(12)});
        const auto found =
            HealpixMap(1, Ordering::Ring, Frame::Unknown, std::move(named)).polarizationFields();
        if (!found) {
            std::string names;
            for (const ColumnInfo& column : summary.columns)
                names += (names.empty() ? "" : ", ") + column.name;
            throw InvalidArgument("expected the fields T, Q and U, found " +
                                  (names.empty() ? "no field" : names));
        }
        MapReadOptions options;
        for (const int index : *found) options.fields.push_back(std::to_string(index + 1));
        return readMap(path, options, job);
    });
}

HealpixMap fullRing(HealpixMap map, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder) map = flattened(map, 0, job);
    if (map.coverage() == Coverage::Partial) map = toFull(map, job);
    if (map.ordering() == Ordering::Nested) map = reordered(map, Ordering::Ring, job);
    return map;
}

ConstMapSamples samplesOf(const Field& field) {
    return std::visit([](const auto& values) { return ConstMapSamples(std::span(values)); },
                      field.values);
}
MapSamples samplesOf(Field& field) {
    return std::visit([](auto& values) { return MapSamples(std::span(values)); }, field.values);
}

void widen(Field& field) {
    if (const auto* single = std::get_if<std::vector<float>>(&field.values))
        field.values = std::vector<double>(single->begin(), single->end());
}

int64_t fillBadPixels(Field& field, JobContext& job) {
    std::atomic<int64_t> count{0};
    std::visit(
        [&](auto& values) {
            parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                        [&](long long begin, long long end) {
                            int64_t bad = 0;
                            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end);
                                 ++i) {
                                if (!std::isnan(values[i])) continue;
                                values[i] = 0;
                                ++bad;
                            }
                            count += bad;
                        });
        },
        field.values);
    return count;
}

FileWriteOptions harmonicOptions(const Run& run) {
    FileWriteOptions options;
    options.overwrite = run.options().overwrite;
    options.precision = run.options().precision.value_or(StoredPrecision::Double);
    options.history = run.history();
    return options;
}

MapWriteOptions mapOptions(const Run& run, StoredPrecision otherwise) {
    MapWriteOptions options;
    options.overwrite = run.options().overwrite;
    options.precision = run.options().precision.value_or(otherwise);
    options.history = run.history();
    return options;
}

std::string_view orderingName(Ordering ordering) {
    return ordering == Ordering::Ring ? "RING" : "NESTED";
}

Json frameJson(Frame frame) {
    const char letter = frameLetter(frame);
    return letter == 0 ? Json() : Json(std::string(1, letter));
}

std::string describe(const HealpixMap& map) {
    return "nside " + std::to_string(map.nside()) + ", " +
           (map.coverage() == Coverage::MultiOrder ? "several orders"
                                                   : std::string(orderingName(map.ordering()))) +
           ", " + std::string(frameName(map.frame())) +
           (map.coverage() == Coverage::Partial ? ", part of the sky" : "");
}

}  // namespace armilla::cli
