// SPDX-License-Identifier: GPL-3.0-or-later
// Draws pictures on the CPU outside the window's thread; the latest request wins.
#pragma once

#include <QObject>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "armilla/draw/motion_scale.h"
#include "view/picture.h"

namespace armilla {

// A separate thread instead of a job: frames come many times a second, need no name, and must not
// wait for a preview.
class PictureWorker : public QObject {
    Q_OBJECT
public:
    explicit PictureWorker(QObject* parent = nullptr);
    ~PictureWorker() override;  // cancels the present picture and waits for the thread

    // Replaces a waiting request. A full-resolution picture in progress is cancelled for the new
    // one. A coarse one is finished, because continuous movement would otherwise never show
    // anything.
    void request(PictureRequest request);
    // The view has moved, so the full-resolution picture is cancelled.
    void giveUp();
    static int threads();

signals:
    // Emitted in the thread of this object.
    void pictureReady(const armilla::Picture& picture);
    void failed(const QString& line);

private:
    void loop(std::stop_token stop);
    void make(const PictureRequest& request, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<PictureRequest> waiting_;
    std::stop_source current_{std::nostopstate};
    bool currentIsFull_ = false;
    MotionScale motion_;   // used only by the worker's thread
    std::jthread thread_;  // last member: stopped before the others are destroyed
};

}  // namespace armilla
