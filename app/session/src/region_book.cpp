// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/region_book.h"

#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/region_shape.h"
#include "enum_names.h"

namespace armilla {

namespace {

constexpr json::Names<RegionShape, 5> kShapes{{{RegionShape::Circle, "circle"},
                                               {RegionShape::Ellipse, "ellipse"},
                                               {RegionShape::Box, "box"},
                                               {RegionShape::Annulus, "annulus"},
                                               {RegionShape::Polygon, "polygon"}}};
constexpr int kMergeId = 0x5e61;
constexpr size_t kMostRegions = 100000;
constexpr qsizetype kLongestName = 1000;

QJsonObject jsonOf(const DrawnRegion& drawn) {
    QJsonArray points;
    for (const LonLat& p : drawn.region.points) {
        points.append(p.lon);
        points.append(p.lat);
    }
    QJsonObject json{{"shape", json::nameOf(kShapes, drawn.region.shape)},
                     {"frame", json::nameOf(kFrames, drawn.region.frame)},
                     {"points", points},
                     {"name", drawn.name}};
    if (drawn.region.first != 0.0) json["first"] = drawn.region.first;
    if (drawn.region.second != 0.0) json["second"] = drawn.region.second;
    if (drawn.region.angle != 0.0) json["angle"] = drawn.region.angle;
    if (drawn.region.exclude) json["exclude"] = true;
    return json;
}

DrawnRegion regionFrom(const QJsonObject& json) {
    DrawnRegion drawn;
    drawn.region.shape = json::enumeration(kShapes, json, "shape");
    drawn.region.frame = json::enumeration(kFrames, json, "frame");
    const std::vector<double> points = json::numbers(json, "points", 20000);
    if (points.size() % 2 != 0)
        json::fail(QStringLiteral("points"), QStringLiteral("pairs of numbers"), json["points"]);
    for (size_t i = 0; i + 1 < points.size(); i += 2)
        drawn.region.points.push_back({points[i], points[i + 1]});
    drawn.name = json::text(json, "name", kLongestName);
    if (json.contains("first")) drawn.region.first = json::number(json, "first", 0.0, kTwoPi);
    if (json.contains("second")) drawn.region.second = json::number(json, "second", 0.0, kTwoPi);
    if (json.contains("angle")) drawn.region.angle = json::number(json, "angle", -100.0, 100.0);
    if (json.contains("exclude")) drawn.region.exclude = json::boolean(json, "exclude");
    checkRegion(drawn.region);
    return drawn;
}

}  // namespace

// The full list before and after: a few hundred bytes a region.
struct ChangeRegions : QUndoCommand {
    RegionBook& book;
    std::vector<DrawnRegion> before, after;
    int merged, gesture;  // the only changed region, -1: several
    ChangeRegions(RegionBook& owner, const QString& title, std::vector<DrawnRegion> made, int one)
        : QUndoCommand(title),
          book(owner),
          before(owner.all_),
          after(std::move(made)),
          merged(one),
          gesture(owner.gesture_) {}
    int id() const override { return kMergeId; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const ChangeRegions*>(other);
        if (merged < 0 || next->merged != merged || next->gesture != gesture) return false;
        after = next->after;
        return true;
    }
    void apply(const std::vector<DrawnRegion>& to) {
        book.all_ = to;
        emit book.changed();
    }
    void undo() override { apply(before); }
    void redo() override { apply(after); }
};

RegionBook::RegionBook(QUndoStack& undo, QObject* parent) : QObject(parent), undo_(undo) {}
RegionBook::~RegionBook() = default;

const DrawnRegion* RegionBook::find(int id) const {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [id](const DrawnRegion& each) { return each.id == id; });
    return found == all_.end() ? nullptr : &*found;
}

void RegionBook::setCurrent(int id) {
    if (id == current_) return;
    current_ = id;
    emit currentChanged();
}

void RegionBook::push(const QString& title, std::vector<DrawnRegion> after, int merged) {
    undo_.push(new ChangeRegions(*this, title, std::move(after), merged));
}

QString RegionBook::freeName(const Region& region, const std::vector<DrawnRegion>& among) const {
    const QString word = tr(shapeWord(region.shape));
    for (int number = 1;; ++number) {
        const QString name = QStringLiteral("%1 %2").arg(word).arg(number);
        if (std::none_of(among.begin(), among.end(),
                         [&](const DrawnRegion& each) { return each.name == name; }))
            return name;
    }
}

std::vector<int> RegionBook::add(const std::vector<NamedRegion>& regions) {
    std::vector<int> ids;
    if (regions.empty()) return ids;
    for (const NamedRegion& each : regions) checkRegion(each.region);
    std::vector<DrawnRegion> after = all_;
    for (const NamedRegion& each : regions) {
        DrawnRegion drawn{++lastId_, each.region, QString::fromStdString(each.text)};
        if (drawn.name.isEmpty()) drawn.name = freeName(each.region, after);
        ids.push_back(drawn.id);
        after.push_back(std::move(drawn));
    }
    const QString title = ids.size() == 1
                              ? tr("Draw %1").arg(after.back().name)
                              : tr("Add %n region(s)", nullptr, static_cast<int>(ids.size()));
    push(title, std::move(after));
    setCurrent(ids.back());
    return ids;
}

void RegionBook::change(int id, const Region& region) {
    const DrawnRegion* drawn = find(id);
    if (!drawn) return;
    checkRegion(region);
    std::vector<DrawnRegion> after = all_;
    for (DrawnRegion& each : after)
        if (each.id == id) each.region = region;
    push(tr("Change %1").arg(drawn->name), std::move(after), id);
}

void RegionBook::rename(int id, const QString& name) {
    const DrawnRegion* drawn = find(id);
    if (!drawn || name.trimmed().isEmpty() || drawn->name == name.trimmed()) return;
    std::vector<DrawnRegion> after = all_;
    for (DrawnRegion& each : after)
        if (each.id == id) each.name = name.trimmed().left(kLongestName);
    push(tr("Call %1 %2").arg(drawn->name, name.trimmed()), std::move(after));
}

void RegionBook::remove(int id) {
    const DrawnRegion* drawn = find(id);
    if (!drawn) return;
    const QString name = drawn->name;
    std::vector<DrawnRegion> after = all_;
    std::erase_if(after, [id](const DrawnRegion& each) { return each.id == id; });
    push(tr("Remove %1").arg(name), std::move(after));
}

void RegionBook::removeAll() {
    if (!all_.empty()) push(tr("Remove all regions"), {});
}

void RegionBook::endGesture() {
    ++gesture_;
}

std::vector<NamedRegion> RegionBook::named() const {
    std::vector<NamedRegion> result;
    for (const DrawnRegion& each : all_) result.push_back({each.region, each.name.toStdString()});
    return result;
}

QJsonArray toJson(const std::vector<DrawnRegion>& regions) {
    QJsonArray array;
    for (const DrawnRegion& each : regions) array.append(jsonOf(each));
    return array;
}

ReadRegions regionsFrom(const QJsonValue& json) {
    ReadRegions read;
    json::LeftOut leftOut;
    if (!json.isUndefined() && !json.isArray()) leftOut.add(RegionBook::tr("expected a list"));
    const QJsonArray list = json.toArray();
    for (const QJsonValue value : list) try {
            DrawnRegion drawn = regionFrom(value.toObject());
            if (read.all.size() < kMostRegions)
                read.all.push_back(std::move(drawn));
            else
                leftOut.add(RegionBook::tr("expected at most %L1").arg(kMostRegions));
        } catch (const Error& error) {
            leftOut.add(QString::fromUtf8(error.what()));
        }
    if (leftOut.count > 0)
        read.leftOut =
            RegionBook::tr("%n region(s) that cannot be read were skipped; the first: %1", nullptr,
                           leftOut.count)
                .arg(leftOut.first);
    return read;
}

// Earlier ids are not reused, so a stale id finds no region.
void RegionBook::restore(std::vector<DrawnRegion> regions) {
    for (DrawnRegion& each : regions) each.id = ++lastId_;
    all_ = std::move(regions);
    emit changed();
}

}  // namespace armilla

#include "armilla/session/moc_region_book.cpp"
