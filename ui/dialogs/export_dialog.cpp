// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/export_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "dialogs/file_chooser.h"

namespace armilla {

ExportDialog::ExportDialog(QSize viewSize, QWidget* parent)
    : QDialog(parent), width_(new QSpinBox(this)), height_(new QSpinBox(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Export view as FITS"));
    constexpr int kLargest = 32768;
    for (QSpinBox* box : {width_, height_}) {
        box->setRange(16, kLargest);
        box->setSuffix(tr(" px"));
        box->setSingleStep(100);
    }
    width_->setValue(viewSize.width());
    height_->setValue(viewSize.height());
    width_->setAccessibleName(tr("Width in pixels"));
    height_->setAccessibleName(tr("Height in pixels"));
    width_->setToolTip(tr("Pixels of the image from west to east"));
    height_->setToolTip(tr("Pixels of the image from south to north"));
    auto* note = new QLabel(
        tr("The values of the map under each image pixel's center, in its unit, with the "
           "projection on screen as world coordinates."),
        this);
    note->setProperty("role", "muted");
    note->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    layout->addLayout(form);
    layout->addWidget(note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* copy = buttons->addButton(tr("Copy command"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the armilla command that makes the same file"));
    connect(copy, &QPushButton::clicked, this, [this] { emit commandRequested(chosen()); });
    auto* write = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    write->setToolTip(tr("Choose a file and write the image to it"));
    layout->addWidget(buttons);
    setMinimumWidth(340);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
}

QSize ExportDialog::chosen() const {
    return {width_->value(), height_->value()};
}

void ExportDialog::chooseFile() {
    chooseFileToWrite(this, windowTitle(), QStringLiteral("view.fits"), tr("FITS files (*.fits)"),
                      QStringLiteral("fits"), [this, size = chosen()](const QString& path) {
                          emit exportChosen(size, path);
                          close();
                      });
}

}  // namespace armilla
