// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/manual.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>

#include "armilla/operations/operation.h"
#include "armilla/session/shown_text.h"

// Otherwise the linker drops the resources of a static library. The macro must stand outside of
// namespaces.
static void loadManual() {
    Q_INIT_RESOURCE(guide);
}

namespace armilla {
namespace {

const QString kFolder = QStringLiteral(":/help/");
const QString kContents = QStringLiteral("index.md");
const QString kMessages = QStringLiteral("messages.md");
const QString kCommands = QStringLiteral("commands/");

const Operation* operationOf(const QString& page) {
    if (!page.startsWith(kCommands) || !page.endsWith(QLatin1String(".md"))) return nullptr;
    return findOperation(page.mid(kCommands.size()).chopped(3).toStdString());
}

// A cell of a table in Markdown.
QString cell(QString text) {
    return text.replace(QLatin1Char('|'), QLatin1String("\\|"));
}

QString sentence(const QString& text) {
    return text.isEmpty() ? text : text.left(1).toUpper() + text.mid(1) + QLatin1Char('.');
}

// The page of an operation: its text, inputs, outputs and parameters.
QString operationPage(const Operation& operation) {
    const auto say = [](const char* text) { return QCoreApplication::translate("Manual", text); };
    QStringList lines{QStringLiteral("# armilla %1").arg(textOf(operation.id)),
                      {},
                      sentence(shownText(operation.help)),
                      {}};
    const QString manual = textOf(operation.manual);
    if (!manual.isEmpty()) lines << manual << QString();
    const auto table = [&](const QString& heading, const QList<std::pair<QString, QString>>& rows) {
        if (rows.isEmpty()) return;
        lines << QStringLiteral("## ") + heading << QString() << QStringLiteral("| | |")
              << QStringLiteral("|---|---|");
        for (const auto& [name, what] : rows)
            lines << QStringLiteral("| `%1` | %2 |").arg(cell(name), cell(sentence(what)));
        lines << QString();
    };
    const auto slotName = [](std::string_view name, bool isOption) {
        return (isOption ? QStringLiteral("--") : QString()) + textOf(name);
    };
    QList<std::pair<QString, QString>> files, parameters;
    for (const InputSlot& slot : operation.inputs)
        files.append({slotName(slot.name, slot.isOption), shownText(slot.help)});
    for (const OutputSlot& slot : operation.outputs)
        files.append({slotName(slot.name, slot.isOption), shownText(slot.help)});
    ParameterSet defaults = operation.defaults();
    for (const Parameter& row : defaults.rows())
        parameters.append({QStringLiteral("--") + textOf(row.name) + QLatin1Char(' ') +
                               QString::fromStdString(row.placeholder()),
                           QString::fromStdString(helpOf(row))});
    table(say("Inputs and outputs"), files);
    table(say("Parameters"), parameters);
    return lines.join(QLatin1Char('\n'));
}

QString contentOf(const QString& page) {
    loadManual();
    if (const Operation* operation = operationOf(page)) return operationPage(*operation);
    QFile file(kFolder + page);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Blocks of examples become plain code: their outputs and pictures exist only in the built pages.
QString withoutDirectives(const QString& text) {
    QStringList lines;
    bool isHidden = false, isBlock = false;
    static const QRegularExpression open(QStringLiteral("^```\\{([a-z]+)\\}"));
    const QStringList all = text.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QString& line = all[i];
        if (const auto match = open.match(line); match.hasMatch()) {
            const QString kind = match.captured(1);
            isBlock = true;
            isHidden = (kind != QLatin1String("armilla") && kind != QLatin1String("file")) ||
                       all.value(i + 1) == QLatin1String(":hide:");
            if (!isHidden) lines << QStringLiteral("```");
        } else if (isBlock && line == QLatin1String("```")) {
            if (!isHidden) lines << line;
            isBlock = isHidden = false;
        } else if (!isHidden && !(isBlock && line.startsWith(QLatin1Char(':')))) {
            lines << line;
        }
    }
    return lines.join(QLatin1Char('\n'));
}

// A heading as it is shown.
QString plainHeading(QString text) {
    static const QRegularExpression link(QStringLiteral("\\[([^]]*)\\]\\([^)]*\\)"));
    return text.replace(link, QStringLiteral("\\1"))
        .remove(QLatin1Char('`'))
        .remove(QLatin1Char('*'))
        .trimmed();
}

QString titleOf(const QString& text) {
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (line.startsWith(QLatin1String("# "))) return plainHeading(line.mid(2));
    return {};
}

void addSections(const QString& page, QList<ManualSection>& sections) {
    const QString title = Manual::title(page);
    ManualSection section{page, title, title, {}, {}};
    bool isCode = false;
    for (const QString& line : Manual::markdown(page).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```"))) isCode = !isCode;
        const bool isHeading = !isCode && (line.startsWith(QLatin1String("## ")) ||
                                           line.startsWith(QLatin1String("### ")));
        if (isHeading) {
            sections << section;
            const QString heading = plainHeading(line.mid(line.indexOf(QLatin1Char(' '))));
            section = {page, title, heading, Manual::anchorOf(heading), {}};
        } else {
            section.text += line + QLatin1Char(' ');
        }
    }
    sections << section;
}

}  // namespace

const QStringList& Manual::pages() {
    static const QStringList all = [] {
        loadManual();
        QStringList found;
        for (QDirIterator it(kFolder, {QStringLiteral("*.md")}, QDir::Files,
                             QDirIterator::Subdirectories);
             it.hasNext();)
            found << it.next().mid(kFolder.size());
        std::sort(found.begin(), found.end());
        found.removeAll(kContents);
        found.prepend(kContents);
        for (const Operation& operation : allOperations())
            found << kCommands + textOf(operation.id) + QLatin1String(".md");
        return found;
    }();
    return all;
}

bool Manual::has(const QString& place) {
    const QString page = place.section(QLatin1Char('#'), 0, 0);
    const QString anchor = place.section(QLatin1Char('#'), 1);
    if (!pages().contains(page)) return false;
    if (anchor.isEmpty()) return true;
    const auto& all = sections();
    return std::any_of(all.begin(), all.end(), [&](const ManualSection& section) {
        return section.page == page && section.anchor == anchor;
    });
}

QString Manual::title(const QString& page) {
    return titleOf(contentOf(page));
}

QString Manual::markdown(const QString& page) {
    // The program does not carry the developers' notes.
    static const QRegularExpression note(
        QStringLiteral("\\[([^\\]]+)\\]\\((?:\\.\\./)+notes/[^)]*\\)"));
    return withoutDirectives(contentOf(page)).replace(note, QStringLiteral("\\1"));
}

const QList<ManualSection>& Manual::sections() {
    static const QList<ManualSection> all = [] {
        QList<ManualSection> found;
        for (const QString& page : pages()) {
            if (!page.startsWith(kCommands)) {
                addSections(page, found);
                continue;
            }
            // The page is made from descriptions: once, not again for its title.
            const QString text = Manual::markdown(page);
            const QString title = titleOf(text);
            found.append({page, title, title, {}, text});
        }
        return found;
    }();
    return all;
}

QString Manual::anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_')) anchor += c;
        if (c == QLatin1Char(' ')) anchor += QLatin1Char('-');
    }
    return anchor;
}

QString Manual::placeOfMessage(const QString& line) {
    struct Known {
        QString words, place;
    };
    static const QList<Known> known = [] {
        QList<Known> found;
        static const QRegularExpression quoted(QStringLiteral("`([^`]+)`"));
        const QString mark = QStringLiteral("Seen as:");
        for (const ManualSection& section : sections()) {
            if (section.page != kMessages) continue;
            // The words end with their paragraph, which is an empty line, here two blanks.
            const qsizetype from = section.text.indexOf(mark);
            if (from < 0) continue;
            const qsizetype to = section.text.indexOf(QLatin1String("  "), from);
            for (auto it = quoted.globalMatch(section.text.mid(from, to - from)); it.hasNext();)
                found.append({it.next().captured(1), section.place()});
        }
        return found;
    }();
    const Known* best = nullptr;
    for (const Known& each : known)
        if (line.contains(each.words) && (!best || each.words.size() > best->words.size()))
            best = &each;
    return best ? best->place : kMessages;
}

QString Manual::linked(const QString& page, const QString& link) {
    if (link.startsWith(QLatin1Char('#'))) return page + link;
    const QString file = link.section(QLatin1Char('#'), 0, 0);
    const QString folder =
        page.contains(QLatin1Char('/')) ? page.section(QLatin1Char('/'), 0, -2) : QString();
    QString target = QDir::cleanPath(folder.isEmpty() ? file : folder + QLatin1Char('/') + file);
    if (target == kCommands + kContents) target = QStringLiteral("tools.md");
    if (!pages().contains(target)) return {};
    const QString anchor = link.section(QLatin1Char('#'), 1);
    return anchor.isEmpty() ? target : target + QLatin1Char('#') + anchor;
}

}  // namespace armilla
