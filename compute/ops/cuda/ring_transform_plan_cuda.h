// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of CudaRingTransform: tables and working memory on the device.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/device_buffer.h"
#include "cuda/latitude_cuda.h"
#include "cuda/legendre_cuda.h"
#include "cuda/ring_fft_cuda.h"
#include "cuda/ring_transform_cuda.h"
#include "cuda/stream.h"

namespace armilla {

// Orders that are worked on together.
struct SliceTables {
    cuda::OrderSlice orders;
    cuda::DeviceBuffer<cuda::LegendreItem> items;
    int64_t steps = 0;
};
// What depends on the spin.
struct SpinTables {
    cuda::DeviceBuffer<double2> recurrence, scales;
    int chunks = 0;
    cuda::DeviceBuffer<double> start;
    cuda::DeviceBuffer<int64_t> stepsAt, mixedAt;
    std::vector<int64_t> stepsOf;  // of each m
    std::vector<int> firstRow;
    cuda::DeviceBuffer<int> firstRows;
    cuda::DeviceBuffer<cuda::PairRings> rings;
    int mostModes = 0;  // of a ring
    int64_t tailModes = 0;
    int64_t mostSteps = 0;  // of a slice
    std::vector<SliceTables> slices;
};
// The matrix of an interpolation.
struct BandTables {
    cuda::DeviceBuffer<cuda::BandTile> tiles;
    cuda::DeviceBuffer<double2> weights;
};

struct CudaRingTransform::Plan {
    Plan(RingGrid ringGrid, int lmaxGiven, int mmaxGiven, int deviceIndex);

    void checkAlm(const CudaArray& alm) const;
    void checkMap(const CudaArray& map) const;
    void pairRings();
    bool interpolationPays() const;
    void makeLatitudes(const std::vector<Ring>& northern);
    void makeBand(bool toRings, const std::vector<cuda::BandPosition>& positions,
                  BandTables& tables) const;
    void makeInterpolation();
    SpinTables& tablesFor(int spin);
    std::vector<int> modeLimits(int spin, const std::vector<Ring>& northern) const;
    void makeRings(SpinTables& tables, const std::vector<int>& limits) const;
    void makeRecurrences(SpinTables& tables, int spin);
    void makeSlices(SpinTables& tables, int spin);
    void divideOrders(SpinTables& tables, int slices, int slots) const;
    bool reserve(int components, size_t modesEach, size_t sums);
    void makeBatches();
    void setWeights(std::span<const double> weights);

    cuda::LegendreSeries seriesOf(const SpinTables& tables, int spin, int top,
                                  const SliceTables& slice) const;
    cuda::LegendreSlice legendreSlice(const SpinTables& tables, const SliceTables& slice) const;
    cuda::LatitudeTransfer transfer(const SpinTables& tables, const SliceTables& slice, int spin,
                                    const BandTables& band, int component, double* map) const;
    void makeEvents(const SpinTables& tables);
    cuda::RingFft ringFft(const SpinTables& tables, int component, double* map) const;
    // Calls launch(i), i < count, which puts a piece of work into the stream, one piece ahead of
    // the device, and takes note of the progress.
    template <typename Launch>
    void inPieces(size_t count, std::string_view stage, JobContext& job, const Launch& launch);
    void synthesize(int spin, const std::array<cuda::DeviceAlm, 2>& alm, cuda::ScalarSource source,
                    const std::array<double*, 2>& maps, JobContext& job);
    void accumulate(int spin, const std::array<double*, 2>& maps,
                    const std::array<cuda::DeviceAlm, 2>& alm, JobContext& job);
    int components(int spin) const { return spin == 0 ? 1 : 2; }
    // Derivatives of spin 0 have degrees to lmax + 1.
    int seriesLmax(int spin) const { return spin == 0 ? lmax + 1 : lmax; }
    int rows() const { return static_cast<int>(latitudes.size()); }
    int blocksOfOrder() const;
    int64_t deviceBytes() const;

    int device = 0;
    cuda::Stream stream, transferStream;
    RingGrid grid;
    int64_t samples = 0;
    int lmax = 0, mmax = 0;
    int multiprocessors = 0;
    size_t sharedBytes = 0;                   // that a block may have
    int mostDirect = 0, mostConvolution = 0;  // log2 of the sizes of transforms
    std::vector<std::pair<int, int>> pairs;   // north and south ring, -1: none
    std::map<int64_t, int> pairsOfLength;
    std::vector<Ring> sources;  // where the Legendre sums are formed
    bool interpolates = false;
    cuda::DeviceBuffer<cuda::PairLatitude> latitudes;  // of these, padded
    BandTables toRings, fromRings;
    cuda::DeviceBuffer<double> inverseSines;  // of the ring pairs
    cuda::DeviceBuffer<double2> roots, weights;
    cuda::DeviceBuffer<int> batchPairs;
    std::vector<cuda::RingFftBatch> batches;
    // Of a component, for slices of even and odd number: of one the Legendre sums are formed while
    // the other is on its way from or to the rings.
    std::array<std::array<cuda::DeviceBuffer<cuda::PairModes>, 2>, 2> modes;
    std::array<cuda::DeviceBuffer<double2>, 2> tails;
    cuda::DeviceBuffer<double2> mixed;
    std::map<int, SpinTables> spins;
    std::vector<cuda::Event> marks;
    cuda::Event started;                           // what transferStream waits for first
    std::vector<cuda::Event> transferred, summed;  // of each slice
    CudaTransformSteps steps;
};

}  // namespace armilla
