// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/host_copies.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <vector>

#include "armilla/core/bad_sample.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "copy_past_caches.h"

namespace armilla {

namespace {

// Large enough for full bus speed, small enough for two pieces per thread in 64 MiB.
constexpr size_t kPieceBytes = size_t{2} << 20;
constexpr int kMostThreads = 16;

// Converts between pinned host memory, accessed over the bus, and device memory.
template <typename To, typename From>
__global__ void convertKernel(To* to, const From* from, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        to[i] = static_cast<To>(from[i]);
}

struct Slot {
    explicit Slot(int device)
        : buffer(device, kPieceBytes / sizeof(double)), stream(device, cuda::Priority::Low) {}
    cuda::PinnedBuffer<double> buffer;
    cuda::Stream stream;
    std::mutex inUse;
};

// Slots between copies. Pinning memory takes longer than copying it, so that plans hand theirs on.
class IdleSlots {
public:
    // Never destroyed, because the driver may end before static objects do.
    static IdleSlots& all() {
        static auto* const slots = new IdleSlots;
        return *slots;
    }
    std::unique_ptr<Slot> take(int device) {
        {
            const std::lock_guard lock(inUse_);
            const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const auto& slot) {
                return slot->stream.device() == device;
            });
            if (found != slots_.end()) {
                std::swap(*found, slots_.back());
                std::unique_ptr<Slot> taken = std::move(slots_.back());
                slots_.pop_back();
                return taken;
            }
        }
        return std::make_unique<Slot>(device);
    }
    void put(std::unique_ptr<Slot> slot) noexcept {
        const std::lock_guard lock(inUse_);
        if (slots_.size() < kMost) slots_.push_back(std::move(slot));
    }

private:
    IdleSlots() { slots_.reserve(kMost); }

    // The slots of two plans, 256 MiB.
    static constexpr size_t kMost = size_t{8} * kMostThreads;
    std::mutex inUse_;
    std::vector<std::unique_ptr<Slot>> slots_;
};

std::span<const double> asDoubles(const Alm& alm) {
    return {reinterpret_cast<const double*>(alm.values().data()), 2 * alm.values().size()};
}
std::span<double> asDoubles(Alm& alm) {
    return {reinterpret_cast<double*>(alm.values().data()), 2 * alm.values().size()};
}

}  // namespace

struct HostCopies::Slots {
    int device = 0;
    std::vector<std::unique_ptr<Slot>> all;

    explicit Slots(int of) : device(of) {}
    ~Slots() {
        for (auto& slot : all) IdleSlots::all().put(std::move(slot));
    }
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;
    void grow(size_t count) {
        while (all.size() < count) all.push_back(IdleSlots::all().take(device));
    }

    // Calls copy(begin, end, slot) for each piece of `count` values of `bytesEach` bytes, from
    // several threads; then waits for the slots' streams.
    template <typename Copy>
    void inPieces(size_t count, size_t bytesEach, const JobContext& job, const Copy& copy) {
        const size_t piece = kPieceBytes / bytesEach;
        inSlots((count + piece - 1) / piece, job, [&](size_t which, Slot& slot) {
            copy(which * piece, std::min(count, (which + 1) * piece), slot);
        });
    }
    // Calls copy(piece, slot) for each of `pieces` pieces.
    template <typename Copy>
    void inSlots(size_t pieces, const JobContext& job, const Copy& copy) {
        JobContext silent(job.stopToken(), {}, std::min(job.threads(), kMostThreads));
        const size_t slots = std::min(pieces, 2 * static_cast<size_t>(silent.threads()));
        grow(slots);
        std::exception_ptr failure;
        try {
            parallelFor(silent, static_cast<long long>(pieces), 1,
                        [&](long long begin, long long /*end*/) {
                            const cuda::DeviceScope scope(device);
                            const auto piece = static_cast<size_t>(begin);
                            Slot& slot = *all[piece % slots];
                            const std::lock_guard lock(slot.inUse);
                            copy(piece, slot);
                        });
        } catch (...) {
            failure = std::current_exception();
        }
        const cuda::DeviceScope scope(device);
        for (const auto& slot : all) {
            const cudaError_t status = cudaStreamSynchronize(slot->stream.get());
            if (!failure) cuda::check(status, "copying between host and device");
        }
        if (failure) std::rethrow_exception(failure);
    }

    // Bad samples of a piece, which is in a cache, become 0.
    template <typename T>
    static void clearBad(T* piece, size_t count) {
        constexpr size_t kBlock = 4096;
        for (size_t begin = 0; begin < count; begin += kBlock) {
            const size_t end = std::min(count, begin + kBlock);
            unsigned any = 0;
            for (size_t i = begin; i < end; ++i) any |= mayBeBadSample(piece[i]) ? 1U : 0U;
            for (size_t i = begin; any != 0 && i < end; ++i)
                if (isBadSample(piece[i])) piece[i] = T(0);
        }
    }
    enum class Bad { Kept, Cleared };
    template <typename T>
    static void uploadPiece(std::span<const T> from, double* to, const Slot& slot,
                            Bad bad = Bad::Kept) {
        slot.stream.synchronize();
        std::memcpy(slot.buffer.data(), from.data(), from.size_bytes());
        if (bad == Bad::Cleared) clearBad(reinterpret_cast<T*>(slot.buffer.data()), from.size());
        if constexpr (std::is_same_v<T, double>) {
            cuda::check(cudaMemcpyAsync(to, slot.buffer.data(), from.size_bytes(),
                                        cudaMemcpyHostToDevice, slot.stream.get()),
                        "copying to the device");
        } else {
            convert(to, reinterpret_cast<const T*>(slot.buffer.data()), from.size(), slot);
        }
    }
    template <typename T>
    static void uploadProducts(std::span<const T> from, std::span<const double> weights, double* to,
                               const Slot& slot) {
        slot.stream.synchronize();
        double* const products = slot.buffer.data();
        for (size_t i = 0; i < from.size(); ++i)
            products[i] = weightedSample(static_cast<double>(from[i]), weights[i]);
        cuda::check(cudaMemcpyAsync(to, products, from.size() * sizeof(double),
                                    cudaMemcpyHostToDevice, slot.stream.get()),
                    "copying to the device");
    }
    static size_t sizeOfSample(const Upload& upload) {
        if (!upload.weights.empty()) return sizeof(double);
        return std::visit([](const auto& values) { return sizeof(values[0]); }, upload.from);
    }
    static size_t sizeOfSample(const Download& download) {
        return std::visit([](const auto& values) { return sizeof(values[0]); }, download.to);
    }
    // Calls copy(i, values, begin, slot) for the pieces of several samples hostOf(i); `begin` is
    // the position of the first value of a piece.
    template <typename One, typename HostOf, typename Copy>
    void eachInPieces(std::span<const One> copies, const JobContext& job, const HostOf& hostOf,
                      const Copy& copy) {
        // Cumulative numbers of pieces.
        std::vector<size_t> ends;
        size_t pieces = 0;
        for (size_t i = 0; i < copies.size(); ++i) {
            const size_t piece = kPieceBytes / sizeOfSample(copies[i]);
            ends.push_back(pieces += (sizeOf(hostOf(i)) + piece - 1) / piece);
        }
        inSlots(pieces, job, [&](size_t which, Slot& slot) {
            const auto own = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), which) -
                                                 ends.begin());
            const size_t piece = kPieceBytes / sizeOfSample(copies[own]),
                         begin = (which - (own == 0 ? 0 : ends[own - 1])) * piece;
            std::visit(
                [&](const auto& values) {
                    copy(own, values.subspan(begin, std::min(piece, values.size() - begin)), begin,
                         slot);
                },
                hostOf(own));
        });
    }
    void upload(std::span<const Upload> uploads, const JobContext& job) {
        eachInPieces(
            uploads, job, [&](size_t i) -> const auto& { return uploads[i].from; },
            [&](size_t i, const auto& values, size_t begin, const Slot& slot) {
                double* const to = uploads[i].to->data() + uploads[i].at + begin;
                const std::span<const double> weights = uploads[i].weights;
                if (weights.empty())
                    uploadPiece(values, to, slot);
                else
                    uploadProducts(values, weights.subspan(begin, values.size()), to, slot);
            });
    }
    void download(std::span<const Download> downloads, const JobContext& job) {
        eachInPieces(
            downloads, job, [&](size_t i) -> const auto& { return downloads[i].to; },
            [&](size_t i, const auto& values, size_t begin, const Slot& slot) {
                downloadPiece(downloads[i].from->data() + downloads[i].at + begin, values, slot,
                              putValues);
            });
    }
    template <typename T>
    void upload(std::span<const T> from, double* to, const JobContext& job, Bad bad = Bad::Kept) {
        inPieces(from.size(), sizeof(T), job, [&](size_t begin, size_t end, Slot& slot) {
            uploadPiece(from.subspan(begin, end - begin), to + begin, slot, bad);
        });
    }
    // `put(to, values, count)` consumes the values of a piece.
    template <typename T, typename Put>
    void download(const double* from, std::span<T> to, const JobContext& job, const Put& put) {
        inPieces(to.size(), sizeof(T), job, [&](size_t begin, size_t end, Slot& slot) {
            downloadPiece(from + begin, to.subspan(begin, end - begin), slot, put);
        });
    }
    template <typename T, typename Put>
    static void downloadPiece(const double* from, std::span<T> to, const Slot& slot,
                              const Put& put) {
        if constexpr (std::is_same_v<T, double>) {
            cuda::check(cudaMemcpyAsync(slot.buffer.data(), from, to.size_bytes(),
                                        cudaMemcpyDeviceToHost, slot.stream.get()),
                        "copying from the device");
        } else {
            convert(reinterpret_cast<T*>(slot.buffer.data()), from, to.size(), slot);
        }
        slot.stream.synchronize();
        put(to.data(), reinterpret_cast<const T*>(slot.buffer.data()), to.size());
    }
    static constexpr auto putValues = [](auto* place, const auto* piece, size_t count) {
        copyPastCaches(place, piece, count * sizeof(*place));
    };
    template <typename To, typename From>
    static void convert(To* to, const From* from, size_t count, const Slot& slot) {
        // 32 blocks saturate the bus; the remaining multiprocessors are free for transforms.
        constexpr unsigned kBlocks = 32, kThreads = 512;
        convertKernel<<<kBlocks, kThreads, 0, slot.stream.get()>>>(to, from, count);
        cuda::checkLaunch("converting samples");
    }
};

HostCopies::HostCopies(int device) : slots_(new Slots(device)) {}
HostCopies::~HostCopies() = default;
HostCopies::HostCopies(HostCopies&&) noexcept = default;
HostCopies& HostCopies::operator=(HostCopies&&) noexcept = default;

void HostCopies::prepare(int threads) {
    slots_->grow(static_cast<size_t>(2 * std::clamp(threads, 1, kMostThreads)));
}

void HostCopies::upload(const ConstMapSamples& from, CudaArray& to, JobContext& job, size_t at) {
    ARMILLA_ASSERT(at + sizeOf(from) <= to.size());
    std::visit([&](const auto& values) { slots_->upload(values, to.data() + at, job); }, from);
}
void HostCopies::uploadGood(const ConstMapSamples& from, CudaArray& to, JobContext& job) {
    ARMILLA_ASSERT(sizeOf(from) <= to.size());
    std::visit(
        [&](const auto& values) { slots_->upload(values, to.data(), job, Slots::Bad::Cleared); },
        from);
}
void HostCopies::upload(std::span<const Upload> all, JobContext& job) {
    for (const Upload& one : all) {
        ARMILLA_ASSERT(one.at + sizeOf(one.from) <= one.to->size());
        ARMILLA_ASSERT(one.weights.empty() || one.weights.size() == sizeOf(one.from));
    }
    slots_->upload(all, job);
}
void HostCopies::download(std::span<const Download> all, JobContext& job) {
    for (const Download& one : all) ARMILLA_ASSERT(one.at + sizeOf(one.to) <= one.from->size());
    slots_->download(all, job);
}
void HostCopies::upload(const Alm& from, CudaArray& to, JobContext& job) {
    upload(ConstMapSamples(asDoubles(from)), to, job);
}
void HostCopies::download(const CudaArray& from, const MapSamples& to, JobContext& job, size_t at) {
    ARMILLA_ASSERT(at + sizeOf(to) <= from.size());
    std::visit(
        [&](const auto& values) {
            slots_->download(from.data() + at, values, job, Slots::putValues);
        },
        to);
}
void HostCopies::download(const CudaArray& from, Alm& to, JobContext& job) {
    download(from, MapSamples(asDoubles(to)), job);
}
void HostCopies::addTo(Alm& to, const CudaArray& from, JobContext& job) {
    ARMILLA_ASSERT(2 * to.values().size() == from.size());
    slots_->download(from.data(), asDoubles(to), job,
                     [](double* sum, const double* piece, size_t count) {
                         for (size_t i = 0; i < count; ++i) sum[i] += piece[i];
                     });
}

}  // namespace armilla
