// SPDX-License-Identifier: GPL-3.0-or-later
// What tells the file of a layer from others, and finds it under another name. In any thread.
#pragma once

#include <QStringList>

#include "core/job_context.h"
#include "session/document.h"

namespace armilla {

// The path without the "[HDU]" behind it.
QString fileOf(const QString& path);
// Size and checksum of a file as it is. Throws IoError if it cannot be read.
FileMark markOf(const QString& path, JobContext& job);
// The path, with the "[HDU]" of `path`, of a file of this size and checksum in one of the folders;
// empty if there is none or the mark is not known. Only files of the size are read.
QString foundByMark(const QString& path, const FileMark& mark, const QStringList& folders,
                    JobContext& job);

}  // namespace armilla
