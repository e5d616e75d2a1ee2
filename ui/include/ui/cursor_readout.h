// SPDX-License-Identifier: GPL-3.0-or-later
// What lies under the cursor, in double precision from the map itself: value, pixel, positions.
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

#include "core/sky_vector.h"
#include "session/document.h"
#include "session/image_lookup.h"

namespace armilla {

// A place on the sky that a hand points at, on one of the maps shown.
struct SkyCursor {
    Shown shown;                   // whose picture lies there
    Vec3 direction;                // unit vector
    Frame frame = Frame::Unknown;  // of `direction`; the map's own
    RowSelection marker = {};      // the marker under the hand, if there is one
};

// Texts are ready for the screen: digits as many as the pixel of the map is worth.
struct Readout {
    double value = 0.0;  // of the file; NaN where bad or not covered
    QString valueText;   // "214.6", "bad pixel", "not covered"
    QString unit;        // typeset
    bool isIau = false;  // `value` has the sign of IAU, as its file says; pictures are COSMO's
    // Q, U and their angle as the picture shows them, turned to another frame (else Unknown), or of
    // COSMO's sign where the file is IAU's; empty where that is the file's value.
    Frame turnedTo = Frame::Unknown;
    double turned = 0.0;
    QString turnedText;
    QString valueLabel() const;   // "Value", "Value (IAU)"
    QString turnedLabel() const;  // "turned to Galactic", "COSMO", "turned to Galactic, COSMO"
    int64_t ring = -1;            // the map's pixel; -1 where it has no such index
    int64_t nested = -1;          // (NESTED exists for powers of two only)
    LonLat galactic, equatorial, ecliptic;  // meaningless if the map's frame is unknown
    bool frameKnown = false;
    QString galacticText;    // "l 209.013° b −19.382°"
    QString equatorialText;  // "05h35m17.3s −05d23m28s"
    QString eclipticText;    // "λ 83.012° β −28.700°"
    QString ownText;         // longitude and latitude if the frame is unknown
    QString markerText;      // "NGC 253 · galaxies.fits": the marker under the hand
    QString imageText;       // "1.27 mJy · pixel 12, 40 · m33.fits": of the topmost image there
};
// What a row of a catalog is called: its name where it has one, else its number.
QString rowTitle(const Catalog& catalog, int64_t row);
// Whether the map has the field, or the Q and U, of what is shown.
bool hasShown(const HealpixMap& map, const Shown& shown);
// Reads the map at a direction in its own frame; `view`: the frame of the picture, Unknown: that
// too. Throws InvalidArgument for a field it has not.
Readout readOut(const HealpixMap& map, const Shown& shown, Vec3 direction,
                Frame view = Frame::Unknown);
// Unit of what is shown, typeset; degrees for polarization angles.
QString unitOf(const HealpixMap& map, const Shown& shown);
// Its name for titles: "TEMPERATURE", "polarized amplitude".
QString titleOf(const HealpixMap& map, const Shown& shown);
// The same for a picture in `view`: "U_STOKES in equatorial (ICRS)", where its values are turned to
// `turnedTo`, or would have to be and are those of the map's own frame.
QString titleIn(const HealpixMap& map, const Shown& shown, Frame turnedTo, Frame view);

// The read-out of one document, kept up to date when the map under the cursor changes.
class CursorReadout : public QObject {
    Q_OBJECT
public:
    explicit CursorReadout(const Document& document, QObject* parent = nullptr);
    void setCursor(const std::optional<SkyCursor>& cursor);
    const std::optional<SkyCursor>& cursor() const { return cursor_; }
    // Nothing while the cursor is off the sky.
    const std::optional<Readout>& readout() const { return readout_; }
    // The map that is shown if it does not name its frame, which the user may state; else -1.
    int unframedEntry() const;

signals:
    void changed();

private:
    void update();
    QString imageAt(const SkyCursor& cursor);
    const Document& document_;
    std::map<int, ImageLookup> images_;  // of layers that were pointed at
    std::optional<SkyCursor> cursor_;
    std::optional<Readout> readout_;
    Frame view_ = Frame::Unknown;  // that it was read for
};

// The read-out as one line of a status bar. Widths do not jump while the cursor moves.
class ReadoutWidget : public QWidget {
    Q_OBJECT
public:
    explicit ReadoutWidget(const CursorReadout& readout, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // The whole line as text, for copying and for screen readers.
    QString text() const;
    // Where the words "Frame unknown" stand; empty if they do not.
    QRect frameWords() const;

signals:
    void frameAsked(int layer, const QPoint& global);

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
    QHash<QString, double> room_;  // widest text of each piece so far
};

}  // namespace armilla
