// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that choose files to open or to write, and the command lines that write the same files.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "armilla/session/layer_id.h"

class QWidget;

namespace armilla {

class MessageBar;
class Session;
struct SpectrumResult;

// The dialogs block nothing. Used only in the window's thread.
class FileCommands : public QObject {
    Q_OBJECT
public:
    // All must outlive this object. `window` is the parent of the dialogs; the size of `sky` is the
    // suggested size of pictures.
    FileCommands(Session& session, QWidget& window, const QWidget& sky, MessageBar& messages);

    void chooseFiles();
    void chooseSession(bool save);
    // Asks the user for the new location of a layer's missing file.
    void findMissing(LayerId layer);
    void importRegions();

    void exportLayer(LayerId layer);
    void exportView();
    void composeFigure();
    void exportSpectrum(const std::optional<SpectrumResult>& result);
    void exportRegions(bool asMoc);
    // Candidates that the user accepted, or all with a verdict.
    void exportSources(bool accepted);
    void exportSourcesMoc(double beams);

    // Copies a command to the clipboard; empty: the session has shown why there is none.
    void offerCommand(const QString& command);
    void copyCommand(LayerId layer);
    // The header of the file that a layer was opened from, or comes from.
    void showHeader(LayerId layer);

private:
    Session& session_;
    QWidget& window_;
    const QWidget& sky_;
    MessageBar& messages_;
};

}  // namespace armilla
