// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of samples as gridding reads them.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/operations/operation.h"
#include "beam_area.h"
#include "grid_options.h"
#include "single_dish.h"

namespace armilla {

// One column or element of values, which becomes a plane of the result.
struct GridChannel {
    std::string name, unit;
};

// Table whose columns are found and checked. It refers to the source table, which must outlive it.
struct GridTable {
    std::string name;  // file name
    int64_t rows = 0;
    Frame frame = Frame::Unknown;
    double lonUnit = kDegree, latUnit = kDegree;
    std::span<const double> lon, lat, weights;
    std::vector<GridValues> columns;
    std::vector<std::string> names;  // names of `columns`
    std::vector<GridChannel> channels;
    std::vector<double> northAngle;  // angle of FK4 or FK5 north in ICRS; empty: not converted
    bool isSingleDish = false;
    const Table* table = nullptr;           // table of the selected rows
    std::shared_ptr<const Table> selected;  // owner of `table` if rows are left out
    std::optional<BeamEllipse> beam;        // beam of the header
    Setup setup;                            // receiver setup of single-dish tables
    Observation observation;
    std::optional<RowAxes> axes;               // spectral axes as stored
    std::optional<SpectralAxis> spectral;      // common spectral axis of all rows
    bool isSingle = true;                      // whether all values were stored in single precision
    std::list<std::vector<double>> converted;  // columns converted to double
    std::list<std::vector<float>> aligned;     // values interpolated to other channels

    GridTable() = default;
    GridTable(GridTable&&) = default;
    GridTable& operator=(GridTable&&) = default;

    GridSamples samples(int64_t begin, int64_t end) const;
    std::vector<GridValues> values(int64_t begin, int64_t end) const;
    int64_t widest() const;
};

// Throws InvalidArgument for a missing column, text instead of numbers, no positions or values, and
// a frame that is unknown or contradicts another.
GridTable gridTableOf(const std::string& name, const Table& table, const GridOptions& options,
                      const Context& context);
// Throws InvalidArgument unless all tables have the number of channels and the receiver setup of
// the first.
void requireAlike(const std::vector<GridTable>& tables);
// Interpolates the channels of all rows linearly to those of the first, in the frame of --specsys,
// and notes it. Channels that only some rows have extend the ends; a row without them is bad there.
// Throws InvalidArgument for rows whose bands overlap by less than half.
void alignChannels(std::vector<GridTable>& tables, std::optional<SpectralFrame> wanted,
                   Context& context);
// Rotation from the frame of the samples to that of the target. An unknown frame equals only
// itself.
Mat3 turnOf(Frame target, const GridTable& table);

}  // namespace armilla
