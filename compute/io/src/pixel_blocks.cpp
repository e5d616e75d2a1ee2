// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/pixel_blocks.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

// Calls body(from, to) with the values of each field.
template <class Body>
void forEachField(const std::vector<Field>& from, std::vector<Field>& to, const Body& body) {
    for (size_t f = 0; f < from.size(); ++f)
        std::visit(
            [&](const auto& source) {
                body(source, std::get<std::decay_t<decltype(source)>>(to[f].values));
            },
            from[f].values);
}

// Pixels x + y = const of a square block on a face: consecutive pixels of a ring, from the west.
struct Diagonal {
    int64_t x = 0, y = 0;  // westernmost pixel, in the block
    int64_t length = 0;
    int64_t value = 0;  // index of its first value among those read
};

std::vector<Field> nestedFromRings(MapPartReader& reader, ElementRun block, JobContext& job) {
    const int64_t nside = reader.outline().nside;
    const int64_t width = int64_t{1} << (std::countr_zero(static_cast<uint64_t>(block.count)) / 2);
    ARMILLA_ASSERT(width * width == block.count && block.first % block.count == 0);
    const FacePixel corner = faceFromNested(nside, block.first);
    std::vector<ElementRun> runs;
    std::vector<Diagonal> diagonals;
    int64_t values = 0;
    // From north to south, hence ascending in the file.
    for (int64_t sum = 2 * width - 2; sum >= 0; --sum) {
        const int64_t x = std::max<int64_t>(0, sum - width + 1);
        const Diagonal diagonal{x, sum - x, std::min(sum, width - 1) - x + 1, values};
        const RingPlace at =
            ringPlaceFromFace(nside, {corner.face, corner.x + diagonal.x, corner.y + diagonal.y});
        const int64_t first = detail::firstPixelOfRing(nside, at.ring);
        // The face that contains longitude 0 crosses the end of the ring.
        const int64_t before = std::min(diagonal.length, ringLength(nside, at.ring) - at.place);
        runs.push_back({first + at.place, before});
        if (before < diagonal.length) runs.push_back({first, diagonal.length - before});
        diagonals.push_back(diagonal);
        values += diagonal.length;
    }
    const std::vector<Field> rings = reader.read(runs, job);
    std::vector<Field> fields = fieldsLike(rings, block.count, job);
    forEachField(rings, fields, [&](const auto& from, auto& to) {
        constexpr int64_t kDiagonals = 64;
        parallelFor(job, std::ssize(diagonals), kDiagonals, [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                const Diagonal& diagonal = diagonals[i];
                for (int64_t k = 0; k < diagonal.length; ++k)
                    to[static_cast<size_t>(
                        nestedFromFace(width, {0, diagonal.x + k, diagonal.y - k}))] =
                        from[static_cast<size_t>(diagonal.value + k)];
            }
        });
    });
    return fields;
}

// The runs of face pixels in the rings of a block: body(number of the first pixel in the block,
// run).
template <class Body>
void forRingRuns(int64_t nside, ElementRun block, const JobContext& job, const Body& body) {
    for (int64_t done = 0; done < block.count;) {
        const RingPlace at = ringPlaceFromRing(nside, block.first + done);
        if (at.place == 0) job.poll();
        RingRun run = ringRun(nside, at);
        run.length = std::min(run.length, block.count - done);
        body(done, run);
        done += run.length;
    }
}

std::vector<Field> ringsFromNested(MapPartReader& reader, ElementRun block, JobContext& job) {
    const int64_t nside = reader.outline().nside;
    const int64_t rings = ringPlaceFromRing(nside, block.first + block.count - 1).ring -
                          ringPlaceFromRing(nside, block.first).ring + 1;
    // A cell of half as many pixels to a side crosses as many rings as the block has: the block
    // needs twice its own values at most.
    const int64_t width = std::min(nside, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(
                                              std::max<int64_t>(1, rings / 2)))));
    const int64_t cells = nside / width;
    std::vector<int64_t> place(static_cast<size_t>(pixelCount(cells)), -1);
    // Steps of a run to the border of its cell.
    const auto forCells = [&](const auto& body) {
        forRingRuns(nside, block, job, [&](int64_t first, const RingRun& run) {
            for (int64_t k = 0; k < run.length;) {
                const FacePixel at{run.first.face, run.first.x + k, run.first.y - k};
                const int64_t steps =
                    std::min({run.length - k, width - at.x % width, at.y % width + 1});
                body(first + k, steps, at,
                     static_cast<size_t>(
                         nestedFromFace(cells, {at.face, at.x / width, at.y / width})));
                k += steps;
            }
        });
    };
    forCells([&](int64_t, int64_t, FacePixel, size_t cell) { place[cell] = 0; });
    std::vector<ElementRun> runs;
    const int64_t pixels = width * width;
    for (int64_t cell = 0, next = 0; cell < std::ssize(place); ++cell) {
        if (place[static_cast<size_t>(cell)] < 0) continue;
        place[static_cast<size_t>(cell)] = next;
        next += pixels;
        if (!runs.empty() && runs.back().first + runs.back().count == cell * pixels)
            runs.back().count += pixels;
        else
            runs.push_back({cell * pixels, pixels});
    }
    const std::vector<Field> nested = reader.read(runs, job);
    std::vector<Field> fields = fieldsLike(nested, block.count, job);
    forEachField(nested, fields, [&](const auto& from, auto& to) {
        forCells([&](int64_t first, int64_t steps, FacePixel at, size_t cell) {
            for (int64_t k = 0; k < steps; ++k)
                to[static_cast<size_t>(first + k)] = from[static_cast<size_t>(
                    place[cell] +
                    nestedFromFace(width, {0, (at.x + k) % width, (at.y - k) % width}))];
        });
    });
    return fields;
}

}  // namespace

int64_t ringLength(int64_t nside, int64_t ring) {
    return 4 * detail::quarterLength(nside, ring);
}

std::vector<Field> fieldsLike(const std::vector<Field>& like, int64_t count, JobContext& job) {
    std::vector<Field> fields;
    for (const Field& each : like) {
        Field field{each.name, each.unit, each.diskType, {}};
        if (each.isSingle())
            field.values = newVector<float>(count, job);
        else
            field.values = newVector<double>(count, job);
        fields.push_back(std::move(field));
    }
    return fields;
}

std::vector<ElementRun> pixelBlocks(int64_t nside, Ordering ordering, int64_t most) {
    std::vector<ElementRun> blocks;
    if (ordering == Ordering::Nested) {
        int64_t width = nside;
        while (width > 1 && width * width > most) width /= 2;
        for (int64_t first = 0; first < pixelCount(nside); first += width * width)
            blocks.push_back({first, width * width});
        return blocks;
    }
    for (int64_t ring = 1, first = 0; ring < 4 * nside;) {
        int64_t count = ringLength(nside, ring);
        for (++ring; ring < 4 * nside && count + ringLength(nside, ring) <= most; ++ring)
            count += ringLength(nside, ring);
        blocks.push_back({first, count});
        first += count;
    }
    return blocks;
}

std::vector<Field> readPixelBlock(MapPartReader& reader, Ordering ordering, ElementRun block,
                                  JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    if (ordering == reader.outline().like.ordering())
        return reader.read(std::span(&block, 1), silent);
    return ordering == Ordering::Nested ? nestedFromRings(reader, block, silent)
                                        : ringsFromNested(reader, block, silent);
}

std::vector<Field> readPixels(MapPartReader& reader, std::span<const int64_t> pixels,
                              JobContext& job) {
    // A gap below this length is read, too: a call to the system costs as much.
    constexpr int64_t kGap = 1024;
    std::vector<Field> fields = fieldsLike(reader.outline().like.fields(), std::ssize(pixels), job);
    JobContext silent(job.stopToken(), {}, job.threads());
    for (size_t begin = 0; begin < pixels.size();) {
        std::vector<ElementRun> runs;
        std::vector<int64_t> place;  // index of each pixel's value among those read
        size_t end = begin;
        for (int64_t read = 0; end < pixels.size() && read < kBlockPixels; ++end) {
            const int64_t pixel = pixels[end];
            const int64_t next = runs.empty() ? 0 : runs.back().first + runs.back().count;
            const int64_t more = runs.empty() || pixel - next > kGap ? 1 : pixel - next + 1;
            if (runs.empty() || pixel - next > kGap)
                runs.push_back({pixel, 1});
            else
                runs.back().count += more;
            read += more;
            place.push_back(read - 1);
        }
        const std::vector<Field> some = reader.read(runs, silent);
        forEachField(some, fields, [&](const auto& from, auto& to) {
            for (size_t i = begin; i < end; ++i)
                to[i] = from[static_cast<size_t>(place[i - begin])];
        });
        begin = end;
        job.report(static_cast<double>(begin) / static_cast<double>(pixels.size()), "reading");
    }
    return fields;
}

}  // namespace armilla
