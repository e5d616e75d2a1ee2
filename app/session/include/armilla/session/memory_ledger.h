// SPDX-License-Identifier: GPL-3.0-or-later
// Memory use by owner.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <vector>

#include "armilla/session/document.h"

namespace armilla {

// Bytes.
struct MemoryLedger {
    // Memory of one layer.
    struct Row {
        LayerId layer;
        QString name;
        int64_t values = 0;   // values of the layer, on the host
        int64_t picture = 0;  // prepared for drawing: pyramids, markers, a mesh; on the host
        int64_t device = 0;   // textures, as the window reports
    };
    std::vector<Row> rows;
    int64_t plans = 0;  // plans of live smoothing, on the host
    UndoMemory undo;
    // Total of host and of device memory.
    int64_t host() const;
    int64_t device() const;
    // One display line per owner.
    QStringList lines() const;
};

// `deviceBytes`: texture memory that the window holds for each layer.
MemoryLedger memoryLedger(const Document& document, int64_t planBytes,
                          const std::map<LayerId, int64_t>& deviceBytes);

}  // namespace armilla
