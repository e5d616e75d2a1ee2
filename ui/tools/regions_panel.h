// SPDX-License-Identifier: GPL-3.0-or-later
// The Regions tool: drawing, statistics of the map inside, and export.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/ops/region_statistics.h"
#include "armilla/session/operation_run.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace armilla {

class CurvePlot;
class OperationPanel;
class RegionBook;
class RegionMeasures;
class RegionModel;
class RegionTool;
class Session;

class RegionsPanel : public QWidget {
    Q_OBJECT
public:
    // `statistics` is the panel of the operation `stats`, which becomes part of this panel.
    RegionsPanel(Session& session, OperationPanel* statistics, QWidget* parent = nullptr);
    ~RegionsPanel() override;

    RegionTool* tool() const { return tool_; }
    // The displayed statistics of the current region in the shown map; for tests.
    const PartStatistics& figures() const { return figures_; }
    bool isBusy() const { return runs_; }
    QLineEdit* numbers() const { return numbers_; }
    // Names and statistics of all regions, live.
    QTableView* list() const { return list_; }
    const RegionMeasures& measures() const { return *measures_; }
    // All columns of the statistics as text with tabs, numbers with all digits.
    QString tableText() const;
    // The request of the operation `stats` for all regions and the shown field.
    std::optional<OperationRequest> statisticsRequest();

signals:
    // The receiver shows this position on the sky.
    void placeChosen(armilla::Vec3 direction, armilla::Frame frame);
    // The tool was opened, and receives the pointer; or was closed.
    void activeChanged(bool active);
    void importRequested();
    void exportRequested(bool asMoc);
    void statusChanged(const QString& text);
    void messageRaised(const QString& line, bool isError);
    void commandRequested(const QString& command);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Measured;
    void buildTools(QWidget* part);
    QLayout* buildShapes(QWidget* part);
    QLayout* buildNumbers(QWidget* part);
    void buildList(QWidget* part);
    void buildMenu(QToolButton* more);
    bool hasTable();
    void fillList();
    void fitList();
    void showNumbers();
    void takeNumbers();
    void takeFrame();
    void makeMask(bool inside);
    void measure();
    void showMeasured(const Measured& measured);

    Session& session_;
    RegionBook& book_;
    RegionMeasures* measures_;
    RegionModel* model_;
    RegionTool* tool_;
    OperationPanel* statistics_;
    std::vector<QToolButton*> shapes_;
    QTableView* list_ = nullptr;
    QLineEdit* numbers_ = nullptr;
    QComboBox* frame_ = nullptr;
    QLabel* text_ = nullptr;
    CurvePlot *histogram_ = nullptr, *profile_ = nullptr;
    QToolButton* fold_ = nullptr;
    PartStatistics figures_;
    bool runs_ = false, isStale_ = false, isFilling_ = false;
};

}  // namespace armilla
