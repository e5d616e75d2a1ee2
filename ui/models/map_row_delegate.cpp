// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/map_row_delegate.h"

#include <QPainter>
#include <QPainterPath>

#include "armilla/session/stated_frame.h"
#include "armilla/ui/guarded_application.h"
#include "armilla/ui/theme.h"
#include "models/layer_looks.h"
#include "models/maps_model.h"
#include "models/sibling_text.h"

namespace armilla {
namespace {

constexpr int kMark = 12;  // diameter of the disc at the left, logical pixels
constexpr int kMargin = 8;
constexpr int kPadding = 5;  // above and below the text
constexpr int kSlack = 2;    // pixels by which an elided line may exceed the requested width

QRect textArea(const QRect& row) {
    return row.adjusted(kMargin + kMark + 8, kPadding, -kMargin, -kPadding);
}

// A filled disc for a map in the picture, a ring for others; two halves for a map on both sides.
void paintMark(QPainter& painter, const QPoint& center, bool first, bool second,
               const Theme& theme) {
    const QRectF ring(center.x() - 0.5 * kMark + 1, center.y() - 0.5 * kMark + 1, kMark - 2,
                      kMark - 2);
    painter.setPen(QPen(first ? theme.first : second ? theme.second : theme.textFaint, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(ring);
    if (!first && !second) return;
    const QRectF disc = ring.adjusted(2.4, 2.4, -2.4, -2.4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(first ? theme.first : theme.second);
    painter.drawEllipse(disc);
    if (first && second) {
        painter.setBrush(theme.second);
        painter.drawPie(disc, -90 * 16, 180 * 16);
    }
}

}  // namespace

QString fittingText(const QString& name, const QFontMetrics& metrics, int width) {
    static const QString between = QStringLiteral(" · ");
    QString text = name;
    for (auto end = text.lastIndexOf(between);
         metrics.horizontalAdvance(text) > width && end > text.indexOf(between);
         end = text.lastIndexOf(between))
        text.truncate(end);
    if (metrics.horizontalAdvance(text) <= width) return text;
    const qsizetype second = text.indexOf(between);
    const QString first = text.left(second), rest = second > 0 ? text.mid(second) : QString();
    const int room = width - metrics.horizontalAdvance(rest);
    if (!rest.isEmpty() && room >= metrics.horizontalAdvance(QStringLiteral("…00")))
        return metrics.elidedText(first, Qt::ElideMiddle, room) + rest;
    return metrics.horizontalAdvance(first) <= width
               ? first
               : metrics.elidedText(first, Qt::ElideMiddle, width);
}

QRect MapRowDelegate::markArea(const QRect& row) {
    return {row.left(), row.top(), kMargin + kMark + 6, row.height()};
}

QRect MapRowDelegate::frameArea(const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const Layer* layer = document_.entry(index.data(MapsModel::EntryRole).value<LayerId>());
    if (!layer || !index.data(MapsModel::LayerRole).toBool() || !takesStatedFrame(*layer))
        return {};
    const QString detail = index.data(MapsModel::DetailRole).toString();
    const qsizetype at = detail.indexOf(unknownFrameText());
    if (at < 0) return {};
    QFont font = option.font;
    font.setBold(true);
    const QRect area = textArea(option.rect);
    const QFontMetrics small(Theme::of(option.widget).smallFont(option.font));
    const int left = area.left() + small.horizontalAdvance(detail.left(at));
    return QRect(left, area.top() + QFontMetrics(font).height() + 1,
                 small.horizontalAdvance(unknownFrameText()), small.height()) &
           option.rect;
}

void MapRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    painter->save();
    guardedCall("MapRowDelegate::paint", [&] { paintRow(painter, option, index); });
    painter->restore();
}

void MapRowDelegate::paintRow(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    const bool isMap = index.data(MapsModel::LayerRole).toBool();
    const bool first = index.data(MapsModel::ShownRole).toBool();
    const bool second = index.data(MapsModel::ComparedRole).toBool();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF back = QRectF(option.rect).adjusted(2.5, 1.5, -2.5, -1.5);
    const bool current = option.state & QStyle::State_Selected;
    if (current || option.state & QStyle::State_MouseOver) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(current ? theme.accentFill : theme.controlHover);
        painter->drawRoundedRect(back, theme.radius, theme.radius);
    }
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange) {
        painter->setPen(theme.accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(back, theme.radius, theme.radius);
    }

    const QRect area = textArea(option.rect);
    QFont font = option.font;
    font.setBold(isMap);
    const QFontMetrics metrics(font);
    const QString detail = index.data(MapsModel::DetailRole).toString();
    const QRect nameLine(area.left(), area.top(), area.width(), metrics.height());
    const QPoint mark(option.rect.left() + kMargin + kMark / 2, nameLine.center().y() + 1);
    const Layer* layer = document_.entry(index.data(MapsModel::EntryRole).value<LayerId>());
    const bool hasEye = layer && looksOf(layer->kind()).hasEye;
    if (hasEye)
        looksOf(layer->kind())
            .paintMark(*painter,
                       QRectF(mark.x() - 0.5 * kMark, mark.y() - 0.5 * kMark, kMark, kMark), *layer,
                       theme);
    else
        paintMark(*painter, mark, first, second, theme);
    const bool hidden = hasEye && !layer->style.visible;
    painter->setFont(font);
    painter->setPen(hidden                     ? theme.textFaint
                    : isMap || first || second ? theme.text
                                               : theme.textMuted);
    QString name = index.data(Qt::DisplayRole).toString();
    // The name of a result begins with its distinctive part, and ends with its source.
    const bool isDerived = index.data(MapsModel::DerivedRole).toBool();
    if (isDerived) name.prepend(QStringLiteral("↳ "));
    const int width = nameLine.width() - kSlack;
    QStringList siblings;  // only for a name that does not fit
    if (isMap && !isDerived && metrics.horizontalAdvance(name) > width)
        for (const Layer& each : document_.entries()) siblings << each.name;
    painter->drawText(nameLine, Qt::AlignLeft | Qt::AlignVCenter,
                      !isMap      ? fittingText(name, metrics, nameLine.width())
                      : isDerived ? metrics.elidedText(name, Qt::ElideRight, width)
                                  : elidedAmong(name, siblings, metrics, width));
    if (isMap) {
        painter->setFont(theme.smallFont(option.font));
        painter->setPen(index.data(MapsModel::LiveRole).toBool() ? theme.success : theme.textMuted);
        const QFontMetrics small(painter->font());
        const QRect detailLine(area.left(), nameLine.bottom() + 2, area.width(), small.height());
        constexpr int kFlags = Qt::AlignLeft | Qt::AlignVCenter;
        const QRect words = frameArea(option, index);
        if (words.isEmpty()) {
            painter->drawText(detailLine, kFlags,
                              small.elidedText(detail, Qt::ElideRight, detailLine.width()));
        } else {
            // Clickable words have the link color.
            const qsizetype at = detail.indexOf(unknownFrameText());
            painter->drawText(detailLine, kFlags, detail.left(at));
            const int rest = detailLine.right() - words.right();
            painter->drawText(
                detailLine.adjusted(words.right() + 1 - detailLine.left(), 0, 0, 0), kFlags,
                small.elidedText(detail.mid(at + unknownFrameText().size()), Qt::ElideRight, rest));
            QFont link = painter->font();
            link.setUnderline(true);
            painter->setFont(link);
            painter->setPen(current ? theme.text : theme.accent);
            painter->drawText(detailLine.adjusted(words.left() - detailLine.left(), 0, 0, 0),
                              kFlags, unknownFrameText());
        }
    }
}

QSize MapRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (layerHeight_ == 0 || font_ != option.font) {
        font_ = option.font;
        const int name = QFontMetrics(font_).height();
        const QFont small = Theme::of(option.widget).smallFont(font_);
        fieldHeight_ = name + 2 * kPadding - 2;
        layerHeight_ = name + QFontMetrics(small).height() + 2 + 2 * kPadding;
    }
    return {120, index.data(MapsModel::LayerRole).toBool() ? layerHeight_ : fieldHeight_};
}

void MapRowDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const {
    QRect area = textArea(option.rect);
    area.setHeight(std::max(editor->sizeHint().height(), QFontMetrics(option.font).height() + 6));
    area.moveTop(option.rect.center().y() - area.height() / 2);
    editor->setGeometry(area);
}

}  // namespace armilla
