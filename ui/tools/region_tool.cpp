// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/region_tool.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/seen_frame.h"
#include "armilla/session/region_book.h"
#include "armilla/session/region_shape.h"

namespace armilla {
namespace {

constexpr double kReach = 9.0;      // logical pixels around a handle
constexpr double kLeastDrag = 4.0;  // a shorter drag is an accidental click
constexpr double kRingShare = 0.6, kEllipseShare = 0.6;

Vec3 turned(Vec3 direction, Frame from, Frame to) {
    return seenRotation(to, from) * direction;
}

// Offsets to the east and to the north.
std::pair<double, double> offsets(Vec3 center, Vec3 to) {
    const LonLat at = lonLat(center);
    const Vec3 east{-std::sin(at.lon), std::cos(at.lon), 0.0}, north = cross(center, east);
    const double e = dot(to, east), n = dot(to, north), s = std::hypot(e, n);
    const double stretch = s > 0.0 ? std::atan2(s, dot(to, center)) / s : 0.0;
    return {e * stretch, n * stretch};
}

Region begun(RegionShape shape, Frame frame, Vec3 from, Vec3 to) {
    Region region;
    region.shape = shape;
    region.frame = frame;
    region.points = {lonLat(from)};
    const auto [x, y] = offsets(from, to);
    const double r = std::hypot(x, y);
    switch (shape) {
        case RegionShape::Circle: region.first = r; break;
        case RegionShape::Annulus:
            region.first = kRingShare * r;
            region.second = r;
            break;
        case RegionShape::Ellipse:
            region.first = r;
            region.second = kEllipseShare * r;
            region.angle = std::atan2(-y, x);
            break;
        case RegionShape::Box:
            region.first = std::abs(x);
            region.second = std::abs(y);
            break;
        case RegionShape::Polygon: break;
    }
    return region;
}

bool isWithin(const Region& region, Vec3 direction) {
    try {
        return RegionTest(region, region.frame).contains(direction);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

RegionTool::RegionTool(RegionBook& book, QObject* parent) : QObject(parent), book_(book) {
    connect(&book_, &RegionBook::changed, this, &RegionTool::linesChanged);
    connect(&book_, &RegionBook::currentChanged, this, &RegionTool::linesChanged);
}

void RegionTool::setShape(std::optional<RegionShape> shape) {
    if (shape == shape_) return;
    shape_ = shape;
    drawing_.reset();
    emit shapeChanged();
    emit linesChanged();
}

Qt::CursorShape RegionTool::shape() const {
    return shape_ ? Qt::CrossCursor : onHandle_ ? Qt::SizeAllCursor : Qt::ArrowCursor;
}

std::vector<SkyLine> RegionTool::lines() const {
    std::vector<SkyLine> lines;
    const auto add = [&](const Region& region, SkyLine::Ink ink, const QString& name,
                         bool handles) {
        try {
            auto outlines = outlineOf(region);
            for (size_t i = 0; i < outlines.size(); ++i)
                lines.push_back({ink, region.frame, std::move(outlines[i]),
                                 handles && i == 0 ? handlesOf(region) : std::vector<Vec3>(),
                                 i + 1 == outlines.size() ? name : QString(), 0.0});
        } catch (const Error&) {
            // An incomplete region without a size.
        }
    };
    for (const DrawnRegion& each : book_.all()) {
        const bool isCurrent = each.id == book_.current();
        add(each.region,
            isCurrent             ? SkyLine::Ink::Chosen
            : each.region.exclude ? SkyLine::Ink::Excluded
                                  : SkyLine::Ink::Region,
            each.name, isCurrent);
    }
    if (!drawing_) return lines;
    if (drawing_->shape != RegionShape::Polygon) {
        add(*drawing_, SkyLine::Ink::Chosen, {}, true);
        return lines;
    }
    // The corners so far, and the side to the pointer.
    SkyLine open{SkyLine::Ink::Chosen, drawing_->frame, {}, handlesOf(*drawing_), {}, 0.0};
    std::vector<Vec3> corners = open.handles;
    if (under_) corners.push_back(*under_);
    for (size_t i = 0; i + 1 < corners.size(); ++i) {
        constexpr int kSteps = 32;
        for (int k = 0; k <= kSteps; ++k) {
            const double t = static_cast<double>(k) / kSteps;
            open.points.push_back(normalized((1.0 - t) * corners[i] + t * corners[i + 1]));
        }
    }
    lines.push_back(std::move(open));
    return lines;
}

bool RegionTool::takeHandle(const Place& at) {
    const DrawnRegion* current = book_.find(book_.current());
    if (!current) return false;
    const Vec3 here = turned(at.direction, at.frame, current->region.frame);
    const auto handles = handlesOf(current->region);
    for (size_t i = handles.size(); i-- > 0;)
        if (angularDistance(handles[i], here) <= kReach * at.pixel) {
            held_ = current->id;
            handle_ = i;
            return true;
        }
    return false;
}

bool RegionTool::press(const Place& at) {
    frame_ = at.frame;
    held_ = -1;
    handle_.reset();
    if (shape_ == RegionShape::Polygon) return pressCorner(at);
    if (takeHandle(at)) return true;
    if (shape_) {
        from_ = at.direction;
        drawing_ = begun(*shape_, at.frame, from_, from_);
        return true;
    }
    // The smallest region under the pointer, so that a region within another one can be selected.
    double least = 10.0;
    for (const DrawnRegion& each : book_.all()) {
        const Vec3 here = turned(at.direction, at.frame, each.region.frame);
        if (!isWithin(each.region, here)) continue;
        const double size = RegionTest(each.region, each.region.frame).radius();
        if (size >= least) continue;
        least = size;
        held_ = each.id;
        from_ = here;
        atPress_ = each.region;
    }
    // A press on an unselected region selects it; only the selected region moves.
    if (held_ >= 0 && held_ != book_.current()) {
        book_.setCurrent(held_);
        held_ = -1;
        return true;
    }
    return held_ >= 0;
}

bool RegionTool::pressCorner(const Place& at) {
    if (!drawing_) {
        Region polygon;
        polygon.shape = RegionShape::Polygon;
        polygon.frame = at.frame;
        drawing_ = polygon;
    }
    const Vec3 here = turned(at.direction, at.frame, drawing_->frame);
    if (drawing_->points.size() >= 3 &&
        angularDistance(direction(drawing_->points.front()), here) <= kReach * at.pixel)
        return endPolygon();
    // The second press of a double click adds no corner.
    if (drawing_->points.empty() ||
        angularDistance(direction(drawing_->points.back()), here) > 2.0 * at.pixel)
        drawing_->points.push_back(lonLat(here));
    emit linesChanged();
    return true;
}

void RegionTool::drag(const Place& at) {
    if (drawing_ && drawing_->shape != RegionShape::Polygon) {
        const Vec3 to = turned(at.direction, at.frame, drawing_->frame);
        Region next = begun(drawing_->shape, drawing_->frame, from_, to);
        const double size = std::max(next.first, next.second);
        drawing_ = next;
        onHandle_ = size > kLeastDrag * at.pixel;
        emit linesChanged();
        return;
    }
    const DrawnRegion* held = book_.find(held_);
    if (!held) return;
    const Vec3 to = turned(at.direction, at.frame, held->region.frame);
    if (handle_)
        book_.change(held_, withHandle(held->region, *handle_, to));
    else
        book_.change(held_, movedRegion(atPress_, from_, to));
}

void RegionTool::release() {
    if (drawing_ && drawing_->shape != RegionShape::Polygon) {
        const Region made = *drawing_;
        drawing_.reset();
        if (onHandle_ && std::max(made.first, made.second) > 0.0) add(made);
        onHandle_ = false;
        emit linesChanged();
    }
    if (held_ >= 0) book_.endGesture();
    held_ = -1;
}

void RegionTool::add(const Region& region) {
    try {
        book_.add({{region, {}}});
    } catch (const Error&) {
        // Polygon sides that enclose the whole sky give no valid region.
    }
    setShape(std::nullopt);
}

bool RegionTool::endPolygon() {
    if (!drawing_ || drawing_->points.size() < 3) return false;
    const Region made = *drawing_;
    drawing_.reset();
    add(made);
    return true;
}

void RegionTool::hover(const std::optional<Place>& at) {
    onHandle_ = false;
    if (drawing_ && at) {
        under_ = turned(at->direction, at->frame, drawing_->frame);
        emit linesChanged();
    } else {
        under_.reset();
    }
    if (!at || shape_) return;
    const DrawnRegion* current = book_.find(book_.current());
    if (!current) return;
    const Vec3 here = turned(at->direction, at->frame, current->region.frame);
    for (const Vec3& handle : handlesOf(current->region))
        onHandle_ = onHandle_ || angularDistance(handle, here) <= kReach * at->pixel;
}

bool RegionTool::finish(const Place& /*at*/) {
    return drawing_ && drawing_->shape == RegionShape::Polygon && endPolygon();
}

bool RegionTool::key(int key) {
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter: return endPolygon();
        case Qt::Key_Escape:
            if (!shape_) return false;
            setShape(std::nullopt);
            return true;
        case Qt::Key_Backspace:
            if (!drawing_ || drawing_->points.empty()) return false;
            drawing_->points.pop_back();
            emit linesChanged();
            return true;
        case Qt::Key_Delete:
            if (book_.current() < 0) return false;
            book_.remove(book_.current());
            return true;
        default: return false;
    }
}

}  // namespace armilla
