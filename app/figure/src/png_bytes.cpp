// SPDX-License-Identifier: GPL-3.0-or-later
#include "png_bytes.h"

#include <zlib.h>

#include <QtEndian>
#include <algorithm>
#include <cstdlib>
#include <span>

#include "armilla/core/error.h"

namespace armilla {

namespace {

using Bytes = std::vector<uchar>;

size_t channelsOf(const QImage& image) {
    return image.format() == QImage::Format_ARGB32_Premultiplied ? 4 : 3;
}
// Number of a row's filter, its first byte.
enum class RowFilter : uchar { Sub = 1, Up = 2 };

void appendNumber(QByteArray& bytes, quint32 number) {
    const quint32 bigEndian = qToBigEndian(number);
    bytes.append(reinterpret_cast<const char*>(&bigEndian), sizeof bigEndian);
}

void appendChunk(QByteArray& png, const char* type, const QByteArray& data) {
    appendNumber(png, static_cast<quint32>(data.size()));
    const qsizetype begin = png.size();
    png.append(type, 4);
    png.append(data);
    const auto* checked = reinterpret_cast<const Bytef*>(png.constData() + begin);
    appendNumber(png, static_cast<quint32>(crc32(crc32(0, nullptr, 0), checked,
                                                 static_cast<uInt>(data.size() + 4))));
}

QByteArray headerOf(const QImage& image) {
    QByteArray header;
    appendNumber(header, static_cast<quint32>(image.width()));
    appendNumber(header, static_cast<quint32>(image.height()));
    // Bits of a channel, RGB or RGBA, deflate, filters by row, not interlaced.
    const char colors = channelsOf(image) == 4 ? 6 : 2;
    for (const char value : {char{8}, colors, char{0}, char{0}, char{0}}) header.append(value);
    return header;
}

QByteArray resolutionOf(const QImage& image) {
    QByteArray resolution;
    appendNumber(resolution, static_cast<quint32>(image.dotsPerMeterX()));
    appendNumber(resolution, static_cast<quint32>(image.dotsPerMeterY()));
    resolution.append(char{1});  // per meter
    return resolution;
}

void appendText(QByteArray& png, const PngText& text) {
    QByteArray data(text.keyword);
    const bool isAscii =
        std::all_of(text.text.begin(), text.text.end(), [](QChar c) { return c.unicode() < 128; });
    // iTXt: not compressed, no language, no translated keyword.
    data.append(isAscii ? 1 : 5, char{0});
    data.append(text.text.toUtf8());
    appendChunk(png, isAscii ? "tEXt" : "iTXt", data);
}

void unpack(const QImage& image, int row, Bytes& to) {
    const auto* from = reinterpret_cast<const QRgb*>(image.constScanLine(row));
    const size_t channels = channelsOf(image);
    for (size_t i = 0; i < to.size() / channels; ++i) {
        const QRgb pixel = channels == 4 ? qUnpremultiply(from[i]) : from[i];
        to[channels * i] = static_cast<uchar>(qRed(pixel));
        to[channels * i + 1] = static_cast<uchar>(qGreen(pixel));
        to[channels * i + 2] = static_cast<uchar>(qBlue(pixel));
        if (channels == 4) to[channels * i + 3] = static_cast<uchar>(qAlpha(pixel));
    }
}

// Puts the differences of a row behind the filter's number; returns the sum of their sizes, by
// which the specification recommends to choose (section 12.8).
int64_t filterRow(RowFilter filter, size_t channels, const Bytes& row, const Bytes& above,
                  Bytes& out) {
    out[0] = static_cast<uchar>(filter);
    int64_t sum = 0;
    const auto put = [&](size_t i, uchar predicted) {
        const auto difference = static_cast<uchar>(row[i] - predicted);
        out[i + 1] = difference;
        sum += std::min<int>(difference, 256 - difference);
    };
    if (filter == RowFilter::Up) {
        for (size_t i = 0; i < row.size(); ++i) put(i, above[i]);
    } else {
        for (size_t i = 0; i < channels; ++i) put(i, 0);
        for (size_t i = channels; i < row.size(); ++i) put(i, row[i - channels]);
    }
    return sum;
}

class Deflater {
public:
    Deflater() {
        // Runs of one byte alone: after the filters other matches are rare.
        if (deflateInit2(&stream_, 1, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE) != Z_OK)
            throw OutOfMemory("expected room to encode the figure, found too little");
    }
    ~Deflater() { deflateEnd(&stream_); }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    void add(std::span<const uchar> bytes, bool isLast) {
        stream_.next_in = const_cast<Bytef*>(bytes.data());
        stream_.avail_in = static_cast<uInt>(bytes.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(piece_);
            stream_.avail_out = sizeof piece_;
            deflate(&stream_, isLast ? Z_FINISH : Z_NO_FLUSH);
            packed_.append(piece_, static_cast<qsizetype>(sizeof piece_ - stream_.avail_out));
        } while (stream_.avail_out == 0);
    }
    const QByteArray& packed() const { return packed_; }

private:
    z_stream stream_{};
    char piece_[1 << 16];
    QByteArray packed_;
};

QByteArray packedRows(const QImage& image) {
    const auto length = static_cast<size_t>(image.width()) * channelsOf(image);
    Bytes row(length), above(length, 0), sub(length + 1), up(length + 1);
    Deflater deflater;
    for (int y = 0; y < image.height(); ++y) {
        unpack(image, y, row);
        const int64_t across = filterRow(RowFilter::Sub, channelsOf(image), row, above, sub);
        const int64_t down = filterRow(RowFilter::Up, channelsOf(image), row, above, up);
        deflater.add(across < down ? sub : up, y + 1 == image.height());
        row.swap(above);
    }
    return deflater.packed();
}

}  // namespace

QByteArray pngBytes(const QImage& image, const std::vector<PngText>& texts) {
    QByteArray png("\x89PNG\r\n\x1a\n");
    appendChunk(png, "IHDR", headerOf(image));
    appendChunk(png, "pHYs", resolutionOf(image));
    for (const PngText& text : texts) appendText(png, text);
    appendChunk(png, "IDAT", packedRows(image));
    appendChunk(png, "IEND", {});
    return png;
}

}  // namespace armilla
