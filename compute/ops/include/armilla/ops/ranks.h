// SPDX-License-Identifier: GPL-3.0-or-later
// Processes, "ranks", that work together on one transform, and the exchange of data between them.
// The transport is independent of MPI: the module armilla-mpi or threads of a test supply it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

class DeviceGroup;

// The state of a rank; a larger value is more serious.
enum class RankState : int { Fine = 0, Failed = 1, Interrupted = 2 };

// Thrown by calls of Ranks after another rank has failed or been interrupted. It is not an Error:
// the failed rank reports the cause.
class RankLost : public std::exception {
public:
    const char* what() const noexcept override { return "another rank has left"; }
};

// Every rank makes the same calls in the same order. Each call begins with an agreement that no
// rank has left. So a rank that cannot continue calls `leave` instead of its next call, and no
// other rank waits for it. All calls come from one thread of each rank.
class Ranks {
public:
    virtual ~Ranks() = default;
    // This rank, 0 .. size() - 1.
    virtual int rank() const = 0;
    // The number of ranks.
    virtual int size() const = 0;

    using Bytes = std::span<std::byte>;
    using ConstBytes = std::span<const std::byte>;
    // Sends sends[r] to rank r and receives receives[r] from rank r; both sides know the sizes. Any
    // span may be empty, and the own one is copied. Throws Cancelled if the job is to stop,
    // RankLost.
    void exchange(std::span<const ConstBytes> sends, std::span<const Bytes> receives,
                  JobContext& job);
    // Returns the bytes of every rank, by rank; sizes may differ. Every rank holds all bytes, so
    // use it for small data. Throws as exchange().
    std::vector<std::vector<std::byte>> gatherAll(ConstBytes own, JobContext& job);
    // The same for trivially copyable values.
    template <typename T>
    std::vector<std::vector<T>> gatherAll(std::span<const T> own, JobContext& job) {
        std::vector<std::vector<T>> all;
        for (const std::vector<std::byte>& bytes : gatherAll(std::as_bytes(own), job)) {
            std::vector<T>& values = all.emplace_back(bytes.size() / sizeof(T));
            std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(values.data()));
        }
        return all;
    }
    // A barrier: returns after all ranks have called it. Throws as exchange().
    void meet(JobContext& job);

    // The final result of leave(), the same on all ranks.
    struct End {
        RankState state = RankState::Fine;
        int status = 0;       // exit status of the first rank with that state
        std::string message;  // error message of that rank
        // The other ranks did not answer: one is lost or busy for long. State and message are then
        // this rank's own, and only the transport's abort may be called.
        bool alone = false;
    };
    // Ends the work of all ranks. Each rank that threw calls it once, and makes no other call after
    // it. `state` Fine: for a rank that caught RankLost. A failed rank waits at most 1.5 s for the
    // other ranks.
    End leave(RankState state, int status, const std::string& message);

    // Bytes that this rank has sent to others so far, and the seconds spent in calls of this class.
    int64_t bytesSent() const { return bytesSent_; }
    double seconds() const { return seconds_; }

    // The group of the ranks' devices if these send to each other directly, else null. The value is
    // the result of the first call of `make` (sht/several/ranks/staged_transform.cpp).
    using MakeDevices = std::function<std::shared_ptr<DeviceGroup>()>;
    const std::shared_ptr<DeviceGroup>& devices(const MakeDevices& make);

protected:
    // Returns the largest value of all ranks.
    virtual int agree(int value) = 0;
    // Calls agree without its result. Returns false if not all ranks have called within
    // `milliseconds`.
    virtual bool agreeWithin(int value, int milliseconds) = 0;
    // exchange() without the agreement.
    virtual void transfer(std::span<const ConstBytes> sends, std::span<const Bytes> receives) = 0;

private:
    // The agreement at the beginning of each call. Throws Cancelled if this rank's job is to stop,
    // RankLost if another rank has left.
    void agreeFine(const JobContext& job);

    std::optional<std::shared_ptr<DeviceGroup>> devices_;
    int64_t bytesSent_ = 0;
    double seconds_ = 0.0;
};

}  // namespace armilla
