// SPDX-License-Identifier: GPL-3.0-or-later
// What operations take and give: values of a few kinds, shared and never changed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/curve.h"
#include "core/error.h"
#include "core/harmonics.h"
#include "core/healpix_map.h"
#include "core/image.h"
#include "core/table.h"

namespace armilla {

// Coefficients of one field, or of T, E, B.
struct AlmSet {
    std::vector<Alm> alm;
    Frame frame = Frame::Unknown;
    std::string unit;
};

// Maps, catalogs, images and curves are layers of a document. Spectra, beams and kernels are curves
// there; coefficients are a file only. A table is a catalog without places.
enum class DataKind { Map, Catalog, Table, Image, Curve, Alm, Spectra, Beam, Kernel };

// In the order of DataKind; behind them nothing.
using Data = std::variant<std::shared_ptr<const HealpixMap>, std::shared_ptr<const Catalog>,
                          std::shared_ptr<const Table>, std::shared_ptr<const Image>,
                          std::shared_ptr<const Curve>, std::shared_ptr<const AlmSet>,
                          std::shared_ptr<const Spectra>, std::shared_ptr<const Beam>,
                          std::shared_ptr<const RadialKernel>, std::monostate>;

// "map", "catalog", ...
std::string_view dataKindName(DataKind kind);

// Which columns of a file, or fields of a map, an operation reads.
struct Columns {
    enum class Choice {
        One,             // the one that --field names, or the first
        Several,         // those that --field names between commas (all: every one), or the first
        OneWithPartner,  // and, if that is Q or U, the other half, as far as the file has it
        Polarization,    // T, Q and U; with --field a usage error
        All,
        Named  // `names`, or all if there are none; of a catalog its longitudes and latitudes
    };
    Choice choice = Choice::One;
    std::vector<std::string> names;  // or numbers from 1
};

// One input as it is handed to an operation. The fields of a map that are meant stand in `fields`:
// of a file just read they are all that it has.
struct Input {
    std::string_view slot;
    std::string name;  // of the file or layer, for messages
    Data data = std::monostate();
    std::vector<int> fields;
    std::string field;     // what --field said, where all fields are read nevertheless
    std::string literal;   // a word or number in the place of a file, where the slot takes those
    bool isShared = true;  // somebody else holds `data`, too

    // Throw InvalidArgument naming the input if it is of another kind.
    const HealpixMap& map() const;
    const Catalog& catalog() const;
    const Table& table() const;  // that of a catalog, too
    const Image& image() const;
    const Curve& curve() const;
    const AlmSet& alm() const;
    const Spectra& spectra() const;
    const Beam& beam() const;
    const RadialKernel& kernel() const;
    // The map to be changed: itself if nobody else holds it, else a copy of `fields`, which are
    // then 0, 1, ... either way.
    HealpixMap takeMap();
    // The coefficients to be changed, likewise.
    AlmSet takeAlm();
};

class Inputs {
public:
    std::vector<Input> all;

    bool has(std::string_view slot) const { return find(slot) != nullptr; }
    // The first of the slot, nullptr if there is none.
    const Input* find(std::string_view slot) const;
    Input* find(std::string_view slot);
    // The first of the slot, which the caller knows to be there.
    const Input& operator[](std::string_view slot) const;
    Input& operator[](std::string_view slot);
    // All of a slot that takes several.
    std::vector<const Input*> several(std::string_view slot) const;
};

// Runs `body`; an error that leaves it names `name` (a file, with an HDU in brackets or without; a
// layer), once. An empty name names nothing.
template <typename Body>
auto naming(const std::string& name, const Body& body) {
    try {
        return body();
    } catch (Error& error) {
        if (name.empty()) throw;
        const size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string::npos;
        const std::string_view plain = std::string_view(name).substr(0, bracket);
        if (plain.empty() || std::string_view(error.what()).find(plain) == std::string_view::npos)
            error.addContext(name);
        throw;
    }
}

}  // namespace armilla
