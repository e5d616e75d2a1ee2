// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the rows of a form: examples in empty lines, units, and what is still to be given.
#pragma once

#include <QString>

namespace armilla {

struct Parameter;

// Text of an empty line: an example, such as "10′", or the default if the input decides it.
QString exampleOf(const Parameter& parameter);

// True for the bins of a separation: least and largest angle, and the number of bins.
bool isBins(const Parameter& parameter);

// The text of an angle, or of several, with units: a bare number takes the unit that its line
// shows, of the last value or else of the example. Other text is unchanged.
QString withShownUnit(const Parameter& parameter, const QString& text);

// A form in which something is still to be given is no error: "Run needs FWHM" for "expected FWHM,
// found none". Other text is unchanged.
QString withoutBlame(const QString& line);

// The message of an error about `parsed`, in which the person's own text is quoted instead.
QString quotingTyped(const QString& message, const QString& parsed, const QString& typed);

}  // namespace armilla
