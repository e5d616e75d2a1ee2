// SPDX-License-Identifier: GPL-3.0-or-later
#include "values.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "armilla/core/number_text.h"
#include "armilla/io/curve_io.h"
#include "arrays.h"

namespace nb = nanobind;

namespace armilla::python {

Frame frameOfLetter(const std::string& letter) {
    return letter.empty() ? Frame::Unknown : frameFromText(letter);
}

std::string letterOf(Frame frame) {
    const char letter = frameLetter(frame);
    return letter == 0 ? std::string() : std::string(1, letter);
}

namespace {

constexpr auto kCurveKinds =
    std::to_array<std::pair<std::string_view, CurveKind>>({{"plain", CurveKind::Plain},
                                                           {"spectrum", CurveKind::Spectrum},
                                                           {"correlation", CurveKind::Correlation},
                                                           {"profile", CurveKind::Profile},
                                                           {"histogram", CurveKind::Histogram},
                                                           {"beam", CurveKind::Beam},
                                                           {"kernel", CurveKind::Kernel}});

}  // namespace

std::string wordOf(CurveKind kind) {
    const auto found = std::find_if(kCurveKinds.begin(), kCurveKinds.end(),
                                    [&](const auto& each) { return each.second == kind; });
    ARMILLA_ASSERT(found != kCurveKinds.end());
    return std::string(found->first);
}

CurveKind curveKindOf(const std::string& word) {
    for (const auto& [each, kind] : kCurveKinds)
        if (each == word) return kind;
    throw InvalidArgument(
        "expected a curve of the kind plain, spectrum, correlation, profile, histogram, beam or "
        "kernel, found '" +
        word + "'");
}

std::optional<StoredPrecision> precisionOf(const std::string& word) {
    if (word.empty()) return std::nullopt;
    if (word == "single") return StoredPrecision::Single;
    if (word == "double") return StoredPrecision::Double;
    throw InvalidArgument("precision: expected single or double, found '" + word + "'");
}

namespace {

nb::list listOf(const std::vector<std::string>& texts) {
    nb::list list;
    for (const std::string& text : texts) list.append(nb::str(text.c_str(), text.size()));
    return list;
}

nb::dict partsOf(const std::shared_ptr<const HealpixMap>& map) {
    nb::dict parts;
    parts["nside"] = map->nside();
    parts["nest"] = map->ordering() == Ordering::Nested;
    parts["frame"] = letterOf(map->frame());
    parts["pixels"] = map->coverage() == Coverage::Full
                          ? nb::none()
                          : viewOf(map->pixels().data(), {map->pixels().size()}, map);
    parts["orders"] = map->coverage() == Coverage::MultiOrder
                          ? viewOf(map->cellOrders().data(), {map->cellOrders().size()}, map)
                          : nb::none();
    nb::list fields;
    for (const Field& field : map->fields()) {
        nb::object values =
            std::visit([&](const auto& held) { return viewOf(held.data(), {held.size()}, map); },
                       field.values);
        fields.append(
            nb::make_tuple(field.name, field.unit, values, static_cast<int>(field.diskType)));
    }
    parts["fields"] = fields;
    const MapMetadata& metadata = map->metadata();
    parts["history"] = listOf(metadata.history);
    parts["object"] = metadata.object;
    parts["cards"] = listOf(metadata.cards);
    parts["extension_name"] = metadata.extensionName;
    parts["is_iau"] = metadata.iauOnDisk;
    parts["bad_data"] = metadata.badData;
    return parts;
}

nb::object columnValues(const TableColumn& column, const std::shared_ptr<const void>& owner) {
    const auto rows = static_cast<size_t>(column.rows());
    const auto width = static_cast<size_t>(column.width);
    return std::visit(
        [&](const auto& values) -> nb::object {
            using T = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_same_v<T, std::string>) {
                return listOf(values);
            } else {
                if (width == 1) return viewOf(values.data(), {rows}, owner);
                return viewOf(values.data(), {rows, width}, owner);
            }
        },
        column.values);
}

// (system, equinox, year of observation) or None.
nb::object partsOf(const std::optional<EquatorialFrame>& frame) {
    if (!frame) return nb::none();
    return nb::make_tuple(static_cast<int>(frame->system), frame->equinox, frame->observed);
}

nb::dict partsOf(const Table& table, const std::shared_ptr<const void>& owner) {
    nb::dict parts;
    nb::list columns;
    for (const TableColumn& column : table.columns) {
        nb::dict entry;
        entry["name"] = column.name;
        entry["unit"] = column.unit;
        entry["ucd"] = column.ucd;
        entry["description"] = column.description;
        entry["width"] = column.width;
        entry["null"] = column.null ? nb::cast(*column.null) : nb::none();
        entry["equatorial"] = partsOf(column.equatorial);
        entry["values"] = columnValues(column, owner);
        columns.append(entry);
    }
    parts["name"] = table.name;
    parts["columns"] = columns;
    parts["frame"] = letterOf(table.frame);
    parts["history"] = listOf(table.history);
    parts["equatorial"] = partsOf(table.equatorial);
    parts["turned_from"] = table.turnedFrom;
    parts["cards"] = listOf(table.cards);
    parts["left_out"] = listOf(table.leftOut);
    parts["position"] = nb::none();
    return parts;
}

nb::dict partsOf(const std::shared_ptr<const Catalog>& catalog) {
    nb::dict parts = partsOf(catalog->table, catalog);
    const PositionColumns& position = catalog->position;
    parts["table_frame"] = parts["frame"];
    parts["frame"] = letterOf(position.frame);
    if (position.lon >= 0)
        parts["position"] = nb::make_tuple(position.lon, position.lat, position.lonUnit,
                                           position.latUnit, position.isFrameOfNames);
    return parts;
}

nb::dict partsOf(const std::shared_ptr<const Image>& image) {
    nb::dict parts;
    const std::initializer_list<size_t> shape = {image->planes.size(),
                                                 static_cast<size_t>(image->height),
                                                 static_cast<size_t>(image->width)};
    parts["data"] = std::visit(
        [&](const auto& values) { return viewOf(values.data(), shape, image); }, image->values);
    nb::list planes;
    for (const ImagePlane& plane : image->planes)
        planes.append(nb::make_tuple(plane.name, plane.axisValue));
    parts["planes"] = planes;
    parts["name"] = image->name;
    parts["axis"] = nb::make_tuple(image->axisName, image->axisUnit);
    parts["unit"] = image->unit;
    parts["frame"] = letterOf(image->frame);
    parts["wcs_cards"] = listOf(image->wcsCards);
    parts["cards"] = listOf(image->cards);
    parts["history"] = listOf(image->history);
    return parts;
}

nb::dict partsOf(const std::shared_ptr<const Curve>& curve) {
    nb::dict parts;
    const auto view = [&](const std::vector<double>& values) -> nb::object {
        if (values.empty()) return nb::none();
        return viewOf(values.data(), {values.size()}, curve);
    };
    const auto count = static_cast<size_t>(curve->size());
    parts["kind"] = wordOf(curve->kind);
    parts["name"] = curve->name;
    parts["x_name"] = curve->xName;
    parts["x_unit"] = curve->xUnit;
    parts["x"] = viewOf(curve->x.data(), {count}, curve);
    parts["x_low"] = view(curve->xLow);
    parts["x_high"] = view(curve->xHigh);
    nb::list series;
    for (const CurveSeries& each : curve->series)
        series.append(nb::make_tuple(each.name, each.unit, view(each.values), view(each.errors)));
    parts["series"] = series;
    parts["covariance"] = curve->covariance.empty()
                              ? nb::none()
                              : viewOf(curve->covariance.data(), {count, count}, curve);
    parts["history"] = listOf(curve->history);
    return parts;
}

nb::dict partsOf(const std::shared_ptr<const AlmSet>& set) {
    nb::dict parts;
    nb::list alm;
    for (const Alm& each : set->alm)
        alm.append(nb::make_tuple(each.lmax(), each.mmax(),
                                  viewOf(each.values().data(), {each.values().size()}, set)));
    parts["alm"] = alm;
    parts["frame"] = letterOf(set->frame);
    parts["unit"] = set->unit;
    parts["spin"] = set->spin;
    return parts;
}

// Spectra, beams and kernels are curves in Python.
nb::dict partsOfValue(const Value& value) {
    struct Visitor {
        nb::dict operator()(const std::shared_ptr<const HealpixMap>& held) { return partsOf(held); }
        nb::dict operator()(const std::shared_ptr<const Catalog>& held) { return partsOf(held); }
        nb::dict operator()(const std::shared_ptr<const Table>& held) {
            return partsOf(*held, held);
        }
        nb::dict operator()(const std::shared_ptr<const Image>& held) { return partsOf(held); }
        nb::dict operator()(const std::shared_ptr<const Curve>& held) { return partsOf(held); }
        nb::dict operator()(const std::shared_ptr<const AlmSet>& held) { return partsOf(held); }
        nb::dict operator()(const std::shared_ptr<const Spectra>& held) {
            return partsOf(std::make_shared<const Curve>(curveOf(*held)));
        }
        nb::dict operator()(const std::shared_ptr<const Beam>& held) {
            return partsOf(std::make_shared<const Curve>(curveOf(*held)));
        }
        nb::dict operator()(const std::shared_ptr<const RadialKernel>& held) {
            return partsOf(std::make_shared<const Curve>(curveOf(*held)));
        }
        nb::dict operator()(std::monostate) { return nb::dict(); }
    };
    return std::visit(Visitor{}, value.data);
}

const char* kindOf(const Value& value) {
    static constexpr std::array<const char*, 10> kKinds = {
        "map", "catalog", "table", "image", "curve", "alm", "spectra", "beam", "kernel", ""};
    return kKinds.at(value.data.index());
}

// A copy with memory of its own, which is written as the value is.
Value copyOf(const Value& value) {
    const nb::gil_scoped_release released;
    Value made = value;
    made.data = std::visit(
        [](const auto& held) -> Data {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
                return held;
            else
                return std::make_shared<std::remove_cvref_t<decltype(*held)>>(*held);
        },
        value.data);
    return made;
}

// A copy of a value whose frame is unknown, in the frame of a letter. Its other metadata stay.
Value inFrame(const Value& value, const std::string& letter) {
    const Frame frame = frameOfLetter(letter);
    const auto framed = [&](auto made) -> Data {
        using Made = decltype(made);
        if constexpr (std::is_same_v<Made, HealpixMap>)
            made.setFrame(frame);
        else if constexpr (std::is_same_v<Made, Catalog>)
            made.table.frame = made.position.frame = frame;
        else
            made.frame = frame;
        return std::make_shared<const Made>(std::move(made));
    };
    const auto copied = [&](const auto& held) -> Data {
        if constexpr (
            requires { held->frame; } || requires { held->frame(); })
            return framed(*held);
        else
            throw InvalidArgument("expected a value on the sky, found one without a frame");
    };
    return {.data = std::visit(copied, value.data), .isOwned = true};
}

}  // namespace

void bindValues(nb::module_& module) {
    nb::class_<Value>(module, "Value", "A value of the library: map, catalog, image, curve or alm.")
        .def_prop_ro("kind", &kindOf)
        .def_prop_ro("summary", [](const Value& value) { return value.summary; })
        .def("parts", &partsOfValue, "The parts of the value; arrays are views of its memory.")
        .def("__deepcopy__",
             [](const Value& value, const nb::object& /*memo*/) { return copyOf(value); })
        .def("__getstate__",
             [](const Value& value) {
                 return nb::make_tuple(kindOf(value), partsOfValue(value), value.summary);
             })
        .def("__setstate__",
             [](Value& value, const std::tuple<std::string, nb::dict, std::string>& state) {
                 const auto& [kind, parts, summary] = state;
                 new (&value) Value(valueOfParts(kind, parts));
                 value.summary = summary;
             })
        .def("in_frame", &inFrame, nb::arg("frame"), "A copy in a frame, without a rotation.");
}

}  // namespace armilla::python
