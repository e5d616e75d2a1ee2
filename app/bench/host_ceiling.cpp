// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/host_ceiling.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "armilla/core/seconds_since.h"

namespace armilla::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 20000;

// Runs independent chains of multiply-adds and returns the number of operations. The chains hide a
// latency of 4 cycles at 2 units and fit into the registers. They start from 16 different values
// and store their ends, since the compiler would compute equal chains once.
double multiplyAddPlain(double* values) {
    constexpr int kChains = 12;
    std::array<double, kChains> chain;
    std::copy_n(values, kChains, chain.begin());
    for (int round = 0; round < kRounds; ++round)
        for (double& value : chain) value = value * 0.999999 + 1e-6;
    std::copy(chain.begin(), chain.end(), values);
    return 2.0 * kChains * kRounds;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) double multiplyAddAvx2(double* values) {
    constexpr int kChains = 12;
    __m256d chain[kChains];
    for (int i = 0; i < kChains; ++i) chain[i] = _mm256_set1_pd(values[i]);
    const __m256d factor = _mm256_set1_pd(0.999999);
    const __m256d term = _mm256_set1_pd(1e-6);
    for (int round = 0; round < kRounds; ++round)
        for (__m256d& value : chain) value = _mm256_fmadd_pd(value, factor, term);
    for (int i = 0; i < kChains; ++i) values[i] = _mm256_cvtsd_f64(chain[i]);
    return 2.0 * 4 * kChains * kRounds;
}

__attribute__((target("avx512f"))) double multiplyAddAvx512(double* values) {
    constexpr int kChains = 16;
    __m512d chain[kChains];
    for (int i = 0; i < kChains; ++i) chain[i] = _mm512_set1_pd(values[i]);
    const __m512d factor = _mm512_set1_pd(0.999999);
    const __m512d term = _mm512_set1_pd(1e-6);
    for (int round = 0; round < kRounds; ++round)
        for (__m512d& value : chain) value = _mm512_fmadd_pd(value, factor, term);
    for (int i = 0; i < kChains; ++i) values[i] = _mm512_cvtsd_f64(chain[i]);
    return 2.0 * 8 * kChains * kRounds;
}
#endif

double multiplyAdd(double* values) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return multiplyAddAvx512(values);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return multiplyAddAvx2(values);
#endif
    return multiplyAddPlain(values);
}

// Best rate of one thread while all are busy; `work` returns the amount done.
template <typename Work>
double bestRate(double seconds, const Work& work) {
    double best = 0.0;
    for (const Clock::time_point begin = Clock::now(); secondsSince(begin) < seconds;) {
        const Clock::time_point start = Clock::now();
        const double amount = work();
        best = std::max(best, amount / secondsSince(start));
    }
    return best;
}

template <typename Body>
double sumOverThreads(int threads, const Body& body) {
    std::vector<double> rates(static_cast<size_t>(threads));
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back([&, i] { rates[static_cast<size_t>(i)] = body(); });
    }
    double sum = 0.0;
    for (const double rate : rates) sum += rate;
    return sum;
}

}  // namespace

HostCeiling measureHostCeiling(int threads, double seconds) {
    HostCeiling ceiling;
    ceiling.flops = sumOverThreads(threads, [&] {
        std::vector<double> values(16);
        for (size_t i = 0; i < values.size(); ++i) values[i] = 0.5 + 0.01 * static_cast<double>(i);
        return bestRate(0.8 * seconds, [&] { return multiplyAdd(values.data()); });
    });
    ceiling.bytesPerSecond = sumOverThreads(threads, [&] {
        constexpr size_t kBytes = size_t{1} << 26;
        std::vector<char> from(kBytes, 1);
        std::vector<char> to(kBytes, 0);
        return bestRate(0.2 * seconds, [&] {
            std::memcpy(to.data(), from.data(), kBytes);
            return 2.0 * static_cast<double>(kBytes);
        });
    });
    return ceiling;
}

void resetPeakMemory() {
    // proc(5): 5 resets the peak resident set size.
    std::ofstream("/proc/self/clear_refs") << "5";
}

int64_t peakMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return 1024 * std::stoll(line.substr(6));
    return 0;
}

}  // namespace armilla::cli
