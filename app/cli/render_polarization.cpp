// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_polarization.h"

#include <array>

#include "cli/command.h"
#include "operations/files.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<PolarizationConvention>, 2> kConventions{
    {{"cosmo", PolarizationConvention::Cosmo, "COSMO"},
     {"iau", PolarizationConvention::Iau, "IAU"}}};

}  // namespace

void describe(Description& d, RenderPolarization& p) {
    d.angle("rods", p.rods, {.unit = "deg", .least = 0.0, .most = kPi, .aboveLeast = true},
            "polarization of Q and U as rods, so far apart at the center");
    d.file("rods-length", p.lengths, {.standard = "the polarized amplitude"},
           "map whose values rods are as long as");
    d.text("rods-length-field", p.lengthField,
           {.standard = "the first one", .placeholder = "NAME|N"}, "of --rods-length");
    d.number("rods-least", p.least, {.unit = "map", .least = 0.0},
             "no rod where the polarized amplitude is less");
    d.number("rods-noise", p.noise, {.unit = "map", .least = 0.0},
             "deviation of Q and U of a pixel: amplitudes are freed of the bias it makes");
    d.number("rods-snr", p.snr, {.unit = "none", .least = 0.0},
             "no rod where amplitude over noise is less");
    d.flag("drapery", p.drapery, {},
           "shade the colors by a texture along the polarization, the same at any zoom and frame");
    d.choice("polconv", p.convention, kConventions, {.standard = "as the file says, else cosmo"},
             "sign of U in the file");
}

void checkPolarization(const RenderPolarization& p) {
    if (p.snr > 0.0 && !(p.noise > 0.0))
        throw UsageError("--rods-snr: expected --rods-noise beside it, found none");
    if (!p.rods && (p.least > 0.0 || p.noise > 0.0))
        throw UsageError(
            "--rods-least and --rods-noise: expected --rods ANGLE beside them, found "
            "none");
    if (!p.rods && !p.lengths.empty())
        throw UsageError("--rods-length: expected --rods ANGLE beside it, found none");
    if (p.lengths.empty() && !p.lengthField.empty())
        throw UsageError("--rods-length-field: expected --rods-length MAP beside it, found none");
    if (!p.isWanted() && p.convention)
        throw UsageError("--polconv: expected --rods or --drapery beside it, found neither");
}

namespace {

std::shared_ptr<const HealpixMap> wholeMap(Run& run, const std::string& path, JobContext& job) {
    const InputSlot slot{.name = "MAP", .kind = DataKind::Map, .columns = [](const ParameterSet&) {
                             return Columns{Columns::Choice::All, {}};
                         }};
    ReadRequest request = run.reading();
    request.field.clear();
    return std::make_shared<const HealpixMap>(
        readInput(slot, ParameterSet(NoOptions{}), path, request, job).takeMap());
}

}  // namespace

FigurePolarization polarizationOf(Run& run, const std::string& path, const RenderPolarization& p,
                                  JobContext& job) {
    FigurePolarization polarization;
    polarization.map = wholeMap(run, path, job);
    const HealpixMap& map = *polarization.map;
    const auto pair = map.polarizationPair();
    if (!pair) {
        std::string names;
        for (const Field& field : map.fields()) names += (names.empty() ? "" : ", ") + field.name;
        throw InvalidArgument("expected fields Q and U for --rods or --drapery, found " + names);
    }
    polarization.qField = pair->first;
    polarization.uField = pair->second;
    polarization.rodSpacing = p.rods.value_or(0.0);
    polarization.leastAmplitude = p.least;
    polarization.noise = p.noise;
    polarization.leastSnr = p.snr;
    polarization.drapery = p.drapery;
    polarization.unit = QString::fromStdString(map.field(pair->first).unit);
    // In memory the sign is COSMO's if the file is what it says, or does not say.
    const auto said =
        map.metadata().iauOnDisk ? PolarizationConvention::Iau : PolarizationConvention::Cosmo;
    polarization.convention = p.convention.value_or(said) == said ? PolarizationConvention::Cosmo
                                                                  : PolarizationConvention::Iau;
    return polarization;
}

void addRodLengths(Run& run, const RenderPolarization& p, FigurePolarization& polarization,
                   JobContext& job) {
    if (p.lengths.empty()) return;
    polarization.lengths = wholeMap(run, p.lengths, job);
    const HealpixMap& map = *polarization.lengths;
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected pixels of one order as lengths of rods, found several");
    if (!p.lengthField.empty()) polarization.lengthField = map.fieldIndex(p.lengthField);
    polarization.unit = QString::fromStdString(map.field(polarization.lengthField).unit);
}

}  // namespace armilla::cli
