// SPDX-License-Identifier: GPL-3.0-or-later
// Size and format of an exported view: a figure, or a FITS image with world coordinates. Not modal.
#pragma once

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace armilla {

struct ViewExport {
    enum class Kind { Figure, FitsImage };
    Kind kind = Kind::Figure;
    QString suffix = QStringLiteral("png");  // png, pdf, svg, fits
    int width = 1600, height = 900;          // pixels
    double dpi = 100.0;                      // figures only
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // Opens with the size of the picture on screen.
    ExportDialog(ViewExport::Kind kind, QSize viewSize, QWidget* parent);
    ViewExport chosen() const;

signals:
    // The user has chosen a file; the replacement of an existing file is confirmed.
    void exportChosen(const armilla::ViewExport& what, const QString& path);
    void commandRequested(const armilla::ViewExport& what);

private:
    void describe();
    void chooseFile();
    QString title() const;
    QComboBox* format_;
    QSpinBox *width_, *height_;
    QDoubleSpinBox* dpi_;
    QLabel *dpiLabel_, *note_;
};

}  // namespace armilla
