// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/row_expression.h"
#include "armilla/core/table_rows.h"
#include "armilla/core/text_positions.h"
#include "armilla/operations/files.h"
#include "armilla/operations/grid_columns.h"

namespace armilla {

namespace {

// Reports the first cell that is not a number: a single typing error makes a column text.
[[noreturn]] void refuseText(const TableColumn& column) {
    const auto isNumber = [](const std::string& text) {
        char* end = nullptr;
        std::strtod(text.c_str(), &end);
        return end != text.c_str() &&
               text.find_first_not_of(' ', end - text.c_str()) == std::string::npos;
    };
    const auto& cells = std::get<std::vector<std::string>>(column.values);
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const std::string& text) {
        return text.find_first_not_of(' ') != std::string::npos && !isNumber(text);
    });
    std::string where;
    if (found != cells.end())
        where = " ('" + *found + "' in row " +
                std::to_string((found - cells.begin()) / column.width + 1) + ")";
    throw InvalidArgument("expected a column of numbers, found text in '" + column.name + "'" +
                          where);
}
const TableColumn& numbers(const Table& table, int index) {
    const TableColumn& column = table.columns[static_cast<size_t>(index)];
    if (column.isText()) refuseText(column);
    return column;
}
const TableColumn& singleNumbers(const Table& table, int index) {
    const TableColumn& column = numbers(table, index);
    if (column.width != 1)
        throw InvalidArgument("expected a column of single numbers, found '" + column.name +
                              "' with " + std::to_string(column.width) + " in a row");
    return column;
}

// Column as doubles, without a copy if the table stores doubles.
std::span<const double> asDoubles(const TableColumn& column, GridTable& to, JobContext& job) {
    if (const auto* doubles = std::get_if<std::vector<double>>(&column.values)) return *doubles;
    std::vector<double>& made = to.converted.emplace_back(newVector<double>(column.size(), job));
    const int64_t width = column.width;
    parallelFor(job, column.size(), kPixelGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i)
            made[static_cast<size_t>(i)] = column.number(i / width, i % width);
    });
    return made;
}

// Default column of values: by UCD, by usual name, or the only free column.
int defaultValue(const Table& table, const std::vector<int>& taken) {
    const auto isFree = [&](size_t i) {
        return !table.columns[i].isText() &&
               std::find(taken.begin(), taken.end(), static_cast<int>(i)) == taken.end();
    };
    for (const char* ucd :
         {"phot.antennatemp", "phot.flux", "phot", "phys.temperature", "em.radio"})
        for (size_t i = 0; i < table.columns.size(); ++i)
            if (isFree(i) && upperCase(table.columns[i].ucd).starts_with(upperCase(ucd)))
                return static_cast<int>(i);
    constexpr std::array<const char*, 15> kUsual{
        "VALUE", "VALUES", "DATA", "SIGNAL", "SPECTRUM", "SPECTRA", "TA",         "T_A",
        "TB",    "T",      "TEMP", "TSYS",   "FLUX",     "I",       "TEMPERATURE"};
    for (const char* name : kUsual)
        for (size_t i = 0; i < table.columns.size(); ++i)
            if (isFree(i) && upperCase(table.columns[i].name) == name) return static_cast<int>(i);
    std::vector<int> left;
    std::string names;
    for (size_t i = 0; i < table.columns.size(); ++i) {
        names += (i == 0 ? "" : ", ") + table.columns[i].name;
        if (isFree(i)) left.push_back(static_cast<int>(i));
    }
    if (left.size() == 1) return left.front();
    throw InvalidArgument("expected --value COL, one of " + names + ", found none");
}

// Whether a name matches "before*after", ignoring case. Files with one data set per channel have
// many such names.
bool matches(const std::string& name, const std::string& pattern) {
    const size_t star = pattern.find('*');
    const std::string before = upperCase(pattern.substr(0, star)),
                      after = upperCase(pattern.substr(star + 1));
    const std::string word = upperCase(name);
    return word.size() >= before.size() + after.size() && word.starts_with(before) &&
           word.ends_with(after);
}
// Natural order of names: numbers compare by value, so flux_2 comes before flux_10.
bool naturallyBefore(const std::string& a, const std::string& b) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!digit(a[i]) || !digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        while (i < a.size() && a[i] == '0') ++i;
        while (j < b.size() && b[j] == '0') ++j;
        size_t m = i, n = j;
        while (m < a.size() && digit(a[m])) ++m;
        while (n < b.size() && digit(b[n])) ++n;
        if (m - i != n - j) return m - i < n - j;
        if (const int order = a.compare(i, m - i, b, j, n - j); order != 0) return order < 0;
        i = m;
        j = n;
    }
    return a.size() - i < b.size() - j;
}
// Columns that a word of --value selects: one, or with a * all free columns that match.
std::vector<int> columnsOf(const Table& table, const std::string& word,
                           const std::vector<int>& taken) {
    if (word.find('*') == std::string::npos || table.find(word)) return {table.columnIndex(word)};
    std::vector<int> found;
    for (size_t i = 0; i < table.columns.size(); ++i)
        if (matches(table.columns[i].name, word) && !table.columns[i].isText() &&
            std::find(taken.begin(), taken.end(), static_cast<int>(i)) == taken.end())
            found.push_back(static_cast<int>(i));
    if (found.empty())
        throw InvalidArgument("expected columns of numbers named '" + word + "', found none");
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) {
        return naturallyBefore(upperCase(table.columns[static_cast<size_t>(a)].name),
                               upperCase(table.columns[static_cast<size_t>(b)].name));
    });
    return found;
}

std::vector<int> valuesAmong(const Table& table, const std::vector<std::string>& words,
                             const std::vector<int>& taken) {
    if (words.empty()) return {defaultValue(table, taken)};
    std::vector<int> columns;
    for (const std::string& word : words) {
        const std::vector<int> found = columnsOf(table, word, taken);
        columns.insert(columns.end(), found.begin(), found.end());
    }
    return columns;
}

bool isUnseen(double value) {
    return std::abs(value - kUnseen) <= 1e-5 * std::abs(kUnseen);
}
int64_t unseenIn(const TableColumn& column) {
    const auto count = [](const auto& values) {
        return static_cast<int64_t>(std::count_if(values.begin(), values.end(), isUnseen));
    };
    if (const auto* doubles = std::get_if<std::vector<double>>(&column.values))
        return count(*doubles);
    if (const auto* floats = std::get_if<std::vector<float>>(&column.values)) return count(*floats);
    return 0;
}
std::span<const double> withoutUnseen(const TableColumn& column, GridTable& to, JobContext& job) {
    std::vector<double>& made = to.converted.emplace_back(newVector<double>(column.size(), job));
    for (int64_t i = 0; i < column.size(); ++i) {
        const double value = column.number(i / column.width, i % column.width);
        made[static_cast<size_t>(i)] = isUnseen(value) ? kNan : value;
    }
    return made;
}

void addValues(const Table& table, int index, GridTable& to, const Context& context,
               JobContext& job) {
    const TableColumn& column = numbers(table, index);
    const std::string unit = to.isSingleDish ? unitOfSpectra(table, index) : column.unit;
    GridValues values;
    values.width = column.width;
    if (const int64_t unseen = unseenIn(column); unseen > 0) {
        context.note(to.name + ": " + counted(unseen, "value") + " of " + column.name +
                     " are HEALPix's mark of a bad pixel (-1.6375e30), skipped");
        values.values = withoutUnseen(column, to, job);
        to.isSingle = to.isSingle && std::holds_alternative<std::vector<float>>(column.values);
    } else if (const auto* floats = std::get_if<std::vector<float>>(&column.values)) {
        values.values = std::span<const float>(*floats);
    } else {
        values.values = asDoubles(column, to, job);
        to.isSingle = false;
    }
    to.columns.push_back(values);
    to.names.push_back(column.name);
    for (int64_t c = 0; c < column.width; ++c)
        to.channels.push_back(
            {column.width == 1 ? column.name : column.name + "[" + std::to_string(c + 1) + "]",
             unit});
}

// Finds the spectral axis, per row, of the channels of one vector column.
void findSpectralAxis(const Table& table, int column, GridTable& to, const Context& context) {
    if (to.columns.size() != 1 || to.columns.front().width < 2) return;
    auto axes = rowAxes(table);
    if (!axes) return;
    if (const auto length = channelsOf(table, column);
        length && *length != to.columns.front().width) {
        context.note(to.name + ": a row has " + std::to_string(*length) +
                     " channels and more than one spectrum; its " +
                     std::to_string(to.columns.front().width) + " values are numbered channels");
        return;
    }
    if (axes->isFrameAssumed)
        context.note(to.name +
                     ": the file names no frame of the frequencies; topocentric is assumed");
    to.axes = std::move(axes);
}

bool isFalse(const std::string& word) {
    const std::string lower = lowerCase(trimmed(word));
    return lower == "false" || lower == "f";
}
// Text of logical values, as CSV files have them.
bool isLogicalText(const TableColumn& column) {
    const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
    return texts != nullptr && column.width == 1 &&
           std::all_of(texts->begin(), texts->end(), [](const std::string& word) {
               const std::string lower = lowerCase(trimmed(word));
               return isFalse(word) || lower == "true" || lower == "t" || lower.empty();
           });
}

// Combines weights and flags: a sample that is left out has the weight NaN.
void addWeights(const Table& table, const GridOptions& options, GridTable& to, JobContext& job) {
    if (!options.weight.empty())
        to.weights = asDoubles(singleNumbers(table, table.columnIndex(options.weight)), to, job);
    if (options.flag.empty()) return;
    const TableColumn& flags = table.columns[static_cast<size_t>(table.columnIndex(options.flag))];
    const bool isWords = isLogicalText(flags);
    if (!isWords) singleNumbers(table, table.columnIndex(options.flag));
    std::vector<double>& kept = to.converted.emplace_back(newVector<double>(to.rows, job, 1.0));
    for (int64_t i = 0; i < to.rows; ++i) {
        const auto at = static_cast<size_t>(i);
        if (!to.weights.empty()) kept[at] = to.weights[at];
        // A missing flag counts as set.
        const bool isSet = isWords ? !isFalse(flags.text(i)) : flags.number(i) != 0.0;
        if (isSet) kept[at] = kNan;
    }
    to.weights = kept;
}

// --samples-frame overrides every other statement about the frame. A line reports a contradiction
// with the file or with --input-frame; column names alone are a convention and not reported.
Frame frameOf(const std::string& name, const PositionColumns& positions, const GridOptions& options,
              const Context& context) {
    const Frame found = positions.frame;
    if (!options.samplesFrame) return framedAs(found, {{}, context.statedFrame});
    const Frame taken = *options.samplesFrame;
    if (found != Frame::Unknown && found != taken && !positions.isFrameOfNames)
        context.note(name + ": the samples are taken as " + std::string(frameName(taken)) +
                     " (--samples-frame), where " +
                     (context.statedFrame && context.statedFrame->frame == found ? "--input-frame"
                                                                                 : "the file") +
                     " says " + std::string(frameName(found)));
    return taken;
}

// Converts samples in FK4 and FK5 to ICRS, with the equinox of the file or of each row.
void takeIcrs(const Table& table, const PositionColumns& positions, const Context& context,
              GridTable& to, JobContext& job) {
    auto places = icrsPlaces(table, positions, statedEquatorial({{}, context.statedFrame}), job);
    if (!places) return;
    context.note(to.name + ": positions converted from " + places->from + " to ICRS");
    to.frame = Frame::Equatorial;
    to.lonUnit = to.latUnit = 1.0;
    to.lon = to.converted.emplace_back(std::move(places->lon));
    to.lat = to.converted.emplace_back(std::move(places->lat));
    to.northAngle = std::move(places->northAngle);
}

// Sets invalid positions and weights that stand for missing values to NaN, so that these samples
// are left out.
void markMissing(GridTable& samples, const Context& context) {
    int64_t places = 0, odd = 0, weights = 0;
    std::span<double> lat, kept;
    const auto changeable = [&](std::span<const double>& values, std::span<double>& copy) {
        if (!copy.empty()) return;
        copy = samples.converted.emplace_back(values.begin(), values.end());
        values = copy;
    };
    for (size_t i = 0; i < static_cast<size_t>(samples.rows); ++i) {
        if (std::isfinite(samples.lon[i]) && std::isfinite(samples.lat[i]) &&
            !isPlace(samples.lon[i] * samples.lonUnit, samples.lat[i] * samples.latUnit)) {
            ++places;
            odd += isFillValue(samples.lon[i]) || isFillValue(samples.lat[i]) ? 0 : 1;
            // Many invalid angles indicate a wrong column rather than fill values; the plan refuses
            // it.
            if (odd > samples.rows / 10) return;
            changeable(samples.lat, lat);
            lat[i] = kNan;
        }
        if (samples.weights.empty() || !(samples.weights[i] < 0.0) ||
            !isFillValue(samples.weights[i]))
            continue;
        ++weights;
        changeable(samples.weights, kept);
        kept[i] = kNan;
    }
    if (places > 0)
        context.note(samples.name + ": " + counted(places, "sample") +
                     " beyond the poles or two turns of longitude, skipped");
    if (weights > 0)
        context.note(samples.name + ": " + counted(weights, "sample") +
                     " with a weight of -99, -999 and the like, skipped");
}

}  // namespace

std::vector<int> gridValueColumns(const Table& table, const GridColumnWords& words) {
    std::vector<int> taken;
    if (!words.lon.empty())
        taken = {table.columnIndex(words.lon), table.columnIndex(words.lat)};
    else if (const auto positions = findPositions(table))
        taken = {positions->lon, positions->lat};
    for (const std::string& column : {words.weight, words.flag})
        if (!column.empty()) taken.push_back(table.columnIndex(column));
    return valuesAmong(table, words.values, taken);
}

GridSamples GridTable::samples(int64_t begin, int64_t end) const {
    const auto from = static_cast<size_t>(begin), count = static_cast<size_t>(end - begin);
    return {lon.subspan(from, count),
            lat.subspan(from, count),
            lonUnit,
            latUnit,
            weights.empty() ? weights : weights.subspan(from, count),
            {}};
}

std::vector<GridValues> GridTable::values(int64_t begin, int64_t end) const {
    std::vector<GridValues> result;
    for (const GridValues& column : columns) {
        const auto from = static_cast<size_t>(begin * column.width),
                   count = static_cast<size_t>((end - begin) * column.width);
        GridValues part{{}, column.width};
        std::visit([&](auto all) { part.values = all.subspan(from, count); }, column.values);
        result.push_back(part);
    }
    return result;
}

int64_t GridTable::widest() const {
    int64_t widest = 1;
    for (const GridValues& column : columns) widest = std::max(widest, column.width);
    return widest;
}

namespace {

// Position columns of numbers. Sexagesimal text becomes numbers in a copy of the table, which `to`
// owns.
PositionColumns positionsOf(const Table*& table, const GridOptions& options, GridTable& to) {
    const auto inDegrees = [&](const auto& add) {
        auto own = std::make_shared<Table>(*table);
        const PositionColumns positions = add(*own);
        to.selected = own;
        table = to.selected.get();
        return positions;
    };
    if (!options.lon.empty()) {
        const auto isText = [&](const std::string& name) {
            return table->columns[static_cast<size_t>(table->columnIndex(name))].isText();
        };
        if (!isText(options.lon) && !isText(options.lat))
            return positionsNamed(*table, options.lon, options.lat);
        return inDegrees(
            [&](Table& own) { return positionsInDegrees(own, options.lon, options.lat); });
    }
    if (const auto found = findPositions(*table, options.samplesFrame.value_or(Frame::Unknown)))
        return *found;
    if (auto text = findTextPositions(*table))
        return inDegrees([&](Table& own) {
            addDegrees(own, *text);
            return *text;
        });
    std::string names;
    for (const TableColumn& column : table->columns)
        names += (names.empty() ? "" : ", ") + column.name;
    throw InvalidArgument(
        "expected columns of positions (RA and DEC, GLON and GLAT, ..., or --lon and --lat), "
        "found " +
        names);
}

// Refuses a unit that is not an angle, instead of assuming degrees.
void requireAngles(const Table& table, const PositionColumns& positions) {
    for (const int index : {positions.lon, positions.lat}) {
        const TableColumn& column = table.columns[static_cast<size_t>(index)];
        if (!angleUnit(column.unit))
            throw InvalidArgument("expected a unit of angle (deg, rad, hourangle) in column '" +
                                  column.name + "', found '" + column.unit + "'");
    }
}

// Rows that --where selects and that share one coordinate system. If rows are left out, `to` owns
// the reduced table.
const Table& selectedRows(const Table& table, const GridOptions& options, GridTable& to,
                          std::set<std::string>& stated, const Context& context) {
    const Table* taken = &table;
    const auto keep = [&](const std::vector<int64_t>& rows) {
        if (static_cast<int64_t>(rows.size()) == taken->rows()) return;
        to.selected = std::make_shared<const Table>(rowsOf(*taken, rows));
        taken = to.selected.get();
    };
    if (!options.where.empty()) {
        JobContext silent(context.job.stopToken(), {}, context.job.threads());
        std::vector<int64_t> rows;
        try {
            const RowExpression where(options.where, table);
            for (const int column : where.columns())
                stated.insert(upperCase(table.columns[static_cast<size_t>(column)].name));
            rows = where.rows(silent);
        } catch (const ExpressionError& error) {
            throw UsageError("--where: " + error.message());
        } catch (InvalidArgument& error) {
            error.addContext("--where");
            throw;
        }
        if (rows.empty())
            throw InvalidArgument("expected rows in which " + options.where + ", found none of " +
                                  std::to_string(table.rows()));
        keep(rows);
    }
    if (to.isSingleDish) keep(rowsOfOneSystem(*taken, to.name, context.note));
    return *taken;
}

}  // namespace

GridTable gridTableOf(const std::string& name, const Table& whole, const GridOptions& options,
                      const Context& context) {
    GridTable result;
    result.name = name;
    if (whole.rows() == 0) throw InvalidArgument("expected samples, found a table without rows");
    result.isSingleDish = isSingleDish(whole);
    std::set<std::string> stated;
    const Table* rows = &selectedRows(whole, options, result, stated, context);
    const PositionColumns positions = positionsOf(rows, options, result);
    const Table& table = *rows;
    result.table = &table;
    result.rows = table.rows();
    if (result.isSingleDish) {
        result.setup = setupOf(table, stated);
        requireOneSetup(result.setup);
        result.observation = observationOf(table);
    }
    result.beam = beamOfCards(table.cards);
    requireAngles(table, positions);
    JobContext silent(context.job.stopToken(), {}, context.job.threads());
    result.frame = frameOf(name, positions, options, context);
    result.lonUnit = positions.lonUnit;
    result.latUnit = positions.latUnit;
    result.lon = asDoubles(singleNumbers(table, positions.lon), result, silent);
    result.lat = asDoubles(singleNumbers(table, positions.lat), result, silent);
    if (!options.samplesFrame) takeIcrs(table, positions, context, result, silent);
    std::vector<int> taken{positions.lon, positions.lat};
    for (const std::string& column : {options.weight, options.flag})
        if (!column.empty()) taken.push_back(table.columnIndex(column));
    const std::vector<int> values = valuesAmong(table, options.value, taken);
    for (const int column : values) addValues(table, column, result, context, silent);
    findSpectralAxis(table, values.front(), result, context);
    addWeights(table, options, result, silent);
    markMissing(result, context);
    return result;
}

void requireAlike(const std::vector<GridTable>& tables) {
    for (const GridTable& table : tables)
        if (table.channels.size() != tables.front().channels.size())
            throw InvalidArgument(table.name + ": expected " +
                                  std::to_string(tables.front().channels.size()) +
                                  " channels, as in " + tables.front().name + ", found " +
                                  std::to_string(table.channels.size()));
    Setup all;
    for (const GridTable& table : tables)
        for (const auto& [column, values] : table.setup)
            all[column].insert(values.begin(), values.end());
    requireOneSetup(all);
}

Mat3 turnOf(Frame target, const GridTable& table) {
    if (target == table.frame) return {};
    if (target == Frame::Unknown || table.frame == Frame::Unknown)
        throw InvalidArgument(
            "expected samples in a known frame, found none named; state it with --samples-frame G, "
            "E or C");
    return frameRotation(target, table.frame);
}

}  // namespace armilla
