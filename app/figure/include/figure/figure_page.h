// SPDX-License-Identifier: GPL-3.0-or-later
// A page of a figure, whatever is drawn on it, as a file: PNG, PDF or SVG.
#pragma once

#include <QPainter>
#include <QSizeF>
#include <QString>
#include <memory>

#include "core/job_context.h"

namespace armilla {

struct FigurePage {
    int width = 1600, height = 900;  // pixels of a PNG; points * dpi / 72 for PDF and SVG
    double dpi = 100.0;
    QString title, recipe;  // written into the file's metadata
};

// What is drawn on a page.
class PagePainting {
public:
    PagePainting() = default;
    PagePainting(const PagePainting&) = delete;
    PagePainting& operator=(const PagePainting&) = delete;
    virtual ~PagePainting() = default;
    // What takes long, before the device is made: for a page of so many pixels, `dpi` of them an
    // inch.
    virtual void prepare(QSizeF page, double dpi, bool isVector, JobContext& job) = 0;
    // The painter that paint() uses, begun and ended by the one who has the device.
    virtual QPainter& painter() = 0;
    virtual void paint() = 0;
};

// Writes `.png`, `.pdf` or `.svg`, atomically; the same drawing gives the same bytes, in a PDF but
// for its date and, from process to process, the seed of Qt's hashes. Needs a QGuiApplication.
// Throws InvalidArgument for another suffix, IoError, OutOfMemory, Cancelled, and what the painting
// throws.
void writePage(const FigurePage& page, std::unique_ptr<PagePainting> painting, const QString& path,
               bool overwrite, JobContext& job);

// Without the control characters, halves of surrogates, U+FFFE and U+FFFF that names of fields,
// titles and command lines may hold: XML, and so SVG and the metadata of a PDF, have no way to
// write them.
QString printable(QString text);

}  // namespace armilla
