// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/convert_layers.h"

#include <optional>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/text_positions.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/usage_error.h"
#include "cli/files.h"
#include "cli/given_options.h"
#include "cli/run.h"
#include "cli/spectrum_options.h"

namespace armilla::cli {

namespace {

// Kind of a file that is no map; none for a map.
std::optional<DataKind> otherKind(Run& run, const std::string& path, JobContext& job) {
    try {
        const FileSummary summary =
            inspectFile(path, job.stopToken(), run.options().statedPixels());
        if (!summary.assumed.empty()) run.note(path + ": " + summary.assumed);
        switch (summary.kind) {
            case FileKind::Map:
            case FileKind::PartialMap:
            case FileKind::MultiOrderMap: return std::nullopt;
            case FileKind::Catalog:
            case FileKind::Samples: return DataKind::Catalog;
            case FileKind::Image: return DataKind::Image;
            case FileKind::Spectrum: return DataKind::Spectra;
            case FileKind::Beam: return DataKind::Beam;
            case FileKind::Alm: return std::nullopt;
        }
    } catch (const IoError& unreadable) {
        try {
            if (findCurve(path, job)) return DataKind::Curve;
            if (claimsPixels(path, job.stopToken())) throw unreadable;
            readCurve(path, job);
            return DataKind::Table;
        } catch (const Error&) {
            throw unreadable;
        }
    }
    return std::nullopt;
}

class Convert : public Command {
public:
    explicit Convert(std::unique_ptr<Command> maps) : maps_(std::move(maps)) {}

    std::string_view name() const override { return maps_->name(); }
    std::string_view summary() const override { return maps_->summary(); }
    std::string_view manual() const override {
        return "Catalogs, tables, curves, spectra, beams and images are converted to the format "
               "that the suffix of OUT names. --plane selects planes of a cube; by default all are "
               "kept. An image with --nside becomes a map: the value between its pixels at the "
               "centers of the map, or their mean where they are smaller (counts are summed). All "
               "other options apply to maps.";
    }
    DeviceSupport devices() const override { return maps_->devices(); }
    void check() const override {
        maps_->check();
        spectra_.check();
    }

    void fill(Form& form) override {
        maps_->fill(form);
        in_ = form.files.at(0).target;
        out_ = form.files.at(1).target;
        given_.remember(form.rows);
        for (const Parameter& row : form.rows)
            if (row.name == "fields") fields_ = row;
        form.options.words("plane", planes_, {.standard = "all"},
                           "planes of a cube, by name or number from 1, such as 1,3-5");
        form.options.flag("dl", asDl_, {}, kDlHelp);
        describe(form.options, spectra_);
    }

    void execute(Run& run) override {
        checkOutput(out_->front(), run.options().overwrite);
        // Stated columns are those of a spectrum, even if the file does not name it.
        const std::optional<DataKind> kind =
            spectra_.columns.empty() ? otherKind(run, in_->front(), run.job()) : DataKind::Spectra;
        if (kind != DataKind::Spectra)
            spectra_.refuseIfGiven(std::string(dataKindName(kind.value_or(DataKind::Map))),
                                   in_->front());
        if (asDl_ && kind != DataKind::Spectra)
            throw UsageError("--dl: expected a spectrum, found " +
                             std::string(dataKindName(kind.value_or(DataKind::Map))) + " in " +
                             in_->front());
        if (!planes_.empty() && kind != DataKind::Image)
            throw UsageError("--plane: expected an image, found " +
                             std::string(dataKindName(kind.value_or(DataKind::Map))) + " in " +
                             in_->front());
        if (asDl_) requireDlName(out_->front());
        const bool isToMap = kind == DataKind::Image && !given_.among({"nside"}).empty();
        if (isToMap && !planes_.empty()) {
            if (!given_.among({"fields"}).empty())
                throw UsageError("expected --plane or --fields, found both");
            fields_.assign(planes_);
        }
        if (!kind || isToMap) {
            maps_->execute(run);
            return;
        }
        if (const std::string others = given_.besides({}); !others.empty())
            throw UsageError(others + ": expected a map" +
                             (kind == DataKind::Image ? " (--nside N makes one of an image)" : "") +
                             ", found " + std::string(dataKindName(*kind)) + " in " + in_->front());
        const std::string &in = in_->front(), &out = out_->front();
        const bool overwrite = run.options().overwrite;
        checkOutputName(out, overwrite, *kind);
        const std::string summary = *kind == DataKind::Image
                                        ? convertImage(run, in, out)
                                        : convert(run, *kind, in, out, overwrite);
        run.result().set("output", out);
        run.result().set("kind", dataKindName(*kind));
        run.print("wrote " + out + ": " + summary);
    }

private:
    // Keeps the selected planes, with the names that --field of render takes.
    std::string convertImage(Run& run, const std::string& in, const std::string& out) const {
        JobContext reading = run.job().part(0.0, 0.5), writing = run.job().part(0.5, 1.0);
        std::vector<std::string> words = planes_;
        if (words.empty() && !run.options().field.empty())
            words = splitAtCommas(run.options().field);
        size_t all = 0;
        const Image image = naming(in, [&] {
            Image read = readFramedImage(in, {{}, run.options().inputFrame}, reading);
            all = read.planes.size();
            if (words.empty()) return read;
            const std::vector<int> kept = planesNamed(read, words);
            return withPlanes(std::move(read), kept);
        });
        FileWriteOptions file;
        file.overwrite = run.options().overwrite;
        file.history = run.history();
        file.precision = run.options().precision.value_or(
            image.values.index() == 0 ? StoredPrecision::Single : StoredPrecision::Double);
        naming(out, [&] { writeImage(image, out, file, writing); });
        Json names = Json::array();
        for (const ImagePlane& plane : image.planes) names.add(plane.name);
        run.result().set("planes", std::move(names));
        std::string size =
            std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels";
        const std::string kept = std::to_string(image.planes.size());
        if (all > 1)
            size += (image.planes.size() == all ? ", all " + kept
                                                : ", " + kept + " of " + std::to_string(all)) +
                    " planes";
        return size;
    }

    std::string convert(Run& run, DataKind kind, const std::string& in, const std::string& out,
                        bool overwrite) const {
        JobContext reading = run.job().part(0.0, 0.5), writing = run.job().part(0.5, 1.0);
        const TableWriteOptions rows{overwrite, run.history()};
        const ReadRequest stated{
            {}, run.options().inputFrame, false, [&run](const std::string& line) {
                run.note(line);
            }};
        FileWriteOptions file;
        file.overwrite = overwrite;
        file.history = run.history();
        if (kind == DataKind::Spectra) {
            std::vector<std::string> notes;
            const Curve curve =
                naming(in, [&] { return readSpectrumCurve(in, &notes, spectra_.reading()); });
            run.notes(in, notes);
            if (!isOfSpectra(curve)) {
                if (asDl_)
                    throw InvalidArgument(
                        "--dl: expected C_l at every l without errors, found a curve in " + in);
                naming(out, [&] { writeCurve(curve, out, rows, writing, file.precision); });
                return counted(curve.size(), "point");
            }
            if (const std::string leftOut = leftOutOf(curve, out); !leftOut.empty())
                run.note(out + ": " + leftOut);
            const Spectra spectra = spectraOf(curve);
            file.asDl = asDl_;
            file.precision = run.options().precision.value_or(file.precision);
            naming(out, [&] { writeSpectra(spectra, out, file, writing); });
            return "lmax " + std::to_string(spectra.lmax());
        }
        if (kind == DataKind::Curve || kind == DataKind::Beam) {
            std::vector<std::string> notes;
            const Curve curve = naming(in, [&] {
                return kind == DataKind::Beam ? curveOf(readBeam(in, &notes))
                                              : readCurve(in, reading);
            });
            run.notes(in, notes);
            if (const std::string leftOut = leftOutOf(curve, out); !leftOut.empty())
                run.note(out + ": " + leftOut);
            naming(out, [&] {
                writeCurve(curve, out, rows, writing,
                           run.options().precision.value_or(StoredPrecision::Double));
            });
            return counted(curve.size(), "point");
        }
        if (out.ends_with(".reg")) {
            const InputSlot slot{.name = "MAP", .kind = DataKind::Catalog};
            Output regions;
            const Input input = readInput(slot, ParameterSet(NoOptions{}), in, stated, reading);
            regions.data = input.data;
            writeOutput(regions, out, overwrite, {}, run.history(), writing);
            return counted(input.catalog().rows(), "row");
        }
        TableReadOptions options;
        options.variableLength = TableReadOptions::VariableLength::LeaveOut;
        const Table table = naming(in, [&] {
            Table read = readTable(in, options, reading);
            auto positions = findPositions(read);
            // Sexagesimal positions become numbers where they change.
            if (auto text = positions ? std::nullopt : findTextPositions(read);
                text && equatorialFrameOf(read, *text, statedEquatorial(stated))) {
                addDegrees(read, *text);
                positions = text;
            }
            if (positions) {
                turnToIcrs(read, *positions, statedEquatorial(stated), reading);
                noteTurned(read, in, stated);
            }
            if (stated.statedFrame)
                read.frame = framedAs(positions ? positions->frame : read.frame, stated);
            // The system that the file names no longer applies to positions stated as ICRS.
            if (stated.statedFrame && read.frame == Frame::Equatorial) setUnknownSystem(read, "");
            return read;
        });
        for (const std::string& name : table.leftOut)
            run.note(name + ": rows of different lengths, or of another type; skipped");
        naming(out, [&] { writeTable(table, out, rows, writing); });
        return counted(table.rows(), "row") + ", " + counted(table.columns.size(), "column");
    }

    std::unique_ptr<Command> maps_;
    std::vector<std::string>*in_ = nullptr, *out_ = nullptr;
    GivenOptions given_;
    Parameter fields_;  // the row of --fields
    std::vector<std::string> planes_;
    bool asDl_ = false;
    SpectrumOptions spectra_;
};

}  // namespace

std::unique_ptr<Command> convertingLayers(std::unique_ptr<Command> maps) {
    return std::make_unique<Convert>(std::move(maps));
}

}  // namespace armilla::cli
