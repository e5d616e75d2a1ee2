// SPDX-License-Identifier: GPL-3.0-or-later
// Bins, the response of binned pseudo-spectra, and its inverse.
#include "armilla/ops/band_powers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/number_text.h"
#include "armilla/ops/spectrum.h"
#include "shared/dense.h"

namespace armilla {

namespace {

enum Index { kPairTT, kPairEE, kPairBB, kPairTE, kPairTB, kPairEB, kPairET, kPairBT, kPairBE };

// X of the response of a spectrum to itself or to its partner, and its sign.
struct Response {
    const CouplingMatrix* x = nullptr;
    double sign = 1.0;
};
Response responseOf(const CouplingMatrices& m, const BandPowerRequest& request, int spectrum,
                    bool toPartner) {
    const auto [a, b] = kSpectrumPairs[static_cast<size_t>(spectrum)];
    const auto isPure = [&](int field) -> size_t {
        return (field == 1 && request.pureE) || (field == 2 && request.pureB) ? 1 : 0;
    };
    const size_t pure = isPure(a) + isPure(b);
    if (a == 0 && b == 0) return {&m.scalar, 1.0};
    if (a == 0 || b == 0) return {&m.cross[pure], 1.0};
    if (!toPartner) return {&m.plus[pure], 1.0};
    return {&m.minus[pure], a == b ? 1.0 : -1.0};
}

double beamOf(const BandPowerRequest& request, int spectrum, int l) {
    const auto [a, b] = kSpectrumPairs[static_cast<size_t>(spectrum)];
    const auto at = [&](const std::vector<double>& beam) {
        return beam.empty() ? 1.0 : beam[static_cast<size_t>(l)];
    };
    return at(request.beamA[static_cast<size_t>(a)]) * at(request.beamB[static_cast<size_t>(b)]);
}

// 2l' + 1 times the beams of l' = 0 .. lmax.
std::vector<double> modesOf(const BandPowerRequest& request, int sky) {
    std::vector<double> modes;
    for (int l = 0; l <= request.lmax; ++l)
        modes.push_back((2.0 * l + 1.0) * beamOf(request, sky, l));
    return modes;
}

// Multiplies each row of responses by the modes.
void multiplyByModes(std::span<double> rows, const std::vector<double>& modes) {
    for (size_t first = 0; first < rows.size(); first += modes.size())
        for (size_t l = 0; l < modes.size(); ++l) rows[first + l] *= modes[l];
}

std::vector<double> times(double sign, std::vector<double> values) {
    if (sign != 1.0)
        for (double& value : values) value *= sign;
    return values;
}

void addTimes(double sign, std::span<const double> from, std::vector<double>& to, JobContext& job) {
    parallelFor(job, static_cast<long long>(to.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        to[i] += sign * from[i];
                });
}

// `values` in row order, `rows` rows.
DenseMatrix matrixOf(const std::vector<double>& values, int64_t rows) {
    DenseMatrix m;
    m.rows = rows;
    m.columns = static_cast<int64_t>(values.size()) / rows;
    m.values = values;
    return m;
}

}  // namespace

int spectrumIndex(int first, int second) {
    for (size_t i = 0; i < kSpectrumPairs.size(); ++i)
        if (kSpectrumPairs[i].first == first && kSpectrumPairs[i].second == second)
            return static_cast<int>(i);
    return -1;
}

int partnerOf(int spectrum) {
    switch (spectrum) {
        case kPairEE: return kPairBB;
        case kPairBB: return kPairEE;
        case kPairEB: return kPairBE;
        case kPairBE: return kPairEB;
        default: return -1;
    }
}

NineSpectra nineSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    NineSpectra spectra;
    if (a.size() != 3 || b.size() != 3) {
        spectra[0] = crossSpectrum(a[0], b[0], silent);
        return spectra;
    }
    // TE and ET of one set of coefficients are the same sums.
    const bool isAuto = a.data() == b.data();
    std::vector<AlmPair> pairs;
    for (size_t i = 0; i < (isAuto ? 6 : 9); ++i)
        pairs.push_back({&a[static_cast<size_t>(kSpectrumPairs[i].first)],
                         &b[static_cast<size_t>(kSpectrumPairs[i].second)]});
    std::vector<std::vector<double>> made = crossSpectra(pairs, silent);
    std::move(made.begin(), made.end(), spectra.begin());
    for (size_t i = 6; isAuto && i < 9; ++i) spectra[i] = spectra[i - 3];
    return spectra;
}

std::vector<MultipoleBin> binsOfWidth(int width, int lmax) {
    std::vector<MultipoleBin> bins;
    for (int first = 2; first + width - 1 <= lmax; first += width)
        bins.push_back({first, first + width - 1});
    return bins;
}

NineSpectra coupledSpectra(const CouplingMatrices* matrices, const BandPowerRequest& request,
                           const NineSpectra& sky, JobContext& job) {
    NineSpectra result;
    const auto size = static_cast<size_t>(request.lmax) + 1;
    for (int s = 0; s < (request.polarization ? 9 : 1); ++s) {
        std::vector<double>& to = result[static_cast<size_t>(s)];
        to.assign(size, 0.0);
        for (const bool toPartner : {false, true}) {
            const int from = toPartner ? partnerOf(s) : s;
            if (from < 0 || (toPartner && matrices == nullptr)) continue;
            std::vector<double> cl = sky[static_cast<size_t>(from)];
            cl.resize(size, 0.0);
            if (matrices == nullptr) {
                for (size_t l = 0; l < size; ++l)
                    to[l] = cl[l] * beamOf(request, s, static_cast<int>(l));
                continue;
            }
            const Response response = responseOf(*matrices, request, s, toPartner);
            multiplyByModes(cl, times(response.sign, modesOf(request, from)));
            const std::vector<double> part = response.x->product(cl, job);
            std::transform(to.begin(), to.end(), part.begin(), to.begin(), std::plus<>());
        }
    }
    return result;
}

BandPowers::BandPowers(const CouplingMatrices* matrices, BandPowerRequest request, JobContext& job)
    : request_(std::move(request)) {
    makeResponses(matrices, job);
    if (!request_.decouple) return;
    const std::array<Twin, 9> twins = twinsOf();
    Rows own, partner;
    for (const int s : spectra()) {
        const auto at = static_cast<size_t>(s);
        // Two partners are inverted together.
        if (twins[at].of >= 0 && twins[at].of != partnerOf(s)) continue;
        own[at] = inBins(windows_[at]);
        if (partnerWindows_[at].rows) partner[at] = inBins(partnerWindows_[at]);
    }
    invert(own, partner, twins, job);
    decoupleWindows(twins, job);
}

// The responses of binned pseudo-spectra. Equal ones, up to a sign, share their rows: TE and TB, or
// EE and EB, if E and B have one beam.
void BandPowers::makeResponses(const CouplingMatrices* matrices, JobContext& job) {
    const auto size = static_cast<size_t>(request_.lmax) + 1, bins = request_.bins.size();
    struct MadeRows {
        const CouplingMatrix* x;
        std::vector<double> weights, modes;
        std::shared_ptr<const std::vector<double>> rows;
    };
    std::vector<MadeRows> made;
    for (const int s : spectra()) {
        const auto at = static_cast<size_t>(s);
        std::vector<double> weights;
        for (const MultipoleBin& bin : request_.bins)
            for (int l = bin.first; l <= bin.last; ++l) weights.push_back(weight(s, l, bin));
        for (const bool toPartner : {false, true}) {
            const int sky = toPartner ? partnerOf(s) : s;
            if (sky < 0 || (toPartner && matrices == nullptr)) continue;
            const Response response =
                matrices != nullptr ? responseOf(*matrices, request_, s, toPartner) : Response{};
            SignedRows& to = (toPartner ? partnerWindows_ : windows_)[at];
            to.sign = response.sign;
            std::vector<double> modes = modesOf(request_, sky);
            const auto like = std::find_if(made.begin(), made.end(), [&](const MadeRows& rows) {
                return rows.x == response.x && rows.weights == weights && rows.modes == modes;
            });
            if (like != made.end()) {
                to.rows = like->rows;
                continue;
            }
            std::vector<double> rows;
            if (matrices != nullptr) {
                rows = response.x->rowSums(request_.bins, weights, job);
                multiplyByModes(rows, modes);
            } else {
                rows.assign(bins * size, 0.0);
                const double* w = weights.data();
                for (size_t q = 0; q < bins; ++q)
                    for (int l = request_.bins[q].first; l <= request_.bins[q].last; ++l)
                        rows[q * size + static_cast<size_t>(l)] = *w++ * beamOf(request_, s, l);
            }
            to.rows = std::make_shared<const std::vector<double>>(std::move(rows));
            made.push_back({response.x, weights, std::move(modes), to.rows});
        }
    }
}

void BandPowers::decoupleWindows(const std::array<Twin, 9>& twins, JobContext& job) {
    const auto n = static_cast<int64_t>(binCount());
    // Each array of responses enters several products.
    std::vector<std::pair<const std::vector<double>*, DenseMatrix>> read;
    const auto matrixOfRows = [&](const SignedRows& of) -> const DenseMatrix& {
        for (const auto& [rows, matrix] : read)
            if (rows == of.rows.get()) return matrix;
        return read.emplace_back(of.rows.get(), matrixOf(*of.rows, n)).second;
    };
    read.reserve(18);  // references stay valid
    Responses windows, partnerWindows;
    for (const int s : spectra()) {
        const auto at = static_cast<size_t>(s);
        if (const Twin& twin = twins[at]; twin.of >= 0) {
            windows[at] = windows[static_cast<size_t>(twin.of)];
            partnerWindows[at] = partnerWindows[static_cast<size_t>(twin.of)];
            partnerWindows[at].sign *= twin.sign;
            continue;
        }
        std::vector<double> sum;
        const auto add = [&](const std::vector<double>& inverse, const SignedRows& response) {
            if (inverse.empty() || !response.rows) return;
            DenseMatrix part = product(matrixOf(inverse, n), matrixOfRows(response), job);
            if (sum.empty())
                sum = times(response.sign, std::move(part.values));
            else
                addTimes(response.sign, part.values, sum, job);
        };
        const auto take = [&](SignedRows& to) {
            if (!sum.empty())
                to.rows = std::make_shared<const std::vector<double>>(std::exchange(sum, {}));
        };
        add(own_[at], windows_[at]);
        if (!partnerWindows_[at].rows) {
            take(windows[at]);
            continue;
        }
        const auto p = static_cast<size_t>(partnerOf(s));
        add(partner_[at], partnerWindows_[p]);
        take(windows[at]);
        add(own_[at], partnerWindows_[at]);
        add(partner_[at], windows_[p]);
        take(partnerWindows[at]);
    }
    windows_ = std::move(windows);
    partnerWindows_ = std::move(partnerWindows);
}

std::vector<int> BandPowers::spectra() const {
    return request_.polarization ? std::vector<int>{kPairTT, kPairEE, kPairBB, kPairTE, kPairTB,
                                                    kPairEB, kPairET, kPairBT, kPairBE}
                                 : std::vector<int>{kPairTT};
}

double BandPowers::weight(int spectrum, int l, const MultipoleBin& bin) const {
    const double count = bin.last - bin.first + 1;
    const double scale = request_.isDl ? dlFactor(l) : 1.0;
    const double beam = request_.decouple ? 1.0 : beamOf(request_, spectrum, l);
    return beam == 0.0 ? 0.0 : scale / count / beam;
}

// The response to spectra that are constant within each bin, as C_l or as D_l. D_l does not
// determine C_0, which counts as 0.
std::vector<double> BandPowers::inBins(const SignedRows& response) const {
    const auto size = static_cast<size_t>(request_.lmax) + 1, bins = request_.bins.size();
    std::vector<double> result(bins * bins, 0.0);
    for (size_t q = 0; q < bins; ++q)
        for (size_t p = 0; p < bins; ++p)
            for (int l = std::max(request_.bins[p].first, request_.isDl ? 1 : 0);
                 l <= request_.bins[p].last; ++l)
                result[q * bins + p] += (*response.rows)[q * size + static_cast<size_t>(l)] /
                                        (request_.isDl ? dlFactor(l) : 1.0);
    return times(response.sign, std::move(result));
}

std::array<BandPowers::Twin, 9> BandPowers::twinsOf() const {
    std::array<Twin, 9> twins;
    for (const int s : spectra())
        for (const int t : spectra()) {
            if (t >= s) break;
            const auto a = static_cast<size_t>(s), b = static_cast<size_t>(t);
            const int p = partnerOf(s), q = partnerOf(t);
            if (twins[a].of >= 0 || twins[b].of >= 0 || (p < 0) != (q < 0)) continue;
            if (!windows_[a].isTimes(1.0, windows_[b])) continue;
            if (p < 0) {
                twins[a] = {t, 1.0};
                continue;
            }
            const auto c = static_cast<size_t>(p), d = static_cast<size_t>(q);
            if (!windows_[c].isTimes(1.0, windows_[d])) continue;
            for (const double sign : {1.0, -1.0})
                if (partnerWindows_[a].isTimes(sign, partnerWindows_[b]) &&
                    partnerWindows_[c].isTimes(sign, partnerWindows_[d])) {
                    twins[a] = {t, sign};
                    break;
                }
        }
    return twins;
}

namespace {

// The columns of an inverse X solve A x = e to the rounding times the condition number. X A differs
// from 1 by up to the rounding times its square: below this, 1e-10.
constexpr double kAccurateCondition = 1e3;

// One step of Newton's method, X += (1 - X A) X, squares the difference of X A from 1.
void refine(DenseMatrix& inverse, const DenseMatrix& a, JobContext& job) {
    DenseMatrix rest = product(inverse, a, job);
    for (double& value : rest.values) value = -value;
    for (int64_t i = 0; i < rest.rows; ++i) rest.row(i)[i] += 1.0;
    const DenseMatrix correction = product(rest, inverse, job);
    for (size_t i = 0; i < inverse.values.size(); ++i) inverse.values[i] += correction.values[i];
}

}  // namespace

void BandPowers::invert(const Rows& own, const Rows& partner, const std::array<Twin, 9>& twins,
                        JobContext& job) {
    const auto n = static_cast<int64_t>(binCount());
    const auto inverted = [&](const DenseMatrix& a, JobContext part) {
        DenseMatrix result = inverse(a, part);
        const double condition = oneNorm(a) * oneNorm(result);
        if (!(condition <= condition_)) condition_ = condition;
        if (!(condition <= kMostCondition))
            throw Unsupported(
                "expected a coupling matrix that can be inverted, found a condition "
                "number of " +
                numberText(condition) + " (expected at most 1e10): use wider bins, --bins " +
                std::to_string(2 * (request_.bins.front().last - request_.bins.front().first + 1)));
        if (condition > kAccurateCondition) refine(result, a, part);
        return result;
    };
    const std::vector<int> all = spectra();
    for (size_t number = 0; number < all.size(); ++number) {
        const int s = all[number];
        const auto at = static_cast<size_t>(s);
        const double share = 1.0 / static_cast<double>(all.size()),
                     begin = share * static_cast<double>(number);
        const JobContext whole = job.part(begin, begin + share);
        if (const Twin& twin = twins[at]; twin.of >= 0) {
            own_[at] = own_[static_cast<size_t>(twin.of)];
            partner_[at] = times(twin.sign, partner_[static_cast<size_t>(twin.of)]);
            continue;
        }
        if (!own_[at].empty()) continue;
        if (partner[at].empty()) {
            own_[at] = inverted(matrixOf(own[at], n), whole).values;
            continue;
        }
        const auto p = static_cast<size_t>(partnerOf(s));
        own_[at].resize(own[at].size());
        own_[p] = partner_[at] = partner_[p] = own_[at];
        if (own[at] == own[p] && partner[at] == partner[p]) {
            // Sum and difference of the two spectra are not coupled.
            DenseMatrix sum(n, n), difference(n, n);
            for (size_t i = 0; i < sum.values.size(); ++i) {
                sum.values[i] = own[at][i] + partner[at][i];
                difference.values[i] = own[at][i] - partner[at][i];
            }
            sum = inverted(sum, whole.part(0.0, 0.5));
            difference = inverted(difference, whole.part(0.5, 1.0));
            for (size_t i = 0; i < sum.values.size(); ++i) {
                own_[at][i] = own_[p][i] = 0.5 * (sum.values[i] + difference.values[i]);
                partner_[at][i] = partner_[p][i] = 0.5 * (sum.values[i] - difference.values[i]);
            }
            continue;
        }
        DenseMatrix both(2 * n, 2 * n);
        const auto block = [&](int64_t row, int64_t column) {
            return both.row(row * n) + column * n;
        };
        const auto fill = [&](double* to, const std::vector<double>& from) {
            for (int64_t i = 0; i < n; ++i)
                std::copy(from.begin() + i * n, from.begin() + (i + 1) * n, to + 2 * i * n);
        };
        fill(block(0, 0), own[at]);
        fill(block(0, 1), partner[at]);
        fill(block(1, 0), partner[p]);
        fill(block(1, 1), own[p]);
        both = inverted(both, whole);
        const auto read = [&](std::vector<double>& to, const double* from) {
            for (int64_t i = 0; i < n; ++i)
                std::copy(from + 2 * i * n, from + 2 * i * n + n, to.begin() + i * n);
        };
        read(own_[at], block(0, 0));
        read(partner_[at], block(0, 1));
        read(partner_[p], block(1, 0));
        read(own_[p], block(1, 1));
    }
}

NineSpectra BandPowers::of(const NineSpectra& pseudo) const {
    const size_t bins = request_.bins.size();
    NineSpectra binned, result;
    for (const int s : spectra()) {
        const auto at = static_cast<size_t>(s);
        if (pseudo[at].empty()) continue;
        for (const MultipoleBin& bin : request_.bins) {
            double sum = 0.0;
            for (int l = bin.first; l <= bin.last; ++l)
                sum += weight(s, l, bin) * pseudo[at][static_cast<size_t>(l)];
            binned[at].push_back(sum);
        }
    }
    if (!request_.decouple) return binned;
    for (const int s : spectra()) {
        const auto at = static_cast<size_t>(s);
        if (binned[at].empty()) continue;
        result[at].assign(bins, 0.0);
        for (size_t q = 0; q < bins; ++q)
            for (size_t p = 0; p < bins; ++p) {
                result[at][q] += own_[at][q * bins + p] * binned[at][p];
                if (!partner_[at].empty())
                    result[at][q] +=
                        partner_[at][q * bins + p] * binned[static_cast<size_t>(partnerOf(s))][p];
            }
    }
    return result;
}

std::vector<SpectrumPair> BandPowers::covariancePairs(int x, int y) const {
    if (!request_.decouple) return {{x, y}};
    std::vector<SpectrumPair> pairs;
    for (const bool partnerX : {false, true})
        for (const bool partnerY : {false, true})
            if (!inverseOf(x, partnerX).empty() && !inverseOf(y, partnerY).empty())
                pairs.push_back({partnerX ? partnerOf(x) : x, partnerY ? partnerOf(y) : y});
    return pairs;
}

std::vector<double> BandPowers::covariance(int x, int y, const BinnedCovariance& binned,
                                           JobContext& job) const {
    if (!request_.decouple) return binned(x, y);
    const auto n = static_cast<int64_t>(binCount());
    std::vector<double> sum(static_cast<size_t>(n * n), 0.0);
    for (const SpectrumPair& pair : covariancePairs(x, y)) {
        const DenseMatrix inner = matrixOf(binned(pair.first, pair.second), n),
                          left = matrixOf(inverseOf(x, pair.first != x), n),
                          right = matrixOf(inverseOf(y, pair.second != y), n);
        const DenseMatrix part = product(product(left, inner, job), transposed(right), job);
        std::transform(sum.begin(), sum.end(), part.values.begin(), sum.begin(), std::plus<>());
    }
    return sum;
}

}  // namespace armilla
