// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/gauss_angles.h"

#include <cmath>
#include <numbers>

#include "sht/latitude/latitude_rules.h"

namespace armilla {

namespace {

constexpr long double kCap = 0.7L;  // |cos(theta)| beyond which angles count from a pole

GaussAngle angleAt(long double z, long double sine, long double weight) {
    const long double half = 0.5L * std::atan2(sine, z);
    const long double c = std::cos(half), s = std::sin(half);
    GaussAngle angle;
    angle.form = z > kCap ? WignerForm::North : z < -kCap ? WignerForm::South : WignerForm::Belt;
    angle.y = static_cast<double>(angle.form == WignerForm::Belt    ? z
                                  : angle.form == WignerForm::North ? -2.0L * s * s
                                                                    : 2.0L * c * c);
    angle.cosHalf = static_cast<double>(c);
    angle.sinHalf = static_cast<double>(s);
    // Weights of rings integrate over longitude, too.
    angle.weight = static_cast<double>(weight / (2.0L * std::numbers::pi_v<long double>));
    return angle;
}

}  // namespace

std::vector<GaussAngle> gaussAngles(int64_t degree, JobContext& job) {
    const int64_t count = degree / 2 + 1;
    std::vector<GaussAngle> angles(static_cast<size_t>(count));
    // The nodes nearest to a pole take the longest.
    parallelFor(job, (count + 1) / 2, 8, [&](long long begin, long long end) {
        for (int64_t i = begin; i < end; ++i) {
            const LatitudeNode node = gaussLegendreNode(count, i);
            angles[static_cast<size_t>(count - 1 - i)] =
                angleAt(-node.z, node.sinTheta, node.weight);
            angles[static_cast<size_t>(i)] = angleAt(node.z, node.sinTheta, node.weight);
        }
    });
    return angles;
}

}  // namespace armilla
