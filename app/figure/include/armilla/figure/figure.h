// SPDX-License-Identifier: GPL-3.0-or-later
// A view as a finished figure: sky, graticule with labels, color bar, title; drawn anew at any
// size, labels as vectors. Needs QtGui but no display.
#pragma once

#include <QImage>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/figure_look.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_places.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/draw/line_integral.h"

namespace armilla {

// A labeled marker of a figure.
struct FigureMarker {
    LonLat position;  // in the camera's frame
    QString label;
};
// Polarization over the colors: line segments ("rods"), and line integral convolution that shades
// the colors.
struct FigurePolarization {
    std::shared_ptr<const HealpixMap> map;  // with Q and U, in the frame of the figure's map
    int qField = 0, uField = 1;
    double rodSpacing = 0.0;  // radians at the center of the view; 0: no line segments
    // The map that sets the length of the line segments; null: the polarized amplitude.
    std::shared_ptr<const HealpixMap> lengths;
    int lengthField = 0;
    // Line segments below `leastAmplitude` are left out. `noise` is the standard deviation of Q and
    // U in a pixel; segments with a ratio of amplitude to error below `leastSnr` are left out.
    double leastAmplitude = 0.0, noise = 0.0, leastSnr = 0.0;
    bool lic = false;
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    QString unit;  // unit of the scale bar
};
// A gnomonic view of a part of the sky, in a corner of the first sky of the page.
struct FigureInset {
    LonLat center;       // in the camera's frame
    double width = 0.0;  // radians across the inset
    FigureCorner corner = FigureCorner::TopRight;
};
// A further map in the view, the colors and the overlays of the figure.
struct FigurePanel {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    QString title;
};
// The content, view and size of a figure.
struct FigureRequest {
    // Source of the colors: a field of a map, or a plane of an image. Without either the sky is
    // empty.
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    std::shared_ptr<const ImageMesh> image;
    Camera camera;
    double radiansPerPixel = 0.0;  // at the center of the sky; 0: use camera.zoom
    ColorScale scale;
    int width = 1600, height = 900;  // pixels of a PNG; points * dpi / 72 for PDF and SVG
    double dpi = 100.0;              // sizes the text: 9 points are dpi / 8 pixels
    double graticuleStep = 0.0;      // 0: none; radians
    QString title, unit;             // `unit` is written at the color bar
    FigureLook look;
    std::vector<double> ticks;  // values labeled at the color bar; empty: round values
    std::vector<FigurePanel> panels;
    int columns = 0;     // number of panels side by side; 0: by the shape of the page
    QString panelTitle;  // title of the first panel
    std::optional<FigureInset> inset;
    QString legend;  // name of the markers in a legend; empty: no legend
    std::vector<FigureMarker> markers;
    // Unlabeled markers: directions in the camera's frame. Large numbers are drawn as an image; in
    // PDF and SVG at the resolution of the sky image.
    std::shared_ptr<const SkyPlaces> places;
    std::optional<FigurePolarization> polarization;
    QString recipe;  // written into the file's metadata
};
// Radians per pixel (of `width`) at the center of the sky in the finished figure; the value of
// `radiansPerPixel` for the same view. Throws InvalidArgument if the size leaves no space for the
// sky.
double figureResolution(const FigureRequest& request);
// The height in pixels at which the page is as tall as its content: the sky in the width of the
// request, at most as tall as wide. `height` of the request is not used.
int figureHeight(const FigureRequest& request);
// Text at the color bar: "TEMPERATURE  [µK]".
QString colorBarText(const Field& field);
QString colorBarText(const QString& name, const QString& unit);  // typeset

// Writes `.png`, `.pdf` or `.svg` atomically. The sky is an image (at least 300 dpi in PDF and
// SVG); lines and text are vectors. The same request gives the same bytes. Exceptions in PDF are
// the date and, between processes, the seed of Qt's hashes.
//
// Needs a QGuiApplication on any platform plugin. Throws InvalidArgument for another suffix or a
// size without space for the sky; IoError; Unsupported if no font is installed.
void writeFigure(const FigureRequest& request, const QString& path, bool overwrite,
                 JobContext& job);

}  // namespace armilla
