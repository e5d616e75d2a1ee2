// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files as layers.
#pragma once

#include <QList>
#include <QObject>
#include <QPair>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/session/layer.h"
#include "armilla/session/stated_file.h"

namespace armilla {

class Document;
class JobFollowers;
class JobRunner;
class LayerPictures;
class Notices;
class ProjectKeeper;
struct LayerPicture;
struct LoadedLayer;

// Used in the window's thread. Commands return at once; a failure becomes a message and changes
// nothing else.
class FileOpener : public QObject {
    Q_OBJECT
public:
    // The references must outlive this object. `settings` holds the list of recent files.
    FileOpener(Document& document, JobRunner& runner, JobFollowers& followers,
               LayerPictures& pictures, ProjectKeeper& project, Notices& notices,
               QSettings& settings);

    // Opens maps, catalogs, images, curves and session files (.armilla).
    void openFiles(const QStringList& paths);
    // Opens a file with facts that it does not name: the answer to fileFactNeeded().
    void openStated(const QString& path, const StatedFile& facts);
    // Opens a file that another program has sent, under the given name. Unlike openFiles(), the
    // list of recent files does not change. `done` receives the layer, or an invalid id with the
    // reason in one line.
    void openReceived(const QString& path, const QString& name,
                      std::function<void(LayerId layer, const QString& failure)> done);
    // Adds a simulated map as a layer.
    void openSampleSky(int64_t nside = 512);
    // Bytes that an opened map and its picture may take; by default what is available. Larger
    // maps are shown by a sample first, then by means of all pixels (io/map_means.h).
    void setMemory(int64_t bytes) { memory_ = bytes; }
    // Recently opened files, the latest first.
    QStringList recentFiles() const;

signals:
    // A file was not opened because it does not name this fact.
    void fileFactNeeded(const armilla::FileQuestion& question);
    // An opened file holds more data than was read. Each of `others` is a path to open
    // ("x.fits[2]") and a description.
    void moreFound(const QString& path, const QList<QPair<QString, QString>>& others);

private:
    // Files opened together. Layers are added in order, regardless of which file is ready first;
    // failures are reported at once.
    struct Opening;
    struct File {
        QString path;
        QString name = {};  // empty: name of the file
        StatedFile facts = {};
        // Callback with the outcome of a received file.
        std::function<void(LayerId layer, const QString& failure)> done = {};
        bool ended = false;
        std::function<LayerId()> add = {};  // none if the job failed or was cancelled
        QString failure = {};
    };
    void openLayers(std::vector<File> files);
    void openLayer(const std::shared_ptr<Opening>& opening, size_t index);
    // Adds a layer that was read from a file.
    LayerId addOpened(const LayerValue& value, const QString& name, const Recipe& recipe,
                      const LayerPicture& picture, bool isReceived);
    // Replaces the sample of a large map by means, or of a long catalog by all rows, in a job.
    void averageLayer(LayerId layer, const QString& path, const StatedFile& facts);
    void takeWhole(LayerId layer, const QString& name, const LoadedLayer& loaded);
    void endFile(Opening& opening, size_t index, std::function<LayerId()> add);
    void failFile(Opening& opening, size_t index, const QString& line);
    void openLocated(File was, const QString& found);
    void noteRecent(const QString& path);

    Document& document_;
    JobRunner& runner_;
    JobFollowers& followers_;
    LayerPictures& pictures_;
    ProjectKeeper& project_;
    Notices& notices_;
    QSettings& settings_;
    std::optional<int64_t> memory_;
};

}  // namespace armilla
