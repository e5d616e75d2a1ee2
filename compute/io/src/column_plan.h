// SPDX-License-Identifier: GPL-3.0-or-later
// The stored type and sentinel of a map's fields, and the encoding of values.
#pragma once

#include <bitset>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/io/map_io.h"
#include "fits_table.h"
#include "fits_writer.h"

namespace armilla {

// Properties of a field that determine its column's type and sentinel.
struct FieldScan {
    bool hasBad = false;
    bool integral = true;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    bool hitsSentinel = false;  // a good value lies within tolerance of the file's sentinel
    bool hitsWhole = false;     // a good value equals the file's sentinel
    std::bitset<256> bytes;     // the occurring values of 0..255
    void add(double x, const BadValues& sentinel);
    void merge(const FieldScan& other);
};
// Scans the values in their stored form.
FieldScan scanField(const Field& field, bool negated, const BadValues& sentinel, JobContext& job);

struct ColumnPlan {
    const Field* field = nullptr;
    DiskType type = DiskType::Float32;
    bool negated = false;         // U of a map that was IAU on disk
    double sentinel = kUnseen;    // stored for bad pixels
    std::optional<int64_t> null;  // TNULL of an integer column that has bad pixels
    int64_t bytes = 4;
};

int64_t bytesOf(DiskType type);
// The letter of TFORM.
char formLetter(DiskType type);
bool isWhole(DiskType type);

// The plan as the options and the field's own type request it.
ColumnPlan askedColumn(const HealpixMap& map, int number, const MapWriteOptions& options);
// True if the stored type or sentinel depends on the values.
bool asksValues(const ColumnPlan& plan, const HealpixMap& map);
// Returns the scan of all values of a field.
using ScanOf = std::function<FieldScan(int number, bool negated, const BadValues& sentinel)>;
// The plan for a field. Sets `sentinelTaken` if a good value equals the sentinel of the map's file.
ColumnPlan planColumn(const HealpixMap& map, int number, const MapWriteOptions& options,
                      bool& sentinelTaken, const ScanOf& scanOf);

// Stores one value, bad ones as the sentinel.
template <class T>
void putValue(const ColumnPlan& plan, T memory, std::byte* at) {
    const bool bad = !std::isfinite(memory);
    const T x = plan.negated ? -memory : memory;
    const auto whole = [&] { return bad ? plan.null.value_or(0) : static_cast<int64_t>(x); };
    switch (plan.type) {
        case DiskType::Float32:
            putBigEndian(bad ? static_cast<float>(plan.sentinel) : static_cast<float>(x), at);
            break;
        case DiskType::Float64:
            putBigEndian(bad ? plan.sentinel : static_cast<double>(x), at);
            break;
        case DiskType::UInt8: putBigEndian(static_cast<uint8_t>(whole()), at); break;
        case DiskType::Int16: putBigEndian(static_cast<int16_t>(whole()), at); break;
        case DiskType::Int32: putBigEndian(static_cast<int32_t>(whole()), at); break;
        case DiskType::Int64: putBigEndian(whole(), at); break;
        case DiskType::Logical:
            *at = static_cast<std::byte>(bad ? 0 : (x != T{0} ? 'T' : 'F'));
            break;
    }
}

}  // namespace armilla
