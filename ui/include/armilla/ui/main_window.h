// SPDX-License-Identifier: GPL-3.0-or-later
// A main window: the sky, the surrounding tools, and one session.
#pragma once

#include <QMainWindow>
#include <memory>

#include "armilla/session/session.h"

class QLabel;
class QVBoxLayout;

namespace armilla {

class Comparisons;
class CredibleContours;
class CursorReadout;
class FileCommands;
class InteropMenu;
class MessageBar;
class PlaceSearch;
class RowsOnSky;
class SkyViewWidget;
class StartPage;
class WindowActions;
class WindowDialogs;
class WindowLayout;
class WindowPanels;
class WindowQuestions;
struct AppSettings;

// The window, with the sky view at its center and docks for panels and tools.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // The parts of the window.
    Session& session() { return *session_; }
    SkyViewWidget* skyView() const { return skyView_; }
    CredibleContours* contours() const { return contours_; }
    MessageBar* messages() const { return messages_; }
    CursorReadout* readout() const { return readout_; }
    InteropMenu* interopMenu() const { return interopMenu_; }
    // Panels and tools in their docks.
    WindowPanels& panels() { return *panels_; }
    // Places and sizes of the docks.
    WindowLayout& arrangement() { return *arrangement_; }
    // Commands that choose files, or copy what makes them.
    FileCommands& files() { return *files_; }
    Comparisons& comparisons() { return *comparisons_; }
    PlaceSearch& search() { return *search_; }
    WindowDialogs& dialogs() { return *dialogs_; }

    // Opens data and session files (FileOpener::openFiles).
    void openFiles(const QStringList& paths);
    // Offers, in a line above the sky, to recover the work of a process that died. Returns false if
    // there is none.
    bool offerRecovery();
    // Applies values of the settings dialog.
    void applySettings(const AppSettings& settings);
    // Closes all layers.
    void closeAll();
    // Zooms to the data of the shown map. Shows a message if its good pixels surround the whole
    // sphere.
    void zoomToData();
    // The next close asks no question, because the program ends from outside.
    void endWithoutQuestion() { mayClose_ = true; }
    // Memory use by owner, for the tool tip of the status bar.
    QString memoryTip() const;
    void copyReadout();
    // A tour of the window, over the sample sky if no layer is open.
    void showTour();
    // The start page, if no layer is open and no work runs.
    void showStart();
    // The search over commands, tools, parameters and help.
    void showPalette();
    // The keys of all commands.
    void showShortcuts();

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
    void buildCenter();
    void buildStartPage(QVBoxLayout* center);
    void buildStatusBar();
    void buildInterop();
    void connectParts();
    void showTitle();
    void showPath();
    void showStopping();

    std::unique_ptr<Session> session_;
    CursorReadout* readout_ = nullptr;
    CredibleContours* contours_ = nullptr;
    SkyViewWidget* skyView_ = nullptr;
    StartPage* start_ = nullptr;
    MessageBar* messages_ = nullptr;
    FileCommands* files_ = nullptr;
    Comparisons* comparisons_ = nullptr;
    PlaceSearch* search_ = nullptr;
    WindowDialogs* dialogs_ = nullptr;
    WindowQuestions* questions_ = nullptr;
    RowsOnSky* rows_ = nullptr;
    WindowPanels* panels_ = nullptr;
    InteropMenu* interopMenu_ = nullptr;
    QLabel* path_ = nullptr;
    WindowActions* actions_ = nullptr;
    WindowLayout* arrangement_ = nullptr;
    bool stopping_ = false;
    bool mayClose_ = false;  // the question before closing was asked
};

}  // namespace armilla
