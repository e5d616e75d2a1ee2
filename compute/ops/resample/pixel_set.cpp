// SPDX-License-Identifier: GPL-3.0-or-later
#include "resample/pixel_set.h"

#include "armilla/core/new_vector.h"

namespace armilla::resample {

namespace {

constexpr size_t kWordsBetweenPolls = size_t{1} << 20;

}  // namespace

PixelSet::PixelSet(int64_t pixelCount, const JobContext& job)
    : words_(newVector<uint64_t>((pixelCount + kAlone - 1) / kAlone, job)) {}

void PixelSet::addAll(std::span<const int64_t> pixels, const JobContext& job) {
    for (size_t i = 0; i < pixels.size(); ++i) {
        if (i % kWordsBetweenPolls == 0) job.poll();
        add(pixels[i]);
    }
    before_ = newVector<int64_t>(static_cast<int64_t>(words_.size()), job);
    for (size_t w = 1; w < words_.size(); ++w) {
        if (w % kWordsBetweenPolls == 0) job.poll();
        before_[w] = before_[w - 1] + __builtin_popcountll(words_[w - 1]);
    }
}

std::vector<int64_t> PixelSet::list(const JobContext& job) const {
    int64_t count = 0;
    for (const uint64_t word : words_) count += __builtin_popcountll(word);
    std::vector<int64_t> pixels = newVector<int64_t>(count, job);
    auto next = pixels.begin();
    for (size_t w = 0; w < words_.size(); ++w) {
        if (w % (kWordsBetweenPolls / 16) == 0) job.poll();
        for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
            *next++ = static_cast<int64_t>(w) * kAlone + __builtin_ctzll(rest);
    }
    return pixels;
}

}  // namespace armilla::resample
