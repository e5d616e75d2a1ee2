// SPDX-License-Identifier: GPL-3.0-or-later
// Units of work in lanes, and the lanes of several devices.
#include <QtTest>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/side_by_side.h"

using namespace armilla;

namespace {

constexpr int64_t kPixels = 50'000'000;

Device gpu(int index, std::vector<int> others) {
    Device device;
    device.kind = DeviceKind::Cuda;
    device.index = index;
    device.others = std::move(others);
    return device;
}

std::vector<int> indicesOf(const std::vector<Device>& devices) {
    std::vector<int> indices;
    for (const Device& device : devices) indices.push_back(device.index);
    return indices;
}

}  // namespace

class SideBySideTest : public QObject {
    Q_OBJECT
private slots:
    // Each lane has one unit at a time, and each unit runs once.
    void everyUnitOnce() {
        for (const size_t units : {0, 1, 2, 3, 100}) {
            std::vector<std::atomic<int>> runs(units);
            std::vector<std::atomic<int>> busy(3);
            std::atomic<bool> together{false};
            double last = 0.0;
            JobContext job(
                {}, [&](double done, std::string_view) { last = done; }, 6);
            inLanes(job, busy.size(), units, [&](size_t unit, size_t lane, JobContext& own) {
                if (++busy[lane] > 1) together = true;
                ++runs[unit];
                own.report(1.0, "work");
                --busy[lane];
            });
            for (const std::atomic<int>& count : runs) QCOMPARE(count.load(), 1);
            QVERIFY(!together);
            QCOMPARE(last, units == 0 ? 0.0 : 1.0);
        }
    }
    void threadsAreShared() {
        JobContext job({}, {}, 8);
        std::mutex guard;
        std::vector<int> threads;
        inLanes(job, 4, 4, [&](size_t, size_t, JobContext& own) {
            const std::lock_guard lock(guard);
            threads.push_back(own.threads());
        });
        QCOMPARE(threads, std::vector<int>(4, 2));
    }
    void failuresArrive() {
        JobContext job({}, {}, 2);
        QVERIFY_EXCEPTION_THROWN(inLanes(job, 2, 10,
                                         [&](size_t unit, size_t, JobContext&) {
                                             if (unit == 3) throw InvalidArgument("unit 3");
                                         }),
                                 InvalidArgument);
        // One lane begins no unit after a failure.
        size_t last = 0;
        JobContext alone({}, {}, 1);
        QVERIFY_EXCEPTION_THROWN(inLanes(alone, 1, 10,
                                         [&](size_t unit, size_t, JobContext&) {
                                             last = unit;
                                             if (unit == 3) throw InvalidArgument("unit 3");
                                         }),
                                 InvalidArgument);
        QCOMPARE(last, size_t{3});
        std::stop_source stop;
        JobContext stopped(stop.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(inLanes(stopped, 2, 10,
                                         [&](size_t unit, size_t, JobContext& own) {
                                             if (unit == 1) stop.request_stop();
                                             own.report(1.0, "work");
                                         }),
                                 Cancelled);
    }
    void lanesOfDevices() {
        const auto free = [](int index) {
            return index == 4 ? int64_t{1} << 30 : int64_t{80} << 30;
        };
        const auto lanes = [&](const Device& device, size_t units, int64_t pixels = kPixels) {
            return indicesOf(lanesOf(device, units, pixels, free));
        };
        QCOMPARE(lanes(gpu(2, {}), 64), (std::vector<int>{2, 2}));
        QCOMPARE(lanes(gpu(2, {}), 1), std::vector<int>{2});
        // Devices in turn, so that few units use all devices.
        QCOMPARE(lanes(gpu(0, {1, 3}), 64), (std::vector<int>{0, 1, 3, 0, 1, 3}));
        for (const Device& lane : lanesOf(gpu(0, {1, 3}), 64, kPixels, free))
            QVERIFY(lane.others.empty());
        // Huge maps fill a device.
        QCOMPARE(lanes(gpu(0, {1, 3}), 64, int64_t{1} << 32), (std::vector<int>{0, 1, 3}));
        QCOMPARE(lanes(gpu(0, {}), 64, int64_t{1} << 32), std::vector<int>{0});
        // Other work holds most of the memory of device 4.
        QCOMPARE(lanes(gpu(0, {1, 4}), 64), (std::vector<int>{0, 1, 4, 0, 1}));
        // Fewer units than devices: all devices share each.
        const std::vector<Device> shared = lanesOf(gpu(0, {1, 3}), 2, kPixels, free);
        QCOMPARE(indicesOf(shared), std::vector<int>{0});
        QCOMPARE(shared.front().others, (std::vector<int>{1, 3}));
        QCOMPARE(lanes(gpu(0, {1, 3}), 3).size(), size_t{6});
        QCOMPARE(lanesOf(Device::cpu(), 64, kPixels).size(), size_t{1});
    }
    void residentOnOne() {
        const auto free = [](int index) {
            return index == 4 ? int64_t{1} << 30 : int64_t{80} << 30;
        };
        const auto others = [&](const Device& device, int64_t pixels) {
            const Device chosen = oneForResident(device, pixels, free);
            return chosen.index == device.index ? chosen.others : std::vector<int>{-1};
        };
        QCOMPARE(others(gpu(0, {1, 3}), kPixels), std::vector<int>());
        QCOMPARE(others(gpu(0, {1, 3}), int64_t{1} << 32), (std::vector<int>{1, 3}));
        // Other work holds most of the memory of device 4.
        QCOMPARE(others(gpu(4, {1}), kPixels), std::vector<int>{1});
        QCOMPARE(others(gpu(2, {}), kPixels), std::vector<int>());
        QCOMPARE(oneForResident(Device::cpu(), kPixels).kind, DeviceKind::Cpu);
    }
};

QTEST_GUILESS_MAIN(SideBySideTest)
#include "tst_side_by_side.moc"
