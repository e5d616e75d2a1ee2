// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairs/quad.h"

#include <array>
#include <cmath>
#include <string>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Terms of the series of exp, sin and cos up to x^kTerms / kTerms!: at |x| <= pi/4 the first
// omitted term is below 1e-38.
constexpr int kTerms = 32;

const std::array<Quad, kTerms + 1>& inverseFactorials() {
    static const auto table = [] {
        std::array<Quad, kTerms + 1> inverse{};
        Quad factorial = 1;
        for (int n = 0; n <= kTerms; ++n) {
            if (n > 0) factorial *= n;
            inverse[static_cast<size_t>(n)] = Quad(1) / factorial;
        }
        return inverse;
    }();
    return table;
}

// Sum over n = first, first + 2, ... of (-1)^((n - first) / 2) x^(n - first) / n!.
Quad alternatingSeries(Quad xx, int first) {
    const auto& inverse = inverseFactorials();
    Quad sum = 0;
    for (int n = kTerms - (kTerms - first) % 2; n >= first; n -= 2)
        sum = inverse[static_cast<size_t>(n)] - xx * sum;
    return sum;
}

Quad powerOfTwo(int exponent) {
    Quad result = 1;
    for (Quad base = exponent < 0 ? Quad(0.5) : Quad(2); exponent != 0; exponent /= 2, base *= base)
        if (exponent % 2 != 0) result *= base;
    return result;
}

Quad dot(const QuadVector& a, const QuadVector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
QuadVector scaled(Quad s, const QuadVector& a) {
    return {s * a.x, s * a.y, s * a.z};
}

}  // namespace

Quad quadPi() {
    // Three doubles: the nearest to pi, to the first remainder, and to the second remainder.
    return Quad(3.141592653589793116) + Quad(1.224646799147353207e-16) +
           Quad(-2.994769809718339666e-33);
}

Quad quadSqrt(Quad x) {
    if (x <= Quad(0)) return 0;
    // Newton's steps double the 53 bits; all arguments are within double's range here.
    Quad y = std::sqrt(static_cast<double>(x));
    for (int step = 0; step < 3; ++step) y = (y + x / y) / Quad(2);
    return y;
}

Quad quadExp(Quad x) {
    // exp(x) = 2^n exp(r): |r| <= log(2) / 2, and log 2 as two doubles and a remainder.
    const Quad log2 = Quad(6.931471805599452862e-01) + Quad(2.319046813846299558e-17) +
                      Quad(5.707708438416212066e-34);
    const int n = static_cast<int>(std::lround(static_cast<double>(x / log2)));
    const Quad r = x - log2 * Quad(n);
    const auto& inverse = inverseFactorials();
    Quad sum = 0;
    for (int i = kTerms; i >= 0; --i) sum = inverse[static_cast<size_t>(i)] + r * sum;
    return sum * powerOfTwo(n);
}

Quad quadLog(Quad x) {
    Quad y = std::log(static_cast<double>(x));
    // Newton's steps for exp(y) = x.
    for (int step = 0; step < 2; ++step) y += x * quadExp(-y) - Quad(1);
    return y;
}

QuadSinCos quadSinCosDegrees(Quad degrees) {
    // Whole turns are removed first, so that the quarter's number fits; fmod is exact.
    const double whole = static_cast<double>(degrees);
    if (std::fabs(whole) > 1e6) {
        const Quad rest = degrees - Quad(whole);
        degrees = Quad(std::fmod(whole, 360.0)) + rest;
    }
    const int64_t quarter = std::llround(static_cast<double>(degrees / Quad(90)));
    const Quad x = (degrees - Quad(90) * Quad(static_cast<double>(quarter))) * quadPi() / Quad(180);
    const Quad xx = x * x;
    const Quad s = x * alternatingSeries(xx, 1), c = alternatingSeries(xx, 0);
    switch (quarter & 3) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

Quad quadFromText(std::string_view text) {
    const auto refuse = [&]() {
        throw InvalidArgument("expected a number, found '" + std::string(text) + "'");
    };
    std::string_view rest = text;
    const auto digit = [&] { return !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; };
    const auto sign = [&] {
        if (rest.empty() || (rest[0] != '-' && rest[0] != '+')) return 1;
        const int value = rest[0] == '-' ? -1 : 1;
        rest.remove_prefix(1);
        return value;
    };
    const int negative = sign();
    Quad mantissa = 0;
    int exponent = 0, digits = 0;
    // 34 digits fill the 113 bits; further digits count as zeros.
    const auto take = [&](int step) {
        for (; digit(); rest.remove_prefix(1), ++digits) {
            const bool full = mantissa > Quad(1e34);
            if (!full) mantissa = mantissa * Quad(10) + Quad(rest[0] - '0');
            exponent += full ? 1 + step : step;
        }
    };
    take(0);
    if (!rest.empty() && rest[0] == '.') {
        rest.remove_prefix(1);
        take(-1);
    }
    if (digits == 0) refuse();
    if (!rest.empty() && (rest[0] == 'e' || rest[0] == 'E')) {
        rest.remove_prefix(1);
        const int expSign = sign();
        int value = 0;
        if (!digit()) refuse();
        for (; digit(); rest.remove_prefix(1))
            value = std::min(10000, 10 * value + (rest[0] - '0'));
        exponent += expSign * value;
    }
    if (!rest.empty() || std::abs(exponent) > 300) refuse();
    Quad power = 1;
    for (int i = 0; i < std::abs(exponent); ++i) power *= Quad(10);
    const Quad value = exponent < 0 ? mantissa / power : mantissa * power;
    return negative < 0 ? -value : value;
}

QuadRotation::QuadRotation(const Mat3& matrix) {
    for (int i = 0; i < 3; ++i) {
        QuadVector row{Quad(matrix.m[3 * i]), Quad(matrix.m[3 * i + 1]), Quad(matrix.m[3 * i + 2])};
        for (int j = 0; j < i; ++j) row = row - scaled(dot(row, rows_[j]), rows_[j]);
        rows_[i] = scaled(Quad(1) / quadSqrt(squaredNorm(row)), row);
    }
}

QuadVector QuadRotation::operator()(const QuadVector& v) const {
    return {dot(rows_[0], v), dot(rows_[1], v), dot(rows_[2], v)};
}

}  // namespace armilla
