// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/files.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "armilla/core/icrs_positions.h"
#include "armilla/core/text_positions.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_extensions.h"
#include "armilla/io/map_io.h"
#include "armilla/io/region_io.h"
#include "armilla/io/table_io.h"
#include "catalog_files.h"
#include "coefficient_file.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

// A map of one base pixel set with the column names of the file. The map itself decides which
// columns are T, Q and U, and this happens before the values are read.
HealpixMap mapOfNames(const FileSummary& summary) {
    std::vector<Field> named;
    for (const ColumnInfo& column : summary.columns)
        named.push_back({column.name, column.unit, column.type, std::vector<float>(12)});
    if (named.empty()) named.push_back({"", "", DiskType::Float32, std::vector<float>(12)});
    return {1, Ordering::Ring, Frame::Unknown, std::move(named)};
}

// Names of the requested field and, if it is Q or U, of its partner.
std::vector<std::string> columnAndPartner(const std::string& path, const ReadRequest& request,
                                          JobContext& job) {
    const std::string wanted = request.field.empty() ? "1" : request.field;
    const HealpixMap named = mapOfNames(inspectFile(path, job.stopToken(), request.stated()));
    int index = -1;
    try {
        index = named.fieldIndex(wanted);
    } catch (const InvalidArgument&) {
        return {wanted};  // the reader reports the error
    }
    for (const auto& [q, u] : named.polarizationPairs()) {
        if (index == q) return {wanted, std::to_string(u + 1)};
        if (index == u) return {wanted, std::to_string(q + 1)};
    }
    return {wanted};
}

std::vector<std::string> polarizationColumns(const std::string& path, const ReadRequest& request,
                                             JobContext& job) {
    const FileSummary summary = inspectFile(path, job.stopToken(), request.stated());
    const auto found = mapOfNames(summary).polarizationFields();
    if (!found) {
        std::string names;
        for (const ColumnInfo& column : summary.columns)
            names += (names.empty() ? "" : ", ") + column.name;
        const bool hasPair = !mapOfNames(summary).polarizationPairs().empty();
        throw InvalidArgument("expected the fields T, Q and U, found " +
                              (names.empty() ? "no field" : names) +
                              (hasPair ? "; map2alm --qu transforms Q and U alone" : ""));
    }
    std::vector<std::string> fields;
    for (const int index : *found) fields.push_back(std::to_string(index + 1));
    return fields;
}

}  // namespace

StatedPixels ReadRequest::stated() const {
    StatedPixels facts = pixels;
    facts.fileDecides = isBeside;
    return facts;
}

Frame framedAs(Frame found, const ReadRequest& request) {
    if (!request.statedFrame || request.statedFrame->frame == found) return found;
    if (found == Frame::Unknown) return request.statedFrame->frame;
    if (request.isBeside) return found;
    throw InvalidArgument("expected no --input-frame, or " + std::string(1, frameLetter(found)) +
                          " as the file states, found " + statedFrameWord(*request.statedFrame));
}

Frame framedAsPixels(Frame found, const ReadRequest& request) {
    const auto stated = statedEquatorial(request);
    if (stated && stated->system == EquatorialSystem::Fk4 &&
        (found == Frame::Unknown || !request.isBeside))
        throw InvalidArgument(
            "expected --input-frame G, E, C or FK5 for a map or coefficients, found FK4, which "
            "cannot be rotated to the frames of pixels");
    return framedAs(found, request);
}

std::optional<EquatorialFrame> statedEquatorial(const ReadRequest& request) {
    if (!request.statedFrame) return std::nullopt;
    const EquatorialFrame& stated = request.statedFrame->equatorial;
    return stated.system == EquatorialSystem::Icrs ? std::nullopt : std::optional(stated);
}

Image readFramedImage(const std::string& path, const ReadRequest& request, JobContext& job) {
    Image image = readImage(path, job);
    const auto stated = statedEquatorial(request);
    if (stated && image.frame == Frame::Equatorial) stateEquatorialFrame(image, *stated);
    image.frame = framedAs(image.frame, request);
    if (const auto own = ImageWcs(image).equatorial()) {
        requireNotIcrs(equatorialName(*own), request);
        if (request.note)
            request.note(path + ": pixel positions converted from " + equatorialName(*own) +
                         " to ICRS");
    }
    return image;
}

MapReadOptions mapReadOptions(const Columns& columns, const std::string& path,
                              const ReadRequest& request, JobContext& job) {
    MapReadOptions options;
    options.stated = request.stated();
    switch (columns.choice) {
        case Columns::Choice::One:
            options.fields = {request.field.empty() ? "1" : request.field};
            break;
        case Columns::Choice::Several:
            if (request.field != "all")
                options.fields = splitAtCommas(request.field.empty() ? "1" : request.field);
            break;
        case Columns::Choice::OneWithPartner:
            options.fields = columnAndPartner(path, request, job);
            break;
        case Columns::Choice::Polarization:
            if (!request.field.empty())
                throw UsageError(
                    "expected --polarization, for the fields T, Q and U, or --field, found both");
            options.fields = polarizationColumns(path, request, job);
            break;
        case Columns::Choice::All: break;
        case Columns::Choice::Named:
            options.fields = columns.names;
            if (options.fields.empty() && !request.field.empty() && request.field != "all")
                options.fields = splitAtCommas(request.field);
            break;
    }
    return options;
}

namespace {

// Kind of the file given where a map is expected. Some operations accept other kinds, others report
// them. None if the kind is not recognized.
std::optional<FileKind> kindIn(const std::string& path, const ReadRequest& request,
                               const JobContext& job) {
    try {
        return inspectFile(path, job.stopToken(), request.stated()).kind;
    } catch (const Error&) {
        return std::nullopt;
    }
}

void readImageInto(Input& input, const std::string& path, const ReadRequest& request,
                   JobContext& job) {
    input.data =
        std::shared_ptr<const Image>(std::make_shared<Image>(readFramedImage(path, request, job)));
}

void readMapInto(Input& input, const Columns& columns, const std::string& path,
                 const ReadRequest& request, JobContext& job) {
    MapReadOptions options = mapReadOptions(columns, path, request, job);
    std::vector<std::string> notes;
    options.notes = &notes;
    auto map = std::make_shared<HealpixMap>(readMap(path, options, job));
    tellNotes(request, path, notes);
    map->setFrame(framedAsPixels(map->frame(), request));
    input.fields.resize(static_cast<size_t>(map->fieldCount()));
    std::iota(input.fields.begin(), input.fields.end(), 0);
    if (columns.choice == Columns::Choice::OneWithPartner) {
        // The reader keeps the requested order of fields, not that of the file.
        input.fields.resize(1);
    }
    input.data = std::shared_ptr<const HealpixMap>(std::move(map));
}

void readMapOrOtherInto(Input& input, const InputSlot& slot, const Columns& columns,
                        const std::string& path, const ReadRequest& request, JobContext& job) {
    try {
        readMapInto(input, columns, path, request, job);
    } catch (const InvalidArgument&) {  // coefficients and images have no fields T, Q, U
        const std::optional<FileKind> kind = kindIn(path, request, job);
        if (slot.orAlm && kind == FileKind::Alm)
            input.data = readAlmSet(path, request, job);
        else if (slot.orImage && kind == FileKind::Image)
            readImageInto(input, path, request, job);
        else
            throw;
    } catch (const IoError&) {
        const std::optional<FileKind> kind = kindIn(path, request, job);
        const bool isTable = kind == FileKind::Catalog || kind == FileKind::Samples;
        const bool isNamed = !columns.places.empty() && !claimsPixels(path, job.stopToken());
        if (slot.orCatalog && (isTable || isNamed))
            input.data = readPlacedCatalog(path, columns, request, job);
        else if (slot.orAlm && kind == FileKind::Alm)
            input.data = readAlmSet(path, request, job);
        else if (kind == FileKind::Image)
            readImageInto(input, path, request, job);
        else {
            // The inspection states the reason why the file is no catalog.
            if (slot.orCatalog && !kind) inspectFile(path, job.stopToken(), request.stated());
            throw;
        }
    }
}

template <typename T>
Data share(T value) {
    return std::shared_ptr<const T>(std::make_shared<T>(std::move(value)));
}

bool isLiteral(const InputSlot& slot, const std::string& text) {
    if (!slot.literals.empty()) {
        const std::vector<std::string> words = splitAtCommas(slot.literals);
        if (std::find(words.begin(), words.end(), text) != words.end()) return true;
    }
    if (!slot.takesNumber) return false;
    std::error_code ignored;
    Parameter number;
    number.kind = ParameterKind::Number;
    try {
        number.parse(text);
    } catch (const InvalidArgument&) {
        return false;
    }
    return !fs::exists(text, ignored);
}

// Suffix of a file name, such as ".fits" of "a.b.fits"; empty if there is none. A dot before a
// digit, as in "map_1.5deg", or before more than five letters begins no suffix.
std::string suffixOf(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return "";
    const std::string suffix = name.substr(dot);
    // A longer word is a part of the name, except for one format.
    if (suffix == ".parquet") return suffix;
    if (suffix.size() > 6) return "";
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0; };
    if (!std::all_of(suffix.begin() + 1, suffix.end(), isWord)) return "";
    return std::isalpha(static_cast<unsigned char>(suffix[1])) != 0 ? suffix : "";
}

// Label of a region: the name and the verdict, such as "M 31: ACCEPTED, class 3, a note".
std::string regionLabel(const Table& table, int64_t row) {
    const auto text = [&](const char* column) {
        const auto at = table.find(column);
        return at ? table.columns[static_cast<size_t>(*at)].text(row) : std::string();
    };
    std::string label = text("NAME"), verdict = text("VERDICT");
    if (verdict.empty()) return label;
    if (const std::string group = text("CLASS"); !group.empty() && group != "0")
        verdict += ", class " + group;
    if (const std::string note = text("NOTE"); !note.empty()) verdict += ", " + note;
    return label.empty() ? verdict : label + ": " + verdict;
}

// Writes a named circle for each row with a position, as wide as the fitted Gaussian if there is
// one.
void writeRegions(const Catalog& catalog, const std::string& path, bool overwrite,
                  const std::vector<std::string>& history) {
    const Table& table = catalog.table;
    // The command sources writes FWHM_MAJ in degrees; the catalogs of Planck have GAU_SEMI1 in arc
    // minutes.
    const auto degrees = table.find("FWHM_MAJ"), minutes = table.find("GAU_SEMI1");
    const auto size = degrees ? degrees : minutes;
    const double unit = degrees ? kDegree : kArcmin;
    std::vector<NamedRegion> regions;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        const LonLat at = catalog.at(row);
        if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
        NamedRegion named;
        named.region.frame = catalog.frame();
        named.region.points = {at};
        const double fwhm =
            size ? table.columns[static_cast<size_t>(*size)].number(row) * unit : 0.0;
        // Radius of half the FWHM; if the FWHM is unknown, 1 arcmin, which is visible as a mark.
        named.region.first = fwhm > 0.0 ? 0.5 * fwhm : kArcmin;
        named.text = regionLabel(table, row);
        regions.push_back(std::move(named));
    }
    std::vector<std::string> origin = table.history;
    origin.insert(origin.end(), history.begin(), history.end());
    writeFileAtomically(path, regionText(regions, origin), overwrite);
}

}  // namespace

NamedFile namedFile(std::string_view slot, const std::string& text) {
    const size_t equals = text.find('=');
    NamedFile named{text.substr(0, equals), {}, {}};
    const auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0; };
    const auto isPart = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (equals == std::string::npos || equals + 1 == text.size() || named.name.empty() ||
        !isLetter(static_cast<unsigned char>(named.name.front())) ||
        !std::all_of(named.name.begin(), named.name.end(), isPart))
        throw UsageError("--" + std::string(slot) +
                         ": expected NAME=FILE, NAME=FILE#FIELD or NAME=NUMBER, found '" + text +
                         "'");
    named.path = text.substr(equals + 1);
    std::error_code ignored;
    const size_t hash = named.path.rfind('#');
    if (hash == std::string::npos || fs::exists(named.path, ignored)) return named;
    named.field = named.path.substr(hash + 1);
    named.path.resize(hash);
    if (named.path.empty() || named.field.empty())
        throw UsageError("--" + std::string(slot) + ": expected NAME=FILE#FIELD, found '" + text +
                         "'");
    return named;
}

Input readInput(const InputSlot& slot, const ParameterSet& parameters, const std::string& path,
                const ReadRequest& request, JobContext& job) {
    if (slot.isNamed) {
        const NamedFile named = namedFile(slot.name, path);
        InputSlot plain = slot;
        plain.isNamed = false;
        ReadRequest part = request;
        if (!named.field.empty()) part.field = named.field;
        // A field is read with its partner, because a rotation needs Q and U both.
        if (!part.field.empty())
            plain.columns = [](const ParameterSet&) {
                return Columns{Columns::Choice::OneWithPartner, {}};
            };
        Input input = readInput(plain, parameters, named.path, part, job);
        input.variable = named.name;
        return input;
    }
    Input input;
    input.slot = slot.name;
    input.name = path;
    input.isShared = false;
    input.field = request.field;
    if (isLiteral(slot, path) || (slot.orRegions && path.ends_with(".reg"))) {
        input.literal = path;
        return input;
    }
    const Columns columns = slot.columns ? slot.columns(parameters) : Columns{};
    naming(path, [&] {
        switch (slot.kind) {
            case DataKind::Map: readMapOrOtherInto(input, slot, columns, path, request, job); break;
            case DataKind::Alm: input.data = readAlmSet(path, request, job); break;
            case DataKind::Spectra: {
                std::vector<std::string> notes;
                input.data = share(readSpectra(path, &notes, request.spectra));
                tellNotes(request, path, notes);
                break;
            }
            case DataKind::Beam: {
                std::vector<std::string> notes;
                input.data = share(readBeam(path, &notes));
                tellNotes(request, path, notes);
                break;
            }
            case DataKind::Kernel: input.data = share(readRadialKernel(path)); break;
            case DataKind::Catalog:
                if (columns.choice == Columns::Choice::All)
                    input.data = readRows(path, columns, request, job);
                else
                    input.data = readPlacedCatalog(path, columns, request, job);
                break;
            case DataKind::Table: {
                TableReadOptions options;
                options.columns = columns.names;
                std::vector<std::string> notes;
                options.notes = &notes;
                Table table = readTable(path, options, job);
                tellNotes(request, path, notes);
                // Positions in FK4 and FK5 are converted later, when their columns are known.
                if (!statedEquatorial(request)) table.frame = framedAs(table.frame, request);
                input.data = share(std::move(table));
                break;
            }
            case DataKind::Image: readImageInto(input, path, request, job); break;
            case DataKind::Curve: input.data = share(readCurve(path, job)); break;
        }
    });
    return input;
}

void writeOutput(const Output& output, const std::string& path, bool overwrite,
                 std::optional<StoredPrecision> precision, std::vector<std::string> history,
                 JobContext& job) {
    FileWriteOptions options;
    options.overwrite = overwrite;
    options.precision = precision.value_or(StoredPrecision::Double);
    options.history = std::move(history);
    naming(path, [&] {
        if (output.write) {
            output.write(path, options, job);
        } else if (const auto* map = std::get_if<std::shared_ptr<const HealpixMap>>(&output.data)) {
            MapWriteOptions mapOptions;
            mapOptions.overwrite = overwrite;
            mapOptions.precision = precision.value_or(StoredPrecision::AsRead);
            mapOptions.history = options.history;
            writeMap(**map, path, mapOptions, job);
        } else if (const auto* set = std::get_if<std::shared_ptr<const AlmSet>>(&output.data)) {
            writeAlm((*set)->alm, path, options, job, {(*set)->frame, (*set)->unit, (*set)->spin});
        } else if (const auto* cl = std::get_if<std::shared_ptr<const Spectra>>(&output.data)) {
            writeSpectra(**cl, path, options, job);
        } else if (const auto* table = std::get_if<std::shared_ptr<const Table>>(&output.data)) {
            writeTable(**table, path, {overwrite, options.history}, job);
        } else if (const auto* rows = std::get_if<std::shared_ptr<const Catalog>>(&output.data)) {
            if (suffixOf(path) == ".reg")
                writeRegions(**rows, path, overwrite, options.history);
            else
                writeTable((*rows)->table, path, {overwrite, options.history}, job);
        } else if (const auto* image = std::get_if<std::shared_ptr<const Image>>(&output.data)) {
            writeImage(**image, path, options, job);
        } else if (const auto* curve = std::get_if<std::shared_ptr<const Curve>>(&output.data)) {
            writeCurve(**curve, path, {overwrite, options.history}, job);
        } else {
            throw Unsupported("expected a kind of output that can be written, found another");
        }
    });
}

std::vector<std::string_view> suffixesOf(DataKind kind) {
    switch (kind) {
        case DataKind::Map: return {".fits", ".fit", ".hsp", ".hs", ".hdf5", ".h5"};
        case DataKind::Alm:
        case DataKind::Image: return {".fits", ".fit"};
        case DataKind::Spectra:
        case DataKind::Beam:
        case DataKind::Kernel:
            return {".fits", ".fit", ".txt", ".dat", ".csv", ".ecsv", ".vot", ".xml"};
        case DataKind::Catalog:
            return {".fits", ".fit", ".vot", ".xml", ".csv", ".ecsv", ".parquet", ".reg"};
        case DataKind::Curve:
            return {".fits", ".fit", ".vot", ".xml", ".csv", ".ecsv", ".parquet", ".txt", ".dat"};
        case DataKind::Table: return {".fits", ".fit", ".vot", ".xml", ".csv", ".ecsv", ".parquet"};
    }
    return {};
}

void requireSuffix(const std::string& path, std::string_view suffixes) {
    if (path == "-") return;
    std::string all;
    for (const std::string& suffix : splitAtCommas(suffixes)) {
        if (path.ends_with(suffix)) return;
        all += (all.empty() ? "" : ", ") + suffix;
    }
    throw UsageError(path + ": expected a name in " + all + ", found another");
}

void requireDlName(const std::string& path) {
    const auto format = tableFormatOf(path);
    if (!format || *format == TableFormat::Fits || *format == TableFormat::Parquet)
        throw UsageError(
            "--dl: expected a spectrum as text (.txt, .dat, .csv, .ecsv, .vot), found " + path);
}

void checkOutputName(const std::string& path, bool overwrite, std::optional<DataKind> kind) {
    try {
        requirePlainName(path);
    } catch (const IoError& error) {
        // the same error as for other suffixes that are not written
        throw UsageError(error.message());
    }
    requireNameLength(path);
    if (path.empty()) throw UsageError("expected the name of a file to write, found an empty one");
    if (path == "-") return;  // standard output
    // A map is written as a HiPS, a folder.
    if (kind.value_or(DataKind::Map) == DataKind::Map && path.size() > 1 && path.ends_with('/'))
        return requireMapFolder(path, overwrite);
    if (kind) {
        const std::vector<std::string_view> known = suffixesOf(*kind);
        // The suffix of a packed FITS file is the one before .gz.
        const bool packed = path.ends_with(".fits.gz") || path.ends_with(".fit.gz");
        const std::string suffix = suffixOf(packed ? path.substr(0, path.size() - 3) : path);
        // Tables need a suffix: no table format is the default.
        const bool isTable =
            *kind == DataKind::Catalog || *kind == DataKind::Table || *kind == DataKind::Curve;
        const bool isKnown = suffix.empty()
                                 ? !isTable
                                 : std::find(known.begin(), known.end(), suffix) != known.end();
        if (!isKnown) {
            std::string all;
            for (const std::string_view each : known)
                all += (all.empty() ? "" : ", ") + std::string(each) +
                       (each == ".fits" ? ", .fits.gz" : "");
            throw UsageError(path + ": expected a name in " + all + ", found " +
                             (suffix.empty() ? "another" : suffix));
        }
    }
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError(path + ": expected the name of a file to write, found " +
                      (fs::is_directory(status) ? "a folder" : "a device or other special file"));
    if (!overwrite && fs::exists(fs::symlink_status(path, ignored)))
        throw IoError(path +
                      ": expected a new file, found one that exists; replace it with --overwrite");
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, ignored))
        throw IoError(path + ": expected a folder to write to, found none at " + folder.string());
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw IoError(path + ": expected a folder to write to, found: " + std::strerror(errno));
}

}  // namespace armilla
