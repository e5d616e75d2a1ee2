// SPDX-License-Identifier: GPL-3.0-or-later
// Runs CUDA kernels on the host, to test their logic without a device: every thread of a block is a
// fiber, and blocks run one after another. Include this file before the kernels.
//
// Detected faults (tests/compute/tst_device_threads):
// - a missing barrier, as a difference between two orders of threads;
// - a read of unwritten dynamic shared memory, as NaN;
// - a write beyond its end, and threads that wait for ever, as an exception.
//
// Not detected: wrong alignment, and static shared memory of an earlier block.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
struct alignas(16) double2 {
    double x, y;
};
inline double2 make_double2(double x, double y) {
    return {x, y};
}
inline void sincospi(double x, double* sine, double* cosine) {
    const double angle = 3.14159265358979323846 * std::remainder(x, 2.0);
    *sine = std::sin(angle);
    *cosine = std::cos(angle);
}

namespace armilla::test {

class DeviceThreads {
public:
    static DeviceThreads& here() {
        static DeviceThreads threads;
        return threads;
    }
    dim3 thread, block, blockSize, gridSize;
    // Between barriers the threads of a block run one after another.
    enum class Order { Forward, Backward };
    Order order = Order::Forward;

    // Throws std::logic_error; the results are then meaningless.
    void launch(dim3 blocks, dim3 threads, size_t sharedBytes,
                const std::function<void()>& kernel) {
        blockSize = threads;
        gridSize = blocks;
        kernel_ = kernel;
        sharedBytes_ = sharedBytes;
        for (block.y = 0; block.y < blocks.y; ++block.y)
            for (block.x = 0; block.x < blocks.x; ++block.x) runBlock();
    }
    // 16 bytes aligned, as on a device.
    double* shared() {
        auto at = reinterpret_cast<uintptr_t>(shared_.data());
        return reinterpret_cast<double*>((at + 15) / 16 * 16);
    }
    enum class Wait { No, Warp, Block, Over };
    void wait(Wait what) {
        Fiber& own = *fibers_[now_];
        own.waits = what;
        swapcontext(&own.context, &scheduler_);
    }
    // The values of the lanes of the caller's warp.
    template <class Reduce>
    int ofWarp(int value, const Reduce& reduce) {
        exchange_[now_] = value;
        wait(Wait::Warp);
        const size_t first = now_ / 32 * 32, last = std::min(first + 32, fibers_.size());
        int result = exchange_[first];
        for (size_t i = first + 1; i < last; ++i) result = reduce(result, exchange_[i]);
        wait(Wait::Warp);
        return result;
    }
    // The values of each lane of the caller's complete warp.
    using Given = std::array<double, 3>;
    std::array<Given, 32> ofLanes(const Given& own) {
        given_[now_] = own;
        wait(Wait::Warp);
        std::array<Given, 32> result;
        std::copy_n(given_.begin() + static_cast<std::ptrdiff_t>(now_ / 32 * 32), 32,
                    result.begin());
        wait(Wait::Warp);
        return result;
    }

private:
    struct Fiber {
        ucontext_t context{};
        std::vector<char> stack = std::vector<char>(1 << 16);
        dim3 thread;
        Wait waits = Wait::No;
    };
    static void enter() {
        DeviceThreads& all = here();
        all.kernel_();
        all.fibers_[all.now_]->waits = Wait::Over;
        swapcontext(&all.fibers_[all.now_]->context, &all.scheduler_);
    }
    void runBlock() {
        shared_.assign(sharedBytes_ / sizeof(double) + 2 + kBeyond, std::nan(""));
        char* const end = reinterpret_cast<char*>(shared()) + sharedBytes_;
        std::fill_n(end, kBeyond * sizeof(double), kUntouched);
        const size_t count = static_cast<size_t>(blockSize.x) * blockSize.y;
        while (fibers_.size() < count) fibers_.push_back(std::make_unique<Fiber>());
        fibers_.resize(count);
        exchange_.assign(count, 0);
        given_.assign(count, {});
        for (size_t i = 0; i < count; ++i) {
            Fiber& fiber = *fibers_[i];
            fiber.thread = {static_cast<unsigned>(i % blockSize.x),
                            static_cast<unsigned>(i / blockSize.x), 0};
            fiber.waits = Wait::No;
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.data();
            fiber.context.uc_stack.ss_size = fiber.stack.size();
            fiber.context.uc_link = &scheduler_;
            makecontext(&fiber.context, &DeviceThreads::enter, 0);
        }
        for (bool alive = true; alive;) {
            alive = false;
            for (size_t i = 0; i < count; ++i) {
                now_ = order == Order::Forward ? i : count - 1 - i;
                if (fibers_[now_]->waits != Wait::No) continue;
                thread = fibers_[now_]->thread;
                swapcontext(&scheduler_, &fibers_[now_]->context);
            }
            // Warps whose lanes all wait for each other continue; else the block.
            bool goesOn = false;
            for (size_t first = 0; first < count; first += 32)
                goesOn = release(first, first + 32, Wait::Warp) || goesOn;
            goesOn = release(0, count, Wait::Block) || goesOn;
            for (const auto& fiber : fibers_) alive = alive || fiber->waits != Wait::Over;
            if (alive && !goesOn) throw std::logic_error("threads wait for others for ever");
        }
        if (std::count(end, end + kBeyond * sizeof(double), kUntouched) !=
            static_cast<std::ptrdiff_t>(kBeyond * sizeof(double)))
            throw std::logic_error("a block wrote beyond its shared memory");
    }
    // Returns true if any thread was waiting for that.
    bool release(size_t first, size_t last, Wait what) {
        last = std::min(last, fibers_.size());
        for (size_t i = first; i < last; ++i)
            if (fibers_[i]->waits != what && fibers_[i]->waits != Wait::Over) return false;
        bool any = false;
        for (size_t i = first; i < last; ++i)
            if (fibers_[i]->waits == what) {
                fibers_[i]->waits = Wait::No;
                any = true;
            }
        return any;
    }

    // After the shared memory, to detect writes there.
    static constexpr size_t kBeyond = 64;
    static constexpr char kUntouched = 0x5a;

    std::function<void()> kernel_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<int> exchange_;
    std::vector<Given> given_;
    size_t sharedBytes_ = 0;
    std::vector<double> shared_;
    ucontext_t scheduler_{};
    size_t now_ = 0;
};

}  // namespace armilla::test

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __constant__ const
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define threadIdx armilla::test::DeviceThreads::here().thread
#define blockIdx armilla::test::DeviceThreads::here().block
#define blockDim armilla::test::DeviceThreads::here().blockSize
#define gridDim armilla::test::DeviceThreads::here().gridSize

inline void __syncthreads() {
    armilla::test::DeviceThreads::here().wait(armilla::test::DeviceThreads::Wait::Block);
}
inline void __syncwarp() {
    armilla::test::DeviceThreads::here().wait(armilla::test::DeviceThreads::Wait::Warp);
}
inline int __reduce_min_sync(unsigned /*lanes*/, int value) {
    return armilla::test::DeviceThreads::here().ofWarp(value,
                                                       [](int a, int b) { return std::min(a, b); });
}
inline int __reduce_max_sync(unsigned /*lanes*/, int value) {
    return armilla::test::DeviceThreads::here().ofWarp(value,
                                                       [](int a, int b) { return std::max(a, b); });
}
inline int __double2loint(double x) {
    return static_cast<int>(std::bit_cast<uint64_t>(x));
}
inline int __double2hiint(double x) {
    return static_cast<int>(std::bit_cast<uint64_t>(x) >> 32);
}
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 |
                                 static_cast<uint32_t>(low));
}
inline int atomicMax(int* at, int value) {
    const int before = *at;
    *at = std::max(before, value);
    return before;
}
using std::fma;
using std::max;
using std::min;
