// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/file_commands.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/header_cards.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/notices.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/session.h"
#include "armilla/session/verdicts.h"
#include "dialogs/export_dialog.h"
#include "dialogs/figure_composer.h"
#include "dialogs/file_chooser.h"
#include "dialogs/header_dialog.h"
#include "panels/message_bar.h"

namespace armilla {
namespace {

QString openFilter() {
    return FileCommands::tr(
        "Maps, catalogs, images, curves (*.fits *.fit *.fits.gz *.fits.fz *.hsp *.hs *.vot *.xml "
        "*.csv *.ecsv *.txt *.parquet *.h5 *.hdf5 *.skyh5 *.npy)");
}

}  // namespace

FileCommands::FileCommands(Session& session, QWidget& window, const QWidget& sky,
                           MessageBar& messages)
    : QObject(&window), session_(session), window_(window), sky_(sky), messages_(messages) {}

void FileCommands::chooseFiles() {
    chooseFilesToOpen(&window_, tr("Open"), openFilter(),
                      [this](const QStringList& paths) { session_.files().openFiles(paths); });
}

void FileCommands::chooseSession(bool save) {
    const QString filter = tr("Armilla sessions (*.armilla)");
    if (save)
        chooseFileToWrite(&window_, tr("Save session"), QStringLiteral("session.armilla"), filter,
                          QStringLiteral("armilla"),
                          [this](const QString& path) { session_.project().saveSession(path); });
    else
        chooseFilesToOpen(&window_, tr("Open session"), filter, [this](const QStringList& paths) {
            if (!paths.isEmpty()) session_.project().loadSession(paths.front());
        });
}

void FileCommands::showHeader(LayerId id) {
    // A computed layer has the header of its first input file.
    auto recipe = recipeOf(session_.document(), id);
    while (recipe && recipe->kind != RecipeKind::Open && !recipe->inputs().empty())
        recipe = recipeOf(session_.document(), recipe->inputs().front());
    if (!recipe || recipe->kind != RecipeKind::Open) {
        messages_.show(MessageTone::Note, tr("This layer does not come from a file."));
        return;
    }
    QString path = recipe->path;
    if (const qsizetype bracket = path.lastIndexOf(QLatin1Char('['));
        bracket > 0 && !QFileInfo::exists(path))
        path.truncate(bracket);
    const QString title = tr("Header of %1").arg(QFileInfo(path).fileName());
    session_.jobs().run<QString>(
        title, JobLane::Io, QStringLiteral("header"), this,
        [path](JobContext&) { return headerCards(path); },
        [this, title](const QString& cards) { (new HeaderDialog(title, cards, &window_))->show(); },
        [this](const QString& line) { messages_.show(MessageTone::Error, line); });
}

void FileCommands::findMissing(LayerId id) {
    chooseFilesToOpen(&window_, tr("Find the file"), openFilter(),
                      [this, id](const QStringList& paths) {
                          if (!paths.isEmpty()) session_.project().retryMissing(id, paths.front());
                      });
}

void FileCommands::exportLayer(LayerId id) {
    const Layer* layer = session_.document().entry(id);
    if (!layer) return;
    const LayerKindFacts& facts = factsOf(layer->kind());
    const QString suffix = QString::fromLatin1(facts.suffix);
    QString stem = fileStem(layer->name);
    // The suggested name differs from the input file, beside which the result is written.
    if (layer->recipe.kind == RecipeKind::Open) stem += QStringLiteral("_copy");
    chooseFileToWrite(&window_, tr("Export %1").arg(facts.noun()), stem + QLatin1Char('.') + suffix,
                      writeFilter(facts.data, suffix), suffix, [this, id](const QString& path) {
                          session_.exporter().exportLayer(id, path, true);
                      });
}

void FileCommands::exportView() {
    auto* dialog = new ExportDialog(sky_.size(), &window_);
    connect(dialog, &ExportDialog::exportChosen, this, [this](QSize size, const QString& path) {
        session_.exporter().exportView(path, size.width(), size.height(), true);
    });
    connect(dialog, &ExportDialog::commandRequested, this, [this](QSize size) {
        offerCommand(session_.exporter().commandForView(QStringLiteral("view.fits"), size.width(),
                                                        size.height()));
    });
    dialog->show();
}

void FileCommands::composeFigure() {
    if (auto* open = window_.findChild<FigureComposer*>(); open && open->isVisible()) {
        open->raise();
        return open->activateWindow();
    }
    auto* composer = new FigureComposer(session_.exporter(), session_.jobs(), session_.document(),
                                        sky_.size(), &window_);
    connect(composer, &FigureComposer::commandCopied, this, &FileCommands::offerCommand);
    connect(&session_.notices(), &Notices::messageRaised, composer, &FigureComposer::showMessage);
    composer->show();
}

void FileCommands::exportSpectrum(const std::optional<SpectrumResult>& result) {
    if (!result) {
        messages_.show(MessageTone::Note,
                       tr("There is no spectrum yet: it is computed while the Spectrum panel is "
                          "open."));
        return;
    }
    const QString asDl = tr("Text files of ℓ(ℓ+1)Cₗ/2π (*.txt *.dat)");
    chooseFormatToWrite(
        &window_, tr("Export spectrum"), QStringLiteral("cl.fits"),
        result->bands ? writeFilter(DataKind::Curve)
                      : writeFilter(DataKind::Spectra) + QStringLiteral(";;") + asDl,
        QStringLiteral("fits"),
        [this, spectrum = *result, asDl](const QString& path, const QString& entry) {
            session_.exporter().exportSpectrum(spectrum, path, true,
                                               entry == asDl ? SpectrumForm::Dl : SpectrumForm::Cl);
        });
}

void FileCommands::copyCommand(LayerId layer) {
    offerCommand(session_.exporter().commandFor(layer));
}

void FileCommands::offerCommand(const QString& command) {
    if (command.isEmpty()) return;  // the session has shown the reason
    QGuiApplication::clipboard()->setText(command);
    messages_.show(MessageTone::Note, tr("Copied: %1").arg(command));
}

void FileCommands::importRegions() {
    chooseFilesToOpen(&window_, tr("Read regions"), tr("DS9 regions (*.reg);;All files (*)"),
                      [this](const QStringList& paths) {
                          for (const QString& path : paths) session_.exporter().importRegions(path);
                      });
}

void FileCommands::exportRegions(bool asMoc) {
    chooseFileToWrite(&window_, asMoc ? tr("Write coverage") : tr("Write regions"),
                      asMoc ? QStringLiteral("regions-moc.fits") : QStringLiteral("regions.reg"),
                      asMoc ? tr("FITS files (*.fits);;ASCII MOC (*.txt);;JSON MOC (*.json)")
                            : tr("DS9 regions (*.reg)"),
                      asMoc ? QStringLiteral("fits") : QStringLiteral("reg"),
                      [this, asMoc](const QString& path) {
                          session_.exporter().exportRegions(path, asMoc, true);
                      });
}

void FileCommands::exportSources(bool accepted) {
    chooseFileToWrite(&window_, accepted ? tr("Export the accepted") : tr("Export the verdicts"),
                      accepted ? QStringLiteral("accepted.fits") : QStringLiteral("verdicts.fits"),
                      writeFilter(DataKind::Catalog), QStringLiteral("fits"),
                      [this, accepted](const QString& path) {
                          session_.exporter().exportVerdicts(
                              accepted ? Verdict::Accepted : Verdict::None, path, true);
                      });
}

void FileCommands::exportSourcesMoc(double beams) {
    const QString filters = tr("FITS files (*.fits);;ASCII MOC (*.txt);;JSON MOC (*.json)");
    chooseFileToWrite(&window_, tr("Export the coverage of the accepted"),
                      QStringLiteral("accepted-moc.fits"), filters, QStringLiteral("fits"),
                      [this, beams](const QString& path) {
                          session_.exporter().exportAcceptedMoc(beams, path, true);
                      });
}

}  // namespace armilla

#include "window/moc_file_commands.cpp"
