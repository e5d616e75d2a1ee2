// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of power spectra: assignment of columns, and the decision between C_l and D_l.
#include "armilla/io/spectrum_io.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "spectrum_columns.h"
#include "spectrum_names.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

// Name of a column that --columns omits.
constexpr const char* kLeftOutColumn = "-";

// The column number of each spectrum, by name.
struct SpectrumPlaces {
    std::array<int, 6> column{-1, -1, -1, -1, -1, -1};
    std::array<int, 6> errors{-1, -1, -1, -1, -1, -1};
    std::array<std::optional<bool>, 6> isDl{};  // stated by the column names
    bool named = false;
    // Power of the lensing potential, which files of CAMB and Planck have in addition to D_l.
    bool hasLensing = false;
    std::vector<std::string> leftOut;
};

// The spectrum of an error column such as "TT_ERR".
std::optional<SpectrumKind> errorsOf(const std::string& name) {
    const std::string word = upperTrimmed(name);
    for (const std::string_view ending : {"_ERR", "_ERROR"})
        if (word.ends_with(ending))
            if (const auto found = spectrumColumnOf(word.substr(0, word.size() - ending.size())))
                return found->kind;
    return std::nullopt;
}

SpectrumPlaces placesByName(const std::string& path, const NamedColumns& columns) {
    SpectrumPlaces places;
    for (size_t i = 0; i < columns.names.size(); ++i) {
        if (columns.names[i] == kLeftOutColumn) continue;
        if (const auto kind = errorsOf(columns.names[i])) {
            places.errors[static_cast<size_t>(*kind)] = static_cast<int>(i);
            continue;
        }
        const auto found = spectrumColumnOf(columns.names[i]);
        if (!found) {
            places.hasLensing = places.hasLensing || isLensingName(columns.names[i]);
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

// The spectra of a file as C_l, row by row.
struct SpectrumSeries {
    SpectrumKind kind = SpectrumKind::TT;
    std::vector<double> values, errors;  // errors may be empty
};
struct SpectrumRows {
    std::vector<double> l;  // ascending integers; empty: 0, 1, 2, ...
    std::vector<SpectrumSeries> series;
    std::string unit;
};

// Applies the user's column names.
void applyStatedNames(const std::string& path, NamedColumns& columns, const SpectrumReading& stated,
                      std::vector<std::string>& notes) {
    if (stated.columns.empty()) return;
    if (stated.columns.size() > columns.values.size())
        refuse(path, "a column for each of the names of --columns, " + listed(stated.columns),
               std::to_string(columns.values.size()));
    columns.names = stated.columns;
    if (const size_t more = columns.values.size() - stated.columns.size(); more > 0)
        notes.push_back("--columns has " + counted(stated.columns.size(), "name") + " for " +
                        counted(columns.values.size(), "column") +
                        (more == 1 ? ": the last one is omitted"
                                   : ": the last " + std::to_string(more) + " are omitted"));
    columns.names.resize(columns.values.size(), kLeftOutColumn);
    columns.isUnnamed = columns.healpy = false;
    columns.otherNames.clear();
}

[[noreturn]] void refuseUnnamed(const std::string& path, const NamedColumns& columns,
                                const std::vector<double>& l) {
    std::string found = counted(columns.values.size() + (l.empty() ? 0 : 1), "column");
    found += columns.isUnnamed ? " without names" : " named " + listed(columns.names);
    if (!l.empty()) found += ", l from " + std::to_string(static_cast<int64_t>(l.front()));
    refuse(path,
           std::string(l.empty() ? "a column of l, and " : "") +
               "columns with the names of spectra in a line \"# L TT EE BB TE\" (or stated: "
               "--columns L,TT,EE,BB,TE in the order of the file, with --input-dl or --input-cl" +
               (l.empty() ? "; --columns TT,EE for rows from l = 0 without l" : "") + ")",
           found);
}

// Assigns columns without known names. A FITS table follows the convention of HEALPix. A text may
// have only l and one spectrum, from l = 0 or with C_l or D_l stated (`isDl`).
void assumePlaces(const std::string& path, const NamedColumns& columns,
                  const std::vector<double>& l, std::optional<bool> isDl, SpectrumPlaces& places,
                  std::vector<std::string>& notes) {
    if (!columns.otherNames.empty())
        refuse(path, "a column for each of the names " + listed(columns.otherNames),
               "a different number of columns");
    const size_t count = columns.values.size();
    const bool isOne = count == 1 && !l.empty() && (l.front() == 0.0 || isDl);
    if (columns.isText && !isOne) refuseUnnamed(path, columns, l);
    if (count > 6) refuse(path, "1 to 6 columns of C_l", std::to_string(count));
    places.leftOut.clear();
    std::vector<std::string> assumed;
    for (size_t i = 0; i < count; ++i) {
        places.column[i] = static_cast<int>(i);
        assumed.emplace_back(kSpectrumNames[i]);
    }
    notes.push_back((columns.isUnnamed ? "the file names no columns: taken as l and "
                                       : "the file names no spectra: taken as ") +
                    std::string(isDl.value_or(false) ? "D_l of " : "C_l of ") + listed(assumed) +
                    (columns.isText && !isDl ? " (use --input-dl for D_l)" : ""));
}

// Rows below l = 2 without a value, from a division by l (l + 1) or (l - 1), become 0.
void clearLowMultipoles(const std::vector<double>& l, std::vector<double>& values, bool& cleared) {
    for (size_t i = 0; i < values.size(); ++i)
        if ((l.empty() ? static_cast<double>(i) : l[i]) < 2.0 && !std::isfinite(values[i])) {
            values[i] = 0.0;
            cleared = true;
        }
}

void toCl(const std::vector<double>& l, std::vector<double>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
        const double x = l.empty() ? static_cast<double>(i) : l[i];
        values[i] = x == 0.0 ? 0.0 : values[i] * kTwoPi / (x * (x + 1.0));
    }
}

// Decides for each spectrum whether its values are D_l, and notes assumptions.
class Meaning {
public:
    Meaning(const NamedColumns& columns, const SpectrumReading& stated,
            const SpectrumPlaces& places, const std::vector<double>& l)
        : stated_(stated.isDl), header_(columns.isDl), places_(places) {
        // Theory codes write D_l under the names TT, TE, EE, and begin at l = 2.
        beginsAtTwo_ = places.named && !l.empty() && l.front() >= 2.0;
        // Spectra in bins come from estimators, which write C_l, and from papers, which write D_l.
        isInBins_ = beginsAtTwo_ && l.front() > 2.0 && missingMultipoles(l).count > 0;
        isAmbiguous_ = places.hasLensing && !beginsAtTwo_;
        isSilent_ = !places.named || (!columns.isText && !beginsAtTwo_);
    }
    bool isDl(size_t kind) {
        const std::optional<bool> said = places_.isDl[kind] ? places_.isDl[kind] : header_;
        if (stated_) {
            isOverruled_ = isOverruled_ || (said && *said != *stated_);
            return noted(*stated_);
        }
        isUnsaid_ = isUnsaid_ || !said;
        return noted(said.value_or(beginsAtTwo_));
    }
    void say(const std::string& path, std::vector<std::string>& notes) const {
        if (isUnsaid_ && isInBins_)
            refuse(path,
                   "a header with C_l or D_l for a spectrum in bins, or --input-dl or --input-cl",
                   "neither");
        if (isUnsaid_ && isAmbiguous_)
            refuse(path,
                   "a header with C_l or D_l (CAMB writes D_l with the lensing potential, "
                   "CLASS returns C_l), or --input-dl or --input-cl",
                   "neither");
        if (isUnsaid_ && !isSilent_)
            notes.emplace_back(
                beginsAtTwo_ ? "the named columns begin at l = 2 or above, and the file states "
                               "neither C_l nor D_l: taken as D_l (use --input-cl for C_l)"
                             : "the file states neither C_l nor D_l: taken as C_l (use "
                               "--input-dl for D_l)");
        if (isOverruled_)
            notes.emplace_back(*stated_ ? "the file states C_l: taken as D_l, as requested"
                                        : "the file states D_l: taken as C_l, as requested");
        if (isDivided_) notes.emplace_back("D_l divided by l (l + 1) / (2 pi)");
    }

private:
    bool noted(bool isDl) {
        isDivided_ = isDivided_ || isDl;
        return isDl;
    }
    std::optional<bool> stated_, header_;
    const SpectrumPlaces& places_;
    bool beginsAtTwo_ = false, isInBins_ = false, isAmbiguous_ = false, isSilent_ = false;
    bool isUnsaid_ = false, isOverruled_ = false, isDivided_ = false;
};

SpectrumRows rowsFromColumns(const std::string& path, NamedColumns columns,
                             const SpectrumReading& stated, std::vector<std::string>& notes) {
    applyStatedNames(path, columns, stated, notes);
    SpectrumRows rows;
    rows.l = takeMultipoles(path, columns);
    if (columns.values.empty()) refuse(path, "columns of C_l", "none");
    SpectrumPlaces places = placesByName(path, columns);
    if (!places.named)
        assumePlaces(path, columns, rows.l, stated.isDl ? stated.isDl : columns.isDl, places,
                     notes);
    if (!places.leftOut.empty()) notes.push_back("columns omitted: " + listed(places.leftOut));
    if (columns.healpy) notes.emplace_back("written by healpy: columns C-T and C-G hold EB and TB");
    Meaning meaning(columns, stated, places, rows.l);
    bool isCleared = false;
    for (size_t kind = 0; kind < places.column.size(); ++kind) {
        if (places.column[kind] < 0) continue;
        const auto at = static_cast<size_t>(places.column[kind]);
        clearLowMultipoles(rows.l, columns.values[at], isCleared);
        requireFinite(path, columns.values[at], kSpectrumNames[kind]);
        SpectrumSeries series{static_cast<SpectrumKind>(kind), std::move(columns.values[at]), {}};
        if (places.errors[kind] >= 0)
            series.errors = std::move(columns.values[static_cast<size_t>(places.errors[kind])]);
        clearLowMultipoles(rows.l, series.errors, isCleared);
        if (meaning.isDl(kind)) {
            toCl(rows.l, series.values);
            toCl(rows.l, series.errors);
        }
        if (rows.unit.empty()) rows.unit = columns.units[at];
        rows.series.push_back(std::move(series));
    }
    meaning.say(path, notes);
    if (isCleared) notes.emplace_back("no values at some l below 2: taken as 0");
    return rows;
}

// Each spectrum from l = 0, with zeros below the first row.
Spectra spectraOfRows(const std::string& path, SpectrumRows rows) {
    if (!rows.l.empty()) requireEveryMultipole(path, rows.l, std::nullopt, "C_l");
    const size_t below = rows.l.empty() ? 0 : static_cast<size_t>(rows.l.front());
    Spectra spectra;
    spectra.unit = rows.unit;
    for (SpectrumSeries& series : rows.series) {
        series.values.insert(series.values.begin(), below, 0.0);
        spectra[series.kind] = std::move(series.values);
    }
    return spectra;
}

Curve curveOfRows(const std::string& path, SpectrumRows rows, std::vector<std::string>& notes) {
    Curve curve;
    const MissingMultipoles missing = missingMultipoles(rows.l);
    if (missing.count == 0) {
        const size_t below = rows.l.empty() ? 0 : static_cast<size_t>(rows.l.front());
        std::vector<std::vector<double>> errors;
        for (SpectrumSeries& series : rows.series) {
            if (!series.errors.empty()) series.errors.insert(series.errors.begin(), below, 0.0);
            errors.push_back(std::move(series.errors));
        }
        curve = curveOf(spectraOfRows(path, std::move(rows)));
        // Spectra without values are no series.
        for (size_t i = 0; i < std::min(errors.size(), curve.series.size()); ++i) {
            if (!errors[i].empty()) errors[i].resize(curve.x.size());
            curve.series[i].errors = std::move(errors[i]);
        }
        return curve;
    }
    notes.push_back("l has gaps, " + std::to_string(missing.count) + " from " +
                    std::to_string(static_cast<int64_t>(missing.first)) +
                    " on: read as a curve of the present rows, which cannot serve as the spectrum "
                    "of a sky or filter");
    curve.kind = CurveKind::Spectrum;
    curve.xName = std::string("l");
    curve.x = std::move(rows.l);
    for (SpectrumSeries& series : rows.series)
        curve.series.push_back({kSpectrumNames[static_cast<size_t>(series.kind)], rows.unit,
                                std::move(series.values), std::move(series.errors)});
    return curve;
}

SpectrumRows readRows(const FilePath& where, const SpectrumReading& stated,
                      std::vector<std::string>& notes) {
    checkSpectrumReading(stated);
    if (looksLikeText(where.path) || isHdf5OrParquet(where.path))
        return rowsFromColumns(where.path, readColumns(where.path), stated, notes);
    FitsFile file(where.path);
    const FitsHdu& hdu =
        selectedTable(file, where.hdu, {FileKind::Spectrum, FileKind::Beam}, "a table of C_l");
    if (hdu.type == HduType::Image)
        refuse(where.path, "a table of C_l in HDU " + std::to_string(hdu.number), "an image");
    return rowsFromColumns(where.path, readColumns(file, hdu), stated, notes);
}

}  // namespace

void checkSpectrumReading(const SpectrumReading& stated) {
    if (stated.columns.empty()) return;
    bool hasSpectrum = false;
    for (const std::string& name : stated.columns) {
        const bool isSpectrum = spectrumColumnOf(name).has_value();
        if (!isSpectrum && name != kLeftOutColumn && !isMultipoleName(name) &&
            !isLensingName(name) && !errorsOf(name))
            throw InvalidArgument(
                "expected names of columns as L, TT, EE, BB, TE, TB, EB, TT_ERR, PP, or - for one "
                "to leave out, found " +
                inQuotes(name));
        hasSpectrum = hasSpectrum || isSpectrum;
    }
    if (!hasSpectrum)
        throw InvalidArgument("expected a spectrum among the columns, found " +
                              listed(stated.columns));
}

Spectra readSpectra(const std::string& path, std::vector<std::string>* notes,
                    const SpectrumReading& stated) {
    const FilePath where = parseFilePath(path);
    std::vector<std::string> unwanted;
    std::vector<std::string>& said = notes != nullptr ? *notes : unwanted;
    SpectrumRows rows = readRows(where, stated, said);
    if (std::any_of(rows.series.begin(), rows.series.end(),
                    [](const SpectrumSeries& one) { return !one.errors.empty(); }))
        said.emplace_back("error columns omitted");
    return spectraOfRows(where.path, std::move(rows));
}

Spectra readSpectra(const std::string& path, std::vector<std::string>* notes) {
    return readSpectra(path, notes, {});
}

Curve readSpectrumCurve(const std::string& path, std::vector<std::string>* notes,
                        const SpectrumReading& stated) {
    const FilePath where = parseFilePath(path);
    std::vector<std::string> unwanted;
    std::vector<std::string>& said = notes != nullptr ? *notes : unwanted;
    Curve curve = curveOfRows(where.path, readRows(where, stated, said), said);
    checkCurve(curve);
    return curve;
}

}  // namespace armilla
