// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels along the rows of the base faces: their numbers, centers, and one bit for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla::mask {

constexpr int kFaces = 12;

// Numbers and centers of face pixels, from tables of the rings and of longitudes.
class FaceTables {
public:
    FaceTables(int64_t nside, Ordering ordering);

    int64_t nside() const { return nside_; }
    bool isNested() const { return isNested_; }
    // Equals nestedFromFace() or ringFromFace().
    int64_t pixel(FacePixel at) const {
        if (isNested_) return nestedFromFace(nside_, at);
        const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, at))];
        return ring.first + (detail::longitudeOfFacePixel(at, ring.quarter) - ring.shift) / 2;
    }
    // The bits of directionFromFace().
    Vec3 direction(FacePixel at) const {
        const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, at))];
        return pointOnRing(ring, detail::longitudeOfFacePixel(at, ring.quarter));
    }
    // The corner that a pixel with x, y > 0 shares with (x - 1, y - 1). Corners lie on rings, too.
    Vec3 corner(FacePixel at) const {
        const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, at) + 1)];
        return pointOnRing(ring, detail::longitudeOfFacePixel(at, ring.quarter));
    }
    // Calls body(k, direction) for pixels k = 0, 1, ... from `first` along decreasing y and
    // increasing x. Directions are within 4e-16 of direction(); their bits depend on the pixel
    // alone.
    template <class Body>
    void directions(FacePixel first, int64_t length, const Body& body) const {
        const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, first))];
        int64_t longitude = detail::longitudeOfFacePixel(first, ring.quarter);
        if (ring.quarter == nside_) {
            for (int64_t k = 0; k < length; ++k) {
                body(k, pointOnRing(ring, longitude));
                longitude += 2;
                if (longitude >= 8 * nside_) longitude -= 8 * nside_;
            }
            return;
        }
        // In the caps a face spans one quarter. Every eighth pixel of it has a cosine and a sine of
        // its own; those between are turned from it.
        const Turn* const steps = steps_.data() + ring.quarter * kSteps;
        int64_t place = longitude % (2 * ring.quarter) / 2;
        Vec3 from;
        for (int64_t k = 0; k < length; ++k, ++place, longitude += 2) {
            const int64_t step = place % kSteps;
            if (k == 0 || step == 0) from = pointOnRing(ring, longitude - 2 * step);
            body(k, Vec3{from.x * steps[step].cosine - from.y * steps[step].sine,
                         from.x * steps[step].sine + from.y * steps[step].cosine, from.z});
        }
    }
    // RING numbers of `length` pixels from `first` along decreasing y and increasing x. The first
    // `before` pixels are consecutive; the others begin the ring.
    struct Run {
        int64_t pixel = 0, before = 0, next = 0;
    };
    Run run(FacePixel first, int64_t length) const;

private:
    struct Ring {
        int64_t first, quarter, shift;
        double z, s;
    };
    struct Turn {
        double cosine, sine;
    };
    static constexpr int64_t kSteps = 8;

    Vec3 pointOnRing(const Ring& ring, int64_t longitude) const;

    int64_t nside_;
    bool isNested_;
    std::vector<Ring> rings_;
    std::vector<Turn> turns_;  // by longitude in units of pi / (4 nside), below 2 nside
    std::vector<Turn>
        steps_;  // by pixels along a ring of the caps; kSteps for each quarterLength()
};

// One bit per pixel; each row of a face begins with a new word.
class FaceBits {
public:
    // `bits`: bit p % 64 of element p / 64 for pixel p.
    FaceBits(const FaceTables& tables, std::span<const uint64_t> bits, JobContext& job);

    bool at(FacePixel p) const { return ((row(p.face, p.y)[p.x / 64] >> (p.x % 64)) & 1) != 0; }
    // Number of words of 64 pixels in a row.
    int64_t words() const { return words_; }
    // Calls body(x) for the set pixels of a word that have a neighbor which is not set.
    template <class Body>
    void edges(int face, int64_t y, int64_t word, const Body& body) const {
        const bool outer = y == 0 || y == nside_ - 1;
        uint64_t found = row(face, y)[word];
        if (found == 0) return;
        // Pixels inside the face by whole words, edge pixels individually.
        if (!outer) found &= besideOthers(face, y, word) | outerColumns(word);
        for (; found != 0; found &= found - 1) {
            const int64_t x = 64 * word + __builtin_ctzll(found);
            if ((!outer && x > 0 && x < nside_ - 1) || hasOther({face, x, y})) body(x);
        }
    }
    // The set pixels among 64 columns of a row from x on that have a neighbor which is not set, and
    // perhaps further set pixels at the edges of the face. None outside the face.
    uint64_t edgeColumns(int face, int64_t y, int64_t x) const {
        if (y < 0 || y >= nside_) return 0;
        return joined(x, [&](int64_t word) {
            const uint64_t found = row(face, y)[word];
            if (found == 0 || y == 0 || y == nside_ - 1) return found;
            return found & (besideOthers(face, y, word) | outerColumns(word));
        });
    }
    // The bits of 64 columns of a row from x on; not set outside the face.
    uint64_t columns(int face, int64_t y, int64_t x) const {
        if (y < 0 || y >= nside_) return 0;
        return joined(x, [&](int64_t word) { return row(face, y)[word]; });
    }
    // True if a rectangle contains a pixel that is not set.
    bool hasOthers(int face, int64_t x, int64_t y, int64_t width, int64_t height) const;

private:
    void takeRings(const FaceTables& tables, std::span<const uint64_t> bits, int64_t block);
    void takeNested(std::span<const uint64_t> bits, int face, int64_t y);
    const uint64_t* row(int face, int64_t y) const {
        return bits_.data() + (face * nside_ + y) * words_;
    }
    uint64_t* row(int face, int64_t y) { return bits_.data() + (face * nside_ + y) * words_; }
    // 64 columns from x on, of two words that wordAt(word) returns.
    template <class WordAt>
    uint64_t joined(int64_t x, const WordAt& wordAt) const {
        const auto word = [&](int64_t w) { return w < 0 || w >= words_ ? 0 : wordAt(w); };
        const int64_t first = x >> 6, shift = x & 63;
        return shift == 0 ? word(first) : word(first) >> shift | word(first + 1) << (64 - shift);
    }
    uint64_t outerColumns(int64_t word) const {
        uint64_t mask = word == 0 ? 1 : 0;
        if (word == words_ - 1) mask |= uint64_t{1} << ((nside_ - 1) % 64);
        return mask;
    }
    // Pixels of a word with a pixel of the other kind in the 3 x 3 around, within the face.
    uint64_t besideOthers(int face, int64_t y, int64_t word) const {
        uint64_t result = 0;
        for (int64_t j = y - 1; j <= y + 1; ++j) {
            const auto others = [&](int64_t w) {
                return w < 0 || w >= words_ ? 0 : ~row(face, j)[w];
            };
            const uint64_t own = others(word);
            result |= own | own << 1 | own >> 1 | others(word - 1) >> 63 | others(word + 1) << 63;
        }
        return result;
    }
    bool hasOther(FacePixel p) const;

    int64_t nside_, words_;
    std::vector<uint64_t> bits_;
};

}  // namespace armilla::mask
