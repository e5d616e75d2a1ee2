// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the exports of a view.
#pragma once

#include <functional>
#include <optional>

#include "armilla/core/sky_ranges.h"
#include "armilla/core/units.h"
#include "armilla/io/region_io.h"
#include "armilla/operations/data.h"
#include "armilla/session/job_runner.h"
#include "map_work.h"

namespace armilla {

class Notices;

// An angle in the syntax of the command line.
QString angleWord(double radians);
// A description of the view, for recipes.
QString describeView(const Camera& camera);

// The shown quantity as one field of a map, for a picture in frame `view`: Q, U and their angle are
// rotated. Throws InvalidArgument if either Q or U is missing and `view` is not the map's frame.
DrawnField oneField(const MapPointer& map, const Shown& shown, Frame view, JobContext& job);

// Coverage of the regions, minus the excluding regions that follow each. At this resolution the
// smallest region is some hundred pixels across.
SkyRanges rangesOf(const std::vector<NamedRegion>& regions, JobContext& job);

// Disc radius unit for sources of an opened catalog, which has no search beam.
inline constexpr double kPlainBeam = 10.0 * kArcmin;

// Saves the same again under another path.
struct SaveAs {
    std::function<void(const QString& path)> save = {};  // none: nothing is offered
    std::optional<DataKind> kind = {};  // the formats to choose from; none: that of the first path
};

// Writes a file in a job, with a message at its end. `written` is called before that message. None
// of this happens if `context` no longer exists. If the file cannot be written (full disk, folder
// without write access), the message offers to save elsewhere.
void saveInJob(JobRunner& runner, Notices& notices, QObject* context, const QString& path,
               JobLane lane, std::function<void(JobContext&)> write,
               std::function<void()> written = {}, const SaveAs& elsewhere = {});
// Runs an action that saves to `path`; a thrown error becomes a message with the same offer.
void guardSaving(Notices& notices, const QString& path, const SaveAs& elsewhere,
                 const std::function<void()>& action);

// The first map of the view. Throws InvalidArgument if there is none.
const Layer& shownEntry(const Document& document);

}  // namespace armilla
