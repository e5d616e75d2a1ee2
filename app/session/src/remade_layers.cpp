// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that are made again from their recipes.
#include <QJsonArray>

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"
#include "map_work.h"
#include "operation_values.h"
#include "picked_rows.h"

namespace armilla {

LoadedLayer remadeOfRows(const Recipe& recipe, const std::vector<LayerValue>& inputs) {
    const auto catalog = inputs.empty() ? nullptr : inputs.front().catalog;
    if (!catalog) throw InvalidArgument("expected the catalog that it is made from, found none");
    std::vector<int64_t> rows;
    for (const QJsonValue row : recipe.record["rows"].toArray()) {
        rows.push_back(static_cast<int64_t>(row.toDouble(-1.0)));
        if (rows.back() < 0 || rows.back() >= catalog->rows())
            throw InvalidArgument("expected rows below " + std::to_string(catalog->rows()) +
                                  ", found row " + std::to_string(rows.back()));
    }
    return {std::make_shared<const Catalog>(pickedRows(*catalog, rows)), {}, {}};
}

std::vector<LayerValue> remadeByOperation(const Recipe& recipe, const std::vector<int>& outputs,
                                          const std::vector<LayerValue>& inputs,
                                          const Device& device, JobContext& job, QString& note) {
    try {
        const OperationRequest request = requestOf(recipe.record);
        QStringList names;
        for (size_t i = 0; i < inputs.size(); ++i)
            names << QStringLiteral("input %1").arg(static_cast<int>(i) + 1);
        OperationResult result = runRequest(request, inputs, names, device, job);
        std::vector<LayerValue> made;
        for (const int output : outputs) {
            if (static_cast<size_t>(output) >= result.layers.size())
                throw InvalidArgument("expected result " + std::to_string(output + 1) + " of " +
                                      recipe.recordTitle.toStdString() + ", found " +
                                      std::to_string(result.layers.size()));
            made.push_back(result.layers[static_cast<size_t>(output)].value);
        }
        note = result.deviceFailure;
        return made;
    } catch (const UsageError& error) {
        throw InvalidArgument(error.what());
    }
}

}  // namespace armilla
