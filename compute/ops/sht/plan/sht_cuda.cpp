// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on a CUDA device, of maps and coefficients in host memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/host_copies.h"
#include "sht/plan/cuda_fields.h"
#include "sht/plan/in_turns.h"
#include "sht/plan/sht_cuda.h"
#include "sht/several/sht_shared.h"
#include "spectrum/cross_spectra_cuda.h"

namespace armilla {

namespace {

// Maps of a batch in a group, if two groups fit on the device at once.
constexpr size_t kMapsOfGroup = 4;

class CudaBackend final : public ShtBackend {
public:
    CudaBackend(const ShtParameters& p, const RingGrid& grid, int device)
        : ShtBackend(p, grid),
          name_("CUDA device " + std::to_string(device)),
          device_(device),
          fields_(p, ShtBackend::grid(), device),
          uploads_(device),
          downloads_(device) {
        // Prepared with the plan, not with its first transform: pinning memory takes longer than
        // copying it.
        fields_.note = [this] { times_.transforms.note(fields_.transform(), heldBytes()); };
        const JobContext all;
        uploads_.prepare(all.threads());
        downloads_.prepare(all.threads());
    }

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return times_.steps(); }
    // All memory is on the device, except pixel weights before their upload.
    int64_t analysisBytes(size_t) const override {
        const bool makes = parameters().weights == Weights::Pixel && !fields_.hasPixelWeights();
        return makes ? kBytesOfPixelWeights * grid().sampleCount() : 0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        times_ = {};
        inGroups(
            spin, maps.size(), job,
            [&](size_t i, CudaArray& to, CudaArray&, JobContext& own) {
                uploads_.upload(alm[i], to, own);
            },
            [&](Arrays& at, size_t count, JobContext& own) { synthesize(spin, at, count, own); },
            [&](size_t i, const CudaArray&, const CudaArray& from, JobContext& own) {
                downloads_.download(from, maps[i], own);
            });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        times_ = {};
        Arrays& at = arrays_[0];
        makeArrays(at, 2);
        times_.uploads.copying([&] { uploads_.upload(alm, at.alm[0], job); });
        fields_.transform().gradient(at.alm[0], at.map[0], at.map[1], job);
        fields_.note();
        times_.downloads.copying([&] {
            downloads_.download(at.map[0], dTheta, job);
            downloads_.download(at.map[1], dPhi, job);
        });
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        times_ = {};
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        fields_.prepareWeights(uploads_, weights);
        inGroups(
            spin, maps.size(), rest,
            [&](size_t i, CudaArray&, CudaArray& to, JobContext& own) {
                uploads_.uploadGood(maps[i], to, own);
            },
            [&](Arrays& at, size_t count, JobContext& own) { analyze(spin, at, count, own); },
            [&](size_t i, const CudaArray& from, const CudaArray&, JobContext& own) {
                downloads_.download(from, alm[i], own);
            });
    }
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        times_ = {};
        const std::vector<double> ones(grid().rings.size(), 1.0);
        inGroups(
            spin, maps.size(), job,
            [&](size_t i, CudaArray&, CudaArray& to, JobContext& own) {
                uploads_.upload(maps[i], to, own);
            },
            [&](Arrays& at, size_t count, JobContext& own) {
                for (size_t i = 0; i < count; ++i) at.alm[i].fill(0.0);
                fields_.addSums(spin, CudaFields::addressesOf(std::span(at.map).first(count)), ones,
                                CudaFields::addressesOf(std::span(at.alm).first(count)), own);
            },
            [&](size_t i, const CudaArray& from, const CudaArray&, JobContext& own) {
                downloads_.download(from, alm[i], own);
            });
    }

    // Least squares read the samples elsewhere.
    bool clearsBadSamples() const override { return parameters().tolerance == 0.0; }
    bool waitsForResults() const override { return true; }
    // Copies of one field overlap with the transform of the other. The field with more samples
    // comes first in an analysis and last in a synthesis: its copies then overlap with the other
    // field.
    bool analyzeFields(std::span<const FieldToAnalyze> fields, JobContext& job) override {
        std::vector<size_t> counts;
        for (const FieldToAnalyze& field : fields) counts.push_back(field.maps.size());
        if (!fitBeside(counts)) return false;
        times_ = {};
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        fields_.prepareWeights(uploads_, weights);
        transformGroups(
            counts, Copies::Beside, rest,
            [&](size_t field, size_t i, CudaArray&, CudaArray& to, JobContext& own) {
                uploads_.uploadGood(fields[field].maps[i], to, own);
            },
            [&](size_t field, Arrays& at, size_t count, JobContext& own) {
                analyze(fields[field].spin, at, count, own);
            },
            [&](size_t field, size_t i, const CudaArray& from, const CudaArray&, JobContext& own) {
                downloads_.download(from, fields[field].alm[i], own);
            });
        return true;
    }
    bool weightedSpectra(std::span<const ConstMapSamples> maps, std::span<const double> weights,
                         std::vector<std::vector<double>>& cl, JobContext& job) override {
        struct Field {
            int spin;
            std::span<const ConstMapSamples> maps;
        };
        std::vector<Field> fields;
        if (maps.size() == 3) fields.push_back({2, maps.subspan(1)});
        fields.push_back({0, maps.first(1)});
        std::vector<size_t> counts;
        for (const Field& field : fields) counts.push_back(field.maps.size());
        if (!fitBeside(counts)) return false;
        times_ = {};
        JobContext preparing = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        fields_.prepareWeights(uploads_, preparing);
        transformGroups(
            counts, Copies::Beside, rest,
            [&](size_t field, size_t i, CudaArray&, CudaArray& to, JobContext& own) {
                const HostCopies::Upload product{fields[field].maps[i], &to, 0, weights};
                uploads_.upload({&product, 1}, own);
            },
            [&](size_t field, Arrays& at, size_t count, JobContext& own) {
                analyze(fields[field].spin, at, count, own);
            },
            [](size_t, size_t, const CudaArray&, const CudaArray&, JobContext&) {});
        // T, E, B.
        const GroupSets sets(counts, Copies::Beside);
        std::vector<const CudaArray*> alm{&arrays_[sets.of(counts.size() - 1)].alm[0]};
        if (maps.size() == 3)
            for (const size_t i : {0, 1}) alm.push_back(&arrays_[sets.of(0)].alm[i]);
        cl = crossSpectraOnDevice(alm, parameters().lmax, parameters().mmax, device_);
        return true;
    }
    bool synthesizeFields(std::span<const FieldToSynthesize> fields, JobContext& job) override {
        std::vector<size_t> counts;
        for (const FieldToSynthesize& field : fields) counts.push_back(field.maps.size());
        if (!fitBeside(counts)) return false;
        times_ = {};
        transformGroups(
            counts, Copies::Beside, job,
            [&](size_t field, size_t i, CudaArray& to, CudaArray&, JobContext& own) {
                uploads_.upload(fields[field].alm[i], to, own);
            },
            [&](size_t field, Arrays& at, size_t count, JobContext& own) {
                synthesize(fields[field].spin, at, count, own);
            },
            [&](size_t field, size_t i, const CudaArray&, const CudaArray& from, JobContext& own) {
                downloads_.download(from, fields[field].maps[i], own);
            });
        return true;
    }

private:
    // Arrays for the maps of a group.
    struct Arrays {
        std::vector<CudaArray> alm, map;
    };

    // Bytes that the plan may still allocate on the device.
    int64_t bytesLeft() const {
        const int64_t free = CudaArray::freeBytes(device_), given = parameters().deviceBytes;
        return given > 0 ? std::min(free, given - heldBytes()) : free;
    }
    // Whether fields of `counts` components fit on the device together.
    bool fitBeside(std::span<const size_t> counts) const {
        const int64_t missing = GroupSets(counts, Copies::Beside)
                                    .missing({arrays_[0].map.size(), arrays_[1].map.size()});
        // The same amount stays free for tables and slices of orders that are not allocated yet.
        return missing == 0 || 2 * missing * bytesOfMap() <= bytesLeft();
    }
    int64_t bytesOfMap() const {
        const ShtParameters& p = parameters();
        const int64_t maps = p.iterations > 0 ? 2 : 1;
        return maps * 8 * grid().sampleCount() + 16 * Alm::count(p.lmax, p.mmax);
    }
    // Maps of a group, so that two groups get half of the free memory; 0: not even one map of each
    // fits. A field of a spin is a separate group.
    size_t mapsOfGroup(int spin, size_t maps) const {
        if (spin > 0 || maps == 1) return componentsOf(spin);
        const int64_t fit = std::max<int64_t>(bytesLeft(), 0) / 2 / bytesOfMap();
        const size_t there = arrays_[0].map.size() + arrays_[1].map.size();
        return std::min((there + static_cast<size_t>(fit)) / 2, kMapsOfGroup);
    }
    // Groups of maps one after the other: while one is transformed, separate threads copy the next
    // one to the device and the previous one back.
    template <typename Upload, typename Transform, typename Download>
    void inGroups(int spin, size_t maps, JobContext& job, const Upload& upload,
                  const Transform& transform, const Download& download) {
        const size_t fit = mapsOfGroup(spin, maps), each = std::max<size_t>(fit, 1);
        const size_t groups = (maps + each - 1) / each;
        std::vector<size_t> counts;
        for (size_t group = 0; group < groups; ++group)
            counts.push_back(std::min(each, maps - group * each));
        // With a single group, or without memory for two, all steps run in turn.
        const Copies copies =
            spin == 0 && groups > 1 && fitBeside(counts) ? Copies::Beside : Copies::InTurn;
        transformGroups(
            counts, copies, job,
            [&](size_t group, size_t i, CudaArray& alm, CudaArray& map, JobContext& own) {
                upload(group * each + i, alm, map, own);
            },
            [&](size_t, Arrays& at, size_t count, JobContext& own) { transform(at, count, own); },
            [&](size_t group, size_t i, const CudaArray& alm, const CudaArray& map,
                JobContext& own) { download(group * each + i, alm, map, own); });
    }
    // Groups of `counts` maps: calls upload(group, i, alm, map, job) for each map of a group,
    // transform(group, arrays, count, job), and download with the arguments of upload.
    template <typename Upload, typename Transform, typename Download>
    void transformGroups(std::span<const size_t> counts, Copies copies, JobContext& job,
                         const Upload& upload, const Transform& transform,
                         const Download& download) {
        const GroupSets sets(counts, copies);
        const auto arraysOf = [&](size_t group) -> Arrays& { return arrays_[sets.of(group)]; };
        for (size_t group = 0; group < counts.size(); ++group)
            makeArrays(arraysOf(group), counts[group]);
        inTurns(counts.size(), copies, job,
                {[&](size_t group, JobContext& own) {
                     Arrays& at = arraysOf(group);
                     times_.uploads.copying([&] {
                         for (size_t i = 0; i < counts[group]; ++i)
                             upload(group, i, at.alm[i], at.map[i], own);
                     });
                 },
                 [&](size_t group, JobContext& own) {
                     transform(group, arraysOf(group), counts[group], own);
                 },
                 [&](size_t group, JobContext& own) {
                     if (group == 0) times_.await(results);
                     const Arrays& at = arraysOf(group);
                     times_.downloads.copying([&] {
                         for (size_t i = 0; i < counts[group]; ++i)
                             download(group, i, at.alm[i], at.map[i], own);
                     });
                 }});
    }
    // Allocates arrays for `components` maps, which are kept from transform to transform.
    void makeArrays(Arrays& at, size_t components) {
        const ShtParameters& p = parameters();
        const auto samples = static_cast<size_t>(grid().sampleCount());
        while (at.map.size() < components) at.map.emplace_back(device_, samples);
        while (at.alm.size() < components)
            at.alm.emplace_back(device_, static_cast<size_t>(2 * Alm::count(p.lmax, p.mmax)));
        fields_.makeResiduals(components);
    }
    int64_t heldBytes() const {
        return fields_.bytes() +
               bytesOf({&arrays_[0].map, &arrays_[0].alm, &arrays_[1].map, &arrays_[1].alm});
    }
    // Synthesizes the first `count` of the coefficients.
    void synthesize(int spin, const Arrays& at, size_t count, JobContext& job) {
        fields_.synthesize(spin, CudaFields::addressesOf(std::span(at.alm).first(count)),
                           CudaFields::addressesOf(std::span(at.map).first(count)), job);
    }
    // Analyzes the first `count` maps, which may be overwritten.
    void analyze(int spin, Arrays& at, size_t count, JobContext& job) {
        for (size_t i = 0; i < count; ++i) at.alm[i].fill(0.0);
        fields_.analyze(spin, std::span(at.map).first(count),
                        CudaFields::addressesOf(std::span(at.alm).first(count)), job);
    }

    std::string name_;
    int device_;
    CudaFields fields_;
    HostCopies uploads_, downloads_;
    Arrays arrays_[2];
    CudaCallTimes times_;
};

}  // namespace

CudaTransformShape cudaShapeOf(const ShtTuning& tuning) {
    return {.synthesisPairs = tuning.synthesisPairs,
            .adjointPairs = tuning.adjointPairs,
            .interpolates = tuning.latitudes == LatitudeSums::WherePays};
}

void requireCudaDevice(int device) {
    const std::vector<Device> present = cudaDevices(CudaListing::WithoutContext);
    if (std::none_of(present.begin(), present.end(),
                     [&](const Device& one) { return one.index == device; }))
        throw Unsupported("expected CUDA device " + std::to_string(device) + ", found " +
                          std::to_string(present.size()) + " devices");
}

int64_t cudaBytesFor(int device) {
    // A tenth is left for other programs and for fragmentation.
    return CudaArray::freeBytes(device) / 10 * 9;
}

namespace {

// From this lmax on two devices transform one map in no more time than one device, and more devices
// in less.
constexpr int kLeastSharedLmax = 4096;

CudaPlace placeOf(const CudaPart& part) {
    return {part.device, part.speed, part.parameters.deviceBytes,
            cudaShapeOf(part.parameters.tuning.value_or(ShtTuning{}))};
}

// Whether a device's part of maps and coefficients fits.
bool holdsMaps(const CudaPart& part, const RingGrid& grid, double share = 1.0) {
    const ShtParameters& p = part.parameters;
    const int64_t bytes = p.deviceBytes > 0 ? p.deviceBytes : cudaBytesFor(part.device);
    const auto samples =
        static_cast<int64_t>(std::ceil(share * static_cast<double>(grid.sampleCount())));
    // The pixel weights are also on the device.
    const int64_t factors = p.weights == Weights::Pixel ? 8 * samples : 0;
    return cudaWindowsFor(bytes - factors, 2, p.iterations > 0 ? 2 : 1,
                          {samples, p.lmax, p.mmax, share}) == 1;
}
// Whether each device has memory for its part of a map shared by orders. Rings and orders are
// partitioned separately, by speed, and exchanged data is stored on either side: half as much
// again.
bool holdShares(std::span<const CudaPart> parts, const RingGrid& grid) {
    double all = 0.0;
    for (const CudaPart& part : parts) all += part.speed;
    return std::all_of(parts.begin(), parts.end(), [&](const CudaPart& part) {
        return holdsMaps(part, grid, std::min(1.0, 1.5 * part.speed / all));
    });
}

std::unique_ptr<ShtBackend> makeAlone(const CudaPart& part, const RingGrid& grid) {
    if (!holdsMaps(part, grid))
        return makeCudaSharesBackend(part.parameters, grid, {placeOf(part)});
    return std::make_unique<CudaBackend>(part.parameters, grid, part.device);
}

}  // namespace

std::unique_ptr<ShtBackend> makeCudaBackend(std::span<const CudaPart> parts, const RingGrid& grid) {
    for (const CudaPart& part : parts) requireCudaDevice(part.device);
    std::unique_ptr<ShtBackend> first = makeAlone(parts[0], grid);
    if (parts.size() == 1) return first;
    const ShtParameters& p = parts[0].parameters;
    std::unique_ptr<ShtBackend> oneMap;
    std::vector<CudaPlace> places;
    for (const CudaPart& part : parts) places.push_back(placeOf(part));
    if (p.lmax >= kLeastSharedLmax || !holdsMaps(parts[0], grid))
        oneMap = holdShares(parts, grid) ? makeCudaOrdersBackend(p, grid, places)
                                         : makeCudaSharesBackend(p, grid, places);
    std::vector<MakeBackend> others;
    const auto kept = std::make_shared<const RingGrid>(grid);
    for (const CudaPart& part : parts.subspan(1))
        others.emplace_back([part, kept] { return makeAlone(part, *kept); });
    return makeSharedBackend(std::move(first), std::move(others), std::move(oneMap));
}

}  // namespace armilla
