// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_plan.h"

#include <algorithm>
#include <mutex>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Least and greatest value of an integer type; for Int64 as doubles that convert back.
std::pair<double, double> rangeOf(DiskType type) {
    switch (type) {
        case DiskType::Logical: return {0.0, 1.0};
        case DiskType::UInt8: return {0.0, 255.0};
        case DiskType::Int16: return {-32768.0, 32767.0};
        case DiskType::Int32: return {-2147483648.0, 2147483647.0};
        default: return {-9223372036854775808.0, 9223372036854774784.0};
    }
}

// An integer for "no value" that is no value of the field; none if all occur.
std::optional<int64_t> freeNull(DiskType type, const FieldScan& scan,
                                std::optional<double> wanted) {
    const auto [least, greatest] = rangeOf(type);
    if (wanted && *wanted == std::floor(*wanted) && *wanted >= least && *wanted <= greatest &&
        !scan.hitsWhole)
        return static_cast<int64_t>(*wanted);
    if (type == DiskType::UInt8) {
        for (int candidate = 255; candidate >= 0; --candidate)
            if (!scan.bytes.test(static_cast<size_t>(candidate))) return candidate;
        return std::nullopt;
    }
    if (scan.low > least) return static_cast<int64_t>(least);
    if (scan.high < greatest) return static_cast<int64_t>(greatest);
    return std::nullopt;
}

}  // namespace

void FieldScan::add(double x, const BadValues& sentinel) {
    if (!std::isfinite(x)) {
        hasBad = true;
        return;
    }
    low = std::min(low, x);
    high = std::max(high, x);
    hitsSentinel = hitsSentinel || (x >= sentinel.low2 && x <= sentinel.high2);
    hitsWhole = hitsWhole || x == sentinel.whole;
    if (x != std::floor(x))
        integral = false;
    else if (x >= 0.0 && x <= 255.0)
        bytes.set(static_cast<size_t>(x));
}

void FieldScan::merge(const FieldScan& other) {
    hasBad = hasBad || other.hasBad;
    integral = integral && other.integral;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    hitsSentinel = hitsSentinel || other.hitsSentinel;
    hitsWhole = hitsWhole || other.hitsWhole;
    bytes |= other.bytes;
}

FieldScan scanField(const Field& field, bool negated, const BadValues& sentinel, JobContext& job) {
    const double sign = negated ? -1.0 : 1.0;
    FieldScan total;
    std::mutex lock;
    std::visit(
        [&](const auto& values) {
            parallelFor(job, static_cast<long long>(values.size()), 1 << 18,
                        [&](long long begin, long long end) {
                            FieldScan part;
                            for (long long i = begin; i < end; ++i)
                                part.add(sign * static_cast<double>(values[static_cast<size_t>(i)]),
                                         sentinel);
                            const std::lock_guard guard(lock);
                            total.merge(part);
                        });
        },
        field.values);
    return total;
}

int64_t bytesOf(DiskType type) {
    switch (type) {
        case DiskType::UInt8:
        case DiskType::Logical: return 1;
        case DiskType::Int16: return 2;
        case DiskType::Int32:
        case DiskType::Float32: return 4;
        case DiskType::Int64:
        case DiskType::Float64: return 8;
    }
    return 0;
}

char formLetter(DiskType type) {
    switch (type) {
        case DiskType::UInt8: return 'B';
        case DiskType::Logical: return 'L';
        case DiskType::Int16: return 'I';
        case DiskType::Int32: return 'J';
        case DiskType::Int64: return 'K';
        case DiskType::Float32: return 'E';
        case DiskType::Float64: return 'D';
    }
    return 'E';
}

bool isWhole(DiskType type) {
    return type != DiskType::Float32 && type != DiskType::Float64;
}

ColumnPlan askedColumn(const HealpixMap& map, int number, const MapWriteOptions& options) {
    const Field& field = map.field(number);
    ColumnPlan plan;
    plan.field = &field;
    plan.negated = map.metadata().iauOnDisk && stokesParameter(field.name) == 'U';
    plan.type = field.diskType;
    if (options.precision == StoredPrecision::Single) plan.type = DiskType::Float32;
    if (options.precision == StoredPrecision::Double) plan.type = DiskType::Float64;
    return plan;
}

bool asksValues(const ColumnPlan& plan, const HealpixMap& map) {
    const bool narrows = plan.type == DiskType::Float32 && !plan.field->isSingle();
    return isWhole(plan.type) || map.metadata().badData || narrows;
}

ColumnPlan planColumn(const HealpixMap& map, int number, const MapWriteOptions& options,
                      bool& sentinelTaken, const ScanOf& scanOf) {
    ColumnPlan plan = askedColumn(map, number, options);
    const Field& field = *plan.field;
    const DiskType floating = field.isSingle() ? DiskType::Float32 : DiskType::Float64;
    const std::optional<double> wanted = map.metadata().badData;
    if (asksValues(plan, map)) {
        const FieldScan scan = scanOf(number, plan.negated, healpixBadValues(wanted));
        if (isWhole(plan.type)) {
            const auto [least, greatest] = rangeOf(plan.type);
            const bool fits = scan.integral && !(scan.low < least) && !(scan.high > greatest);
            if (fits && scan.hasBad && plan.type != DiskType::Logical)
                plan.null = freeNull(plan.type, scan, wanted);
            const bool holds =
                fits && (!scan.hasBad || plan.null || plan.type == DiskType::Logical);
            if (!holds) plan.type = floating;
        }
        constexpr double kFloatMax = std::numeric_limits<float>::max();
        if (plan.type == DiskType::Float32 && (scan.low < -kFloatMax || scan.high > kFloatMax)) {
            if (options.precision == StoredPrecision::Single)
                throw InvalidArgument("expected values within single precision in field " +
                                      field.name + ", found larger ones");
            plan.type = DiskType::Float64;
        }
        // A sentinel that equals a good value would make that value bad on reading.
        const bool tooLarge =
            wanted && plan.type == DiskType::Float32 && !(std::abs(*wanted) <= kFloatMax);
        if (isWhole(plan.type) ? scan.hitsWhole : scan.hitsSentinel || tooLarge)
            sentinelTaken = true;
    }
    plan.bytes = bytesOf(plan.type);
    return plan;
}

}  // namespace armilla
