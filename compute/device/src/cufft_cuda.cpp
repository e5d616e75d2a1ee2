// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/cuda/cufft.h"

#include <cufft.h>

#include "armilla/core/error.h"
#include "found_library.h"

namespace armilla::cuda {

namespace {

// The signatures of these functions are the same in all versions listed in find().
struct Library {
    decltype(&cufftCreate) create = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftSetAutoAllocation) setAutoAllocation = nullptr;
    decltype(&cufftMakePlanMany64) makePlan = nullptr;
    decltype(&cufftSetWorkArea) setWorkArea = nullptr;
    decltype(&cufftSetStream) setStream = nullptr;
    decltype(&cufftExecZ2Z) complexRows = nullptr;
    decltype(&cufftExecD2Z) toSpectra = nullptr;
    decltype(&cufftExecZ2D) fromSpectra = nullptr;
    std::string missing;
};

// The libraries of CUDA 13, 12 and 11: first on the loader's path, then in the default toolkit
// folder.
Library find() {
    Library found;
    const FoundLibrary library{"libcufft.so.12",
                               "libcufft.so.11",
                               "libcufft.so.10",
                               "/usr/local/cuda/lib64/libcufft.so.12",
                               "/usr/local/cuda/lib64/libcufft.so.11",
                               "/usr/local/cuda/lib64/libcufft.so.10"};
    if (!library.isThere()) {
        found.missing = "expected cuFFT (libcufft.so.12, .11 or .10), found none";
        return found;
    }
    if (!library.load("cufftCreate", found.create) ||
        !library.load("cufftDestroy", found.destroy) ||
        !library.load("cufftSetAutoAllocation", found.setAutoAllocation) ||
        !library.load("cufftMakePlanMany64", found.makePlan) ||
        !library.load("cufftSetWorkArea", found.setWorkArea) ||
        !library.load("cufftSetStream", found.setStream) ||
        !library.load("cufftExecZ2Z", found.complexRows) ||
        !library.load("cufftExecD2Z", found.toSpectra) ||
        !library.load("cufftExecZ2D", found.fromSpectra))
        found.missing = "expected all functions of cuFFT in its library, found some missing";
    return found;
}

const Library& cufft() {
    static const Library found = find();
    return found;
}

void checkFft(cufftResult status, const char* what) {
    if (status == CUFFT_SUCCESS) return;
    const std::string found = ", found status " + std::to_string(static_cast<int>(status));
    if (status == CUFFT_ALLOC_FAILED)
        throw OutOfMemory(std::string("cuFFT: expected memory for ") + what + found);
    throw DeviceError(std::string("cuFFT: expected ") + what + " to work" + found);
}

}  // namespace

std::string cufftMissing() {
    return cufft().missing;
}

CufftPlan::CufftPlan(int device, const Rows& rows, Values values, const Stream& stream)
    : device_(device) {
    const Library& fft = cufft();
    if (!fft.missing.empty()) throw Unsupported("FFTs on the device: " + fft.missing);
    const DeviceScope scope(device);
    checkFft(fft.create(&plan_), "a plan");
    try {
        // The work area comes from DeviceBuffer, so that a shortage of memory gives the usual
        // error.
        checkFft(fft.setAutoAllocation(plan_, 0), "a plan");
        long long length = rows.length;
        const long long modes = rows.length / 2 + 1;
        const bool toSpectra = values == Values::ToSpectra,
                   fromSpectra = values == Values::FromSpectra;
        size_t bytes = 0;
        // In one dimension, the embedding sizes must be given but their values have no effect.
        checkFft(fft.makePlan(plan_, 1, &length, &length, fromSpectra ? 1 : rows.stride,
                              fromSpectra ? modes : rows.distance, &length,
                              toSpectra ? 1 : rows.stride, toSpectra ? modes : rows.distance,
                              toSpectra     ? CUFFT_D2Z
                              : fromSpectra ? CUFFT_Z2D
                                            : CUFFT_Z2Z,
                              rows.count, &bytes),
                 "a plan");
        work_ = DeviceBuffer<char>(device, bytes);
        checkFft(fft.setWorkArea(plan_, work_.data()), "a work area");
        checkFft(fft.setStream(plan_, stream.get()), "a stream");
    } catch (...) {
        fft.destroy(plan_);
        throw;
    }
}
CufftPlan::~CufftPlan() {
    if (plan_ < 0) return;
    onDevice(device_, "freeing a plan of cuFFT", [&] {
        return cufft().destroy(plan_) == CUFFT_SUCCESS ? cudaSuccess : cudaErrorUnknown;
    });
}
CufftPlan::CufftPlan(CufftPlan&& other) noexcept
    : device_(other.device_),
      plan_(std::exchange(other.plan_, -1)),
      work_(std::move(other.work_)) {}
CufftPlan& CufftPlan::operator=(CufftPlan&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(plan_, other.plan_);
    std::swap(work_, other.work_);
    return *this;
}

void CufftPlan::forward(double2* data) const {
    checkFft(cufft().complexRows(plan_, data, data, CUFFT_FORWARD), "transforms of rows");
}
void CufftPlan::backward(double2* data) const {
    checkFft(cufft().complexRows(plan_, data, data, CUFFT_INVERSE), "transforms of rows");
}
void CufftPlan::toSpectra(const double* samples, double2* spectra) const {
    // Out of place: cuFFT preserves the input, although its interface is not const.
    checkFft(cufft().toSpectra(plan_, const_cast<double*>(samples), spectra), "transforms of rows");
}
void CufftPlan::fromSpectra(double2* spectra, double* samples) const {
    checkFft(cufft().fromSpectra(plan_, spectra, samples), "transforms of rows");
}

}  // namespace armilla::cuda
