// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/synthesis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <variant>

#include "cli/files.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "ops/sht.h"

namespace armilla::cli {

namespace {

// Infinite values would be written as bad pixels.
void requireFinite(const Field& field, JobContext& job) {
    std::visit(
        [&](const auto& values) {
            parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                        [&](long long begin, long long end) {
                            if (std::all_of(values.begin() + begin, values.begin() + end,
                                            [](auto value) { return std::isfinite(value); }))
                                return;
                            throw InvalidArgument(
                                "expected values within " +
                                std::string(field.isSingle() ? "single" : "double") +
                                " precision in field " + field.name + ", found larger ones");
                        });
        },
        field.values);
}

}  // namespace

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
        const bool isDerivative = request.derivatives && i > 0 && !request.unit.empty();
        Field field{names[i],
                    request.unit + (isDerivative ? "/rad" : ""),
                    single ? DiskType::Float32 : DiskType::Float64,
                    {}};
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
    for (const Field& field : fields) requireFinite(field, working);
    HealpixMap map(request.nside, Ordering::Ring, request.frame, std::move(fields));
    map.metadata().object = "FULLSKY";
    return map;
}

}  // namespace armilla::cli
