// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/setting_controls.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>

#include "armilla/session/layer_id.h"
#include "armilla/session/tool_settings.h"

namespace armilla {
namespace {

// Text of an item: that of its data, and the number of a layer.
QString itemText(const QVariant& data) {
    return data.typeId() == qMetaTypeId<LayerId>() ? QString::number(data.value<LayerId>().number())
                                                   : data.toString();
}

QJsonValue valueOf(const QWidget* control) {
    if (const auto* box = qobject_cast<const QComboBox*>(control))
        return itemText(box->currentData());
    if (const auto* slider = qobject_cast<const QSlider*>(control)) return slider->value();
    if (const auto* box = qobject_cast<const QSpinBox*>(control)) return box->value();
    if (const auto* box = qobject_cast<const QDoubleSpinBox*>(control)) return box->value();
    if (const auto* line = qobject_cast<const QLineEdit*>(control)) return line->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(control))
        return button->isChecked();
    return {};
}

void setValue(QWidget* control, const QJsonValue& value) {
    if (auto* box = qobject_cast<QComboBox*>(control)) {
        for (int i = 0; i < box->count(); ++i)
            if (itemText(box->itemData(i)) == value.toString()) return box->setCurrentIndex(i);
    } else if (auto* slider = qobject_cast<QSlider*>(control)) {
        slider->setValue(value.toInt());
    } else if (auto* whole = qobject_cast<QSpinBox*>(control)) {
        whole->setValue(value.toInt());
    } else if (auto* number = qobject_cast<QDoubleSpinBox*>(control)) {
        number->setValue(value.toDouble());
    } else if (auto* line = qobject_cast<QLineEdit*>(control)) {
        line->setText(value.toString());
    } else if (auto* button = qobject_cast<QAbstractButton*>(control)) {
        button->setChecked(value.toBool());
    }
}

}  // namespace

QJsonObject valuesOf(const std::vector<SettingControl>& controls) {
    QJsonObject values;
    for (const auto& [key, control] : controls) values[key] = valueOf(control);
    return values;
}

void setValues(const std::vector<SettingControl>& controls, const QJsonObject& values) {
    for (const auto& [key, control] : controls)
        if (values.contains(key)) setValue(control, values[key]);
}

void noteDrags(const QSlider* slider, ToolSettings* settings, const QString& what) {
    QObject::connect(slider, &QSlider::sliderPressed, settings, &ToolSettings::beginDrag);
    QObject::connect(slider, &QSlider::sliderReleased, settings,
                     [settings, what] { settings->endDrag(what); });
}

void noteChanges(const std::vector<SettingControl>& controls, ToolSettings* settings) {
    using Pace = ToolSettings::Pace;
    for (const auto& [key, control] : controls) {
        const QString what = control->accessibleName();
        const auto once = [settings, what] { settings->note(what); };
        const auto repeated = [settings, what] { settings->note(what, Pace::Repeated); };
        if (auto* box = qobject_cast<QComboBox*>(control)) {
            QObject::connect(box, &QComboBox::activated, settings, once);
        } else if (auto* slider = qobject_cast<QSlider*>(control)) {
            noteDrags(slider, settings, what);
            QObject::connect(slider, &QSlider::valueChanged, settings, repeated);
        } else if (auto* whole = qobject_cast<QSpinBox*>(control)) {
            QObject::connect(whole, &QSpinBox::valueChanged, settings, repeated);
        } else if (auto* number = qobject_cast<QDoubleSpinBox*>(control)) {
            QObject::connect(number, &QDoubleSpinBox::valueChanged, settings, repeated);
        } else if (auto* line = qobject_cast<QLineEdit*>(control)) {
            QObject::connect(line, &QLineEdit::editingFinished, settings, once);
        } else if (auto* button = qobject_cast<QAbstractButton*>(control)) {
            QObject::connect(button, &QAbstractButton::clicked, settings, once);
        }
    }
}

}  // namespace armilla
