// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/export_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "dialogs/file_chooser.h"

namespace armilla {

ExportDialog::ExportDialog(ViewExport::Kind kind, QSize viewSize, QWidget* parent)
    : QDialog(parent),
      format_(new QComboBox(this)),
      width_(new QSpinBox(this)),
      height_(new QSpinBox(this)),
      dpi_(new QDoubleSpinBox(this)),
      dpiLabel_(new QLabel(tr("&Resolution"), this)),
      note_(new QLabel(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    format_->addItem(tr("PNG picture"), QStringLiteral("png"));
    format_->addItem(tr("PDF, labels as vectors"), QStringLiteral("pdf"));
    format_->addItem(tr("SVG, labels as vectors"), QStringLiteral("svg"));
    format_->addItem(tr("FITS image with WCS"), QStringLiteral("fits"));
    format_->setCurrentIndex(kind == ViewExport::Kind::FitsImage ? 3 : 0);
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
    dpi_->setRange(30.0, 2400.0);
    dpi_->setDecimals(0);
    dpi_->setValue(150.0);
    dpi_->setSuffix(tr(" dpi"));
    dpiLabel_->setBuddy(dpi_);
    note_->setProperty("role", "muted");
    note_->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(dpiLabel_, dpi_);
    layout->addLayout(form);
    layout->addWidget(note_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* copy = buttons->addButton(tr("Copy command"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the armilla command that makes the same file"));
    connect(copy, &QPushButton::clicked, this, [this] { emit commandRequested(chosen()); });
    auto* write = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    layout->addWidget(buttons);
    setMinimumWidth(340);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::describe);
    connect(width_, &QSpinBox::valueChanged, this, &ExportDialog::describe);
    connect(height_, &QSpinBox::valueChanged, this, &ExportDialog::describe);
    connect(dpi_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::describe);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    describe();
}

ViewExport ExportDialog::chosen() const {
    ViewExport result;
    result.suffix = format_->currentData().toString();
    result.kind = result.suffix == QLatin1String("fits") ? ViewExport::Kind::FitsImage
                                                         : ViewExport::Kind::Figure;
    result.width = width_->value();
    result.height = height_->value();
    result.dpi = dpi_->value();
    return result;
}

void ExportDialog::describe() {
    const ViewExport what = chosen();
    const bool figure = what.kind == ViewExport::Kind::Figure;
    setWindowTitle(title());
    dpi_->setEnabled(figure);
    dpiLabel_->setEnabled(figure);
    constexpr double kMillimetersPerInch = 25.4;
    note_->setText(
        figure ? tr("Drawn anew at this size: %1 × %2 mm, with graticule, color bar and title.")
                     .arg(kMillimetersPerInch * what.width / what.dpi, 0, 'f', 0)
                     .arg(kMillimetersPerInch * what.height / what.dpi, 0, 'f', 0)
               : tr("The values of the map under each image pixel's center, in its unit, with the "
                    "projection on screen as world coordinates."));
}

QString ExportDialog::title() const {
    return chosen().kind == ViewExport::Kind::Figure ? tr("Export figure")
                                                     : tr("Export view as FITS");
}

void ExportDialog::chooseFile() {
    const ViewExport what = chosen();
    chooseFileToWrite(this, title(), QStringLiteral("view.") + what.suffix,
                      tr("%1 files (*.%2)").arg(what.suffix.toUpper(), what.suffix), what.suffix,
                      [this, what](const QString& path) {
                          emit exportChosen(what, path);
                          close();
                      });
}

}  // namespace armilla
