// SPDX-License-Identifier: GPL-3.0-or-later
// Big-endian words of FITS files.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

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

}  // namespace armilla
