// SPDX-License-Identifier: GPL-3.0-or-later
// Read-out at the cursor, in double precision from the map itself: value, pixel, positions.
#pragma once

#include <QHash>
#include <QObject>
#include <QPoint>
#include <QRect>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/session/document.h"
#include "armilla/session/image_lookup.h"

namespace armilla {

// The sky position at the pointer, on one of the shown maps.
struct SkyCursor {
    Shown shown;                   // the map shown at that position
    Vec3 direction;                // unit vector
    Frame frame = Frame::Unknown;  // frame of `direction`, which is the map's own
    RowSelection marker = {};      // the marker at the pointer, if any
};

// Values as numbers and as display texts, with as many digits as the pixel size justifies.
struct Readout {
    double value = 0.0;  // value in the file; NaN where bad or not covered
    QString valueText;   // "214.6", "bad pixel", "not covered"
    QString unit;        // typeset
    bool isIau = false;  // the file states the IAU sign for `value`; pictures use COSMO's
    // Q, U or their angle as shown in the picture, if that differs from the value in the file.
    // `turnedTo` is the frame after rotation (else Unknown). The sign is COSMO's even if that of
    // the file is IAU's.
    Frame turnedTo = Frame::Unknown;
    double turned = 0.0;
    QString turnedText;
    QString valueLabel() const;   // "Value", "Value (IAU)"
    QString turnedLabel() const;  // "rotated to Galactic", "COSMO", "rotated to Galactic, COSMO"
    int64_t ring = -1;            // pixel index of the map; -1 if there is none
    int64_t nested = -1;          // (NESTED exists for powers of two only)
    LonLat galactic, equatorial, ecliptic;  // meaningless if the map's frame is unknown
    bool frameKnown = false;
    QString galacticText;    // "l 209.013° b −19.382°"
    QString equatorialText;  // "05h35m17.3s −05d23m28s"
    QString eclipticText;    // "λ 83.012° β −28.700°"
    QString ownText;         // longitude and latitude if the frame is unknown
    QString markerText;      // "NGC 253 · galaxies.fits": the marker at the pointer
    QString imageText;       // "1.27 mJy · pixel 12, 40 · m33.fits": of the topmost image there
};
// Title of a catalog row: its name if it has one, else its number.
QString rowTitle(const Catalog& catalog, int64_t row);
// True if the map has the field, or the Q and U, of the shown quantity.
bool hasShown(const HealpixMap& map, const Shown& shown);
// Reads the map at a direction in its own frame; `view`: the frame of the picture, Unknown: also
// the map's. Throws InvalidArgument for a missing field.
Readout readOut(const HealpixMap& map, const Shown& shown, Vec3 direction,
                Frame view = Frame::Unknown);
// Unit of what is shown, typeset; degrees for polarization angles.
QString unitOf(const HealpixMap& map, const Shown& shown);
// Title of the shown quantity: "TEMPERATURE", "polarized amplitude".
QString titleOf(const HealpixMap& map, const Shown& shown);
// Title for a picture in `view`: "U_STOKES in equatorial (ICRS)". The frame is named if values are
// rotated to `turnedTo`, or if they should be rotated but are in the map's own frame.
QString titleIn(const HealpixMap& map, const Shown& shown, Frame turnedTo, Frame view);

// The read-out of one document, kept up to date when the map under the cursor changes.
class CursorReadout : public QObject {
    Q_OBJECT
public:
    // The document must outlive this object.
    explicit CursorReadout(const Document& document, QObject* parent = nullptr);
    // Sets the cursor; none: off the sky.
    void setCursor(const std::optional<SkyCursor>& cursor);
    const std::optional<SkyCursor>& cursor() const { return cursor_; }
    // None while the cursor is off the sky.
    const std::optional<Readout>& readout() const { return readout_; }
    // The shown map, or else the compared one, if it does not name its frame, which the user may
    // then state; else -1.
    LayerId unframedEntry() const;

signals:
    // The read-out has changed.
    void changed();

private:
    void update();
    QString imageAt(const SkyCursor& cursor);
    const Document& document_;
    std::map<LayerId, ImageLookup> images_;  // layers that the pointer has visited
    std::optional<SkyCursor> cursor_;
    std::optional<Readout> readout_;
    Frame view_ = Frame::Unknown;  // frame of that read-out
};

// The read-out as one line of a status bar. Columns keep their width while the cursor moves.
class ReadoutWidget : public QWidget {
    Q_OBJECT
public:
    // The read-out must outlive the widget.
    explicit ReadoutWidget(const CursorReadout& readout, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // The full line as text, for copying and for screen readers.
    QString text() const;
    // Area of the words "Frame unknown"; empty if they are not shown.
    QRect frameWords() const;

signals:
    // A click on "Frame unknown" requests the menu of frames.
    void frameAsked(LayerId layer, const QPoint& global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Piece {
        QString label, text;
    };
    std::vector<Piece> pieces() const;
    const CursorReadout& readout_;
    QHash<QString, double> room_;  // largest text width of each column so far
};

}  // namespace armilla
