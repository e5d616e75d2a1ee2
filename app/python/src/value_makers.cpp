// SPDX-License-Identifier: GPL-3.0-or-later
// Values made from numpy arrays. The library's values own their memory, so arrays are copied. Maps
// are in array_maps.cpp.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
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

Value almOf(const std::vector<AlmArray>& arrays, int lmax, int mmax, const std::string& frame,
            const std::string& unit, int spin) {
    auto set = std::make_shared<AlmSet>();
    set->frame = frameOfLetter(frame);
    set->spin = spin;
    set->unit = unit;
    for (const AlmArray& array : arrays) {
        if (static_cast<int64_t>(array.size()) != Alm::count(lmax, mmax))
            throw InvalidArgument("expected " + std::to_string(Alm::count(lmax, mmax)) +
                                  " coefficients for lmax " + std::to_string(lmax) + ", mmax " +
                                  std::to_string(mmax) + ", found " + std::to_string(array.size()));
        set->alm.emplace_back(
            lmax, mmax,
            std::vector<std::complex<double>>(array.data(), array.data() + array.size()));
        Alm& alm = set->alm.back();
        // The coefficients of a real field are real at m = 0.
        for (int l = 0; l <= lmax; ++l) alm(l, 0).imag(0.0);
    }
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

Value curveFromParts(const nb::dict& parts) {
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
    checkCurve(*curve);
    return {.data = std::shared_ptr<const Curve>(std::move(curve)), .isOwned = true};
}

}  // namespace

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
    module.def("make_alm", &almOf, nb::arg("arrays"), nb::arg("lmax"), nb::arg("mmax"),
               nb::arg("frame"), nb::arg("unit"), nb::arg("spin"));
    module.def("make_moc", &mocOf, nb::arg("bounds"), nb::arg("order"));
    module.def("make_table", &tableOf, nb::arg("columns"), nb::arg("frame"), nb::arg("name"),
               nb::arg("position") = nb::none());
    module.def("make_image", &imageOf, nb::arg("data"), nb::arg("shape"), nb::arg("planes"),
               nb::arg("unit"), nb::arg("frame"), nb::arg("wcs_cards"), nb::arg("cards"));
    module.def("make_curve", &curveFromParts, nb::arg("parts"));
}

}  // namespace armilla::python
