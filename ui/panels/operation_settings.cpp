// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in the panel of an operation as one value, for undo and Reset.
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "armilla/session/session.h"
#include "armilla/session/tool_settings.h"
#include "panels/operation_rows.h"
#include "panels/setting_controls.h"
#include "tools/tool_table.h"

namespace armilla {
namespace {

QString inputKey(const InputSlot& slot) {
    return QStringLiteral("input ") + textOf(slot.name);
}

QString outputKey(std::string_view slot) {
    return QStringLiteral("output ") + textOf(slot);
}

}  // namespace

// A layer by its number, or the word of a literal or a typed number.
QJsonObject OperationPanel::chosenInput(const InputRow& row) {
    const QComboBox& choice = *row.choice;
    const bool isItem = choice.currentIndex() >= 0 &&
                        choice.currentText() == choice.itemText(choice.currentIndex());
    const QVariant data = choice.currentData();
    const bool isLayer = isItem && data.typeId() != QMetaType::QString;
    return {{"chosen", row.chosen},
            {"layer", isLayer ? data.value<LayerId>().number() : LayerId().number()},
            {"word", isLayer  ? QString()
                     : isItem ? data.toString()
                              : choice.currentText()}};
}

// A layer that is closed leaves the input as it is.
void OperationPanel::chooseInput(InputRow& row, const QJsonObject& chosen) {
    const QString word = chosen["word"].toString();
    const int index =
        word.isEmpty()
            ? row.choice->findData(QVariant::fromValue(LayerId(chosen["layer"].toInt(-1))))
            : row.choice->findData(word);
    if (index < 0 && word.isEmpty()) return;
    if (index >= 0)
        row.choice->setCurrentIndex(index);
    else
        row.choice->setEditText(word);
    row.chosen = chosen["chosen"].toBool();
}

void OperationPanel::buildSettings() {
    const auto read = [this] {
        QJsonObject all;
        for (const auto& row : rows_)
            all[textOf(row->parameter.name)] =
                QString::fromStdString(row->parameter.text(row->parameter.get()));
        for (const auto& row : inputs_) all[inputKey(*row->slot)] = chosenInput(*row);
        for (const auto& [slot, box] : outputs_) all[outputKey(slot)] = box->isChecked();
        for (const auto& [part, standard] : parts_) {
            const QJsonObject values = part.read();
            for (auto each = values.begin(); each != values.end(); ++each)
                all[each.key()] = each.value();
        }
        return all;
    };
    const auto write = [this](const QJsonObject& values) {
        {
            const QSignalBlocker quiet(this);  // one change instead of one for each row
            for (const auto& row : rows_) {
                const QString key = textOf(row->parameter.name);
                if (!values.contains(key)) continue;
                if (row->line) row->line->setModified(false);
                take(*row, values[key].toString());
            }
            for (const auto& row : inputs_)
                if (const QString key = inputKey(*row->slot); values.contains(key))
                    chooseInput(*row, values[key].toObject());
            for (const auto& [slot, box] : outputs_)
                if (const QString key = outputKey(slot); values.contains(key))
                    box->setChecked(values[key].toBool());
            for (const auto& [part, standard] : parts_) part.write(values);
        }
        refresh();
    };
    settings_ = new ToolSettings(*session_.document().history().stack(),
                                 toolFacts(operation_.id, shownText(operation_.title)).name,
                                 {read, write}, this);
    for (const auto& row : rows_)
        if (row->slider) noteDrags(row->slider, settings_, shownText(row->parameter.label()));
}

void OperationPanel::addSettings(const ToolSettings::Access& part) {
    settings_->follow([&] { parts_.emplace_back(part, part.read()); });
}

void OperationPanel::noteSettings(const QString& what, ToolSettings::Pace pace) {
    settings_->note(what, pace);
    reset_->setEnabled(isAnySet());
}

// The inputs in view stay: they follow the layers that are looked at.
void OperationPanel::resetSettings() {
    {
        const QSignalBlocker quiet(this);  // one change instead of one for each row
        for (const auto& row : rows_) {
            if (row->line) row->line->setModified(false);
            take(*row, row->standard);
        }
        for (const auto& [slot, box] : outputs_)
            box->setChecked(box->property(kStandardOutput).toBool());
        for (const auto& [part, standard] : parts_) part.write(standard);
        for (const auto& input : inputs_)
            if (!input->isFirst) input->chosen = false;
        fillInputs();
    }
    refresh();
}

bool OperationPanel::isAnySet() const {
    const bool isRow = std::any_of(rows_.begin(), rows_.end(), [](const auto& row) {
        const Parameter& parameter = row->parameter;
        return row->hasError ||
               QString::fromStdString(parameter.text(parameter.get())) != row->standard;
    });
    const bool isInput = std::any_of(inputs_.begin(), inputs_.end(), [](const auto& input) {
        return !input->isFirst && input->chosen;
    });
    const bool isPart = std::any_of(parts_.begin(), parts_.end(), [](const auto& each) {
        return each.first.read() != each.second;
    });
    return isRow || isInput || isPart ||
           std::any_of(outputs_.begin(), outputs_.end(), [](const auto& output) {
               const QCheckBox* box = output.second;
               return box->isChecked() != box->property(kStandardOutput).toBool();
           });
}

void OperationPanel::setStandard(const QString& name, const QString& text) {
    setText(name, text);
    for (const auto& row : rows_)
        if (row->parameter.isNamed(name.toStdString()))
            row->standard = QString::fromStdString(row->parameter.text(row->parameter.get()));
    refresh();
}

}  // namespace armilla
