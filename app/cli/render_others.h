// SPDX-License-Identifier: GPL-3.0-or-later
// What `armilla render` draws besides maps: images where their world coordinates put them, catalogs
// as markers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/run.h"
#include "core/healpix_map.h"
#include "io/map_io.h"
#include "operations/files.h"
#include "operations/view.h"
#include "render/image_mesh.h"

namespace armilla::cli {

// Image, Catalog, Spectrum or Beam; none for maps, and for what the reader of maps has words for.
// Throws InvalidArgument for alm, of which there is no picture. What was assumed of it is noted.
std::optional<FileKind> drawnKind(Run& run, const std::string& path, JobContext& job);
// Whether a file without a header that tells a kind holds a curve. To be asked of what the reader
// of maps has refused, since it reads the whole file. Throws IoError for what is of no kind.
bool isCurve(const Run& run, const std::string& path, JobContext& job);

// A plane of an image ready to be drawn.
struct DrawnImage {
    std::shared_ptr<const ImageMesh> mesh;
    // Its good pixels as elements of a map, for the range of their colors; where they lie does not
    // matter to that. Named as the image.
    HealpixMap values;
};
// The field is a plane: its number from 1, or its name; empty: the first one. Throws
// InvalidArgument for one that is not there and as framedAs, IoError.
DrawnImage readDrawnImage(const std::string& path, const ReadRequest& request, JobContext& job);

// Fills in what `options` leave open, where they name neither a center nor a resolution: a gnomonic
// view of all that the image covers, if that is less than a third of the sky across.
ViewOptions viewOfImage(const ViewOptions& options, const ImageMesh& mesh, PixelSize size);

}  // namespace armilla::cli
