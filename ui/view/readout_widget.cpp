// SPDX-License-Identifier: GPL-3.0-or-later
#include <QEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

constexpr double kMargin = 4.0;
constexpr double kLabelGap = 5.0;
constexpr double kPieceGap = 20.0;

}  // namespace

ReadoutWidget::ReadoutWidget(const CursorReadout& readout, QWidget* parent)
    : QWidget(parent), readout_(readout) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setMouseTracking(true);
    setAccessibleName(tr("Read-out under the cursor"));
    setToolTip(tr("Value, pixel and position under the cursor, from the map itself"));
    connect(&readout, &CursorReadout::changed, this, [this] {
        setAccessibleDescription(text());
        update();
    });
}

std::vector<ReadoutWidget::Piece> ReadoutWidget::pieces() const {
    const auto& r = readout_.readout();
    if (!r) return {};
    std::vector<Piece> list;
    if (!r->markerText.isEmpty()) list.push_back({tr("Marker"), r->markerText});
    if (!r->imageText.isEmpty()) list.push_back({tr("Image"), r->imageText});
    const bool hasMap = r->ring >= 0 || r->nested >= 0;
    const auto withUnit = [&](const QString& number) {
        return r->unit.isEmpty() ? number : number + QLatin1Char(' ') + r->unit;
    };
    if (hasMap) list.push_back({r->valueLabel(), withUnit(r->valueText)});
    if (!r->turnedText.isEmpty()) list.push_back({r->turnedLabel(), withUnit(r->turnedText)});
    if (r->frameKnown) {
        list.push_back({tr("Galactic"), r->galacticText});
        list.push_back({tr("Equatorial (ICRS)"), r->equatorialText});
        list.push_back({tr("Ecliptic"), r->eclipticText});
    } else {
        list.push_back({readout_.unframedEntry().isValid() ? tr("Position") : tr("Frame unknown"),
                        r->ownText});
    }
    if (hasMap) list.push_back({tr("RING"), groupedDigits(r->ring)});
    if (r->nested >= 0) list.push_back({tr("NESTED"), groupedDigits(r->nested)});
    return list;
}

QRect ReadoutWidget::frameWords() const {
    if (!readout_.unframedEntry().isValid()) return {};
    const double width = QFontMetricsF(font()).horizontalAdvance(tr("Frame unknown"));
    return {static_cast<int>(kMargin), 0, static_cast<int>(std::ceil(width)), height()};
}

void ReadoutWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !frameWords().contains(event->pos()))
        return QWidget::mousePressEvent(event);
    emit frameAsked(readout_.unframedEntry(), mapToGlobal(frameWords().topLeft()));
}

void ReadoutWidget::mouseMoveEvent(QMouseEvent* event) {
    setCursor(frameWords().contains(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

QString ReadoutWidget::text() const {
    QStringList parts;
    if (readout_.unframedEntry().isValid()) parts << tr("Frame unknown");
    for (const Piece& piece : pieces()) parts << piece.label + QLatin1Char(' ') + piece.text;
    return parts.join(QStringLiteral("   "));
}

QSize ReadoutWidget::sizeHint() const {
    const QFontMetricsF metrics(font());
    return {static_cast<int>(metrics.averageCharWidth() * 130.0),
            static_cast<int>(std::ceil(metrics.height())) + 6};
}

QSize ReadoutWidget::minimumSizeHint() const {
    return {static_cast<int>(QFontMetricsF(font()).averageCharWidth() * 24.0), sizeHint().height()};
}

void ReadoutWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(this);
    const QFontMetricsF metrics(font());
    const double baseline = 0.5 * (height() + metrics.capHeight());
    double x = kMargin;
    if (const QRect words = frameWords(); !words.isEmpty()) {
        QFont link = font();
        link.setUnderline(true);
        painter.setFont(link);
        painter.setPen(theme.accent);
        painter.drawText(QPointF(x, baseline), tr("Frame unknown"));
        painter.setFont(font());
        x += words.width() + kPieceGap;
    }
    for (const Piece& piece : pieces()) {
        const double labelWidth = metrics.horizontalAdvance(piece.label);
        double& room = room_[piece.label];
        room = std::max(room, metrics.horizontalAdvance(piece.text));
        // A column that would be cut is left out; the most important ones come first.
        if (x + labelWidth + kLabelGap + room > width()) break;
        painter.setPen(theme.textFaint);
        painter.drawText(QPointF(x, baseline), piece.label);
        x += labelWidth + kLabelGap;
        painter.setPen(theme.text);
        painter.drawText(QPointF(x, baseline), piece.text);
        x += room + kPieceGap;
    }
}

void ReadoutWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) room_.clear();
    QWidget::changeEvent(event);
}

}  // namespace armilla
