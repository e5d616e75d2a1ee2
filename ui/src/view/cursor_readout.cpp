// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cursor_readout.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/pixel_geometry.h"
#include "core/units.h"
#include "session/field_energies.h"
#include "session/unit_text.h"
#include "src/view/halo_text.h"

namespace armilla {
namespace {

// The shortest digits that give the number back, at most 12 significant ones; plain notation from
// 1e-4 up to 1e9.
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

}  // namespace

QString groupedDigits(int64_t number) {
    QString digits = QString::number(number);
    for (qsizetype i = digits.size() - 3; i > (number < 0 ? 1 : 0); i -= 3)
        digits.insert(i, QChar(0x202F));
    return digits;
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
    const QString name = QString::fromStdString(map.field(shown.field).name).trimmed();
    const QString energy = energyText(map, shown.field);
    return energy.isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, energy);
}

Readout readOut(const HealpixMap& map, const Shown& shown, Vec3 direction) {
    if (shown.quantity == Quantity::Field && (shown.field < 0 || shown.field >= map.fieldCount()))
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(shown.field));
    Readout out;
    const int64_t pixel = map.pixelAt(direction);
    readPixel(map, pixel, out);
    // A tenth of a pixel's side: finer digits would be the cursor's, not the map's.
    const double side = std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
    readPosition(map.frame(), direction, 0.1 * side, out);
    out.unit = unitOf(map, shown);
    out.value = shownValue(map, shown, pixel);
    if (std::isfinite(out.value)) {
        const bool single = shown.quantity != Quantity::Field || map.field(shown.field).isSingle();
        out.valueText = valueDigits(out.value, single);
    } else {
        out.valueText = map.elementOf(pixel) ? CursorReadout::tr("bad pixel")
                                             : CursorReadout::tr("not covered");
        out.unit.clear();
    }
    return out;
}

QString rowTitle(const Catalog& catalog, int64_t row) {
    // A column that says it is the name, else the first with text in this row.
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
    connect(&document, &Document::shownChanged, this, &CursorReadout::update);
}

void CursorReadout::setCursor(const std::optional<SkyCursor>& cursor) {
    cursor_ = cursor;
    update();
}

// Of the images that are drawn the topmost one that has a value there.
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
        // As FITS counts.
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
    if (cursor_)
        if (const Layer* entry = document_.entry(cursor_->shown.entry); entry && entry->map) {
            // The document may have dropped the field that the cursor was on.
            try {
                readout_ = readOut(*entry->map, cursor_->shown, cursor_->direction);
            } catch (const InvalidArgument&) {
                cursor_.reset();
            }
        }
    if (cursor_ && !readout_) {
        // A sky without a map has places nevertheless.
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

#include "ui/moc_cursor_readout.cpp"
