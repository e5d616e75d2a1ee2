// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/row_fft.h"

#include <algorithm>
#include <utility>

#include "sht/column_kernels.h"
#include "sht/complex_product.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

Complex exchanged(Complex a) {
    return {a.imag(), a.real()};
}
double* raw(Complex* data) {
    return reinterpret_cast<double*>(data);
}

}  // namespace

// For each number: the columns' passes, and the last step at about five.
double RowFft::directCost(size_t length) {
    return ColumnFft::cost(length / kFftColumns) + 5.0;
}

size_t RowFft::convolutionLength(size_t length) {
    return kFftColumns * ColumnFft::fastSize((2 * length - 1 + kFftColumns - 1) / kFftColumns);
}

RowFft::RowFft(std::span<const size_t> lengths, JobContext& job) {
    for (const size_t length : lengths) {
        if (direct_.contains(length) || convolution_.contains(length)) continue;
        const size_t longer = convolutionLength(length);
        // Two transforms and that of the chirp, and three multiplications.
        const double detour = static_cast<double>(longer) / static_cast<double>(length) *
                              (3.0 * directCost(longer) + 15.0);
        const bool direct = length % kFftColumns == 0 && directCost(length) <= detour;
        if (!direct) convolution_[length] = longer;
        direct_[direct ? length : longer];
        longest_ = std::max({longest_, length, direct ? length : longer});
    }
    std::vector<std::pair<const size_t, std::unique_ptr<Direct>>*> plans;
    for (auto& plan : direct_) plans.push_back(&plan);
    parallelFor(job, static_cast<long long>(plans.size()), 1, [&](long long i, long long) {
        auto& [length, plan] = *plans[static_cast<size_t>(i)];
        plan = std::make_unique<Direct>(length);
    });
}

int64_t RowFft::bytes() const {
    size_t sum = 0;
    for (const auto& [length, plan] : direct_)
        sum += sizeof(*plan) + plan->columns.bytes() + plan->roots.bytes();
    return static_cast<int64_t>(sum);
}

RowFft::Workspace::Workspace(const RowFft& plans)
    : first_(plans.longest_),
      second_(plans.longest_),
      chirp_(plans.convolution_.empty() ? 0 : plans.longest_),
      kernel_(plans.convolution_.empty() ? 0 : plans.longest_) {}

Complex* RowFft::transform(const Direct& plan, Complex* data, Complex* other) {
    double* const rows = plan.columns.forward(raw(data), raw(other));
    Complex* const out = rows == raw(data) ? other : data;
    combineColumns({plan.columns.rows(), plan.roots.fine(), plan.roots.coarse()}, rows, raw(out));
    return out;
}

// c_j = e^{-i pi j^2 / n}, and the transform of conj(c_j), -n < j < n, over the length of the
// convolution. The squares are reduced modulo 2 n as integers.
void RowFft::makeChirp(size_t length, const Direct& plan, Workspace& work) const {
    const size_t longer = plan.columns.rows() * kFftColumns;
    const UnitRoots roots(2 * length);
    const double scale = 1.0 / static_cast<double>(longer);
    std::fill(work.second_.data(), work.second_.data() + longer, Complex(0.0));
    Complex* const conjugate = work.second_.data();
    size_t square = 0;
    for (size_t j = 0; j < length; ++j) {
        work.chirp_[j] = roots[square];
        conjugate[j] = scale * std::conj(roots[square]);
        if (j > 0) conjugate[longer - j] = conjugate[j];
        square = (square + 2 * j + 1) % (2 * length);
    }
    // The input waits in first_, so the transform goes on beside it.
    const Complex* const result = transform(plan, conjugate, work.kernel_.data());
    if (result != work.kernel_.data()) std::copy(result, result + longer, work.kernel_.data());
    work.chirpLength_ = length;
}

const Complex* RowFft::forward(size_t length, Workspace& work) const {
    const auto detour = convolution_.find(length);
    if (detour == convolution_.end())
        return transform(*direct_.at(length), work.first_.data(), work.second_.data());
    const size_t longer = detour->second;
    const Direct& plan = *direct_.at(longer);
    if (work.chirpLength_ != length) makeChirp(length, plan, work);
    Complex* const x = work.first_.data();
    for (size_t j = 0; j < length; ++j) x[j] = times(x[j], work.chirp_[j]);
    std::fill(x + length, x + longer, Complex(0.0));
    Complex* const image = transform(plan, x, work.second_.data());
    // Backward, as forward with real and imaginary parts exchanged before and after.
    for (size_t k = 0; k < longer; ++k) image[k] = exchanged(times(image[k], work.kernel_[k]));
    Complex* const result =
        transform(plan, image, image == x ? work.second_.data() : work.first_.data());
    for (size_t k = 0; k < length; ++k) result[k] = times(exchanged(result[k]), work.chirp_[k]);
    return result;
}

}  // namespace armilla
