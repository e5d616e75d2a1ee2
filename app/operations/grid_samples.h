// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as gridding takes them.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "beam_area.h"
#include "grid_options.h"
#include "operations/operation.h"
#include "single_dish.h"

namespace armilla {

// One column or element of values: a plane of the result.
struct GridChannel {
    std::string name, unit;
};

// A table whose columns are found and checked. Refers to the table, which must outlive it.
struct GridTable {
    std::string name;  // of the file
    int64_t rows = 0;
    Frame frame = Frame::Unknown;
    double lonUnit = kDegree, latUnit = kDegree;
    std::span<const double> lon, lat, weights;
    std::vector<GridValues> columns;
    std::vector<std::string> names;  // of these columns
    std::vector<GridChannel> channels;
    std::vector<double> northAngle;  // of FK4 and FK5 in ICRS; empty: nothing was turned
    bool isSingleDish = false;
    const Table* table = nullptr;           // of the rows that are taken
    std::shared_ptr<const Table> selected;  // owns it where rows are left out
    std::optional<BeamEllipse> beam;        // that its header names
    Setup setup;                            // of single-dish tables
    Observation observation;
    std::optional<RowAxes> axes;               // of the channels, as stored
    std::optional<SpectralAxis> spectral;      // of the channels, once all rows have the same
    bool isSingle = true;                      // all values were stored in single precision
    std::list<std::vector<double>> converted;  // what was not doubles in the table
    std::list<std::vector<float>> aligned;     // values that were brought to other channels

    GridTable() = default;
    GridTable(GridTable&&) = default;
    GridTable& operator=(GridTable&&) = default;

    GridSamples samples(int64_t begin, int64_t end) const;
    std::vector<GridValues> values(int64_t begin, int64_t end) const;
    int64_t widest() const;
};

// Throws InvalidArgument: no such column, text where numbers are meant, no positions or values
// found, a frame that is not known or contradicts.
GridTable gridTableOf(const std::string& name, const Table& table, const GridOptions& options,
                      const Context& context);
// Throws InvalidArgument unless all have as many channels as the first one, of the same setup of
// the receiver.
void requireAlike(const std::vector<GridTable>& tables);
// Brings the channels of all rows to those of the first by linear interpolation, in the frame that
// --specsys asks for, and says so; channels that only some rows have are added at the ends. Bad
// where a row has none. Throws InvalidArgument for rows whose bands have less than half in common.
void alignChannels(std::vector<GridTable>& tables, std::optional<SpectralFrame> wanted,
                   Context& context);
// From the samples' frame to that of the target. An unknown frame is only itself.
Mat3 turnOf(Frame target, const GridTable& table);

}  // namespace armilla
