// SPDX-License-Identifier: GPL-3.0-or-later
#include "ring_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/equatorial_frame.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/spectrum.h"
#include "spin_fields.h"
#include "stokes.h"

namespace armilla {

namespace {

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

ChosenPlanes polarizationPlanes(const Context& context, const Input& input) {
    const Image& image = input.image();
    if (std::vector<int> planes = stokesPlanes(image, "IQU"); !planes.empty()) return {planes, 2};
    if (!areNamelessStokes(image))
        throw InvalidArgument("expected planes I, Q and U for --polarization, found " +
                              planesInWords(image));
    context.note(input.name + ": the three planes, which have no names, are taken as I, Q and U");
    return {{0, 1, 2}, 2};
}

ChosenPlanes spinPlanes(const Context& context, const Input& input, int spin) {
    const Image& image = input.image();
    const auto ofStokes = [&](std::vector<int> planes) {
        const bool isU =
            spin == 2 && stokesParameter(image.planes[static_cast<size_t>(planes[1])].name) == 'U';
        return ChosenPlanes{std::move(planes), isU ? std::optional<size_t>(1) : std::nullopt};
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

}  // namespace

std::optional<Mat3> rotationFromAxes(const Context& context, const Image& image) {
    const auto own = ImageWcs(image).equatorial();
    if (!own) return std::nullopt;
    EquatorialFrame rigid = *own;
    if (own->system == EquatorialSystem::Fk4) {
        rigid.system = EquatorialSystem::Fk4NoETerms;
        context.note(equatorialName(*own) +
                     ": the elliptic terms of aberration, 0.35 arcsec at most, are left out of the "
                     "rotation to ICRS");
    }
    const ToIcrs toIcrs(rigid);
    // The matrix of FK4 is a rotation to 1e-9 only.
    const Vec3 x = normalized(toIcrs({1, 0, 0})), near = toIcrs({0, 1, 0});
    const Vec3 z = normalized(cross(x, near)), y = cross(z, x);
    return Mat3{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

void noteScalarPlane(const Context& context, const ImagePlane& plane,
                     std::string_view otherStrategy) {
    if (const char stokes = stokesParameter(plane.name);
        context.note && (stokes == 'Q' || stokes == 'U'))
        context.note(plane.name +
                     ": taken as a scalar, which mixes E and B where meridians converge" +
                     std::string(otherStrategy));
}

ChosenPlanes chosenPlanes(const Context& context, const Input& input, bool isPolarized, int spin) {
    if (isPolarized) return polarizationPlanes(context, input);
    if (spin > 0) return spinPlanes(context, input, spin);
    const int plane = planeNamed(input.image(), input.field);
    noteScalarPlane(context, input.image().planes[static_cast<size_t>(plane)], kTogether);
    return {{plane}, {}};
}

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

int64_t mostOf(const RingImage& grid) {
    const int64_t most = MeridianRows::mostLmax(grid.rows);
    const bool isResampled = MeridianRows::canResample(grid.rows) || !grid.isWholeSky();
    // Weights are exact for the product of two harmonics of degree below half the rows.
    return isResampled ? most : std::min(most, (grid.rows.rows - 1) / 2);
}

RingSamples samplesOf(const Image& image, const RingImage& grid, const RingGrid& rings,
                      const ChosenPlanes& chosen, JobContext& job) {
    RingSamples samples;
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

void noteAbsent(const Context& context, const std::string& name, const RingSamples& samples) {
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

OpenedRings openRings(const Context& context, const Input& input, const TransformOptions& options,
                      int spin, JobContext& job) {
    const Image& image = input.image();
    RingImage grid = partOfRings(image);
    noteSteps(context, input.name, grid);
    requireOptionsOfImage(options, mostOf(grid));
    const std::optional<Mat3> rotation = rotationFromAxes(context, image);
    const ChosenPlanes chosen = chosenPlanes(context, input, options.polarization, spin);
    if (chosen.u) context.note(std::string(conventionOfU(statesIau(image.cards))));
    RingGrid rings = ringsOf(grid);
    RingSamples samples = samplesOf(image, grid, rings, chosen, job);
    noteAbsent(context, input.name, samples);
    return {std::move(grid), rotation, std::move(rings), std::move(samples)};
}

RingAnalysis::RingAnalysis(const RingImage& grid, const ShtParameters& parameters,
                           const Device& device, JobContext& job) {
    if (grid.isWholeSky() && MeridianRows::canResample(grid.rows))
        meridians_.emplace(grid.rows, parameters.lmax, grid.firstLongitude, job);
    plan_.emplace(meridians_ ? meridians_->grid() : ringsOf(grid), parameters, device, job);
}

std::vector<Alm> RingAnalysis::analyze(std::vector<std::vector<double>> planes, bool isPolarized,
                                       int spin, JobContext& job) const {
    if (meridians_)
        for (size_t i = 0; i < planes.size(); ++i)
            planes[i] = meridians_->resample(isPolarized ? (i == 0 ? 0 : 2) : spin, planes[i], job);
    const auto at = [&](size_t i) { return ConstMapSamples(std::span(std::as_const(planes[i]))); };
    if (isPolarized) return plan_->analysisPolarized(at(0), at(1), at(2), job);
    if (spin > 0) return plan_->analysisSpin(spin, at(0), at(1), job);
    std::vector<Alm> alm;
    alm.push_back(plan_->analysis(at(0), job));
    return alm;
}

}  // namespace armilla
