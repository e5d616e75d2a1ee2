// SPDX-License-Identifier: GPL-3.0-or-later
// A button beside a message that mends the cause and repeats what failed.
#pragma once

#include <QString>
#include <functional>
#include <optional>

#include "armilla/operations/data.h"

namespace armilla {

struct Remedy {
    enum class Asks {
        Nothing,
        Text,         // in a field beside the button
        FileToOpen,   // in a file dialog
        FileToWrite,  // in a file dialog that asks before it replaces a file
    };
    QString button;
    Asks asks = Asks::Nothing;
    QString question;    // name of the field, or title of the dialog
    QString suggestion;  // text of the field, or suggested file name
    // Receives the text or path; empty without a question.
    std::function<void(const QString& answer)> apply;
    // The data of a file to write, whose formats are offered; none: the format of the suggestion.
    std::optional<DataKind> kind = {};
};

}  // namespace armilla
