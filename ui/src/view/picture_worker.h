// SPDX-License-Identifier: GPL-3.0-or-later
// Makes pictures on the CPU beside the window's thread; the latest request wins.
#pragma once

#include <QObject>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "render/motion_scale.h"
#include "src/view/picture.h"

namespace armilla {

// A thread of its own rather than a job of the runner: frames come by the dozen each second, have
// no name worth showing, and must not wait behind a preview that is being computed.
class PictureWorker : public QObject {
    Q_OBJECT
public:
    explicit PictureWorker(QObject* parent = nullptr);
    ~PictureWorker() override;  // stops the picture in the making and waits for the thread

    // Replaces a request that waits. A full picture in the making is given up for the new one; a
    // coarse one is finished, or continuous movement would never show anything.
    void request(PictureRequest request);
    // The view moves on: no full picture is wanted of where it was.
    void giveUp();
    static int threads();

signals:
    // In the thread of this object.
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
    MotionScale motion_;   // of the worker's thread
    std::jthread thread_;  // last: stopped before the rest goes
};

}  // namespace armilla
