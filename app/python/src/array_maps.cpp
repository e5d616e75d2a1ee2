// SPDX-License-Identifier: GPL-3.0-or-later
#include "array_maps.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "armilla/core/new_vector.h"
#include "call.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

// Copies by all threads; bad values become NaN.
template <typename T>
std::vector<T> copyWithNan(std::span<const T> from, JobContext& job) {
    std::vector<T> to = newVector<T>(static_cast<int64_t>(from.size()), job);
    parallelFor(
        job, static_cast<long long>(from.size()), kPixelGrain, [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                to[i] = isBadSample(from[i]) ? std::numeric_limits<T>::quiet_NaN() : from[i];
        });
    return to;
}

// A field of the type of an array, without values.
Field namedField(const FieldIn& from) {
    Field field{from.name, from.unit, DiskType::Float32, {}};
    if (std::holds_alternative<ArrayIn<const double>>(from.values)) {
        field.diskType = DiskType::Float64;
        field.values = std::vector<double>();
    } else {
        field.values = std::vector<float>();
    }
    return field;
}

template <typename T, typename Test>
bool hasAny(std::span<const T> samples, const Test& test, JobContext& job) {
    std::atomic<bool> found{false};
    parallelFor(job, static_cast<long long>(samples.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    if (!found && std::any_of(samples.begin() + begin, samples.begin() + end, test))
                        found = true;
                });
    return found;
}

template <typename T>
bool hasBadSample(std::span<const T> samples, JobContext& job) {
    return hasAny(samples, isBadSample<T>, job);
}

// Whether bad samples are there that maps in memory do not have.
bool hasOtherThanNan(const Field& field, JobContext& job) {
    return std::visit(
        [&]<typename T>(const std::vector<T>& values) {
            const auto isOther = [](T value) { return isBadSample(value) && !std::isnan(value); };
            return hasAny(std::span<const T>(values), isOther, job);
        },
        field.values);
}

}  // namespace

std::shared_ptr<const HealpixMap> withNan(const std::shared_ptr<const HealpixMap>& map,
                                          JobContext& job) {
    const auto isClean = [&](const Field& field) { return !hasOtherThanNan(field, job); };
    if (std::all_of(map->fields().begin(), map->fields().end(), isClean)) return map;
    auto made = std::make_shared<HealpixMap>(*map);
    for (int i = 0; i < made->fieldCount(); ++i)
        std::visit(
            [&]<typename T>(std::vector<T>& values) {
                values = copyWithNan(std::span<const T>(values), job);
            },
            made->field(i).values);
    return made;
}

ArrayMap::ArrayMap(int64_t nside, bool nest, const std::string& frame, const nb::list& fields,
                   const std::optional<ArrayIn<const int64_t>>& pixels)
    : nside_(nside),
      ordering_(nest ? Ordering::Nested : Ordering::Ring),
      frame_(frameOfLetter(frame)),
      pixels_(pixels) {
    for (const nb::handle entry : fields) {
        const auto tuple = nb::cast<nb::tuple>(entry);
        fields_.push_back({nb::cast<std::string>(tuple[0]), nb::cast<std::string>(tuple[1]),
                           nb::cast<FloatArray>(tuple[2])});
    }
}

HealpixMap ArrayMap::names() const {
    std::vector<Field> fields;
    for (const FieldIn& field : fields_) fields.push_back(namedField(field));
    return HealpixMap::partial(nside_, ordering_, frame_, {}, std::move(fields));
}

std::optional<MapView> ArrayMap::view(const std::vector<int>& which, JobContext& job) const {
    if (pixels_ || ordering_ != Ordering::Ring || which.empty()) return {};
    MapView view{names(), {}};
    for (const FieldIn& field : fields_)
        view.samples.push_back(std::visit(
            [](const auto& array) { return ConstMapSamples(spanOf(array)); }, field.values));
    const auto first = static_cast<size_t>(which.front());
    for (const int index : which) {
        const auto i = static_cast<size_t>(index);
        const bool fits = fields_[i].unit == fields_[first].unit &&
                          view.samples[i].index() == view.samples[first].index() &&
                          sizeOf(view.samples[i]) == static_cast<size_t>(pixelCount(nside_));
        if (!fits || std::visit([&](const auto& samples) { return hasBadSample(samples, job); },
                                view.samples[i]))
            return {};
    }
    return view;
}

HealpixMap ArrayMap::copy(const std::vector<int>& which, JobContext& job) const {
    std::vector<Field> fields;
    for (const int index : which) {
        const FieldIn& from = fields_[static_cast<size_t>(index)];
        Field& field = fields.emplace_back(namedField(from));
        std::visit([&](const auto& array) { field.values = copyWithNan(spanOf(array), job); },
                   from.values);
    }
    if (!pixels_) return {nside_, ordering_, frame_, std::move(fields)};
    return HealpixMap::partial(
        nside_, ordering_, frame_,
        std::vector<int64_t>(pixels_->data(), pixels_->data() + pixels_->size()),
        std::move(fields));
}
HealpixMap ArrayMap::copy(JobContext& job) const {
    std::vector<int> all(fields_.size());
    std::iota(all.begin(), all.end(), 0);
    return copy(all, job);
}

namespace {

Value mapOf(int64_t nside, bool nest, const std::string& frame, const nb::list& fields,
            const std::optional<ArrayIn<const int64_t>>& pixels) {
    const ArrayMap given(nside, nest, frame, fields, pixels);
    Value value;
    runJob({0, nb::none()}, [&](JobContext& job) {
        value.data = std::make_shared<const HealpixMap>(given.copy(job));
    });
    value.isOwned = true;
    return value;
}

}  // namespace

void bindArrayMaps(nb::module_& module) {
    nb::class_<ArrayMap>(module, "ArrayMap")
        .def(nb::init<int64_t, bool, const std::string&, const nb::list&,
                      const std::optional<ArrayIn<const int64_t>>&>(),
             nb::arg("nside"), nb::arg("nest"), nb::arg("frame"), nb::arg("fields"),
             nb::arg("pixels") = nb::none())
        .def_rw("are_unnamed", &ArrayMap::areUnnamed);
    module.def("make_map", &mapOf, nb::arg("nside"), nb::arg("nest"), nb::arg("frame"),
               nb::arg("fields"), nb::arg("pixels") = nb::none());
}

}  // namespace armilla::python
