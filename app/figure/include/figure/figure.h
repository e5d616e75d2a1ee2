// SPDX-License-Identifier: GPL-3.0-or-later
// A view as a finished figure: sky, graticule with labels, color bar, title; drawn anew at any
// size, labels as vectors. Needs QtGui but no display.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "render/image_mesh.h"
#include "render/line_integral.h"

namespace armilla {

struct FigureMarker {
    LonLat position;  // in the camera's frame
    QString label;
};
// Over the colors: rods, and a texture along the polarization that shades them.
struct FigurePolarization {
    std::shared_ptr<const HealpixMap> map;  // of Q and U, in the frame of the figure's map
    int qField = 0, uField = 1;
    double rodSpacing = 0.0;  // radians at the center of the view; 0: no rods
    // What rods are as long as; without a map: the amplitude of polarization.
    std::shared_ptr<const HealpixMap> lengths;
    int lengthField = 0;
    // None below this amplitude; the deviation of Q and U of a pixel, and none below this ratio of
    // amplitude and its error.
    double leastAmplitude = 0.0, noise = 0.0, leastSnr = 0.0;
    bool drapery = false;
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    QString unit;  // of the scale bar
};
struct FigureRequest {
    // What the colors are of: a field of a map, or a plane of an image. Neither: an empty sky.
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    std::shared_ptr<const ImageMesh> image;
    Camera camera;
    double radiansPerPixel = 0.0;  // at the center of the sky; 0: as camera.zoom says
    ColorScale scale;
    int width = 1600, height = 900;  // pixels of a PNG; points * dpi / 72 for PDF and SVG
    double dpi = 100.0;              // sizes the text: 9 points are dpi / 8 pixels
    double graticuleStep = 0.0;      // 0: none; radians
    QString title, unit;             // `unit` is written at the color bar
    bool darkBackground = false;
    std::vector<FigureMarker> markers;
    // Places that are marked without a name; directions in the camera's frame. A crowd of them is
    // drawn as a picture, in PDF and SVG at the resolution of the picture of the sky.
    std::shared_ptr<const std::vector<Vec3>> places;
    std::optional<FigurePolarization> polarization;
    QString recipe;  // written into the file's metadata
};
// Radians per pixel (of `width`) at the center of the sky, as the figure will be drawn; what
// `radiansPerPixel` has to be for the same view. Throws InvalidArgument for a size without room for
// the sky.
double figureResolution(const FigureRequest& request);
// What is written at the color bar: "TEMPERATURE  [µK]".
QString colorBarText(const Field& field);
QString colorBarText(const QString& name, const QString& unit);  // as it is to be written

// Writes `.png`, `.pdf` or `.svg`, atomically. The sky is a picture (of at least 300 pixels an inch
// in PDF and SVG), everything else is drawn with lines and text. The same request gives the same
// bytes, in a PDF but for its date and, from process to process, the seed of Qt's hashes. Needs a
// QGuiApplication, on any platform plugin. Throws InvalidArgument for another suffix or a size
// without room for the sky, IoError, Unsupported where no font is installed.
void writeFigure(const FigureRequest& request, const QString& path, bool overwrite,
                 JobContext& job);

}  // namespace armilla
