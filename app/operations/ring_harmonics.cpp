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
#include "spin_fields.h"
#include "stokes.h"

namespace armilla {

namespace {

// The rotation from the longitudes and latitudes of an image to the directions of its frame; none
// if they agree.
std::optional<Mat3> rotationFromAxes(const Image& image) {
    const auto own = ImageWcs(image).equatorial();
    if (!own) return std::nullopt;
    if (own->system != EquatorialSystem::Fk5)
        throw InvalidArgument(
            "expected positions in a frame that a rotation brings to ICRS, found " +
            equatorialName(*own) + "; convert --nside makes a map of the image in ICRS");
    const ToIcrs toIcrs(*own);
    const Vec3 x = toIcrs({1, 0, 0}), y = toIcrs({0, 1, 0}), z = toIcrs({0, 0, 1});
    return Mat3{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

// Planes to analyze, and the place of U among them.
struct Chosen {
    std::vector<int> planes;
    std::optional<size_t> u;
};

// The planes with these Stokes parameters; empty unless each is there once.
std::vector<int> stokesPlanes(const Image& image, std::string_view parameters) {
    std::vector<int> planes;
    for (const char parameter : parameters) {
        std::vector<int> found;
        for (size_t i = 0; i < image.planes.size(); ++i)
            if (stokesParameter(image.planes[i].name) == parameter)
                found.push_back(static_cast<int>(i));
        if (found.size() != 1) return {};
        planes.push_back(found.front());
    }
    return planes;
}

std::string planesInWords(const Image& image) {
    std::string names;
    for (const ImagePlane& plane : image.planes)
        if (!plane.name.empty()) names += (names.empty() ? " (" : ", ") + plane.name;
    return counted(image.planes.size(), "plane") + (names.empty() ? "" : names + ")");
}

// Files of pixell have three planes without a third axis in the header.
bool areNamelessStokes(const Image& image) {
    return image.planes.size() == 3 && image.axisName.empty() && stokesPlanes(image, "Q").empty() &&
           stokesPlanes(image, "U").empty();
}

Chosen polarizationPlanes(const Context& context, const Input& input) {
    const Image& image = input.image();
    if (std::vector<int> planes = stokesPlanes(image, "IQU"); !planes.empty()) return {planes, 2};
    if (!areNamelessStokes(image))
        throw InvalidArgument("expected planes I, Q and U for --polarization, found " +
                              planesInWords(image));
    context.note(input.name + ": the three planes, which have no names, are taken as I, Q and U");
    return {{0, 1, 2}, 2};
}

Chosen spinPlanes(const Context& context, const Input& input, int spin) {
    const Image& image = input.image();
    const auto ofStokes = [&](std::vector<int> planes) {
        const bool isU =
            spin == 2 && stokesParameter(image.planes[static_cast<size_t>(planes[1])].name) == 'U';
        return Chosen{std::move(planes), isU ? std::optional<size_t>(1) : std::nullopt};
    };
    if (!input.field.empty() && input.field != "all") {
        const std::vector<int> planes = planesNamed(image, splitAtCommas(input.field));
        if (planes.size() != 2)
            throw InvalidArgument("expected --field A,B of two components, found '" + input.field +
                                  "'");
        return ofStokes(planes);
    }
    if (spin == 2) {
        if (std::vector<int> planes = stokesPlanes(image, "QU"); !planes.empty())
            return ofStokes(std::move(planes));
        if (areNamelessStokes(image)) {
            context.note(input.name +
                         ": planes 2 and 3, which have no names, are taken as Q and U");
            return {{1, 2}, 1};
        }
    }
    if (image.planes.size() != 2)
        throw InvalidArgument("expected two components of spin " + std::to_string(spin) +
                              ", or --field A,B, found " + planesInWords(image));
    return ofStokes({0, 1});
}

Chosen chosenPlanes(const Context& context, const Input& input, bool isPolarized, int spin) {
    if (isPolarized) return polarizationPlanes(context, input);
    if (spin > 0) return spinPlanes(context, input, spin);
    const int plane = planeNamed(input.image(), input.field);
    const std::string& name = input.image().planes[static_cast<size_t>(plane)].name;
    if (const char stokes = stokesParameter(name); stokes == 'Q' || stokes == 'U')
        context.note(name +
                     ": taken as a scalar, which mixes E and B where meridians converge "
                     "(--polarization takes I, Q and U together)");
    return {{plane}, {}};
}

// Samples of the planes on whole rings, row after row from the north, and what was absent.
struct Samples {
    std::vector<std::vector<double>> planes;
    int64_t bad = 0;                            // in the plane with most
    double goodShare = 1.0, absentShare = 0.0;  // shares of the sky
};

// The rings of an image's rows, with the weights of the complete grid.
RingGrid ringsOf(const RingImage& grid) {
    RingGrid all = grid.rows.grid(), rings;
    for (int64_t i = 0; i < grid.rows.count; ++i) {
        Ring ring = all.rings[static_cast<size_t>(grid.rows.first + i)];
        ring.phi0 = grid.firstLongitude;
        ring.first = i * grid.rows.columns;
        rings.rings.push_back(ring);
    }
    return rings;
}

// Bad pixels and absent columns keep the NaN of `samples`; `sign` multiplies the values. Returns
// the number of bad pixels in each row.
std::vector<int64_t> fillSamples(const Image& image, const RingImage& grid, int plane, double sign,
                                 std::vector<double>& samples, JobContext& job) {
    std::vector<int64_t> bad(static_cast<size_t>(grid.rows.count));
    std::visit(
        [&](const auto& values) {
            parallelFor(job, grid.rows.count, 1 + kPixelGrain / grid.rows.columns,
                        [&](long long begin, long long end) {
                            for (long long i = begin; i < end; ++i) {
                                const auto from = values.begin() + plane * image.planeSize() +
                                                  grid.rowFromNorth(i) * grid.width;
                                const auto to = samples.begin() + i * grid.rows.columns;
                                for (int64_t c = 0; c < grid.width; ++c) {
                                    const double value = from[grid.columnFromWest(c)];
                                    if (std::isfinite(value))
                                        to[c] = sign * value;
                                    else
                                        ++bad[static_cast<size_t>(i)];
                                }
                            }
                        });
        },
        image.values);
    return bad;
}

Samples samplesOf(const Image& image, const RingImage& grid, const RingGrid& rings,
                  const Chosen& chosen, JobContext& job) {
    Samples samples;
    double present = 0.0, most = -1.0;
    for (const Ring& ring : rings.rings) present += ring.weight * static_cast<double>(grid.width);
    samples.absentShare = std::max(0.0, 1.0 - present / (4.0 * kPi));
    const bool isIau = statesIau(image.cards);
    for (size_t i = 0; i < chosen.planes.size(); ++i) {
        samples.planes.push_back(newVector<double>(grid.rows.count * grid.rows.columns, job, kNan));
        const std::vector<int64_t> bad =
            fillSamples(image, grid, chosen.planes[i], isIau && chosen.u == i ? -1.0 : 1.0,
                        samples.planes.back(), job);
        double area = 0.0;
        for (size_t row = 0; row < bad.size(); ++row)
            area += static_cast<double>(bad[row]) * rings.rings[row].weight;
        if (area <= most) continue;
        most = area;
        samples.bad = std::accumulate(bad.begin(), bad.end(), int64_t{0});
        samples.goodShare = std::max(0.0, (present - area) / (4.0 * kPi));
    }
    if (samples.bad == image.planeSize())
        throw InvalidArgument("expected a good pixel in the plane, found none");
    return samples;
}

void noteAbsent(const Context& context, const std::string& name, const Samples& samples) {
    const auto percent = [](double share) { return shortText(100.0 * share) + " % of the sky"; };
    if (samples.absentShare > 1e-9)
        context.note(name + ": rows and columns absent from the image (" +
                     percent(samples.absentShare) + ") count as zero");
    if (samples.bad > 0)
        context.note(name + ": " + counted(samples.bad, "bad pixel") + " (" +
                     percent(1.0 - samples.absentShare - samples.goodShare) + ") " +
                     (samples.bad == 1 ? "counts" : "count") + " as zero");
}

void requireOptionsOfImage(const TransformOptions& options, int64_t most) {
    const auto refuse = [](std::string_view option) {
        throw UsageError("--" + std::string(option) +
                         ": expected a HEALPix map beside it, found an image, whose rows have "
                         "quadrature weights of their own");
    };
    if (options.weights != Weights::None) refuse("weights");
    if (options.iterations > 0) refuse("iterations");
    if (options.tolerance) refuse("tolerance");
    if (options.lmax.value_or(0) > most)
        throw UsageError("--lmax: expected at most " + std::to_string(most) +
                         ", which the rows and columns of the image hold, found " +
                         std::to_string(*options.lmax));
}

void fillWithZero(std::vector<std::vector<double>>& planes) {
    for (std::vector<double>& plane : planes)
        for (double& value : plane)
            if (std::isnan(value)) value = 0.0;
}

std::vector<Alm> transformed(const ShtPlan& plan, bool isPolarized, int spin,
                             const std::vector<std::vector<double>>& planes, JobContext& job) {
    const auto at = [&](size_t i) { return ConstMapSamples(std::span(planes[i])); };
    if (isPolarized) return plan.analysisPolarized(at(0), at(1), at(2), job);
    if (spin > 0) return plan.analysisSpin(spin, at(0), at(1), job);
    std::vector<Alm> alm;
    alm.push_back(plan.analysis(at(0), job));
    return alm;
}

int64_t mostOf(const RingImage& grid) {
    const int64_t most = MeridianRows::mostLmax(grid.rows);
    const bool isResampled = MeridianRows::canResample(grid.rows) || !grid.isWholeSky();
    // Weights are exact for the product of two harmonics of degree below half the rows.
    return isResampled ? most : std::min(most, (grid.rows.rows - 1) / 2);
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
        const RingImage grid = partOfRings(image);
        requireOptionsOfImage(options, mostOf(grid));
        const std::optional<Mat3> rotation = rotationFromAxes(image);
        const Chosen chosen = chosenPlanes(context, input, options.polarization, spin);
        if (chosen.u) context.note(std::string(conventionOfU(statesIau(image.cards))));
        RingGrid rings = ringsOf(grid);
        Samples samples = samplesOf(image, grid, rings, chosen, preparing);
        noteAbsent(context, input.name, samples);
        AnalyzedMap result;
        result.set.frame = image.frame;
        result.set.unit = image.unit;
        result.set.spin = spin;
        result.rows = grid.rows.count;
        result.columns = grid.width;
        result.goodShare = samples.goodShare;
        const ShtParameters parameters = parametersOf(options, 0);
        if (spin == 0) {
            result.taken = takeOut(options.remove, rings, samples.planes.front(), preparing);
            noteMean(context, input.name, result.taken, image.unit);
        }
        fillWithZero(samples.planes);
        const bool isResampled = grid.isWholeSky() && MeridianRows::canResample(grid.rows);
        if (isResampled) {
            const MeridianRows meridians(grid.rows, parameters.lmax, grid.firstLongitude,
                                         preparing);
            for (size_t i = 0; i < samples.planes.size(); ++i)
                samples.planes[i] = meridians.resample(
                    options.polarization ? (i == 0 ? 0 : 2) : spin, samples.planes[i], preparing);
            rings = meridians.grid();
        }
        const ShtPlan plan(rings, parameters, context.device, planning);
        if (!plan.remark().empty()) context.note(plan.remark());
        result.parameters = plan.parameters();
        result.set.alm = transformed(plan, options.polarization, spin, samples.planes, working);
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
        target.image = readImage(options.like, job);
        target.image.frame = pixels.frame;
        target.image.values = std::vector<double>();
        target.image.planes.clear();
        target.grid = partOfRings(target.image);
        return target;
    });
}

namespace {

// Planes and cards for fields of these names. Beam and history of the image's values are removed.
void describePlanes(Image& image, const std::vector<Field>& fields) {
    setBeamCards(image.cards, std::nullopt);
    image.history.clear();
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
    if (const auto rotation = rotationFromAxes(target.image))
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
