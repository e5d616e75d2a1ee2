// SPDX-License-Identifier: GPL-3.0-or-later
// Messages with the buttons that mend their cause.
#pragma once

#include <QString>
#include <vector>

#include "armilla/session/remedy.h"

namespace armilla {

class MessageBar;

// Shows the line with a button for each remedy. The first remedy that asks for a text has a field
// beside its button; a remedy that asks for a file opens a dialog.
void showRemedies(MessageBar& bar, const QString& line, bool isError,
                  const std::vector<Remedy>& remedies);

}  // namespace armilla
