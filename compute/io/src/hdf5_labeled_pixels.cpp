// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "fits_file.h"
#include "hdf5_handles.h"
#include "hdf5_pixels.h"
#include "map_facts.h"

namespace armilla {

namespace {

// Far above the data sets of any file of maps.
constexpr size_t kMostSets = 4096;
// Few arrays without a label have 12 NSIDE^2 values by chance from here on.
constexpr int64_t kLeastUnlabeledNside = 8;
constexpr hsize_t kMostUnlabeledFields = 64;

// Facts in the attributes of a data set and of the groups above it.
struct Labels {
    std::optional<int64_t> nside;
    std::string ordering, frame, unit;
    bool isHealpix = false, isIau = false;
    bool areAny() const { return nside || isHealpix; }
};

std::string orderingWord(const std::string& text) {
    const std::string word = upperTrimmed(text);
    return word == "NEST" ? "NESTED" : word;
}

// Frames that the program does not convert agree only with the same word.
std::string frameWord(const std::string& text) {
    const Frame frame = frameFromText(text);
    return frame == Frame::Unknown ? upperTrimmed(text) : std::string(factsOf(frame).name);
}

// Adds the ordering, the frame and the convention of U in `other`. Returns the fact that
// contradicts `facts`, which then stay; empty for none. In one group, a fact that is not stated
// agrees with all.
std::string contradiction(Labels& facts, const Labels& other, bool isOneGroup) {
    const auto agree = [&](const std::string& a, const std::string& b) {
        return a == b || (isOneGroup && (a.empty() || b.empty()));
    };
    if (!agree(orderingWord(facts.ordering), orderingWord(other.ordering))) return "ordering";
    if (!agree(frameWord(facts.frame), frameWord(other.frame))) return "coordsys";
    if (!isOneGroup && facts.isIau != other.isIau) return "polcconv";
    if (facts.ordering.empty()) facts.ordering = other.ordering;
    if (facts.frame.empty()) facts.frame = other.frame;
    facts.isIau = facts.isIau || other.isIau;
    return {};
}

herr_t collectAttribute(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* to) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
}

// Adds the facts of an object that no object below it states.
void addLabels(const std::string& path, hid_t file, const std::string& name, Labels& to) {
    const Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.isOpen()) return;
    std::vector<std::string> keys;
    H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collectAttribute, &keys);
    const auto take = [&](std::string& fact, const std::string& key) {
        if (fact.empty()) fact = attributeText(object.id(), key.c_str());
    };
    for (const std::string& key : keys) {
        const std::string word = upperTrimmed(key);
        if (word == "NSIDE" && !to.nside) {
            const auto number = attributeNumber(object.id(), key.c_str());
            if (!number) continue;
            if (!(*number >= 1.0 && *number <= static_cast<double>(kMaxNside)) ||
                *number != std::floor(*number))
                refuse(path, "NSIDE from 1 to 2^29 in the attributes of '" + name + "'",
                       std::to_string(*number));
            to.nside = static_cast<int64_t>(*number);
        } else if (word == "ORDERING" || word == "ORDER" || word == "SCHEME") {
            take(to.ordering, key);
        } else if (word == "NEST" || word == "NESTED") {
            if (const auto number = attributeNumber(object.id(), key.c_str());
                number && to.ordering.empty())
                to.ordering = *number != 0.0 ? "NESTED" : "RING";
        } else if (word == "COORDSYS" || word == "COORD" || word == "FRAME") {
            take(to.frame, key);
        } else if (word == "UNIT" || word == "UNITS" || word == "BUNIT") {
            take(to.unit, key);
        } else if (word == "POLCCONV") {
            to.isIau = to.isIau || upperTrimmed(attributeText(object.id(), key.c_str())) == "IAU";
        } else if (word == "PIXTYPE") {
            to.isHealpix =
                to.isHealpix || upperTrimmed(attributeText(object.id(), key.c_str())) == "HEALPIX";
        }
    }
}

Labels labelsOf(const std::string& path, hid_t file, const std::string& name) {
    Labels labels;
    addLabels(path, file, name, labels);
    for (size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0;
         slash = name.rfind('/', slash - 1))
        addLabels(path, file, name.substr(0, slash), labels);
    addLabels(path, file, "/", labels);
    return labels;
}

herr_t collectSet(hid_t /*file*/, const char* name, const H5O_info_t* info, void* to) {
    auto& names = *static_cast<std::vector<std::string>*>(to);
    if (info->type == H5O_TYPE_DATASET) names.emplace_back(name);
    return names.size() > kMostSets ? 1 : 0;
}

bool isNameOfPixels(const std::string& name) {
    const std::string word = upperTrimmed(name);
    for (const char* known : {"PIXELS", "IPIXEL", "HPX_INDS", "INDEX", "INDICES", "HEALPIX_INDEX"})
        if (word == known) return true;
    return isPixelNumberName(word);
}

bool isWhole(DiskType type) {
    return type == DiskType::UInt8 || type == DiskType::Int16 || type == DiskType::Int32 ||
           type == DiskType::Int64;
}

// A data set of numbers, of logical values, or of records of these.
struct NumberSet {
    std::string name;
    std::vector<hsize_t> sizes;
    std::vector<std::string> members;  // empty without records
    std::vector<DiskType> types;       // one, or one for each member
    Labels labels;
    bool isInteger = false;

    std::string group() const {
        const size_t slash = name.rfind('/');
        return slash == std::string::npos ? std::string() : name.substr(0, slash);
    }
    std::string last() const { return name.substr(name.rfind('/') + 1); }
    // A list of pixel numbers.
    bool isList() const {
        return isInteger && members.empty() && sizes.size() == 1 && isNameOfPixels(last());
    }
};

std::optional<NumberSet> numberSet(const std::string& path, hid_t file, const std::string& name) {
    NumberSet found;
    found.name = name;
    found.sizes = sizesOf(file, name);
    if (found.sizes.empty() || found.sizes.size() > 3) return std::nullopt;
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    found.isInteger = H5Tget_class(type.id()) == H5T_INTEGER;
    if (H5Tget_class(type.id()) == H5T_COMPOUND) {
        if (found.sizes.size() != 1) return std::nullopt;
        const int members = H5Tget_nmembers(type.id());
        for (int i = 0; i < members; ++i) {
            const Handle member(H5Tget_member_type(type.id(), static_cast<unsigned>(i)), H5Tclose);
            const auto column = columnTypeOf(member.id());
            char* const word = H5Tget_member_name(type.id(), static_cast<unsigned>(i));
            if (column && word != nullptr) {
                found.members.emplace_back(word);
                found.types.push_back(*column);
            }
            H5free_memory(word);
        }
        if (found.members.empty()) return std::nullopt;
    } else if (const auto column = columnTypeOf(type.id())) {
        found.types.push_back(*column);
    } else {
        return std::nullopt;
    }
    found.labels = labelsOf(path, file, name);
    return found;
}

// Whether one axis of a set counts `pixels`: the last one, or the first one.
enum class PixelAxis { None, Last, First };
PixelAxis pixelAxis(const NumberSet& set, hsize_t pixels) {
    if (set.sizes.back() == pixels) return PixelAxis::Last;
    return set.sizes.front() == pixels && set.sizes.size() == 2 ? PixelAxis::First
                                                                : PixelAxis::None;
}

// The place of a Stokes parameter: I (or T), Q, U, V.
size_t stokesOrder(const std::string& name) {
    return std::string_view("TIQUV").find(stokesParameter(name));
}

void addPlanes(const std::string& path, hid_t file, const NumberSet& set, bool isAlone,
               const std::string& name, Hdf5Pixels& to) {
    const PixelAxis axis = pixelAxis(set, static_cast<hsize_t>(to.pixels));
    const Handle opened(H5Dopen2(file, set.name.c_str(), H5P_DEFAULT), H5Dclose);
    requireOwnValues(path, opened.id(), set.name);
    Hdf5Plane plane;
    plane.dataSet = set.name;
    plane.unit = set.labels.unit;
    plane.axes = static_cast<int>(set.sizes.size());
    plane.arePixelsFirst = axis == PixelAxis::First;
    for (size_t i = 0; i < set.members.size(); ++i) {
        if (isNameOfPixels(set.members[i])) continue;
        plane.member = set.members[i];
        plane.name = isAlone ? set.members[i] : name + "/" + set.members[i];
        plane.type = set.types[i];
        to.planes.push_back(plane);
    }
    if (!set.members.empty()) return;
    plane.type = set.types.front();
    std::vector<hsize_t> others(set.sizes.begin(), set.sizes.end() - 1);
    if (plane.arePixelsFirst) others.assign(set.sizes.begin() + 1, set.sizes.end());
    const hsize_t first = others.empty() ? 1 : others[0],
                  second = others.size() < 2 ? 1 : others[1];
    requirePlanes(path, to, first, second);
    const bool areStokes = first == 3 && second == 1 && isAlone;
    if (areStokes)
        to.notes.push_back("the 3 maps of data set '" + set.name + "' are taken as I, Q and U");
    for (hsize_t i = 0; i < first; ++i)
        for (hsize_t k = 0; k < second; ++k) {
            plane.at = {i, k};
            plane.name = name;
            if (areStokes)
                plane.name = std::string(1, "IQU"[i]) + "_STOKES";
            else if (first * second > 1)
                plane.name += "[" + std::to_string(i * second + k + 1) + "]";
            to.planes.push_back(plane);
        }
}

// Takes the planes of `sets`, with the ordering, the frame and the convention of U in `labels`.
void take(const std::string& path, hid_t file, const std::vector<const NumberSet*>& sets,
          const Labels& labels, Hdf5Pixels& to) {
    to.dataSet = sets.front()->name;
    to.ordering = orderingOf(path, labels.ordering);
    to.frame = frameFromText(labels.frame);
    to.iau = labels.isIau;
    to.unit = sets.front()->labels.unit;
    bool isOneGroup = true;
    for (const NumberSet* set : sets)
        isOneGroup = isOneGroup && set->group() == sets.front()->group();
    for (const NumberSet* set : sets)
        addPlanes(path, file, *set, sets.size() == 1, isOneGroup ? set->last() : set->name, to);
    requirePlanes(path, to, to.planes.size(), 1);
    // Members of complex numbers are no Stokes parameters.
    if (!std::all_of(to.planes.begin(), to.planes.end(),
                     [](const Hdf5Plane& plane) { return stokesParameter(plane.name) != 0; }))
        return;
    std::stable_sort(to.planes.begin(), to.planes.end(),
                     [](const Hdf5Plane& a, const Hdf5Plane& b) {
                         return stokesOrder(a.name) < stokesOrder(b.name);
                     });
}

// The member, or the data set beside `set`, that lists the pixels of its values.
Hdf5PixelList listFor(const NumberSet& set, const std::vector<NumberSet>& all, hsize_t pixels) {
    for (size_t i = 0; i < set.members.size(); ++i)
        if (isNameOfPixels(set.members[i]) && isWhole(set.types[i]))
            return {set.name, set.members[i]};
    for (const NumberSet& list : all)
        if (&list != &set && list.isList() && list.group() == set.group() &&
            list.sizes.front() == pixels)
            return {list.name, {}};
    return {};
}

// The lists of a file whose numbers are not those of all pixels in order.
class PixelLists {
public:
    PixelLists(const std::string& path, hid_t file, const std::vector<NumberSet>& all)
        : path_(path), file_(file), all_(all) {}

    // Empty without a list, and for a list of all pixels in order.
    Hdf5PixelList of(const NumberSet& set, hsize_t pixels) {
        const Hdf5PixelList list = listFor(set, all_, pixels);
        if (list.dataSet.empty()) return {};
        const auto [found, isNew] = areInOrder_.try_emplace({list.dataSet, list.member}, false);
        if (isNew) found->second = isInOrder(list, pixels);
        return found->second ? Hdf5PixelList{} : list;
    }

private:
    bool isInOrder(const Hdf5PixelList& list, hsize_t pixels) const {
        constexpr hsize_t kPiece = hsize_t{1} << 20;
        std::vector<int64_t> numbers(std::min(kPiece, pixels));
        for (hsize_t first = 0; first < pixels; first += kPiece) {
            const hsize_t count = std::min(kPiece, pixels - first);
            readPixelNumbers(path_, file_, list, first, count, numbers.data());
            for (hsize_t i = 0; i < count; ++i)
                if (numbers[i] != static_cast<int64_t>(first + i)) return false;
        }
        return true;
    }

    const std::string& path_;
    hid_t file_;
    const std::vector<NumberSet>& all_;
    std::map<std::pair<std::string, std::string>, bool> areInOrder_;
};

// The NSIDE that a set states, or that of its longest axis.
std::optional<int64_t> nsideOf(const NumberSet& set) {
    if (set.labels.nside) return set.labels.nside;
    const hsize_t longest =
        set.sizes.size() == 2 ? std::max(set.sizes[0], set.sizes[1]) : set.sizes.back();
    return nsideOfCount(static_cast<int64_t>(longest));
}

// Maps of all pixels, of the nside, the ordering, the frame and the list of the first one.
bool takeFull(const std::string& path, hid_t file, const std::vector<NumberSet>& all,
              Hdf5Pixels& to) {
    std::vector<const NumberSet*> candidates;
    for (const NumberSet& set : all) {
        if (!set.labels.areAny()) continue;
        const auto nside = nsideOf(set);
        if (!nside || (!candidates.empty() && *nside != to.nside) ||
            pixelAxis(set, static_cast<hsize_t>(pixelCount(*nside))) == PixelAxis::None)
            continue;
        to.nside = *nside;
        to.pixels = pixelCount(*nside);
        candidates.push_back(&set);
    }
    if (candidates.empty()) return false;
    const auto pixels = static_cast<hsize_t>(to.pixels);
    // Data sets without attributes of their own, beside one that states NSIDE.
    const std::vector<const NumberSet*> labeled = candidates;
    for (const NumberSet& set : all) {
        const bool isBeside =
            std::any_of(labeled.begin(), labeled.end(),
                        [&](const NumberSet* one) { return one->group() == set.group(); });
        if (!set.labels.areAny() && isBeside && pixelAxis(set, pixels) != PixelAxis::None)
            candidates.push_back(&set);
    }
    // The numbers of pixels beside maps are no map.
    if (!std::all_of(candidates.begin(), candidates.end(),
                     [](const NumberSet* set) { return set->isList(); }))
        std::erase_if(candidates, [](const NumberSet* set) { return set->isList(); });
    const NumberSet& first = *candidates.front();
    Labels facts = first.labels;
    PixelLists lists(path, file, all);
    to.list = lists.of(first, pixels);
    std::vector<const NumberSet*> sets;
    for (const NumberSet* set : candidates) {
        std::string other =
            lists.of(*set, pixels) == to.list ? std::string() : std::string("pixel numbers");
        if (other.empty()) other = contradiction(facts, set->labels, set->group() == first.group());
        if (other.empty())
            sets.push_back(set);
        else
            to.notes.push_back("omitted, because its " + other + " is not that of '" + first.name +
                               "': data set '" + set->name + "'");
    }
    take(path, file, sets, facts, to);
    return true;
}

// A list of pixel numbers with the values beside it, in one group.
bool takeListed(const std::string& path, hid_t file, const std::vector<NumberSet>& all,
                Hdf5Pixels& to) {
    for (const NumberSet& list : all) {
        if (!list.labels.nside || !list.isList() || list.sizes.front() < 1) continue;
        std::vector<const NumberSet*> sets;
        std::vector<std::string> notes;
        Labels facts = list.labels;
        for (const NumberSet& set : all) {
            if (&set == &list || set.group() != list.group() ||
                pixelAxis(set, list.sizes.front()) == PixelAxis::None)
                continue;
            const std::string other = contradiction(facts, set.labels, true);
            if (other.empty())
                sets.push_back(&set);
            else
                notes.push_back("omitted, because of another " + other + ": data set '" + set.name +
                                "'");
        }
        if (sets.empty()) continue;
        to.nside = *list.labels.nside;
        to.pixels = static_cast<int64_t>(list.sizes.front());
        to.list = {list.name, {}};
        to.notes = notes;
        take(path, file, sets, facts, to);
        return true;
    }
    return false;
}

// Records that name their pixels, as numpy writes them from structured arrays. The first data set
// of such records is the map.
bool takeRecords(const std::string& path, hid_t file, const std::vector<NumberSet>& all,
                 Hdf5Pixels& to) {
    const NumberSet* taken = nullptr;
    for (const NumberSet& set : all) {
        if (!set.labels.nside || set.members.empty() || set.sizes.front() < 1) continue;
        const Hdf5PixelList list = listFor(set, all, set.sizes.front());
        const bool areValues = !std::all_of(set.members.begin(), set.members.end(), isNameOfPixels);
        if (list.member.empty() || !areValues) continue;
        if (taken != nullptr) {
            to.notes.push_back("omitted, because '" + taken->name + "' comes first: data set '" +
                               set.name + "'");
            continue;
        }
        taken = &set;
        to.list = list;
    }
    if (taken == nullptr) return false;
    to.nside = *taken->labels.nside;
    to.pixels = static_cast<int64_t>(taken->sizes.front());
    take(path, file, {taken}, taken->labels, to);
    return true;
}

// One data set of 12 NSIDE^2 values a field, alone in its file.
bool takeUnlabeled(const std::string& path, hid_t file, const NumberSet& set, Hdf5Pixels& to) {
    if (set.sizes.size() > 2 || !set.members.empty()) return false;
    const hsize_t first = set.sizes.front(), last = set.sizes.back();
    const hsize_t pixels = std::max(first, last),
                  fields = set.sizes.size() == 1 ? 1 : std::min(first, last);
    const auto nside = nsideOfCount(static_cast<int64_t>(pixels));
    if (!nside || !isPowerOfTwoNside(*nside) || *nside < kLeastUnlabeledNside ||
        fields > kMostUnlabeledFields)
        return false;
    to.nside = *nside;
    to.pixels = static_cast<int64_t>(pixels);
    take(path, file, {&set}, set.labels, to);
    return true;
}

}  // namespace

bool findLabeledPixels(const std::string& path, hid_t file, Hdf5Pixels& to) {
    std::vector<std::string> names;
    if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, collectSet, &names) != 0) return false;
    std::vector<NumberSet> sets;
    for (const std::string& name : names)
        if (auto set = numberSet(path, file, name)) sets.push_back(std::move(*set));
    if (takeFull(path, file, sets, to) || takeListed(path, file, sets, to) ||
        takeRecords(path, file, sets, to))
        return true;
    return names.size() == 1 && sets.size() == 1 && takeUnlabeled(path, file, sets.front(), to);
}

}  // namespace armilla
