// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/figure.h"

#include <QBuffer>
#include <QByteArray>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "averaged_down.h"
#include "core/error.h"
#include "figure/unit_text.h"
#include "figure_painter.h"
#include "io/atomic_file.h"

namespace armilla {

namespace {

// Positions in PDF and SVG are fine enough at this resolution that no rounding shows in letters.
constexpr int kVectorDpi = 1200;
constexpr double kLeastRasterDpi = 300.0;
// A PNG is drawn from a picture twice as fine.
constexpr double kOversampling = 2.0;
constexpr double kMostRasterPixels = 1.5e8;

// The finest resolution up to `wanted` at which the page stays within kMostRasterPixels.
double rasterDpi(const FigureRequest& request, double wanted) {
    const double square = request.width / request.dpi * (request.height / request.dpi);  // inch^2
    return std::min(wanted, std::sqrt(kMostRasterPixels / square));
}

void begin(QPainter& painter, QPaintDevice& device) {
    if (!painter.begin(&device))
        throw OutOfMemory("expected room for the figure in memory, found too little");
}

// Paints on a device that is made for this. Where memory runs out on the way both are left alone:
// their ends ask for the same memory again, in destructors, from which nothing can be thrown.
void paintOn(std::unique_ptr<QPaintDevice> device, const FigurePainter& figure) {
    auto painter = std::make_unique<QPainter>();
    try {
        begin(*painter, *device);
        figure.paint(*painter);
        painter->end();
    } catch (const std::bad_alloc&) {
        static_cast<void>(painter.release());
        static_cast<void>(device.release());
        throw OutOfMemory("expected room for the figure in memory, found too little");
    }
}

QByteArray pngOf(const FigureRequest& request, const FigureOverlays& overlays, JobContext& job) {
    FigurePainter figure(request, overlays, QSizeF(request.width, request.height), request.dpi,
                         std::max(request.dpi, rasterDpi(request, kOversampling * request.dpi)));
    figure.renderSky(job);
    QImage image = imageWithRoom({request.width, request.height}, QImage::Format_RGB32);
    const int dotsPerMeter = static_cast<int>(std::lround(request.dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    QPainter painter;
    begin(painter, image);
    figure.paint(painter);
    painter.end();
    if (!request.title.isEmpty()) image.setText("Title", request.title);
    image.setText("Software", "armilla");
    image.setText("Description", request.recipe);

    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        throw IoError("expected to encode the figure, found: " +
                      writer.errorString().toStdString());
    return bytes;
}

QString xmpOf(const FigureRequest& request) {
    return QStringLiteral(
               "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
               "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
               "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
               "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
               "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n"
               "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>"
               "\n<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">%2</rdf:li></rdf:Alt>"
               "</dc:description>\n<xmp:CreatorTool>armilla</xmp:CreatorTool>\n"
               "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>\n")
        .arg(request.title.toHtmlEscaped(), request.recipe.toHtmlEscaped());
}

QByteArray pdfOf(const FigureRequest& request, const FigureOverlays& overlays, JobContext& job) {
    const double scale = kVectorDpi / request.dpi;
    FigurePainter figure(request, overlays, QSizeF(request.width * scale, request.height * scale),
                         kVectorDpi, rasterDpi(request, std::max(request.dpi, kLeastRasterDpi)));
    figure.renderSky(job);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    auto writer = std::make_unique<QPdfWriter>(&buffer);
    writer->setResolution(kVectorDpi);
    writer->setPageSize(
        QPageSize(QSizeF(request.width * 72.0 / request.dpi, request.height * 72.0 / request.dpi),
                  QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer->setPageMargins(QMarginsF(0, 0, 0, 0));
    writer->setTitle(request.title);
    writer->setCreator("armilla");
    writer->setDocumentXmpMetadata(xmpOf(request).toUtf8());
    paintOn(std::move(writer), figure);
    return bytes;
}

QByteArray svgOf(const FigureRequest& request, const FigureOverlays& overlays, JobContext& job) {
    const double scale = kVectorDpi / request.dpi;
    const QSize page(static_cast<int>(std::lround(request.width * scale)),
                     static_cast<int>(std::lround(request.height * scale)));
    FigurePainter figure(request, overlays, page, kVectorDpi,
                         rasterDpi(request, std::max(request.dpi, kLeastRasterDpi)));
    figure.renderSky(job);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    auto generator = std::make_unique<QSvgGenerator>();
    generator->setOutputDevice(&buffer);
    generator->setResolution(kVectorDpi);
    generator->setSize(page);
    generator->setViewBox(QRect(QPoint(0, 0), page));
    // Qt writes both as they are given.
    generator->setTitle(request.title.toHtmlEscaped());
    generator->setDescription(request.recipe.toHtmlEscaped());
    paintOn(std::move(generator), figure);
    return bytes;
}

// Without the control characters, halves of surrogates, U+FFFE and U+FFFF that names of fields,
// titles and command lines may hold: XML, and so SVG and the metadata of a PDF, have no way to
// write them.
QString printable(QString text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            ++i;
            continue;
        }
        const bool isControl = c < u' ' && c != u'\n' && c != u'\t';
        if (isControl || c.isSurrogate() || c >= QChar(0xfffe))
            text[i] = QChar::ReplacementCharacter;
    }
    return text;
}

FigureRequest withPrintableTexts(FigureRequest request) {
    for (QString* text : {&request.title, &request.unit, &request.recipe}) *text = printable(*text);
    for (FigureMarker& marker : request.markers) marker.label = printable(marker.label);
    if (request.polarization) request.polarization->unit = printable(request.polarization->unit);
    return request;
}

}  // namespace

double figureResolution(const FigureRequest& request) {
    const FigureOverlays none;
    return FigurePainter(request, none, QSizeF(request.width, request.height), request.dpi,
                         request.dpi)
        .resolution();
}

QString colorBarText(const Field& field) {
    return colorBarText(QString::fromStdString(field.name),
                        unitText(QString::fromStdString(field.unit)));
}

QString colorBarText(const QString& name, const QString& unit) {
    return unit.isEmpty() ? name : QStringLiteral("%1  [%2]").arg(name, unit);
}

void writeFigure(const FigureRequest& request, const QString& path, bool overwrite,
                 JobContext& job) {
    writeFigure(request, FigureOverlays(), path, overwrite, job);
}

void writeFigure(const FigureRequest& asked, const FigureOverlays& overlays, const QString& path,
                 bool overwrite, JobContext& job) {
    ARMILLA_ASSERT(qGuiApp != nullptr);
    const FigureRequest request = withPrintableTexts(asked);
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == "png")
        bytes = pngOf(request, overlays, job);
    else if (suffix == "pdf")
        bytes = pdfOf(request, overlays, job);
    else if (suffix == "svg")
        bytes = svgOf(request, overlays, job);
    else
        throw InvalidArgument("expected a name in .png, .pdf or .svg, found '" +
                              path.toStdString() + "'");
    job.poll();
    writeFileAtomically(path.toStdString(),
                        std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())),
                        overwrite);
}

}  // namespace armilla
