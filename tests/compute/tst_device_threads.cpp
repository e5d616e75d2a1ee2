// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA kernels on the host: correct kernels pass, and faults are detected.
#include "support/device_threads.h"

#include <QtTest>
#include <cmath>

using namespace armilla::test;

namespace {

constexpr unsigned kThreads = 96;

double* shared() {
    return DeviceThreads::here().shared();
}

// Each thread reads the value of its neighbor; the first thread that of the last.
template <bool kBarrier>
__global__ void neighborKernel(double* result) {
    const unsigned own = threadIdx.x, at = blockIdx.x * kThreads + own;
    shared()[own] = at;
    if (kBarrier) __syncthreads();
    result[at] = shared()[(own + 1) % kThreads];
}
__global__ void unwrittenKernel(double* result) {
    const unsigned own = threadIdx.x;
    if (own > 0) shared()[own] = 1.0;
    __syncthreads();
    result[blockIdx.x * kThreads + own] = shared()[own];
}
__global__ void beyondKernel() {
    shared()[threadIdx.x + 1] = 1.0;
}
__global__ void unlikeKernel() {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
}
__global__ void leastKernel(int* result) {
    const int own = static_cast<int>(threadIdx.x);
    const int least = __reduce_min_sync(0xffffffffU, 100 - own);
    result[own] = least;
}

__global__ void lanesKernel(double* result) {
    const double own = threadIdx.x;
    const auto lanes = DeviceThreads::here().ofLanes({own, 2.0 * own, 0.0});
    result[threadIdx.x] = lanes[31 - threadIdx.x % 32][1];
}

constexpr DeviceThreads::Order kOrders[] = {DeviceThreads::Order::Forward,
                                            DeviceThreads::Order::Backward};

// Results of two blocks with shared memory for a number of each thread.
template <typename Kernel>
std::vector<double> ofTwoBlocks(DeviceThreads::Order order, const Kernel& kernel) {
    std::vector<double> result(2 * kThreads, -1.0);
    DeviceThreads& device = DeviceThreads::here();
    device.order = order;
    device.launch({2}, {kThreads}, kThreads * sizeof(double), [&] { kernel(result.data()); });
    return result;
}
std::vector<double> neighbors() {
    std::vector<double> truth;
    for (unsigned i = 0; i < 2 * kThreads; ++i)
        truth.push_back(i / kThreads * kThreads + (i + 1) % kThreads);
    return truth;
}

}  // namespace

class DeviceThreadsTest : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { DeviceThreads::here().order = DeviceThreads::Order::Forward; }

    void barriersAndWarps() {
        for (const auto order : kOrders) {
            QVERIFY(ofTwoBlocks(order, neighborKernel<true>) == neighbors());
            std::vector<int> least(kThreads);
            DeviceThreads::here().launch({1}, {kThreads}, 0, [&] { leastKernel(least.data()); });
            for (size_t i = 0; i < least.size(); ++i)
                QCOMPARE(least[i], 100 - static_cast<int>(i / 32 * 32 + 31));
            std::vector<double> lanes(kThreads);
            DeviceThreads::here().launch({1}, {kThreads}, 0, [&] { lanesKernel(lanes.data()); });
            for (size_t i = 0; i < lanes.size(); ++i)
                QCOMPARE(lanes[i], 2.0 * static_cast<double>(i / 32 * 32 + 31 - i % 32));
        }
    }
    // In one order all threads except the last run ahead of their neighbors; in the other order the
    // last one does.
    void aMissingBarrier() {
        for (const auto order : kOrders)
            QVERIFY(ofTwoBlocks(order, neighborKernel<false>) != neighbors());
    }
    // In every block, whatever an earlier block has written.
    void whatNobodyHasWritten() {
        const std::vector<double> found =
            ofTwoBlocks(DeviceThreads::Order::Forward, unwrittenKernel);
        for (unsigned i = 0; i < found.size(); ++i)
            QCOMPARE(std::isnan(found[i]), i % kThreads == 0);
    }
    void beyondSharedMemory() {
        QVERIFY_EXCEPTION_THROWN(
            ofTwoBlocks(DeviceThreads::Order::Forward, [](double*) { beyondKernel(); }),
            std::logic_error);
    }
    void waitingForEver() {
        QVERIFY_EXCEPTION_THROWN(
            ofTwoBlocks(DeviceThreads::Order::Forward, [](double*) { unlikeKernel(); }),
            std::logic_error);
    }
};

QTEST_APPLESS_MAIN(DeviceThreadsTest)
#include "tst_device_threads.moc"
