// SPDX-License-Identifier: GPL-3.0-or-later
// Search over everything that the window can do (Ctrl+K): commands, tools, parameters of tools,
// recent files and pages of the manual.
#pragma once

#include <QAction>
#include <QFrame>
#include <QIcon>
#include <QList>
#include <QPointer>
#include <functional>

class QLineEdit;
class QTreeWidget;

namespace armilla {

// One thing to find.
struct PaletteEntry {
    QString text;      // "Smooth"
    QString place;     // "Analysis", where it is found without the palette
    QString keys;      // its shortcut
    QString synonyms;  // further words that find it
    QString body;      // a longer text, such as a section of the manual; found last
    QIcon icon;
    QPointer<QAction> action = nullptr;  // its state decides whether the entry is available
    std::function<void()> act;           // empty: search the query on the sky

    bool isEnabled() const { return !action || action->isEnabled(); }
};

// Entries that contain every word of `query`, best first: those whose text begins with the query,
// then those with a word of the text that begins so, then those with the query inside the text,
// then those found by place or synonyms, then those whose body contains the query. An empty query
// keeps all in order.
QList<PaletteEntry> paletteMatches(const QList<PaletteEntry>& entries, const QString& query);

// A line to type in and the matches below, over the top of `window`. Deletes itself when it closes.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // `elsewhere` takes a query that the user wants searched on the sky.
    CommandPalette(QList<PaletteEntry> entries, std::function<void(const QString&)> elsewhere,
                   QWidget* window);

    QLineEdit* line() const { return line_; }
    QTreeWidget* list() const { return list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void act();

    QList<PaletteEntry> entries_, found_;
    std::function<void(const QString&)> elsewhere_;
    QLineEdit* line_;
    QTreeWidget* list_;
};

}  // namespace armilla
