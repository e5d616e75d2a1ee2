// SPDX-License-Identifier: GPL-3.0-or-later
#include "averaged_down.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

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
    std::vector<float> sums(static_cast<size_t>(size.width()) * 4);
    for (int row = 0; row < size.height(); ++row) {
        std::fill(sums.begin(), sums.end(), 0.0F);
        const Span& above = rows[static_cast<size_t>(row)];
        for (size_t j = 0; j < above.weights.size(); ++j) {
            const Rgba* line =
                pixels.data() + (static_cast<size_t>(above.first) + j) * static_cast<size_t>(width);
            for (size_t column = 0; column < columns.size(); ++column) {
                const Span& across = columns[column];
                float* sum = sums.data() + 4 * column;
                for (size_t i = 0; i < across.weights.size(); ++i) {
                    const Rgba& pixel = line[static_cast<size_t>(across.first) + i];
                    const float opaque =
                        above.weights[j] * across.weights[i] * static_cast<float>(pixel.a) / 255.0F;
                    sum[0] += opaque * static_cast<float>(pixel.r);
                    sum[1] += opaque * static_cast<float>(pixel.g);
                    sum[2] += opaque * static_cast<float>(pixel.b);
                    sum[3] += opaque * 255.0F;
                }
            }
        }
        uchar* to = image.scanLine(row);
        for (size_t k = 0; k < sums.size(); ++k)
            to[k] = static_cast<uchar>(std::clamp(std::lround(sums[k]), 0L, 255L));
    }
    return image;
}

}  // namespace armilla
