// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/map_in_view.h"

#include <algorithm>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/io/map_means.h"
#include "armilla/ops/frame_turn.h"
#include "block_maps.h"

namespace armilla {

namespace {

// A figure of the same view may have finer pixels, and a different shape.
constexpr double kFiner = 0.5, kMargin = 1.25;
// Pixels of the map on a side of the cells that are read together: more than the finest level of a
// close view averages.
constexpr int64_t kCellSide = 64;

// The pixels of the cells under a view, ascending numbers in the ordering of the map.
std::vector<int64_t> pixelsUnder(const ViewGeometry& view, int64_t nside, Ordering ordering,
                                 JobContext& job) {
    const int64_t cellNside = std::max<int64_t>(1, nside / kCellSide);
    std::vector<int64_t> cells = renderIndices(cellNside, Ordering::Nested, view, job);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    if (!cells.empty() && cells.front() < 0) cells.erase(cells.begin());
    const int64_t children = (nside / cellNside) * (nside / cellNside);
    requireMemory("the pixels in view", std::ssize(cells) * children * 48);
    std::vector<int64_t> pixels;
    pixels.reserve(cells.size() * static_cast<size_t>(children));
    for (const int64_t cell : cells) {
        job.poll();
        for (int64_t p = cell * children; p < (cell + 1) * children; ++p)
            pixels.push_back(ordering == Ordering::Ring ? ringFromNested(nside, p) : p);
    }
    if (ordering == Ordering::Ring) std::sort(pixels.begin(), pixels.end());
    return pixels;
}

}  // namespace

std::optional<MapInView> mapInView(const std::string& path, const ReadRequest& request,
                                   const std::function<ViewGeometry(Frame)>& viewOf, Frame drawn,
                                   int64_t memory, JobContext& job) {
    InputSlot slot;
    slot.name = "MAP";
    slot.columns = [](const ParameterSet&) { return Columns{Columns::Choice::One, {}}; };
    JobContext silent(job.stopToken(), {}, job.threads());
    const auto whole = MapOnDisk::open(slot, ParameterSet(NoOptions{}), path, request, silent);
    if (!whole) return std::nullopt;
    MapReadOptions options;
    options.fields = {request.field.empty() ? "1" : request.field};
    options.stated = request.stated();
    // The pyramid, the picture and the buffers of the threads.
    constexpr int64_t kMore = 8;
    if (!exceedsMemory(path, options, memory, kMore, silent)) return std::nullopt;
    const bool turns =
        drawn != Frame::Unknown && whole->frame() != Frame::Unknown && drawn != whole->frame();
    if (turns && isHalfOfPolarization(whole->like().field(0))) {
        slot.columns = [](const ParameterSet&) {
            return Columns{Columns::Choice::OneWithPartner, {}};
        };
        const auto both = MapOnDisk::open(slot, ParameterSet(NoOptions{}), path, request, silent);
        if (both && !both->like().polarizationPairs().empty())
            throw OutOfMemory(path +
                              ": expected a map that fits the memory, for Q and U in "
                              "another frame than its own (" +
                              std::string(frameName(whole->frame())) + "), found nside " +
                              std::to_string(whole->nside()));
    }
    ViewGeometry view = viewOf(whole->frame());
    view.radiansPerPixel *= kFiner;
    const int64_t nside = finestNsideDrawn(whole->nside(), view);
    view.radiansPerPixel *= kMargin / kFiner;
    const int64_t finest = meansNside(whole->nside());
    const bool isClose = nside > finest;
    MapMeans means = readMeans(path, options, isClose ? 1 : nside, job);
    if (!means.note.empty() && request.note) request.note(path + ": " + means.note);
    means.map.setFrame(whole->frame());
    means.sample.setFrame(whole->frame());
    MapInView result;
    result.sample = std::make_shared<const HealpixMap>(std::move(means.sample));
    if (isClose) {
        const Input input =
            whole->listed(pixelsUnder(view, whole->nside(), whole->ordering(), silent), silent);
        result.map = std::get<std::shared_ptr<const HealpixMap>>(input.data);
    } else {
        result.map = std::make_shared<const HealpixMap>(std::move(means.map));
    }
    return result;
}

}  // namespace armilla
