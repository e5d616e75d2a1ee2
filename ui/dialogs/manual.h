// SPDX-License-Identifier: GPL-3.0-or-later
// The manual that the program carries: the same pages that the build turns into HTML, and a page
// for each operation, made from its description.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace armilla {

// A place of the manual is a page with an optional section: "guide.md#open".
struct ManualSection {
    QString page;       // "guide.md"
    QString pageTitle;  // "Armilla: a guide"
    QString heading;    // plain text; that of the page for the text before its first section
    QString anchor;     // empty for the page itself
    QString text;       // the words of the section, for the search

    QString place() const { return anchor.isEmpty() ? page : page + QLatin1Char('#') + anchor; }
};

class Manual {
public:
    // Names of all pages, the contents ("index.md") first.
    static const QStringList& pages();
    // Whether the manual has this page and, if named, this section.
    static bool has(const QString& place);
    // The first heading of a page.
    static QString title(const QString& page);
    // The text of a page in Markdown, without what only the build understands: outputs and pictures
    // of examples, lists of contents. Empty for an unknown page.
    static QString markdown(const QString& page);
    // All sections of all pages in order. The page of an operation is one section.
    static const QList<ManualSection>& sections();
    // The anchor of a heading, as Sphinx and GitHub make it: "Go to a place" gives "go-to-a-place".
    static QString anchorOf(const QString& heading);
    // The section of messages.md that explains an error: it quotes the longest words of the line.
    // The page itself if no section does.
    static QString placeOfMessage(const QString& line);
    // The place that a link on `page` points to; empty for links out of the manual.
    static QString linked(const QString& page, const QString& link);
};

}  // namespace armilla
