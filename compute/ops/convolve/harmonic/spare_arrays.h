// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of maps and coefficients of a smoothing that the next one uses again.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/unset_vector.h"
#include "shared/new_alm.h"

namespace armilla {

// The last map and the last two sets of coefficients. New memory costs the host of a GPU more than
// all of its other work on a map. Not thread-safe.
class SpareArrays {
public:
    // Without `keeps`, put() frees the memory.
    explicit SpareArrays(bool keeps) : keeps_(keeps) { alm_.reserve(kMost); }
    bool keeps() const { return keeps_; }
    // Bytes that later calls of take() and takeAlm() return or free.
    int64_t heldBytes() const {
        int64_t bytes = 8 * std::ssize(map_);
        for (const Alm& alm : alm_) bytes += almBytes(alm.lmax(), alm.mmax());
        return bytes;
    }

    // `count` values, which the caller sets.
    std::vector<double> take(int64_t count, const JobContext& job) {
        if (std::ssize(map_) != count) {
            freeMap();
            return unsetVector<double>(count, job);
        }
        return std::exchange(map_, {});
    }
    // Coefficients, which the caller sets.
    Alm takeAlm(int lmax, int mmax, const JobContext& job) {
        for (size_t i = 0; i < alm_.size(); ++i)
            if (alm_[i].lmax() == lmax && alm_[i].mmax() == mmax) {
                std::swap(alm_[i], alm_.back());
                Alm taken = std::move(alm_.back());
                alm_.pop_back();
                return taken;
            }
        alm_.clear();
        return {lmax, mmax, unsetVector<std::complex<double>>(Alm::count(lmax, mmax), job)};
    }
    void freeMap() { map_ = {}; }
    void put(std::vector<double> map) {
        if (keeps_) map_ = std::move(map);
    }
    void put(Alm alm) noexcept {
        if (keeps_ && alm_.size() < kMost) alm_.push_back(std::move(alm));
    }

private:
    // The coefficients of a map, and their product with B_l.
    static constexpr size_t kMost = 2;
    bool keeps_;
    std::vector<double> map_;
    std::vector<Alm> alm_;
};

}  // namespace armilla
