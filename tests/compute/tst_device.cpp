// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a device, with this test's CUDA listing instead of the driver's.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/device.h"

namespace armilla {

namespace {
int present = 0;  // CUDA devices
int listings = 0, contexts = 0;
}  // namespace

std::vector<Device> cudaDevices(CudaListing listing) {
    ++listings;
    if (listing == CudaListing::WithFreeMemory) ++contexts;
    std::vector<Device> devices;
    for (int i = 0; i < present; ++i) {
        devices.emplace_back();
        devices.back().kind = DeviceKind::Cuda;
        devices.back().index = i;
    }
    return devices;
}
std::vector<std::string> cudaProblems() {
    return {"CUDA: the reason"};
}

}  // namespace armilla

using namespace armilla;

class DeviceTest : public QObject {
    Q_OBJECT
private slots:
    void init() { present = listings = contexts = 0; }

    void choice_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("cudaCode");
        QTest::addColumn<QString>("chosen");
        QTest::newRow("auto, no code") << "auto" << 2 << false << "cpu";
        QTest::newRow("auto, code") << "auto" << 2 << true << "cuda:0,1";
        QTest::newRow("auto, code, no device") << "auto" << 0 << true << "cpu";
        QTest::newRow("cpu") << "cpu" << 2 << true << "cpu";
        QTest::newRow("cuda") << "cuda" << 3 << true << "cuda:0,1,2";
        QTest::newRow("cuda, the only one") << "cuda" << 1 << true << "cuda:0";
        QTest::newRow("some") << "cuda:2,0" << 3 << true << "cuda:2,0";
        QTest::newRow("the second") << "cuda:1" << 2 << true << "cuda:1";
        QTest::newRow("named, no code") << "cuda:1" << 2 << false << "cuda:1";
    }
    void choice() {
        QFETCH(QString, text);
        QFETCH(int, devices);
        QFETCH(bool, cudaCode);
        QFETCH(QString, chosen);
        present = devices;
        const Device device = Device::fromText(text.toStdString(), {.cuda = cudaCode});
        QCOMPARE(QString::fromStdString(device.label()), chosen);
        QCOMPARE(contexts, 0);
    }
    // The program starts without any call of the driver while no module has CUDA code.
    void startAsksForNoDevice() {
        present = 1;
        Device::fromText("auto", {.cuda = false});
        QCOMPARE(listings, 0);
    }
    void refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CPU",
                                 "cuda:0,", "cuda:,0", "cuda:0,0", "cuda0"})
            QTest::newRow(text) << QString(text);
    }
    void refused() {
        QFETCH(QString, text);
        present = 2;
        QVERIFY_EXCEPTION_THROWN(Device::fromText(text.toStdString(), {.cuda = true}),
                                 InvalidArgument);
    }
    void missingDeviceSaysWhy() {
        present = 1;
        try {
            Device::fromText("cuda:1", {.cuda = true});
            QFAIL("expected an error");
        } catch (const Unsupported& error) {
            QCOMPARE(error.message(), std::string("no usable CUDA device 1; CUDA: the reason"));
        }
    }
    void listing() {
        present = 2;
        const std::vector<Device> all = Device::available();
        QCOMPARE(all.size(), size_t{3});
        QCOMPARE(all.front().label(), std::string("cpu"));
        QVERIFY(all.front().memoryBytes > 0 && !all.front().name.empty());
    }
};

QTEST_APPLESS_MAIN(DeviceTest)
#include "tst_device.moc"
