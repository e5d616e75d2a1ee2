// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla anafast MAP [MAP2] CL`: power spectra, with masks, bins, beams and errors.
#include <algorithm>

#include "anafast_options.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/mask_weights.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/spectrum.h"
#include "kept_spectrum_parts.h"
#include "masked_spectra.h"
#include "operation_list.h"
#include "ring_harmonics.h"

namespace armilla {

namespace {

bool isAlm(const Input& input) {
    return std::holds_alternative<std::shared_ptr<const AlmSet>>(input.data);
}

// Maps of two resolutions have no band limit in common unless one is asked for. Coefficients are
// used up to their own limit, or the smaller one of two files; images up to theirs, or that of the
// map beside them.
void resolveAnafast(AnafastOptions& options, const Inputs& inputs) {
    if (options.lmax) return;
    const Input* second = inputs.find("MAP2");
    std::optional<int64_t> nside;
    bool isImageAmong = false;
    for (const Input* input : {&inputs["MAP"], second}) {
        if (input == nullptr) continue;
        if (isAlm(*input)) {
            const int64_t lmax = input->alm().alm.front().lmax();
            options.lmax = std::min(options.lmax.value_or(lmax), lmax);
        } else if (isImage(*input)) {
            const int64_t lmax = naming(input->name, [&] { return mostLmax(input->image()); });
            options.lmax = std::min(options.lmax.value_or(lmax), lmax);
            isImageAmong = true;
        } else if (nside && *nside != nsideOf(*input)) {
            return;
        } else {
            nside = nsideOf(*input);
        }
    }
    if (!options.lmax)
        options.lmax = defaultLmax(*nside);
    else if (isImageAmong && nside)
        options.lmax = std::min(*options.lmax, defaultLmax(*nside).value_or(*options.lmax));
}

// Refuses coefficients of another lmax, and turns those of another frame.
template <typename Analysis>
void bringTogether(const Context& context, const Analysis& a, Analysis& b, const std::string& name,
                   JobContext turning) {
    if (a.parameters.lmax == b.parameters.lmax && a.parameters.mmax != b.parameters.mmax)
        throw InvalidArgument(name + ": expected the mmax of the first input, " +
                              std::to_string(a.parameters.mmax) + ", found " +
                              std::to_string(b.parameters.mmax));
    if (a.parameters.lmax != b.parameters.lmax)
        throw InvalidArgument(name + ": expected the lmax of the first map, " +
                              std::to_string(a.parameters.lmax) + ", found " +
                              std::to_string(b.parameters.lmax) + "; set both with --lmax");
    if (a.set.frame != b.set.frame) {
        // A turn mixes all m of an l.
        if (a.parameters.mmax < a.parameters.lmax)
            throw InvalidArgument(name + ": expected with --mmax the frame of the first map, " +
                                  std::string(frameName(a.set.frame)) + ", found " +
                                  std::string(frameName(b.set.frame)));
        rotateAlm(b.set.alm, frameRotation(a.set.frame, b.set.frame), context.device, turning);
    }
}

// Refuses options that have no meaning for coefficients, and those of masked spectra for an image
// beside a map.
void requirePlain(const Inputs& inputs, const AnafastOptions& options, const GivenSlots& given) {
    const Input* other = nullptr;  // the coefficients, else the first image
    bool isMapAmong = false, isHealpixAmong = false;
    for (const Input& input : inputs.all) {
        if (input.slot != "MAP" && input.slot != "MAP2") continue;
        if (isAlm(input) || (isImage(input) && other == nullptr)) other = &input;
        isMapAmong = isMapAmong || !isAlm(input);
        isHealpixAmong = isHealpixAmong || (!isAlm(input) && !isImage(input));
    }
    for (const Input& input : inputs.all)
        if (isHealpixAmong && (input.slot == "mask" || input.slot == "mask2"))
            requireHealpixMask(input);
    if (other == nullptr) return;
    const auto refuse = [&](bool is, std::string_view option) {
        if (is)
            throw UsageError(
                "--" + std::string(option) + ": expected a map beside it, found " + other->name +
                (isAlm(*other) ? ", which holds coefficients" : ", which is an image"));
    };
    const bool isImageAlone = isImage(*other) && !isHealpixAmong;
    refuse(options.pixelWindow, "pixel-window");
    if (!isImageAlone) {
        for (const std::string_view slot : {"mask", "mask2", "beam", "beam2", "fiducial"})
            refuse(given.contains(slot), slot);
        refuse(!options.bins.empty(), "bins");
        refuse(options.decouple, "decouple");
        refuse(options.purify != Purify::None, "purify");
        refuse(options.divide != Divide::None, "divide");
        refuse(options.fwhm.has_value(), "fwhm");
        refuse(!options.noise.empty(), "noise");
        refuse(options.allPairs, "all-pairs");
    }
    refuse(options.remove != Remove::None && isAlm(*other), "remove");
    refuse(options.mmax.has_value() && isAlm(*other), "mmax");
    refuse(!isMapAmong && options.iterations > 0, "iterations");
    refuse(!isMapAmong && options.tolerance.has_value(), "tolerance");
    refuse(!isMapAmong && options.weights != Weights::None, "weights");
}

// The coefficients of a file up to --lmax; of T alone if `isScalar`.
AnalyzedMap storedCoefficients(Input& input, const AnafastOptions& options, bool isScalar,
                               JobContext job) {
    AnalyzedMap result;
    result.set = input.takeAlm();
    std::vector<Alm>& alm = result.set.alm;
    if (*options.lmax > alm.front().lmax())
        throw UsageError("--lmax: expected at most " + std::to_string(alm.front().lmax()) +
                         ", the lmax of " + input.name + ", found " +
                         std::to_string(*options.lmax));
    return naming(input.name, [&] {
        if (input.field.empty() && alm.size() == 2)
            throw InvalidArgument("expected coefficients of T, or of T, E, B, found " +
                                  setsInWords(result.set) +
                                  "; --field GRADIENT and --field CURL take one of them");
        if (options.polarization && alm.size() != 3)
            throw InvalidArgument(
                "expected coefficients of T, E, B for --polarization, found one set");
        if (!input.field.empty() || isScalar) {
            Alm only = std::move(alm[almIndex(input.field, alm.size())]);
            alm = {std::move(only)};
        }
        for (Alm& each : alm)
            each = limitedAlm(std::move(each), static_cast<int>(*options.lmax), job);
        result.parameters.lmax = alm.front().lmax();
        result.parameters.mmax = alm.front().mmax();
        return std::move(result);
    });
}

// Whether coefficients of T, E, B count as T alone: beside a map without --polarization, or beside
// one set.
bool isScalarSpectrum(const Inputs& inputs, const AnafastOptions& options) {
    if (options.polarization) return false;
    return std::any_of(inputs.all.begin(), inputs.all.end(), [](const Input& input) {
        return !isAlm(input) || input.alm().alm.size() == 1;
    });
}

// The spectrum of the coefficients of maps as they are.
Outputs plainSpectrum(Context& context, Inputs& inputs, const AnafastOptions& options,
                      KeptSpectrumParts* kept) {
    Input* second = inputs.find("MAP2");
    const bool isScalar = isScalarSpectrum(inputs, options);
    const bool isMap = !isAlm(inputs["MAP"]), isMap2 = second != nullptr && !isAlm(*second);
    const auto coefficientsOf = [&](Input& input, const JobContext& job) {
        return isAlm(input)     ? storedCoefficients(input, options, isScalar, job)
               : isImage(input) ? analyzeImage(context, input, options, 0, job)
                                : analyze(context, input, options, 0, job);
    };
    AnalyzedMap b;
    const AnalyzedMap a =
        coefficientsOf(inputs["MAP"], context.job.part(0.0, second == nullptr ? 0.95 : 0.5));
    JobContext summing = context.job.part(0.95, 1.0);
    auto spectra = std::make_shared<Spectra>();
    if (second != nullptr) {
        const std::string name = second->name;
        b = coefficientsOf(*second, context.job.part(0.5, 0.9));
        bringTogether(context, a, b, name, context.job.part(0.9, 0.95));
        *spectra = powerSpectra(a.set.alm, b.set.alm, summing);
        spectra->unit = productUnit(a.set.unit, b.set.unit);
    } else {
        *spectra = powerSpectra(a.set.alm, summing);
        spectra->unit = productUnit(a.set.unit, a.set.unit);
    }
    context.figures.set("polarization", a.set.alm.size() == 3);
    if (isMap || isMap2) {
        const AnalyzedMap& analyzed = isMap ? a : b;
        setFigures(context.figures, analyzed);
        if (kept != nullptr)
            kept->meanNote = meanNote(inputs["MAP"].name, analyzed.taken, analyzed.set.unit);
        context.figures.set("f_sky", analyzed.goodShare);
        context.figures.set("mean_w2", 1.0);
    } else {
        context.figures.set("lmax", a.parameters.lmax);
        context.figures.set("mmax", a.parameters.mmax);
    }
    return {{"CL", std::shared_ptr<const Spectra>(spectra),
             std::string(second != nullptr ? "cross" : "auto") + " spectrum, lmax " +
                 std::to_string(a.parameters.lmax)}};
}

// `kept`: parts of earlier runs, or null; for one map only.
Outputs maskedSpectrum(Context& context, Inputs& inputs, const AnafastOptions& options,
                       KeptSpectrumParts* kept) {
    Input* second = inputs.find("MAP2");
    const Input* mask = inputs.find("mask");
    const Input* mask2 = inputs.has("mask2") ? inputs.find("mask2") : mask;
    if (second != nullptr && !options.noise.empty() && isMapOfNoise(options.noise, context.job))
        throw UsageError(
            "--noise: expected C_l of the noise that both maps share, found a map of "
            "noise; independent noise adds nothing to the cross spectrum of two maps");
    if (second != nullptr) kept = nullptr;
    const JobContext analyzing = context.job.part(0.0, second == nullptr ? 0.6 : 0.3);
    const AnalysisFor use = analysisFor(options, second != nullptr);
    const auto fields = kept != nullptr
                            ? keptFields(context, inputs["MAP"], mask, options, analyzing, *kept)
                            : std::make_shared<const MaskedFields>(analyzeMasked(
                                  context, inputs["MAP"], mask, options, analyzing, use));
    const MaskedFields& a = *fields;
    JobContext working = context.job.part(0.6, 1.0);
    std::optional<MaskedFields> b;
    if (second != nullptr) {
        const std::string name = second->name;
        const JobContext part = context.job.part(0.3, 0.6);
        b = analyzeMasked(context, *second, mask2, options, part, use);
        if (!haveSamePixels(a, *b))
            throw InvalidArgument(name +
                                  ": expected the pixels and the frame of the first map beside "
                                  "masks, bins and beams, found others (armilla convert)");
        bringTogether(context, a, *b, name, part);
    }
    const MaskedSpectra spectra =
        maskedSpectra(context, inputs, options, a, b ? *b : a, working, kept);
    if (kept != nullptr) kept->meanNote = meanNote(inputs["MAP"].name, a.taken, a.set.unit);
    Json& figures = context.figures;
    const ShtParameters& parameters = a.parameters;
    figures.set("polarization", options.polarization);
    if (a.image) {
        figures.set("rows", a.image->rows.count);
        figures.set("columns", a.image->width);
    } else {
        figures.set("nside", parameters.nside);
    }
    figures.set("lmax", parameters.lmax);
    figures.set("lmax_used", spectra.lmax);
    figures.set("lmax_mask", maskLmax(a));
    figures.set("iterations", parameters.iterations);
    figures.set("weights", weightsName(parameters.weights));
    setFitted(figures, options.remove, a.taken.fitted);
    figures.set("f_sky", spectra.moments.sky);
    figures.set("mean_w2", spectra.moments.squared);
    const std::string sky = "f_sky " + shortText(spectra.moments.sky) +
                            ", mean of the squared mask " + shortText(spectra.moments.squared) +
                            " there and " + shortText(spectra.moments.ofSphere()) +
                            " over the sphere";
    const std::string unit = productUnit(a.set.unit, b ? b->set.unit : a.set.unit);
    Outputs outputs;
    if (spectra.bands) {
        figures.set("bins", spectra.bands->binCount());
        figures.set("condition", spectra.bands->condition());
        const BandMatrices matrices = bandMatrices(spectra, working);
        if (kept != nullptr) kept->bandMatrices = matrices;
        outputs.push_back(bandOutput(spectra, matrices, options, unit, context.note));
    } else if (options.allPairs) {
        outputs.push_back(nineOutput(spectra, unit));
    } else {
        auto cl = std::make_shared<Spectra>();
        for (size_t s = 0; s < 6; ++s) cl->cl[s] = spectra.cl[s];
        cl->unit = unit;
        outputs.push_back({"CL", std::shared_ptr<const Spectra>(cl),
                           std::string(b ? "cross" : "auto") + " spectrum, lmax " +
                               std::to_string(spectra.lmax)});
    }
    outputs.back().summary += "; " + sky;
    return outputs;
}

Outputs spectrumWith(Context& context, Inputs& inputs, const AnafastOptions& options,
                     KeptSpectrumParts* kept) {
    GivenSlots given;
    for (const Input& input : inputs.all) given.emplace(input.slot);
    requirePlain(inputs, options, given);
    if (!isMasked(options, given)) return plainSpectrum(context, inputs, options, kept);
    const Input& map = inputs["MAP"];
    if (context.device.others.empty() || isImage(map) ||
        analysisFor(options, inputs.has("MAP2")) != AnalysisFor::Spectra)
        return maskedSpectrum(context, inputs, options, kept);
    const Device device = deviceForSpectra(context.device, nsideOf(map));
    if (device.others.empty())
        context.note("on " + device.label() +
                     " alone, where the coefficients stay; several devices would copy them");
    Context on{device,
               context.job,
               context.precision,
               context.wanted,
               context.note,
               std::move(context.figures),
               context.keptFilter,
               context.statedFrame};
    Outputs outputs = maskedSpectrum(on, inputs, options, kept);
    context.figures = std::move(on.figures);
    return outputs;
}

Outputs anafast(Context& context, Inputs& inputs, const AnafastOptions& options) {
    return spectrumWith(context, inputs, options, nullptr);
}

}  // namespace

Operation anafastOperation() {
    return define<AnafastOptions>(
        {.id = "anafast",
         .title = "Power spectrum",
         .help = "compute the power spectrum of a map or of coefficients, or the cross spectrum of "
                 "two",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map, FITS image on rings (CAR), or coefficients a_lm",
                     .orImage = true,
                     .orAlm = true,
                     .columns = anafastColumns},
                    {.name = "MAP2",
                     .kind = DataKind::Map,
                     .help = "map, image or coefficients for the cross spectrum; the "
                             "coefficients are rotated to the frame of MAP",
                     .isOptional = true,
                     .orImage = true,
                     .orAlm = true,
                     .frame = FrameRule::Compared,
                     .columns = anafastColumns},
                    {.name = "mask",
                     .kind = DataKind::Map,
                     .help = "weights of the pixels, 0 to 1: a map of any nside, ordering and "
                             "frame, or for an image an image of its grid",
                     .isOption = true,
                     .isOptional = true,
                     .orImage = true},
                    {.name = "mask2",
                     .kind = DataKind::Map,
                     .help = "weights of the pixels of MAP2 (default: the mask of MAP)",
                     .isOption = true,
                     .isOptional = true,
                     .orImage = true},
                    {.name = "beam",
                     .kind = DataKind::Beam,
                     .help = "B_l of the maps, which is divided out",
                     .isOption = true,
                     .isOptional = true},
                    {.name = "beam2",
                     .kind = DataKind::Beam,
                     .help = "B_l of MAP2 instead of --beam or --fwhm (default: that of MAP)",
                     .panelLabel = "Further beam",
                     .isOption = true,
                     .isOptional = true},
                    {.name = "fiducial",
                     .kind = DataKind::Spectra,
                     .help =
                         "C_l of signal plus noise for the errors (default: the spectrum itself)",
                     .isOption = true,
                     .isOptional = true}},
         .outputs = {{.name = "CL", .kind = DataKind::Spectra, .help = "output spectrum"}},
         .devices = kShtSupport,
         .manual =
             "A file of coefficients may replace each map. T, E, B give the six spectra, beside a "
             "map without --polarization T alone. Masks, beams, bins and the options of the "
             "analysis need maps.\n\n"
             "With --bins or --decouple, CL is a table: L_EFF, L_MIN and L_MAX of each bin, the "
             "band powers, and their errors (_ERR). FITS files have two more extensions. WINDOWS "
             "holds bandpower windows: the mean band power is the sum of window times C_l, with "
             "rows for the bins of one spectrum after another, and columns for l from 0. "
             "COVARIANCE holds the covariance of all bins of all spectra, in the same order. With "
             "--polarization, WINDOWS_PARTNER holds the response of EE to BB, of BB to EE, of EB "
             "to BE and of BE to EB.",
         .keyParameters = "lmax"},
        {.check = checkAnafast, .resolve = resolveAnafast, .run = anafast});
}

KeptSpectra::KeptSpectra() : parts_(std::make_unique<KeptSpectrumParts>()) {}
KeptSpectra::~KeptSpectra() = default;

Outputs KeptSpectra::run(Context& context, Inputs& inputs, ParameterSet& parameters) {
    Operation keeping = *findOperation("anafast");
    parts_->bandMatrices = nullptr;
    parts_->meanNote.clear();
    keeping.run = [this](Context& on, Inputs& of, const ParameterSet& given) {
        return spectrumWith(on, of, given.as<AnafastOptions>(), parts_.get());
    };
    return runOperation(keeping, context, inputs, parameters);
}

std::shared_ptr<const std::vector<TableMatrix>> KeptSpectra::bandMatrices() const {
    return parts_->bandMatrices;
}

const std::string& KeptSpectra::meanNote() const {
    return parts_->meanNote;
}

KeptSpectra::Counts KeptSpectra::counts() const {
    Counts counts = parts_->counts;
    counts.couplings = parts_->couplings.computed();
    counts.squaredCouplings = parts_->squaredCouplings.computed();
    return counts;
}

}  // namespace armilla
