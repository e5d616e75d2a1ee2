// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution ring by ring on a CUDA device: the sums of ring_cpu.h, with the ring FFTs of the
// transforms (sht/fft/ring_fft_cuda.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "convolve/profile_table.h"
#include "convolve/ring_sums.cuh"
#include "core/job_context.h"
#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "device/cuda_array.h"
#include "sht/fft/ring_fft_cuda.h"

namespace armilla {

// Of full maps. Holds a map's modes from call to call, and takes 16 bytes a pixel and those of the
// modes beyond Nyquist limits. Not thread-safe; all calls in one stream, or in streams that wait
// for each other.
class RingSumsCuda {
public:
    // Ring factors as DirectSums has them. Throws OutOfMemory, DeviceError.
    RingSumsCuda(int device, const HealpixRings& rings, const std::vector<double>& factor,
                 const cuda::Stream& stream);

    struct Request {
        ProfileView profile;  // that the device can read
        double radius = 0.0;
        int lastL = 0;
    };
    // What a request takes is allocated, so that the next one of no more modes only works.
    void reserve(const Request& request);
    // `values`: in RING order, zero where bad, for good at the place where they are. With a job: in
    // pieces of some milliseconds that are waited for.
    template <class Sample>
    void execute(const Request& request, const Sample* values, CudaArray& to,
                 const cuda::Stream& on, JobContext* job);
    int64_t deviceBytes() const;

private:
    // Groups of one kind whose weights find room together.
    struct Slice {
        int first = 0, count = 0, mostModes = 0;
        bool folded = false;
        int64_t mostWeights = 0, counts = 0;
    };
    struct Layout {
        std::vector<int> limit;  // the last mode of each pair
        cuda::PinnedBuffer<cuda::PairRings> host;
        cuda::DeviceBuffer<cuda::PairRings> rings;
        cuda::DeviceBuffer<double2> tails;
        int64_t tailModes = 0;
    };
    void plan(const Request& request);
    void makeBatches(const cuda::Stream& stream);
    void place(Layout& layout) const;
    void bring(Layout& layout, const cuda::Stream& on);
    template <class Sample>
    void analyze(const Sample* values, const cuda::Stream& on);
    cuda::RingFft ringFft(const Layout& layout, double* map) const;

    int device_;
    int multiprocessors_ = 0;
    HealpixRings rings_;
    CudaArray work_;  // the modes of the map
    Layout sources_, targets_;
    std::vector<int> needed_;  // the last mode of each source pair for the request at hand
    const void* held_ = nullptr;
    cuda::DeviceBuffer<HealpixRing> ring_;
    cuda::DeviceBuffer<double2> fftWeights_, roots_, scratch_;
    cuda::DeviceBuffer<int> batchPairs_;
    std::vector<cuda::RingFftBatch> batches_;
    std::vector<rings::Group> groups_;
    std::vector<Slice> slices_;
    cuda::PinnedBuffer<rings::Group> hostGroups_;
    cuda::DeviceBuffer<rings::Group> deviceGroups_;
    cuda::DeviceBuffer<double> weights_;
    cuda::DeviceBuffer<int> counts_;  // of weights of each source of a group
    cuda::Event copied_;              // from pinned memory
};

}  // namespace armilla
