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
uchar quarter(int sum) {
    return static_cast<uchar>((sum + 2) / 4);
}
void meanOfFour(const Rgba* upper, const Rgba* lower, uchar* to) {
    to[0] = quarter(upper[0].r + upper[1].r + lower[0].r + lower[1].r);
    to[1] = quarter(upper[0].g + upper[1].g + lower[0].g + lower[1].g);
    to[2] = quarter(upper[0].b + upper[1].b + lower[0].b + lower[1].b);
    to[3] = 255;
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
void store(std::span<const float> sums, uchar* to) {
    for (size_t k = 0; k < sums.size(); ++k)
        to[k] = static_cast<uchar>(std::clamp(std::lround(sums[k]), 0L, 255L));
}

}  // namespace

QImage imageWithRoom(QSize size, QImage::Format format) {
    QImage image(size, format);
    if (image.isNull())
        throw OutOfMemory("expected enough memory for the figure, found too little");
    return image;
}

QImage averagedDown(const std::vector<Rgba>& pixels, int width, int height, QSize size) {
    QImage image = imageWithRoom(size, QImage::Format_RGBA8888_Premultiplied);
    const std::vector<Span> columns = spansOf(width, size.width());
    const std::vector<Span> rows = spansOf(height, size.height());
    const bool isHalf = width == 2 * size.width() && height == 2 * size.height();
    std::vector<float> sums(static_cast<size_t>(size.width()) * 4);
    const auto lineOf = [&](int row) {
        return pixels.data() + static_cast<size_t>(row) * static_cast<size_t>(width);
    };
    for (int row = 0; row < size.height(); ++row) {
        uchar* to = image.scanLine(row);
        const Span& above = rows[static_cast<size_t>(row)];
        // Columns of a picture of half the size that are not opaque, or all of them.
        for (size_t column = 0; column < columns.size();) {
            size_t end = isHalf ? column : columns.size();
            if (isHalf) {
                const Rgba *upper = lineOf(2 * row) + 2 * column, *lower = upper + width;
                for (; column < columns.size() && isOpaque(upper, lower);
                     ++column, upper += 2, lower += 2)
                    meanOfFour(upper, lower, to + 4 * column);
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
            store(part, to + 4 * column);
            column = end;
        }
    }
    return image;
}

}  // namespace armilla
