// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares layers for drawing in jobs, and gives the pictures to the document.
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <set>
#include <tuple>

#include "armilla/session/document.h"
#include "layer_files.h"

namespace armilla {

class JobFollowers;
class JobRunner;
class Notices;

// Used in the window's thread. Starts jobs by itself for the pictures that the document lacks.
class LayerPictures : public QObject {
    Q_OBJECT
public:
    // All four must outlive this object.
    LayerPictures(Document& document, JobRunner& runner, JobFollowers& followers, Notices& notices);

    // The largest nside that is prepared for drawing.
    int64_t limit() const { return limit_; }
    // Starts the job that prepares the picture of a layer, which need not be in the document yet.
    // Returns the id of the job.
    int prepare(const LayerValue& value, const QString& name,
                std::function<void(LayerPicture)> done, std::function<void(QString)> failed);
    void give(LayerId layer, const LayerPicture& picture);
    // Adds a layer together with its picture, so that no empty sky is shown between. Returns the id
    // of the layer.
    LayerId add(const LayerValue& value, const QString& name, const Recipe& recipe, LayerId parent,
                const LayerPicture& picture);
    // As add(), for a layer whose picture is still to be prepared.
    void addDrawn(const LayerValue& value, const QString& name, const Recipe& recipe,
                  LayerId parent);
    // Starts jobs for missing pictures once the present event is processed.
    void drawSoon();

private:
    // The layer and what of it is drawn, its revision, and the frame of the view.
    using Key = std::tuple<Shown, uint64_t, Frame>;
    void drawMissing();
    void drawMap(const Shown& shown);
    void drawOverlay(const Layer& layer);

    Document& document_;
    JobRunner& runner_;
    JobFollowers& followers_;
    Notices& notices_;
    int64_t limit_;
    std::set<Key> drawing_;  // pictures in progress, and failed ones
    QTimer drawLater_;
    Frame viewFrame_ = Frame::Unknown;  // previous frame of the camera; Q and U rotate to it
};

}  // namespace armilla
