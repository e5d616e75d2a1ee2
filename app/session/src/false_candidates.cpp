// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/false_candidates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "armilla/core/pixel_queries.h"
#include "armilla/session/job_runner.h"

namespace armilla {

namespace {

const QString kFalseSlot = QStringLiteral("review-false");
// Default threshold at which a search reports sources.
constexpr double kRealSigma = 5.0;

// Significances from the counts of the search itself, made on the map without its sources. The
// column holds, for each row, the number of maxima at or above its significance. A maximum gets the
// significance of the row at which the count increases. Empty if the column of a file cannot be
// such counts: a map has no more maxima than pixels.
std::optional<std::vector<float>> falseOnes(const TableColumn& counts,
                                            const std::vector<float>& significances,
                                            int64_t pixels) {
    std::vector<std::pair<float, int64_t>> rows;
    for (size_t row = 0; row < significances.size(); ++row) {
        if (!std::isfinite(significances[row])) continue;
        const double count = counts.number(static_cast<int64_t>(row));
        if (!(count >= 0.0 && count <= static_cast<double>(pixels))) return std::nullopt;
        rows.emplace_back(significances[row], std::llround(count));
    }
    std::sort(rows.begin(), rows.end(), std::greater<>());
    std::vector<float> maxima;
    for (const auto& [snr, count] : rows)
        while (static_cast<int64_t>(maxima.size()) < count) maxima.push_back(snr);
    return maxima;
}

}  // namespace

FalseCandidates::FalseCandidates(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {
    // A cancelled count runs again at the next call.
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](int job) {
        if (job == job_) map_.reset();
    });
}

void FalseCandidates::count(const std::shared_ptr<const HealpixMap>& significance,
                            const std::shared_ptr<const Catalog>& of, std::optional<double> beam) {
    // A recomputed layer keeps its id.
    const auto map = of ? significance : nullptr;
    const auto catalog = map ? of : nullptr;
    if (map == map_.lock() && catalog == catalog_.lock() && beam == beam_) return;
    map_ = map;
    catalog_ = catalog;
    beam_ = beam;
    maxima_.clear();
    const bool wasKnown = std::exchange(isKnown_, false);
    job_ = -1;
    jobs_.cancelSlot(kFalseSlot);
    if (wasKnown) emit changed();
    if (!catalog) return;
    job_ = jobs_.run<std::vector<float>>(
        tr("Expected false candidates"), JobLane::Preview, kFalseSlot, this,
        [map, catalog, beam = beam.value_or(0.0)](JobContext& job) {
            const auto set = MarkerSet::build(*catalog, job);
            std::vector<float> snrs(static_cast<size_t>(catalog->rows()));
            double least = std::numeric_limits<double>::infinity();
            const auto column = catalog->table.find("SNR");
            if (!column) return std::vector<float>();
            for (size_t row = 0; row < snrs.size(); ++row) {
                const double value =
                    std::abs(catalog->table.columns[static_cast<size_t>(*column)].number(
                        static_cast<int64_t>(row)));
                snrs[row] = static_cast<float>(value);
                least = std::min(least, value);
            }
            if (!std::isfinite(least)) return std::vector<float>();
            if (const auto counts = catalog->table.find("N_FALSE"))
                if (auto maxima = falseOnes(catalog->table.columns[static_cast<size_t>(*counts)],
                                            snrs, pixelCount(map->nside())))
                    return *std::move(maxima);
            return armilla::falseMaxima(*map, *set, snrs, least, kRealSigma, beam, job);
        },
        [this](std::vector<float> maxima) {
            maxima_ = std::move(maxima);
            isKnown_ = true;
            emit changed();
        },
        [this](const QString&) { map_.reset(); });
}

std::optional<int64_t> FalseCandidates::above(double threshold) const {
    if (!isKnown_) return std::nullopt;
    const auto end = std::partition_point(maxima_.begin(), maxima_.end(),
                                          [threshold](float snr) { return snr >= threshold; });
    return end - maxima_.begin();
}

std::vector<float> falseMaxima(const HealpixMap& significance, const MarkerSet& rows,
                               const std::vector<float>& significances, double floor, double real,
                               double beam, JobContext& job) {
    // Few pixels reach this test.
    const auto isBesideReal = [&](Vec3 place) {
        for (const MarkerSet::Run& run : rows.runsWithin(place, 2.0 * beam))
            for (int64_t at = run.begin; at < run.end; ++at)
                if (significances[static_cast<size_t>(rows.row(at))] >= real &&
                    angularDistance(place, rows.direction(at)) < 2.0 * beam)
                    return true;
        return false;
    };
    std::vector<float> maxima;
    const int64_t nside = significance.nside();
    for (int64_t element = 0; element < significance.elementCount(); ++element) {
        if (element % kPixelGrain == 0)
            job.report(
                static_cast<double>(element) / static_cast<double>(significance.elementCount()),
                "inverted map");
        const double value = significance.field(0).at(element);
        if (!(value <= -floor)) continue;
        const int64_t pixel = significance.coverage() == Coverage::Full
                                  ? element
                                  : significance.pixels()[static_cast<size_t>(element)];
        bool isLowest = true;
        for (const int64_t beside : neighbors(nside, significance.ordering(), pixel))
            if (beside >= 0) {
                // Among adjacent equal pixels the first counts, as in the search.
                const double there = significance.value(0, beside);
                if (there < value || (there == value && beside < pixel)) isLowest = false;
            }
        const Vec3 place = directionFromPixel(nside, significance.ordering(), pixel);
        if (isLowest && !isBesideReal(place)) maxima.push_back(static_cast<float>(-value));
    }
    std::sort(maxima.begin(), maxima.end(), std::greater<>());
    return maxima;
}

}  // namespace armilla

#include "armilla/session/moc_false_candidates.cpp"
