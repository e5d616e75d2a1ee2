// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QtTest>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "support/less_memory.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace armilla;

// Number of allocations of this thread that still succeed; negative: all.
static thread_local int allocationsLeft = -1;

// Not inlined: GCC 14 would see free() of what it takes for memory of another allocator.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (allocationsLeft == 0) throw std::bad_alloc();
    if (allocationsLeft > 0) --allocationsLeft;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

// Calls it with a shifted stack, so that no data of an earlier call remain below.
template <typename Call>
[[gnu::noinline]] void deeper(const Call& call) {
    volatile unsigned char below[1 << 14];
    for (auto& each : below) each = 0x5a;
    call();
    below[0] = 0;
}

}  // namespace

#ifdef __x86_64__
namespace {

// True if the processor reports the state in use (XGETBV with 1).
bool tellsState() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) != 0 &&
           (a & 4U) != 0;
}
__attribute__((target("xsave"))) bool upperHalvesInUse() {
    return (_xgetbv(1) & 4U) != 0;
}
// Leaves the upper halves in use, like a library without vzeroupper at its end.
void useUpperHalves() {
    const float value = 1.0F;
    asm volatile("vbroadcastss %0, %%ymm7" : : "m"(value) : "xmm7");
}

}  // namespace
#endif

class JobContextTest : public QObject {
    Q_OBJECT
private slots:
    void everyIndexOnce_data() {
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 1;
        QTest::newRow("five threads") << 5;
    }
    void everyIndexOnce() {
        QFETCH(int, threads);
        JobContext job({}, {}, threads);
        std::vector<std::atomic<int>> seen(1237);
        parallelFor(job, 1237, 10, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
        });
        for (const auto& count : seen) QCOMPARE(count.load(), 1);
    }
    // Stacks of a thousand threads take 8 GB; each address range is a separate reservation.
    void doesWithTheThreadsThatStart() {
        JobContext job({}, {}, 1000);
        std::vector<std::atomic<int>> seen(5000);
        {
            const test::LessMemory scope(400'000'000);
            parallelFor(job, 5000, 1, [&](long long begin, long long) {
                const std::vector<double> own(10000, 1.0);
                seen[static_cast<size_t>(begin)] += static_cast<int>(own.back());
            });
        }
        for (const auto& count : seen) QCOMPARE(count.load(), 1);
    }
    // Nested loops finish even if all helpers are busy; each index is visited once.
    void loopsInsideLoops() {
        JobContext job({}, {}, 4);
        std::vector<std::atomic<int>> seen(40 * 25 * 9);
        parallelFor(job, 40, 1, [&](long long outer, long long) {
            JobContext inner({}, {}, 4);
            parallelFor(inner, 25, 2, [&](long long begin, long long end) {
                for (long long middle = begin; middle < end; ++middle) {
                    JobContext last({}, {}, 3);
                    parallelFor(last, 9, 1, [&](long long i, long long) {
                        ++seen[static_cast<size_t>((outer * 25 + middle) * 9 + i)];
                    });
                }
            });
        });
        for (const auto& count : seen) QCOMPARE(count.load(), 1);
    }
    // Whichever allocation fails, of the pool or of its threads: the loop finishes or reports an
    // error, and the next one finds an intact pool.
    void doesWithoutMemoryForThreads() {
        for (int left = 0; left < 40; ++left) {
            std::jthread([left] {
                // Another priority uses another pool, which has no threads yet.
                setpriority(PRIO_PROCESS, 0, 1 + left % 19);
                JobContext job({}, {}, 8);
                std::vector<std::atomic<int>> seen(1000);
                const std::function<void(long long, long long)> count =
                    [&seen](long long begin, long long) { ++seen[static_cast<size_t>(begin)]; };
                bool isWhole = true;
                allocationsLeft = left % 20;
                try {
                    parallelFor(job, 1000, 1, count);
                } catch (const std::bad_alloc&) {
                    isWhole = false;
                }
                allocationsLeft = -1;
                for (auto& each : seen) {
                    if (isWhole) QCOMPARE(each.load(), 1);
                    each = 0;
                }
                deeper([&] { parallelFor(job, 1000, 1, count); });
                for (const auto& each : seen) QCOMPARE(each.load(), 1);
            });
        }
    }
    // Simultaneous callers, from separate threads.
    void manyCallers() {
        std::atomic<long long> sum{0};
        {
            std::vector<std::jthread> callers;
            for (int c = 0; c < 8; ++c)
                callers.emplace_back([&] {
                    JobContext job({}, {}, 5);
                    for (int round = 0; round < 50; ++round)
                        parallelFor(job, 100, 7, [&](long long begin, long long end) {
                            for (long long i = begin; i < end; ++i) sum += i;
                        });
                });
        }
        QCOMPARE(sum.load(), 8LL * 50 * 4950);
    }
    // Threads are reused: the same few run again.
    void threadsStay() {
        std::mutex guard;
        std::set<std::thread::id> seen;
        JobContext job({}, {}, 3);
        for (int round = 0; round < 200; ++round)
            parallelFor(job, 12, 1, [&](long long, long long) {
                const std::lock_guard lock(guard);
                seen.insert(std::this_thread::get_id());
            });
        // Including those of the preceding tests.
        QVERIFY2(seen.size() <= 65, qPrintable(QString::number(seen.size())));
    }
    void stopThrowsCancelled() {
        std::stop_source source;
        JobContext job(source.get_token(), {}, 2);
        std::atomic<int> calls{0};
        QVERIFY_EXCEPTION_THROWN(parallelFor(job, 1000, 1,
                                             [&](long long, long long) {
                                                 if (++calls == 10) source.request_stop();
                                             }),
                                 Cancelled);
        QVERIFY(calls < 1000);
    }
    void throwInBodyIsThrownAgain() {
        JobContext job({}, {}, 3);
        QVERIFY_EXCEPTION_THROWN(parallelFor(job, 100, 1,
                                             [](long long begin, long long) {
                                                 if (begin == 50)
                                                     throw InvalidArgument("expected 49, found 50");
                                             }),
                                 InvalidArgument);
    }
    // Upper halves in use make libm twenty times slower on some processors.
    void beginsWithClearRegisters() {
#ifdef __x86_64__
        if (!tellsState()) QSKIP("this processor does not tell what state is in use");
        useUpperHalves();
        QVERIFY(upperHalvesInUse());
        JobContext job({}, {}, 1);
        QVERIFY(!upperHalvesInUse());
        bool inUse = false;
        parallelFor(job, 4, 1, [&](long long, long long) {
            inUse = inUse || upperHalvesInUse();
            useUpperHalves();
        });
        QVERIFY(!inUse);
#else
        QSKIP("another processor");
#endif
    }
    void progressOfPartsIsMonotone() {
        std::vector<double> seen;
        JobContext job(
            {}, [&](double fraction, std::string_view) { seen.push_back(fraction); }, 1);
        JobContext first = job.part(0.0, 0.25);
        JobContext second = job.part(0.25, 1.0);
        parallelFor(
            first, 10, 1, [](long long, long long) {}, "a");
        parallelFor(
            second, 10, 1, [](long long, long long) {}, "b");
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), 1.0);
        QCOMPARE(seen[9], 0.25);
    }
};

QTEST_APPLESS_MAIN(JobContextTest)
#include "tst_job_context.moc"
