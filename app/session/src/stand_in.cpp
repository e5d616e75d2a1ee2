// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/stand_in.h"

#include <QCoreApplication>
#include <algorithm>
#include <string>
#include <string_view>

#include "armilla/core/healpix_map.h"
#include "armilla/session/layer.h"

namespace armilla {
namespace {

constexpr std::string_view kSampleMark = " (sample)";
// HISTORY of the stand-in, and so of results that continue its header.
constexpr std::string_view kSample = "a sample of the pixels";
constexpr std::string_view kSampleOfRows = "a sample of the rows";
constexpr std::string_view kMeans = "means at nside ", kOf = " of the pixels of nside ";

QString words(const char* text) {
    return QCoreApplication::translate("StandIn", text);
}

}  // namespace

void markSample(HealpixMap& map) {
    map.field(0).name += kSampleMark;
    map.metadata().history.emplace_back(kSample);
}

void markSample(Catalog& catalog) {
    catalog.table.history.emplace_back(kSampleOfRows);
}

void markMeans(HealpixMap& map, qint64 nsideOfFile) {
    map.metadata().history.push_back(std::string(kMeans) + std::to_string(map.nside()) +
                                     std::string(kOf) + std::to_string(nsideOfFile));
}

bool isSample(const HealpixMap& map) {
    const auto& history = map.metadata().history;
    // Anywhere: an export of a sample adds lines.
    return std::find(history.begin(), history.end(), kSample) != history.end();
}

bool isSample(const Catalog& catalog) {
    const auto& history = catalog.table.history;
    return std::find(history.begin(), history.end(), kSampleOfRows) != history.end();
}

bool holdsSample(const Layer& layer) {
    return (layer.map && isSample(*layer.map)) || (layer.catalog && isSample(*layer.catalog));
}

QString standInText(const Layer& layer) {
    if (layer.recipe.kind != RecipeKind::Open) return {};
    if (holdsSample(layer)) return words("a sample");
    if (!layer.map) return {};
    const auto& history = layer.map->metadata().history;
    if (history.empty() || !history.back().starts_with(kMeans)) return {};
    const size_t of = history.back().find(kOf);
    if (of == std::string::npos) return {};
    return words("means at nside %1 of %2")
        .arg(layer.map->nside())
        .arg(QString::fromStdString(history.back().substr(of + kOf.size())));
}

QString sampleProblem(const Layer& layer) {
    if (!holdsSample(layer)) return {};
    if (layer.catalog)
        return words(
                   "%1: expected all rows, found a sample of them; all rows replace it when they "
                   "are read; if that job failed or was canceled, open the file again")
            .arg(layer.name);
    return words(
               "%1: expected all pixels, found a sample of them; their means replace it when the "
               "averaging ends; if that job failed or was canceled, open the file again")
        .arg(layer.name);
}

}  // namespace armilla
