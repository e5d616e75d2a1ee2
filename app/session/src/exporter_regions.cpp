// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn regions, and the discs of accepted sources, as files.
#include <QFileInfo>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/moc_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "armilla/session/region_book.h"
#include "armilla/session/source_review.h"
#include "export_parts.h"

namespace armilla {

void Exporter::importRegions(const QString& path) {
    notices_.guarded([&] {
        try {
            std::vector<std::string> notes;
            regions_.add(readNamedRegions(path.toStdString(), &notes));
            for (const std::string& line : notes)
                notices_.complain(QFileInfo(path).fileName() + QStringLiteral(": ") +
                                  QString::fromStdString(line));
        } catch (Error& error) {
            error.addContext(QFileInfo(path).fileName().toStdString());
            throw;
        }
    });
}

void Exporter::exportRegions(const QString& path, bool asMoc, bool overwrite) {
    const SaveAs elsewhere{[=, this](const QString& other) { exportRegions(other, asMoc, true); }};
    guardSaving(notices_, path, elsewhere, [&] {
        const std::vector<NamedRegion> named = regions_.named();
        if (named.empty()) throw InvalidArgument("expected a region to write, found none");
        if (!asMoc) {
            const std::string text = regionText(named, {});
            save(path, JobLane::Io, elsewhere, [text, path, overwrite](JobContext&) {
                writeFileAtomically(path.toStdString(), text, overwrite);
            });
            return;
        }
        save(path, JobLane::Io, elsewhere, [=](JobContext& job) {
            MocWriteOptions options;
            options.overwrite = overwrite;
            writeMoc(rangesOf(named, job), path.toStdString(), options, job);
        });
    });
}

// The discs, rasterized so that at least thirty pixels make up each disc; these pixels set the edge
// in the MOC.
void Exporter::exportAcceptedMoc(double beams, const QString& path, bool overwrite) {
    constexpr double kPixelsAcross = 6.0;
    constexpr int64_t kFinest = 8192;
    const SaveAs elsewhere{
        [=, this](const QString& other) { exportAcceptedMoc(beams, other, true); }};
    guardSaving(notices_, path, elsewhere, [&] {
        auto catalog = std::make_shared<const Catalog>(review_.judged(Verdict::Accepted));
        if (catalog->rows() == 0) throw InvalidArgument("expected accepted candidates, found none");
        const double across = beams * review_.search().beam.value_or(kPlainBeam);
        int64_t nside = 64;
        while (nside < kFinest &&
               std::sqrt(kPi / 3.0) / static_cast<double>(nside) > across / kPixelsAcross)
            nside *= 2;
        save(path, JobLane::Io, elsewhere, [=](JobContext& job) {
            std::vector<PixelRange> runs;
            const Mat3 turn = frameRotation(Frame::Equatorial, catalog->frame());
            const int shift = 2 * (kRangeOrder - orderOf(nside));
            for (int64_t row = 0; row < catalog->rows(); ++row)
                for (const PixelRange& run : queryDisc(
                         nside, Ordering::Nested, turn * direction(catalog->at(row)), 0.5 * across))
                    runs.push_back({run.begin << shift, run.end << shift});
            MocWriteOptions options;
            options.overwrite = overwrite;
            options.history = catalog->table.history;
            writeMoc(normalizedRanges(std::move(runs)), path.toStdString(), options, job);
        });
    });
}

}  // namespace armilla
