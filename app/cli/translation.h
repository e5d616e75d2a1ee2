// SPDX-License-Identifier: GPL-3.0-or-later
// Help in the language of the user.
#pragma once

namespace armilla::cli {

// Loads table texts from BIN/../share/armilla/translations/armilla_LANGUAGE.qm, the file of the
// window; without this file nothing changes.
void loadTranslation();

}  // namespace armilla::cli
