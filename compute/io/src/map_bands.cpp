// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_bands.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/number_text.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/sky_vector.h"
#include "inclusive_disc.h"

namespace armilla {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 7> kEnergies{{{"EV", 1e-6},
                                                                        {"KEV", 1e-3},
                                                                        {"MEV", 1.0},
                                                                        {"GEV", 1e3},
                                                                        {"TEV", 1e6},
                                                                        {"PEV", 1e9},
                                                                        {"ERG", 624150.9074}}};
constexpr std::array<const char*, 6> kEnergyNames{"eV", "keV", "MeV", "GeV", "TeV", "PeV"};

// MeV in one unit of the column; none for a unit that is no energy.
std::optional<double> energyUnit(const FitsColumn& column) {
    const std::string word = upperTrimmed(column.unit);
    for (const auto& [name, size] : kEnergies)
        if (word == name) return size;
    return std::nullopt;
}

// The largest unit in which the number, rounded to three digits, is at least 1.
size_t unitFor(double megaElectronVolts) {
    size_t best = 0;
    for (size_t i = 0; i < kEnergyNames.size(); ++i)
        if (megaElectronVolts >= kEnergies[i].second * (1.0 - 5e-4)) best = i;
    return best;
}

std::string energyText(double megaElectronVolts) {
    const size_t unit = unitFor(megaElectronVolts);
    return numberText(megaElectronVolts / kEnergies[unit].second) + " " + kEnergyNames[unit];
}

std::string energyRange(double low, double high) {
    // Both ends have one unit while three digits suffice for the upper end; otherwise "846 MeV-1.11
    // GeV".
    const size_t unit = unitFor(low);
    if (std::round(high / kEnergies[unit].second) >= 1000.0 && unitFor(high) > unit)
        return energyText(low) + "-" + energyText(high);
    return numberText(low / kEnergies[unit].second) + "-" +
           numberText(high / kEnergies[unit].second) + " " + kEnergyNames[unit];
}

// The columns of each axis: edges or centers of bins.
std::vector<std::vector<const FitsColumn*>> axesOf(const FitsHdu& hdu, const TableLayout& table) {
    std::vector<std::vector<const FitsColumn*>> axes;
    const auto add = [&](std::initializer_list<std::string> names) {
        std::vector<const FitsColumn*> columns;
        for (const std::string& name : names)
            if (const FitsColumn* column = table.column(name);
                column != nullptr && column->isNumeric() && column->repeat == 1)
                columns.push_back(column);
        if (columns.size() != names.size()) return false;
        axes.push_back(std::move(columns));
        return true;
    };
    for (int axis = 1; const auto names = hdu.header.text("AXCOLS" + std::to_string(axis));
         ++axis) {
        const size_t comma = names->find(',');
        if (comma == std::string::npos)
            add({trimmed(*names)});
        else
            add({trimmed(names->substr(0, comma)), trimmed(names->substr(comma + 1))});
    }
    if (axes.empty() && !add({"E_MIN", "E_MAX"}) && !add({"CTHETA_MIN", "CTHETA_MAX"}))
        add({"ENERGY"});
    return axes;
}

// "THETA" of "THETA_MIN".
std::string axisName(const std::string& column) {
    const std::string upper = upperTrimmed(column);
    return upper.ends_with("_MIN") ? upper.substr(0, upper.size() - 4) : upper;
}

std::string rangeOf(const std::vector<const FitsColumn*>& axis, double low, double high) {
    if (!std::isfinite(low) || !std::isfinite(high)) return {};
    const std::string name = axisName(axis[0]->name);
    const bool isEnergy = name == "E" || name == "ENERGY" || name == "ENERGY_TRUE";
    auto unit = energyUnit(*axis[0]);
    // The format's unit of energies is keV, but the Fermi tools write MeV into tables of centers.
    if (!unit && isEnergy && axis[0]->unit.empty()) unit = axis.size() == 2 ? 1e-3 : 1.0;
    if (unit && low > 0.0)
        return axis.size() == 2 ? energyRange(low * *unit, high * *unit) : energyText(low * *unit);
    const std::string behind = axis[0]->unit.empty() ? "" : " " + axis[0]->unit;
    return name + " " + numberText(low) + (axis.size() == 2 ? "-" + numberText(high) : "") + behind;
}

// True if columns of the map are planes along an axis, by the names of the Fermi tools and gammapy.
bool hasChannels(const FitsHdu& map, const TableLayout& layout) {
    if (map.header.has("HPX_CONV")) return true;
    return std::any_of(layout.columns.begin(), layout.columns.end(), [](const FitsColumn& column) {
        const std::string name = upperTrimmed(column.name);
        const size_t digit = name.find_first_of("0123456789");
        const std::string stem = name.substr(0, digit);
        return (digit != std::string::npos &&
                (stem == "CHANNEL" || stem == "ENERGY" || stem == "BIN" || stem == "COSBINS")) ||
               name == "CHANNEL";
    });
}

const FitsHdu* bandsHdu(FitsFile& file, const FitsHdu& map, const TableLayout& layout) {
    const auto named = map.header.text("BANDSHDU");
    const bool areChannels = hasChannels(map, layout);
    const auto isOfVector = [&](const FitsHdu& bands) {
        const int64_t rows = bands.header.integer("NAXIS2").value_or(0);
        return std::any_of(
            layout.columns.begin(), layout.columns.end(), [&](const FitsColumn& column) {
                return column.isNumeric() && column.repeat > 1 && column.repeat == rows;
            });
    };
    for (int i = 1; const FitsHdu* hdu = file.hdu(i); ++i) {
        if (hdu->type != HduType::BinaryTable || hdu->number == map.number) continue;
        const std::string name = upperTrimmed(hdu->name());
        const bool areEnergies = name == "EBOUNDS" || name == "ENERGIES";
        const bool areAngles = name == "CTHETABOUNDS";  // livetime cubes
        if (named
                ? name == upperTrimmed(*named)
                : (areEnergies && areChannels) || ((areEnergies || areAngles) && isOfVector(*hdu)))
            return hdu;
    }
    return nullptr;
}

}  // namespace

std::vector<MapBand> readBands(FitsFile& file, const FitsHdu& map, const TableLayout& layout) {
    const FitsHdu* hdu = bandsHdu(file, map, layout);
    if (hdu == nullptr) return {};
    const TableLayout table = tableLayout(file, *hdu);
    constexpr int64_t kMostBands = 100000;
    if (table.rows > kMostBands)
        refuse(file.path(), "at most " + std::to_string(kMostBands) + " bands",
               std::to_string(table.rows) + " in " + inQuotes(hdu->name()));
    JobContext job;
    const auto valuesOf = [&](const FitsColumn* column) {
        return column != nullptr && column->isNumeric() && column->repeat == 1
                   ? readColumn(file, *hdu, table, *column, job)
                   : std::vector<double>();
    };
    const std::vector<double> channels = valuesOf(table.column("CHANNEL"));
    const std::vector<double> sides = valuesOf(table.column("NSIDE"));
    std::vector<MapBand> bands(static_cast<size_t>(table.rows));
    for (size_t row = 0; row < bands.size(); ++row) {
        bands[row].channel =
            channels.empty() ? static_cast<int64_t>(row) : std::llround(channels[row]);
        if (sides.empty()) continue;
        const bool valid = sides[row] >= 1.0 && sides[row] <= static_cast<double>(kMaxNside);
        if (!valid)
            refuse(file.path(), "NSIDE from 1 to 2^29 in the table " + inQuotes(hdu->name()),
                   numberText(sides[row]) + " in row " + std::to_string(row + 1));
        bands[row].nside = std::llround(sides[row]);
    }
    for (const auto& axis : axesOf(*hdu, table)) {
        const std::vector<double> low = valuesOf(axis.front()), high = valuesOf(axis.back());
        for (size_t row = 0; row < bands.size(); ++row)
            if (const std::string text = rangeOf(axis, low[row], high[row]); !text.empty())
                bands[row].range += (bands[row].range.empty() ? "" : " ") + text;
    }
    return bands;
}

std::optional<MapRegion> regionOf(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : upperTrimmed(text))
        if (c == '(' || c == ')' || c == ',' || c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    std::erase(words, std::string());
    MapRegion region;
    if (words.size() == 5 && words[0] == "DISK_INC") {
        constexpr int64_t kMostFactor = 1 << 16;
        const auto factor = parseInteger(words[4]);
        if (!factor || *factor < 1 || *factor > kMostFactor) return std::nullopt;
        region.factor = *factor;
        words.pop_back();
        words[0] = "DISK";
    }
    if (words.size() != 4) return std::nullopt;
    if (words[0] == "HPX_PIXEL") {
        const auto size = parseInteger(words[2]), pixel = parseInteger(words[3]);
        if ((words[1] != "RING" && words[1] != "NESTED") || !size || !pixel || *size < 0 ||
            *size > kMaxNside || *pixel < 0)
            return std::nullopt;
        region.shape = MapRegion::Shape::Pixel;
        region.ordering = words[1] == "RING" ? Ordering::Ring : Ordering::Nested;
        region.size = *size;
        region.pixel = *pixel;
        return region;
    }
    std::array<double, 3> angles{};
    for (size_t i = 0; i < 3; ++i) {
        const auto degrees = parseReal(words[i + 1]);
        if (!degrees || !std::isfinite(*degrees)) return std::nullopt;
        angles[i] = *degrees * kDegree;
    }
    if (words[0] != "DISK" || std::abs(angles[1]) > kHalfPi || angles[2] < 0.0 || angles[2] > kPi)
        return std::nullopt;
    region.lon = angles[0];
    region.lat = angles[1];
    region.radius = angles[2];
    return region;
}

namespace {

// The format gives the order of the larger pixel, gammapy its nside; the number of rows
// distinguishes the two.
std::vector<int64_t> pixelsWithin(const MapRegion& region, const std::string& path, int64_t nside,
                                  Ordering ordering, int64_t listed) {
    std::vector<int64_t> sides;
    if (region.size <= orderOf(kMaxNside)) sides.push_back(int64_t{1} << region.size);
    if (isPowerOfTwoNside(region.size)) sides.push_back(region.size);
    for (const int64_t side : sides) {
        if (!isPowerOfTwoNside(nside) || side > nside || region.pixel >= pixelCount(side)) continue;
        const int64_t across = nside / side, count = across * across;
        if (count != listed && (sides.size() > 1 || count > 2 * listed + 1000)) continue;
        const int64_t parent =
            region.ordering == Ordering::Nested ? region.pixel : nestedFromRing(side, region.pixel);
        std::vector<int64_t> pixels(static_cast<size_t>(count));
        for (int64_t i = 0; i < count; ++i) {
            const int64_t nested = parent * count + i;
            pixels[static_cast<size_t>(i)] =
                ordering == Ordering::Nested ? nested : ringFromNested(nside, nested);
        }
        std::sort(pixels.begin(), pixels.end());
        return pixels;
    }
    refuse(path,
           "HPX_REG = HPX_PIXEL(ORDERING,ORDER,PIX) of a pixel with " + std::to_string(listed) +
               " of NSIDE = " + std::to_string(nside) + " within",
           "another");
}

}  // namespace

std::vector<int64_t> pixelsOf(const MapRegion& region, const std::string& path, int64_t nside,
                              Ordering ordering, int64_t listed) {
    if (region.shape == MapRegion::Shape::Pixel)
        return pixelsWithin(region, path, nside, ordering, listed);
    // The estimate precedes the list: apart from its edge, the file must contain the pixels of the
    // disc.
    const double area =
        0.5 * (1.0 - std::cos(region.radius)) * static_cast<double>(pixelCount(nside));
    if (area > 2.0 * static_cast<double>(listed) + 1000.0)
        refuse(path,
               "a row for each pixel of the region, about " + std::to_string(std::llround(area)) +
                   " of NSIDE = " + std::to_string(nside),
               std::to_string(listed));
    return discPixels(region, path, nside, ordering);
}

std::vector<int64_t> discPixels(const MapRegion& disc, const std::string& path, int64_t nside,
                                Ordering ordering) {
    const Vec3 center = direction({disc.lon, disc.lat});
    const bool fits = disc.factor <= kMaxNside / nside &&
                      (ordering == Ordering::Ring || isPowerOfTwoNside(disc.factor));
    if (disc.factor > 0 && !fits)
        refuse(path,
               "a factor in HPX_REG = DISK_INC(LON,LAT,RADIUS,FACTOR) that is a power of two of at "
               "most " +
                   std::to_string(kMaxNside / nside) + " for NESTED pixels",
               std::to_string(disc.factor));
    if (disc.factor > 0) return inclusiveDisc(center, disc.radius, disc.factor, nside, ordering);
    std::vector<int64_t> pixels;
    for (const PixelRange& range : queryDisc(nside, ordering, center, disc.radius))
        for (int64_t pixel = range.begin; pixel < range.end; ++pixel) pixels.push_back(pixel);
    return pixels;
}

}  // namespace armilla
