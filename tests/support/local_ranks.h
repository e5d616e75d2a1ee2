// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks as threads of one process: communication without a launcher.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "armilla/core/environment.h"
#include "armilla/ops/ranks.h"

namespace armilla::test {

class LocalGroup {
public:
    explicit LocalGroup(int size) : size_(size), sends_(static_cast<size_t>(size)) {}
    int size() const { return size_; }

    // The largest value of all; returns after all ranks have arrived, or after the time limit.
    std::optional<int> meet(int value, std::optional<std::chrono::milliseconds> within = {}) {
        std::unique_lock hold(lock_);
        const long turn = turn_;
        next_ = std::max(next_, value);
        if (++here_ == size_) {
            worst_ = next_;
            next_ = here_ = 0;
            ++turn_;
            all_.notify_all();
        } else {
            const auto all = [&] { return turn_ != turn; };
            if (!within)
                all_.wait(hold, all);
            else if (!all_.wait_for(hold, *within, all))
                return std::nullopt;
        }
        return worst_;
    }
    void transfer(int rank, std::span<const Ranks::ConstBytes> sends,
                  std::span<const Ranks::Bytes> receives) {
        sends_[static_cast<size_t>(rank)] = {sends.begin(), sends.end()};
        meet(0);
        for (int from = 0; from < size_; ++from) {
            if (from == rank) continue;
            const Ranks::ConstBytes bytes =
                sends_[static_cast<size_t>(from)][static_cast<size_t>(rank)];
            const Ranks::Bytes to = receives[static_cast<size_t>(from)];
            if (bytes.size() != to.size()) mismatches_ = true;
            std::copy_n(bytes.begin(), std::min(bytes.size(), to.size()), to.begin());
        }
        meet(0);
    }
    // True if a message had another size than its receiver expected.
    bool mismatches() const { return mismatches_; }

private:
    int size_, here_ = 0, next_ = 0, worst_ = 0;
    long turn_ = 0;
    std::mutex lock_;
    std::condition_variable all_;
    std::vector<std::vector<Ranks::ConstBytes>> sends_;
    std::atomic<bool> mismatches_{false};
};

class LocalRanks final : public Ranks {
public:
    LocalRanks(LocalGroup& group, int rank) : group_(group), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return group_.size(); }

protected:
    int agree(int value) override { return *group_.meet(value); }
    bool agreeWithin(int value, int milliseconds) override {
        return group_.meet(value, std::chrono::milliseconds(milliseconds)).has_value();
    }
    void transfer(std::span<const ConstBytes> sends, std::span<const Bytes> receives) override {
        group_.transfer(rank_, sends, receives);
    }

private:
    LocalGroup& group_;
    int rank_;
};

// Direct access of ranks to each other's memory, during its lifetime.
class SharedMemory {
public:
    explicit SharedMemory(bool on) { set(on); }
    ~SharedMemory() { set(true); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

private:
    static void set(bool on) {
        Environment now = environment();
        now.usesSharedMemory = on;
        setEnvironment(std::move(now));
    }
};

// Calls body(ranks) in a thread for each of `count` ranks.
inline bool runRanks(int count, const std::function<void(Ranks&)>& body) {
    LocalGroup group(count);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] {
            LocalRanks ranks(group, rank);
            body(ranks);
        });
    for (std::thread& thread : threads) thread.join();
    return !group.mismatches();
}

}  // namespace armilla::test
