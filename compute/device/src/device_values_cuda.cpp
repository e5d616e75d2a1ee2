// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/device_values.h"

#include "armilla/device/cuda/stream.h"

namespace armilla {

int deviceOfMemory(const void* data) {
    cudaPointerAttributes attributes{};
    cuda::check(cudaPointerGetAttributes(&attributes, data), "finding the device of an array");
    const bool isDevice =
        attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
    return isDevice ? attributes.device : -1;
}

struct DeviceStream::Owner {
    cuda::Stream stream;
    cuda::Event reached;
};

DeviceStream::DeviceStream(int device)
    : owner_(new Owner{cuda::Stream(device, cuda::Priority::Low), cuda::Event(device)}) {}
DeviceStream::~DeviceStream() = default;
DeviceStream::DeviceStream(DeviceStream&&) noexcept = default;
DeviceStream& DeviceStream::operator=(DeviceStream&&) noexcept = default;

int DeviceStream::device() const {
    return owner_->stream.device();
}
void* DeviceStream::handle() const {
    return owner_->stream.get();
}
void DeviceStream::waitFor(void* other) {
    const cuda::DeviceScope scope(device());
    cuda::check(cudaEventRecord(owner_->reached.get(), static_cast<cudaStream_t>(other)),
                "recording an event");
    owner_->reached.holdBack(owner_->stream);
}

}  // namespace armilla
