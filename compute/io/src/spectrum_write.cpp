// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of power spectra; each format states whether its values are C_l or D_l.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "fits_writer.h"
#include "map_table.h"
#include "spectrum_columns.h"
#include "table_formats.h"

namespace armilla {

namespace {

[[noreturn]] void refuseLargeSpectrum(bool single, size_t kind, size_t l) {
    refuseLarger("spectra", single,
                 "values of " + std::string(kSpectrumNames[kind]) + " at l = " + std::to_string(l));
}

// The present spectra, padded to the longest, as D_l if requested. Column names state C_l or D_l
// unless a comment does (`plainNames`).
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

// Writes spectra as columns, l first. CSV gets no comments, so that every CSV reader works; there
// the names carry the statement, "l,C_TT [K^2]".
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

// Writes ECSV and VOTable as a curve over l.
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
    // Readers use column positions, so all columns before the last present one are written.
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

}  // namespace armilla
