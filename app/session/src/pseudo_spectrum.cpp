// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/spectrum.h"
#include "armilla/session/session.h"
#include "map_work.h"

namespace armilla {

namespace {

// The whole sky in RING order, NaN at bad pixels.
HealpixMap onRings(HealpixMap map, int64_t nside, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder) map = flattened(map, 0, job);
    if (map.nside() != nside) map = udgraded(map, nside, job);
    if (map.coverage() != Coverage::Full) map = toFull(map, job);
    if (map.ordering() != Ordering::Ring) map = reordered(map, Ordering::Ring, job);
    return map;
}

// 1 everywhere without a mask.
std::vector<double> weightsOf(const MapPointer& mask, int64_t nside, Frame frame, JobContext& job) {
    if (!mask) return std::vector<double>(static_cast<size_t>(pixelCount(nside)), 1.0);
    return maskWeights(quantityMap(*mask, 0, Quantity::Field, job), nside, frame, job);
}

// Subtracts the mean of a full-sky map. With a mask or bad pixels, reports the size of the mean in
// a note.
TakenOut meanOut(HealpixMap& one, std::span<const double> weights, QString& note, JobContext& job) {
    TakenOut taken;
    if (weights.empty()) {
        taken = takeOut(Remove::None, samplesOf(one.field(0)), job);
        if (taken.isWhole) return taken;
    } else {
        const SampleRun all{0, one.pixelCount()};
        const RingMoments moments(one.nside(), RingMoments::Reach::Mean,
                                  samplesOf(std::as_const(one).field(0)), {&all, 1}, weights, job);
        taken.mean = moments.mean();
        taken.rms = moments.rms();
    }
    if (const auto line = meanLine(taken.mean, taken.rms, one.field(0).unit))
        note = Session::tr("%1, which spreads over all l; the tool Convert subtracts it (remove)")
                   .arg(QString::fromStdString(*line));
    return taken;
}

}  // namespace

PseudoSpectrum pseudoSpectrum(const HealpixMap& map, const Shown& shown, const MapPointer& mask,
                              int lmax, int64_t maxNside, const Device& device, JobContext& job) {
    JobContext preparing = job.part(0.0, 0.2), working = job.part(0.2, 0.95);
    JobContext summing = job.part(0.95, 1.0);
    HealpixMap one = quantityMap(map, shown.field, shown.quantity, preparing);
    if (one.coverage() == Coverage::MultiOrder) one = flattened(one, 0, preparing);
    const int64_t nside = std::min(one.nside(), maxNside);
    const Frame frame = one.frame();
    one = onRings(std::move(one), nside, preparing);
    const std::vector<double> weights = weightsOf(mask, nside, frame, preparing);
    PseudoSpectrum spectrum;
    const TakenOut taken =
        meanOut(one, mask ? std::span<const double>(weights) : std::span<const double>(),
                spectrum.note, preparing);
    double meanSquare = 0.0;
    const ConstMapSamples samples = std::visit(
        [&](auto& values) {
            for (size_t i = 0; i < values.size(); ++i) {
                const double weight = std::isnan(values[i]) ? 0.0 : weights[i];
                const double product = weight == 0.0 ? 0.0 : weight * values[i];
                values[i] = static_cast<std::decay_t<decltype(values[i])>>(product);
                meanSquare += weight * weight;
            }
            return ConstMapSamples(std::span(std::as_const(values)));
        },
        one.field(0).values);
    meanSquare /= static_cast<double>(weights.size());
    if (meanSquare == 0.0)
        throw InvalidArgument("expected good pixels outside the mask, found none");

    ShtParameters parameters;
    parameters.nside = nside;
    const auto highest = static_cast<int>(3 * nside - 1);
    parameters.lmax = std::min(lmax < 0 ? static_cast<int>(2 * nside) : lmax, highest);
    parameters.weights = Weights::Ring;
    std::array<Alm, 1> alm{onDevice(device, spectrum.note, [&](const Device& on) {
        JobContext planning = working.part(0.0, 0.05), analyzing = working.part(0.05, 1.0);
        return ShtPlan(parameters, on, planning).analysis(samples, analyzing);
    })};
    taken.putBack(alm[0]);
    spectrum.cl = powerSpectra(alm, summing)[SpectrumKind::TT];
    for (double& cl : spectrum.cl) cl /= meanSquare;
    spectrum.skyShare = meanSquare;
    return spectrum;
}

}  // namespace armilla
