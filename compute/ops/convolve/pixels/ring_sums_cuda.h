// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution ring by ring on a CUDA device: the sums of ring_cpu.h, with the ring FFTs of the
// transforms (sht/fft/ring_fft_cuda.h).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_sums.cuh"
#include "sht/fft/ring_fft_cuda.h"

namespace armilla {

// For full maps. Holds a map's modes from call to call, in 16 bytes a pixel plus the modes beyond
// Nyquist limits, and as much for each further map processed together. Not thread-safe; all calls
// in one stream, or in streams that wait for each other.
class RingSumsCuda {
public:
    // `factor`: the ring factors of DirectSums. `maps`: 1, or 2 for Q and U. Throws OutOfMemory,
    // DeviceError.
    RingSumsCuda(int device, const HealpixRings& rings, const std::vector<double>& factor,
                 const cuda::Stream& stream, size_t maps = 1);

    struct Request {
        ProfileView profile;  // in device memory
        double radius = 0.0;
        int lastL = 0;
    };
    // Allocates the memory of a request, so that a later request with no more modes allocates
    // nothing.
    void reserve(const Request& request);
    // `values`: in RING order, zero where bad; they must not change or move while this object
    // exists. With a job: in pieces of some milliseconds with waits between them.
    template <class Sample>
    void execute(const Request& request, const Sample* values, CudaArray& to,
                 const cuda::Stream& on, JobContext* job);
    // The sums of SpinRings; the profile is G (spin_kernel.h). With a_m and b_m of spin_rings.h the
    // modes of the two maps are Q'_m = a_m Q_m - i b_m U_m and U'_m = a_m U_m + i b_m Q_m.
    struct Polarized {
        const double *q = nullptr, *u = nullptr;
        CudaArray *toQ = nullptr, *toU = nullptr;
    };
    void execute(const Request& request, const Polarized& maps, const cuda::Stream& on,
                 JobContext* job);
    int64_t deviceBytes() const;

private:
    // Groups of one kind whose weights fit together.
    struct Slice {
        int first = 0, count = 0, mostModes = 0;
        bool folded = false;
        int64_t mostWeights = 0, counts = 0;
    };
    struct Layout {
        std::vector<int> limit;  // the last mode of each pair
        cuda::PinnedBuffer<cuda::PairRings> host;
        cuda::DeviceBuffer<cuda::PairRings> rings;
        std::vector<cuda::DeviceBuffer<double2>> tails;  // for each map
        int64_t tailModes = 0;
    };
    void plan(const Request& request);
    void makeBatches(const cuda::Stream& stream);
    void place(Layout& layout) const;
    void bring(Layout& layout, const cuda::Stream& on);
    template <class Sample>
    void analyze(const Sample* values, size_t map, const cuda::Stream& on);
    cuda::RingFft ringFft(const Layout& layout, size_t map, double* values) const;
    // The steps common to all kernels: modes of the maps, `sum(slice, kind)` for each slice of
    // groups, and samples. `kind` is a type that defines whether the groups are folded.
    template <class Sample, class Sum>
    void execute(const Request& request, std::span<const Sample* const> values,
                 std::span<CudaArray* const> to, const Sum& sum, const cuda::Stream& on,
                 JobContext* job);
    template <bool kFolded, rings::Part kPart>
    void makeWeights(const Slice& slice, const ProfileView& profile, const cuda::Stream& on);
    // From modes of a map to modes of another map; for the odd part times -i `turn`.
    struct Strategy {
        size_t from = 0, to = 0;
        double turn = 0.0;
    };
    template <bool kFolded, rings::Part kPart>
    void addSums(const Slice& slice, const Strategy& strategy, std::span<CudaArray* const> to,
                 const cuda::Stream& on);

    int device_;
    int multiprocessors_ = 0;
    HealpixRings rings_;
    std::vector<CudaArray> work_;  // the modes of each map
    Layout sources_, targets_;
    std::vector<int> needed_;        // the last mode of each source pair for the current request
    std::vector<const void*> held_;  // the map of each set of modes
    cuda::DeviceBuffer<HealpixRing> ring_;
    cuda::DeviceBuffer<double> theta_;
    cuda::DeviceBuffer<double2> fftWeights_, roots_, scratch_;
    cuda::DeviceBuffer<int> batchPairs_;
    std::vector<cuda::RingFftBatch> batches_;
    std::vector<rings::Group> groups_;
    std::vector<Slice> slices_;
    cuda::PinnedBuffer<rings::Group> hostGroups_;
    cuda::DeviceBuffer<rings::Group> deviceGroups_;
    cuda::DeviceBuffer<double> weights_;
    cuda::DeviceBuffer<int> counts_;  // numbers of weights for each source of a group
    cuda::Event copied_;              // end of the copies from pinned memory
};

}  // namespace armilla
