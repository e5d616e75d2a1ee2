// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation would make, while its parameters are still being chosen: coarse at first, then
// finer, always of the latest wish.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

#include "core/job_context.h"
#include "render/color_scale.h"
#include "render/image_mesh.h"
#include "session/operation_run.h"

namespace armilla {

class Session;

// One result on the way, or the last one.
struct LivePass {
    LayerValue value;
    std::shared_ptr<const ImageMesh> mesh;  // of an image, ready to draw
    ColorScale colors;
    QString words;         // what it is made of: "2 000 of 97 178 points"
    bool isWhole = false;  // what Run would make
    double growth = 1.0;   // how much more work the next pass is, about, as far as it is known
    double milliseconds = 0.0;
};
// The words of a whole pass over so many points, and of what Run has made of them.
QString exactPointsText(int64_t points);

// Lives in the window's thread. Passes run as jobs, one after the other; the first of a wish is
// short and always finished, so that a slider in motion shows something; a finer one gives way, and
// one that would take minutes is left to Run.
class LiveTool : public QObject {
    Q_OBJECT
public:
    // The session must outlive it.
    explicit LiveTool(Session& session, QObject* parent = nullptr);
    ~LiveTool() override;

    // Whether an operation has a live form.
    static bool isLive(const Operation& operation);
    // Of several channels of values one is made.
    void ask(const OperationRequest& request, int channel = 0);
    // Nothing more comes.
    void stop();
    bool isBusy() const { return busy_; }

signals:
    void passMade(const armilla::LivePass& pass);
    void failed(const QString& line);
    void busyChanged(bool busy);

private:
    struct Wish;
    void start(int stage);
    void take(int stage, const std::shared_ptr<LivePass>& pass);
    void setBusy(bool busy);

    Session& session_;
    QString slot_;
    std::shared_ptr<const Wish> wish_;
    QTimer rest_;
    int next_ = 0;  // the stage that follows once the hand rests
    bool coarseRuns_ = false, isNewer_ = false, busy_ = false;
    int generation_ = 0, job_ = -1;
};

}  // namespace armilla

Q_DECLARE_METATYPE(armilla::LivePass)
