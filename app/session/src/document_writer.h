// SPDX-License-Identifier: GPL-3.0-or-later
// A document to JSON, off the window's thread.
#pragma once

#include <QJsonObject>
#include <functional>

#include "session/document.h"

namespace armilla {

// What Document::toJson gives of the document as it is now, made when it is called, in any thread:
// of a thousand layers that takes longer than a frame.
std::function<QJsonObject()> jsonWriter(const Document& document, const QString& folder = {});

}  // namespace armilla
