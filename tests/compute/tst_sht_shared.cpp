// SPDX-License-Identifier: GPL-3.0-or-later
// Batches shared among devices, with CPU backends in place of the devices.
#include <QtTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "armilla/core/error.h"
#include "sht/several/sht_shared.h"
#include "support/direct_sht.h"
#include "support/patience.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kNside = 8, kLmax = 16;
const ShtParameters kParameters{.nside = kNside, .lmax = kLmax, .mmax = kLmax};

std::unique_ptr<ShtBackend> cpuBackend() {
    JobContext job;
    return makeCpuBackend(kParameters, RingGrid::healpix(kNside), job);
}
MakeBackend makeCpu() {
    return cpuBackend;
}

// Calls `meet` before each synthesis.
class Meeting final : public ShtBackend {
public:
    explicit Meeting(std::function<void(JobContext&)> meet)
        : ShtBackend(kParameters, RingGrid::healpix(kNside)), meet_(std::move(meet)) {}
    std::string_view name() const override { return "a device"; }
    ShtSteps steps() const override { return {}; }
    int64_t analysisBytes(size_t) const override { return 0; }
    void synthesis(int, std::span<const Alm>, std::span<const MapSamples>,
                   JobContext& job) override {
        meet_(job);
    }
    void analysis(int, std::span<const ConstMapSamples>, std::span<Alm>, JobContext&) override {}
    void adjoint(int, std::span<const ConstMapSamples>, std::span<Alm>, JobContext&) override {}
    void gradient(const Alm&, MapSamples, MapSamples, JobContext&) override {}

private:
    std::function<void(JobContext&)> meet_;
};

// Accepts several fields in one call, and requests the results during the call.
class Together final : public ShtBackend {
public:
    Together() : ShtBackend(kParameters, RingGrid::healpix(kNside)) {}
    std::string_view name() const override { return "a device"; }
    ShtSteps steps() const override { return {.fft = 3.0}; }
    int64_t analysisBytes(size_t) const override { return 0; }
    void synthesis(int, std::span<const Alm>, std::span<const MapSamples>, JobContext&) override {}
    void analysis(int, std::span<const ConstMapSamples>, std::span<Alm>, JobContext&) override {
        ask();
    }
    void adjoint(int, std::span<const ConstMapSamples>, std::span<Alm>, JobContext&) override {}
    void gradient(const Alm&, MapSamples, MapSamples, JobContext&) override {}
    bool waitsForResults() const override { return true; }
    bool analyzeFields(std::span<const FieldToAnalyze> all, JobContext&) override {
        ask();
        fields += all.size();
        return true;
    }
    bool synthesizeFields(std::span<const FieldToSynthesize> all, JobContext&) override {
        fields += all.size();
        return !all.empty();
    }

    size_t fields = 0;
    int asked = 0;

private:
    void ask() {
        if (results) results();
        asked += results ? 1 : 0;
    }
};

struct Batch {
    explicit Batch(size_t count) : maps(count, std::vector<double>(12 * kNside * kNside)) {
        for (unsigned i = 0; i < count; ++i) alm.push_back(whiteAlm(kLmax, kLmax, 2, i));
        views.assign(maps.begin(), maps.end());
        constViews.assign(maps.begin(), maps.end());
    }
    std::vector<Alm> alm;
    std::vector<std::vector<double>> maps;
    std::vector<MapSamples> views;
    std::vector<ConstMapSamples> constViews;
};

}  // namespace

class ShtSharedTest : public QObject {
    Q_OBJECT
private slots:
    void asOneDevice_data() {
        QTest::addColumn<int>("spin");
        QTest::addColumn<int>("maps");
        for (const int maps : {1, 2, 3, 40}) QTest::addRow("%d maps", maps) << 0 << maps;
        for (const int maps : {2, 4, 10}) QTest::addRow("spin 2, %d maps", maps) << 2 << maps;
    }
    void asOneDevice() {
        QFETCH(int, spin);
        QFETCH(int, maps);
        JobContext job({}, {}, 2);
        Batch one(static_cast<size_t>(maps)), shared(one.maps.size());
        const auto alone = cpuBackend();
        const auto three = makeSharedBackend(cpuBackend(), {makeCpu(), makeCpu()});
        alone->synthesis(spin, one.alm, one.views, job);
        three->synthesis(spin, shared.alm, shared.views, job);
        for (size_t i = 0; i < one.maps.size(); ++i)
            // Devices that share the work take the same recurrences and add in another order: 45
            // machine epsilons in the L2 norm.
            ARMILLA_VERIFY_BELOW(relativeError(shared.maps[i], one.maps[i]), 1e-14);
        std::vector<Alm> back(one.maps.size(), Alm(kLmax, kLmax)), sharedBack = back;
        alone->analysis(spin, one.constViews, back, job);
        three->analysis(spin, one.constViews, sharedBack, job);
        for (size_t i = 0; i < back.size(); ++i)
            // The same limit as for the synthesis: another order of the same sums.
            ARMILLA_VERIFY_BELOW(relativeError(sharedBack[i].values(), back[i].values()), 1e-14);
    }
    // Each of three devices joins the meeting, which ends when all have arrived.
    void devicesWorkSideBySide() {
        std::mutex guard;
        std::condition_variable all;
        int present = 0;
        bool met = true;
        const auto meet = [&](JobContext&) {
            std::unique_lock lock(guard);
            ++present;
            all.notify_all();
            met = all.wait_for(lock, std::chrono::milliseconds(kPatience), [&] {
                return present == 3;
            }) && met;
        };
        const MakeBackend make = [&] { return std::make_unique<Meeting>(meet); };
        const auto three = makeSharedBackend(make(), {make, make});
        Batch batch(3);
        JobContext job;
        three->synthesis(0, batch.alm, batch.views, job);
        QVERIFY(met);
        QCOMPARE(present, 3);
    }
    void othersAreMadeForBatchesAlone() {
        std::atomic<int> made = 0;
        const auto two = makeSharedBackend(cpuBackend(), {[&] {
                                               ++made;
                                               return cpuBackend();
                                           }});
        JobContext job;
        Batch batch(2);
        two->synthesis(0, {batch.alm.data(), 1}, {batch.views.data(), 1}, job);
        two->synthesis(2, batch.alm, batch.views, job);
        two->gradient(batch.alm[0], batch.views[0], batch.views[1], job);
        QCOMPARE(made.load(), 0);
        for (int i = 0; i < 2; ++i) two->synthesis(0, batch.alm, batch.views, job);
        QCOMPARE(made.load(), 1);
    }
    // By the backend for one map if there is one, else by the first; no other backend is created.
    void fieldsGoTogether_data() {
        QTest::addColumn<bool>("oneMap");
        QTest::newRow("by the first") << false;
        QTest::newRow("by all, one map at a time") << true;
    }
    void fieldsGoTogether() {
        QFETCH(bool, oneMap);
        auto own = std::make_unique<Together>();
        Together& one = *own;
        const MakeBackend make = []() -> std::unique_ptr<ShtBackend> { throw OutOfMemory("made"); };
        const auto several = oneMap ? makeSharedBackend(cpuBackend(), {make}, std::move(own))
                                    : makeSharedBackend(std::move(own), {make});
        Batch batch(3);
        const std::span<Alm> alm(batch.alm);
        const std::span<const MapSamples> to(batch.views);
        const std::span<const ConstMapSamples> from(batch.constViews);
        const FieldToSynthesize forth[] = {{0, alm.first(1), to.first(1)},
                                           {2, alm.last(2), to.last(2)}};
        const FieldToAnalyze back[] = {{2, from.last(2), alm.last(2)},
                                       {0, from.first(1), alm.first(1)}};
        JobContext job;
        QVERIFY(several->synthesizeFields(forth, job));
        QVERIFY(!several->synthesizeFields({}, job));
        QCOMPARE(one.fields, size_t{2});
        QCOMPARE(several->steps().fft, 3.0);
        // Results are requested by the backend that needs them, once a call.
        QVERIFY(several->waitsForResults());
        int there = 0;
        several->results = [&] { ++there; };
        QVERIFY(several->analyzeFields(back, job));
        QCOMPARE(one.fields, size_t{4});
        QCOMPARE(there, 1);
        several->analysis(2, from.last(2), alm.last(2), job);
        QCOMPARE(there, 2);
        several->results = nullptr;
        several->analysis(2, from.last(2), alm.last(2), job);
        QCOMPARE(one.asked, 2);
    }
    // Results of a batch exist before a device begins.
    void aBatchHasItsResults() {
        int there = 0;
        std::atomic<bool> early = false;
        const MakeBackend make = [&] {
            return std::make_unique<Meeting>([&](JobContext&) { early = early || there == 0; });
        };
        const auto two = makeSharedBackend(make(), {make}, std::make_unique<Together>());
        Batch batch(4);
        JobContext job;
        two->results = [&] { ++there; };
        two->synthesis(0, batch.alm, batch.views, job);
        QCOMPARE(there, 1);
        QVERIFY(!early);
    }
    // The other device ends at once, and the failure is reported.
    void aFailureEndsTheBatch() {
        const MakeBackend waits = [] {
            return std::make_unique<Meeting>([](JobContext& job) {
                for (;;) {
                    job.poll();
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            });
        };
        const MakeBackend fails = [] {
            return std::make_unique<Meeting>([](JobContext&) { throw OutOfMemory("no room"); });
        };
        Batch batch(2);
        JobContext job;
        for (const MakeBackend& second : {fails, MakeBackend([]() -> std::unique_ptr<ShtBackend> {
                                              throw OutOfMemory("no room for tables");
                                          })}) {
            const auto two = makeSharedBackend(waits(), {second});
            QVERIFY_EXCEPTION_THROWN(two->synthesis(0, batch.alm, batch.views, job), OutOfMemory);
        }
    }
    void stops() {
        const auto two = makeSharedBackend(cpuBackend(), {makeCpu()});
        Batch batch(40);
        std::stop_source stop;
        JobContext job(
            stop.get_token(), [&](double, std::string_view) { stop.request_stop(); }, 2);
        QVERIFY_EXCEPTION_THROWN(two->synthesis(0, batch.alm, batch.views, job), Cancelled);
    }
    void progressIsMonotone() {
        const auto two = makeSharedBackend(cpuBackend(), {makeCpu()});
        Batch batch(40);
        std::vector<double> seen;
        JobContext job(
            {}, [&](double share, std::string_view) { seen.push_back(share); }, 2);
        two->synthesis(0, batch.alm, batch.views, job);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QVERIFY(!seen.empty());  // a fast machine reports rarely
        QCOMPARE(seen.back(), 1.0);
    }
};

QTEST_APPLESS_MAIN(ShtSharedTest)
#include "tst_sht_shared.moc"
