// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/file_opener.h"

#include <QDir>
#include <QFileInfo>
#include <exception>
#include <memory>
#include <set>
#include <utility>

#include "armilla/session/document.h"
#include "armilla/session/failure.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/stand_in.h"
#include "file_marks.h"
#include "job_followers.h"
#include "layer_files.h"
#include "layer_pictures.h"
#include "map_work.h"

namespace armilla {

namespace {

constexpr int kMostRecentFiles = 12;
const QString kRecentKey = QStringLiteral("session/recentFiles");

}  // namespace

struct FileOpener::Opening {
    std::vector<File> files;
    size_t next = 0;      // index of the first layer not added yet
    LayerId first, last;  // maps
    QStringList failedNames, failures;
    File absent = {};  // the file of the last failure, if it does not exist; else without a path
};

FileOpener::FileOpener(Document& document, JobRunner& runner, JobFollowers& followers,
                       LayerPictures& pictures, ProjectKeeper& project, Notices& notices,
                       QSettings& settings)
    : document_(document),
      runner_(runner),
      followers_(followers),
      pictures_(pictures),
      project_(project),
      notices_(notices),
      settings_(settings) {
    // Also layers that undo has brought back: their means are kept in a file, which is read soon.
    // `averaged` holds the samples whose means or rows are being read, or could not be read.
    connect(&document_, &Document::entriesChanged, this,
            [this, averaged = std::make_shared<std::set<LayerId>>()] {
                const auto isSampled = [](const Layer& layer) {
                    return layer.recipe.kind == RecipeKind::Open && holdsSample(layer);
                };
                std::erase_if(*averaged, [&](LayerId id) {
                    const Layer* layer = document_.entry(id);
                    return !layer || !isSampled(*layer);
                });
                for (const Layer& layer : document_.entries())
                    if (isSampled(layer) && averaged->insert(layer.id).second)
                        averageLayer(layer.id, layer.recipe.path, layer.recipe.statedFile);
            });
}

void FileOpener::openFiles(const QStringList& paths) {
    std::vector<File> data;
    for (const QString& path : paths) {
        // An "[HDU]" suffix of the path stays.
        const QString absolute = QDir::cleanPath(QDir::current().absoluteFilePath(path));
        if (absolute.endsWith(QStringLiteral(".armilla"), Qt::CaseInsensitive))
            project_.loadSession(absolute);
        else
            data.push_back({absolute});
    }
    if (!data.empty()) openLayers(std::move(data));
}

void FileOpener::openStated(const QString& path, const StatedFile& facts) {
    openLayers({{path, {}, facts}});
}

void FileOpener::openReceived(const QString& path, const QString& name,
                              std::function<void(LayerId, const QString&)> done) {
    openLayers({{path, name, {}, std::move(done)}});
}

void FileOpener::openSampleSky(int64_t nside) {
    Recipe recipe;
    recipe.kind = RecipeKind::SampleSky;
    recipe.sampleNside = nside;
    runner_.run<LoadedLayer>(
        tr("Make the sample sky"), JobLane::Compute, {}, this,
        [recipe](JobContext& job) { return makeFromRecipe(recipe, {}, Device::cpu(), job); },
        [this, recipe](const LoadedLayer& made) {
            pictures_.addDrawn(made.value, tr("sample sky"), recipe, {});
        },
        [this](const QString& line) { notices_.complain(line); });
}

QStringList FileOpener::recentFiles() const {
    return settings_.value(kRecentKey).toStringList();
}

LayerId FileOpener::addOpened(const LayerValue& value, const QString& name, const Recipe& recipe,
                              const LayerPicture& picture, bool isReceived) {
    const LayerId id = pictures_.add(value, name, recipe, {}, picture);
    if (!isReceived) noteRecent(recipe.path);
    project_.markFile(id);
    return id;
}

void FileOpener::openLayers(std::vector<File> files) {
    auto opening = std::make_shared<Opening>();
    opening->files = std::move(files);
    for (size_t i = 0; i < opening->files.size(); ++i) openLayer(opening, i);
}

void FileOpener::openLayer(const std::shared_ptr<Opening>& opening, size_t index) {
    const File& file = opening->files[index];
    const QString path = file.path;
    const StatedFile facts = file.facts;
    const QString name = file.name.isEmpty() ? QFileInfo(path).fileName() : file.name;
    const bool isReceived = static_cast<bool>(file.done);
    const auto failed = [this, opening, index](const QString& line) {
        failFile(*opening, index, line);
    };
    const auto note = [this, opening, index](int job) {
        followers_.reportedElsewhere(job);
        followers_.onCancel(job, [this, opening, index] { endFile(*opening, index, {}); });
    };
    note(runner_.run<LoadedLayer>(
        tr("Open %1").arg(name), JobLane::Io, {}, this,
        [path, facts, memory = memory_](JobContext& job) {
            return loadOrAsk(path, job, facts, {memory, true});
        },
        [this, path, facts, name, opening, index, failed, note,
         isReceived](const LoadedLayer& loaded) {
            if (loaded.question) {
                opening->files[index].failure =
                    tr("expected a file that names all facts about its data, found one for which "
                       "the user must state them");
                emit fileFactNeeded(*loaded.question);
                return endFile(*opening, index, {});
            }
            if (!loaded.note.isEmpty()) notices_.say(loaded.note);
            if (!loaded.others.isEmpty()) emit moreFound(path, loaded.others);
            Recipe recipe;
            recipe.path = path;
            recipe.fields = loaded.fields;
            recipe.statedFile = facts;
            const bool isNamed = !opening->files[index].name.isEmpty() || loaded.name.isEmpty();
            const QString shown = isNamed ? name : loaded.name;
            note(pictures_.prepare(
                loaded.value, shown,
                [this, opening, index, value = loaded.value, name = shown, recipe,
                 isReceived](const LayerPicture& picture) {
                    endFile(*opening, index, [=, this] {
                        return addOpened(value, name, recipe, picture, isReceived);
                    });
                },
                failed));
        },
        failed));
}

void FileOpener::averageLayer(LayerId layer, const QString& path, const StatedFile& facts) {
    const Layer* sampled = document_.entry(layer);
    const QString name = QFileInfo(path).fileName();
    const auto complain = [this](const QString& line) { notices_.complain(line); };
    runner_.run<LoadedLayer>(
        sampled->map ? tr("Average %1").arg(name) : tr("Read all rows of %1").arg(name),
        JobLane::Io, {}, this,
        [path, facts, memory = memory_](JobContext& job) {
            return loadLayer(path, {}, job, Frame::Unknown, facts, {memory, false});
        },
        [this, layer, name](const LoadedLayer& loaded) { takeWhole(layer, name, loaded); },
        complain);
}

// A frame that the person has stated is set in a job, because that copies the rows; again if the
// person states another frame meanwhile. No sky without markers is shown between.
void FileOpener::takeWhole(LayerId layer, const QString& name, const LoadedLayer& loaded) {
    const Layer* now = document_.entry(layer);
    if (!now) return;
    const Frame stated = now->recipe.statedFrame;
    struct Drawn {
        LayerValue value;
        LayerPicture picture;
    };
    runner_.run<Drawn>(
        tr("Draw %1").arg(name), JobLane::Preview, {}, this,
        [read = loaded.value, stated, limit = pictures_.limit()](JobContext& job) {
            Drawn drawn{inStatedFrame(read, stated), {}};
            if (!drawn.value.map) drawn.picture = prepareLayer(drawn.value, limit, job);
            return drawn;
        },
        [this, layer, name, loaded, stated](const Drawn& drawn) {
            const Layer* old = document_.entry(layer);
            if (!old) return;
            const Recipe recipe = old->recipe;
            if (recipe.statedFrame != stated) return takeWhole(layer, name, loaded);
            // Rows of the sample have other numbers.
            if (document_.view().selection().layer == layer) document_.view().setSelection({});
            document_.setValue(layer, drawn.value, recipe);
            pictures_.give(layer, drawn.picture);
            if (!loaded.note.isEmpty()) notices_.say(loaded.note);
        },
        [this](const QString& line) { notices_.complain(line); });
}

void FileOpener::failFile(Opening& opening, size_t index, const QString& line) {
    opening.failedNames += QFileInfo(opening.files[index].path).fileName();
    opening.failures += line;
    const File& file = opening.files[index];
    opening.absent = {};
    if (!QFileInfo::exists(fileOf(file.path))) opening.absent = {file.path, file.name, file.facts};
    opening.files[index].failure = line;
    endFile(opening, index, {});
}

// The list keeps the order of the file names. The first map is shown at the end unless another map
// was chosen meanwhile.
void FileOpener::endFile(Opening& opening, size_t index, std::function<LayerId()> add) {
    opening.files[index].ended = true;
    opening.files[index].add = std::move(add);
    while (opening.next < opening.files.size() && opening.files[opening.next].ended) {
        File& file = opening.files[opening.next++];
        const auto ready = std::exchange(file.add, {});
        LayerId made;
        if (ready) try {
                made = ready();
            } catch (...) {
                file.failure = failureLine(std::current_exception()).value_or(QString());
                if (!file.failure.isEmpty()) notices_.complain(file.failure);
            }
        if (const Layer* layer = document_.entry(made); layer && layer->map) {
            opening.last = made;
            if (!opening.first.isValid()) opening.first = made;
        }
        if (const auto done = std::exchange(file.done, {}))
            done(made, made.isValid() || !file.failure.isEmpty()
                           ? file.failure
                           : tr("stopped before it was open"));
    }
    if (opening.next < opening.files.size()) return;
    if (document_.view().shown().entry == opening.last && document_.entry(opening.first))
        document_.view().setShown({opening.first, 0, Quantity::Field});
    if (opening.failures.size() == 1) {
        notices_.complain(opening.failures.front());
        if (!opening.absent.path.isEmpty())
            notices_.offer(
                opening.failures.front(), true,
                {{tr("Locate…"), Remedy::Asks::FileToOpen, tr("Find the file"),
                  opening.failedNames.front(), [this, was = opening.absent](const QString& found) {
                      openLocated(was, found);
                  }}});
    }
    if (opening.failures.size() > 1)
        notices_.complain(tr("%n file(s) could not be opened: %1", nullptr,
                             static_cast<int>(opening.failures.size()))
                              .arg(opening.failedNames.join(QStringLiteral(", "))) +
                          QLatin1Char('\n') + opening.failures.join(QLatin1Char('\n')));
}

// The HDU and the stated facts of the absent file are those of the one found.
void FileOpener::openLocated(File was, const QString& found) {
    if (found.endsWith(QStringLiteral(".armilla"), Qt::CaseInsensitive)) return openFiles({found});
    const QString hdu = was.path.mid(fileOf(was.path).size());
    was.path = fileOf(found) == found ? found + hdu : found;
    openLayers({std::move(was)});
}

void FileOpener::noteRecent(const QString& path) {
    QStringList recent = settings_.value(kRecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings_.setValue(kRecentKey, recent.mid(0, kMostRecentFiles));
}

}  // namespace armilla

#include "armilla/session/moc_file_opener.cpp"
