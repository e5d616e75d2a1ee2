// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of beams and radial kernels: tables of one value for each l or angle.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/sky_vector.h"
#include "armilla/io/harmonic_io.h"
#include "fits_table.h"
#include "map_table.h"
#include "spectrum_columns.h"
#include "spectrum_names.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

// B_l stored as an image: one row of pixels each for T, E, B.
NamedColumns columnsFromImage(FitsFile& file, const FitsHdu& hdu) {
    const int64_t length = hdu.header.integer("NAXIS1").value_or(0);
    const int64_t rows = hdu.header.integer("NAXIS2").value_or(1);
    const int64_t bitpix = hdu.header.integer("BITPIX").value_or(0);
    if (length < 1 || static_cast<double>(length) > kMaxL || (bitpix != -32 && bitpix != -64))
        refuse(file.path(), "an image of B_l in single or double precision", "another image");
    // One row of the image is treated as a table row of one column.
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

// Column numbers of T, E, B. If a column is named BL (instrument models), the columns after BL are
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

// The unit in a comment "angle UNIT", as a factor to radians; 0 if absent.
double unitOfComments(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
        std::string word;
        for (const char c : comment + " ") {
            if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
                word += c;
                continue;
            }
            if (const auto factor = radiansOfUnit(word)) return *factor;
            word.clear();
        }
    }
    return 0.0;
}

}  // namespace

Beam readBeam(const std::string& path, std::vector<std::string>* notes) {
    const FilePath where = parseFilePath(path);
    NamedColumns columns;
    if (looksLikeText(where.path) || isHdf5OrParquet(where.path)) {
        columns = readColumns(where.path);
    } else {
        FitsFile file(where.path);
        const FitsHdu& hdu =
            selectedTable(file, where.hdu, {FileKind::Beam, FileKind::Spectrum}, "a table of B_l");
        columns = hdu.type == HduType::Image ? columnsFromImage(file, hdu) : readColumns(file, hdu);
    }
    const std::vector<double> l = takeMultipoles(where.path, columns);
    if (!l.empty()) requireEveryMultipole(where.path, l, 0, "B_l");
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
    if (notes && !leftOut.empty()) notes->push_back("omitted from the beam: " + listed(leftOut));
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
        JobContext job;
        file.unpack(job);
        const FitsHdu* hdu = where.hdu ? &file.selected(*where.hdu) : file.hdu(1);
        if (hdu == nullptr || hdu->type == HduType::Image || hdu->type == HduType::Other)
            refuse(where.path, "a table of angle and value", describeHdus(file));
        const NamedColumns columns = readColumns(file, *hdu);
        count = columns.values.size();
        if (count == 2) {
            kernel = {columns.values[0], columns.values[1]};
            factor = radiansOfUnit(columns.units[0]).value_or(0.0);
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
    // 180 degrees in single precision may exceed pi by rounding.
    const bool valid = kernel.angle.size() >= 2 && kernel.angle.size() == kernel.value.size() &&
                       kernel.angle.front() == 0.0 && kernel.angle.back() <= kPi * (1.0 + 1e-6) &&
                       std::adjacent_find(kernel.angle.begin(), kernel.angle.end(),
                                          std::greater_equal<>()) == kernel.angle.end();
    if (!valid)
        refuse(where.path, "at least two angles, ascending from 0 to at most 180 degrees",
               "other angles");
    return kernel;
}

}  // namespace armilla
