// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/smooth_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "convolve/harmonic/smoothing_error.h"
#include "convolve/kernel/smooth_request.h"
#include "convolve/method_choice.h"
#include "convolve/rows/ellipse.h"
#include "convolve/rows/row_sums.h"
#include "convolve/rows/row_sums_cuda.h"
#include "convolve/sky_values.h"
#include "shared/new_alm.h"

namespace armilla {

RingGrid RingRows::grid() const {
    return hasPoles ? RingGrid::clenshawCurtis(rows, columns) : RingGrid::fejer(rows, columns);
}

namespace {

void checkRows(const RingRows& rows) {
    if (rows.count < 1 || rows.first < 0 || rows.first + rows.count > rows.rows)
        throw InvalidArgument("expected a range of rows in 0 to " + std::to_string(rows.rows) +
                              ", found rows " + std::to_string(rows.first) + " to " +
                              std::to_string(rows.first + rows.count));
}

void checkRequest(const SmoothParameters& p) {
    checkParameters(p);
    if (p.polarization && isOnPixels(p.method))
        throw Unsupported("rows of rings: expected method harmonic for polarization, found " +
                          std::string(nameOf(p.method)));
    if (p.weights != Weights::Ring)
        throw Unsupported(std::string("rows of rings: expected weights ring, found ") +
                          (p.weights == Weights::Pixel ? "pixel" : "none"));
    if (isOnPixels(p.method) && p.iterations > 0)
        throw InvalidArgument("expected no iterations for method " + std::string(nameOf(p.method)) +
                              ", found " + std::to_string(p.iterations));
}

Alm timesBeam(Alm alm, std::span<const double> bl, JobContext& job) {
    parallelFor(job, alm.mmax() + 1, orderGrain(alm.lmax()), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= alm.lmax(); ++l)
                alm(l, m) *= static_cast<size_t>(l) < bl.size() ? bl[static_cast<size_t>(l)] : 0.0;
    });
    return alm;
}

// The error for a sky of power 1 / (l (l + 1)).
double errorOnRows(const RingRows& rows, const Beam& beam, int iterations, JobContext& job) {
    const auto lmax = static_cast<int>(rows.rows - 1);
    std::vector<double> cl(static_cast<size_t>(lmax) + 1, 0.0);
    double meanSquare = 0.0;
    for (size_t l = 1; l < cl.size(); ++l) {
        const auto x = static_cast<double>(l);
        cl[l] = 1.0 / (x * (x + 1.0));
        meanSquare += (2.0 * x + 1.0) * cl[l] / (4.0 * kPi);
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    return smoothingError({.cl = cl,
                           .bl = beam.bl[0],
                           .meanSquare = meanSquare,
                           .transform = {.lmax = lmax, .iterations = iterations},
                           .rows = &rows},
                          silent);
}

}  // namespace

struct RowSmoothPlan::State {
    State(const RingRows& of, const SmoothParameters& asked, const Device& on)
        : rows(of), parameters(asked), device(on) {
        checkRows(rows);
        checkRequest(parameters);
        grid = rows.grid();
    }

    RingRows rows;
    SmoothParameters parameters;
    Device device;
    RingGrid grid;
    bool isCompensated = false;
    SmoothReport report;
    // For the methods on samples.
    std::optional<ProfileTable> table;
    RowKernel kernel;
    std::optional<RowSums> samples;
    std::optional<RowModeSums> modes;
    std::optional<RowSumsCuda> onDevice;
    // For the harmonic method.
    Beam beam;
    std::optional<ShtPlan> transform;

    int wholeBand() const { return static_cast<int>(rows.rows - 1); }

    // The kernel's end. It is the same for both methods on samples, because both include all its
    // modes.
    double radius(JobContext& job) const {
        SmoothParameters p = parameters;
        p.method = SmoothMethod::Direct;
        return radiusOf(p, job);
    }

    void chooseMethod(JobContext& job) {
        SmoothParameters& p = parameters;
        if (p.method != SmoothMethod::Auto) return;
        p.method = SmoothMethod::Harmonic;
        if (p.polarization) return;
        const Kernel wanted = kernelOf(p);
        const bool isWhole = p.lmax < 0 || p.lmax == wholeBand();
        if (!wanted.hasProfile() || p.iterations > 0 || !isWhole) return;
        // Examining a band-limited kernel takes as long as applying it.
        if (!wanted.gaussianWidth() && wanted.support() >= kPi) return;
        if (reachesBeyond(wanted, lattice(), job)) return;
        const Beam all = beamOf({wanted}, wholeBand(), job);
        p.method = chosenRowMethod(rows, radius(job), reachOf(all), device);
    }

    void planSamples(JobContext& job) {
        const double end = radius(job);
        if (!(end > 0.0))
            throw InvalidArgument("expected a kernel of a width above 0 for method " +
                                  std::string(nameOf(parameters.method)) + ", found none");
        refuseNarrow(appliedKernel(parameters, 0.0).kernel, lattice(), nameOf(parameters.method),
                     kHarmonicInstead, job);
        const Applied applied = appliedKernel(parameters, end);
        table.emplace(applied.kernel, applied.kernel.support());
        kernel.taps.profile = table->view();
        kernel.taps.end = kernel.taps.profile.end;
        kernel.table = &*table;
        kernel.radius = applied.kernel.support();
        kernel.integral = applied.kernel.integral();
        isCompensated = applied.kernel.compensated();
        report = {parameters.method, 0, applied.radius, applied.norm, 0.0};
        takeStrategy();
        sayError(kernelOf(parameters).normalized(applied.norm), applied.radius, job);
    }

    void planEllipse(const EllipticalBeam& ellipse, JobContext& job) {
        const KernelNorm norm = parameters.norm.value_or(KernelNorm::None);
        kernel = ellipseKernel(ellipse, norm);
        if (parameters.method == SmoothMethod::Harmonic)
            throw Unsupported("elliptical beams: expected method direct or ring, found harmonic");
        // An elliptical kernel has no B_l, so the harmonic method is excluded by a band without end
        // in the model.
        if (parameters.method == SmoothMethod::Auto)
            parameters.method = chosenRowMethod(rows, kernel.radius, 1 << 30, device);
        refuseNarrow(Kernel::gaussian(ellipse.minor), lattice(), nameOf(parameters.method),
                     "use a wider beam, or an image of finer pixels", job);
        report = {parameters.method, 0, kernel.radius, norm, 0.0};
        takeStrategy();
        sayError(Kernel::gaussian(ellipse.minor), ellipseRadius(ellipse.minor), job);
    }

    void takeStrategy() {
        const bool byModes = parameters.method == SmoothMethod::Ring;
        if (device.kind == DeviceKind::Cuda)
            onDevice.emplace(
                device.index, grid, kernel,
                byModes ? RowSumsCuda::Strategy::Modes : RowSumsCuda::Strategy::Samples);
        else if (byModes)
            modes.emplace(grid, kernel);
        else
            samples.emplace(grid, kernel);
    }

    // Rows are a lattice whose steps along rows shrink towards the poles. Aliasing there is weaker,
    // not stronger: modes of the sky end at those of a step between rows. A shorter step along a
    // row folds nothing that a longer step does not fold. So the longest step, at the equator,
    // bounds all of them. If even that step is shorter than the step between rows, the aliasing is
    // that of a square lattice.
    double largestArea() const {
        const double between = kPi / static_cast<double>(rows.hasPoles ? rows.rows - 1 : rows.rows);
        return between * std::max(between, kTwoPi / static_cast<double>(rows.columns));
    }

    SampleLattice lattice() const {
        const auto along = static_cast<int>(std::min<int64_t>(rows.columns / 2, wholeBand()));
        return {std::max(1, along), std::sqrt(largestArea())};
    }

    void sayError(const Kernel& whole, double end, JobContext& job) {
        JobContext silent(job.stopToken(), {}, job.threads());
        const Beam all = beamOf({whole}, wholeBand(), job);
        const double size =
            whole.compensated() ? whole.absoluteIntegral() : std::abs(whole.integral());
        report.estimatedError = std::hypot(errorOnRows(rows, all, 0, job),
                                           beyondSamples(whole, all.bl[0], largestArea()),
                                           size * whole.truncationError(end, {}, silent));
    }

    void planHarmonic(JobContext& job) {
        const int lmax = parameters.lmax < 0 ? wholeBand() : parameters.lmax;
        const Applied applied = appliedKernel(parameters, parameters.truncate);
        beam = beamOf(applied, lmax, job);
        kernel.integral = beam.bl[0].empty() ? 0.0 : beam.bl[0][0];
        isCompensated = applied.kernel.compensated();
        const int reach = parameters.iterations > 0 ? lmax : std::min(lmax, reachOf(beam));
        transform.emplace(grid, ShtParameters{.lmax = reach, .iterations = parameters.iterations},
                          device, job);
        report = {SmoothMethod::Harmonic, lmax, applied.radius, applied.norm,
                  errorOnRows(rows, beam, parameters.iterations, job)};
    }

    // Samples of the complete grid; absent rows are zero.
    std::vector<double> complete(std::span<const double> values, JobContext& job) const {
        std::vector<double> all = newVector<double>(grid.sampleCount(), job);
        std::copy(values.begin(), values.end(), all.begin() + rows.first * rows.columns);
        return all;
    }
    std::vector<double> ownRows(const std::vector<double>& all) const {
        return {all.begin() + rows.first * rows.columns,
                all.begin() + (rows.first + rows.count) * rows.columns};
    }
    std::vector<double> byHarmonics(std::span<const double> values, JobContext& job) const {
        std::vector<double> all = complete(values, job);
        JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
        const Alm alm =
            timesBeam(transform->analysis(std::span<const double>(all), first), beam.bl[0], first);
        transform->synthesis(alm, std::span<double>(all), second);
        return ownRows(all);
    }
    void byHarmonicsPolarized(std::array<std::vector<double>, 3>& planes, JobContext& job) const {
        JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
        std::array<std::vector<double>, 3> all;
        for (size_t i = 0; i < 3; ++i) all[i] = complete(planes[i], job);
        const auto of = [&](size_t i) { return std::span<const double>(all[i]); };
        std::vector<Alm> alm = transform->analysisPolarized(of(0), of(1), of(2), first);
        std::array<Alm, 3> teb;
        for (size_t i = 0; i < 3; ++i) teb[i] = timesBeam(std::move(alm[i]), beam.bl[i], first);
        transform->synthesisPolarized(teb, std::span(all[0]), std::span(all[1]), std::span(all[2]),
                                      second);
        for (size_t i = 0; i < 3; ++i) planes[i] = ownRows(all[i]);
    }

    // How bad samples count, and the mean to subtract before the sum.
    struct Treatment {
        bool normalize = false;
        double mean = 0.0;
    };
    Treatment treatmentOf(std::span<const double> values) const {
        if (static_cast<int64_t>(values.size()) != rows.count * rows.columns)
            throw InvalidArgument("expected " + std::to_string(rows.count * rows.columns) +
                                  " values in rows, found " + std::to_string(values.size()));
        const bool isBad = rows.count < rows.rows ||
                           !std::all_of(values.begin(), values.end(),
                                        [](double value) { return std::isfinite(value); });
        const bool normalize = parameters.masked == Masked::Normalize && isBad;
        if (normalize && isCompensated) refuseZeroIntegral();
        return {normalize, isBad ? 0.0 : meanOf(values)};
    }

    // The mean by area, for a grid with all rows and without bad samples.
    double meanOf(std::span<const double> values) const {
        double sum = 0.0, weights = 0.0;
        for (const Ring& ring : grid.rings) {
            double own = 0.0;
            for (int64_t i = 0; i < ring.count; ++i)
                own += values[static_cast<size_t>(ring.first + i)];
            sum += ring.weight * own;
            weights += ring.weight * static_cast<double>(ring.count);
        }
        const double mean = sum / weights;
        return std::isfinite(mean) ? mean : 0.0;
    }

    std::vector<double> harmonic(std::span<const double> values, const Treatment& how,
                                 JobContext& job) const {
        std::vector<double> good(values.begin(), values.end());
        for (double& value : good) value = std::isfinite(value) ? value - how.mean : 0.0;
        JobContext first = job.part(0.0, how.normalize ? 0.5 : 1.0), second = job.part(0.5, 1.0);
        std::vector<double> sums = byHarmonics(good, first);
        return finish(values, std::move(sums), shareOf(values, how, second), how, second);
    }
    // The kernel's share on good samples; empty without normalization.
    std::vector<double> shareOf(std::span<const double> values, const Treatment& how,
                                JobContext& job) const {
        if (!how.normalize) return {};
        std::vector<double> isGood(values.size());
        for (size_t i = 0; i < values.size(); ++i) isGood[i] = std::isfinite(values[i]) ? 1.0 : 0.0;
        return byHarmonics(isGood, job);
    }
    std::vector<double> finish(std::span<const double> values, std::vector<double> sums,
                               std::span<const double> share, const Treatment& how,
                               JobContext& job) const {
        std::vector<double> result = newVector<double>(std::ssize(sums), job);
        finishPlane<double>({values.data(), result.data(), how.normalize, how.mean}, sums,
                            how.normalize ? share.data() : nullptr, kernel.integral, job);
        return result;
    }
};

RowSmoothPlan::RowSmoothPlan(const RingRows& rows, const SmoothParameters& parameters,
                             const Device& device, JobContext& job)
    : state_(std::make_unique<State>(rows, parameters, device)) {
    state_->chooseMethod(job);
    if (isOnPixels(state_->parameters.method))
        state_->planSamples(job);
    else
        state_->planHarmonic(job);
}

RowSmoothPlan::RowSmoothPlan(const RingRows& rows, const EllipticalBeam& beam,
                             const SmoothParameters& parameters, const Device& device,
                             JobContext& job)
    : state_(std::make_unique<State>(rows, parameters, device)) {
    state_->planEllipse(beam, job);
}

RowSmoothPlan::~RowSmoothPlan() = default;
RowSmoothPlan::RowSmoothPlan(RowSmoothPlan&&) noexcept = default;
RowSmoothPlan& RowSmoothPlan::operator=(RowSmoothPlan&&) noexcept = default;

const SmoothReport& RowSmoothPlan::report() const {
    return state_->report;
}

std::vector<double> RowSmoothPlan::execute(std::span<const double> values, JobContext& job) {
    State& state = *state_;
    const RingRows& rows = state.rows;
    const State::Treatment how = state.treatmentOf(values);
    if (state.transform) return state.harmonic(values, how, job);
    std::vector<double> result = newVector<double>(static_cast<int64_t>(values.size()), job);
    const DirectPlane<double> plane{values.data(), result.data(), how.normalize, how.mean};
    const int64_t last = rows.first + rows.count - 1;
    if (state.onDevice)
        state.onDevice->execute(std::span(&plane, 1), rows.first, last, job);
    else if (state.modes)
        state.modes->execute(std::span(&plane, 1), rows.first, last, job);
    else
        state.samples->execute(std::span(&plane, 1), rows.first, last, job);
    return result;
}

std::array<std::vector<double>, 3> RowSmoothPlan::executePolarized(std::vector<double> t,
                                                                   std::vector<double> q,
                                                                   std::vector<double> u,
                                                                   JobContext& job) {
    const State& state = *state_;
    if (!state.parameters.polarization)
        throw InvalidArgument(
            "expected a plan with polarization for T, Q and U, found one without");
    for (size_t i = 0; i < std::min(q.size(), u.size()); ++i)
        if (!std::isfinite(q[i]) || !std::isfinite(u[i])) q[i] = u[i] = kNan;
    const std::array<std::vector<double>, 3> planes{std::move(t), std::move(q), std::move(u)};
    std::array<State::Treatment, 3> how;
    how[0] = state.treatmentOf(planes[0]);
    how[1] = state.treatmentOf(planes[1]);
    how[1].mean = 0.0;  // Q and U are no scalars.
    how[2] = how[1];    // The bad pixels are the same.
    JobContext first = job.part(0.0, 0.6), scalar = job.part(0.6, 0.8), pair = job.part(0.8, 1.0);
    std::array<std::vector<double>, 3> made = planes;
    for (size_t i = 0; i < 3; ++i)
        for (double& value : made[i]) value = std::isfinite(value) ? value - how[i].mean : 0.0;
    state.byHarmonicsPolarized(made, first);
    made[0] = state.finish(planes[0], std::move(made[0]), state.shareOf(planes[0], how[0], scalar),
                           how[0], scalar);
    // Q and U have the same bad samples, and so the same share.
    const std::vector<double> share = state.shareOf(planes[1], how[1], pair);
    for (size_t i = 1; i < 3; ++i)
        made[i] = state.finish(planes[i], std::move(made[i]), share, how[i], pair);
    return made;
}

}  // namespace armilla
