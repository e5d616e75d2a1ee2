// SPDX-License-Identifier: GPL-3.0-or-later
// Menu commands of the main window: files, exports, copies, dialogs.
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include "armilla/session/exporter.h"
#include "armilla/session/header_cards.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/project_keeper.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/export_dialog.h"
#include "dialogs/figure_composer.h"
#include "dialogs/file_chooser.h"
#include "dialogs/header_dialog.h"
#include "dialogs/help_dialogs.h"
#include "dialogs/settings_dialog.h"
#include "panels/message_bar.h"
#include "panels/spectrum_panel.h"
#include "window/window_actions.h"

namespace armilla {
namespace {

QString openFilter() {
    return MainWindow::tr(
        "Maps, catalogs, images, curves (*.fits *.fit *.fits.gz *.fits.fz *.hsp *.hs *.vot *.xml "
        "*.csv *.ecsv *.txt *.parquet *.h5 *.hdf5 *.skyh5 *.npy)");
}

}  // namespace

void MainWindow::chooseFiles() {
    chooseFilesToOpen(this, tr("Open"), openFilter(),
                      [this](const QStringList& paths) { openFiles(paths); });
}

void MainWindow::chooseSession(bool save) {
    const QString filter = tr("Armilla sessions (*.armilla)");
    if (save)
        chooseFileToWrite(this, tr("Save session"), QStringLiteral("session.armilla"), filter,
                          QStringLiteral("armilla"),
                          [this](const QString& path) { session_->project().saveSession(path); });
    else
        chooseFilesToOpen(this, tr("Open session"), filter, [this](const QStringList& paths) {
            if (!paths.isEmpty()) session_->project().loadSession(paths.front());
        });
}

void MainWindow::closeAll() {
    session_->preview().stopPreview();
    session_->document().removeAll();
}

void MainWindow::zoomToData() {
    if (!skyView_->zoomToData())
        messages_->show(MessageTone::Note,
                        tr("The good pixels of this map are all around the sky."));
}

void MainWindow::showHeader(int id) {
    // A computed layer has the header of its first input file.
    auto recipe = session_->document().recipeOf(id);
    while (recipe && recipe->kind != RecipeKind::Open && !recipe->inputs().empty())
        recipe = session_->document().recipeOf(recipe->inputs().front());
    if (!recipe || recipe->kind != RecipeKind::Open) {
        messages_->show(MessageTone::Note, tr("This layer does not come from a file."));
        return;
    }
    QString path = recipe->path;
    if (const qsizetype bracket = path.lastIndexOf(QLatin1Char('['));
        bracket > 0 && !QFileInfo::exists(path))
        path.truncate(bracket);
    const QString title = tr("Header of %1").arg(QFileInfo(path).fileName());
    session_->jobs().run<QString>(
        title, JobLane::Io, QStringLiteral("header"), this,
        [path](JobContext&) { return headerCards(path); },
        [this, title](const QString& cards) { (new HeaderDialog(title, cards, this))->show(); },
        [this](const QString& line) { messages_->show(MessageTone::Error, line); });
}

void MainWindow::findMissing(int id) {
    chooseFilesToOpen(this, tr("Find the file"), openFilter(),
                      [this, id](const QStringList& paths) {
                          if (!paths.isEmpty()) session_->project().retryMissing(id, paths.front());
                      });
}

void MainWindow::exportMap(int id) {
    const Layer* layer = session_->document().entry(id);
    if (!layer) return;
    const LayerKindFacts& facts = factsOf(layer->kind());
    const QString suffix = QString::fromLatin1(facts.suffix);
    QString stem = fileStem(layer->name);
    // The suggested name differs from the input file, beside which the result is written.
    if (layer->recipe.kind == RecipeKind::Open) stem += QStringLiteral("_copy");
    chooseFileToWrite(this, tr("Export %1").arg(facts.noun()), stem + QLatin1Char('.') + suffix,
                      writeFilter(facts.data, suffix), suffix, [this, id](const QString& path) {
                          session_->exporter().exportLayer(id, path, true);
                      });
}

void MainWindow::exportView() {
    auto* dialog = new ExportDialog(skyView_->size(), this);
    connect(dialog, &ExportDialog::exportChosen, this, [this](QSize size, const QString& path) {
        session_->exporter().exportView(path, size.width(), size.height(), true);
    });
    connect(dialog, &ExportDialog::commandRequested, this, [this](QSize size) {
        offerCommand(session_->exporter().commandForView(QStringLiteral("view.fits"), size.width(),
                                                         size.height()));
    });
    dialog->show();
}

void MainWindow::composeFigure() {
    if (auto* open = findChild<FigureComposer*>(); open && open->isVisible()) {
        open->raise();
        return open->activateWindow();
    }
    auto* composer = new FigureComposer(session_->exporter(), session_->jobs(),
                                        session_->document(), skyView_->size(), this);
    connect(composer, &FigureComposer::commandCopied, this, &MainWindow::offerCommand);
    composer->show();
}

void MainWindow::exportSpectrum() {
    const auto& result = spectrum_->result();
    if (!result) {
        messages_->show(MessageTone::Note,
                        tr("There is no spectrum yet: it is computed while the Spectrum panel is "
                           "open."));
        return;
    }
    const QString asDl = tr("Text files of ℓ(ℓ+1)Cₗ/2π (*.txt *.dat)");
    chooseFormatToWrite(
        this, tr("Export spectrum"), QStringLiteral("cl.fits"),
        result->bands ? writeFilter(DataKind::Curve)
                      : writeFilter(DataKind::Spectra) + QStringLiteral(";;") + asDl,
        QStringLiteral("fits"),
        [this, spectrum = *result, asDl](const QString& path, const QString& entry) {
            session_->exporter().exportSpectrum(
                spectrum, path, true, entry == asDl ? SpectrumForm::Dl : SpectrumForm::Cl);
        });
}

void MainWindow::copyCommand(int entry) {
    offerCommand(session_->exporter().commandFor(entry));
}

void MainWindow::offerCommand(const QString& command) {
    if (command.isEmpty()) return;  // the session has shown the reason
    QGuiApplication::clipboard()->setText(command);
    messages_->show(MessageTone::Note, tr("Copied: %1").arg(command));
}

void MainWindow::copyReadout() {
    if (!readout_->readout()) {
        messages_->show(MessageTone::Note, tr("Point at the sky first: then this copies position, "
                                              "value and pixel."));
        return;
    }
    const Readout& read = *readout_->readout();
    QStringList parts{read.valueText + QLatin1Char(' ') + read.unit};
    if (read.isIau) parts.front() += tr(" (IAU)");
    if (!read.turnedText.isEmpty())
        parts << QStringLiteral("%1 %2 %3").arg(read.turnedLabel(), read.turnedText, read.unit);
    if (read.frameKnown)
        parts << read.galacticText << read.equatorialText << read.eclipticText;
    else
        parts << read.ownText;
    if (read.ring >= 0) parts << tr("RING %1").arg(read.ring);
    if (read.nested >= 0) parts << tr("NESTED %1").arg(read.nested);
    QGuiApplication::clipboard()->setText(parts.join(QStringLiteral("; ")));
    messages_->show(MessageTone::Note, tr("Copied: %1").arg(parts.join(QStringLiteral("; "))));
}

void MainWindow::showSettings() {
    if (!settingsDialog_) {
        auto* dialog = new SettingsDialog(AppSettings::load(), this);
        connect(dialog, &SettingsDialog::settingsChanged, this,
                [this](const AppSettings& settings) {
                    settings.save();
                    emit settingsChanged(settings);
                });
        settingsDialog_ = dialog;
    }
    settingsDialog_->show();
    settingsDialog_->raise();
}

void MainWindow::showGuide() {
    if (!guideDialog_) guideDialog_ = new GuideDialog(this);
    guideDialog_->show();
    guideDialog_->raise();
}

void MainWindow::showShortcuts() {
    if (!shortcutsDialog_) shortcutsDialog_ = new ShortcutsDialog(actions_->all(), this);
    shortcutsDialog_->show();
    shortcutsDialog_->raise();
}

void MainWindow::showAbout() {
    if (!aboutDialog_) aboutDialog_ = new AboutDialog(this);
    aboutDialog_->show();
    aboutDialog_->raise();
}

}  // namespace armilla
