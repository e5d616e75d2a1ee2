// SPDX-License-Identifier: GPL-3.0-or-later
// Strokes of a brush on mask layers: each a step of the history, painted by jobs, kept in the
// layer's recipe.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "ops/device.h"
#include "ops/mask_strokes.h"
#include "session/document.h"

namespace armilla {

class JobRunner;

// Lives in the window's thread. A stroke is wanted at once and in the layer's pixels a job later;
// the latest state wins, none is lost.
class MaskBrush : public QObject {
    Q_OBJECT
public:
    // Both must outlive the brush.
    MaskBrush(Document& document, JobRunner& jobs, QObject* parent = nullptr);
    ~MaskBrush() override;

    // A layer of the operation mask that nothing is done to after its strokes: other maps and masks
    // are the beginning of a new one.
    bool canPaint(int layer) const;
    // Adds a stroke as a step of the history. Ignored for a layer that cannot be painted.
    void paint(int layer, const MaskStroke& stroke);
    // All that are wanted of a layer, and how many of them, from the first, its pixels show.
    std::vector<MaskStroke> strokes(int layer) const;
    size_t shownStrokes(int layer) const;

signals:
    void strokesChanged(int layer);
    // The layer's pixels have come to what is wanted, or nearer to it.
    void shownChanged(int layer);
    void failed(const QString& line);

private:
    friend struct PaintStroke;
    struct Painted {
        std::vector<MaskStroke> wanted, done;
        std::shared_ptr<const HealpixMap> base;   // without any
        std::shared_ptr<const HealpixMap> value;  // with those done
        bool runs = false;
        int job = -1;
    };
    Painted* painted(int layer);
    void want(int layer, std::vector<MaskStroke> strokes);
    void work(int layer);
    void forget();

    Document& document_;
    JobRunner& jobs_;
    std::map<int, Painted> all_;
};

}  // namespace armilla
