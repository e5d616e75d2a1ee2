// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/graticule.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "armilla/draw/graticule_edges.h"
#include "curve_tracer.h"
#include "graticule_text.h"

namespace armilla {

namespace {

// Round steps of an angle, in arcseconds; each divides 90 degrees, a degree, or a minute evenly.
constexpr double kSteps[] = {0.001, 0.002, 0.005, 0.01,  0.02,  0.05,  0.1,    0.2,    0.5,   1,
                             2,     5,     10,    15,    30,    60,    120,    300,    600,   900,
                             1800,  3600,  7200,  18000, 36000, 54000, 108000, 162000, 324000};
constexpr double kMaxMeridians = 360, kMaxParallels = 359;
constexpr int kLinesAcross = 4;  // approximate number of lines across the shorter side of the image

// The smallest round step that is at least `angle`.
double roundStepUp(double angle) {
    for (const double step : kSteps)
        if (step * kArcsec >= angle * (1.0 - 1e-9)) return step * kArcsec;
    return kHalfPi;
}

std::optional<ImagePoint> imageAt(const ViewGeometry& view, LonLat at) {
    ImagePoint point;
    if (!imageFromSky(view, direction(at), point.column, point.row)) return std::nullopt;
    return point;
}

// The part of the sky that may lie in the image: longitudes west .. east (east may exceed a turn),
// latitudes.
struct Field {
    double west = 0.0, east = kTwoPi, south = -kHalfPi, north = kHalfPi;
    bool edgeInView = false;  // part of the image is off the sky, or the whole sky is visible
};

bool inImage(const ViewGeometry& view, const std::optional<ImagePoint>& at) {
    return at && at->column >= 0.0 && at->row >= 0.0 && at->column <= view.width &&
           at->row <= view.height;
}

// From a grid of image positions, widened by its mesh; the poles are tested separately.
Field fieldOf(const ViewGeometry& view) {
    constexpr int kMesh = 24;
    Field field;
    Vec3 middle;
    const bool middleOnSky = skyFromImage(view, 0.5 * view.width, 0.5 * view.height, middle);
    const double lon0 = middleOnSky ? lonLat(middle).lon : 0.0;
    double west = 0.0, east = 0.0, south = kHalfPi, north = -kHalfPi;
    for (int i = 0; i <= kMesh; ++i)
        for (int j = 0; j <= kMesh; ++j) {
            Vec3 d;
            if (!skyFromImage(view, view.width * static_cast<double>(i) / kMesh,
                              view.height * static_cast<double>(j) / kMesh, d)) {
                field.edgeInView = true;
                continue;
            }
            const LonLat at = lonLat(d);
            const double ahead = std::remainder(at.lon - lon0, kTwoPi);
            west = std::min(west, ahead);
            east = std::max(east, ahead);
            south = std::min(south, at.lat);
            north = std::max(north, at.lat);
        }
    const double wide = std::max(view.width, view.height) * view.radiansPerPixel;
    if (field.edgeInView || !middleOnSky || wide > 2.0) return field;
    const double slack = 2.0 / kMesh;
    const double latSlack = slack * (north - south), lonSlack = slack * (east - west);
    field.south = std::max(-kHalfPi, south - latSlack);
    field.north = std::min(kHalfPi, north + latSlack);
    const bool poleInView = inImage(view, imageAt(view, {0.0, kHalfPi})) ||
                            inImage(view, imageAt(view, {0.0, -kHalfPi}));
    if (poleInView) {
        (middle.z > 0.0 ? field.north : field.south) = middle.z > 0.0 ? kHalfPi : -kHalfPi;
        return field;
    }
    if (east - west > kPi) return field;
    field.west = lon0 + west - lonSlack;
    field.east = lon0 + east + lonSlack;
    return field;
}

bool meet(const ImageBox& a, const ImageBox& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// Collects label candidates and selects among the candidates.
class LabelPlacer {
public:
    LabelPlacer(const ViewGeometry& view, double textHeight, const std::vector<ImageBox>& covered)
        : view_(view), height_(textHeight), taken_(covered) {}

    // Accepts the label if its box lies in the image and does not overlap accepted ones.
    bool offer(ImagePoint at, std::string text, bool isLatitude,
               std::vector<GraticuleLabel>& labels) {
        const ImageBox box = boxOf(at, text);
        if (box.left < 0.0 || box.top < 0.0 || box.right > view_.width ||
            box.bottom > view_.height || !isFree(box))
            return false;
        taken_.push_back(box);
        labels.push_back({at, std::move(text), isLatitude});
        return true;
    }
    double width(const std::string& text) const {
        // Digits are about 0.6 of the height wide; UTF-8 continuation bytes do not count.
        const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        });
        return 0.6 * height_ * static_cast<double>(characters);
    }

    // True if a label of `text` centered at this point overlaps no accepted one.
    bool isFree(ImagePoint at, const std::string& text) const { return isFree(boxOf(at, text)); }

private:
    bool isFree(const ImageBox& box) const {
        return std::none_of(taken_.begin(), taken_.end(),
                            [&](const ImageBox& other) { return meet(box, other); });
    }
    ImageBox boxOf(ImagePoint at, const std::string& text) const {
        const double half = 0.5 * width(text) + 0.3 * height_, up = 0.65 * height_;
        return {at.column - half, at.row - up, at.column + half, at.row + up};
    }
    const ViewGeometry& view_;
    double height_;
    std::vector<ImageBox> taken_;
};

// Position of a line's label: the leftmost (or lowest) suitable point of `lines` from `first` on. A
// suitable point is at least an inset inside the image, and a label as long as `text` overlaps
// nothing there.
std::optional<ImagePoint> extremePoint(const ViewGeometry& view, const std::vector<Polyline>& lines,
                                       size_t first, bool leftmost, double inset,
                                       const LabelPlacer& placer, const std::string& text) {
    std::optional<ImagePoint> best;
    for (size_t i = first; i < lines.size(); ++i)
        for (size_t k = 0; k + 1 < lines[i].size(); ++k) {
            const ImagePoint a = lines[i][k], b = lines[i][k + 1];
            // The point where the line enters the inner part of the image, to a fraction of the
            // segment.
            for (int s = 0; s <= 8; ++s) {
                const double t = s / 8.0;
                const ImagePoint p{a.column + t * (b.column - a.column),
                                   a.row + t * (b.row - a.row)};
                if (p.column < inset || p.column > view.width - inset || p.row < inset ||
                    p.row > view.height - inset)
                    continue;
                const bool better =
                    !best || (leftmost ? p.column < best->column : p.row > best->row);
                if (better && placer.isFree(p, text)) best = p;
            }
        }
    return best;
}

// Priority of angles for labels: quarters first, then by roundness.
double roundness(double angle) {
    const double seconds = std::fabs(angle) / kArcsec;
    double best = 0.0;
    for (const double step : kSteps)
        if (std::fabs(std::remainder(seconds, step)) < 1e-4 * std::min(step, 1.0)) best = step;
    return best;
}

// Minimum spacing of meridians relative to the parallels' (except in the last step to the pole).
// 1/4 still looks like a grid; less looks like a fan.
constexpr double kLeastSpread = 0.25;

// `step` and the round steps after it up to a right angle, each a multiple of the one before.
std::vector<double> nestedSteps(double step) {
    std::vector<double> nested{step};
    for (const double seconds : kSteps) {
        const double next = seconds * kArcsec, last = nested.back();
        const bool divides = std::fabs(std::remainder(next, last)) < 1e-6 * last &&
                             std::fabs(std::remainder(kHalfPi, next)) < 1e-6 * last;
        if (next > 1.5 * last && divides) nested.push_back(next);
    }
    return nested;
}

struct LabelledLine {
    double angle = 0.0;
    std::optional<ImagePoint> at;
};

class GraticuleMaker {
public:
    GraticuleMaker(const ViewGeometry& view, double step, LongitudeUnit unit, double textHeight,
                   const std::vector<ImageBox>& covered)
        : view_(view),
          unit_(unit),
          textHeight_(textHeight),
          placer_(view, textHeight, covered),
          field_(fieldOf(view)) {
        chooseSteps(step);
        // A parallel through the middle of the view carries the labels of the meridians.
        Vec3 middle{1.0, 0.0, 0.0};
        skyFromImage(view, 0.5 * view.width, 0.5 * view.height, middle);
        const double lat = lonLat(middle).lat;
        labelParallel_ =
            std::clamp(std::round(lat / grid_.step) * grid_.step, -75.0 * kDegree, 75.0 * kDegree);
    }

    Graticule make() {
        traceParallels();
        traceMeridians();
        placeLabels();
        return std::move(grid_);
    }

private:
    void chooseSteps(double wanted) {
        const double shorter =
            std::min({std::min(view_.width, view_.height) * view_.radiansPerPixel, kPi,
                      field_.north - field_.south});
        double step =
            wanted > 0.0 ? wanted : std::min(30.0 * kDegree, roundStepUp(shorter / kLinesAcross));
        step = std::max(step, (field_.north - field_.south) / kMaxParallels);
        if (step > wanted || !(wanted > 0.0)) step = roundStepUp(step);
        double across = step;
        if (!(wanted > 0.0)) {
            // The visible latitude nearest to the equator determines the spacing of meridians.
            const double lat = field_.south > 0.0   ? field_.south
                               : field_.north < 0.0 ? field_.north
                                                    : 0.0;
            across = std::min(30.0 * kDegree, roundStepUp(step / std::max(std::cos(lat), 1e-6)));
        }
        const double least = (field_.east - field_.west) / kMaxMeridians;
        grid_.step = step;
        grid_.longitudeStep = across >= least ? across : roundStepUp(least);
    }

    // Number of initial pieces of a curve; no seam or gap may hide within one.
    static int pieces(double extent) {
        return std::max(8, static_cast<int>(extent / (3.0 * kDegree)));
    }

    void traceParallels() {
        CurveTracer tracer(view_.width, view_.height, grid_.lines);
        const auto first = static_cast<int64_t>(std::ceil(field_.south / grid_.step - 1e-9));
        const auto last = static_cast<int64_t>(std::floor(field_.north / grid_.step + 1e-9));
        for (int64_t k = first; k <= last; ++k) {
            const double lat = static_cast<double>(k) * grid_.step;
            if (std::fabs(lat) > kHalfPi - 1e-12) continue;
            const size_t before = grid_.lines.size();
            tracer.trace(
                [&](double lon) {
                    return imageAt(view_, {lon, lat});
                },
                field_.west, field_.east, pieces(field_.east - field_.west));
            parallels_.push_back(
                {lat, extremePoint(view_, grid_.lines, before, true, 1.6 * textHeight_, placer_,
                                   angleText(lat, grid_.step, true))});
        }
    }

    // The latitude where a meridian ends: where meridians of its own spacing, the widest nested
    // spacing with that meridian, would be too close; on a parallel if possible. Meridians of right
    // angles extend to the pole.
    double endOfMeridian(double lon, const std::vector<double>& nested) const {
        if (std::fabs(std::remainder(lon, kHalfPi)) < 1e-9) return kHalfPi;
        double own = nested.front();
        for (const double step : nested)
            if (std::fabs(std::remainder(lon, step)) < 1e-6 * nested.front()) own = step;
        const double end = std::acos(std::min(1.0, kLeastSpread * grid_.step / own));
        return std::min(std::ceil(end / grid_.step - 1e-9) * grid_.step,
                        kHalfPi - std::min(10.0 * kDegree, grid_.step));
    }

    void traceMeridians() {
        const std::vector<double> nested = nestedSteps(grid_.longitudeStep);
        CurveTracer tracer(view_.width, view_.height, grid_.lines);
        const bool wholeTurn = field_.east - field_.west >= kTwoPi - 1e-12;
        const auto first =
            static_cast<int64_t>(std::ceil(field_.west / grid_.longitudeStep - 1e-9));
        const auto last = static_cast<int64_t>(
            std::floor(field_.east / grid_.longitudeStep + (wholeTurn ? -1e-9 : 1e-9)));
        for (int64_t k = first; k <= last; ++k) {
            const double lon = static_cast<double>(k) * grid_.longitudeStep;
            const double stop = endOfMeridian(lon, nested);
            const double south = std::max(field_.south, -stop),
                         north = std::min(field_.north, stop);
            if (south >= north) continue;
            const size_t before = grid_.lines.size();
            tracer.trace(
                [&](double lat) {
                    return imageAt(view_, {lon, lat});
                },
                south, north, pieces(north - south));
            std::optional<ImagePoint> at;
            if (field_.edgeInView)
                at = imageAt(view_, {lon, labelParallel_});
            else
                at = extremePoint(view_, grid_.lines, before, false, textHeight_, placer_,
                                  meridianText(lon));
            meridians_.push_back({lon, at});
        }
    }

    std::string meridianText(double angle) const {
        return longitudeText(angle, grid_.longitudeStep, unit_);
    }

    void placeLabels() {
        for (std::vector<LabelledLine>* lines : {&parallels_, &meridians_})
            std::stable_sort(lines->begin(), lines->end(),
                             [](const LabelledLine& a, const LabelledLine& b) {
                                 return roundness(a.angle) > roundness(b.angle);
                             });
        for (const LabelledLine& line : parallels_) {
            // A parallel that carries the meridians' labels needs no label of its own.
            const bool carries = field_.edgeInView && std::fabs(line.angle - labelParallel_) < 1e-9;
            if (!line.at || carries) continue;
            const std::string text = angleText(line.angle, grid_.step, true);
            // At the edge of the sky the text is inside.
            const ImagePoint at{
                line.at->column + (field_.edgeInView ? 0.7 * placer_.width(text) : 0.0),
                line.at->row};
            placer_.offer(at, text, true, grid_.labels);
        }
        for (const LabelledLine& line : meridians_) {
            if (line.at) placer_.offer(*line.at, meridianText(line.angle), false, grid_.labels);
        }
    }

    const ViewGeometry& view_;
    LongitudeUnit unit_;
    double textHeight_;
    LabelPlacer placer_;
    Field field_;
    double labelParallel_ = 0.0;
    Graticule grid_;
    std::vector<LabelledLine> parallels_, meridians_;
};

}  // namespace

bool edgeIsInView(const ViewGeometry& view) {
    return fieldOf(view).edgeInView;
}

namespace {

struct Crossing {
    double angle = 0.0;
    ImagePoint at;
    PictureSide side = PictureSide::Left;
};

// Lines crossed between adjacent points of a walk along the border.
class BorderWalk {
public:
    BorderWalk(const ViewGeometry& view, double step, double longitudeStep)
        : view_(view), step_(step), longitudeStep_(longitudeStep) {}

    void along(ImagePoint from, ImagePoint to, PictureSide side) {
        const int steps =
            std::max(64, static_cast<int>(std::hypot(to.column - from.column, to.row - from.row)));
        LonLat before;
        bool hasBefore = false;
        ImagePoint beforeAt;
        for (int i = 0; i <= steps; ++i) {
            const double t = static_cast<double>(i) / steps;
            const ImagePoint at{from.column + t * (to.column - from.column),
                                from.row + t * (to.row - from.row)};
            Vec3 sky;
            if (!skyFromImage(view_, at.column, at.row, sky)) {
                hasBefore = false;
                continue;
            }
            const LonLat now = lonLat(sky);
            if (hasBefore) {
                cross(before.lat, now.lat, step_, beforeAt, at, side, parallels);
                const double lon = before.lon + std::remainder(now.lon - before.lon, kTwoPi);
                // At a pole the longitude jumps, without crossing a meridian.
                if (std::fabs(lon - before.lon) < 0.5)
                    cross(before.lon, lon, longitudeStep_, beforeAt, at, side, meridians);
            }
            before = now;
            hasBefore = true;
            beforeAt = at;
        }
    }

    std::vector<Crossing> parallels, meridians;

private:
    static void cross(double from, double to, double step, ImagePoint a, ImagePoint b,
                      PictureSide side, std::vector<Crossing>& found) {
        const double first = std::floor(std::min(from, to) / step) + 1.0;
        for (double k = first; k * step <= std::max(from, to); ++k) {
            const double t = (k * step - from) / (to - from);
            found.push_back({k * step,
                             {a.column + t * (b.column - a.column), a.row + t * (b.row - a.row)},
                             side});
        }
    }
    const ViewGeometry& view_;
    double step_, longitudeStep_;
};

// The crossing of each line on the side of highest priority.
std::vector<Crossing> oneEach(const std::vector<Crossing>& all,
                              const std::vector<PictureSide>& order, double turn) {
    std::vector<Crossing> chosen;
    for (const PictureSide side : order)
        for (const Crossing& crossing : all) {
            if (crossing.side != side) continue;
            const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const Crossing& c) {
                const double apart = c.angle - crossing.angle;
                return std::fabs(turn > 0.0 ? std::remainder(apart, turn) : apart) < 1e-9;
            });
            if (!known) chosen.push_back(crossing);
        }
    return chosen;
}

// Parallels at the left half of the sky's edge, which meets all of them from pole to pole just
// inside.
std::vector<Crossing> crossingsOfEdge(const ViewGeometry& view, double step) {
    std::vector<Crossing> found;
    const PlanePoint extent = planeExtent(view.projection);
    constexpr int kPlaces = 2000;
    LonLat before;
    bool hasBefore = false;
    for (int i = 0; i <= kPlaces; ++i) {
        // from the top counterclockwise over the left
        const double angle = kHalfPi + kPi * i / kPlaces;
        PlanePoint at{extent.x * std::cos(angle), extent.y * std::sin(angle)};
        if (factsOf(view.projection).border == ProjectionBorder::Rectangle)
            at = {-extent.x, extent.y * (1.0 - 2.0 * i / kPlaces)};
        const ImagePoint image{(at.x - view.offset.x) / view.radiansPerPixel + 0.5 * view.width,
                               (view.offset.y - at.y) / view.radiansPerPixel + 0.5 * view.height};
        Vec3 sky;
        if (!inImage(view, image) ||
            !directionFromPlane(view.projection, view.flip, {at.x * 0.9999, at.y * 0.9999}, sky)) {
            hasBefore = false;
            continue;
        }
        const LonLat now = lonLat(view.skyFromView * sky);
        if (hasBefore) {
            const double first = std::floor(std::min(before.lat, now.lat) / step) + 1.0;
            for (double k = first; k * step <= std::max(before.lat, now.lat); ++k)
                found.push_back({k * step, image, PictureSide::Left});
        }
        before = now;
        hasBefore = true;
    }
    return found;
}

}  // namespace

std::vector<EdgeLabel> graticuleEdges(const ViewGeometry& view, double step, double longitudeStep,
                                      LongitudeUnit unit) {
    std::vector<EdgeLabel> labels;
    const auto addParallels = [&](const std::vector<Crossing>& crossings) {
        for (const Crossing& crossing : crossings)
            if (std::fabs(crossing.angle) < kHalfPi - 1e-9)
                labels.push_back(
                    {crossing.at, angleText(crossing.angle, step, true), crossing.side, true});
    };
    if (edgeIsInView(view)) {
        addParallels(oneEach(crossingsOfEdge(view, step), {PictureSide::Left}, 0.0));
        return labels;
    }
    const double right = view.width, bottom = view.height;
    BorderWalk walk(view, step, longitudeStep);
    walk.along({0, 0}, {0, bottom}, PictureSide::Left);
    walk.along({0, bottom}, {right, bottom}, PictureSide::Bottom);
    walk.along({right, bottom}, {right, 0}, PictureSide::Right);
    walk.along({right, 0}, {0, 0}, PictureSide::Top);
    using enum PictureSide;
    addParallels(oneEach(walk.parallels, {Left, Right, Top, Bottom}, 0.0));
    for (const Crossing& crossing : oneEach(walk.meridians, {Bottom, Top, Left, Right}, kTwoPi))
        labels.push_back({crossing.at, longitudeText(crossing.angle, longitudeStep, unit),
                          crossing.side, false});
    return labels;
}

Graticule graticule(const ViewGeometry& view, double step, LongitudeUnit unit, double textHeight,
                    const std::vector<ImageBox>& covered) {
    if (view.width < 1 || view.height < 1 || !(view.radiansPerPixel > 0.0)) return {};
    return GraticuleMaker(view, step, unit, textHeight, covered).make();
}

std::vector<Polyline> skyOutline(const ViewGeometry& view) {
    std::vector<Polyline> lines;
    const ProjectionBorder border = factsOf(view.projection).border;
    if (border == ProjectionBorder::None) return lines;
    const PlanePoint extent = planeExtent(view.projection);
    const auto image = [&](double x, double y) -> std::optional<ImagePoint> {
        return ImagePoint{(x - view.offset.x) / view.radiansPerPixel + 0.5 * view.width,
                          (view.offset.y - y) / view.radiansPerPixel + 0.5 * view.height};
    };
    CurveTracer tracer(view.width, view.height, lines);
    if (border == ProjectionBorder::Rectangle) {
        // Once around the picture in four sides.
        tracer.trace(
            [&](double t) {
                const double along = 2.0 * (t - std::floor(t)) - 1.0;
                switch (static_cast<int>(t)) {
                    case 0: return image(along * extent.x, extent.y);
                    case 1: return image(extent.x, -along * extent.y);
                    case 2: return image(-along * extent.x, -extent.y);
                    case 3: return image(-extent.x, along * extent.y);
                    default: return image(-extent.x, extent.y);
                }
            },
            0.0, 4.0, 32);
    } else {
        tracer.trace(
            [&](double t) { return image(extent.x * std::cos(t), extent.y * std::sin(t)); }, 0.0,
            kTwoPi, 72);
    }
    return lines;
}

}  // namespace armilla
