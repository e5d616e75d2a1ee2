// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/data.h"

#include <algorithm>
#include <numeric>

#include "armilla/ops/resample.h"

namespace armilla {

namespace {

// "a map", "an image".
std::string article(DataKind kind) {
    return (kind == DataKind::Image ? "an " : "a ") + std::string(dataKindName(kind));
}

template <typename T>
const T& valueOf(const Input& input, DataKind kind) {
    const auto* held = std::get_if<std::shared_ptr<const T>>(&input.data);
    if (held == nullptr || *held == nullptr) {
        const size_t index = input.data.index();
        const bool isImage = index == static_cast<size_t>(DataKind::Image);
        throw InvalidArgument(input.name + ": expected " + article(kind) + ", found " +
                              (index + 1 < std::variant_size_v<Data>
                                   ? article(static_cast<DataKind>(index))
                                   : "none") +
                              (kind == DataKind::Map && isImage
                                   ? "; armilla convert IMAGE OUT --nside N makes a map of it"
                                   : ""));
    }
    return **held;
}

}  // namespace

std::string_view dataKindName(DataKind kind) {
    switch (kind) {
        case DataKind::Map: return "map";
        case DataKind::Catalog: return "catalog";
        case DataKind::Table: return "table";
        case DataKind::Image: return "image";
        case DataKind::Curve: return "curve";
        case DataKind::Alm: return "set of alm";
        case DataKind::Spectra: return "spectrum";
        case DataKind::Beam: return "beam";
        case DataKind::Kernel: return "kernel";
    }
    return "";
}

const HealpixMap& Input::map() const {
    return valueOf<HealpixMap>(*this, DataKind::Map);
}
const Catalog& Input::catalog() const {
    return valueOf<Catalog>(*this, DataKind::Catalog);
}
const Table& Input::table() const {
    if (const auto* held = std::get_if<std::shared_ptr<const Catalog>>(&data); held && *held)
        return (*held)->table;
    return valueOf<Table>(*this, DataKind::Table);
}
const Image& Input::image() const {
    return valueOf<Image>(*this, DataKind::Image);
}
const Curve& Input::curve() const {
    return valueOf<Curve>(*this, DataKind::Curve);
}
const AlmSet& Input::alm() const {
    return valueOf<AlmSet>(*this, DataKind::Alm);
}
const Spectra& Input::spectra() const {
    return valueOf<Spectra>(*this, DataKind::Spectra);
}
const Beam& Input::beam() const {
    return valueOf<Beam>(*this, DataKind::Beam);
}
const RadialKernel& Input::kernel() const {
    return valueOf<RadialKernel>(*this, DataKind::Kernel);
}

HealpixMap Input::takeMap() {
    const HealpixMap& held = map();
    std::vector<int> every(static_cast<size_t>(held.fieldCount()));
    std::iota(every.begin(), every.end(), 0);
    if (fields.empty()) fields = every;
    const bool isOurs = !isShared && std::get<0>(data).use_count() == 1;
    // An input that is not shared was created by its reader as a mutable map, so the cast is safe.
    HealpixMap taken = isOurs && fields == every ? std::move(const_cast<HealpixMap&>(held))
                                                 : withFields(held, fields);
    fields.resize(static_cast<size_t>(taken.fieldCount()));
    std::iota(fields.begin(), fields.end(), 0);
    data = std::monostate();
    return taken;
}

AlmSet Input::takeAlm() {
    const AlmSet& held = alm();
    const bool isOurs = !isShared && std::get<std::shared_ptr<const AlmSet>>(data).use_count() == 1;
    // The conditional yields a value on both sides; with a reference on one side both would be
    // copied.
    AlmSet taken = isOurs ? AlmSet(std::move(const_cast<AlmSet&>(held))) : held;
    data = std::monostate();
    return taken;
}

const Input* Inputs::find(std::string_view slot) const {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Input& input) { return input.slot == slot; });
    return found == all.end() ? nullptr : &*found;
}

Input* Inputs::find(std::string_view slot) {
    return const_cast<Input*>(std::as_const(*this).find(slot));
}

const Input& Inputs::operator[](std::string_view slot) const {
    const Input* input = find(slot);
    ARMILLA_ASSERT(input != nullptr);
    return *input;
}

Input& Inputs::operator[](std::string_view slot) {
    Input* input = find(slot);
    ARMILLA_ASSERT(input != nullptr);
    return *input;
}

std::vector<const Input*> Inputs::several(std::string_view slot) const {
    std::vector<const Input*> found;
    for (const Input& input : all)
        if (input.slot == slot) found.push_back(&input);
    return found;
}

bool isNamedIn(std::string_view message, std::string_view name) {
    // The HDU may be stated in other words.
    const size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string_view::npos;
    const std::string_view plain = name.substr(0, bracket);
    if (plain.empty()) return false;
    const bool isPath = plain.find_first_of("./") != std::string_view::npos;
    for (size_t at = message.find(plain); at != std::string_view::npos;
         at = message.find(plain, at + 1)) {
        const std::string_view before = message.substr(0, at),
                               behind = message.substr(at + plain.size());
        if ((before.empty() || before.ends_with(": ")) &&
            (behind.starts_with(':') || behind.starts_with('[')))
            return true;
        constexpr std::string_view kEnds = " :;,'\"()[]";
        const bool isWord = (before.empty() || kEnds.find(before.back()) != kEnds.npos) &&
                            (behind.empty() || kEnds.find(behind.front()) != kEnds.npos);
        if (isPath && isWord) return true;
    }
    return false;
}

}  // namespace armilla
