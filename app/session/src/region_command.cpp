// SPDX-License-Identifier: GPL-3.0-or-later
// Import and export of drawn regions.
#include <QFileInfo>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/moc_io.h"
#include "export_parts.h"
#include "session_state.h"

namespace armilla {

namespace {

// Pixels of a coverage map across the smallest region, and the largest nside.
constexpr double kPixelsAcross = 128.0;
constexpr int64_t kCoarsest = 64, kFinest = 16384;

}  // namespace

SkyRanges rangesOf(const std::vector<NamedRegion>& regions, JobContext& job) {
    double least = kPi;
    for (const NamedRegion& each : regions)
        least = std::min(least, RegionTest(each.region, each.region.frame).radius());
    int64_t nside = kCoarsest;
    while (nside < kFinest &&
           std::sqrt(kPi / 3.0) / static_cast<double>(nside) > 2.0 * least / kPixelsAcross)
        nside *= 2;
    const int shift = 2 * (kRangeOrder - orderOf(nside));
    SkyRanges all;
    for (size_t i = 0; i < regions.size(); ++i) {
        job.report(static_cast<double>(i) / static_cast<double>(regions.size()), "coverage");
        const RegionTest test(regions[i].region, Frame::Equatorial);
        std::vector<PixelRange> runs;
        for (const PixelRange& run :
             queryDisc(nside, Ordering::Nested, test.center(), test.radius())) {
            job.poll();
            for (int64_t p = run.begin; p < run.end; ++p) {
                if (!test.contains(directionFromNested(nside, p))) continue;
                if (!runs.empty() && runs.back().end == p << shift)
                    runs.back().end = (p + 1) << shift;
                else
                    runs.push_back({p << shift, (p + 1) << shift});
            }
        }
        all = joinedRanges(all, normalizedRanges(std::move(runs)),
                           regions[i].region.exclude ? RangeJoin::Difference : RangeJoin::Union);
    }
    return all;
}

void Session::importRegions(const QString& path) {
    state_->notices.guarded([&] {
        try {
            std::vector<std::string> notes;
            regions().add(readNamedRegions(path.toStdString(), &notes));
            for (const std::string& line : notes)
                state_->notices.complain(QFileInfo(path).fileName() + QStringLiteral(": ") +
                                         QString::fromStdString(line));
        } catch (Error& error) {
            error.addContext(QFileInfo(path).fileName().toStdString());
            throw;
        }
    });
}

void Session::exportRegions(const QString& path, bool asMoc, bool overwrite) {
    State& state = *state_;
    state.notices.guarded([&] {
        const std::vector<NamedRegion> named = regions().named();
        if (named.empty()) throw InvalidArgument("expected a region to write, found none");
        if (!asMoc) {
            const std::string text = regionText(named, {});
            state.exportInJob(path, JobLane::Io, [text, path, overwrite](JobContext&) {
                writeFileAtomically(path.toStdString(), text, overwrite);
            });
            return;
        }
        state.exportInJob(path, JobLane::Io, [=](JobContext& job) {
            MocWriteOptions options;
            options.overwrite = overwrite;
            writeMoc(rangesOf(named, job), path.toStdString(), options, job);
        });
    });
}

}  // namespace armilla
