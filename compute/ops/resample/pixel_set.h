// SPDX-License-Identifier: GPL-3.0-or-later
// A set of pixels with one bit for each pixel of the sky.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla::resample {

class PixelSet {
public:
    // Pixels per word: concurrent additions must go to different words.
    static constexpr int64_t kAlone = 64;

    PixelSet() = default;
    PixelSet(int64_t pixelCount, const JobContext& job);
    void add(int64_t pixel) { words_[wordOf(pixel)] |= bitOf(pixel); }
    bool contains(int64_t pixel) const { return (words_[wordOf(pixel)] & bitOf(pixel)) != 0; }

    // Adds ascending pixels and prepares `rankOf`.
    void addAll(std::span<const int64_t> pixels, const JobContext& job);
    // The index of a member among the members.
    int64_t rankOf(int64_t pixel) const {
        const uint64_t below = words_[wordOf(pixel)] & (bitOf(pixel) - 1);
        return before_[wordOf(pixel)] + __builtin_popcountll(below);
    }
    // The members, ascending.
    std::vector<int64_t> list(const JobContext& job) const;

private:
    static size_t wordOf(int64_t pixel) { return static_cast<size_t>(pixel / kAlone); }
    static uint64_t bitOf(int64_t pixel) { return uint64_t{1} << (pixel % kAlone); }
    std::vector<uint64_t> words_;
    std::vector<int64_t> before_;  // number of members in the words before each
};

}  // namespace armilla::resample
