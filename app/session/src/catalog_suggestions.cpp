// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/catalog_suggestions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/core/units.h"

namespace armilla {

namespace {

constexpr int64_t kLookedAt = 20000;        // samples used to find the extent
constexpr double kWidest = 60.0 * kDegree;  // radius of an image around its center
constexpr double kSpacings = 2.5;           // kernel width in sample spacings
constexpr double kCellsPerKernel = 3.0;
constexpr int kMostAcross = 2000;
constexpr double kEdge = 1.04;  // around the outermost samples
constexpr int kBins = 12;

}  // namespace

double inTwoDigits(double value) {
    const double digit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::round(value / digit) * digit;
}

std::optional<SuggestedTarget> suggestedTarget(const Catalog& catalog) {
    if (catalog.position.lon < 0 || catalog.rows() == 0) return std::nullopt;
    const int64_t stride = std::max<int64_t>(1, catalog.rows() / kLookedAt);
    std::vector<Vec3> places;
    Vec3 sum{0.0, 0.0, 0.0};
    for (int64_t row = 0; row < catalog.rows(); row += stride) {
        const LonLat at = catalog.at(row);
        if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
        places.push_back(direction(at));
        sum = sum + places.back();
    }
    if (places.empty() || norm(sum) < 1e-3 * static_cast<double>(places.size()))
        return std::nullopt;
    SuggestedTarget target;
    Vec3 center = normalized(sum);
    double halfX = 0.0, halfY = 0.0;
    // The second pass uses the center of the bounding box.
    for (int pass = 0; pass < 2; ++pass) {
        const Mat3 sky = skyFromViewRotation(lonLat(center), 0.0);
        double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
        target.reach = 0.0;
        for (const Vec3& place : places) {
            const Vec3 v = transposed(sky) * place;
            target.reach = std::max(target.reach, angularDistance(center, place));
            if (v.x <= 0.0) return std::nullopt;
            x0 = std::min(x0, v.y / v.x);
            x1 = std::max(x1, v.y / v.x);
            y0 = std::min(y0, v.z / v.x);
            y1 = std::max(y1, v.z / v.x);
        }
        if (target.reach > kWidest) return std::nullopt;
        halfX = 0.5 * (x1 - x0);
        halfY = 0.5 * (y1 - y0);
        if (pass == 0) center = sky * normalized(Vec3{1.0, 0.5 * (x0 + x1), 0.5 * (y0 + y1)});
    }
    target.center = lonLat(center);
    const double area = std::max(4.0 * halfX * halfY, 1e-14);
    const double spacing = std::sqrt(area / static_cast<double>(catalog.rows()));
    target.kernelFwhm = inTwoDigits(kSpacings * spacing / kArcsec) * kArcsec;
    const double wide = 2.0 * kEdge * std::max(halfX, halfY) + target.kernelFwhm;
    target.resolution =
        inTwoDigits(std::max(target.kernelFwhm / kCellsPerKernel, wide / kMostAcross) / kArcsec) *
        kArcsec;
    const auto cells = [&](double half) {
        return std::clamp(static_cast<int>(std::ceil((2.0 * kEdge * half + target.kernelFwhm) /
                                                     target.resolution)),
                          1, kMostAcross);
    };
    target.width = cells(halfX);
    target.height = cells(halfY);
    return target;
}

std::optional<size_t> likelyValueColumn(const Catalog& catalog) {
    constexpr std::array<const char*, 12> usual{"VALUE", "DATA", "SIGNAL",      "SPECTRUM",
                                                "TA",    "TB",   "T",           "TEMP",
                                                "FLUX",  "I",    "TEMPERATURE", "VALUES"};
    const auto& columns = catalog.table.columns;
    // Positions in other frames are no measured values either.
    std::set<int> positions{catalog.position.lon, catalog.position.lat};
    for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic})
        if (const auto found = findPositions(catalog.table, frame))
            positions.insert({found->lon, found->lat});
    const auto isFree = [&](size_t i) {
        return !columns[i].isText() && !positions.contains(static_cast<int>(i));
    };
    for (size_t i = 0; i < columns.size(); ++i)
        if (isFree(i) && columns[i].width > 1) return i;
    for (const char* name : usual)
        for (size_t i = 0; i < columns.size(); ++i)
            if (isFree(i) && QString::fromStdString(columns[i].name)
                                     .compare(QLatin1String(name), Qt::CaseInsensitive) == 0)
                return i;
    // Prefixes such as DATA_A, FLUX_1, ...; then measured values, which are seldom integers.
    for (const char* name : usual)
        for (size_t i = 0; i < columns.size(); ++i)
            if (isFree(i) &&
                QString::fromStdString(columns[i].name)
                    .startsWith(QLatin1String(name) + QLatin1Char('_'), Qt::CaseInsensitive))
                return i;
    for (const bool whole : {false, true})
        for (size_t i = 0; i < columns.size(); ++i)
            if (isFree(i) && columns[i].isInteger() == whole) return i;
    return std::nullopt;
}

QString suggestedBins(const Catalog& catalog) {
    // fraction of the spacing; limits in degrees
    constexpr double kShare = 0.3, kLeast = 1e-4, kMost = 20.0;
    if (catalog.position.lon < 0 || catalog.rows() < 10) return {};
    const auto around = suggestedTarget(catalog);
    const double reach = around ? around->reach : kHalfPi;
    const double area = around ? kPi * reach * reach : 4.0 * kPi;
    const double spacing = std::sqrt(area / static_cast<double>(catalog.rows()));
    const auto rounded = [](double degrees) {
        const double digit = std::pow(10.0, std::floor(std::log10(degrees)));
        return std::max(1.0, std::round(degrees / digit)) * digit;
    };
    const double low = rounded(std::max(kShare * spacing / kDegree, kLeast));
    // Few rows over the whole sky have neighbors farther than a third of kMost.
    const double high = rounded(std::max(3.0 * low, std::min(0.5 * reach / kDegree, kMost)));
    return QStringLiteral("%1deg,%2deg,%3").arg(low).arg(high).arg(kBins);
}

}  // namespace armilla
