// SPDX-License-Identifier: GPL-3.0-or-later
// Files and commands of the spectrum panel.
#include "armilla/core/error.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/files.h"
#include "session_state.h"

namespace armilla {

std::optional<CommandChain> Session::State::spectrumChain(const SpectrumResult& spectrum,
                                                          const QString& outputPath,
                                                          SpectrumForm form) const {
    if (!spectrum.request.operation || spectrum.preview || spectrum.of.quantity != Quantity::Field)
        return std::nullopt;
    CommandChain chain{outputPath, {}, {}};
    if (spectrum.madeMask) {
        if (!addStep(chain, *spectrum.madeMask, QString())) return std::nullopt;
        chain.made[LiveSpectrum::kMadeMask] = chain.steps.size() - 1;
    }
    if (!addStep(chain, spectrum.request, outputPath)) return std::nullopt;
    if (form == SpectrumForm::Dl && !spectrum.bands)
        chain.steps.back().line += QStringLiteral(" --dl");
    return chain;
}

QString Session::commandForSpectrum(const SpectrumResult& spectrum, const QString& outputPath,
                                    SpectrumForm form) {
    const auto chain = state_->spectrumChain(spectrum, outputPath, form);
    if (!chain)
        state_->notices.complain(
            tr("expected a finished spectrum of a field of a file, or of a result that commands "
               "make, found another one"));
    return chain ? chain->text() : QString();
}

void Session::exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite,
                             SpectrumForm form) {
    State& state = *state_;
    state.notices.guarded([&] {
        const bool areBands = spectrum.bands != nullptr;
        checkOutputName(path.toStdString(), overwrite,
                        areBands ? DataKind::Curve : DataKind::Spectra);
        if (form == SpectrumForm::Dl && !areBands) requireDlName(path.toStdString());
        if (!spectrum.spectra && !areBands)
            throw InvalidArgument("expected a spectrum to save, found none");
        const auto chain = state.spectrumChain(spectrum, path, form);
        FileWriteOptions options;
        options.overwrite = overwrite;
        options.asDl = form == SpectrumForm::Dl && !areBands;
        options.history =
            chain ? state.history(*chain, state.device)
                  : state.history(state.recipeChain(spectrum.of.entry).join(QStringLiteral("; ")) +
                                      QStringLiteral("; spectrum"),
                                  {});
        state.exportInJob(
            path, JobLane::Io,
            [spectra = spectrum.spectra, writer = spectrum.writer, path, options](JobContext& job) {
                if (spectra)
                    writeSpectra(*spectra, path.toStdString(), options, job);
                else
                    (*writer)(path.toStdString(), options, job);
            });
    });
}

}  // namespace armilla
