// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/row_fft.h"

#include <algorithm>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "sht/fft/column_kernels.h"
#include "sht/fft/complex_product.h"

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

// Cost for each row, in the units of ColumnFft::cost: two transforms, and three multiplications.
double RowFft::chirpCost(size_t rows, size_t longer) {
    const double ratio = static_cast<double>(longer) / static_cast<double>(rows);
    return ratio * (2.0 * ColumnFft::cost(longer) + 10.0) + 10.0;
}

size_t RowFft::convolutionLength(size_t length) {
    return kFftColumns * ColumnFft::fastSize((2 * length - 1 + kFftColumns - 1) / kFftColumns);
}

double RowFft::cost(size_t length) {
    constexpr double kOfColumns = 7.0;  // from four columns to a row, as a pass of radix 4
    const bool convolved = length % kFftColumns != 0;
    const size_t rows = (convolved ? convolutionLength(length) : length) / kFftColumns;
    const double each =
        std::min(ColumnFft::cost(rows), chirpCost(rows, convolutionLength(rows))) + kOfColumns;
    return (convolved ? 2.0 : 1.0) * static_cast<double>(rows) * each;
}

void RowFft::planColumns(size_t rows) {
    if (columns_.contains(rows) || chirps_.contains(rows)) return;
    // A multiple of four, because the chirp is transformed as a row.
    const size_t longer = convolutionLength(rows);
    const bool direct = ColumnFft::cost(rows) <= chirpCost(rows, longer);
    if (!direct) {
        chirps_[rows].longer = longer;
        columns_[longer / kFftColumns];
        roots_.try_emplace(longer, longer);
    }
    columns_[direct ? rows : longer];
    longest_ = std::max(longest_, kFftColumns * (direct ? rows : longer));
}

RowFft::RowFft(std::span<const size_t> lengths, JobContext& job, FftLibrary library) {
    if (library == FftLibrary::Fftw) {
        ARMILLA_ASSERT(lengths.size() == 1);
        longest_ = lengths[0];
        fftw_ = FftwPlan::complexRows({.length = static_cast<int64_t>(longest_)},
                                      FftwPlan::Kind::Forward, false);
        return;
    }
    for (const size_t length : std::set<size_t>(lengths.begin(), lengths.end())) {
        size_t fours = length;
        if (length % kFftColumns != 0) fours = convolution_[length] = convolutionLength(length);
        planColumns(fours / kFftColumns);
        roots_.try_emplace(fours, fours);
        if (halves(length)) planColumns(length / kEighths);
    }
    std::vector<std::pair<const size_t, std::unique_ptr<ColumnFft>>*> plans;
    for (auto& plan : columns_) plans.push_back(&plan);
    parallelFor(job, static_cast<long long>(plans.size()), 1, [&](long long i, long long) {
        auto& [rows, plan] = *plans[static_cast<size_t>(i)];
        plan = std::make_unique<ColumnFft>(rows);
    });
    std::vector<std::pair<const size_t, Chirp>*> chirps;
    for (auto& chirp : chirps_) chirps.push_back(&chirp);
    parallelFor(job, static_cast<long long>(chirps.size()), 1, [&](long long i, long long) {
        auto& [rows, chirp] = *chirps[static_cast<size_t>(i)];
        makeChirp(rows, chirp);
    });
}

int64_t RowFft::bytes() const {
    size_t sum = 0;
    for (const auto& [rows, plan] : columns_) sum += sizeof(*plan) + plan->bytes();
    for (const auto& [rows, chirp] : chirps_)
        sum += sizeof(chirp) + sizeof(Complex) * (chirp.factors.size() + chirp.kernel.size());
    for (const auto& [length, roots] : roots_) sum += sizeof(roots) + roots.bytes();
    return static_cast<int64_t>(sum);
}

RowFft::Workspace::Workspace(const RowFft& plans)
    : first_(plans.longest_),
      second_(plans.longest_),
      chirp_(plans.convolution_.empty() ? 0 : plans.longest_),
      kernel_(plans.convolution_.empty() ? 0 : plans.longest_) {}

namespace {

// c_j = e^{-i pi j^2 / n}. The squares are reduced modulo 2 n as integers.
void fillChirp(size_t n, Complex* c) {
    const UnitRoots roots(2 * n);
    size_t square = 0;
    for (size_t j = 0; j < n; ++j) {
        c[j] = roots[square];
        square = (square + 2 * j + 1) % (2 * n);
    }
}
// conj(c_j) / longer, -n < j < n, on a circle of `longer` numbers: the kernel of the convolution.
void fillKernel(size_t n, const Complex* c, size_t longer, Complex* kernel) {
    const double scale = 1.0 / static_cast<double>(longer);
    std::fill(kernel, kernel + longer, Complex(0.0));
    for (size_t j = 0; j < n; ++j) {
        kernel[j] = scale * std::conj(c[j]);
        if (j > 0) kernel[longer - j] = kernel[j];
    }
}

}  // namespace

void RowFft::makeChirp(size_t rows, Chirp& chirp) const {
    chirp.factors.resize(rows);
    fillChirp(rows, chirp.factors.data());
    AlignedArray<Complex> data(chirp.longer), other(chirp.longer);
    fillKernel(rows, chirp.factors.data(), chirp.longer, data.data());
    const Complex* const kernel = transform(chirp.longer, data.data(), other.data());
    chirp.kernel.assign(kernel, kernel + chirp.longer / 2 + 1);
}

double* RowFft::transformColumns(size_t rows, double* data, double* other) const {
    const auto detour = chirps_.find(rows);
    if (detour == chirps_.end()) return columns_.at(rows)->forward(data, other);
    const Chirp& chirp = detour->second;
    const ColumnFft& plan = *columns_.at(chirp.longer);
    turnRows({rows, 1, 1, 1, false, false}, chirp.factors.data(), data, data);
    std::fill(data + rows * kFftRow, data + chirp.longer * kFftRow, 0.0);
    double* const image = plan.forward(data, other);
    // Backward, as forward with real and imaginary parts exchanged before and after.
    const size_t half = chirp.longer / 2;
    turnRows({half + 1, 1, 1, 1, false, true}, chirp.kernel.data(), image, image);
    double* const mirrored = image + (half + 1) * kFftRow;
    turnRows({half - 1, -1, 1, 1, false, true}, chirp.kernel.data() + half - 1, mirrored, mirrored);
    double* const result = plan.forward(image, image == data ? other : data);
    turnRows({rows, 1, 1, 1, true, false}, chirp.factors.data(), result, result);
    return result;
}

Complex* RowFft::transform(size_t length, Complex* data, Complex* other) const {
    const size_t rows = length / kFftColumns;
    const UnitRoots& roots = roots_.at(length);
    double* const columns = transformColumns(rows, raw(data), raw(other));
    Complex* const out = columns == raw(data) ? other : data;
    combineColumns({rows, roots.fine(), roots.coarse()}, columns, raw(out));
    return out;
}

bool RowFft::halves(size_t length) const {
    return !fftw_ && length % kEighths == 0 && length / kEighths >= kShortestRealInputFft;
}

template <typename Sample>
const Complex* RowFft::forwardHalf(size_t length, int half, const RingPairSamples<Sample>& samples,
                                   Workspace& work) const {
    ARMILLA_ASSERT(halves(length));
    const UnitRoots& roots = roots_.at(length);
    double* const rows = raw(work.first_.data());
    splitRow({length / kEighths, half, roots.fine(), roots.coarse()}, samples, rows);
    return reinterpret_cast<const Complex*>(
        transformColumns(length / kEighths, rows, raw(work.second_.data())));
}
template const Complex* RowFft::forwardHalf(size_t, int, const RingPairSamples<double>&,
                                            Workspace&) const;
template const Complex* RowFft::forwardHalf(size_t, int, const RingPairSamples<float>&,
                                            Workspace&) const;

void RowFft::makeRowChirp(size_t length, Workspace& work) const {
    const size_t longer = convolution_.at(length);
    fillChirp(length, work.chirp_.data());
    // The input stays in first_, so the transform uses the other buffer.
    fillKernel(length, work.chirp_.data(), longer, work.second_.data());
    const Complex* const result = transform(longer, work.second_.data(), work.kernel_.data());
    if (result != work.kernel_.data()) std::copy(result, result + longer, work.kernel_.data());
    work.chirpLength_ = length;
}

const Complex* RowFft::forward(size_t length, Workspace& work) const {
    if (fftw_) {
        fftw_->execute(work.first_.data(), work.second_.data());
        return work.second_.data();
    }
    const auto detour = convolution_.find(length);
    if (detour == convolution_.end())
        return transform(length, work.first_.data(), work.second_.data());
    const size_t longer = detour->second;
    if (work.chirpLength_ != length) makeRowChirp(length, work);
    Complex* const x = work.first_.data();
    for (size_t j = 0; j < length; ++j) x[j] = times(x[j], work.chirp_[j]);
    std::fill(x + length, x + longer, Complex(0.0));
    Complex* const image = transform(longer, x, work.second_.data());
    // Backward, as forward with real and imaginary parts exchanged before and after.
    for (size_t k = 0; k < longer; ++k) image[k] = exchanged(times(image[k], work.kernel_[k]));
    Complex* const result =
        transform(longer, image, image == x ? work.second_.data() : work.first_.data());
    for (size_t k = 0; k < length; ++k) result[k] = times(exchanged(result[k]), work.chirp_[k]);
    return result;
}

}  // namespace armilla
