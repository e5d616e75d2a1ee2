// SPDX-License-Identifier: GPL-3.0-or-later
// Files of catalogs as inputs of operations: positions by the columns that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "armilla/operations/files.h"

namespace armilla {

// The lines of a reader, with the name of the file.
void tellNotes(const ReadRequest& request, const std::string& path,
               const std::vector<std::string>& notes);
// Throws if the file names FK4 and the request states ICRS.
void requireNotIcrs(const std::string& own, const ReadRequest& request);

// The catalog of readPlacedCatalog, or a Table for a file without positions.
Data readRows(const std::string& path, const Columns& columns, const ReadRequest& request,
              JobContext& job);

}  // namespace armilla
