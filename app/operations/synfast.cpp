// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla synfast CL MAP`: random skies of a power spectrum.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/number_text.h"
#include "armilla/core/physical_unit.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/device_lanes.h"
#include "armilla/ops/random_alm.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/spectrum.h"
#include "armilla/ops/white_noise.h"
#include "operation_list.h"
#include "transform_parameters.h"

namespace armilla {

void describe(Description& d, SynfastOptions& p) {
    d.integer("nside", p.nside, nsideFacts(), "resolution of the map");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 0.0,
               .most = kMostLmax,
               .standard = "3 nside - 1, at most that of the spectrum"},
              "largest multipole l");
    d.integer("seed", p.seed, {.unit = "none", .least = 0.0}, "seed of the random numbers");
    d.integer("skies", p.skies, {.unit = "none", .least = 1.0, .most = kMostSkies},
              "number of skies: seeds SEED, SEED + 1, ..., as fields of one map; names of fields "
              "end in _SEED");
    d.angle("fwhm", p.fwhm, beamFacts(), "FWHM of a Gaussian beam to multiply with");
    d.frame("frame", p.frame, {.standard = "frame of --noise, else none"},
            "frame that the output names");
    d.number("hit-rms", p.hitRms, {.unit = "unit of the sky", .least = 0.0},
             "rms of the noise of one hit: the map of --noise holds the number of hits N of each "
             "pixel, whose rms is this over sqrt(N)");
}

void resolveSynfast(SynfastOptions& options, const Spectra& spectra) {
    if (options.lmax || !options.nside) return;
    options.lmax = std::min<int64_t>({3 * *options.nside - 1, spectra.lmax(), kMostLmax});
}

void noteMissingSpectra(const Context& context, const std::string& name, const Spectra& spectra) {
    if (!context.note) return;
    const bool hasT = !spectra[SpectrumKind::TT].empty();
    if (hasPolarization(spectra)) {
        if (!hasT) context.note(name + ": no spectrum TT: T is 0");
        if (spectra[SpectrumKind::EE].empty()) context.note(name + ": no spectrum EE: E is 0");
        return;
    }
    for (const auto& [kind, word] :
         {std::pair{SpectrumKind::TE, "TE"}, {SpectrumKind::TB, "TB"}, {SpectrumKind::EB, "EB"}})
        if (!spectra[kind].empty() && hasT)
            context.note(name + ": " + word + " is not used: a sky with Q and U needs EE or BB");
}

std::string rootUnit(std::string unit) {
    const auto square = parseUnit(unit);
    if (!square || square->factors.empty()) return "";
    for (const UnitFactor& factor : square->factors)
        if (std::remainder(factor.power, 2.0) != 0.0) return "";
    return spelledUnit(raisedUnit(*square, 0.5));
}

namespace {

void resolveFromInput(SynfastOptions& options, const Inputs& inputs) {
    resolveSynfast(options, inputs["CL"].spectra());
}

Problems check(const SynfastOptions& options, const GivenSlots& given) {
    Problems problems;
    if (options.hitRms && !given.contains("noise"))
        problems.push_back({"hit-rms", "expected --noise, a map of hits, beside it"});
    if (options.seed > std::numeric_limits<int64_t>::max() - options.skies)
        problems.push_back({"seed", "expected a seed that --skies can count on from, found " +
                                        std::to_string(options.seed)});
    return problems;
}

// Replaces numbers of hits by the rms of the noise; a pixel without hits is bad.
void rmsOfHits(std::vector<double>& values, double hitRms) {
    for (double& value : values) {
        if (value < 0.0)
            throw InvalidArgument("expected a number of hits of 0 or more, found " +
                                  numberText(value));
        value = value > 0.0 ? hitRms / std::sqrt(value) : std::numeric_limits<double>::quiet_NaN();
    }
}

// The rms of each pixel, in RING order and in the unit of the sky; of one field, or one for each.
HealpixMap noiseMap(Context& context, const Input& input, const SynfastOptions& options,
                    size_t fields, const std::string& unit, JobContext& job) {
    HealpixMap map = fullRing(atOneOrder(input.map(), input.name, "taken", context.note, job), job);
    if (map.nside() != *options.nside)
        throw InvalidArgument("expected a map of rms of nside " + std::to_string(*options.nside) +
                              ", found " + std::to_string(map.nside()));
    if (options.frame && map.frame() != Frame::Unknown && map.frame() != *options.frame)
        throw InvalidArgument("expected a map of rms in the frame of --frame (" +
                              std::string(frameName(*options.frame)) + "), found " +
                              std::string(frameName(map.frame())));
    if (map.fieldCount() != 1 && static_cast<size_t>(map.fieldCount()) != fields)
        throw InvalidArgument("expected a map of rms of one field or of " +
                              counted(fields, "field") + ", found " +
                              std::to_string(map.fieldCount()) + "; choose one with --field");
    for (int i = 0; i < map.fieldCount(); ++i) {
        Field& field = map.field(i);
        widen(field, context.job);
        if (options.hitRms) {
            rmsOfHits(std::get<std::vector<double>>(field.values), *options.hitRms);
            continue;
        }
        if (unit.empty() || namesNoUnit(field.unit)) continue;
        const auto ratio = unitRatio(field.unit, unit);
        if (!ratio)
            throw InvalidArgument("expected an rms in the unit of the sky (" + unit + "), found '" +
                                  field.unit + "'");
        for (double& value : std::get<std::vector<double>>(field.values)) value *= *ratio;
    }
    return map;
}

// Skies of one spectrum.
class Skies {
public:
    Skies(Context& context, Inputs& inputs, const SynfastOptions& options, JobContext& job)
        : context_(context),
          inputs_(inputs),
          options_(options),
          spectra_(inputs["CL"].spectra()),
          lmax_(static_cast<int>(*options.lmax)),
          fieldCount_(hasPolarization(spectra_) ? 3 : 1),
          request_{*options.nside, options.frame.value_or(Frame::Unknown), rootUnit(spectra_.unit)},
          lanes_(lanesOfSkies(context.device, options, fieldCount_)),
          plans_(lanes_.size()) {
        const int64_t bytes = context.precision == StoredPrecision::Single ? 4 : 8;
        requireMemory(
            counted(options.skies, "map") + " of nside " + std::to_string(*options.nside),
            bytes * static_cast<int64_t>(fieldCount_) * options.skies * pixelCount(*options.nside));
        if (inputs.has("noise")) {
            const Input& noise = inputs["noise"];
            noise_ = naming(noise.name, [&] {
                return noiseMap(context, noise, options, fieldCount_, request_.unit, job);
            });
            if (!options.frame) request_.frame = noise_->frame();
        }
        if (inputs.has("beam")) noteBeamEnd(context, inputs["beam"], lmax_);
        const std::string remark = planOf(0, job).remark();
        if (!remark.empty()) context.note(remark);
    }
    size_t fieldCount() const { return fieldCount_; }
    const SynthesisRequest& request() const { return request_; }

    size_t lanes() const { return lanes_.size(); }

    // The fields of the sky of one seed, made in a lane.
    std::vector<Field> sky(int64_t seed, size_t lane, JobContext& job) {
        JobContext drawing = job.part(0.0, 0.35), working = job.part(0.35, 0.95),
                   noising = job.part(0.95, 1.0);
        std::vector<Alm> alm = naming(inputs_["CL"].name, [&] {
            return randomAlm(spectra_, lmax_, static_cast<uint64_t>(seed), drawing);
        });
        if (options_.fwhm > 0.0) applyBeam(alm, gaussianBeam(options_.fwhm, lmax_), drawing);
        if (inputs_.has("beam")) applyBeam(alm, inputs_["beam"].beam(), drawing);
        std::vector<Field> fields =
            synthesizedValues(context_, planOf(lane, working), alm, request_, working);
        for (size_t i = 0; noise_ && i < fields.size(); ++i) {
            const int of = noise_->fieldCount() == 1 ? 0 : static_cast<int>(i);
            naming(inputs_["noise"].name, [&] {
                addWhiteNoise(samplesOf(fields[i]), samplesOf(std::as_const(*noise_).field(of)),
                              static_cast<uint64_t>(seed), static_cast<uint32_t>(i), noising);
            });
        }
        return fields;
    }

private:
    const ShtPlan& planOf(size_t lane, JobContext& job) {
        std::unique_ptr<ShtPlan>& plan = plans_[lane];
        if (!plan) {
            ShtParameters parameters;
            parameters.nside = request_.nside;
            parameters.lmax = lmax_;
            plan = std::make_unique<ShtPlan>(parameters, lanes_[lane], job);
        }
        return *plan;
    }
    // Few or huge skies are made one after another, by all devices together.
    static std::vector<Device> lanesOfSkies(const Device& device, const SynfastOptions& options,
                                            size_t fields) {
        std::vector<Device> lanes =
            lanesOf(device, static_cast<size_t>(options.skies), pixelCount(*options.nside));
        const int lmax = static_cast<int>(*options.lmax);
        const auto bytes =
            static_cast<int64_t>(lanes.size() * fields * sizeof(std::complex<double>)) *
            Alm::count(lmax, lmax);
        return lanes.size() > 1 && bytes > availableMemory() / 4 ? std::vector<Device>{device}
                                                                 : lanes;
    }

    Context& context_;
    const Inputs& inputs_;
    const SynfastOptions& options_;
    const Spectra& spectra_;
    int lmax_;
    size_t fieldCount_;
    SynthesisRequest request_;
    std::optional<HealpixMap> noise_;
    std::vector<Device> lanes_;
    std::vector<std::unique_ptr<ShtPlan>> plans_;  // one for each lane; null: not used yet
};

Outputs synfast(Context& context, Inputs& inputs, const SynfastOptions& options) {
    const Input& input = inputs["CL"];
    const Spectra& spectra = input.spectra();
    JobContext planning = context.job.part(0.0, 0.05), working = context.job.part(0.05, 1.0);
    const int lmax = static_cast<int>(*options.lmax);
    if (lmax > spectra.lmax())
        context.note(input.name + ": a spectrum to l = " + std::to_string(spectra.lmax()) +
                     ", no power beyond that");
    noteMissingSpectra(context, input.name, spectra);
    noteBandLimit(context, options.lmax, *options.nside);
    Skies skies(context, inputs, options, planning);
    std::vector<std::vector<Field>> made(static_cast<size_t>(options.skies));
    inLanes(working, skies.lanes(), made.size(), [&](size_t k, size_t lane, JobContext& job) {
        made[k] = skies.sky(options.seed + static_cast<int64_t>(k), lane, job);
    });
    std::vector<Field> fields;
    for (size_t k = 0; k < made.size(); ++k)
        for (Field& field : made[k]) {
            if (options.skies > 1)
                field.name += "_" + std::to_string(options.seed + static_cast<int64_t>(k));
            fields.push_back(std::move(field));
        }
    HealpixMap map(*options.nside, Ordering::Ring, skies.request().frame, std::move(fields));
    map.metadata().object = "FULLSKY";
    Json& figures = context.figures;
    figures.set("nside", map.nside());
    figures.set("lmax", lmax);
    figures.set("seed", options.seed);
    figures.set("skies", options.skies);
    figures.set("polarization", skies.fieldCount() == 3);
    const std::string last =
        options.skies > 1 ? " to " + std::to_string(options.seed + options.skies - 1) : "";
    const std::string summary = summaryOf(map) + ", lmax " + std::to_string(lmax) + ", seed" +
                                (options.skies > 1 ? "s " : " ") + std::to_string(options.seed) +
                                last;
    return {{"MAP", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

}  // namespace

Operation synfastOperation() {
    return define<SynfastOptions>(
        {.id = "synfast",
         .title = "Random sky",
         .help = "make random skies of a power spectrum",
         .inputs = {{.name = "CL",
                     .kind = DataKind::Spectra,
                     .help = "input spectrum: TT, or TT EE BB TE [TB EB]"},
                    beamSlot(),
                    {.name = "noise",
                     .kind = DataKind::Map,
                     .help = "map of the rms of white noise to add, or of hits with --hit-rms: "
                             "one field for all of T, Q and U, or one for each; its bad pixels "
                             "are bad in the sky",
                     .isOption = true,
                     .isOptional = true,
                     .columns =
                         [](const ParameterSet&) {
                             return Columns{Columns::Choice::Several, {}};
                         }}},
         .outputs = {{.name = "MAP", .kind = DataKind::Map, .help = "output map"}},
         .devices = kShtSupport,
         .manual =
             "The numbers of a sky depend on its seed only, also those of --noise, which are "
             "independent of the coefficients. With --skies N the output holds the fields of N "
             "skies, one sky after another: TEMPERATURE_5 for the seed 5 (with polarization also "
             "Q_POLARISATION_5 and U_POLARISATION_5). Each has the values of a run with that seed "
             "alone, to the bit. The first field of the map of --noise is used, or those of "
             "--field (all: every one).",
         .keyParameters = "nside,seed"},
        {.check = check, .resolve = resolveFromInput, .run = synfast});
}

}  // namespace armilla
