// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/legendre/spin_mixing.h"

#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "shared/legendre_recurrence.h"

namespace armilla {

namespace {

// out_i = mid_i x_i + down_{i+1} y_{i+1} - up_{i-1} y_{i-1}, 1 <= i <= count.
void spread(size_t count, const double* down, const double* mid, const double* up, const double* x,
            const double* y, double* out) {
    for (size_t i = 1; i <= count; ++i)
        out[i] = mid[i] * x[i] + (down[i + 1] * y[i + 1] - up[i - 1] * y[i - 1]);
}
// The transpose: out_i = mid_i x_i + down_i y_{i-1} - up_i y_{i+1}.
void gather(size_t count, const double* down, const double* mid, const double* up, const double* x,
            const double* y, double* out) {
    for (size_t i = 1; i <= count; ++i)
        out[i] = mid[i] * x[i] + (down[i] * y[i - 1] - up[i] * y[i + 1]);
}

}  // namespace

SpinMixing::SpinMixing(int lmax, int spin) : lmax_(lmax), spin_(spin) {
    const auto size = static_cast<size_t>(lmax + spin) + 3;
    for (int t = 1; t <= spin; ++t) {
        Lowering& row = table_.emplace_back();
        for (std::vector<double>* part : {&row.down, &row.mid, &row.up}) part->assign(size, 0.0);
        for (int l = t; l <= lmax + spin; ++l) {
            const SpinLowering at = spinLowering(l, t);
            const auto i = static_cast<size_t>(l);
            row.down[i] = at.down;
            row.mid[i] = at.mid;
            row.up[i] = at.up;
        }
    }
    lowering_ = table_;
    for (Halves* halves : {&now_, &next_})
        for (std::vector<double>* part :
             {&halves->sumRe, &halves->sumIm, &halves->differenceRe, &halves->differenceIm})
            part->assign(size, 0.0);
}

void SpinMixing::prepare(int m, std::span<const double> epsilon) {
    m_ = m;
    count_ = static_cast<size_t>(lmax_ + spin_ - m) + 1;
    ARMILLA_ASSERT(epsilon.size() > count_);
    for (size_t t = 0; t < table_.size(); ++t) {
        Lowering& of = lowering_[t];
        const double* const down = table_[t].down.data() + m;
        const double* const mid = table_[t].mid.data() + m;
        const double* const up = table_[t].up.data() + m;
        for (size_t i = 0; i < count_; ++i) {
            of.down[i + 1] = down[i] * epsilon[i];
            of.mid[i + 1] = mid[i] * m;
            of.up[i + 1] = up[i] * epsilon[i + 1];
        }
        for (std::vector<double>* part : {&of.down, &of.mid, &of.up})
            (*part)[0] = (*part)[count_ + 1] = 0.0;
    }
}

void SpinMixing::clear() {
    for (std::vector<double>* part :
         {&now_.sumRe, &now_.sumIm, &now_.differenceRe, &now_.differenceIm, &next_.sumRe,
          &next_.sumIm, &next_.differenceRe, &next_.differenceIm})
        std::fill_n(part->begin(), count_ + 2, 0.0);
}

// A^+ = -(E + i B), A^- = -(-1)^s (E - i B). For even s half their sum is -E and half their
// difference -i B; for odd s half their sum is -i B and half their difference -E. Q and U are (G^+
// + G^-) / 2 and (G^+ - G^-) / (2 i).
void SpinMixing::toScalar(std::span<const std::complex<double>> e,
                          std::span<const std::complex<double>> b,
                          std::span<std::complex<double>> q, std::span<std::complex<double>> u) {
    ARMILLA_ASSERT(q.size() == count_ && u.size() == count_);
    clear();
    const bool odd = (spin_ & 1) != 0;
    std::vector<double>&eRe = odd ? now_.differenceRe : now_.sumRe,
    &eIm = odd ? now_.differenceIm : now_.sumIm;
    std::vector<double>&bRe = odd ? now_.sumRe : now_.differenceRe,
    &bIm = odd ? now_.sumIm : now_.differenceIm;
    for (size_t i = static_cast<size_t>(std::max(0, spin_ - m_)); i < e.size(); ++i) {
        eRe[i + 1] = -e[i].real();
        eIm[i + 1] = -e[i].imag();
        bRe[i + 1] = b[i].imag();
        bIm[i + 1] = -b[i].real();
    }
    for (size_t t = lowering_.size(); t-- > 0;) {
        const double *down = lowering_[t].down.data(), *mid = lowering_[t].mid.data(),
                     *up = lowering_[t].up.data();
        const auto step = [&](const std::vector<double>& x, const std::vector<double>& y,
                              std::vector<double>& out) {
            spread(count_, down, mid, up, x.data(), y.data(), out.data());
        };
        step(now_.sumRe, now_.differenceRe, next_.sumRe);
        step(now_.sumIm, now_.differenceIm, next_.sumIm);
        step(now_.differenceRe, now_.sumRe, next_.differenceRe);
        step(now_.differenceIm, now_.sumIm, next_.differenceIm);
        std::swap(now_, next_);
    }
    for (size_t i = 0; i < count_; ++i) {
        q[i] = {now_.sumRe[i + 1], now_.sumIm[i + 1]};
        u[i] = {now_.differenceIm[i + 1], -now_.differenceRe[i + 1]};
    }
}

void SpinMixing::fromScalar(std::span<const std::complex<double>> q,
                            std::span<const std::complex<double>> u,
                            std::span<std::complex<double>> e, std::span<std::complex<double>> b) {
    ARMILLA_ASSERT(q.size() == count_ && u.size() == count_);
    clear();
    for (size_t i = 0; i < count_; ++i) {
        now_.sumRe[i + 1] = q[i].real();
        now_.sumIm[i + 1] = q[i].imag();
        now_.differenceRe[i + 1] = -u[i].imag();
        now_.differenceIm[i + 1] = u[i].real();
    }
    for (const Lowering& of : lowering_) {
        const auto step = [&](const std::vector<double>& x, const std::vector<double>& y,
                              std::vector<double>& out) {
            gather(count_, of.down.data(), of.mid.data(), of.up.data(), x.data(), y.data(),
                   out.data());
        };
        step(now_.sumRe, now_.differenceRe, next_.sumRe);
        step(now_.sumIm, now_.differenceIm, next_.sumIm);
        step(now_.differenceRe, now_.sumRe, next_.differenceRe);
        step(now_.differenceIm, now_.sumIm, next_.differenceIm);
        std::swap(now_, next_);
    }
    const bool odd = (spin_ & 1) != 0;
    const std::vector<double>&eRe = odd ? now_.differenceRe : now_.sumRe,
          &eIm = odd ? now_.differenceIm : now_.sumIm;
    const std::vector<double>&bRe = odd ? now_.sumRe : now_.differenceRe,
          &bIm = odd ? now_.sumIm : now_.differenceIm;
    for (size_t i = static_cast<size_t>(std::max(0, spin_ - m_)); i < e.size(); ++i) {
        e[i] -= std::complex<double>(eRe[i + 1], eIm[i + 1]);
        b[i] += std::complex<double>(-bIm[i + 1], bRe[i + 1]);
    }
}

}  // namespace armilla
