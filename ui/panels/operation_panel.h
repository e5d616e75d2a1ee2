// SPDX-License-Identifier: GPL-3.0-or-later
// Panel of an operation, made from its description: inputs, parameters, Run.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "armilla/session/operation_run.h"
#include "armilla/session/shown.h"
#include "armilla/session/tool_settings.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace armilla {

class Document;
class Session;
class ToolFooter;

class OperationPanel : public QWidget {
    Q_OBJECT
public:
    OperationPanel(Session& session, const Operation& operation, QWidget* parent = nullptr);
    ~OperationPanel() override;

    const Operation& operation() const { return operation_; }
    // The request that Run would start now.
    OperationRequest request();
    // Texts that differ if and only if requests differ: of the settings alone, and with inputs and
    // optional results.
    QString settingsText() const;
    QString requestText();
    // Text of a parameter as the command takes it, and input to its editor.
    QString text(const QString& parameter) const;
    bool setText(const QString& parameter, const QString& text);
    // The value at the start, which Reset restores, in place of the one of the command.
    void setStandard(const QString& parameter, const QString& text);
    // Chooses a layer as an input; invalid: none.
    void setInput(const QString& slot, LayerId layer);
    // The chosen layer, invalid if none.
    LayerId input(const QString& slot);
    // Name of the first input layer, for the title of the tool; empty if there is none.
    QString inputText();
    // Files become inputs after they are opened: of the input under the pointer, else of the first
    // input that accepts the file. `at`: position in this panel.
    void takeFiles(const QStringList& paths, QPoint at);
    // Inserts a widget between the inputs and the parameters; in a composed form below the first
    // rows.
    void insertPart(QWidget* part);
    // Requests an optional result from the start on, or cancels that.
    void setOutput(const QString& slot, bool wanted);
    // Names of the parameters that have a row.
    QStringList parameters() const;
    QPushButton* runButton();
    // Run, Reset and Copy command, and the reason why Run is off.
    ToolFooter& footer() { return *footer_; }
    // The rows, chosen inputs and optional results. A person's change of them is a step.
    ToolSettings& settings() { return *settings_; }
    // Settings of an inserted part, which have steps and Reset with the rows. Their present values
    // are those of Reset; `write` leaves the settings that are not named.
    void addSettings(const ToolSettings::Access& part);
    // A person has changed a setting of a part.
    void noteSettings(const QString& what, ToolSettings::Pace pace = ToolSettings::Pace::Once);
    // Unfolds the row of a parameter if needed, and gives its editor the keyboard.
    void showParameter(const QString& parameter);

signals:
    void commandRequested(const QString& command);
    // The request that Run would start may have changed.
    void changed();
    // The cause of this error of an earlier run is gone.
    void failureOver(const QString& line);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Row;
    struct InputRow;
    void buildInputs();
    void buildInput(QGridLayout* grid, const InputSlot& slot, bool isFirst);
    void buildParameters(const QStringList& first);
    void buildOutputs(QGridLayout* grid);
    void buildFooter();
    void buildSettings();
    static QJsonObject chosenInput(const InputRow& row);
    static void chooseInput(InputRow& row, const QJsonObject& chosen);
    static bool isSet(const Row& row);
    bool isAnySet() const;
    void resetSettings();
    int rowsSet() const;
    void orderTabStops();
    void buildRow(QGridLayout* grid, size_t index);
    QWidget* buildEditor(Row& row);
    QWidget* buildLine(Row& row);
    void buildSlider(QGridLayout* grid, int at, Row& row);
    // The catalog whose columns are offered.
    std::shared_ptr<const Catalog> table() const;
    void takeDropped();
    void alignRows();
    void noteLayers();
    void followLayers();
    void fillInputs();
    // Map layers and their names in expressions: A, B, C, ... in the order of the layers.
    std::vector<std::pair<QString, LayerId>> namedLayers() const;
    // The layers that an expression names, as inputs of this slot.
    void addNamed(const InputSlot& slot, OperationRequest& request) const;
    bool take(Row& row, const QString& text);
    void takeChosen(Row& row, const QString& text);
    void takeLine(Row& row);
    bool takeTyped();
    void step(Row& row, int direction);
    void refresh();
    void refreshRow(Row& row);
    std::pair<QString, const Row*> problem();
    void runNow();
    void noteEnd(int job, const QString& error);
    void endFailure();
    bool isRunning();

    Session& session_;
    const Operation& operation_;
    ParameterSet parameters_;
    std::vector<std::unique_ptr<Row>> rows_;
    std::vector<std::unique_ptr<InputRow>> inputs_;
    std::vector<std::pair<std::string_view, QCheckBox*>> outputs_;
    bool isOpen_ = false;  // shown, and updated since then
    int job_ = -1;         // the job of Run, while it waits or runs
    QString ran_;          // the request of that job
    // The last run, if it failed: its job, error, request and input layers.
    struct Failure {
        int job;
        QString line, request;
        std::vector<LayerId> inputs;
    };
    std::optional<Failure> failure_;
    std::set<LayerId> known_;            // layers at the last update of the input choices
    QHash<QString, InputRow*> dropped_;  // files being opened
    // State from which the input choices were built: id, revision and name of each layer, the shown
    // field, the active layer.
    using Kept = std::tuple<std::vector<std::tuple<LayerId, uint64_t, QString>>, Shown, LayerId>;
    Kept kept_;
    bool isStale_ = false;  // the document has changed since the last update
    QVBoxLayout* layout_ = nullptr;
    std::array<QGridLayout*, 3> grids_{};  // for inputs, for parameters, and for those under More
    bool isComposed_ = false;              // see ToolFacts::firstRows
    ToolSettings* settings_ = nullptr;
    std::vector<std::pair<ToolSettings::Access, QJsonObject>> parts_;  // and their standard values
    ToolFooter* footer_ = nullptr;
    QLabel* problem_ = nullptr;
    QString problemLine_;      // the reason why Run is off
    QLabel* names_ = nullptr;  // names of layers in expressions, for operations that take names
    QPushButton *run_ = nullptr, *copy_ = nullptr, *reset_ = nullptr;
    QToolButton* advanced_ = nullptr;
};

}  // namespace armilla
