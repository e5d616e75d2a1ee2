// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/credible_contours.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/probability.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/figure/unit_text.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"

namespace armilla {

namespace {

const std::vector<double> kLevels{0.5, 0.9};

}  // namespace

QString areaText(double steradians) {
    const double degrees = steradians / (kDegree * kDegree);
    if (degrees >= 100.0)
        return QStringLiteral("%1 deg²").arg(groupedDigits(std::llround(degrees)));
    if (degrees >= 0.01) return QStringLiteral("%1 deg²").arg(degrees, 0, 'g', 3);
    return QStringLiteral("%1 arcmin²").arg(3600.0 * degrees, 0, 'g', 3);
}

CredibleContours::CredibleContours(Session& session, SkyViewWidget* view, QObject* parent)
    : QObject(parent), session_(session), view_(view) {
    const Document& document = session.document();
    // Queued until the step that changes the shown map has finished.
    connect(&document.view(), &DocumentView::shownChanged, this, &CredibleContours::follow,
            Qt::QueuedConnection);
    connect(&document, &Document::entriesChanged, this, &CredibleContours::follow,
            Qt::QueuedConnection);
}

void CredibleContours::setVisible(bool visible) {
    visible_ = visible;
    follow();
}

void CredibleContours::follow() {
    const Document& document = session_.document();
    std::erase_if(known_, [&](const auto& one) {
        const Layer* layer = document.entry(one.first.first.entry);
        return !layer || layer->revision != one.first.second;
    });
    const Shown shown = document.view().shown();
    const Layer* layer = document.entry(shown.entry);
    if (!visible_ || !layer || !layer->map || layer->live || shown.quantity != Quantity::Field ||
        !isProbability(layer->map->field(shown.field)))
        return show(nullptr);
    const auto key = std::pair{shown, layer->revision};
    const auto [found, isNew] = known_.try_emplace(key);
    show(found->second);
    if (!isNew) return;
    session_.jobs().run<Regions>(
        tr("Credible regions of %1").arg(layer->name), JobLane::Preview, {}, this,
        [map = layer->map, field = shown.field](JobContext& job) {
            return std::make_shared<const std::vector<CredibleOutline>>(
                credibleOutlines(*map, field, kLevels, job));
        },
        [this, key](const Regions& regions) {
            if (const auto at = known_.find(key); at != known_.end()) at->second = regions;
            follow();
        });
}

void CredibleContours::show(const Regions& regions) {
    QStringList areas, shares, values;
    std::optional<SkyContours> contours;
    if (regions && !regions->empty()) {
        const Shown shown = session_.document().view().shown();
        contours = SkyContours{shown, session_.document().entry(shown.entry)->map->frame(), {}};
        for (const CredibleOutline& region : *regions) {
            contours->lines.push_back({region.border});
            shares << QString::number(std::lround(100.0 * region.share));
            values << areaText(region.area);
            areas << tr("%1 %: %2").arg(shares.back(), values.back());
        }
    }
    text_ = areas.join(QStringLiteral(" · "));
    // A common unit is written once.
    if (const QString unit =
            values.isEmpty() ? QString() : values.back().section(QLatin1Char(' '), -1);
        std::all_of(values.begin(), values.end(),
                    [&](const QString& value) { return value.endsWith(unit); }))
        for (qsizetype i = 0; i + 1 < values.size(); ++i) values[i].chop(unit.size() + 1);
    view_->decorations().setContours(contours);
    view_->inspector()->setNote(
        text_,
        tr("%1 %: %2").arg(shares.join(QLatin1Char('/')), values.join(QStringLiteral(", "))));
}

}  // namespace armilla
