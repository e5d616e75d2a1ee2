// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a form that come first, for operations whose forms are composed by hand; all other
// rows are folded under "More". And examples in empty lines, in place of the names of kinds.
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace armilla {

struct Parameter;

// Names of inputs and parameters in their order; empty if the description of the operation decides.
QStringList firstRows(std::string_view operation);

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
