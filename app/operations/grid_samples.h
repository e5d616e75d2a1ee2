// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as gridding takes them.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "grid_options.h"
#include "operations/operation.h"

namespace armilla {

// One column or element of values: a plane of the result.
struct GridChannel {
    std::string name, unit;
};

// What the channels of a vector column are, as single-dish FITS tables say it of their first axis.
struct SpectralAxis {
    std::string name, unit;                           // CTYPE1: FREQ, VELO-LSR, ...
    double value = 0.0, step = 1.0, reference = 1.0;  // CRVAL1, CDELT1, CRPIX1

    double at(int64_t channel) const {
        return value + (static_cast<double>(channel + 1) - reference) * step;
    }
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
    std::vector<double> northAngle;            // of FK4 and FK5 in ICRS; empty: nothing was turned
    std::optional<SpectralAxis> spectral;      // of the channels, if all rows have the same
    bool isSingle = true;                      // all values were stored in single precision
    std::list<std::vector<double>> converted;  // what was not doubles in the table

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
// Throws InvalidArgument unless all have as many channels as the first one.
void requireAlike(const std::vector<GridTable>& tables);
// From the samples' frame to that of the target. An unknown frame is only itself.
Mat3 turnOf(Frame target, const GridTable& table);

}  // namespace armilla
