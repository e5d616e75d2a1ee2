// SPDX-License-Identifier: GPL-3.0-or-later
// Composes a figure of the present view beside a live preview. Not modal.
#pragma once

#include <QDialog>
#include <QImage>
#include <vector>

#include "armilla/session/exporter.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QSpinBox;
class QUndoStack;

namespace armilla {

class Document;
class JobRunner;
class ToolSettings;

inline constexpr double kFigureColumn = 88.0;  // millimeters, of most journals

class FigureComposer : public QDialog {
    Q_OBJECT
public:
    // The references must outlive the dialog. `viewSize`: size of the sky view, for its shape.
    FigureComposer(Exporter& exporter, JobRunner& jobs, const Document& document, QSize viewSize,
                   QWidget* parent);
    // The figure of the present settings.
    FigureSetup setup() const;
    // The last finished preview; null before the first one.
    const QImage& picture() const { return picture_; }
    // The changes of settings by the person, as long as the dialog is open.
    QUndoStack* history() const { return undo_; }
    // Shows a message of the window, which the dialog may cover, below the preview.
    void showMessage(const QString& line);

signals:
    void commandCopied(const QString& command);

private:
    QWidget* buildForm();
    QWidget* buildPresets();
    void buildPage(QFormLayout* form);
    void buildLabels(QFormLayout* form);
    void buildSky(QFormLayout* form);
    void buildPanels(QFormLayout* form);
    void buildSettings();
    void followLayers();
    void offerLayers();
    std::vector<PanelSetup> checkedPanels() const;
    // The reason for a text that cannot be read; empty if all are read.
    QString unreadable() const;
    // Shows the reason if not.
    bool isReadable();
    // The text of the preset; empty, with the reason shown, if there is none.
    QString presentPreset();
    void usePreset(const FigureOptions& options);
    void loadPreset(const QString& name);
    void keepPreset();
    void exportPreset();
    void importPreset();
    void refreshPresets();
    void refresh();
    void showProgress();
    void showPicture();
    void showFittedHeight();
    void save();
    void resizeEvent(QResizeEvent* event) override;

    Exporter& exporter_;
    JobRunner& jobs_;
    const Document& document_;
    QUndoStack* undo_;
    ToolSettings* settings_ = nullptr;
    QImage picture_;
    bool isWaiting_ = false;  // a refresh is queued
    QLabel *preview_, *note_;
    QProgressBar* progress_;
    QComboBox *preset_, *size_, *bar_, *background_, *font_, *corner_, *graticule_, *markers_;
    QDoubleSpinBox *width_, *height_, *dpi_, *text_, *insetWidth_;
    QCheckBox *fits_, *crop_;
    QLineEdit *title_, *label_, *unit_, *ticks_, *inset_, *contours_, *legend_, *panelTitles_;
    QListWidget* panels_;
    QSpinBox* columns_;
    QString suggestedLegend_;
};

}  // namespace armilla
