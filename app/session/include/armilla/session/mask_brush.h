// SPDX-License-Identifier: GPL-3.0-or-later
// Brush strokes on mask layers. Each stroke is a history step, is painted by a job, and is kept in
// the recipe of the layer.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "armilla/ops/device.h"
#include "armilla/ops/mask_strokes.h"
#include "armilla/session/document.h"

namespace armilla {

class JobRunner;

// Used only in the window's thread. A stroke is recorded at once; a job later adds it to the pixels
// of the layer. Jobs paint the latest state, and no stroke is lost.
class MaskBrush : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive the brush.
    MaskBrush(Document& document, JobRunner& jobs, QObject* parent = nullptr);
    ~MaskBrush() override;

    // True for a layer of the operation mask with no step after its strokes. Other maps and masks
    // are the base of a new layer.
    bool canPaint(LayerId layer) const;
    // Adds a stroke as a step of the history. Ignored for a layer that cannot be painted.
    void paint(LayerId layer, const MaskStroke& stroke);
    // All recorded strokes of a layer, and the number of these (from the first) that its pixels
    // contain.
    std::vector<MaskStroke> strokes(LayerId layer) const;
    size_t shownStrokes(LayerId layer) const;

signals:
    // Recorded strokes were added or removed.
    void strokesChanged(LayerId layer);
    // The pixels of the layer contain all recorded strokes, or more of these than before.
    void shownChanged(LayerId layer);
    // A stroke could not be painted.
    void failed(const QString& line);

private:
    friend struct PaintStroke;
    struct Painted {
        std::vector<MaskStroke> wanted, done;
        std::shared_ptr<const HealpixMap> base;   // mask without strokes
        std::shared_ptr<const HealpixMap> value;  // mask with the painted strokes
        bool runs = false;
        int job = -1;
    };
    Painted* painted(LayerId layer);
    void want(LayerId layer, std::vector<MaskStroke> strokes);
    void work(LayerId layer);
    void forget();

    Document& document_;
    JobRunner& jobs_;
    std::map<LayerId, Painted> all_;
};

}  // namespace armilla
