// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_others.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/figure/image_places.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/image_planes.h"

namespace armilla::cli {

namespace {

constexpr double kWidest = 60.0 * kDegree;  // angle from the center to the farthest pixel
constexpr double kMargin = 1.05;

}  // namespace

std::optional<FileKind> drawnKind(Run& run, const std::string& path, JobContext& job) {
    try {
        const FileSummary summary =
            inspectFile(path, job.stopToken(), run.options().statedPixels());
        if (!summary.assumed.empty()) run.note(path + ": " + summary.assumed);
        switch (summary.kind) {
            case FileKind::Image: return FileKind::Image;
            case FileKind::Catalog:
            case FileKind::Samples: return FileKind::Catalog;
            case FileKind::Map:
            case FileKind::PartialMap:
            case FileKind::MultiOrderMap: break;
            case FileKind::Alm:
                throw InvalidArgument(
                    "expected a map, an image, a catalog or a curve to draw, found alm; make a map "
                    "of it with alm2map");
            case FileKind::Spectrum: return FileKind::Spectrum;
            case FileKind::Beam: return FileKind::Beam;
        }
    } catch (const IoError&) {
        // The reader of maps reports the error.
    }
    return std::nullopt;
}

bool isCurve(const Run& run, const std::string& path, JobContext& job) {
    try {
        inspectFile(path, job.stopToken(), run.options().statedPixels());
        return false;
    } catch (const IoError&) {
        if (findCurve(path, job)) return true;
        throw;
    }
}

DrawnImage readDrawnImage(const std::string& path, const ReadRequest& request, JobContext& job) {
    Image image = readFramedImage(path, request, job);
    const int number = planeNamed(image, request.field);
    DrawnImage drawn;
    drawn.mesh = ImageMesh::build(image, number, placesOf(image), job);
    std::vector<float> good;
    for (const float value : drawn.mesh->level(0).values)
        if (std::isfinite(value)) good.push_back(value);
    int64_t nside = 1;
    while (pixelCount(nside) < std::ssize(good)) nside *= 2;
    std::vector<int64_t> elements(good.size());
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<int64_t>(i);
    drawn.values = HealpixMap::partial(
        nside, Ordering::Nested, image.frame, std::move(elements),
        {{image.name.empty() ? image.planes[static_cast<size_t>(number)].name : image.name,
          image.unit, DiskType::Float32, std::move(good)}});
    return drawn;
}

ViewOptions viewOfImage(const ViewOptions& options, const ImageMesh& mesh, PixelSize size) {
    if (options.center || options.resolution ||
        options.frame.value_or(mesh.frame()) != mesh.frame())
        return options;
    const auto& extent = mesh.extent();
    if (!extent || !(extent->radius > 0.0 && extent->radius <= kWidest)) return options;
    ViewOptions view = options;
    view.projection = Projection::Gnomonic;
    view.center = Place{lonLat(extent->center), {}};
    view.resolution = 2.0 * kMargin * std::tan(extent->radius) /
                      static_cast<double>(std::min(size.width, size.height));
    return view;
}

}  // namespace armilla::cli
