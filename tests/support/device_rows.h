// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of cases for every device: a row for the CPU and, if there is a CUDA device, one for that.
// With ARMILLA_REQUIRE_GPU=1 that row always exists, and fails without a device.
#pragma once

#include <QtTest>
#include <string>

#include "armilla/device/cuda_devices.h"
#include "armilla/ops/sht.h"

namespace armilla::test {

inline void addDeviceColumn() {
    QTest::addColumn<QString>("device");
}
// Calls row(name with the device appended, device) for each device.
template <typename Row>
void addDeviceRows(const char* name, const Row& row) {
    static const bool hasCuda = !cudaDevices(CudaListing::WithFreeMemory).empty();
    const bool cuda = hasCuda || qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0;
    row(std::string(name) + ", cpu", QStringLiteral("cpu"));
    if (cuda) row(std::string(name) + ", cuda", QStringLiteral("cuda:0"));
}
inline Device deviceOf(const QString& text) {
    return Device::fromText(text.toStdString(), kShtSupport);
}

}  // namespace armilla::test
