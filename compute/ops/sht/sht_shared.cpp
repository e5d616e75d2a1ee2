// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/sht_shared.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace armilla {

namespace {

// Fields that a device takes at once, over one recurrence.
constexpr size_t kFieldsAtOnce = 8;

class SharedBackend final : public ShtBackend {
public:
    SharedBackend(std::unique_ptr<ShtBackend> first, std::vector<MakeBackend> others)
        : ShtBackend(first->parameters(), first->grid()),
          name_(std::string(first->name()) + " and " + std::to_string(others.size()) + " more"),
          make_(std::move(others)),
          backends_(1 + make_.size()) {
        backends_[0] = std::move(first);
    }

    std::string_view name() const override { return name_; }
    std::string remark() const override { return backends_[0]->remark(); }
    ShtSteps steps() const override { return steps_; }
    int64_t analysisBytes(size_t maps) const override { return backends_[0]->analysisBytes(maps); }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        const auto some = [&](ShtBackend& backend, size_t first, size_t count, JobContext& part) {
            backend.synthesis(spin, alm.subspan(first, count), maps.subspan(first, count), part);
        };
        share(componentsOf(spin), maps.size(), job, some);
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        const auto some = [&](ShtBackend& backend, size_t first, size_t count, JobContext& part) {
            backend.analysis(spin, maps.subspan(first, count), alm.subspan(first, count), part);
        };
        share(componentsOf(spin), maps.size(), job, some);
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        backends_[0]->gradient(alm, dTheta, dPhi, job);
        steps_ = backends_[0]->steps();
    }

private:
    // Calls some(backend, first map, number of maps, job) for all maps, from a thread for each
    // device. The caller's thread reports progress.
    template <typename Some>
    void share(size_t components, size_t maps, JobContext& job, const Some& some) {
        const size_t fields = maps / components;
        const size_t devices = std::min(fields, backends_.size());
        if (devices < 2) {
            some(*backends_[0], 0, maps, job);
            steps_ = backends_[0]->steps();
            return;
        }
        const size_t each = components * std::min(kFieldsAtOnce, (fields + devices - 1) / devices);
        std::stop_source stop;
        const std::stop_callback passOn(job.stopToken(), [&] { stop.request_stop(); });
        std::mutex guard;
        std::condition_variable changed;
        size_t next = 0, done = 0, running = devices;
        std::exception_ptr failure;
        std::vector<ShtSteps> steps(devices);
        const auto take = [&]() -> size_t {
            const std::lock_guard lock(guard);
            return std::exchange(next, next + each);
        };
        const auto work = [&](size_t device) {
            const int threads = std::max(1, job.threads() / static_cast<int>(devices));
            try {
                ShtBackend& backend = backendOf(device);
                for (size_t first = take(); first < maps; first = take()) {
                    JobContext own(stop.get_token(), {}, threads);
                    const size_t count = std::min(each, maps - first);
                    some(backend, first, count, own);
                    const std::lock_guard lock(guard);
                    add(steps[device], backend.steps());
                    done += count;
                    changed.notify_one();
                }
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!failure) failure = std::current_exception();
                stop.request_stop();
            }
            const std::lock_guard lock(guard);
            --running;
            changed.notify_one();
        };
        {
            std::vector<std::jthread> threads;
            for (size_t i = 0; i < devices; ++i) threads.emplace_back(work, i);
            for (size_t reported = 0; true;) {
                std::unique_lock lock(guard);
                changed.wait(lock, [&] { return running == 0 || done > reported; });
                if (running == 0) break;
                reported = done;
                lock.unlock();
                // A stop, which this throws, ends the threads as well.
                job.report(static_cast<double>(reported) / static_cast<double>(maps),
                           "maps of a batch");
            }
        }
        if (failure) std::rethrow_exception(failure);
        // Devices work side by side: the times are those of the slowest.
        steps_ = *std::max_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
            return a.legendre + a.fft < b.legendre + b.fft;
        });
        job.report(1.0, "maps of a batch");
    }

    static void add(ShtSteps& sum, const ShtSteps& more) {
        sum.legendre += more.legendre;
        sum.fft += more.fft;
        sum.transfer += more.transfer;
        sum.deviceBytes = std::max(sum.deviceBytes, more.deviceBytes);
    }
    ShtBackend& backendOf(size_t device) {
        if (!backends_[device]) backends_[device] = make_[device - 1]();
        return *backends_[device];
    }

    std::string name_;
    std::vector<MakeBackend> make_;
    std::vector<std::unique_ptr<ShtBackend>> backends_;  // null: not made yet
    ShtSteps steps_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeSharedBackend(std::unique_ptr<ShtBackend> first,
                                              std::vector<MakeBackend> others) {
    return std::make_unique<SharedBackend>(std::move(first), std::move(others));
}

}  // namespace armilla
