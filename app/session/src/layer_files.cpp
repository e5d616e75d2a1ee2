// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_files.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "io/curve_io.h"
#include "io/harmonic_io.h"
#include "io/image_file.h"
#include "io/map_io.h"
#include "io/table_io.h"
#include "map_work.h"
#include "session/field_energies.h"

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

// Starts as text, without the first card of a FITS file. Files packed or absent are left to the
// reader.
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

LoadedLayer readMapLayer(const std::string& path, const FileSummary& summary,
                         const QStringList& fields, JobContext& job) {
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
    for (const QString& field : loaded.fields) options.fields.push_back(field.toStdString());
    auto map = sharedAndFreedAside(readMap(path, options, job));
    std::vector<int> columns;
    for (int i = 0; i < map->fieldCount(); ++i)
        columns.push_back(loaded.fields.isEmpty() ? i : loaded.fields.value(i).toInt() - 1);
    const auto fileColumns = static_cast<int>(summary.columns.size());
    const bool isKnown = std::all_of(columns.begin(), columns.end(), [&](int column) {
        return column >= 0 && column < fileColumns;
    });
    if (isKnown && fileColumns > 1) addEnergies(*map, path, columns, fileColumns, job);
    loaded.value = std::shared_ptr<const HealpixMap>(std::move(map));
    return loaded;
}

// C_l of a file as one curve with a column for each of TT, EE, ...
LoadedLayer readSpectrumLayer(const std::string& path) {
    constexpr const char* names[] = {"TT", "EE", "BB", "TE", "TB", "EB"};
    const Spectra spectra = readSpectra(path);
    Curve curve;
    curve.kind = CurveKind::Spectrum;
    curve.name = QFileInfo(QString::fromStdString(path)).completeBaseName().toStdString();
    curve.xName = std::string("l");
    const auto count = static_cast<size_t>(spectra.lmax() + 1);
    for (size_t l = 0; l < count; ++l) curve.x.push_back(static_cast<double>(l));
    for (size_t kind = 0; kind < spectra.cl.size(); ++kind) {
        if (spectra.cl[kind].empty()) continue;
        CurveSeries series{names[kind], spectra.unit, spectra.cl[kind], {}};
        series.values.resize(count, std::numeric_limits<double>::quiet_NaN());
        curve.series.push_back(std::move(series));
    }
    checkCurve(curve);
    return {std::make_shared<const Curve>(std::move(curve)), {}, {}};
}

// Its rows; what the program cannot hold of it is told.
LoadedLayer readCatalogLayer(const std::string& path, JobContext& job) {
    LoadedLayer loaded;
    auto catalog = sharedAndFreedAside(readCatalog(path, job));
    const auto& leftOut = catalog->table.leftOut;
    if (!leftOut.empty())
        loaded.note = QStringLiteral("%1: %2 columns were left out: %3")
                          .arg(QFileInfo(QString::fromStdString(path)).fileName())
                          .arg(leftOut.size())
                          .arg(QString::fromStdString(leftOut.front()));
    loaded.value = std::shared_ptr<const Catalog>(std::move(catalog));
    return loaded;
}

// A table that says it is a correlation, a profile, ...; none for any other.
std::optional<LoadedLayer> readCurveLayer(const std::string& path, JobContext& job) {
    try {
        Curve curve = readCurve(path, job);
        if (curve.kind == CurveKind::Plain) return std::nullopt;
        curve.name = QFileInfo(QString::fromStdString(path)).completeBaseName().toStdString();
        return LoadedLayer{std::make_shared<const Curve>(std::move(curve)), {}, {}};
    } catch (const Error&) {
        return std::nullopt;
    }
}

FileSummary summaryOr(const std::string& path, JobContext& job, std::optional<LoadedLayer>& curve) {
    try {
        return inspectFile(path, job.stopToken());
    } catch (const IoError&) {
        curve = readCurveLayer(path, job);
        if (!curve) throw;
        return {};
    }
}

LoadedLayer readLayer(const std::string& path, const QStringList& fields, JobContext& job) {
    // Text holds tables; spectra and beams among them are not catalogs, and the reader says so.
    if (isText(path)) return readCatalogLayer(path, job);
    std::optional<LoadedLayer> curve;
    const FileSummary summary = summaryOr(path, job, curve);
    if (curve) return *std::move(curve);
    switch (summary.kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap: return readMapLayer(path, summary, fields, job);
        case FileKind::Spectrum: return readSpectrumLayer(path);
        case FileKind::Catalog:
        case FileKind::Samples: return readCatalogLayer(path, job);
        case FileKind::Image:
            return {
                std::shared_ptr<const Image>(sharedAndFreedAside(readImage(path, job))), {}, {}};
        default: break;
    }
    throw InvalidArgument("expected a map, a catalog, an image or a spectrum, found " +
                          kindName(summary.kind).toStdString());
}

// Places of an image's pixels, to a fiftieth of one.
std::shared_ptr<const ImageNet> netOf(const Image& image) {
    const ImageWcs wcs(image);
    DirectionMesh mesh = directionMesh(image, wcs, 0.02);
    auto net = std::make_shared<ImageNet>();
    net->columns = mesh.columns;
    net->rows = mesh.rows;
    net->frame = wcs.frame();
    net->directions = std::move(mesh.directions);
    return net;
}

// From the first to the 99.5th percentile: a few bright sources do not leave the rest dark.
ColorScale openingColors(const ImageMesh& mesh) {
    constexpr size_t kSamples = 1 << 16;
    const std::vector<float>& values = mesh.level(0).values;
    std::vector<float> sample;
    const size_t stride = std::max<size_t>(1, values.size() / kSamples);
    for (size_t i = 0; i < values.size(); i += stride)
        if (std::isfinite(values[i])) sample.push_back(values[i]);
    ColorScale scale;
    scale.colorMap = std::string("viridis");
    if (sample.empty()) return scale;
    std::sort(sample.begin(), sample.end());
    const auto at = [&](double share) {
        return sample[static_cast<size_t>(share * static_cast<double>(sample.size() - 1))];
    };
    scale.mapping.low = at(0.01);
    scale.mapping.high = std::max(at(0.995), std::nextafter(scale.mapping.low, INFINITY));
    return scale;
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

// The other HDUs of the sky in a file of which none was named. Packed files would have to be
// unpacked once more for a list of them.
QList<QPair<QString, QString>> othersIn(const QString& path, JobContext& job) {
    const QString file = QFileInfo(path).fileName();
    const bool isPlain = file.endsWith(QStringLiteral(".fits"), Qt::CaseInsensitive) ||
                         file.endsWith(QStringLiteral(".fit"), Qt::CaseInsensitive);
    if (!isPlain || isText(path.toStdString())) return {};
    QList<QPair<QString, QString>> others;
    try {
        const int read = inspectFile(path.toStdString(), job.stopToken()).hdu;
        for (const HduSummary& hdu : listHdus(path.toStdString(), job.stopToken())) {
            if (hdu.number == read || !hdu.kind || !isOfSky(*hdu.kind)) continue;
            QString what = kindName(*hdu.kind);
            if (!hdu.name.empty())
                what = QStringLiteral("%1: %2").arg(QString::fromStdString(hdu.name), what);
            others.append({QStringLiteral("%1[%2]").arg(path).arg(hdu.number),
                           QStringLiteral("%1 (%2)").arg(what, QString::fromStdString(hdu.shape))});
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return {};  // the layer itself was read
    }
    return others;
}

}  // namespace

LoadedLayer loadLayer(const QString& path, const QStringList& fields, JobContext& job) {
    const std::string name = path.toStdString();
    try {
        LoadedLayer loaded = readLayer(name, fields, job);
        loaded.others = othersIn(path, job);
        return loaded;
    } catch (Error& error) {
        if (std::string_view(error.what()).find(name) == std::string_view::npos)
            error.addContext(name);
        throw;
    }
}

LayerPicture prepareLayer(const LayerValue& value, int64_t maxNside, JobContext& job, int plane,
                          std::shared_ptr<const ImageNet> net) {
    LayerPicture picture;
    if (value.map) picture.field = makeDrawable(*value.map, 0, Quantity::Field, maxNside, job);
    if (value.catalog) picture.markers = MarkerSet::build(*value.catalog, job);
    if (value.image) {
        if (!net) net = netOf(*value.image);
        picture.mesh = ImageMesh::build(*value.image, plane, std::move(net), job);
        picture.colors = openingColors(*picture.mesh);
    }
    return picture;
}

void writeMapLayer(const LayerValue& value, const std::string& path, bool overwrite,
                   const std::vector<std::string>& history, JobContext& job) {
    MapWriteOptions options;
    options.overwrite = overwrite;
    options.history = history;
    writeMap(*value.map, path, options, job);
}

void writeCatalogLayer(const LayerValue& value, const std::string& path, bool overwrite,
                       const std::vector<std::string>& history, JobContext& job) {
    writeTable(value.catalog->table, path, {overwrite, history}, job);
}

void writeImageLayer(const LayerValue& value, const std::string& path, bool overwrite,
                     const std::vector<std::string>& history, JobContext& job) {
    FileWriteOptions options;
    options.overwrite = overwrite;
    options.precision = StoredPrecision::AsRead;
    options.history = history;
    writeImage(*value.image, path, options, job);
}

void writeCurveLayer(const LayerValue& value, const std::string& path, bool overwrite,
                     const std::vector<std::string>& history, JobContext& job) {
    writeCurve(*value.curve, path, {overwrite, history}, job);
}

}  // namespace armilla
