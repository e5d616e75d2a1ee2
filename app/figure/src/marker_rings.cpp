// SPDX-License-Identifier: GPL-3.0-or-later
#include "marker_rings.h"

#include <QPen>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "armilla/core/new_vector.h"
#include "averaged_down.h"

namespace armilla {

namespace {

constexpr int kPhases = 8;  // phases per pixel on each axis
constexpr int kBand = 32;   // rows that a thread paints at a time
constexpr int kWord = 64;
constexpr int64_t kGrain = 16384;  // rings placed at a time
// A pixel of this opacity hides everything below: half a level of 255.
constexpr float kTaken = 1.0F - 0.5F / 255.0F;
constexpr int32_t kNowhere = std::numeric_limits<int32_t>::min();

// The center in phases of a pixel.
struct Spot {
    int32_t column = kNowhere, row = kNowhere;
};

struct Dot {
    int column, row;           // from the upper left corner of the stamp
    std::array<float, 4> ink;  // premultiplied blue, green, red; opacity
};

// One ring with its center in one phase of the central pixel.
struct Stamp {
    std::vector<Dot> dots;        // row after row
    std::vector<size_t> rows;     // start of each row in `dots`, and the end
    std::vector<uint64_t> masks;  // one bit a dot, the words of each row in sequence
};

int halfOf(const RingLook& look) {
    return static_cast<int>(std::ceil(look.radius + 0.5 * look.haloWidth)) + 1;
}

Stamp stampOf(const RingLook& look, int phaseColumn, int phaseRow) {
    const int half = halfOf(look), side = 2 * half + 1, words = (side + kWord - 1) / kWord;
    QImage image = imageWithRoom({side, side}, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        paintRing(painter,
                  QPointF(half + (phaseColumn + 0.5) / kPhases, half + (phaseRow + 0.5) / kPhases),
                  look);
    }
    Stamp stamp;
    stamp.masks.assign(static_cast<size_t>(side * words), 0);
    for (int row = 0; row < side; ++row) {
        stamp.rows.push_back(stamp.dots.size());
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(row));
        for (int column = 0; column < side; ++column) {
            const QRgb ink = line[column];
            if (qAlpha(ink) == 0) continue;
            const auto share = [](int level) { return static_cast<float>(level) / 255.0F; };
            stamp.dots.push_back(
                {column,
                 row,
                 {share(qBlue(ink)), share(qGreen(ink)), share(qRed(ink)), share(qAlpha(ink))}});
            stamp.masks[static_cast<size_t>(row * words + column / kWord)] |= uint64_t{1}
                                                                              << (column % kWord);
        }
    }
    stamp.rows.push_back(stamp.dots.size());
    return stamp;
}

// The masks of all stamps in one.
Stamp unionOf(const std::vector<Stamp>& stamps) {
    Stamp all;
    all.masks = stamps.front().masks;
    for (const Stamp& stamp : stamps)
        for (size_t i = 0; i < all.masks.size(); ++i) all.masks[i] |= stamp.masks[i];
    return all;
}

// Rows of the image with a margin on both sides, so that every stamp fits.
class Band {
public:
    Band(int width, int rows, int half, const Stamp& all)
        : all_(all),
          rows_(rows),
          half_(half),
          stride_(width + 2 * half),
          words_((stride_ + kWord - 1) / kWord + 2),
          inks_(static_cast<size_t>(stride_) * static_cast<size_t>(rows)),
          taken_(static_cast<size_t>(words_) * static_cast<size_t>(rows)),
          closed_(static_cast<size_t>(words_) * static_cast<size_t>(rows + 2 * half)) {}

    // Draws a stamp below the existing content; `column` and `row` are those of its central pixel,
    // the row within the band.
    void lay(const Stamp& stamp, int column, int row) {
        const int side = 2 * half_ + 1;
        const int first = std::max(0, half_ - row), end = std::min(side, rows_ + half_ - row);
        uint64_t& closed = closed_[static_cast<size_t>(row + half_) * static_cast<size_t>(words_) +
                                   static_cast<size_t>(column / kWord)];
        const uint64_t bit = uint64_t{1} << (column % kWord);
        if ((closed & bit) != 0) return;
        if (isHidden(stamp, column, row - half_, first, end)) {
            if (isHidden(all_, column, row - half_, first, end)) closed |= bit;
            return;
        }
        const size_t from = stamp.rows[static_cast<size_t>(first)];
        const size_t to = stamp.rows[static_cast<size_t>(end)];
        for (size_t i = from; i < to; ++i) {
            const Dot& dot = stamp.dots[i];
            const int x = column + dot.column, y = row - half_ + dot.row;
            auto& ink = inks_[static_cast<size_t>(y) * static_cast<size_t>(stride_) +
                              static_cast<size_t>(x)];
            const float rest = 1.0F - ink[3];
            if (rest <= 1.0F - kTaken) continue;
            for (size_t part = 0; part < 4; ++part) ink[part] += rest * dot.ink[part];
            if (ink[3] >= kTaken) word(x / kWord, y) |= uint64_t{1} << (x % kWord);
        }
    }
    // Copies the pixels of a row, without the margins.
    void copyTo(QRgb* line, int row) const {
        for (int column = 0; column < stride_ - 2 * half_; ++column) {
            const auto& ink = inks_[static_cast<size_t>(row) * static_cast<size_t>(stride_) +
                                    static_cast<size_t>(column + half_)];
            const auto level = [&ink](size_t part) {
                return static_cast<int>(std::lround(255.0F * std::min(1.0F, ink[part])));
            };
            line[column] = qRgba(level(2), level(1), level(0), level(3));
        }
    }

private:
    uint64_t& word(int index, int row) {
        return taken_[static_cast<size_t>(row) * static_cast<size_t>(words_) +
                      static_cast<size_t>(index)];
    }
    // True if all pixels of the stamp's rows [first, end) are opaque already.
    bool isHidden(const Stamp& stamp, int column, int top, int first, int end) const {
        const int side = 2 * half_ + 1, words = (side + kWord - 1) / kWord;
        const int shift = column % kWord;
        for (int row = first; row < end; ++row) {
            const uint64_t* taken =
                &taken_[static_cast<size_t>(top + row) * static_cast<size_t>(words_) +
                        static_cast<size_t>(column / kWord)];
            for (int i = 0; i < words; ++i) {
                const uint64_t mask = stamp.masks[static_cast<size_t>(row * words + i)];
                uint64_t there = taken[i] >> shift;
                if (shift > 0) there |= taken[i + 1] << (kWord - shift);
                if ((mask & ~there) != 0) return false;
            }
        }
        return true;
    }

    const Stamp& all_;
    int rows_, half_, stride_, words_;
    std::vector<std::array<float, 4>> inks_;
    std::vector<uint64_t> taken_;
    // One bit for each central pixel, set once no stamp there can be visible.
    std::vector<uint64_t> closed_;
};

// Phase of a coordinate within `size` pixels; kNowhere outside.
int32_t phaseOf(double at, int size) {
    return at >= 0.0 && at < size ? static_cast<int32_t>(kPhases * at) : kNowhere;
}
Spot spotFrom(int32_t column, int32_t row) {
    return column == kNowhere || row == kNowhere ? Spot{} : Spot{column, row};
}
Spot spotOf(const RingCenters& centers, int64_t index, QSize size) {
    QPointF middle;
    if (centers.quick && centers.slack < 1.0 / kPhases && centers.quick(index, middle)) {
        const auto edge = [&](double sign) {
            return std::pair(phaseOf(middle.x() + sign * centers.slack, size.width()),
                             phaseOf(middle.y() + sign * centers.slack, size.height()));
        };
        const auto lower = edge(-1.0);
        if (lower == edge(1.0)) return spotFrom(lower.first, lower.second);
    }
    if (!centers.exact(index, middle)) return {};
    return spotFrom(phaseOf(middle.x(), size.width()), phaseOf(middle.y(), size.height()));
}

// The rings that overlap each band, in order: those of band i are spots begins[i] to begins[i + 1].
struct BandSpots {
    std::vector<Spot> spots;
    std::vector<int64_t> begins;
};
BandSpots spotsByBand(const std::vector<Spot>& spots, int bands, int half, JobContext& job) {
    const auto forEachBand = [&](const Spot& spot, const auto& use) {
        if (spot.column == kNowhere) return;
        const int row = spot.row / kPhases;
        for (int band = std::max(0, row - half) / kBand;
             band <= std::min((row + half) / kBand, bands - 1); ++band)
            use(static_cast<size_t>(band));
    };
    BandSpots result;
    result.begins.resize(static_cast<size_t>(bands) + 1, 0);
    for (const Spot& spot : spots)
        forEachBand(spot, [&](size_t band) { ++result.begins[band + 1]; });
    job.poll();
    for (size_t band = 1; band < result.begins.size(); ++band)
        result.begins[band] += result.begins[band - 1];
    result.spots = newVector<Spot>(result.begins.back(), job);
    std::vector<int64_t> next = result.begins;
    for (const Spot& spot : spots)
        forEachBand(spot,
                    [&](size_t band) { result.spots[static_cast<size_t>(next[band]++)] = spot; });
    job.poll();
    return result;
}

}  // namespace

void paintRing(QPainter& painter, QPointF middle, const RingLook& look) {
    painter.setBrush(Qt::NoBrush);
    const auto draw = [&](const QColor& color, double width) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawEllipse(middle, look.radius, look.radius);
    };
    draw(look.halo, look.haloWidth);
    draw(look.line, look.lineWidth);
}

QImage ringPicture(QSize size, const RingCenters& centers, const RingLook& look, JobContext& job) {
    const int half = halfOf(look);
    std::vector<Spot> spots = newVector<Spot>(centers.count, job);
    parallelFor(job, centers.count, kGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i)
            spots[static_cast<size_t>(i)] = spotOf(centers, i, size);
    });
    const int bands = (size.height() + kBand - 1) / kBand;
    const BandSpots byBand = spotsByBand(spots, bands, half, job);
    std::vector<Stamp> stamps;
    for (int row = 0; row < kPhases; ++row)
        for (int column = 0; column < kPhases; ++column)
            stamps.push_back(stampOf(look, column, row));
    const Stamp all = unionOf(stamps);
    QImage image = imageWithRoom(size, QImage::Format_ARGB32_Premultiplied);
    uchar* const pixels = image.bits();
    const qsizetype line = image.bytesPerLine();
    parallelFor(job, bands, 1, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            const int top = static_cast<int>(i) * kBand;
            const int rows = std::min(kBand, size.height() - top);
            Band band(size.width(), rows, half, all);
            const int64_t first = byBand.begins[static_cast<size_t>(i)];
            for (int64_t k = byBand.begins[static_cast<size_t>(i) + 1]; k-- > first;) {
                const Spot spot = byBand.spots[static_cast<size_t>(k)];
                band.lay(stamps[static_cast<size_t>(spot.row % kPhases * kPhases +
                                                    spot.column % kPhases)],
                         spot.column / kPhases, spot.row / kPhases - top);
            }
            for (int row = 0; row < rows; ++row)
                band.copyTo(reinterpret_cast<QRgb*>(pixels + line * (top + row)), row);
        }
    });
    return image;
}

}  // namespace armilla
