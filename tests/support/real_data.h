// SPDX-License-Identifier: GPL-3.0-or-later
// Location of the maps of the `real-data` tests, which are not part of the project. For tests that
// define ARMILLA_SOURCE_DIR, the path of the source folder.
#pragma once

#include <QFileInfo>
#include <QString>
#include <optional>

namespace armilla::test {

// The folder that ARMILLA_REAL_DATA names, else shared/data beside the source folder. __FILE__ is
// unsuitable, because a compiler cache makes it relative.
inline std::optional<QString> realDataFolder() {
    QString folder = qEnvironmentVariable("ARMILLA_REAL_DATA");
    if (folder.isEmpty()) folder = QStringLiteral(ARMILLA_SOURCE_DIR "/../shared/data");
    if (!QFileInfo(folder).isDir()) return std::nullopt;
    return folder;
}

}  // namespace armilla::test
