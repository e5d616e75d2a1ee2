// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/meridian_rows.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/batched_fft.h"
#include "sht/fft/column_fft.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Great circles that are transformed together. Eight doubles of a row are a cache line.
constexpr int64_t kCircles = 8;

int64_t fftLength(int64_t least) {
    return static_cast<int64_t>(ColumnFft::fastSize(static_cast<size_t>(least)));
}

}  // namespace

struct MeridianRows::Transforms {
    BatchedFft circle, fine, out;
};

int64_t MeridianRows::mostLmax(const RingRows& rows) {
    return std::min(rows.rows - (rows.hasPoles ? 2 : 1), (rows.columns - 1) / 2);
}

MeridianRows::MeridianRows(const RingRows& rows, int lmax, double phi0, JobContext& job)
    : rows_(rows), lmax_(lmax) {
    if (lmax < 0 || lmax > mostLmax(rows))
        throw InvalidArgument("expected lmax from 0 to " + std::to_string(mostLmax(rows)) +
                              " for this grid, found " + std::to_string(lmax));
    ARMILLA_ASSERT(canResample(rows) && rows.count == rows.rows);
    circle_ = 2 * (rows.hasPoles ? rows.rows - 1 : rows.rows);
    // Degrees up to circle_ / 2 of f times degrees of |sin| up to circle_ / 2 + lmax must not alias
    // to degrees up to lmax.
    fine_ = 2 * fftLength(circle_ / 2 + lmax + 1);
    steps_ = fftLength(int64_t{lmax} + 1);
    const auto plan = [&](int64_t length) {
        return BatchedFft({.length = length, .count = kCircles}, job);
    };
    transforms_ =
        std::make_unique<Transforms>(Transforms{plan(circle_), plan(fine_), plan(2 * steps_)});

    // |sin(theta)| = sum of (2 / pi) / (1 - q^2) e^{i q theta} over even q.
    std::vector<Complex> series(static_cast<size_t>(fine_ / 2 + 1));
    for (int64_t q = 0; q <= circle_ / 2 + lmax; q += 2) {
        const auto degree = static_cast<double>(q);
        series[static_cast<size_t>(q)] = 2.0 / kPi / (1.0 - degree * degree);
    }
    sine_ = newVector<double>(fine_, job);
    BatchedFft({.length = fine_}, job).backward(series, sine_, job);

    grid_ = RingGrid::clenshawCurtis(steps_ + 1, rows.columns);
    const double weight =
        kPi / static_cast<double>(steps_) * kTwoPi / static_cast<double>(rows.columns);
    for (Ring& ring : grid_.rings) {
        ring.weight = weight;
        ring.phi0 = phi0;
    }
    // A circle passes each pole once and other rows twice.
    grid_.rings.front().weight = grid_.rings.back().weight = 0.5 * weight;
}

MeridianRows::~MeridianRows() = default;

// The circles of the columns from `column` on and of their opposite columns.
void MeridianRows::resampleColumns(int64_t column, double parity, std::span<const double> values,
                                   std::span<double> out, JobContext& job) const {
    const int64_t half = rows_.columns / 2, last = rows_.rows - 1;
    const int64_t count = std::min(kCircles, half - column);
    const auto at = [&](int64_t row, int64_t c) {
        return static_cast<size_t>(row * rows_.columns + c);
    };
    std::vector<double> circles(
        static_cast<size_t>(kCircles * std::max({circle_, fine_, 2 * steps_})));
    std::vector<Complex> narrow(static_cast<size_t>(kCircles * (circle_ / 2 + 1)));
    std::vector<Complex> wide(static_cast<size_t>(kCircles * (fine_ / 2 + 1)));
    std::vector<Complex> kept(static_cast<size_t>(kCircles * (steps_ + 1)));
    const auto firstOf = [](auto& all, int64_t size) {
        return std::span(all).first(static_cast<size_t>(size));
    };

    for (int64_t row = 0; row <= last; ++row) {
        const bool isPole = rows_.hasPoles && (row == 0 || row == last);
        const int64_t back = circle_ - row - (rows_.hasPoles ? 0 : 1);  // the row past a pole
        for (int64_t i = 0; i < count; ++i) {
            const double here = values[at(row, column + i)];
            const double beyond = parity * values[at(row, column + i + half)];
            double* const circle = circles.data() + i * circle_;
            circle[row] = isPole ? 0.5 * (here + beyond) : here;
            if (!isPole) circle[back] = beyond;
        }
    }
    transforms_->circle.forward(firstOf(circles, kCircles * circle_), narrow, job);

    // Coefficients of e^{ik theta}; midpoints begin half a step off the pole.
    for (int64_t k = 0; k <= circle_ / 2; ++k) {
        const double points = static_cast<double>(circle_);
        const double angle = rows_.hasPoles ? 0.0 : -kPi * static_cast<double>(k) / points;
        // The highest degree stands for both of its signs.
        const Complex factor = std::polar((2 * k == circle_ ? 0.5 : 1.0) / points, angle);
        for (int64_t i = 0; i < count; ++i)
            wide[static_cast<size_t>(i * (fine_ / 2 + 1) + k)] =
                factor * narrow[static_cast<size_t>(i * (circle_ / 2 + 1) + k)];
    }
    transforms_->fine.backward(wide, firstOf(circles, kCircles * fine_), job);
    for (int64_t i = 0; i < count; ++i)
        for (int64_t j = 0; j < fine_; ++j)
            circles[static_cast<size_t>(i * fine_ + j)] *= sine_[static_cast<size_t>(j)];
    transforms_->fine.forward(firstOf(circles, kCircles * fine_), wide, job);

    for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k <= lmax_; ++k)
            kept[static_cast<size_t>(i * (steps_ + 1) + k)] =
                wide[static_cast<size_t>(i * (fine_ / 2 + 1) + k)] / static_cast<double>(fine_);
    transforms_->out.backward(kept, firstOf(circles, kCircles * 2 * steps_), job);
    for (int64_t row = 0; row <= steps_; ++row)
        for (int64_t i = 0; i < count; ++i) {
            const double* const circle = circles.data() + i * 2 * steps_;
            out[at(row, column + i)] = circle[row];
            out[at(row, column + i + half)] = parity * circle[(2 * steps_ - row) % (2 * steps_)];
        }
}

std::vector<double> MeridianRows::resample(int spin, std::span<const double> values,
                                           JobContext& job) const {
    if (std::ssize(values) != rows_.rows * rows_.columns)
        throw InvalidArgument("expected " + std::to_string(rows_.rows * rows_.columns) +
                              " samples, found " + std::to_string(values.size()));
    std::vector<double> out = newVector<double>((steps_ + 1) * rows_.columns, job);
    // Past a pole both directions of the meridian and of the parallel are reversed.
    const double parity = spin % 2 == 0 ? 1.0 : -1.0;
    const int64_t half = rows_.columns / 2;
    parallelFor(job, (half + kCircles - 1) / kCircles, 1, [&](long long begin, long long end) {
        JobContext own(job.stopToken(), {}, 1);
        for (long long block = begin; block < end; ++block)
            resampleColumns(block * kCircles, parity, values, out, own);
    });
    return out;
}

}  // namespace armilla
