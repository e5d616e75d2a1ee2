// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "armilla/core/healpix_map.h"
#include "armilla/io/image_file.h"
#include "fits_equatorial.h"
#include "fits_header.h"
#include "fits_writer.h"

namespace armilla {

namespace {

int64_t bytesOf(DiskType type) {
    switch (type) {
        case DiskType::Int32:
        case DiskType::Float32: return 4;
        case DiskType::Float64: return 8;
        default: break;
    }
    throw InvalidArgument(
        "expected images of 32-bit integers or floating-point numbers, found another type");
}
int64_t bitpixOf(DiskType type) {
    return type == DiskType::Int32 ? 32 : -8 * bytesOf(type);
}

// Adds the axis of the planes: their values if evenly spaced, otherwise their numbers.
void addPlaneAxis(FitsCards& cards, const Image& image) {
    const auto& planes = image.planes;
    const double first = planes.front().axisValue;
    const double step = planes.size() > 1 ? planes[1].axisValue - first : 1.0;
    bool even = step != 0.0 && std::isfinite(step);
    for (size_t i = 0; i < planes.size() && even; ++i)
        even = std::abs(planes[i].axisValue - first - step * static_cast<double>(i)) <=
               1e-9 * std::abs(step) * static_cast<double>(planes.size());
    cards.text("CTYPE3", even && !image.axisName.empty() ? image.axisName : "CHANNEL");
    if (even && !image.axisUnit.empty()) cards.text("CUNIT3", image.axisUnit);
    cards.real("CRPIX3", 1.0);
    cards.real("CRVAL3", even ? first : 1.0);
    cards.real("CDELT3", even ? step : 1.0);
    const auto hasMatrix = [](const std::string& card) {
        return cardKeyword(card).starts_with("CD1_") || cardKeyword(card).starts_with("CD2_");
    };
    if (std::any_of(image.wcsCards.begin(), image.wcsCards.end(), hasMatrix))
        cards.real("CD3_3", even ? step : 1.0);
}

// CTYPE of an axis in `frame`: the frame's code with dashes, then the original projection code.
std::string typeInFrame(const std::string& type, Frame frame) {
    constexpr size_t kCode = 5;  // "RA---", "SLON-"
    const std::string word = upperTrimmed(type.substr(0, 4));
    const bool isLatitude =
        word.starts_with("DEC") || word.ends_with("LAT") || word.ends_with("LT");
    const FrameFacts& facts = factsOf(frame);
    return std::string(isLatitude ? facts.latAxis : facts.lonAxis) +
           (type.size() > kCode ? type.substr(kCode) : "");
}

bool namesNoFrame(const Image& image) {
    try {
        return ImageWcs(image).frame() == Frame::Unknown;
    } catch (const IoError&) {
        return false;
    }
}

// World coordinate cards as read; a frame stated by the user is added.
std::vector<std::string> worldCards(const Image& image) {
    if (image.frame == Frame::Unknown || !namesNoFrame(image)) return image.wcsCards;
    const FitsHeader header(image.wcsCards);
    FitsCards cards;
    for (const std::string& card : image.wcsCards) {
        const std::string key = cardKeyword(card);
        if (key == "CTYPE1" || key == "CTYPE2")
            cards.text(key, typeInFrame(header.text(key).value_or(""), image.frame));
        else if (key != "RADESYS" && key != "RADECSYS" && key != "EQUINOX" && key != "EPOCH")
            cards.raw(card);
    }
    if (image.frame == Frame::Equatorial) cards.text("RADESYS", "ICRS");
    return cards.all();
}

}  // namespace

void stateEquatorialFrame(Image& image, const EquatorialFrame& stated) {
    const FitsHeader header(image.wcsCards);
    const auto isRa = [&](const char* key) {
        return upperTrimmed(header.text(key).value_or("")).starts_with("RA--");
    };
    if (!isRa("CTYPE1") && !isRa("CTYPE2"))
        throw InvalidArgument(
            "expected right ascensions and declinations (CTYPE RA---, DEC--) for " +
            equatorialName(stated) + ", found " +
            inQuotes(header.text("CTYPE1").value_or("no CTYPE1")));
    if (const auto said = equatorialOf(header)) {
        if (said->system == stated.system) return;
        throw InvalidArgument("expected no --input-frame, because the file states " +
                              equatorialName(*said) + ", found " + equatorialName(stated));
    }
    FitsCards cards;
    for (const std::string& card : image.wcsCards) cards.raw(card);
    cards.text("RADESYS", stated.system == EquatorialSystem::Fk5 ? "FK5" : "FK4");
    cards.real("EQUINOX", stated.equinox);
    image.wcsCards = cards.all();
    image.frame = Frame::Equatorial;
}

namespace {

FitsCards cardsOf(const ImageHdu& hdu, bool primary, const FileWriteOptions& options) {
    const Image& image = *hdu.image;
    // A single plane Q or U keeps its axis, which tells that the convention of its sign applies.
    const char stokes = stokesParameter(image.planes.front().name);
    const bool cube = image.planes.size() > 1 || stokes == 'Q' || stokes == 'U';
    FitsCards cards;
    if (primary)
        cards.logical("SIMPLE", true, "conforms to the FITS standard");
    else
        cards.text("XTENSION", "IMAGE", "image extension");
    cards.integer("BITPIX", bitpixOf(hdu.type));
    cards.integer("NAXIS", cube ? 3 : 2);
    cards.integer("NAXIS1", image.width);
    cards.integer("NAXIS2", image.height);
    if (cube) cards.integer("NAXIS3", static_cast<int64_t>(image.planes.size()));
    if (primary) {
        cards.logical("EXTEND", true);
    } else {
        cards.integer("PCOUNT", 0);
        cards.integer("GCOUNT", 1);
        cards.text("EXTNAME", image.name);
    }
    cards.integer("WCSAXES", cube ? 3 : 2);
    for (const std::string& card : worldCards(image)) cards.raw(card);
    if (cube) addPlaneAxis(cards, image);
    if (!image.unit.empty()) cards.text("BUNIT", image.unit);
    if (primary && !image.name.empty()) cards.text("OBJECT", image.name);
    for (const std::string& card : image.cards) cards.raw(card);
    if (cube && image.planes.size() < 1000)
        for (size_t i = 0; i < image.planes.size(); ++i)
            if (!image.planes[i].name.empty())
                cards.text("PLANE" + std::to_string(i + 1), image.planes[i].name);
    cards.date();
    for (const std::string& line : image.history) cards.commentary("HISTORY", line);
    if (primary)
        for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    return cards;
}

void putNumber(DiskType type, double value, std::byte* at) {
    if (type == DiskType::Int32)
        putBigEndian(static_cast<int32_t>(value), at);
    else if (type == DiskType::Float32)
        putBigEndian(static_cast<float>(value), at);
    else
        putBigEndian(value, at);
}

void writeHdu(FitsWriter& writer, const ImageHdu& hdu, bool primary,
              const FileWriteOptions& options, JobContext& job) {
    const int64_t bytes = bytesOf(hdu.type);
    const int64_t count = hdu.image->planeSize() * static_cast<int64_t>(hdu.image->planes.size());
    writer.beginHdu(cardsOf(hdu, primary, options), count * bytes);
    std::visit(
        [&](const auto& values) {
            parallelFor(
                job, count, int64_t{1} << 17,
                [&](long long begin, long long end) {
                    std::vector<std::byte> piece(static_cast<size_t>((end - begin) * bytes));
                    for (long long i = begin; i < end; ++i)
                        putNumber(hdu.type, static_cast<double>(values[static_cast<size_t>(i)]),
                                  piece.data() + (i - begin) * bytes);
                    writer.writeData(begin * bytes, piece);
                },
                "writing");
        },
        hdu.image->values);
    writer.endHdu();
}

}  // namespace

void writeImages(std::span<const ImageHdu> images, const std::string& path,
                 const FileWriteOptions& options, JobContext& job) {
    if (images.empty()) throw InvalidArgument("expected images to write, found none");
    for (const ImageHdu& hdu : images) checkImage(*hdu.image);
    FitsWriter writer(path, options.overwrite);
    for (size_t i = 0; i < images.size(); ++i) {
        JobContext part = job.part(static_cast<double>(i) / static_cast<double>(images.size()),
                                   static_cast<double>(i + 1) / static_cast<double>(images.size()));
        writeHdu(writer, images[i], i == 0, options, part);
    }
    job.report(1.0, "writing");
    writer.commit(job);
}

}  // namespace armilla
