// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/quarter_turn_cuda.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "spectrum/quarter_turn.h"
#include "spectrum/quarter_turn_cuda.cuh"

namespace armilla {

namespace {

// Steps of all rows between two waits of the host: some 10 ms.
constexpr double kStepsOfPiece = 2e10;

class DeviceTurn {
public:
    DeviceTurn(int device, int lmax)
        : lmax_(lmax),
          stream_(device, cuda::Priority::Low),
          centralStarts_(cuda::uploaded(device, centralStarts(lmax), stream_)),
          alpha_(device, numbers()),
          scale_(device, numbers()),
          start_(device, numbers()),
          power_(device, numbers()),
          degrees_{cuda::DeviceBuffer<double2>(device, numbers()),
                   cuda::DeviceBuffer<double2>(device, numbers())} {
        constexpr unsigned kThreads = 64;
        cuda::turnTablesKernel<<<static_cast<unsigned>(lmax) / kThreads + 1, kThreads, 0,
                                 stream_.get()>>>(tables(), centralStarts_.data(), lmax);
        cuda::checkLaunch("tables of a rotation");
    }
    size_t numbers() const { return static_cast<size_t>(cuda::firstOfDegree(lmax_ + 1)); }

    // `alm`: m-major coefficients on the device, in place.
    void execute(double2* alm, const EulerAngles& angles, JobContext& job) {
        constexpr unsigned kThreads = 256;
        const dim3 blocks(static_cast<unsigned>(lmax_) / kThreads + 1,
                          static_cast<unsigned>(lmax_) + 1);
        cuda::turnedCopyKernel<cuda::AlmCopy::ToDegrees>
            <<<blocks, kThreads, 0, stream_.get()>>>(alm, degrees_[0].data(), lmax_, angles.psi);
        cuda::checkLaunch("ordering coefficients by degree");
        JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
        quarterTurn(degrees_[0], degrees_[1], first);
        cuda::betweenTurnsKernel<<<static_cast<unsigned>(lmax_) + 1, kThreads, 0, stream_.get()>>>(
            degrees_[1].data(), angles.theta);
        cuda::checkLaunch("turning about z");
        quarterTurn(degrees_[1], degrees_[0], second);
        cuda::turnedCopyKernel<cuda::AlmCopy::ToOrders>
            <<<blocks, kThreads, 0, stream_.get()>>>(degrees_[0].data(), alm, lmax_, angles.phi);
        cuda::checkLaunch("ordering coefficients by order");
        stream_.synchronize();
    }

private:
    cuda::TurnTables tables() const {
        return {alpha_.data(), scale_.data(), start_.data(), power_.data()};
    }
    void quarterTurn(const cuda::DeviceBuffer<double2>& from, const cuda::DeviceBuffer<double2>& to,
                     JobContext& job) {
        for (int top = lmax_; top >= 0;) {
            const double ofDegree = 0.5 * (top + 1.0) * (top + 1.0);
            const int degrees = std::clamp(static_cast<int>(kStepsOfPiece / ofDegree), 1, top + 1);
            constexpr int kRows = cuda::kTurnThreads * cuda::kTurnRows;
            const dim3 blocks(static_cast<unsigned>(degrees),
                              static_cast<unsigned>(top / 2 / kRows + 1), 2);
            cuda::quarterTurnKernel<<<blocks, cuda::kTurnThreads, 0, stream_.get()>>>(
                {tables(), from.data(), to.data(), top});
            cuda::checkLaunch("a quarter turn");
            stream_.synchronize();
            top -= degrees;
            job.report(1.0 - std::pow((top + 1.0) / (lmax_ + 1.0), 3.0), "rotation");
            job.poll();
        }
    }

    int lmax_;
    cuda::Stream stream_;
    cuda::DeviceBuffer<double> centralStarts_, alpha_, scale_, start_;
    cuda::DeviceBuffer<int> power_;
    cuda::DeviceBuffer<double2> degrees_[2];
};

}  // namespace

void rotateAlmOnDevice(std::span<Alm> alm, const EulerAngles& angles, int device, JobContext& job) {
    const cuda::DeviceScope scope(device);
    DeviceTurn turn(device, alm.front().lmax());
    HostCopies copies(device);
    CudaArray values(device, 2 * turn.numbers());
    for (size_t i = 0; i < alm.size(); ++i) {
        const auto count = static_cast<double>(alm.size());
        JobContext own =
            job.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        copies.upload(alm[i], values, own);
        turn.execute(reinterpret_cast<double2*>(values.data()), angles, own);
        copies.download(values, alm[i], own);
    }
}

}  // namespace armilla
