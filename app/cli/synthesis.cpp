// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/synthesis.h"

#include <array>
#include <span>

#include "cli/files.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "ops/sht.h"

namespace armilla::cli {

HealpixMap synthesize(Run& run, const std::vector<Alm>& alm, const SynthesisRequest& request,
                      JobContext& job) {
    ShtParameters parameters;
    parameters.nside = request.nside;
    parameters.lmax = alm.front().lmax();
    parameters.mmax = alm.front().mmax();
    const bool several = request.derivatives || alm.size() == 3;
    const bool single = run.options().precision == StoredPrecision::Single;  // as it is stored
    // Asked before the plan, whose tables take seconds for large maps.
    const int64_t pixelBytes = (several ? 3 : 1) * (single ? 4 : 8);
    requireMemory("a map of nside " + std::to_string(request.nside),
                  pixelBytes * pixelCount(request.nside));
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    const ShtPlan plan(parameters, run.device(), planning);
    if (!plan.remark().empty()) run.note(plan.remark());
    std::array<const char*, 3> names{"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    if (request.derivatives) names = {"TEMPERATURE", "DX_T", "DY_T"};
    std::vector<Field> fields;
    std::array<MapSamples, 3> to;
    for (size_t i = 0; i < (several ? 3 : 1); ++i) {
        Field field{names[i], request.unit, single ? DiskType::Float32 : DiskType::Float64, {}};
        if (single)
            field.values = newVector<float>(pixelCount(request.nside), planning);
        else
            field.values = newVector<double>(pixelCount(request.nside), planning);
        fields.push_back(std::move(field));
        to[i] = samplesOf(fields.back());
    }
    if (request.derivatives)
        plan.synthesisGradient(alm.front(), to[0], to[1], to[2], working);
    else if (several)
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), to[0], to[1], to[2],
                                working);
    else
        plan.synthesis(alm.front(), to[0], working);
    HealpixMap map(request.nside, Ordering::Ring, request.frame, std::move(fields));
    map.metadata().object = "FULLSKY";
    return map;
}

}  // namespace armilla::cli
