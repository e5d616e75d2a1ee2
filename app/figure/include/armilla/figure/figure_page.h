// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a page of a figure, with any content, to a file: PNG, PDF or SVG.
#pragma once

#include <QImage>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <memory>

#include "armilla/core/job_context.h"

namespace armilla {

// Size, colors and metadata of a page.
struct FigurePage {
    int width = 1600, height = 900;  // pixels of a PNG; points * dpi / 72 for PDF and SVG
    double dpi = 100.0;
    QString title, recipe;  // written into the file's metadata
    bool transparent = false;
};

// The content of a page.
class PagePainting {
public:
    PagePainting() = default;
    PagePainting(const PagePainting&) = delete;
    PagePainting& operator=(const PagePainting&) = delete;
    virtual ~PagePainting() = default;
    // Long work before the paint device is created. `page` is in pixels, at `dpi` pixels per inch.
    virtual void prepare(QSizeF page, double dpi, bool isVector, JobContext& job) = 0;
    // The painter that paint() uses; the owner of the device begins and ends it.
    virtual QPainter& painter() = 0;
    // Paints the page with painter(), after prepare().
    virtual void paint() = 0;
};

// Writes `.png`, `.pdf` or `.svg` atomically; the same drawing gives the same bytes. Exceptions in
// PDF are the date and, between processes, the seed of Qt's hashes. Needs a QGuiApplication. Throws
// InvalidArgument for another suffix, IoError, OutOfMemory, Cancelled, and the exceptions of the
// painting.
void writePage(const FigurePage& page, std::unique_ptr<PagePainting> painting, const QString& path,
               bool overwrite, JobContext& job);

// The page of the PNG that writePage() writes.
QImage pageImage(const FigurePage& page, std::unique_ptr<PagePainting> painting, JobContext& job);

// Removes control characters, unpaired surrogates, U+FFFE and U+FFFF, which names of fields, titles
// and command lines may contain. XML, and so SVG and PDF metadata, cannot represent these.
QString printable(QString text);

}  // namespace armilla
