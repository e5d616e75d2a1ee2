// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of callers in the memory of a CUDA device, and the order of work on them, without a CUDA
// type. Two implementations: device_values_cuda.cpp, and device_absent.cpp for builds without CUDA.
#pragma once

#include <cstddef>
#include <memory>

namespace armilla {

// Contiguous values that the caller owns: samples, or coefficients in the order of Alm, which are
// (real, imaginary) pairs of values.
struct DeviceValues {
    void* data = nullptr;
    size_t count = 0;  // a coefficient counts twice
    bool isSingle = false;
};

// The number of the CUDA device whose memory contains `data`; -1: no device. Throws Unsupported in
// builds without CUDA.
int deviceOfMemory(const void* data);

// A stream of a CUDA device. Work of several streams is ordered in it.
class DeviceStream {
public:
    // Throws DeviceError, Unsupported.
    explicit DeviceStream(int device);
    ~DeviceStream();
    DeviceStream(DeviceStream&&) noexcept;
    DeviceStream& operator=(DeviceStream&&) noexcept;

    int device() const;
    // A cudaStream_t.
    void* handle() const;
    // Later work of this stream begins after the work that `other`, a cudaStream_t, holds now. The
    // host does not wait.
    void waitFor(void* other);

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla
