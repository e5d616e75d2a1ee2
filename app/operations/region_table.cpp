// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/region_table.h"

#include <algorithm>

#include "armilla/core/ascii_text.h"
#include "armilla/core/frames.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/units.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/brightness.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sources.h"
#include "beam_area.h"

namespace armilla {

namespace {

std::string_view shapeName(const Region& region) {
    switch (region.shape) {
        case RegionShape::Circle: return "circle";
        case RegionShape::Ellipse: return "ellipse";
        case RegionShape::Box: return "box";
        case RegionShape::Annulus: return "annulus";
        case RegionShape::Polygon: return "polygon";
    }
    return "";
}

class Rows {
public:
    explicit Rows(size_t count) : count_(count) { table.name = "STATISTICS"; }
    // Adds a column and returns its values, one for each row.
    std::vector<double>& add(std::string_view name, const std::string& unit, std::string_view ucd,
                             const char* description) {
        TableColumn& column = make(name, unit, ucd, description);
        column.values = std::vector<double>(count_, kNan);
        return std::get<std::vector<double>>(column.values);
    }
    std::vector<int64_t>& addCount(const char* name, const char* description) {
        TableColumn& column = make(name, "", "meta.number", description);
        column.values = std::vector<int64_t>(count_, 0);
        return std::get<std::vector<int64_t>>(column.values);
    }
    std::vector<std::string>& addText(const char* name, const char* description) {
        TableColumn& column = make(name, "", "meta.id", description);
        column.values = std::vector<std::string>(count_);
        return std::get<std::vector<std::string>>(column.values);
    }
    Table table;

private:
    TableColumn& make(std::string_view name, const std::string& unit, std::string_view ucd,
                      const char* description) {
        if (table.columns.capacity() < 32) table.columns.reserve(32);  // references stay valid
        TableColumn& column = table.columns.emplace_back();
        column.name = name;
        column.unit = unit;
        column.ucd = ucd;
        column.description = description;
        return column;
    }
    size_t count_;
};

}  // namespace

void appendParts(std::vector<SkyPart>& parts, std::span<const NamedRegion> regions,
                 const SkyPart& sky) {
    const auto excludes = [](const NamedRegion& named) { return named.region.exclude; };
    const bool onlyExcludes = std::all_of(regions.begin(), regions.end(), excludes);
    if (onlyExcludes && !regions.empty() && parts.empty()) parts.push_back(sky);
    const size_t begin = onlyExcludes ? 0 : parts.size();
    for (const NamedRegion& named : regions) {
        if (named.region.exclude) {
            if (begin == parts.size())
                throw InvalidArgument(
                    "expected a region before the first excluding region, which subtracts from it, "
                    "found none");
            for (size_t i = begin; i < parts.size(); ++i) parts[i].without.push_back(named.region);
            continue;
        }
        SkyPart part;
        part.name = named.text.empty() ? std::string(shapeName(named.region)) + " " +
                                             std::to_string(parts.size() + 1)
                                       : named.text;
        part.region = named.region;
        parts.push_back(std::move(part));
    }
}

SkyIntegral integralOf(const std::vector<std::string>& cards, const Field& field,
                       const std::function<void(const std::string&)>& note) {
    const std::string unit = standardUnit(field.unit);
    if (degradeRule(field) == Degrade::Sum) return {true, 1.0, unit, "sum over pixels"};
    const auto parsed = parseUnit(unit);
    if (!parsed || parsed->isLogarithm)
        return {false, 1.0, unit + " sr", "sum times the solid angle of a pixel"};
    PhysicalUnit integrated = *parsed;
    const auto take = [&](auto isTaken) { return std::erase_if(integrated.factors, isTaken) > 0; };
    const auto beam = beamOfCards(cards);
    if (parsed->power(UnitBase::Beam) == -1.0 && beam) {
        take([](const UnitFactor& factor) { return lowerCase(factor.name) == "beam"; });
        return {false, 1.0 / (kGaussianArea * beam->area()), spelledUnit(integrated),
                "sum divided by pixels per beam"};
    }
    if (isPerBeam(unit) && note)
        note(field.name + ": values in " + unit +
             " are integrated as they are, without the beam (BMAJ and BMIN)");
    double factor = 1.0;
    const bool isPerArea = take([&factor](const UnitFactor& each) {
        if (each.name == "sr") return each.prefix.empty() && each.power == -1.0;
        const auto angle = radiansOfUnit(each.prefix + each.name);
        if (!angle || each.power != -2.0) return false;
        factor /= *angle * *angle;
        return true;
    });
    if (!isPerArea) integrated.factors.push_back({"", "sr", 1.0});
    return {false, factor, spelledUnit(integrated), "sum times the solid angle of a pixel"};
}

AreaStatistics mapStatistics(const HealpixMap& map, PartValues values) {
    const double pixel = 4.0 * kPi / static_cast<double>(map.pixelCount());
    AreaStatistics figures{partStatistics(map, std::move(values))};
    figures.area = static_cast<double>(figures.pixels) * pixel;
    figures.integral = figures.sum * pixel;
    return figures;
}

Table regionTable(Frame own, std::span<const SkyPart> parts,
                  std::span<const AreaStatistics> figures, Frame frame, const std::string& unit,
                  const SkyIntegral& integral) {
    Rows rows(parts.size());
    const FrameFacts& names = factsOf(frame);
    auto& name = rows.addText("REGION", "name of the region");
    auto& lon = rows.add(names.lon, "deg", names.lonUcd, "its center");
    auto& lat = rows.add(names.lat, "deg", names.latUcd, "its center");
    auto& area = rows.add("AREA", "deg2", "phys.angArea", "solid angle of its pixels");
    auto& pixels = rows.addCount("PIXELS", "pixels with centers in it");
    auto& good = rows.addCount("GOOD", "pixels with a value");
    auto& sum = rows.add("SUM", unit, "", "");
    auto& total = rows.add("INTEGRAL", integral.unit, "", integral.description);
    auto& mean = rows.add("MEAN", unit, "stat.mean", "");
    auto& median = rows.add("MEDIAN", unit, "stat.median", "");
    auto& deviation = rows.add("STD", unit, "stat.stdev", "standard deviation of the pixels");
    auto& least = rows.add("MIN", unit, "stat.min", "");
    auto& largest = rows.add("MAX", unit, "stat.max", "");
    auto& low = rows.add("P16", unit, "", "percentile 16");
    auto& high = rows.add("P84", unit, "", "percentile 84");
    auto& lonMax = rows.add("MAX_LON", "deg", "", "position of the largest value");
    auto& latMax = rows.add("MAX_LAT", "deg", "", "position of the largest value");
    const Mat3 turn = frameRotation(frame, own);
    for (size_t i = 0; i < parts.size(); ++i) {
        const AreaStatistics& s = figures[i];
        name[i] = parts[i].name;
        if (const auto center = parts[i].center(frame)) {
            const LonLat at = lonLat(*center);
            lon[i] = at.lon / kDegree;
            lat[i] = at.lat / kDegree;
        }
        area[i] = s.area / (kDegree * kDegree);
        pixels[i] = s.pixels;
        good[i] = s.good;
        sum[i] = s.sum;
        total[i] = integral.of(s);
        mean[i] = s.mean;
        median[i] = s.median;
        deviation[i] = s.standardDeviation;
        least[i] = s.least;
        largest[i] = s.largest;
        low[i] = s.low;
        high[i] = s.high;
        if (!s.largestAt) continue;
        const LonLat at = lonLat(turn * *s.largestAt);
        lonMax[i] = at.lon / kDegree;
        latMax[i] = at.lat / kDegree;
    }
    rows.table.frame = frame;
    return std::move(rows.table);
}

}  // namespace armilla
