// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets of each input and parameter in the panel of an operation, and their texts.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "armilla/session/shown_text.h"
#include "armilla/session/window_words.h"
#include "panels/column_choice.h"
#include "panels/operation_panel.h"
#include "panels/small_widgets.h"
#include "panels/value_slider.h"

namespace armilla {

// "Width of a Gaussian beam.", with labels in place of options.
inline QString sentence(std::string_view help, const Operation& operation) {
    QString text = inWindowWords(shownText(help), &operation);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text.isEmpty() ? text : text + QLatin1Char('.');
}

inline QLabel* nameLabel(const QString& text, QWidget* parent) {
    QLabel* label = mutedLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

// Property of the box of an optional result: whether the tool makes it from the start.
inline constexpr char kStandardOutput[] = "standardOutput";

struct OperationPanel::Row {
    Parameter parameter;
    QLabel* label = nullptr;
    QWidget* editor = nullptr;
    QLineEdit* line = nullptr;
    QComboBox* choice = nullptr;
    QCheckBox* flag = nullptr;
    ColumnChoice* column = nullptr;
    ValueSlider* slider = nullptr;
    QLabel* error = nullptr;
    bool hasError = false;
    QString wrong;     // the error, while there is one
    QString standard;  // text of the value at the start
};

struct OperationPanel::InputRow {
    const InputSlot* slot = nullptr;
    QLabel* label = nullptr;
    QComboBox* choice = nullptr;
    bool isFirst = true;  // else under More
    bool chosen = false;  // by the user; else it follows the active layer
    LayerId lookedAt;     // the shown map or active layer at the last update
};

}  // namespace armilla
