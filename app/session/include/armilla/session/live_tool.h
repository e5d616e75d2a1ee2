// SPDX-License-Identifier: GPL-3.0-or-later
// Live preview of an operation while its parameters change: coarse at first, then finer, always for
// the latest request.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "armilla/core/job_context.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/session/live_region.h"
#include "armilla/session/operation_run.h"

namespace armilla {

class KeptMask;
class Session;
enum class LiveStage;

// An intermediate or final live result.
struct LivePass {
    LayerValue value;
    std::shared_ptr<const ImageMesh> mesh;  // image prepared for drawing
    ColorScale colors;
    QString words;          // amount of input used: "2 000 of 97 178 points"
    bool isWhole = false;   // true if equal to the result of Run
    bool isOfView = false;  // the pixels in view alone; a partial map
    double growth = 1.0;    // estimated work of the next pass relative to this one
    double milliseconds = 0.0;
};
// Text for a pass over all points, and for the result of Run.
QString exactPointsText(int64_t points);

// Used only in the window's thread. Passes run as jobs, one after the other. The first pass of a
// request is short and always finishes, so that a moving slider shows results. A newer request
// cancels a finer pass. Passes that would take minutes are left to Run.
class LiveTool : public QObject {
    Q_OBJECT
public:
    // The session must outlive this object.
    explicit LiveTool(Session& session, QObject* parent = nullptr);
    ~LiveTool() override;

    // Requests a preview of an operation with a live form (liveFormOf); others have none.
    // `channel`: the one to compute if the values have several.
    void ask(const OperationRequest& request, int channel = 0);
    // Sets the function that returns the close view, if the sky has one; passes begin there.
    void setLookedAt(std::function<std::optional<LookedAt>()> asked) {
        looksAt_ = std::move(asked);
    }
    // Cancels; no further pass is emitted.
    void stop();
    bool isBusy() const;

signals:
    // A pass is finished.
    void passMade(const armilla::LivePass& pass);
    // A pass has failed.
    void failed(const QString& line);
    // Passes are in progress, or have ended.
    void busyChanged(bool busy);

private:
    struct Pending;
    void start(int pass);
    void take(int index, const std::shared_ptr<LivePass>& pass);
    void setStage(LiveStage next);
    void keepMask();

    Session& session_;
    QString slot_;
    std::shared_ptr<const Pending> request_;
    QTimer rest_;
    int next_ = 0;  // the pass that follows when the slider is at rest
    LiveStage stage_{};
    int generation_ = 0, job_ = -1;
    std::function<std::optional<LookedAt>()> looksAt_;
    std::shared_ptr<KeptMask> mask_;
    int keepingJob_ = -1;  // computes the kept mask
};

}  // namespace armilla

Q_DECLARE_METATYPE(armilla::LivePass)
