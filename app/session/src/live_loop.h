// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of a live picture: one thread that computes the latest request.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/core/usable_threads.h"

namespace armilla {

// A pull loop: after the last picture has been presented, the loop computes the latest request and
// skips intermediate ones. Intended for work of milliseconds that follows the pointer; longer work
// belongs in a job.
template <class Result>
class LiveLoop {
public:
    struct Request {
        std::function<Result(JobContext&)> make;  // in the loop's thread
        // Called in the thread of `post`; not called after drop() or a newer failure.
        std::function<void(const Result&)> done;
        std::function<void(std::exception_ptr)> failed;
        // Optional. Runs in the loop's thread while the result is being presented. The returned
        // function, if any, is called after `done`.
        std::function<std::function<void()>(const Result&, JobContext&)> after = {};
    };
    // `post` queues a function for the window's thread.
    using Post = std::function<void(std::function<void()>)>;

    // `patience`: the longest wait for a picture that is not presented, for instance in a hidden
    // window.
    explicit LiveLoop(Post post,
                      std::chrono::milliseconds patience = std::chrono::milliseconds(100))
        : post_(std::move(post)), patience_(patience) {
        thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
    }
    // Cancels the running request and waits for its end.
    ~LiveLoop() {
        thread_.request_stop();
        drop();
    }
    LiveLoop(const LiveLoop&) = delete;
    LiveLoop& operator=(const LiveLoop&) = delete;

    // Replaces a waiting request.
    void request(Request next) {
        {
            const std::lock_guard lock(guard_);
            waiting_ = std::move(next);
        }
        wake_.notify_one();
    }
    // The last picture is on the screen, so the next one may be computed.
    void presented() {
        {
            const std::lock_guard lock(guard_);
            isUnpresented_ = false;
        }
        wake_.notify_one();
    }
    // Drops the waiting request and the unpresented result, and cancels the running request.
    void drop() {
        const std::lock_guard lock(guard_);
        waiting_.reset();
        current_.request_stop();
        current_ = std::stop_source();
    }

private:
    void loop(const std::stop_token& stop) {
        const int threads = usableThreads();
        while (true) {
            Request request;
            std::stop_token stopCurrent;
            {
                std::unique_lock lock(guard_);
                if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
                wake_.wait_for(lock, stop, patience_, [this] { return !isUnpresented_; });
                if (stop.stop_requested()) return;
                if (!waiting_) continue;
                request = std::move(*waiting_);
                waiting_.reset();
                isUnpresented_ = false;
                stopCurrent = current_.get_token();
            }
            make(request, stopCurrent, threads);
        }
    }
    void make(const Request& request, const std::stop_token& stop, int threads) {
        try {
            JobContext job(stop, {}, threads);
            const auto result = std::make_shared<const Result>(request.make(job));
            {
                const std::lock_guard lock(guard_);
                if (stop.stop_requested()) return;
                isUnpresented_ = true;
            }
            postUnless(stop, [done = request.done, result] { done(*result); });
            if (!request.after) return;
            if (auto act = request.after(*result, job)) postUnless(stop, std::move(act));
        } catch (const Cancelled&) {
            // The request was dropped.
        } catch (...) {
            postUnless(stop, [failed = request.failed, failure = std::current_exception()] {
                failed(failure);
            });
        }
    }
    void postUnless(const std::stop_token& stop, std::function<void()> act) {
        post_([act = std::move(act), stop] {
            if (!stop.stop_requested()) act();
        });
    }

    Post post_;
    const std::chrono::milliseconds patience_;
    std::mutex guard_;
    std::condition_variable_any wake_;
    std::optional<Request> waiting_;
    std::stop_source current_;    // stops all work since the last drop()
    bool isUnpresented_ = false;  // computed, but not presented yet
    std::jthread thread_;         // last member: joined before the others are destroyed
};

}  // namespace armilla
