// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "sht/fft/ring_rows_cuda.h"

namespace armilla::cuda {

namespace {

// Bytes of spectra in a piece: most of them stay in the second-level cache between the two kernels.
constexpr int64_t kPieceBytes = int64_t{32} << 20;
// Loading cuFFT takes a tenth of a second or more: too long for transforms of microseconds.
constexpr int64_t kLeastSamples = int64_t{1} << 20;

}  // namespace

bool RingRows::suits(const RingGrid& grid, std::optional<FftLibrary> library) {
    if (library == FftLibrary::Own || grid.rings.empty()) return false;
    const int64_t length = grid.rings.front().count;
    for (size_t i = 0; i < grid.rings.size(); ++i)
        if (grid.rings[i].count != length ||
            grid.rings[i].first != static_cast<int64_t>(i) * length)
            return false;
    // The table of a block's circle must fit the shared memory that every kernel has.
    if (length > (int64_t{1} << 17)) return false;
    if (library == FftLibrary::Cufft) return true;
    // Our own kernels fold modes and transform a power of two in one pass over memory. Other
    // lengths are convolutions there: two transforms of powers of two at least twice as long.
    if ((length & (length - 1)) == 0) return false;
    return grid.sampleCount() >= kLeastSamples &&
           CudaBatchedFft::fastest(length) == FftLibrary::Cufft;
}

RingRows::RingRows(int device, const RingGrid& grid, const std::vector<std::pair<int, int>>& pairs,
                   const Stream& stream)
    : stream_(&stream),
      rings_(static_cast<int>(grid.rings.size())),
      length_(static_cast<int>(grid.rings.front().count)) {
    const int64_t modes = length_ / 2 + 1;
    together_ = static_cast<int>(std::clamp<int64_t>(
        kPieceBytes / (modes * static_cast<int64_t>(sizeof(double2))), 1, rings_));
    std::vector<int> sides(grid.rings.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
        const auto& [north, south] = pairs[i];
        sides[static_cast<size_t>(north)] = static_cast<int>(2 * i);
        if (south >= 0) sides[static_cast<size_t>(south)] = static_cast<int>(2 * i + 1);
    }
    sides_ = DeviceBuffer<int>(device, sides.size());
    check(cudaMemcpyAsync(sides_.data(), sides.data(), sides.size() * sizeof(int),
                          cudaMemcpyHostToDevice, stream.get()),
          "copying tables to the device");
    stream.synchronize();
    spectra_ = DeviceBuffer<double2>(device, static_cast<size_t>(together_ * modes));
    const auto plansFor = [&](int count) {
        const CufftPlan::Rows rows{length_, count, 1, length_};
        return Plans{CufftPlan(device, rows, CufftPlan::Values::ToSpectra, stream),
                     CufftPlan(device, rows, CufftPlan::Values::FromSpectra, stream)};
    };
    many_ = plansFor(together_);
    if (rings_ % together_ != 0) last_ = plansFor(rings_ % together_);
}

RingRowSpectra RingRows::rowsOf(size_t piece, const RingSpectrum& spectrum) const {
    RingRowSpectra rows;
    rows.spectrum = spectrum;
    rows.sides = sides_.data();
    rows.first = static_cast<int>(piece) * together_;
    rows.count = std::min(together_, rings_ - rows.first);
    rows.length = length_;
    rows.spectra = spectra_.data();
    return rows;
}

void RingRows::synthesize(size_t piece, const RingSpectrum& spectrum) const {
    const RingRowSpectra rows = rowsOf(piece, spectrum);
    modesToRows(rows, stream_->get());
    plansOf(rows).fromSpectra.fromSpectra(rows.spectra,
                                          spectrum.map + int64_t{rows.first} * length_);
}

void RingRows::analyze(size_t piece, const RingSpectrum& spectrum, const double2* weights) const {
    const RingRowSpectra rows = rowsOf(piece, spectrum);
    plansOf(rows).toSpectra.toSpectra(spectrum.map + int64_t{rows.first} * length_, rows.spectra);
    rowsToModes(rows, weights, stream_->get());
}

size_t RingRows::bytes() const {
    size_t sum = spectra_.size() * sizeof(double2) + sides_.size() * sizeof(int);
    for (const Plans* plans : {&many_, &last_})
        sum += plans->toSpectra.bytes() + plans->fromSpectra.bytes();
    return sum;
}

}  // namespace armilla::cuda
