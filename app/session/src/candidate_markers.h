// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

class Document;
class JobRunner;
class RowVerdicts;

// Markers of the listed rows of one catalog layer. Undecided rows have the style of the layer,
// decided ones that of their verdict.
class CandidateMarkers : public QObject {
    Q_OBJECT
public:
    // All three arguments must outlive this object.
    CandidateMarkers(Document& document, const RowVerdicts& verdicts, JobRunner& jobs);
    // Draws markers of these rows of a catalog, the layer's, in place of all its rows. The layer
    // that had such markers before gets back its own. Invalid: no layer.
    void draw(LayerId layer, const std::shared_ptr<const Catalog>& catalog,
              const std::vector<int64_t>& rows);

private:
    Document& document_;
    const RowVerdicts& verdicts_;
    JobRunner& jobs_;
    LayerId layer_;
};

}  // namespace armilla
