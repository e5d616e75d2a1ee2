// SPDX-License-Identifier: GPL-3.0-or-later
// Pixel grids of images: from file headers and views, and the directions of their pixels.

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/image_file.h"
#include "fits_equatorial.h"
#include "fits_file.h"
#include "fits_writer.h"
#include "image_axes.h"
#include "image_cards.h"
#include "sky_image_wcs.h"

namespace armilla {

namespace {

Frame frameOf(const FitsHeader& header) {
    for (const char* key : {"CTYPE1", "CTYPE2"}) {
        const std::string type = upperTrimmed(header.text(key).value_or(""));
        if (type.starts_with("GLON")) return Frame::Galactic;
        if (type.starts_with("ELON")) return Frame::Ecliptic;
        if (type.starts_with("RA--")) {
            const std::string system =
                upperTrimmed(header.text("RADESYS").value_or(header.text("RADECSYS").value_or("")));
            if (!system.empty() && !equatorialOf(header))
                throw IoError("expected equatorial coordinates of ICRS, FK5 or FK4, found " +
                              inQuotes(system));
            return Frame::Equatorial;
        }
    }
    throw IoError("expected an image in equatorial, galactic or ecliptic coordinates, found " +
                  inQuotes(header.text("CTYPE1").value_or("no CTYPE1")));
}

bool isImage(const FitsHdu& hdu, int64_t& width, int64_t& height) {
    const bool packed = hdu.header.logical("ZIMAGE").value_or(false);
    if (hdu.type != HduType::Image && !packed) return false;
    const std::string key = packed ? "ZNAXIS" : "NAXIS";
    width = hdu.header.integer(key + "1").value_or(0);
    height = hdu.header.integer(key + "2").value_or(0);
    return hdu.header.integer(key).value_or(0) >= 2 && width > 0 && height > 0;
}

ImageGrid gridOf(const FitsHdu& hdu, int64_t width, int64_t height) {
    ImageGrid grid{width, height, Frame::Unknown, {}};
    for (const std::string& card : hdu.header.cards())
        if (isWcsCard(card)) grid.wcsCards.push_back(card);
    // FK4 rotates until the epoch of observation.
    if (const auto said = equatorialOf(hdu.header); said && said->observed)
        for (const std::string& card : hdu.header.cards())
            if (isObservationCard(card)) grid.wcsCards.push_back(card);
    if (!hdu.header.has("CTYPE1"))
        throw IoError("expected an image with celestial world coordinates, found one without");
    grid.frame = frameOf(hdu.header);
    // throws for headers without celestial coordinates
    (void)ImageWcs(grid.wcsCards, width, height);
    return grid;
}

// The HDU with longitude and latitude as its first axes.
FitsHdu skyFirst(const FitsHdu& hdu) {
    FitsHdu turned = hdu;
    const std::vector<int> axes = axesWithSkyFirst(hdu.header);
    if (!axes.empty()) turned.header = withAxes(hdu.header, axes);
    return turned;
}

}  // namespace

ImageGrid readImageGrid(const std::string& path, JobContext& job) {
    const FilePath place = parseFilePath(path);
    FitsFile file(place.path, job.stopToken());
    int64_t width = 0, height = 0;
    const auto grid = [&](const FitsHdu& hdu) {
        try {
            return gridOf(hdu, width, height);
        } catch (Error& error) {
            error.addContext(place.path + "[" + std::to_string(hdu.number) + "]");
            throw;
        }
    };
    if (place.hdu) {
        const FitsHdu hdu = skyFirst(file.selected(*place.hdu));
        if (!isImage(hdu, width, height)) refuse(path, "an image", "another kind of HDU");
        return grid(hdu);
    }
    for (int number = 0; const FitsHdu* stored = file.hdu(number); ++number) {
        job.poll();
        const FitsHdu hdu = skyFirst(*stored);
        if (isImage(hdu, width, height)) return grid(hdu);
    }
    refuse(path, "an image with world coordinates", "no image");
}

ImageGrid imageGrid(const ViewGeometry& view, Frame frame) {
    FitsCards cards;
    addWorldCoordinates(cards, view, frame);
    ImageGrid grid{view.width, view.height, frame, {}};
    for (const std::string& card : cards.all())
        if (cardKeyword(card) != "WCSAXES") grid.wcsCards.push_back(card);
    return grid;
}

ImageGrid gridOf(const Image& image) {
    return {image.width, image.height, image.frame, image.wcsCards};
}

Image imageOn(ImageGrid grid) {
    Image image;
    image.width = grid.width;
    image.height = grid.height;
    image.frame = grid.frame;
    image.wcsCards = std::move(grid.wcsCards);
    image.planes.emplace_back();
    return image;
}

std::vector<Vec3> pixelDirections(const ImageGrid& grid, JobContext& job) {
    const ImageWcs wcs(grid.wcsCards, grid.width, grid.height);
    std::vector<Vec3> cells =
        newVector<Vec3>(grid.width * grid.height, job, Vec3{kNan, kNan, kNan});
    constexpr int64_t kPiece = int64_t{1} << 14;
    parallelFor(
        job, static_cast<long long>(cells.size()), kPiece,
        [&](long long begin, long long end) {
            const auto first = static_cast<size_t>(begin), count = static_cast<size_t>(end - begin);
            std::vector<double> x(count), y(count);
            for (size_t i = 0; i < count; ++i) {
                const auto at = static_cast<int64_t>(first + i);
                const int64_t row = at / grid.width;
                x[i] = static_cast<double>(at % grid.width);
                y[i] = static_cast<double>(row);
            }
            wcs.copy().directions(x, y, std::span(cells).subspan(first, count));
        },
        "placing pixels");
    return cells;
}

double pixelSize(const ImageGrid& grid) {
    return ImageWcs(grid.wcsCards, grid.width, grid.height).nominalPixelSize();
}

}  // namespace armilla
