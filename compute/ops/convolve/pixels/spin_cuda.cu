// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/spin_cuda.h"

#include <algorithm>

#include "armilla/core/healpix_map.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "convolve/pixels/direct_spin.cuh"
#include "convolve/pixels/ring_blocks.h"
#include "convolve/pixels/ring_sums_cuda.h"

namespace armilla {

namespace {

// Products in a piece of work between two waits of the host: some 10 ms.
constexpr double kProductsOfPiece = 5e10;

}  // namespace

struct SpinCuda::State {
    State(int on, int64_t nside, const ProfileTable& profile, std::span<const double> ringWeights)
        : device(on),
          rings(nside),
          factors(ringFactors(rings, ringWeights)),
          radius(profile.radius()),
          view(profile.view()),
          stream(on, cuda::Priority::Low),
          ring(cuda::uploaded(on, rings.ring, stream)),
          theta(cuda::uploaded(on, rings.theta, stream)),
          factor(cuda::uploaded(on, factors, stream)),
          around(on, rings.ring.size()),
          copies(on) {
        if (view.rate == 0.0) {
            segments = cuda::uploaded(on, profile.segments(), stream);
            buckets = cuda::uploaded(on, profile.buckets(), stream);
            view.segments = segments.data();
            view.firstOfBucket = buckets.data();
        }
        for (int i = 0; i < 2; ++i) {
            from.emplace_back(on, static_cast<size_t>(pixelCount(nside)));
            to.emplace_back(on, static_cast<size_t>(pixelCount(nside)));
        }
    }
    void wait(JobContext& job) const {
        stream.synchronize();
        job.poll();
    }
    void sumDirectly(JobContext& job) {
        const int64_t nside = rings.nside, last = 2 * nside;
        direct::spansKernel<<<static_cast<unsigned>(rings.count / 64 + 1), 64, 0, stream.get()>>>(
            theta.data(), rings.count, radius, around.data());
        cuda::checkLaunch("rings within reach");
        const direct::Grid grid{nside,         ring.data(), theta.data(),
                                factor.data(), nullptr,     around.data()};
        // Q and U, with real and imaginary weights.
        const double taps = std::max(1.0, 0.5 * view.end * static_cast<double>(pixelCount(nside)));
        const auto most = static_cast<int64_t>(std::clamp(
            kProductsOfPiece / (taps * 16.0 * static_cast<double>(nside)), 1.0, 32768.0));
        for (int64_t r = 1; r <= last; r += most) {
            const int64_t end = std::min(last, r + most - 1);
            // The longest of the rings; shifted ones have one target less.
            const auto longest =
                static_cast<int>(rings.ring[static_cast<size_t>(end)].quarter / 2 + 1);
            const dim3 blocks(static_cast<unsigned>((longest + direct::kPolarThreads - 1) /
                                                    direct::kPolarThreads),
                              static_cast<unsigned>(end - r + 1));
            direct::spinKernel<<<blocks, direct::kPolarThreads, 0, stream.get()>>>(
                grid, view, r, from[0].data(), from[1].data(), to[0].data(), to[1].data());
            cuda::checkLaunch("convolving Q and U");
            wait(job);
        }
    }
    void byRings(int lastL, JobContext& job) {
        RingSumsCuda(device, rings, factors, stream, 2)
            .execute({view, radius, lastL}, {from[0].data(), from[1].data(), &to[0], &to[1]},
                     stream, &job);
    }

    int device;
    HealpixRings rings;
    std::vector<double> factors;  // factor of each ring's samples
    double radius;
    ProfileView view;
    cuda::Stream stream;
    cuda::DeviceBuffer<HealpixRing> ring;
    cuda::DeviceBuffer<double> theta, factor, segments;
    cuda::DeviceBuffer<int> buckets;
    cuda::DeviceBuffer<RingSpan> around;
    HostCopies copies;
    std::vector<CudaArray> from, to;  // Q, U
};

SpinCuda::SpinCuda(int device, int64_t nside, const ProfileTable& profile,
                   std::span<const double> ringWeights)
    : state_(std::make_unique<State>(device, nside, profile, ringWeights)) {}
SpinCuda::~SpinCuda() = default;

void SpinCuda::execute(const SpinSums::Maps& maps, int lastL, JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const HostCopies::Upload up[] = {{maps.q, &s.from[0]}, {maps.u, &s.from[1]}};
    s.copies.upload(up, job);
    if (lastL > 0)
        s.byRings(lastL, job);
    else
        s.sumDirectly(job);
    const HostCopies::Download down[] = {{&s.to[0], maps.toQ}, {&s.to[1], maps.toU}};
    s.copies.download(down, job);
}

}  // namespace armilla
