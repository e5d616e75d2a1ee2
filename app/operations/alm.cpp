// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla alm ALM OUT`: limits, rotates and filters harmonic coefficients.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/spectrum.h"
#include "operation_list.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

// A division by less than this share of the largest factor leaves rounding and noise only.
constexpr double kLeastFactor = 1e-4;
constexpr std::array<const char*, 3> kSetNames{"T", "E", "B"};

struct AlmOptions {
    std::optional<int64_t> lmax;
    std::optional<Frame> frame;
    std::vector<double> euler;
    std::optional<double> fwhm;
    std::optional<int64_t> pixelWindow;
    bool divide = false;
    std::optional<int64_t> spin;
};

void describe(Description& d, AlmOptions& p) {
    d.integer("lmax", p.lmax,
              {.unit = "none", .least = 0, .most = kMostLmax, .standard = "lmax of the input"},
              "largest multipole l of the output; coefficients beyond that of the input are 0");
    d.frame("frame", p.frame, {.standard = "frame of the input"},
            "frame of the output; coefficients are rotated to it");
    d.angles("euler", p.euler,
             {.unit = "deg",
              .least = -kTwoPi,
              .most = kTwoPi,
              .label = "Euler angles",
              .placeholder = "PSI,THETA,PHI"},
             "angles of a rotation of the sky within the frame of the output: PSI about z, then "
             "THETA about y, then PHI about z");
    d.angle("fwhm", p.fwhm, {.unit = "arcmin", .least = 0.0, .most = kPi, .label = "FWHM"},
            "FWHM of a Gaussian beam to multiply with");
    d.integer("pixel-window", p.pixelWindow,
              {.unit = "none",
               .least = 1.0,
               .most = static_cast<double>(kMaxShtNside),
               .label = "NSIDE of the pixel window"},
              "nside of a pixel window to multiply with");
    d.flag("divide", p.divide, {},
           "divide by the beams, the kernel and the pixel window instead of multiplying; "
           "coefficients are 0 where the factor is below 1e-4 of its peak");
    d.integer("spin", p.spin, {.unit = "none", .least = 1, .most = kMaxSpin, .advanced = true},
              "spin of gradient and curl coefficients, 1 to 3, for a file that states none");
}

bool hasFactor(const AlmOptions& p, const GivenSlots& given) {
    return p.fwhm || p.pixelWindow || given.contains("beam") || given.contains("kernel");
}

Problems check(const AlmOptions& p, const GivenSlots& given) {
    Problems problems;
    if (!p.euler.empty() && p.euler.size() != 3)
        problems.push_back({"euler", "expected three angles PSI,THETA,PHI, found " +
                                         std::to_string(p.euler.size())});
    const bool isFiltered = hasFactor(p, given);
    if (p.divide && !isFiltered)
        problems.push_back(
            {"divide", "expected --fwhm, --beam, --kernel or --pixel-window as well, found none"});
    if (!isFiltered && !p.lmax && !p.frame && p.euler.empty() && !p.spin)
        problems.push_back({"",
                            "expected one of --lmax, --frame, --euler, --fwhm, --beam, --kernel, "
                            "--pixel-window, --spin, found none"});
    return problems;
}

void resolve(AlmOptions& p, const Inputs& inputs) {
    const AlmSet& set = inputs["ALM"].alm();
    if (!p.lmax && !set.alm.empty()) p.lmax = set.alm.front().lmax();
}

// Rotation about z by psi, then about the fixed y axis by theta, then about the fixed z axis by
// phi; the convention of HEALPix and healpy.
Mat3 rotationOf(const std::vector<double>& euler) {
    const auto aboutZ = [](double angle) {
        const double c = std::cos(angle), s = std::sin(angle);
        return Mat3{{c, -s, 0, s, c, 0, 0, 0, 1}};
    };
    const double c = std::cos(euler[1]), s = std::sin(euler[1]);
    return aboutZ(euler[2]) * Mat3{{c, 0, s, 0, 1, 0, -s, 0, c}} * aboutZ(euler[0]);
}

// Product of the beams, the kernel and the pixel window, l = 0 .. lmax.
Beam factorOf(Context& context, const Inputs& inputs, const AlmOptions& p, int lmax,
              JobContext& job) {
    const std::vector<double> ones(static_cast<size_t>(lmax) + 1, 1.0);
    Beam factor{{ones, ones, ones}};
    const auto multiply = [&factor](const Beam& by) { multiplyBeams(factor.bl, by); };
    if (p.fwhm) multiply(gaussianBeam(*p.fwhm, lmax));
    if (inputs.has("beam")) {
        multiply(inputs["beam"].beam());
        // A division reports each multipole that it cannot use.
        if (!p.divide) noteBeamEnd(context, inputs["beam"], lmax);
    }
    if (inputs.has("kernel")) {
        const Kernel kernel = Kernel::profile(inputs["kernel"].kernel());
        if (kernel.compensated())
            context.note(
                "the integral of the kernel is negligible: the kernel is applied unnormalized");
        multiply((kernel.compensated() ? kernel : kernel.normalized(KernelNorm::Integral))
                     .coefficients(lmax, job));
    }
    if (p.pixelWindow) multiply(pixelWindow(*p.pixelWindow, lmax, job));
    return factor;
}

// Replaces a factor by its inverse, and by 0 where it is too small. Returns the multipoles from l =
// `first` on that this sets to 0.
std::vector<int> invert(std::vector<double>& factor, int first) {
    double peak = 0.0;
    for (const double value : factor) peak = std::max(peak, std::abs(value));
    std::vector<int> unused;
    for (size_t l = 0; l < factor.size(); ++l) {
        const bool isUsed = std::abs(factor[l]) >= kLeastFactor * peak && factor[l] != 0.0;
        factor[l] = isUsed ? 1.0 / factor[l] : 0.0;
        if (!isUsed && static_cast<int>(l) >= first) unused.push_back(static_cast<int>(l));
    }
    return unused;
}

void applyFactor(Context& context, const Inputs& inputs, const AlmOptions& p, std::vector<Alm>& alm,
                 size_t firstSet, JobContext& job) {
    const int lmax = static_cast<int>(*p.lmax);
    Beam factor = factorOf(context, inputs, p, lmax, job);
    // `firstSet` is 1 for E and B alone, and the kind of the set that --field chose.
    for (size_t i = 0; firstSet > 0 && i + firstSet < factor.bl.size(); ++i)
        factor.bl[i] = factor.bl[i + firstSet];
    Json unused = Json::array();
    for (size_t i = 0; p.divide && i < alm.size(); ++i) {
        // E and B have no multipoles below l = 2.
        const std::vector<int> left = invert(factor.bl[i], i + firstSet == 0 ? 0 : 2);
        unused.add(static_cast<int64_t>(left.size()));
        if (left.empty()) continue;
        const bool isTail =
            left.back() == lmax && left.back() - left.front() + 1 == static_cast<int>(left.size());
        context.note(std::string(kSetNames.at(i + firstSet)) +
                     ": the factor is below 1e-4 of its peak " +
                     (isTail ? "from l = " + std::to_string(left.front()) + " on"
                             : "at " + counted(static_cast<int64_t>(left.size()), "multipole") +
                                   " from l = " + std::to_string(left.front())) +
                     "; these coefficients are set to 0");
    }
    if (p.divide) context.figures.set("unused_multipoles", std::move(unused));
    applyBeam(alm, factor, job);
}

void takeSpin(AlmSet& set, int spin) {
    if (set.alm.size() != 2)
        throw InvalidArgument("--spin: expected gradient and curl coefficients, found " +
                              setsInWords(set));
    if (set.spin != 0 && set.spin != spin)
        throw InvalidArgument("--spin: expected " + std::to_string(set.spin) +
                              " as the file states, found " + std::to_string(spin));
    set.spin = spin;
}

// Beams and windows are those of T, E and B.
void requireFactorOf(const AlmSet& set) {
    if (set.alm.size() == 2 && set.spin != 2)
        throw InvalidArgument(
            "expected coefficients of T, of T, E, B, or of E, B (spin 2) for a beam, a kernel or a "
            "pixel window, found gradient and curl of " +
            (set.spin == 0 ? "an unknown spin (--spin 2 states E and B)"
                           : "spin " + std::to_string(set.spin)));
}

Outputs run(Context& context, Inputs& inputs, const AlmOptions& p) {
    Input& input = inputs["ALM"];
    AlmSet set = input.takeAlm();
    JobContext preparing = context.job.part(0.0, 0.2), turning = context.job.part(0.2, 0.9),
               filtering = context.job.part(0.9, 1.0);
    if (p.spin) naming(input.name, [&] { takeSpin(set, static_cast<int>(*p.spin)); });
    GivenSlots given;
    for (const Input& each : inputs.all) given.emplace(each.slot);
    const bool isFiltered = hasFactor(p, given);
    if (isFiltered) naming(input.name, [&] { requireFactorOf(set); });
    size_t firstSet = set.alm.size() == 2 ? 1 : 0;  // E and B, without T
    if (!input.field.empty()) {
        const size_t chosen =
            naming(input.name, [&] { return almIndex(input.field, set.alm.size()); });
        firstSet += chosen;
        Alm only = std::move(set.alm[chosen]);
        set.alm = {std::move(only)};
        set.spin = 0;
    }
    for (Alm& alm : set.alm) alm = limitedAlm(std::move(alm), static_cast<int>(*p.lmax), preparing);
    const Frame frame = p.frame.value_or(set.frame);
    Mat3 rotation;
    const bool hasOtherFrame = naming(input.name, [&] { return isTurned(p.frame, set.frame); });
    if (hasOtherFrame) rotation = frameRotation(frame, set.frame);
    if (!p.euler.empty()) rotation = rotationOf(p.euler) * rotation;
    if (hasOtherFrame || !p.euler.empty()) rotateAlm(set.alm, rotation, context.device, turning);
    set.frame = frame;
    if (isFiltered) applyFactor(context, inputs, p, set.alm, firstSet, filtering);
    const int lmax = set.alm.front().lmax(), mmax = set.alm.front().mmax();
    context.figures.set("lmax", lmax);
    context.figures.set("mmax", mmax);
    context.figures.set("sets", static_cast<int64_t>(set.alm.size()));
    const char letter = frameLetter(frame);
    context.figures.set("frame", letter == 0 ? Json() : Json(std::string(1, letter)));
    const std::string summary = setsInWords(set) + ", lmax " + std::to_string(lmax) + ", mmax " +
                                std::to_string(mmax) + ", " + std::string(frameName(frame));
    return {{"OUT", std::make_shared<const AlmSet>(std::move(set)), summary}};
}

}  // namespace

Alm limitedAlm(Alm from, int lmax, JobContext& job) {
    if (from.lmax() == lmax) return from;
    Alm to(lmax, std::min(from.mmax(), lmax));
    parallelFor(job, to.mmax() + 1, 16, [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= std::min(lmax, from.lmax()); ++l) to(l, m) = from(l, m);
    });
    return to;
}

Operation almOperation() {
    return define<AlmOptions>(
        {.id = "alm",
         .title = "Coefficients",
         .help = "limit, rotate and filter harmonic coefficients",
         .inputs = {{.name = "ALM",
                     .kind = DataKind::Alm,
                     .help = "input coefficients: T, or T, E, B, or gradient and curl"},
                    beamSlot(),
                    {.name = "kernel",
                     .kind = DataKind::Kernel,
                     .help = "file of a radial profile to multiply with: angle, value; normalized "
                             "to integral 1",
                     .isOption = true,
                     .isOptional = true}},
         .outputs = {{.name = "OUT", .kind = DataKind::Alm, .help = "output coefficients"}},
         .devices = kShtSupport,
         .manual =
             "The steps are applied in this order: --lmax, --frame, --euler, beams. Several beams "
             "multiply each other. Gaussian beams and pixel windows differ between T and "
             "polarization, as in smooth and alm2map. A rotation fills all orders m up to lmax; "
             "the rotation of --euler is the matrix Rz(PHI) Ry(THETA) Rz(PSI) on directions, and "
             "the output keeps the name of its frame.",
         .keyParameters = "lmax,fwhm"},
        {.check = check, .resolve = resolve, .run = run});
}

}  // namespace armilla
