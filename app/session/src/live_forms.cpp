// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_forms.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "armilla/core/error.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/grid_columns.h"
#include "armilla/operations/live_form.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/english_plurals.h"
#include "layer_files.h"
#include "operation_values.h"

namespace armilla {

namespace {

// Total points of all catalogs in the first pass, and the growth factor per pass.
constexpr int64_t kFirstPoints = 4000, kPointGrowth = 4;
// From half of the points on, all points are used.
constexpr double kWholeShare = 0.5;
// Limits of the passes of gridding: samples, and cells across.
struct GridLimits {
    int64_t rows, across, nside;
};
constexpr GridLimits kGridPasses[] = {
    {300000, 160, 256}, {3000000, 640, 1024}, {20000000, 2048, 4096}};

QString tr(const char* text, const char* /*disambiguation*/ = nullptr, int count = -1) {
    return QCoreApplication::translate("LiveTool", text, nullptr, count);
}

std::string textOf(const ParameterSet& parameters, std::string_view name) {
    const ParameterValue value = parameters.value(name);
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

// Columns of catalogs that the parameters name.
std::vector<std::string> namedColumns(const OperationRequest& request) {
    std::vector<std::string> named;
    for (const std::string_view parameter : liveFormOf(*request.operation).columns)
        named.push_back(textOf(request.parameters, parameter));
    return named;
}

template <typename Values>
Values chosen(const Values& values, const std::vector<int64_t>& rows, int64_t width,
              int64_t element, int64_t taken) {
    Values part;
    part.reserve(rows.size() * static_cast<size_t>(taken));
    for (const int64_t row : rows)
        for (int64_t i = 0; i < taken; ++i)
            part.push_back(values[static_cast<size_t>(row * width + element + i)]);
    return part;
}

// The given rows of a column; one element of each or, for -1, all elements.
TableColumn columnOf(const TableColumn& column, const std::vector<int64_t>& rows, int64_t element) {
    TableColumn part;
    part.name = column.name;
    part.unit = column.unit;
    part.ucd = column.ucd;
    part.null = column.null;
    part.width = element < 0 ? column.width : 1;
    std::visit(
        [&](const auto& values) {
            part.values =
                chosen(values, rows, column.width, std::max<int64_t>(0, element), part.width);
        },
        column.values);
    return part;
}

// An even random sample, ascending, reproducible.
std::vector<int64_t> drawnRows(int64_t count, int64_t wanted) {
    std::vector<int64_t> rows;
    const int64_t taken = std::min(count, wanted);
    rows.reserve(static_cast<size_t>(taken));
    std::mt19937_64 random(1);
    // Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S.
    for (int64_t row = 0; row < count && static_cast<int64_t>(rows.size()) < taken; ++row) {
        const auto left = static_cast<double>(count - row);
        const auto needed = static_cast<double>(taken - static_cast<int64_t>(rows.size()));
        const double u = static_cast<double>(random() >> 11) * 0x1.0p-53;
        if (left * u < needed) rows.push_back(row);
    }
    return rows;
}

std::optional<LivePass> rowsPass(OperationRequest request, std::vector<LayerValue> values,
                                 const QStringList& names, int stage, const Device& device,
                                 JobContext& job) {
    int64_t all = 0, data = 0;
    for (const LayerValue& value : values)
        if (value.catalog) {
            all += value.catalog->rows();
            if (data == 0) data = value.catalog->rows();
        }
    if (values.empty() || !values.front().catalog) return std::nullopt;
    const bool fromMask = std::any_of(values.begin(), values.end(),
                                      [](const LayerValue& value) { return bool(value.map); });
    const LiveForm& form = liveFormOf(*request.operation);
    if (fromMask && form.drawnPoints) all += form.drawnPoints(request.parameters, data);
    const auto pointsOf = [](int of) {
        return kFirstPoints * static_cast<int64_t>(std::pow(kPointGrowth, of));
    };
    const auto shareOf = [&](int of) {
        return static_cast<double>(pointsOf(of)) / static_cast<double>(std::max<int64_t>(1, all));
    };
    if (stage > 0 && shareOf(stage - 1) >= kWholeShare) return std::nullopt;
    const double share = shareOf(stage);
    LivePass pass;
    pass.isWhole = share >= kWholeShare;
    const double next = shareOf(stage + 1);
    // Growth of the cost of counting by cells (resources/notes/pairs.md).
    pass.growth = std::pow((next >= kWholeShare ? 1.0 : next) / share, 1.5);
    const std::vector<std::string> columns = namedColumns(request);
    int64_t drawn = data;
    for (LayerValue& value : values) {
        if (pass.isWhole || !value.catalog) continue;
        const auto rows =
            static_cast<int64_t>(std::llround(share * static_cast<double>(value.catalog->rows())));
        value = catalogSample(*value.catalog, columns, std::max<int64_t>(rows, 50));
        if (&value == &values.front()) drawn = value.catalog->rows();
    }
    pass.words =
        pass.isWhole
            ? exactPointsText(data)
            : tr("estimate from %1 of %2 points").arg(groupedDigits(drawn), groupedDigits(data));
    OperationResult made = runRequest(request, values, names, device, job);
    pass.value = made.layers.front().value;
    return pass;
}

std::vector<int> valueColumns(const Table& table, const ParameterSet& parameters) {
    const ParameterValue given = parameters.value("value");
    const auto* words = std::get_if<std::vector<std::string>>(&given);
    if (!words || words->empty()) return {};
    return gridValueColumns(
        table, {textOf(parameters, "lon"), textOf(parameters, "lat"), textOf(parameters, "weight"),
                textOf(parameters, "flag"), *words});
}

// One channel of a sample of `rows`. All samples if no column of values is named.
LayerValue samplesOf(const Catalog& catalog, OperationRequest& request, int channel, int64_t rows) {
    const Table& table = catalog.table;
    const std::vector<int> columns = valueColumns(table, request.parameters);
    if (columns.empty()) return catalogSample(catalog, {}, rows);
    int64_t element = std::max(0, channel);
    const TableColumn* chosenColumn = nullptr;
    for (const int index : columns) {
        chosenColumn = &table.columns[static_cast<size_t>(index)];
        if (element < chosenColumn->width) break;
        element -= chosenColumn->width;
    }
    element = std::min(element, chosenColumn->width - 1);
    request.parameters.set("value", chosenColumn->name);
    auto part = std::make_shared<Catalog>(*catalogSample(catalog, namedColumns(request), rows));
    const std::vector<int64_t> drawn = drawnRows(catalog.rows(), rows);
    if (!part->table.find(chosenColumn->name))
        part->table.columns.push_back(columnOf(*chosenColumn, drawn, element));
    return std::shared_ptr<const Catalog>(std::move(part));
}

// Uses wider cells over the same sky. Returns true if a parameter was changed.
bool coarsen(ParameterSet& parameters, const GridLimits& limits) {
    const ParameterValue nside = parameters.value("nside");
    if (const auto* n = std::get_if<int64_t>(&nside)) {
        parameters.set("sparse", "true");
        if (*n <= limits.nside) return false;
        parameters.set("nside", std::to_string(limits.nside));
        return true;
    }
    const ParameterValue size = parameters.value("size"),
                         resolution = parameters.value("resolution");
    const auto* sides = std::get_if<std::vector<double>>(&size);
    const auto* angle = std::get_if<double>(&resolution);
    if (!sides || sides->size() != 2 || !angle) return false;
    const double most = std::max((*sides)[0], (*sides)[1]);
    const double factor = most / static_cast<double>(limits.across);
    if (factor <= 1.0) return false;
    const auto side = [&](double pixels) {
        return std::to_string(std::max<int64_t>(1, std::llround(pixels / factor)));
    };
    parameters.set("size", side((*sides)[0]) + "x" + side((*sides)[1]));
    parameters.set("resolution", exactAngle(*angle * factor, "arcsec"));
    return true;
}

std::optional<LivePass> cellsPass(OperationRequest request, std::vector<LayerValue> values,
                                  const QStringList& names, int channel, int stage,
                                  const Device& device, JobContext& job) {
    if (stage >= static_cast<int>(std::size(kGridPasses)) || values.empty()) return std::nullopt;
    const GridLimits& limits = kGridPasses[stage];
    int64_t samples = 0;
    for (const LayerValue& value : values)
        if (value.catalog) samples += value.catalog->rows();
    ParameterSet before = request.parameters;
    if (stage > 0) {
        const GridLimits& last = kGridPasses[stage - 1];
        if (!coarsen(before, last) && samples <= last.rows) return std::nullopt;
    }
    LivePass pass;
    const bool isCoarse = coarsen(request.parameters, limits);
    const bool isPart = samples > limits.rows;
    pass.isWhole = !isCoarse && !isPart;
    const ParameterSet wanted = request.parameters;
    for (LayerValue& value : values) {
        if (!value.catalog) continue;
        const double share = std::min(1.0, static_cast<double>(limits.rows) /
                                               static_cast<double>(std::max<int64_t>(1, samples)));
        const auto rows =
            static_cast<int64_t>(std::ceil(share * static_cast<double>(value.catalog->rows())));
        OperationRequest one = request;
        one.parameters = wanted;
        value = samplesOf(*value.catalog, one, channel, rows);
        request.parameters = one.parameters;
    }
    OperationResult made = runRequest(request, values, names, device, job);
    pass.value = made.layers.front().value;
    if (pass.value.map) pass.value = imageOfMap(*pass.value.map, job);
    if (pass.value.image) {
        pass.mesh = prepareLayer(pass.value, 1, job).mesh;
        pass.colors = openingColors(*pass.mesh);
    }
    QStringList words;
    words << (isPart
                  ? tr("%1 of %2 samples").arg(groupedDigits(limits.rows), groupedDigits(samples))
                  : tr("all %1 sample(s)", nullptr, pluralOf(samples)).arg(groupedDigits(samples)));
    words << (isCoarse ? tr("wide cells") : tr("all cells"));
    pass.words = words.join(QStringLiteral(", "));
    return pass;
}

}  // namespace

QString exactPointsText(int64_t points) {
    return tr("exact: all %1 point(s)", nullptr, pluralOf(points)).arg(groupedDigits(points));
}

std::shared_ptr<const Catalog> catalogSample(const Catalog& catalog,
                                             const std::vector<std::string>& columns,
                                             int64_t rows) {
    const std::vector<int64_t> drawn = drawnRows(catalog.rows(), rows);
    auto part = std::make_shared<Catalog>();
    part->table.name = catalog.table.name;
    part->table.frame = catalog.table.frame;
    part->table.cards = catalog.table.cards;
    part->position = catalog.position;
    const auto take = [&](int index) {
        const TableColumn& column = catalog.table.columns[static_cast<size_t>(index)];
        if (const auto there = part->table.find(column.name)) return *there;
        part->table.columns.push_back(columnOf(column, drawn, -1));
        return static_cast<int>(part->table.columns.size()) - 1;
    };
    const bool takesAll = std::all_of(columns.begin(), columns.end(),
                                      [](const auto& name) { return name.empty(); }) &&
                          columns.empty();
    if (takesAll)
        for (size_t i = 0; i < catalog.table.columns.size(); ++i) take(static_cast<int>(i));
    if (catalog.position.lon >= 0) {
        part->position.lon = take(catalog.position.lon);
        part->position.lat = take(catalog.position.lat);
    }
    for (const std::string& name : columns)
        if (const auto found = name.empty() ? std::nullopt : catalog.table.find(name)) take(*found);
    return part;
}

std::shared_ptr<const Image> imageOfMap(const HealpixMap& map, JobContext& job, int mostAcross) {
    constexpr double kWidest = 40.0 * kDegree;
    const auto extent = dataExtent(map, 0);
    const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
    ViewGeometry view;
    if (extent && extent->radius < kWidest) {
        const double side = 2.0 * std::tan(extent->radius);
        view.projection = Projection::Gnomonic;
        view.width = view.height =
            std::clamp(static_cast<int>(std::ceil(2.0 * side / pixel)), 16, mostAcross);
        view.radiansPerPixel = side / view.width;
        view.skyFromView = skyFromViewRotation(lonLat(extent->center), 0.0);
    } else {
        view.projection = Projection::Cartesian;
        view.width = mostAcross;
        view.height = mostAcross / 2;
        view.radiansPerPixel = kTwoPi / mostAcross;
        view.skyFromView = skyFromViewRotation({0.0, 0.0}, 0.0);
    }
    const ImageGrid grid = imageGrid(view, map.frame());
    auto image = std::make_shared<Image>(imageOn(grid));
    image->unit = map.field(0).unit;
    std::vector<float> values(static_cast<size_t>(image->planeSize()),
                              std::numeric_limits<float>::quiet_NaN());
    const std::vector<Vec3> places = pixelDirections(grid, job);
    parallelFor(job, static_cast<long long>(places.size()), 4096,
                [&](long long begin, long long end) {
                    for (long long i = begin; i < end; ++i) {
                        const auto at = static_cast<size_t>(i);
                        if (!std::isfinite(places[at].z)) continue;
                        values[at] = static_cast<float>(map.value(0, map.pixelAt(places[at])));
                    }
                });
    image->values = std::move(values);
    return image;
}

std::optional<LivePass> livePass(const OperationRequest& request,
                                 const std::vector<LayerValue>& values, const QStringList& names,
                                 int channel, int stage, const Device& device, JobContext& job,
                                 const LiveSurroundings& around) {
    switch (liveFormOf(*request.operation).kind) {
        case LiveForm::Kind::Rows: return rowsPass(request, values, names, stage, device, job);
        case LiveForm::Kind::Cells:
            return cellsPass(request, values, names, channel, stage, device, job);
        case LiveForm::Kind::Pixels:
            return pixelsPass(request, values, names, stage, device, job, around);
        case LiveForm::Kind::None: break;
    }
    return std::nullopt;
}

}  // namespace armilla
