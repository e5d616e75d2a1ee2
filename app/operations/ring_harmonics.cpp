// SPDX-License-Identifier: GPL-3.0-or-later
#include "ring_harmonics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/equatorial_frame.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/image_rings.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/meridian_rows.h"
#include "armilla/ops/ring_monopole.h"
#include "armilla/ops/spectrum.h"
#include "beam_area.h"
#include "image_like.h"
#include "ring_samples.h"
#include "stokes.h"

namespace armilla {

namespace {

void fillWithZero(std::vector<std::vector<double>>& planes) {
    for (std::vector<double>& plane : planes)
        for (double& value : plane)
            if (std::isnan(value)) value = 0.0;
}

}  // namespace

int64_t mostLmax(const Image& image) {
    return mostOf(partOfRings(image));
}

std::optional<RingsOfImage> ringsOfImage(const Image& image) {
    try {
        const RingImage grid = partOfRings(image);
        return RingsOfImage{grid.rows.rows, grid.rows.columns, grid.rows.hasPoles, mostOf(grid)};
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
}

AnalyzedMap analyzeImage(Context& context, const Input& input, const TransformOptions& options,
                         int spin, const JobContext& job) {
    JobContext preparing = job.part(0.0, 0.3), planning = job.part(0.3, 0.35),
               working = job.part(0.35, 0.9), turning = job.part(0.9, 1.0);
    const Image& image = input.image();
    return naming(input.name, [&] {
        auto [grid, rotation, rings, samples] = openRings(context, input, options, spin, preparing);
        AnalyzedMap result;
        result.set.frame = image.frame;
        result.set.unit = image.unit;
        result.set.spin = spin;
        result.rows = grid.rows.count;
        result.columns = grid.width;
        result.goodShare = samples.goodShare;
        const ShtParameters parameters = parametersOf(options, 0);
        if (spin == 0) {
            result.taken = takeOut(options.remove, rings, samples.planes.front(), {}, preparing);
            noteMean(context, input.name, result.taken, image.unit);
        }
        fillWithZero(samples.planes);
        const RingAnalysis analysis(grid, parameters, context.device, planning);
        if (!analysis.remark().empty()) context.note(analysis.remark());
        result.parameters = analysis.parameters();
        result.set.alm =
            analysis.analyze(std::move(samples.planes), options.polarization, spin, working);
        if (rotation) rotateAlm(result.set.alm, *rotation, context.device, turning);
        context.note(grid.isWholeSky() ? "exact quadrature of the whole sky"
                                       : "quadrature weights of the complete grid");
        return result;
    });
}

SynthesisTarget synthesisTarget(const Context& context, const Alm2MapOptions& options,
                                JobContext& job) {
    return naming(options.like, [&] {
        SynthesisTarget target;
        const ImageGrid pixels = gridLike(options.like, options.frame, context.statedFrame, job);
        target.image = readImageHeader(options.like, job);
        target.image.frame = pixels.frame;
        target.image.planes.clear();
        target.grid = partOfRings(target.image);
        noteSteps(context, options.like, target.grid);
        return target;
    });
}

namespace {

// Planes and cards for fields of these names. Name, beam and history of the image's values are
// removed.
void describePlanes(Image& image, const std::vector<Field>& fields) {
    setBeamCards(image.cards, std::nullopt);
    image.history.clear();
    image.name.clear();
    image.unit = fields.front().unit;
    image.axisName.clear();
    image.axisUnit.clear();
    bool isStokes = true;
    for (const Field& field : fields) {
        const char parameter = stokesParameter(field.name);
        const auto at = std::string_view("IQU").find(parameter);
        isStokes = isStokes && parameter != 0 && at != std::string_view::npos;
        image.planes.push_back(
            {isStokes ? std::string(1, parameter) : field.name, static_cast<double>(at + 1)});
    }
    if (fields.size() == 1) image.planes = {ImagePlane{}};
    if (fields.size() > 1 && isStokes) image.axisName = "STOKES";
    if (fields.size() > 1 && !isStokes)
        for (size_t i = 0; i < fields.size(); ++i)
            image.planes[i] = {fields[i].name, static_cast<double>(i + 1)};
    if (fields.size() == 1 || !isStokes || statesIau(image.cards)) return;
    std::erase_if(image.cards,
                  [](const std::string& card) { return card.starts_with("POLCCONV"); });
    image.cards.push_back(cosmoCard());
}

// Places the samples of a plane, times `sign`.
template <typename Sample>
void placeSamples(const std::vector<double>& samples, const RingImage& grid, double sign,
                  std::span<Sample> plane, JobContext& job) {
    parallelFor(job, grid.rows.count, 1 + kPixelGrain / grid.rows.columns,
                [&](long long begin, long long end) {
                    for (long long i = begin; i < end; ++i)
                        for (int64_t c = 0; c < grid.width; ++c)
                            plane[static_cast<size_t>(grid.rowFromNorth(i) * grid.width +
                                                      grid.columnFromWest(c))] =
                                static_cast<Sample>(
                                    sign * samples[static_cast<size_t>(i * grid.rows.columns + c)]);
                });
}

}  // namespace

std::shared_ptr<const Image> synthesizeImage(Context& context, std::vector<Alm> alm,
                                             const SynthesisTarget& target,
                                             const SynthesisRequest& request,
                                             const JobContext& job) {
    JobContext turning = job.part(0.0, 0.1), planning = job.part(0.1, 0.15),
               working = job.part(0.15, 0.9), placing = job.part(0.9, 1.0);
    const RingImage& grid = target.grid;
    auto image = std::make_shared<Image>(target.image);
    if (const auto rotation = rotationFromAxes(context, target.image))
        rotateAlm(alm, transposed(*rotation), context.device, turning);
    const bool isSingle = context.precision == StoredPrecision::Single;
    const std::vector<Field> fields = synthesizedFields(request, alm.size(), isSingle);
    describePlanes(*image, fields);
    ShtParameters parameters;
    parameters.lmax = alm.front().lmax();
    parameters.mmax = alm.front().mmax();
    if (parameters.lmax > mostOf(grid))
        context.note("lmax " + std::to_string(parameters.lmax) + " is beyond " +
                     std::to_string(mostOf(grid)) +
                     ": the image's grid cannot distinguish such multipoles from lower ones");
    const RingGrid rings = ringsOf(grid);
    std::vector<std::vector<double>> samples;
    for (size_t i = 0; i < fields.size(); ++i)
        samples.push_back(newVector<double>(rings.sampleCount(), planning));
    const ShtPlan plan(rings, parameters, context.device, planning);
    if (!plan.remark().empty()) context.note(plan.remark());
    const auto to = [&](size_t i) { return MapSamples(std::span(samples[i])); };
    if (request.spin > 0)
        plan.synthesisSpin(request.spin, std::span<const Alm, 2>(alm.data(), 2), to(0), to(1),
                           working);
    else if (alm.size() == 3)
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), to(0), to(1), to(2),
                                working);
    else
        plan.synthesis(alm.front(), to(0), working);
    const auto store = [&](auto values) {
        for (size_t i = 0; i < fields.size(); ++i) {
            const bool isTurned = stokesParameter(fields[i].name) == 'U' && statesIau(image->cards);
            placeSamples(samples[i], grid, isTurned ? -1.0 : 1.0,
                         std::span(values).subspan(i * static_cast<size_t>(image->planeSize()),
                                                   static_cast<size_t>(image->planeSize())),
                         placing);
            std::vector<double>().swap(samples[i]);
        }
        if (!std::all_of(values.begin(), values.end(), [](auto v) { return std::isfinite(v); }))
            throw InvalidArgument(
                "expected values within the precision of the image, found "
                "larger ones");
        image->values = std::move(values);
    };
    const int64_t count = image->planeSize() * std::ssize(fields);
    if (isSingle)
        store(newVector<float>(count, placing));
    else
        store(newVector<double>(count, placing));
    return image;
}

}  // namespace armilla
