// SPDX-License-Identifier: GPL-3.0-or-later
// Images and cubes from FITS files.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/image_file.h"
#include "big_endian.h"
#include "fits_file.h"
#include "fits_writer.h"
#include "image_axes.h"
#include "image_cards.h"
#include "map_table.h"
#include "out_of_memory.h"

namespace armilla {

namespace {

struct Shape {
    int bitpix = 0;
    int64_t width = 0, height = 0, planes = 1;
    int planeAxis = 3;  // the axis that distinguishes planes: the first one with several values
};

Shape shapeOf(const FitsFile& file, const FitsHdu& hdu) {
    Shape shape;
    const int64_t axes = hdu.header.integer("NAXIS").value_or(0);
    if (hdu.type != HduType::Image || axes < 2 || axes > 9)
        refuse(file.path(), "an image of 2 to 9 axes in HDU " + std::to_string(hdu.number),
               std::to_string(axes) + " axes");
    shape.bitpix = static_cast<int>(hdu.header.integer("BITPIX").value_or(0));
    shape.width = hdu.header.integer("NAXIS1").value_or(0);
    shape.height = hdu.header.integer("NAXIS2").value_or(0);
    bool found = false;
    for (int axis = 3; axis <= axes; ++axis) {
        const int64_t size = hdu.header.integer("NAXIS" + std::to_string(axis)).value_or(0);
        if (size > 1 && !found) {
            shape.planeAxis = axis;
            found = true;
        }
        shape.planes *= size;  // within the size of the data, which was checked
    }
    if (shape.width < 1 || shape.height < 1 || shape.planes < 1)
        refuse(file.path(), "an image with pixels in HDU " + std::to_string(hdu.number), "none");
    return shape;
}

// Conversion of stored numbers: BSCALE, BZERO, BLANK.
struct Scaling {
    double scale = 1.0, zero = 0.0;
    std::optional<int64_t> blank;
};

template <class Word, class Stored, class T>
void decodeRun(const std::byte* in, int64_t count, const Scaling& scaling, T* out) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    const bool plain = scaling.scale == 1.0 && scaling.zero == 0.0;
    for (int64_t i = 0; i < count; ++i) {
        const auto stored =
            std::bit_cast<Stored>(bigEndian<Word>(in + i * static_cast<int64_t>(sizeof(Word))));
        bool bad = false;
        if constexpr (std::is_integral_v<Stored>)
            bad = scaling.blank == static_cast<int64_t>(stored);
        const T value =
            plain ? static_cast<T>(stored)
                  : static_cast<T>(static_cast<double>(stored) * scaling.scale + scaling.zero);
        out[i] = bad || !std::isfinite(value) ? kNan : value;
    }
}

template <class T>
void decodePixels(int bitpix, const std::byte* in, int64_t count, const Scaling& scaling, T* out) {
    switch (bitpix) {
        case 8: return decodeRun<uint8_t, uint8_t>(in, count, scaling, out);
        case 16: return decodeRun<uint16_t, int16_t>(in, count, scaling, out);
        case 32: return decodeRun<uint32_t, int32_t>(in, count, scaling, out);
        case 64: return decodeRun<uint64_t, int64_t>(in, count, scaling, out);
        case -32: return decodeRun<uint32_t, float>(in, count, scaling, out);
        default: return decodeRun<uint64_t, double>(in, count, scaling, out);
    }
}

// `axes`: the order of the axes in memory; empty for the order of the file.
template <class T>
std::vector<T> readPixels(FitsFile& file, const FitsHdu& hdu, const Shape& shape,
                          const std::vector<int>& axes, JobContext& job) {
    const int64_t count = shape.width * shape.height * shape.planes;
    const Scaling scaling{hdu.header.real("BSCALE").value_or(1.0),
                          hdu.header.real("BZERO").value_or(0.0), hdu.header.integer("BLANK")};
    requireMemory(file.path(), count * static_cast<int64_t>(sizeof(T)));
    std::vector<T> values = newVector<T>(count, job);
    const int64_t bytes = std::abs(shape.bitpix) / 8;
    constexpr int64_t kPiece = int64_t{1} << 18;
    std::vector<std::byte> buffer(static_cast<size_t>(std::min(kPiece, count) * bytes));
    std::optional<AxisOrder> order;
    std::vector<T> ofFile;
    if (!axes.empty()) {
        std::vector<int64_t> sizes;
        for (size_t axis = 1; axis <= axes.size(); ++axis)
            sizes.push_back(hdu.header.integer("NAXIS" + std::to_string(axis)).value_or(1));
        order.emplace(sizes, axes);
        ofFile.resize(static_cast<size_t>(std::min(kPiece, count)));
    }
    for (int64_t begin = 0; begin < count; begin += kPiece) {
        job.report(static_cast<double>(begin) / static_cast<double>(count), "reading");
        const int64_t some = std::min(kPiece, count - begin);
        const auto piece = std::span(buffer).first(static_cast<size_t>(some * bytes));
        file.readData(hdu, begin * bytes, piece);
        T* const out = order ? ofFile.data() : values.data() + begin;
        decodePixels(shape.bitpix, piece.data(), some, scaling, out);
        if (order) order->place(out, some, values.data());
    }
    return values;
}

// Name of a number of a STOKES axis (FITS 4.0, table 29): I to V from 1 to 4, products of receivers
// from -1 to -8; empty for others.
std::string stokesName(double value) {
    static constexpr std::array<const char*, 4> kNames{"I", "Q", "U", "V"};
    static constexpr std::array<const char*, 8> kProducts{"RR", "LL", "RL", "LR",
                                                          "XX", "YY", "XY", "YX"};
    if (value != std::floor(value)) return "";
    if (value >= 1.0 && value <= 4.0) return kNames[static_cast<size_t>(value) - 1];
    if (value >= -8.0 && value <= -1.0) return kProducts[static_cast<size_t>(-value) - 1];
    return "";
}

void namePlanes(const FitsHdu& hdu, const Shape& shape, Image& image) {
    const std::string n = std::to_string(shape.planeAxis);
    image.axisName = trimmed(hdu.header.text("CTYPE" + n).value_or(""));
    image.axisUnit = trimmed(hdu.header.text("CUNIT" + n).value_or(""));
    const double step =
        hdu.header.real("CDELT" + n).value_or(hdu.header.real("CD" + n + "_" + n).value_or(1.0));
    const double first = hdu.header.real("CRVAL" + n).value_or(0.0) +
                         (1.0 - hdu.header.real("CRPIX" + n).value_or(1.0)) * step;
    const bool stokes = upperTrimmed(image.axisName) == "STOKES";
    for (int64_t plane = 0; plane < shape.planes; ++plane) {
        const double value = first + static_cast<double>(plane) * step;
        // The program's own files name planes with PLANEn.
        std::string name =
            stokes ? stokesName(value)
                   : trimmed(hdu.header.text("PLANE" + std::to_string(plane + 1)).value_or(""));
        if (name.empty() && shape.planes > 1) name = "channel " + std::to_string(plane + 1);
        image.planes.push_back({name, value});
    }
}

void takeCards(const FitsHdu& hdu, Image& image) {
    for (const std::string& card : hdu.header.cards()) {
        const std::string key = cardKeyword(card);
        if (key == "HISTORY")
            image.history.push_back(trimmed(card.substr(8)));
        else if (isWcsCard(card))
            image.wcsCards.push_back(card);
        else if (!isImageCard(card) && !trimmed(card).empty())
            image.cards.push_back(card);
    }
}

// The beam that AIPS states in lines of history, as the cards BMAJ, BMIN and BPA of other programs:
// "AIPS   CLEAN BMAJ=  1.3889E-03 BMIN=  1.2222E-03 BPA=  30.00", in degrees. The last line counts.
void takeBeamOfAips(Image& image) {
    const auto has = [&](const char* key) {
        return std::any_of(image.cards.begin(), image.cards.end(),
                           [&](const std::string& card) { return cardKeyword(card) == key; });
    };
    // A result of this program states its beam in cards, or has none that is known.
    const bool isOwn =
        std::any_of(image.history.begin(), image.history.end(),
                    [](const std::string& line) { return line.starts_with("armilla "); });
    if (isOwn || has("BMAJ") || has("BMIN")) return;
    const auto line =
        std::find_if(image.history.rbegin(), image.history.rend(), [](const std::string& each) {
            return each.starts_with("AIPS ") && each.find("BMAJ=") != std::string::npos;
        });
    if (line == image.history.rend()) return;
    FitsCards cards;
    for (const char* key : {"BMAJ", "BMIN", "BPA"}) {
        const size_t at = line->find(std::string(key) + "=");
        if (at == std::string::npos) return;
        const std::string rest = trimmed(line->substr(line->find('=', at) + 1));
        const auto value = parseReal(rest.substr(0, rest.find(' ')));
        if (!value) return;
        cards.real(key, *value, "beam of the history, deg");
    }
    for (const std::string& card : cards.all()) image.cards.push_back(card);
}

const FitsHdu& imageHdu(FitsFile& file, const std::optional<std::string>& selector) {
    if (selector) {
        file.unpackImages();
        return file.selected(*selector);
    }
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i) {
        if (hdu->header.logical("ZIMAGE").value_or(false)) {
            file.unpackImages();
            hdu = file.hdu(i);
        }
        if (hdu->type == HduType::Image && hdu->dataBytes > 0 && hdu->header.has("CTYPE1") &&
            hdu->header.integer("NAXIS").value_or(0) >= 2)
            return *hdu;
    }
    const std::string found = describeHdus(file);
    refuse(
        file.path(), "an image with world coordinates (CTYPE1, CTYPE2)",
        found == "images only"
            ? "an image without world coordinates (a plate solver such as astrometry.net adds them)"
            : found);
}

enum class Pixels { Read, LeaveOut };

Image readFrom(const FilePath& where, Pixels pixels, JobContext& job) {
    FitsFile file(where.path, job.stopToken());
    const FitsHdu& stored = imageHdu(file, where.hdu);
    const std::vector<int> axes = axesWithSkyFirst(stored.header);
    FitsHdu hdu = stored;
    if (!axes.empty()) hdu.header = withAxes(stored.header, axes);
    const Shape shape = shapeOf(file, hdu);
    if (pixels == Pixels::Read) file.requireData(stored);
    Image image;
    image.width = shape.width;
    image.height = shape.height;
    takeCards(hdu, image);
    takeBeamOfAips(image);
    try {
        image.frame = ImageWcs(image).frame();
    } catch (const IoError& error) {
        throw IoError(where.path + ": HDU " + std::to_string(hdu.number) + ": " + error.message());
    }
    image.name = trimmed(hdu.header.text("OBJECT").value_or(""));
    if (!hdu.name().empty()) image.name = hdu.name();
    image.unit = trimmed(hdu.header.text("BUNIT").value_or(""));
    namePlanes(hdu, shape, image);
    if (pixels == Pixels::LeaveOut) return image;
    if (shape.bitpix == 8 || shape.bitpix == 16 || shape.bitpix == -32)
        image.values = readPixels<float>(file, stored, shape, axes, job);
    else
        image.values = readPixels<double>(file, stored, shape, axes, job);
    file.verifyRest(job);
    checkImage(image);
    return image;
}

}  // namespace

Image readImage(const std::string& path, JobContext& job) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] { return readFrom(where, Pixels::Read, job); });
}

Image readImageHeader(const std::string& path, JobContext& job) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] { return readFrom(where, Pixels::LeaveOut, job); });
}

void writeImage(const Image& image, const std::string& path, const FileWriteOptions& options,
                JobContext& job) {
    const bool single = options.precision == StoredPrecision::AsRead
                            ? std::holds_alternative<std::vector<float>>(image.values)
                            : options.precision == StoredPrecision::Single;
    const ImageHdu hdu{&image, single ? DiskType::Float32 : DiskType::Float64};
    writeImages(std::span(&hdu, 1), path, options, job);
}

}  // namespace armilla
