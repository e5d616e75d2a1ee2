// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/image_io.h"
#include "fits_writer.h"
#include "sky_image_wcs.h"

namespace armilla {

namespace {

void checkImage(const SkyImage& image) {
    const ViewGeometry& view = image.view;
    if (image.frame == Frame::Unknown)
        throw Unsupported("expected an image in a known frame (G, E or C), found an unknown frame");
    if (view.width < 1 || view.height < 1 || !(view.radiansPerPixel > 0.0) ||
        !std::isfinite(view.radiansPerPixel))
        throw InvalidArgument("expected an image with a size and a resolution, found " +
                              std::to_string(view.width) + " x " + std::to_string(view.height));
    const size_t expected = static_cast<size_t>(view.width) * static_cast<size_t>(view.height);
    if (image.values.size() != expected)
        throw InvalidArgument("expected " + std::to_string(expected) +
                              " values in the image, found " + std::to_string(image.values.size()));
}

FitsCards imageCards(const SkyImage& image, const FileWriteOptions& options) {
    FitsCards cards;
    cards.logical("SIMPLE", true, "conforms to the FITS standard");
    cards.integer("BITPIX", options.precision == StoredPrecision::Double ? -64 : -32);
    cards.integer("NAXIS", 2);
    cards.integer("NAXIS1", image.view.width);
    cards.integer("NAXIS2", image.view.height);
    cards.logical("EXTEND", true);
    addWorldCoordinates(cards, image.view, image.frame);
    if (!image.unit.empty()) cards.text("BUNIT", image.unit);
    if (!image.name.empty()) cards.text("OBJECT", image.name);
    for (const std::string& card : image.cards) cards.raw(card);
    cards.date();
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    return cards;
}

}  // namespace

void writeSkyImage(const SkyImage& image, const std::string& path, const FileWriteOptions& options,
                   JobContext& job) {
    checkImage(image);
    const int64_t width = image.view.width, height = image.view.height;
    const int64_t valueBytes = options.precision == StoredPrecision::Double ? 8 : 4;
    FitsWriter writer(path, options.overwrite);
    writer.beginHdu(imageCards(image, options), width * height * valueBytes);
    const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 20) / (width * valueBytes));
    parallelFor(
        job, height, grain,
        [&](long long begin, long long end) {
            std::vector<std::byte> bytes(static_cast<size_t>((end - begin) * width * valueBytes));
            std::byte* at = bytes.data();
            for (int64_t row = begin; row < end; ++row) {
                // FITS begins with the bottom row, the image with the top one.
                const double* from = image.values.data() + (height - 1 - row) * width;
                for (int64_t i = 0; i < width; ++i, at += valueBytes) {
                    if (valueBytes == 8)
                        putBigEndian(from[i], at);
                    else
                        putBigEndian(static_cast<float>(from[i]), at);
                }
            }
            writer.writeData(begin * width * valueBytes, bytes);
        },
        "writing");
    writer.endHdu();
    job.report(1.0, "writing");
    writer.commit(job);
}

}  // namespace armilla
