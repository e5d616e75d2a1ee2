// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/ring_fft.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/sky_vector.h"
#include "sht/fft/complex_product.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// e^{i m phi0}, m = 0 .. count - 1, each from two tabulated factors. The error is a few epsilon for
// m phi0 of order 1, which holds for all modes on a ring; for larger m phi0 it grows by this
// factor.
void fillPhases(std::vector<Complex>& phase, double phi0, int count) {
    constexpr int kFine = 64;
    Complex fine[kFine];
    for (int i = 0; i < kFine; ++i) fine[i] = {std::cos(i * phi0), std::sin(i * phi0)};
    for (int base = 0; base < count; base += kFine) {
        const double angle = std::remainder(static_cast<double>(base) * phi0, kTwoPi);
        const Complex coarse(std::cos(angle), std::sin(angle));
        for (int i = 0; i < kFine && base + i < count; ++i) {
            const Complex f = fine[i];
            phase[static_cast<size_t>(base + i)] = times(coarse, f);
        }
    }
}

}  // namespace

namespace {

std::vector<size_t> lengthsOf(const RingGrid& grid) {
    std::vector<size_t> lengths;
    for (const Ring& ring : grid.rings) lengths.push_back(static_cast<size_t>(ring.count));
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

}  // namespace

// FFTW takes milliseconds to plan a length: too long for the thousands of lengths of a HEALPix map.
FftLibrary RingFft::libraryFor(const RingGrid& grid) {
    const std::vector<size_t> lengths = lengthsOf(grid);
    return lengths.size() == 1 ? BatchedFft::fastest(static_cast<int64_t>(lengths[0]))
                               : FftLibrary::Own;
}

RingFft::RingFft(const RingGrid& grid, JobContext& job) : RingFft(grid, job, libraryFor(grid)) {}
RingFft::RingFft(const RingGrid& grid, JobContext& job, FftLibrary library)
    : rows_(lengthsOf(grid), job, grid.rings.empty() ? FftLibrary::Own : library) {}

RingFft::Workspace::Workspace(const RingFft& plans, int mmax)
    : row_(plans.rows_), phase_(static_cast<size_t>(mmax) + 1, Complex(1.0)) {}

const Complex* RingFft::Workspace::phases(double phi0, int count) {
    if (phi0 != phi0_ || count > known_) {
        fillPhases(phase_, phi0, count);
        phi0_ = phi0;
        known_ = count;
    }
    return phase_.data();
}

namespace {

// Calls `body(m, F, F')` for the modes of north and south: first the modes in the heads, then the
// modes in the tails.
template <typename Body>
void forEachMode(const RingModes& north, const RingModes& south, const Body& body) {
    const int head = std::min(north.headCount, north.count);
    body(0, head, north.head, south.head);
    if (head < north.count) body(head, north.count, north.tail, south.tail);
}

}  // namespace

template <typename Sample>
void RingFft::synthesize(const Ring& ring, const Side<Sample>& north, const Side<Sample>& south,
                         Workspace& work) const {
    const int64_t n = ring.count;
    Complex* const row = work.row_.input();
    std::fill(row, row + n, Complex(0.0));
    const bool turned = ring.phi0 != 0.0;
    const Complex* const phase = turned ? work.phases(ring.phi0, north.modes.count) : nullptr;
    const bool paired = south.samples != nullptr;
    int64_t folded = 0;  // m mod n
    forEachMode(north.modes, south.modes,
                [&](int begin, int end, const Complex* northern, const Complex* southern) {
                    for (int m = begin; m < end; ++m) {
                        Complex fn = northern[m - begin];
                        Complex fs = paired ? southern[m - begin] : Complex(0.0);
                        if (turned) {
                            fn = times(fn, phase[m]);
                            fs = times(fs, phase[m]);
                        }
                        // F of +m at m mod n and its conjugate at -m mod n, of north + i south,
                        // with real and imaginary parts exchanged.
                        row[folded] += Complex(fn.imag() + fs.real(), fn.real() - fs.imag());
                        if (m > 0)
                            row[folded == 0 ? 0 : n - folded] +=
                                Complex(fs.real() - fn.imag(), fn.real() + fs.imag());
                        if (++folded == n) folded = 0;
                    }
                });
    // Backward: forward with real and imaginary parts exchanged before and after.
    const Complex* const samples = rows_.forward(static_cast<size_t>(n), work.row_);
    for (int64_t j = 0; j < n; ++j) north.samples[j] = static_cast<Sample>(samples[j].imag());
    if (paired)
        for (int64_t j = 0; j < n; ++j) south.samples[j] = static_cast<Sample>(samples[j].real());
}

template <typename Sample>
void RingFft::analyze(const Ring& ring, const WeightedSide<Sample>& north,
                      const WeightedSide<Sample>& south, int modes, const TileRuns& tiles,
                      Workspace& work) const {
    const auto n = static_cast<size_t>(ring.count);
    const bool paired = south.samples != nullptr;
    const Complex* const phase = ring.phi0 != 0.0 ? work.phases(ring.phi0, modes) : nullptr;
    // A ring without a partner is paired with itself, with weight 0.
    const RingPairSamples<Sample> samples{north.samples, paired ? south.samples : north.samples,
                                          north.weight, paired ? south.weight : 0.0};
    if (rows_.halves(n))
        analyzeHalves(n, samples, phase, modes, tiles, work);
    else
        analyzeWhole(n, samples, phase, modes, tiles, work);
    if (paired) return;
    for (const TileRun& run : tiles.half)
        for (ModeTile* const tile : run.tiles)
            for (int i = 0; i < kTileModes; ++i) tile->south(i) = 0.0;
}

template <typename Sample>
void RingFft::analyzeHalves(size_t n, const RingPairSamples<Sample>& samples, const Complex* phase,
                            int modes, const TileRuns& tiles, Workspace& work) const {
    for (int half = 0; half < kTileHalves; ++half) {
        const TileRun& run = tiles.half[half];
        if (run.tiles.empty()) continue;
        const Complex* const rows = rows_.forwardHalf(n, half, samples, work.row_);
        tilesOfRealInputFft({n / kEighths, half, reinterpret_cast<const double*>(rows), phase,
                             run.first, static_cast<int>(run.tiles.size()), modes,
                             run.tiles.data()});
    }
}

template <typename Sample>
void RingFft::analyzeWhole(size_t n, const RingPairSamples<Sample>& samples, const Complex* phase,
                           int modes, const TileRuns& tiles, Workspace& work) const {
    Complex* const row = work.row_.input();
    for (size_t j = 0; j < n; ++j)
        row[j] = {samples.northWeight * static_cast<double>(samples.north[j]),
                  samples.southWeight * static_cast<double>(samples.south[j])};
    const Complex* const spectrum = rows_.forward(n, work.row_);
    tiles.forEach(modes, [&](int m, ModeTile& tile, int i) {
        const size_t k = static_cast<size_t>(m) % n;
        // Y_k = N_k + i S_k of two real rows: N_k = (Y_k + conj Y_-k) / 2, S_k = (Y_k - conj Y_-k)
        // / (2 i).
        const Complex y = spectrum[k], o = spectrum[k == 0 ? 0 : n - k];
        Complex fn(0.5 * (y.real() + o.real()), 0.5 * (y.imag() - o.imag()));
        Complex fs(0.5 * (y.imag() + o.imag()), 0.5 * (o.real() - y.real()));
        if (phase != nullptr) {
            const Complex back = std::conj(phase[m]);
            fn = times(fn, back);
            fs = times(fs, back);
        }
        tile.north(i) = fn;
        tile.south(i) = fs;
    });
}

template void RingFft::synthesize(const Ring&, const Side<double>&, const Side<double>&,
                                  Workspace&) const;
template void RingFft::synthesize(const Ring&, const Side<float>&, const Side<float>&,
                                  Workspace&) const;
template void RingFft::analyze(const Ring&, const WeightedSide<double>&,
                               const WeightedSide<double>&, int, const TileRuns&, Workspace&) const;
template void RingFft::analyze(const Ring&, const WeightedSide<float>&, const WeightedSide<float>&,
                               int, const TileRuns&, Workspace&) const;

}  // namespace armilla
