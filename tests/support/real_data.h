// SPDX-License-Identifier: GPL-3.0-or-later
// Where the maps of the `real-data` tests are; they are not part of the project.
#pragma once

#include <QDir>
#include <QFileInfo>
#include <QString>
#include <optional>

namespace armilla::test {

// The folder that ARMILLA_REAL_DATA names, else shared/data beside the source folder.
inline std::optional<QString> realDataFolder() {
    QString folder = qEnvironmentVariable("ARMILLA_REAL_DATA");
    if (folder.isEmpty())
        folder = QFileInfo(QStringLiteral(__FILE__)).dir().filePath("../../../shared/data");
    if (!QFileInfo(folder).isDir()) return std::nullopt;
    return folder;
}

}  // namespace armilla::test
