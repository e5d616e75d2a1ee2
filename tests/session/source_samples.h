// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates and their recipe, for tests of reviews and verdicts.
#pragma once

#include "armilla/session/source_review.h"
#include "layer_samples.h"
#include "session_bench.h"

namespace armilla::test {

// Row i has SNR 3 + i / 10, in an order that is not that of the rows.
inline std::shared_ptr<const Catalog> candidates(int64_t rows, unsigned seed = 7,
                                                 int64_t leftOut = -1) {
    Catalog catalog = randomCatalog(rows, Frame::Galactic, seed);
    TableColumn snr;
    snr.name = "SNR";
    snr.ucd = "stat.snr";
    std::vector<double> values;
    for (int64_t i = 0; i < rows; ++i)
        values.push_back(3.0 + 0.1 * static_cast<double>((i * 7) % rows));
    snr.values = std::move(values);
    catalog.table.columns.push_back(std::move(snr));
    if (leftOut >= 0)
        for (TableColumn& column : catalog.table.columns)
            std::visit([leftOut](auto& of) { of.erase(of.begin() + leftOut); }, column.values);
    return std::make_shared<const Catalog>(std::move(catalog));
}

// Sources searched in the first field of a map, with a beam of 0.01 rad.
inline Recipe recipeOfSources(LayerId map) {
    Recipe recipe;
    recipe.kind = RecipeKind::Operation;
    recipe.record = QJsonObject{
        {"operation", "sources"},
        {"version", 1},
        {"parameters", QJsonObject{{"fwhm", 0.01}}},
        {"inputs", QJsonArray{QJsonObject{
                       {"slot", "MAP"}, {"layer", map.number()}, {"fields", QJsonArray{0}}}}}};
    return recipe;
}

}  // namespace armilla::test
