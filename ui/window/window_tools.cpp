// SPDX-License-Identifier: GPL-3.0-or-later
// Tools with more than parameter rows, connected to the sky.
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "tools/brush_tool.h"
#include "tools/candidate_list.h"
#include "tools/correlate_panel.h"
#include "tools/filter_panel.h"
#include "tools/grid_panel.h"
#include "tools/live_part.h"
#include "tools/mask_panel.h"
#include "tools/region_tool.h"
#include "tools/regions_panel.h"
#include "tools/sources_panel.h"
#include "tools/tool_table.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/rows_on_sky.h"
#include "window/window_panels.h"

namespace armilla {

QWidget* WindowPanels::buildTool(ToolPanel kind, OperationPanel* rows) {
    switch (kind) {
        case ToolPanel::Sources: return buildSources(rows);
        case ToolPanel::Regions: return buildRegions(rows);
        case ToolPanel::Mask: return buildMask(rows);
        case ToolPanel::Filter: {
            filter_ = rows;
            auto* panel = new FilterPanel(session_, rows);
            connect(panel, &FilterPanel::compareRequested, &comparisons_, &Comparisons::compare);
            return panel;
        }
        case ToolPanel::Grid: {
            auto* panel = new GridPanel(session_, rows);
            connect(panel, &GridPanel::previewChanged, &sky_.decorations(),
                    &SkyDecorations::setPreview);
            connect(panel, &GridPanel::discRequested, &sky_, &SkyViewWidget::showDisc);
            return panel;
        }
        case ToolPanel::Correlate: {
            auto* panel = new CorrelatePanel(session_, rows);
            connect(panel, &CorrelatePanel::exportRequested, &files_, &FileCommands::exportLayer);
            return panel;
        }
        case ToolPanel::None:
        case ToolPanel::Rows:
        case ToolPanel::Smooth:
        case ToolPanel::Spectrum: break;
    }
    return rows;
}

QWidget* WindowPanels::buildSources(OperationPanel* search) {
    search_ = search;
    SourceReview& review = session_.review();
    sources_ = new SourcesPanel(session_, search);
    auto* list = new CandidateList(session_.document(), review, data_);
    data_->setOwnTable(list);
    connect(&review, &SourceReview::layerChanged, data_,
            [this, &review] { data_->setOwnTableLayer(review.layer()); });
    connect(list, &CandidateList::rowChosen, &rows_, &RowsOnSky::showRow);
    connect(sources_, &SourcesPanel::rowChosen, &rows_, &RowsOnSky::showRow);
    connect(sources_, &SourcesPanel::gridRequested, list,
            [list] { list->setGridShown(!list->isGridShown()); });
    connect(sources_, &SourcesPanel::exportRequested, &files_, &FileCommands::exportSources);
    connect(sources_, &SourcesPanel::statusChanged, this, [this](const QString& text) {
        for (ToolDock* dock : docks_.all)
            if (dock->content() == sources_) dock->setStatus(text);
    });
    connect(sources_, &SourcesPanel::mocRequested, &files_, &FileCommands::exportSourcesMoc);
    connect(sources_, &SourcesPanel::messageRaised, this, &WindowPanels::showMessage);
    return sources_;
}

QWidget* WindowPanels::buildRegions(OperationPanel* statistics) {
    regions_ = new RegionsPanel(session_, statistics);
    RegionTool* tool = regions_->tool();
    const auto draw = [this, tool] {
        sky_.decorations().setLines(QStringLiteral("regions"), tool->lines());
    };
    connect(tool, &RegionTool::linesChanged, this, draw);
    connect(tool, &RegionTool::shapeChanged, this, [this, tool] {
        if (sky_.tool() == tool) sky_.setCursor(tool->shape());
    });
    connect(regions_, &RegionsPanel::activeChanged, this, [this, tool](bool active) {
        if (active)
            sky_.setTool(tool);
        else if (sky_.tool() == tool)
            sky_.setTool(nullptr);
    });
    connect(regions_, &RegionsPanel::placeChosen, &sky_, &SkyViewWidget::showPlace);
    connect(regions_, &RegionsPanel::messageRaised, this, &WindowPanels::showMessage);
    connect(regions_, &RegionsPanel::commandRequested, &files_, &FileCommands::offerCommand);
    connect(regions_, &RegionsPanel::statusChanged, this, [this](const QString& text) {
        for (ToolDock* dock : docks_.all)
            if (dock->content() == regions_) dock->setStatus(text);
    });
    connect(regions_, &RegionsPanel::importRequested, &files_, &FileCommands::importRegions);
    connect(regions_, &RegionsPanel::exportRequested, &files_, &FileCommands::exportRegions);
    return regions_;
}

QWidget* WindowPanels::buildMask(OperationPanel* mask) {
    mask_ = new MaskPanel(session_, mask);
    BrushTool* tool = mask_->tool();
    connect(tool, &BrushTool::linesChanged, this, [this, tool] {
        sky_.decorations().setLines(QStringLiteral("brush"),
                                    sky_.tool() == tool ? tool->lines() : std::vector<SkyLine>());
    });
    connect(mask_, &MaskPanel::activeChanged, this, [this, tool](bool active) {
        if (active || sky_.tool() == tool) {
            sky_.setTool(active ? tool : nullptr);
        }
        emit tool->linesChanged();
    });
    mask_->live()->setLookedAt([this] { return sky_.lookedAt(); });
    connect(mask_, &MaskPanel::veilChanged, &sky_.decorations(), &SkyDecorations::setVeil);
    connect(mask_, &MaskPanel::messageRaised, this, &WindowPanels::showMessage);
    return mask_;
}

}  // namespace armilla
