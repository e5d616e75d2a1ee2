// SPDX-License-Identifier: GPL-3.0-or-later
// Processes, "ranks", that work on one transform together, each on its share: what they say to each
// other. Nothing of MPI: its module (armilla-mpi) and threads of a test supply the transport.
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

#include "core/job_context.h"

namespace armilla {

class DeviceGroup;

// How a rank fares, the graver the larger.
enum class RankState : int { Fine = 0, Failed = 1, Interrupted = 2 };

// Thrown by calls of Ranks once another rank has failed or been interrupted. Not an Error: what
// went wrong is told by that one.
class RankLost : public std::exception {
public:
    const char* what() const noexcept override { return "another rank has left"; }
};

// Every rank makes the same calls in the same order; each call begins with an agreement that nobody
// has left, so that a rank which cannot go on calls `leave` in the place of whatever would come
// next, and no other waits for it. From one thread of each rank.
class Ranks {
public:
    virtual ~Ranks() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;

    using Bytes = std::span<std::byte>;
    using ConstBytes = std::span<const std::byte>;
    // sends[r] to rank r, receives[r] from rank r, whose sizes both sides know; any may be empty,
    // and one's own is copied. Throws Cancelled if the job is to stop, RankLost.
    void exchange(std::span<const ConstBytes> sends, std::span<const Bytes> receives,
                  JobContext& job);
    // The bytes of every rank, by rank; any number of each. All are held: for small things.
    std::vector<std::vector<std::byte>> gatherAll(ConstBytes own, JobContext& job);
    // Likewise of values that are their bytes.
    template <typename T>
    std::vector<std::vector<T>> gatherAll(std::span<const T> own, JobContext& job) {
        std::vector<std::vector<T>> all;
        for (const std::vector<std::byte>& bytes : gatherAll(std::as_bytes(own), job)) {
            std::vector<T>& values = all.emplace_back(bytes.size() / sizeof(T));
            std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(values.data()));
        }
        return all;
    }
    // Returns once all ranks have come here.
    void meet(JobContext& job);

    // What is said of the end of the work, by a rank that failed; the same on all.
    struct End {
        RankState state = RankState::Fine;
        int status = 0;       // the exit status of the first rank of that state
        std::string message;  // what it says
        // The others did not come: a rank is lost, or at work for long. What is said is one's own,
        // and nothing may be called but the transport's abort.
        bool alone = false;
    };
    // Ends the work of all ranks: called once by each that threw, after which it must call nothing
    // else. `state` Fine: of one that caught RankLost. A rank that failed waits a second and a half
    // for the others, at most.
    End leave(RankState state, int status, const std::string& message);

    // Bytes that this rank has sent to others so far, and the seconds spent in calls of this class.
    int64_t bytesSent() const { return bytesSent_; }
    double seconds() const { return seconds_; }

    // The devices of all ranks, where these send to each other by themselves, else null: what
    // `make` returned when first asked for (sht/ranks/staged_transform.cpp).
    using MakeDevices = std::function<std::shared_ptr<DeviceGroup>()>;
    const std::shared_ptr<DeviceGroup>& devices(const MakeDevices& make);

protected:
    // The largest of the ranks' values.
    virtual int agree(int value) = 0;
    // As agree, but false after so long.
    virtual bool agreeWithin(int value, int milliseconds) = 0;
    virtual void transfer(std::span<const ConstBytes> sends, std::span<const Bytes> receives) = 0;

private:
    void agreeFine(const JobContext& job);

    std::optional<std::shared_ptr<DeviceGroup>> devices_;
    int64_t bytesSent_ = 0;
    double seconds_ = 0.0;
};

}  // namespace armilla
