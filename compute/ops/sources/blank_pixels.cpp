// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/blank_pixels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "armilla/core/counted.h"
#include "armilla/core/nan.h"

namespace armilla::sources {

namespace {

// Pixels connected by sides with bit-identical values.
class EqualAreas {
public:
    EqualAreas(std::span<const double> values, int64_t width) : values_(values), width_(width) {}
    // The area around a pixel, without those of earlier calls.
    std::vector<size_t> around(size_t first, std::vector<bool>& isSeen) const {
        std::vector<size_t> area{first};
        isSeen[first] = true;
        const auto width = static_cast<size_t>(width_);
        for (size_t i = 0; i < area.size(); ++i) {
            const size_t p = area[i];
            const auto add = [&](bool isThere, size_t q) {
                if (!isThere || isSeen[q] || values_[q] != values_[first]) return;
                isSeen[q] = true;
                area.push_back(q);
            };
            add(p % width > 0, p - 1);
            add(p % width + 1 < width, p + 1);
            add(p >= width, p - width);
            add(p + width < values_.size(), p + width);
        }
        return area;
    }

private:
    std::span<const double> values_;
    int64_t width_;
};

}  // namespace

int64_t removeBlanks(const SourcePixels& pixels, int64_t width, double leastArea,
                     std::vector<double>& values, JobContext& job) {
    std::vector<bool> isSeen(values.size(), false);
    std::vector<EqualArea> large;
    int64_t good = 0;
    double all = 0.0, blankArea = 0.0;
    const EqualAreas areas(values, width);
    const auto areaOf = [&](const std::vector<size_t>& area) {
        double sum = 0.0;
        for (const size_t q : area) sum += pixels.area(static_cast<int64_t>(q));
        return sum;
    };
    for (size_t p = 0; p < values.size(); ++p) {
        if (p % (size_t{1} << 16) == 0) job.poll();
        if (!std::isfinite(values[p])) continue;
        ++good;
        all += pixels.area(static_cast<int64_t>(p));
        if (isSeen[p]) continue;
        const std::vector<size_t> area = areas.around(p, isSeen);
        if (areaOf(area) > leastArea) large.push_back({p, std::ssize(area)});
    }
    keepRare(values, good, large);
    std::fill(isSeen.begin(), isSeen.end(), false);
    std::vector<size_t> blank;
    for (const EqualArea& each : large) {
        const std::vector<size_t> area = areas.around(each.start, isSeen);
        blank.insert(blank.end(), area.begin(), area.end());
        blankArea += areaOf(area);
    }
    if (!(blankArea < 0.5 * all)) return 0;
    for (const size_t p : blank) values[p] = kNan;
    return std::ssize(blank);
}

std::string remarkOnBlanks(int64_t count) {
    if (count == 0) return "";
    return counted(count, "pixel") + " in areas of one value " + (count == 1 ? "counts" : "count") +
           " as bad";
}

}  // namespace armilla::sources
