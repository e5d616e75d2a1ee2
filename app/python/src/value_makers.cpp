// SPDX-License-Identifier: GPL-3.0-or-later
// Values made from numpy arrays. The library's values own their memory, so arrays are copied. Maps
// are in array_maps.cpp.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/moc_io.h"
#include "array_maps.h"
#include "arrays.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

using AlmArray = ArrayIn<const std::complex<double>>;

Alm almOf(const AlmArray& array, int lmax, int mmax) {
    if (static_cast<int64_t>(array.size()) != Alm::count(lmax, mmax))
        throw InvalidArgument("expected " + std::to_string(Alm::count(lmax, mmax)) +
                              " coefficients for lmax " + std::to_string(lmax) + ", mmax " +
                              std::to_string(mmax) + ", found " + std::to_string(array.size()));
    Alm alm(lmax, mmax,
            std::vector<std::complex<double>>(array.data(), array.data() + array.size()));
    // The coefficients of a real field are real at m = 0.
    for (int l = 0; l <= lmax; ++l) alm(l, 0).imag(0.0);
    return alm;
}

Value almSetOf(const std::vector<AlmArray>& arrays, int lmax, int mmax, const std::string& frame,
               const std::string& unit, int spin) {
    auto set = std::make_shared<AlmSet>();
    set->frame = frameOfLetter(frame);
    set->spin = spin;
    set->unit = unit;
    for (const AlmArray& array : arrays) set->alm.push_back(almOf(array, lmax, mmax));
    return {.data = std::shared_ptr<const AlmSet>(std::move(set)), .isOwned = true};
}

// A MOC of ranges of cells of order 29 (begin and end, in pairs), declared at an order.
Value mocOf(const ArrayIn<const int64_t>& bounds, int order) {
    constexpr int64_t kCells = int64_t{12} << (2 * kRangeOrder);
    if (order < 0 || order > kRangeOrder)
        throw InvalidArgument("expected the order of a MOC from 0 to " +
                              std::to_string(kRangeOrder) + ", found " + std::to_string(order));
    std::vector<PixelRange> ranges;
    for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
        const int64_t first = bounds.data()[i], last = bounds.data()[i + 1];
        if (first < 0 || first >= last || last > kCells)
            throw InvalidArgument("expected ranges of cells of order " +
                                  std::to_string(kRangeOrder) + ", found " + std::to_string(first) +
                                  " to " + std::to_string(last));
        ranges.push_back({first, last});
    }
    JobContext job;
    HealpixMap map = coverageOf(normalizedRanges(std::move(ranges)), job);
    declareMocOrder(map, order);
    // The Python value keeps it.
    return {.data = std::make_shared<const HealpixMap>(std::move(map)), .isOwned = false};
}

template <typename T>
std::vector<T> vectorOf(const ArrayIn<const T>& array) {
    return {array.data(), array.data() + array.size()};
}

std::vector<std::string> textsOf(const nb::handle& list) {
    return nb::cast<std::vector<std::string>>(list);
}

std::optional<EquatorialFrame> equatorialOf(const nb::handle& parts) {
    if (parts.is_none()) return std::nullopt;
    const auto [system, equinox, observed] =
        nb::cast<std::tuple<int, double, std::optional<double>>>(parts);
    return EquatorialFrame{static_cast<EquatorialSystem>(system), equinox, observed};
}

TableColumn columnOf(const nb::dict& parts) {
    using Values = std::variant<ArrayIn<const double>, ArrayIn<const float>, ArrayIn<const int64_t>,
                                std::vector<std::string>>;
    TableColumn column;
    column.name = nb::cast<std::string>(parts["name"]);
    column.unit = nb::cast<std::string>(parts["unit"]);
    column.ucd = nb::cast<std::string>(parts["ucd"]);
    column.description = nb::cast<std::string>(parts["description"]);
    column.width = nb::cast<int64_t>(parts["width"]);
    column.null = nb::cast<std::optional<int64_t>>(parts["null"]);
    if (parts.contains("equatorial")) column.equatorial = equatorialOf(parts["equatorial"]);
    auto held = nb::cast<Values>(parts["values"]);
    std::visit(
        [&](auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>)
                column.values = std::move(values);
            else
                column.values = vectorOf(values);
        },
        held);
    return column;
}

Value tableOf(const nb::list& columns, const std::string& frame, const std::string& name,
              const std::optional<std::pair<std::string, std::string>>& position) {
    Table table;
    table.name = name;
    table.frame = frameOfLetter(frame);
    for (const nb::handle column : columns)
        table.columns.push_back(columnOf(nb::cast<nb::dict>(column)));
    return {.data = catalogOrTable(std::move(table), position), .isOwned = true};
}

Value imageOf(const FloatArray& data, const std::vector<int64_t>& shape,
              const std::vector<std::pair<std::string, double>>& planes, const std::string& unit,
              const std::string& frame, const std::vector<std::string>& wcsCards,
              const std::vector<std::string>& cards) {
    auto image = std::make_shared<Image>();
    image->height = shape.at(1);
    image->width = shape.at(2);
    for (const auto& [name, value] : planes) image->planes.push_back({name, value});
    image->unit = unit;
    image->frame = frameOfLetter(frame);
    image->wcsCards = wcsCards;
    image->cards = cards;
    std::visit([&](const auto& array) { image->values = vectorOf(array); }, data);
    checkImage(*image);
    return {.data = std::shared_ptr<const Image>(std::move(image)), .isOwned = true};
}

using Doubles = ArrayIn<const double>;

std::vector<double> doublesOf(const nb::handle& object) {
    if (object.is_none()) return {};
    return vectorOf(nb::cast<Doubles>(object));
}

// Name, unit, values, and the type in files; by default that of the values.
using FieldParts = std::tuple<std::string, std::string, FloatArray, std::optional<int>>;

Data mapOfParts(const nb::dict& parts) {
    std::vector<Field> fields;
    for (const nb::handle entry : nb::cast<nb::list>(parts["fields"])) {
        const auto [name, unit, values, type] = nb::cast<FieldParts>(entry);
        Field& field = fields.emplace_back(Field{name, unit, DiskType::Float32, {}});
        std::visit(
            [&](const auto& array) {
                auto held = vectorOf(array);
                using T = typename decltype(held)::value_type;
                std::replace_if(held.begin(), held.end(), isBadSample<T>,
                                std::numeric_limits<T>::quiet_NaN());
                field.values = std::move(held);
            },
            values);
        if (type)
            field.diskType = static_cast<DiskType>(*type);
        else if (!field.isSingle())
            field.diskType = DiskType::Float64;
    }
    const auto nside = nb::cast<int64_t>(parts["nside"]);
    const Ordering ordering = nb::cast<bool>(parts["nest"]) ? Ordering::Nested : Ordering::Ring;
    const Frame frame = frameOfLetter(nb::cast<std::string>(parts["frame"]));
    HealpixMap map;
    if (parts["pixels"].is_none()) {
        map = HealpixMap(nside, ordering, frame, std::move(fields));
    } else {
        std::vector<int64_t> pixels = vectorOf(nb::cast<ArrayIn<const int64_t>>(parts["pixels"]));
        map =
            parts["orders"].is_none()
                ? HealpixMap::partial(nside, ordering, frame, std::move(pixels), std::move(fields))
                : HealpixMap::multiOrder(
                      nside, frame, std::move(pixels),
                      vectorOf(nb::cast<ArrayIn<const uint8_t>>(parts["orders"])),
                      std::move(fields));
    }
    map.metadata() = {nb::cast<std::string>(parts["object"]),
                      textsOf(parts["cards"]),
                      textsOf(parts["history"]),
                      nb::cast<std::string>(parts["extension_name"]),
                      nb::cast<bool>(parts["is_iau"]),
                      nb::cast<std::optional<double>>(parts["bad_data"])};
    return std::make_shared<const HealpixMap>(std::move(map));
}

Table tableOfParts(const nb::dict& parts, const char* frame) {
    Table table;
    table.name = nb::cast<std::string>(parts["name"]);
    for (const nb::handle column : nb::cast<nb::list>(parts["columns"]))
        table.columns.push_back(columnOf(nb::cast<nb::dict>(column)));
    table.frame = frameOfLetter(nb::cast<std::string>(parts[frame]));
    table.equatorial = equatorialOf(parts["equatorial"]);
    table.turnedFrom = nb::cast<std::string>(parts["turned_from"]);
    table.history = textsOf(parts["history"]);
    table.cards = textsOf(parts["cards"]);
    table.leftOut = textsOf(parts["left_out"]);
    return table;
}

Data catalogOfParts(const nb::dict& parts) {
    Catalog catalog{tableOfParts(parts, "table_frame"), {}};
    PositionColumns& position = catalog.position;
    if (!parts["position"].is_none()) {
        using Place = std::tuple<int, int, double, double, bool>;
        std::tie(position.lon, position.lat, position.lonUnit, position.latUnit,
                 position.isFrameOfNames) = nb::cast<Place>(parts["position"]);
    }
    position.frame = frameOfLetter(nb::cast<std::string>(parts["frame"]));
    return std::make_shared<const Catalog>(std::move(catalog));
}

Data imageOfParts(const nb::dict& parts) {
    auto image = std::make_shared<Image>();
    const auto data = nb::cast<FloatArray>(parts["data"]);
    std::visit(
        [&](const auto& array) {
            image->height = static_cast<int64_t>(array.shape(1));
            image->width = static_cast<int64_t>(array.shape(2));
            image->values = vectorOf(array);
        },
        data);
    using Plane = std::pair<std::string, double>;
    for (const auto& [name, value] : nb::cast<std::vector<Plane>>(parts["planes"]))
        image->planes.push_back({name, value});
    image->name = nb::cast<std::string>(parts["name"]);
    image->unit = nb::cast<std::string>(parts["unit"]);
    image->frame = frameOfLetter(nb::cast<std::string>(parts["frame"]));
    std::tie(image->axisName, image->axisUnit) =
        nb::cast<std::pair<std::string, std::string>>(parts["axis"]);
    image->wcsCards = textsOf(parts["wcs_cards"]);
    image->cards = textsOf(parts["cards"]);
    image->history = textsOf(parts["history"]);
    checkImage(*image);
    return std::shared_ptr<const Image>(std::move(image));
}

Data spectraOfParts(const nb::dict& parts) {
    Spectra spectra;
    for (const nb::handle entry : nb::cast<nb::list>(parts["series"])) {
        const auto tuple = nb::cast<nb::tuple>(entry);
        const auto name = nb::cast<std::string>(tuple[0]);
        const auto kind = std::find(kSpectrumNames.begin(), kSpectrumNames.end(), name);
        ARMILLA_ASSERT(kind != kSpectrumNames.end());
        spectra.cl.at(static_cast<size_t>(kind - kSpectrumNames.begin())) = doublesOf(tuple[2]);
        spectra.unit = nb::cast<std::string>(tuple[1]);
    }
    return std::make_shared<const Spectra>(std::move(spectra));
}

// Beams and kernels, too: operations take curves for them.
Data curveOfParts(const nb::dict& parts) {
    auto curve = std::make_shared<Curve>();
    curve->kind = curveKindOf(nb::cast<std::string>(parts["kind"]));
    curve->name = nb::cast<std::string>(parts["name"]);
    curve->xName = nb::cast<std::string>(parts["x_name"]);
    curve->xUnit = nb::cast<std::string>(parts["x_unit"]);
    curve->x = doublesOf(parts["x"]);
    curve->xLow = doublesOf(parts["x_low"]);
    curve->xHigh = doublesOf(parts["x_high"]);
    curve->covariance = doublesOf(parts["covariance"]);
    for (const nb::handle entry : nb::cast<nb::list>(parts["series"])) {
        const auto tuple = nb::cast<nb::tuple>(entry);
        curve->series.push_back({nb::cast<std::string>(tuple[0]), nb::cast<std::string>(tuple[1]),
                                 doublesOf(tuple[2]), doublesOf(tuple[3])});
    }
    curve->history = textsOf(parts["history"]);
    checkCurve(*curve);
    return std::shared_ptr<const Curve>(std::move(curve));
}

Data almOfParts(const nb::dict& parts) {
    AlmSet set;
    for (const nb::handle entry : nb::cast<nb::list>(parts["alm"])) {
        const auto [lmax, mmax, array] = nb::cast<std::tuple<int, int, AlmArray>>(entry);
        set.alm.push_back(almOf(array, lmax, mmax));
    }
    set.frame = frameOfLetter(nb::cast<std::string>(parts["frame"]));
    set.unit = nb::cast<std::string>(parts["unit"]);
    set.spin = nb::cast<int>(parts["spin"]);
    return std::make_shared<const AlmSet>(std::move(set));
}

}  // namespace

Value valueOfParts(const std::string& kind, const nb::dict& parts) {
    Value value;
    if (kind == "map") {
        value.data = mapOfParts(parts);
    } else if (kind == "catalog") {
        value.data = catalogOfParts(parts);
    } else if (kind == "table") {
        value.data = std::make_shared<const Table>(tableOfParts(parts, "frame"));
    } else if (kind == "image") {
        value.data = imageOfParts(parts);
    } else if (kind == "alm") {
        value.data = almOfParts(parts);
    } else if (kind == "spectra") {
        value.data = spectraOfParts(parts);
    } else {
        value.data = curveOfParts(parts);
    }
    return value;
}

Data catalogOrTable(Table table,
                    const std::optional<std::pair<std::string, std::string>>& position) {
    const auto found = position
                           ? std::optional(positionsNamed(table, position->first, position->second))
                           : findPositions(table, table.frame);
    if (!found) return std::make_shared<const Table>(std::move(table));
    auto catalog = std::make_shared<Catalog>(Catalog{std::move(table), *found});
    const Frame stated = catalog->table.frame, named = catalog->position.frame;
    if (named == Frame::Unknown) catalog->position.frame = stated;
    if (named != Frame::Unknown && stated != Frame::Unknown && named != stated)
        throw InvalidArgument("expected no frame, or " + std::string(frameName(named)) +
                              " as the columns of positions state, found " +
                              std::string(frameName(stated)));
    JobContext quiet;
    turnToIcrs(catalog->table, catalog->position, std::nullopt, quiet);
    return std::shared_ptr<const Catalog>(std::move(catalog));
}

void bindValueMakers(nb::module_& module) {
    module.def("make_alm", &almSetOf, nb::arg("arrays"), nb::arg("lmax"), nb::arg("mmax"),
               nb::arg("frame"), nb::arg("unit"), nb::arg("spin"));
    module.def("make_moc", &mocOf, nb::arg("bounds"), nb::arg("order"));
    module.def("make_table", &tableOf, nb::arg("columns"), nb::arg("frame"), nb::arg("name"),
               nb::arg("position") = nb::none());
    module.def("make_image", &imageOf, nb::arg("data"), nb::arg("shape"), nb::arg("planes"),
               nb::arg("unit"), nb::arg("frame"), nb::arg("wcs_cards"), nb::arg("cards"));
    module.def("make_value", &valueOfParts, nb::arg("kind"), nb::arg("parts"));
}

}  // namespace armilla::python
