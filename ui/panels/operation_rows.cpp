// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/operation_rows.h"

#include <QGridLayout>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "armilla/operations/parameter_units.h"
#include "armilla/session/session.h"
#include "armilla/session/tool_settings.h"
#include "armilla/ui/icons.h"
#include "dialogs/file_chooser.h"
#include "panels/form_rows.h"
#include "panels/small_widgets.h"
#include "tools/tool_table.h"

namespace armilla {
namespace {

bool isText(ParameterKind kind) {
    return kind != ParameterKind::Choice && kind != ParameterKind::Flag &&
           kind != ParameterKind::Frame;
}

// The range, for a tool tip.
QString rangeText(const Parameter& parameter) {
    const ParameterFacts& facts = parameter.facts;
    const bool isNumber = parameter.kind == ParameterKind::Angle ||
                          parameter.kind == ParameterKind::Number ||
                          parameter.kind == ParameterKind::Integer;
    if (!isNumber) return {};
    const auto word = [&](double bound) {
        return parameter.kind == ParameterKind::Integer
                   ? QString::number(static_cast<qint64>(bound))
                   : QString::fromStdString(parameter.text(bound));
    };
    QStringList parts;
    if (std::isfinite(facts.least))
        parts << (facts.aboveLeast ? OperationPanel::tr("above %1") : OperationPanel::tr("from %1"))
                     .arg(word(facts.least));
    if (std::isfinite(facts.most))
        parts << (facts.belowMost ? OperationPanel::tr("below %1") : OperationPanel::tr("to %1"))
                     .arg(word(facts.most));
    if (facts.powerOfTwo) parts << OperationPanel::tr("a power of two");
    return parts.join(QLatin1Char(' '));
}

}  // namespace

// Inputs stand in the order of the operation.
void OperationPanel::buildInputs() {
    const QStringList first = toolFacts(operation_.id, {}).firstRows;
    for (const InputSlot& slot : operation_.inputs) {
        if (slot.isNamed) {
            names_ = new QLabel(this);
            names_->setWordWrap(true);
            names_->setTextFormat(Qt::PlainText);
            grids_[0]->addWidget(names_, grids_[0]->rowCount(), 0, 1, 2);
            continue;
        }
        if (!layerKindFor(slot.kind) && slot.literals.empty() && !slot.takesNumber) continue;
        const bool isFirst = !isComposed_ || first.contains(textOf(slot.name));
        buildInput(grids_[isFirst ? 0 : 2], slot, isFirst);
    }
}

void OperationPanel::buildInput(QGridLayout* grid, const InputSlot& slot, bool isFirst) {
    auto row = std::make_unique<InputRow>();
    row->slot = &slot;
    row->isFirst = isFirst;
    const QString name = shownText(slot.label());
    row->label = nameLabel(name, this);
    row->choice = new NameChoice(this);
    row->choice->setAccessibleName(name);
    row->choice->setToolTip(sentence(slot.help, operation_));
    row->choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row->choice->setMinimumContentsLength(8);
    row->choice->setMinimumWidth(kLeastChoice);
    row->choice->setEditable(slot.takesNumber);
    const int at = grid->rowCount();
    grid->addWidget(row->label, at, 0);
    grid->addWidget(row->choice, at, 1);
    InputRow* held = row.get();
    const auto choose = [this, held, name](ToolSettings::Pace pace) {
        settings_->act(
            name,
            [this, held] {
                held->chosen = true;
                refresh();
            },
            pace);
    };
    connect(row->choice, &QComboBox::activated, this,
            [choose] { choose(ToolSettings::Pace::Once); });
    if (slot.takesNumber)
        connect(row->choice->lineEdit(), &QLineEdit::textEdited, this,
                [choose] { choose(ToolSettings::Pace::Repeated); });
    inputs_.push_back(std::move(row));
}

// Common parameters first; advanced ones on demand. A composed form decides which are common, and
// their order.
void OperationPanel::buildParameters(const QStringList& first) {
    for (Parameter& parameter : parameters_.rows()) {
        rows_.push_back(std::make_unique<Row>());
        rows_.back()->parameter = std::move(parameter);
        Parameter& held = rows_.back()->parameter;
        rows_.back()->standard = QString::fromStdString(held.text(held.get()));
        if (isComposed_) held.facts.advanced = !first.contains(textOf(held.name));
    }
    const auto place = [&](const std::unique_ptr<Row>& row) {
        return row->parameter.facts.advanced ? first.size()
                                             : first.indexOf(textOf(row->parameter.name));
    };
    if (isComposed_)
        std::stable_sort(rows_.begin(), rows_.end(),
                         [&](const auto& a, const auto& b) { return place(a) < place(b); });
    // Created in the order in which Tab visits them.
    for (size_t i = 0; i < rows_.size(); ++i)
        if (!rows_[i]->parameter.facts.advanced) buildRow(grids_[1], i);
    if (!isComposed_) buildOutputs(grids_[1]);
    advanced_ = foldButton(tr("More"), tr("Parameters that are seldom changed"), this);
    connect(advanced_, &QToolButton::toggled, this, [this] {
        refresh();
        alignRows();
    });
    for (size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i]->parameter.facts.advanced) buildRow(grids_[2], i);
    if (isComposed_) buildOutputs(grids_[2]);
}

// Optional results.
void OperationPanel::buildOutputs(QGridLayout* grid) {
    for (const OutputSlot& slot : operation_.outputs) {
        if (!slot.isOption || !layerKindFor(slot.kind)) continue;
        // The first clause names the output; the tip has the whole sentence.
        const QString what = sentence(slot.help, operation_).section(QLatin1Char(':'), 0, 0);
        auto* box = new SentenceCheck(what, this);
        box->setToolTip(sentence(slot.help, operation_) + QLatin1Char('\n') +
                        tr("Make this result, too"));
        grid->addWidget(box, grid->rowCount(), 0, 1, 2);
        outputs_.emplace_back(slot.name, box);
        connect(box, &QCheckBox::toggled, this,
                [this, what] { settings_->act(what, [this] { refresh(); }); });
    }
}

void OperationPanel::buildRow(QGridLayout* grid, size_t index) {
    Row& row = *rows_[index];
    const Parameter& parameter = row.parameter;
    QString tip = sentence(parameter.help, operation_);
    if (const QString range = rangeText(parameter); !range.isEmpty())
        tip += QLatin1Char('\n') + tr("Range: %1").arg(range);
    if (!parameter.facts.standard.empty())
        tip +=
            QLatin1Char('\n') +
            tr("If empty: %1").arg(inWindowWords(shownText(parameter.facts.standard), &operation_));
    const int at = grid->rowCount();
    QString name = shownText(parameter.label());
    // The text of an angle contains its unit, and that of a fixed number of angles the unit of
    // each.
    if (parameter.kind != ParameterKind::Angle && !parameter.facts.unit.empty() &&
        fixedCount(parameter) == 0 && parameter.facts.unit != "none")
        name += QStringLiteral(" (%1)").arg(textOf(parameter.facts.unit));
    row.label = nameLabel(name, this);
    row.label->setToolTip(tip);
    row.editor = buildEditor(row);
    row.editor->setToolTip(tip);
    row.editor->setAccessibleName(name);
    row.error = new QLabel(this);
    row.error->setProperty("role", "error");
    row.error->setWordWrap(true);
    row.error->hide();
    if (row.flag) {
        row.label->hide();
        grid->addWidget(row.editor, at, 0, 1, 2);
    } else {
        grid->addWidget(row.label, at, 0);
        grid->addWidget(row.editor, at, 1);
    }
    if (ValueSlider::suits(parameter)) buildSlider(grid, at + 1, row);
    grid->addWidget(row.error, at + 2, 0, 1, 2);
}

void OperationPanel::buildSlider(QGridLayout* grid, int at, Row& row) {
    row.slider = new ValueSlider(row.parameter, this);
    row.slider->setAccessibleName(row.editor->accessibleName());
    row.slider->setToolTip(row.editor->toolTip());
    grid->addWidget(row.slider, at, 0, 1, 2);
    Row* held = &row;
    const QString name = shownText(row.parameter.label());
    connect(row.slider, &ValueSlider::moved, this, [this, held, name](const ParameterValue& value) {
        held->line->setModified(false);
        settings_->act(
            name, [&] { take(*held, QString::fromStdString(held->parameter.text(value))); },
            ToolSettings::Pace::Repeated);
    });
}

// Takes text that a person has chosen.
void OperationPanel::takeChosen(Row& row, const QString& text) {
    settings_->act(shownText(row.parameter.label()), [&] { take(row, text); });
}

QWidget* OperationPanel::buildEditor(Row& row) {
    const Parameter& parameter = row.parameter;
    Row* held = &row;
    if (parameter.kind == ParameterKind::Flag) {
        row.flag = new QCheckBox(shownText(parameter.label()), this);
        connect(row.flag, &QCheckBox::clicked, this, [this, held](bool on) {
            takeChosen(*held, on ? QStringLiteral("true") : QStringLiteral("false"));
        });
        return row.flag;
    }
    if (!isText(parameter.kind)) {
        row.choice = new QComboBox(this);
        const bool canBeEmpty = parameter.kind == ParameterKind::Frame ||
                                std::holds_alternative<std::monostate>(parameter.get());
        if (canBeEmpty) row.choice->addItem(tr("automatic"), QString());
        if (parameter.kind == ParameterKind::Frame)
            for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic})
                row.choice->addItem(shownText(frameName(frame)),
                                    QString(QLatin1Char(frameLetter(frame))));
        for (const ChoiceWord& word : parameter.choices)
            row.choice->addItem(shownText(word.label.empty() ? word.word : word.label),
                                textOf(word.word));
        row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(row.choice, &QComboBox::activated, this, [this, held](int index) {
            takeChosen(*held, held->choice->itemData(index).toString());
        });
        return row.choice;
    }
    return buildLine(row);
}

QWidget* OperationPanel::buildLine(Row& row) {
    const Parameter& parameter = row.parameter;
    Row* held = &row;
    // Column parameters offer the column names.
    if (parameter.facts.placeholder.starts_with("COL")) {
        row.column = new ColumnChoice(this);
        row.line = row.column->lineEdit();
        connect(row.column, &ColumnChoice::chosen, this, [this, held](const QString& name) {
            held->line->setModified(false);
            takeChosen(*held, name);
        });
    } else {
        row.line = new QLineEdit(this);
    }
    row.line->setPlaceholderText(inWindowWords(exampleOf(parameter), &operation_));
    row.line->installEventFilter(this);
    // Pending edits apply when Run is pressed, without leaving the line first. Errors are hidden
    // while typing and not on focus loss, because Run would move away under the press.
    connect(row.line, &QLineEdit::textEdited, this, [this] {
        problem_->hide();
        run_->setEnabled(true);
        copy_->setEnabled(true);
    });
    connect(row.line, &QLineEdit::editingFinished, this, [this, held] { takeLine(*held); });
    if (row.column) return row.column;
    if (parameter.kind != ParameterKind::File) return row.line;
    QAction* browse =
        row.line->addAction(lineIcon(QStringLiteral("open")), QLineEdit::TrailingPosition);
    browse->setToolTip(tr("Choose a file…"));
    connect(browse, &QAction::triggered, this, [this, held] {
        chooseFilesToOpen(this, tr("Choose a file"), {}, [this, held](const QStringList& paths) {
            if (!paths.isEmpty()) takeChosen(*held, paths.front());
        });
    });
    return row.line;
}

void OperationPanel::showParameter(const QString& parameter) {
    const std::string name = parameter.toStdString();
    for (const auto& row : rows_) {
        if (row->parameter.name != name) continue;
        if (row->parameter.facts.advanced) advanced_->setChecked(true);
        if (row->editor) row->editor->setFocus(Qt::ShortcutFocusReason);
    }
}

}  // namespace armilla
