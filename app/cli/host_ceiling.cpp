// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/host_ceiling.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace armilla::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Independent chains of multiply-adds: 128 hide a latency of 4 cycles at 2 units of 8 lanes.
constexpr int kChains = 128;
constexpr int kRounds = 20000;

// The loop is compiled for several instruction sets, and the best that the processor has runs.
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#endif
void multiplyAdd(double* values, double factor, double term) {
    std::array<double, kChains> chain;
    std::copy_n(values, kChains, chain.begin());
    for (int round = 0; round < kRounds; ++round)
        for (int i = 0; i < kChains; ++i) chain[i] = __builtin_fma(chain[i], factor, term);
    std::copy_n(chain.begin(), kChains, values);
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best rate of one thread while all are busy; `work` does `amount` of it.
template <typename Work>
double bestRate(double seconds, double amount, const Work& work) {
    double best = 0.0;
    for (const Clock::time_point begin = Clock::now(); secondsSince(begin) < seconds;) {
        const Clock::time_point start = Clock::now();
        work();
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
        std::vector<double> values(kChains, 0.5);
        return bestRate(0.8 * seconds, 2.0 * kChains * kRounds,
                        [&] { multiplyAdd(values.data(), 0.999999, 1e-6); });
    });
    ceiling.bytesPerSecond = sumOverThreads(threads, [&] {
        constexpr size_t kBytes = size_t{1} << 26;
        std::vector<char> from(kBytes, 1);
        std::vector<char> to(kBytes, 0);
        return bestRate(0.2 * seconds, 2.0 * kBytes,
                        [&] { std::memcpy(to.data(), from.data(), kBytes); });
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
