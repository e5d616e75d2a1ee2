// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/face_bits.h"

#include <array>
#include <cmath>

#include "armilla/core/face_neighbors.h"
#include "armilla/core/new_vector.h"

namespace armilla::mask {

namespace {

// Rows and columns of a block of pixels whose bits are exchanged between rings and rows.
constexpr int64_t kBlock = 64;

// `count` bits, at most 64, from bit `first` on.
uint64_t bitsFrom(std::span<const uint64_t> bits, int64_t first, int64_t count) {
    const auto word = static_cast<size_t>(first / 64);
    const int shift = static_cast<int>(first % 64);
    uint64_t result = bits[word] >> shift;
    if (shift + count > 64) result |= bits[word + 1] << (64 - shift);
    return count == 64 ? result : result & ((uint64_t{1} << count) - 1);
}

}  // namespace

FaceTables::FaceTables(int64_t nside, Ordering ordering)
    : nside_(nside), isNested_(ordering == Ordering::Nested) {
    rings_.resize(static_cast<size_t>(4 * nside));
    for (int64_t i = 1; i < 4 * nside; ++i) {
        Ring& ring = rings_[static_cast<size_t>(i)];
        ring = {detail::firstPixelOfRing(nside, i), detail::quarterLength(nside, i),
                detail::ringShift(nside, i), 0.0, 0.0};
        ringHeight(nside, i, ring.z, ring.s);
    }
    turns_.reserve(static_cast<size_t>(2 * nside));
    for (int64_t i = 0; i < 2 * nside; ++i) {
        const double angle = 0.25 * kPi * static_cast<double>(i) / static_cast<double>(nside);
        turns_.push_back({std::cos(angle), std::sin(angle)});
    }
    steps_.resize(static_cast<size_t>(nside * kSteps));
    for (int64_t i = kSteps; i < nside * kSteps; ++i) {
        const double angle =
            0.5 * kPi * static_cast<double>(i % kSteps) / static_cast<double>(i / kSteps);
        steps_[static_cast<size_t>(i)] = {std::cos(angle), std::sin(angle)};
    }
}

Vec3 FaceTables::pointOnRing(const Ring& ring, int64_t longitude) const {
    int quarter = 0;
    for (; longitude >= 2 * ring.quarter; ++quarter) longitude -= 2 * ring.quarter;
    Turn turn;
    if (ring.quarter == nside_) {
        turn = turns_[static_cast<size_t>(longitude)];
    } else {
        const double angle =
            0.25 * kPi * static_cast<double>(longitude) / static_cast<double>(ring.quarter);
        turn = {std::cos(angle), std::sin(angle)};
    }
    const double along = ring.s * turn.cosine, aside = ring.s * turn.sine;
    if (quarter == 0) return {along, aside, ring.z};
    if (quarter == 1) return {-aside, along, ring.z};
    if (quarter == 2) return {-along, -aside, ring.z};
    return {aside, -along, ring.z};
}

FaceTables::Run FaceTables::run(FacePixel first, int64_t length) const {
    const Ring& ring = rings_[static_cast<size_t>(detail::ringOfFacePixel(nside_, first))];
    const int64_t place = (detail::longitudeOfFacePixel(first, ring.quarter) - ring.shift) / 2;
    return {ring.first + place, std::min(length, 4 * ring.quarter - place), ring.first};
}

FaceBits::FaceBits(const FaceTables& tables, std::span<const uint64_t> bits, JobContext& job)
    : nside_(tables.nside()), words_((tables.nside() + 63) / 64) {
    bits_ = newVector<uint64_t>(kFaces * nside_ * words_, job);
    if (tables.isNested()) {
        parallelFor(job, kFaces * nside_, 16, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                takeNested(bits, static_cast<int>(i / nside_), i % nside_);
        });
    } else {
        const int64_t blocks = words_ * words_;
        parallelFor(job, kFaces * blocks, 4, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) takeRings(tables, bits, i);
        });
    }
}

// A ring crosses a block on a line of constant x + y = s. Word s of `lines` gets the bits of that
// line, each at its x. Row y of the block has bit x from word x + y: six steps move each bit by the
// powers of two in its x.
void FaceBits::takeRings(const FaceTables& tables, std::span<const uint64_t> bits, int64_t block) {
    const auto face = static_cast<int>(block / (words_ * words_));
    const int64_t x = block % words_ * kBlock, y = block / words_ % words_ * kBlock;
    const int64_t width = std::min(kBlock, nside_ - x), height = std::min(kBlock, nside_ - y);
    std::array<uint64_t, 2 * kBlock> lines{};
    for (int64_t s = 0; s < width + height - 1; ++s) {
        const int64_t from = std::max(int64_t{0}, s - height + 1), to = std::min(s, width - 1);
        const FaceTables::Run run = tables.run({face, x + from, y + s - from}, to - from + 1);
        uint64_t line = bitsFrom(bits, run.pixel, run.before);
        if (const int64_t after = to - from + 1 - run.before; after > 0)
            line |= bitsFrom(bits, run.next, after) << run.before;
        lines[static_cast<size_t>(s)] = line << from;
    }
    // Columns whose number has a certain bit.
    constexpr std::array<uint64_t, 6> kColumns{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC,
                                               0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
                                               0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    for (size_t step = kColumns.size(); step-- > 0;) {
        const size_t distance = size_t{1} << step;
        for (size_t i = 0; i + distance < lines.size(); ++i)
            lines[i] = (lines[i] & ~kColumns[step]) | (lines[i + distance] & kColumns[step]);
    }
    for (int64_t j = 0; j < height; ++j)
        row(face, y + j)[x / kBlock] = lines[static_cast<size_t>(j)];
}

void FaceBits::takeNested(std::span<const uint64_t> bits, int face, int64_t y) {
    uint64_t* const to = row(face, y);
    if (nside_ < 8) {
        for (int64_t x = 0; x < nside_; ++x) {
            const int64_t p = nestedFromFace(nside_, {face, x, y});
            to[0] |= (bits[static_cast<size_t>(p / 64)] >> (p % 64) & 1) << x;
        }
        return;
    }
    // A word holds 8 x 8 pixels; a row of these has the bits 0, 1, 4, 5, 16, 17, 20 and 21 from
    // bit 2 spreadBits(y) on.
    const auto shift = 2 * detail::spreadBits(static_cast<uint64_t>(y % 8));
    for (int64_t x = 0; x < nside_; x += 8) {
        const int64_t p = nestedFromFace(nside_, {face, x, y - y % 8});
        uint64_t eight = bits[static_cast<size_t>(p / 64)] >> shift & 0x330033;
        eight = (eight | eight >> 2) & 0xF000F;
        eight = (eight | eight >> 12) & 0xFF;
        to[x / 64] |= eight << (x % 64);
    }
}

bool FaceBits::hasOthers(int face, int64_t x, int64_t y, int64_t width, int64_t height) const {
    for (int64_t j = y; j < y + height; ++j)
        for (int64_t word = x / 64; 64 * word < x + width; ++word) {
            const int64_t first = std::max(x - 64 * word, int64_t{0}),
                          end = std::min(x + width - 64 * word, int64_t{64});
            const uint64_t within =
                (end - first == 64 ? ~uint64_t{0} : (uint64_t{1} << (end - first)) - 1) << first;
            if ((~row(face, j)[word] & within) != 0) return true;
        }
    return false;
}

bool FaceBits::hasOther(FacePixel p) const {
    for (int number = 0; number < 8; ++number) {
        const FacePixel next = neighborOf(nside_, p, number);
        if (next.face >= 0 && !at(next)) return true;
    }
    return false;
}

}  // namespace armilla::mask
