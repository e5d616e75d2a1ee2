// SPDX-License-Identifier: GPL-3.0-or-later
// A HEALPix map in memory: one or more fields on one set of pixels. Immutable once shared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Pixel numbering of HEALPix.
enum class Ordering { Ring, Nested };
// Full: element p is pixel p. Partial: a sorted list of pixels. MultiOrder: cells of several orders
// (NUNIQ files); each cell is a run of nested pixels at the deepest order present.
enum class Coverage { Full, Partial, MultiOrder };
// The numeric type of a column on disk, kept so that a conversion writes the type of its input.
enum class DiskType { UInt8, Int16, Int32, Int64, Float32, Float64, Logical };

// The largest nside of HEALPix (order 29); NUNIQ numbers of this order fit 64 bits.
inline constexpr int64_t kMaxNside = int64_t{1} << 29;
// True for nside in [1, 2^29].
constexpr bool isNside(int64_t nside) {
    return nside >= 1 && nside <= kMaxNside;
}
// True if nside is a power of two in [1, 2^29].
constexpr bool isPowerOfTwoNside(int64_t nside) {
    return isNside(nside) && (nside & (nside - 1)) == 0;
}
// Throws InvalidArgument unless pixels of this nside and ordering exist.
void checkNside(int64_t nside, Ordering ordering);
// Value of bad pixels in HEALPix files; NaN in memory.
inline constexpr double kUnseen = -1.6375e30;

// 12 nside^2.
ARMILLA_HD constexpr int64_t pixelCount(int64_t nside) {
    return 12 * nside * nside;
}

// One column of a map. Single precision on disk stays single in memory; integers up to 16 bits are
// held as float, wider ones as double (exact below 2^53). Bad pixels are NaN.
struct Field {
    std::string name;
    std::string unit;
    DiskType diskType = DiskType::Float32;
    std::variant<std::vector<float>, std::vector<double>> values;

    int64_t size() const;
    bool isSingle() const { return values.index() == 0; }
    double at(int64_t element) const;
};

// Polarization convention of the U fields in memory: always COSMO (readers negate U of IAU files).
struct MapMetadata {
    std::string object;  // OBJECT card, such as FULLSKY or PARTIAL
    // header cards of the input without a meaning here, 80 columns each
    std::vector<std::string> cards;
    std::vector<std::string> history;  // text of HISTORY cards, oldest first
    std::string extensionName;         // EXTNAME
    bool iauOnDisk = false;            // the file has POLCCONV = IAU; output keeps that convention
    std::optional<double> badData;     // sentinel of the input file, if the file has one
};

// Fields on one set of pixels, with ordering, frame and metadata.
class HealpixMap {
public:
    HealpixMap() = default;
    // A full map; each field has 12 nside^2 elements. Throws InvalidArgument on a bad shape (nside
    // out of range, not a power of two with Nested, field sizes that differ).
    HealpixMap(int64_t nside, Ordering ordering, Frame frame, std::vector<Field> fields);
    // A partial map: `pixels` strictly ascending and in range, one for each element. Throws
    // InvalidArgument otherwise.
    static HealpixMap partial(int64_t nside, Ordering ordering, Frame frame,
                              std::vector<int64_t> pixels, std::vector<Field> fields);
    // A multi-order map: cell i covers 4^(order(nside) - orders[i]) nested pixels of `nside`,
    // beginning at firstPixels[i]. Cells ascend and do not overlap. Throws InvalidArgument
    // otherwise.
    static HealpixMap multiOrder(int64_t nside, Frame frame, std::vector<int64_t> firstPixels,
                                 std::vector<uint8_t> orders, std::vector<Field> fields);

    int64_t nside() const { return nside_; }
    int64_t pixelCount() const { return armilla::pixelCount(nside_); }
    Ordering ordering() const { return ordering_; }
    Frame frame() const { return frame_; }
    Coverage coverage() const { return coverage_; }
    // Number of values in each field: pixels of a full map, listed pixels, or cells.
    int64_t elementCount() const { return elements_; }
    std::span<const int64_t> pixels() const { return pixels_; }      // empty for a full map
    std::span<const uint8_t> cellOrders() const { return orders_; }  // multi-order maps only

    int fieldCount() const { return static_cast<int>(fields_.size()); }
    const Field& field(int index) const { return fields_.at(static_cast<size_t>(index)); }
    Field& field(int index) { return fields_.at(static_cast<size_t>(index)); }
    const std::vector<Field>& fields() const { return fields_; }
    // Index of a field by name (any case) or by number from 1. Throws InvalidArgument with the list
    // of names.
    int fieldIndex(std::string_view nameOrNumber) const;
    // Indices of the T (or I), Q and U fields if the map has all three by name, or by three
    // consecutive fields of the usual names.
    std::optional<std::array<int, 3>> polarizationFields() const;
    // Indices of the first pair of Q and U, with or without an intensity field.
    std::optional<std::pair<int, int>> polarizationPair() const;
    // All pairs of Q and U. Each Q pairs with the first free U whose name has the same rest
    // (Q_STOKES with U_STOKES).
    std::vector<std::pair<int, int>> polarizationPairs() const;

    // The element of pixel `pixel` in this map's own ordering; none if not covered. O(1) for full
    // maps, by bisection otherwise.
    std::optional<int64_t> elementOf(int64_t pixel) const;
    // Value of a field at a pixel of this map's ordering, NaN where bad or not covered.
    double value(int field, int64_t pixel) const;
    // Pixel of this map's nside and ordering that contains `direction` (in the map's own frame).
    int64_t pixelAt(Vec3 direction) const;

    void setFrame(Frame frame) { frame_ = frame; }
    MapMetadata& metadata() { return metadata_; }
    const MapMetadata& metadata() const { return metadata_; }
    // Bytes held by values and pixel lists.
    int64_t memoryBytes() const;

private:
    int64_t nside_ = 0;
    int64_t elements_ = 0;
    Ordering ordering_ = Ordering::Ring;
    Frame frame_ = Frame::Unknown;
    Coverage coverage_ = Coverage::Full;
    std::vector<int64_t> pixels_;
    std::vector<uint8_t> orders_;
    std::vector<Field> fields_;
    MapMetadata metadata_;
};

// The Stokes parameter of a column name such as Q_POLARISATION, U-POL or Q_STOKES: 'I' (also for
// temperatures), 'Q' or 'U'; 0 if none.
char stokesParameter(std::string_view columnName);
// log2 of a power-of-two nside.
int orderOf(int64_t nside);

}  // namespace armilla
