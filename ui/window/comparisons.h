// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the shown map with another one that the user need not choose.
#pragma once

#include <QObject>

#include "armilla/session/document_view.h"

namespace armilla {

class MessageBar;
class Session;
struct ComparedPair;

class Comparisons : public QObject {
    Q_OBJECT
public:
    // Both must outlive this object.
    Comparisons(Session& session, MessageBar& messages, QObject* parent);

    // Shows the comparison of the pair. Shows a message if there is no second map.
    void compare(Comparison comparison);
    // Adds A minus B as a new map, with the same pair.
    void showDifference();

private:
    bool isPair(const ComparedPair& pair);

    Session& session_;
    MessageBar& messages_;
};

}  // namespace armilla
