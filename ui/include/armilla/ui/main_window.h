// SPDX-License-Identifier: GPL-3.0-or-later
// A main window: the sky, the surrounding tools, and one session.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <map>
#include <memory>
#include <set>

#include "armilla/session/session.h"

class QLabel;
class QVBoxLayout;

namespace armilla {

class ColorPanel;
class CredibleContours;
class CursorReadout;
class DataPanel;
class InteropMenu;
class JobsPanel;
class LookPanel;
class MapsPanel;
class MaskPanel;
class MessageBar;
class NameSearch;
class OperationPanel;
class SkyViewWidget;
class SmoothPanel;
class RegionsPanel;
class SourcesPanel;
class SpectrumPanel;
class StartPage;
class ToolDock;
class ToolRail;
class WindowActions;
class WindowLayout;
struct AppSettings;
struct DataExtent;
struct NamedPlace;

// The window, with the sky view at its center and docks for panels and tools.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // The parts of the window, for the application and tests.
    Session& session() { return *session_; }
    CredibleContours* contours() const { return contours_; }
    SkyViewWidget* skyView() const { return skyView_; }
    SmoothPanel* smoothPanel() const { return smooth_; }
    ColorPanel* colorPanel() const { return color_; }
    MapsPanel* mapsPanel() const { return maps_; }
    MessageBar* messages() const { return messages_; }
    CursorReadout* readout() const { return readout_; }
    DataPanel* dataPanel() const { return data_; }
    ToolRail* rail() const { return rail_; }
    SourcesPanel* sourcesPanel() const { return sources_; }
    InteropMenu* interopMenu() const { return interopMenu_; }
    RegionsPanel* regionsPanel() const { return regions_; }
    MaskPanel* maskPanel() const { return mask_; }
    const std::vector<OperationPanel*>& operations() const { return operations_; }
    const std::vector<ToolDock*>& docks() const { return docks_; }
    // Places and sizes of the docks.
    WindowLayout& arrangement() { return *arrangement_; }

    // Opens data and session files (FileOpener::openFiles).
    void openFiles(const QStringList& paths);
    // Offers, in a line above the sky, to recover the work of a process that died. Returns false if
    // there is none.
    bool offerRecovery();
    // Applies values of the settings dialog.
    void applySettings(const AppSettings& settings);
    // Turns the view to a typed position. Returns false, with a message, if the text is invalid.
    bool goTo(const QString& text);
    // Shows the comparison of A and B. Chooses a B, or shows a message if there is none.
    void compare(Comparison comparison);
    // Adds A minus B as a new map, with the same choice of A and B.
    void showDifference();
    // Closes all layers.
    void closeAll();
    // Zooms to the data of the shown map. Shows a message if its good pixels surround the whole
    // sphere.
    void zoomToData();
    // The header of the file that a layer was opened from, or comes from.
    void showHeader(int layer);
    // Asks the user for the new location of a layer's missing file.
    void findMissing(int layer);
    // The next close asks no question, because the program ends from outside.
    void endWithoutQuestion() { mayClose_ = true; }
    // Memory use by owner, for the tool tip of the status bar.
    QString memoryTip() const;

    // Menu actions that open non-blocking dialogs.
    void chooseFiles();
    void chooseSession(bool save);
    void exportMap(int entry);
    void exportView();
    void composeFigure();
    void exportSpectrum();
    void copyCommand(int entry);
    void copyReadout();
    void showSettings();
    void showGuide();
    // The guide at the section of this heading.
    void showGuideAt(const QString& heading);
    // The manual at a page or a section, such as "formats.md" or "guide.md#open".
    void showManualAt(const QString& place);
    // A tour of the window, over the sample sky if no layer is open.
    void showTour();
    // The start page, if no layer is open and no work runs.
    void showStart();
    // The search over commands, tools, parameters and help.
    void showPalette();
    void showShortcuts();
    void showAbout();

signals:
    // The user requests another window.
    void newWindowRequested();
    // Values of the settings dialog; the application applies them to all windows.
    void settingsChanged(const armilla::AppSettings& settings);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    // A and B of a comparison. B is the first that exists of: the live result, the previous B, the
    // map opened last, the next field of this map. None if the only map has one field.
    struct Pair {
        Shown first;
        std::optional<Shown> second;
    };
    bool goToNamed(const NamedPlace& named);
    Pair pairToCompare() const;
    // Returns false, with a message, if there is no B.
    bool hasPair(const Pair& pair);
    void buildCenter();
    void buildStartPage(QVBoxLayout* center);
    void buildDocks();
    void buildStatusBar();
    void buildInterop();
    void drawChosen();
    void connectPanels();
    // The Sources tool around the panel of the search; its candidate list replaces the plain table.
    QWidget* buildSources(OperationPanel* search);
    // The tool of an operation: its rows, with the operation's special parts.
    QWidget* buildTool(OperationPanel* rows);
    // The tools that draw on the sky, around the operations stats and mask.
    QWidget* buildRegions(OperationPanel* statistics);
    QWidget* buildMask(OperationPanel* mask);
    void showRow(int layer, qint64 row);
    void centerOnRow(int layer, qint64 row);
    void exportSources(bool accepted);
    void exportSourcesMoc(double beams);
    // Lines from candidates to their partners, and positions without a candidate.
    void drawSources();
    // Zooms to a map that covers a part of the sky, when it is first shown while the view rests.
    void lookAtNewMap();
    void lookAtNewLayer();
    void lookAtNewPeak(int layer);
    void offerZoom(const Layer& layer, const DataExtent& extent, Frame frame);
    void showTitle();
    void showPath();
    void showStopping();
    // Asks before the window closes on running or unsaved work. Returns false if there is none.
    bool askToClose();
    // Offers buttons for the frame of a layer that names none.
    void askFrame(int layer);
    void askFile(const FileQuestion& question);
    void withdrawFrameQuestions();
    void offerCommand(const QString& command);  // to the clipboard
    void offerMore(const QString& path, const QList<QPair<QString, QString>>& others);

    // Shown questions about frames, by layer; outlives the session, whose signals reach it.
    std::map<int, QString> frameLines_;
    std::unique_ptr<Session> session_;
    CursorReadout* readout_ = nullptr;
    CredibleContours* contours_ = nullptr;
    SkyViewWidget* skyView_ = nullptr;
    StartPage* start_ = nullptr;
    MessageBar* messages_ = nullptr;
    MapsPanel* maps_ = nullptr;
    SmoothPanel* smooth_ = nullptr;
    LookPanel* look_ = nullptr;
    ColorPanel* color_ = nullptr;
    SpectrumPanel* spectrum_ = nullptr;
    DataPanel* data_ = nullptr;
    ToolRail* rail_ = nullptr;
    SourcesPanel* sources_ = nullptr;
    RegionsPanel* regions_ = nullptr;
    MaskPanel* mask_ = nullptr;
    std::vector<OperationPanel*> operations_;
    JobsPanel* jobs_ = nullptr;
    InteropMenu* interopMenu_ = nullptr;
    NameSearch* names_ = nullptr;
    std::vector<ToolDock*> docks_;
    ToolDock *mapsDock_ = nullptr, *historyDock_ = nullptr, *smoothDock_ = nullptr,
             *colorDock_ = nullptr, *spectrumDock_ = nullptr, *jobsDock_ = nullptr,
             *dataDock_ = nullptr;
    QLabel* path_ = nullptr;
    QString searchError_;
    WindowActions* actions_ = nullptr;
    QPointer<QWidget> settingsDialog_, guideDialog_, shortcutsDialog_, aboutDialog_;
    WindowLayout* arrangement_ = nullptr;
    bool stopping_ = false;
    int awaitsPeak_ = -1;      // a new probability map outside of home
    bool mayClose_ = false;    // the question before closing was asked
    bool dataHidden_ = false;  // by the user
    std::set<int> seen_;       // layers that have been shown
};

}  // namespace armilla
