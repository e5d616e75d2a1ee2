// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace armilla::mask {

namespace {

// Ranges this small are searched one by one.
constexpr size_t kLeaf = 8;
// Ranges that are ordered without a look at the job: some milliseconds.
constexpr size_t kUnbroken = 1 << 14;

double along(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

NearestDirection::NearestDirection(std::vector<Vec3> directions, JobContext& job)
    : points_(std::move(directions)) {
    // Large ranges one after the other, what is left of them side by side.
    std::vector<Range> large{{0, points_.size(), 0}}, small;
    while (!large.empty()) {
        const Range range = large.back();
        large.pop_back();
        if (range.end - range.begin <= kUnbroken) {
            small.push_back(range);
            continue;
        }
        split(range, job);
        const size_t middle = range.begin + (range.end - range.begin) / 2;
        large.push_back({range.begin, middle, (range.axis + 1) % 3});
        large.push_back({middle + 1, range.end, (range.axis + 1) % 3});
    }
    parallelFor(job, static_cast<long long>(small.size()), 1, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            order(small[i].begin, small[i].end, small[i].axis);
    });
}

// Quickselect; std::nth_element is left what takes it a fraction of a millisecond.
void NearestDirection::split(const Range& range, const JobContext& job) {
    size_t begin = range.begin, end = range.end;
    const size_t middle = begin + (end - begin) / 2;
    const auto value = [&](size_t i) { return along(points_[i], range.axis); };
    while (end - begin > kUnbroken) {
        job.poll();
        // The middle one of some that are spread over the range.
        std::array<double, 15> some{};
        for (size_t k = 0; k < some.size(); ++k)
            some[k] = value(begin + (end - begin - 1) * k / (some.size() - 1));
        std::nth_element(some.begin(), some.begin() + some.size() / 2, some.end());
        const double pivot = some[some.size() / 2];
        // Below, like, and above the pivot.
        size_t low = begin, at = begin, high = end;
        while (at < high) {
            if ((at & 0xffff) == 0) job.poll();
            const double here = value(at);
            if (here < pivot)
                std::swap(points_[low++], points_[at++]);
            else if (here > pivot)
                std::swap(points_[at], points_[--high]);
            else
                ++at;
        }
        if (middle >= low && middle < high) return;
        if (middle < low)
            end = low;
        else
            begin = high;
    }
    const auto place = [&](size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(place(begin), place(middle), place(end),
                     [&](Vec3 a, Vec3 b) { return along(a, range.axis) < along(b, range.axis); });
}

void NearestDirection::order(size_t begin, size_t end, int axis) {
    if (end - begin <= kLeaf) return;
    const size_t middle = begin + (end - begin) / 2;
    const auto at = [&](size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end),
                     [axis](Vec3 a, Vec3 b) { return along(a, axis) < along(b, axis); });
    order(begin, middle, (axis + 1) % 3);
    order(middle + 1, end, (axis + 1) % 3);
}

void NearestDirection::search(size_t begin, size_t end, int axis, Vec3 from, double& least) const {
    const auto test = [&](size_t i) {
        const Vec3 d = points_[i] - from;
        least = std::min(least, dot(d, d));
    };
    if (end - begin <= kLeaf) {
        for (size_t i = begin; i < end; ++i) test(i);
        return;
    }
    const size_t middle = begin + (end - begin) / 2;
    const double side = along(from, axis) - along(points_[middle], axis);
    test(middle);
    const int next = (axis + 1) % 3;
    const bool low = side < 0.0;
    search(low ? begin : middle + 1, low ? middle : end, next, from, least);
    if (side * side <= least)
        search(low ? middle + 1 : begin, low ? end : middle, next, from, least);
}

double NearestDirection::distance(Vec3 direction) const {
    if (points_.empty()) return kPi;
    double least = 5.0;
    search(0, points_.size(), 0, direction, least);
    return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(least)));
}

}  // namespace armilla::mask
