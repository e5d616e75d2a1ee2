// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/kernel/profile_table.h"

#include <algorithm>
#include <array>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

namespace {

double chordOf(double theta) {
    return 2.0 * std::sin(0.5 * theta);
}
double angleOf(double chord) {
    return 2.0 * std::asin(std::min(1.0, 0.5 * chord));
}

// The powers of t of the polynomial through `value` at the Chebyshev points cos(pi (i + 1/2) / n)
// of t.
std::vector<double> powersThrough(const std::vector<double>& value) {
    const size_t n = value.size();
    const double size = static_cast<double>(n);
    std::vector<double> result(n, 0.0), before(n, 0.0), now(n, 0.0), next(n, 0.0);
    for (size_t k = 0; k < n; ++k) {
        // T_k in powers.
        if (k == 0) {
            now[0] = 1.0;
        } else {
            std::fill(next.begin(), next.end(), 0.0);
            const double two = k == 1 ? 1.0 : 2.0;
            for (size_t d = 0; d + 1 < n; ++d) next[d + 1] = two * now[d];
            if (k > 1)
                for (size_t d = 0; d < n; ++d) next[d] -= before[d];
            before = now;
            now = next;
        }
        double c = 0.0;
        for (size_t i = 0; i < n; ++i)
            c += value[i] *
                 std::cos(kPi * static_cast<double>(k) * (static_cast<double>(i) + 0.5) / size);
        c *= (k == 0 ? 1.0 : 2.0) / size;
        for (size_t d = 0; d <= k; ++d) result[d] += c * now[d];
    }
    return result;
}

double chebyshevPoint(size_t i, size_t n) {
    return std::cos(kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
}

}  // namespace

ProfileTable::ProfileTable(const Kernel& kernel, double radius)
    : ProfileTable(ProfileSource{[&](std::span<const double> angles) { return kernel.at(angles); },
                                 kernel.gaussianWidth(), kernel.corners(), kernel.scale()},
                   std::min({radius, kernel.support(), kPi})) {}

ProfileTable::ProfileTable(const ProfileSource& source, double radius) : radius_(radius) {
    ARMILLA_ASSERT(radius > 0.0 && radius <= kPi);
    const double s = std::sin(0.5 * radius_);
    // For antipodes y is 2, or by rounding slightly more.
    view_.end = radius_ < kPi ? 2.0 * s * s : 2.5;
    if (!fitGaussian(source)) fitSegments(source);
}

// K e^{rate y} in Chebyshev points of x = rate y, of the lowest sufficient degree.
bool ProfileTable::fitGaussian(const ProfileSource& source) {
    const auto& sigma = source.gaussianWidth;
    if (!sigma) return false;
    const double rate = 1.0 / (*sigma * *sigma);
    const double last = rate * std::min(view_.end, 2.0);
    if (last > 100.0) return false;
    const auto quotients = [&](const std::vector<double>& x) {
        std::vector<double> theta;
        // Rounding must not lead beyond the end.
        for (const double v : x)
            theta.push_back(std::min(radius_, angleOf(std::sqrt(2.0 * v / rate))));
        std::vector<double> value = source.at(theta);
        for (size_t i = 0; i < value.size(); ++i) value[i] *= std::exp(x[i]);
        return value;
    };
    std::vector<double> check;
    for (int i = 0; i <= 64; ++i) check.push_back(last * i / 64.0);
    const std::vector<double> truth = quotients(check);
    double peak = 0.0;
    for (size_t i = 0; i < check.size(); ++i)
        peak = std::max(peak, std::abs(truth[i] * std::exp(-check[i])));
    for (size_t degree = 1; degree <= ProfileView::kMaxDegree; ++degree) {
        std::vector<double> x;
        for (size_t i = 0; i <= degree; ++i)
            x.push_back(0.5 * last * (1.0 + chebyshevPoint(i, degree + 1)));
        const std::vector<double> inHalf = powersThrough(quotients(x));
        // From t = 2 x / last - 1 to x.
        std::vector<double> c(degree + 1, 0.0);
        for (size_t k = degree + 1; k-- > 0;) {
            for (size_t d = degree; d > 0; --d) c[d] = c[d - 1] * (2.0 / last) - c[d];
            c[0] = inHalf[k] - c[0];
        }
        double worst = 0.0;
        for (size_t i = 0; i < check.size(); ++i) {
            double value = 0.0;
            for (size_t k = degree + 1; k-- > 0;) value = value * check[i] + c[k];
            worst = std::max(worst, std::abs(value - truth[i]) * std::exp(-check[i]));
        }
        if (worst > 4e-15 * peak) continue;
        view_.rate = rate;
        view_.degree = static_cast<int>(degree);
        std::copy(c.begin(), c.end(), view_.factor);
        return true;
    }
    return false;
}

namespace {

// A part of the profile between two chords; `depth`: how often it was halved.
struct Piece {
    double low, high;
    int depth;
    double middle() const { return 0.5 * (low + high); }
    double half() const { return 0.5 * (high - low); }
};
// Where the polynomial of a piece is compared with the profile, from -1 to 1.
constexpr std::array kChecks{-0.93, -0.4, 0.1, 0.63, 0.99};

// Pieces are at most half the kernel's scale, so that no wave is missed, and are halved if eight
// coefficients do not suffice. A corner belongs to the piece below it, as the edge of a disc does:
// pieces are sampled inside.
std::vector<Piece> widestPieces(const std::vector<double>& edges, double scale) {
    std::vector<Piece> pieces;
    const double widest = scale < 1.0 ? 4.0 * scale : kPi;
    for (size_t e = edges.size() - 1; e-- > 0;) {
        const double low = chordOf(edges[e]), high = chordOf(edges[e + 1]);
        const int parts =
            std::max(1, static_cast<int>(std::ceil((edges[e + 1] - edges[e]) / widest)));
        for (int p = parts; p-- > 0;)
            pieces.push_back({low + (high - low) * p / parts,
                              p + 1 == parts ? high : low + (high - low) * (p + 1) / parts, 0});
    }
    return pieces;
}

}  // namespace

void ProfileTable::fitSegments(const ProfileSource& source) {
    constexpr size_t n = ProfileView::kSegment;
    std::vector<double> edges{0.0};
    for (const double corner : source.corners)
        if (corner < radius_) edges.push_back(corner);
    edges.push_back(radius_);
    // Samples the kernel for its peak, because errors are relative to it.
    std::vector<double> angles = edges;
    for (int i = 0; i < 256; ++i) angles.push_back(radius_ * i / 256.0);
    for (const double value : source.at(angles)) peak_ = std::max(peak_, std::abs(value));
    std::vector<Piece> waiting = widestPieces(edges, source.scale);
    // All pieces of one depth in one call: band-limited kernels compute their sums together.
    std::vector<std::pair<double, std::vector<double>>> made;
    while (!waiting.empty()) {
        std::vector<double> theta;
        for (const Piece& piece : waiting) {
            for (size_t i = 0; i < n; ++i)
                theta.push_back(angleOf(piece.middle() + piece.half() * chebyshevPoint(i, n)));
            for (const double t : kChecks)
                theta.push_back(angleOf(piece.middle() + piece.half() * t));
        }
        const std::vector<double> value = source.at(theta);
        std::vector<Piece> next;
        for (size_t p = 0; p < waiting.size(); ++p) {
            const Piece& piece = waiting[p];
            const double* const v = value.data() + p * (n + kChecks.size());
            const std::vector<double> c = powersThrough({v, v + n});
            double worst = 0.0;
            size_t check = n;
            for (const double t : kChecks) {
                double sum = 0.0;
                for (size_t k = n; k-- > 0;) sum = sum * t + c[k];
                worst = std::max(worst, std::abs(sum - v[check++]));
            }
            const double middle = piece.middle(), half = piece.half();
            if (worst > 4e-15 * peak_ && piece.depth < 12) {
                next.push_back({piece.low, middle, piece.depth + 1});
                next.push_back({middle, piece.high, piece.depth + 1});
                continue;
            }
            std::vector<double> segment{piece.high, middle, half > 0.0 ? 1.0 / half : 0.0};
            segment.insert(segment.end(), c.begin(), c.end());
            made.emplace_back(piece.high, std::move(segment));
        }
        waiting = std::move(next);
    }
    std::sort(made.begin(), made.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [high, segment] : made)
        segments_.insert(segments_.end(), segment.begin(), segment.end());
    const double last = chordOf(radius_);
    const auto count = static_cast<int>(std::clamp<size_t>(2 * made.size(), 1, 65536));
    view_.bucketCount = count;
    view_.bucketsPerChord = count / last;
    view_.segmentCount = static_cast<int>(made.size());
    size_t segment = 0;
    for (int b = 0; b < count; ++b) {
        // Slightly below, so that rounding of a bucket's number never skips a segment.
        const double low = last * b / count * (1.0 - 1e-12);
        while (segment + 1 < made.size() && made[segment].first < low) ++segment;
        buckets_.push_back(static_cast<int>(segment));
    }
}

ProfileView ProfileTable::view() const {
    ProfileView view = view_;
    view.segments = segments_.data();
    view.firstOfBucket = buckets_.data();
    return view;
}

}  // namespace armilla
