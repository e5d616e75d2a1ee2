// SPDX-License-Identifier: GPL-3.0-or-later
// Device of each of several ranks, on machines with and without devices. Ranks are threads here.
#include <QtTest>
#include <mutex>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/ops/sht.h"
#include "cli/rank_device.h"
#include "support/local_ranks.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kRanks = 5, kOnHost = 3;  // two machines with the same devices

// The device of each rank; empty if refused.
std::vector<std::string> takenBy(const std::string& text) {
    std::vector<std::string> taken(kRanks);
    runRanks(kRanks, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        cli::LaunchedAs as;
        as.rank = ranks.rank();
        as.size = kRanks;
        as.onHost = kOnHost;
        as.localRank = as.rank % kOnHost;
        std::string& own = taken[static_cast<size_t>(as.rank)];
        try {
            own = cli::deviceOfRank(text, kShtSupport, as, ranks, job);
        } catch (const Error&) {
            own.clear();
        }
    });
    return taken;
}

}  // namespace

class RankDeviceTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        for (const Device& device : cudaDevices(CudaListing::WithFreeMemory))
            devices_.push_back("cuda:" + std::to_string(device.index));
        // Without a device, the ranks report the CPU and the refusal.
        if (qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0) QVERIFY(!devices_.empty());
    }
    // Devices are used only on request.
    void theCpuUnlessAsked() {
        const std::vector<std::string> cpu(kRanks, "cpu");
        QVERIFY(takenBy("cpu") == cpu);
        QVERIFY(takenBy("auto") == cpu);
    }
    // One device for each rank on every machine, and the CPU for the remaining ranks; an error
    // without any device.
    void oneEach() {
        std::vector<std::string> expected(kRanks);
        for (size_t rank = 0; rank < kRanks && !devices_.empty(); ++rank) {
            const size_t local = rank % kOnHost;
            expected[rank] = local < devices_.size() ? devices_[local] : "cpu";
        }
        QVERIFY(takenBy("cuda") == expected);
    }
    void thoseThatAreNamedInTurn() {
        if (devices_.empty()) {
            QVERIFY(takenBy("cuda:0") == std::vector<std::string>(kRanks));
            return;
        }
        QVERIFY(takenBy(devices_[0]) == std::vector<std::string>(kRanks, devices_[0]));
        if (devices_.size() < 2) return;
        const std::string &a = devices_[0], &b = devices_[1];
        QVERIFY(takenBy(b + "," + a.substr(5)) == (std::vector<std::string>{b, a, b, b, a}));
    }
    void noSuchDevice() {
        QVERIFY(takenBy("cuda:99") == std::vector<std::string>(kRanks));
        // Left unchanged here; the parser of a single process refuses it later.
        QVERIFY(takenBy("toaster") == std::vector<std::string>(kRanks, "toaster"));
    }

private:
    std::vector<std::string> devices_;
};

QTEST_APPLESS_MAIN(RankDeviceTest)
#include "tst_rank_device.moc"
