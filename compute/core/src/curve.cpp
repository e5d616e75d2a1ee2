// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/curve.h"

#include <algorithm>

#include "armilla/core/error.h"

namespace armilla {

namespace {

int64_t bytesOf(const std::vector<double>& values) {
    return static_cast<int64_t>(values.capacity() * sizeof(double));
}

void checkLength(const std::vector<double>& values, size_t expected, const std::string& what) {
    if (values.size() != expected)
        throw InvalidArgument("curve: expected " + std::to_string(expected) + " values of " + what +
                              ", found " + std::to_string(values.size()));
}

}  // namespace

int64_t Curve::memoryBytes() const {
    int64_t bytes = bytesOf(x) + bytesOf(xLow) + bytesOf(xHigh) + bytesOf(covariance);
    for (const CurveSeries& one : series) bytes += bytesOf(one.values) + bytesOf(one.errors);
    return bytes;
}

void checkCurve(const Curve& curve) {
    const size_t n = curve.x.size();
    if (!curve.xLow.empty() || !curve.xHigh.empty()) {
        checkLength(curve.xLow, n, "lower edges");
        checkLength(curve.xHigh, n, "upper edges");
    }
    for (const CurveSeries& one : curve.series) {
        checkLength(one.values, n, one.name);
        if (!one.errors.empty()) checkLength(one.errors, n, "errors of " + one.name);
    }
    if (!curve.covariance.empty()) checkLength(curve.covariance, n * n, "the covariance");
    if (!std::is_sorted(curve.x.begin(), curve.x.end()))
        throw InvalidArgument("curve: expected ascending values of " + curve.xName +
                              ", found a descending pair");
}

}  // namespace armilla
