// SPDX-License-Identifier: GPL-3.0-or-later
#include "masked_spectra.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/physical_unit.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/power_units.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/spectrum.h"
#include "kept_spectrum_parts.h"
#include "ring_samples.h"

namespace armilla {

namespace {

// A beam times pixel window below this share of its peak leaves rounding and noise only.
constexpr double kLeastBeam = 1e-4;

using Beams = std::array<std::vector<double>, 3>;

// `beam`: B_l of a file, which replaces the Gaussian of --fwhm.
Beams beamsOf(const Input* beam, const AnafastOptions& options, const MaskedFields& fields,
              JobContext& job) {
    const int lmax = fields.parameters.lmax;
    Beams beams;
    if (beam == nullptr && !options.fwhm && !options.pixelWindow) return beams;
    for (auto& each : beams) each.assign(static_cast<size_t>(lmax) + 1, 1.0);
    const auto multiply = [&](const Beam& by) { multiplyBeams(beams, by); };
    if (beam != nullptr)
        multiply(beam->beam());
    else if (options.fwhm)
        multiply(gaussianBeam(*options.fwhm, lmax));
    if (options.pixelWindow) multiply(pixelWindow(fields.parameters.nside, lmax, job));
    return beams;
}

// The last multipole before the first where a beam is too small.
int lastUsed(const Beams& beams, int lmax, bool polarization) {
    int last = lmax;
    for (size_t i = 0; i < (polarization ? 3 : 1); ++i) {
        if (beams[i].empty()) continue;
        const double peak = *std::max_element(beams[i].begin(), beams[i].end());
        for (int l = i == 0 ? 0 : 2; l <= last; ++l)
            if (!(beams[i][static_cast<size_t>(l)] >= kLeastBeam * peak)) last = l - 1;
    }
    return last;
}

NineSpectra nineOf(const Spectra& spectra) {
    NineSpectra nine;
    for (size_t i = 0; i < 6; ++i) nine[i] = spectra.cl[i];
    for (size_t i = 0; i < 3; ++i) nine[6 + i] = spectra.cl[3 + i];
    return nine;
}

// Coefficients of weights 1, without the errors of quadrature.
Alm wholeMask(int lmax) {
    Alm one(lmax, lmax);
    one(0, 0) = std::sqrt(4.0 * kPi);
    return one;
}

// Everything of one pair of fields.
class Pair {
public:
    Pair(const MaskedFields& a, const MaskedFields& b, Beams beamA, Beams beamB, JobContext& job,
         KeptSpectrumParts* kept = nullptr)
        : a_(a), b_(b), kept_(kept) {
        if (kept != nullptr && kept->ofMask.moments)
            moments_ = *kept->ofMask.moments;
        else
            moments_ = a.image ? maskMoments(a.weights, b.weights, ringsOf(*a.image))
                               : maskMoments(a.weights, b.weights, job);
        if (kept != nullptr) kept->ofMask.moments = moments_;
        request_.lmax = a.parameters.lmax;
        request_.polarization = isPolarized(a);
        request_.beamA = std::move(beamA);
        request_.beamB = std::move(beamB);
    }
    const MaskMoments& moments() const { return moments_; }
    BandPowerRequest& request() { return request_; }
    // Null for the whole sky.
    const CouplingMatrices* matrices(const AnafastOptions& options, const Device& device,
                                     JobContext& job) {
        if (a_.isWhole && b_.isWhole) return nullptr;
        const bool pure = options.purify != Purify::None;
        const bool all = options.pureE() && options.pureB();
        const CouplingRequest asked{.scalar = true,
                                    .polarization = request_.polarization,
                                    .standard = !all,
                                    .purified = pure};
        if (kept_ != nullptr) {
            std::vector<double>& spectrum = kept_->ofMask.spectrum;
            if (spectrum.empty()) spectrum = maskSpectrum(job);
            return &kept_->couplings.of(spectrum, request_.lmax, asked, device, job);
        }
        if (matrices_.lmax < 0)
            matrices_ = couplingMatrices(maskSpectrum(job), request_.lmax, asked, device, job);
        return &matrices_;
    }
    std::vector<double> maskSpectrum(const JobContext& job) const {
        if (&a_ == &b_ && !a_.ofDevice.mask.empty()) return a_.ofDevice.mask;
        const Alm whole = a_.isWhole || b_.isWhole ? wholeMask(maskLmax(a_)) : Alm(0, 0);
        JobContext silent(job.stopToken(), {}, job.threads());
        return crossSpectrum(a_.isWhole ? whole : a_.mask, b_.isWhole ? whole : b_.mask, silent);
    }
    NineSpectra pseudo(JobContext& job) const {
        if (kept_ != nullptr && kept_->pseudo) return *kept_->pseudo;
        NineSpectra made =
            a_.ofDevice.map ? *a_.ofDevice.map : nineSpectra(a_.set.alm, b_.set.alm, job);
        if (kept_ != nullptr) kept_->pseudo = made;
        return made;
    }

private:
    const MaskedFields& a_;
    const MaskedFields& b_;
    KeptSpectrumParts* kept_;
    MaskMoments moments_;
    BandPowerRequest request_;
    CouplingMatrices matrices_;
};

// Factor from one unit to another; 1 if either is not stated. Plain kelvins are noted.
double factorTo(const Context& context, const std::string& wanted, const std::string& found) {
    if (wanted == found || namesNoUnit(wanted) || namesNoUnit(found)) return 1.0;
    const auto ratio = powerFactor(found, wanted);
    if (!ratio)
        throw InvalidArgument("expected a unit of the kind of " + wanted + ", found " + found);
    if (ratio->isScaleAssumed)
        context.note("kelvins of " + wanted + " and " + found + " are assumed to have one scale");
    return ratio->factor;
}

// C_l of the sky in the unit of the spectrum of two fields. Throws InvalidArgument unless they
// reach the last multipole that is used, and hold TT, EE and BB beside polarization.
NineSpectra skySpectra(const Context& context, const Spectra& spectra, const MaskedFields& a,
                       const MaskedFields& b, int last) {
    NineSpectra nine = nineOf(spectra);
    if (isPolarized(a) && nine[1].empty())
        throw InvalidArgument("expected C_l of TT, EE and BB, found TT alone");
    if (spectra.lmax() < last)
        throw InvalidArgument("expected C_l up to l = " + std::to_string(last) + ", found " +
                              std::to_string(spectra.lmax()) + "; set --lmax");
    const double factor = factorTo(context, productUnit(a.set.unit, b.set.unit), spectra.unit);
    for (auto& each : nine)
        for (double& value : each) value *= factor;
    return nine;
}

// Pseudo-spectra of noise: the spectra of a map under the same mask, or C_l that the mask couples.
NineSpectra noiseOf(Context& context, const AnafastOptions& options, const MaskedFields& a,
                    const MaskedFields& b, Pair& pair, int last, JobContext& job) {
    return naming(options.noise, [&] {
        JobContext reading = job.part(0.0, 0.3), working = job.part(0.3, 1.0);
        const std::string& path = options.noise;
        InputSlot slot;
        slot.name = "noise";
        ReadRequest request;
        request.isBeside = true;
        if (isMapOfNoise(path, job)) {
            slot.columns = anafastColumns;
            slot.orImage = true;
            Input map = readInput(slot, ParameterSet(options), path, request, reading);
            const double factor = factorTo(
                context, a.set.unit, isImage(map) ? map.image().unit : map.map().field(0).unit);
            const std::vector<Alm> alm = analyzeLike(context, map, a, options, working);
            JobContext silent(job.stopToken(), {}, job.threads());
            NineSpectra noise = nineSpectra(alm, alm, silent);
            for (auto& each : noise)
                for (double& value : each) value *= factor * factor;
            return noise;
        }
        slot.kind = DataKind::Spectra;
        request.note = context.note;
        const Input file = readInput(slot, ParameterSet(options), path, request, reading);
        NineSpectra noise = skySpectra(context, file.spectra(), a, b, last);
        for (auto& each : noise) each.resize(static_cast<size_t>(pair.request().lmax) + 1, 0.0);
        BandPowerRequest bare = pair.request();
        bare.beamA = bare.beamB = {};
        JobContext coupling = working.part(0.0, 0.9), multiplying = working.part(0.9, 1.0);
        return coupledSpectra(pair.matrices(options, context.device, coupling), bare, noise,
                              multiplying);
    });
}

// Band powers as C_l at every l: linear between bins, constant beyond them; autos at least 0.
NineSpectra interpolated(const BandPowers& bands, const NineSpectra& powers, double divisor,
                         bool symmetric, bool& clipped) {
    const auto& bins = bands.request().bins;
    NineSpectra result;
    for (const int s : bands.spectra()) {
        const auto& from = powers[static_cast<size_t>(s)];
        auto& to = result[static_cast<size_t>(s)];
        for (int l = 0; l <= bands.request().lmax; ++l) {
            const auto above = std::find_if(
                bins.begin(), bins.end(), [&](const MultipoleBin& bin) { return bin.mean() >= l; });
            const auto i = static_cast<size_t>(above - bins.begin());
            double value = i == 0 ? from.front() : from.back();
            if (i > 0 && i < bins.size()) {
                const double low = bins[i - 1].mean(), high = bins[i].mean();
                value = from[i - 1] + (from[i] - from[i - 1]) * (l - low) / (high - low);
            }
            if (symmetric && s < 3 && value < 0.0) {
                value = 0.0;
                clipped = true;
            }
            if (bands.request().isDl) value = l == 0 ? 0.0 : value / dlFactor(l);
            to.push_back(value / divisor);
        }
    }
    return result;
}

// The pseudo-spectrum of products of weights, to maskLmax().
std::vector<double> productSpectrum(const MaskedFields& x1, const MaskedFields& y1,
                                    const MaskedFields& x2, const MaskedFields& y2,
                                    const Device& device, JobContext& job,
                                    KeptPlans* plans = nullptr) {
    const bool isAuto = &x1 == &y1 && &x2 == &y2 && &x1 == &x2;
    if (isAuto && !x1.ofDevice.squaredMask.empty()) return x1.ofDevice.squaredMask;
    if (isAuto && !x1.ofDevice.mask.empty())
        if (const auto made = maskSpectrumOnDevice(
                x1, Power::Second, std::span<const double>(x1.weights), device, job, plans))
            return *made;
    const auto alm = [&](const MaskedFields& x, const MaskedFields& y, JobContext part) {
        if (x.isWhole && y.isWhole) return wholeMask(maskLmax(x));
        if (&x == &y && x.squaredMask) return *x.squaredMask;
        const UnsetVector<double> product = productOf(x.weights, y.weights, part);
        return std::move(
            maskCoefficients(x, {std::span<const double>(product)}, device, part, plans).front());
    };
    JobContext silent(job.stopToken(), {}, job.threads());
    const bool isOne = &x1 == &x2 && &y1 == &y2;
    const Alm first = alm(x1, y1, job.part(0.0, isOne ? 1.0 : 0.5));
    if (isOne) return crossSpectrum(first, first, silent);
    return crossSpectrum(first, alm(x2, y2, job.part(0.5, 1.0)), silent);
}

// The covariance of the band powers of two fields.
class Errors {
public:
    Errors(Context& context, const Inputs& inputs, const AnafastOptions& options,
           const MaskedFields& a, const MaskedFields& b, int last, JobContext& job)
        : context_(context),
          options_(options),
          a_(a),
          b_(b),
          isCross_(&a != &b),
          job_(job),
          silent_(job.stopToken(), {}, job.threads()) {
        if (const Input* file = inputs.find("fiducial"))
            fiducial_ = naming(file->name,
                               [&] { return skySpectra(context, file->spectra(), a, b, last); });
    }
    // The errors of `made` before the division by its divisor, which come from `pair` and `pseudo`.
    std::vector<double> covariance(Pair& pair, const MaskedSpectra& made, const NineSpectra& pseudo,
                                   KeptSpectrumParts* kept) {
        const BandPowerRequest& request = pair.request();
        FieldSpectra sky, narrow;
        add(pair, &*made.bands, pseudo, !isCross_, sky.ab, narrow.ab);
        if (isCross_) {
            addAuto(a_, request, request.beamA, sky.aa, narrow.aa);
            addAuto(b_, request, request.beamB, sky.bb, narrow.bb);
        } else {
            sky.aa = sky.bb = sky.ab;
            narrow.aa = narrow.bb = narrow.ab;
        }
        if (options_.errors == SpectrumErrors::Gaussian)
            return coupled(request, made, narrow, kept);
        std::vector<double> result = knoxCovariance(*made.bands, made.written, sky, made.moments);
        const double mean = options_.decouple ? 1.0 : made.moments.ofSphere();
        for (double& value : result) value *= mean * mean;
        return result;
    }

private:
    // The spectra of signal and noise of a pair, at the sky and over the mean of the masks.
    void add(Pair& pair, const BandPowers* made, const NineSpectra& pseudo, bool symmetric,
             NineSpectra& sky, NineSpectra& narrow) {
        const CouplingMatrices* matrices = pair.matrices(options_, context_.device, silent_);
        BandPowerRequest request = pair.request();
        const double mean = pair.moments().ofSphere();
        if (fiducial_) {
            sky = *fiducial_;
        } else {
            std::optional<BandPowers> own;
            if (made == nullptr) own.emplace(matrices, request, silent_);
            const BandPowers& bands = made != nullptr ? *made : *own;
            bool clipped = false;
            sky = interpolated(bands, bands.of(pseudo), options_.decouple ? 1.0 : mean, symmetric,
                               clipped);
            if (clipped)
                context_.note("errors: band powers below 0 of an auto spectrum count as 0");
        }
        narrow = coupledSpectra(matrices, request, sky, silent_);
        for (auto& each : narrow)
            for (double& value : each) value /= mean;
    }
    // The same of one field with itself, with the request of the cross spectrum.
    void addAuto(const MaskedFields& of, const BandPowerRequest& like, const Beams& beam,
                 NineSpectra& sky, NineSpectra& narrow) {
        Pair same(of, of, beam, beam, silent_);
        BandPowerRequest request = like;
        request.beamA = request.beamB = beam;
        same.request() = request;
        add(same, nullptr, same.pseudo(silent_), true, sky, narrow);
    }
    // By the coupling matrices of the products of the masks.
    std::vector<double> coupled(const BandPowerRequest& request, const MaskedSpectra& made,
                                const FieldSpectra& narrow, KeptSpectrumParts* kept) {
        const Device& device = context_.device;
        const double middle = isCross_ ? 0.5 : 1.0;
        JobContext squaring = job_.part(0.25, 0.5), coupling = job_.part(0.5, 0.75);
        JobContext ofSame = squaring.part(0.0, middle), ofCrossed = squaring.part(middle, 1.0);
        ofSame.report(0.0, "squared mask");
        CovarianceMasks masks;
        if (kept != nullptr && !kept->ofMask.squared.empty())
            masks.same = kept->ofMask.squared;
        else
            masks.same = productSpectrum(a_, a_, b_, b_, device, ofSame, keptPlans(kept, device));
        if (kept != nullptr) kept->ofMask.squared = masks.same;
        if (isCross_) masks.crossed = productSpectrum(a_, b_, a_, b_, device, ofCrossed);
        JobContext first = coupling.part(0.0, middle), second = coupling.part(middle, 1.0);
        first.report(0.0, "coupling of the squared mask");
        const auto matricesOf = [&](const std::vector<double>& mask, JobContext& part) {
            return couplingMatrices(mask, request.lmax, covarianceCouplings(request), device, part);
        };
        std::optional<CouplingMatrices> own, crossed;
        const CouplingMatrices& same =
            kept != nullptr ? kept->squaredCouplings.of(masks.same, request.lmax,
                                                        covarianceCouplings(request), device, first)
                            : own.emplace(matricesOf(masks.same, first));
        if (isCross_) crossed.emplace(matricesOf(masks.crossed, second));
        JobContext summing = job_.part(0.75, 1.0);
        summing.report(0.0, "covariance");
        return gaussianCovariance(*made.bands, made.written, narrow, same,
                                  crossed ? *crossed : same, summing);
    }

    Context& context_;
    const AnafastOptions& options_;
    const MaskedFields& a_;
    const MaskedFields& b_;
    bool isCross_;
    JobContext& job_;
    JobContext silent_;  // for spectra, which take little time
    std::optional<NineSpectra> fiducial_;
};

// The last multipole that is used; a note or an error if the beams end before lmax.
int lastMultipole(const Context& context, const Beams& a, const Beams& b, int lmax,
                  bool polarization) {
    const int last = std::min(lastUsed(a, lmax, polarization), lastUsed(b, lmax, polarization));
    if (last < lmax)
        context.note("multipoles above " + std::to_string(last) +
                     ", where the beam times the pixel window is below 1e-4 of its peak, are not "
                     "used");
    if (last < 2 && last < lmax)
        throw InvalidArgument("expected a beam wider in l than 2, found one that ends at l = " +
                              std::to_string(last));
    return last;
}

// C_l up to the last multipole that is used, over the divisor and both beams.
void divideByBeams(MaskedSpectra& made, const Beams& a, const Beams& b) {
    for (size_t s = 0; s < 9; ++s) {
        auto& cl = made.cl[s];
        if (cl.empty()) continue;
        cl.resize(static_cast<size_t>(made.lmax) + 1);
        const auto [x, y] = kSpectrumPairs[s];
        for (size_t l = 0; l < cl.size(); ++l) {
            double by = made.divisor;
            if (!a[0].empty()) by *= a[static_cast<size_t>(x)][l];
            if (!b[0].empty()) by *= b[static_cast<size_t>(y)][l];
            // Windows of E and B are 0 below l = 2, as the spectra are.
            cl[l] = by == 0.0 ? 0.0 : cl[l] / by;
        }
    }
}

}  // namespace

bool isMapOfNoise(const std::string& path, JobContext& job) {
    return claimsPixels(path, job.stopToken()) ||
           inspectFile(path, job.stopToken()).kind == FileKind::Image;
}

MaskedSpectra maskedSpectra(Context& context, const Inputs& inputs, const AnafastOptions& options,
                            const MaskedFields& a, const MaskedFields& b, JobContext& job,
                            KeptSpectrumParts* kept) {
    const bool isCross = &a != &b;
    const Beams beamA = beamsOf(inputs.find("beam"), options, a, job);
    const Beams beamB = inputs.has("beam2") ? beamsOf(inputs.find("beam2"), options, b, job)
                        : isCross           ? beamsOf(inputs.find("beam"), options, b, job)
                                            : beamA;
    MaskedSpectra result;
    JobContext measuring = job.part(0.0, 0.1), correlating = job.part(0.1, 0.2);
    measuring.report(0.0, "moments of the mask");
    Pair pair(a, b, beamA, beamB, measuring, kept);
    const int lmax = pair.request().lmax;
    result.lmax = lastMultipole(context, beamA, beamB, lmax, options.polarization);
    result.moments = pair.moments();
    if (!(result.moments.sky > 0.0))
        throw InvalidArgument("expected masks that overlap, found no common pixel");
    BandPowerRequest& request = pair.request();
    request.decouple = options.decouple;
    request.isDl = options.binAs == BinAs::Dl;
    request.pureE = options.pureE();
    request.pureB = options.pureB();
    correlating.report(0.0, "pseudo-spectra");
    const NineSpectra pseudo = pair.pseudo(correlating);
    result.cl = pseudo;
    for (size_t s = 0; s < (options.polarization ? (options.allPairs ? 9 : 6) : 1); ++s)
        result.written.push_back(static_cast<int>(s));
    if (!options.noise.empty()) {
        const NineSpectra noise = noiseOf(context, options, a, b, pair, result.lmax, correlating);
        for (size_t s = 0; s < 9; ++s)
            for (size_t l = 0; l < result.cl[s].size(); ++l) result.cl[s][l] -= noise[s][l];
    }
    if (options.divide == Divide::W2) result.divisor = result.moments.ofSphere();
    if (!options.makesBands()) {
        divideByBeams(result, beamA, beamB);
        return result;
    }
    request.bins = binsOf(options, lmax);
    std::erase_if(request.bins, [&](const MultipoleBin& bin) { return bin.last > result.lmax; });
    if (request.bins.empty())
        throw UsageError("--bins: expected a bin up to l = " + std::to_string(result.lmax) +
                         ", found none");
    JobContext coupling = job.part(0.2, 0.5), decoupling = job.part(0.5, 0.6),
               erring = job.part(0.6, 1.0);
    coupling.report(0.0, "coupling of the mask");
    const CouplingMatrices* matrices = pair.matrices(options, context.device, coupling);
    decoupling.report(0.0, "decoupling");
    result.bands.emplace(matrices, request, decoupling);
    result.powers = result.bands->of(result.cl);
    if (options.errors != SpectrumErrors::None) {
        erring.report(0.0, "spectra of the errors");
        Errors errors(context, inputs, options, a, b, result.lmax, erring);
        result.covariance = errors.covariance(pair, result, pseudo, kept);
    }
    for (auto& each : result.powers)
        for (double& value : each) value /= result.divisor;
    for (double& value : result.covariance) value /= result.divisor * result.divisor;
    return result;
}

}  // namespace armilla
