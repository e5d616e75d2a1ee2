// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/stamp_grid.h"

#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "armilla/session/source_review.h"
#include "armilla/ui/theme.h"
#include "models/verdict_looks.h"
#include "tools/stamps.h"

namespace armilla {
namespace {

constexpr int kSide = 84, kGap = 8;
// time slice for making stamps before events are processed, milliseconds
constexpr qint64 kSlice = 8;

}  // namespace

StampGrid::StampGrid(Document& document, SourceReview& review, QWidget* parent)
    : QAbstractScrollArea(parent), document_(document), review_(review) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Candidates as stamps"));
    maker_.setSingleShot(true);
    maker_.setInterval(0);
    connect(&maker_, &QTimer::timeout, this, &StampGrid::makeSome);
    connect(&review_, &SourceReview::layerChanged, this, &StampGrid::forget);
    connect(&review_, &SourceReview::rowsChanged, this, &StampGrid::fit);
    connect(&document_.view(), &DocumentView::selectionChanged, this, &StampGrid::showCurrent);
    // Another map or another style; the paint event checks for changes.
    const auto look = [this] { viewport()->update(); };
    connect(&document_.view(), &DocumentView::shownChanged, this, look);
    connect(&document_, &Document::entriesChanged, this, look);
    connect(&document_.drawings(), &LayerDrawings::colorScaleChanged, this, look);
}

int StampGrid::columns() const {
    return std::max(1, (viewport()->width() - kGap) / (kSide + kGap));
}

int StampGrid::cellHeight() const {
    return kSide + fontMetrics().height() + kGap;
}

QRect StampGrid::cellAt(int place) const {
    const int across = columns();
    return {kGap + (place % across) * (kSide + kGap),
            kGap + (place / across) * cellHeight() - verticalScrollBar()->value(), kSide, kSide};
}

void StampGrid::fit() {
    const int lines = (static_cast<int>(review_.rows().size()) + columns() - 1) / columns();
    verticalScrollBar()->setRange(0,
                                  std::max(0, lines * cellHeight() + kGap - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(cellHeight() / 2);
    viewport()->update();
}

void StampGrid::forget() {
    ready_.clear();
    fit();
}

// Stamps belong to one map in one style; others are discarded.
void StampGrid::checkSource() {
    const auto sources =
        review_.catalog() ? stampSources(document_, review_) : std::vector<StampSource>();
    const StampSource now = sources.empty() ? StampSource() : sources.front();
    const int side = static_cast<int>(kSide * devicePixelRatioF());
    const auto isSame = [&] {
        // The range is computed for each stamp.
        const ColorScale &a = now.colors, &b = colors_;
        return now.map == map_.lock() && now.field == field_ && side == side_ &&
               a.colorMap == b.colorMap && a.reversed == b.reversed && a.bad == b.bad &&
               a.ownBelow == b.ownBelow && a.ownAbove == b.ownAbove && a.below == b.below &&
               a.above == b.above;
    };
    if (isSame()) return;
    ready_.clear();
    map_ = now.map;
    field_ = now.field;
    side_ = side;
    colors_ = now.colors;
}

void StampGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    fit();
    showCurrent();
}

void StampGrid::scrollContentsBy(int, int) {
    viewport()->update();
}

void StampGrid::paintEvent(QPaintEvent*) {
    checkSource();
    const Theme& theme = Theme::of(this);
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.smallFont(font()));
    const QFontMetricsF metrics(painter.font());
    const auto& rows = review_.rows();
    const int first = std::max(0, verticalScrollBar()->value() / cellHeight()) * columns();
    const int64_t current = review_.current();
    bool lacks = false;
    for (int place = first; place < static_cast<int>(rows.size()); ++place) {
        const QRect cell = cellAt(place);
        if (cell.top() > viewport()->height()) break;
        const int64_t row = rows[static_cast<size_t>(place)];
        if (const QImage* image = ready_.object(row))
            painter.drawImage(cell, *image);
        else {
            painter.fillRect(cell, theme.card);
            lacks = true;
        }
        const Judgement* judged = review_.judgement(row);
        if (judged && judged->verdict != Verdict::None) {
            painter.setPen(QPen(verdictColor(judged->verdict), 2.4));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(cell).adjusted(1.2, 1.2, -1.2, -1.2));
        }
        if (row == current) {
            painter.setPen(QPen(theme.measure, 2.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(cell).adjusted(-2.5, -2.5, 2.5, 2.5), 3.0, 3.0);
        }
        QString text;
        if (!review_.significance().values().empty())
            text = tr("%1 σ").arg(review_.significance().text(row));
        if (judged && judged->group > 0) text += tr(" · class %1").arg(judged->group);
        painter.setPen(theme.textMuted);
        painter.drawText(QPointF(cell.left(), cell.bottom() + metrics.ascent() + 3.0),
                         metrics.elidedText(text, Qt::ElideRight, kSide));
    }
    if (rows.empty()) {
        painter.setPen(theme.textFaint);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No candidates to show"));
    }
    if (lacks) maker_.start();
}

void StampGrid::makeSome() {
    QElapsedTimer timer;
    timer.start();
    if (!review_.catalog()) return;
    checkSource();
    const auto sources = stampSources(document_, review_);
    if (sources.empty()) return;
    const StampSource& source = sources.front();
    const auto& rows = review_.rows();
    const int first = std::max(0, verticalScrollBar()->value() / cellHeight()) * columns();
    const int side = static_cast<int>(kSide * devicePixelRatioF());
    for (int place = first; place < static_cast<int>(rows.size()); ++place) {
        if (cellAt(place).top() > viewport()->height()) break;
        const int64_t row = rows[static_cast<size_t>(place)];
        if (ready_.contains(row)) continue;
        if (timer.elapsed() > kSlice) {
            maker_.start();
            break;
        }
        const LonLat at = review_.catalog()->at(row);
        auto* image = new QImage(side, side, QImage::Format_RGB32);
        image->fill(Qt::black);
        if (std::isfinite(at.lon) && std::isfinite(at.lat))
            *image = stampImage(stampValues(*source.map, source.field,
                                            stampPlaceOf(review_, row, source.map.get()), side),
                                side, source.colors, shownBy(review_, row));
        ready_.insert(row, image);
    }
    viewport()->update();
}

void StampGrid::showCurrent() {
    const int place = review_.list().placeOf(review_.current());
    if (place >= 0) {
        const QRect cell = cellAt(place);
        if (cell.top() < 0)
            verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.top() - kGap);
        else if (cell.top() + cellHeight() > viewport()->height())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.top() + cellHeight() -
                                          viewport()->height());
    }
    viewport()->update();
}

void StampGrid::mousePressEvent(QMouseEvent* event) {
    const auto& rows = review_.rows();
    for (int place = 0; place < static_cast<int>(rows.size()); ++place) {
        const QRect cell = cellAt(place);
        if (cell.top() > viewport()->height()) break;
        if (!cell.contains(event->pos())) continue;
        review_.setCurrent(rows[static_cast<size_t>(place)]);
        emit rowChosen(rows[static_cast<size_t>(place)]);
        return;
    }
}

void StampGrid::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left    ? -1
                   : event->key() == Qt::Key_Right ? 1
                   : event->key() == Qt::Key_Up    ? -columns()
                   : event->key() == Qt::Key_Down  ? columns()
                                                   : 0;
    if (by == 0) return QAbstractScrollArea::keyPressEvent(event);
    review_.step(by);
    emit rowChosen(review_.current());
}

}  // namespace armilla
