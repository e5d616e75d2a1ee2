// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_extensions.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/resample.h"
#include "grid_polarization.h"

namespace armilla {

namespace {

// Half width at half maximum, along the major axis, of a round kernel convolved with an elliptical
// Gaussian beam. Computed as sums over the plane in steps that are small compared with both widths.
double halfWidth(const GridKernel& kernel, double major, double minor) {
    constexpr int kSteps = 60;
    const double a = major / kFwhmOfSigma, b = minor / kFwhmOfSigma, step = kernel.radius / kSteps;
    struct Point {
        double x, y, weight;
    };
    std::vector<Point> points;
    for (int j = -kSteps; j <= kSteps; ++j)
        for (int i = -kSteps; i <= kSteps; ++i) {
            const double r = step * std::hypot(i, j);
            if (r <= kernel.radius)
                points.push_back({i * step / a, j * step / b, kernelValue(kernel, r, 0.0)});
        }
    const auto at = [&](double distance) {
        double sum = 0.0;
        for (const Point& p : points) {
            const double x = distance / a - p.x;
            sum += p.weight * std::exp(-0.5 * (x * x + p.y * p.y));
        }
        return sum;
    };
    const double half = 0.5 * at(0.0);
    double low = 0.0, high = major + kernel.radius;
    for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (low + high);
        (at(middle) > half ? low : high) = middle;
    }
    return low;
}

std::string realCard(const char* key, double value, const char* comment, int digits = 12) {
    std::array<char, 100> card{};
    std::snprintf(card.data(), card.size(), "%-8s= %20.*G / %s", key, digits, value, comment);
    std::string text = card.data();
    text.resize(80, ' ');
    return text;
}
std::string textCard(const char* key, std::string_view value, const char* comment) {
    std::array<char, 100> card{};
    std::snprintf(card.data(), card.size(), "%-8s= '%-8s' / %s", key, std::string(value).c_str(),
                  comment);
    std::string text = card.data();
    text.resize(80, ' ');
    return text;
}

std::vector<std::string> kernelCards(const GridKernel& kernel, const GridTable& table,
                                     const BeamChange& beam) {
    std::vector<std::string> cards;
    setBeamCards(cards, beam.to);
    const Observation& seen = table.observation;
    for (const auto& [key, text, comment] : {std::tuple<const char*, std::string, const char*>{
                                                 "TELESCOP", seen.telescope, "telescope"},
                                             {"INSTRUME", seen.instrument, "instrument"},
                                             {"DATE-OBS", seen.date, "time of the first sample"}})
        if (!text.empty()) cards.push_back(textCard(key, text, comment));
    if (seen.restFrequency && table.spectral)
        cards.push_back(realCard("RESTFRQ", *seen.restFrequency, "rest frequency, Hz", 15));
    if (table.spectral && table.spectral->frame != SpectralFrame::Unknown)
        for (const char* key : {"SPECSYS", "SSYSOBS"})
            cards.push_back(
                textCard(key, factsOf(table.spectral->frame).specsys, "frame of the channels"));
    cards.push_back(textCard("GRIDKERN", factsOf(kernel.kind).word, "kernel of the gridding"));
    if (kernel.kind == GridKernelKind::Gaussian || kernel.kind == GridKernelKind::Gaussian2d)
        cards.push_back(realCard("GRIDFWHM", kernel.fwhm / kDegree, "its width, deg"));
    if (kernel.kind == GridKernelKind::Gaussian2d) {
        cards.push_back(realCard("GRIDMIN", kernel.minorFwhm / kDegree, "its minor axis, deg"));
        cards.push_back(
            realCard("GRIDANG", kernel.angle / kDegree, "angle of its major axis, deg"));
    }
    cards.push_back(realCard("GRIDRAD", kernel.radius / kDegree, "its radius, deg"));
    return cards;
}

// Common unit of all channels; empty if they differ.
std::string unitOf(const std::vector<GridChannel>& channels) {
    for (const GridChannel& channel : channels)
        if (channel.unit != channels.front().unit) return "";
    return channels.front().unit;
}

std::vector<double> asDoubles(const std::vector<int64_t>& counts) {
    return {counts.begin(), counts.end()};
}

StoredPrecision precisionOf(const Context& context, const GridTable& table) {
    return context.precision.value_or(table.isSingle ? StoredPrecision::Single
                                                     : StoredPrecision::Double);
}

// Gridded values; values per beam are converted to the new beam.
std::vector<double> valuesOf(const GridSums& sums, const BeamChange& beam) {
    std::vector<double> values = griddedValues(sums);
    const auto cells = static_cast<size_t>(sums.cells);
    for (size_t c = 0; c < beam.factors.size(); ++c)
        if (beam.factors[c] != 1.0)
            for (size_t i = c * cells; i < (c + 1) * cells; ++i) values[i] *= beam.factors[c];
    return values;
}

// A separate output beside the result, if it is requested.
template <typename Value>
void addAsked(Outputs& outputs, const Context& context, std::string_view slot,
              const std::shared_ptr<Value>& value) {
    if (!context.wanted.contains(slot)) return;
    Output output;
    output.slot = slot;
    output.data = std::shared_ptr<const Value>(value);
    outputs.push_back(std::move(output));
}

Outputs imageOutputs(const Context& context, const GridTable& table, const GridTarget& target,
                     const GridKernel& kernel, const BeamChange& beam, GridSums sums) {
    auto result = std::make_shared<Image>();
    result->width = target.image.width;
    result->height = target.image.height;
    result->frame = target.frame;
    result->wcsCards = target.image.wcsCards;
    result->axisName = table.spectral ? table.spectral->name : "CHANNEL";
    if (table.spectral) result->axisUnit = table.spectral->unit;
    for (size_t c = 0; c < table.channels.size(); ++c)
        result->planes.push_back(
            {table.channels[c].name, table.spectral ? table.spectral->at(static_cast<int64_t>(c))
                                                    : static_cast<double>(c + 1)});
    // Names of the elements of one vector column repeat their numbers only, so they are cleared.
    if (table.columns.size() == 1)
        for (ImagePlane& plane : result->planes) plane.name.clear();
    result->cards = kernelCards(kernel, table, beam);
    const auto weights = std::make_shared<Image>(*result),
               counts = std::make_shared<Image>(*result);
    result->name = table.observation.object;
    result->unit = unitOf(table.channels);
    std::vector<double> values = valuesOf(sums, beam);
    referToImage(values, table, target, context);
    result->values = std::move(values);
    weights->name = "WEIGHTS";
    weights->values = std::move(sums.weights);
    counts->name = "COUNTS";
    counts->values = asDoubles(sums.counts);
    const bool small = std::all_of(sums.counts.begin(), sums.counts.end(), [](int64_t n) {
        return n <= std::numeric_limits<int32_t>::max();
    });
    Output output;
    output.slot = "OUT";
    output.data = std::shared_ptr<const Image>(result);
    const DiskType type = precisionOf(context, table) == StoredPrecision::Single
                              ? DiskType::Float32
                              : DiskType::Float64;
    const DiskType countType = small ? DiskType::Int32 : DiskType::Float64;
    output.write = [=](const std::string& path, const FileWriteOptions& how, JobContext& job) {
        const std::array<ImageHdu, 3> hdus{
            {{result.get(), type}, {weights.get(), type}, {counts.get(), countType}}};
        writeImages(hdus, path, how, job);
    };
    output.summary =
        std::to_string(result->width) + " x " + std::to_string(result->height) + " pixels of " +
        formatAngle(target.cellSize) + ", " + std::string(frameName(target.frame)) +
        (result->planes.size() > 1 ? ", " + std::to_string(result->planes.size()) + " channels"
                                   : "");
    Outputs outputs{std::move(output)};
    addAsked(outputs, context, "weights-out", weights);
    addAsked(outputs, context, "counts-out", counts);
    return outputs;
}

// Values at the target pixels as a map with one field per channel.
HealpixMap mapOf(const GridOptions& options, const GridTarget& target,
                 const std::vector<GridChannel>& names, const std::vector<double>& values,
                 const std::vector<int64_t>& counts, DiskType type, double elsewhere,
                 JobContext& job) {
    const auto cells = static_cast<int64_t>(target.pixels.size());
    std::vector<int64_t> elements;  // cells that a sparse map lists
    if (options.sparse)
        for (int64_t i = 0; i < cells; ++i)
            for (size_t c = 0; c < names.size(); ++c)
                if (counts[c * static_cast<size_t>(cells) + static_cast<size_t>(i)] > 0) {
                    elements.push_back(i);
                    break;
                }
    std::vector<Field> fields;
    for (size_t c = 0; c < names.size(); ++c) {
        const double* const from = values.data() + c * static_cast<size_t>(cells);
        std::vector<double> all;
        if (options.sparse) {
            for (const int64_t i : elements) all.push_back(from[i]);
        } else {
            all = newVector<double>(pixelCount(target.nside), job, elsewhere);
            for (int64_t i = 0; i < cells; ++i)
                all[static_cast<size_t>(target.pixels[static_cast<size_t>(i)])] = from[i];
        }
        Field field{names[c].name, names[c].unit, type, {}};
        if (type == DiskType::Float32)
            field.values = std::vector<float>(all.begin(), all.end());
        else
            field.values = std::move(all);
        fields.push_back(std::move(field));
    }
    HealpixMap map;
    if (options.sparse) {
        std::vector<int64_t> listed;
        for (const int64_t i : elements) listed.push_back(target.pixels[static_cast<size_t>(i)]);
        map = HealpixMap::partial(target.nside, Ordering::Ring, target.frame, std::move(listed),
                                  std::move(fields));
    } else {
        map = HealpixMap(target.nside, Ordering::Ring, target.frame, std::move(fields));
    }
    return options.ordering == Ordering::Nested ? reordered(map, Ordering::Nested, job)
                                                : std::move(map);
}

Outputs mapOutputs(const Context& context, const GridOptions& options, const GridTable& table,
                   const GridTarget& target, const GridKernel& kernel, const BeamChange& beam,
                   const GridSums& sums) {
    JobContext silent(context.job.stopToken(), {}, context.job.threads());
    const DiskType type = precisionOf(context, table) == StoredPrecision::Single
                              ? DiskType::Float32
                              : DiskType::Float64;
    std::vector<GridChannel> plain = table.channels;
    for (GridChannel& channel : plain) channel.unit.clear();
    const auto result = std::make_shared<HealpixMap>(mapOf(
        options, target, table.channels, valuesOf(sums, beam), sums.counts, type, kNan, silent));
    const auto weights = std::make_shared<HealpixMap>(
        mapOf(options, target, plain, sums.weights, sums.counts, type, 0.0, silent));
    const auto counts = std::make_shared<HealpixMap>(mapOf(
        options, target, plain, asDoubles(sums.counts), sums.counts, DiskType::Int64, 0.0, silent));
    result->metadata().cards = kernelCards(kernel, table, beam);
    weights->metadata().extensionName = "WEIGHTS";
    counts->metadata().extensionName = "COUNTS";
    Output output;
    output.slot = "OUT";
    output.data = std::shared_ptr<const HealpixMap>(result);
    output.write = [=](const std::string& path, const FileWriteOptions& how, JobContext& job) {
        MapWriteOptions mapOptions;
        mapOptions.overwrite = how.overwrite;
        mapOptions.history = how.history;
        const std::array<const HealpixMap*, 3> maps{result.get(), weights.get(), counts.get()};
        writeMaps(maps, path, mapOptions, job);
    };
    output.summary = summaryOf(*result);
    Outputs outputs{std::move(output)};
    addAsked(outputs, context, "weights-out", weights);
    addAsked(outputs, context, "counts-out", counts);
    return outputs;
}

TableColumn columnOf(const std::string& name, const std::string& unit, int64_t rows,
                     int64_t channels, const std::vector<double>& values) {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.width = channels;
    std::vector<double> all(static_cast<size_t>(rows * channels));
    for (int64_t c = 0; c < channels; ++c)
        for (int64_t i = 0; i < rows; ++i)
            all[static_cast<size_t>(i * channels + c)] = values[static_cast<size_t>(c * rows + i)];
    column.values = std::move(all);
    return column;
}

Output tableOutput(const GridTable& table, const GridKernel& kernel, const BeamChange& beam,
                   const GridSums& sums, const Input& sightlines) {
    auto result = std::make_shared<Table>(sightlines.table());
    const int64_t rows = sums.cells;
    const std::vector<double> values = valuesOf(sums, beam);
    // Columns in the shape of the sample columns: one of many channels, or several of one.
    std::vector<Table> parts(2);
    parts[0].name = "WEIGHTS";
    parts[1].name = "COUNTS";
    const std::vector<double> counts = asDoubles(sums.counts);
    int64_t channel = 0;
    for (const GridValues& read : table.columns) {
        const int64_t width = read.width;
        const GridChannel& first = table.channels[static_cast<size_t>(channel)];
        std::string name =
            first.name.substr(0, width > 1 ? first.name.rfind('[') : std::string::npos);
        const auto part = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + channel * rows,
                                       all.begin() + (channel + width) * rows);
        };
        parts[0].columns.push_back(columnOf(name, "", rows, width, part(sums.weights)));
        parts[1].columns.push_back(columnOf(name, "", rows, width, part(counts)));
        while (result->find(name)) name = "GRIDDED_" + name;
        result->columns.push_back(columnOf(name, first.unit, rows, width, part(values)));
        channel += width;
    }
    for (const std::string& card : kernelCards(kernel, table, beam)) result->cards.push_back(card);
    Output output;
    output.slot = "OUT";
    output.data = std::shared_ptr<const Table>(result);
    output.write = [=](const std::string& path, const FileWriteOptions& how, JobContext& job) {
        const auto format = tableFormatOf(path);
        const TableWriteOptions write{how.overwrite, how.history};
        if (format && *format != TableFormat::Fits && *format != TableFormat::VoTable) {
            // A single table holds the values, weights and counts.
            Table all = *result;
            for (const Table& part : parts)
                for (TableColumn column : part.columns) {
                    column.name = part.name + "_" + column.name;
                    all.columns.push_back(std::move(column));
                }
            writeTable(all, path, write, job);
            return;
        }
        const std::vector<Table> tables{*result, parts[0], parts[1]};
        writeTables(tables, path, write, job);
    };
    output.summary = counted(rows, "sight line");
    return output;
}

}  // namespace

BeamEllipse beamAfter(const GridKernel& kernel, const BeamEllipse& beam) {
    switch (kernel.kind) {
        case GridKernelKind::Nearest: return beam;
        // The cut of the Gaussian at its radius is negligible here.
        case GridKernelKind::Gaussian:
            return convolvedBeam(beam, BeamEllipse{kernel.fwhm, kernel.fwhm, 0.0});
        case GridKernelKind::Gaussian2d:
            return convolvedBeam(beam, BeamEllipse{kernel.fwhm, kernel.minorFwhm, kernel.angle});
        default: break;
    }
    return {2.0 * halfWidth(kernel, beam.major, beam.minor),
            2.0 * halfWidth(kernel, beam.minor, beam.major), beam.angle};
}

namespace {

// Beam of the samples, its position angle rotated to the frame of the target at the first target
// cell.
BeamEllipse turned(BeamEllipse beam, const GridTable& table, const GridTarget& target) {
    if (beam.isRound() || target.frame == table.frame) return beam;
    const auto cell = std::find_if(target.cells.begin(), target.cells.end(),
                                   [](const Vec3& each) { return std::isfinite(each.z); });
    if (cell == target.cells.end()) return beam;
    const Vec3 pole = turnOf(target.frame, table) * Vec3{0.0, 0.0, 1.0};
    const Vec3 east = normalized(cross({0.0, 0.0, 1.0}, *cell)), north = cross(*cell, east);
    beam.angle += std::atan2(dot(pole, east), dot(pole, north));
    return beam;
}

BeamChange changeOf(const GridTable& table, const GridTarget& target, const GridKernel& kernel) {
    BeamChange change{table.beam, {}, std::vector<double>(table.channels.size(), 1.0)};
    if (!table.beam) return change;
    change.from = turned(*table.beam, table, target);
    change.to = beamAfter(kernel, *change.from);
    for (size_t c = 0; c < table.channels.size(); ++c)
        change.factors[c] = perBeamFactor(table.channels[c].unit, *change.from, *change.to);
    return change;
}

}  // namespace

Outputs gridOutputs(const Context& context, const GridOptions& options, const GridTable& table,
                    const GridTarget& target, const GridKernel& kernel, GridSums sums,
                    const Input* sightlines) {
    int64_t filled = 0;
    for (const double weight : sums.weights) filled += weight != 0.0 ? 1 : 0;
    const BeamChange beam = changeOf(table, target, kernel);
    std::vector<std::string> units;
    for (const GridChannel& channel : table.channels) units.push_back(channel.unit);
    noteBeam(context, table.name, units, beam, "BMAJ and BMIN of the samples, or --beam");
    Outputs outputs;
    if (sightlines != nullptr)
        outputs = {tableOutput(table, kernel, beam, sums, *sightlines)};
    else if (target.nside > 0)
        outputs = mapOutputs(context, options, table, target, kernel, beam, sums);
    else
        outputs = imageOutputs(context, table, target, kernel, beam, std::move(sums));
    outputs.front().summary += "; kernel " + std::string(factsOf(kernel.kind).word) + ", radius " +
                               formatAngle(kernel.radius) + "; " + std::to_string(filled) +
                               " values from samples";
    return outputs;
}

}  // namespace armilla
