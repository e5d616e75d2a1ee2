// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla grid SAMPLES... OUT`: grids scattered samples to an image, cube, map or sight lines.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/units.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/device_grid.h"
#include "armilla/operations/view.h"
#include "grid_output.h"
#include "grid_polarization.h"
#include "grid_samples.h"
#include "grid_target.h"
#include "operation_list.h"

namespace armilla {

namespace {

constexpr auto kKernels = [] {
    std::array<Choice<GridKernelKind>, kGridKernelTable.size()> choices{};
    for (size_t i = 0; i < choices.size(); ++i)
        choices[i] = {kGridKernelTable[i].word, kGridKernelTable[i].kind};
    return choices;
}();

constexpr std::array<Choice<SpectralFrame>, 3> kSpecsys{
    {{"topocentric", SpectralFrame::Topocentric},
     {"lsrk", SpectralFrame::Lsrk},
     {"barycentric", SpectralFrame::Barycentric}}};

bool needsBeam(GridKernelKind kind) {
    return factsOf(kind).width == GridKernelWidth::Beam;
}

Problems checkKernel(const GridOptions& o) {
    Problems problems;
    const bool round = o.kernel == GridKernelKind::Gaussian;
    if (round && !o.kernelFwhm && !o.beam)
        problems.push_back({"kernel-fwhm",
                            "expected the width of the kernel, or --beam to make it half as wide "
                            "as the beam, found none"});
    if (o.kernel == GridKernelKind::Gaussian2d && o.kernelAxes.empty())
        problems.push_back(
            {"kernel-axes", "expected MAJOR,MINOR,ANGLE for --kernel gaussian2d, found none"});
    if (needsBeam(o.kernel) && !o.beam)
        problems.push_back(
            {"beam", "expected the FWHM of the telescope beam for this kernel, found none"});
    if (!round && o.kernelFwhm)
        problems.push_back({"kernel-fwhm", "expected --kernel gaussian as well, found another"});
    if (o.kernel != GridKernelKind::Gaussian2d && !o.kernelAxes.empty())
        problems.push_back({"kernel-axes", "expected --kernel gaussian2d as well, found another"});
    return problems;
}

Problems check(const GridOptions& o, const GivenSlots& given) {
    Problems problems = checkKernel(o);
    const bool sightlines = given.contains("sightlines");
    const bool image = o.projection || o.center || o.size || o.resolution;
    const int targets =
        (o.like.empty() ? 0 : 1) + (o.nside ? 1 : 0) + (sightlines ? 1 : 0) + (image ? 1 : 0);
    if (targets != 1)
        problems.push_back({"",
                            "expected one target (--like IMAGE; --center, --size and --resolution; "
                            "--nside N; or --sightlines TABLE), found " +
                                std::string(targets == 0 ? "none" : "several")});
    if (image && targets == 1)
        for (const auto& [name, isGiven] :
             {std::pair{"center", o.center.has_value()}, std::pair{"size", o.size.has_value()},
              std::pair{"resolution", o.resolution.has_value()}})
            if (!isGiven)
                problems.push_back(
                    {name, "expected this option for an image as the target, found none"});
    for (const char* slot : {"weights-out", "counts-out"})
        if (sightlines && given.contains(slot))
            problems.push_back({slot,
                                "expected an image or a map as the target, found sight lines, "
                                "whose table already has weights and counts"});
    if (o.frame && sightlines)
        problems.push_back(
            {"frame", "expected no --frame, because the target has its own, found one"});
    if (!o.nside && (o.sparse || o.ordering != Ordering::Ring))
        problems.push_back(
            {o.sparse ? "sparse" : "ordering", "expected --nside as well, found another target"});
    if (o.nside && o.ordering == Ordering::Nested && !isPowerOfTwoNside(*o.nside))
        problems.push_back({"nside", "expected a power of two for --ordering nested, found " +
                                         std::to_string(*o.nside)});
    if (o.kernel == GridKernelKind::Nearest && sightlines && !o.radius)
        problems.push_back(
            {"radius", "expected this option for --kernel nearest on sight lines, found none"});
    if (o.lon.empty() != o.lat.empty())
        problems.push_back(
            {o.lon.empty() ? "lon" : "lat", "expected both --lon and --lat, found one of them"});
    return problems;
}

GridKernel kernelOf(const GridOptions& o, const GridTarget& target) {
    GridKernel kernel;
    kernel.kind = o.kernel;
    kernel.beam = o.beam.value_or(0.0);
    if (o.kernel == GridKernelKind::Gaussian)
        kernel.fwhm = o.kernelFwhm.value_or(0.5 * kernel.beam);
    if (o.kernel == GridKernelKind::Gaussian2d) {
        kernel.fwhm = o.kernelAxes.at(0);
        kernel.minorFwhm = o.kernelAxes.at(1);
        kernel.angle = o.kernelAxes.at(2);
    }
    // The nearest sample is searched at least as far as the corners of a cell.
    kernel.radius =
        o.radius.value_or(o.kernel == GridKernelKind::Nearest ? std::sqrt(0.5) * target.cellSize
                                                              : defaultRadius(kernel));
    return kernel;
}

// Share of a square cell of side 1 that is farther than `radius` from its center.
double lostShare(double radius) {
    if (radius >= std::sqrt(0.5)) return 0.0;
    const double r2 = radius * radius;
    if (radius <= 0.5) return 1.0 - kPi * r2;
    const double chord = std::sqrt(r2 - 0.25);
    return 1.0 - (kPi * r2 - 4.0 * (r2 * std::acos(0.5 / radius) - 0.5 * chord));
}
void noteNarrow(const Context& context, const GridKernel& kernel, const GridTarget& target) {
    if (kernel.kind == GridKernelKind::Nearest || target.cellSize <= 0.0) return;
    const double width = kernel.kind == GridKernelKind::Gaussian2d ? kernel.minorFwhm
                         : needsBeam(kernel.kind)                  ? kernel.beam
                                                                   : kernel.fwhm;
    if (width >= target.cellSize) return;
    std::string lost;
    const double share = lostShare(kernel.radius / target.cellSize);
    if (share > 0.0)
        lost = ", and samples on " + std::to_string(std::lround(100.0 * share)) +
               " % of the area, which lie beyond the radius of every cell";
    context.note("the kernel (" + formatAngle(width) + ") is narrower than the cells (" +
                 formatAngle(target.cellSize) +
                 "): variations within a cell are lost; use smaller cells or a wider kernel" +
                 lost);
}

// The beam of the samples: BMAJ and BMIN of their headers, else --beam.
void takeBeam(std::vector<GridTable>& tables, const GridOptions& options, const Context& context) {
    std::optional<BeamEllipse>& beam = tables.front().beam;
    const auto differs = [&](const GridTable& table) {
        if (beam.has_value() != table.beam.has_value()) return true;
        return beam && (std::abs(beam->major - table.beam->major) > 1e-6 * beam->major ||
                        std::abs(beam->minor - table.beam->minor) > 1e-6 * beam->minor);
    };
    const auto perBeam =
        std::find_if(tables.front().channels.begin(), tables.front().channels.end(),
                     [](const GridChannel& channel) { return isPerBeam(channel.unit); });
    if (const auto other = std::find_if(tables.begin(), tables.end(), differs);
        other != tables.end()) {
        if (perBeam != tables.front().channels.end())
            throw InvalidArgument(other->name + ": expected the beam (BMAJ, BMIN) of " +
                                  tables.front().name + " for values in " + perBeam->unit +
                                  ", found another");
        beam.reset();
    } else if (beam && options.beam &&
               std::abs(beam->area() / (*options.beam * *options.beam) - 1.0) > 1e-3) {
        context.note(tables.front().name + ": the beam of the samples is BMAJ and BMIN (" +
                     formatAngle(beam->major) + "), not --beam");
    } else if (!beam && options.beam) {
        beam = BeamEllipse{*options.beam, *options.beam, 0.0};
    }
}

struct Totals {
    GridSums sums;
    int64_t samples = 0, used = 0, bad = 0, outside = 0;
};

void gridTable(Context& context, GridPlan& plan, int64_t cells, const GridTable& table,
               const Mat3& turn, Totals& totals, JobContext& job) {
    const int64_t piece = rowsOfPiece(
        context.device, {cells, static_cast<int64_t>(table.channels.size()), table.widest()});
    for (int64_t begin = 0; begin < table.rows; begin += piece) {
        const int64_t end = std::min(table.rows, begin + piece);
        const auto share = [&](int64_t row) {
            return static_cast<double>(row) / static_cast<double>(table.rows);
        };
        const JobContext part = job.part(share(begin), share(end));
        JobContext ordering = part.part(0.0, 0.5), gathering = part.part(0.5, 1.0);
        GridSamples samples = table.samples(begin, end);
        samples.targetFromSamples = turn;
        try {
            plan.order(samples, ordering);
        } catch (InvalidArgument& error) {
            if (begin > 0) error.addContext("rows from " + std::to_string(begin + 1) + " on");
            throw;
        }
        const std::vector<GridValues> values = table.values(begin, end);
        GridSums sums = plan.execute(values, gathering);
        if (totals.sums.cells == 0 && totals.samples == 0)
            totals.sums = std::move(sums);
        else
            addSums(totals.sums, sums);
        totals.samples += end - begin;
        totals.used += plan.report().used;
        totals.bad += plan.report().bad;
        totals.outside += plan.report().outside;
    }
}

Outputs run(Context& context, Inputs& inputs, const GridOptions& options) {
    std::vector<GridTable> tables;
    for (const Input* input : inputs.several("SAMPLES"))
        tables.push_back(naming(input->name, [&] {
            return gridTableOf(input->name, input->table(), options, context);
        }));
    requireAlike(tables);
    alignChannels(tables, options.specsys, context);
    takeBeam(tables, options, context);
    const NamedFrame samples{tables.front().name, tables.front().frame};
    const Input* lines = inputs.find("sightlines");
    JobContext placing = context.job.part(0.0, 0.1), working = context.job.part(0.1, 1.0);
    GridTarget target = gridTarget(options, lines, samples, context.statedFrame, placing);
    const GridKernel kernel = kernelOf(options, target);
    for (size_t i = 0; i < tables.size(); ++i)
        naming(tables[i].name, [&] {
            turnPolarization(tables[i], *tables[i].table, target.frame, context, placing);
        });
    if (target.nside > 0) fillPixelsNear(target, tables, kernel.radius, placing);
    noteNarrow(context, kernel, target);
    Totals totals;
    GridPlan plan(target.cells, kernel, context.device);
    for (size_t i = 0; i < tables.size(); ++i) {
        const auto count = static_cast<double>(tables.size());
        JobContext part =
            working.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        naming(tables[i].name, [&] {
            gridTable(context, plan, static_cast<int64_t>(target.cells.size()), tables[i],
                      turnOf(target.frame, tables[i]), totals, part);
        });
    }
    // Samples of weight 0 are counted but contribute no value.
    const auto touched = std::any_of(totals.sums.weights.begin(), totals.sums.weights.end(),
                                     [](double weight) { return weight != 0.0; });
    if (!touched)
        throw InvalidArgument(
            "expected samples with a value and a weight above 0 within " +
            formatAngle(kernel.radius) + " of a cell of the target, found none of " +
            std::to_string(totals.samples) + " there" +
            (totals.bad > 0 ? " (" + std::to_string(totals.bad) + " without a position or a weight)"
                            : ""));
    Json& figures = context.figures;
    figures.set("samples", totals.samples);
    figures.set("used", totals.used);
    figures.set("bad", totals.bad);
    figures.set("outside", totals.outside);
    figures.set("kernel", factsOf(kernel.kind).word);
    if (kernel.fwhm > 0.0) figures.set("kernel_fwhm_arcsec", kernel.fwhm / kArcsec);
    figures.set("radius_arcsec", kernel.radius / kArcsec);
    return gridOutputs(context, options, tables.front(), target, kernel, std::move(totals.sums),
                       lines);
}

// The column that holds these numbers.
int columnOf(const Table& table, std::span<const double> numbers) {
    const auto holds = [&](const TableColumn& column) {
        const auto* held = std::get_if<std::vector<double>>(&column.values);
        return held != nullptr && held->data() == numbers.data();
    };
    const auto found = std::find_if(table.columns.begin(), table.columns.end(), holds);
    ARMILLA_ASSERT(found != table.columns.end());
    return static_cast<int>(found - table.columns.begin());
}

bool isTurnedStokes(const GridChannel& channel) {
    const char stokes = stokesParameter(channel.name);
    return stokes == 'Q' || stokes == 'U';
}

}  // namespace

DeviceGridSetup deviceGridSetup(const ParameterSet& parameters, const Table& columns,
                                Context& context) {
    const auto& options = parameters.as<GridOptions>();
    if (!options.where.empty() || !options.flag.empty() || options.specsys || options.sparse ||
        options.ordering != Ordering::Ring)
        throw Unsupported(
            "expected samples in device memory without where, flag, specsys, sparse and ordering, "
            "found one of them");
    const GridTable table = gridTableOf("samples", columns, options, context);
    if (table.isSingleDish || !table.northAngle.empty())
        throw Unsupported(
            "expected positions in the frame G, E or C and no spectra in device memory, found "
            "others");
    GridTarget target =
        gridTarget(options, nullptr, {table.name, table.frame}, context.statedFrame, context.job);
    if (target.frame != table.frame &&
        std::any_of(table.channels.begin(), table.channels.end(), isTurnedStokes))
        throw Unsupported(
            "expected Q and U in device memory in the frame of the target, because they are not "
            "rotated there, found another frame");
    DeviceGridSetup setup;
    setup.kernel = kernelOf(options, target);
    noteNarrow(context, setup.kernel, target);
    setup.lon = columnOf(columns, table.lon);
    setup.lat = columnOf(columns, table.lat);
    if (!options.weight.empty()) setup.weight = columns.columnIndex(options.weight);
    for (const std::string& name : table.names) setup.values.push_back(columns.columnIndex(name));
    setup.lonUnit = table.lonUnit;
    setup.latUnit = table.latUnit;
    setup.targetFromSamples = turnOf(target.frame, table);
    setup.frame = target.frame;
    setup.nside = target.nside;
    if (target.nside > 0) {
        target.pixels = newVector<int64_t>(pixelCount(target.nside), context.job);
        std::iota(target.pixels.begin(), target.pixels.end(), int64_t{0});
        placePixels(target, context.job);
    } else {
        setup.width = target.image.width;
        setup.height = target.image.height;
    }
    setup.cells = std::move(target.cells);
    return setup;
}

void describe(Description& d, GridOptions& p) {
    d.text("lon", p.lon,
           {.standard = "found by UCD or name", .label = "Longitude", .placeholder = "COL"},
           "longitude column (RA, GLON, ...)");
    d.text("lat", p.lat,
           {.standard = "found by UCD or name", .label = "Latitude", .placeholder = "COL"},
           "latitude column (DEC, GLAT, ...)");
    d.words("value", p.value, {.standard = "found by UCD or name", .placeholder = "COL[,COL...]"},
            "value columns; flux_* selects all whose names begin with flux_; each element of a "
            "vector column is a channel");
    d.text("weight", p.weight, {.placeholder = "COL"},
           "column of sample weights; default: weight 1");
    d.text("flag", p.flag, {.placeholder = "COL"},
           "flag column: samples with a value other than 0 are skipped");
    d.frame("samples-frame", p.samplesFrame, {.standard = "frame named by the columns"},
            "frame of the sample positions");
    d.text("where", p.where, {.placeholder = "EXPRESSION"},
           "condition on columns that selects rows, such as \"PLNUM == 0 and CAL == 'F'\"");
    d.choice("specsys", p.specsys, kSpecsys,
             {.standard = "frame of the file", .label = "Velocity frame"},
             "velocity frame of the output channels of single-dish spectra; each row is shifted by "
             "its time and direction");
    d.file("like", p.like, {.placeholder = "IMAGE"}, "image whose pixel grid is the target");
    d.choice("projection", p.projection, kProjectionChoices, {.standard = "gnomonic"},
             "projection of the target image");
    d.position("center", p.center, {}, "center of the target image, in its frame");
    d.size("size", p.size, {}, "size of the target image in pixels");
    d.angle(
        "resolution", p.resolution,
        {.unit = "arcsec", .least = 0.0, .most = kPi, .aboveLeast = true, .sliderMost = kDegree},
        "angle per pixel at the center of the target image");
    d.frame("frame", p.frame, {.standard = "frame of the samples"},
            "frame of the target image or map");
    d.integer("nside", p.nside, {.unit = "none", .least = 1, .most = 65536},
              "resolution of a HEALPix map as the target");
    d.choice("ordering", p.ordering, kOrderingChoices, {}, "pixel ordering of the target map");
    d.flag("sparse", p.sparse, {}, "write a partial map of the pixels with samples");
    d.choice("kernel", p.kernel, kKernels, {},
             "kernel that weights samples by their distance from a cell");
    d.angle("kernel-fwhm", p.kernelFwhm,
            {.unit = "arcsec",
             .least = 0.0,
             .most = kHalfPi,
             .aboveLeast = true,
             .sliderMost = kDegree,
             .standard = "half the beam",
             .label = "Kernel FWHM"},
            "FWHM of --kernel gaussian");
    d.angles("kernel-axes", p.kernelAxes,
             {.unit = "arcmin,arcmin,deg", .placeholder = "MAJOR,MINOR,ANGLE"},
             "FWHMs of --kernel gaussian2d and the position angle of its major axis, from north "
             "through east; degrees without a unit");
    d.angle("radius", p.radius,
            {.unit = "arcsec",
             .least = 0.0,
             .most = kHalfPi,
             .aboveLeast = true,
             .standard = "3 sigma, or the beam"},
            "largest distance of a sample from a cell");
    d.angle("beam", p.beam, {.unit = "arcsec", .least = 0.0, .most = kHalfPi, .aboveLeast = true},
            "FWHM of the telescope beam, for --kernel tapered-sinc and bessel-gauss and for the "
            "header");
}

Operation gridOperation() {
    return define<GridOptions>(
        {.id = "grid",
         .title = "Grid",
         .help = "grid scattered samples to an image, cube or map",
         .inputs = {{.name = "SAMPLES",
                     .kind = DataKind::Table,
                     .help = "tables of samples, combined into one",
                     .isRepeatable = true},
                    {.name = "sightlines",
                     .kind = DataKind::Table,
                     .help = "table of positions as the target",
                     .isOption = true,
                     .isOptional = true}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Image,
                      .help =
                          "output image, cube, map or table, with extensions WEIGHTS and COUNTS",
                      .kindGiven =
                          [](const GivenSlots& given) {
                              return given.contains("sightlines") ? DataKind::Table
                                                                  : DataKind::Image;
                          }},
                     {.name = "weights-out",
                      .kind = DataKind::Image,
                      .help = "output file of the sums of weights",
                      .isOption = true},
                     {.name = "counts-out",
                      .kind = DataKind::Image,
                      .help = "output file of the numbers of samples",
                      .isOption = true}},
         .devices = {.cuda = true},
         .keyParameters = "kernel,kernel-fwhm"},
        {.check = check, .run = run});
}

}  // namespace armilla
