// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/core/seconds_since.h"
#include "armilla/device/device_group.h"

namespace armilla {

namespace {

class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += secondsSince(start_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_ = Clock::now();
};

// A rank's last message, of fixed length so that its size need not be exchanged.
struct LastWords {
    int state = 0, status = 0;
    std::array<char, 1000> message{};
};

}  // namespace

void Ranks::agreeFine(const JobContext& job) {
    const bool stops = job.stopRequested();
    const int worst = agree(static_cast<int>(stops ? RankState::Interrupted : RankState::Fine));
    if (worst == 0) return;
    if (stops) throw Cancelled();
    throw RankLost();
}

void Ranks::exchange(std::span<const ConstBytes> sends, std::span<const Bytes> receives,
                     JobContext& job) {
    const Stopwatch watch(seconds_);
    const auto count = static_cast<size_t>(size()), own = static_cast<size_t>(rank());
    ARMILLA_ASSERT(sends.size() == count && receives.size() == count &&
                   sends[own].size() == receives[own].size());
    agreeFine(job);
    for (size_t to = 0; to < count; ++to)
        if (to != own) bytesSent_ += static_cast<int64_t>(sends[to].size());
    std::copy(sends[own].begin(), sends[own].end(), receives[own].begin());
    transfer(sends, receives);
}

std::vector<std::vector<std::byte>> Ranks::gatherAll(ConstBytes own, JobContext& job) {
    const auto count = static_cast<size_t>(size());
    const auto ownSize = static_cast<int64_t>(own.size());
    std::vector<int64_t> sizes(count);
    std::vector<ConstBytes> sends(count, std::as_bytes(std::span(&ownSize, 1)));
    std::vector<Bytes> receives;
    for (int64_t& each : sizes) receives.push_back(std::as_writable_bytes(std::span(&each, 1)));
    exchange(sends, receives, job);
    std::vector<std::vector<std::byte>> all;
    for (const int64_t each : sizes) all.emplace_back(static_cast<size_t>(each));
    std::fill(sends.begin(), sends.end(), own);
    for (size_t from = 0; from < count; ++from) receives[from] = all[from];
    exchange(sends, receives, job);
    return all;
}

void Ranks::meet(JobContext& job) {
    const Stopwatch watch(seconds_);
    agreeFine(job);
}

const std::shared_ptr<DeviceGroup>& Ranks::devices(const MakeDevices& make) {
    if (!devices_) devices_ = make();
    return *devices_;
}

Ranks::End Ranks::leave(RankState state, int status, const std::string& message) {
    constexpr int kPatience = 1500;  // ms: all ranks must have ended within three seconds
    if (devices_ && *devices_) (*devices_)->abandon();
    if (state != RankState::Fine && !agreeWithin(static_cast<int>(state), kPatience))
        return {state, status, message, true};
    LastWords words{static_cast<int>(state), status, {}};
    std::strncpy(words.message.data(), message.c_str(), words.message.size() - 1);
    const auto count = static_cast<size_t>(size());
    std::vector<LastWords> all(count);
    const std::vector<ConstBytes> sends(count, std::as_bytes(std::span(&words, 1)));
    std::vector<Bytes> receives;
    for (LastWords& each : all) receives.push_back(std::as_writable_bytes(std::span(&each, 1)));
    all[static_cast<size_t>(rank())] = words;
    transfer(sends, receives);
    const LastWords& worst =
        *std::max_element(all.begin(), all.end(),
                          [](const LastWords& a, const LastWords& b) { return a.state < b.state; });
    return {static_cast<RankState>(worst.state), worst.status, worst.message.data(), false};
}

}  // namespace armilla
