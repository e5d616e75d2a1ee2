// SPDX-License-Identifier: GPL-3.0-or-later
// A coupling matrix in the memory of a device.
#pragma once

#include "armilla/ops/coupling.h"

namespace armilla {

// The functions of CouplingMatrix.
class CouplingOnDevice {
public:
    virtual ~CouplingOnDevice() = default;
    virtual std::vector<double> rowSums(std::span<const MultipoleBin> bins,
                                        std::span<const double> factors) const = 0;
    virtual std::vector<double> binSums(std::span<const MultipoleBin> bins,
                                        std::span<const double> left,
                                        std::span<const double> right) const = 0;
    virtual std::vector<double> product(std::span<const double> right) const = 0;
    virtual std::vector<double> values(JobContext& job) const = 0;
};

}  // namespace armilla
