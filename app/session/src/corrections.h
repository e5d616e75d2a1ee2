// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that an operation names in an error or a note, as corrections of its request.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "armilla/session/operation_run.h"
#include "armilla/session/remedy.h"

namespace armilla {

struct Correction {
    std::string parameter;
    std::string value;  // empty: the user states it
    QString label;      // label of the parameter and, if known, its value: "Method: harmonic"
};

// The corrections in `line`, which has the words of the command:
// - "use --method harmonic": a choice of the operation with that value;
// - "expected --frequency, found none": the user states the value.
// None that the request already has.
std::vector<Correction> correctionsIn(const QString& line, const OperationRequest& request);

// Buttons that repeat the request with each correction. `run` runs a request; `refuse` receives the
// line about an answer that the parameter does not take.
std::vector<Remedy> remediesFor(const QString& line, const OperationRequest& request,
                                const std::function<void(const OperationRequest&)>& run,
                                const std::function<void(const QString&)>& refuse);

}  // namespace armilla
