// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/files.h"

#include <optional>

#include "cli/command.h"
#include "operations/files.h"

namespace armilla::cli {

void checkOutput(const std::string& path, bool overwrite) {
    checkOutputName(path, overwrite, std::nullopt);
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

Json frameJson(Frame frame) {
    const char letter = frameLetter(frame);
    return letter == 0 ? Json() : Json(std::string(1, letter));
}

std::string describe(const HealpixMap& map) {
    return summaryOf(map);
}

}  // namespace armilla::cli
