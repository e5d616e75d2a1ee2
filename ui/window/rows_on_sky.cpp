// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/rows_on_sky.h"

#include <cmath>
#include <optional>

#include "armilla/session/interop.h"
#include "armilla/session/region_shape.h"
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"

namespace armilla {

namespace {

// The place of a row of a catalog; none for a row without a position.
std::optional<SkyCursor> placeOfRow(const Document& document, LayerId layer, qint64 row) {
    const Layer* entry = document.entry(layer);
    if (!entry || !entry->catalog) return std::nullopt;
    const LonLat at = entry->catalog->at(row);
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return std::nullopt;
    return SkyCursor{{}, direction(at), entry->catalog->frame(), {layer, row}};
}

}  // namespace

RowsOnSky::RowsOnSky(Session& session, SkyViewWidget& sky, MessageBar& messages, QObject* parent)
    : QObject(parent), session_(session), sky_(sky), messages_(messages) {
    SourceReview& review = session_.review();
    connect(&review.partners(), &CandidatePartners::changed, this, &RowsOnSky::drawReview);
    for (const auto signal : {&SourceReview::rowsChanged, &SourceReview::layerChanged,
                              &SourceReview::judgementsChanged})
        connect(&review, signal, this, &RowsOnSky::drawReview);
    connect(&session_.interop(), &Interop::chosenChanged, this, &RowsOnSky::drawChosen);
}

void RowsOnSky::showRow(LayerId layer, qint64 row) {
    if (const auto place = placeOfRow(session_.document(), layer, row))
        sky_.showPlace(place->direction, place->frame);
}

void RowsOnSky::centerOnRow(LayerId layer, qint64 row) {
    if (const auto place = placeOfRow(session_.document(), layer, row)) sky_.centerOnCursor(*place);
}

void RowsOnSky::drawReview() {
    // More links and circles than this cannot be distinguished and only hide the sky.
    constexpr size_t kMostLinks = 5000, kMostOrphans = 1000;
    const SourceReview& review = session_.review();
    std::vector<SkyLine> links, orphans;
    const Frame frame = review.catalog() ? review.catalog()->frame() : Frame::Unknown;
    const auto isListed = [&](int64_t row) { return review.list().placeOf(row) >= 0; };
    for (const auto& [from, to] : review.partners().links(kMostLinks, isListed))
        links.push_back({SkyLine::Ink::Link, frame, {from, to}, {}, {}, 0.0});
    const double radius = 0.5 * review.search().beam.value_or(20.0 * kArcmin);
    for (const Judgement& each : review.verdicts().orphans(kMostOrphans)) {
        orphans.push_back({SkyLine::Ink::Orphan,
                           each.frame,
                           circleAround(each.place, radius),
                           {},
                           each.name,
                           0.0});
    }
    sky_.decorations().setLines(QStringLiteral("links"), std::move(links));
    sky_.decorations().setLines(QStringLiteral("orphans"), std::move(orphans));
}

void RowsOnSky::drawChosen() {
    // More markers than this cannot be distinguished and only hide the sky.
    constexpr size_t kMost = 20000;
    const ChosenRows& chosen = session_.interop().chosen();
    const Layer* layer = session_.document().entry(chosen.layer);
    std::vector<SkyLine> lines;
    if (layer && layer->catalog && !chosen.rows.empty()) {
        SkyLine marks{SkyLine::Ink::Chosen, layer->catalog->frame(), {}, {}, {}, 0.0};
        for (const int64_t row : chosen.rows) {
            const LonLat at = layer->catalog->at(row);
            if (std::isfinite(at.lon) && std::isfinite(at.lat))
                marks.handles.push_back(direction(at));
            if (marks.handles.size() == kMost) break;
        }
        messages_.show(MessageTone::Note,
                       tr("%n row(s) of %1 chosen by another program", nullptr,
                          static_cast<int>(chosen.rows.size()))
                           .arg(layer->name),
                       {{tr("&Forget them"), [this] { session_.interop().forgetChosen(); }}});
        lines.push_back(std::move(marks));
    }
    sky_.decorations().setLines(QStringLiteral("chosen rows"), std::move(lines));
}

}  // namespace armilla

#include "window/moc_rows_on_sky.cpp"
