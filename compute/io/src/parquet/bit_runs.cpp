// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/bit_runs.h"

#include <algorithm>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"

namespace armilla::parquet {

namespace {

[[noreturn]] void refuseShort() {
    throw IoError("expected encoded values to the end of a page, found a damaged page");
}

constexpr size_t bytesOf(size_t values, unsigned width) {
    return (values * width + 7) / 8;
}

}  // namespace

uint64_t packedValue(std::span<const std::byte> bytes, size_t index, unsigned width) {
    if (width == 0) return 0;
    const size_t bit = index * width, first = bit / 8;
    const auto shift = static_cast<unsigned>(bit % 8);
    if (first >= bytes.size()) return 0;
    uint64_t low = 0;
    if (bytes.size() - first >= sizeof low)
        std::memcpy(&low, bytes.data() + first, sizeof low);
    else
        std::memcpy(&low, bytes.data() + first, bytes.size() - first);
    uint64_t value = low >> shift;
    if (shift + width > 64 && first + 8 < bytes.size())
        value |= static_cast<uint64_t>(bytes[first + 8]) << (64 - shift);
    return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

uint64_t takeVarint(std::span<const std::byte> bytes, size_t& at) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto next = static_cast<unsigned>(bytes[at++]);
        value |= uint64_t{next & 0x7fU} << shift;
        if (next < 0x80) return value;
    }
    refuseShort();
}

BitRuns::BitRuns(std::span<const std::byte> bytes, unsigned width) : bytes_(bytes), width_(width) {
    if (width > 32) refuseShort();
}

void BitRuns::beginRun() {
    const uint64_t head = takeVarint(bytes_, at_);
    const size_t left = bytes_.size() - at_;
    if ((head & 1U) == 0) {
        const size_t bytes = (width_ + 7) / 8;
        if (bytes > left || head / 2 == 0) refuseShort();
        run_ = {static_cast<uint32_t>(packedValue(bytes_.subspan(at_, bytes), 0, width_)),
                {},
                0,
                head / 2};
        at_ += bytes;
        return;
    }
    // Groups of 8 values, 2^31 values at most. Some writers omit bytes after the last value.
    const uint64_t groups = head / 2;
    if (groups == 0 || groups > (1U << 28U)) refuseShort();
    const size_t bytes = std::min<size_t>(left, groups * width_);
    const size_t values = width_ == 0 ? groups * 8 : bytes * 8 / width_;
    if (values == 0) refuseShort();
    // Values of no bits are a run of zeros, which an empty `packed` means.
    run_ = {0, bytes_.subspan(at_, bytes), 0, values};
    at_ += bytes;
}

BitRuns::Run BitRuns::next(size_t most) {
    if (run_.count == 0) beginRun();
    Run part = run_;
    part.count = std::min(most, run_.count);
    run_.first += part.count;
    run_.count -= part.count;
    return part;
}

void BitRuns::read(std::span<uint32_t> out) {
    while (!out.empty()) {
        const Run run = next(out.size());
        if (run.packed.empty())
            std::fill_n(out.begin(), run.count, run.value);
        else
            for (size_t i = 0; i < run.count; ++i)
                out[i] = static_cast<uint32_t>(packedValue(run.packed, run.first + i, width_));
        out = out.subspan(run.count);
    }
}

namespace {

// Few bytes of a page can state many equal levels.
void requireLevels(size_t count) {
    constexpr size_t kSmall = size_t{1} << 20U;
    if (count > kSmall)
        requireMemory("levels of a page", static_cast<int64_t>(count * sizeof(uint32_t)));
}

}  // namespace

Levels readLevels(BitRuns runs, size_t count) {
    Levels levels;
    if (count == 0) return levels;
    const BitRuns::Run first = BitRuns(runs).next(count);
    if (first.packed.empty() && first.count == count) {
        levels.same = first.value;
        return levels;
    }
    requireLevels(count);
    levels.each.resize(count);
    runs.read(levels.each);
    return levels;
}

Levels readBitPackedLevels(std::span<const std::byte> bytes, size_t count, unsigned width) {
    if (bytes.size() < bytesOf(count, width)) refuseShort();
    requireLevels(count);
    Levels levels;
    levels.each.resize(count);
    for (size_t i = 0; i < count; ++i)
        for (size_t bit = i * width; bit < (i + 1) * width; ++bit)
            levels.each[i] =
                levels.each[i] * 2 + (static_cast<unsigned>(bytes[bit / 8]) >> (7 - bit % 8) & 1U);
    return levels;
}

}  // namespace armilla::parquet
