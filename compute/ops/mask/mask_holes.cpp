// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/mask.h"

namespace armilla {

namespace {

// Finds connected bad pixels of a mask, one hole after another.
class Holes {
public:
    Holes(const HealpixMap& mask, JobContext& job)
        : mask_(mask), job_(job), isOpen_(newVector<char>(mask.pixelCount(), job)) {
        std::visit(
            [&](const auto& values) {
                parallelFor(
                    job, mask.pixelCount(), kPixelGrain, [&](long long begin, long long end) {
                        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                            isOpen_[p] = values[p] > 0.5F ? 0 : 1;
                    });
            },
            mask.field(0).values);
    }
    bool isOpen(int64_t pixel) const { return isOpen_[static_cast<size_t>(pixel)] != 0; }
    // The pixels of the hole around `seed`, which close; none if it has more than `most`.
    std::vector<int64_t> take(int64_t seed, int64_t most) {
        std::vector<int64_t> hole, open;
        int64_t size = 0;
        visit(seed, open);
        while (!open.empty()) {
            const int64_t pixel = open.back();
            open.pop_back();
            if (++visited_ % kPixelGrain == 0) job_.poll();
            if (++size <= most) hole.push_back(pixel);
            for (const int64_t next : neighbors(mask_.nside(), mask_.ordering(), pixel))
                if (next >= 0 && isOpen(next)) visit(next, open);
        }
        if (size > most) hole.clear();
        return hole;
    }

private:
    void visit(int64_t pixel, std::vector<int64_t>& open) {
        isOpen_[static_cast<size_t>(pixel)] = 0;
        open.push_back(pixel);
    }

    const HealpixMap& mask_;
    JobContext& job_;
    std::vector<char> isOpen_;
    int64_t visited_ = 0;
};

}  // namespace

FilledHoles filledHoles(HealpixMap mask, double area, JobContext& job) {
    FilledHoles result;
    const double pixelArea = 4.0 * kPi / static_cast<double>(mask.pixelCount());
    // The largest number of pixels whose area is below `area`; all pixels for a very large one.
    const auto most = static_cast<int64_t>(std::min(std::ceil(area / pixelArea),
                                                    static_cast<double>(mask.pixelCount() + 1))) -
                      1;
    Holes holes(mask, job);
    std::vector<int64_t> filled;
    for (int64_t p = 0; p < mask.pixelCount(); ++p) {
        if (p % kPixelGrain == 0) job.poll();
        if (!holes.isOpen(p)) continue;
        const std::vector<int64_t> hole = holes.take(p, most);
        if (hole.empty()) continue;
        ++result.holes;
        filled.insert(filled.end(), hole.begin(), hole.end());
    }
    result.pixels = static_cast<int64_t>(filled.size());
    std::visit(
        [&](auto& values) {
            for (const int64_t pixel : filled) values[static_cast<size_t>(pixel)] = 1;
        },
        mask.field(0).values);
    result.mask = std::move(mask);
    return result;
}

}  // namespace armilla
