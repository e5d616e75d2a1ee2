// SPDX-License-Identifier: GPL-3.0-or-later
// Integers of a few bits: bit-packed values, and runs of equal or bit-packed values (the hybrid
// encoding of levels, dictionary indices and booleans).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace armilla::parquet {

// Value number `index` of values of `width` bits, the lowest bit first. Bits beyond the end are 0.
uint64_t packedValue(std::span<const std::byte> bytes, size_t index, unsigned width);

// The unsigned number of the base-128 varint at `at`, and moves `at` past it. Throws IoError.
uint64_t takeVarint(std::span<const std::byte> bytes, size_t& at);

// Reads runs of values in sequence. Functions throw IoError for bytes that end early.
class BitRuns {
public:
    // `width`: bits of a value, 0 to 32. Throws IoError for others.
    BitRuns(std::span<const std::byte> bytes, unsigned width);

    struct Run {
        uint32_t value = 0;  // the value of the whole run if `packed` is empty
        std::span<const std::byte> packed;
        size_t first = 0;  // index in `packed` of the first value
        size_t count = 0;
    };
    // The next values, at least one and at most `most`, from one run.
    Run next(size_t most);
    // The next `out.size()` values.
    void read(std::span<uint32_t> out);

private:
    void beginRun();

    std::span<const std::byte> bytes_;
    size_t at_ = 0;
    unsigned width_;
    Run run_;  // the rest of the present run
};

// The definition or repetition levels of `count` values.
struct Levels {
    // All levels are `same` if `each` is empty.
    uint32_t same = 0;
    std::vector<uint32_t> each;
};
Levels readLevels(BitRuns runs, size_t count);
// Levels in the superseded encoding BIT_PACKED, the highest bit first.
Levels readBitPackedLevels(std::span<const std::byte> bytes, size_t count, unsigned width);

}  // namespace armilla::parquet
