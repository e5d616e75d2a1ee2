// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies the file of a layer and finds the file under another name. Thread-safe.
#pragma once

#include <QStringList>

#include "armilla/core/job_context.h"
#include "armilla/session/document.h"

namespace armilla {

// The path without its "[HDU]" suffix.
QString fileOf(const QString& path);
// Present size and checksum of a file, or of the description or the list of files of a folder.
// Throws IoError if the file cannot be read.
FileMark markOf(const QString& path, JobContext& job);
// Searches the folders for a file of this size and checksum, and returns its path with the "[HDU]"
// of `path`. Empty if there is none or the mark is unknown. Only files of the same size are read.
QString foundByMark(const QString& path, const FileMark& mark, const QStringList& folders,
                    JobContext& job);

}  // namespace armilla
