// SPDX-License-Identifier: GPL-3.0-or-later
// What map2alm and anafast share: a map analyzed into alm.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/run.h"
#include "core/harmonics.h"
#include "core/healpix_map.h"
#include "ops/sht.h"

namespace armilla::cli {

struct TransformOptions {
    std::optional<int64_t> lmax, mmax, iterations;
    Weights weights = Weights::None;
    std::optional<double> tolerance;
    bool polarization = false;
};
void addTransformOptions(CLI::App& app, TransformOptions& options);
// --lmax, --iterations and --weights alone, for commands with their own polarization.
void addLmax(CLI::App& app, std::optional<int64_t>& lmax, const std::string& help);
void addIterations(CLI::App& app, std::optional<int64_t>& iterations);
void addWeights(CLI::App& app, Weights& weights, const std::string& standard);
// Throws UsageError if mmax exceeds lmax.
void checkTransformOptions(const TransformOptions& options);

struct Analysis {
    std::vector<Alm> alm;  // T, or T, E, B
    int64_t nside = 0;
    Frame frame = Frame::Unknown;
    std::string unit;
    ShtParameters parameters;
    ShtConvergence convergence;
};
// Reads the field that --field names, or T, Q and U, and analyzes it. Notes say how, and how many
// bad pixels there were, which count as zero.
Analysis analyze(Run& run, const std::string& path, const TransformOptions& options,
                 JobContext& job);
// "ring weights, 3 iterations": the way of an analysis, for people.
std::string describeWay(Weights weights, int iterations);
// Says where pixel weights are, after an analysis with them.
void noteWeights(Run& run, Weights weights, int64_t nside);
// Says on standard error that `count` pixels counted as zero.
void noteBadPixels(Run& run, const std::string& path, int64_t count, int64_t total);
void setParameters(Json& json, const Analysis& analysis);

}  // namespace armilla::cli
