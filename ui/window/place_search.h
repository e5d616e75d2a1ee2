// SPDX-License-Identifier: GPL-3.0-or-later
// The search box: positions and names, and the turn of the view to them.
#pragma once

#include <QObject>
#include <QString>

namespace armilla {

class MessageBar;
class NameSearch;
class Session;
class SkyViewWidget;
struct NamedPlace;

class PlaceSearch : public QObject {
    Q_OBJECT
public:
    // All three must outlive this object.
    PlaceSearch(Session& session, SkyViewWidget& sky, MessageBar& messages, QObject* parent);

    // Turns the view to a typed position or a name. Returns false, with a message, if the text is
    // invalid or found later.
    bool goTo(const QString& text);

signals:
    // The user asks for the section of the guide with this heading.
    void guideRequested(const QString& heading);

private:
    bool goToNamed(const NamedPlace& named);

    Session& session_;
    SkyViewWidget& sky_;
    MessageBar& messages_;
    NameSearch* names_;
    QString error_;  // the shown message
};

}  // namespace armilla
