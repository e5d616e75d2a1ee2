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
constexpr std::string_view kMeans = "means at nside ", kOf = " of the pixels of nside ";

QString words(const char* text) {
    return QCoreApplication::translate("StandIn", text);
}

}  // namespace

void markSample(HealpixMap& map) {
    map.field(0).name += kSampleMark;
    map.metadata().history.emplace_back(kSample);
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

QString standInText(const Layer& layer) {
    if (!layer.map || layer.recipe.kind != RecipeKind::Open) return {};
    if (isSample(*layer.map)) return words("a sample");
    const auto& history = layer.map->metadata().history;
    if (history.empty() || !history.back().starts_with(kMeans)) return {};
    const size_t of = history.back().find(kOf);
    if (of == std::string::npos) return {};
    return words("means at nside %1 of %2")
        .arg(layer.map->nside())
        .arg(QString::fromStdString(history.back().substr(of + kOf.size())));
}

QString sampleProblem(const Layer& layer) {
    if (!layer.map || !isSample(*layer.map)) return {};
    return words(
               "%1: expected all pixels, found a sample of them; their means replace it when the "
               "averaging ends; if that job failed or was canceled, open the file again")
        .arg(layer.name);
}

}  // namespace armilla
