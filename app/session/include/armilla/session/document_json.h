// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of a document to JSON and back.
#pragma once

#include <QJsonObject>
#include <QString>
#include <functional>

namespace armilla {

class Document;

// A function, callable in any thread, that returns the content of a session file for the present
// document, with layers as recipes. For a thousand layers the JSON takes longer than a frame. Paths
// relative to `folder` are added if a folder is given.
std::function<QJsonObject()> jsonWriter(const Document& document, const QString& folder = {});

// Replaces the document by the saved state, without the values of layers. The caller then computes
// the layers of recovery().awaited() in jobs, inputs first, and restores each or gives it up. The
// view is restored as its maps arrive.
//
// Throws InvalidArgument, with nothing changed, if the JSON is not in the format of jsonWriter().
// Empties the history.
void restoreDocument(Document& document, const QJsonObject& json);

}  // namespace armilla
