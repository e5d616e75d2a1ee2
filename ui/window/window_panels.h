// SPDX-License-Identifier: GPL-3.0-or-later
// The panels and tools of a window in their docks, connected to the session and the sky.
#pragma once

#include <QObject>
#include <vector>

#include "panels/tool_dock.h"
#include "window/window_layout.h"

class QMainWindow;

namespace armilla {

class ColorPanel;
class Comparisons;
class DataPanel;
class FileCommands;
class JobsPanel;
class LookPanel;
class MapsPanel;
class MaskPanel;
class MessageBar;
class OperationPanel;
class RegionsPanel;
class RowsOnSky;
class Session;
class SkyViewWidget;
class SmoothPanel;
class SourcesPanel;
class SpectrumPanel;
enum class ToolPanel;

// The parts of a window that its panels act on.
struct PanelSurroundings {
    Session& session;
    SkyViewWidget& sky;
    MessageBar& messages;
    FileCommands& files;
    Comparisons& comparisons;
    RowsOnSky& rows;
};

class WindowPanels : public QObject {
    Q_OBJECT
public:
    // Adds the rail of tools to the window. All must outlive this object, which belongs to the
    // window.
    WindowPanels(QMainWindow& window, const PanelSurroundings& around);

    MapsPanel* maps() const { return maps_; }
    SmoothPanel* smooth() const { return smooth_; }
    ColorPanel* color() const { return color_; }
    SpectrumPanel* spectrum() const { return spectrum_; }
    DataPanel* data() const { return data_; }
    SourcesPanel* sources() const { return sources_; }
    RegionsPanel* regions() const { return regions_; }
    MaskPanel* mask() const { return mask_; }
    // The rows of every operation with a tool.
    const std::vector<OperationPanel*>& operations() const { return operations_; }
    ToolRail* rail() const { return rail_; }
    const WindowDocks& docks() const { return docks_; }

private:
    void buildTools();
    void connectPanels();
    void connectData();
    ToolDock* addDock(const QString& title, const QString& name, QWidget* content,
                      ToolDock::Height height);
    void showMessage(const QString& line, bool isError);
    // The tool of an operation: its rows, with the operation's special parts.
    QWidget* buildTool(ToolPanel kind, OperationPanel* rows);
    // The Sources tool around the panel of the search; its candidate list replaces the plain table.
    QWidget* buildSources(OperationPanel* search);
    // The tools that draw on the sky, around the panels of region statistics and masks.
    QWidget* buildRegions(OperationPanel* statistics);
    QWidget* buildMask(OperationPanel* mask);

    QMainWindow& window_;
    Session& session_;
    SkyViewWidget& sky_;
    MessageBar& messages_;
    FileCommands& files_;
    Comparisons& comparisons_;
    RowsOnSky& rows_;
    MapsPanel* maps_ = nullptr;
    SmoothPanel* smooth_ = nullptr;
    LookPanel* look_ = nullptr;
    ColorPanel* color_ = nullptr;
    SpectrumPanel* spectrum_ = nullptr;
    DataPanel* data_ = nullptr;
    SourcesPanel* sources_ = nullptr;
    RegionsPanel* regions_ = nullptr;
    MaskPanel* mask_ = nullptr;
    JobsPanel* jobs_ = nullptr;
    std::vector<OperationPanel*> operations_;
    OperationPanel *filter_ = nullptr,
                   *search_ = nullptr;  // rows of these two tools
    ToolRail* rail_ = nullptr;
    WindowDocks docks_;
    bool dataHidden_ = false;  // by the user
};

}  // namespace armilla
