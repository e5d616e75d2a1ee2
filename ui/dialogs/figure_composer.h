// SPDX-License-Identifier: GPL-3.0-or-later
// Composes a figure of the present view beside a live preview. Not modal.
#pragma once

#include <QDialog>
#include <QImage>

#include "armilla/session/exporter.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;

namespace armilla {

class Document;
class JobRunner;

class FigureComposer : public QDialog {
    Q_OBJECT
public:
    // The references must outlive the dialog. `viewSize`: size of the sky view, for its shape.
    FigureComposer(Exporter& exporter, JobRunner& jobs, const Document& document, QSize viewSize,
                   QWidget* parent);
    // The figure of the present settings.
    FigureWish wish() const;
    // The last finished preview; null before the first one.
    const QImage& picture() const { return picture_; }

signals:
    void commandCopied(const QString& command);
    void previewShown();

private:
    QWidget* buildForm();
    QWidget* buildPresets();
    // The reason for a text that cannot be read; empty if all are read.
    QString unreadable() const;
    // Shows the reason if not.
    bool isReadable();
    void usePreset(const FigureOptions& options);
    void loadPreset(const QString& name);
    void keepPreset();
    void exportPreset();
    void importPreset();
    void refreshPresets();
    void refresh();
    void showProgress();
    void showPicture();
    void save();
    void resizeEvent(QResizeEvent* event) override;

    Exporter& exporter_;
    JobRunner& jobs_;
    const Document& document_;
    QImage picture_;
    bool isWaiting_ = false;  // a refresh is queued
    QLabel *preview_, *note_;
    QProgressBar* progress_;
    QComboBox *preset_, *size_, *bar_, *background_, *font_, *corner_;
    QDoubleSpinBox *width_, *height_, *dpi_, *text_, *insetWidth_;
    QCheckBox *fits_, *crop_;
    QLineEdit *title_, *label_, *unit_, *ticks_, *inset_;
};

}  // namespace armilla
