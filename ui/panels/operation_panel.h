// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of any operation, made of its description: inputs, parameters, Run.
#pragma once

#include <QHash>
#include <QWidget>
#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include "session/operation_run.h"
#include "session/shown.h"

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

class OperationPanel : public QWidget {
    Q_OBJECT
public:
    OperationPanel(Session& session, const Operation& operation, QWidget* parent = nullptr);
    ~OperationPanel() override;

    const Operation& operation() const { return operation_; }
    // What Run would run now.
    OperationRequest request();
    // The text of a parameter as the panel shows it, and what an editor takes; for tests.
    QString text(const QString& parameter) const;
    bool setText(const QString& parameter, const QString& text);
    // Chooses a layer as an input; -1: none.
    void setInput(const QString& slot, int layer);
    // That is chosen, -1 if none is.
    int input(const QString& slot);
    // Files become inputs once they are open: the one under the hand, else the first that takes
    // them. `at`: in this panel.
    void takeFiles(const QStringList& paths, QPoint at);
    // Between the inputs and what is set of them.
    void insertPart(QWidget* part);
    // Asks for an optional result, or no longer.
    void setOutput(const QString& slot, bool wanted);
    // Names of the parameters that have a row.
    QStringList parameters() const;
    QPushButton* runButton();

signals:
    void commandRequested(const QString& command);
    // "expected ...": what keeps it from running; empty if nothing does.
    void problemChanged(const QString& line);
    // What Run would run may have changed.
    void changed();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Row;
    struct InputRow;
    void buildInputs(QGridLayout* grid);
    void buildRow(QGridLayout* grid, size_t index);
    QWidget* buildEditor(Row& row);
    QWidget* buildLine(Row& row);
    void buildSlider(QGridLayout* grid, int at, Row& row);
    // The catalog that columns are chosen of.
    std::shared_ptr<const Catalog> table() const;
    void takeDropped();
    void alignRows();
    void noteLayers();
    void followLayers();
    void fillInputs();
    bool take(Row& row, const QString& text);
    void takeLine(Row& row);
    bool takeTyped();
    void step(Row& row, int direction);
    void refresh();
    void refreshRow(Row& row);
    void runNow();

    Session& session_;
    const Operation& operation_;
    ParameterSet parameters_;
    std::vector<std::unique_ptr<Row>> rows_;
    std::vector<std::unique_ptr<InputRow>> inputs_;
    std::vector<std::pair<std::string_view, QCheckBox*>> outputs_;
    QHash<QString, InputRow*> dropped_;  // files on their way
    QWidget* inputPart_ = nullptr;
    // What the choices of inputs were made of: number, revision and name of each layer, the shown
    // field, the active layer.
    using Kept = std::tuple<std::vector<std::tuple<int, uint64_t, QString>>, Shown, int>;
    Kept kept_;
    bool isStale_ = false;  // the document has changed since
    QVBoxLayout* layout_ = nullptr;
    std::array<QGridLayout*, 2> grids_{};  // of inputs, of parameters
    QLabel* problem_ = nullptr;
    QPushButton *run_ = nullptr, *copy_ = nullptr;
    QToolButton* advanced_ = nullptr;
};

}  // namespace armilla
