// SPDX-License-Identifier: GPL-3.0-or-later
// Size of a view exported as a FITS image with world coordinates. Not modal.
#pragma once

#include <QDialog>

class QSpinBox;

namespace armilla {

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // Opens with the size of the picture on screen.
    ExportDialog(QSize viewSize, QWidget* parent);
    QSize chosen() const;  // pixels

signals:
    // The user has chosen a file; the replacement of an existing file is confirmed.
    void exportChosen(QSize size, const QString& path);
    void commandRequested(QSize size);

private:
    void chooseFile();
    QSpinBox *width_, *height_;
};

}  // namespace armilla
