// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

// A catalog with the given rows of another one, in the given order, without the header cards of its
// file.
inline Catalog pickedRows(const Catalog& catalog, const std::vector<int64_t>& rows) {
    Catalog result;
    result.position = catalog.position;
    result.table.name = catalog.table.name;
    result.table.frame = catalog.table.frame;
    result.table.history = catalog.table.history;
    for (const TableColumn& column : catalog.table.columns) {
        TableColumn picked = column;
        std::visit(
            [&](const auto& from) {
                auto& to = std::get<std::decay_t<decltype(from)>>(picked.values);
                to.clear();
                for (const int64_t row : rows)
                    for (int64_t e = 0; e < column.width; ++e)
                        to.push_back(from[static_cast<size_t>(row * column.width + e)]);
            },
            column.values);
        result.table.columns.push_back(std::move(picked));
    }
    return result;
}

}  // namespace armilla
