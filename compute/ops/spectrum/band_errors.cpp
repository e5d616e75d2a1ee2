// SPDX-License-Identifier: GPL-3.0-or-later
// Covariances of band powers.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "armilla/ops/band_powers.h"

namespace armilla {

namespace {

// The cross spectrum of two fields of a pair of maps: field 0 is of the first map, 1 of the second.
const std::vector<double>& spectrumOf(const FieldSpectra& all, int map1, int field1, int map2,
                                      int field2) {
    if (map1 == 1 && map2 == 0) {
        std::swap(map1, map2);
        std::swap(field1, field2);
    }
    const NineSpectra& of = map1 != map2 ? all.ab : map1 == 0 ? all.aa : all.bb;
    return of[static_cast<size_t>(spectrumIndex(field1, field2))];
}

bool isPurified(const BandPowerRequest& request) {
    return request.pureE || request.pureB;
}

double at(const std::vector<double>& cl, int l) {
    return static_cast<size_t>(l) < cl.size() ? cl[static_cast<size_t>(l)] : 0.0;
}

// `block(x, y)` is called from several threads.
std::vector<double> assembled(const BandPowers& bands, std::span<const int> spectra,
                              const std::function<std::vector<double>(int, int)>& block,
                              JobContext& job) {
    const auto n = static_cast<size_t>(bands.binCount()), size = n * spectra.size();
    std::vector<std::pair<size_t, size_t>> places;
    for (size_t i = 0; i < spectra.size(); ++i)
        for (size_t k = i; k < spectra.size(); ++k) places.emplace_back(i, k);
    std::vector<double> all(size * size);
    parallelFor(job, static_cast<long long>(places.size()), 1, [&](long long place, long long) {
        const auto [i, k] = places[static_cast<size_t>(place)];
        const std::vector<double> part = block(spectra[i], spectra[k]);
        for (size_t p = 0; p < n; ++p)
            for (size_t q = 0; q < n; ++q)
                all[(i * n + p) * size + k * n + q] = all[(k * n + q) * size + i * n + p] =
                    part[p * n + q];
    });
    return all;
}

// sum_ll' left X_ll' right over l in one bin and l' in another. Terms that occur again, also with
// both sides exchanged, are summed once: X is symmetric.
class BinnedProducts {
public:
    BinnedProducts(std::span<const MultipoleBin> bins, JobContext& job) : bins_(bins), job_(job) {}

    // Adds a multiple of the sum to `to`, bins times bins values.
    void add(double factor, const CouplingMatrix& x, const std::vector<double>& left,
             const std::vector<double>& right, std::vector<double>& to) {
        const size_t n = bins_.size();
        for (const Sum& sum : sums_) {
            if (sum.x != &x) continue;
            if (sum.left == left && sum.right == right) {
                for (size_t i = 0; i < to.size(); ++i) to[i] += factor * sum.values[i];
                return;
            }
            if (sum.left == right && sum.right == left) {
                for (size_t p = 0; p < n; ++p)
                    for (size_t q = 0; q < n; ++q) to[p * n + q] += factor * sum.values[q * n + p];
                return;
            }
        }
        sums_.push_back({&x, left, right, sumOf(x, left, right)});
        for (size_t i = 0; i < to.size(); ++i) to[i] += factor * sums_.back().values[i];
    }

private:
    struct Sum {
        const CouplingMatrix* x;
        std::vector<double> left, right, values;
    };
    struct Rows {
        const CouplingMatrix* x;
        std::vector<double> left, values;
    };

    std::vector<double> sumOf(const CouplingMatrix& x, const std::vector<double>& left,
                              const std::vector<double>& right) {
        // Sums of rows are small beside the matrix for wide bins only.
        constexpr size_t kLeastWidth = 8;
        if (x.isOnDevice() || left.size() < kLeastWidth * bins_.size())
            return x.binSums(bins_, left, right, job_);
        auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Rows& rows) {
            return rows.x == &x && rows.left == left;
        });
        if (found == rows_.end()) {
            rows_.push_back({&x, left, x.rowSums(bins_, left, job_)});
            found = std::prev(rows_.end());
        }
        return CouplingMatrix::columnSums(found->values, bins_, right, job_);
    }

    std::span<const MultipoleBin> bins_;
    JobContext& job_;
    std::vector<Sum> sums_;
    std::vector<Rows> rows_;
};

// The sum over two bins of the covariance of pseudo-spectra.
class PseudoCovariance {
public:
    PseudoCovariance(const BandPowers& bands, const FieldSpectra& pseudo,
                     const CouplingMatrices& same, const CouplingMatrices& crossed, JobContext& job)
        : bands_(bands),
          pseudo_(pseudo),
          same_(same),
          crossed_(crossed),
          products_(bands.request().bins, job) {}
    // Must precede of() for this pair.
    void make(SpectrumPair pair) {
        std::vector<double>& kept = kept_[{pair.first, pair.second}];
        if (kept.empty()) kept = made(pair.first, pair.second);
    }
    const std::vector<double>& of(int x, int y) const { return kept_.at({x, y}); }

private:
    // The weights of the multipoles of all bins, bin by bin, times a spectrum.
    std::vector<double> weighted(int spectrum, const std::vector<double>& cl) const {
        std::vector<double> values;
        for (const MultipoleBin& bin : bands_.request().bins)
            for (int l = bin.first; l <= bin.last; ++l)
                values.push_back(bands_.weight(spectrum, l, bin) * at(cl, l));
        return values;
    }
    std::vector<double> made(int x, int y) {
        const auto [a, b] = kSpectrumPairs[static_cast<size_t>(x)];
        const auto [c, d] = kSpectrumPairs[static_cast<size_t>(y)];
        const size_t bins = bands_.request().bins.size();
        std::vector<double> sums(bins * bins, 0.0);
        addPairs(same_, {0, a, 0, c}, {1, b, 1, d}, x, y, sums);
        addPairs(crossed_, {0, a, 1, d}, {1, b, 0, c}, x, y, sums);
        return sums;
    }

    // Two fields that a term of the covariance correlates, each with the number of its map.
    struct Fields {
        int map1, field1, map2, field2;
        bool isPolarized() const { return field1 > 0 && field2 > 0; }
        bool isMixed() const { return isPolarized() && field1 != field2; }
    };
    void addPairs(const CouplingMatrices& m, const Fields& first, const Fields& second, int x,
                  int y, std::vector<double>& sums) {
        const auto addProduct = [&](double factor, const CouplingMatrix& kernel,
                                    const std::vector<double>& one,
                                    const std::vector<double>& other) {
            products_.add(0.5 * factor, kernel, weighted(x, one), weighted(y, other), sums);
            products_.add(0.5 * factor, kernel, weighted(x, other), weighted(y, one), sums);
        };
        const auto spectrum = [&](const Fields& of) -> const std::vector<double>& {
            return spectrumOf(pseudo_, of.map1, of.field1, of.map2, of.field2);
        };
        const int polarized = (first.isPolarized() ? 1 : 0) + (second.isPolarized() ? 1 : 0);
        const CouplingMatrix& kernel = polarized == 2   ? m.plus[0]
                                       : polarized == 1 ? m.cross[0]
                                                        : m.scalar;
        addProduct(1.0, kernel, spectrum(first), spectrum(second));
        if (!first.isMixed() || !second.isMixed() || isPurified(bands_.request())) return;
        const auto leaked = [&](const Fields& of) {
            const std::vector<double>&e = spectrumOf(pseudo_, of.map1, 1, of.map2, 1),
                  &b = spectrumOf(pseudo_, of.map1, 2, of.map2, 2);
            std::vector<double> mean(std::max(e.size(), b.size()));
            for (size_t l = 0; l < mean.size(); ++l)
                mean[l] = 0.5 * (at(e, static_cast<int>(l)) + at(b, static_cast<int>(l)));
            return mean;
        };
        addProduct(first.field1 == second.field1 ? 1.0 : -1.0, m.minus[0], leaked(first),
                   leaked(second));
    }

    const BandPowers& bands_;
    const FieldSpectra& pseudo_;
    const CouplingMatrices &same_, &crossed_;
    BinnedProducts products_;
    std::map<std::pair<int, int>, std::vector<double>> kept_;
};

}  // namespace

MaskMoments maskMoments(std::span<const double> first, std::span<const double> second,
                        JobContext& job) {
    // Sums of parts of fixed size, so that the bits do not depend on the number of threads.
    constexpr size_t kPart = size_t{1} << 16;
    struct Sums {
        double count = 0.0, squared = 0.0, fourth = 0.0;
    };
    std::vector<Sums> parts((first.size() + kPart - 1) / kPart);
    parallelFor(job, static_cast<long long>(parts.size()), 1, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
            for (size_t i = p * kPart; i < std::min(first.size(), (p + 1) * kPart); ++i) {
                const double both = first[i] * second[i];
                if (!(both > 0.0)) continue;
                parts[p].count += 1.0;
                parts[p].squared += both;
                parts[p].fourth += both * both;
            }
    });
    MaskMoments moments;
    double count = 0.0;
    for (const Sums& part : parts) {
        count += part.count;
        moments.squared += part.squared;
        moments.fourth += part.fourth;
    }
    moments.sky = count / static_cast<double>(first.size());
    if (count > 0.0) {
        moments.squared /= count;
        moments.fourth /= count;
    }
    return moments;
}

MaskMoments maskMoments(std::span<const double> first, std::span<const double> second,
                        const RingGrid& rings) {
    MaskMoments moments;
    double area = 0.0;
    for (const Ring& ring : rings.rings) {
        double count = 0.0, squared = 0.0, fourth = 0.0;
        for (auto i = static_cast<size_t>(ring.first);
             i < static_cast<size_t>(ring.first + ring.count); ++i) {
            const double both = first[i] * second[i];
            if (!(both > 0.0)) continue;
            count += 1.0;
            squared += both;
            fourth += both * both;
        }
        area += ring.weight * count;
        moments.squared += ring.weight * squared;
        moments.fourth += ring.weight * fourth;
    }
    moments.sky = area / (4.0 * kPi);
    if (area > 0.0) {
        moments.squared /= area;
        moments.fourth /= area;
    }
    return moments;
}

std::vector<double> knoxCovariance(const BandPowers& bands, std::span<const int> spectra,
                                   const FieldSpectra& sky, const MaskMoments& moments) {
    const std::vector<MultipoleBin>& bins = bands.request().bins;
    const double modeShare = moments.fourth > 0.0
                                 ? moments.sky * moments.squared * moments.squared / moments.fourth
                                 : 0.0;
    const auto block = [&](int x, int y) {
        const auto [a, b] = kSpectrumPairs[static_cast<size_t>(x)];
        const auto [c, d] = kSpectrumPairs[static_cast<size_t>(y)];
        std::vector<double> sums(bins.size() * bins.size(), 0.0);
        for (size_t q = 0; q < bins.size(); ++q) {
            double modes = 0.0, count = 0.0;
            std::array<double, 4> means{};
            for (int l = bins[q].first; l <= bins[q].last; ++l) {
                const double scale = bands.request().isDl ? dlFactor(l) : 1.0;
                modes += (2.0 * l + 1.0) * modeShare;
                count += 1.0;
                means[0] += scale * at(spectrumOf(sky, 0, a, 0, c), l);
                means[1] += scale * at(spectrumOf(sky, 1, b, 1, d), l);
                means[2] += scale * at(spectrumOf(sky, 0, a, 1, d), l);
                means[3] += scale * at(spectrumOf(sky, 1, b, 0, c), l);
            }
            sums[q * bins.size() + q] =
                (means[0] * means[1] + means[2] * means[3]) / (count * count) / modes;
        }
        return sums;
    };
    JobContext alone({}, {}, 1);
    return assembled(bands, spectra, block, alone);
}

CouplingRequest covarianceCouplings(const BandPowerRequest& request) {
    return {.scalar = true, .polarization = request.polarization, .minus = !isPurified(request)};
}

std::vector<double> gaussianCovariance(const BandPowers& bands, std::span<const int> spectra,
                                       const FieldSpectra& pseudo, const CovarianceMasks& masks,
                                       const Device& device, JobContext& job) {
    const auto matricesOf = [&](const std::vector<double>& mask) {
        return couplingMatrices(mask, bands.request().lmax, covarianceCouplings(bands.request()),
                                device, job);
    };
    const CouplingMatrices same = matricesOf(masks.same);
    if (masks.crossed == masks.same)
        return gaussianCovariance(bands, spectra, pseudo, same, same, job);
    return gaussianCovariance(bands, spectra, pseudo, same, matricesOf(masks.crossed), job);
}

std::vector<double> gaussianCovariance(const BandPowers& bands, std::span<const int> spectra,
                                       const FieldSpectra& pseudo, const CouplingMatrices& same,
                                       const CouplingMatrices& crossed, JobContext& job) {
    PseudoCovariance binned(bands, pseudo, same, crossed, job);
    for (size_t i = 0; i < spectra.size(); ++i)
        for (size_t k = i; k < spectra.size(); ++k)
            for (const SpectrumPair& pair : bands.covariancePairs(spectra[i], spectra[k]))
                binned.make(pair);
    // The blocks are small: each is the work of one thread.
    return assembled(
        bands, spectra,
        [&](int x, int y) {
            JobContext alone(job.stopToken(), {}, 1);
            return bands.covariance(
                x, y, [&](int u, int v) { return binned.of(u, v); }, alone);
        },
        job);
}

}  // namespace armilla
