// SPDX-License-Identifier: GPL-3.0-or-later
#include "call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/core/usable_threads.h"
#include "armilla/operations/usage_error.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

// Half of the 100 ms within which an interactive program should respond.
constexpr std::chrono::milliseconds kSignalInterval{50};

// State that the job's thread and the calling thread share.
struct Shared {
    std::mutex guard;
    std::condition_variable changed;
    bool done = false;
    bool hasProgress = false;
    double fraction = 0.0;
    std::string stage;
    std::exception_ptr failure;
};

void callProgress(Shared& shared, const nb::object& progress) {
    double fraction = 0.0;
    std::string stage;
    {
        const std::lock_guard lock(shared.guard);
        if (!shared.hasProgress) return;
        shared.hasProgress = false;
        fraction = shared.fraction;
        stage = shared.stage;
    }
    progress(fraction, nb::str(stage.c_str(), stage.size()));
}

// Waits for the end of the job; returns the Python exception that has cancelled it, if any.
std::optional<nb::python_error> waitFor(Shared& shared, std::stop_source& stop,
                                        const nb::object& progress) {
    std::optional<nb::python_error> raised;
    const nb::gil_scoped_release released;
    std::unique_lock lock(shared.guard);
    while (!shared.changed.wait_for(lock, kSignalInterval, [&] { return shared.done; })) {
        if (raised) continue;
        lock.unlock();
        {
            const nb::gil_scoped_acquire acquired;
            try {
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
                if (!progress.is_none()) callProgress(shared, progress);
            } catch (nb::python_error& error) {
                raised.emplace(std::move(error));
                stop.request_stop();
            }
        }
        lock.lock();
    }
    return raised;
}

nb::object errorClass(const char* name) {
    return nb::module_::import_("armilla._errors").attr(name);
}

const char* classOf(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument: return "InvalidArgument";
        case ErrorCode::Io: return "FileError";
        case ErrorCode::OutOfMemory: return "OutOfMemory";
        case ErrorCode::Device: return "DeviceError";
        case ErrorCode::Unsupported: return "Unsupported";
        case ErrorCode::Internal: break;
    }
    return "InternalError";
}

void raise(const char* name, const char* message) {
    try {
        PyErr_SetString(errorClass(name).ptr(), message);
    } catch (nb::python_error& error) {
        error.restore();
    }
}

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
    try {
        std::rethrow_exception(pointer);
    } catch (const Error& error) {
        raise(classOf(error.code()), error.what());
    } catch (const UsageError& error) {
        raise("InvalidArgument", error.what());
    } catch (const Cancelled&) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const std::bad_alloc&) {
        raise("OutOfMemory", "expected more memory, found none left");
    }
}

}  // namespace

void runJob(const CallOptions& options, const std::function<void(JobContext&)>& work) {
    std::stop_source stop;
    Shared shared;
    ProgressFunction progress;
    if (!options.progress.is_none())
        progress = [&shared](double fraction, std::string_view stage) {
            const std::lock_guard lock(shared.guard);
            shared.hasProgress = true;
            shared.fraction = fraction;
            shared.stage = stage;
        };
    JobContext job(stop.get_token(), std::move(progress),
                   options.threads > 0 ? options.threads : usableThreads());
    std::thread thread([&] {
        try {
            work(job);
        } catch (...) {
            shared.failure = std::current_exception();
        }
        const std::lock_guard lock(shared.guard);
        shared.done = true;
        shared.changed.notify_one();
    });
    std::optional<nb::python_error> raised = waitFor(shared, stop, options.progress);
    thread.join();
    if (!raised && !shared.failure && !options.progress.is_none()) {
        callProgress(shared, options.progress);
    }
    if (raised) throw nb::python_error(std::move(*raised));
    if (shared.failure) std::rethrow_exception(shared.failure);
}

void runReporting(const CallOptions& options, const std::function<void(JobContext&)>& work) {
    std::stop_source stop;
    std::optional<nb::python_error> raised;
    auto next = std::chrono::steady_clock::now() + kSignalInterval;
    const auto report = [&](double fraction, std::string_view stage) {
        const auto now = std::chrono::steady_clock::now();
        if (raised || now < next) return;
        next = now + kSignalInterval;
        const nb::gil_scoped_acquire acquired;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (!options.progress.is_none())
                options.progress(fraction, nb::str(stage.data(), stage.size()));
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
            stop.request_stop();
        }
    };
    JobContext job(stop.get_token(), report,
                   options.threads > 0 ? options.threads : usableThreads());
    std::exception_ptr failure;
    {
        const nb::gil_scoped_release released;
        try {
            work(job);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (raised) throw nb::python_error(std::move(*raised));
    if (failure) std::rethrow_exception(failure);
    if (!options.progress.is_none()) options.progress(1.0, nb::str(""));
}

void registerErrors() {
    nb::register_exception_translator(translate);
}

}  // namespace armilla::python
