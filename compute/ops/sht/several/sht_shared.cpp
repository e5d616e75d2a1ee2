// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/sht_shared.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "sht/several/side_by_side.h"

namespace armilla {

namespace {

// Fields that a device takes at once, over one recurrence.
constexpr size_t kFieldsAtOnce = 8;

class SharedBackend final : public ShtBackend {
public:
    SharedBackend(std::unique_ptr<ShtBackend> first, std::vector<MakeBackend> others,
                  std::unique_ptr<ShtBackend> oneMap)
        : ShtBackend(first->parameters(), first->grid()),
          name_(std::string(first->name()) + " and " + std::to_string(others.size()) + " more"),
          make_(std::move(others)),
          backends_(1 + make_.size()),
          oneMap_(std::move(oneMap)) {
        backends_[0] = std::move(first);
    }

    std::string_view name() const override { return name_; }
    std::string remark() const override { return ofOneMap().remark(); }
    ShtSteps steps() const override { return wasByOne_ ? ofOneMap().steps() : steps_; }
    int64_t analysisBytes(size_t maps) const override { return ofOneMap().analysisBytes(maps); }

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
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        const auto some = [&](ShtBackend& backend, size_t first, size_t count, JobContext& part) {
            backend.adjoint(spin, maps.subspan(first, count), alm.subspan(first, count), part);
        };
        share(componentsOf(spin), maps.size(), job, some);
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        byOne([&](ShtBackend& one) { one.gradient(alm, dTheta, dPhi, job); });
    }

    bool waitsForResults() const override { return ofOneMap().waitsForResults(); }
    bool analyzeFields(std::span<const FieldToAnalyze> fields, JobContext& job) override {
        return byOne([&](ShtBackend& one) { return one.analyzeFields(fields, job); });
    }
    bool synthesizeFields(std::span<const FieldToSynthesize> fields, JobContext& job) override {
        return byOne([&](ShtBackend& one) { return one.synthesizeFields(fields, job); });
    }

private:
    // Calls use(backend) with the backend for one map, which waits for the results itself.
    template <typename Use>
    std::invoke_result_t<const Use&, ShtBackend&> byOne(const Use& use) {
        struct Results {
            ShtBackend& one;
            ~Results() { one.results = nullptr; }
        };
        const Results handedOn{ofOneMap()};
        handedOn.one.results = results;
        wasByOne_ = true;
        return use(handedOn.one);
    }
    // Calls some(backend, first map, number of maps, job) for all maps, from a thread for each
    // device. The caller's thread reports progress.
    template <typename Some>
    void share(size_t components, size_t maps, JobContext& job, const Some& some) {
        const size_t fields = maps / components;
        const size_t devices = std::min(fields, backends_.size());
        if (devices < 2) return byOne([&](ShtBackend& one) { some(one, 0, maps, job); });
        if (results) results();
        wasByOne_ = false;
        const size_t each = components * std::min(kFieldsAtOnce, (fields + devices - 1) / devices);
        std::mutex guard;
        size_t next = 0;
        std::vector<ShtSteps> steps(devices);
        const auto take = [&]() -> size_t {
            const std::lock_guard lock(guard);
            return std::exchange(next, next + each);
        };
        const int threads = std::max(1, job.threads() / static_cast<int>(devices));
        sideBySide(devices, job, "maps of a batch",
                   [&](size_t device, const std::stop_token& stop, const Advance& advance) {
                       ShtBackend& backend = backendOf(device);
                       for (size_t first = take(); first < maps; first = take()) {
                           JobContext own(stop, {}, threads);
                           const size_t count = std::min(each, maps - first);
                           some(backend, first, count, own);
                           steps[device] += backend.steps();
                           advance(static_cast<double>(count) / static_cast<double>(maps));
                       }
                   });
        steps_ = slowest(steps);
    }

    ShtBackend& ofOneMap() const { return oneMap_ ? *oneMap_ : *backends_[0]; }
    ShtBackend& backendOf(size_t device) {
        if (!backends_[device]) backends_[device] = make_[device - 1]();
        return *backends_[device];
    }

    std::string name_;
    std::vector<MakeBackend> make_;
    std::vector<std::unique_ptr<ShtBackend>> backends_;  // null: not constructed yet
    std::unique_ptr<ShtBackend> oneMap_;
    bool wasByOne_ = false;  // whether the last call used one backend
    ShtSteps steps_;         // steps of the last batch
};

}  // namespace

std::unique_ptr<ShtBackend> makeSharedBackend(std::unique_ptr<ShtBackend> first,
                                              std::vector<MakeBackend> others,
                                              std::unique_ptr<ShtBackend> oneMap) {
    return std::make_unique<SharedBackend>(std::move(first), std::move(others), std::move(oneMap));
}

}  // namespace armilla
