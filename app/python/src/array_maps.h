// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in numpy arrays. Operations read them in place or take copies of some fields.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/operations/data.h"
#include "arrays.h"

namespace armilla::python {

using FloatArray = std::variant<ArrayIn<const float>, ArrayIn<const double>>;

struct FieldIn {
    std::string name, unit;
    FloatArray values;
};

class ArrayMap {
public:
    // `fields`: (name, unit, array) each. `pixels`: of a partial map.
    ArrayMap(int64_t nside, bool nest, const std::string& frame, const nanobind::list& fields,
             const std::optional<ArrayIn<const int64_t>>& pixels);

    // The fields without values, on no pixel.
    HealpixMap names() const;
    // The samples where they are, if these fields of the map have the form that MapView requires.
    // Needs no interpreter. Throws Cancelled.
    std::optional<MapView> view(const std::vector<int>& which, JobContext& job) const;
    // A copy of some fields; bad values become NaN. Needs no interpreter. Throws as HealpixMap.
    HealpixMap copy(const std::vector<int>& which, JobContext& job) const;
    HealpixMap copy(JobContext& job) const;

    bool areUnnamed = false;  // whether the caller gave arrays without names

private:
    int64_t nside_;
    Ordering ordering_;
    Frame frame_;
    std::vector<FieldIn> fields_;
    std::optional<ArrayIn<const int64_t>> pixels_;
};

// The map itself, or a copy with NaN at the infinities and UNSEEN that Python code has written into
// its fields.
std::shared_ptr<const HealpixMap> withNan(const std::shared_ptr<const HealpixMap>& map,
                                          JobContext& job);

}  // namespace armilla::python
