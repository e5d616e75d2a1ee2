// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and other results of the search that made a catalog of candidates.
#pragma once

#include <optional>

#include "armilla/session/operation_run.h"

namespace armilla {

class Document;

struct SearchedLayers {
    // Layers of the same search: the searched map, the filtered map over its noise, and the map
    // without the sources. Invalid: not open.
    LayerId map, significance, residual;
    int field = 0;  // the searched field of the map
    // The layer that decisions belong to, open or not: the searched map, or the catalog itself.
    LayerId subject;
    // FWHM of the search, radians; none for an opened catalog, or for a search without B_l.
    std::optional<double> beam;
    // The request that made the catalog; none for an opened catalog, or one made by another version
    // of the program.
    std::optional<OperationRequest> request;
};
SearchedLayers searchedLayers(const Document& document, LayerId catalogLayer);

}  // namespace armilla
