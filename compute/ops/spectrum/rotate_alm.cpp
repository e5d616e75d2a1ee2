// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/new_vector.h"
#include "ops/spectrum.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// The rotation as turns by `psi` about z, by `theta` about y and by `phi` about z, in this order.
struct EulerAngles {
    double psi = 0.0, theta = 0.0, phi = 0.0;
};

EulerAngles eulerAngles(const Mat3& r) {
    const double sine = std::hypot(r.m[2], r.m[5]);
    if (sine == 0.0 && r.m[8] > 0.0) return {0.0, 0.0, std::atan2(r.m[3], r.m[0])};
    if (sine == 0.0) return {0.0, kPi, std::atan2(-r.m[3], -r.m[0])};
    return {std::atan2(r.m[7], -r.m[6]), std::atan2(sine, r.m[8]), std::atan2(r.m[5], r.m[2])};
}

std::vector<std::complex<double>> phases(int lmax, double angle) {
    std::vector<std::complex<double>> factors;
    for (int m = 0; m <= lmax; ++m) factors.push_back(std::polar(1.0, -m * angle));
    return factors;
}

// d^l_mm' of one l after the other, in row l + m' and column l + m, rows of m' <= 0: the others
// follow from d_mm' = (-1)^(m+m') d_{-m,-m'}. Each l is two steps of T. Risbo's recursion over half
// degrees (1996, doi:10.1007/s001900050078), whose elements are sums of four, as HEALPix has it.
class WignerMatrices {
public:
    WignerMatrices(int lmax, double theta, const JobContext& job)
        : stride_(2 * static_cast<size_t>(lmax) + 2),
          sine_(std::sin(0.5 * theta)),
          cosine_(std::cos(0.5 * theta)) {
        const auto count = static_cast<int64_t>(stride_ * (static_cast<size_t>(lmax) + 2));
        now_ = newVector<double>(count, job);
        next_ = newVector<double>(count, job);
        now_[0] = 1.0;
        for (size_t i = 0; i <= stride_; ++i) roots_.push_back(std::sqrt(static_cast<double>(i)));
    }
    const double* row(size_t r) const { return now_.data() + r * stride_; }
    // From l - 1 to l.
    void advance(JobContext& job) {
        const size_t l = ++l_;
        // The row of m' = 1.
        if (l > 1)
            for (size_t i = 0; i + 2 <= 2 * l; ++i)
                now_[l * stride_ + i] = ((l + i) % 2 == 0 ? 1.0 : -1.0) * row(l - 2)[2 * l - 2 - i];
        step(2 * l - 1, job);
        step(2 * l, job);
    }

private:
    void step(size_t j, JobContext& job) {
        constexpr long long kGrain = 32;  // rows
        parallelFor(
            job, static_cast<long long>(l_) + 1, kGrain, [&](long long first, long long last) {
                for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k)
                    makeRow(j, k);
            });
        now_.swap(next_);
    }
    void makeRow(size_t j, size_t k) {
        const double part = 1.0 / static_cast<double>(j);
        const double here = k < j ? roots_[j - k] * part : 0.0, above = roots_[k] * part;
        const double *own = row(k), *upper = k > 0 ? row(k - 1) : own;
        double* to = next_.data() + k * stride_;
        for (size_t i = 0; i <= j; ++i) {
            double sum = 0.0;
            if (i < j) sum = roots_[j - i] * (here * cosine_ * own[i] + above * sine_ * upper[i]);
            if (i > 0)
                sum += roots_[i] * (above * cosine_ * upper[i - 1] - here * sine_ * own[i - 1]);
            to[i] = sum;
        }
    }

    size_t stride_, l_ = 0;
    double sine_, cosine_;
    std::vector<double> now_, next_, roots_;
};

// What one l of the coefficients becomes: to[m] = sum over m' of d_mm' from[m'], m' from -l to l.
void turnOne(const WignerMatrices& d, size_t l, const std::vector<std::complex<double>>& from,
             std::vector<std::complex<double>>& to, JobContext& job) {
    constexpr long long kGrain = 128;  // m
    parallelFor(job, static_cast<long long>(l) + 1, kGrain, [&](long long first, long long last) {
        const auto begin = static_cast<size_t>(first), end = static_cast<size_t>(last);
        for (size_t m = begin; m < end; ++m) to[m] = from[0] * d.row(l)[l + m];
        for (size_t k = 1; k <= l; ++k) {
            const double* row = d.row(l - k);
            const double re = from[k].real(), im = from[k].imag();
            const double ofMinus = k % 2 == 0 ? 1.0 : -1.0;
            double ofPlus = (k + begin) % 2 == 0 ? 1.0 : -1.0;
            for (size_t m = begin; m < end; ++m) {
                const double plus = ofPlus * row[l - m], minus = ofMinus * row[l + m];
                to[m] += std::complex<double>(re * (plus + minus), im * (plus - minus));
                ofPlus = -ofPlus;
            }
        }
    });
}

}  // namespace

void rotateAlm(std::span<Alm> alm, const Mat3& rotation, JobContext& job) {
    if (alm.empty() || alm.front().lmax() < 0) return;
    const int lmax = alm.front().lmax();
    const EulerAngles angles = eulerAngles(rotation);
    const auto before = phases(lmax, angles.psi), behind = phases(lmax, angles.phi);
    std::vector<Alm> turned;
    for (size_t i = 0; i < alm.size(); ++i) turned.push_back(newAlm(lmax, lmax, job));
    WignerMatrices matrices(lmax, angles.theta, job);
    std::vector<std::complex<double>> from(static_cast<size_t>(lmax) + 1), to = from;
    JobContext quiet(job.stopToken(), {}, job.threads());
    for (int l = 0; l <= lmax; ++l) {
        if (l > 0) matrices.advance(quiet);
        for (size_t i = 0; i < alm.size(); ++i) {
            const int mmax = std::min(l, alm[i].mmax());
            std::fill(from.begin(), from.end(), 0.0);
            for (int m = 0; m <= mmax; ++m)
                from[static_cast<size_t>(m)] = alm[i](l, m) * before[static_cast<size_t>(m)];
            turnOne(matrices, static_cast<size_t>(l), from, to, quiet);
            for (int m = 0; m <= l; ++m)
                turned[i](l, m) = to[static_cast<size_t>(m)] * behind[static_cast<size_t>(m)];
        }
        job.report(std::pow((l + 1.0) / (lmax + 1.0), 3.0), "rotation");
    }
    std::move(turned.begin(), turned.end(), alm.begin());
}

}  // namespace armilla
