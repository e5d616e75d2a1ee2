// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks of `armilla bench`: each gives rows of figures.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/host_ceiling.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/device.h"
#include "ops/sht_tuning.h"

namespace armilla::cli {

// At most so many, and no more once they have taken so long.
struct BenchRuns {
    int most = 5;
    double seconds = std::numeric_limits<double>::infinity();
};

struct BenchSettings {
    int64_t nside = 0;
    std::optional<int64_t> lmax;       // 2 nside
    double fwhm = 0.0;                 // radians
    std::vector<int64_t> samples;      // of grid; empty: not given
    std::optional<double> gridFwhm;    // radians, where --fwhm is given
    BenchRuns runs;                    // of each row
    std::optional<RingFfts> ringFfts;  // where; as tuned or with the Legendre sums
    int64_t points = 0;                // of correlate
    int sets = 1;                      // of random points
};

struct BenchRow {
    std::string name;
    int64_t nside = 0;
    int lmax = -1, spin = -1, maps = 1;  // -1: does not apply
    int64_t points = -1, sets = -1;
    double fwhm = -1.0;
    int64_t samples = -1;
    int64_t length = -1;                  // of the rows of FFTs, `maps` of them
    std::vector<double> seconds;          // of each run
    std::vector<double> cpuSeconds;       // of all threads in each; empty: not taken
    std::map<std::string, double> steps;  // of the fastest run, by the stages it reported
    std::optional<double> error;          // measured: see each case
    std::optional<double> estimate;       // of the error, by the program, where it makes one
    std::optional<double> limitSeconds;
    std::string limitBy;
    int64_t peakHostBytes = 0, peakDeviceBytes = 0;
    int64_t exchangedBytes = 0;  // between devices
};

struct BenchHost {
    Device device;
    HostCeiling ceiling;
    JobContext& job;
    std::function<void(const std::string&)> note;  // says a line on standard error
    std::function<void(const BenchRow&)> show;     // takes a row as soon as it is complete
    // One for what is not measured.
    JobContext silentJob() const { return {job.stopToken(), {}, job.threads()}; }
};

// White noise of unit variance, single precision, RING.
HealpixMap randomSky(int64_t nside);

// Runs `body` and notes times, steps and memory in `row`.
void measure(BenchRow& row, const BenchRuns& runs, BenchHost& host,
             const std::function<void(JobContext&)>& body);

// The names that `runBench` takes; beside them "tune".
std::vector<std::string_view> benchNames();
void runBench(std::string_view name, const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
