// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/combine_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/spectrum.h"
#include "convolve/sky_values.h"
#include "shared/new_alm.h"
#include "sources/background.h"
#include "sources/blank_areas.h"
#include "sources/extraction.h"
#include "sources/filter_windows.h"
#include "sources/good_sky.h"
#include "sources/sky_cells.h"
#include "sources/spectral_weights.h"

namespace armilla {

namespace {

using namespace sources;

// Value of the filter plan: holes are filled on cells of half a beam.
constexpr double kFillCell = 0.5;
// One of the maps with derived data.
struct Channel {
    const MapToCombine* in = nullptr;
    int64_t nside = 0;
    int lmax = 0;
    std::vector<double> good;  // RING, without monopole and dipole, NaN where bad
    double share = 1.0;        // fraction of good pixels
    std::vector<float> seen;   // fraction of a wide beam on good pixels
    RadialProfile profile;     // profile of a source of peak 1
    std::optional<ShtPlan> plan;
    Mat3 fromFirst;          // from the frame of the first map to this map's own
    bool turns = false;      // true if the two frames differ
    std::array<Alm, 1> alm;  // in the frame of the first map

    double templateAt(int l) const {
        const std::vector<double>& bl = in->beam.bl;
        if (l > lmax || static_cast<size_t>(l) >= bl.size()) return 0.0;
        return in->response * in->beam.solidAngle * bl[static_cast<size_t>(l)];
    }
};

void check(std::span<const MapToCombine> maps, const HealpixMap* mask) {
    if (maps.size() < 2)
        throw InvalidArgument("expected two maps or more to combine, found " +
                              std::to_string(maps.size()));
    for (const MapToCombine& each : maps) {
        if (!each.map || each.field < 0 || each.field >= each.map->fieldCount())
            throw InvalidArgument("expected maps with the field that is named, found none");
        if (each.map->coverage() == Coverage::MultiOrder)
            throw InvalidArgument("expected maps of one order, found cells of several");
        if (!std::isfinite(each.response) || each.response == 0.0)
            throw InvalidArgument("expected responses other than 0, found " +
                                  std::to_string(each.response));
        if (each.beam.bl.size() < 3)
            throw InvalidArgument("expected a beam for each map, found none");
    }
    if (mask != nullptr) checkMask(*mask, maps[0].map->frame());
}

class Combiner {
public:
    Combiner(std::span<const MapToCombine> maps, const CombinationParameters& parameters,
             const Device& device, JobContext& job)
        : parameters_(parameters), device_(device), channels_(maps.size()) {
        const MapToCombine& first = maps[0];
        // The first map's pixels hold no more l than its coefficients.
        const auto most = static_cast<int>(3 * first.map->nside() - 1);
        lmax_ = parameters.lmax >= 0
                    ? std::min(parameters.lmax, most)
                    : std::max(2, std::min(most, static_cast<int>(first.beam.bl.size()) - 1));
        for (size_t i = 0; i < maps.size(); ++i) {
            Channel& c = channels_[i];
            c.in = &maps[i];
            c.nside = maps[i].map->nside();
            // Analyses are exact to 2 nside; the first map uses the l of its filter.
            c.lmax = std::min(lmax_, static_cast<int>(i == 0 ? 3 * c.nside - 1 : 2 * c.nside));
            c.good = ringValues(*maps[i].map, maps[i].field, job);
            c.fromFirst = frameRotation(maps[i].map->frame(), first.map->frame());
            c.turns = maps[i].map->frame() != first.map->frame();
            if (parameters.mask)
                cutMask(*parameters.mask, c.nside, transposed(c.fromFirst), c.good, job);
            const double blank = kBlankBeams * maps[i].beam.solidAngle / (4.0 * kPi) *
                                 static_cast<double>(pixelCount(c.nside));
            const std::string remark = removeBlankAreas(c.nside, c.good, blank, job).remark();
            if (!remark.empty()) {
                if (!remark_.empty()) remark_ += "; ";
                remark_ += "map " + std::to_string(i + 1) + ": " + remark;
            }
            c.share = removeLargest(c.nside, c.good, job);
            const double fwhm = maps[i].beam.fwhm();
            c.profile = profileOf(maps[i].beam);
            c.plan.emplace(
                ShtParameters{.nside = c.nside, .lmax = c.lmax, .weights = parameters.weights},
                device, job);
            if (c.share < 1.0 && fwhm > kWider * first.beam.fwhm()) measureSeen(c, job);
        }
    }

    CombinedMap run(JobContext& job) {
        std::vector<PointSource> bright;
        CombinedMap result;
        result.remark = remark_;
        for (int pass = 0; pass < 2; ++pass) {
            JobContext part = job.part(0.5 * pass, 0.5 * pass + 0.5);
            part.report(0.0, "combining");
            analyze(bright, part);
            weigh(result);
            last_ = pass == 1;
            result.map = synthesized(result.weights, bright, part);
            if (pass == 1) break;
            part.report(0.5, "bright sources");
            FilterParameters filter;
            filter.beam = channels_[0].in->beam;
            filter.lmax = lmax_;
            filter.weights = parameters_.weights;
            JobContext finding = part.part(0.5, 1.0);
            FilterPlan plan(result.map, 0, device_);
            bright = plan.execute(filter, finding).bright;
        }
        return result;
    }

private:
    void measureSeen(Channel& c, JobContext& job) {
        JobContext silent(job.stopToken(), {}, job.threads());
        std::vector<double> mask = newVector<double>(pixelCount(c.nside), silent);
        for (size_t p = 0; p < mask.size(); ++p) mask[p] = std::isfinite(c.good[p]) ? 1.0 : 0.0;
        const TakenOut taken = takeOut(Remove::None, std::span<double>(mask), silent);
        std::array<Alm, 1> alm{
            c.plan->analysis(ConstMapSamples(std::span<const double>(mask)), silent)};
        taken.putBack(alm[0]);
        Beam beam;
        beam.bl[0] = beam.bl[1] = beam.bl[2] = c.in->beam.bl;
        applyBeam(std::span<Alm>(alm), beam, silent);
        std::vector<double> seen(mask.size());
        c.plan->synthesis(alm[0], MapSamples(std::span<double>(seen)), silent);
        c.seen.assign(seen.begin(), seen.end());
    }

    // Coefficients of each map without its bright sources.
    void analyze(std::span<const PointSource> bright, JobContext& job) {
        JobContext silent(job.stopToken(), {}, job.threads());
        for (Channel& c : channels_) {
            std::vector<double> ring = c.good;
            for (const PointSource& source : bright) {
                job.poll();
                addProfile(c.nside, ring, c.fromFirst * source.direction,
                           -source.peak * c.in->response, c.profile, c.profile.reachOf(1e-7));
            }
            if (c.share < 1.0) fillHoles(c.nside, kFillCell * c.in->beam.fwhm(), ring, silent);
            c.alm[0] = c.plan->analysis(ConstMapSamples(std::span<const double>(ring)), silent);
            if (c.turns) rotateAlm(c.alm, transposed(c.fromFirst), device_, silent);
        }
        const size_t n = channels_.size();
        spectra_.assign(n * n, {});
        for (size_t i = 0; i < n; ++i)
            for (size_t j = i; j < n; ++j) {
                const std::span<const Alm> a(channels_[i].alm), b(channels_[j].alm);
                std::vector<double> cl = powerSpectra(a, b, silent).cl[0];
                // Filled holes reduce the cross power by the geometric mean of the good fractions.
                for (double& v : cl) v /= std::sqrt(channels_[i].share * channels_[j].share);
                spectra_[i * n + j] = spectra_[j * n + i] =
                    i == j ? smoothedSpectrum(cl) : localMeans(cl);
            }
    }

    void weigh(CombinedMap& result) const {
        std::vector<std::vector<double>> templates;
        for (const Channel& c : channels_) {
            templates.emplace_back();
            for (int l = 0; l <= lmax_; ++l) templates.back().push_back(c.templateAt(l));
        }
        SpectralWeights found = spectralWeights(templates, spectra_, lmax_);
        result.weights = std::move(found.weights);
        result.noiseAlone = found.noiseAlone;
        result.noiseTogether = found.noiseTogether;
    }

    std::shared_ptr<const HealpixMap> synthesized(const std::vector<std::vector<double>>& weights,
                                                  std::span<const PointSource> bright,
                                                  JobContext& job) {
        JobContext silent(job.stopToken(), {}, job.threads());
        const Channel& first = channels_[0];
        Alm sum = newAlm(lmax_, lmax_, silent);
        for (int m = 0; m <= lmax_; ++m) {
            if (m % 16 == 0) job.poll();
            for (int l = m; l <= lmax_; ++l) sum(l, m) = 0.0;
            for (size_t i = 0; i < channels_.size(); ++i)
                for (int l = m; l <= channels_[i].lmax; ++l)
                    sum(l, m) += weights[i][static_cast<size_t>(l)] * channels_[i].alm[0](l, m);
        }
        std::vector<double> ring = newVector<double>(pixelCount(first.nside), silent);
        first.plan->synthesis(sum, MapSamples(std::span<double>(ring)), silent);
        for (const PointSource& source : bright) {
            job.poll();
            addProfile(first.nside, ring, source.direction, source.peak, first.profile,
                       first.profile.reachOf(1e-7));
        }
        parallelFor(silent, pixelCount(first.nside), 1 << 13, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p)
                if (!isGood(p)) ring[static_cast<size_t>(p)] = kNan;
        });
        const HealpixMap& like = *first.in->map;
        Field field;
        field.name = like.field(first.in->field).name;
        field.unit = like.field(first.in->field).unit;
        field.diskType = DiskType::Float64;
        std::vector<double> values = newVector<double>(like.elementCount(), silent);
        parallelFor(silent, like.elementCount(), kPixelGrain, [&](long long begin, long long end) {
            for (long long e = begin; e < end; ++e)
                values[static_cast<size_t>(e)] = ring[static_cast<size_t>(ringPixelOf(like, e))];
        });
        field.values = std::move(values);
        return std::make_shared<const HealpixMap>(mapLike(like, {field}));
    }

    // True if the pixel is good in all maps.
    bool isGood(int64_t pixel) const {
        for (const Channel& c : channels_) {
            if (c.share == 1.0) continue;
            const int64_t at =
                c.nside == channels_[0].nside && !c.turns
                    ? pixel
                    : ringFromDirection(c.nside,
                                        c.fromFirst * directionFromRing(channels_[0].nside, pixel));
            if (!std::isfinite(c.good[static_cast<size_t>(at)])) return false;
            // The first pass searches bright sources everywhere.
            if (last_ && !c.seen.empty() && c.seen[static_cast<size_t>(at)] < kLeastOfBeam)
                return false;
        }
        return true;
    }

    const CombinationParameters& parameters_;
    Device device_;
    std::vector<Channel> channels_;
    int lmax_ = 0;
    bool last_ = false;  // pass
    std::string remark_;
    std::vector<std::vector<double>> spectra_;  // matrix C per l, row-major
};

}  // namespace

CombinedMap combinedMaps(std::span<const MapToCombine> maps,
                         const CombinationParameters& parameters, const Device& device,
                         JobContext& job) {
    check(maps, parameters.mask.get());
    JobContext reading = job.part(0.0, 0.1), combining = job.part(0.1, 1.0);
    Combiner combiner(maps, parameters, device, reading);
    return combiner.run(combining);
}

}  // namespace armilla
