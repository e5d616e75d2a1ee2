// SPDX-License-Identifier: GPL-3.0-or-later
// The only present rank of many: its part of a transform that is too large for any machine.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "armilla/ops/ranks.h"

namespace armilla::test {

// Before `work` all ranks report the values of this one. Afterwards the other ranks send zeros,
// like ranks with zero data. One exception: messages stored from a rank while it was the present
// one.
class LoneRank final : public Ranks {
public:
    using Messages = std::vector<std::vector<std::byte>>;  // one per call
    LoneRank(int rank, int size) : rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    // `from` -1: no rank.
    void work(int from, Messages messages) {
        works_ = true;
        from_ = from;
        messages_ = std::move(messages);
        call_ = 0;
    }
    void keepFor(int to) { kept_[to]; }
    const Messages& keptFor(int to) const { return kept_.at(to); }
    // True if a message had another size than its receiver expected.
    bool mismatches() const { return mismatches_; }

protected:
    int agree(int value) override { return value; }
    bool agreeWithin(int /*value*/, int /*milliseconds*/) override { return true; }
    void transfer(std::span<const ConstBytes> sends, std::span<const Bytes> receives) override {
        for (int other = 0; other < size_; ++other) {
            const auto at = static_cast<size_t>(other);
            if (other == rank_) continue;
            if (!works_)
                take(sends[at], receives[at]);
            else if (other == from_)
                take(messages_.at(call_), receives[at]);
            else
                std::fill(receives[at].begin(), receives[at].end(), std::byte{0});
        }
        if (!works_) return;
        for (auto& [to, messages] : kept_) {
            const ConstBytes sent = sends[static_cast<size_t>(to)];
            messages.emplace_back(sent.begin(), sent.end());
        }
        ++call_;
    }

private:
    void take(ConstBytes from, Bytes to) {
        if (from.size() != to.size()) mismatches_ = true;
        std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
    }

    int rank_, size_;
    bool works_ = false, mismatches_ = false;
    int from_ = -1;
    size_t call_ = 0;
    Messages messages_;
    std::map<int, Messages> kept_;
};

}  // namespace armilla::test
