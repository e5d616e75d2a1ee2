// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla info FILE`: describes the contents of a file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>

#include "armilla/core/counted.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/units.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/image_rings.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/spectrum_options.h"

namespace armilla::cli {

namespace {

// Figures of one column. `finite` is the share of finite values; for maps, of the full sky.
struct ColumnFigures {
    std::string name, unit;
    FieldStatistics statistics;
    bool isText = false;  // text has only the share of filled rows
};

std::string_view kindName(FileKind kind) {
    switch (kind) {
        case FileKind::Map: return "map";
        case FileKind::PartialMap: return "partial map";
        case FileKind::MultiOrderMap: return "map";
        case FileKind::Alm: return "alm";
        case FileKind::Spectrum: return "spectrum";
        case FileKind::Beam: return "beam";
        case FileKind::Catalog: return "catalog";
        case FileKind::Samples: return "samples";
        case FileKind::Image: return "image";
    }
    return "";
}

std::string significant(double value, int digits) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    return text.data();
}

ColumnFigures figuresOf(const TableColumn& column) {
    ColumnFigures figures{column.name, column.unit, {}, column.isText()};
    if (!column.isText()) {
        std::vector<double> numbers;
        numbers.reserve(static_cast<size_t>(column.size()));
        for (int64_t row = 0; row < column.rows(); ++row)
            for (int64_t k = 0; k < column.width; ++k) numbers.push_back(column.number(row, k));
        figures.statistics = valueStatistics(numbers);
        return figures;
    }
    const auto& texts = std::get<std::vector<std::string>>(column.values);
    const auto filled = std::count_if(texts.begin(), texts.end(),
                                      [](const std::string& text) { return !text.empty(); });
    figures.statistics = valueStatistics({});
    figures.statistics.finite =
        texts.empty() ? 0.0 : static_cast<double>(filled) / static_cast<double>(texts.size());
    return figures;
}

class Info : public Command {
public:
    std::string_view name() const override { return "info"; }
    std::string_view summary() const override { return "describe the contents of a file"; }

    void fill(Form& form) override {
        const std::string help =
            "files of maps, alm, spectra, beams, catalogs, samples, images or curves";
        form.files.push_back({"FILE", help, &files_, false, true, true, true});
        describe(form.options, spectra_);
    }
    void check() const override { spectra_.check(); }

    void execute(Run& run) override {
        if (files_.size() < 2) {
            file_ = files_.front();
            describeFile(run);
            return;
        }
        // A file that cannot be read does not stop the description of the others.
        Json all = Json::array();
        std::exception_ptr failure;
        for (const std::string& file : files_) {
            file_ = file;
            run.setResult(Json::object());
            try {
                describeFile(run);
            } catch (const Error& error) {
                if (failure) run.note(lastWords_);
                failure = std::current_exception();
                lastWords_ = error.what();
                run.result().set("file", file);
                run.result().set("error", error.what());
            }
            all.add(Json(run.result()));
        }
        Json result = Json::object();
        result.set("files", std::move(all));
        run.setResult(std::move(result));
        if (!failure) return;
        run.finish();
        std::rethrow_exception(failure);
    }

private:
    void describeFile(Run& run) {
        std::optional<Curve> curve;
        std::optional<Table> table;
        const FileSummary summary = naming(file_, [&] {
            try {
                if (!spectra_.columns.empty()) return statedSpectrum();
                return inspectFile(file_, run.job().stopToken(), run.options().statedPixels());
            } catch (const IoError&) {
                curve = findCurve(file_, run.job());
                if (!curve) table = findTable(run);
                if (!curve && !table) throw;
                return FileSummary();
            }
        });
        Json& json = run.result();
        if (table) {
            json.set("kind", "table");
            run.print(file_ + ": table, without positions");
            describeTable(run, *table);
            json.set("file", file_);
            return;
        }
        if (curve) {
            json.set("kind", "curve");
            describeCurve(run, *curve);
            json.set("file", file_);
            return;
        }
        json.set("kind", kindName(summary.kind));
        if (!summary.assumed.empty()) run.note(file_ + ": " + summary.assumed);
        run.print(file_ + ": " + std::string(kindName(summary.kind)));
        naming(file_, [&] {
            switch (summary.kind) {
                case FileKind::Map:
                case FileKind::PartialMap:
                case FileKind::MultiOrderMap: describeMap(run); break;
                case FileKind::Alm: describeAlm(run, summary); break;
                case FileKind::Spectrum: describeSpectrum(run, summary); break;
                case FileKind::Beam: describeBeam(run); break;
                case FileKind::Catalog:
                case FileKind::Samples: describeCatalog(run, summary); break;
                case FileKind::Image: describeImage(run, summary); break;
            }
        });
        listParts(run, summary);
        json.set("file", file_);
        json.set("hdu", summary.hdu);
        naming(file_, [&] { listOthers(run, summary.hdu); });
    }

    // A table without positions; none if the file is no table, or holds pixels that could not be
    // read.
    std::optional<Table> findTable(Run& run) const {
        if (claimsPixels(file_, run.job().stopToken())) return std::nullopt;
        try {
            TableReadOptions options;
            options.variableLength = TableReadOptions::VariableLength::LeaveOut;
            std::vector<std::string> notes;
            options.notes = &notes;
            Table table = readTable(file_, options, run.job());
            // The error of the reader is more useful if columns have no names, or positions are
            // invalid.
            const bool isNamed = table.columns.empty() || table.columns.front().name != "col1";
            const bool isCatalog = findPositions(table) || findTextPositions(table);
            if (!isNamed || isCatalog) return std::nullopt;
            run.notes(file_, notes);
            return table;
        } catch (const IoError&) {
            return std::nullopt;
        }
    }

    static void describeTable(Run& run, const Table& table) {
        run.result().set("rows", table.rows());
        std::vector<ColumnFigures> columns;
        for (const TableColumn& column : table.columns) columns.push_back(figuresOf(column));
        addColumns(run, columns);
        run.print("  " + counted(table.rows(), "row"));
        printColumns(run, columns);
        for (const std::string& name : table.leftOut)
            run.print("  " + name + " (rows of different lengths, or of another type; not read)");
    }

    // Margin caches and maps of a catalog in a folder.
    static void listParts(Run& run, const FileSummary& summary) {
        if (summary.parts.empty()) return;
        Json margins = Json::array(), maps = Json::array();
        for (const FolderPart& part : summary.parts) {
            const bool isMap = part.kind == FolderPart::Kind::Map;
            (isMap ? maps : margins).add(Json(part.path));
            run.print(std::string(isMap ? "  map " : "  margin ") + part.path + ": " + part.text);
        }
        run.result().set("margins", std::move(margins));
        run.result().set("maps", std::move(maps));
    }

    // Lists the other HDUs of a file, with the selector that opens each.
    void listOthers(Run& run, int shown) {
        const std::vector<HduSummary> list = listHdus(file_, run.job().stopToken());
        Json hdus = Json::array();
        const size_t bracket = file_.ends_with(']') ? file_.rfind('[') : std::string::npos;
        const std::string plain = file_.substr(0, bracket);
        bool others = false;
        for (const HduSummary& hdu : list) {
            Json one = Json::object();
            one.set("hdu", hdu.number);
            one.set("name", hdu.name);
            one.set("kind", hdu.kind ? Json(kindName(*hdu.kind)) : Json());
            one.set("shape", hdu.shape);
            hdus.add(std::move(one));
            others = others || (hdu.number != shown && hdu.shape != "no data");
        }
        run.result().set("hdus", std::move(hdus));
        if (!others) return;
        run.print("  HDUs:");
        for (const HduSummary& hdu : list)
            run.print("  " + std::string(hdu.number == shown ? "* " : "  ") + plain + "[" +
                      hdu.selector + "] " +
                      (hdu.name.empty() || hdu.name == hdu.selector ? "" : "'" + hdu.name + "', ") +
                      std::string(hdu.kind ? kindName(*hdu.kind) : "nothing known") + ", " +
                      hdu.shape);
    }

    // Stated columns are those of a spectrum, even if the file does not name it.
    static FileSummary statedSpectrum() {
        FileSummary summary;
        summary.kind = FileKind::Spectrum;
        return summary;
    }

    static void addSeries(std::vector<ColumnFigures>& columns, const Curve& curve) {
        for (const CurveSeries& series : curve.series) {
            columns.push_back({series.name, series.unit, valueStatistics(series.values)});
            if (!series.errors.empty())
                columns.push_back(
                    {series.name + "_ERR", series.unit, valueStatistics(series.errors)});
        }
    }

    void describeCurve(Run& run, const Curve& curve) {
        constexpr std::array<const char*, 7> kKinds{
            "curve", "spectrum", "correlation", "profile", "histogram", "beam", "kernel"};
        const std::string kind = kKinds.at(static_cast<size_t>(curve.kind));
        Json& json = run.result();
        json.set("curve", kind);
        json.set("points", curve.size());
        json.set("x", curve.xName);
        json.set("x_unit", curve.xUnit);
        json.set("covariance", !curve.covariance.empty());
        run.print(file_ + (curve.kind == CurveKind::Plain ? ": curve" : ": curve, " + kind));
        std::vector<ColumnFigures> columns{{curve.xName, curve.xUnit, valueStatistics(curve.x)}};
        addSeries(columns, curve);
        addColumns(run, columns);
        run.print("  " + std::to_string(curve.size()) + (curve.xLow.empty() ? " points" : " bins") +
                  (curve.covariance.empty() ? "" : ", with their covariance"));
        printColumns(run, columns);
    }

    // Frame of the file, or the stated frame if the file names none.
    static Frame frameOf(Frame found, Run& run) { return framedAs(found, requestOf(run)); }
    static ReadRequest requestOf(Run& run) {
        return {{}, run.options().inputFrame, false, [&run](const std::string& line) {
                    run.note(line);
                }};
    }

    void describeMap(Run& run) {
        MapReadOptions options;
        if (!run.options().field.empty()) options.fields = {run.options().field};
        options.stated = run.options().statedPixels();
        std::vector<std::string> notes;
        options.notes = &notes;
        JobContext reading = run.job().part(0.0, 0.7);
        HealpixMap map = readMap(file_, options, reading);
        run.notes(file_, notes);
        map.setFrame(framedAsPixels(map.frame(), requestOf(run)));
        const bool multiOrder = map.coverage() == Coverage::MultiOrder;
        Json& json = run.result();
        json.set("nside", map.nside());
        json.set("ordering", multiOrder ? "NUNIQ" : orderingName(map.ordering()));
        json.set("frame", frameJson(map.frame()));
        std::vector<ColumnFigures> columns;
        for (int i = 0; i < map.fieldCount(); ++i) {
            JobContext part = run.job().part(0.7 + 0.3 * i / map.fieldCount(),
                                             0.7 + 0.3 * (i + 1) / map.fieldCount());
            FieldStatistics figures = fieldStatistics(map, i, part);
            // U is in COSMO convention in memory; the printed figures are in the convention of the
            // file.
            if (map.metadata().iauOnDisk && stokesParameter(map.field(i).name) == 'U') {
                figures.mean = -figures.mean;
                figures.min = -std::exchange(figures.max, -figures.min);
            }
            columns.push_back({map.field(i).name, map.field(i).unit, figures});
        }
        if (map.metadata().iauOnDisk) json.set("polcconv", "IAU");
        addColumns(run, columns);
        json.set("coverage", multiOrder                            ? "multi-order"
                             : map.coverage() == Coverage::Partial ? "partial"
                                                                   : "full");
        json.set(multiOrder ? "cells" : "pixels", map.elementCount());
        run.print("  " + summaryOf(map) + ", " + std::to_string(map.elementCount()) +
                  (multiOrder ? " cells" : " pixels"));
        printColumns(run, columns);
        if (map.metadata().iauOnDisk)
            run.print(
                "  U as in the file, in IAU convention (POLCCONV); pictures and results use COSMO, "
                "where U has the opposite sign");
    }

    void describeAlm(Run& run, const FileSummary& summary) {
        int spin = 0;
        const std::vector<Alm> alm = readAlm(file_, run.job(), &spin);
        const std::vector<std::string> names = alm.size() == 2
                                                   ? std::vector<std::string>{"GRADIENT", "CURL"}
                                                   : std::vector<std::string>{"T", "E", "B"};
        Json& json = run.result();
        if (spin > 0) json.set("spin", spin);
        json.set("lmax", alm.empty() ? -1 : alm.front().lmax());
        json.set("mmax", alm.empty() ? -1 : alm.front().mmax());
        const Frame frame = framedAsPixels(summary.frame, requestOf(run));
        json.set("frame", frameJson(frame));
        const std::string unit = summary.columns.empty() ? "" : summary.columns.front().unit;
        std::vector<ColumnFigures> columns;
        for (size_t i = 0; i < alm.size(); ++i) {
            std::vector<double> sizes;
            sizes.reserve(alm[i].values().size());
            for (const auto& value : alm[i].values()) sizes.push_back(std::abs(value));
            columns.push_back({names.at(i), unit, valueStatistics(sizes)});
        }
        addColumns(run, columns);
        if (!alm.empty())
            run.print((spin > 0 ? "  spin " + std::to_string(spin) + "," : std::string(" ")) +
                      " lmax " + std::to_string(alm.front().lmax()) + ", mmax " +
                      std::to_string(alm.front().mmax()) +
                      (frame == Frame::Unknown ? "" : ", " + std::string(frameName(frame))) +
                      "; figures of the absolute values");
        printColumns(run, columns);
    }

    void describeSpectrum(Run& run, const FileSummary& summary) {
        std::vector<std::string> notes;
        const Curve spectra = readSpectrumCurve(file_, &notes, spectra_.reading());
        run.notes(file_, notes);
        const std::string least = significant(spectra.x.front(), 9),
                          most = significant(spectra.x.back(), 9);
        run.result().set("lmax", static_cast<int64_t>(spectra.x.back()));
        run.result().set("frame", frameJson(frameOf(summary.frame, run)));
        std::vector<ColumnFigures> columns;
        addSeries(columns, spectra);
        addColumns(run, columns);
        run.print("  l from " + least + " to " + most);
        printColumns(run, columns);
    }

    void describeBeam(Run& run) {
        std::vector<std::string> notes;
        const Beam beam = readBeam(file_, &notes);
        run.notes(file_, notes);
        constexpr std::array<const char*, 3> kNames{"T", "E", "B"};
        run.result().set("lmax", beam.lmax());
        run.result().set("frame", Json());
        std::vector<ColumnFigures> columns;
        for (size_t i = 0; i < kNames.size(); ++i)
            if (!beam.bl[i].empty())
                columns.push_back({kNames[i], "", valueStatistics(beam.bl[i])});
        addColumns(run, columns);
        run.print("  l from 0 to " + std::to_string(beam.lmax()));
        printColumns(run, columns);
    }

    void describeCatalog(Run& run, const FileSummary& summary) {
        const Catalog catalog = readFramedCatalog(file_, requestOf(run), run.job());
        if (catalog.rows() == 0) run.note(file_ + ": " + kNoRows);
        const Frame frame =
            frameOf(catalog.frame() == Frame::Unknown ? summary.frame : catalog.frame(), run);
        run.result().set("rows", catalog.rows());
        run.result().set("frame", frameJson(frame));
        std::vector<ColumnFigures> columns;
        for (const TableColumn& column : catalog.table.columns)
            columns.push_back(figuresOf(column));
        addColumns(run, columns);
        run.print("  " + counted(catalog.rows(), "row") + ", " + std::string(frameName(frame)));
        printColumns(run, columns);
        for (const std::string& name : catalog.table.leftOut)
            run.print("  " + name + " (rows of different lengths, or of another type; not read)");
    }

    // Images whose axes are not celestial are described by their header alone.
    void describeImage(Run& run, const FileSummary& summary) {
        Json& json = run.result();
        if (!summary.isOnSky) {
            json.set("frame", Json());
            json.set("fields", Json::array());
            run.print(
                "  " + summary.shape +
                " pixels, without a position on the sky (CTYPEn name no longitude and latitude)");
            return;
        }
        const Image image = readFramedImage(file_, requestOf(run), run.job());
        const Frame frame = frameOf(image.frame, run);
        json.set("frame", frameJson(frame));
        json.set("width", image.width);
        json.set("height", image.height);
        json.set("planes", static_cast<int64_t>(image.planes.size()));
        const double pixel = ImageWcs(image).pixelSize();
        json.set("resolution_deg", pixel / kDegree);
        const std::vector<double> values =
            std::visit([](const auto& all) { return std::vector<double>(all.begin(), all.end()); },
                       image.values);
        const std::vector<ColumnFigures> columns{{image.name, image.unit, valueStatistics(values)}};
        addColumns(run, columns);
        const size_t planes = image.planes.size();
        const std::string along = image.axisName.empty() ? "" : " along " + image.axisName;
        run.print("  " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                  " pixels of " + formatAngle(pixel) + ", " + std::string(frameName(frame)) +
                  (planes > 1 ? ", " + counted(planes, "plane") + along : ""));
        describeRings(run, image);
        printColumns(run, columns);
    }

    // Images on rings are input of harmonic operations.
    static void describeRings(Run& run, const Image& image) {
        const std::optional<RingsOfImage> rings = ringsOfImage(image);
        if (!rings) return;
        Json json = Json::object();
        json.set("columns_in_turn", rings->columns);
        json.set("rows_from_pole_to_pole", rings->rows);
        json.set("poles_on_rows", rings->hasPoles);
        json.set("lmax", rings->lmax);
        run.result().set("rings", std::move(json));
        run.print("  rows on rings of an equidistant grid of " + std::to_string(rings->rows) +
                  " x " + std::to_string(rings->columns) + " samples (" +
                  (rings->hasPoles ? "poles on rows" : "no row on a pole") +
                  "); harmonic operations up to lmax " + std::to_string(rings->lmax));
    }

    static void addColumns(Run& run, const std::vector<ColumnFigures>& columns) {
        Json fields = Json::array();
        for (const ColumnFigures& column : columns) {
            Json field = Json::object();
            field.set("name", column.name);
            field.set("unit", column.unit);
            field.set("finite", column.statistics.finite);
            if (column.isText) field.set("type", "text");
            field.set("min", column.statistics.min);
            field.set("max", column.statistics.max);
            field.set("mean", column.statistics.mean);
            field.set("std", column.statistics.standardDeviation);
            fields.add(std::move(field));
        }
        run.result().set("fields", std::move(fields));
    }

    static void printColumns(Run& run, const std::vector<ColumnFigures>& columns) {
        std::array<char, 160> line{};
        std::snprintf(line.data(), line.size(), "  %-20s %-12s %9s %13s %13s %13s %13s", "field",
                      "unit", "finite", "min", "max", "mean", "std");
        run.print(line.data());
        for (const ColumnFigures& column : columns) {
            const FieldStatistics& s = column.statistics;
            if (column.isText) {
                std::snprintf(line.data(), line.size(), "  %-20s %-12s %7s %% %13s",
                              column.name.c_str(), column.unit.c_str(),
                              significant(100.0 * s.finite, 5).c_str(), "text");
                run.print(line.data());
                continue;
            }
            std::snprintf(line.data(), line.size(), "  %-20s %-12s %7s %% %13s %13s %13s %13s",
                          column.name.c_str(), column.unit.c_str(),
                          significant(100.0 * s.finite, 5).c_str(), significant(s.min, 7).c_str(),
                          significant(s.max, 7).c_str(), significant(s.mean, 7).c_str(),
                          significant(s.standardDeviation, 7).c_str());
            run.print(line.data());
        }
    }

    std::vector<std::string> files_;
    SpectrumOptions spectra_;
    std::string file_;       // file being described
    std::string lastWords_;  // message of the last failure
};

}  // namespace

std::unique_ptr<Command> makeInfo() {
    return std::make_unique<Info>();
}

}  // namespace armilla::cli
