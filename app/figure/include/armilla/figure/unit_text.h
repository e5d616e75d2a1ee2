// SPDX-License-Identifier: GPL-3.0-or-later
// Typesetting of units, names and numbers from files.
#pragma once

#include <QString>
#include <optional>

namespace armilla {

// "uK^2" gives "µK²", "pix-1" and "pix**-1" give "pix⁻¹", "10^-20 W" gives "10⁻²⁰ W", "K_CMB" gives
// "Kᴄᴍʙ". Other words stay unchanged.
QString unitText(const QString& unit);
// Names of columns and axes: "theta" gives θ, "l" gives ℓ, "C_l" gives Cₗ, "W" beside pairs gives
// w(θ).
QString nameText(const QString& name);

// Typesets printed numbers in a text, with true minus signs and powers of ten ("-1.5e-05" gives
// "−1.5×10⁻⁵"). Other text stays unchanged.
QString numberTypeset(QString text);
// "400 x 300 pixels", the format of operations, gives "400 × 300 pixels".
QString sizesTypeset(QString text);
// A note of an operation, with sizes and quantities typeset: "3.2e-05 uK" gives "3.2×10⁻⁵ µK".
QString noteTypeset(const QString& text);
// 1 234 567, in groups of three with narrow spaces.
QString groupedDigits(int64_t number);
// Parses a typed number or a result of numberTypeset(); none for other text.
std::optional<double> numberFromText(QString text);

}  // namespace armilla
