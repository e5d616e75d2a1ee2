// SPDX-License-Identifier: GPL-3.0-or-later
// A layer of a document (map, catalog, image or curve) and its recipe.
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <type_traits>

#include "armilla/core/curve.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/image.h"
#include "armilla/core/table.h"
#include "armilla/draw/markers.h"
#include "armilla/operations/data.h"
#include "armilla/session/recipe.h"

namespace armilla {

struct FileWriteOptions;
class JobContext;

// Kinds of layers.
enum class LayerKind { Map, Catalog, Image, Curve };
inline constexpr LayerKind kLayerKinds[] = {LayerKind::Map, LayerKind::Catalog, LayerKind::Image,
                                            LayerKind::Curve};

// Writes a value in the special file format of its operation, such as a grid with its weights.
using LayerWriter =
    std::function<void(const std::string& path, const FileWriteOptions& options, JobContext& job)>;

// A value of one of the four kinds, shared and immutable; at most one pointer is set.
struct LayerValue {
    std::shared_ptr<const HealpixMap> map;
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Curve> curve;
    // The operation's own writer; null: files are written as usual for the kind.
    std::shared_ptr<const LayerWriter> writer;

    LayerValue() = default;
    LayerValue(std::nullptr_t) {}
    template <typename T>
    LayerValue(std::shared_ptr<T> value) {
        using Bare = std::remove_const_t<T>;
        if constexpr (std::is_same_v<Bare, HealpixMap>)
            map = std::move(value);
        else if constexpr (std::is_same_v<Bare, Catalog>)
            catalog = std::move(value);
        else if constexpr (std::is_same_v<Bare, Image>)
            image = std::move(value);
        else
            curve = std::move(value);
    }
    // Kind of the value; Map if there is none.
    LayerKind kind() const {
        return catalog ? LayerKind::Catalog
               : image ? LayerKind::Image
               : curve ? LayerKind::Curve
                       : LayerKind::Map;
    }
    // Address of the value, for comparisons; null if there is none.
    const void* identity() const {
        return map       ? static_cast<const void*>(map.get())
               : catalog ? static_cast<const void*>(catalog.get())
               : image   ? static_cast<const void*>(image.get())
                         : static_cast<const void*>(curve.get());
    }
    explicit operator bool() const { return identity() != nullptr; }
};

// Appearance of a layer, without its colors. `visible` applies to overlaid layers and to curves in
// the plot; the view selects the map.
struct LayerStyle {
    bool visible = true;
    double opacity = 1.0;  // 0..1
    MarkerStyle marker;    // catalogs
    int plane = 0;         // images
    bool operator==(const LayerStyle&) const = default;
};

// A layer of a document: a value with its name, recipe and style.
struct Layer : LayerValue {
    LayerValue& value() { return *this; }
    const LayerValue& value() const { return *this; }
    LayerId id;
    QString name;    // file name, or "smoothed 60′"
    QString detail;  // "I · nside 2048 · RING · Galactic · µK"
    Recipe recipe;
    LayerStyle style;
    LayerId parent;         // the layer this one was made from; the first of several
    bool live = false;      // a preview (always a map) that is not kept yet
    uint64_t revision = 0;  // unique among all values of a document
};

// Properties of each kind of layer that do not depend on a window.
struct LayerKindFacts {
    LayerKind kind;
    const char* id;                        // name in session files
    QString (*noun)();                     // "map"
    QString (*detail)(const LayerValue&);  // second line in the list
    int64_t (*memoryBytes)(const LayerValue&);
    Frame (*frame)(const LayerValue&);  // Unknown for curves
    // A copy in the given frame; null for kinds whose frame the user cannot state.
    LayerValue (*inFrame)(const LayerValue&, Frame);
    // kind of data among the results of operations; `suffixesOf` lists its formats
    DataKind data;
    const char* suffix;  // usual suffix of files of this kind
};
// Properties of a kind.
const LayerKindFacts& factsOf(LayerKind kind);
// "frame unknown": the beginning of the detail of a layer that does not name its frame.
QString unknownFrameText();

}  // namespace armilla
