// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/cursor_readout.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/stated_frame.h"
#include "view/halo_text.h"

namespace armilla {
namespace {

// The fewest digits that restore the number, at most 12 significant ones; plain notation from 1e-4
// up to 1e9.
QString valueDigits(double value, bool single) {
    char buffer[400];  // plain notation of the largest double has 309 digits
    const auto shortest = [&](std::chars_format format) {
        const auto end = single ? std::to_chars(buffer, buffer + sizeof buffer,
                                                static_cast<float>(value), format)
                                : std::to_chars(buffer, buffer + sizeof buffer, value, format);
        return QString::fromLatin1(buffer, static_cast<int>(end.ptr - buffer));
    };
    QString text = shortest(std::chars_format::scientific);
    const qsizetype mantissaEnd = text.indexOf(QLatin1Char('e'));
    const int exponent = text.mid(mantissaEnd + 1).toInt();
    if (mantissaEnd > 14) {
        text = QString::number(value, 'g', 12);
    } else if (value == 0.0 || (exponent >= -4 && exponent < 9)) {
        text = shortest(std::chars_format::fixed);
    } else {
        text = text.left(mantissaEnd) + QStringLiteral("e%1").arg(exponent);
    }
    return typographicMinus(text);
}

QString degreesText(double radians, double resolution) {
    return typographicMinus(QString::fromStdString(formatDegrees(radians, resolution))) +
           QStringLiteral("°");
}

QString pairText(const QString& lonName, const QString& latName, LonLat p, double resolution) {
    return QStringLiteral("%1 %2 %3 %4")
        .arg(lonName, degreesText(p.lon, resolution), latName, degreesText(p.lat, resolution));
}

void readPixel(const HealpixMap& map, int64_t pixel, Readout& out) {
    if (map.ordering() == Ordering::Ring) {
        out.ring = pixel;
        if (isPowerOfTwoNside(map.nside())) out.nested = nestedFromRing(map.nside(), pixel);
    } else {
        out.nested = pixel;
        out.ring = ringFromNested(map.nside(), pixel);
    }
}

void readPosition(Frame frame, Vec3 direction, double resolution, Readout& out) {
    out.frameKnown = frame != Frame::Unknown;
    if (!out.frameKnown) {
        out.ownText = pairText(CursorReadout::tr("lon"), CursorReadout::tr("lat"),
                               lonLat(direction), resolution);
        return;
    }
    out.galactic = lonLat(frameRotation(Frame::Galactic, frame) * direction);
    out.equatorial = lonLat(frameRotation(Frame::Equatorial, frame) * direction);
    out.ecliptic = lonLat(frameRotation(Frame::Ecliptic, frame) * direction);
    out.galacticText = pairText(QStringLiteral("l"), QStringLiteral("b"), out.galactic, resolution);
    out.eclipticText = pairText(QStringLiteral("λ"), QStringLiteral("β"), out.ecliptic, resolution);
    out.equatorialText =
        typographicMinus(QString::fromStdString(formatEquatorial(out.equatorial, resolution)));
}

// True for U, and for the angle, which depends on its sign, from a file in the IAU convention;
// readers change the sign.
bool isIauOnDisk(const HealpixMap& map, const Shown& shown) {
    if (!map.metadata().iauOnDisk || shown.quantity == Quantity::PolarizedAmplitude) return false;
    return shown.quantity == Quantity::PolarizationAngle ||
           stokesParameter(map.field(shown.field).name) == 'U';
}

}  // namespace

QString Readout::valueLabel() const {
    return isIau ? CursorReadout::tr("Value (IAU)") : CursorReadout::tr("Value");
}

QString Readout::turnedLabel() const {
    if (turnedTo == Frame::Unknown) return isIau ? CursorReadout::tr("COSMO") : QString();
    return (isIau ? CursorReadout::tr("rotated to %1, COSMO") : CursorReadout::tr("rotated to %1"))
        .arg(shownText(frameName(turnedTo)));
}

QString unitOf(const HealpixMap& map, const Shown& shown) {
    if (shown.quantity == Quantity::PolarizationAngle) return QStringLiteral("deg");
    int field = shown.field;
    if (shown.quantity == Quantity::PolarizedAmplitude)
        if (const auto pair = map.polarizationPair()) field = pair->first;
    if (field < 0 || field >= map.fieldCount()) return {};
    return unitText(QString::fromStdString(map.field(field).unit));
}

QString titleOf(const HealpixMap& map, const Shown& shown) {
    switch (shown.quantity) {
        case Quantity::PolarizedAmplitude: return CursorReadout::tr("polarized amplitude");
        case Quantity::PolarizationAngle: return CursorReadout::tr("polarization angle");
        case Quantity::Field: break;
    }
    if (shown.field < 0 || shown.field >= map.fieldCount()) return {};
    return QString::fromStdString(map.field(shown.field).name).trimmed();
}

QString titleIn(const HealpixMap& map, const Shown& shown, Frame turned, Frame view) {
    const bool isOwn = turned == Frame::Unknown;
    QString title = titleOf(map, shown);
    if (isIauOnDisk(map, shown)) title = CursorReadout::tr("%1 (COSMO)").arg(title);
    if (isOwn && turnedTo(map, shown, view) == Frame::Unknown && !cannotTurn(map, shown, view))
        return title;
    return CursorReadout::tr("%1 in %2")
        .arg(title, shownText(frameName(isOwn ? map.frame() : turned)));
}

bool hasShown(const HealpixMap& map, const Shown& shown) {
    return shown.quantity == Quantity::Field ? shown.field >= 0 && shown.field < map.fieldCount()
                                             : map.polarizationPair().has_value();
}

Readout readOut(const HealpixMap& map, const Shown& shown, Vec3 direction, Frame view) {
    if (shown.quantity == Quantity::Field && !hasShown(map, shown))
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(shown.field));
    Readout out;
    const int64_t pixel = map.pixelAt(direction);
    readPixel(map, pixel, out);
    // A tenth of a pixel's side: finer digits would describe the cursor, not the map.
    const double side = std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
    readPosition(map.frame(), direction, 0.1 * side, out);
    out.unit = unitOf(map, shown);
    out.value = shownValue(map, shown, pixel);
    if (std::isfinite(out.value)) {
        const bool single = shown.quantity != Quantity::Field || map.field(shown.field).isSingle();
        out.turnedTo = turnedTo(map, shown, view);
        out.isIau = isIauOnDisk(map, shown);
        if (out.turnedTo != Frame::Unknown || out.isIau) {
            out.turned = shownValueIn(map, shown, pixel, view);
            out.turnedText = valueDigits(out.turned, single);
        }
        // Restores the sign in the file, without a negative zero; the angle of 90 degrees stays.
        const bool isRight = shown.quantity == Quantity::PolarizationAngle && out.value == 90.0;
        if (out.isIau && out.value != 0.0 && !isRight) out.value = -out.value;
        out.valueText = valueDigits(out.value, single);
    } else {
        out.valueText = map.elementOf(pixel) ? CursorReadout::tr("bad pixel")
                                             : CursorReadout::tr("not covered");
        out.unit.clear();
    }
    return out;
}

QString rowTitle(const Catalog& catalog, int64_t row) {
    // A column declared as the name, else the first text column that is not empty in this row.
    const TableColumn* name = nullptr;
    for (const TableColumn& column : catalog.table.columns) {
        if (!column.isText() || column.width != 1) continue;
        const bool isId = column.ucd.find("meta.id") != std::string::npos;
        if (!name || (isId && name->ucd.find("meta.id") == std::string::npos)) name = &column;
    }
    const QString text = name ? QString::fromStdString(name->text(row)).trimmed() : QString();
    return text.isEmpty() ? CursorReadout::tr("row %1").arg(groupedDigits(row + 1)) : text;
}

CursorReadout::CursorReadout(const Document& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document, &Document::entriesChanged, this, &CursorReadout::update);
    connect(&document.view(), &DocumentView::shownChanged, this, &CursorReadout::update);
    connect(&document.view(), &DocumentView::comparisonChanged, this, &CursorReadout::changed);
    connect(&document.view(), &DocumentView::cameraChanged, this, [this] {
        if (view_ != document_.view().camera().frame) update();
    });
}

void CursorReadout::setCursor(const std::optional<SkyCursor>& cursor) {
    cursor_ = cursor;
    update();
}

LayerId CursorReadout::unframedEntry() const {
    const DocumentView& view = document_.view();
    const bool isCompared = view.comparison() != Comparison::Single;
    for (const LayerId id : {view.shown().entry, isCompared ? view.compared().entry : LayerId()}) {
        const Layer* layer = document_.entry(id);
        if (layer && takesStatedFrame(*layer) && layer->map->frame() == Frame::Unknown)
            return layer->id;
    }
    return {};
}

// The topmost drawn image with a value there.
QString CursorReadout::imageAt(const SkyCursor& cursor) {
    std::erase_if(images_, [this](const auto& one) {
        const Layer* layer = document_.entry(one.first);
        return !layer || layer->image != one.second.image();
    });
    const auto& layers = document_.entries();
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (!layer->image || !layer->style.visible || layer->style.opacity <= 0.0) continue;
        const Image& image = *layer->image;
        const auto& lookup = images_.try_emplace(layer->id, layer->image).first->second;
        const auto pixel = lookup.pixelAt(cursor.direction, cursor.frame);
        if (!pixel) continue;
        const double value = image.at(pixel->x, pixel->y, layer->style.plane);
        QString text = tr("bad pixel");
        if (std::isfinite(value)) {
            text = valueDigits(value, std::holds_alternative<std::vector<float>>(image.values));
            const QString unit = unitText(QString::fromStdString(image.unit));
            if (!unit.isEmpty()) text += QLatin1Char(' ') + unit;
        }
        // Pixel numbers from 1, as in FITS.
        return tr("%1 · pixel %2, %3 · %4")
            .arg(text)
            .arg(pixel->x + 1)
            .arg(pixel->y + 1)
            .arg(layer->name);
    }
    return {};
}

void CursorReadout::update() {
    readout_.reset();
    view_ = document_.view().camera().frame;
    if (cursor_)
        if (const Layer* entry = document_.entry(cursor_->shown.entry); entry && entry->map) {
            // The document may have removed the field under the cursor.
            if (hasShown(*entry->map, cursor_->shown))
                readout_ = readOut(*entry->map, cursor_->shown, cursor_->direction, view_);
            else
                cursor_.reset();
        }
    if (cursor_ && !readout_) {
        // Positions are shown even without a map.
        constexpr double kDigits = kArcsec;
        readout_.emplace();
        readPosition(cursor_->frame, cursor_->direction, kDigits, *readout_);
    }
    if (cursor_) readout_->imageText = imageAt(*cursor_);
    const Layer* marked = cursor_ ? document_.entry(cursor_->marker.layer) : nullptr;
    if (marked && marked->catalog && cursor_->marker.row < marked->catalog->rows()) {
        if (!readout_) readout_.emplace();
        readout_->markerText = QStringLiteral("%1 · %2").arg(
            rowTitle(*marked->catalog, cursor_->marker.row), marked->name);
    }
    emit changed();
}

}  // namespace armilla

#include "armilla/ui/moc_cursor_readout.cpp"
