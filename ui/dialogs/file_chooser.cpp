// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_chooser.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QHeaderView>
#include <QRegularExpression>
#include <QSettings>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <utility>

#include "armilla/operations/files.h"
#include "armilla/ui/icons.h"

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

// Icons for Qt's own dialog, used where the desktop provides none.
class FileIcons : public QFileIconProvider {
public:
    QIcon icon(IconType type) const override {
        return lineIcon(type == File ? QStringLiteral("file") : QStringLiteral("open"));
    }
    QIcon icon(const QFileInfo& info) const override {
        return lineIcon(info.isDir() ? QStringLiteral("open") : QStringLiteral("file"));
    }
};

void giveIcons(QFileDialog& dialog) {
    static FileIcons icons;
    dialog.setIconProvider(&icons);
    const std::pair<const char*, const char*> buttons[] = {
        {"backButton", "chevron-left"},  {"forwardButton", "chevron-right"},
        {"toParentButton", "folder-up"}, {"newFolderButton", "folder-new"},
        {"listModeButton", "list"},      {"detailModeButton", "table"}};
    for (const auto& [name, icon] : buttons)
        if (auto* button = dialog.findChild<QToolButton*>(QString::fromLatin1(name)))
            button->setIcon(lineIcon(QString::fromLatin1(icon)));
}

// Sizes, kinds and dates are shown in full, names get the remaining width. Qt's default gives all
// columns the same width.
void giveColumns(QFileDialog& dialog) {
    auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
    if (files == nullptr) return;  // the desktop's own dialog
    QHeaderView* header = files->header();
    header->setStretchLastSection(false);
    header->setResizeContentsPrecision(0);  // only visible rows
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
}

QFileDialog* dialogFor(QWidget* parent, const QString& title, const QString& filter) {
    auto* dialog = new QFileDialog(parent, title, QSettings().value(kFolderKey).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    giveIcons(*dialog);
    giveColumns(*dialog);
    dialog->setNameFilters(filter.split(QStringLiteral(";;"), Qt::SkipEmptyParts) +
                           QStringList{QFileDialog::tr("All files (*)")});
    // open() would make the dialog window-modal; the window stays usable instead.
    dialog->setModal(false);
    QObject::connect(dialog, &QFileDialog::filesSelected, dialog, [](const QStringList& paths) {
        QSettings().setValue(kFolderKey, QFileInfo(paths.value(0)).absolutePath());
    });
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
            entries.append(
                QCoreApplication::translate("FileChooser", "Packed FITS files (*.fits.gz)"));
    }
    return entries.join(QStringLiteral(";;"));
}

}  // namespace armilla
