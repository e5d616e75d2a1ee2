// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the tools that draw on the sky to the window.
#include "armilla/session/exporter.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/region_book.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "dialogs/file_chooser.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "tools/brush_tool.h"
#include "tools/live_part.h"
#include "tools/mask_panel.h"
#include "tools/region_tool.h"
#include "tools/regions_panel.h"

namespace armilla {

QWidget* MainWindow::buildRegions(OperationPanel* statistics) {
    regions_ = new RegionsPanel(*session_, statistics);
    RegionTool* tool = regions_->tool();
    const auto draw = [this, tool] {
        skyView_->setLines(QStringLiteral("regions"), tool->lines());
    };
    connect(tool, &RegionTool::linesChanged, this, draw);
    connect(tool, &RegionTool::shapeChanged, this, [this, tool] {
        if (skyView_->tool() == tool) skyView_->setCursor(tool->shape());
    });
    connect(regions_, &RegionsPanel::activeChanged, this, [this, tool](bool active) {
        if (active)
            skyView_->setTool(tool);
        else if (skyView_->tool() == tool)
            skyView_->setTool(nullptr);
    });
    connect(regions_, &RegionsPanel::placeChosen, skyView_, &SkyViewWidget::showPlace);
    connect(regions_, &RegionsPanel::messageRaised, this,
            [this](const QString& line, bool isError) {
                messages_->show(isError ? MessageTone::Error : MessageTone::Note, line);
            });
    connect(regions_, &RegionsPanel::commandRequested, this, &MainWindow::offerCommand);
    connect(regions_, &RegionsPanel::statusChanged, this, [this](const QString& text) {
        for (ToolDock* dock : docks_)
            if (dock->content() == regions_) dock->setStatus(text);
    });
    connect(regions_, &RegionsPanel::importRequested, this, [this] {
        chooseFilesToOpen(this, tr("Read regions"), tr("DS9 regions (*.reg);;All files (*)"),
                          [this](const QStringList& paths) {
                              for (const QString& path : paths)
                                  session_->exporter().importRegions(path);
                          });
    });
    connect(regions_, &RegionsPanel::exportRequested, this, [this](bool asMoc) {
        chooseFileToWrite(
            this, asMoc ? tr("Write coverage") : tr("Write regions"),
            asMoc ? QStringLiteral("regions-moc.fits") : QStringLiteral("regions.reg"),
            asMoc ? tr("FITS files (*.fits);;ASCII MOC (*.txt);;JSON MOC (*.json)")
                  : tr("DS9 regions (*.reg)"),
            asMoc ? QStringLiteral("fits") : QStringLiteral("reg"),
            [this, asMoc](const QString& path) {
                session_->exporter().exportRegions(path, asMoc, true);
            });
    });
    return regions_;
}

QWidget* MainWindow::buildMask(OperationPanel* mask) {
    mask_ = new MaskPanel(*session_, mask);
    BrushTool* tool = mask_->tool();
    connect(tool, &BrushTool::linesChanged, this, [this, tool] {
        skyView_->setLines(QStringLiteral("brush"),
                           skyView_->tool() == tool ? tool->lines() : std::vector<SkyLine>());
    });
    connect(mask_, &MaskPanel::activeChanged, this, [this, tool](bool active) {
        if (active || skyView_->tool() == tool) {
            skyView_->setTool(active ? tool : nullptr);
        }
        emit tool->linesChanged();
    });
    mask_->live()->setLookedAt([this] { return skyView_->lookedAt(); });
    connect(mask_, &MaskPanel::veilChanged, skyView_, &SkyViewWidget::setVeil);
    connect(mask_, &MaskPanel::messageRaised, this, [this](const QString& line, bool isError) {
        messages_->show(isError ? MessageTone::Error : MessageTone::Note, line);
    });
    return mask_;
}

}  // namespace armilla
