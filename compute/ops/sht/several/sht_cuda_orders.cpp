// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by CUDA devices by orders and rings: CudaOrderShares with the weights and
// iterations of analysis. Maps and coefficients stay on the devices between iterations. The
// functions correspond to those of sht_cuda.cpp for one device.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/device/host_copies.h"
#include "armilla/device/squared_norm.h"
#include "armilla/ops/quadrature_weights.h"
#include "sht/plan/in_turns.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/sht_cuda.h"
#include "sht/several/order_shares_cuda.h"
#include "sht/several/side_by_side.h"
#include "sht/weights/analysis_weights.h"

namespace armilla {

namespace {

using Arrays = CudaOrderShares::Arrays;

CudaSharing sharingOf(const ShtParameters& p, const std::vector<CudaPlace>& places) {
    CudaSharing sharing;
    for (const CudaPlace& place : places) {
        sharing.devices.push_back(place.device);
        sharing.speeds.push_back(place.speed);
    }
    sharing.shape = places.front().shape;
    sharing.strategy = p.betweenDevices;
    return sharing;
}

// Each field is a group.
template <typename Field>
std::vector<Field> groupsOf(std::span<const Field> fields) {
    std::vector<Field> groups;
    for (const auto& [spin, from, to] : fields)
        for (size_t i = 0, n = componentsOf(spin); i < from.size(); i += n)
            groups.push_back({spin, from.subspan(i, n), to.subspan(i, n)});
    return groups;
}

class CudaOrdersBackend final : public ShtBackend {
public:
    CudaOrdersBackend(const ShtParameters& p, const RingGrid& grid,
                      const std::vector<CudaPlace>& places)
        : ShtBackend(p, grid), transform_(grid, p.lmax, p.mmax, sharingOf(p, places)) {
        // Each share gets as many threads as its copies.
        const JobContext all;
        for (size_t i = 0; i < transform_.count(); ++i) {
            name_ += (i == 0 ? "CUDA device " : ", ") + std::to_string(transform_.device(i));
            given_.push_back(places[i].bytes);
            for (auto* copies : {&uploads_, &downloads_})
                copies->emplace_back(transform_.device(i)).prepare(threadsOf(all));
        }
        name_ += ", orders and rings shared";
        if (!transform_.copiesBetweenPeers()) name_ += " by way of host memory";
    }

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return times_.steps(); }
    int64_t analysisBytes(size_t) const override {
        const bool makes = parameters().weights == Weights::Pixel && pixelFactor_.empty();
        return makes ? kBytesOfPixelWeights * grid().sampleCount() : 0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        const FieldToSynthesize field{spin, alm, maps};
        const std::vector<FieldToSynthesize> groups = groupsOf(std::span(&field, 1));
        synthesizeGroups(groups, copiesOf(groups), job);
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        times_ = {};
        Set& at = sets_[0];
        makeArrays(at, 2);
        upload({&alm, 1}, at.alm, job);
        transform_.gradient(at.alm[0], at.map[0], at.map[1], job);
        note();
        const MapSamples to[] = {dTheta, dPhi};
        download(at.map, to, job);
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        const FieldToAnalyze field{spin, maps, alm};
        const std::vector<FieldToAnalyze> groups = groupsOf(std::span(&field, 1));
        analyzeGroups(groups, copiesOf(groups), job);
    }
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        const std::vector<double> ones(grid().rings.size(), 1.0);
        const FieldToAnalyze field{spin, maps, alm};
        const std::vector<FieldToAnalyze> groups = groupsOf(std::span(&field, 1));
        toCoefficients(groups, copiesOf(groups), job,
                       [&](const FieldToAnalyze& one, Set& at, JobContext& own) {
                           clear(at.alm, one.maps.size());
                           addSums(one.spin, at.map, ones, at.alm, one.maps.size(), own);
                       });
    }

    bool waitsForResults() const override { return true; }
    // See sht_cuda.cpp.
    bool analyzeFields(std::span<const FieldToAnalyze> fields, JobContext& job) override {
        const std::vector<FieldToAnalyze> groups = groupsOf(fields);
        if (copiesOf(groups) == Copies::InTurn) return false;
        analyzeGroups(groups, Copies::Beside, job);
        return true;
    }
    bool synthesizeFields(std::span<const FieldToSynthesize> fields, JobContext& job) override {
        const std::vector<FieldToSynthesize> groups = groupsOf(fields);
        if (copiesOf(groups) == Copies::InTurn) return false;
        synthesizeGroups(groups, Copies::Beside, job);
        return true;
    }

private:
    // The arrays of a group.
    struct Set {
        std::vector<Arrays> map, alm;
    };

    void synthesizeGroups(const std::vector<FieldToSynthesize>& groups, Copies copies,
                          JobContext& job) {
        transformGroups(
            groups, copies, job,
            [&](const FieldToSynthesize& one, Set& at, JobContext& own) {
                upload(one.alm, at.alm, own);
            },
            [&](const FieldToSynthesize& one, Set& at, JobContext& own) {
                synthesize(one.spin, at.alm, at.map, one.maps.size(), own);
            },
            [&](const FieldToSynthesize& one, const Set& at, JobContext& own) {
                download(at.map, one.maps, own);
            });
    }
    void analyzeGroups(const std::vector<FieldToAnalyze>& groups, Copies copies, JobContext& job) {
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        prepareWeights(weights);
        toCoefficients(groups, copies, rest,
                       [&](const FieldToAnalyze& one, Set& at, JobContext& own) {
                           analyze(one.spin, at, one.maps.size(), own);
                       });
    }
    template <typename Transform>
    void toCoefficients(const std::vector<FieldToAnalyze>& groups, Copies copies, JobContext& job,
                        const Transform& transform) {
        transformGroups(
            groups, copies, job,
            [&](const FieldToAnalyze& one, Set& at, JobContext& own) {
                upload(one.maps, at.map, own);
            },
            transform,
            [&](const FieldToAnalyze& one, const Set& at, JobContext& own) {
                download(at.alm, one.alm, own);
            });
    }
    // Calls upload(group, set, job), and transform and download with the same arguments.
    template <typename Field, typename Upload, typename Transform, typename Download>
    void transformGroups(const std::vector<Field>& groups, Copies copies, JobContext& job,
                         const Upload& upload, const Transform& transform,
                         const Download& download) {
        times_ = {};
        const GroupSets sets(countsOf(groups), copies);
        const auto arraysOf = [&](size_t i) -> Set& { return sets_[sets.of(i)]; };
        for (size_t i = 0; i < groups.size(); ++i) makeArrays(arraysOf(i), groups[i].maps.size());
        inTurns(groups.size(), copies, job,
                {[&](size_t i, JobContext& own) { upload(groups[i], arraysOf(i), own); },
                 [&](size_t i, JobContext& own) { transform(groups[i], arraysOf(i), own); },
                 [&](size_t i, JobContext& own) {
                     if (i == 0) times_.await(results);
                     download(groups[i], arraysOf(i), own);
                 }});
    }
    // With a single group, or without memory for two, all steps run in turn.
    template <typename Field>
    Copies copiesOf(const std::vector<Field>& groups) const {
        return groups.size() > 1 && fitBeside(countsOf(groups)) ? Copies::Beside : Copies::InTurn;
    }
    template <typename Field>
    static std::vector<size_t> countsOf(const std::vector<Field>& groups) {
        std::vector<size_t> counts;
        for (const Field& one : groups) counts.push_back(one.maps.size());
        return counts;
    }
    // Whether each device, which may have several shares, has memory for groups of `counts`
    // components at once.
    bool fitBeside(std::span<const size_t> counts) const {
        const int64_t missing =
            GroupSets(counts, Copies::Beside).missing({sets_[0].map.size(), sets_[1].map.size()});
        if (missing == 0) return true;
        std::map<int, int64_t> ofDevices;
        for (size_t i = 0; i < transform_.count(); ++i) {
            // The same amount stays free for tables and slices of orders that are not allocated
            // yet.
            const int64_t bytes = 2 * missing * bytesOfMap(i);
            if (given_[i] > 0 && bytes > given_[i] - heldBytes(i)) return false;
            ofDevices[transform_.device(i)] += bytes;
        }
        return std::all_of(ofDevices.begin(), ofDevices.end(), [](const auto& one) {
            return one.second <= CudaArray::freeBytes(one.first);
        });
    }
    // Bytes of a share's part of a map, with its coefficients.
    int64_t bytesOfMap(size_t share) const {
        const auto sizeOf = [](std::span<const SampleRun> runs) {
            return std::accumulate(
                runs.begin(), runs.end(), int64_t{0},
                [](int64_t sum, const SampleRun& run) { return sum + run.count; });
        };
        const int64_t maps = parameters().iterations > 0 ? 2 : 1;
        return maps * 8 * sizeOf(transform_.rings(share).runs) +
               16 * sizeOf(transform_.orders(share));
    }
    // Kept from transform to transform.
    void makeArrays(Set& at, size_t components) {
        while (at.map.size() < components) at.map.push_back(transform_.newMap());
        while (at.alm.size() < components) at.alm.push_back(transform_.newCoefficients());
        while (parameters().iterations > 0 && residual_.size() < components)
            residual_.push_back(transform_.newMap());
    }
    int64_t heldBytes(size_t share) const {
        int64_t bytes = transform_.deviceBytes(share);
        for (const auto* all : {&sets_[0].map, &sets_[0].alm, &sets_[1].map, &sets_[1].alm,
                                &residual_, &pixelFactor_})
            for (const Arrays& one : *all)
                bytes += static_cast<int64_t>(one[share].size() * sizeof(double));
        return bytes;
    }
    // Adds the steps of the last transform, and the memory of the fullest device.
    void note() {
        const CudaSharedSteps& done = transform_.steps();
        ShtSteps& steps = times_.transforms.steps;
        steps.legendre += done.legendre;
        steps.fft += done.fft;
        steps.exchange += done.exchange;
        steps.exchangedBytes += done.exchangedBytes;
        for (size_t i = 0; i < transform_.count(); ++i)
            steps.deviceBytes = std::max(steps.deviceBytes, heldBytes(i));
    }

    int threadsOf(const JobContext& job) const {
        return std::max(1, job.threads() / static_cast<int>(transform_.count()));
    }
    // Calls copy(share, job) for all shares concurrently.
    template <typename Copy>
    void copying(CudaTimes& times, JobContext& job, const Copy& copy) {
        times.copying([&] {
            JobContext quiet(job.stopToken(), {}, job.threads());
            const int threads = threadsOf(job);
            sideBySide(transform_.count(), quiet, "copies",
                       [&](size_t i, const std::stop_token& stop, const Advance&) {
                           JobContext own(stop, {}, threads);
                           copy(i, own);
                       });
        });
    }
    // Calls put(samples, place) for each run of a share's part of the host's data.
    template <typename Samples, typename Put>
    static void forEachRun(std::span<const SampleRun> runs, size_t each, const Samples& samples,
                           const Put& put) {
        size_t at = 0;
        for (const SampleRun& run : runs) {
            const size_t count = each * static_cast<size_t>(run.count);
            if (count > 0) put(partOf(samples, each * static_cast<size_t>(run.first), count), at);
            at += count;
        }
    }
    // Doubles in a complex number.
    static constexpr size_t kComplex = 2;
    static ConstMapSamples doublesOf(const Alm& alm) {
        return std::span(reinterpret_cast<const double*>(alm.values().data()),
                         kComplex * alm.values().size());
    }
    static MapSamples doublesOf(Alm& alm) {
        return std::span(reinterpret_cast<double*>(alm.values().data()),
                         kComplex * alm.values().size());
    }
    void upload(std::span<const Alm> alm, std::vector<Arrays>& to, JobContext& job) {
        copying(times_.uploads, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Upload> all;
            for (size_t c = 0; c < alm.size(); ++c)
                forEachRun(transform_.orders(i), kComplex, doublesOf(alm[c]),
                           [&](const ConstMapSamples& part, size_t at) {
                               all.push_back({part, &to[c][i], at});
                           });
            uploads_[i].upload(all, own);
        });
    }
    void upload(std::span<const ConstMapSamples> maps, std::vector<Arrays>& to, JobContext& job) {
        copying(times_.uploads, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Upload> all;
            for (size_t c = 0; c < maps.size(); ++c)
                forEachRun(transform_.rings(i).runs, 1, maps[c],
                           [&](const ConstMapSamples& part, size_t at) {
                               all.push_back({part, &to[c][i], at});
                           });
            uploads_[i].upload(all, own);
        });
    }
    void download(const std::vector<Arrays>& from, std::span<const MapSamples> maps,
                  JobContext& job) {
        copying(times_.downloads, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Download> all;
            for (size_t c = 0; c < maps.size(); ++c)
                forEachRun(transform_.rings(i).runs, 1, maps[c],
                           [&](const MapSamples& part, size_t at) {
                               all.push_back({&from[c][i], part, at});
                           });
            downloads_[i].download(all, own);
        });
    }
    void download(const std::vector<Arrays>& from, std::span<Alm> alm, JobContext& job) {
        copying(times_.downloads, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Download> all;
            for (size_t c = 0; c < alm.size(); ++c)
                forEachRun(transform_.orders(i), kComplex, doublesOf(alm[c]),
                           [&](const MapSamples& part, size_t at) {
                               all.push_back({&from[c][i], part, at});
                           });
            downloads_[i].download(all, own);
        });
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights != Weights::Pixel || !pixelFactor_.empty()) return;
        const std::vector<double> factors =
            expandedPixelWeights(p.nside, pixelWeights(p.nside, job), job);
        std::vector<Arrays> arrays;
        arrays.push_back(transform_.newMap());
        const ConstMapSamples from[] = {std::span(factors)};
        upload(from, arrays, job);
        pixelFactor_ = std::move(arrays);
    }

    // Calls use(i) for the arrays of each share.
    template <typename Use>
    void forEachShare(const Use& use) const {
        for (size_t i = 0; i < transform_.count(); ++i) use(i);
    }
    static void clear(std::vector<Arrays>& alm, size_t components) {
        for (size_t c = 0; c < components; ++c)
            for (CudaArray& one : alm[c]) one.fill(0.0);
    }
    void synthesize(int spin, const std::vector<Arrays>& alm, std::vector<Arrays>& maps,
                    size_t count, JobContext& job) {
        transform_.synthesis(spin, std::span(alm).first(count), std::span(maps).first(count), job);
        note();
    }
    // alm += quadrature of `maps`, which are overwritten.
    void addQuadrature(int spin, std::vector<Arrays>& maps, std::vector<Arrays>& alm, size_t count,
                       JobContext& job) {
        for (size_t c = 0; !pixelFactor_.empty() && c < count; ++c)
            forEachShare([&](size_t i) { maps[c][i].multiply(pixelFactor_[0][i]); });
        addSums(spin, maps, sampleWeight_, alm, count, job);
    }
    // `weights`: the weight of a sample of each ring.
    void addSums(int spin, std::vector<Arrays>& maps, std::span<const double> weights,
                 std::vector<Arrays>& alm, size_t count, JobContext& job) {
        transform_.adjoint(spin, std::span(maps).first(count), weights, std::span(alm).first(count),
                           job);
        note();
    }
    double squares(const std::vector<Arrays>& maps, size_t count) const {
        double sum = 0.0;
        for (size_t c = 0; c < count; ++c)
            forEachShare([&](size_t i) { sum += squaredNorm(maps[c][i], transform_.device(i)); });
        return sum;
    }
    // Quadrature, then Jacobi iterations a += A (map - S a), as in HEALPix's map2alm_iter. A
    // quadrature overwrites its input, so a map that is needed again is copied first.
    void analyze(int spin, Set& at, size_t count, JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        clear(at.alm, count);
        for (size_t c = 0; iterations > 0 && c < count; ++c)
            forEachShare([&](size_t i) { residual_[c][i].copyFrom(at.map[c][i]); });
        IterationWatch watch(parameters(), iterations > 0 ? squares(at.map, count) : 0.0);
        JobContext first = job.part(0.0, 1.0 / passes);
        addQuadrature(spin, iterations > 0 ? residual_ : at.map, at.alm, count, first);
        for (int k = 0; k < iterations; ++k) {
            JobContext both = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = both.part(0.0, 0.5), forth = both.part(0.5, 1.0);
            synthesize(spin, at.alm, residual_, count, back);
            for (size_t c = 0; c < count; ++c)
                forEachShare([&](size_t i) { residual_[c][i].subtractFrom(at.map[c][i]); });
            watch.see(k, squares(residual_, count));
            addQuadrature(spin, residual_, at.alm, count, forth);
        }
    }

    CudaOrderShares transform_;
    std::string name_;
    std::vector<int64_t> given_;  // for each share, bytes of its device; 0: all free memory
    std::vector<HostCopies> uploads_, downloads_;
    Set sets_[2];
    std::vector<Arrays> residual_, pixelFactor_;
    std::vector<double> sampleWeight_;
    CudaCallTimes times_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeCudaOrdersBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid,
                                                  const std::vector<CudaPlace>& places) {
    return std::make_unique<CudaOrdersBackend>(parameters, grid, places);
}

}  // namespace armilla
