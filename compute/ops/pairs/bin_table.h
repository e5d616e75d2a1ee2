// SPDX-License-Identifier: GPL-3.0-or-later
// Correlations as tables, one row per bin, and as curves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/table.h"
#include "armilla/ops/pairs.h"

namespace armilla {

inline void addColumn(Table& table, std::string name, decltype(TableColumn::values) values,
                      std::string unit = {}) {
    TableColumn column;
    column.name = std::move(name);
    column.unit = std::move(unit);
    column.values = std::move(values);
    table.columns.push_back(std::move(column));
}

inline std::vector<double> binValues(const AngularBins& bins,
                                     double (AngularBins::*value)(int) const) {
    std::vector<double> values;
    for (int k = 0; k < bins.count(); ++k) values.push_back((bins.*value)(k));
    return values;
}

// The edges of the bins in degrees, and their centers or, if known, the mean angles.
inline Table binTable(const AngularBins& bins, std::vector<double> meanAngle = {}) {
    Table table;
    table.name = "CORRELATION";
    addColumn(table, "THETA_MIN", binValues(bins, &AngularBins::lowDegrees), "deg");
    addColumn(table, "THETA_MAX", binValues(bins, &AngularBins::highDegrees), "deg");
    if (meanAngle.empty()) meanAngle = binValues(bins, &AngularBins::centerDegrees);
    addColumn(table, "THETA_MEAN", std::move(meanAngle), "deg");
    return table;
}

// The bins as a curve without series.
inline Curve binCurve(const AngularBins& bins) {
    Curve curve;
    curve.kind = CurveKind::Correlation;
    curve.name = "w(theta)";
    curve.xName = "theta";
    curve.xUnit = "deg";
    curve.x = binValues(bins, &AngularBins::centerDegrees);
    curve.xLow = binValues(bins, &AngularBins::lowDegrees);
    curve.xHigh = binValues(bins, &AngularBins::highDegrees);
    return curve;
}

}  // namespace armilla
