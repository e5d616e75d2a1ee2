// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/figure/figure_page.h"

#include <QBuffer>
#include <QByteArray>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QUuid>
#include <cmath>
#include <new>
#include <string_view>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "averaged_down.h"
#include "png_bytes.h"

namespace armilla {

namespace {

// Positions in PDF and SVG are fine enough at this resolution that no rounding shows in letters.
constexpr int kVectorDpi = 1200;

void begin(QPainter& painter, QPaintDevice& device) {
    if (!painter.begin(&device))
        throw OutOfMemory("expected enough memory for the figure, found too little");
}

// Paints on a device created for this purpose. After an allocation failure both objects are leaked:
// their destructors allocate the same memory again and must not throw.
void paintOn(std::unique_ptr<QPaintDevice> device, std::unique_ptr<PagePainting> painting) {
    try {
        begin(painting->painter(), *device);
        painting->paint();
        painting->painter().end();
    } catch (const std::bad_alloc&) {
        static_cast<void>(painting.release());
        static_cast<void>(device.release());
        throw OutOfMemory("expected enough memory for the figure, found too little");
    } catch (...) {
        painting->painter().end();
        throw;
    }
}

QByteArray pngOf(const FigurePage& page, std::unique_ptr<PagePainting> painting, JobContext& job) {
    const QImage image = pageImage(page, std::move(painting), job);
    std::vector<PngText> texts;
    if (!page.title.isEmpty()) texts.push_back({"Title", page.title});
    texts.push_back({"Software", "armilla"});
    texts.push_back({"Description", page.recipe});
    return pngBytes(image, texts);
}

QString xmpOf(const FigurePage& page) {
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
        .arg(page.title.toHtmlEscaped(), page.recipe.toHtmlEscaped());
}

QByteArray pdfOf(const FigurePage& page, std::unique_ptr<PagePainting> painting, JobContext& job) {
    const double scale = kVectorDpi / page.dpi;
    painting->prepare(QSizeF(page.width * scale, page.height * scale), kVectorDpi, true, job);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    auto writer = std::make_unique<QPdfWriter>(&buffer);
    writer->setResolution(kVectorDpi);
    writer->setPageSize(
        QPageSize(QSizeF(page.width * 72.0 / page.dpi, page.height * 72.0 / page.dpi),
                  QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer->setPageMargins(QMarginsF(0, 0, 0, 0));
    writer->setTitle(page.title);
    writer->setCreator("armilla");
    writer->setDocumentXmpMetadata(xmpOf(page).toUtf8());
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    // By default the id is random, so that equal figures would be unequal files.
    writer->setDocumentId(QUuid::createUuidV5(QUuid(), page.title + page.recipe));
#endif
    paintOn(std::move(writer), std::move(painting));
    return bytes;
}

QByteArray svgOf(const FigurePage& page, std::unique_ptr<PagePainting> painting, JobContext& job) {
    const double scale = kVectorDpi / page.dpi;
    const QSize size(static_cast<int>(std::lround(page.width * scale)),
                     static_cast<int>(std::lround(page.height * scale)));
    painting->prepare(size, kVectorDpi, true, job);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    auto generator = std::make_unique<QSvgGenerator>();
    generator->setOutputDevice(&buffer);
    generator->setResolution(kVectorDpi);
    generator->setSize(size);
    generator->setViewBox(QRect(QPoint(0, 0), size));
    // Some versions of Qt escape these texts, others do not.
    generator->setTitle(QString());
    generator->setDescription(QString());
    paintOn(std::move(generator), std::move(painting));
    const qsizetype tag = bytes.indexOf('>', bytes.indexOf("<svg")) + 1;
    QString texts;
    if (!page.title.isEmpty())
        texts += QStringLiteral("\n<title>%1</title>").arg(page.title.toHtmlEscaped());
    if (!page.recipe.isEmpty())
        texts += QStringLiteral("\n<desc>%1</desc>").arg(page.recipe.toHtmlEscaped());
    return bytes.insert(tag, texts.toUtf8());
}

}  // namespace

QImage pageImage(const FigurePage& page, std::unique_ptr<PagePainting> painting, JobContext& job) {
    painting->prepare(QSizeF(page.width, page.height), page.dpi, false, job);
    QImage image = imageWithRoom(
        {page.width, page.height},
        page.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (page.transparent) image.fill(Qt::transparent);
    const int dotsPerMeter = static_cast<int>(std::lround(page.dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    // The painter ends before the image is destroyed.
    const std::unique_ptr<PagePainting> painted = std::move(painting);
    begin(painted->painter(), image);
    painted->paint();
    painted->painter().end();
    return image;
}

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

void writePage(const FigurePage& asked, std::unique_ptr<PagePainting> painting, const QString& path,
               bool overwrite, JobContext& job) {
    ARMILLA_ASSERT(qGuiApp != nullptr);
    FigurePage page = asked;
    for (QString* text : {&page.title, &page.recipe}) *text = printable(*text);
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == "png")
        bytes = pngOf(page, std::move(painting), job);
    else if (suffix == "pdf")
        bytes = pdfOf(page, std::move(painting), job);
    else if (suffix == "svg")
        bytes = svgOf(page, std::move(painting), job);
    else
        throw InvalidArgument("expected a name in .png, .pdf or .svg, found '" +
                              path.toStdString() + "'");
    job.poll();
    writeFileAtomically(path.toStdString(),
                        std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())),
                        overwrite);
}

}  // namespace armilla
