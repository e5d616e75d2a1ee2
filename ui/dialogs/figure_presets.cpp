// SPDX-License-Identifier: GPL-3.0-or-later
// Presets of the composer: kept by name in the settings, or in files for `armilla render --preset`.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/session/tool_settings.h"
#include "dialogs/figure_composer.h"
#include "dialogs/file_chooser.h"
#include "dialogs/number_box.h"

namespace armilla {

namespace {

const auto kPresets = QStringLiteral("figure/presets/");

void select(QComboBox* box, int value) {
    box->setCurrentIndex(std::max(0, box->findData(value)));
}

}  // namespace

QWidget* FigureComposer::buildPresets() {
    auto* row = new QWidget;
    auto* layout = new QGridLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    preset_ = new QComboBox;
    preset_->setObjectName(QStringLiteral("preset"));
    preset_->setEditable(true);
    preset_->setInsertPolicy(QComboBox::NoInsert);
    preset_->lineEdit()->setPlaceholderText(tr("Name of a preset"));
    // Otherwise a typed name of a preset loads it as soon as the box loses the focus, and *Keep*
    // would keep the loaded values.
    disconnect(preset_->lineEdit(), &QLineEdit::editingFinished, preset_, nullptr);
    preset_->setAccessibleName(tr("Preset"));
    preset_->setToolTip(tr("Size and look by name; type a name and keep the present ones"));
    auto* keep = new QPushButton(tr("Keep"));
    keep->setAutoDefault(false);
    keep->setToolTip(tr("Stores all settings of this dialog under the name above"));
    auto* more = new QPushButton(tr("Write…"));
    more->setAutoDefault(false);
    more->setToolTip(tr("Write the preset to a file for armilla render --preset"));
    auto* read = new QPushButton(tr("Read…"));
    read->setAutoDefault(false);
    read->setToolTip(tr("Takes the settings of a preset that was written to a file"));
    layout->addWidget(preset_, 0, 0, 1, 3);
    int column = 0;
    for (QPushButton* button : {keep, more, read}) layout->addWidget(button, 1, column++);
    connect(preset_, &QComboBox::activated, this, [this] { loadPreset(preset_->currentText()); });
    connect(keep, &QPushButton::clicked, this, &FigureComposer::keepPreset);
    connect(more, &QPushButton::clicked, this, &FigureComposer::exportPreset);
    connect(read, &QPushButton::clicked, this, &FigureComposer::importPreset);
    refreshPresets();
    return row;
}

void FigureComposer::usePreset(const FigureOptions& options) {
    {
        std::vector<QSignalBlocker> quiet;
        for (QObject* each : {static_cast<QObject*>(width_), static_cast<QObject*>(height_),
                              static_cast<QObject*>(dpi_), static_cast<QObject*>(text_)})
            quiet.emplace_back(each);
        width_->setValue(options.width.value_or(kFigureColumn));
        if (options.height) height_->setValue(*options.height);
        dpi_->setValue(options.dpi);
        text_->setValue(options.look.textPoints);
    }
    const int known = size_->findData(width_->value());
    size_->setCurrentIndex(known < 0 ? size_->count() - 1 : known);
    fits_->setChecked(!options.height);
    crop_->setChecked(options.look.cropped);
    select(bar_, static_cast<int>(options.look.bar));
    select(background_, static_cast<int>(options.look.background));
    const QString family = QString::fromStdString(options.look.family);
    if (font_->findData(family) < 0) font_->addItem(tr("%1 (not installed)").arg(family), family);
    font_->setCurrentIndex(font_->findData(family));
    int step = graticule_->findData(options.graticule);
    if (step < 0) {
        step = graticule_->count();
        graticule_->addItem(QString::fromStdString(formatAngle(options.graticule)),
                            options.graticule);
    }
    graticule_->setCurrentIndex(step);
    QStringList levels;
    for (const std::string& word : options.contours) levels << QString::fromStdString(word);
    contours_->setText(levels.join(QStringLiteral(", ")));
    legend_->setText(QString::fromStdString(options.legend));
    columns_->setValue(options.columns);
    refresh();
}

void FigureComposer::refreshPresets() {
    const QString name = preset_->currentText();
    QSettings stored;
    stored.beginGroup(kPresets.chopped(1));
    preset_->clear();
    preset_->addItems(stored.childKeys());
    preset_->setCurrentText(name);
}

void FigureComposer::loadPreset(const QString& name) {
    try {
        const FigureOptions options =
            presetFrom(QSettings().value(kPresets + name).toString().toStdString());
        settings_->act(tr("preset"), [&] { usePreset(options); });
    } catch (const Error& error) {
        note_->setText(QString::fromStdString(error.message()));
    }
}

// The preset of the figure as it is drawn, with the graticule of the view if that is shown.
QString FigureComposer::presentPreset() {
    if (!isReadable()) return {};
    try {
        return QString::fromStdString(presetText(exporter_.figureOptions(setup())));
    } catch (const Error& error) {
        note_->setText(QString::fromStdString(error.message()));
        return {};
    }
}

void FigureComposer::keepPreset() {
    QString name = preset_->currentText().trimmed();
    name.remove(QLatin1Char('/')).remove(QLatin1Char('\\'));  // separators of settings
    if (name.isEmpty()) return preset_->setFocus();
    const QString text = presentPreset();
    if (text.isEmpty()) return;
    QSettings().setValue(kPresets + name, text);
    refreshPresets();
    preset_->setCurrentText(name);
}

void FigureComposer::exportPreset() {
    const QString preset = presentPreset();
    if (preset.isEmpty()) return;
    chooseFileToWrite(
        this, tr("Write preset"), QStringLiteral("figure.json"), tr("Presets (*.json)"),
        QStringLiteral("json"), [this, preset](const QString& path) {
            QSaveFile file(path);
            const QByteArray text = preset.toUtf8() + '\n';
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
                !file.commit())
                note_->setText(tr("The preset is not written: %1").arg(file.errorString()));
        });
}

void FigureComposer::importPreset() {
    chooseFilesToOpen(
        this, tr("Read preset"), tr("Presets (*.json)"), [this](const QStringList& paths) {
            if (paths.isEmpty()) return;
            QFile file(paths.front());
            try {
                if (!file.open(QIODevice::ReadOnly))
                    throw IoError(file.errorString().toStdString());
                const FigureOptions options = presetFrom(file.readAll().toStdString());
                settings_->act(tr("preset"), [&] { usePreset(options); });
            } catch (const Error& error) {
                note_->setText(QString::fromStdString(error.message()));
            }
        });
}

}  // namespace armilla
