// SPDX-License-Identifier: GPL-3.0-or-later
// One window's worth of work: a document, the jobs on it, and the user's commands. No widgets:
// every command can be driven from a test.
#pragma once

#include <QList>
#include <QObject>
#include <QPair>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/harmonics.h"
#include "ops/device.h"
#include "session/document.h"
#include "session/job_runner.h"
#include "session/live_region.h"
#include "session/live_stops.h"
#include "session/operation_run.h"

namespace armilla {

class Interop;
class MaskBrush;
class RegionBook;
class SourceReview;
class VerdictBook;
enum class Verdict;

// C_l of a map for the Spectrum dock.
struct SpectrumResult {
    Shown of;
    std::vector<double> cl;
    double skyShare = 1.0;  // of good pixels; cl is divided by it
    QString unit;           // of C_l
    bool preview = false;   // from the map averaged down; the full one follows
    QString recipe;         // what it was made from, a line
};

// What is written of a spectrum: C_l, or D_l = l (l + 1) C_l / (2 pi).
enum class SpectrumForm { Cl, Dl };

// How the autosave of the last time came to be left.
enum class LeftBehind { Crash, EndFromOutside, OpenResults };

// Who holds how much memory, in bytes.
struct MemoryLedger {
    struct Row {
        int layer = -1;
        QString name;
        int64_t values = 0;   // of the layer itself, on the host
        int64_t picture = 0;  // made ready to draw: pyramids, markers, a mesh; on the host
        int64_t device = 0;   // textures, as the window tells
    };
    std::vector<Row> rows;
    int64_t plans = 0;  // of live smoothing, on the host
    UndoMemory undo;
    int64_t host() const;
    int64_t device() const;
    // A line each, for people.
    QStringList lines() const;
};

// Where settings and autosaves lie. The default: XDG config and XDG state folders of the user.
struct SessionPaths {
    QString settingsFile, stateFolder;
    static SessionPaths ofUser();
};

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    explicit Session(const SessionPaths& paths, QObject* parent = nullptr);
    ~Session() override;

    Document& document();
    JobRunner& jobs();
    // Candidates gone through by eye, and what was decided about them.
    SourceReview& review();
    VerdictBook& verdicts();
    // Drawn by hand; and the brush that paints masks.
    RegionBook& regions();
    MaskBrush& maskBrush();
    // Other programs, by SAMP.
    Interop& interop();
    Device device() const;
    void setDevice(const Device& device);
    // The user's settings, for the window's own too; the group "session" is this class's.
    QSettings& settings();

    // Commands. Each returns at once; work runs as a job; failures arrive as messageRaised, and
    // nothing else changes.
    // Maps, catalogs, images and curves; also session files (.armilla).
    void openFiles(const QStringList& paths);
    // A file that another program has sent, under the name it gave: as openFiles, but for the list
    // of recent files. `done`: the layer, or -1 and a line that says why there is none.
    void openReceived(const QString& path, const QString& name,
                      std::function<void(int layer, const QString& failure)> done);
    void openSampleSky(int64_t nside = 512);
    // States the frame of a map or catalog that does not name its own (Unknown: no more), and of
    // the layers that it was made from and with or that were made of it; one step of the history.
    void stateFrame(int layer, Frame frame);
    // Live smoothing of what is shown: a coarse picture first, then refined, latest request wins.
    // On the CPU a close view shows the true result where it looks before that, if that is quick.
    // `profilePath`: the file that a beam or kernel was read from, for the recipe.
    void previewSmooth(const SmoothParameters& parameters, const QString& profilePath = {});
    // Makes ready what every preview of the map that is shown needs, so that the first one comes as
    // fast as the others.
    void prepareSmooth(const SmoothParameters& parameters);
    // The CUDA device whose memory the window draws from, if it does: pictures of live smoothing
    // are made there where that is also the session's device. The window tells, and later of each
    // picture of Document::livePicture that it has presented.
    void setPictureDevice(std::optional<int> device);
    void notePresented(const FrameStops& frame);
    // What the window looks at, asked when a preview begins; none for more than a part of the sky.
    void setLookedAt(std::function<std::optional<LookedAt>()> asked);
    const LiveRegion& liveRegion() const;
    // It cannot draw a live picture from where it lies: the way through the host goes on, and the
    // device is asked again after some seconds.
    void notePictureFailed(const QString& line);
    // Of the picture that livePresented told last.
    const LiveStops& liveStops() const;
    // Live filtering of a map for sources (a request of the operation `filter`), likewise: shown by
    // what is known of the sky from the filter before; once the hand rests, what Run makes. Keep,
    // stop and the signals are those of live smoothing, whose place it takes.
    void previewFilter(const OperationRequest& request);
    // Why there is none of a request; empty: there is one.
    QString liveFilterProblem(const OperationRequest& request) const;
    // The live layer, if any, is that of a filter.
    bool isFilterPreviewed() const;
    void stopPreview();
    bool isPreviewBusy() const;
    SmoothReport smoothReport() const;
    // Keeps the live map; at once if it is at full resolution, else when it has got there.
    void keepSmooth();
    // Spectrum of what is shown (or of the live result) outside the bad pixels of `maskEntry` too;
    // the first field of that map weighs the pixels, 0 to 1. lmax -1: 2 nside. From a map averaged
    // down first, then in full.
    void computeSpectrum(const Shown& shown, int lmax, int maskEntry = -1);
    // Adds the difference a - b as a map of its own and shows it. Made on the coarser of the two
    // resolutions, in the ordering and frame of a; the name tells.
    void showDifference(const Shown& a, const Shown& b);
    // Smooths what is shown in both ways of Masked and shows normalize - ignore as a map of its
    // own.
    void showMaskedDifference(const SmoothParameters& parameters);
    // Runs any operation on layers as a job; its results become layers, in one step. Returns the
    // job's id, -1 if it could not begin.
    int runOperation(const OperationRequest& request);
    // What was decided by eye: rows of a verdict (None: all that are decided) as a catalog file
    // with verdicts, classes and notes; those accepted as a layer of its own (its id, -1 if there
    // are none), and the mask of a disc of so many beams around each.
    void exportVerdicts(Verdict verdict, const QString& path, bool overwrite);
    int addAccepted();
    void maskAccepted(double beams);
    // The same discs as a coverage map (MOC) by suffix: .fits, .txt or .json.
    // The regions that are drawn, from and to files of DS9 (`asMoc`: a coverage map, by suffix).
    void importRegions(const QString& path);
    void exportRegions(const QString& path, bool asMoc, bool overwrite);
    void exportAcceptedMoc(double beams, const QString& path, bool overwrite);
    // The map that was searched, without the accepted ones: subtracted, or discs of so many beams
    // filled from around; a layer of its own.
    void removeAccepted(bool inpaint, double beams);
    // Exports; each carries its recipe.
    void exportLayer(int layer, const QString& path, bool overwrite);
    void exportView(const QString& path, int width, int height, bool overwrite);
    void exportFigure(const QString& path, int width, int height, double dpi, bool overwrite);
    // By the suffix, as the command writes spectra; D_l in all formats but FITS.
    void exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite,
                        SpectrumForm form = SpectrumForm::Cl);
    // The `armilla` command line that makes the same file; empty, with a message, if there is none.
    // Without `outputPath` a name after the map's is used.
    QString commandFor(int entry, const QString& outputPath = {});
    // That of an operation on files that are open; empty, with a message, if there is none.
    QString commandForOperation(const OperationRequest& request, const QString& outputPath);
    QString commandForView(const QString& outputPath, int width, int height);
    QString commandForFigure(const QString& outputPath, int width, int height, double dpi);

    // Session files and crash recovery.
    void saveSession(const QString& path);
    void loadSession(const QString& path);
    bool hasCrashedSession() const;  // an autosave left behind by a dead process
    LeftBehind leftBehind() const;   // why the latest one was left
    // Saves now and leaves the autosave behind when the Session is destroyed: for an end that the
    // user did not ask for, such as the desktop session's, or one with results that are nowhere
    // else.
    void keepForNextStart(LeftBehind why = LeftBehind::EndFromOutside);
    // Layers that were made here and neither exported nor saved with a session, and those that were
    // received into exchangeFolder() and not exported.
    std::vector<int> unsavedResults() const;
    // Where files for other programs and from them lie: beside the autosave, for the owner's eyes.
    // They go with the session, or stay with it for the next start. Throws IoError.
    QString exchangeFolder();
    // A layer whose file was not found, tried again; `path`: where the file is now, if it moved.
    void retryMissing(int id, const QString& path = {});
    // `deviceBytes`: what the window holds of a layer in textures.
    MemoryLedger memoryLedger(const std::map<int, int64_t>& deviceBytes = {}) const;
    void recoverCrashedSession();  // the latest one
    void discardCrashedSession();  // all of them
    QStringList recentFiles() const;

signals:
    void messageRaised(const QString& line, bool isError);
    // What an error said is over: the layer that was not restored is tried again, or closed.
    void messageWithdrawn(const QString& line);
    // A file was opened that holds more than was read: each as what is to be opened ("x.fits[2]")
    // and what it is.
    void moreFound(const QString& path, const QList<QPair<QString, QString>>& others);
    void spectrumReady(const armilla::SpectrumResult& result);
    // The layers that an operation has made.
    void operationFinished(const QString& operation, const std::vector<int>& layers);
    void smoothReportChanged();
    void previewBusyChanged(bool busy);
    // The live result is there where it is looked at, and being made elsewhere; or it is there
    // everywhere, or nowhere any more.
    void liveRegionChanged(const armilla::LiveRegion& region);
    // A live picture is on its way to the screen: a frame follows in some milliseconds, which may
    // carry what else the hand has changed.
    void livePictureAsked();
    // A live picture is on the screen, so long after it was asked for.
    void livePresented(double milliseconds);
    void recentFilesChanged();
    // Every map of a loaded session has come back or been given up.
    void sessionRestored();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
