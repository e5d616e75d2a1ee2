// SPDX-License-Identifier: GPL-3.0-or-later
// Controls whose values are the settings of a tool: their values by name, and the steps of the
// history that a person's changes make.
#pragma once

#include <QJsonObject>
#include <QString>
#include <vector>

class QSlider;
class QWidget;

namespace armilla {

class ToolSettings;

// A combo box (by the data of its item), slider, spin box, line edit or button that is checked.
struct SettingControl {
    QString key;
    QWidget* control = nullptr;
};

QJsonObject valuesOf(const std::vector<SettingControl>& controls);
// Sets the controls that `values` names. A choice without such an item stays.
void setValues(const std::vector<SettingControl>& controls, const QJsonObject& values);
// Connects the controls, after the receivers that take over their values. Titles of steps have the
// accessible names of the controls.
void noteChanges(const std::vector<SettingControl>& controls, ToolSettings* settings);
// A drag of a slider is one step.
void noteDrags(const QSlider* slider, ToolSettings* settings, const QString& what);

}  // namespace armilla
