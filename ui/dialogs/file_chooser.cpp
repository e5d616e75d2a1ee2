// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_chooser.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>

namespace armilla {
namespace {

const QString kFolderKey = QStringLiteral("folder");

QFileDialog* dialogFor(QWidget* parent, const QString& title, const QString& filter) {
    auto* dialog = new QFileDialog(parent, title, QSettings().value(kFolderKey).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(filter.split(QStringLiteral(";;")) +
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

void chooseFileToWrite(QWidget* parent, const QString& title, const QString& suggestion,
                       const QString& filter, const QString& suffix,
                       std::function<void(const QString&)> chosen) {
    QFileDialog* dialog = dialogFor(parent, title, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(suggestion);
    // The name follows the kind that is chosen: "FITS files (*.fits *.fit)" is "fits".
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& kind) {
        static const QRegularExpression first(QStringLiteral("\\(\\*\\.([a-z.]+)"));
        const QString wanted = first.match(kind).captured(1);
        if (wanted.isEmpty()) return;
        dialog->setDefaultSuffix(wanted);
        const QString named = QFileInfo(dialog->selectedFiles().value(0)).fileName();
        QString stem = named;
        for (const QString& known :
             {QStringLiteral(".gz"), QStringLiteral(".fits"), QStringLiteral(".fit"),
              QStringLiteral(".csv"), QStringLiteral(".ecsv"), QStringLiteral(".vot")})
            if (stem.endsWith(known, Qt::CaseInsensitive)) stem.chop(known.size());
        if (!stem.isEmpty()) dialog->selectFile(stem + QLatin1Char('.') + wanted);
    });
    QObject::connect(dialog, &QFileDialog::filesSelected, parent,
                     [chosen](const QStringList& paths) {
                         if (!paths.isEmpty()) chosen(paths.front());
                     });
    dialog->show();
}

}  // namespace armilla
