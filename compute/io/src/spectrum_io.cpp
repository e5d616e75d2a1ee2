// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra, beams and radial kernels: tables of one value for each l or angle.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/sky_vector.h"
#include "fits_table.h"
#include "fits_writer.h"
#include "io/atomic_file.h"
#include "io/curve_io.h"
#include "io/harmonic_io.h"
#include "io/table_io.h"
#include "map_table.h"
#include "spectrum_names.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

// lmax of a spectrum or beam; a longer table is something else.
constexpr double kMaxL = 1 << 24;

// Numeric columns of a table as numbers, with their names.
struct NamedColumns {
    std::vector<std::string> names, units;
    std::vector<std::vector<double>> values;
    std::vector<std::string> otherNames;  // of a header that names other columns than there are
    bool healpy = false;                  // EB and TB stand under each other's names
    std::optional<bool> isDl;             // as a text file says beside its names
    bool isText = false;
    bool isUnnamed = false;  // a text without a name for any column
};

// healpy gives its six columns HEALPix's names in HEALPix's order, but its own order is
// TT EE BB TE EB TB. HEALPix itself writes ASYMCL and comment cards, healpy neither.
bool writtenByHealpy(const FitsHdu& hdu, const NamedColumns& columns) {
    static const std::vector<std::string> kNames = {"TEMPERATURE", "GRADIENT", "CURL",
                                                    "G-T",         "C-T",      "C-G"};
    if (columns.names != kNames || hdu.header.has("ASYMCL")) return false;
    return std::none_of(hdu.header.cards().begin(), hdu.header.cards().end(),
                        [](const std::string& card) { return cardKeyword(card) == "COMMENT"; });
}

NamedColumns readColumns(FitsFile& file, const FitsHdu& hdu) {
    const TableLayout table = tableLayout(file, hdu);
    JobContext job;
    NamedColumns result;
    for (const FitsColumn& column : table.columns) {
        if (!column.isNumeric()) continue;
        if (static_cast<double>(table.rows) * static_cast<double>(column.repeat) > kMaxL)
            refuse(file.path(), "at most " + std::to_string(1 << 24) + " multipoles",
                   std::to_string(table.rows) + " rows of " + std::to_string(column.repeat));
        result.names.push_back(column.name);
        result.units.push_back(column.unit);
        result.values.push_back(readColumn(file, hdu, table, column, job));
    }
    file.verifyRest(job);
    result.healpy = writtenByHealpy(hdu, result);
    return result;
}

// Tables are found, and their columns read, one after the other.
void unpack(FitsFile& file) {
    JobContext job;
    file.unpack(job);
}

// The selected HDU, or the first of one of the wanted kinds.
const FitsHdu& findHdu(FitsFile& file, const std::optional<std::string>& selector,
                       std::initializer_list<FileKind> kinds, std::string_view what) {
    if (selector) return file.selected(*selector);
    for (const FileKind wanted : kinds)
        for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
            if (hduKind(file, *hdu) == wanted) return *hdu;
    refuse(file.path(), std::string(what), describeHdus(file));
}

void requireFinite(const std::string& path, const std::vector<double>& values,
                   const std::string& what) {
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            refuse(path, "finite values of " + what, "none in row " + std::to_string(i + 1));
}

// values[l] for rows (l, value); l whole, ascending. Rows that are not there are zero.
std::vector<double> placedByMultipole(const std::string& path, const std::vector<double>& l,
                                      const std::vector<double>& values) {
    if (l.empty()) refuse(path, "rows of l and a value", "none");
    double last = -1.0;
    for (const double x : l) {
        if (!(x > last) || x != std::floor(x) || x > kMaxL)
            refuse(path, "ascending whole l in the first column",
                   std::to_string(x) + " after " + std::to_string(last));
        last = x;
    }
    std::vector<double> placed(static_cast<size_t>(last) + 1, 0.0);
    for (size_t i = 0; i < l.size(); ++i) placed[static_cast<size_t>(l[i])] = values[i];
    return placed;
}

// Takes a column of l out of `columns` and puts the others in their places.
void applyMultipoleColumn(const std::string& path, NamedColumns& columns) {
    for (size_t i = 0; i < columns.names.size(); ++i) {
        if (!isMultipoleName(columns.names[i])) continue;
        const std::vector<double> l = columns.values[i];
        const auto drop = [&](auto& list) { list.erase(list.begin() + static_cast<long>(i)); };
        drop(columns.names);
        drop(columns.units);
        drop(columns.values);
        for (auto& values : columns.values) {
            if (values.size() != l.size())
                refuse(path, "columns as long as that of l", std::to_string(values.size()));
            values = placedByMultipole(path, l, values);
        }
        return;
    }
}

// Takes the names in the last comment that begins with L or ELL and has as many words as there are
// columns; one that names spectra, but others than there are columns, is kept apart.
void takeNamesOfComments(const TextTable& text, NamedColumns& columns) {
    for (const std::string& comment : text.comments) {
        std::vector<std::string> words = namesOfComment(comment);
        if (words.size() < 2 || !isMultipoleName(words[0])) continue;
        // What is said behind the names: "in muK^2".
        while (words.size() > text.columns.size() && !spectrumColumnOf(words.back()))
            words.pop_back();
        if (words.size() == text.columns.size())
            columns.names = std::move(words);
        else if (words.size() > 2 && spectrumColumnOf(words[1]) && spectrumColumnOf(words[2]))
            columns.otherNames = std::move(words);
    }
}

NamedColumns columnsOfTable(const Table& table) {
    NamedColumns columns;
    for (const TableColumn& column : table.columns) {
        if (column.isText() || column.width != 1) continue;
        columns.names.push_back(column.name);
        columns.units.push_back(column.unit);
        columns.values.emplace_back();
        for (int64_t row = 0; row < column.rows(); ++row)
            columns.values.back().push_back(column.number(row));
    }
    return columns;
}

// The unit of all columns as writeTextSpectra tells it, "unit K^2".
std::string unitSaidIn(const std::vector<std::string>& comments) {
    constexpr std::string_view kMark = "unit ";
    for (const std::string& comment : comments)
        if (comment.starts_with(kMark)) return trimmed(comment.substr(kMark.size()));
    return {};
}

// A text table: l and values, or values alone from l = 0.
NamedColumns columnsFromText(const std::string& path) {
    if (hasLineOfNames(path)) {
        JobContext job;
        NamedColumns columns = columnsOfTable(readTable(path, {}, job));
        columns.isText = true;
        return columns;
    }
    const TextTable text = readTextTable(path);
    NamedColumns columns;
    columns.isText = true;
    columns.isDl = saysDl(text.comments);
    columns.values = text.columns;
    takeNamesOfComments(text, columns);
    columns.isUnnamed = columns.names.empty();
    columns.names.resize(text.columns.size());
    columns.units.assign(text.columns.size(), unitSaidIn(text.comments));
    if (columns.values.size() > 1) columns.names[0] = "L";
    return columns;
}

void toCl(std::vector<double>& values) {
    for (size_t l = 0; l < values.size(); ++l) {
        const auto x = static_cast<double>(l);
        values[l] = l == 0 ? 0.0 : values[l] * kTwoPi / (x * (x + 1.0));
    }
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return inQuotes(text);
}

// Which column holds which spectrum, by their names.
struct SpectrumPlaces {
    std::array<int, 6> column{-1, -1, -1, -1, -1, -1};
    std::array<std::optional<bool>, 6> isDl{};  // as their names say
    bool named = false;
    std::vector<std::string> leftOut;
};

SpectrumPlaces placesByName(const std::string& path, const NamedColumns& columns) {
    SpectrumPlaces places;
    for (size_t i = 0; i < columns.names.size(); ++i) {
        const auto found = spectrumColumnOf(columns.names[i]);
        if (!found) {
            places.leftOut.push_back(columns.names[i]);
            continue;
        }
        int& place = places.column[static_cast<size_t>(found->kind)];
        // ET, BT and BE of asymmetric spectra follow TE, TB and EB.
        if (place >= 0 && columns.names.size() <= 6)
            refuse(path, "one column of each spectrum",
                   "two of " + std::string(kSpectrumNames[static_cast<size_t>(found->kind)]));
        places.named = true;
        if (place >= 0) {
            places.leftOut.push_back(columns.names[i]);
            continue;
        }
        place = static_cast<int>(i);
        places.isDl[static_cast<size_t>(found->kind)] = found->isDl;
    }
    if (columns.healpy)
        std::swap(places.column[static_cast<size_t>(SpectrumKind::TB)],
                  places.column[static_cast<size_t>(SpectrumKind::EB)]);
    return places;
}

Spectra spectraFromColumns(const std::string& path, NamedColumns columns,
                           std::vector<std::string>& notes) {
    applyMultipoleColumn(path, columns);
    if (columns.values.empty()) refuse(path, "columns of C_l", "none");
    SpectrumPlaces places = placesByName(path, columns);
    if (!places.named) {
        // Which is which could only be guessed.
        if (!columns.otherNames.empty())
            refuse(path, "a column for each of the names " + listed(columns.otherNames),
                   "others than these");
        if (columns.values.size() > 6)
            refuse(path, "1 to 6 columns of C_l", std::to_string(columns.values.size()));
        std::vector<std::string> assumed;
        for (size_t i = 0; i < columns.values.size(); ++i) {
            places.column[i] = static_cast<int>(i);
            assumed.emplace_back(kSpectrumNames[i]);
        }
        const std::string what =
            (columns.isDl.value_or(false) ? "D_l of " : "C_l of ") + listed(assumed);
        notes.push_back(columns.isUnnamed ? "the file names no columns: taken as l and " + what
                                          : "the file names no spectra: taken as " + what);
    } else if (!places.leftOut.empty()) {
        notes.push_back("columns left out: " + listed(places.leftOut));
    }
    if (columns.healpy) notes.push_back("written by healpy: columns C-T and C-G hold EB and TB");
    Spectra spectra;
    bool divided = false, isUnsaid = false;
    for (size_t kind = 0; kind < 6; ++kind) {
        if (places.column[kind] < 0) continue;
        const std::optional<bool> isDl = places.isDl[kind] ? places.isDl[kind] : columns.isDl;
        const auto at = static_cast<size_t>(places.column[kind]);
        requireFinite(path, columns.values[at], kSpectrumNames[kind]);
        spectra.cl[kind] = std::move(columns.values[at]);
        if (isDl.value_or(false)) toCl(spectra.cl[kind]);
        divided = divided || isDl.value_or(false);
        isUnsaid = isUnsaid || !isDl;
        if (spectra.unit.empty()) spectra.unit = columns.units[at];
    }
    if (divided) notes.push_back("D_l divided by l (l + 1) / (2 pi)");
    // Planck's and CAMB's texts hold D_l under the names TT, TE, EE.
    if (isUnsaid && columns.isText && places.named)
        notes.push_back(
            "the file says neither C_l nor D_l: taken as C_l (columns D_TT, D_EE, ... or a line "
            "\"# D_l\" say the other)");
    return spectra;
}

// B_l of an image: one row of pixels each for T, E, B.
NamedColumns columnsFromImage(FitsFile& file, const FitsHdu& hdu) {
    const int64_t length = hdu.header.integer("NAXIS1").value_or(0);
    const int64_t rows = hdu.header.integer("NAXIS2").value_or(1);
    const int64_t bitpix = hdu.header.integer("BITPIX").value_or(0);
    if (length < 1 || static_cast<double>(length) > kMaxL || (bitpix != -32 && bitpix != -64))
        refuse(file.path(), "an image of B_l in single or double precision", "another image");
    // One row of the image is a table row of one column.
    TableLayout layout;
    layout.rowBytes = length * std::abs(bitpix) / 8;
    layout.rows = rows;
    if (rows < 1 || rows > hdu.dataBytes / layout.rowBytes)
        refuse(file.path(),
               "rows of B_l in the " + std::to_string(hdu.dataBytes) + " bytes of data",
               "NAXIS2 = " + std::to_string(rows));
    FitsColumn column;
    column.code = bitpix == -32 ? 'E' : 'D';
    column.repeat = length;
    column.width = std::abs(bitpix) / 8;
    layout.columns.push_back(column);
    JobContext job;
    const std::vector<double> all = readColumn(file, hdu, layout, column, job);
    file.verifyRest(job);
    NamedColumns result;
    for (int64_t row = 0; row < std::min<int64_t>(rows, 3); ++row)
        result.values.emplace_back(all.begin() + row * length, all.begin() + (row + 1) * length);
    result.names.resize(result.values.size());
    result.units.resize(result.values.size());
    return result;
}

// Column numbers of T, E, B. A column BL (instrument models) stands alone: those behind it are
// error modes, not polarization.
std::vector<size_t> beamColumns(const NamedColumns& columns) {
    for (size_t i = 0; i < columns.names.size(); ++i) {
        const std::string name = upperTrimmed(columns.names[i]);
        if (name == "BL" || name == "B_L" || name == "NOMINAL") return {i};
    }
    std::vector<size_t> chosen;
    for (size_t i = 0; i < std::min<size_t>(3, columns.values.size()); ++i) chosen.push_back(i);
    return chosen;
}

double radiansPer(const std::string& unit) {
    std::string word = upperTrimmed(unit);
    if (word.size() > 3 && word.back() == 'S') word.pop_back();
    if (word == "RAD" || word == "RADIAN") return 1.0;
    if (word == "DEG" || word == "DEGREE") return kDegree;
    if (word == "ARCMIN" || word == "ARCMINUTE") return kArcmin;
    if (word == "ARCSEC" || word == "ARCSECOND") return kArcsec;
    return 0.0;
}

// The unit in a comment "angle UNIT", as a factor to radians; 0 if there is none.
double unitOfComments(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
        std::string word;
        for (const char c : comment + " ") {
            if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
                word += c;
                continue;
            }
            if (const double factor = radiansPer(word); factor > 0.0) return factor;
            word.clear();
        }
    }
    return 0.0;
}

}  // namespace

Spectra readSpectra(const std::string& path, std::vector<std::string>* notes) {
    const FilePath where = parseFilePath(path);
    std::vector<std::string> unwanted;
    std::vector<std::string>& said = notes != nullptr ? *notes : unwanted;
    if (looksLikeText(where.path))
        return spectraFromColumns(where.path, columnsFromText(where.path), said);
    FitsFile file(where.path);
    unpack(file);
    const FitsHdu& hdu =
        findHdu(file, where.hdu, {FileKind::Spectrum, FileKind::Beam}, "a table of C_l");
    if (hdu.type == HduType::Image)
        refuse(where.path, "a table of C_l in HDU " + std::to_string(hdu.number), "an image");
    return spectraFromColumns(where.path, readColumns(file, hdu), said);
}

namespace {

[[noreturn]] void refuseLargeSpectrum(bool single, size_t kind, size_t l) {
    refuseLarger("spectra", single,
                 "values of " + std::string(kSpectrumNames[kind]) + " at l = " + std::to_string(l));
}

// The spectra there are, as long as the longest, D_l if they are asked for. Their names say which
// of the two they are, unless a comment does (`plainNames`).
NamedColumns columnsToWrite(const Spectra& spectra, const FileWriteOptions& options,
                            bool plainNames) {
    const bool single = options.precision == StoredPrecision::Single;
    const double most =
        single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    NamedColumns columns;
    for (size_t i = 0; i < spectra.cl.size(); ++i) {
        if (spectra.cl[i].empty()) continue;
        std::vector<double> values = spectra.cl[i];
        values.resize(static_cast<size_t>(spectra.lmax()) + 1);
        for (size_t l = 0; l < values.size(); ++l) {
            const auto x = static_cast<double>(l);
            if (options.asDl) values[l] *= x * (x + 1.0) / kTwoPi;
            if (!(std::abs(values[l]) <= most)) refuseLargeSpectrum(single, i, l);
        }
        const std::string mark = options.asDl ? "D_" : plainNames ? "" : "C_";
        columns.names.push_back(mark + kSpectrumNames[i]);
        columns.values.push_back(std::move(values));
    }
    return columns;
}

// The spectra as columns of a table, l first. CSV has no comments, so that all who read CSV can:
// there the line of names says what comments say else, "l,C_TT [K^2]".
void writeTextSpectra(const Spectra& spectra, const std::string& path,
                      const FileWriteOptions& options) {
    const bool csv = path.ends_with(".csv");
    const NamedColumns columns = columnsToWrite(spectra, options, !csv);
    const std::string unit =
        csv && !spectra.unit.empty() ? " [" + fitsText(spectra.unit) + "]" : "";
    const char* between = csv ? "," : " ";
    std::string text;
    if (!csv) {
        for (const std::string& line : options.history) text += "# " + fitsText(line) + "\n";
        if (!spectra.unit.empty()) text += "# unit " + fitsText(spectra.unit) + "\n";
        text += options.asDl ? "# D_l\n" : "# C_l\n";
        text += "# ";
    }
    text += csv ? "l" : "L";
    for (const std::string& name : columns.names)
        text += between + (csv ? csvCell(name + unit) : name);
    text += '\n';
    const bool single = options.precision == StoredPrecision::Single;
    for (size_t l = 0; l < columns.values.front().size(); ++l) {
        text += std::to_string(l);
        for (const auto& values : columns.values) {
            std::array<char, 40> digits{};
            char* const begin = digits.data();
            char* const end =
                single
                    ? std::to_chars(begin, begin + digits.size(), static_cast<float>(values[l])).ptr
                    : std::to_chars(begin, begin + digits.size(), values[l]).ptr;
            text += between + std::string(begin, end);
        }
        text += '\n';
    }
    writeFileAtomically(path, text, options.overwrite);
}

// ECSV and VOTable, as a curve over l.
void writeTableSpectra(const Spectra& spectra, const std::string& path,
                       const FileWriteOptions& options, JobContext& job) {
    const NamedColumns columns = columnsToWrite(spectra, options, false);
    Curve curve;
    curve.kind = CurveKind::Spectrum;
    curve.xName = std::string("l");
    for (size_t l = 0; l < columns.values.front().size(); ++l)
        curve.x.push_back(static_cast<double>(l));
    for (size_t i = 0; i < columns.names.size(); ++i)
        curve.series.push_back({columns.names[i], spectra.unit, columns.values[i], {}});
    writeCurve(curve, path, {options.overwrite, options.history}, job, options.precision);
}

}  // namespace

void writeSpectra(const Spectra& spectra, const std::string& path, const FileWriteOptions& options,
                  JobContext& job) {
    const int lmax = spectra.lmax();
    if (lmax < 0) throw InvalidArgument("expected spectra with at least l = 0, found empty ones");
    if (path.ends_with(".txt") || path.ends_with(".dat") || path.ends_with(".csv"))
        return writeTextSpectra(spectra, path, options);
    if (path.ends_with(".ecsv") || path.ends_with(".vot") || path.ends_with(".xml"))
        return writeTableSpectra(spectra, path, options, job);
    // Readers go by position, so the columns before the last one there are all written.
    size_t columns = 6;
    while (spectra.cl[columns - 1].empty()) --columns;
    const bool single = options.precision == StoredPrecision::Single;
    const int64_t valueBytes = single ? 4 : 8;
    const auto rowBytes = static_cast<int64_t>(columns) * valueBytes;
    FitsCards cards;
    cards.table(rowBytes, lmax + 1, columns, "rows, from l = 0");
    for (size_t i = 0; i < columns; ++i) {
        const std::string n = std::to_string(i + 1);
        cards.text("TTYPE" + n, kSpectrumNames[i]);
        cards.text("TFORM" + n, single ? "1E" : "1D");
        if (!spectra.unit.empty()) cards.text("TUNIT" + n, spectra.unit);
    }
    cards.text("EXTNAME", "POWER SPECTRUM");
    cards.integer("MAX-LPOL", lmax, "maximum l");
    cards.logical("POLAR", columns > 1, "polarization included");
    cards.date();
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);

    std::vector<std::byte> bytes(static_cast<size_t>(rowBytes * (lmax + 1)));
    for (int l = 0; l <= lmax; ++l)
        for (size_t i = 0; i < columns; ++i) {
            const auto& cl = spectra.cl[i];
            const double x = static_cast<size_t>(l) < cl.size() ? cl[static_cast<size_t>(l)] : 0.0;
            std::byte* at = bytes.data() + l * rowBytes + static_cast<int64_t>(i) * valueBytes;
            if (!putFinite(x, single, at)) refuseLargeSpectrum(single, i, static_cast<size_t>(l));
        }
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    writer.beginHdu(cards, static_cast<int64_t>(bytes.size()));
    writer.writeData(0, bytes);
    writer.endHdu();
    writer.commit();
}

Beam readBeam(const std::string& path, std::vector<std::string>* notes) {
    const FilePath where = parseFilePath(path);
    NamedColumns columns;
    if (looksLikeText(where.path)) {
        columns = columnsFromText(where.path);
        if (columns.values.size() > 1)
            for (size_t i = 0; i < columns.values[0].size(); ++i)
                if (columns.values[0][i] != static_cast<double>(i))
                    refuse(where.path, "l = " + std::to_string(i) + " in the first column",
                           std::to_string(columns.values[0][i]));
        applyMultipoleColumn(where.path, columns);
    } else {
        FitsFile file(where.path);
        unpack(file);
        const FitsHdu& hdu =
            findHdu(file, where.hdu, {FileKind::Beam, FileKind::Spectrum}, "a table of B_l");
        columns = hdu.type == HduType::Image ? columnsFromImage(file, hdu) : readColumns(file, hdu);
        applyMultipoleColumn(where.path, columns);
    }
    if (columns.values.empty() || columns.values[0].empty())
        refuse(where.path, "1 to 3 columns of B_l", "none");
    Beam beam;
    const std::vector<size_t> chosen = beamColumns(columns);
    for (size_t i = 0; i < 3; ++i) {
        beam.bl[i] = i < chosen.size() ? columns.values[chosen[i]] : beam.bl[i - 1];
        requireFinite(where.path, beam.bl[i], "B_l");
    }
    std::vector<std::string> leftOut;
    for (size_t i = 0; i < columns.values.size(); ++i)
        if (std::find(chosen.begin(), chosen.end(), i) == chosen.end())
            leftOut.push_back(i < columns.names.size() && !columns.names[i].empty()
                                  ? columns.names[i]
                                  : "column " + std::to_string(i + 1));
    if (notes && !leftOut.empty()) notes->push_back("left out of the beam: " + listed(leftOut));
    return beam;
}

RadialKernel readRadialKernel(const std::string& path) {
    const FilePath where = parseFilePath(path);
    RadialKernel kernel;
    double factor = 0.0;
    size_t count = 0;
    if (looksLikeText(where.path)) {
        const TextTable text = readTextTable(where.path);
        count = text.columns.size();
        if (count == 2) kernel = {text.columns[0], text.columns[1]};
        factor = unitOfComments(text.comments);
    } else {
        FitsFile file(where.path);
        unpack(file);
        const FitsHdu* hdu = where.hdu ? &file.selected(*where.hdu) : file.hdu(1);
        if (hdu == nullptr || hdu->type == HduType::Image || hdu->type == HduType::Other)
            refuse(where.path, "a table of angle and value", describeHdus(file));
        const NamedColumns columns = readColumns(file, *hdu);
        count = columns.values.size();
        if (count == 2) {
            kernel = {columns.values[0], columns.values[1]};
            factor = radiansPer(columns.units[0]);
        }
    }
    if (count != 2) refuse(where.path, "two columns, angle and value", std::to_string(count));
    if (factor == 0.0)
        refuse(where.path,
               "the unit of the angle (rad, deg, arcmin or arcsec) in TUNIT1 or in a comment "
               "\"# angle UNIT\"",
               "none");
    requireFinite(where.path, kernel.angle, "the angle");
    requireFinite(where.path, kernel.value, "the kernel");
    for (double& angle : kernel.angle) angle *= factor;
    // A hair above pi is what 180 degrees in single precision may come to.
    const bool valid = kernel.angle.size() >= 2 && kernel.angle.size() == kernel.value.size() &&
                       kernel.angle.front() == 0.0 && kernel.angle.back() <= kPi * (1.0 + 1e-6) &&
                       std::adjacent_find(kernel.angle.begin(), kernel.angle.end(),
                                          std::greater_equal<>()) == kernel.angle.end();
    if (!valid)
        refuse(where.path, "at least two angles, ascending from 0 to at most 180 degrees",
               "others");
    return kernel;
}

}  // namespace armilla
