// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/synthesis.h"

#include <array>
#include <span>

#include "core/error.h"
#include "ops/sht.h"

namespace armilla::cli {

HealpixMap synthesize(Run& run, const std::vector<Alm>& alm, const SynthesisRequest& request,
                      JobContext& job) {
    ShtParameters parameters;
    parameters.nside = request.nside;
    parameters.lmax = alm.front().lmax();
    parameters.mmax = alm.front().mmax();
    const ShtPlan plan(parameters, run.device());
    const auto size = static_cast<size_t>(pixelCount(request.nside));
    const bool several = request.derivatives || alm.size() == 3;
    std::array<std::vector<double>, 3> maps;
    for (size_t i = 0; i < (several ? 3 : 1); ++i) maps[i].resize(size);

    std::array<const char*, 3> names{"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    if (request.derivatives) {
        names = {"TEMPERATURE", "DX_T", "DY_T"};
        plan.synthesisGradient(alm.front(), maps[0], maps[1], maps[2], job);
    } else if (several) {
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), maps[0], maps[1], maps[2],
                                job);
    } else {
        plan.synthesis(alm.front(), maps[0], job);
    }
    std::vector<Field> fields;
    for (size_t i = 0; i < (several ? 3 : 1); ++i)
        fields.push_back({names[i], request.unit, DiskType::Float64, std::move(maps[i])});
    HealpixMap map(request.nside, Ordering::Ring, request.frame, std::move(fields));
    map.metadata().object = "FULLSKY";
    return map;
}

}  // namespace armilla::cli
