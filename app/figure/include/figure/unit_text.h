// SPDX-License-Identifier: GPL-3.0-or-later
// Units of files as a person would write them.
#pragma once

#include <QString>
#include <optional>

namespace armilla {

// "uK^2" is "µK²", "pix-1" and "pix**-1" are "pix⁻¹", "10^-20 W" is "10⁻²⁰ W", "K_CMB" is "Kᴄᴍʙ";
// what is no such word stays as it is.
QString unitText(const QString& unit);
// Names of columns and axes: "theta" is θ, "l" is ℓ, "C_l" is Cₗ, "W" beside pairs w(θ).
QString nameText(const QString& name);

// A number as a program prints it, as a person would write it: true minus signs, powers of ten
// ("-1.5e-05" is "−1.5×10⁻⁵"). Other text around the numbers stays.
QString numberTypeset(QString text);
// "400 x 300 pixels", as operations tell sizes, as "400 × 300 pixels".
QString sizesTypeset(QString text);
// 1 234 567, in groups of three with narrow spaces.
QString groupedDigits(int64_t number);
// Reads a number that a person typed, or that numberTypeset made; none for other text.
std::optional<double> numberFromText(QString text);

}  // namespace armilla
