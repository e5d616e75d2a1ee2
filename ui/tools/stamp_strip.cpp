// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/stamp_strip.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/theme.h"
#include "plots/plot_look.h"

namespace armilla {
namespace {

constexpr int kGap = 6, kProfileHeight = 118;
constexpr size_t kMostStamps = 12;
// time slice for making stamps before events are processed, milliseconds
constexpr qint64 kSlice = 8;

QString shortNumber(double value) {
    return numberTypeset(QString::number(value, 'g', 3));
}

}  // namespace

StampStrip::StampStrip(Document& document, SourceReview& review, QWidget* parent)
    : QWidget(parent), document_(document), review_(review) {
    setAccessibleName(tr("The selected source on every open map"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    maker_.setSingleShot(true);
    maker_.setInterval(0);
    connect(&maker_, &QTimer::timeout, this, &StampStrip::makeSome);
    connect(&document_.view(), &DocumentView::selectionChanged, this, &StampStrip::refresh);
    connect(&document_, &Document::entriesChanged, this, &StampStrip::refresh);
    connect(&document_.view(), &DocumentView::shownChanged, this, &StampStrip::refresh);
    connect(&review_, &SourceReview::layerChanged, this, &StampStrip::refresh);
}

double StampStrip::stampSide() const {
    return std::max(20.0, (width() - kGap * (columns() - 1.0)) / columns());
}

int StampStrip::heightForWidth(int width) const {
    if (shown_.stamps.empty()) return fontMetrics().height() * 2;
    const int rows = (static_cast<int>(shown_.stamps.size()) + columns() - 1) / columns();
    const double side = std::max(20.0, (width - kGap * (columns() - 1.0)) / columns());
    const double each = side + fontMetrics().height() + kGap;
    return static_cast<int>(std::ceil(rows * each)) +
           (shown_.profile.radius.empty() ? 0 : kProfileHeight);
}

QSize StampStrip::sizeHint() const {
    const int across = std::max(width(), 280);
    return {280, heightForWidth(across)};
}

QStringList StampStrip::titles() const {
    QStringList all;
    for (const Stamp& stamp : shown_.stamps) all << stamp.title;
    return all;
}

void StampStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (pending_) refresh();
}

void StampStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        refresh();
        updateGeometry();
    }
}

// A hidden strip computes nothing. The old content stays until the new pictures are complete.
void StampStrip::refresh() {
    pending_ = !isVisible();
    if (pending_) return;
    making_ = {};
    maker_.stop();
    const int64_t row = review_.current();
    const LonLat at = row >= 0 ? review_.catalog()->at(row) : LonLat{NAN, NAN};
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return take({});
    making_.sources = stampSources(document_, review_);
    const HealpixMap* first = making_.sources.empty() ? nullptr : making_.sources.front().map.get();
    making_.place = stampPlaceOf(review_, row, first);
    making_.shows = shownBy(review_, row);
    making_.side = static_cast<int>(stampSide() * devicePixelRatioF());
    making_.picture.halfWidth = making_.place.halfWidth;
    making_.picture.beam = review_.search().beam;
    makeSome();
}

void StampStrip::makeSome() {
    QElapsedTimer timer;
    timer.start();
    const std::vector<StampSource>& sources = making_.sources;
    std::vector<Stamp>& stamps = making_.picture.stamps;
    while (making_.next < sources.size() && stamps.size() < kMostStamps) {
        addStamp(sources[making_.next++]);
        if (timer.elapsed() < kSlice) continue;
        making_.milliseconds += static_cast<double>(timer.nsecsElapsed()) * 1e-6;
        return maker_.start();
    }
    making_.milliseconds += static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    if (!stamps.empty()) milliseconds_ = making_.milliseconds / static_cast<double>(stamps.size());
    if (!sources.empty() && making_.picture.beam) {
        const HealpixMap& map = *sources.front().map;
        const StampPlace& place = making_.place;
        const Vec3 center = seenRotation(map.frame(), place.frame) * place.center;
        making_.picture.profile =
            radialProfile(map, sources.front().field, center, *making_.picture.beam);
        making_.picture.unit = QString::fromStdString(map.field(sources.front().field).unit);
    }
    take(std::exchange(making_, {}).picture);
}

void StampStrip::addStamp(const StampSource& source) {
    const auto values = stampValues(*source.map, source.field, making_.place, making_.side);
    float low = INFINITY, high = -INFINITY;
    for (const float value : values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    // A map without data here has no picture, except the searched map.
    if (low > high && !making_.picture.stamps.empty()) return;
    Stamp stamp{source.title, {}, stampImage(values, making_.side, source.colors, making_.shows)};
    stamp.image.setDevicePixelRatio(devicePixelRatioF());
    if (low <= high)
        stamp.range =
            tr("%1 to %2 %3")
                .arg(shortNumber(low), shortNumber(high),
                     unitText(QString::fromStdString(source.map->field(source.field).unit)));
    making_.picture.stamps.push_back(std::move(stamp));
}

void StampStrip::take(Picture picture) {
    const bool isAsHigh = shown_.stamps.size() == picture.stamps.size() &&
                          shown_.profile.radius.empty() == picture.profile.radius.empty();
    shown_ = std::move(picture);
    if (!isAsHigh) updateGeometry();
    update();
}

void StampStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    if (shown_.stamps.empty()) {
        painter.setPen(theme.textFaint);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         tr("Choose a candidate in the list or on the sky, or press Space."));
        return;
    }
    const double side = stampSide();
    const double each = side + fontMetrics().height() + kGap;
    const double radius =
        shown_.beam ? 0.5 * side * std::tan(0.5 * *shown_.beam) / std::tan(shown_.halfWidth) : 0.0;
    double bottom = 0.0;
    for (size_t i = 0; i < shown_.stamps.size(); ++i) {
        const auto across = static_cast<size_t>(columns());
        const size_t column = i % across, line = i / across;
        const QRectF place(static_cast<double>(column) * (side + kGap),
                           static_cast<double>(line) * each, side, side);
        painter.drawImage(place, shown_.stamps[i].image);
        if (radius > 3.0) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.skyHalo, 2.6));
            painter.drawEllipse(place.center(), radius, radius);
            painter.setPen(QPen(theme.skyLabel, 1.0));
            painter.drawEllipse(place.center(), radius, radius);
        }
        painter.setPen(theme.textMuted);
        painter.drawText(QPointF(place.left(), place.bottom() + metrics.ascent() + 2.0),
                         metrics.elidedText(shown_.stamps[i].title, Qt::ElideMiddle, side));
        bottom = place.bottom() + fontMetrics().height() + kGap;
    }
    if (!shown_.profile.radius.empty())
        paintProfile(painter, QRectF(0.0, bottom + 2.0, width(), kProfileHeight - 6.0));
}

// Rings as points with errors; the beam, scaled to the central value, as a line.
void StampStrip::paintProfile(QPainter& painter, const QRectF& card) const {
    const Theme& theme = Theme::of(this);
    const QFontMetricsF metrics(painter.font());
    paintPlotCard(painter, theme, card);
    const QRectF area = card.adjusted(8.0, metrics.height() + 4.0, -8.0, -metrics.height() - 3.0);
    const double beam = shown_.beam.value();
    const double reach = 3.0 * beam;
    const double sigma = beam / std::sqrt(8.0 * std::log(2.0));
    double low = shown_.profile.background, high = shown_.profile.background + shown_.profile.peak;
    if (low > high) std::swap(low, high);
    for (size_t i = 0; i < shown_.profile.mean.size(); ++i) {
        low = std::min(low, shown_.profile.mean[i] - shown_.profile.error[i]);
        high = std::max(high, shown_.profile.mean[i] + shown_.profile.error[i]);
    }
    if (!(high > low)) high = low + 1.0;
    const auto at = [&](double radius, double value) {
        return QPointF(area.left() + area.width() * radius / reach,
                       area.bottom() - area.height() * (value - low) / (high - low));
    };
    painter.setPen(QPen(theme.plotGrid, 1.0));
    for (int k = 0; k <= 3; ++k) painter.drawLine(at(k * beam, low), at(k * beam, high));
    painter.drawLine(at(0.0, shown_.profile.background), at(reach, shown_.profile.background));
    QPainterPath line;
    for (int k = 0; k <= 90; ++k) {
        const double radius = reach * k / 90.0;
        const QPointF point = at(
            radius, shown_.profile.background +
                        shown_.profile.peak * std::exp(-0.5 * radius * radius / (sigma * sigma)));
        if (k == 0)
            line.moveTo(point);
        else
            line.lineTo(point);
    }
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(line, QPen(theme.second, 1.5));
    for (size_t i = 0; i < shown_.profile.mean.size(); ++i) {
        const double r = shown_.profile.radius[i];
        painter.setPen(QPen(theme.first, 1.2));
        painter.drawLine(at(r, shown_.profile.mean[i] - shown_.profile.error[i]),
                         at(r, shown_.profile.mean[i] + shown_.profile.error[i]));
        painter.setBrush(theme.first);
        painter.drawEllipse(at(r, shown_.profile.mean[i]), 2.2, 2.2);
    }
    painter.setPen(theme.textMuted);
    // At the right, away from the peak.
    const QString range = tr("%1 to %2 %3, rings; line: beam")
                              .arg(shortNumber(low), shortNumber(high), unitText(shown_.unit));
    painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(range),
                             card.top() + metrics.ascent() + 3.0),
                     range);
    for (int k = 0; k <= 3; ++k) {
        const QString text = QString::fromStdString(formatAngle(k * beam));
        const double across = metrics.horizontalAdvance(text);
        const double x = std::clamp(at(k * beam, low).x() - 0.5 * across, card.left() + 4.0,
                                    card.right() - across - 4.0);
        painter.drawText(QPointF(x, card.bottom() - 4.0), text);
    }
}

}  // namespace armilla
