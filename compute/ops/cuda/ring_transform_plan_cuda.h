// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of CudaRingTransform: tables and working memory on the device.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/device_buffer.h"
#include "cuda/legendre_cuda.h"
#include "cuda/ring_fft_cuda.h"
#include "cuda/ring_transform_cuda.h"
#include "cuda/stream.h"

namespace armilla {

// Ring pairs that are worked on together.
struct SliceTables {
    int firstPair = 0, pairs = 0, rows = 0;
    cuda::DeviceBuffer<cuda::LegendreItem> synthesisItems, adjointItems;
    cuda::DeviceBuffer<int> batchPairs;
    std::vector<cuda::RingFftBatch> batches;
};
// What depends on the spin.
struct SpinTables {
    cuda::DeviceBuffer<double2> recurrence;
    cuda::DeviceBuffer<double> start;
    cuda::DeviceBuffer<int64_t> stepsAt;
    int64_t steps = 0;
    cuda::DeviceBuffer<cuda::PairRings> rings;
    std::vector<SliceTables> slices;
};

struct CudaRingTransform::Plan {
    Plan(RingGrid ringGrid, int lmaxGiven, int mmaxGiven, int deviceIndex);

    void checkAlm(const CudaArray& alm) const;
    void checkMap(const CudaArray& map) const;
    SpinTables& tablesFor(int spin);
    std::vector<int> modeLimits(int spin) const;
    void makeRecurrences(SpinTables& tables, int spin);
    void makeSlices(SpinTables& tables, int spin, const std::vector<int>& limits);
    void makeBatches(SliceTables& slice) const;
    int reserveModes(int components);
    void setWeights(std::span<const double> weights);

    cuda::LegendreSeries seriesOf(const SpinTables& tables, int spin, int top) const;
    cuda::LegendreSlice legendreSlice(const SliceTables& slice) const;
    cuda::RingFftSlice fftSlice(const SpinTables& tables, const SliceTables& slice,
                                int component) const;
    // `launch(slice, mark)` puts the two steps of a slice into the stream, with a mark between
    // them.
    template <typename Launch>
    void overSlices(SpinTables& tables, std::string_view stage, JobContext& job,
                    const Launch& launch);
    void synthesize(int spin, const std::array<cuda::DeviceAlm, 2>& alm, cuda::ScalarSource source,
                    const std::array<double*, 2>& maps, JobContext& job);
    void accumulate(int spin, const std::array<const double*, 2>& maps,
                    const std::array<cuda::DeviceAlm, 2>& alm, JobContext& job);
    int components(int spin) const { return spin == 0 ? 1 : 2; }
    // Derivatives of spin 0 have degrees to lmax + 1.
    int seriesLmax(int spin) const { return spin == 0 ? lmax + 1 : lmax; }

    struct Marks {
        cuda::Event begin, middle, end;
    };

    int device = 0;
    cuda::Stream stream;
    RingGrid grid;
    int64_t samples = 0;
    int lmax = 0, mmax = 0;
    size_t sharedBytes = 0;                   // that a block may have
    int mostDirect = 0, mostConvolution = 0;  // log2 of the sizes of transforms
    std::vector<std::pair<int, int>> pairs;   // north and south ring, -1: none
    std::map<int64_t, int> pairsOfLength;
    cuda::DeviceBuffer<cuda::PairLatitude> latitudes;
    cuda::DeviceBuffer<double2> roots, weights;
    std::array<cuda::DeviceBuffer<cuda::PairModes>, 2> modes;
    cuda::DeviceBuffer<double2> mixed;
    std::map<int, SpinTables> spins;
    std::vector<Marks> marks;
    CudaTransformSteps steps;
};

}  // namespace armilla
