// SPDX-License-Identifier: GPL-3.0-or-later
// Non-blocking file dialogs: each opens beside the window and calls back when a file is chosen.
#pragma once

#include <QStringList>
#include <functional>

#include "armilla/operations/data.h"

class QWidget;

namespace armilla {

// Chooses one or more files to open, starting in the last used folder. Besides `filter` (empty:
// none) the dialog also offers all files.
void chooseFilesToOpen(QWidget* parent, const QString& title, const QString& filter,
                       std::function<void(const QStringList&)> chosen);
// Chooses a file name to write. `suffix` is added if none is typed; the dialog confirms the
// replacement of an existing file. `chosen` receives the name and the selected entry of `filter`.
void chooseFormatToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                         const QString& filter, const QString& suffix,
                         std::function<void(const QString& path, const QString& entry)> chosen);
// Same as chooseFormatToWrite(), without the selected format.
void chooseFileToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                       const QString& filter, const QString& suffix,
                       std::function<void(const QString&)> chosen);
// The output formats of a data kind as a filter; the format with suffix `first` comes first.
QString writeFilter(DataKind kind, const QString& first = QStringLiteral("fits"));

}  // namespace armilla
