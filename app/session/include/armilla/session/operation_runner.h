// SPDX-License-Identifier: GPL-3.0-or-later
// Runs operations on layers as jobs; their results become layers.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/remedy.h"
#include "armilla/session/shown.h"

namespace armilla {

class Document;
class JobFollowers;
class JobRunner;
class LayerPictures;
class LivePreview;
class Notices;
class SourceReview;

// Used in the window's thread. Commands return at once; a failure becomes a message and changes
// nothing else.
class OperationRunner : public QObject {
    Q_OBJECT
public:
    // The references must outlive this object. `device` returns the device that computes.
    OperationRunner(Document& document, JobRunner& runner, JobFollowers& followers,
                    LayerPictures& pictures, LivePreview& preview, SourceReview& review,
                    Notices& notices, std::function<Device()> device);

    // Runs any operation on layers as a job; its results become layers in one step. Returns the id
    // of the job, -1 if the job could not start.
    int runOperation(const OperationRequest& request);
    // Adds and shows the difference a - b as a new map. Computed at the coarser of the two
    // resolutions, in the ordering and frame of a; the name states this.
    void showDifference(const Shown& a, const Shown& b);
    // Smooths the shown map with both values of Masked, and shows normalize - ignore as a new map.
    void showMaskedDifference(const SmoothParameters& parameters);
    // Adds the accepted rows of the review as a layer. Returns its id; invalid: no row accepted.
    LayerId addAccepted();
    // Makes a mask with a disc of this many beams around each accepted source.
    void maskAccepted(double beams);
    // Adds the searched map without the accepted sources as a new layer. Sources are subtracted, or
    // discs of this many beams are inpainted from their surroundings.
    void removeAccepted(bool inpaint, double beams);
    // States the frame of a map or catalog that does not name its own (Unknown: withdraws the
    // frame). The frame also applies to its inputs, to further inputs of common results, and to its
    // results. One step of the history.
    void stateFrame(LayerId layer, Frame frame);
    // As stateFrame(), for the layer of the last Notices::frameNeeded(); the command that failed
    // runs again.
    void answerFrame(LayerId layer, Frame frame);

signals:
    // runOperation() has added these layers.
    void operationFinished(const QString& operation, const std::vector<LayerId>& layers);

private:
    void setFrame(LayerId layer, Frame frame, const std::function<void()>& then);
    // Buttons that repeat a request with the settings that a line names.
    std::vector<Remedy> remedies(const QString& line, const OperationRequest& request);

    Document& document_;
    JobRunner& runner_;
    JobFollowers& followers_;
    LayerPictures& pictures_;
    LivePreview& preview_;
    SourceReview& review_;
    Notices& notices_;
    std::function<Device()> device_;
};

}  // namespace armilla
