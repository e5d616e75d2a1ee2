// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of images in their own pixels.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "armilla/core/counted.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/usage_error.h"
#include "beam_area.h"
#include "catalog_rows.h"
#include "image_sampler.h"
#include "mask_options.h"
#include "nearest_direction.h"
#include "region_options.h"
#include "ring_image.h"

namespace armilla {

namespace {

bool isOnSky(Vec3 v) {
    return std::isfinite(v.z);
}

void requireOptionsOfImage(const MaskOptions& p) {
    const auto refuse = [](bool is, std::string_view option) {
        if (is)
            throw UsageError("--" + std::string(option) +
                             ": expected a HEALPix map beside it, found an image, whose mask has "
                             "its pixels (armilla convert --nside)");
    };
    refuse(p.nside.has_value(), "nside");
    refuse(p.ordering.has_value(), "ordering");
    refuse(p.frame.has_value(), "frame");
    refuse(!p.credible.empty(), "credible");
    refuse(!p.strokes.empty(), "strokes");
}

class ImageMask {
public:
    ImageMask(const Image& image, JobContext& job)
        : image_(image), sampler_(image, job), job_(job) {}

    // Good where a plane is a number in the range; or the plane itself, if its values are weights.
    void take(const Input& input, const MaskOptions& p, const Context& context) {
        const int plane = planeNamed(image_, input.field);
        values_ = newVector<double>(image_.planeSize(), job_);
        std::visit(
            [&](const auto& all) {
                std::copy_n(all.begin() + plane * image_.planeSize(), image_.planeSize(),
                            values_.begin());
            },
            image_.values);
        const bool hasUnit = !image_.unit.empty() && image_.unit != "1";
        const auto has = [&](auto is) { return std::any_of(values_.begin(), values_.end(), is); };
        const bool hasEnds =
            has([](double v) { return v == 0.0; }) && has([](double v) { return v == 1.0; });
        const bool isMask = !p.above && !p.below && !hasUnit &&
                            !has([](double v) { return v < 0.0 || v > 1.0; }) &&
                            (hasEnds || has([](double v) { return v > 0.0 && v < 1.0; }));
        if (isMask && context.note)
            context.note(input.name + ": values from 0 to 1, used as the weights of a mask");
        forEach([&](size_t i) {
            const double value = values_[i];
            const bool isGood = std::isfinite(value) && value >= p.below.value_or(-kInfinite) &&
                                value <= p.above.value_or(kInfinite);
            values_[i] = isMask ? (std::isfinite(value) ? value : 0.0) : isGood ? 1.0 : 0.0;
            if (!isOnSky(centers()[i])) values_[i] = 0.0;
        });
    }
    // `test(direction)`: whether a pixel is inside.
    template <typename Test>
    void cut(const Test& test, Inside what) {
        forEach([&](size_t i) {
            if (values_[i] != 0.0 && test(centers()[i]) == (what == Inside::Cut)) values_[i] = 0.0;
        });
    }
    void cutRegions(const std::vector<Region>& regions, Inside what) {
        std::vector<RegionTest> tests;
        tests.reserve(regions.size());
        for (const Region& region : regions) tests.emplace_back(region, image_.frame);
        cut(
            [&](Vec3 at) {
                bool isInside = false;
                for (size_t i = 0; i < tests.size(); ++i)
                    if (isInside == regions[i].exclude && tests[i].contains(at))
                        isInside = !regions[i].exclude;
                return isInside;
            },
            what);
    }
    void cutCatalog(const Catalog& catalog, double radius) {
        const Mat3 turn = frameRotation(image_.frame, catalog.frame());
        std::vector<Vec3> rows;
        for (int64_t row = 0; row < catalog.rows(); ++row)
            if (const auto at = directionOfRow(catalog, row, turn)) rows.push_back(*at);
        const NearestDirection nearest(std::move(rows));
        cut([&](Vec3 at) { return nearest.angle(at, radius) <= radius; }, Inside::Cut);
    }
    void join(const Input& with, MaskJoin how) {
        std::vector<double> other(values_.size(), 0.0);
        if (isImage(with)) {
            const Image& mask = with.image();
            if (!areSamePixels(mask, image_))
                throw InvalidArgument("expected a mask with the pixels of the image, found others");
            forEach([&](size_t i) {
                const auto at = static_cast<int64_t>(i);
                other[i] = mask.at(at % mask.width, at / mask.width);
            });
        } else {
            const HealpixMap& map = with.map();
            const Mat3 turn = frameRotation(map.frame(), image_.frame);
            forEach([&](size_t i) {
                if (isOnSky(centers()[i]))
                    other[i] = map.value(0, map.pixelAt(turn * centers()[i]));
            });
        }
        forEach([&](size_t i) {
            if (!std::isfinite(other[i]) || other[i] < 0.0) other[i] = 0.0;
            values_[i] = how == MaskJoin::And ? std::min(values_[i], other[i])
                                              : std::max(values_[i], other[i]);
        });
    }
    void invert() {
        forEach([&](size_t i) { values_[i] = isOnSky(centers()[i]) ? 1.0 - values_[i] : 0.0; });
    }
    void shrinkBad(double angle) {
        const std::vector<double> distances = distanceTo(true, angle);
        forEach([&](size_t i) {
            if (values_[i] <= 0.5 && distances[i] <= angle) values_[i] = 1.0;
        });
    }
    void growBad(double angle) {
        const std::vector<double> distances = distanceTo(false, angle);
        forEach([&](size_t i) {
            if (values_[i] <= 0.5 || distances[i] <= angle) values_[i] = 0.0;
        });
    }
    void apodize(double angle, Apodization kind) {
        if (angle == 0.0) return;
        // A Gaussian edge reaches 0.99 at its angle and 1 at three times that. Pixels without a bad
        // one within the reach count as pi from it, as in apodizedMask().
        const double reach = kind == Apodization::Gaussian ? std::min(kPi, 3.0 * angle) : angle;
        const std::vector<double> distances = distanceTo(false, reach);
        forEach([&](size_t i) {
            if (values_[i] <= 0.5)
                values_[i] = 0.0;
            else
                values_[i] *=
                    apodizationAt(kind, distances[i] <= reach ? distances[i] : kPi, angle);
        });
    }
    // Sets the pixels of connected bad areas smaller than `area` to 1.
    void fillHoles(double area, Context& context) {
        const std::vector<double> areas = solidAngles(image_, centers(), job_);
        std::vector<char> seen(values_.size(), 0);
        int64_t holes = 0, pixels = 0;
        for (size_t begin = 0; begin < values_.size(); ++begin) {
            if (begin % kPixelGrain == 0) job_.poll();
            if (seen[begin] != 0 || !isBad(begin)) continue;
            std::vector<size_t> hole{begin};
            seen[begin] = 1;
            double sum = 0.0;
            for (size_t k = 0; k < hole.size(); ++k) {
                sum += areas[hole[k]];
                forNeighbors(hole[k], [&](size_t next) {
                    if (seen[next] != 0 || !isBad(next)) return;
                    seen[next] = 1;
                    hole.push_back(next);
                });
            }
            if (!(sum < area)) continue;
            ++holes;
            pixels += std::ssize(hole);
            for (const size_t i : hole) values_[i] = 1.0;
        }
        context.figures.set("holes_filled", holes);
        context.figures.set("pixels_filled", pixels);
        if (context.note)
            context.note("filled " + counted(holes, "hole") + " of " + counted(pixels, "pixel"));
    }
    double goodShare() {
        const std::vector<double> areas = solidAngles(image_, centers(), job_);
        double sum = 0.0;
        for (size_t i = 0; i < values_.size(); ++i)
            if (isOnSky(centers()[i])) sum += values_[i] * areas[i];
        return sum / (4.0 * kPi);
    }
    std::shared_ptr<const Image> result(StoredPrecision precision) const {
        auto made = std::make_shared<Image>(imageOn(gridOf(image_)));
        made->cards = image_.cards;
        made->history = image_.history;
        setBeamCards(made->cards, std::nullopt);
        made->name = "MASK";
        if (precision == StoredPrecision::Double)
            made->values = values_;
        else
            made->values = std::vector<float>(values_.begin(), values_.end());
        return made;
    }

private:
    static constexpr double kInfinite = std::numeric_limits<double>::infinity();

    const std::vector<Vec3>& centers() const { return sampler_.centers(); }
    template <typename Body>
    void forEach(const Body& body) {
        forPixels(values_.size(), job_, body);
    }
    bool isBad(size_t i) const { return values_[i] <= 0.5 && isOnSky(centers()[i]); }
    // Calls `body` for the up to eight neighbors of a pixel; rows close where the image goes around
    // the sky.
    template <typename Body>
    void forNeighbors(size_t i, const Body& body) const {
        const auto at = static_cast<int64_t>(i);
        const int64_t x = at % image_.width, y = at / image_.width;
        for (int64_t dy = -1; dy <= 1; ++dy)
            for (int64_t dx = -1; dx <= 1; ++dx)
                if (const auto next = sampler_.pixelOf(x + dx, y + dy); next && *next != at)
                    body(static_cast<size_t>(*next));
    }
    // Angle from each pixel of the other kind to the nearest good (or bad) pixel; pi beyond `most`.
    // Only a target beside a pixel of the other kind, or at the border, can be the nearest.
    std::vector<double> distanceTo(bool isToGood, double most) {
        std::vector<Vec3> targets;
        const auto isTarget = [&](size_t i) {
            return isOnSky(centers()[i]) && (values_[i] > 0.5) == isToGood;
        };
        for (size_t i = 0; i < values_.size(); ++i) {
            if (i % kPixelGrain == 0) job_.poll();
            if (!isTarget(i)) continue;
            int neighbors = 0;
            forNeighbors(i, [&](size_t next) { neighbors += isTarget(next) ? 1 : 0; });
            if (neighbors < 8) targets.push_back(centers()[i]);
        }
        const NearestDirection nearest(std::move(targets));
        std::vector<double> distances(values_.size(), kPi);
        parallelFor(job_, std::ssize(values_), 4096, [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                if (isOnSky(centers()[i]) && !isTarget(i))
                    distances[i] = nearest.angle(centers()[i], most);
        });
        return distances;
    }

    const Image& image_;
    ImageSampler sampler_;
    JobContext& job_;
    std::vector<double> values_;
};

// Cuts in a known frame require an image in a known frame.
void requireFrame(const Input& map, Inputs& inputs, const MaskOptions& p) {
    if (map.image().frame != Frame::Unknown) return;
    if (p.latitude || inputs.find("catalog") != nullptr || !inputs.several("moc").empty())
        throw InvalidArgument(
            map.name +
            ": expected an image in a known frame, found none; state it with --input-frame G|C|E");
}

}  // namespace

Outputs maskOfImage(Context& context, Inputs& inputs, const MaskOptions& p) {
    requireOptionsOfImage(p);
    const Input& map = inputs["MAP"];
    const Image& image = map.image();
    requireFrame(map, inputs, p);
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    return naming(map.name, [&]() -> Outputs {
        ImageMask mask(image, job);
        mask.take(map, p, context);
        context.job.report(0.2, "mask");
        if (p.latitude) {
            const Mat3 turn = frameRotation(Frame::Galactic, image.frame);
            mask.cut([&](Vec3 at) { return std::abs(std::asin((turn * at).z)) < *p.latitude; },
                     Inside::Cut);
        }
        if (!p.regions.empty())
            naming(p.regions,
                   [&] { mask.cutRegions(regionsOfFile(p.regions, context), p.inside); });
        if (!p.region.empty()) mask.cutRegions(regionsOfText(p.region, image.frame), p.inside);
        if (const auto mocs = inputs.several("moc"); !mocs.empty()) {
            std::vector<int64_t> cells = cellsOfAll(mocs, job);
            std::sort(cells.begin(), cells.end());
            const Mat3 turn = frameRotation(Frame::Equatorial, image.frame);
            const NestedCells inside(std::move(cells));
            mask.cut([&](Vec3 at) { return inside.contains(turn * at); }, p.inside);
        }
        if (const Input* catalog = inputs.find("catalog"))
            mask.cutCatalog(catalog->catalog(), p.radius ? *p.radius : 0.5 * p.beams * *p.fwhm);
        for (const Input* with : inputs.several("with"))
            naming(with->name, [&] { mask.join(*with, p.combine); });
        if (p.invert) mask.invert();
        if (!p.fillHoles.empty()) mask.fillHoles(*solidAngleOf(p.fillHoles), context);
        context.job.report(0.4, "mask");
        if (p.shrink) mask.shrinkBad(*p.shrink);
        if (p.grow) mask.growBad(*p.grow);
        context.job.report(0.7, "mask");
        if (p.apodize) mask.apodize(*p.apodize, p.apodization);
        const double share = mask.goodShare();
        context.figures.set("good_share", share);
        std::array<char, 96> words{};
        std::snprintf(words.data(), words.size(), "%lld x %lld pixels; %.4g %% of the sky is good",
                      static_cast<long long>(image.width), static_cast<long long>(image.height),
                      100.0 * share);
        const StoredPrecision ofImage =
            image.values.index() == 0 ? StoredPrecision::Single : StoredPrecision::Double;
        return {{"OUT", mask.result(context.precision.value_or(ofImage)), words.data()}};
    });
}

}  // namespace armilla
