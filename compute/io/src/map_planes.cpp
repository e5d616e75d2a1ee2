// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_planes.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/unset_vector.h"

namespace armilla {

namespace {

// Planes with the nside of the first one, and a note on the rest.
std::vector<const MapPlane*> planesOfOneNside(const MapTable& map, const MapReadOptions& options) {
    std::vector<const MapPlane*> chosen;
    std::string others;
    for (const MapPlane& plane : map.planes)
        if (plane.nside == map.nside)
            chosen.push_back(&plane);
        else
            others += (others.empty() ? "" : ", ") + plane.columnName + " (NSIDE " +
                      std::to_string(plane.nside) + ")";
    if (!others.empty())
        addNote(options, "omitted, because the first field has NSIDE " + std::to_string(map.nside) +
                             ": " + others + " (use --field for these)");
    return chosen;
}

}  // namespace

void addNote(const MapReadOptions& options, const std::string& line) {
    if (options.notes != nullptr) options.notes->push_back(line);
}

void requireFewFields(const std::string& path, size_t fields) {
    constexpr size_t kMostFields = 999;  // columns of a FITS table
    if (fields > kMostFields)
        refuse(path,
               "at most " + std::to_string(kMostFields) + " fields (--field NAME chooses some)",
               std::to_string(fields));
}

bool heldAsFloat(const FitsColumn& column) {
    return isHeldAsFloat(diskTypeOf(column));
}

bool isHeldAsFloat(DiskType type) {
    switch (type) {
        case DiskType::UInt8:
        case DiskType::Int16:
        case DiskType::Logical:
        case DiskType::Float32: return true;
        default: return false;
    }
}

std::vector<const MapPlane*> selectedPlanes(const FitsFile& file, const MapTable& map,
                                            const MapReadOptions& options) {
    if (options.fields.empty()) {
        requireFewFields(file.path(), map.planes.size());
        return planesOfOneNside(map, options);
    }
    if (map.planes.empty()) {  // a MOC is one field of 0 and 1
        for (const std::string& text : options.fields)
            if (upperTrimmed(text) != kCoverageName && text != "1")
                refuse(file.path(), std::string("the field ") + kCoverageName + " or the number 1",
                       inQuotes(text));
        return {};
    }
    std::string names;
    for (const MapPlane& plane : map.planes) names += (names.empty() ? "" : ", ") + plane.name;
    std::vector<const MapPlane*> chosen;
    for (const std::string& text : options.fields) {
        const MapPlane* found = nullptr;
        for (const MapPlane& plane : map.planes)
            if (found == nullptr && (upperTrimmed(plane.name) == upperTrimmed(text) ||
                                     upperTrimmed(plane.columnName) == upperTrimmed(text)))
                found = &plane;
        const auto number = parseInteger(text);
        if (found == nullptr && number && *number >= 1 && *number <= std::ssize(map.planes))
            found = &map.planes[static_cast<size_t>(*number - 1)];
        if (found == nullptr)
            refuse(file.path(),
                   "a field name (" + names + ") or a number from 1 to " +
                       std::to_string(map.planes.size()),
                   inQuotes(text));
        if (!chosen.empty() && found->nside != chosen.front()->nside)
            refuse(file.path(), "fields of one NSIDE",
                   chosen.front()->columnName + " of " + std::to_string(chosen.front()->nside) +
                       " and " + found->columnName + " of " + std::to_string(found->nside));
        chosen.push_back(found);
    }
    return chosen;
}

int64_t nsideOf(const MapTable& map, const std::vector<const MapPlane*>& planes) {
    return planes.empty() ? map.nside : planes.front()->nside;
}

std::vector<Field> emptyFields(const std::vector<const MapPlane*>& planes, int64_t elements,
                               JobContext& job) {
    std::vector<Field> fields;
    for (const MapPlane* plane : planes) {
        Field field;
        field.name = plane->name;
        field.unit = plane->column->unit;
        field.diskType = diskTypeOf(*plane->column);
        if (heldAsFloat(*plane->column))
            field.values = unsetVector<float>(elements, job);
        else
            field.values = unsetVector<double>(elements, job);
        fields.push_back(std::move(field));
    }
    return fields;
}

bool isExact(const double* values, int64_t count) {
    constexpr double kLimit = 9007199254740992.0;
    return std::none_of(values, values + count,
                        [](double value) { return std::abs(value) >= kLimit; });
}

void refuseInexact(const std::string& path, const std::string& column) {
    refuse(path, "whole numbers below 2^53 in column " + inQuotes(column),
           "larger ones (flags of 64 bits, as a rule)");
}

}  // namespace armilla
