// SPDX-License-Identifier: GPL-3.0-or-later
// Help in the user's language.
#pragma once

namespace armilla::cli {

// Takes the texts of tables from BIN/../share/armilla/translations/armilla_LANGUAGE.qm, where the
// window has its own; nothing changes where there is no such file.
void loadTranslation();

}  // namespace armilla::cli
