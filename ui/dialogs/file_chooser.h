// SPDX-License-Identifier: GPL-3.0-or-later
// File dialogs that block nothing: they open beside the window and call back when a file is chosen.
#pragma once

#include <QStringList>
#include <functional>

#include "operations/data.h"

class QWidget;

namespace armilla {

// Files to open, several at once. Starts in the folder last used. Beside `filter` (empty: none) all
// files are offered.
void chooseFilesToOpen(QWidget* parent, const QString& title, const QString& filter,
                       std::function<void(const QStringList&)> chosen);
// A name to write to. `suffix` is added where none is typed; the dialog asks before an existing
// file is replaced. `chosen` gets the name, and the entry of `filter` that it was typed under.
void chooseFormatToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                         const QString& filter, const QString& suffix,
                         std::function<void(const QString& path, const QString& entry)> chosen);
// The same where the name alone counts.
void chooseFileToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                       const QString& filter, const QString& suffix,
                       std::function<void(const QString&)> chosen);
// The formats that values of a kind are written in, as a filter; the one with `first` leads.
QString writeFilter(DataKind kind, const QString& first = QStringLiteral("fits"));

}  // namespace armilla
