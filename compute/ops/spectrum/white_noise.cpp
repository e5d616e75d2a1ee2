// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/white_noise.h"

#include <string>

#include "armilla/core/error.h"
#include "armilla/core/number_text.h"
#include "shared/philox.h"

namespace armilla {

namespace {

// Last word of the counters of noise; that of random coefficients is 0.
constexpr uint32_t kNoise = 1;
constexpr long long kGrain = 4096;

}  // namespace

void addWhiteNoise(MapSamples samples, ConstMapSamples rms, uint64_t seed, uint32_t field,
                   JobContext& job) {
    if (sizeOf(samples) != sizeOf(rms))
        throw InvalidArgument("expected noise for " + std::to_string(sizeOf(samples)) +
                              " pixels, found " + std::to_string(sizeOf(rms)));
    std::visit(
        [&](auto& values, const auto& sigma) {
            using Value = typename std::remove_reference_t<decltype(values)>::value_type;
            parallelFor(job, static_cast<long long>(values.size()), kGrain,
                        [&](long long begin, long long end) {
                            for (long long p = begin; p < end; ++p) {
                                const auto i = static_cast<size_t>(p);
                                const auto width = static_cast<double>(sigma[i]);
                                if (width < 0.0)
                                    throw InvalidArgument("expected an rms of 0 or more, found " +
                                                          numberText(width));
                                const auto deviate =
                                    normalPair({static_cast<uint32_t>(p),
                                                static_cast<uint32_t>(p >> 32), field, kNoise},
                                               seed)[0];
                                values[i] = static_cast<Value>(static_cast<double>(values[i]) +
                                                               width * deviate);
                            }
                        });
        },
        samples, rms);
}

}  // namespace armilla
