// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of a document to JSON outside the window's thread.
#pragma once

#include <QJsonObject>
#include <functional>

#include "armilla/session/document.h"

namespace armilla {

// A function, callable in any thread, that returns the JSON of the present document
// (Document::toJson). For a thousand layers the JSON takes longer than a frame.
std::function<QJsonObject()> jsonWriter(const Document& document, const QString& folder = {});

}  // namespace armilla
