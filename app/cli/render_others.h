// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of files other than maps by `armilla render`: images at their world coordinates, catalogs
// as markers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/view.h"
#include "cli/run.h"

namespace armilla::cli {

// Image, Catalog, Spectrum or Beam; none for maps and for files whose error the reader of maps
// reports. Throws InvalidArgument for alm, which cannot be drawn. Notes assumptions.
std::optional<FileKind> drawnKind(Run& run, const std::string& path, JobContext& job);
// Whether a file without a recognizable header holds a curve. It reads the whole file, so call it
// after the reader of maps has refused the file. Throws IoError for an unknown kind.
bool isCurve(const Run& run, const std::string& path, JobContext& job);

// Plane of an image, ready to be drawn.
struct DrawnImage {
    std::shared_ptr<const ImageMesh> mesh;
    // Good pixels of the plane as elements of a map, for the range of the colors; their positions
    // do not matter. Named as the image.
    HealpixMap values;
};
// The field is the number from 1, or the name, of a plane; empty: the first. Throws InvalidArgument
// for a missing plane and as framedAs, IoError.
DrawnImage readDrawnImage(const std::string& path, const ReadRequest& request, JobContext& job);

// If `options` name neither a center nor a resolution: a gnomonic view of the area that the image
// covers, if that is less than 120 degrees across.
ViewOptions viewOfImage(const ViewOptions& options, const ImageMesh& mesh, PixelSize size);

}  // namespace armilla::cli
