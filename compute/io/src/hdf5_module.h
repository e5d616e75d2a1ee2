// SPDX-License-Identifier: GPL-3.0-or-later
// The module that reads HDF5 (table_hdf5.cpp). A module, because HDF5 and its dependencies take
// longer to load than most commands run.
#pragma once

#include <string>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/io/table_io.h"
#include "table_formats.h"

namespace armilla {

inline constexpr const char* kHdf5Module = "armilla-hdf5.so";
using ArmillaReadHdf5 = void (*)(const std::string& path, const TableReadOptions& options,
                                 const OptionalRows& rows, JobContext& job, Table& table,
                                 int64_t& rowsOfFile);
extern "C" void armillaReadHdf5(const std::string& path, const TableReadOptions& options,
                                const OptionalRows& rows, JobContext& job, Table& table,
                                int64_t& rowsOfFile);

}  // namespace armilla
