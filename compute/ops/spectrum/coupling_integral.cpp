// SPDX-License-Identifier: GPL-3.0-or-later
// The integral of two Wigner functions and a correlation function, for all pairs of multipoles.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "armilla/ops/coupling.h"
#include "spectrum/wigner_formulas.h"
#include "spectrum/wigner_steps.h"

namespace armilla {

namespace {

constexpr int kRunAngles = 256;  // a run and four rows of weights stay in the first cache

// Angles of one form with their quadrature weights over cos(theta).
struct Run {
    WignerForm form = WignerForm::Belt;
    std::vector<double> y, cosHalf, sinHalf, weight;
    int count() const { return static_cast<int>(y.size()); }
    void add(const GaussAngle& angle) {
        cosHalf.push_back(angle.cosHalf);
        sinHalf.push_back(angle.sinHalf);
        weight.push_back(angle.weight);
        y.push_back(angle.y);
    }
    void fill() {
        while (y.size() % kWignerGroup != 0) {
            y.push_back(y.back());
            cosHalf.push_back(cosHalf.back());
            sinHalf.push_back(sinHalf.back());
            weight.push_back(0.0);
        }
    }
    std::vector<double> firstFunction(const WignerOrders& orders) const {
        std::vector<double> values(y.size());
        for (size_t i = 0; i < y.size(); ++i)
            values[i] = firstWigner(orders.m, orders.n, cosHalf[i], sinHalf[i]);
        return values;
    }
};

// The Gauss-Legendre rule that is exact for polynomials of this degree.
std::vector<Run> gaussRuns(int64_t degree, JobContext& job) {
    std::vector<Run> runs;
    for (const GaussAngle& angle : gaussAngles(degree, job)) {
        if (runs.empty() || runs.back().form != angle.form || runs.back().count() == kRunAngles)
            runs.push_back({angle.form, {}, {}, {}, {}});
        runs.back().add(angle);
    }
    for (Run& run : runs) run.fill();
    return runs;
}

// Pairs of rows that are integrated, of l from `first` on.
std::vector<int> anchorsOf(int first, int lmax) {
    std::vector<int> rows{first};
    for (int l = std::max(4, 2 * first); l <= lmax; l *= 2) {
        rows.push_back(l);
        if (l < lmax) rows.push_back(l + 1);
    }
    return rows;
}

// Rows `anchors` of the integral of normalized functions, columns 0 .. 2 lmax - l.
class AnchorRows {
public:
    AnchorRows(const CouplingIntegral& integral, int lmax, std::vector<int> anchors,
               JobContext& job)
        : integral_(integral), anchors_(std::move(anchors)), columns_(2 * lmax + 1) {
        const size_t padded = (anchors_.size() + 3) / 4 * 4;
        values_.assign(padded * static_cast<size_t>(columns_), 0.0);
        const WignerRecurrence rows(integral.rows, lmax), columns(integral.columns, 2 * lmax),
            kernel(integral.kernel, static_cast<int>(integral.weights.size()) - 1);
        std::vector<int> active(static_cast<size_t>(columns_), 0);
        for (int l = 0; l < columns_; ++l) {
            const auto end = std::find_if(anchors_.begin(), anchors_.end(),
                                          [&](int k) { return k > 2 * lmax - l; });
            active[static_cast<size_t>(l)] = static_cast<int>(end - anchors_.begin() + 3) / 4 * 4;
        }
        const std::vector<Run> runs =
            gaussRuns(2 * static_cast<int64_t>(lmax) + static_cast<int64_t>(kernel.last), job);
        // Some runs at a time: each leaves sums of its own, which are added in their order.
        constexpr size_t kTogether = 8;
        for (size_t begin = 0; begin < runs.size(); begin += kTogether) {
            const size_t count = std::min(kTogether, runs.size() - begin);
            std::vector<std::vector<double>> parts(count);
            parallelFor(job, static_cast<long long>(count), 1, [&](long long from, long long to) {
                for (auto i = static_cast<size_t>(from); i < static_cast<size_t>(to); ++i) {
                    job.poll();
                    parts[i].assign(values_.size(), 0.0);
                    integrate(runs[begin + i], rows, columns, kernel, active, parts[i]);
                }
            });
            for (const std::vector<double>& part : parts)
                for (size_t i = 0; i < values_.size(); ++i) values_[i] += part[i];
        }
    }
    // The row of l, null where it is not integrated.
    const double* row(int l) const {
        const auto found = std::find(anchors_.begin(), anchors_.end(), l);
        return found == anchors_.end()
                   ? nullptr
                   : values_.data() + (found - anchors_.begin()) * static_cast<int64_t>(columns_);
    }

private:
    void integrate(const Run& run, const WignerRecurrence& rows, const WignerRecurrence& columns,
                   const WignerRecurrence& kernel, const std::vector<int>& active,
                   std::vector<double>& sums) const {
        const auto count = static_cast<size_t>(run.count());
        std::vector<double> xi(count, 0.0), now, before;
        const auto start = [&](const WignerRecurrence& recurrence, const WignerOrders& orders) {
            now = run.firstFunction(orders);
            before.assign(count, 0.0);
            return WignerAngles{&recurrence,  run.form,   run.count(),
                                run.y.data(), now.data(), before.data()};
        };
        std::vector<double> coefficients(integral_.weights.begin(), integral_.weights.end());
        for (size_t l = 0; l < coefficients.size(); ++l)
            coefficients[l] *= std::sqrt(2.0 / (2.0 * static_cast<double>(l) + 1.0));
        addWignerSeries(start(kernel, integral_.kernel), coefficients.data(), xi.data());
        for (size_t i = 0; i < count; ++i) xi[i] *= run.weight[i];
        // xi and the weights times the function of each anchor.
        std::vector<double> factors((anchors_.size() + 3) / 4 * 4 * count, 0.0),
            single(static_cast<size_t>(rows.last) + 1);
        for (size_t r = 0; r < anchors_.size(); ++r) {
            single[static_cast<size_t>(anchors_[r])] = 1.0;
            WignerRecurrence part = rows;
            part.last = anchors_[r];
            WignerAngles angles = start(part, integral_.rows);
            double* const to = factors.data() + r * count;
            addWignerSeries(angles, single.data(), to);
            single[static_cast<size_t>(anchors_[r])] = 0.0;
            for (size_t i = 0; i < count; ++i) to[i] *= xi[i];
        }
        wignerMoments(start(columns, integral_.columns), factors.data(), active.data(), sums.data(),
                      columns_);
    }

    const CouplingIntegral& integral_;
    std::vector<int> anchors_;
    int columns_;
    std::vector<double> values_;
};

// Row l + 1 from l and l - 1, columns `begin` to `end`, of arrays with an element before column 0.
void nextRow(const WignerRecurrence& rows, const WignerRecurrence& columns, int l, int begin,
             int end, const double* now, const double* before, double* next) {
    const auto at = static_cast<size_t>(l);
    const WignerRowStep step{rows.scale[at], rows.back[at], rows.beta[at]};
    const double* const alpha = columns.alpha.data();
    const double* const diagonal = columns.beta.data();
    for (int k = begin; k <= end; ++k)
        next[k] = nextInColumn(step, {alpha[k], alpha[k + 1], diagonal[k]}, now[k - 1], now[k],
                               now[k + 1], before[k]);
}

void mirror(std::vector<double>& x, int64_t size, JobContext& job) {
    constexpr int64_t kTile = 64;
    parallelFor(job, (size + kTile - 1) / kTile, 1, [&](long long first, long long last) {
        for (int64_t row = first * kTile; row < std::min<int64_t>(size, last * kTile); row += kTile)
            for (int64_t column = 0; column <= row; column += kTile)
                for (int64_t i = row; i < std::min(size, row + kTile); ++i)
                    for (int64_t k = column; k < std::min(i, column + kTile); ++k)
                        x[static_cast<size_t>(i * size + k)] = x[static_cast<size_t>(k * size + i)];
    });
}

}  // namespace

std::vector<double> couplingIntegral(const CouplingIntegral& integral, int lmax, JobContext& job) {
    const auto size = static_cast<size_t>(lmax) + 1;
    std::vector<double> x(size * size, 0.0);
    const WignerRecurrence rows(integral.rows, lmax), columns(integral.columns, 2 * lmax);
    const auto first =
        static_cast<size_t>(std::max(std::abs(integral.kernel.m), std::abs(integral.kernel.n)));
    if (rows.first > lmax || columns.first > lmax || integral.weights.size() <= first) return x;
    const bool isSymmetric = integral.rows == integral.columns;
    // Multipoles of the mask above 2 lmax couple none of these.
    CouplingIntegral used = integral;
    used.weights = used.weights.first(std::min(used.weights.size(), 2 * size - 1));
    const AnchorRows anchors(used, lmax, anchorsOf(rows.first, lmax), job);
    std::vector<double> norm(size);
    for (size_t l = 0; l < size; ++l) norm[l] = 1.0 / std::sqrt(2.0 * static_cast<double>(l) + 1.0);
    // One element before column 0 and one behind the last: both 0.
    const size_t length = 2 * size + 2;
    std::vector<double> before(length, 0.0), now(length, 0.0), next(length, 0.0);
    for (int l = rows.first; l <= lmax; ++l) {
        if (l % 64 == 0) job.poll();
        const int begin = std::max(columns.first, isSymmetric ? l : 0), end = 2 * lmax - l;
        if (const double* anchor = anchors.row(l))
            std::copy(anchor + begin, anchor + end + 1, next.data() + 1 + begin);
        else
            nextRow(rows, columns, l - 1, begin, end, now.data() + 1, before.data() + 1,
                    next.data() + 1);
        std::swap(before, now);
        std::swap(now, next);
        double* const to = x.data() + static_cast<size_t>(l) * size;
        for (auto k = static_cast<size_t>(begin); k < size; ++k)
            to[k] = now[k + 1] * norm[static_cast<size_t>(l)] * norm[k];
    }
    if (isSymmetric) mirror(x, static_cast<int64_t>(size), job);
    return x;
}

}  // namespace armilla
