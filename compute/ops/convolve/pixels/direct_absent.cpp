// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces convolution on pixels on CUDA devices in builds without CUDA.
#include "armilla/core/error.h"
#include "convolve/pixels/direct_cuda.h"
#include "convolve/pixels/spin_cuda.h"

namespace armilla {

namespace {

[[noreturn]] void refuse() {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace

struct DirectCuda::State {};
DirectCuda::DirectCuda(int /*device*/, int64_t /*nside*/, std::span<const double> /*weights*/) {
    refuse();
}
DirectCuda::~DirectCuda() = default;
void DirectCuda::add(const ConstMapSamples& /*samples*/, const LiveField* /*pictured*/,
                     JobContext& /*job*/, double /*mean*/) {
    refuse();
}
size_t DirectCuda::fieldCount() const {
    refuse();
}
bool DirectCuda::hasBad(size_t /*field*/) const {
    refuse();
}
void DirectCuda::prepare(const Request& /*request*/) {
    refuse();
}
void DirectCuda::execute(const Request& /*request*/, const MapSamples& /*result*/,
                         JobContext& /*job*/) {
    refuse();
}
void DirectCuda::enqueue(const Request& /*request*/, DevicePicture& /*picture*/) {
    refuse();
}
double DirectCuda::measure(const Request& /*request*/, int /*runs*/) {
    refuse();
}
std::vector<std::pair<std::string, double>> DirectCuda::parts(const Request& /*request*/,
                                                              int /*runs*/) {
    refuse();
}
int64_t DirectCuda::pictureNside() const {
    refuse();
}
int64_t DirectCuda::deviceBytes() const {
    refuse();
}

struct SpinCuda::State {};
SpinCuda::SpinCuda(int /*device*/, int64_t /*nside*/, const ProfileTable& /*profile*/,
                   std::span<const double> /*ringWeights*/) {
    refuse();
}
SpinCuda::~SpinCuda() = default;
void SpinCuda::execute(const SpinSums::Maps& /*maps*/, int /*lastL*/, JobContext& /*job*/) {
    refuse();
}

}  // namespace armilla
