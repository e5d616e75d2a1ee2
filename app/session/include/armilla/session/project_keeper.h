// SPDX-License-Identifier: GPL-3.0-or-later
// Session files, the layers that they restore, and the autosave.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "armilla/ops/device.h"
#include "armilla/session/document.h"

namespace armilla {

class Autosave;
class JobFollowers;
class JobRunner;
class LiveSpectrum;
class Notices;
class RegionBook;
class SourceReview;
class VerdictBook;
struct ReadSession;

// Reason why the previous process left an autosave.
enum class LeftBehind { Crash, EndFromOutside, OpenResults };

// Used in the window's thread. Autosaves every change of the document while this object
// exists. Commands return at once; a failure becomes a message and changes nothing else.
class ProjectKeeper : public QObject {
    Q_OBJECT
public:
    // The references must outlive this object. `device` returns the device that computes. Autosaves
    // and the last session lie in `stateFolder`.
    ProjectKeeper(Document& document, JobRunner& runner, JobFollowers& followers, Notices& notices,
                  RegionBook& regions, VerdictBook& verdicts, SourceReview& review,
                  LiveSpectrum& spectrum, std::function<Device()> device,
                  const QString& stateFolder);
    ~ProjectKeeper() override;

    void saveSession(const QString& path);
    // Replaces the document by a session file.
    void loadSession(const QString& path);
    // Retries a layer whose file was not found; `path`: the new location if the file has moved.
    void retryMissing(LayerId layer, const QString& path = {});
    // Computes the mark of an opened layer's file in a job, and compares it with the previous mark.
    void markFile(LayerId layer);

    // Computed layers that were neither exported nor saved with a session, and layers received into
    // exchangeFolder() that were not exported.
    std::vector<LayerId> unsavedResults() const;
    void noteExported(LayerId layer);
    // Folder of files exchanged with other programs, beside the autosave and private to the user.
    // The folder is removed with the session, or kept with the autosave. Throws IoError.
    QString exchangeFolder();

    // Saves the session at the end of the program. reopenLastSession() restores it at any later
    // time. A session with sample skies only does not replace the last one.
    void saveAsLast();
    bool hasLastSession() const;
    void reopenLastSession();

    bool hasCrashedSession() const;  // a dead process left an autosave
    LeftBehind leftBehind() const;   // reason of the latest autosave
    void recoverCrashedSession();    // recovers the latest one
    void discardCrashedSession();    // deletes all of them
    // Saves now and keeps the autosave when this object is destroyed. For an end that the user did
    // not request, such as that of the desktop session, or an end with unsaved results.
    void keepForNextStart(LeftBehind why = LeftBehind::EndFromOutside);

signals:
    // A session was read, and its layers replace those of the document.
    void documentReplaced();

private:
    // Returns the content of the present session; none if there is nothing to save.
    std::function<QByteArray()> writer(const QString& folder) const;
    QString lastSessionPath() const;
    // Returns false, with a message and no change, for an unreadable document.
    bool restoreFrom(ReadSession read, const QString& name, const QString& folder);
    void advanceRestore();
    void locateFiles();
    // `layers`: results of one run of an operation, or one layer.
    void startRestoring(const std::vector<AwaitedLayer>& layers, std::vector<LayerValue> inputs);
    // Adds a button to the message about a layer whose file is absent.
    void offerFile(const AwaitedLayer& layer, const QString& line);
    void takeRestored(const AwaitedLayer& layer, const LayerValue& value);
    LayerValue valueOf(LayerId id) const;
    // True if the layer's file was received from another program and lies beside the autosave.
    bool goesWithSession(const Layer& layer) const;

    Document& document_;
    JobRunner& runner_;
    JobFollowers& followers_;
    Notices& notices_;
    RegionBook& regions_;
    VerdictBook& verdicts_;
    SourceReview& review_;
    LiveSpectrum& spectrum_;
    std::function<Device()> device_;
    std::unique_ptr<Autosave> autosave_;
    std::set<LayerId> saved_;  // ids of layers that were saved or exported

    // A session that is being restored.
    QString sessionFolder_;  // folder of the session file that was read
    std::map<LayerId, LayerValue> hidden_;
    std::set<LayerId> restoring_;
    std::vector<int> restoreJobs_;
    bool isRestoring_ = false;
};

}  // namespace armilla
