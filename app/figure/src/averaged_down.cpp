// SPDX-License-Identifier: GPL-3.0-or-later
#include "averaged_down.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// For one axis: the larger pixels that a smaller pixel covers, with their weights.
struct Span {
    int first = 0;
    std::vector<float> weights;
};

std::vector<Span> spansOf(int larger, int smaller) {
    std::vector<Span> spans(static_cast<size_t>(smaller));
    const double step = static_cast<double>(larger) / smaller;
    for (int i = 0; i < smaller; ++i) {
        const double begin = i * step, end = begin + step;
        Span& span = spans[static_cast<size_t>(i)];
        span.first = static_cast<int>(begin);
        const int last = std::min(larger, static_cast<int>(std::ceil(end - 1e-9)));
        for (int pixel = span.first; pixel < last; ++pixel) {
            const double covered =
                std::min<double>(end, pixel + 1) - std::max<double>(begin, pixel);
            span.weights.push_back(static_cast<float>(covered / step));
        }
    }
    return spans;
}

// Four opaque pixels into one: the general mean in whole numbers, rounded alike.
bool isOpaque(const Rgba* upper, const Rgba* lower) {
    return (upper[0].a & upper[1].a & lower[0].a & lower[1].a) == 255;
}
int quarter(int sum) {
    return (sum + 2) / 4;
}
QRgb meanOfFour(const Rgba* upper, const Rgba* lower) {
    return qRgb(quarter(upper[0].r + upper[1].r + lower[0].r + lower[1].r),
                quarter(upper[0].g + upper[1].g + lower[0].g + lower[1].g),
                quarter(upper[0].b + upper[1].b + lower[0].b + lower[1].b));
}

// Sums of a row of the smaller picture from column `first` on, four numbers a pixel.
void addColumns(const Rgba* line, std::span<const Span> columns, float weight, float* sum) {
    for (const Span& across : columns) {
        for (size_t i = 0; i < across.weights.size(); ++i) {
            const Rgba& pixel = line[static_cast<size_t>(across.first) + i];
            const float opaque = weight * across.weights[i] * static_cast<float>(pixel.a) / 255.0F;
            sum[0] += opaque * static_cast<float>(pixel.r);
            sum[1] += opaque * static_cast<float>(pixel.g);
            sum[2] += opaque * static_cast<float>(pixel.b);
            sum[3] += opaque * 255.0F;
        }
        sum += 4;
    }
}
void store(std::span<const float> sums, QRgb* to) {
    const auto level = [](float sum) {
        return static_cast<int>(std::clamp(std::lround(sum), 0L, 255L));
    };
    for (size_t k = 0; k < sums.size(); k += 4)
        *to++ = qRgba(level(sums[k]), level(sums[k + 1]), level(sums[k + 2]), level(sums[k + 3]));
}

}  // namespace

QImage imageWithRoom(QSize size, QImage::Format format) {
    QImage image(size, format);
    if (image.isNull())
        throw OutOfMemory("expected enough memory for the figure, found too little");
    return image;
}

QImage averagedDown(const std::vector<Rgba>& pixels, int width, int height, QSize size) {
    QImage image = imageWithRoom(size, QImage::Format_ARGB32_Premultiplied);
    const std::vector<Span> columns = spansOf(width, size.width());
    const std::vector<Span> rows = spansOf(height, size.height());
    const bool isHalf = width == 2 * size.width() && height == 2 * size.height();
    std::vector<float> sums(static_cast<size_t>(size.width()) * 4);
    const auto lineOf = [&](int row) {
        return pixels.data() + static_cast<size_t>(row) * static_cast<size_t>(width);
    };
    for (int row = 0; row < size.height(); ++row) {
        auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
        const Span& above = rows[static_cast<size_t>(row)];
        // Columns of a picture of half the size that are not opaque, or all of them.
        for (size_t column = 0; column < columns.size();) {
            size_t end = isHalf ? column : columns.size();
            if (isHalf) {
                const Rgba *upper = lineOf(2 * row) + 2 * column, *lower = upper + width;
                for (; column < columns.size() && isOpaque(upper, lower);
                     ++column, upper += 2, lower += 2)
                    to[column] = meanOfFour(upper, lower);
                for (end = column; end < columns.size() && !isOpaque(upper, lower);
                     ++end, upper += 2, lower += 2) {
                }
            }
            const std::span<float> part = std::span(sums).subspan(4 * column, 4 * (end - column));
            std::fill(part.begin(), part.end(), 0.0F);
            for (size_t j = 0; j < above.weights.size(); ++j)
                addColumns(lineOf(above.first + static_cast<int>(j)),
                           std::span(columns).subspan(column, end - column), above.weights[j],
                           part.data());
            store(part, to + column);
            column = end;
        }
    }
    return image;
}

QImage imageOf(const std::vector<Rgba>& pixels, int width, int height) {
    QImage image = imageWithRoom({width, height}, QImage::Format_ARGB32_Premultiplied);
    for (int row = 0; row < height; ++row) {
        const Rgba* from = pixels.data() + static_cast<size_t>(row) * static_cast<size_t>(width);
        auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < width; ++column)
            to[column] =
                qPremultiply(qRgba(from[column].r, from[column].g, from[column].b, from[column].a));
    }
    return image;
}

QImage inVectorFormat(QImage image) {
    bool isWhole = true;
    for (int row = 0; row < image.height() && isWhole; ++row) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(row));
        isWhole = std::all_of(line, line + image.width(),
                              [](QRgb pixel) { return qAlpha(pixel) == 255; });
    }
    if (isWhole) {
        image.reinterpretAsFormat(QImage::Format_RGB32);
    } else {
        for (int row = 0; row < image.height(); ++row) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
            std::transform(line, line + image.width(), line,
                           [](QRgb pixel) { return qUnpremultiply(pixel); });
        }
        image.reinterpretAsFormat(QImage::Format_ARGB32);
    }
    return image;
}

}  // namespace armilla
