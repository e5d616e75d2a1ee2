// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "armilla/ops/spectrum.h"
#include "shared/new_alm.h"
#include "spectrum/quarter_turn.h"
#include "spectrum/quarter_turn_cuda.h"

namespace armilla {

std::vector<double> centralStarts(int lmax) {
    std::vector<double> starts{1.0};
    for (int l = 1; l <= lmax; ++l)
        starts.push_back(starts.back() * std::sqrt((2.0 * l - 1.0) / (2.0 * l)));
    return starts;
}

namespace {

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

using TurnedFields = std::array<std::vector<std::complex<double>>, kMostTurnedFields>;

// One l of up to three fields, rotated by theta about y.
class DegreeTurn {
public:
    DegreeTurn(int l, double centralStart, size_t fields) : l_(l), fields_(fields) {
        makeSteps();
        makeRows(centralStart);
        for (size_t f = 0; f < fields; ++f) {
            values_[f].resize(static_cast<size_t>(l) + 1);
            even_[f].resize(rows_[0].k.size());
            odd_[f].resize(rows_[0].k.size());
        }
    }

    // In place: to_k = sum over m of Delta_km from_m, for orders 0 to l. Order -m of the fields is
    // (-1)^m times the conjugate of order m. Delta_{k,-m} = (-1)^(l+k) Delta_km, so the sum over m
    // and -m is the real part of from_m if l + k + m is even. If l + k + m is odd, the sum is i
    // times the imaginary part.
    void apply(TurnedFields& fields) {
        TurnedFields result;
        for (size_t f = 0; f < fields_; ++f) result[f].resize(static_cast<size_t>(l_) + 1);
        for (const int parity : {0, 1}) {
            if (parity > l_) break;
            for (size_t f = 0; f < fields_; ++f) gather(fields[f], parity, values_[f]);
            sum(parity);
            // Delta_km = (-1)^(l-m) c_m E_km.
            const double sign = parity == 0 ? 1.0 : -1.0;
            for (size_t f = 0; f < fields_; ++f) {
                const auto &re = parity == 0 ? even_[f] : odd_[f],
                           &im = parity == 0 ? odd_[f] : even_[f];
                for (int k = parity; k <= l_; k += 2)
                    result[f][static_cast<size_t>(k)] = {sign * re[static_cast<size_t>(k / 2)],
                                                         -sign * im[static_cast<size_t>(k / 2)]};
            }
        }
        fields = std::move(result);
    }

private:
    void makeSteps() {
        const auto count = static_cast<size_t>(l_) + 1;
        steps_.alpha.resize(count);
        steps_.scale.resize(count);
        const auto a = [&](double m) { return std::sqrt((l_ - m) * (l_ + m + 1.0)); };
        // c_m and A_m of the two previous steps.
        double above = 1.0, here = 1.0, ofHere = 0.0;
        for (size_t i = 0; i < count; ++i) {
            const double m = l_ - static_cast<double>(i);
            if (i > 0) {
                const double next = a(m);
                const double scale = i == 1 ? 1.0 : ofHere * above / next;
                steps_.alpha[i] = 2.0 * here / (next * scale);
                above = here;
                here = scale;
                ofHere = next;
            }
            steps_.scale[i] = m > 0.0 ? 2.0 * here : here;
        }
    }
    void makeRows(double centralStart) {
        constexpr double kSmall = 0x1p-256, kUp = 0x1p512;
        const auto padded = static_cast<size_t>((l_ / 2 + kRowGroup) / kRowGroup * kRowGroup);
        for (QuarterTurnRows& rows : rows_) {
            rows.k.assign(padded, 0.0);
            rows.start.assign(padded, 0.0);
            rows.power.assign(padded, 0.0);
        }
        double start = centralStart, power = 0.0;
        for (int k = 0; k <= l_; ++k) {
            QuarterTurnRows& rows = rows_[static_cast<size_t>(k % 2)];
            const auto i = static_cast<size_t>(k / 2);
            rows.k[i] = k;
            rows.start[i] = start;
            rows.power[i] = power;
            start *= std::sqrt((l_ - k) / (l_ + k + 1.0));
            if (start < kSmall) {
                start *= kUp;
                power += 1.0;
            }
        }
    }
    void gather(const std::vector<std::complex<double>>& from, int parity,
                std::vector<double>& values) const {
        for (int i = 0; i <= l_; ++i) {
            const std::complex<double>& value = from[static_cast<size_t>(l_ - i)];
            const auto at = static_cast<size_t>(i);
            values[at] = steps_.scale[at] * ((i + parity) % 2 == 0 ? value.real() : value.imag());
        }
    }
    void sum(int parity) {
        const QuarterTurnRows& rows = rows_[static_cast<size_t>(parity)];
        QuarterTurnSums sums;
        sums.steps = l_ + 1;
        sums.rows = static_cast<int>(rows.k.size());
        sums.k = rows.k.data();
        sums.start = rows.start.data();
        sums.power = rows.power.data();
        sums.alpha = steps_.alpha.data();
        sums.fields = static_cast<int>(fields_);
        for (size_t f = 0; f < fields_; ++f) {
            sums.values[f] = values_[f].data();
            sums.even[f] = even_[f].data();
            sums.odd[f] = odd_[f].data();
        }
        quarterTurnSums(sums);
    }

    int l_;
    size_t fields_;
    QuarterTurnSteps steps_;
    std::array<QuarterTurnRows, 2> rows_;  // even and odd k
    std::array<std::vector<double>, kMostTurnedFields> values_, even_, odd_;
};

// i^-m.
std::complex<double> quarterPhase(int m) {
    constexpr std::array<std::complex<double>, 4> kPhases{
        {{1.0, 0.0}, {0.0, -1.0}, {-1.0, 0.0}, {0.0, 1.0}}};
    return kPhases[static_cast<size_t>(m % 4)];
}

void rotateOnCpu(std::span<Alm> alm, const EulerAngles& angles, JobContext& job) {
    const int lmax = alm.front().lmax();
    const auto before = phases(lmax, angles.psi), between = phases(lmax, angles.theta),
               behind = phases(lmax, angles.phi);
    std::vector<Alm> turned;
    for (size_t i = 0; i < alm.size(); ++i) turned.push_back(newAlm(lmax, lmax, job));
    const std::vector<double> starts = centralStarts(lmax);
    // d_mm' = i^(m'-m) sum over k of Delta_mk exp(-i k theta) Delta_m'k, and Delta_m'k =
    // (-1)^(m'+k) Delta_km'.
    const auto turnDegree = [&](int l, size_t first, size_t count) {
        DegreeTurn turn(l, starts[static_cast<size_t>(l)], count);
        TurnedFields fields;
        for (size_t f = 0; f < count; ++f) {
            const Alm& from = alm[first + f];
            fields[f].resize(static_cast<size_t>(l) + 1);
            for (int m = 0; m <= std::min(l, from.mmax()); ++m)
                fields[f][static_cast<size_t>(m)] =
                    from(l, m) * before[static_cast<size_t>(m)] * quarterPhase(m);
        }
        turn.apply(fields);
        for (size_t f = 0; f < count; ++f)
            for (size_t k = 0; k <= static_cast<size_t>(l); ++k)
                fields[f][k] *= k % 2 == 0 ? between[k] : -between[k];
        turn.apply(fields);
        for (size_t f = 0; f < count; ++f)
            for (int m = 0; m <= l; ++m)
                turned[first + f](l, m) = fields[f][static_cast<size_t>(m)] *
                                          behind[static_cast<size_t>(m)] * quarterPhase(m);
    };
    // The longest degrees come first; a thread takes one degree at a time.
    parallelFor(
        job, static_cast<long long>(lmax) + 1, 1,
        [&](long long i, long long) {
            for (size_t first = 0; first < alm.size(); first += kMostTurnedFields)
                turnDegree(lmax - static_cast<int>(i), first,
                           std::min<size_t>(kMostTurnedFields, alm.size() - first));
        },
        "rotation");
    std::move(turned.begin(), turned.end(), alm.begin());
}

void fillOrders(Alm& alm, const JobContext& job) {
    if (alm.mmax() == alm.lmax()) return;
    Alm full = newAlm(alm.lmax(), alm.lmax(), job);
    std::copy(alm.values().begin(), alm.values().end(), full.values().begin());
    alm = std::move(full);
}

}  // namespace

void rotateAlm(std::span<Alm> alm, const Mat3& rotation, const Device& device, JobContext& job) {
    if (alm.empty() || alm.front().lmax() < 0) return;
    const EulerAngles angles = eulerAngles(rotation);
    if (device.kind == DeviceKind::Cpu) return rotateOnCpu(alm, angles, job);
    for (Alm& a : alm) fillOrders(a, job);
    rotateAlmOnDevice(alm, angles, device.index, job);
}

}  // namespace armilla
