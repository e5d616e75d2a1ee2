// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_parts.h"

#include <QFileInfo>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/units.h"
#include "armilla/session/exporter.h"
#include "armilla/session/notices.h"
#include "enum_names.h"

namespace armilla {

QString angleWord(double radians) {
    return QString::fromStdString(angleArgument(radians));
}

QString describeView(const Camera& camera) {
    const LonLat center = camera.center();
    const std::string_view frame = frameName(camera.frame);
    return QStringLiteral("%1 about %2,%3, rotated %4, %5, zoom %6%7")
        .arg(json::nameOf(kProjections, camera.projection), angleWord(center.lon),
             angleWord(center.lat), angleWord(camera.rotation()),
             QString::fromUtf8(frame.data(), static_cast<int>(frame.size())))
        .arg(camera.zoom)
        .arg(camera.flip ? QStringLiteral(", east to the right") : QString());
}

DrawnField oneField(const MapPointer& map, const Shown& shown, Frame view, JobContext& job) {
    if (shown.quantity == Quantity::Field) return drawnField(map, shown.field, view, job);
    const DrawnField drawn = drawnOf(map, shown, view, job);
    DrawnField made{std::make_shared<const HealpixMap>(
                        quantityMap(*drawn.map, drawn.field, shown.quantity, job)),
                    0,
                    drawn.isTurned,
                    {}};
    made.name = made.map->field(0).name;
    if (drawn.isTurned) made.name += " in " + std::string(frameName(view));
    return made;
}

const Layer& shownEntry(const Document& document) {
    const Layer* entry = document.entry(document.view().shown().entry);
    if (!entry || !entry->map) throw InvalidArgument("expected a map that is shown, found none");
    return *entry;
}

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

namespace {

std::vector<Remedy> saveElsewhere(const QString& path, const SaveAs& elsewhere) {
    if (!elsewhere.save) return {};
    return {{Exporter::tr("Save elsewhere…"), Remedy::Asks::FileToWrite,
             Exporter::tr("Save elsewhere"), QFileInfo(path).fileName(), elsewhere.save,
             elsewhere.kind}};
}

}  // namespace

void saveInJob(JobRunner& runner, Notices& notices, QObject* context, const QString& path,
               JobLane lane, std::function<void(JobContext&)> write, std::function<void()> written,
               const SaveAs& elsewhere) {
    const auto isOfFile = std::make_shared<bool>(false);
    runner.run<bool>(
        Exporter::tr("Save %1").arg(QFileInfo(path).fileName()), lane, {}, context,
        [write = std::move(write), isOfFile](JobContext& job) {
            try {
                write(job);
            } catch (const IoError&) {
                *isOfFile = true;
                throw;
            }
            return true;
        },
        [&notices, path, written = std::move(written)](bool) {
            if (written) written();
            notices.say(Exporter::tr("saved %1").arg(path));
        },
        [&notices, path, elsewhere, isOfFile](const QString& line) {
            notices.complain(line);
            if (*isOfFile) notices.offer(line, true, saveElsewhere(path, elsewhere));
        });
}

void guardSaving(Notices& notices, const QString& path, const SaveAs& elsewhere,
                 const std::function<void()>& action) {
    notices.guarded([&] {
        try {
            action();
        } catch (const IoError&) {
            const QString line = *failureLine(std::current_exception());
            notices.complain(line);
            notices.offer(line, true, saveElsewhere(path, elsewhere));
        }
    });
}

}  // namespace armilla
