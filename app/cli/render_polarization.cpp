// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_polarization.h"

#include <array>

#include "armilla/operations/files.h"
#include "cli/command.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<PolarizationConvention>, 2> kConventions{
    {{"cosmo", PolarizationConvention::Cosmo, "COSMO"},
     {"iau", PolarizationConvention::Iau, "IAU"}}};

}  // namespace

void describe(Description& d, RenderPolarization& p) {
    d.angle("rods", p.rods, {.unit = "deg", .least = 0.0, .most = kPi, .aboveLeast = true},
            "spacing of rods that show the polarization of Q and U, at the center of the view");
    d.file("rods-length", p.lengths, {.standard = "polarized amplitude"},
           "map whose values set the length of rods");
    d.text("rods-length-field", p.lengthField, {.standard = "the first", .placeholder = "NAME|N"},
           "field of the map of --rods-length");
    d.number("rods-least", p.least, {.unit = "map", .least = 0.0},
             "least polarized amplitude of a rod, in the unit of the map");
    d.number("rods-noise", p.noise, {.unit = "map", .least = 0.0},
             "standard deviation of Q and U per pixel, in the unit of the map; the noise bias of "
             "amplitudes is removed");
    d.number("rods-snr", p.snr, {.unit = "none", .least = 0.0},
             "least ratio of amplitude to noise of a rod");
    d.flag("drapery", p.lic, {},
           "shade the colors by line integral convolution along the polarization");
    d.choice("polconv", p.convention, kConventions, {.standard = "read from the file, else cosmo"},
             "convention of the sign of U in the file");
}

void checkPolarization(const RenderPolarization& p) {
    if (p.snr > 0.0 && !(p.noise > 0.0))
        throw UsageError("--rods-snr: expected --rods-noise as well, found none");
    if (!p.rods && (p.least > 0.0 || p.noise > 0.0))
        throw UsageError(
            "--rods-least and --rods-noise: expected --rods ANGLE as well, found none");
    if (!p.rods && !p.lengths.empty())
        throw UsageError("--rods-length: expected --rods ANGLE as well, found none");
    if (p.lengths.empty() && !p.lengthField.empty())
        throw UsageError("--rods-length-field: expected --rods-length MAP as well, found none");
    if (!p.isWanted() && p.convention)
        throw UsageError("--polconv: expected --rods or --drapery as well, found neither");
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
    polarization.lic = p.lic;
    polarization.unit = QString::fromStdString(map.field(pair->first).unit);
    // U is in COSMO convention in memory if the convention of the file is correct or missing.
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
