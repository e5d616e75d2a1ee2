// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of operations: shared, immutable values of a few kinds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/image.h"
#include "armilla/core/map_samples.h"
#include "armilla/core/table.h"

namespace armilla {

// Coefficients of one field, of T, E, B, or gradient and curl coefficients of a spin field.
struct AlmSet {
    std::vector<Alm> alm;
    Frame frame = Frame::Unknown;
    std::string unit;
    int spin = 0;  // spin of a spin field; 0 for other coefficients, or if unknown
};

// Maps, catalogs, images and curves are layers of a document. Spectra, beams and kernels become
// curves there; coefficients exist in files only. A table is a catalog without positions.
enum class DataKind { Map, Catalog, Table, Image, Curve, Alm, Spectra, Beam, Kernel };

// Alternatives in the order of DataKind, then an empty one.
using Data = std::variant<std::shared_ptr<const HealpixMap>, std::shared_ptr<const Catalog>,
                          std::shared_ptr<const Table>, std::shared_ptr<const Image>,
                          std::shared_ptr<const Curve>, std::shared_ptr<const AlmSet>,
                          std::shared_ptr<const Spectra>, std::shared_ptr<const Beam>,
                          std::shared_ptr<const RadialKernel>, std::monostate>;

// Name of a kind: "map", "catalog", ...
std::string_view dataKindName(DataKind kind);
// Whether values of a kind lie on the sky, in a frame.
constexpr bool hasFrame(DataKind kind) {
    return kind == DataKind::Map || kind == DataKind::Catalog || kind == DataKind::Table ||
           kind == DataKind::Image || kind == DataKind::Alm;
}

// Columns of a file, or fields of a map, that an operation reads.
struct Columns {
    enum class Choice {
        One,             // the column of --field, or the first
        Several,         // the comma-separated columns of --field (all: every one), or the first
        OneWithPartner,  // as One; if it is Q or U, also its partner, if the file has it
        Polarization,    // T, Q and U; --field is then a usage error
        All,
        Named  // `names`, or all if empty
    };
    Choice choice = Choice::One;
    std::vector<std::string> names{};  // names, or numbers from 1
    // Columns of longitude and latitude of a catalog; empty: by UCD or usual names. Or these names
    // only in a catalog that has both.
    std::vector<std::string> places{};
    bool orUsualPlaces = false;
    // Catalogs: the operation needs only the positions and `names`, where the catalog has them.
    bool onlyNamed = false;
};

// A full map in RING order whose samples stay in memory of the caller: of one unit and type, and
// none of them bad.
struct MapView {
    HealpixMap outline;                    // nside, frame, names and units; on no pixel
    std::vector<ConstMapSamples> samples;  // one for each field
};

// One input of an operation. `fields` are the fields of a map to use; for a file just read, all
// fields of the map.
struct Input {
    std::string_view slot;
    std::string name;  // name of the file or layer, for messages
    Data data = std::monostate();
    std::vector<int> fields;
    std::string field;     // value of --field if all fields are read nevertheless
    std::string literal;   // word or number instead of a file, if the slot takes those
    std::string variable;  // NAME, if the slot takes NAME=FILE
    bool isShared = true;  // `data` has another owner as well
    // Instead of `data`, in slots that read in place (InputSlot::readsInPlace).
    std::shared_ptr<const MapView> view = {};

    // These throw InvalidArgument, naming the input, if it is of another kind.
    const HealpixMap& map() const;
    const Catalog& catalog() const;
    const Table& table() const;  // also of a catalog
    const Image& image() const;
    const Curve& curve() const;
    const AlmSet& alm() const;
    const Spectra& spectra() const;
    const Beam& beam() const;
    const RadialKernel& kernel() const;
    // Mutable map: the map itself if it has no other owner, else a copy of `fields`. In both cases
    // `fields` become 0, 1, ...
    HealpixMap takeMap();
    // Mutable coefficients: moved if they have no other owner, else copied.
    AlmSet takeAlm();
};

class Inputs {
public:
    std::vector<Input> all;

    bool has(std::string_view slot) const { return find(slot) != nullptr; }
    // First input of the slot; nullptr if there is none.
    const Input* find(std::string_view slot) const;
    Input* find(std::string_view slot);
    // First input of the slot, which must exist.
    const Input& operator[](std::string_view slot) const;
    Input& operator[](std::string_view slot);
    // All inputs of a repeatable slot.
    std::vector<const Input*> several(std::string_view slot) const;
};

// True if a message names this file or layer: before a colon, as context of the rest, or as a whole
// word that is a path or has a suffix. A layer "map" is not named by "expected a map".
bool isNamedIn(std::string_view message, std::string_view name);

// Runs `body` and adds `name` once to an error that leaves it: a file, with or without an HDU in
// brackets, or a layer. An empty name adds nothing.
template <typename Body>
auto naming(const std::string& name, const Body& body) {
    try {
        return body();
    } catch (Error& error) {
        if (!name.empty() && !isNamedIn(error.what(), name)) error.addContext(name);
        throw;
    }
}

}  // namespace armilla
