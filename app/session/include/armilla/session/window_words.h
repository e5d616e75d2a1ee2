// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of operations and readers, which name options of the command, in the words of the window.
#pragma once

#include <QString>

namespace armilla {

struct Operation;

// The line with the label of the form in place of each option and its argument: "expected one of
// --fwhm ANGLE, --beam FILE" becomes "expected one of FWHM, Beam". "convert --nside" becomes
// "Convert: Nside". Parameters and inputs of `operation` (may be null) precede those of others; an
// option of no operation becomes its name without dashes.
QString inWindowWords(const QString& line, const Operation* operation = nullptr);

// The same with the labels of one operation only. Options that state a fact of a file, such as
// --input-frame, remain: they tell which question the window must show.
QString withLabelsOf(const QString& line, const Operation& operation);

}  // namespace armilla
