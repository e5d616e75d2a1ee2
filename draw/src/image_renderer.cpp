// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/image_renderer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "armilla/core/face_values.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/draw/drawn_values.h"
#include "image_rows.h"
#include "row_cells.h"

namespace armilla {

namespace {

int64_t pixelsOf(const ViewGeometry& view) {
    checkView(view);
    return int64_t{view.width} * view.height;
}

// Levels of a pyramid as they are read pixel by pixel.
struct Faces {
    explicit Faces(const MapPyramid& pyramid)
        : levels(pyramid.levels()),
          shift(std::countr_zero(static_cast<uint64_t>(pyramid.nside()))) {
        for (int level = 0; level < levels; ++level)
            values[static_cast<size_t>(level)] = pyramid.level(level).data();
    }
    // `cell` of level 0: (face * nside + y) * nside + x.
    const float* place(int32_t cell, int level) const {
        const auto bits = static_cast<uint32_t>(cell);
        const uint32_t low = (uint32_t{1} << shift) - 1;
        const uint32_t x = (bits & low) >> level, y = (bits >> shift & low) >> level;
        const uint32_t face = bits >> (2 * shift);
        const int side = shift - level;
        return values[static_cast<size_t>(level)] + ((face << side | y) << side | x);
    }

    int levels = 0, shift = 0;
    std::array<const float*, 32> values{};
};

// The values under a batch. Neighbors in a row of the picture lie in different rows of a face: the
// processor fetches all of them before the first one is used.
struct DrawnValues {
    void fetch(const Faces& faces, const RowBatch& batch) {
        for (int i = 0; i < batch.count; ++i) {
            const PyramidLevel level = pyramidLevel(batch.level[i], faces.levels);
            const int coarser = level.blend > 0.0F ? level.level + 1 : level.level;
            fine[i] = faces.place(batch.cell[i], level.level);
            coarse[i] = faces.place(batch.cell[i], coarser);
            blend[i] = level.blend;
            __builtin_prefetch(fine[i]);
            __builtin_prefetch(coarse[i]);
        }
    }
    float operator[](int i) const {
        return blend[i] > 0.0F ? blendedValue(*fine[i], *coarse[i], blend[i]) : *fine[i];
    }
    const float* fine[RowBatch::kMost];
    const float* coarse[RowBatch::kMost];
    float blend[RowBatch::kMost];
};

// Colors of a batch of values: those of ColorPicker.
class BatchColors {
public:
    // Keeps references to both arguments.
    BatchColors(const ColorScale& scale, const ColorTable& table)
        : mapping_(prepareMapping(scale.mapping)),
          isLinear_(mapping_.scale == Scale::Linear && mapping_.gamma == 1.0F &&
                    mapping_.factor != 0.0F),
          color_(scale, table) {
        std::copy(table.begin(), table.end(), colors_.begin());
        colors_[kBad] = scale.bad;
        colors_[kBelow] = scale.ownBelow ? scale.below : table.front();
        colors_[kAbove] = scale.ownAbove ? scale.above : table.back();
    }
    void operator()(const float* values, int count, Rgba* to) const {
        if (!isLinear_) {
            for (int i = 0; i < count; ++i) to[i] = color_(values[i]);
            return;
        }
        // Separate loops: the first becomes vector instructions.
        int entries[RowBatch::kMost];
        for (int i = 0; i < count; ++i) {
            const bool isGood = values[i] == values[i];
            const float value = isGood ? values[i] : mapping_.low;
            const float position = scaledPosition(mapping_, value, value);
            const int entry = colorIndex(position);
            entries[i] = !isGood           ? kBad
                         : position < 0.0F ? kBelow
                         : position > 1.0F ? kAbove
                                           : entry;
        }
        for (int i = 0; i < count; ++i) to[i] = colors_[static_cast<size_t>(entries[i])];
    }

private:
    static constexpr int kBad = 256, kBelow = 257, kAbove = 258;
    PreparedMapping mapping_;
    bool isLinear_;
    ColorPicker color_;
    std::array<Rgba, 259> colors_{};
};

// Cosines and sines of the longitudes of a row's next pixels, as turns from its first one.
struct LongitudeSteps {
    // `step` radians from pixel to pixel.
    void fill(double step) {
        for (int i = 0; i < RowBatch::kMost; ++i) {
            cosine[i] = std::cos(i * step);
            sine[i] = std::sin(i * step);
        }
    }
    double cosine[RowBatch::kMost], sine[RowBatch::kMost];
};

// A row of a picture of the sky, `RowBatch::kMost` columns at a time.
class RowWalk {
public:
    RowWalk(const ViewGeometry& view, int row)
        : view_(view),
          line_(row + 0.5),
          row_(planeRow(view.projection, planeFromImage(view, 0.5, line_).y)),
          isStriped_(view.projection == Projection::Mollweide ||
                     view.projection == Projection::Cartesian) {
        if (isOnSky() && isStriped_) steps_.fill(longitude(view.radiansPerPixel));
    }
    bool isOnSky() const { return row_.inside; }

    // Puts the pixels on the sky among the columns from `first` into the batch.
    void fill(int first, RowBatch& batch) const {
        batch.count = 0;
        const int last = std::min(view_.width, first + RowBatch::kMost);
        if (isStriped_)
            fillStriped(first, last, batch);
        else
            for (int column = first; column < last; ++column) {
                Vec3 direction;
                const double x = planeX(column);
                if (directionFromRow(view_.projection, view_.flip, row_, x, direction))
                    add(column, direction,
                        view_.radiansPerPixel *
                            footprintScale(view_.projection, row_, x, direction),
                        batch);
            }
    }

private:
    double planeX(int column) const { return planeFromImage(view_, column + 0.5, line_).x; }
    double longitude(double x) const { return (view_.flip ? x : -x) * row_.lonPerX; }

    // Rows of constant latitude, along which the longitude grows evenly: the sum of two angles
    // takes the place of a cosine and a sine, within 4e-16.
    void fillStriped(int first, int last, RowBatch& batch) const {
        const bool isMollweide = view_.projection == Projection::Mollweide;
        const double begin = longitude(planeX(first));
        const double cosine = row_.cosLat * std::cos(begin), sine = row_.cosLat * std::sin(begin);
        for (int column = first; column < last; ++column) {
            const double x = planeX(column);
            if (!(std::fabs(x) <= row_.halfWidth * kBorderSlack)) continue;
            const int i = column - first;
            add(column,
                {cosine * steps_.cosine[i] - sine * steps_.sine[i],
                 sine * steps_.cosine[i] + cosine * steps_.sine[i], row_.sinLat},
                isMollweide ? x : view_.radiansPerPixel, batch);
        }
        if (isMollweide) mollweideFootprints(row_, view_.radiansPerPixel, batch);
    }
    static void add(int column, Vec3 direction, double footprint, RowBatch& batch) {
        const int i = batch.count++;
        batch.column[i] = column;
        batch.x[i] = direction.x;
        batch.y[i] = direction.y;
        batch.z[i] = direction.z;
        batch.footprint[i] = footprint;
    }

    const ViewGeometry& view_;
    double line_;
    PlaneRow row_;
    bool isStriped_;
    LongitudeSteps steps_;
};

// Calls `take(place, values, count)` for the pixels on the sky, `RowBatch::kMost` of a row or fewer
// at a time: the value of pixel place(i).
template <class Take>
void forEachBatch(const MapPyramid& pyramid, const ViewGeometry& view, JobContext& job,
                  const Take& take) {
    checkView(view);
    if (pyramid.nside() > kMostBatchNside)
        throw InvalidArgument("expected faces of nside " + std::to_string(kMostBatchNside) +
                              " at most, found " + std::to_string(pyramid.nside()));
    const Faces faces(pyramid);
    parallelFor(
        job, view.height, kRowsPerRange,
        [&](long long begin, long long end) {
            RowBatch batch;
            DrawnValues values;
            for (long long j = begin; j < end; ++j) {
                const RowWalk walk(view, static_cast<int>(j));
                if (!walk.isOnSky()) continue;
                const auto row = static_cast<size_t>(j) * static_cast<size_t>(view.width);
                for (int first = 0; first < view.width; first += RowBatch::kMost) {
                    walk.fill(first, batch);
                    cellsUnder(view.skyFromView, pyramid.nside(), batch);
                    values.fetch(faces, batch);
                    float under[RowBatch::kMost];
                    for (int i = 0; i < batch.count; ++i) under[i] = values[i];
                    take([&](int i) { return row + static_cast<size_t>(batch.column[i]); }, under,
                         batch.count);
                }
            }
        },
        "drawing");
}

// The same for one pixel at a time.
template <class Take>
void forEachBatch(const SparsePyramid& pyramid, const ViewGeometry& view, JobContext& job,
                  const Take& take) {
    checkView(view);
    const auto nside = static_cast<double>(pyramid.nside());
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow& row, double x, Vec3 inView) {
        const Vec3 sky = view.skyFromView * inView;
        const int64_t at = nestedFromFace(pyramid.nside(), faceFromDirection(pyramid.nside(), sky));
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, row, x, inView);
        const PyramidLevel drawn = pyramidLevel(footprint, nside, pyramid.levels());
        float value = pyramid.value(at, drawn.level);
        if (drawn.blend > 0.0F)
            value = blendedValue(value, pyramid.value(at, drawn.level + 1), drawn.blend);
        take([index](int) { return index; }, &value, 1);
    });
}

template <class Pyramid>
std::vector<Rgba> picture(const Pyramid& pyramid, const ViewGeometry& view, const ColorScale& scale,
                          JobContext& job) {
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const BatchColors colors(scale, table);
    std::vector<Rgba> picture = newVector<Rgba>(pixelsOf(view), job, scale.outside);
    forEachBatch(pyramid, view, job, [&](const auto& place, const float* values, int count) {
        Rgba made[RowBatch::kMost];
        colors(values, count, made);
        for (int i = 0; i < count; ++i) picture[place(i)] = made[i];
    });
    return picture;
}

template <class Pyramid>
std::vector<float> valuesOf(const Pyramid& pyramid, const ViewGeometry& view, JobContext& job) {
    std::vector<float> values = newVector<float>(pixelsOf(view), job, badFaceValue());
    forEachBatch(pyramid, view, job, [&](const auto& place, const float* drawn, int count) {
        for (int i = 0; i < count; ++i) values[place(i)] = drawn[i];
    });
    return values;
}

}  // namespace

std::vector<int64_t> renderIndices(int64_t nside, Ordering ordering, const ViewGeometry& view,
                                   JobContext& job) {
    checkNside(nside, ordering);
    std::vector<int64_t> pixels(static_cast<size_t>(pixelsOf(view)), -1);
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow&, double, Vec3 inView) {
        const Vec3 sky = view.skyFromView * inView;
        pixels[index] = pixelFromDirection(nside, ordering, sky);
    });
    return pixels;
}

int64_t finestNsideDrawn(int64_t nside, const ViewGeometry& view) {
    checkView(view);
    // A unit step in the plane is at least as long on the sky in all projections but one.
    double least = 1.0;
    if (view.projection == Projection::Gnomonic) {
        const double aside = std::fabs(view.offset.x) + 0.5 * view.width * view.radiansPerPixel;
        const double along = std::fabs(view.offset.y) + 0.5 * view.height * view.radiansPerPixel;
        least = 1.0 / std::sqrt(1.0 + aside * aside + along * along);
    }
    int levels = 1;
    while (nside >> levels > 0) ++levels;
    return nside >>
           pyramidLevel(view.radiansPerPixel * least, static_cast<double>(nside), levels).level;
}

std::vector<Rgba> renderImage(const MapPyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job) {
    return picture(pyramid, view, scale, job);
}

std::vector<Rgba> renderImage(const SparsePyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job) {
    return picture(pyramid, view, scale, job);
}

std::vector<float> drawnValues(const MapPyramid& pyramid, const ViewGeometry& view,
                               JobContext& job) {
    return valuesOf(pyramid, view, job);
}

std::vector<float> drawnValues(const SparsePyramid& pyramid, const ViewGeometry& view,
                               JobContext& job) {
    return valuesOf(pyramid, view, job);
}

}  // namespace armilla
