// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over rows of the Wigner matrix of a quarter turn about y, Delta^l_km = d^l_km(pi/2).
//
// For fixed l and k, elements with falling m obey (S. Trapani, J. Navaza 2006,
// doi:10.1107/S0108767306017478)
//
//   A_{m-1} D_{m-1} = 2 k D_m - A_m D_{m+1},  A_m = sqrt((l-m)(l+m+1)),  Delta_km = (-1)^(l-m) D_m.
//
// The recursion starts at D_l = 2^-l sqrt((2l)! / ((l+k)! (l-k)!)) and is stable down to m = 0: at
// a quarter turn values grow from m = l to the first zero and then oscillate. With D_m = c_m E_m,
// c_{m-1} = A_m c_{m+1} / A_{m-1}, a step is E_{m-1} = k alpha_{m-1} E_m - E_{m+1}. Starts below
// 2^-256 carry a power of 2^-512.
#pragma once

#include <array>
#include <vector>

namespace armilla {

inline constexpr int kMostTurnedFields = 3;
// Rows are processed in groups; arrays of rows are padded to a multiple of this number.
inline constexpr int kRowGroup = 32;

// Starts of the recursion in rows k of one parity, padded with zeros.
struct QuarterTurnRows {
    std::vector<double> k, start, power;  // D_l = start * 2^(-512 power)
};

// The numbers of one l that all rows use. Index i is m = l - i.
struct QuarterTurnSteps {
    std::vector<double> alpha, scale;  // alpha_m; c_m, doubled for m > 0
};

struct QuarterTurnSums {
    int steps = 0;  // l + 1
    int rows = 0;   // a multiple of kRowGroup
    const double *k = nullptr, *start = nullptr, *power = nullptr;
    const double* alpha = nullptr;
    int fields = 0;  // at most kMostTurnedFields
    std::array<const double*, kMostTurnedFields> values{};
    // Sums over even and over odd i of E_i values[i], for each row.
    std::array<double*, kMostTurnedFields> even{}, odd{};
};

// 2^-l sqrt((2l)!) / l! for each l.
std::vector<double> centralStarts(int lmax);
void quarterTurnSums(const QuarterTurnSums& sums);

}  // namespace armilla
