// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of CudaRingTransform: tables and working memory on the device.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "sht/fft/ring_fft_cuda.h"
#include "sht/fft/ring_rows_cuda.h"
#include "sht/latitude/latitude_cuda.h"
#include "sht/legendre/legendre_cuda.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

template <typename Int>
Int roundedUp(Int n, Int step) {
    return (n + step - 1) / step * step;
}
// The high and the low part of a double-double.
inline double2 split(long double value) {
    const auto high = static_cast<double>(value);
    return make_double2(high, static_cast<double>(value - static_cast<long double>(high)));
}
// Recurrences of one spin for orders 0 .. mmax and degrees up to lmax.
struct RecurrenceTables {
    cuda::DeviceBuffer<double2> recurrence, scales;
    int chunks = 0;
    cuda::DeviceBuffer<double> start;
    cuda::DeviceBuffer<int64_t> stepsAt;
    std::vector<int64_t> stepsOf;  // for each m
};
// Legendre sums of one kind at rows begin .. end - 1.
struct SumTables {
    struct Slice {
        cuda::DeviceBuffer<cuda::LegendreItem> items;
        int64_t steps = 0;
    };
    int spin = 0, count = 1;  // see LegendreSeries
    int mmax = -1;            // the last order with modes at the rows
    int begin = 0, end = 0, run = cuda::kBlockPairs;
    const RecurrenceTables* of = nullptr;
    cuda::DeviceBuffer<int64_t> mixedAt;
    std::vector<int> firstRow;
    cuda::DeviceBuffer<int> firstRows;
    int64_t mostSteps = 0;  // in one slice
    std::vector<Slice> slices;

    bool empty() const { return begin == end; }
    // Numbers of the factors or sums of a slice.
    size_t mixedSize() const {
        return static_cast<size_t>(2 * count * ((end + run - 1) / run) * mostSteps);
    }
};
// Tables that depend on the spin, and on the number of series of spin 0 that are summed at once.
struct SpinTables {
    int parts = 1;  // maps
    // Sums over functions of spin 0 (two series for a spin s), and sums over functions of spin s in
    // the polar caps.
    SumTables scalar, polar;
    cuda::DeviceBuffer<SpinLowering> lowering;
    cuda::DeviceBuffer<double> rowFactors;
    cuda::DeviceBuffer<int> firstRows;  // for both sums
    cuda::DeviceBuffer<int> firstPairs;
    cuda::DeviceBuffer<cuda::PairRings> rings;
    std::vector<cuda::PairRings> h_rings;
    int64_t tailModes = 0;
    std::vector<cuda::OrderSlice> slices;
    // For each m, the first latitude and the first pair of rings with modes of m.
    std::vector<int> h_firstRow, h_firstPair;
};
// The matrix of an interpolation.
struct BandTables {
    std::vector<cuda::BandTile> h_tiles;
    cuda::DeviceBuffer<cuda::BandTile> tiles;
    cuda::DeviceBuffer<double2> weights;
};

// A device's part of a transform that several devices share (order_shares_cuda.h,
// sht/several/ranks): the orders of some slices at all latitudes, and some pairs of rings with all
// orders. The pairs form complete band tiles.
struct CudaOrderShare {
    RingRuns pairs;
    std::vector<cuda::OrderSlice> slices;
};

struct CudaRingTransform::Plan {
    // `share`: null for the complete transform.
    Plan(RingGrid ringGrid, int lmaxGiven, int mmaxGiven, int deviceIndex,
         const CudaTransformShape& shapeGiven, const CudaOrderShare* share = nullptr);

    void takeShare(const CudaOrderShare& share);
    bool owns(int m) const { return columnOf[static_cast<size_t>(m)] >= -m; }
    cuda::DeviceAlm view(double* alm) const {
        return {reinterpret_cast<double2*>(alm), lmax, columns.data()};
    }
    cuda::DeviceAlm view(const CudaArray& alm) const { return view(alm.data()); }
    std::vector<cuda::DeviceAlm> views(std::span<double* const> alm) const {
        std::vector<cuda::DeviceAlm> all;
        for (double* const one : alm) all.push_back(view(one));
        return all;
    }
    void checkAlm(const CudaArray& alm) const;
    void checkMap(const CudaArray& map) const;
    void checkBatch(std::span<const CudaArray> maps, std::span<const CudaArray> alm) const;
    void makeColumns();
    void makeLatitudes(const std::vector<Ring>& rings);
    void makeBand(bool toRings, const std::vector<cuda::BandPosition>& positions,
                  BandTables& tables) const;
    void makeInterpolation();
    SpinTables& tablesFor(int spin, int parts);
    void makeRings(SpinTables& tables, const std::vector<int>& limits) const;
    int polarRows(int spin) const;
    void makeMixing(SpinTables& tables, int spin) const;
    void makeSums(SumTables& sums, const std::vector<int>& firstRow);
    const RecurrenceTables& recurrencesOf(int spin, int lastOrder);
    int tilesOfSlice(SpinTables& tables) const;
    void makeSlices(SpinTables& tables);
    void makeGivenSlices(SpinTables& tables);
    void divideOrders(SumTables& sums, const std::vector<cuda::OrderSlice>& slices) const;
    void makeItems(SumTables& sums, const std::vector<cuda::OrderSlice>& slices) const;
    bool reserve(int components, size_t modesEach, const SpinTables& tables);
    void makeBatches();
    void setWeights(std::span<const double> weights);

    cuda::LegendreSeries seriesOf(const SumTables& sums, int top, size_t slice) const;
    cuda::LegendreSlice orderSlice(const SpinTables& tables, size_t slice) const;
    cuda::LegendreSlice legendreSlice(const SpinTables& tables, const SumTables& sums,
                                      size_t slice) const;
    cuda::LatitudeTransfer transfer(const SpinTables& tables, size_t slice, int spin,
                                    const BandTables& band, int component, double* map) const;
    void makeEvents(const SpinTables& tables);
    const cuda::Stream& polarStreamOf(const SpinTables& tables) const {
        return tables.scalar.empty() ? stream : polarStream;
    }
    cuda::RingFft ringFft(const SpinTables& tables, int component, double* map) const;
    // Number of pieces into which the ring FFTs of a component are divided.
    size_t ringPieces() const { return equalRows ? equalRows->pieces() : batches.size(); }
    void ringsToSamples(size_t piece, const cuda::RingFft& fft) const;
    void samplesToRings(size_t piece, const cuda::RingFft& fft) const;
    // Calls launch(i), i < count. Each call puts a piece of work into the stream, one piece ahead
    // of the device, and reports progress. Without a job all pieces are launched at once, without
    // waiting.
    template <typename Launch>
    void inPieces(size_t count, std::string_view stage, JobContext* job, const Launch& launch);
    // Puts the sums of a slice into the streams. Coefficients to modes: waits until the modes of
    // the slice before the last are transferred (event `transferred`). Modes to coefficients: waits
    // until the modes have arrived.
    void sumOrders(const SpinTables& tables, size_t slice, int spin,
                   std::span<const cuda::DeviceAlm> alm, cuda::ScalarSource source);
    void sumLatitudes(const SpinTables& tables, size_t slice, int spin,
                      std::span<const cuda::DeviceAlm> alm);
    void awaitAll() const noexcept;
    // For one map, several maps of spin 0, or the two maps of a spin. `alm` may be empty without
    // sums.
    enum class Steps { Both, Sums, Rings };
    void synthesize(int spin, std::span<const cuda::DeviceAlm> alm, cuda::ScalarSource source,
                    std::span<double* const> maps, JobContext* job, Steps which = Steps::Both);
    void accumulate(int spin, std::span<double* const> maps, std::span<const cuda::DeviceAlm> alm,
                    JobContext& job, Steps which = Steps::Both);
    // Derivatives of spin 0 have degrees up to lmax + 1.
    int seriesLmax(int spin) const { return spin == 0 ? lmax + 1 : lmax; }
    int rows() const { return static_cast<int>(latitudes.size()); }
    // From a transfer between latitudes and all own rings, the transfer for one run of rings.
    cuda::LatitudeTransfer ofRun(cuda::LatitudeTransfer whole, const RingRuns::Run& run) const;
    // The rows from which successive pairs of rings are computed. With interpolation these are the
    // latitudes within reach, and images at the pole and at the equator. Several runs give one run
    // each, or merged runs.
    RingRange rowsFor(const RingRuns::Run& wanted) const;
    RingRuns rowsFor(const RingRuns& wanted) const;
    int64_t deviceBytes() const;

    int device = 0;
    CudaTransformShape shape;
    // The sums of polar caps have few blocks and take long, so they run concurrently with the
    // others.
    cuda::Stream stream, transferStream, polarStream;
    RingGrid grid;  // in a share: its own rings, as in `pairs` and `samples`
    int64_t samples = 0;
    int lmax = 0, mmax = 0;
    int multiprocessors = 0;
    size_t sharedBytes = 0;                  // limit of a block
    std::vector<std::pair<int, int>> pairs;  // north and south ring, -1: none
    // Data of the complete grid, which determines how rings are transformed: the same in a share.
    std::vector<Ring> northern;  // for each pair
    int64_t longestRing = 0;
    std::map<int64_t, int> pairsOfLength;
    RingRuns own;  // numbers of the own pairs among all pairs
    bool isShare = false;
    std::vector<cuda::OrderSlice> givenSlices;  // slices of a share
    std::vector<int64_t> columnOf;              // for each m; below -m: not present
    int64_t coefficients = 0;                   // number present
    cuda::DeviceBuffer<int64_t> columns;
    std::vector<Ring> sources;  // latitudes of the Legendre sums
    bool interpolates = false;
    cuda::DeviceBuffer<cuda::PairLatitude> latitudes;  // the same, padded
    BandTables toRings, fromRings;
    cuda::DeviceBuffer<double> inverseSines;  // for each ring pair
    cuda::DeviceBuffer<double2> roots, weights;
    std::vector<double> ringWeights;  // the values of `weights`; empty: none yet
    cuda::DeviceBuffer<int> batchPairs;
    std::vector<cuda::RingFftBatch> batches;
    std::optional<cuda::RingRows> equalRows;  // replaces the batches
    // For each component, modes of slices of even and of odd number: the Legendre sums of one slice
    // overlap with the transfer of the other slice from or to the rings.
    std::array<std::array<cuda::DeviceBuffer<cuda::PairModes>, 2>, cuda::kMostSeries> modes;
    std::array<cuda::DeviceBuffer<double2>, cuda::kMostSeries> tails;
    cuda::DeviceBuffer<double2> mixed, polarMixed;
    std::map<int, RecurrenceTables> recurrences;      // for each spin
    std::map<std::pair<int, int>, SpinTables> spins;  // for each spin and number of maps
    std::vector<cuda::Event> marks;
    cuda::Event started;  // the other streams wait for it first
    std::vector<cuda::Event> transferred, summed, polarSummed;  // for each slice
    CudaTransformSteps steps;
};

}  // namespace armilla
