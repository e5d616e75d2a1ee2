// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/curve_io.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/number_text.h"
#include "armilla/core/physical_unit.h"
#include "fits_file.h"
#include "fits_writer.h"
#include "map_table.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr std::array<std::pair<CurveKind, const char*>, 7> kKinds = {
    {{CurveKind::Plain, "CURVE"},
     {CurveKind::Spectrum, "SPECTRUM"},
     {CurveKind::Correlation, "CORRELATION"},
     {CurveKind::Profile, "PROFILE"},
     {CurveKind::Histogram, "HISTOGRAM"},
     {CurveKind::Beam, "BEAM"},
     {CurveKind::Kernel, "KERNEL"}}};

std::string kindName(CurveKind kind) {
    for (const auto& [known, name] : kKinds)
        if (known == kind) return name;
    return "CURVE";
}

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

CurveKind kindOf(const Table& table, const std::string& xName) {
    const std::string name = upperTrimmed(table.name), x = upperTrimmed(xName);
    for (const auto& [kind, known] : kKinds)
        if (name == known) return kind;
    if (isOneOf(x, {"L", "ELL", "MULTIPOLE"})) return CurveKind::Spectrum;
    if (table.find("W") && (x.starts_with("THETA") || x == "ANGLE")) return CurveKind::Correlation;
    // The names that `stats --histogram` writes.
    if (x == "VALUE" && table.find("VALUE_MIN") && table.find("COUNT")) return CurveKind::Histogram;
    if (x.starts_with("THETA") || isOneOf(x, {"ANGLE", "RADIUS", "R"})) return CurveKind::Profile;
    return CurveKind::Plain;
}

// Band powers, as `anafast --bins` writes them: the mean multipole of a bin, between L_MIN and
// L_MAX.
constexpr const char* kBandName = "L_EFF";

bool isOfBands(const std::string& xName) {
    return upperTrimmed(xName) == kBandName;
}

// The name of x before _MIN and _MAX in the columns of the edges of its bins.
std::string edgeName(const std::string& xName) {
    return isOfBands(xName) ? "L" : xName;
}

bool usable(const TableColumn& column) {
    return !column.isText() && column.width == 1;
}

// The column of x; its name without "_MEAN".
int xColumn(const Table& table, std::string& name) {
    int found = -1;
    for (const char* wanted :
         {"L", "ELL", "MULTIPOLE", kBandName, "THETA", "THETA_MEAN", "ANGLE", "RADIUS", "R", "X"})
        if (const auto index = table.find(wanted);
            found < 0 && index && usable(table.columns[static_cast<size_t>(*index)]))
            found = *index;
    for (size_t i = 0; found < 0 && i < table.columns.size(); ++i)
        if (usable(table.columns[i])) found = static_cast<int>(i);
    if (found < 0) throw IoError("expected a table with columns of numbers, found none");
    name = table.columns[static_cast<size_t>(found)].name;
    if (upperTrimmed(name).ends_with("_MEAN")) name.resize(name.size() - 5);
    return found;
}

std::vector<double> numbersOf(const TableColumn& column, const std::vector<int64_t>& order) {
    std::vector<double> numbers;
    for (const int64_t row : order) numbers.push_back(column.number(row));
    return numbers;
}

// A curve of plain columns of numbers, the first being x.
Table tableOfText(const std::string& path) {
    const TextTable text = readTextTable(path);
    Table table;
    for (size_t i = 0; i < text.columns.size(); ++i) {
        table.columns.emplace_back();
        table.columns.back().name = i == 0 ? "X" : i == 1 ? "Y" : "Y" + std::to_string(i);
        table.columns.back().values = text.columns[i];
    }
    return table;
}

// True if the columns of a curve are C_l over l. Files then name such columns explicitly, "C_TT",
// because a table of plain names that begins at l = 2 is read as D_l.
bool isOverMultipoles(CurveKind kind, const std::string& xName) {
    return kind == CurveKind::Spectrum && isOneOf(upperTrimmed(xName), {"L", "ELL", "MULTIPOLE"});
}

bool isSpectrumName(const std::string& name) {
    return std::find(kSpectrumNames.begin(), kSpectrumNames.end(), name) != kSpectrumNames.end();
}

TableColumn doubles(std::string name, std::string unit, std::vector<double> values) {
    TableColumn column;
    column.name = std::move(name);
    column.unit = std::move(unit);
    column.values = std::move(values);
    return column;
}

// The first n x n doubles of an image of as many rows as columns, a multiple of n: the covariance
// of several curves, of which the first one comes first.
std::vector<double> readMatrix(FitsFile& file, const FitsHdu& hdu, int64_t n) {
    const auto number = [&](const char* key) { return hdu.header.integer(key).value_or(0); };
    const int64_t side = number("NAXIS1");
    if (number("BITPIX") != -64 || number("NAXIS") != 2 || side < n || side % n != 0 ||
        number("NAXIS2") != side)
        refuse(file.path(), "a COVARIANCE of " + std::to_string(n) + " times " + std::to_string(n),
               "an image of another shape or type");
    std::vector<std::byte> bytes(static_cast<size_t>(8 * n));
    std::vector<double> values;
    for (int64_t row = 0; row < n; ++row) {
        file.readData(hdu, 8 * row * side, bytes);
        for (size_t at = 0; at < bytes.size(); at += 8) {
            uint64_t word = 0;
            for (size_t i = 0; i < 8; ++i)
                word = word << 8U | std::to_integer<uint64_t>(bytes[at + i]);
            values.push_back(std::bit_cast<double>(word));
        }
    }
    return values;
}

// The covariance of the curve's first y from an extension, an image or rows of a table; empty if
// absent.
std::vector<double> readCovariance(const std::string& path, size_t count, JobContext& job) {
    FitsFile file(path, job.stopToken());
    for (int i = 1; const FitsHdu* hdu = file.hdu(i); ++i) {
        if (upperTrimmed(hdu->name()) != "COVARIANCE") continue;
        if (hdu->type == HduType::Image) return readMatrix(file, *hdu, static_cast<int64_t>(count));
        if (hdu->type != HduType::BinaryTable) continue;
        TableReadOptions options;
        options.table = std::to_string(i);
        const Table table = readTable(path, options, job);
        const auto n = static_cast<int64_t>(count);
        if (table.columns.size() != 1 || table.columns[0].width != n || table.rows() != n ||
            table.columns[0].isText())
            refuse(path, "a COVARIANCE of " + std::to_string(n) + " times " + std::to_string(n),
                   std::to_string(table.rows()) + " rows");
        std::vector<double> values;
        for (int64_t row = 0; row < n; ++row)
            for (int64_t k = 0; k < n; ++k) values.push_back(table.columns[0].number(row, k));
        return values;
    }
    return {};
}

}  // namespace

Table curveTable(const Curve& curve) {
    checkCurve(curve);
    Table table;
    table.name = kindName(curve.kind);
    table.history = curve.history;
    const std::string x = curve.xName.empty() ? "X" : curve.xName;
    table.columns.push_back(doubles(x, curve.xUnit, curve.x));
    if (!curve.xLow.empty()) {
        table.columns.push_back(doubles(edgeName(x) + "_MIN", curve.xUnit, curve.xLow));
        table.columns.push_back(doubles(edgeName(x) + "_MAX", curve.xUnit, curve.xHigh));
    }
    for (size_t i = 0; i < curve.series.size(); ++i) {
        const CurveSeries& one = curve.series[i];
        std::string name = one.name.empty() ? "Y" + std::to_string(i + 1) : one.name;
        if (isOverMultipoles(curve.kind, x) && isSpectrumName(name)) name = "C_" + name;
        table.columns.push_back(doubles(name, one.unit, one.values));
        if (!one.errors.empty())
            table.columns.push_back(doubles(name + "_ERR", one.unit, one.errors));
    }
    return table;
}

Curve curveFromTable(const Table& table) {
    Curve curve;
    const int at = xColumn(table, curve.xName);
    const TableColumn& x = table.columns[static_cast<size_t>(at)];
    curve.kind = kindOf(table, curve.xName);
    curve.xUnit = x.unit;
    curve.history = table.history;
    std::vector<int64_t> order;
    for (int64_t row = 0; row < table.rows(); ++row)
        if (std::isfinite(x.number(row))) order.push_back(row);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return x.number(a) < x.number(b); });
    curve.x = numbersOf(x, order);
    const std::string edge = edgeName(curve.xName);
    const auto low = table.find(edge + "_MIN"), high = table.find(edge + "_MAX");
    const bool edges = low && high && usable(table.columns[static_cast<size_t>(*low)]) &&
                       usable(table.columns[static_cast<size_t>(*high)]);
    if (edges) {
        curve.xLow = numbersOf(table.columns[static_cast<size_t>(*low)], order);
        curve.xHigh = numbersOf(table.columns[static_cast<size_t>(*high)], order);
    }
    for (int i = 0; i < static_cast<int>(table.columns.size()); ++i) {
        const TableColumn& column = table.columns[static_cast<size_t>(i)];
        if (i == at || !usable(column) || (edges && (i == *low || i == *high))) continue;
        const std::string name = upperTrimmed(column.name);
        const bool isError = name.size() > 4 && name.ends_with("_ERR") &&
                             table.find(column.name.substr(0, column.name.size() - 4));
        if (isError) continue;
        CurveSeries series{column.name, column.unit, numbersOf(column, order), {}};
        const auto error = table.find(column.name + "_ERR");
        if (error && usable(table.columns[static_cast<size_t>(*error)]))
            series.errors = numbersOf(table.columns[static_cast<size_t>(*error)], order);
        if (isOverMultipoles(curve.kind, curve.xName) && series.name.starts_with("C_") &&
            isSpectrumName(series.name.substr(2)))
            series.name.erase(0, 2);
        curve.series.push_back(std::move(series));
    }
    // Band powers of C_l and of l (l + 1) C_l differ in the description of their columns only.
    if (isOfBands(curve.xName) && !curve.series.empty())
        if (const auto first = table.find(curve.series.front().name))
            curve.name = table.columns[static_cast<size_t>(*first)].description;
    // A column with errors is the measured one: that column becomes the first y, to which a
    // covariance belongs.
    std::stable_partition(curve.series.begin(), curve.series.end(),
                          [](const CurveSeries& one) { return !one.errors.empty(); });
    return curve;
}

namespace {

// True for a text without any word.
bool isPlainNumbers(const std::string& path) {
    const std::string file = parseFilePath(path).path;
    return looksLikeText(file) && !isXml(file) && !hasLineOfNames(file) &&
           startOfTextFile(file).find('#') == std::string::npos;
}

// The columns of a file that may make up a curve.
Table curveColumns(const std::string& path, JobContext& job) {
    if (isPlainNumbers(path)) return tableOfText(parseFilePath(path).path);
    if (claimsPixels(path, job.stopToken()))
        refuse(parseFilePath(path).path, "a table of a curve", "pixels of a HEALPix map");
    return readTable(path, {{}, {}, TableReadOptions::VariableLength::LeaveOut}, job);
}

Curve curveIn(const std::string& path, const Table& table, JobContext& job) {
    const FilePath where = parseFilePath(path);
    try {
        Curve curve = curveFromTable(table);
        if (!looksLikeText(where.path) && !isHdf5OrParquet(where.path)) {
            curve.covariance = readCovariance(where.path, curve.x.size(), job);
            // The covariance has the rows of the file.
            if (!curve.covariance.empty() && static_cast<int64_t>(curve.x.size()) != table.rows())
                refuse(where.path, "a value of x in every row", "rows without");
        }
        checkCurve(curve);
        return curve;
    } catch (const InvalidArgument& error) {
        throw IoError(where.path + ": " + error.message());
    } catch (Error& error) {
        if (std::string(error.what()).find(where.path) == std::string::npos)
            error.addContext(where.path);
        throw;
    }
}

// True for the table names that writeCurve writes.
bool isNamedCurve(const Table& table) {
    return upperTrimmed(table.name) == kindName(CurveKind::Plain);
}

// Two columns of numbers, the first ascending, or three with the errors of the second. Three other
// columns may be a list of positions without names.
bool isYOverX(const Table& table) {
    const auto& columns = table.columns;
    const size_t count = columns.size();
    if (count < 2 || count > 3 || table.rows() < 2) return false;
    // Columns of positions with impossible values are a broken catalog, not a curve.
    if (!std::all_of(columns.begin(), columns.end(), usable) || findPositions(table)) return false;
    if (count == 3 && upperTrimmed(columns[2].name) != upperTrimmed(columns[1].name) + "_ERR")
        return false;
    for (int64_t row = 1; row < table.rows(); ++row)
        if (!(columns[0].number(row - 1) < columns[0].number(row))) return false;
    return true;
}

// The edges of the bins of x identify a curve, as in the completeness of `sources`.
bool isOverBins(const Curve& curve, const Table& table) {
    return !curve.xLow.empty() && !findPositions(table);
}

}  // namespace

Curve readCurve(const std::string& path, JobContext& job) {
    return curveIn(path, curveColumns(path, job), job);
}

std::optional<Curve> findCurve(const std::string& path, JobContext& job) {
    try {
        const Table table = curveColumns(path, job);
        Curve curve = curveIn(path, table, job);
        if (curve.kind != CurveKind::Plain || isNamedCurve(table) || isOfBands(curve.xName) ||
            isYOverX(table) || isOverBins(curve, table))
            return curve;
    } catch (const IoError&) {
        // The error of the reader that claimed the file stands.
    }
    return std::nullopt;
}

namespace {

// Converts all columns but x to single precision. Infinite and missing values do not change.
void makeSingle(Table& table) {
    constexpr double kMost = std::numeric_limits<float>::max();
    for (size_t i = 1; i < table.columns.size(); ++i) {
        TableColumn& column = table.columns[i];
        const auto* values = std::get_if<std::vector<double>>(&column.values);
        if (!values) continue;
        for (size_t row = 0; row < values->size(); ++row)
            if (std::isfinite((*values)[row]) && std::abs((*values)[row]) > kMost)
                refuseLarger("a curve", true,
                             "values of " + column.name + " in row " + std::to_string(row + 1));
        column.values = std::vector<float>(values->begin(), values->end());
    }
}

// For formats without a covariance: adds the errors from its diagonal.
Curve withOwnErrors(Curve curve) {
    checkCurve(curve);
    if (curve.covariance.empty() || !curve.series[0].errors.empty()) return curve;
    const size_t n = curve.x.size();
    for (size_t i = 0; i < n; ++i)
        curve.series[0].errors.push_back(std::sqrt(curve.covariance[i * n + i]));
    return curve;
}

bool countsFromZero(const std::vector<double>& x) {
    for (size_t i = 0; i < x.size(); ++i)
        if (x[i] != static_cast<double>(i)) return false;
    return true;
}

}  // namespace

std::string leftOutOf(const Curve& curve, const std::string& path) {
    const bool isFits = tableFormatOf(path) == TableFormat::Fits;
    if (!curve.covariance.empty() && !isFits)
        return "the covariance has a place in FITS files only";
    if (!isFits || !isOfSpectra(curve)) return {};
    const Spectra spectra = spectraOf(curve);
    std::string absent, before;
    for (size_t i = 0; i < spectra.cl.size(); ++i) {
        if (spectra.cl[i].empty())
            before += (before.empty() ? "" : ", ") + std::string(kSpectrumNames[i]);
        else
            absent = before;
    }
    if (absent.empty()) return {};
    return absent + " written as 0: programs read FITS spectra by the position of columns";
}

void writeCurve(const Curve& curve, const std::string& path, const TableWriteOptions& options,
                JobContext& job, StoredPrecision precision) {
    requireTableName(path);
    std::vector<Table> tables{curveTable(withOwnErrors(curve))};
    if (precision == StoredPrecision::Single) makeSingle(tables[0]);
    if (curve.kind == CurveKind::Beam && countsFromZero(curve.x) &&
        tableFormatOf(path) == TableFormat::Fits)
        tables[0].columns.erase(tables[0].columns.begin());
    if (!curve.covariance.empty() && tableFormatOf(path) == TableFormat::Fits) {
        Table covariance;
        covariance.name = "COVARIANCE";
        covariance.columns.push_back(doubles("COVARIANCE", "", curve.covariance));
        covariance.columns.back().width = curve.size();
        tables.push_back(std::move(covariance));
    }
    writeTables(tables, path, options, job);
}

namespace {

void addOverMultipoles(Curve& curve, std::string name, const std::string& unit,
                       std::vector<double> values) {
    values.resize(curve.x.size(), kNan);
    curve.series.push_back({std::move(name), unit, std::move(values), {}});
}

Curve overMultipoles(CurveKind kind, int lmax) {
    Curve curve;
    curve.kind = kind;
    curve.xName = std::string("l");
    curve.x.resize(static_cast<size_t>(lmax + 1));
    std::iota(curve.x.begin(), curve.x.end(), 0.0);
    return curve;
}

}  // namespace

Curve curveOf(const Spectra& spectra) {
    Curve curve = overMultipoles(CurveKind::Spectrum, spectra.lmax());
    for (size_t kind = 0; kind < spectra.cl.size(); ++kind)
        if (!spectra.cl[kind].empty())
            addOverMultipoles(curve, kSpectrumNames[kind], spectra.unit, spectra.cl[kind]);
    return curve;
}

Curve curveOf(const Beam& beam) {
    Curve curve = overMultipoles(CurveKind::Beam, beam.lmax());
    size_t last = beam.bl.size();
    while (last > 1 && (beam.bl[last - 1].empty() || beam.bl[last - 1] == beam.bl[last - 2]))
        --last;
    constexpr std::array<const char*, 3> kNames{"T", "E", "B"};
    for (size_t kind = 0; kind < last; ++kind)
        if (!beam.bl[kind].empty()) addOverMultipoles(curve, kNames[kind], "", beam.bl[kind]);
    return curve;
}

Curve curveOf(const RadialKernel& kernel) {
    Curve curve;
    curve.kind = CurveKind::Kernel;
    curve.xName = std::string("angle");
    curve.xUnit = std::string("rad");
    curve.x = kernel.angle;
    curve.series.push_back({"K", "", kernel.value, {}});
    return curve;
}

namespace {

// Below this l a division by l (l - 1) leaves no value.
constexpr size_t kLeastMultipole = 2;

// The column of a curve over l = 0, 1, ...; NaN below kLeastMultipole becomes 0.
std::vector<double> overMultipoles(const Curve& curve, const CurveSeries& series) {
    for (size_t l = 0; l < curve.x.size(); ++l)
        if (curve.x[l] != static_cast<double>(l))
            throw InvalidArgument("expected a curve over l = 0, 1, 2, ..., found " + curve.xName +
                                  " = " + std::to_string(curve.x[l]) + " at its point " +
                                  std::to_string(l + 1));
    std::vector<double> values = series.values;
    for (size_t l = 0; l < values.size(); ++l) {
        if (std::isfinite(values[l])) continue;
        if (l >= kLeastMultipole)
            throw InvalidArgument("expected finite values of " + series.name + ", found " +
                                  std::to_string(values[l]) + " at l = " + std::to_string(l));
        values[l] = 0.0;
    }
    return values;
}

const CurveSeries& firstSeries(const Curve& curve) {
    if (curve.series.empty())
        throw InvalidArgument("expected a curve with a column of values, found none");
    return curve.series.front();
}

}  // namespace

Spectra spectraOf(const Curve& curve) {
    Spectra spectra;
    firstSeries(curve);
    for (const CurveSeries& series : curve.series) {
        const auto* name =
            std::find(std::begin(kSpectrumNames), std::end(kSpectrumNames), series.name);
        // A single column of unknown name is taken as intensity.
        const auto kind = name != std::end(kSpectrumNames)
                              ? static_cast<size_t>(name - std::begin(kSpectrumNames))
                              : 0;
        if (name == std::end(kSpectrumNames) && curve.series.size() > 1) continue;
        spectra.cl[kind] = overMultipoles(curve, series);
        spectra.unit = series.unit;
    }
    return spectra;
}

Beam beamOf(const Curve& curve) {
    Beam beam;
    beam.bl[0] = overMultipoles(curve, firstSeries(curve));
    for (size_t kind = 1; kind < beam.bl.size(); ++kind)
        beam.bl[kind] = kind < curve.series.size() ? overMultipoles(curve, curve.series[kind])
                                                   : beam.bl[kind - 1];
    return beam;
}

RadialKernel kernelOf(const Curve& curve) {
    RadialKernel kernel{curve.x, firstSeries(curve).values};
    const auto unit = radiansOfUnit(curve.xUnit);
    if (!unit)
        throw InvalidArgument(
            "expected a curve over an angle in rad, deg, arcmin or arcsec, found '" + curve.xUnit +
            "'");
    for (double& angle : kernel.angle) angle *= *unit;
    if (kernel.angle.empty() || kernel.angle.front() != 0.0)
        throw InvalidArgument("expected a kernel whose first angle is 0, found " +
                              (kernel.angle.empty() ? std::string("no angle")
                                                    : numberText(kernel.angle.front()) + " rad"));
    return kernel;
}

bool isOfSpectra(const Curve& curve) {
    if (curve.kind != CurveKind::Spectrum || curve.x.empty() || curve.series.empty() ||
        !curve.xLow.empty() || !curve.covariance.empty())
        return false;
    for (size_t l = 0; l < curve.x.size(); ++l)
        if (curve.x[l] != static_cast<double>(l)) return false;
    std::set<std::string> names;
    return std::all_of(curve.series.begin(), curve.series.end(), [&](const CurveSeries& one) {
        const bool isKnown = std::find(kSpectrumNames.begin(), kSpectrumNames.end(), one.name) !=
                             kSpectrumNames.end();
        return isKnown && names.insert(one.name).second && one.errors.empty() &&
               one.unit == curve.series.front().unit &&
               std::all_of(one.values.begin() + std::min(std::ssize(one.values),
                                                         static_cast<ptrdiff_t>(kLeastMultipole)),
                           one.values.end(), [](double value) { return std::isfinite(value); });
    });
}

}  // namespace armilla
