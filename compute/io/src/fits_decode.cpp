// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of big-endian table columns to numbers; bad values become NaN in the same pass.
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "armilla/core/error.h"
#include "big_endian.h"
#include "fits_table.h"
#include "utf8_text.h"

namespace armilla {

namespace {

// True for "no value", compared in the stored type: UNSEEN as float differs from the double.
template <class T>
struct BadTest {
    T low1, high1, low2, high2;
    double whole;
    explicit BadTest(const BadValues& bad)
        : low1(static_cast<T>(bad.low1)),
          high1(static_cast<T>(bad.high1)),
          low2(static_cast<T>(bad.low2)),
          high2(static_cast<T>(bad.high2)),
          whole(bad.whole) {}
    bool operator()(T x) const {
        // Bitwise: no branches, so that the loop vectorizes.
        return static_cast<bool>(static_cast<int>(!(std::abs(x) <= std::numeric_limits<T>::max())) |
                                 (static_cast<int>(x >= low1) & static_cast<int>(x <= high1)) |
                                 (static_cast<int>(x >= low2) & static_cast<int>(x <= high2)));
    }
};

// As BadTest, for each of some values.
template <class T>
typename ValueLanes<T>::Words badOnes(typename ValueLanes<T>::Values x, const BadTest<T>& isBad) {
    using Words = typename ValueLanes<T>::Words;
    return ValueLanes<T>::notFinite(x) |
           reinterpret_cast<Words>(((x >= isBad.low1) & (x <= isBad.high1)) |
                                   ((x >= isBad.low2) & (x <= isBad.high2)));
}

// Stored type equals result type without scaling: the case that needs speed.
template <class T, class Word>
void decodePlainRun(const std::byte* in, int64_t count, const BadTest<T>& isBad, T* out) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    using L = ValueLanes<T>;
    int64_t i = 0;
    if constexpr (std::endian::native == std::endian::little)
        for (; i + L::kCount <= count; i += L::kCount) {
            typename L::Words words;
            std::memcpy(&words, in + i * static_cast<int64_t>(sizeof(Word)), sizeof(words));
            words = L::swapped(words);
            const auto x = reinterpret_cast<typename L::Values>(words);
            const typename L::Words bad = badOnes<T>(x, isBad);
            words = (words & ~bad) | (std::bit_cast<Word>(kNan) & bad);
            std::memcpy(out + i, &words, sizeof(words));
        }
    for (; i < count; ++i) {
        const T x = std::bit_cast<T>(bigEndian<Word>(in + i * static_cast<int64_t>(sizeof(Word))));
        out[i] = isBad(x) ? kNan : x;
    }
}

template <class T, class Word>
void decodePlain(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                 int64_t rowCount, const BadTest<T>& isBad, T* out) {
    // A table with only this column is one run; so is every row with several values of the column.
    if (layout.rowBytes == column.repeat * column.width) {
        decodePlainRun<T, Word>(rows, rowCount * column.repeat, isBad, out);
        return;
    }
    if (column.repeat == 1) {
        constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
        const std::byte* in = rows + column.offset;
        for (int64_t r = 0; r < rowCount; ++r, in += layout.rowBytes) {
            const T x = std::bit_cast<T>(bigEndian<Word>(in));
            out[r] = isBad(x) ? kNan : x;
        }
        return;
    }
    for (int64_t r = 0; r < rowCount; ++r)
        decodePlainRun<T, Word>(rows + r * layout.rowBytes + column.offset, column.repeat, isBad,
                                out + r * column.repeat);
}

// TZERO = 2^63: unsigned 64-bit. Scaling in double would lose small values against the offset.
bool isUnsigned64(const FitsColumn& column) {
    return column.code == 'K' && column.scale == 1.0 && column.zero == 9223372036854775808.0;
}

// One value as stored, before scaling; false for TNULL and undefined logicals.
bool storedValue(const FitsColumn& column, const std::byte* at, double& value) {
    switch (column.code) {
        case 'L': {
            const char c = static_cast<char>(*at);
            value = c == 'T' || c == 't' || c == 1 ? 1.0 : 0.0;
            return c != 0;
        }
        case 'B': {
            const auto v = static_cast<int64_t>(*at);
            value = static_cast<double>(v);
            return column.null != v;
        }
        case 'I': {
            const int64_t v = static_cast<int16_t>(bigEndian<uint16_t>(at));
            value = static_cast<double>(v);
            return column.null != v;
        }
        case 'J': {
            const int64_t v = static_cast<int32_t>(bigEndian<uint32_t>(at));
            value = static_cast<double>(v);
            return column.null != v;
        }
        case 'K': {
            const auto v = static_cast<int64_t>(bigEndian<uint64_t>(at));
            value = static_cast<double>(v);
            return column.null != v;
        }
        case 'E': value = std::bit_cast<float>(bigEndian<uint32_t>(at)); return true;
        case 'D': value = std::bit_cast<double>(bigEndian<uint64_t>(at)); return true;
        default: return false;
    }
}

bool asciiValue(const FitsColumn& column, const std::byte* at, double& value) {
    const std::string text =
        trimmed({reinterpret_cast<const char*>(at), static_cast<size_t>(column.width)});
    if (column.nullText == text) return false;
    if (text.empty()) {
        // FITS 4.0, section 7.2.5: a blank numeric field is zero, unless TNULL is also blank.
        value = 0.0;
        return true;
    }
    const auto number = parseReal(text);
    if (!number)
        throw IoError("expected a number in column " + inQuotes(column.name) + ", found " +
                      inQuotes(text));
    value = *number;
    return true;
}

template <class T>
void decodeGeneral(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                   int64_t rowCount, const BadTest<T>& isBad, T* out) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    const bool unsigned64 = !layout.ascii && isUnsigned64(column);
    const bool whole = !layout.ascii && column.isInteger();
    const bool unscaled = column.scale == 1.0 && column.zero == std::floor(column.zero);
    const double sentinel = isBad.whole;
    const BadTest<double> isBadStored(
        BadValues{static_cast<double>(isBad.low1), static_cast<double>(isBad.high1),
                  static_cast<double>(isBad.low2), static_cast<double>(isBad.high2), sentinel});
    for (int64_t r = 0; r < rowCount; ++r) {
        const std::byte* in = rows + r * layout.rowBytes + column.offset;
        for (int64_t k = 0; k < column.repeat; ++k, in += column.width) {
            double stored = 0.0;
            const bool there =
                layout.ascii ? asciiValue(column, in, stored) : storedValue(column, in, stored);
            T value = static_cast<T>(stored * column.scale + column.zero);
            if (unsigned64) value = static_cast<T>(bigEndian<uint64_t>(in) ^ (uint64_t{1} << 63));
            // The sentinel may apply before or after scaling.
            const bool bad =
                (whole ? stored == sentinel : isBadStored(stored)) ||
                (whole && unscaled ? static_cast<double>(value) == sentinel : isBad(value));
            out[r * column.repeat + k] = there && !bad ? value : kNan;
        }
    }
}

// The highest bit of a byte comes first (FITS 4.0, section 7.3.3.1).
template <class T>
void decodeBits(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                int64_t rowCount, T* out) {
    for (int64_t r = 0; r < rowCount; ++r) {
        const std::byte* in = rows + r * layout.rowBytes + column.offset;
        for (int64_t k = 0; k < column.repeat; ++k) {
            const int64_t bit = column.firstBit + k;
            const auto byte = std::to_integer<unsigned>(in[bit / 8]);
            *out++ = static_cast<T>(byte >> (7 - bit % 8) & 1U);
        }
    }
}

template <class T>
void decode(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
            int64_t rowCount, const BadValues& bad, T* out) {
    if (column.areBits) return decodeBits(layout, column, rows, rowCount, out);
    const BadTest<T> isBad(bad);
    // Values of a part of complex numbers do not lie side by side (splitComplex).
    const bool isDense = column.width == static_cast<int64_t>(sizeof(T));
    if (!layout.ascii && !column.isScaled() && isDense) {
        if constexpr (sizeof(T) == 4) {
            if (column.code == 'E')
                return decodePlain<T, uint32_t>(layout, column, rows, rowCount, isBad, out);
        } else {
            if (column.code == 'D')
                return decodePlain<T, uint64_t>(layout, column, rows, rowCount, isBad, out);
        }
    }
    decodeGeneral(layout, column, rows, rowCount, isBad, out);
}

}  // namespace

BadValues healpixBadValues(std::optional<double> sentinel) {
    // Single precision has a resolution of 6e-8; text cards of BAD_DATA sometimes have only five
    // digits.
    constexpr double kTolerance = 1e-5;
    BadValues bad;
    bad.low1 = kUnseen * (1.0 + kTolerance);
    bad.high1 = kUnseen * (1.0 - kTolerance);
    if (sentinel && std::isfinite(*sentinel)) {
        const double margin = kTolerance * std::abs(*sentinel);
        bad.low2 = *sentinel - margin;
        bad.high2 = *sentinel + margin;
        bad.whole = *sentinel;
    }
    return bad;
}

void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, float* out) {
    decode(layout, column, rows, rowCount, bad, out);
}

void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, double* out) {
    decode(layout, column, rows, rowCount, bad, out);
}

namespace {

// Integers stored as floating-point numbers.
void decodeWholeReals(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                      int64_t rowCount, int64_t* out) {
    std::vector<double> values(static_cast<size_t>(rowCount * column.repeat));
    decodeColumn(layout, column, rows, rowCount, {}, values.data());
    // Above these limits float and double do not distinguish adjacent integers (24 and 53 bits).
    const double limit = column.code == 'E' ? 16777216.0 : 9007199254740992.0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (!std::isnan(value) && (value != std::floor(value) || std::abs(value) >= limit))
            throw IoError("expected whole numbers below 2^" +
                          std::string(column.code == 'E' ? "24" : "53") + " in column " +
                          inQuotes(column.name) + ", found " + std::to_string(value));
        out[i] = std::isnan(value) ? -1 : static_cast<int64_t>(value);
    }
}

}  // namespace

void decodeIntegers(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                    int64_t rowCount, int64_t* out) {
    const bool whole = column.scale == 1.0 && column.zero == std::floor(column.zero);
    const bool isReal = column.code == 'D' || column.code == 'E';
    if (!layout.ascii && isReal) return decodeWholeReals(layout, column, rows, rowCount, out);
    if (layout.ascii || !column.isInteger() || !whole)
        throw IoError("expected whole numbers in column " + inQuotes(column.name) +
                      ", found another type");
    // TZERO = 2^63 makes an unsigned column; its upper half is invalid as an index.
    const bool offset63 = isUnsigned64(column);
    const int64_t zero = std::abs(column.zero) < 9.0e18 ? static_cast<int64_t>(column.zero) : 0;
    for (int64_t r = 0; r < rowCount; ++r) {
        const std::byte* in = rows + r * layout.rowBytes + column.offset;
        for (int64_t k = 0; k < column.repeat; ++k, in += column.width) {
            int64_t value = 0;
            switch (column.code) {
                case 'B': value = static_cast<int64_t>(*in); break;
                case 'I': value = static_cast<int16_t>(bigEndian<uint16_t>(in)); break;
                case 'J': value = static_cast<int32_t>(bigEndian<uint32_t>(in)); break;
                default: value = static_cast<int64_t>(bigEndian<uint64_t>(in)); break;
            }
            const bool missing = column.null == value;
            if (offset63)
                value = value < 0 ? value - std::numeric_limits<int64_t>::min() : -1;
            else if (__builtin_add_overflow(value, zero, &value))
                value = -1;
            out[r * column.repeat + k] = missing ? -1 : value;
        }
    }
}

int64_t textsPerRow(const TableLayout& layout, const FitsColumn& column) {
    return layout.ascii || column.letters == 0 ? 1 : column.repeat / column.letters;
}

std::string decodeText(const TableLayout& layout, const FitsColumn& column, const std::byte* row,
                       int64_t which) {
    int64_t bytes = layout.ascii ? column.width : column.repeat * column.width;
    if (column.letters > 0) bytes = column.letters;
    std::string text(reinterpret_cast<const char*>(row + column.offset + which * bytes),
                     static_cast<size_t>(bytes));
    if (const size_t end = text.find('\0'); end != std::string::npos) text.resize(end);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return inUtf8(std::move(text));
}

}  // namespace armilla
