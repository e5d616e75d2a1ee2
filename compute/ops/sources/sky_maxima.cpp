// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/sky_maxima.h"

#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/new_vector.h"
#include "sources/extraction.h"
#include "sources/sky_cells.h"
#include "sources/sky_device.h"

namespace armilla {

SkyMaxima::SkyMaxima(const Device& device, int64_t nside) : nside_(nside) {
    checkNside(nside, Ordering::Ring);
    if (device.kind == DeviceKind::Cuda)
        device_ = std::make_unique<sources::SkyDevice>(device, nside);
}
SkyMaxima::~SkyMaxima() = default;
SkyMaxima::SkyMaxima(SkyMaxima&&) noexcept = default;
SkyMaxima& SkyMaxima::operator=(SkyMaxima&&) noexcept = default;

void SkyMaxima::require(std::span<const double> ring) const {
    if (static_cast<int64_t>(ring.size()) != pixelCount(nside_))
        throw InvalidArgument("expected the " + std::to_string(pixelCount(nside_)) +
                              " pixels of nside " + std::to_string(nside_) + ", found " +
                              std::to_string(ring.size()));
}

void SkyMaxima::setValues(std::span<const double> ring, JobContext& job) {
    require(ring);
    if (device_)
        device_->setValues(ring, job);
    else
        values_ = ring;
}

void SkyMaxima::setRms(std::span<const double> ring, JobContext& job) {
    require(ring);
    if (device_)
        device_->setRms(ring, job);
    else
        rms_ = ring;
}

void SkyMaxima::measureRms(double cellSize, JobContext& job) {
    if (device_) return device_->measureRms(cellSize, job);
    require(values_);
    if (own_.size() != values_.size()) own_ = newVector<double>(pixelCount(nside_), job);
    sources::localRms(nside_, cellSize, values_, own_, job);
    rms_ = own_;
}

std::vector<double> SkyMaxima::rms(JobContext& job) const {
    std::vector<double> result = newVector<double>(pixelCount(nside_), job);
    if (device_) {
        device_->getRms(result, job);
        return result;
    }
    require(rms_);
    parallelFor(job, pixelCount(nside_), kPixelGrain, [&](long long begin, long long end) {
        std::copy(rms_.begin() + begin, rms_.begin() + end, result.begin() + begin);
    });
    return result;
}

std::vector<int64_t> SkyMaxima::maxima(double least, JobContext& job) {
    if (device_) return device_->maxima(least, job);
    require(values_);
    require(rms_);
    return sources::localMaxima(nside_, values_, rms_, least, job);
}

double SkyMaxima::deviceSeconds() const {
    return device_ ? device_->deviceSeconds() : 0.0;
}

}  // namespace armilla
