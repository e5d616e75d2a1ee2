// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_files.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/table_rows.h"
#include "armilla/figure/image_places.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/map_means.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/stand_in.h"
#include "armilla/session/window_words.h"
#include "file_marks.h"
#include "file_question.h"
#include "map_work.h"
#include "operation_values.h"

namespace armilla {

namespace {

QString kindName(FileKind kind) {
    switch (kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap: return QStringLiteral("a map");
        case FileKind::Alm: return QStringLiteral("harmonic coefficients (alm)");
        case FileKind::Spectrum: return QStringLiteral("a power spectrum");
        case FileKind::Beam: return QStringLiteral("a beam");
        case FileKind::Catalog: return QStringLiteral("a catalog");
        case FileKind::Samples: return QStringLiteral("scattered samples");
        case FileKind::Image: return QStringLiteral("an image");
    }
    return {};
}

int64_t memoryOf(DiskType type) {
    switch (type) {
        case DiskType::Int32:
        case DiskType::Int64:
        case DiskType::Float64: return 8;
        default: return 4;
    }
}

// True if the file starts as text, not with the first card of a FITS file. Compressed or absent
// files are left to the reader.
bool isText(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray start = file.read(512);
    return !start.isEmpty() && !start.startsWith("SIMPLE") &&
           std::none_of(start.begin(), start.end(), [](char c) {
               const auto code = static_cast<unsigned char>(c);
               return code < 9 || (code > 13 && code < 32) || code == 127;
           });
}

StatedPixels pixelsOf(const StatedFile& facts) {
    StatedPixels pixels;
    if (facts.nside > 0) pixels.nside = facts.nside;
    pixels.ordering = facts.ordering;
    pixels.index = facts.index.toStdString();
    return pixels;
}

SpectrumReading readingOf(const StatedFile& facts) {
    SpectrumReading reading;
    for (const QString& name : facts.columns) reading.columns.push_back(name.toStdString());
    reading.isDl = facts.isDl;
    return reading;
}

// "x.csv: one; another"; empty without notes. Names of command line options are left out.
QString notesOf(const std::string& path, QStringList lines) {
    static const QRegularExpression option(QStringLiteral(" ?\\((?:use )?--[^)]*\\)"));
    lines.replaceInStrings(option, QString());
    if (lines.isEmpty()) return {};
    return QStringLiteral("%1: %2").arg(QFileInfo(QString::fromStdString(path)).fileName(),
                                        lines.join(QLatin1String("; ")));
}

// The numbers, among all fields of the file, of the fields that a reader took (in the file's
// order).
QStringList fieldNumbers(const FileSummary& summary, const HealpixMap& map) {
    QStringList numbers;
    int taken = 0;
    for (size_t i = 0; i < summary.columns.size() && taken < map.fieldCount(); ++i)
        if (map.field(taken).name == summary.columns[i].name) {
            numbers << QString::number(i + 1);
            ++taken;
        }
    return numbers;
}

// ". Fields that were not read: Q, U" for all but the field that readLargeMap() takes; empty if
// there are none.
QString fieldsLeftOut(const FileSummary& summary, const QStringList& wanted) {
    QStringList names;
    if (wanted.isEmpty())
        for (size_t i = 1; i < summary.columns.size(); ++i)
            names << QString::fromStdString(summary.columns[i].name);
    for (const QString& field : wanted.mid(1)) {
        const size_t number = field.toULongLong();
        const bool isNumber = number > 0 && number <= summary.columns.size();
        names << (isNumber ? QString::fromStdString(summary.columns[number - 1].name) : field);
    }
    if (names.isEmpty()) return {};
    return QStringLiteral(". Fields that were not read: %1").arg(names.join(QStringLiteral(", ")));
}

// Reads the first field of a map that exceeds the memory. None for a map that fits.
std::optional<LoadedLayer> readLargeMap(const std::string& path, const FileSummary& summary,
                                        const QStringList& fields, const StatedFile& facts,
                                        const LargeMaps& large, JobContext& job) {
    constexpr int64_t kMore = 6;  // bytes of the pyramid of the picture
    // Close enough for a screen; the means and their pictures take 0.8 GB.
    constexpr int64_t kNside = 2048;
    MapReadOptions options;
    options.stated = pixelsOf(facts);
    options.fields = {fields.isEmpty() ? "1" : fields.front().toStdString()};
    const int64_t memory = large.memory.value_or(availableMemory());
    if (!exceedsMemory(path, options, memory, kMore, job)) return std::nullopt;
    LoadedLayer loaded;
    loaded.fields = QStringList{QString::fromStdString(options.fields.front())};
    const QString name = QFileInfo(QString::fromStdString(path)).fileName();
    const int64_t nside = summary.nside;
    HealpixMap map;
    if (large.mayBeSampled && !keepsMeans(path, options, job)) {
        map = readSampledMap(path, options, job);
        // Wherever the field is named, it is marked as a sample.
        markSample(map);
        loaded.note = QStringLiteral(
                          "%1: nside %2 exceeds the memory. A sample of the pixels is shown until "
                          "means of all pixels are ready")
                          .arg(name)
                          .arg(nside);
    } else {
        MapMeans means = readMeans(path, options, std::min(kNside, meansNside(nside)), job);
        map = std::move(means.map);
        markMeans(map, nside);
        loaded.note =
            QStringLiteral(
                "%1: nside %2 exceeds the memory. Picture, values and results are those of "
                "means at nside %3%4")
                .arg(name)
                .arg(nside)
                .arg(map.nside())
                .arg(means.note.empty() ? QString() : "; " + QString::fromStdString(means.note));
    }
    loaded.note += fieldsLeftOut(summary, fields);
    loaded.value = std::shared_ptr<const HealpixMap>(sharedAndFreedAside(std::move(map)));
    return loaded;
}

LoadedLayer readMapLayer(const std::string& path, const FileSummary& summary,
                         const QStringList& fields, const StatedFile& facts, const LargeMaps& large,
                         JobContext& job) {
    if (auto map = readLargeMap(path, summary, fields, facts, large, job)) return *std::move(map);
    LoadedLayer loaded;
    loaded.fields = fields;
    int64_t bytes = 0;
    for (const ColumnInfo& column : summary.columns)
        bytes += summary.rows * column.repeat * memoryOf(column.type);
    if (fields.isEmpty() && summary.columns.size() > 1 && bytes > physicalMemory() / 3) {
        loaded.fields = QStringList{QStringLiteral("1")};
        loaded.note = QStringLiteral(
                          "%1: only the first of %2 fields was read, all would take "
                          "%3 GB of memory")
                          .arg(QFileInfo(QString::fromStdString(path)).fileName())
                          .arg(summary.columns.size())
                          .arg(static_cast<double>(bytes) / 1e9, 0, 'f', 1);
    }
    MapReadOptions options;
    options.stated = pixelsOf(facts);
    for (const QString& field : loaded.fields) options.fields.push_back(field.toStdString());
    std::vector<std::string> notes;
    options.notes = &notes;
    auto map = sharedAndFreedAside(readMap(path, options, job));
    // The recipe names the readable fields, so that field numbers remain those of the file.
    if (loaded.fields.isEmpty() && map->fieldCount() < std::ssize(summary.columns))
        loaded.fields = fieldNumbers(summary, *map);
    QStringList lines;
    for (const std::string& line : notes) lines << QString::fromStdString(line);
    if (!lines.isEmpty()) loaded.note = notesOf(path, lines);
    loaded.value = std::shared_ptr<const HealpixMap>(std::move(map));
    return loaded;
}

// C_l or B_l of a file as one curve with a column for each of TT, EE, ... `notes`: assumptions
// about the file and left out content, for the user.
LoadedLayer readMultipoles(const std::string& path, Curve curve,
                           const std::vector<std::string>& notes) {
    const QFileInfo file(QString::fromStdString(path));
    curve.name = file.completeBaseName().toStdString();
    checkCurve(curve);
    QStringList lines;
    for (const std::string& note : notes) lines << QString::fromStdString(note);
    return {std::make_shared<const Curve>(std::move(curve)), {}, notesOf(path, lines)};
}

// An even sample of the rows of a long catalog. None for a shorter one, for files of which a part
// of the rows costs as much as all, and if all rows decide about the positions.
std::optional<LoadedLayer> readSampledRows(const std::string& path, JobContext& job) {
    // Reading and placing these rows takes about a second.
    constexpr int64_t kRowsAtOnce = 4'000'000;
    // Many short pieces, because neighbors in the file may be neighbors on the sky. Reading them
    // and placing their rows takes some tenths of a second.
    constexpr int64_t kPieces = 1024, kRowsOfPiece = 512;
    if (isText(path)) return std::nullopt;
    try {
        const auto file = TableBlocks::open(path, TableBlocks::Choice::FirstWithPositions, job);
        if (!file || !file->readsAnyRows() || file->rows() <= kRowsAtOnce) return std::nullopt;
        std::vector<std::string> names;
        for (const TableColumn& column : file->outline().columns) names.push_back(column.name);
        Table rows = file->outlineOf(names, job);
        const auto blocks = file->blocks(kRowsOfPiece, {}, job);
        JobContext silent(job.stopToken(), {}, job.threads());
        for (int64_t i = 0; i < kPieces; ++i) {
            const auto at = static_cast<size_t>(i * std::ssize(blocks) / kPieces);
            appendRows(rows, file->read(blocks[at], names, silent), 0, blocks[at].count);
            job.report(static_cast<double>(i + 1) / kPieces, "reading a sample");
        }
        MissingPlaces missing;
        Catalog catalog = placeRows(std::move(rows), path, missing, job);
        markSample(catalog);
        LoadedLayer loaded;
        loaded.note = notesOf(
            path, {QStringLiteral("a sample of %1 of %2 rows is shown until all rows are read")
                       .arg(catalog.rows())
                       .arg(file->rows())});
        loaded.value = std::shared_ptr<const Catalog>(sharedAndFreedAside(std::move(catalog)));
        return loaded;
    } catch (const IoError&) {
        return std::nullopt;  // the reader of all rows describes the error
    }
}

// The rows of a catalog; notes report unsupported content and an empty table.
LoadedLayer readCatalogLayer(const std::string& path, const LargeMaps& large, JobContext& job) {
    if (large.mayBeSampled)
        if (auto sample = readSampledRows(path, job)) return *std::move(sample);
    LoadedLayer loaded;
    std::vector<std::string> notes;
    auto catalog = sharedAndFreedAside(readCatalog(path, job, &notes));
    const auto& leftOut = catalog->table.leftOut;
    QStringList lines;
    for (const std::string& line : notes) lines << QString::fromStdString(line);
    if (catalog->rows() == 0) lines << QString::fromLatin1(kNoRows);
    if (!leftOut.empty())
        lines << QStringLiteral("%1 columns were not read: %2")
                     .arg(leftOut.size())
                     .arg(QString::fromStdString(leftOut.front()));
    loaded.note = notesOf(path, lines);
    loaded.value = std::shared_ptr<const Catalog>(std::move(catalog));
    return loaded;
}

std::optional<LoadedLayer> readCurveLayer(const std::string& path, JobContext& job) {
    auto curve = findCurve(path, job);
    if (!curve) return std::nullopt;
    if (curve->name.empty())
        curve->name = QFileInfo(QString::fromStdString(path)).completeBaseName().toStdString();
    return LoadedLayer{std::make_shared<const Curve>(*std::move(curve)), {}, {}};
}

FileSummary summaryOr(const std::string& path, const StatedFile& facts, JobContext& job,
                      std::optional<LoadedLayer>& curve) {
    try {
        return inspectFile(path, job.stopToken(), pixelsOf(facts));
    } catch (const IoError&) {
        curve = readCurveLayer(path, job);
        if (!curve) throw;
        return {};
    }
}

LoadedLayer readInspected(const std::string& path, const QStringList& fields,
                          const StatedFile& facts, const LargeMaps& large, JobContext& job) {
    if (facts.ofSpectra()) {
        std::vector<std::string> notes;
        Curve read = readSpectrumCurve(path, &notes, readingOf(facts));
        return readMultipoles(path, std::move(read), notes);
    }
    std::optional<LoadedLayer> curve;
    const FileSummary summary = summaryOr(path, facts, job, curve);
    if (curve) return *std::move(curve);
    std::vector<std::string> notes;
    if (!summary.assumed.empty()) notes.push_back(summary.assumed);
    switch (summary.kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap: return readMapLayer(path, summary, fields, facts, large, job);
        case FileKind::Spectrum: {
            Curve read = readSpectrumCurve(path, &notes);
            return readMultipoles(path, std::move(read), notes);
        }
        case FileKind::Beam: {
            Curve read = curveOf(readBeam(path, &notes));
            return readMultipoles(path, std::move(read), notes);
        }
        case FileKind::Catalog:
        case FileKind::Samples: return readCatalogLayer(path, large, job);
        case FileKind::Image:
            return {
                std::shared_ptr<const Image>(sharedAndFreedAside(readImage(path, job))), {}, {}};
        default: break;
    }
    throw InvalidArgument("expected a map, a catalog, an image or a curve, found " +
                          kindName(summary.kind).toStdString());
}

// True for an error about columns over multipoles l, whose meaning the user can state. Texts of
// other numbers are no spectra.
bool isOfMultipoles(std::string_view line) {
    const auto has = [&](std::string_view words) { return line.find(words) != line.npos; };
    return (has("--columns") && has("l from")) || has("--input-dl");
}

// A text file is usually a catalog, which may be long and is read only once. Otherwise its content
// decides: cells of a map, a spectrum, or a declared curve. Any other text lacks positions.
LoadedLayer readLayer(const std::string& path, const QStringList& fields, const StatedFile& facts,
                      const LargeMaps& large, JobContext& job) {
    if (!isText(path) || facts.any()) return readInspected(path, fields, facts, large, job);
    try {
        return readCatalogLayer(path, large, job);
    } catch (const IoError& reason) {
        try {
            return readInspected(path, fields, facts, large, job);
        } catch (const IoError& other) {
            if (isOfMultipoles(other.what())) throw;
            throw reason;
        }
    }
}

bool isPlainFits(const QString& file) {
    return file.endsWith(QStringLiteral(".fits"), Qt::CaseInsensitive) ||
           file.endsWith(QStringLiteral(".fit"), Qt::CaseInsensitive);
}

// "x.fits[2]" with the name of that HDU, if the name selects the HDU. Compressed files are skipped,
// because they would be decompressed again.
QString nameOfHdu(const QString& path, JobContext& job) {
    const QString file = fileOf(path);
    if (file == path || !isPlainFits(file)) return {};
    bool isNumber = false;
    const int number = path.mid(file.size() + 1).chopped(1).toInt(&isNumber);
    if (!isNumber) return {};
    for (const HduSummary& hdu : listHdus(file.toStdString(), job.stopToken()))
        if (hdu.number == number && hdu.selector == hdu.name)
            return QStringLiteral("%1[%2]").arg(QFileInfo(file).fileName(),
                                                QString::fromStdString(hdu.name));
    return {};
}

bool isOfSky(FileKind kind) {
    switch (kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap:
        case FileKind::Catalog:
        case FileKind::Samples:
        case FileKind::Image: return true;
        case FileKind::Alm:
        case FileKind::Spectrum:
        case FileKind::Beam: break;
    }
    return false;
}

// The other HDUs with sky data, if the path names no HDU. Compressed files are skipped, because
// they would be decompressed again.
QList<QPair<QString, QString>> othersIn(const QString& path, JobContext& job) {
    const QString file = QFileInfo(path).fileName();
    if (!isPlainFits(file) || isText(path.toStdString())) return {};
    QList<QPair<QString, QString>> others;
    try {
        const int read = inspectFile(path.toStdString(), job.stopToken()).hdu;
        for (const HduSummary& hdu : listHdus(path.toStdString(), job.stopToken())) {
            if (hdu.number == read || !hdu.kind || !isOfSky(*hdu.kind)) continue;
            QString what = kindName(*hdu.kind);
            if (!hdu.name.empty())
                what = QStringLiteral("%1: %2").arg(QString::fromStdString(hdu.name), what);
            others.append({QStringLiteral("%1[%2]").arg(path, QString::fromStdString(hdu.selector)),
                           QStringLiteral("%1 (%2)").arg(
                               what, sizesTypeset(QString::fromStdString(hdu.shape)))});
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return {};  // the layer itself was read
    }
    return others;
}

}  // namespace

LayerValue inStatedFrame(const LayerValue& value, Frame stated) {
    if (!value || stated == Frame::Unknown) return value;
    const LayerKindFacts& facts = factsOf(value.kind());
    return facts.inFrame && facts.frame(value) == Frame::Unknown ? facts.inFrame(value, stated)
                                                                 : value;
}

LoadedLayer loadLayer(const QString& path, const QStringList& fields, JobContext& job, Frame stated,
                      const StatedFile& facts, const LargeMaps& large) {
    const std::string name = path.toStdString();
    try {
        LoadedLayer loaded = readLayer(name, fields, facts, large, job);
        loaded.value = inStatedFrame(loaded.value, stated);
        if (const Frame own = factsOf(loaded.value.kind()).frame(loaded.value);
            stated != Frame::Unknown && own != stated && own != Frame::Unknown)
            loaded.note = QStringLiteral(
                              "%1: the file says now that it is %2, which holds; "
                              "stated was %3")
                              .arg(QFileInfo(path).fileName(), shownText(frameName(own)),
                                   shownText(frameName(stated)));
        loaded.others = othersIn(path, job);
        loaded.name = nameOfHdu(path, job);
        return loaded;
    } catch (Error& error) {
        if (std::string_view(error.what()).find(name) == std::string_view::npos)
            error.addContext(name);
        throw;
    }
}

LoadedLayer loadOrAsk(const QString& path, JobContext& job, const StatedFile& facts,
                      const LargeMaps& large) {
    try {
        return loadLayer(path, {}, job, Frame::Unknown, facts, large);
    } catch (const IoError& error) {
        LoadedLayer asked;
        const QString line = QString::fromUtf8(error.what());
        asked.question = fileQuestion(path, facts, line, job);
        if (!asked.question) throw IoError(inWindowWords(line).toStdString());
        return asked;
    }
}

LayerPicture prepareLayer(const LayerValue& value, int64_t maxNside, JobContext& job, int plane,
                          std::shared_ptr<const ImagePlaces> places) {
    LayerPicture picture;
    if (value.map) picture.field = makeDrawable(value.map, {}, Frame::Unknown, maxNside, job);
    if (value.catalog) picture.markers = MarkerSet::build(*value.catalog, job);
    if (value.image) {
        if (!places) places = placesOf(*value.image);
        picture.mesh = ImageMesh::build(*value.image, plane, std::move(places), job);
    }
    return picture;
}

void writeLayer(const LayerValue& value, const std::string& path, bool overwrite,
                const std::vector<std::string>& history, JobContext& job) {
    Output output;
    std::vector<std::string> lines;
    if (value.catalog) {
        output.data = value.catalog;
    } else if (value.image) {
        output.data = value.image;
    } else if (value.curve && isOfSpectra(*value.curve)) {
        // With the names and headers of the commands.
        output.data = std::make_shared<const Spectra>(spectraOf(*value.curve));
        lines = value.curve->history;
    } else if (value.curve) {
        output.data = value.curve;
    } else {
        output.data = value.map;
    }
    if (value.writer) output.write = *value.writer;
    lines.insert(lines.end(), history.begin(), history.end());
    // Results have the precision of their command.
    writeOutput(output, path, overwrite,
                output.write ? std::nullopt : std::optional(StoredPrecision::AsRead),
                std::move(lines), job);
}

}  // namespace armilla
