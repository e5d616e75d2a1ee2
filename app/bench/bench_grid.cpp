// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_grid.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/view_geometry.h"
#include "armilla/ops/grid.h"

namespace armilla::cli {

namespace {

constexpr uint64_t kSeed = 20260101;
constexpr double kCellSize = 200.0 * kArcsec, kKernel = 300.0 * kArcsec;
constexpr LonLat kField{60.0 * kDegree, 30.0 * kDegree};

struct Field {
    std::vector<double> lon, lat, values;
    int64_t width = 1;

    int64_t rows() const { return static_cast<int64_t>(lat.size()); }
    GridSamples samples(int64_t begin, int64_t count) const {
        const auto from = static_cast<size_t>(begin), size = static_cast<size_t>(count);
        return {std::span(lon).subspan(from, size),
                std::span(lat).subspan(from, size),
                kDegree,
                kDegree,
                {},
                {}};
    }
    GridValues column(int64_t begin, int64_t count) const {
        return {std::span<const double>(values).subspan(static_cast<size_t>(begin * width),
                                                        static_cast<size_t>(count * width)),
                width};
    }
};

// Point sources of a field as a telescope observes them: Gaussians of the width of the kernel,
// equal in every run, with noise of a hundredth of the brightest.
struct Sources {
    std::vector<Vec3> at;
    std::vector<double> peak;

    double valueAt(Vec3 place) const {
        const double sigma = kKernel / kFwhmOfSigma;
        double sum = 0.0;
        for (size_t i = 0; i < at.size(); ++i) {
            const Vec3 d = place - at[i];
            sum += peak[i] * std::exp(-0.5 * dot(d, d) / (sigma * sigma));
        }
        return sum;
    }
};
Sources randomSources(int count, double side) {
    std::mt19937_64 random(kSeed + static_cast<uint64_t>(count));
    std::uniform_real_distribution<double> share(-0.45, 0.45);
    Sources sources;
    for (int i = 0; i < count; ++i) {
        const double lon = kField.lon + share(random) * side / std::cos(kField.lat);
        sources.at.push_back(direction({lon, kField.lat + share(random) * side}));
        sources.peak.push_back(std::pow(10.0, 2.0 * (share(random) + 0.45) / 0.9 - 2.0));
    }
    return sources;
}

// Samples uniform on the sphere between two parallels, around the center of the field.
Field randomField(int64_t count, double side, int64_t width, const BenchHost& host) {
    JobContext silent = host.silentJob();
    Field field{newVector<double>(count, silent), newVector<double>(count, silent),
                newVector<double>(count * width, silent), width};
    const double low = std::sin(kField.lat - 0.5 * side), high = std::sin(kField.lat + 0.5 * side);
    constexpr int64_t kBlock = int64_t{1} << 16;
    parallelFor(silent, count, kBlock, [&](long long begin, long long end) {
        std::mt19937_64 random(kSeed + static_cast<uint64_t>(begin));
        std::uniform_real_distribution<double> share(-0.5, 0.5), height(low, high);
        std::normal_distribution<double> value(1.0, 2.0);
        for (long long i = begin; i < end; ++i) {
            const auto at = static_cast<size_t>(i);
            field.lon[at] = (kField.lon + share(random) * side / std::cos(kField.lat)) / kDegree;
            field.lat[at] = std::asin(height(random)) / kDegree;
            for (int64_t c = 0; c < width; ++c)
                field.values[at * static_cast<size_t>(width) + static_cast<size_t>(c)] =
                    value(random);
        }
    });
    return field;
}

std::vector<Vec3> squareCells(double side, double size) {
    const auto across = static_cast<int64_t>(std::llround(side / size));
    const Mat3 skyFromView = skyFromViewRotation(kField, 0.0);
    std::vector<Vec3> cells;
    for (int64_t j = 0; j < across; ++j)
        for (int64_t i = 0; i < across; ++i) {
            const double x = std::sin((static_cast<double>(i) + 0.5) * size - 0.5 * side);
            const double y = std::sin((static_cast<double>(j) + 0.5) * size - 0.5 * side);
            const double rest = 1.0 - x * x - y * y;
            if (rest > 0.0) cells.push_back(skyFromView * Vec3{std::sqrt(rest), x, y});
        }
    return cells;
}

// First channel of a cell from all samples, in extended precision.
double exactValue(const Field& field, Vec3 cell, double fwhm, double radius) {
    const long double sigma = fwhm / std::sqrt(8.0L * std::log(2.0L));
    const LonLat at = lonLat(cell);
    long double sum = 0.0L, weights = 0.0L;
    for (size_t i = 0; i < field.lat.size(); ++i) {
        if (std::abs(field.lat[i] * kDegree - at.lat) > 1.01 * radius) continue;
        const long double lon = field.lon[i] * (kDegree + 0.0L),
                          lat = field.lat[i] * (kDegree + 0.0L);
        const long double x = std::cos(lat) * std::cos(lon) - cell.x,
                          y = std::cos(lat) * std::sin(lon) - cell.y, z = std::sin(lat) - cell.z;
        const long double r =
            2.0L * std::asin(0.5L * std::min(2.0L, std::sqrt(x * x + y * y + z * z)));
        if (r > radius) continue;
        const long double weight = std::exp(-r * r / (2.0L * sigma * sigma));
        sum += weight * field.values[i * static_cast<size_t>(field.width)];
        weights += weight;
    }
    return static_cast<double>(sum / weights);
}
double errorOf(const Field& field, const std::vector<Vec3>& cells, const GridSums& sums,
               const GridKernel& kernel, size_t checked, const BenchHost& host) {
    const std::vector<double> found = griddedValues(sums);
    std::vector<double> wrong(checked), size(checked);
    JobContext silent = host.silentJob();
    parallelFor(silent, static_cast<long long>(checked), 1, [&](long long k, long long) {
        const auto at = static_cast<size_t>(k);
        const size_t cell = (2 * at + 1) * cells.size() / (2 * checked);
        const double truth = exactValue(field, cells[cell], kernel.fwhm, defaultRadius(kernel));
        if (std::isnan(truth) && std::isnan(found[cell])) return;
        wrong[at] = std::abs(found[cell] - truth);
        size[at] = std::abs(truth);
    });
    const double largest = *std::max_element(size.begin(), size.end());
    return largest > 0.0 ? *std::max_element(wrong.begin(), wrong.end()) / largest : 0.0;
}

struct Experiment {
    std::string name;
    int64_t samples = 0;
    double side = 0.0, cell = 0.0;
    int64_t channels = 1;
    GridTuning tuning{};
    int sources = 0;  // 0: noise only
};
// Number of cells to check: six, or all for a field of sources, whose map of differences is
// reported.
size_t checkedCells(const Experiment& experiment, size_t cells) {
    return experiment.sources > 0 ? cells : size_t{6};
}

Field fieldOf(const Experiment& experiment, const BenchHost& host) {
    Field field = randomField(experiment.samples, experiment.side, experiment.channels, host);
    if (experiment.sources > 0) {
        const Sources sources = randomSources(experiment.sources, experiment.side);
        for (size_t i = 0; i < field.lat.size(); ++i)
            field.values[i] =
                0.01 * field.values[i] +
                sources.valueAt(direction({field.lon[i] * kDegree, field.lat[i] * kDegree}));
    }
    return field;
}

// Gridding of all samples in pieces.
struct GridRun {
    GridSums sums;
    double orderSeconds = 0.0, gatherSeconds = 0.0;
    GridDeviceSteps device;
};
GridRun gridAll(GridPlan& plan, const Field& field, int64_t piece, JobContext& job) {
    GridRun run;
    for (int64_t begin = 0; begin < field.rows(); begin += piece) {
        const int64_t count = std::min(piece, field.rows() - begin);
        const GridValues values = field.column(begin, count);
        plan.order(field.samples(begin, count), job);
        GridSums sums = plan.execute({&values, 1}, job);
        if (begin == 0)
            run.sums = std::move(sums);
        else
            addSums(run.sums, sums);
        const GridReport& report = plan.report();
        run.orderSeconds += report.orderSeconds;
        run.gatherSeconds += report.gatherSeconds;
        run.device.bins += report.device.bins;
        run.device.sort += report.device.sort;
        run.device.place += report.device.place;
        run.device.values += report.device.values;
        run.device.gather += report.device.gather;
    }
    return run;
}

void run(const Experiment& experiment, const Field& field, const BenchSettings& settings,
         BenchHost& host) {
    const std::vector<Vec3> cells = squareCells(experiment.side, experiment.cell);
    GridKernel kernel;
    kernel.fwhm = settings.gridFwhm.value_or(kKernel);
    GridPlan plan(cells, kernel, host.device, experiment.tuning);
    const GridLoad load{static_cast<int64_t>(cells.size()), field.width, field.width};
    BenchRow row;
    row.name = experiment.name;
    row.samples = experiment.samples;
    row.maps = static_cast<int>(experiment.channels);
    row.fwhm = kernel.fwhm;
    const bool cpu = host.device.kind == DeviceKind::Cpu;
    BenchRow resident = row;
    resident.name += ".resident";
    GridSums sums;
    if (!cpu) {
        // The plan, which is kept, owns device memory and pinned buffers.
        JobContext silent = host.silentJob();
        gridAll(plan, field, rowsOfPiece(host.device, load), silent);
    }
    double fastest = 0.0, order = 0.0, gather = 0.0,
           least = std::numeric_limits<double>::infinity();
    measure(row, settings.runs, host, [&](JobContext& job) {
        // In pieces, like the operation.
        GridRun done = gridAll(plan, field, rowsOfPiece(host.device, load), job);
        sums = std::move(done.sums);
        if (done.orderSeconds + done.gatherSeconds < least) {
            least = done.orderSeconds + done.gatherSeconds;
            order = done.orderSeconds;
            gather = done.gatherSeconds;
        }
        const GridDeviceSteps& device = done.device;
        resident.seconds.push_back(device.sum());
        if (!cpu && (fastest == 0.0 || device.sum() < fastest)) {
            fastest = device.sum();
            resident.steps = {{"bins", device.bins},
                              {"sort", device.sort},
                              {"place", device.place},
                              {"values", device.values},
                              {"gather", device.gather}};
        }
    });
    row.steps = {{"order", order}, {"gather", gather}};
    row.error = errorOf(field, cells, sums, kernel, checkedCells(experiment, cells.size()), host);
    // Positions and values are read once from host memory.
    row.limitSeconds = 8.0 * static_cast<double>(2 + experiment.channels) *
                       static_cast<double>(experiment.samples) / host.ceiling.bytesPerSecond;
    row.limitBy = "memory";
    row.peakDeviceBytes = plan.report().deviceBytes;
    host.show(row);
    if (cpu) return;
    resident.error = row.error;
    resident.peakDeviceBytes = row.peakDeviceBytes;
    host.show(resident);
}

// Ten million samples with one partition of the work. The name grid.200as.c16 has tiles of 16
// cells; .t is threads of a block, .p parts of a tile, .b bins per radius, .f0 and .f1 without and
// with a filter.
Experiment shaped(double cellArcsec, const GridTuning& tuning) {
    std::string name = "grid." + std::to_string(static_cast<int>(cellArcsec)) + "as";
    const auto add = [&](const char* letter, int value) {
        if (value != 0) name += std::string(".") + letter + std::to_string(value);
    };
    add("c", tuning.cells);
    add("t", tuning.threads);
    add("p", tuning.parts);
    add("b", tuning.bins);
    if (tuning.filter != GridTuning::Filter::Auto)
        name += tuning.filter == GridTuning::Filter::On ? ".f1" : ".f0";
    return {name, 10000000, 5.0 * kDegree, cellArcsec * kArcsec, 1, tuning};
}

// Experiments of H. Wang et al. 2021 beside the number of samples: fields of other sizes (their
// figure 10), sources (12, 13); and many channels.
void addFigures(bool cpu, std::vector<Experiment>& all) {
    const double side = 5.0 * kDegree;
    for (const auto& [degrees, name] : {std::pair{0.1, "0.1"},
                                        {0.3, "0.3"},
                                        {1.0, "1"},
                                        {3.0, "3"},
                                        {10.0, "10"},
                                        {30.0, "30"},
                                        {60.0, "60"}})
        // Fields of 60 degrees have too many samples for a CPU.
        if (!cpu || degrees <= 10.0)
            all.push_back({std::string("grid.field") + name + "deg",
                           std::llround(1e5 * degrees * degrees), degrees * kDegree, kCellSize});
    for (const int sources : {25, 50})
        all.push_back(
            {"grid.sources" + std::to_string(sources), 100000, side, kCellSize, 1, {}, sources});
    all.push_back({"grid.channels", 100000, side, kCellSize, 100});
}

// Figures 7 and 8, and the other parameters of GridTuning.
std::vector<Experiment> shapes() {
    std::vector<Experiment> all;
    // Finer cells share more of their samples.
    for (const double cell : {200.0, 100.0, 40.0})
        for (const int together : {1, 4, 8, 16})
            for (const int threads : {64, 128, 256}) {
                GridTuning tuning;
                tuning.threads = threads;
                tuning.cells = together;
                all.push_back(shaped(cell, tuning));
            }
    for (const int together : {4, 8, 16})
        for (const auto filter : {GridTuning::Filter::Off, GridTuning::Filter::On}) {
            for (const int parts : {1, 2, 4, 8, 16}) {
                GridTuning tuning;
                tuning.cells = together;
                tuning.parts = parts;
                tuning.filter = filter;
                all.push_back(shaped(200.0, tuning));
            }
            for (const int bins : {2, 4, 5, 6, 8}) {
                GridTuning tuning;
                tuning.cells = together;
                tuning.bins = bins;
                tuning.filter = filter;
                all.push_back(shaped(200.0, tuning));
            }
        }
    return all;
}

}  // namespace

void benchGrid(const BenchSettings& settings, BenchHost& host) {
    const bool cpu = host.device.kind == DeviceKind::Cpu;
    std::vector<Experiment> all;
    const double side = 5.0 * kDegree;
    std::vector<int64_t> counts{1000, 10000, 100000, 1000000, 10000000};
    if (!cpu) counts.insert(counts.end(), {100000000, 360000000});
    if (!settings.samples.empty()) counts = settings.samples;
    for (const int64_t count : counts) all.push_back({"grid", count, side, kCellSize});
    if (settings.samples.empty()) addFigures(cpu, all);
    for (const Experiment& experiment : all) {
        requireMemory("grid", experiment.samples * 8 * (8 + 2 * experiment.channels));
        run(experiment, fieldOf(experiment, host), settings, host);
    }
}

void benchGridShapes(const BenchSettings& settings, BenchHost& host) {
    if (host.device.kind == DeviceKind::Cpu)
        throw Unsupported("grid-shapes: expected a CUDA device, found the CPU");
    const std::vector<Experiment> all = shapes();
    const Field field = fieldOf(all.front(), host);
    for (const Experiment& experiment : all) run(experiment, field, settings, host);
}

}  // namespace armilla::cli
