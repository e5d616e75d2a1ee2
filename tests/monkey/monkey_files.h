// SPDX-License-Identifier: GPL-3.0-or-later
// Small files of every kind that a user may drop on the window, with fixed content.
#pragma once

#include <QStringList>

namespace armilla::test {

// Writes the files into `folder` and returns their paths: maps (full, partial, polarized, counts, a
// probability map, a mask, one without a frame), catalogs, an image, a spectrum, a beam, regions,
// and files that are damaged, empty or no data.
QStringList writeMonkeyFiles(const QString& folder);

}  // namespace armilla::test
