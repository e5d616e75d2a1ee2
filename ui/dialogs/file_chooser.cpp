// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_chooser.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <algorithm>

#include "armilla/operations/files.h"
#include "dialogs/file_dialog.h"

namespace armilla {
namespace {

// Output formats, with the usual suffix first.
struct Format {
    const char *name, *suffixes;
};
constexpr Format kFormats[] = {{QT_TRANSLATE_NOOP("FileChooser", "FITS files"), "fits fit"},
                               {QT_TRANSLATE_NOOP("FileChooser", "HealSparse maps"), "hsp hs"},
                               {QT_TRANSLATE_NOOP("FileChooser", "Text files"), "txt dat"},
                               {QT_TRANSLATE_NOOP("FileChooser", "CSV files"), "csv"},
                               {QT_TRANSLATE_NOOP("FileChooser", "ECSV files"), "ecsv"},
                               {QT_TRANSLATE_NOOP("FileChooser", "VOTable files"), "vot xml"},
                               {QT_TRANSLATE_NOOP("FileChooser", "Parquet files"), "parquet"},
                               {QT_TRANSLATE_NOOP("FileChooser", "DS9 regions"), "reg"}};

QStringList suffixesIn(const Format& format) {
    return QString::fromLatin1(format.suffixes).split(QLatin1Char(' '));
}

QString withoutSuffix(QString name) {
    if (name.endsWith(QStringLiteral(".gz"), Qt::CaseInsensitive)) name.chop(3);
    for (const Format& format : kFormats)
        for (const QString& known : suffixesIn(format))
            if (name.endsWith(QLatin1Char('.') + known, Qt::CaseInsensitive))
                return name.chopped(known.size() + 1);
    return name;
}

const QString kFolderKey = QStringLiteral("folder");
// The last used folders, latest first.
const QString kFoldersKey = QStringLiteral("folders");
constexpr int kMostFolders = 8;

void noteFolder(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath();
    QStringList folders = QSettings().value(kFoldersKey).toStringList();
    folders.removeAll(folder);
    folders.prepend(folder);
    QSettings().setValue(kFolderKey, folder);
    QSettings().setValue(kFoldersKey, folders.mid(0, kMostFolders));
}

QFileDialog* dialogFor(QWidget* parent, const QString& title, const QString& filter) {
    const QStringList folders = QSettings().value(kFoldersKey).toStringList();
    auto* dialog = new FileDialog(parent, title, QSettings().value(kFolderKey).toString());
    dialog->setRecentFolders(folders);
    dialog->setNameFilters(filter.split(QStringLiteral(";;"), Qt::SkipEmptyParts) +
                           QStringList{QFileDialog::tr("All files (*)")});
    QObject::connect(dialog, &QFileDialog::filesSelected, dialog,
                     [](const QStringList& paths) { noteFolder(paths.value(0)); });
    return dialog;
}

}  // namespace

void chooseFilesToOpen(QWidget* parent, const QString& title, const QString& filter,
                       std::function<void(const QStringList&)> chosen) {
    QFileDialog* dialog = dialogFor(parent, title, filter);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QFileDialog::filesSelected, parent, chosen);
    dialog->show();
}

void chooseFormatToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                         const QString& filter, const QString& suffix,
                         std::function<void(const QString& path, const QString& entry)> chosen) {
    QFileDialog* dialog = dialogFor(parent, title, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(suggestion);
    // The suffix follows the selected format: "FITS files (*.fits *.fit)" gives "fits".
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& kind) {
        static const QRegularExpression first(QStringLiteral("\\(\\*\\.([a-z.]+)"));
        const QString wanted = first.match(kind).captured(1);
        if (wanted.isEmpty()) return;
        dialog->setDefaultSuffix(wanted);
        const QString named = QFileInfo(dialog->selectedFiles().value(0)).fileName();
        const QString stem = withoutSuffix(named);
        if (!stem.isEmpty()) dialog->selectFile(stem + QLatin1Char('.') + wanted);
    });
    QObject::connect(dialog, &QFileDialog::filesSelected, parent,
                     [chosen, dialog](const QStringList& paths) {
                         if (!paths.isEmpty()) chosen(paths.front(), dialog->selectedNameFilter());
                     });
    dialog->show();
}

void chooseFileToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                       const QString& filter, const QString& suffix,
                       std::function<void(const QString&)> chosen) {
    chooseFormatToWrite(parent, title, suggestion, filter, suffix,
                        [chosen](const QString& path, const QString&) { chosen(path); });
}

QString writeFilter(DataKind kind, const QString& first) {
    const std::vector<std::string_view> written = suffixesOf(kind);
    QStringList entries;
    for (const Format& format : kFormats) {
        const QStringList suffixes = suffixesIn(format);
        const std::string usual = '.' + suffixes.front().toStdString();
        if (std::find(written.begin(), written.end(), usual) == written.end()) continue;
        const QString entry = QStringLiteral("%1 (*.%2)")
                                  .arg(QCoreApplication::translate("FileChooser", format.name),
                                       suffixes.join(QStringLiteral(" *.")));
        entries.insert(suffixes.front() == first ? 0 : entries.size(), entry);
        if (usual == ".fits")
            entries.insert(
                first == QLatin1String("fits.gz") ? 0 : entries.size(),
                QCoreApplication::translate("FileChooser", "Packed FITS files (*.fits.gz)"));
    }
    return entries.join(QStringLiteral(";;"));
}

}  // namespace armilla
