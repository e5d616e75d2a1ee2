// SPDX-License-Identifier: GPL-3.0-or-later
#include "coefficient_file.h"

#include "armilla/io/harmonic_io.h"
#include "armilla/io/map_io.h"

namespace armilla {

std::shared_ptr<const AlmSet> readAlmSet(const std::string& path, const ReadRequest& request,
                                         JobContext& job) {
    auto set = std::make_shared<AlmSet>();
    set->alm = readAlm(path, job, &set->spin);
    const FileSummary summary = inspectFile(path, job.stopToken());
    set->frame = framedAsPixels(summary.frame, request);
    for (const ColumnInfo& column : summary.columns)
        if (set->unit.empty()) set->unit = column.unit;
    return set;
}

}  // namespace armilla
