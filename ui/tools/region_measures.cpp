// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/region_measures.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/brightness.h"
#include "armilla/session/region_book.h"
#include "armilla/session/session.h"

namespace armilla {
namespace {

// Regions of more pixels take more than about 50 ms on one CPU core.
constexpr double kHeavyPixels = 1e6;
constexpr int64_t kCoarseNside = 256;
const QString kSlot = QStringLiteral("region-table");

// The map at a lower resolution, with the values at the centers of its pixels.
std::shared_ptr<const HealpixMap> coarseMap(const HealpixMap& map, int field, JobContext& job) {
    const int64_t count = pixelCount(kCoarseNside);
    std::vector<float> values(static_cast<size_t>(count));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (long long p = begin; p < end; ++p)
            values[static_cast<size_t>(p)] = static_cast<float>(
                map.value(field, map.pixelAt(directionFromRing(kCoarseNside, p))));
    });
    Field coarse;
    coarse.name = map.field(field).name;
    coarse.unit = map.field(field).unit;
    coarse.values = std::move(values);
    return std::make_shared<const HealpixMap>(kCoarseNside, Ordering::Ring, map.frame(),
                                              std::vector{std::move(coarse)});
}

void addTo(std::vector<double>& key, const Region& region) {
    key.insert(key.end(),
               {static_cast<double>(region.shape), static_cast<double>(region.frame), region.first,
                region.second, region.angle, static_cast<double>(region.points.size())});
    for (const LonLat& point : region.points) key.insert(key.end(), {point.lon, point.lat});
}

// The coarser map has larger pixels; counts and sums are scaled to those of the map. Solid angles
// and integrals are those of the map already.
AreaStatistics scaled(AreaStatistics s, double ratio) {
    s.pixels = std::llround(ratio * static_cast<double>(s.pixels));
    s.good = std::llround(ratio * static_cast<double>(s.good));
    s.sum *= ratio;
    return s;
}

}  // namespace

struct RegionMeasures::Made {
    std::shared_ptr<const HealpixMap> map, coarse;
    LayerId layer;
    int field = 0;
    std::vector<std::pair<Key, Figures>> figures;
};

RegionMeasures::RegionMeasures(Session& session, QObject* parent)
    : QObject(parent), session_(session) {
    connect(&session_.regions(), &RegionBook::changed, this, &RegionMeasures::renew);
    Document& document = session_.document();
    connect(&document.view(), &DocumentView::shownChanged, this, &RegionMeasures::renew);
    connect(&document, &Document::entriesChanged, this, &RegionMeasures::renew);
    connect(&session_.jobs(), &JobRunner::jobCancelled, this, [this](int job) {
        if (job == job_) step_ = Step::Rest;
    });
}

RegionMeasures::~RegionMeasures() = default;

void RegionMeasures::setOn(bool on) {
    isOn_ = on;
    if (on) return renew();
    job_ = -1;
    session_.jobs().cancelSlot(kSlot);
    step_ = Step::Rest;
}

int RegionMeasures::rowOf(int region) const {
    const auto found = rows_.find(region);
    return found == rows_.end() ? -1 : found->second;
}

bool RegionMeasures::isExact(int row) const {
    const auto found = figures_.find(keys_.at(static_cast<size_t>(row)));
    return found != figures_.end() && found->second.isExact && !found->second.isOld;
}

void RegionMeasures::takeMap() {
    const Shown shown = session_.document().view().shown();
    const Layer* layer = session_.document().entry(shown.entry);
    std::shared_ptr<const HealpixMap> map = layer ? layer->map : nullptr;
    if (map && map->coverage() == Coverage::MultiOrder) map = nullptr;
    if (map == map_ && shown.field == field_) return;
    // A live result changes with each step of a slider.
    if (shown.entry == layer_ && shown.field == field_ && map && map_ &&
        map->pixelCount() == map_->pixelCount()) {
        for (auto& [key, figures] : figures_) figures.isOld = true;
    } else {
        figures_.clear();
        last_.clear();
    }
    layer_ = shown.entry;
    map_ = std::move(map);
    field_ = shown.field;
    coarse_ = nullptr;
    if (map_) integral_ = integralOf(map_->metadata().cards, map_->field(field_));
}

void RegionMeasures::takeParts() {
    parts_.clear();
    keys_.clear();
    rows_.clear();
    ids_.clear();
    problem_.clear();
    if (!map_) return;
    std::vector<NamedRegion> named = session_.regions().named();
    if (std::all_of(named.begin(), named.end(),
                    [](const NamedRegion& each) { return each.region.exclude; }))
        return;
    try {
        appendParts(parts_, named, {});
    } catch (const Error& error) {
        parts_.clear();
        problem_ = QString::fromStdString(error.message());
        return;
    }
    for (const DrawnRegion& each : session_.regions().all()) {
        if (each.region.exclude) continue;
        rows_[each.id] = static_cast<int>(ids_.size());
        ids_.push_back(each.id);
    }
    for (const SkyPart& part : parts_) {
        Key key;
        addTo(key, *part.region);
        for (const Region& without : part.without) addTo(key, without);
        keys_.push_back(std::move(key));
    }
}

bool RegionMeasures::isHeavy(const SkyPart& part) const {
    const double radius = RegionTest(*part.region, map_->frame()).radius();
    return map_->nside() > kCoarseNside &&
           0.5 * (1.0 - std::cos(radius)) * static_cast<double>(map_->pixelCount()) > kHeavyPixels;
}

void RegionMeasures::renew() {
    if (!isOn_) {
        // A hidden table keeps no map of a closed layer in memory.
        const Layer* layer = session_.document().entry(layer_);
        if (!layer || layer->map != map_) map_ = coarse_ = nullptr;
        return;
    }
    takeMap();
    takeParts();
    if (step_ == Step::Quick) {
        fillTable();
        return;
    }
    std::vector<size_t> coarse, exact;
    try {
        for (size_t i = 0; i < parts_.size(); ++i) {
            const auto found = figures_.find(keys_[i]);
            const bool isKnown = found != figures_.end() && !found->second.isOld;
            if (isKnown && found->second.isExact) continue;
            (isKnown || !isHeavy(parts_[i]) ? exact : coarse).push_back(i);
        }
    } catch (const Error& error) {
        problem_ = QString::fromStdString(error.message());
        parts_.clear();
        keys_.clear();
        rows_.clear();
        ids_.clear();
        coarse.clear();
        exact.clear();
    }
    fillTable();
    if (!coarse.empty()) return start(Step::Quick, coarse);
    const bool isLight =
        std::none_of(exact.begin(), exact.end(), [this](size_t i) { return isHeavy(parts_[i]); });
    if (!exact.empty()) return start(isLight ? Step::Quick : Step::Long, exact);
    session_.jobs().cancelSlot(kSlot);
    step_ = Step::Rest;
}

void RegionMeasures::start(Step step, const std::vector<size_t>& missing) {
    step_ = step;
    std::vector<std::pair<Key, SkyPart>> wanted;
    for (const size_t i : missing) wanted.emplace_back(keys_[i], parts_[i]);
    const bool isCoarse = isHeavy(wanted.front().second) && step == Step::Quick;
    job_ = -1;  // the end of an earlier job, which this one replaces, is not that of the step
    job_ = session_.jobs().run<std::shared_ptr<Made>>(
        tr("Statistics of all regions"), JobLane::Preview, kSlot, this,
        [map = map_, coarse = coarse_, layer = layer_, field = field_, wanted,
         isCoarse](JobContext& job) {
            auto made = std::make_shared<Made>();
            made->map = map;
            made->layer = layer;
            made->field = field;
            made->coarse = coarse;
            if (isCoarse && !coarse) made->coarse = coarseMap(*map, field, job);
            const HealpixMap& used = isCoarse ? *made->coarse : *map;
            const double ratio =
                static_cast<double>(map->pixelCount()) / static_cast<double>(used.pixelCount());
            for (const auto& [key, part] : wanted) {
                const AreaStatistics figures =
                    mapStatistics(used, partValues(used, isCoarse ? 0 : field, part, job));
                made->figures.push_back(
                    {key, {isCoarse ? scaled(figures, ratio) : figures, !isCoarse}});
            }
            return made;
        },
        [this](const std::shared_ptr<Made>& made) { finish(made); },
        [this](const QString& line) {
            step_ = Step::Rest;
            problem_ = line;
            emit changed();
        });
}

void RegionMeasures::finish(const std::shared_ptr<Made>& made) {
    step_ = Step::Rest;
    // While a slider moves, the map may have changed since; the figures are shown all the same.
    const bool isPresent = made->map == map_;
    if (map_ && made->layer == layer_ && made->field == field_) {
        if (isPresent) coarse_ = made->coarse;
        for (auto& [key, figures] : made->figures) {
            figures.isOld = !isPresent;
            figures_[key] = figures;
        }
        // Figures of earlier places of the regions.
        if (figures_.size() > 4 * keys_.size() + 64)
            std::erase_if(figures_, [this](const auto& each) {
                return std::find(keys_.begin(), keys_.end(), each.first) == keys_.end();
            });
    }
    renew();
}

void RegionMeasures::fillTable() {
    table_ = nullptr;
    if (map_ && !parts_.empty()) {
        const AreaStatistics blank = mapStatistics(*map_, {});
        std::vector<AreaStatistics> figures;
        for (size_t row = 0; row < keys_.size(); ++row) {
            AreaStatistics& last = last_.try_emplace(ids_[row], blank).first->second;
            if (const auto found = figures_.find(keys_[row]); found != figures_.end())
                last = found->second.statistics;
            figures.push_back(last);
        }
        table_ = std::make_shared<const Table>(
            regionTable(map_->frame(), parts_, figures, map_->frame(),
                        standardUnit(map_->field(field_).unit), integral_));
    }
    emit changed();
}

}  // namespace armilla
