// SPDX-License-Identifier: GPL-3.0-or-later
// Storage and memory of the F_m of a transform between its passes.
#include <algorithm>
#include <cstdint>

#include "armilla/core/memory_limit.h"
#include "shared/new_alm.h"
#include "sht/plan/ring_transform.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Tiles are allocated for at least 1 / kLeastPart of all (five slices of a half), and take at most
// 1 / kTilesShare of the available memory.
constexpr size_t kLeastPart = 8;
constexpr int kTilesShare = 4;
// A plan that takes less than this in addition to its maps need not save memory.
constexpr int64_t kLittle = int64_t{32} << 20;

// Number of modes that fit into the storage of `samples` samples of a precision, given by its index
// in MapSamples. In single precision the storage may begin between two doubles, so it holds one
// sample less.
int modesInRing(int64_t samples, size_t precision) {
    return static_cast<int>(precision == 0 ? samples / 2 : (samples - 1) / 4);
}
}  // namespace

RingTransform::Spectrum::Spectrum(const MapSamples& map, Complex* beside, bool divided)
    : rings(map), tails(beside), overSine(divided) {
    std::visit(
        [&](const auto& samples) {
            storage = reinterpret_cast<std::byte*>(samples.data());
            sampleBytes = sizeof(samples[0]);
        },
        map);
}

// For every l <= lmax + 1, which the gradient needs, and every spin. Rings are paired if the grid
// is symmetric about the equator; otherwise each ring is alone.
std::vector<RingTransform::RingPair> RingTransform::pairsOf(const RingGrid& grid, int lmax,
                                                            int mmax) {
    std::vector<RingPair> pairs;
    for (const auto& [north, south] : mirroredPairs(grid)) {
        const Ring& ring = grid.rings[static_cast<size_t>(north)];
        pairs.push_back(
            {north, south, usefulModes(lmax + 1, mmax, kMaxSpin, ring.sinTheta, ring.z)});
    }
    return pairs;
}

void RingTransform::pairRings() {
    pairs_ = pairsOf(grid_, lmax_, mmax_);
    for (RingPair& pair : pairs_)
        for (const size_t precision : {0, 1}) {
            pair.tail[precision] = tailCount_[precision];
            tailCount_[precision] += 2 * static_cast<size_t>(modesInTail(pair, precision));
        }
}

int RingTransform::modesInTail(const RingPair& pair, size_t precision) const {
    const Ring& ring = grid_.rings[static_cast<size_t>(pair.north)];
    return std::max(0, pair.modes - modesInRing(ring.count, precision));
}

RingModes RingTransform::modesOf(const RingPair& pair, bool south, const Spectrum& spectrum) const {
    const Ring& ring = grid_.rings[static_cast<size_t>(south ? pair.south : pair.north)];
    const size_t precision = spectrum.rings.index();
    const size_t tail =
        pair.tail[precision] + static_cast<size_t>(south ? modesInTail(pair, precision) : 0);
    // An array of doubles may be accessed as one of half as many complex numbers; in an array of
    // floats these begin at the next multiple of eight bytes.
    const auto at = reinterpret_cast<uintptr_t>(spectrum.storage) +
                    static_cast<size_t>(ring.first) * spectrum.sampleBytes;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): aligned by hand
    auto* const head = reinterpret_cast<Complex*>((at + alignof(Complex) - 1) / alignof(Complex) *
                                                  alignof(Complex));
    return {head, spectrum.tails + tail, modesInRing(ring.count, precision), pair.modes};
}

// Rings are in different pages: prefetches the place of a tile in the rings of a later pair.
void RingTransform::prefetch(int index, int firstMode, const Spectrum& spectrum) const {
    constexpr int kAhead = 12, kLine = 4;  // pairs; modes of a cache line
    if (index + kAhead >= static_cast<int>(pairs_.size())) return;
    const RingPair& pair = pairs_[static_cast<size_t>(index + kAhead)];
    for (const bool south : {false, true}) {
        if (south && pair.south < 0) return;
        const RingModes modes = modesOf(pair, south, spectrum);
        if (firstMode >= std::min(pair.modes, modes.headCount)) return;
        __builtin_prefetch(modes.head + firstMode, 1);
        __builtin_prefetch(modes.head + firstMode + kLine, 1);
    }
}

// Stores F_m of a tile in the spectra of a pair of rings.
void RingTransform::storePair(int index, int firstMode, const ModeTile& tile,
                              const Spectrum& spectrum) const {
    prefetch(index, firstMode, spectrum);
    putPair(index, firstMode, tile, spectrum);
}

void RingTransform::putPair(int index, int firstMode, const ModeTile& tile,
                            const Spectrum& spectrum) const {
    const RingPair& pair = pairs_[static_cast<size_t>(index)];
    const int count = std::min(kTileModes, pair.modes - firstMode);
    if (count <= 0) return;
    const double sine = grid_.rings[static_cast<size_t>(pair.north)].sinTheta;
    const double scale = spectrum.overSine ? 1.0 / sine : 1.0;
    const auto put = [&](const RingModes& modes, bool south) {
        if (count == kTileModes && firstMode + kTileModes <= modes.headCount) {
            Complex* const to = modes.head + firstMode;
            for (int i = 0; i < kTileModes; ++i)
                to[i] = scale * tile.parity[south ? 1 : 0][i & 1][i / 2];
            return;
        }
        for (int i = 0; i < count; ++i)
            modes.at(firstMode + i) = scale * tile.parity[south ? 1 : 0][i & 1][i / 2];
    };
    put(modesOf(pair, false, spectrum), false);
    if (pair.south >= 0) put(modesOf(pair, true, spectrum), true);
}

// Copies F_m of all pairs for the orders of a tile to planes; 0 where there are no modes.
void RingTransform::fetch(const ThetaResampling::Planes& planes, int component, int tile,
                          const ModeTile* tiles) const {
    double* const base = planes.data + component * kPlanes * planes.stride;
    const int first = tiles_.firstPair(tile), end = first + tiles_.pairs(tile);
    for (int i = 0; i < kTileModes; ++i) {
        double* const out = base + i * planes.planesOfMode * planes.stride;
        for (int plane = 0; plane < kPlanes; ++plane) {
            std::fill(out + plane * planes.stride, out + plane * planes.stride + first, 0.0);
            std::fill(out + plane * planes.stride + end,
                      out + plane * planes.stride + latitudes_.count, 0.0);
        }
    }
    for (int p = first; p < end; ++p) {
        const ModeTile& in = tiles[p - first];
        double* out = base + p;
        for (int i = 0; i < kTileModes; ++i, out += planes.planesOfMode * planes.stride) {
            out[0] = in.north(i).real();
            out[planes.stride] = in.north(i).imag();
            out[2 * planes.stride] = in.south(i).real();
            out[3 * planes.stride] = in.south(i).imag();
        }
    }
}

int64_t RingTransform::synthesisBytes(std::span<const MapSamples> maps) const {
    int64_t bytes = 0;
    for (const MapSamples& map : maps)
        bytes += static_cast<int64_t>(tailCount_[map.index()] * sizeof(Complex));
    return bytes;
}

int64_t RingTransform::tableBytes() const {
    return fft_.bytes() + (resampling_ ? resampling_->bytes() : 0) +
           static_cast<int64_t>(grid_.rings.size() * sizeof(Ring) +
                                pairs_.size() * sizeof(RingPair));
}

int64_t RingTransform::memoryLimit(size_t precision) const {
    const int64_t map =
        grid_.sampleCount() * static_cast<int64_t>(precision == 0 ? sizeof(double) : sizeof(float));
    return std::max(kLittle, (map + almBytes(lmax_, mmax_)) / 2);
}

int64_t RingTransform::heldBytes() const {
    return static_cast<int64_t>(scratch_.size() * capacity_ * sizeof(ModeTile));
}

// The number of ModeTiles of each component within the limits, which determines the slices of
// orders. Existing tiles are kept if they are within the limits and not much smaller.
size_t RingTransform::capacityFor(int components, size_t precision) const {
    const auto tilesOf = [](int64_t bytes) {
        return static_cast<size_t>(std::max<int64_t>(0, bytes)) / sizeof(ModeTile);
    };
    const size_t least = std::max(tiles_.largestTile(), tiles_.size() / kLeastPart + 1);
    const size_t wanted =
        std::min(tiles_.size(), std::max(least, tilesOf(memoryLimit(precision) - tableBytes())));
    if (scratch_.size() >= static_cast<size_t>(components) && capacity_ <= wanted &&
        5 * capacity_ >= 4 * wanted)
        return capacity_;
    const int64_t limit =
        tilesLimit_ ? *tilesLimit_ : (availableMemory() + heldBytes()) / kTilesShare;
    return std::min(wanted, std::max(least, tilesOf(limit / std::max(1, components))));
}

int64_t RingTransform::analysisBytes(int components, size_t precision) const {
    return std::max<int64_t>(
        0, static_cast<int64_t>(static_cast<size_t>(components) *
                                capacityFor(components, precision) * sizeof(ModeTile)) -
               heldBytes());
}

}  // namespace armilla
