// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/picture_worker.h"

#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/usable_threads.h"

namespace armilla {

PictureWorker::PictureWorker(QObject* parent) : QObject(parent) {
    thread_ = std::jthread([this](std::stop_token stop) { loop(std::move(stop)); });
}

PictureWorker::~PictureWorker() {
    thread_.request_stop();
    {
        const std::lock_guard lock(mutex_);
        current_.request_stop();
    }
    thread_.join();
}

void PictureWorker::giveUp() {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    if (currentIsFull_) current_.request_stop();
}

int PictureWorker::threads() {
    return usableThreads();
}

void PictureWorker::request(PictureRequest request) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = std::move(request);
        if (currentIsFull_) current_.request_stop();
    }
    wake_.notify_one();
}

void PictureWorker::loop(std::stop_token stop) {
    while (true) {
        PictureRequest request;
        std::stop_token stopCurrent;
        {
            std::unique_lock lock(mutex_);
            if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
            request = std::move(*waiting_);
            waiting_.reset();
            current_ = std::stop_source();
            currentIsFull_ = !request.moving;
            stopCurrent = current_.get_token();
        }
        if (stop.stop_requested()) return;
        make(request, stopCurrent);
    }
}

void PictureWorker::make(const PictureRequest& request, std::stop_token stop) {
    // The picture is passed by a queued call, which is dropped if this object is destroyed first.
    try {
        const double share = request.moving ? motion_.scale() : 1.0;
        JobContext job(std::move(stop), {}, threads());
        Picture picture = paintPicture(request, share, job);
        motion_.drawn(share, 1e-3 * picture.milliseconds);
        QMetaObject::invokeMethod(
            this, [this, made = std::move(picture)] { emit pictureReady(made); },
            Qt::QueuedConnection);
    } catch (const Cancelled&) {
        // A newer request is waiting.
    } catch (const std::exception& error) {
        QMetaObject::invokeMethod(
            this, [this, line = QString::fromUtf8(error.what())] { emit failed(line); },
            Qt::QueuedConnection);
    }
}

}  // namespace armilla

#include "moc_picture_worker.cpp"
