// SPDX-License-Identifier: GPL-3.0-or-later
// Big-endian words of FITS files.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace armilla {

template <class Word>
Word bigEndian(const std::byte* at) {
    Word word;
    std::memcpy(&word, at, sizeof(Word));
    if constexpr (std::endian::native == std::endian::little) {
        if constexpr (sizeof(Word) == 2) word = static_cast<Word>(__builtin_bswap16(word));
        if constexpr (sizeof(Word) == 4) word = static_cast<Word>(__builtin_bswap32(word));
        if constexpr (sizeof(Word) == 8) word = static_cast<Word>(__builtin_bswap64(word));
    }
    return word;
}

// Sixteen bytes of floating-point values. Compilers do not turn the loop over swapped words into
// vector instructions of every x86-64 processor by themselves.
template <class T>
struct ValueLanes {
    using Word = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    typedef T Values __attribute__((vector_size(16)));
    typedef Word Words __attribute__((vector_size(16)));
    static constexpr int64_t kCount = 16 / sizeof(T);

    // The bytes of each word in reverse order.
    static Words swapped(Words words) {
        constexpr Word kBytes = static_cast<Word>(0x00FF00FF00FF00FFULL),
                       kPairs = static_cast<Word>(0x0000FFFF0000FFFFULL);
        words = (words & kBytes) << 8 | (words >> 8 & kBytes);
        words = (words & kPairs) << 16 | (words >> 16 & kPairs);
        if constexpr (sizeof(Word) == 8) words = words << 32 | words >> 32;
        return words;
    }
    // All bits of a word are set where the value is infinite or NaN.
    static Words notFinite(Values x) {
        constexpr Word kMagnitude = std::numeric_limits<Word>::max() >> 1;
        const auto size = reinterpret_cast<Values>(reinterpret_cast<Words>(x) & kMagnitude);
        return reinterpret_cast<Words>(~(size <= std::numeric_limits<T>::max()));
    }
};

// Stores `count` values in big-endian order, `bad` for those that are infinite or NaN. `to` has no
// alignment.
template <class T>
void putBigEndianRun(const T* from, int64_t count, T bad, std::byte* to) {
    using L = ValueLanes<T>;
    const auto badWord = std::bit_cast<typename L::Word>(bad);
    int64_t i = 0;
    if constexpr (std::endian::native == std::endian::little)
        for (; i + L::kCount <= count; i += L::kCount) {
            typename L::Words words;
            std::memcpy(&words, from + i, sizeof(words));
            const typename L::Words wrong =
                L::notFinite(reinterpret_cast<typename L::Values>(words));
            words = L::swapped((words & ~wrong) | (badWord & wrong));
            std::memcpy(to + i * static_cast<int64_t>(sizeof(T)), &words, sizeof(words));
        }
    for (; i < count; ++i) {
        auto word = std::bit_cast<typename L::Word>(from[i]);
        const auto size =
            std::bit_cast<T>(word & (std::numeric_limits<typename L::Word>::max() >> 1));
        if (!(size <= std::numeric_limits<T>::max())) word = badWord;
        // Swapping is its own inverse.
        word = bigEndian<typename L::Word>(reinterpret_cast<const std::byte*>(&word));
        std::memcpy(to + i * static_cast<int64_t>(sizeof(T)), &word, sizeof(word));
    }
}

}  // namespace armilla
