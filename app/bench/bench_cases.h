// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks of `armilla bench`: each yields rows of figures.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/device.h"
#include "armilla/ops/sht_tuning.h"
#include "bench/host_ceiling.h"

namespace armilla::cli {

// Largest number of runs, and the time after which no further run begins.
struct BenchRuns {
    int most = 5;
    double seconds = std::numeric_limits<double>::infinity();
};

struct BenchSettings {
    int64_t nside = 0;
    std::optional<int64_t> lmax;     // default 2 nside
    double fwhm = 0.0;               // radians
    std::vector<int64_t> samples;    // for grid; empty: not given
    std::optional<double> gridFwhm;  // radians, if --fwhm is given
    BenchRuns runs;                  // runs of each row
    // device of ring FFTs; else as tuned or with the Legendre sums
    std::optional<RingFfts> ringFfts;
    int64_t points = 0;  // for correlate
    int sets = 1;        // sets of random points
    int maps = 8;        // for maps
};

struct BenchRow {
    std::string name;
    int64_t nside = 0;
    int lmax = -1, spin = -1, maps = 1;  // -1: not applicable
    int64_t points = -1, sets = -1;
    double fwhm = -1.0;
    int64_t samples = -1;
    int64_t length = -1;                  // row length of FFTs; `maps` is their number
    std::vector<double> seconds;          // one for each run
    std::vector<double> cpuSeconds;       // all threads of each run; empty: not measured
    std::map<std::string, double> steps;  // stages of the fastest run
    std::optional<double> error;          // measured; defined by each case
    std::optional<double> estimate;       // error estimated by the program, if it does so
    std::optional<double> limitSeconds;
    std::string limitBy;
    int64_t peakHostBytes = 0, peakDeviceBytes = 0;
    int64_t exchangedBytes = 0;  // bytes between devices
};

struct BenchHost {
    Device device;
    HostCeiling ceiling;
    JobContext& job;
    std::function<void(const std::string&)> note;  // prints a line on standard error
    std::function<void(const BenchRow&)> show;     // receives each complete row
    // Job for work that is not measured.
    JobContext silentJob() const { return {job.stopToken(), {}, job.threads()}; }
};

// White noise of unit variance, single precision, RING.
HealpixMap randomSky(int64_t nside);

// Runs `body` and records times, steps and memory in `row`.
void measure(BenchRow& row, const BenchRuns& runs, BenchHost& host,
             const std::function<void(JobContext&)>& body);

// Names for `runBench`, besides "tune".
std::vector<std::string_view> benchNames();
void runBench(std::string_view name, const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
